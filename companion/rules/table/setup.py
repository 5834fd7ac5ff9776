"""How a game starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.rules.table.cards import Pile
from companion.rules.table.position import Position
from maps import Trouble


@dataclass(frozen=True)
class Setup:
    """How a game starts. Hands, open cards and tokens are told only where somebody counts them.

    `turns` False: nobody keeps the order of turns. `opening`: the opening tickets are chosen in the record.
    `tokens`: piles of tokens by place; empty: those without a printed place are laid in the record.
    `keeping`: what is told at all; unless everything is, there are no turns, no hands and no opening.
    """

    first: str = ""
    turns: bool = True
    opening: bool = False
    hands: Mapping[str, Pile] | None = None
    face_up: tuple[str, ...] | None = None
    discard: int = 0
    tokens: Mapping[str, Mapping[str, int]] | None = None
    keeping: str = "refereed"


def check_people(position: Position) -> None:
    """Trouble if these players can't sit at one table: their names, number and colours."""
    names = [n for p in position.players for n in (p.name, *p.members)]
    if len(set(names)) < len(names) or not all(n.strip() for n in names):
        raise Trouble("player-names")
    if position.seats not in position.board.players:
        raise Trouble("player-count", n=position.seats, variant=position.variant.name, known=position.board.players)
    colors = [p.color for p in position.players]
    for color in colors:
        if color not in position.board.wagon_colors:
            raise Trouble("player-color", value=color, known=position.board.wagon_colors)
    if len(set(colors)) < len(colors):
        raise Trouble("same-color")

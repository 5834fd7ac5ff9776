"""How a game starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.rules.table.cards import Pile


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

"""The start of a game: who plays what, and what lies on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.payments import Pile, size
from companion.rules.position import Player, Position, find_variant
from companion.rules.running import seats
from companion.rules.state import Running
from companion.rules.tokens import check_tokens
from companion.rules.variants import DEPOTS, DEPOTS_EACH, DEPOTS_MAX_OWNERS, MODULES
from maps import Trouble, nearest


@dataclass(frozen=True)
class Setup:
    """How a game starts. Hands, open cards and tokens are told only where somebody counts them.

    `turns` False: nobody keeps the order of turns. `opening`: the opening tickets are chosen in the record.
    """

    first: str = ""
    turns: bool = True
    opening: bool = False
    hands: Mapping[str, Pile] | None = None
    face_up: tuple[str, ...] | None = None
    discard: int = 0
    tokens: Mapping[str, Mapping[str, int]] | None = None


def start(
    variant: str,
    players: Sequence[Player],
    modules: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    setup: Setup | None = None,
) -> Position:
    """The position before the first turn; Trouble if this can't be played."""
    rules, board = find_variant(variant)
    setup = setup or Setup()
    rules = rules.with_options(options or {})
    position = Position(rules, board, tuple(players), tuple(modules), options or {})
    _check(position)
    order = seats(position)
    if setup.first and setup.first not in order:
        raise Trouble("unknown-player", value=setup.first, known=list(order))
    first = setup.first or order[0]
    run = Running(
        opening=order if setup.opening else (),
        tickets_left=_tickets(position),
        tokens=setup.tokens,
        wagons=dict.fromkeys(order, board.wagons) if rules.team_size > 1 else {},
    )
    if position.has_depots:
        position = replace(position, players=tuple(replace(p, depots_left=DEPOTS_EACH) for p in position.players))
        owners = _backwards(position, first)
        run = replace(run, placing=owners if setup.opening else (), warehouses=dict.fromkeys(owners, 0))
    if setup.tokens is not None:
        check_tokens(position, setup.tokens)
    position = replace(position, turn=first if setup.turns else "", running=run)
    return _dealt(position, setup)


def _dealt(position: Position, setup: Setup) -> Position:
    """Hands and open cards, where they are told; then the deck can be counted."""
    if setup.hands is None:
        return replace(position, face_up=setup.face_up)
    run = position.running or Running()
    if position.variant.team_size > 1:
        players = tuple(replace(p, rack={}) for p in position.players)
        position = replace(position, players=players, running=replace(run, hands=dict(setup.hands)))
    else:
        players = tuple(replace(p, hand=setup.hands.get(p.name)) for p in position.players)
        position = replace(position, players=players)
    if setup.face_up is None:
        return position
    dealt = sum(size(h) for h in setup.hands.values()) + len(setup.face_up) + setup.discard
    return replace(position, face_up=setup.face_up, deck=position.board.cards.total - dealt, discard=setup.discard)


def _backwards(position: Position, first: str) -> tuple[str, ...]:
    """Owners of depots from the last player to the first."""
    order = seats(position)
    at = order.index(first)
    owners = [p.name for s in (*order[at:], *order[:at]) for p in position.players if s in (p.name, *p.members)]
    return tuple(reversed(tuple(dict.fromkeys(owners))))


def _tickets(position: Position) -> int | None:
    """Tickets in the deck that players draw from: long ones are dealt apart, where there are such."""
    apart = position.variant.opening_long_tickets > 0
    known = sum(not (apart and t.long) for t in position.tickets.values())
    return known or position.board.tickets_unknown or None


def _check(position: Position) -> None:
    """Trouble if the players, modules or options can't be."""
    _check_players(position)
    for module in position.modules:
        if module not in MODULES:
            raise Trouble("unknown-module", value=module, meant=nearest(module, tuple(MODULES)) or DEPOTS)
    for option in position.options:
        if option not in position.variant.options:
            raise Trouble("unknown-option", value=option, variant=position.variant.name)
    if position.has_depots and len(position.players) > DEPOTS_MAX_OWNERS:
        raise Trouble("too-many-owners", n=DEPOTS_MAX_OWNERS)


def _check_players(position: Position) -> None:
    names = [n for p in position.players for n in (p.name, *p.members)]
    if len(set(names)) < len(names) or not all(n.strip() for n in names):
        raise Trouble("player-names")
    if position.seats not in position.board.players:
        raise Trouble("player-count", n=position.seats, variant=position.variant.name, known=position.board.players)
    size = position.variant.team_size
    if size > 1 and any(len(p.members) != size for p in position.players):
        raise Trouble("team-members", n=size)
    colors = [p.color for p in position.players]
    for color in colors:
        if color not in position.board.wagon_colors:
            raise Trouble("player-color", value=color, known=position.board.wagon_colors)
    if len(set(colors)) < len(colors):
        raise Trouble("same-color")

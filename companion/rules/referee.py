"""The referee: starts games, judges and plays actions, says what may be done, and what can't be on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from companion.rules.parts import PARTS
from companion.rules.table.action import Action
from companion.rules.table.cards import size
from companion.rules.table.offer import Offer
from companion.rules.table.outcome import NOTHING, Outcome
from companion.rules.table.position import KEEPINGS, Player, Position, Running
from companion.rules.table.setup import Setup, check_people
from companion.rules.table.turn import end_turn, judge_turn
from companion.rules.table.verdict import Findings, Verdict
from companion.rules.variants import DEPOTS, MODULES, find_variant, played
from maps import Message, Trouble, message, nearest
from maps.files import COLORS


def start(
    variant: str,
    players: Sequence[Player],
    modules: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    setup: Setup | None = None,
) -> Position:
    """The position before the first turn; Trouble if this can't be played."""
    rules, board = find_variant(variant)
    setup, options = _kept(setup or Setup()), options or {}
    position = Position(played(rules, options, modules), board, tuple(players), tuple(modules), options)
    _check(position)
    if setup.first and setup.first not in position.order:
        raise Trouble("unknown-player", value=setup.first, known=list(position.order))
    turn = (setup.first or position.order[0]) if setup.turns else ""
    position = replace(position, turn=turn, running=Running(), keeping=setup.keeping)
    for part in position.parts:
        position = part.begin(position, setup)
    return _dealt(position, setup)


def _kept(setup: Setup) -> Setup:
    """The set-up without what is not told in a game that is kept so."""
    if setup.keeping not in KEEPINGS:
        raise Trouble("unknown-keeping", value=setup.keeping, known=", ".join(KEEPINGS))
    if setup.keeping == KEEPINGS[0]:
        return setup
    return replace(setup, turns=False, opening=False, hands=None, face_up=None)


def _dealt(position: Position, setup: Setup) -> Position:
    """Hands and open cards, where they are told; then the deck can be counted."""
    if setup.hands is None:
        return replace(position, face_up=setup.face_up)
    if position.variant.team_size > 1:
        position = replace(position, players=tuple(replace(p, rack={}) for p in position.players))
        position = position.go_on(hands=dict(setup.hands))
    else:
        players = tuple(replace(p, hand=setup.hands.get(p.name)) for p in position.players)
        position = replace(position, players=players)
    if setup.face_up is None:
        return position
    dealt = sum(size(h) for h in setup.hands.values()) + len(setup.face_up) + setup.discard
    return replace(position, face_up=setup.face_up, deck=position.board.cards.total - dealt, discard=setup.discard)


def _check(position: Position) -> None:
    """Trouble if the players, modules or options can't be."""
    check_people(position)
    for module in position.modules:
        if module not in MODULES:
            raise Trouble("unknown-module", value=module, meant=nearest(module, tuple(MODULES)) or DEPOTS)
    for option in position.options:
        if option not in position.variant.options:
            raise Trouble("unknown-option", value=option, variant=position.variant.name)


def judge(position: Position, action: Action) -> Verdict:
    """All reasons at once, what must still be told, and what was believed because nobody can see it."""
    position.entry(action.player)
    found = Findings()
    judge_turn(position, action, found)
    action.judge(position, found)
    for part in position.parts:
        part.judged(position, action, found)
    return found.verdict()


def play(position: Position, action: Action, outcome: Outcome = NOTHING) -> Position:
    """The position after an action. It never refuses; what nobody told (hands, cards) is unknown afterwards."""
    if position.running is None:
        position = replace(position, running=Running())
    acts = action.when in ("turn", "before") and not action.opens(position)
    if acts:
        # Whatever a former claim brings is settled once somebody acts again.
        position = position.go_on(last_claim=None, previous="")
    position = action.play(position, outcome)
    for part in position.parts:
        position = part.played(position, action, outcome)
    return end_turn(position, action) if acts and action.when == "turn" else position


def offers(position: Position) -> tuple[Offer, ...]:
    """Everything that may be done now and by whom: what is required, then what a claim brings, then the rest."""
    found: list[Offer] = []
    for part in position.parts:
        for action in part.actions:
            for name in action.askers(position):
                turn = Findings()
                judge_turn(position, action(name), turn)
                offer = None if turn.reasons else action.offer(position, name)
                if offer is not None:
                    found.append(offer)
    return tuple(sorted(found, key=lambda o: (not o.required, not o.follow_up, o.action.last)))


def problems(position: Position) -> tuple[Message, ...]:
    """Everything impossible or out of place in a position, whole table first, then player by player."""
    found = [*_people(position)]
    for part in position.parts:
        found += part.problems(position)
    for player in position.players:
        for part in position.parts:
            found += part.problems_of(position, player)
        found += _not_played_here(position, player)
    return tuple(found)


def _people(position: Position) -> Iterator[Message]:
    if position.seats not in position.board.players:
        counts = ", ".join(str(n) for n in position.board.players)
        yield message("position.seats", n=position.seats, variant=position.variant.name, counts=counts)
    members = [m for p in position.players for m in p.members]
    for name in _twice([*(p.name for p in position.players), *members]):
        # A team may be called like one of its members.
        if members.count(name) != 1 or sum(p.name == name for p in position.players) != 1:
            yield message("position.name-twice", name=name)
    for color in _twice(p.color for p in position.players if p.color):
        yield message("position.color-twice", color=_color(color))
    for player in position.players:
        if player.color and player.color not in position.board.wagon_colors:
            yield message("position.color-not-here", name=player.name, color=_color(player.color))


def _not_played_here(position: Position, player: Player) -> Iterator[Message]:
    """What a player's entry tells of parts that this game has not."""
    for part in PARTS:
        if any(isinstance(p, part) for p in position.parts):
            continue
        for what, fields in part.entries.items():
            if any(getattr(player, field) for field in fields):
                word = message(f"position.{what}-word")
                yield message("position.not-here", name=player.name, what=word, variant=position.variant.name)


_T = TypeVar("_T", bound=Hashable)


def _twice(values: Iterable[_T]) -> list[_T]:
    return [value for value, n in Counter(values).items() if n > 1]


def _color(color: str) -> Message | str:
    return message(f"words.{color}") if color in COLORS else color

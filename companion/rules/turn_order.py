"""The end of a turn: who is next, and when the last round is called."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.actions import Action, Claim
from companion.rules.position import Position
from companion.rules.running import changed, entry, running, seats, wagons_of
from companion.rules.technologies import effects


def end_turn(position: Position, action: Action) -> Position:
    """Passes the turn on; a second claim of the same turn keeps it."""
    name = _seat(position, action.player)
    if isinstance(action, Claim) and not action.give_up and _may_claim_again(position, name):
        return position
    called = position.running is not None and position.running.last_turns is None and _calls(position, name)
    position = _cards_back(position, name)
    run = running(position)
    order = seats(position)
    after = order.index(name) + 1
    following = (*order[after:], *order[:after])
    last_turns, over = run.last_turns, run.over
    if last_turns is not None:
        last_turns = tuple(s for s in last_turns if s != name)
        over = not last_turns
    elif called:
        # Everybody, the one who called it included, has one last turn.
        last_turns = following
    state = replace(
        run, bought="", claims=0, previous=name, last_turns=last_turns if position.turn else run.last_turns,
        called_by=name if called else run.called_by, over=over and bool(position.turn),
    )  # fmt: skip
    return replace(position, turn=following[0] if position.turn else "", running=state)


def _seat(position: Position, name: str) -> str:
    """The seat that acts; a team's name stands for the member whose turn it is, else its first."""
    if name in seats(position):
        return name
    members = entry(position, name).members
    return position.turn if position.turn in members else members[0]


def _may_claim_again(position: Position, name: str) -> bool:
    allowed = max([1, *effects(position, entry(position, name), "claims_this_turn")])
    return running(position).claims < allowed


def _calls(position: Position, name: str) -> bool:
    """Whether this turn leaves so few wagons that the last round is called; a team counts together."""
    player = entry(position, name)
    left = position.wagons_left(player) if position.variant.team_size > 1 else wagons_of(position, name)
    return left <= position.variant.end_trigger


def _cards_back(position: Position, name: str) -> Position:
    """Technologies that work at once go back on sale."""
    player = entry(position, name)
    kept = tuple(t for t in player.technologies if "returned" not in position.board.technologies[t].effects)
    return position if kept == player.technologies else changed(position, replace(player, technologies=kept))

"""Whose turn it is, what may be done in it, who is next, and when the last round is called."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.table.action import Action
from companion.rules.table.position import Position
from companion.rules.table.verdict import Findings, Rule


def judge_turn(position: Position, action: Action, found: Findings) -> None:
    """Whether this player may do such a thing at all now."""
    if action.when == "end":
        return
    run, follows = position.run, _follows(position, action)
    if run.over and not follows:
        found.no(Rule.END, "turn.over")
        return
    waiting = next((w for part in position.parts if (w := part.waiting(position))), None)
    if waiting:
        first = waiting(action)
        if first:
            found.add(first)
    elif action.when == "claim" and run.last_claim and not follows:
        found.no(Rule.TURN, "turn.not-your-claim", claimer=run.last_claim.player, player=action.player)
    elif not follows and position.turn and not position.seat(action.player).is_one_with(position.turn):
        found.no(Rule.TURN, "turn.not-yours", turn=position.turn, player=action.player)
    if run.last_turns is not None and not position.turn and not follows and action.when == "turn":
        had = not any(position.seat(action.player).is_one_with(seat) for seat in run.last_turns)
        if had:
            found.no(Rule.END, "turn.had-last", player=action.player)
    if run.claims and not follows and action.when not in ("before", "free") and not action.second:
        found.no(Rule.TURN, "turn.claim-or-pass")


def _follows(position: Position, action: Action) -> bool:
    """What belongs to a turn that has just been played: what a claim brings, and what costs no action."""
    run, seat = position.run, position.seat(action.player)
    if action.when == "claim" and run.last_claim:
        return seat.is_one_with(run.last_claim.player)
    return action.when == "free" and bool(run.previous) and not run.over and seat.is_one_with(run.previous)


def end_turn(position: Position, action: Action) -> Position:
    """Passes the turn on; a second claim of the same turn keeps it."""
    name = _seat(position, action.player)
    if action.goes_on and _may_claim_again(position, name):
        return position
    called = position.run.last_turns is None and _calls(position, name)
    for part in position.parts:
        position = part.turn_over(position, name)
    run = position.run
    after = position.order.index(name) + 1
    following = (*position.order[after:], *position.order[:after])
    last_turns, over = run.last_turns, run.over
    if last_turns is not None:
        last_turns = tuple(s for s in last_turns if s != name)
        over = not last_turns
    elif called:
        # Everybody, the one who called it included, has one last turn.
        last_turns = following
    # Where only claims are told, whoever has claimed since has had the last turn.
    counted = bool(position.turn) or not position.refereed
    state = replace(
        run, bought="", claims=0, previous=name, last_turns=last_turns if counted else run.last_turns,
        called_by=name if called else run.called_by, over=over and counted,
    )  # fmt: skip
    return replace(position, turn=following[0] if position.turn else "", running=state)


def _seat(position: Position, name: str) -> str:
    """The seat that acts; a team's name stands for the member whose turn it is, else its first."""
    if name in position.order:
        return name
    members = position.entry(name).members
    return position.turn if position.turn in members else members[0]


def _may_claim_again(position: Position, name: str) -> bool:
    player = position.entry(name)
    return position.run.claims < max(part.claims_a_turn(position, player) for part in position.parts)


def _calls(position: Position, name: str) -> bool:
    """Whether this turn leaves so few wagons that the last round is called; a team counts together."""
    team = position.variant.team_size > 1
    left = position.wagons_left(position.entry(name)) if team else position.seat(name).wagons
    return left <= position.variant.end_trigger

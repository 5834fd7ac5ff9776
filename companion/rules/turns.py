"""Whose turn it is, and what may be done in it."""

from __future__ import annotations

from companion.rules.actions import (
    Action,
    BuyTechnology,
    Claim,
    DrawTickets,
    EmptyWarehouse,
    Pass,
    PlaceDepot,
    ShowNeutral,
    ShowTickets,
    TakeShare,
    TakeTourist,
)
from companion.rules.claims import legal_claims
from companion.rules.payments import ways
from companion.rules.position import Position
from companion.rules.running import cards_left, cards_of, entry, running
from companion.rules.stations import station_price
from companion.rules.verdict import Findings, Rule

AT_THE_END = (ShowTickets, ShowNeutral)
AFTER_A_CLAIM = (TakeShare, TakeTourist, EmptyWarehouse)


def judge_turn(position: Position, action: Action, found: Findings) -> None:
    """Whether this player may act at all now."""
    if isinstance(action, AT_THE_END):
        return
    run = running(position)
    follows = _follows(position, action)
    if run.over and not follows:
        found.no(Rule.END, "turn.over")
    elif run.opening:
        _opening(run.opening, action, found)
    elif run.placing:
        _placing(position, run.placing, action, found)
    elif not follows and position.turn and not same_seat(position, action.player, position.turn):
        found.no(Rule.TURN, "turn.not-yours", turn=position.turn, player=action.player)
    if run.claims and not follows and not isinstance(action, Claim | Pass | PlaceDepot | BuyTechnology):
        found.no(Rule.TURN, "turn.claim-or-pass")
    if position.running and isinstance(action, DrawTickets) and action.opening and action.player not in run.opening:
        found.no(Rule.TICKETS, "turn.opening-done")


def _follows(position: Position, action: Action) -> bool:
    """What belongs to a turn that has just been played: what a claim brings, and depots."""
    run = running(position)
    if isinstance(action, AFTER_A_CLAIM) and run.last_claim:
        return same_seat(position, action.player, run.last_claim.player)
    free = isinstance(action, PlaceDepot) and bool(run.previous) and not run.over
    return free and same_seat(position, action.player, run.previous)


def _opening(waiting: tuple[str, ...], action: Action, found: Findings) -> None:
    if not isinstance(action, DrawTickets):
        found.no(Rule.TICKETS, "turn.opening-first", players=list(waiting))
    elif action.player not in waiting:
        found.no(Rule.TICKETS, "turn.opening-done")


def _placing(position: Position, waiting: tuple[str, ...], action: Action, found: Findings) -> None:
    """From the last player backwards everybody puts one depot on a city before the first turn."""
    if not isinstance(action, PlaceDepot) or entry(position, action.player).name != waiting[0]:
        found.no(Rule.DEPOTS, "turn.placing", player=waiting[0])


def same_seat(position: Position, a: str, b: str) -> bool:
    """The same person as far as anybody said: a team's name stands for any of its members."""
    if a == b:
        return True
    return entry(position, a).name == entry(position, b).name and entry(position, a).name in (a, b)


def judge_pass(position: Position, action: Pass, found: Findings) -> None:
    """Doing nothing is only for a claim that is forgone, or where nothing else can be done."""
    if running(position).claims:
        return
    if can_act(position, action.player):
        found.no(Rule.TURN, "turn.must-act")
    elif cards_of(position, action.player) is None:
        found.believe("stuck", player=action.player)


def can_act(position: Position, name: str) -> bool:
    """Whether some action is surely possible: cards or tickets to draw, a track or station to pay."""
    _, cards = cards_left(position)
    if cards is None or cards > 0 or position.face_up:
        return True
    if running(position).tickets_left != 0:
        return True
    held = cards_of(position, name)
    if held is None:
        return False
    if any(True for _ in legal_claims(position, name)):
        return True
    player = entry(position, name)
    left = position.variant.stations - len(player.stations)
    return left > 0 and any(True for _ in ways(station_price(position, player), held))

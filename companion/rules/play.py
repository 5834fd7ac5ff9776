"""Plays an action: position, action and outcome give the next position. It never refuses: `judge` does that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.rules import actions as a
from companion.rules.claims import claim_points
from companion.rules.outcome import NOTHING, Outcome
from companion.rules.payments import Pile, minus, plus, size
from companion.rules.position import Player, Position
from companion.rules.running import changed, entry, hand_of, rack_of, running
from companion.rules.shares import next_share
from companion.rules.state import LastClaim, Running
from companion.rules.supply import Supply
from companion.rules.ticket_actions import is_opening
from companion.rules.turn_order import end_turn

_ENDS_A_TURN = (a.DrawCards, a.Claim, a.BuildStation, a.DrawTickets, a.RevealTickets, a.Pass)


def play(position: Position, action: a.Action, outcome: Outcome = NOTHING) -> Position:
    """The position after an action. What nobody told (hands, cards turned up) is unknown afterwards."""
    if position.running is None:
        position = replace(position, running=Running())
    opening = isinstance(action, a.DrawTickets) and is_opening(position, action)
    acts = isinstance(action, (*_ENDS_A_TURN, a.BuyTechnology)) and not opening
    if acts:
        # Whatever a former claim brings is settled once somebody acts again.
        position = _run(position, last_claim=None, previous="")
    position = _PLAYS[type(action)](position, action, outcome)
    return end_turn(position, action) if acts and isinstance(action, _ENDS_A_TURN) else position


def _run(position: Position, **changes: Any) -> Position:
    return replace(position, running=replace(running(position), **changes))


def _give(position: Position, name: str, cards: Pile | None) -> Position:
    """Cards into a hand; None: nobody knows which, so nobody knows the hand any more."""
    hand = hand_of(position, name)
    return _set_hand(position, name, None if hand is None or cards is None else plus(hand, cards))


def _set_hand(position: Position, name: str, hand: Pile | None) -> Position:
    run, player = running(position), entry(position, name)
    if name == player.name:
        return changed(position, replace(player, hand=hand))
    hands = {n: h for n, h in run.hands.items() if n != name}
    return _run(position, hands=hands if hand is None else {**hands, name: hand})


def _set_rack(position: Position, name: str, rack: Pile) -> Position:
    return changed(position, replace(entry(position, name), rack=rack))


def _pay(position: Position, name: str, cards: Pile, from_rack: Pile | None = None) -> Position:
    """Cards out of rack and hand, onto the discard pile."""
    rack_part = _rack_part(position, name, cards, from_rack)
    if rack_part:
        position = _set_rack(position, name, minus(rack_of(position, name), rack_part))
    hand = hand_of(position, name)
    if hand is not None:
        position = _set_hand(position, name, minus(hand, minus(cards, rack_part)))
    return _discard(position, size(cards))


def _rack_part(position: Position, name: str, cards: Pile, told: Pile | None) -> Pile:
    """Which of the cards come from the team's rack: as told, else as many as lie there."""
    rack = rack_of(position, name)
    wanted = cards if told is None else told
    return {c: min(n, rack.get(c, 0)) for c, n in wanted.items() if rack.get(c, 0)}


def _discard(position: Position, n: int) -> Position:
    return position if position.discard is None else replace(position, discard=position.discard + n)


def _draw_cards(position: Position, action: a.DrawCards, outcome: Outcome) -> Position:
    supply, drawn = Supply.of(position, outcome), list(outcome.drawn or ())
    if action.warehouse:
        supply.store(action.warehouse)
    for card in action.cards:
        if card.source == "table":
            supply.take(card.card or "")
            known = card.card
        else:
            supply.draw()
            known = card.card or (drawn.pop(0) if drawn else None)
        pile = {known: 1} if known else None
        if card.to == "rack" and pile:
            position = _set_rack(position, action.player, plus(rack_of(position, action.player), pile))
        elif card.to != "rack":
            position = _give(position, action.player, pile)
    supply.refill()
    return supply.put(position)


def _claim(position: Position, action: a.Claim, outcome: Outcome) -> Position:
    supply = Supply.of(position, outcome)
    supply.draw(len(action.revealed or ()))
    position = _discard(supply.put(position), len(action.revealed or ()))
    if action.give_up:
        position = _take_back(position, action)
    else:
        position = _pay(position, action.player, plus(action.cards, action.extra or {}), action.rack)
        position = _lay(position, action)
    return _refilled(position, outcome)


def _refilled(position: Position, outcome: Outcome) -> Position:
    """Open cards that were missing are turned up as soon as there are cards again."""
    supply = Supply.of(position, outcome)
    supply.refill()
    return supply.put(position)


def _take_back(position: Position, action: a.Claim) -> Position:
    """Laid cards go to the player's hand, those of the rack too, unless the group plays otherwise."""
    part = _rack_part(position, action.player, action.cards, action.rack)
    if not part or position.variant.give_up_to_rack:
        return position
    position = _set_rack(position, action.player, minus(rack_of(position, action.player), part))
    return _give(position, action.player, part)


def _lay(position: Position, action: a.Claim) -> Position:
    player, route, run = entry(position, action.player), position.board.routes[action.route], running(position)
    used = route.length + route.mountain_marks
    points = (player.marked_points or 0) + claim_points(position, player, route)
    wagons = None if player.wagons is None else max(0, player.wagons - used)
    position = changed(
        position, replace(player, routes=(*player.routes, route.id), marked_points=points, wagons=wagons)
    )
    if action.player in run.wagons:
        position = _run(position, wagons={**run.wagons, action.player: max(0, run.wagons[action.player] - used)})
    return _run(position, last_claim=LastClaim(action.player, route.id), claims=run.claims + 1)


def _station(position: Position, action: a.BuildStation, outcome: Outcome) -> Position:
    position = _pay(position, action.player, action.cards)
    player = entry(position, action.player)
    position = changed(position, replace(player, stations=(*player.stations, action.city)))
    return _refilled(position, outcome)


def _technology(position: Position, action: a.BuyTechnology, outcome: Outcome) -> Position:
    position = _pay(position, action.player, action.cards)
    player = entry(position, action.player)
    position = changed(position, replace(player, technologies=(*player.technologies, action.technology)))
    return _refilled(_run(position, bought=action.technology), outcome)


def _draw_tickets(position: Position, action: a.DrawTickets, _: Outcome) -> Position:
    run, opening = running(position), is_opening(position, action)
    player = entry(position, action.player)
    if run.tickets_left is not None:
        position = _run(position, tickets_left=max(0, run.tickets_left - _gone(position, action, opening)))
    if opening:
        position = _run(position, opening=tuple(s for s in run.opening if s != action.player))
    if isinstance(action.kept, int):
        secret = {**run.secret_tickets, action.player: run.secret_tickets.get(action.player, 0) + action.kept}
        return _run(position, secret_tickets=secret)
    position = changed(position, replace(player, tickets=(*player.tickets, *action.kept)))
    if position.variant.team_size == 1:
        return position
    rack = action.rack or ()
    own = (*run.tickets.get(action.player, ()), *(t for t in action.kept if t not in rack))
    shown = (*run.rack_tickets.get(player.name, ()), *rack)
    return _run(
        position, tickets={**run.tickets, action.player: own}, rack_tickets={**run.rack_tickets, player.name: shown}
    )


def _gone(position: Position, action: a.DrawTickets, opening: bool) -> int:
    """Tickets that leave the deck: those kept, and refused opening ones where they go into the box."""
    drawn, kept = action.numbers
    apart = position.variant.opening_long_tickets if opening else 0
    if opening and position.variant.refused_opening == "box":
        return drawn - apart
    return kept


def _reveal(position: Position, action: a.RevealTickets, _: Outcome) -> Position:
    run, player = running(position), entry(position, action.player)
    own = tuple(t for t in run.tickets.get(action.player, ()) if t not in action.tickets)
    shown = (*run.rack_tickets.get(player.name, ()), *action.tickets)
    return _run(
        position, tickets={**run.tickets, action.player: own}, rack_tickets={**run.rack_tickets, player.name: shown}
    )


def _added(shares: Mapping[str, tuple[int, ...]], company: str, number: int | None) -> Mapping[str, tuple[int, ...]]:
    return shares if number is None else {**shares, company: (*shares.get(company, ()), number)}


def _share(position: Position, action: a.TakeShare, _: Outcome) -> Position:
    player = entry(position, action.player)
    shares = _added(player.shares, action.company, next_share(position, action.company))
    position = changed(position, replace(player, shares=shares))
    run = running(position)
    if action.neutral:
        pile = _added(run.neutral_pile, action.neutral, next_share(position, action.neutral))
        position = _run(position, neutral_pile=pile)
    return _run(position, last_claim=run.last_claim and replace(run.last_claim, share=True))


def _tourist(position: Position, action: a.TakeTourist, _: Outcome) -> Position:
    player, run = entry(position, action.player), running(position)
    position = changed(position, replace(player, tourists=(*player.tourists, action.token)))
    if run.tokens is not None:
        pile = minus(run.tokens.get(action.place, {}), {action.token: 1})
        position = _run(position, tokens={**run.tokens, action.place: pile})
    return _run(position, last_claim=run.last_claim and replace(run.last_claim, tourist=True))


def _less_a_depot(player: Player) -> Player:
    return player if player.depots_left is None else replace(player, depots_left=max(0, player.depots_left - 1))


def _depot(position: Position, action: a.PlaceDepot, _: Outcome) -> Position:
    player, run = entry(position, action.player), running(position)
    position = changed(position, _less_a_depot(replace(player, depots=(*player.depots, action.city))))
    return _run(position, placing=tuple(n for n in run.placing if n != player.name))


def _warehouse(position: Position, action: a.EmptyWarehouse, outcome: Outcome) -> Position:
    run = running(position)
    owner = entry(position, action.owner).name
    position = changed(position, _less_a_depot(entry(position, action.player)))
    position = _give(position, action.player, outcome.taken)
    claim = run.last_claim and replace(run.last_claim, warehouses=(*run.last_claim.warehouses, owner))
    return _run(position, warehouses={**run.warehouses, owner: 0}, last_claim=claim)


def _pass(position: Position, _action: a.Pass, outcome: Outcome) -> Position:
    return _refilled(position, outcome)


def _show_tickets(position: Position, action: a.ShowTickets, _: Outcome) -> Position:
    run, player = running(position), entry(position, action.player)
    members = {action.player, *player.members} if action.player == player.name else {action.player}
    others = () if action.player == player.name else tuple(t for t in player.tickets if t not in action.tickets)
    position = changed(position, replace(player, tickets=(*others, *action.tickets)))
    return _run(position, secret_tickets={s: n for s, n in run.secret_tickets.items() if s not in members})


def _show_neutral(position: Position, action: a.ShowNeutral, _: Outcome) -> Position:
    return replace(position, neutral_shares={c: tuple(n) for c, n in action.shares.items() if n})


_PLAYS: Mapping[type[a.Action], Callable[[Position, Any, Outcome], Position]] = {
    a.DrawCards: _draw_cards,
    a.Claim: _claim,
    a.BuildStation: _station,
    a.BuyTechnology: _technology,
    a.DrawTickets: _draw_tickets,
    a.RevealTickets: _reveal,
    a.TakeShare: _share,
    a.TakeTourist: _tourist,
    a.PlaceDepot: _depot,
    a.EmptyWarehouse: _warehouse,
    a.Pass: _pass,
    a.ShowTickets: _show_tickets,
    a.ShowNeutral: _show_neutral,
}

"""Claiming a track: free or not, groups, wagons, technologies, payment and tunnels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.rules.actions import Claim
from companion.rules.hands import must_hold
from companion.rules.payments import Payment, Price, pay, plus, size, ways, ways_in_principle, why_not
from companion.rules.position import Player, Position
from companion.rules.running import cards_left, cards_of, entry, running, wagons_of
from companion.rules.technologies import effects, stand_in
from companion.rules.tunnels import extra_price, turned_cards
from companion.rules.variants import needed_locomotives
from companion.rules.verdict import Findings, Rule
from maps import GRAY, Message, Route, Text, message


@dataclass(frozen=True)
class ClaimChoice:
    """A track that can be claimed, and every set of cards that pays it; of a tunnel, before cards are turned up."""

    route: str
    ways: tuple[Mapping[str, int], ...]


def judge_claim(position: Position, action: Claim, found: Findings) -> None:
    """Every reason against a claim; of a tunnel also what must still be turned up or paid."""
    player = entry(position, action.player)
    route = position.board.routes[action.route]
    _track(position, action.player, route, found)
    price = claim_price(position, player, route)
    payment = pay(price, action.cards)
    found.add(*why_not(price, action.cards))
    if route.kind == "tunnel":
        _tunnel(position, action, route, payment, found)
    else:
        _no_tunnel(action, route, position, found)
    must_hold(position, action.player, plus(action.cards, action.extra or {}), found, action.rack)
    if not action.give_up:
        found.points = claim_points(position, player, route)


def _track(position: Position, name: str, route: Route, found: Findings) -> None:
    """What stands against this track whatever is paid."""
    player = entry(position, name)
    _taken(position, player, route, found)
    _group(position, player, route, found)
    _wagons(position, name, route, found)
    if position.variant.technologies != "none":
        for technology in route.technologies:
            if technology not in player.technologies:
                told = position.board.technologies[technology].name
                found.no(Rule.TECHNOLOGIES, "claim.technology", route=route_told(position, route), technology=told)


def _taken(position: Position, player: Player, route: Route, found: Findings) -> None:
    owners = [position.players[i] for i in position.owners.get(route.id, ())]
    if player.name in [p.name for p in owners]:
        found.no(Rule.CLAIMING, "claim.own", route=route_told(position, route))
    # Right of Way lets a player claim what others occupy.
    elif owners and not effects(position, player, "claim_occupied"):
        names = [p.name for p in owners]
        found.no(Rule.CLAIMING, "claim.taken", route=route_told(position, route), owners=names)


def _group(position: Position, player: Player, route: Route, found: Findings) -> None:
    tracks = position.board.groups[route.group]
    variant = position.variant
    limit = variant.group_rule(len(tracks), route.group, position.seats)
    rule = Rule.TEAM_GROUPS if variant.team_size > 1 else Rule.GROUPS
    mine = sum(t.id in player.routes for t in tracks if t.id != route.id)
    if limit.per_owner is not None and mine >= limit.per_owner:
        key = "claim.group-own-team" if variant.team_size > 1 else "claim.group-own"
        found.no(rule, key, route=route_told(position, route), n=mine)
    taken = sum(t.id in position.owners for t in tracks)
    free = route.id not in position.owners
    if len(tracks) > 1 and free and limit.in_all is not None and taken >= limit.in_all:
        found.no(rule, "claim.group-closed", route=route_told(position, route), n=limit.in_all, players=position.seats)


def _wagons(position: Position, name: str, route: Route, found: Findings) -> None:
    due, left = route.length + route.mountain_marks, wagons_of(position, name)
    if due > left and route.mountain_marks:
        spaces, marks = route.length, route.mountain_marks
        found.no(Rule.MOUNTAIN, "claim.wagons-mountain", n=left, spaces=spaces, marks=marks, due=due)
    elif due > left:
        found.no(Rule.CLAIMING, "claim.wagons", n=left, due=due)
    elif position.variant.team_size > 1 and name not in running(position).wagons:
        player = entry(position, name)
        # The partner may have laid them all: nobody told who of the team holds how many.
        if player.wagons is None and due > position.board.wagons - position.wagons_used(player):
            found.believe("team-wagons", player=name)


def claim_price(position: Position, player: Player, route: Route) -> Price:
    """What a track costs this player."""
    due = needed_locomotives(route)
    # Diesel Power takes one card off, never the last one nor a ferry's locomotives.
    cards = max(1, due, route.length - sum(effects(position, player, "cards_less")))
    colors = position.board.cards.colors if route.color == GRAY else (route.color,)
    return Price(cards, colors, due, stand_in(position, player))


def claim_points(position: Position, player: Player, route: Route) -> int:
    """The points that a claim scores at once."""
    points = route.points + route.mountain_marks * position.variant.mountain_points
    points += sum(effects(position, player, "points_per_claim"))
    return points + (sum(effects(position, player, "points_per_ferry")) if route.kind == "ferry" else 0)


def _no_tunnel(action: Claim, route: Route, position: Position, found: Findings) -> None:
    if action.revealed or action.extra or action.give_up:
        found.no(Rule.TUNNEL, "tunnel.none", route=route_told(position, route))


def _tunnel(position: Position, action: Claim, route: Route, payment: Payment | None, found: Findings) -> None:
    if payment is None:
        return
    due = _turned(position, action, route, payment, found)
    if due is None:
        return
    if action.give_up:
        if not due:
            found.no(Rule.TUNNEL, "tunnel.nothing-to-give-up")
        elif action.extra:
            found.no(Rule.TUNNEL, "tunnel.pay-or-give-up")
    elif action.extra is None:
        if due:
            found.needs["extra"] = due
    elif due:
        found.add(*why_not(extra_price(payment.color, due), action.extra))
    elif action.extra:
        found.no(Rule.TUNNEL, "tunnel.nothing-due", n=size(action.extra))


def _turned(position: Position, action: Claim, route: Route, payment: Payment, found: Findings) -> int | None:
    """How many more cards the turned-up ones ask for; None while some are still to be turned up."""
    least, most = cards_left(position)
    wanted = route.tunnel_draw if most is None else min(route.tunnel_draw, most)
    shown = action.revealed or ()
    if len(shown) > wanted:
        found.no(Rule.TUNNEL, "tunnel.too-many", n=len(shown), wanted=wanted)
        return None
    if wanted and (action.revealed is None or len(shown) < min(wanted, least)):
        if action.extra or action.give_up:
            found.no(Rule.TUNNEL, "tunnel.turn-up-first", n=wanted)
        found.needs["revealed"] = wanted - len(shown)
        return None
    if len(shown) < wanted:
        found.believe("short-deck", n=len(shown), wanted=wanted)
    return sum(t.counts for t in turned_cards(payment.color, shown))


def legal_claims(position: Position, name: str, stand_ins: bool = True) -> Iterator[ClaimChoice]:
    """Every track this player can claim now, with every way to pay from the hand; all ways in principle if unknown.

    `stand_ins` False leaves out payments with cards that stand for locomotives, of which there can be very many.
    """
    player = entry(position, name)
    cards = cards_of(position, name)
    for route in position.board.routes.values():
        found = Findings()
        _track(position, name, route, found)
        if found.reasons:
            continue
        price = claim_price(position, player, route)
        if not stand_ins:
            price = Price(price.cards, price.colors, price.locomotives)
        paid = tuple(ways_in_principle(price) if cards is None else ways(price, cards))
        if paid:
            yield ClaimChoice(route.id, paid)


def route_told(position: Position, route: Route) -> Message:
    """A track as players say it: its cities and colour."""
    a, b = (place_told(position, c) for c in route.ends)
    return message("verdict.route", a=a, b=b, color=message(f"words.{route.color}"))


def place_told(position: Position, place: str) -> Text:
    """A city's name as printed; a junction's in the player's language."""
    return Text(position.board.place_name(place, "en"), position.board.place_name(place, "fr"))

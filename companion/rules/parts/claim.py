"""Claiming a track: free or not, double routes, wagons, payment; its points are the first line of the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from companion.rules.scoring.counting import Counting
from companion.rules.table.action import Action
from companion.rules.table.book import Section, either, line, section
from companion.rules.table.cards import (
    Pile,
    Price,
    affordable,
    plus,
    ways,
    ways_in_principle,
    ways_of,
    why_not,
)
from companion.rules.table.fields import ActionReader
from companion.rules.table.names import pair_told, route_told
from companion.rules.table.offer import Ask, Told
from companion.rules.table.outcome import Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import LastClaim, Player, Position, discarded, wagons_for
from companion.rules.table.supply import Supply, refilled
from companion.rules.table.variant import Variant, needed_locomotives
from companion.rules.table.verdict import Findings, Rule
from maps import GRAY, Board, Message, Route, message


@dataclass(frozen=True)
class Claim(Action):
    """A track for these cards. `revealed`: turned up for a tunnel, None before; `extra`: paid for it then.

    `rack`: which of all these cards come from the team's rack; None: as many as the rack holds.
    """

    kind: ClassVar[str] = "claim"
    tells: ClassVar[tuple[str, ...]] = ("route", "cards")
    second: ClassVar[bool] = True
    route: str = ""
    cards: Pile = field(default_factory=dict)
    revealed: tuple[str, ...] | None = None
    extra: Pile | None = None
    give_up: bool = False
    rack: Pile | None = None

    @classmethod
    def read(cls, f: ActionReader) -> Claim:
        return cls(
            f.player(), f.known("route", "route", f.position.board.routes), f.pile("cards"), f.card_list("revealed"),
            f.optional_pile("extra"), f.flag("give_up"), f.optional_pile("rack"),
        )  # fmt: skip

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        seat = position.seat(name)
        prices = {r.id: claim_price(position, seat.player, r) for r in claimable(position, name)}
        if not position.refereed:
            return (Ask("route", lambda _: list(prices)),)

        def routes(_: Told) -> list[str]:
            return [route for route, price in prices.items() if affordable(price, seat.cards)]

        def payments(told: Told) -> list[dict[str, int]]:
            return ways_of(prices[told["route"]], seat.cards)

        return Ask("route", routes), Ask("cards", payments, free=bool(position.variant.cards_per_locomotive))

    @property
    def goes_on(self) -> bool:
        return not self.give_up

    def judge(self, position: Position, found: Findings) -> None:
        """Every reason against a claim."""
        player, route = position.entry(self.player), position.board.routes[self.route]
        against_track(position, self.player, route, found)
        if not position.on_trust(self.player, self.cards, found):
            found.add(*why_not(claim_price(position, player, route), self.cards))
            position.seat(self.player).must_hold(plus(self.cards, self.extra or {}), found, self.rack)
        if not self.give_up:
            found.points = claim_points(position, player, route)

    def play(self, position: Position, outcome: Outcome) -> Position:
        turned = len(self.revealed or ())
        supply = Supply.of(position, outcome)
        supply.draw(turned)
        position = discarded(supply.put(position), turned)
        if self.give_up:
            position = position.seat(self.player).take_back(self.cards, self.rack)
        else:
            position = position.seat(self.player).pay(plus(self.cards, self.extra or {}), self.rack)
            position = self._lay(position)
        return refilled(position, outcome)

    def _lay(self, position: Position) -> Position:
        player, route, run = position.entry(self.player), position.board.routes[self.route], position.run
        used = wagons_for(route)
        points = (player.marked_points or 0) + claim_points(position, player, route)
        wagons = None if player.wagons is None else max(0, player.wagons - used)
        position = position.changed(
            replace(player, routes=(*player.routes, route.id), marked_points=points, wagons=wagons)
        )
        if self.player in run.wagons:
            left = max(0, run.wagons[self.player] - used)
            laid = {**run.laid_by, route.id: self.player}
            position = position.go_on(wagons={**run.wagons, self.player: left}, laid_by=laid)
        return position.go_on(last_claim=LastClaim(self.player, route.id), claims=run.claims + 1)


@dataclass(frozen=True)
class ClaimChoice:
    """A track that can be claimed, and every set of cards that pays it; of a tunnel, before cards are turned up."""

    route: str
    ways: tuple[Mapping[str, int], ...]


def against_track(position: Position, name: str, route: Route, found: Findings) -> None:
    """What stands against this track whatever is paid, each part's word on it included."""
    player = position.entry(name)
    _taken(position, player, route, found)
    _group(position, name, route, found)
    _wagons(position, name, route, found)
    for part in position.parts:
        part.against_track(position, name, route, found)


def _taken(position: Position, player: Player, route: Route, found: Findings) -> None:
    owners = [position.players[i] for i in position.owners.get(route.id, ())]
    if player.name in [p.name for p in owners]:
        found.no(Rule.CLAIMING, "claim.own", route=route_told(position, route))
    elif owners and not any(part.lets_in(position, player, route) for part in position.parts):
        names = [p.name for p in owners]
        found.no(Rule.CLAIMING, "claim.taken", route=route_told(position, route), owners=names)


def _group(position: Position, name: str, route: Route, found: Findings) -> None:
    tracks, player = position.board.groups[route.group], position.entry(name)
    variant = position.variant
    limit = variant.group_rule(len(tracks), route.group, position.seats)
    rule = Rule.TEAM_GROUPS if variant.team_size > 1 else Rule.GROUPS
    mine = sum(t.id in player.routes for t in tracks if t.id != route.id)
    if limit.per_owner is not None and mine >= limit.per_owner:
        key = "claim.group-own-team" if variant.team_size > 1 else "claim.group-own"
        found.no(rule, key, route=route_told(position, route), n=mine)
    elif mine and variant.team_size > 1:
        _partners(position, name, route, found)
    taken = sum(t.id in position.owners for t in tracks)
    free = route.id not in position.owners
    if free and limit.in_all is not None and taken >= limit.in_all:
        found.no(rule, "claim.group-closed", route=route_told(position, route), n=limit.in_all, players=position.seats)


def _partners(position: Position, name: str, route: Route, found: Findings) -> None:
    """Of a triple route partners may take one track each, nobody two alone."""
    tracks = [t.id for t in position.board.groups[route.group] if t.id in position.entry(name).routes]
    claimed_by = [position.run.laid_by.get(t) for t in tracks]
    if name in claimed_by:
        found.no(Rule.TEAM_GROUPS, "claim.group-own", route=route_told(position, route), n=1)
    elif None in claimed_by or name not in position.order:
        found.believe("partner", route=route_told(position, route), player=name)


def _wagons(position: Position, name: str, route: Route, found: Findings) -> None:
    seat, due = position.seat(name), wagons_for(route)
    if due > seat.wagons:
        if not route.mountain_marks:
            found.no(Rule.CLAIMING, "claim.wagons", n=seat.wagons, due=due)
        return
    counted = name in position.run.wagons or seat.player.wagons is not None
    # The partner may have laid them all: nobody told who of the team holds how many.
    sure = position.board.wagons - position.wagons_used(seat.player)
    if position.variant.team_size > 1 and not counted and due > sure:
        found.believe("team-wagons", player=name)


def claim_price(position: Position, player: Player, route: Route) -> Price:
    """What a track costs this player."""
    colors = position.board.cards.colors if route.color == GRAY else (route.color,)
    price = Price(route.length, colors, needed_locomotives(route))
    for part in position.parts:
        price = part.price(position, player, route, price)
    return price


def claim_points(position: Position, player: Player, route: Route) -> int:
    """The points that a claim scores at once."""
    return route.points + sum(part.claim_points(position, player, route) for part in position.parts)


def claimable(position: Position, name: str) -> Iterator[Route]:
    """Tracks that this player may claim, whatever they cost."""
    for route in position.board.routes.values():
        found = Findings()
        against_track(position, name, route, found)
        if not found.reasons:
            yield route


def legal_claims(position: Position, name: str, stand_ins: bool = True) -> Iterator[ClaimChoice]:
    """Every track this player can claim now, with every way to pay from the hand; all ways in principle if unknown.

    `stand_ins` False leaves out payments with cards that stand for locomotives, of which there can be very many.
    """
    seat = position.seat(name)
    for route in claimable(position, name):
        price = claim_price(position, seat.player, route)
        if not stand_ins:
            price = replace(price, stand_in=0)
        paid = tuple(ways_in_principle(price) if seat.cards is None else ways(price, seat.cards))
        if paid:
            yield ClaimChoice(route.id, paid)


@dataclass(frozen=True)
class Claims(Part):
    """Claiming tracks."""

    line: ClassVar[str] = "routes"
    actions: ClassVar[tuple[type[Action], ...]] = (Claim,)

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        lengths = sorted({(r.length, r.points) for r in board.routes.values()})
        pairs = [line("claim.pair", n=points, spaces=length) for length, points in lengths]
        told = [section("claiming", line("claim.track"), line("claim.wagons"), line("claim.points", pairs=pairs))]
        if variant.team_size == 1 and any(len(tracks) > 1 for tracks in board.groups.values()):
            closed = line("groups.closed", counts=either(variant.groups_close_at))
            told.append(section("groups", line("groups.own"), closed))
        if any(r.kind == "ferry" for r in board.routes.values()):
            told.append(section("ferry", line("ferry")))
        counted = "score.routes-marked" if variant.marked_points_count else "score.routes"
        return (*told, section("scoring", line(counted)))

    def surely_possible(self, position: Position, name: str) -> bool:
        seat = position.seat(name)
        if seat.cards is None:
            return False
        routes = claimable(position, name)
        return any(affordable(claim_price(position, seat.player, r), seat.cards) for r in routes)

    def count(self, counting: Counting) -> Sequence[int]:
        return counting.each(lambda i, player: self._points(counting, i, player))

    def _points(self, counting: Counting, i: int, player: Player) -> int:
        """The tracks' points; where the board can't tell all, what the score track shows replaces the recount."""
        position, marked = counting.position, player.marked_points
        recount = sum(t.points for t in position.tracks(player))
        if not position.variant.marked_points_count:
            marks = sum(t.mountain_marks for t in position.tracks(player))
            at_once = recount + marks * position.variant.mountain_points
            if marked is not None and marked != at_once:
                counting.warn("marker-differs", name=player.name, marked=marked, n=at_once)
            return recount
        more = sum(part.most_extra_points(position, player) for part in position.parts)
        if marked is None:
            if more:
                counting.warn("recounted", name=player.name, n=recount, more=recount + more)
            return recount
        if not recount <= marked <= recount + more:
            counting.warn("marker-impossible", name=player.name, marked=marked, n=recount, more=recount + more)
        counting.tell(i, "marked", n=marked, recount=recount)
        return marked

    def problems(self, position: Position) -> Iterator[Message]:
        yield from self._held_twice(position)
        for group in dict.fromkeys(position.board.routes[r].group for r in position.owners):
            yield from self._group(position, group)

    def _held_twice(self, position: Position) -> Iterator[Message]:
        """One track for one player, unless a technology lets others in."""
        on_sale = (position.board.technologies[t] for t in position.variant.technology_ids(position.board))
        if any("claim_occupied" in t.effects for t in on_sale):
            return
        for route, owners in position.owners.items():
            if len(owners) > 1:
                names = [position.players[i].name for i in owners]
                track = pair_told(position, position.board.routes[route])
                yield message("position.track-twice", track=track, names=names)

    def _group(self, position: Position, group: str) -> Iterator[Message]:
        tracks = position.board.groups[group]
        taken = [t for t in tracks if t.id in position.owners]
        rule = position.variant.group_rule(len(tracks), group, position.seats)
        name = pair_told(position, tracks[0])
        if rule.in_all is not None and len(taken) > rule.in_all:
            yield message("position.group-closed", track=name, n=rule.in_all, taken=len(taken), seats=position.seats)
        for player in position.players:
            own = sum(t.id in player.routes for t in taken)
            if rule.per_owner is not None and own > rule.per_owner:
                yield message("position.group-twice", track=name, name=player.name, n=rule.per_owner, own=own)

    def problems_of(self, position: Position, player: Player) -> Iterator[Message]:
        for route, n in Counter(player.routes).items():
            if n > 1:
                track = pair_told(position, position.board.routes[route])
                yield message("position.route-listed-twice", name=player.name, track=track)
        used, wagons = position.wagons_used(player), position.variant.wagons(position.board)
        if used > wagons:
            yield message("position.wagons", name=player.name, n=wagons, used=used)
        elif player.wagons is not None and used + player.wagons > wagons:
            yield message("position.wagons-left", name=player.name, n=wagons, used=used, left=player.wagons)

"""Warehouses and depots: a module for any variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from companion.rules.parts.draw import DrawCards
from companion.rules.scoring.counting import Counting
from companion.rules.table.action import Action, When
from companion.rules.table.book import Section, line, section
from companion.rules.table.fields import ActionReader
from companion.rules.table.names import place_told, route_told
from companion.rules.table.offer import Ask
from companion.rules.table.outcome import Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import Player, Position
from companion.rules.table.setup import Setup
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Reason, Rule, reason
from maps import Board, Message, Text, Trouble, message

DEPOTS_EACH = 5
DEPOTS_BONUS = 10
DEPOTS_MAX_OWNERS = 5


@dataclass(frozen=True)
class PlaceDepot(Action):
    """A depot from in front of a player onto a city, for nothing."""

    kind: ClassVar[str] = "depot"
    tells: ClassVar[tuple[str, ...]] = ("city",)
    when: ClassVar[When] = "free"
    city: str = ""

    @classmethod
    def read(cls, f: ActionReader) -> PlaceDepot:
        return cls(f.player(), f.known("city", "city", f.position.board.cities))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        if position.entry(name).depots_left == 0:
            return None
        taken = position.buildings
        free = [c.id for c in position.board.cities.values() if not c.junction and c.id not in taken]
        return (Ask("city", lambda _: free),)

    @classmethod
    def askers(cls, position: Position) -> tuple[str, ...]:
        """At the start a team places its depot together."""
        return position.run.placing or position.order

    @classmethod
    def required(cls, position: Position, name: str) -> bool:
        return bool(position.run.placing)

    def judge(self, position: Position, found: Findings) -> None:
        """A depot from in front of the player, on a city without a building, for nothing."""
        if not position.has_depots:
            found.no(Rule.DEPOTS, "depot.no-module")
            return
        player = position.entry(self.player)
        owner = position.buildings.get(self.city)
        if owner:
            found.no(Rule.DEPOTS, "depot.occupied", city=place_told(position, self.city), owner=owner.name)
        if position.board.cities[self.city].junction:
            found.no(Rule.DEPOTS, "depot.junction")
        _has_depot(player, found)

    def play(self, position: Position, outcome: Outcome) -> Position:
        player, placing = position.entry(self.player), position.run.placing
        position = position.changed(_less_a_depot(replace(player, depots=(*player.depots, self.city))))
        return position.go_on(placing=tuple(n for n in placing if n != player.name))


@dataclass(frozen=True)
class EmptyWarehouse(Action):
    """All cards of a warehouse, for one own depot, after claiming a track that touches the owner's depot."""

    kind: ClassVar[str] = "warehouse"
    tells: ClassVar[tuple[str, ...]] = ("owner",)
    when: ClassVar[When] = "claim"
    owner: str = ""

    @classmethod
    def read(cls, f: ActionReader) -> EmptyWarehouse:
        return cls(f.player(), f.owner("owner", required=True) or "")

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        claim, run = position.run.last_claim, position.run
        if claim is None or position.entry(name).depots_left == 0:
            return None
        ends = set(position.board.routes[claim.route].ends)
        owners = [
            p.name
            for p in position.players
            if ends & set(p.depots) and p.name not in claim.warehouses and run.warehouses.get(p.name) != 0
        ]
        return (Ask("owner", lambda _: owners),)

    def judge(self, position: Position, found: Findings) -> None:
        """All cards of a warehouse whose owner has a depot at the track just claimed, for one own depot."""
        if not position.has_depots:
            found.no(Rule.DEPOTS, "depot.no-module")
            return
        player, owner = position.entry(self.player), position.entry(self.owner)
        run = position.run
        if run.last_claim:
            route = position.board.routes[run.last_claim.route]
            if not set(route.ends) & set(owner.depots):
                found.no(Rule.DEPOTS, "warehouse.no-depot", route=route_told(position, route), owner=owner.name)
            if owner.name in run.last_claim.warehouses:
                found.no(Rule.DEPOTS, "warehouse.once", owner=owner.name)
        elif position.running is not None:
            found.no(Rule.DEPOTS, "warehouse.after-a-claim")
        elif owner.depots and not any(set(r.ends) & set(owner.depots) for r in position.tracks(player)):
            found.no(Rule.DEPOTS, "warehouse.no-track-there", owner=owner.name)
        else:
            found.believe("depot-claim", owner=owner.name)
        _has_depot(player, found)
        if run.warehouses.get(owner.name) == 0:
            found.no(Rule.DEPOTS, "warehouse.empty", owner=owner.name)

    def play(self, position: Position, outcome: Outcome) -> Position:
        run, owner = position.run, position.entry(self.owner).name
        position = position.changed(_less_a_depot(position.entry(self.player)))
        position = position.seat(self.player).give(outcome.taken)
        claim = run.last_claim and replace(run.last_claim, warehouses=(*run.last_claim.warehouses, owner))
        return position.go_on(warehouses={**run.warehouses, owner: 0}, last_claim=claim)


def _has_depot(player: Player, found: Findings) -> None:
    if player.depots_left == 0:
        found.no(Rule.DEPOTS, "depot.none-left")
    elif player.depots_left is None:
        found.believe("depots", player=player.name)


def _less_a_depot(player: Player) -> Player:
    return player if player.depots_left is None else replace(player, depots_left=max(0, player.depots_left - 1))


@dataclass(frozen=True)
class Depots(Part):
    """Warehouses and depots."""

    line: ClassVar[str] = "depots"
    actions: ClassVar[tuple[type[Action], ...]] = (PlaceDepot, EmptyWarehouse)
    entries: ClassVar[Mapping[str, tuple[str, ...]]] = {"depots": ("depots", "depots_left")}

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        rest = [line(f"depots.{key}") for key in ("store", "fetch", "place")]
        told = section("depots", line("depots.start", n=DEPOTS_EACH), *rest)
        return told, section("scoring", line("score.depots", n=DEPOTS_BONUS))

    def choices(self) -> tuple[Text, ...]:
        return (
            Text(
                "Depots: all who tie for the most left get the 10 points; with none left anywhere nobody does.",
                "Dépôts : à égalité de dépôts restants, chacun reçoit les 10 points ; s'il n'en reste aucun, personne.",
            ),
            Text(
                "Depots: a team has one warehouse and one set of depots together.",
                "Dépôts : une équipe a un entrepôt et un jeu de dépôts en commun.",
            ),
        )

    def begin(self, position: Position, setup: Setup) -> Position:
        if len(position.players) > DEPOTS_MAX_OWNERS:
            raise Trouble("too-many-owners", n=DEPOTS_MAX_OWNERS)
        position = replace(position, players=tuple(replace(p, depots_left=DEPOTS_EACH) for p in position.players))
        owners = self._backwards(position, setup.first or position.order[0])
        return position.go_on(placing=owners if setup.opening else (), warehouses=dict.fromkeys(owners, 0))

    def joined(self, position: Position, name: str, opening: bool) -> Position:
        position = position.changed(replace(position.entry(name), depots_left=DEPOTS_EACH))
        placing = (*position.run.placing, name) if opening else position.run.placing
        return position.go_on(placing=placing, warehouses={**position.run.warehouses, name: 0})

    def _backwards(self, position: Position, first: str) -> tuple[str, ...]:
        """Owners of depots from the last player to the first."""
        at = position.order.index(first)
        order = (*position.order[at:], *position.order[:at])
        return tuple(reversed(tuple(dict.fromkeys(position.entry(s).name for s in order))))

    def waiting(self, position: Position) -> Callable[[Action], Reason | None] | None:
        """From the last player backwards everybody puts one depot on a city before the first turn."""
        placing = position.run.placing

        def why(action: Action) -> Reason | None:
            if isinstance(action, PlaceDepot) and position.entry(action.player).name == placing[0]:
                return None
            return reason(Rule.DEPOTS, "turn.placing", player=placing[0])

        return why if placing else None

    def asks(self, position: Position, action: type[Action], name: str) -> tuple[Ask, ...]:
        if action is not DrawCards or position.cards_left[1] == 0:
            return ()
        return (Ask("warehouse", lambda _: [p.name for p in position.players]),)

    def judged(self, position: Position, action: Action, found: Findings) -> None:
        """Before drawing, the first card of the deck is stored; with no card to be had none is."""
        if isinstance(action, DrawCards) and action.warehouse is None and position.cards_left[1] != 0:
            found.needs["warehouse"] = [p.name for p in position.players]

    def count(self, counting: Counting) -> Sequence[int]:
        left = [p.depots_left or 0 for p in counting.position.players]
        for i, player in enumerate(counting.position.players):
            if player.depots_left is None:
                counting.warn("depots-not-told", name=player.name)
            else:
                counting.tell(i, "depots-left", n=player.depots_left)
        return counting.to_the_most(left, DEPOTS_BONUS)

    def problems(self, position: Position) -> Iterator[Message]:
        """One building of any kind in a city."""
        if len(position.players) > DEPOTS_MAX_OWNERS:
            yield message("position.depot-owners", n=DEPOTS_MAX_OWNERS)
        stations = {city for p in position.players for city in p.stations} if position.variant.stations else set()
        depots = [city for p in position.players for city in p.depots]
        for city, n in Counter([*stations, *depots]).items():
            if n > 1:
                yield message("position.buildings-in-city", city=place_told(position, city))

    def problems_of(self, position: Position, player: Player) -> Iterator[Message]:
        there = len(player.depots) + (player.depots_left or 0)
        if there > DEPOTS_EACH:
            yield message("position.depots", name=player.name, n=DEPOTS_EACH, there=there)

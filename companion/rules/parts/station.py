"""Stations: one borrows an opponent's track at its city; those not built count at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar  # Any: JSON

from companion.rules.scoring.counting import Counting
from companion.rules.table.action import Action
from companion.rules.table.book import Section, line, section
from companion.rules.table.cards import Pile, Price, affordable, ways_of, why_not
from companion.rules.table.fields import ActionReader
from companion.rules.table.names import here_told, place_told
from companion.rules.table.offer import Ask
from companion.rules.table.outcome import Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import Player, Position
from companion.rules.table.supply import refilled
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Rule
from maps import Board, Message, message


def station_price(position: Position, player: Player) -> Price:
    """The first costs one card, the second two of one colour, the third three."""
    return Price(len(player.stations) + 1, position.board.cards.colors, rule=Rule.STATION)


@dataclass(frozen=True)
class BuildStation(Action):
    """A station on a city without a building, for cards."""

    kind: ClassVar[str] = "station"
    tells: ClassVar[tuple[str, ...]] = ("city", "cards")
    city: str = ""
    cards: Pile = field(default_factory=dict)

    @classmethod
    def read(cls, f: ActionReader) -> BuildStation:
        return cls(f.player(), f.known("city", "city", f.position.board.cities), f.pile("cards"))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        seat = position.seat(name)
        price = station_price(position, seat.player)
        if price.cards > position.variant.stations or not affordable(price, seat.cards):
            return None
        taken = position.buildings
        free = [city for city in position.board.cities if city not in taken]
        if not position.refereed:
            return (Ask("city", lambda _: free),)
        return Ask("city", lambda _: free), Ask("cards", lambda _: ways_of(price, seat.cards))

    def judge(self, position: Position, found: Findings) -> None:
        """A station goes on any city without a building."""
        player = position.entry(self.player)
        if position.part(Stations) is None:
            found.no(Rule.STATION, "station.none-here", here=here_told(position.variant))
            return
        owner = position.buildings.get(self.city)
        if owner:
            found.no(Rule.STATION, "station.occupied", city=place_told(position, self.city), owner=owner.name)
        if len(player.stations) >= position.variant.stations:
            found.no(Rule.STATION, "station.all-built", n=position.variant.stations)
        else:
            if not position.on_trust(self.player, self.cards, found):
                found.add(*why_not(station_price(position, player), self.cards))
        position.seat(self.player).must_hold(self.cards, found)

    def play(self, position: Position, outcome: Outcome) -> Position:
        position = position.seat(self.player).pay(self.cards)
        player = position.entry(self.player)
        return refilled(position.changed(replace(player, stations=(*player.stations, self.city))), outcome)


@dataclass(frozen=True)
class Stations(Part):
    """So many stations for each player, so many points for each that was not built."""

    line: ClassVar[str] = "stations"
    actions: ClassVar[tuple[type[Action], ...]] = (BuildStation,)
    entries: ClassVar[Mapping[str, tuple[str, ...]]] = {"stations": ("stations",)}
    each: int
    points: int = 4

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        told = section("station", line("station.build", n=self.each), line("station.use"))
        return told, section("scoring", line("score.stations", n=self.points))

    def numbers(self) -> Mapping[str, Any]:
        return {"stations": self.each, "station_points": self.points}

    def surely_possible(self, position: Position, name: str) -> bool:
        seat = position.seat(name)
        left = self.each - len(seat.player.stations)
        return seat.cards is not None and left > 0 and affordable(station_price(position, seat.player), seat.cards)

    def count(self, counting: Counting) -> Sequence[int]:
        return counting.each(lambda i, player: self._left(counting, i, player) * self.points)

    def _left(self, counting: Counting, i: int, player: Player) -> int:
        left = max(0, self.each - len(player.stations))
        if left:
            counting.tell(i, "stations-left", n=left)
        return left

    def problems(self, position: Position) -> Iterator[Message]:
        """One station per city."""
        for city, n in Counter(city for p in position.players for city in p.stations).items():
            if n > 1:
                yield message("position.stations-in-city", city=place_told(position, city), n=n)

    def problems_of(self, position: Position, player: Player) -> Iterator[Message]:
        if len(player.stations) > self.each:
            yield message("position.stations", name=player.name, n=self.each, there=len(player.stations))

"""The Asian Explorer: the most cities in one network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar  # Any: JSON

from companion.rules.scoring.counting import Counting
from companion.rules.scoring.networks import networks
from companion.rules.table.book import Section, line, section
from companion.rules.table.part import Part
from companion.rules.table.position import Player
from companion.rules.table.variant import Variant
from maps import Board, Text


@dataclass(frozen=True)
class Explorer(Part):
    """Points for the most different cities joined by one's own tracks; a junction is no city."""

    line: ClassVar[str] = "explorer"
    points: int

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        return (section("scoring", line("score.explorer", n=self.points)),)

    def numbers(self) -> Mapping[str, Any]:
        return {"explorer": self.points}

    def choices(self) -> tuple[Text, ...]:
        return (
            Text(
                "Asian Explorer: all who tie for the most cities get it in full.",
                "Explorateur : à égalité de villes reliées, chacun le reçoit en entier.",
            ),
        )

    def count(self, counting: Counting) -> Sequence[int]:
        cities = counting.each(lambda _, player: self._cities_joined(counting, player))
        for i, n in enumerate(cities):
            counting.tell(i, "cities-joined", n=n)
        return counting.to_the_most(cities, self.points)

    def _cities_joined(self, counting: Counting, player: Player) -> int:
        network = networks(counting.position.tracks(player))
        cities = [number for city, number in network.items() if not counting.board.cities[city].junction]
        return max((cities.count(number) for number in cities), default=0)

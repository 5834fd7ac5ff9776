"""The bonus for the most tickets done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar  # Any: JSON

from companion.rules.scoring.counting import Counting
from companion.rules.table.book import Section, line, section
from companion.rules.table.part import Part
from companion.rules.table.variant import Variant
from maps import Board, Text


@dataclass(frozen=True)
class Globetrotter(Part):
    """Points for the most tickets done; all who share it get them in full, nobody without one."""

    line: ClassVar[str] = "globetrotter"
    points: int

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        return (section("scoring", line("score.globetrotter", n=self.points)),)

    def numbers(self) -> Mapping[str, Any]:
        return {"globetrotter": self.points}

    def choices(self) -> tuple[Text, ...]:
        return (
            Text(
                "Globetrotter: all who tie for the most tickets done get it in full; with none done nobody does.",
                "Globetrotter : à égalité de destinations réussies, chacun l'a en entier ; sans aucune, personne.",
            ),
        )

    def count(self, counting: Counting) -> Sequence[int]:
        for player in counting.position.players:
            if player.ticket_points is not None and player.tickets_done is None and not player.tickets:
                counting.warn("done-not-told", name=player.name)
        return counting.to_the_most(counting.done, self.points)

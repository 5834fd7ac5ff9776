"""The bonus for the longest continuous path: every track once, cities as often as one likes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar  # Any: JSON

from companion.rules.scoring.counting import Counting
from companion.rules.table.book import Section, line, section
from companion.rules.table.part import Part
from companion.rules.table.variant import Variant
from maps import Board


@dataclass(frozen=True)
class LongestPath(Part):
    """Points for the longest path; all who share it get them in full."""

    line: ClassVar[str] = "longest_path"
    points: int

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        return (section("scoring", line("score.longest_path", n=self.points)),)

    def numbers(self) -> Mapping[str, Any]:
        return {"longest_path": self.points}

    def count(self, counting: Counting) -> Sequence[int]:
        return counting.to_the_most(counting.lengths, self.points)

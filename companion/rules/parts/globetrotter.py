"""The bonus for the most tickets done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.rules.scoring.counting import Counting
from companion.rules.table.part import Part


@dataclass(frozen=True)
class Globetrotter(Part):
    """Points for the most tickets done; all who share it get them in full, nobody without one."""

    line: ClassVar[str] = "globetrotter"
    points: int

    def numbers(self) -> Mapping[str, Any]:
        return {"globetrotter": self.points}

    def count(self, counting: Counting) -> Sequence[int]:
        return counting.to_the_most(counting.done, self.points)

"""Mountain routes: each mark takes one more wagon from the reserve, for points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar  # Any: JSON

from companion.rules.scoring.counting import Counting
from companion.rules.table.book import Section, line, section
from companion.rules.table.part import Part
from companion.rules.table.position import Player, Position, wagons_for
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Rule
from maps import Board, Route


@dataclass(frozen=True)
class Mountains(Part):
    """So many points for each wagon that a mountain took."""

    line: ClassVar[str] = "mountain"
    points: int

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        return (section("mountain", line("mountain", n=self.points)),) if self.has_line(board) else ()

    def numbers(self) -> Mapping[str, Any]:
        return {"mountain_points": self.points}

    def has_line(self, board: Board) -> bool:
        return any(r.mountain_marks for r in board.routes.values())

    def against_track(self, position: Position, name: str, route: Route, found: Findings) -> None:
        due, left = wagons_for(route), position.seat(name).wagons
        if route.mountain_marks and due > left:
            spaces, marks = route.length, route.mountain_marks
            found.no(Rule.MOUNTAIN, "claim.wagons-mountain", n=left, spaces=spaces, marks=marks, due=due)

    def claim_points(self, position: Position, player: Player, route: Route) -> int:
        return route.mountain_marks * self.points

    def count(self, counting: Counting) -> Sequence[int]:
        return counting.each(lambda i, player: self._points(counting, i, player))

    def _points(self, counting: Counting, i: int, player: Player) -> int:
        marks = sum(t.mountain_marks for t in counting.position.tracks(player))
        if marks:
            counting.tell(i, "mountain-wagons", n=marks)
        return marks * self.points

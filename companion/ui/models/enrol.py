"""Showing where a board lies: its four corners, and some cities where nobody knows how the print is laid out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.ui import services
from companion.ui.desk import Desk
from companion.ui.work import Job, Note
from maps import Board, City, Trouble, load

_CORNERS = 4


class EnrolModel:
    """Collects taps in pixels of the photo, corners first, then the cities that lie farthest out."""

    def __init__(self, desk: Desk, board_id: str, picture: Path) -> None:
        self.desk, self.picture = desk, picture
        self.board: Board = load(board_id)
        self.taps: list[tuple[float, float]] = []
        self.cities = _outermost(self.board) if self.board.geometry.kind == "schematic" else []
        self.working = False

    @property
    def complete(self) -> bool:
        return len(self.taps) == _CORNERS + len(self.cities)

    @property
    def asks(self) -> str:
        """What to tap next, in words."""
        n = len(self.taps)
        if n < _CORNERS:
            return self.desk.say(f"enrol.corner-{n}")
        return self.desk.say("enrol.city", city=self.cities[n - _CORNERS].label(self.desk.language))

    def tap(self, x: float, y: float) -> None:
        if not self.complete:
            self.taps.append((x, y))

    def undo(self) -> bool:
        """Forgets the last tap; False if there is none."""
        if not self.taps:
            return False
        self.taps.pop()
        return True

    def learn(self, done: Callable[[None], object], failed: Callable[[Trouble], object]) -> None:
        """Makes this board known, beside the screen."""
        self.working = True
        corners = self.taps[:_CORNERS]
        cities = {c.id: at for c, at in zip(self.cities, self.taps[_CORNERS:], strict=True)}

        def learn(job: Job) -> None:
            services.enrol(job, self.picture, self.board.id, corners, cities or None)

        def told(note: Note) -> None:
            if note.kind == "done":
                done(None)
            elif note.kind == "failed":
                self.working, self.taps = False, []
                failed(note.value)

        self.desk.work.start("enrol", learn, told)


def _outermost(board: Board) -> list[City]:
    """A city near each corner and one near the middle: together they tell how the print is laid out."""
    named = [c for c in board.cities.values() if not c.junction]
    found: list[City] = []
    for x, y in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.5)):
        left = [c for c in named if c not in found]
        found.append(min(left, key=lambda c, x=x, y=y: (c.x - x) ** 2 + (c.y - y) ** 2))  # type: ignore[misc]
    return found

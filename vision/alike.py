"""Where names stand on tickets: one photo shows one print, so on all of them in the same place, along one edge.

Letters that are low, soft or dark are seen by no finder of lines. A ticket whose edges are seen tells where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import outline
from vision.config import ALIKE
from vision.lines import Line
from vision.sheets import Quad, sides

_BOX = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


@dataclass(frozen=True)
class Row:
    """Where names stand on an upright ticket: from where to where along it, how far down, how high; in its widths.

    `lies`: it is wider than high. `below`: how far down is told from its lower edge upwards.
    """

    begin: float
    end: float
    down: float
    high: float
    lies: bool
    below: bool

    def moved(self, by: float) -> Row:
        """The same row nearer to the middle of the ticket, in heights of its letters."""
        return Row(self.begin, self.end, self.down + by * self.high, self.high, self.lies, self.below)

    def on(self, quad: Quad) -> list[Line]:
        """The row on a ticket, either way up."""
        clockwise = quad if cv2.contourArea(quad.astype(np.float32), oriented=True) > 0 else quad[::-1]
        first = 0 if (sides(clockwise)[0] >= sides(clockwise)[1]) == self.lies else 1
        return [self._line(np.roll(clockwise, -turn, axis=0)) for turn in (first, first + 2)]

    def _line(self, quad: Quad) -> Line:
        wide, tall = sides(quad)
        shape = tall / max(wide, 1e-6)
        down = 1 - self.down / shape if self.below else self.down / shape
        half = self.high / shape / 2
        points = [(self.begin, down), (self.end, down), (0.5, down - half), (0.5, down + half)]
        place = cv2.getPerspectiveTransform(_BOX, quad.astype(np.float32)).astype(np.float64)
        left, right, head, foot = cv2.perspectiveTransform(np.array([points], np.float64), place)[0]
        return Line(left, right, float(np.linalg.norm(foot - head)), 0.5)


def told(names: Iterable[tuple[Line, Quad]]) -> Row | None:
    """Where names stand, by tickets that were read: the middle of what they tell, long enough for all."""
    rows = [_row(line, outline.upright(quad, line)) for line, quad in names]
    if not rows:
        return None
    lies = sum(row.lies for row in rows) * 2 > len(rows)
    rows = [row for row in rows if row.lies == lies]
    below = sum(row.below for row in rows) * 2 > len(rows)
    rows = [row for row in rows if row.below == below]
    down, high = (float(np.median([getattr(row, name) for row in rows])) for name in ("down", "high"))
    # Other names may be longer.
    room = ALIKE.room * high
    begin, end = min(row.begin for row in rows) - room, max(row.end for row in rows) + room
    return Row(max(begin, ALIKE.begin), min(end, 1 - ALIKE.begin), down, high, lies, below)


def _row(line: Line, quad: Quad) -> Row:
    wide, tall = sides(quad)
    flat = cv2.getPerspectiveTransform(quad.astype(np.float32), _BOX).astype(np.float64)
    heads, feet = line.box[[0, 1]].mean(0), line.box[[2, 3]].mean(0)
    points: NDArray[np.float64] = np.array([[line.left, line.right, heads, feet]], np.float64)
    left, right, head, foot = cv2.perspectiveTransform(points, flat)[0]
    shape = tall / max(wide, 1e-6)
    down = float(head[1] + foot[1]) / 2
    below = down > 0.5
    high = abs(float(foot[1] - head[1])) * shape
    return Row(float(left[0]), float(right[0]), (1 - down if below else down) * shape, high, wide >= tall, below)


def usual() -> list[Row]:
    """Where names may stand on tickets of which nothing is known: along any edge, in letters of the usual height."""
    return [
        Row(ALIKE.begin, 1 - ALIKE.begin, down * ALIKE.high, ALIKE.high, lies, below)
        for lies in (True, False)
        for below in (False, True)
        for down in ALIKE.downs
    ]


def likeliest(rows: Sequence[Row], lifts: Sequence[Sequence[float]]) -> Row | None:
    """The row on which names were found on most of some tickets; `lifts` tell for each row what each ticket gained."""
    totals = [sum(max(lift, 0.0) for lift in each) for each in lifts]
    best = int(np.argmax(totals)) if totals else -1
    return rows[best] if best >= 0 and totals[best] > ALIKE.least else None

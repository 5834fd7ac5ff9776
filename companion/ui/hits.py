"""Which route or city lies under a finger."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from companion.ui.layers import laid
from maps import Board
from maps.board import Point
from maps.drawing import tracks

# Beyond this many routes near a finger a list is no help any more.
_MOST = 4


@lru_cache(maxsize=8)
def _lines(board_id: str) -> dict[str, tuple[Point, ...]]:
    """The middle line of each track, without the dots of its cities."""
    return {i: tuple((f.x, f.y) for f in t.frames) for i, t in laid(board_id).items()}


def routes_at(board: Board, x: float, y: float, reach: float) -> list[str]:
    """Routes within reach of a place on the drawing, nearest first.

    One that is clearly nearer than the others stands alone: nobody is asked what is plain to see.
    """
    found = sorted((_distance(line, (x, y)), route) for route, line in _lines(board.id).items())
    near = [(d, route) for d, route in found if d <= reach]
    if not near:
        return []
    clear = max(board.geometry.space_width * 0.55, near[0][0] * 2)
    return [route for d, route in near if d <= clear][:_MOST]


def city_at(board: Board, x: float, y: float, reach: float, allowed: Collection[str] | None = None) -> str | None:
    """The nearest city within reach; of those allowed, where only some make sense."""
    cities = [c for c in board.cities.values() if allowed is None or c.id in allowed]
    spots = ((math.dist(p, (x, y)), c.id) for c in cities for p in tracks.spots(board, c))
    distance, city = min(spots, default=(math.inf, ""))
    return city if distance <= reach else None


def _distance(line: Sequence[Point], at: Point) -> float:
    if len(line) == 1:
        return math.dist(line[0], at)
    return min(_to_segment(a, b, at) for a, b in pairwise(line))


def _to_segment(a: Point, b: Point, at: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    share = 0.0 if not length else ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / length
    share = min(1.0, max(0.0, share))
    return math.dist((a[0] + share * dx, a[1] + share * dy), at)

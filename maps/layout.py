"""Lays the spaces of a track on a straight line between its cities, where nobody has measured them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from maps.board import Point, Space


def spaces_between(
    a: Point, b: Point, length: int, lane: int, lanes: int, aspect: float, space_length: float, space_width: float
) -> tuple[Space, ...]:
    """Spaces from a to b; parallel tracks lie side by side in `lanes`, numbered from 0.

    >>> [round(s.x, 3) for s in spaces_between((0, 0.5), (1, 0.5), 2, 0, 1, 1.0, 0.2, 0.05)]
    [0.375, 0.625]
    """
    dx, dy = b[0] - a[0], (b[1] - a[1]) / aspect
    distance = math.hypot(dx, dy) or 1e-9
    ux, uy = dx / distance, dy / distance
    offset = (lane - (lanes - 1) / 2) * space_width * 1.7
    # Spaces keep clear of the cities at both ends where there is room.
    pitch = min(distance / (length + 0.9), space_length * 1.25)
    angle = round(math.degrees(math.atan2(uy, ux)) % 180, 1)
    found = []
    for i in range(length):
        along = distance / 2 + (i - (length - 1) / 2) * pitch
        found.append(
            Space(
                round(a[0] + ux * along - uy * offset, 5), round(a[1] + (uy * along + ux * offset) * aspect, 5), angle
            )
        )
    return tuple(found)


def order_from(a: Point, spaces: Sequence[Space], aspect: float) -> bool:
    """Whether the first space lies nearer to city a than the last: spaces are told from a to b."""
    if len(spaces) < 2:
        return True

    def away(s: Space) -> float:
        return math.hypot(s.x - a[0], (s.y - a[1]) / aspect)

    return away(spaces[0]) <= away(spaces[-1])

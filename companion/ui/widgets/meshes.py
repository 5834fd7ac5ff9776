"""Turns the shapes of a drawn board into triangles, all of one colour together: few steps for the graphics card."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kivy.graphics.tesselator import Tesselator

from maps.board import Point
from maps.drawing.shapes import Circle, Polygon, Polyline, Shape, Words

Place = Callable[[Point], Point]
_ROUND = 14
# A mesh addresses its corners with 16 bits.
_MOST = 60000


@dataclass
class Triangles:
    """Triangles of one colour: corners as x, y, u, v, and three indices each."""

    color: str
    corners: list[float] = field(default_factory=list)
    indices: list[int] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.corners) // 4

    def fan(self, points: Sequence[Point]) -> None:
        first = self.count
        for x, y in points:
            self.corners += (x, y, 0.0, 0.0)
        for i in range(1, len(points) - 1):
            self.indices += (first, first + i, first + i + 1)


@dataclass(frozen=True)
class Label:
    """A short text of a drawing: where its middle is and how high it stands."""

    at: Point
    text: str
    size: float
    color: str


def triangles(shapes: Iterable[Shape], place: Place = lambda p: p) -> tuple[list[Triangles], list[Label]]:
    """All shapes as triangles in the order of their colours' first use, and the texts among them."""
    made: dict[tuple[str, str], Triangles] = {}
    labels: list[Label] = []
    for shape in shapes:
        if isinstance(shape, Words):
            labels.append(Label(place((shape.x, shape.y - 0.36 * shape.size)), shape.text, shape.size, shape.fill))
            continue
        for color, outline in _outlines(shape):
            key = (shape.part, color)
            into = made.get(key)
            if into is None or into.count > _MOST:
                into = made[key] = Triangles(color)
            into.fan([place(p) for p in outline])
    return list(made.values()), labels


def _outlines(shape: Polygon | Polyline | Circle) -> Iterator[tuple[str, Sequence[Point]]]:
    """Convex pieces that together make the shape, each with its colour."""
    if isinstance(shape, Polyline):
        yield from ((shape.stroke, piece) for piece in _stroke(shape.points, shape.width))
        return
    outline = shape.points if isinstance(shape, Polygon) else _circle(shape.x, shape.y, shape.radius)
    if shape.stroke and shape.width:
        yield from ((shape.stroke, piece) for piece in _stroke((*outline, outline[0]), shape.width))
    if shape.fill:
        yield from ((shape.fill, piece) for piece in _convex(outline))


def _circle(x: float, y: float, radius: float, corners: int = _ROUND) -> list[Point]:
    turns = (2 * math.pi * i / corners for i in range(corners))
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]


def _stroke(points: Sequence[Point], width: float) -> Iterator[Sequence[Point]]:
    half = width / 2
    for (x0, y0), (x1, y1) in pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        if length:
            dx, dy = -(y1 - y0) / length * half, (x1 - x0) / length * half
            yield (x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)
    for x, y in points:
        yield _circle(x, y, half, 8)


def _convex(outline: Sequence[Point]) -> Iterator[Sequence[Point]]:
    if _is_convex(outline):
        yield outline
        return
    tesselator = Tesselator()
    # The tesselator counts in whole steps of its own: larger numbers keep thin parts.
    tesselator.add_contour(array("f", [c * 1000 for p in outline for c in p]))
    if tesselator.tesselate():
        for corners, _ in tesselator.meshes:
            yield [(corners[i] / 1000, corners[i + 1] / 1000) for i in range(0, len(corners), 4)]


def _is_convex(points: Sequence[Point]) -> bool:
    turns = set()
    for i, (x0, y0) in enumerate(points):
        x1, y1 = points[(i + 1) % len(points)]
        x2, y2 = points[(i + 2) % len(points)]
        cross = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)
        if abs(cross) > 1e-14:
            turns.add(cross > 0)
    return len(turns) < 2

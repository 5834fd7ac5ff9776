"""The few primitives that a scene is made of, and the outlines built from them.

Coordinates: x from 0 to 1 over the board's width, y downwards in the same unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from maps.board import Point
from maps.drawing.fonts import Weight

Anchor = Literal["start", "middle", "end"]
Part = Literal[
    "decor", "water", "glow", "bed", "track", "mark", "company", "city", "wagon", "station", "depot", "doubt", "label"
]

# What the board prints, what players lay on it, and what is said about it: to draw one without the others.
PRINTED: frozenset[Part] = frozenset({"decor", "water", "bed", "track", "mark", "company", "city", "label"})
PIECES: frozenset[Part] = frozenset({"wagon", "station", "depot"})
REMARKS: frozenset[Part] = frozenset({"glow", "doubt"})


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline, filled and stroked; strokes lie centred on the outline."""

    points: tuple[Point, ...]
    part: Part
    depicts: str | None
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Polyline:
    """An open line with round ends and corners."""

    points: tuple[Point, ...]
    part: Part
    depicts: str | None
    stroke: str
    width: float


@dataclass(frozen=True, slots=True)
class Circle:
    x: float
    y: float
    radius: float
    part: Part
    depicts: str | None
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text. (x, y) is on the baseline, at the start, middle or end; `halo` keeps it off what lies below."""

    x: float
    y: float
    text: str
    size: float
    part: Part
    depicts: str | None
    fill: str
    anchor: Anchor = "middle"
    weight: Weight = "medium"
    halo: str | None = None
    halo_width: float = 0.0


Shape = Polygon | Polyline | Circle | Words


@dataclass(frozen=True, slots=True)
class Frame:
    """A place to draw at: an origin, and the direction in which x runs."""

    x: float
    y: float
    angle: float

    def at(self, along: float, across: float) -> Point:
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return self.x + along * cos - across * sin, self.y + along * sin + across * cos

    def turned(self, points: Sequence[Point], scale: float = 1.0) -> tuple[Point, ...]:
        return tuple(self.at(x * scale, y * scale) for x, y in points)

    def upright(self) -> Frame:
        """The same line read from left to right, so that what stands on it is never upside down."""
        return Frame(self.x, self.y, self.angle + math.pi if math.cos(self.angle) < -1e-9 else self.angle)


def rounded(frame: Frame, length: float, width: float, radius: float) -> tuple[Point, ...]:
    """A rectangle with round corners around the frame's origin."""
    a, b = length / 2 - radius, width / 2 - radius
    corners = ((a, b, 0), (-a, b, 90), (-a, -b, 180), (a, -b, 270))
    return tuple(
        frame.at(x + radius * math.cos(math.radians(t)), y + radius * math.sin(math.radians(t)))
        for x, y, start in corners
        for t in (start, start + 30, start + 60, start + 90)
    )


def star(tips: int, inner: float, turn: float = -90) -> tuple[Point, ...]:
    """A star within a circle of 1; with inner = 0, a regular polygon."""
    radii = (1.0, inner) if inner else (1.0,)
    corners = tips * len(radii)
    return tuple(
        (radii[i % len(radii)] * math.cos(t), radii[i % len(radii)] * math.sin(t))
        for i in range(corners)
        for t in [math.radians(turn + 360 * i / corners)]
    )


def dashes(points: Sequence[Point], on: float, off: float) -> Iterator[tuple[Point, ...]]:
    """The pieces of a line that a dash pattern leaves."""
    piece: list[Point] = [points[0]]
    left, drawing = on, True
    for (x0, y0), (x1, y1) in pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        done = 0.0
        while length - done > left:
            done += left
            at = (x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length)
            if drawing:
                yield (*piece, at)
            piece, drawing, left = [at], not drawing, off if drawing else on
        left -= length - done
        piece.append((x1, y1))
    if drawing and len(piece) > 1:
        yield tuple(piece)


_CROSS = ((-1, -0.34), (-0.34, -0.34), (-0.34, -1), (0.34, -1), (0.34, -0.34), (1, -0.34),
          (1, 0.34), (0.34, 0.34), (0.34, 1), (-0.34, 1), (-0.34, 0.34), (-1, 0.34))  # fmt: skip
_BARS = (
    ((-0.9, -0.85), (-0.25, -0.85), (-0.25, 0.85), (-0.9, 0.85)),
    ((0.25, -0.85), (0.9, -0.85), (0.9, 0.85), (0.25, 0.85)),
)
_DISC = star(16, 0)
_RING = (*_DISC, _DISC[0], *((x * 0.5, y * 0.5) for x, y in reversed((*_DISC, _DISC[0]))))

# One sign per colour, the same on tracks and wagons, so that colour is never the only cue.
SIGNS: dict[str, tuple[tuple[Point, ...], ...]] = {
    "blue": (_DISC,),
    "red": (star(4, 0),),
    "green": (tuple((x, y + 0.2) for x, y in star(3, 0)),),
    "yellow": (star(5, 0.45),),
    "black": (((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),),
    "white": (_RING,),
    "pink": (_CROSS,),
    "orange": _BARS,
    "purple": (tuple((x, y - 0.2) for x, y in star(3, 0, 90)),),
}

# A locomotive seen from the side, one unit high, without its wheels.
LOCOMOTIVE_BODY: tuple[tuple[Point, ...], ...] = (
    ((-0.95, -0.5), (-0.3, -0.5), (-0.3, -0.12), (0.28, -0.12), (0.22, -0.5), (0.68, -0.5), (0.62, -0.12), (0.8, -0.12),
     (0.8, 0.16), (1.0, 0.42), (0.7, 0.42), (0.7, 0.28), (-0.88, 0.28), (-0.88, -0.36), (-0.95, -0.36)),
)  # fmt: skip
LOCOMOTIVE_WHEELS: tuple[tuple[float, float, float], ...] = ((-0.55, 0.32, 0.2), (-0.02, 0.32, 0.2), (0.46, 0.32, 0.2))

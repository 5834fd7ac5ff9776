"""The shapes of one track: its bed, its spaces in their printed colour and kind, and the wagons on them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from maps.board import GRAY, Board, City, Point, Route
from maps.drawing.palette import Theme, blend, ink_on, paint_of
from maps.drawing.shapes import (
    LOCOMOTIVE_BODY,
    LOCOMOTIVE_WHEELS,
    SIGNS,
    Circle,
    Frame,
    Part,
    Polygon,
    Polyline,
    Shape,
    Words,
    dashes,
    rounded,
)

# Sizes below are in widths of a space. Parallel tracks of the prints lie about one width apart.
_SPACE_WIDTH = 0.88
_WAGON_WIDTH = 1.04
_SLEEPER_REACH = 0.66
# At most this often is a crowded track made 7 % shorter: down to 75 % of its length.
_SHORTENINGS = 4


@dataclass(frozen=True)
class Track:
    """A route as it is drawn: a frame per space, how long its spaces come out, and the line from city to city."""

    route: Route
    frames: tuple[Frame, ...]
    length: float
    width: float
    line: tuple[Point, ...]

    def outline(self, i: int, longer: float = 0.0, width: float = _SPACE_WIDTH) -> tuple[Point, ...]:
        """The round-cornered rectangle of a space; `longer` and `width` in widths of a space."""
        return rounded(self.frames[i], self.length + longer * self.width, width * self.width, 0.2 * self.width)

    @property
    def middle(self) -> Point:
        return along(self.line, 0.5 * _length(self.line))[0]


def spot(board: Board, x: float, y: float) -> Point:
    """A place given over the whole board (0..1 both ways), in the unit of the drawing."""
    return x, y / board.geometry.aspect


def spots(board: Board, city: City) -> tuple[Point, ...]:
    """Where a city is drawn: once, or several times where the board prints it so."""
    return tuple(spot(board, x, y) for x, y in ((city.x, city.y), *city.also_at))


def lay(board: Board) -> dict[str, Track]:
    """All tracks of a board, their spaces drawn shorter where a sketched layout has them run into each other."""
    laid = {route.id: _track(board, route) for route in board.routes.values()}
    near = _near([(i, f) for i, t in laid.items() for f in t.frames], board.geometry.space_length)
    for _ in range(_SHORTENINGS):
        crowded = {i for a, b in near if _meet(laid[a[0]], a[1], laid[b[0]], b[1]) for i in (a[0], b[0])}
        for i in crowded:
            laid[i] = replace(laid[i], length=0.93 * laid[i].length)
        if not crowded:
            break
    return laid


def _near(spaces: Sequence[tuple[str, Frame]], reach: float) -> list[tuple[tuple[str, Frame], tuple[str, Frame]]]:
    """Pairs of spaces of different routes that are close enough to touch."""
    centres = np.array([(f.x, f.y) for _, f in spaces])
    away = np.hypot(*(centres[:, None, :] - centres[None, :, :]).transpose(2, 0, 1))
    close = np.argwhere(np.triu(away < reach, 1)).tolist()
    return [(spaces[i], spaces[j]) for i, j in close if spaces[i][0] != spaces[j][0]]


def _meet(one: Track, at: Frame, other: Track, there: Frame) -> bool:
    """Whether two spaces overlap: no side of either has the other wholly beyond it."""
    dx, dy = there.x - at.x, there.y - at.y
    turn = there.angle - at.angle
    cos, sin = abs(math.cos(turn)), abs(math.sin(turn))
    (a, b), (c, d) = ((t.length / 2, _SPACE_WIDTH * t.width / 2) for t in (one, other))
    for frame, (p, q), (r, s) in ((at, (a, b), (c, d)), (there, (c, d), (a, b))):
        ahead = abs(dx * math.cos(frame.angle) + dy * math.sin(frame.angle))
        aside = abs(dy * math.cos(frame.angle) - dx * math.sin(frame.angle))
        if ahead > p + r * cos + s * sin or aside > q + r * sin + s * cos:
            return False
    return True


def _track(board: Board, route: Route) -> Track:
    """The route with the geometry that all its shapes share."""
    frames = tuple(Frame(*spot(board, s.x, s.y), math.radians(s.angle)).upright() for s in route.spaces)
    geometry = board.geometry
    length = geometry.space_length * _room(frames, geometry.space_length, geometry.space_width * _SPACE_WIDTH)
    centres = [(f.x, f.y) for f in frames]
    start = min(spots(board, board.cities[route.a]), key=lambda p: math.dist(p, centres[0]))
    end = min(spots(board, board.cities[route.b]), key=lambda p: math.dist(p, centres[-1]))
    return Track(route, frames, length, geometry.space_width, (start, *centres, end))


def _room(frames: Sequence[Frame], length: float, width: float) -> float:
    """The share of its length at which no space of a track runs into the next one."""
    share = 0.96
    for one, other in pairwise(frames):
        dx, dy = other.x - one.x, other.y - one.y
        direction, distance = math.atan2(dy, dx), math.hypot(dx, dy)
        ahead = sum(abs(math.cos(f.angle - direction)) for f in (one, other)) * length / 2
        aside = sum(abs(math.sin(f.angle - direction)) for f in (one, other)) * width / 2
        if ahead:
            share = min(share, (distance * 0.97 - aside) / ahead)
    return max(share, 0.7)


def _length(line: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(line))


def along(line: Sequence[Point], distance: float) -> tuple[Point, float]:
    """The point that far along a line, and the direction there."""
    for (x0, y0), (x1, y1) in pairwise(line):
        piece = math.hypot(x1 - x0, y1 - y0)
        if distance <= piece and piece > 0:
            share = max(distance, 0.0) / piece
            return (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), math.atan2(y1 - y0, x1 - x0)
        distance -= piece
    (x0, y0), (x1, y1) = line[-2:]
    return (x1, y1), math.atan2(y1 - y0, x1 - x0)


def chosen(count: int, among: int) -> range:
    """Which spaces carry a symbol when only some do: those in the middle.

    >>> list(chosen(1, 3)), list(chosen(2, 4)), list(chosen(2, 2))
    ([1], [1, 2], [0, 1])
    """
    first = (among - count) // 2
    return range(first, first + count)


def water(t: Track, theme: Theme) -> Iterator[Shape]:
    if t.route.kind == "ferry":
        yield Polyline(t.line, "water", t.route.id, theme.water, 2.9 * t.width)


def glow(t: Track, theme: Theme) -> Iterator[Shape]:
    yield Polyline(t.line, "glow", t.route.id, blend(theme.highlight, theme.paper, 0.45), 2.4 * t.width)
    yield Polyline(t.line, "glow", t.route.id, theme.highlight, 1.7 * t.width)


def bed(t: Track, theme: Theme) -> Iterator[Shape]:
    yield Polyline(t.line, "bed", t.route.id, theme.bed, 0.22 * t.width)
    if t.route.kind == "tunnel":
        for i in range(len(t.frames)):
            yield from _sleepers(t, i, theme)


def _sleepers(t: Track, i: int, theme: Theme) -> Iterator[Shape]:
    ties = 6
    for k in range(ties):
        place = (k / (ties - 1) - 0.5) * (t.length - 0.3 * t.width)
        reach = _SLEEPER_REACH * t.width
        ends = (t.frames[i].at(place, -reach), t.frames[i].at(place, reach))
        yield Polyline(ends, "bed", t.route.id, theme.sleepers, 0.2 * t.width)


def spaces(t: Track, theme: Theme, tell_draw: bool) -> Iterator[Shape]:
    """The printed spaces; `tell_draw` writes how many cards a tunnel turns up, where that differs over the board."""
    route, paint = t.route, theme.tracks[t.route.color]
    tunnel = route.kind == "tunnel"
    edge = theme.sleepers if tunnel else paint.edge
    for i in range(len(t.frames)):
        yield Polygon(t.outline(i), "track", route.id, paint.fill, edge, (0.16 if tunnel else 0.09) * t.width)
    mark = blend(paint.edge, paint.fill, 0.15) if route.color != GRAY else paint.edge
    ferries, mountains = chosen(route.locomotives, route.length), chosen(route.mountain_marks, route.length)
    for i, frame in enumerate(t.frames):
        if i in ferries:
            yield from _locomotive(frame, 0.66 * t.width, ink_on(paint.fill), paint.fill, route.id)
        elif i in mountains:
            yield from _cross(frame, 0.3 * t.width, ink_on(paint.fill), route.id)
        elif route.color in SIGNS:
            yield from sign(route.color, frame, 0.25 * t.width, mark, "mark", route.id)
    if tunnel and tell_draw:
        yield from badge(
            t.middle, 0.62 * t.width, str(route.tunnel_draw), theme.sleepers, theme.paper, "mark", route.id
        )


def sign(color: str, frame: Frame, size: float, fill: str, part: Part, depicts: str) -> Iterator[Shape]:
    """The sign of a colour, upright on its space."""
    for outline in SIGNS.get(color, ()):
        yield Polygon(frame.turned(outline, size), part, depicts, fill)


def _locomotive(frame: Frame, size: float, ink: str, paper: str, depicts: str) -> Iterator[Shape]:
    for outline in LOCOMOTIVE_BODY:
        yield Polygon(frame.turned(outline, size), "mark", depicts, ink)
    for x, y, radius in LOCOMOTIVE_WHEELS:
        yield Circle(*frame.at(x * size, y * size), radius * size, "mark", depicts, ink, paper, 0.08 * size)


def _cross(frame: Frame, size: float, ink: str, depicts: str) -> Iterator[Shape]:
    for side in (1, -1):
        ends = (frame.at(-size, -side * size), frame.at(size, side * size))
        yield Polyline(ends, "mark", depicts, ink, 0.5 * size)


def badge(at: Point, radius: float, text: str, fill: str, ink: str, part: Part, depicts: str) -> Iterator[Shape]:
    """A small disc with a letter or number in it."""
    size = radius * 1.6
    yield Circle(*at, radius, part, depicts, fill, ink, 0.14 * radius)
    yield Words(at[0], at[1] + 0.36 * size, text, size, part, depicts, ink, weight="bold")


def wagons(t: Track, colors: Sequence[str | None]) -> Iterator[Shape]:
    """A wagon on each space that has a colour, with that colour's sign on its roof."""
    for i, color in enumerate(colors):
        if color is not None:
            yield from _wagon(t, i, color)


def _wagon(t: Track, i: int, color: str) -> Iterator[Shape]:
    paint, frame, w = paint_of(color), t.frames[i], t.width
    yield Polygon(t.outline(i, 0.02, _WAGON_WIDTH), "wagon", t.route.id, paint.fill, paint.edge, 0.16 * w)
    roof = rounded(frame, t.length - 0.55 * w, 0.58 * w, 0.16 * w)
    yield Polygon(roof, "wagon", t.route.id, blend(paint.fill, "#ffffff", 0.22))
    yield from sign(color, frame, 0.27 * w, ink_on(paint.fill), "wagon", t.route.id)


def doubt(t: Track, theme: Theme) -> Iterator[Shape]:
    """A dashed outline around each space, and a question mark in the middle of the track."""
    w = t.width
    for i in range(len(t.frames)):
        outline = t.outline(i, 0.45, 1.5)
        for dash in dashes((*outline, outline[0]), 0.5 * w, 0.34 * w):
            yield Polyline(dash, "doubt", t.route.id, theme.doubt, 0.17 * w)
    yield from badge(t.middle, 0.72 * w, "?", theme.doubt, theme.paper, "doubt", t.route.id)

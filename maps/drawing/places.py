"""The shapes at a city: its dot, a station or depot on it, and what is said about it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from maps.board import Board, City, Point
from maps.drawing.palette import Theme, blend, ink_on, paint_of
from maps.drawing.shapes import Circle, Frame, Polygon, Polyline, Shape, dashes, star
from maps.drawing.tracks import badge, sign, spots

# A station has a gable, a depot a wide flat roof, so that they differ without their colour.
_STATION = ((-0.85, 0.95), (-0.85, -0.2), (-1.1, -0.2), (0.0, -1.15), (1.1, -0.2), (0.85, -0.2), (0.85, 0.95))
_DEPOT = ((-1.05, 0.85), (-1.05, -0.3), (-0.6, -0.85), (0.6, -0.85), (1.05, -0.3), (1.05, 0.85))
_BUILDINGS = {"station": _STATION, "depot": _DEPOT}


def radius(board: Board, city: City) -> float:
    """How large a city's dot is drawn."""
    return board.geometry.space_width * (0.6 if city.junction else 0.82)


def region_ink(board: Board, city: City, theme: Theme) -> str:
    """The colour of a city's name and ring: its region's, where the board has several."""
    regions = tuple(dict.fromkeys(c.region for c in board.cities.values() if c.region))
    if len(regions) < 2 or city.region is None:
        return theme.quiet if city.junction else theme.ink
    return theme.regions[regions.index(city.region) % len(theme.regions)]


def dot(board: Board, city: City, theme: Theme) -> Iterator[Shape]:
    r, ink = radius(board, city), region_ink(board, city, theme)
    for x, y in spots(board, city):
        if city.tokens:
            yield Circle(
                x, y, 1.62 * r, "city", city.id, blend(theme.tourists, theme.paper, 0.55), theme.tourists, 0.2 * r
            )
        if city.junction:
            yield Polygon(Frame(x, y, 0).turned(star(4, 0), 1.35 * r), "city", city.id, theme.city, ink, 0.34 * r)
            continue
        yield Circle(x, y, r, "city", city.id, theme.city, ink, 0.34 * r)
        if city.tokens:
            yield Polygon(Frame(x, y, 0).turned(star(5, 0.45), 0.78 * r), "city", city.id, theme.tourists)
        else:
            yield Circle(x, y, 0.36 * r, "city", city.id, ink)


def building(board: Board, city: City, kind: Literal["station", "depot"], color: str) -> Iterator[Shape]:
    """A station or depot in its owner's colour, on the city's first spot."""
    paint, size = paint_of(color), 1.25 * board.geometry.space_width
    frame = Frame(*spots(board, city)[0], 0)
    yield Polygon(frame.turned(_BUILDINGS[kind], size), kind, city.id, paint.fill, paint.edge, 0.16 * size)
    yield from sign(color, Frame(*frame.at(0, 0.22 * size), 0), 0.42 * size, ink_on(paint.fill), kind, city.id)


def glow(board: Board, city: City, theme: Theme) -> Iterator[Shape]:
    for x, y in spots(board, city):
        r = radius(board, city)
        yield Circle(x, y, 2.3 * r, "glow", city.id, blend(theme.highlight, theme.paper, 0.45))
        yield Circle(x, y, 1.8 * r, "glow", city.id, theme.highlight)


def doubt(board: Board, city: City, theme: Theme) -> Iterator[Shape]:
    """A dashed ring, and a question mark at its upper right."""
    w = board.geometry.space_width
    x, y = spots(board, city)[0]
    ring: list[Point] = [
        (x + 1.9 * w * math.cos(math.radians(t)), y + 1.9 * w * math.sin(math.radians(t))) for t in range(0, 361, 10)
    ]
    for dash in dashes(ring, 0.5 * w, 0.34 * w):
        yield Polyline(dash, "doubt", city.id, theme.doubt, 0.17 * w)
    yield from badge((x + 1.35 * w, y - 1.35 * w), 0.72 * w, "?", theme.doubt, theme.paper, "doubt", city.id)

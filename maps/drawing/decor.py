"""Ornaments of our own for practice photos: a score track around the board and a landscape seeded by the board's id.

A plain board has little that a camera can hold on to; this gives every board a print of its own.
"""

from __future__ import annotations

import colorsys
import math
import random
from collections.abc import Iterator

from maps.board import Board, Point
from maps.drawing.palette import Theme, blend
from maps.drawing.shapes import Circle, Frame, Polygon, Polyline, Shape, Words, star
from maps.drawing.tracks import spot, spots

SCORES = 100
_BORDER = 0.032
# How many on a board as high as it is wide.
_PATCHES, _HILLS, _SIGHTS = 13, 24, 230


def border(board: Board) -> float:
    """How wide the score track is: as on the prints, or less where spaces or cities lie near the edge."""
    geometry = board.geometry
    height = 1 / geometry.aspect
    length, width = geometry.space_length / 2, geometry.space_width / 2
    found = [(*p, 2 * width, 2 * width) for city in board.cities.values() for p in spots(board, city)]
    for space in (s for route in board.routes.values() for s in route.spaces):
        cos, sin = abs(math.cos(math.radians(space.angle))), abs(math.sin(math.radians(space.angle)))
        found.append((*spot(board, space.x, space.y), length * cos + width * sin, length * sin + width * cos))
    clear = min(min(x - a, 1 - x - a, y - b, height - y - b) for x, y, a, b in found)
    return max(0.01, min(_BORDER, clear))


def decoration(board: Board, theme: Theme) -> Iterator[Shape]:
    """Landscape first, then the frame over it."""
    rng = random.Random(board.id)
    inks = _inks(rng, theme)
    height = 1 / board.geometry.aspect
    for _ in range(round(_PATCHES * height)):
        yield _patch(rng, height, blend(theme.paper, rng.choice(inks), 0.22))
    for _ in range(round(_HILLS * height)):
        yield from _hill(rng, height, blend(theme.paper, rng.choice(inks), 0.45))
    yield from _graticule(rng, height, blend(theme.paper, theme.quiet, 0.35))
    for _ in range(round(_SIGHTS * height)):
        yield from _sight(rng, height, blend(theme.paper, rng.choice(inks), 0.7))
    yield from _compass(rng, height, blend(theme.paper, inks[0], 0.75), theme)
    yield from _score_track(border(board), height, inks, theme)


def _inks(rng: random.Random, theme: Theme) -> list[str]:
    """Three quiet colours of a board's own."""
    first, lightness = rng.random(), 0.62 if theme.name == "dark" else 0.4
    found = []
    for turn in (0.0, 0.18, 0.55):
        channels = colorsys.hls_to_rgb((first + turn) % 1, lightness, 0.45)
        found.append("#" + "".join(f"{round(255 * c):02x}" for c in channels))
    return found


def _around(rng: random.Random, x: float, y: float, size: float, corners: int = 48) -> tuple[Point, ...]:
    """A closed, uneven outline around a point."""
    waves = [(k, rng.uniform(0.0, 0.22 / k), rng.uniform(0, math.tau)) for k in (1, 2, 3, 5, 7)]
    outline = []
    for i in range(corners):
        t = math.tau * i / corners
        r = size * (1 + sum(a * math.cos(k * t + p) for k, a, p in waves))
        outline.append((x + r * math.cos(t), y + r * math.sin(t)))
    return tuple(outline)


def _patch(rng: random.Random, height: float, tint: str) -> Shape:
    return Polygon(_around(rng, rng.random(), rng.uniform(0, height), rng.uniform(0.07, 0.2)), "decor", None, tint)


def _hill(rng: random.Random, height: float, ink: str) -> Iterator[Shape]:
    """Contour lines, one within the other."""
    x, y, size = rng.random(), rng.uniform(0, height), rng.uniform(0.04, 0.11)
    outline = _around(rng, x, y, size)
    steps = rng.randint(3, 6)
    for k in range(steps):
        share = 1 - k / steps
        lean = (1 - share) * size * 0.25
        ring = tuple((x + lean + (px - x) * share, y - lean + (py - y) * share) for px, py in outline)
        yield Polygon(ring, "decor", None, None, ink, 0.0013)


def _graticule(rng: random.Random, height: float, ink: str) -> Iterator[Shape]:
    bend = rng.uniform(0.02, 0.06)
    for i in range(1, 6):
        yield Polyline(
            tuple((i / 6 + bend * math.sin(math.pi * k / 12) * (i - 3) / 3, height * k / 12) for k in range(13)),
            "decor", None, ink, 0.0009,
        )  # fmt: skip
    for i in range(1, 5):
        yield Polyline(
            tuple((k / 16, height * i / 5 + bend * math.sin(math.pi * k / 16)) for k in range(17)),
            "decor", None, ink, 0.0009,
        )  # fmt: skip


def _sight(rng: random.Random, height: float, ink: str) -> Iterator[Shape]:
    """A tree, a peak, a wave, a house, a star or a few dots."""
    frame, size = Frame(rng.random(), rng.uniform(0, height), rng.uniform(-0.15, 0.15)), rng.uniform(0.005, 0.011)
    kind = rng.randrange(6)
    if kind == 0:
        yield Polygon(frame.turned(((-0.6, 0.5), (0, -1), (0.6, 0.5)), size), "decor", None, ink)
        yield Polyline(frame.turned(((0, 0.5), (0, 1)), size), "decor", None, ink, 0.2 * size)
    elif kind == 1:
        outline = ((-1, 0.6), (-0.3, -0.7), (0.05, 0), (0.4, -0.4), (1, 0.6))
        yield Polyline(frame.turned(outline, size * 1.3), "decor", None, ink, 0.18 * size)
    elif kind == 2:
        for row in (-0.4, 0.4):
            wave = [(x / 4, row + 0.25 * math.sin(x * 1.6)) for x in range(-5, 6)]
            yield Polyline(frame.turned(wave, size), "decor", None, ink, 0.16 * size)
    elif kind == 3:
        yield Polygon(
            frame.turned(((-0.7, 0.7), (-0.7, -0.1), (0, -0.8), (0.7, -0.1), (0.7, 0.7)), size), "decor", None, ink
        )
    elif kind == 4:
        yield Polygon(frame.turned(star(rng.randint(4, 7), 0.45), size), "decor", None, ink)
    else:
        for _ in range(rng.randint(3, 6)):
            yield Circle(
                *frame.at(rng.uniform(-1.5, 1.5) * size, rng.uniform(-1.5, 1.5) * size), 0.22 * size, "decor", None, ink
            )


def _compass(rng: random.Random, height: float, ink: str, theme: Theme) -> Iterator[Shape]:
    frame = Frame(rng.uniform(0.15, 0.85), height * rng.uniform(0.15, 0.85), rng.uniform(0, 1))
    yield Circle(frame.x, frame.y, 0.034, "decor", None, None, ink, 0.0016)
    yield Circle(frame.x, frame.y, 0.027, "decor", None, None, ink, 0.0008)
    yield Polygon(frame.turned(star(4, 0.2, -45), 0.027), "decor", None, blend(ink, theme.paper, 0.4))
    yield Polygon(frame.turned(star(4, 0.22), 0.038), "decor", None, ink)


def _score_track(width: float, height: float, inks: list[str], theme: Theme) -> Iterator[Shape]:
    """A hundred numbered squares around the board, from the lower left corner upwards."""
    base = blend(inks[1], theme.ink, 0.35)
    for x, y, w, h in (
        (0, 0, 1, width),
        (0, height - width, 1, width),
        (0, 0, width, height),
        (1 - width, 0, width, height),
    ):
        yield Polygon(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), "decor", None, base)
    across = round(SCORES / 2 * 1 / (1 + height))
    up = SCORES // 2 - across
    for score in range(SCORES):
        x, y, wide, high = _square(score, across, up, width, height)
        fifth = score % 5 == 0
        fill = blend(theme.paper, inks[0 if fifth else 2], 0.55 if fifth else 0.12 + 0.08 * (score % 2))
        a, b = wide * 0.44, high * 0.44
        yield Polygon(
            ((x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b)), "decor", None, fill, theme.ink, 0.0008
        )
        size = 0.56 * min(width, wide, high)
        yield Words(x, y + 0.36 * size, str(score or SCORES), size, "decor", None, theme.ink, weight="bold")


def _square(score: int, across: int, up: int, width: float, height: float) -> tuple[float, float, float, float]:
    """Centre and size of a square of the score track."""
    wide, high, half = (1 - width) / across, (height - width) / up, width / 2
    if score < up:
        return half, height - half - score * high, width, high
    if score < up + across:
        return half + (score - up) * wide, half, wide, width
    if score < 2 * up + across:
        return 1 - half, half + (score - up - across) * high, width, high
    return 1 - half - (score - 2 * up - across) * wide, height - half, wide, width

"""The railway companies printed beside a track: a row of small discs with their initials."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from maps.board import Board, Point
from maps.drawing.labels import Strip
from maps.drawing.palette import COMPANIES, LIGHT_INK, Theme
from maps.drawing.shapes import Circle, Shape, Words
from maps.drawing.tracks import Track, along

_RADIUS = 0.62


def initials(company: str) -> str:
    """What stands on a company's disc.

    >>> initials("new-york-central"), initials("reading")
    ('NYC', 'R')
    """
    return "".join(word[0].upper() for word in company.split("-"))


def strip(board: Board, tracks: Sequence[Track]) -> Strip:
    """Where the discs of one group of tracks can go: on either side, near the middle or nearer to a city."""
    first = tracks[0]
    lines = [t.line if t.route.a == first.route.a else t.line[::-1] for t in tracks]
    line = [
        (sum(x for x, _ in spot) / len(spot), sum(y for _, y in spot) / len(spot)) for spot in zip(*lines, strict=True)
    ]
    lanes = max(math.dist(p, q) for p, q in zip(line[1:-1], lines[0][1:-1], strict=True))
    radius = _RADIUS * board.geometry.space_width
    away = lanes + 0.62 * board.geometry.space_width + radius
    whole = sum(math.dist(a, b) for a, b in pairwise(line))
    count = len(first.route.companies)
    rows = []
    for shift in (0.0, -0.12, 0.12, -0.24, 0.24):
        for side in (1, -1):
            starts = [whole * (0.5 + shift) + (i - (count - 1) / 2) * 2.1 * radius for i in range(count)]
            rows.append(tuple(_beside(line, start, side * away) for start in starts))
    return Strip(tuple(rows), radius)


def _beside(line: Sequence[Point], distance: float, away: float) -> Point:
    (x, y), direction = along(line, distance)
    return x - math.sin(direction) * away, y + math.cos(direction) * away


def discs(
    board: Board, companies: Sequence[str], row: Sequence[Point], radius: float, theme: Theme, depicts: str
) -> Iterator[Shape]:
    known = tuple(board.companies)
    for company, (x, y) in zip(companies, row, strict=True):
        letters = initials(company)
        size = radius * (1.5, 1.25, 1.0)[min(len(letters), 3) - 1]
        fill = COMPANIES[known.index(company) % len(COMPANIES)]
        yield Circle(x, y, radius, "company", depicts, fill, theme.paper, 0.12 * radius)
        yield Words(x, y + 0.36 * size, letters, size, "company", depicts, LIGHT_INK, weight="bold")

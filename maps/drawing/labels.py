"""Finds places for what is written beside cities and tracks, so that nothing lies on anything else.

Each item has candidates: sets of boxes with a cost of their own (what they cover, how far off they are). The choice
is made greedily, hardest item first, then improved item by item and pair by pair until nothing gets better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from maps.board import Point
from maps.drawing.fonts import Weight, extent
from maps.drawing.shapes import Circle, Polygon, Polyline, Shape

Array = NDArray[np.float64]
Box = tuple[float, float, float, float]

# Cells over the board's width on which covered ground is counted: a space is about 11 cells wide.
_CELLS = 1000
# How far a name may lie from its dot, in heights of its letters; from the last on a thin line leads to it.
_GAPS = (0.22, 0.5, 0.9, 1.5, 2.2)
_LEADER_FROM = 1.5
_SCALES = (1.0, 0.9, 0.8)
_ANGLES = np.radians(np.arange(0, 360, 10))
_LEADING = 0.98

# Costs. Two writings on each other are worst, then writing on a space or city, then on a thin line.
_CLASH, _COVER, _CROSS = 60.0, 25.0, 2.5


@dataclass(frozen=True)
class Name:
    """What to write at a spot that is marked with a dot of some radius."""

    at: Point
    radius: float
    text: str
    size: float
    weight: Weight


@dataclass(frozen=True)
class Strip:
    """A row of discs beside a track, one side or the other: each of `rows` holds the centres of one try."""

    rows: tuple[tuple[Point, ...], ...]
    radius: float


@dataclass(frozen=True)
class Placed:
    """Where a name went: its lines as (x of the middle, baseline, text), its box, and whether it needs a leader."""

    lines: tuple[tuple[float, float, str], ...]
    size: float
    box: Box
    leader: bool


@dataclass
class _Item:
    boxes: Array  # candidates x boxes x 4
    cost: Array


@lru_cache(maxsize=32)
def place(
    names: tuple[Name, ...],
    strips: tuple[Strip, ...],
    solid: tuple[Shape, ...],
    lines: tuple[Shape, ...],
    height: float,
    margin: float,
) -> tuple[tuple[Placed, ...], tuple[int, ...]]:
    """The place of each name, and which row each strip takes.

    `solid` must not be covered, `lines` rather not; everything keeps `margin` away from the picture's edge.
    """
    ground = _ground(solid, height) * _COVER + _ground(lines, height) * _CROSS
    summed = np.zeros((ground.shape[0] + 1, ground.shape[1] + 1))
    np.cumsum(np.cumsum(ground, axis=0), axis=1, out=summed[1:, 1:])
    dots = np.array([(*n.at, n.radius) for n in names]).reshape(-1, 3)
    tries = [_tries(name) for name in names]
    items = [_name_item(t, dots, summed, height, margin) for t in tries]
    items += [_strip_item(s, summed, height, margin) for s in strips]
    picks = _solve(items)
    placed = tuple(t[i] for t, i in zip(tries, picks, strict=False))
    return placed, tuple(picks[len(names) :])


def _ground(shapes: Sequence[Shape], height: float) -> Array:
    """The share of each cell that shapes cover, 0 or 1."""
    image = Image.new("1", (_CELLS, math.ceil(_CELLS * height)))
    draw = ImageDraw.Draw(image)
    for shape in shapes:
        if isinstance(shape, Polygon):
            draw.polygon([(x * _CELLS, y * _CELLS) for x, y in shape.points], fill=1)
        elif isinstance(shape, Polyline):
            points = [(x * _CELLS, y * _CELLS) for x, y in shape.points]
            draw.line(points, fill=1, width=max(1, round(shape.width * _CELLS)))
        elif isinstance(shape, Circle):
            r = shape.radius + shape.width / 2
            draw.ellipse(
                [(v - r) * _CELLS for v in (shape.x, shape.y)] + [(v + r) * _CELLS for v in (shape.x, shape.y)], 1
            )
    return np.asarray(image, dtype=np.float64)


def _covered(boxes: Array, summed: Array) -> Array:
    """What the boxes cover, as a sum over the ground in areas of the drawing's unit."""
    rows, columns = summed.shape[0] - 1, summed.shape[1] - 1
    x0, x1 = (np.clip(np.rint(boxes[..., i] * _CELLS), 0, columns).astype(np.intp) for i in (0, 2))
    y0, y1 = (np.clip(np.rint(boxes[..., i] * _CELLS), 0, rows).astype(np.intp) for i in (1, 3))
    total: Array = summed[y1, x1] - summed[y0, x1] - summed[y1, x0] + summed[y0, x0]
    return total / _CELLS**2


def _broken(text: str) -> tuple[tuple[str, ...], ...]:
    """Ways to set a name: on one line, and on two where it has a space, broken where the lines are most alike."""
    words = text.split(" ")
    ways = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    best = min(ways, key=lambda lines: max(extent(line, "medium")[0] for line in lines), default=None)
    return ((text,), best) if best else ((text,),)


@dataclass(frozen=True)
class _Setting:
    """A name in one size on one line or two; lengths in the drawing's unit."""

    lines: tuple[str, ...]
    size: float
    width: float
    height: float
    ascent: float


def _settings(name: Name) -> list[_Setting]:
    found = []
    for scale in _SCALES:
        size = name.size * scale
        for lines in _broken(name.text):
            sizes = [extent(line, name.weight) for line in lines]
            height = sizes[0][1] + _LEADING * (len(lines) - 1) + sizes[-1][2]
            found.append(_Setting(lines, size, max(w for w, _, _ in sizes) * size, height * size, sizes[0][1] * size))
    return found


@dataclass(frozen=True)
class _Tries:
    """Candidates around a dot: near to far, all the way round, in every setting."""

    name: Name
    settings: list[_Setting]
    boxes: Array
    setting: NDArray[np.intp]
    gap: Array

    def __getitem__(self, i: int) -> Placed:
        x0, y0, x1, y1 = (float(v) for v in self.boxes[i])
        used = self.settings[self.setting[i]]
        lines = tuple(
            ((x0 + x1) / 2, y0 + used.ascent + k * _LEADING * used.size, text) for k, text in enumerate(used.lines)
        )
        return Placed(lines, used.size, (x0, y0, x1, y1), bool(self.gap[i] >= _LEADER_FROM))


def _tries(name: Name) -> _Tries:
    settings = _settings(name)
    setting, gap, angle = (
        a.ravel() for a in np.meshgrid(np.arange(len(settings)), np.array(_GAPS), _ANGLES, indexing="ij")
    )
    away = name.radius * 1.17 + gap * name.size * 0.7
    half_width = np.array([s.width / 2 for s in settings])[setting]
    half_height = np.array([s.height / 2 for s in settings])[setting]
    x = name.at[0] + np.cos(angle) * (away + half_width)
    y = name.at[1] + np.sin(angle) * (away + half_height)
    boxes = np.stack([x - half_width, y - half_height, x + half_width, y + half_height], axis=1)
    return _Tries(name, settings, boxes, setting, gap)


def _name_item(tries: _Tries, dots: Array, summed: Array, height: float, margin: float) -> _Item:
    name, boxes = tries.name, tries.boxes
    pad = 0.1 * name.size
    grown = boxes + np.array([-pad, -pad, pad, pad])
    area = name.size**2
    covered = _covered(grown, summed) / area
    cost = covered + np.clip(covered / 0.2, 0, 1) + _outside(grown, height, margin) / area * _CLASH
    # A name should lie nearer to its own dot than to any other, else readers take it for the other city's.
    near = _distances(boxes, dots) / name.size
    own = near[:, [int(np.argmin(np.hypot(dots[:, 0] - name.at[0], dots[:, 1] - name.at[1])))]]
    cost += np.clip(1.1 * own + 0.35 - near, 0, None).sum(axis=1) * 1.5 - np.clip(0.1 * own[:, 0] + 0.35, 0, None) * 1.5
    # Right or left of the dot reads best, then below or above; close is better than far, one size better than two.
    dx = (boxes[:, 0] + boxes[:, 2]) / 2 - name.at[0]
    dy = (boxes[:, 1] + boxes[:, 3]) / 2 - name.at[1]
    slant = np.abs(np.arctan2(dy, np.abs(dx) / 2)) / (math.pi / 2)
    cost += 0.5 * slant + 0.12 * (dx < 0) + 1.1 * own[:, 0]
    of_setting = np.array([7.0 * (1 - s.size / name.size) + 0.45 * (len(s.lines) - 1) for s in tries.settings])
    cost += of_setting[tries.setting] + 1.2 * (tries.gap >= _LEADER_FROM)
    return _Item(grown[:, None, :], cost)


def _strip_item(strip: Strip, summed: Array, height: float, margin: float) -> _Item:
    r = strip.radius
    boxes = np.array([[(x - r, y - r, x + r, y + r) for x, y in row] for row in strip.rows])
    area = (2 * r) ** 2
    cost = (_covered(boxes, summed) + _outside(boxes, height, margin) * _CLASH).sum(axis=1) / area
    # On the inner side of a bend the discs of a row close up.
    apart = np.hypot(*(boxes[:, 1:, :2] - boxes[:, :-1, :2]).transpose(2, 0, 1))
    cost += np.clip(2 * r - apart, 0, None).sum(axis=1) / r * _CLASH + np.linspace(0, 0.4, len(strip.rows))
    return _Item(boxes, cost)


def _outside(boxes: Array, height: float, margin: float) -> Array:
    """How much of each box lies beyond the edge, as an area."""
    whole = (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
    return whole - _overlap(boxes, np.array([margin, margin, 1 - margin, height - margin]))


def _overlap(boxes: Array, other: Array) -> Array:
    wide = np.minimum(boxes[..., 2], other[..., 2]) - np.maximum(boxes[..., 0], other[..., 0])
    high = np.minimum(boxes[..., 3], other[..., 3]) - np.maximum(boxes[..., 1], other[..., 1])
    shared: Array = np.clip(wide, 0, None) * np.clip(high, 0, None)
    return shared


def _distances(boxes: Array, dots: Array) -> Array:
    """From each box to the rim of each dot."""
    dx = np.maximum(boxes[:, None, 0] - dots[None, :, 0], dots[None, :, 0] - boxes[:, None, 2])
    dy = np.maximum(boxes[:, None, 1] - dots[None, :, 1], dots[None, :, 1] - boxes[:, None, 3])
    away: Array = np.hypot(np.clip(dx, 0, None), np.clip(dy, 0, None)) - dots[None, :, 2]
    return np.clip(away, 0, None)


def _reach(boxes: Array) -> Array:
    return np.array([*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)])


def _clashes(one: Array, other: Array) -> Array:
    """The cost of every candidate of one item (rows) against every candidate of another (columns)."""
    shared = _overlap(one[:, None, :, None, :], other[None, :, None, :, :])
    touched = shared > 0
    smaller = np.minimum(_area(one)[:, None, :, None], _area(other)[None, :, None, :])
    # Touching at all already costs, so that a sliver of overlap is worth a move.
    cost: Array = (touched * 0.25 + shared / smaller).sum(axis=(2, 3)) * _CLASH
    return cost


def _area(boxes: Array) -> Array:
    area: Array = (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
    return area


# Candidates this much dearer than an item's cheapest are never worth it, and only slow the search.
_KEPT = 48


def _solve(items: Sequence[_Item]) -> list[int]:
    kept = [np.argsort(item.cost, kind="stable")[:_KEPT] for item in items]
    costs = [item.cost[k] for item, k in zip(items, kept, strict=True)]
    boxes = [item.boxes[k] for item, k in zip(items, kept, strict=True)]
    pairs: dict[tuple[int, int], Array] = {}
    reach = np.array([_reach(b.reshape(-1, 4)) for b in boxes])
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            if _overlap(reach[i], reach[j]) > 0:
                pairs[i, j] = _clashes(boxes[i], boxes[j])
                pairs[j, i] = pairs[i, j].T
    near: list[list[int]] = [[] for _ in items]
    for i, j in pairs:
        near[i].append(j)
    picks = _greedy(costs, pairs, near)
    for _ in range(12):
        if not _improve(picks, costs, pairs, near):
            break
    return [int(k[p]) for k, p in zip(kept, picks, strict=True)]


def _greedy(costs: list[Array], pairs: dict[tuple[int, int], Array], near: list[list[int]]) -> list[int]:
    """First choice: those with the least good room first."""
    picks = [-1] * len(costs)
    room = [float((c < c.min() + 1.5).sum()) - float(c.min()) for c in costs]
    for i in sorted(range(len(costs)), key=lambda i: (room[i], i)):
        total = costs[i] + sum(pairs[i, j][:, picks[j]] for j in near[i] if picks[j] >= 0)
        picks[i] = int(np.argmin(total))
    return picks


def _improve(picks: list[int], costs: list[Array], pairs: dict[tuple[int, int], Array], near: list[list[int]]) -> bool:
    """One round over all items and all pairs that are near each other; true if anything got better."""
    better = False

    def load(i: int, without: int = -1) -> Array:
        total: Array = costs[i].copy()
        for j in near[i]:
            if j != without:
                total += pairs[i, j][:, picks[j]]
        return total

    for i in range(len(costs)):
        total = load(i)
        best = int(np.argmin(total))
        if total[best] < total[picks[i]] - 1e-9:
            picks[i], better = best, True
    for i, j in pairs:
        if i < j:
            both = load(i, j)[:, None] + load(j, i)[None, :] + pairs[i, j]
            best = int(np.argmin(both))
            if both.flat[best] < both[picks[i], picks[j]] - 1e-9:
                (picks[i], picks[j]), better = divmod(best, both.shape[1]), True
    return better

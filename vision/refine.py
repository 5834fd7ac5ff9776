"""From a rough pose to an exact one: corners of the print are compared one by one on the flattened board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any  # Any: arrays of any kind of number

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.config import REFINE
from vision.fingerprints import Fingerprint, Floats, Matrix, Picture, corners_of_print, flattened, frame_size, to_frame

Points = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Warp:
    """A smooth displacement over the board, in board coordinates: a grid (rows, columns, 2), bilinear between them."""

    grid: Points

    def at(self, points: Points) -> Points:
        """Displacement of board points (n, 2); beyond the board's edge that of the edge."""
        rows, columns = self.grid.shape[:2]
        x = np.clip(points[:, 0], 0, 1) * (columns - 1)
        y = np.clip(points[:, 1], 0, 1) * (rows - 1)
        i, j = np.minimum(x.astype(int), columns - 2), np.minimum(y.astype(int), rows - 2)
        u, v = (x - i)[:, None], (y - j)[:, None]
        g = self.grid
        return np.asarray(
            (1 - v) * ((1 - u) * g[j, i] + u * g[j, i + 1]) + v * ((1 - u) * g[j + 1, i] + u * g[j + 1, i + 1])
        )


@dataclass(frozen=True, eq=False)
class Refined:
    """The exact pose: homography into the searched picture, local warp, share of the map's visible marks found."""

    homography: Matrix
    warp: Warp
    quality: float
    agreeing: int


def refine(gray: Picture, homography: Matrix, fingerprint: Fingerprint) -> Refined | None:
    """The pose made exact, or None where too little of the print is recognised at the rough one."""
    size = frame_size(fingerprint.aspect, REFINE.side)
    seen, patterns = corners_of_print(flattened(gray, homography, size, REFINE.margin), REFINE.marks_in_photo)
    frame = to_frame(size)
    marks = fingerprint.marks.astype(np.float64)
    visible = np.flatnonzero(_inside(project(marks, homography), gray))
    if min(len(seen), len(visible)) < REFINE.least_marks:
        return None
    codes, expected = fingerprint.patterns[visible], project(marks[visible], frame)
    of, at = _guided(expected, codes, seen, patterns, REFINE.first_reach * REFINE.side)
    shift = _agreed(expected[of], seen[at])
    if shift is None:
        return None
    of, at = _guided(project(expected, shift), codes, seen, patterns, REFINE.second_reach * REFINE.side)
    shift = _agreed(expected[of], seen[at])
    if shift is None:
        return None
    rough = homography @ np.linalg.inv(frame) @ shift @ frame
    pixels = project(seen[at].astype(np.float64), homography @ np.linalg.inv(frame))
    lens = fit_lens(marks[visible][of], pixels, rough, (gray.shape[1], gray.shape[0]))
    off = project(pixels, _inverse(lens.homography)) - marks[visible][of]
    warp = fit_warp(marks[visible][of], off, lens, fingerprint.aspect)
    return Refined(lens.homography, warp, _recognised(marks[visible], of), len(of))


def _recognised(marks: Points, found: Rows) -> float:
    """The share of marks that were found, of those on the map: several boards have the same score track around it."""
    on_map = np.asarray(((marks > REFINE.score_track) & (marks < 1 - REFINE.score_track)).all(1))
    return float(on_map[found].sum() / max(on_map.sum(), REFINE.least_marks))


def _inverse(homography: Matrix) -> Matrix:
    return np.asarray(np.linalg.inv(homography), np.float64)


def project(points: Points, homography: Matrix) -> Points:
    """Points (n, 2) through a homography."""
    if not len(points):
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[None], homography)[0], np.float64)


def _inside(pixels: Points, gray: Picture) -> NDArray[np.bool_]:
    return np.asarray(((pixels >= 0) & (pixels < [gray.shape[1], gray.shape[0]])).all(1))


def _agreed(expected: Points, seen: Floats) -> Matrix | None:
    """The homography that most marks agree on."""
    if len(expected) < REFINE.least_marks:
        return None
    error = REFINE.mark_error * REFINE.side
    shift, mask = cv2.findHomography(
        expected, seen.astype(np.float64), cv2.USAC_MAGSAC, error, maxIters=2000, confidence=0.999
    )
    return None if shift is None or mask.sum() < REFINE.least_marks else np.asarray(shift, np.float64)


def _guided(expected: Points, codes: Picture, seen: Floats, patterns: Picture, reach: float) -> tuple[Rows, Rows]:
    """Marks and seen corners that are each other's best within reach, alike enough and no mix-up with a neighbour."""
    of, at = near(expected, seen, reach)
    if not len(of):
        return of, at
    # Eight bytes at a time.
    differ = codes.view(np.uint64)[of] ^ patterns.view(np.uint64)[at]
    bits = np.bitwise_count(differ).sum(1, dtype=np.int64)
    order = np.lexsort((bits, of))
    of, at, bits = of[order], at[order], bits[order]
    first = np.flatnonzero(np.r_[True, of[1:] != of[:-1]])
    second = np.minimum(first + 1, len(of) - 1)
    alone = of[second] != of[first]
    clear = alone | (second == first) | (bits[first] <= REFINE.mark_ratio * bits[second])
    kept = first[clear & (bits[first] <= REFINE.most_bits)]
    of, at, bits = of[kept], at[kept], bits[kept]
    order = np.lexsort((bits, at))
    best = order[np.r_[True, at[order][1:] != at[order][:-1]]] if len(order) else order
    return of[best], at[best]


def near(expected: Points, seen: NDArray[Any], reach: float) -> tuple[Rows, Rows]:
    """All pairs within reach, found through cells of that size."""
    x, y = seen.T.astype(np.float64)
    left, top = x.min() - 2 * reach, y.min() - 2 * reach
    right, bottom = x.max() + reach, y.max() + reach
    # A rough pose may send marks anywhere; those far from all that is seen have no cell.
    at_x, at_y = expected.T
    mine = np.flatnonzero((at_x > left + reach) & (at_x < right) & (at_y > top + reach) & (at_y < bottom))
    wide, high = int((right - left) / reach) + 3, int((bottom - top) / reach) + 3
    cells = ((y - top) / reach).astype(np.intp) * wide + ((x - left) / reach).astype(np.intp)
    order = np.argsort(cells, kind="stable")
    begins = np.r_[0, np.cumsum(np.bincount(cells, minlength=wide * high))]
    own = ((at_y[mine] - top) / reach).astype(np.intp) * wide + ((at_x[mine] - left) / reach).astype(np.intp)
    # Three neighbouring cells of a row lie side by side in the order: where the first begins, where the last ends.
    rows = (own + np.array([[-wide], [0], [wide]])).ravel()
    start, stop = begins[rows - 1], begins[rows + 2]
    count = stop - start
    of = np.repeat(np.tile(mine, 3), count)
    at = order[np.arange(len(of)) + np.repeat(start - np.cumsum(count) + count, count)]
    close = (at_x[of] - x[at]) ** 2 + (at_y[of] - y[at]) ** 2 < reach * reach
    return of[close], at[close]


@dataclass(frozen=True, eq=False)
class Lens:
    """A homography and a phone's lens: offsets from the picture's centre grow by 1 + bend r², r = 1 at a corner."""

    homography: Matrix
    bend: float
    centre: Points
    radius: float

    def project(self, points: Points) -> Points:
        straight = project(points, self.homography) - self.centre
        return np.asarray(
            self.centre + straight * (1 + self.bend * (straight**2).sum(1, keepdims=True) / self.radius**2)
        )


def fit_lens(points: Points, pixels: Points, homography: Matrix, size: tuple[int, int]) -> Lens:
    """Homography and lens together, by robust least squares from a good start."""
    centre, radius = np.array(size) / 2, float(np.hypot(*size)) / 2
    unit = np.array([[1 / radius, 0, -centre[0] / radius], [0, 1 / radius, -centre[1] / radius], [0, 0, 1]])
    h = unit @ homography
    values = np.r_[(h / h[2, 2]).ravel()[:8], 0.0]
    target = (pixels - centre) / radius
    x, y = points[:, 0], points[:, 1]
    # What each of the nine numbers does to the marks' positions, across and down.
    slope = np.empty((2, len(points), 9))
    for _ in range(REFINE.lens_rounds):
        depth = 1 / (values[6] * x + values[7] * y + 1)
        u, v = (values[0] * x + values[1] * y + values[2]) * depth, (values[3] * x + values[4] * y + values[5]) * depth
        r2, bend = u * u + v * v, values[8]
        grown, mixed = 1 + bend * r2, 2 * bend * u * v
        fx, fy = x * depth, y * depth
        turns = ((u, grown + 2 * bend * u * u, mixed), (v, mixed, grown + 2 * bend * v * v))
        for into, (own, across, down) in zip(slope, turns, strict=True):
            back = -(across * u + down * v)
            parts = ((across, fx), (across, fy), (across, depth), (down, fx), (down, fy), (down, depth))
            columns = [one * other for one, other in (*parts, (back, fx), (back, fy), (own, r2))]
            np.stack(columns, axis=1, out=into)
        off = np.stack([target[:, 0] - u * grown, target[:, 1] - v * grown])
        weight = _weights(np.hypot(off[0], off[1]), 1e-4)
        weighted = (slope * weight[:, None]).reshape(-1, 9)
        normal = _product(weighted, slope.reshape(-1, 9))
        right = _product(weighted, off.reshape(-1, 1))[:, 0]
        # Phones straighten their pictures: a strong bend needs strong evidence.
        normal[8, 8] += REFINE.lens_prior * len(x) * 1e-6
        right[8] -= REFINE.lens_prior * len(x) * 1e-6 * bend
        values = values + _solve(normal, right[:, None])[:, 0]
    fitted = np.linalg.inv(unit) @ np.append(values[:8], 1).reshape(3, 3)
    return Lens(fitted / fitted[2, 2], float(values[8]), centre, radius)


def fit_warp(points: Points, moved: Points, lens: Lens, aspect: float) -> Warp:
    """The smooth displacement that most marks agree on: the lens, and cubic splines on a coarse grid for the rest."""
    columns, rows = REFINE.warp_cells if aspect >= 1 else REFINE.warp_cells[::-1]
    back = _inverse(lens.homography)
    scale = np.array([1.0, 1 / aspect])
    target = (moved - (project(lens.project(points), back) - points)) * scale
    order, starts = _by_cell(points, columns, rows)
    points, target = points[order], target[order]
    at, share = _splines(points, columns, rows)
    count = (columns + 3) * (rows + 3)
    # All marks within a cell of the grid lie between the same 16 nodes: their products are summed up first.
    within = at[starts]
    cells = (within[:, :, None] * count + within[:, None, :]).ravel()
    both = np.hstack([share, target])
    parts = [slice(a, b) for a, b in pairwise([*starts.tolist(), len(points)])]
    stiff = _stiffness(columns, rows) * len(points)
    weight: Points = np.ones(len(points))
    values: Points = np.zeros((count, 2))
    for _ in range(REFINE.warp_rounds):
        weighted = share * weight[:, None]
        sums = np.array([weighted[part].T @ both[part] for part in parts])
        normal = np.bincount(cells, sums[:, :, :16].ravel(), count * count)
        right = [np.bincount(within.ravel(), sums[:, :, axis].ravel(), count) for axis in (16, 17)]
        values = _solve(normal.reshape(count, count) + stiff, np.stack(right, axis=1))
        weight = _weights(np.hypot(*(target - _between(values, at, share)).T), 1e-4)
    nodes, node_at, node_share, shape = _nodes(columns, rows)
    bent = project(lens.project(nodes), back) - nodes
    return Warp((bent + _between(values, node_at, node_share) / scale).reshape(shape))


def _between(values: Points, at: Rows, share: Points) -> Points:
    """What nodes tell of points between them. One axis after the other: both at once took five times as long."""
    return np.stack([(share * values[:, axis][at]).sum(1) for axis in (0, 1)], axis=1)


def _weights(off: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    # Tukey's weights: what lies four spreads off counts nothing.
    spread = max(1.4826 * float(np.median(off)), least)
    return np.asarray(np.clip(1 - (off / (4 * spread)) ** 2, 0, None) ** 2)


def _product(left: Points, right: Points) -> Points:
    """The transposed left times the right one."""
    return np.asarray(cv2.gemm(left, right, 1, np.empty((0, 0)), 0, flags=cv2.GEMM_1_T))


def _solve(left: Points, right: Points) -> Points:
    # numpy's products and solvers wait for other cores: on a busy machine that took a hundred times as long as this.
    return np.asarray(cv2.solve(left, right, flags=cv2.DECOMP_CHOLESKY)[1])


def _by_cell(points: Points, columns: int, rows: int) -> tuple[Rows, Rows]:
    """An order in which points of the same cell of the grid stand together, and where each cell begins in it."""
    x, y = (np.clip((points[:, i] * n).astype(np.intp), 0, n - 1) for i, n in ((0, columns), (1, rows)))
    cell = y * columns + x
    order = np.argsort(cell, kind="stable")
    return order, np.flatnonzero(np.r_[True, np.diff(cell[order]) != 0])


def _splines(points: Points, columns: int, rows: int) -> tuple[Rows, Points]:
    """Cubic B-splines over the board: for each point the 16 nodes around it and their shares."""
    x, across = _spline(points[:, 0], columns)
    y, down = _spline(points[:, 1], rows)
    nodes = (y[:, :, None] * (columns + 3) + x[:, None, :]).reshape(len(points), 16)
    return nodes, (down[:, :, None] * across[:, None, :]).reshape(len(points), 16)


def _spline(position: NDArray[np.float64], cells: int) -> tuple[Rows, Points]:
    # Nodes stand one cell apart and reach one cell beyond each edge.
    first = np.clip((position * cells).astype(np.intp), 0, cells - 1)
    t = position * cells - first
    share = np.stack([(1 - t) ** 3, 3 * t**3 - 6 * t**2 + 4, -3 * t**3 + 3 * t**2 + 3 * t + 1, t**3], axis=1) / 6
    return first[:, None] + np.arange(4), share


@lru_cache(maxsize=4)
def _nodes(columns: int, rows: int) -> tuple[Points, Rows, Points, tuple[int, int, int]]:
    x, y = np.meshgrid(np.linspace(0, 1, 4 * columns + 1), np.linspace(0, 1, 4 * rows + 1))
    nodes: Points = np.stack([x.ravel(), y.ravel()], axis=1)
    return nodes, *_splines(nodes, columns, rows), (4 * rows + 1, 4 * columns + 1, 2)


@lru_cache(maxsize=4)
def _stiffness(columns: int, rows: int) -> Points:
    """Penalty on bending, and a little on any displacement at all: without marks the homography holds."""
    across, down = np.eye(columns + 3), np.eye(rows + 3)
    dx, dy = np.kron(down, np.diff(across, 2, axis=0)), np.kron(np.diff(down, 2, axis=0), across)
    twist = np.kron(np.diff(down, axis=0), np.diff(across, axis=0))
    whole = dx.T @ dx + dy.T @ dy + 2 * twist.T @ twist
    return np.asarray(REFINE.warp_bending * whole + REFINE.warp_shift * np.eye(whole.shape[0]))

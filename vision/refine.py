"""From a rough pose to an exact one: corners of the print are compared one by one on the flattened board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
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
    bits = np.bitwise_count(codes[of] ^ patterns[at]).sum(1)
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
    low = np.minimum(expected.min(0), seen.min(0)) - reach
    wide = int((max(expected[:, 0].max(), seen[:, 0].max()) - low[0]) // reach) + 3
    mine = ((expected - low) // reach).astype(np.intp)
    theirs = ((seen - low) // reach).astype(np.intp)
    cells = theirs[:, 1] * wide + theirs[:, 0]
    order = np.argsort(cells, kind="stable")
    cells = cells[order]
    of: list[Rows] = []
    at: list[Rows] = []
    for down in (-1, 0, 1):
        # Three neighbouring cells of a row lie side by side in the order.
        row = (mine[:, 1] + down) * wide + mine[:, 0]
        start, stop = np.searchsorted(cells, row - 1), np.searchsorted(cells, row + 1, side="right")
        count = stop - start
        of.append(np.repeat(np.arange(len(expected)), count))
        offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        at.append(order[np.repeat(start, count) + offset])
    left, right = np.concatenate(of), np.concatenate(at)
    close = ((expected[left] - seen[right]) ** 2).sum(1) < reach * reach
    return left[close], right[close]


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
    one, none = np.ones(len(points)), np.zeros(len(points))
    weight: Points = one
    for _ in range(REFINE.lens_rounds):
        depth = values[6] * x + values[7] * y + 1
        u, v = (values[0] * x + values[1] * y + values[2]) / depth, (values[3] * x + values[4] * y + values[5]) / depth
        r2, bend = u * u + v * v, values[8]
        du = np.stack([x, y, one, none, none, none, -u * x, -u * y], 1) / depth[:, None]
        dv = np.stack([none, none, none, x, y, one, -v * x, -v * y], 1) / depth[:, None]
        grow, turn = (1 + bend * r2)[:, None], 2 * bend * (u[:, None] * du + v[:, None] * dv)
        slope = np.r_[
            np.c_[grow * du + u[:, None] * turn, u * r2],
            np.c_[grow * dv + v[:, None] * turn, v * r2],
        ]
        off = np.r_[target[:, 0] - u * (1 + bend * r2), target[:, 1] - v * (1 + bend * r2)]
        weight = _weights(np.hypot(off[: len(x)], off[len(x) :]), 1e-4)
        weighted = slope * np.r_[weight, weight][:, None]
        normal = np.einsum("ni,nj->ij", weighted, slope)
        right = np.einsum("ni,n->i", weighted, off)
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
    at, share = _splines(points, columns, rows)
    count = (columns + 3) * (rows + 3)
    cells = (at[:, :, None] * count + at[:, None, :]).ravel()
    weight: Points = np.ones(len(points))
    values: Points = np.zeros((count, 2))
    for _ in range(REFINE.warp_rounds):
        weighted = share * weight[:, None]
        normal = np.bincount(cells, (weighted[:, :, None] * share[:, None, :]).ravel(), count * count)
        right = [np.bincount(at.ravel(), (weighted * target[:, axis, None]).ravel(), count) for axis in (0, 1)]
        stiff = _stiffness(columns, rows) * len(points)
        values = _solve(normal.reshape(count, count) + stiff, np.stack(right, axis=1))
        weight = _weights(np.linalg.norm(target - (share[:, :, None] * values[at]).sum(1), axis=1), 1e-4)
    nodes, node_at, node_share, shape = _nodes(columns, rows)
    bent = project(lens.project(nodes), back) - nodes
    return Warp((bent + (node_share[:, :, None] * values[node_at]).sum(1) / scale).reshape(shape))


def _weights(off: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    # Tukey's weights: what lies four spreads off counts nothing.
    spread = max(1.4826 * float(np.median(off)), least)
    return np.asarray(np.clip(1 - (off / (4 * spread)) ** 2, 0, None) ** 2)


def _solve(left: Points, right: Points) -> Points:
    # numpy's products and solvers wait for other cores: on a busy machine that took a hundred times as long as this.
    return np.asarray(cv2.solve(left, right, flags=cv2.DECOMP_CHOLESKY)[1])


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

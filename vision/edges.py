"""Where the cardboard ends, on boards whose score track was never measured: their print is found, the rim is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any  # Any: arrays of any kind of number

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.config import EDGES

Points = NDArray[np.float64]
Picture = NDArray[np.uint8]
_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def corners(image: Picture, to_image: Callable[[Points], Points], area: Points, aspect: float) -> Points:
    """Board coordinates of the cardboard's corners around the map's `area`, by where the board is seen to end.

    `to_image` takes board coordinates to pixels of `image`. The map is a rectangle in truth, and the score track around
    it as wide on every side.
    """
    to_board = np.asarray(cv2.getPerspectiveTransform(_SQUARE, area.astype(np.float32)), np.float64)
    edge = _projected(_SQUARE, np.asarray(np.linalg.inv(to_board), np.float64))
    sides = np.linalg.norm((np.roll(area, -1, 0) - area) * [1, 1 / aspect], axis=1)
    shape = float((sides[0] + sides[2]) / (sides[1] + sides[3]))
    wide = float(np.abs(edge - _SQUARE).mean(0) @ [0.5, 0.5 / shape])
    out = wide + _rim(image, lambda points: to_image(_projected(points, to_board)), wide, shape)
    return _projected(_box(out, shape), to_board)


def _box(out: float, shape: float) -> Points:
    """The corners of the map (0 to 1) moved outwards by so many of its widths."""
    return np.asarray(0.5 + (_SQUARE - 0.5) * [1 + 2 * out, 1 + 2 * out * shape])


def _projected(points: NDArray[Any], homography: Points) -> Points:
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[None], homography)[0], np.float64)


def _rim(image: Picture, to_image: Callable[[Points], Points], wide: float, shape: float) -> float:
    """How far outside the expected edge the board really ends, in map widths; all four sides are taken together.

    0 where no edge is to be seen.
    """
    offsets = np.arange(-EDGES.reach - EDGES.beyond, EDGES.reach + EDGES.beyond, EDGES.step, dtype=np.float64)
    strips = (to_image(_strip(side, wide + offsets, shape)) for side in range(4))
    seen = [s for s in (_steps(image, strip, len(offsets)) for strip in strips) if s is not None]
    if not seen:
        return 0.0
    # The geometric mean: stripes of a cloth run along two sides, the board's edge along all.
    return _outermost(np.exp(np.log(np.maximum(seen, EDGES.least_share)).mean(0)), offsets)


def _strip(side: int, offsets: NDArray[np.float64], shape: float) -> Points:
    """Points along one side of the map, row by row from inside to outside; the corners are left out."""
    along, out = np.meshgrid(np.linspace(0.03, 0.97, EDGES.samples), offsets)
    x, y = [(along, -out * shape), (1 + out, along), (along, 1 + out * shape), (-out, along)][side]
    return np.asarray(np.c_[x.ravel(), y.ravel()], np.float64)


def _steps(image: Picture, pixels: Points, rows: int) -> NDArray[np.float64] | None:
    """How much of a side has its strongest step of colour at each offset; None where too little of it is seen."""
    grid = pixels.reshape(rows, -1, 2).astype(np.float32)
    size = np.array([image.shape[1] - 1, image.shape[0] - 1])
    inside = ((grid >= 0) & (grid <= size)).all(axis=(0, 2))
    if inside.mean() < EDGES.least_side:
        return None
    strip = cv2.remap(image, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    smooth = cv2.GaussianBlur(strip, (0, 0), sigmaX=1, sigmaY=1.5)
    step = np.zeros(strip.shape[:2])
    step[4:-4] = np.linalg.norm(smooth[6:-2] - smooth[2:-6], axis=2)
    step = step[:, inside]
    return np.asarray((step / (step.max(0) + EDGES.faint)).mean(1))


def _outermost(profile: NDArray[np.float64], offsets: NDArray[np.float64]) -> float:
    """The outermost clear step: fields of the score track lie inside it, the bare table outside."""
    table = np.percentile(profile[offsets > EDGES.reach + EDGES.beyond / 3], 75)
    inner = np.abs(offsets) < EDGES.reach
    height = profile[inner].max() - table
    if height < EDGES.least_step:
        return 0.0
    peak = (
        (profile >= np.roll(profile, 1)) & (profile >= np.roll(profile, -1)) & (profile >= table + EDGES.clear * height)
    )
    at = int(np.flatnonzero(peak & inner)[-1]) if (peak & inner).any() else int(np.argmax(np.where(inner, profile, 0)))
    # Where a field's rim and the board's edge run together, the outer slope is the board's; a blur makes it longer.
    high, low = (_crossing(profile, offsets, at, table + share * (profile[at] - table)) for share in EDGES.slope)
    return low - min(EDGES.back * (low - high), EDGES.most_back)


def _crossing(profile: NDArray[np.float64], offsets: NDArray[np.float64], at: int, level: float) -> float:
    """Where the profile falls below a level, outwards from a peak."""
    while at + 2 < len(profile) and profile[at + 1] > level:
        at += 1
    fraction = (profile[at] - level) / max(profile[at] - profile[at + 1], 1e-9)
    return float(offsets[at] + EDGES.step * fraction)

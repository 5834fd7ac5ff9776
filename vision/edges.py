"""Where the cardboard ends, on boards whose score track was never measured: their print is found, the rim is not."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.config import EDGES

Points = NDArray[np.float64]
Picture = NDArray[np.uint8]


def rim(image: Picture, to_image: Callable[[Points], Points], aspect: float) -> float:
    """How far outside the expected edge the board really ends, in board widths; all four sides are taken together.

    `to_image` takes board coordinates to pixels of `image`. 0 where no edge is to be seen.
    """
    offsets = np.arange(-EDGES.reach - EDGES.beyond, EDGES.reach + EDGES.beyond, EDGES.step)
    strips = (to_image(_strip(side, offsets, aspect)) for side in range(4))
    seen = [s for s in (_steps(image, strip, len(offsets)) for strip in strips) if s is not None]
    if not seen:
        return 0.0
    return _outermost(np.mean(seen, axis=0), offsets)


def corners(out: float, aspect: float) -> Points:
    """Board coordinates of the cardboard's corners that lie so far outside."""
    x, y = out, out * aspect
    return np.array([[-x, -y], [1 + x, -y], [1 + x, 1 + y], [-x, 1 + y]])


def _strip(side: int, offsets: NDArray[np.float64], aspect: float) -> Points:
    """Board points along one side, row by row from inside to outside; the corners of the board are left out."""
    along, out = np.meshgrid(np.linspace(0.03, 0.97, EDGES.samples), offsets)
    x, y = [(along, -out * aspect), (1 + out, along), (along, 1 + out * aspect), (-out, along)][side]
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
    # Where a field's rim and the board's edge run together, the outer slope is the board's.
    level = table + EDGES.clear * (profile[at] - table)
    while at + 2 < len(profile) and profile[at + 1] > level:
        at += 1
    fraction = (profile[at] - level) / max(profile[at] - profile[at + 1], 1e-9)
    return float(offsets[at] + EDGES.step * fraction - EDGES.slope)

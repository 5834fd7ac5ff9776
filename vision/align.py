"""Fits a flat print into its photo: from its edges (HOG), where its corners should have been.

A regression per design says how far off the corners are; two or three steps bring them within a pixel or two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any  # Any: OpenCV's HOG has no types, and arrays of any kind of number

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import sheets
from vision.config import ALIGN
from vision.sheets import Quad

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


@lru_cache(maxsize=1)
def _hog() -> Any:
    cell = ALIGN.cell
    return cv2.HOGDescriptor(ALIGN.size, (2 * cell, 2 * cell), (2 * cell, 2 * cell), (cell, cell), 9)


def blocks(crop: Picture) -> Floats:
    """The edges of an upright grey print: a row of 36 numbers for every block, column by column."""
    return np.asarray(_hog().compute(crop), np.float32).reshape(-1, 36)


@dataclass(frozen=True, eq=False)
class Edges:
    """How edges are told: `basis` boils the 36 numbers of a block down to a few, `mean` is what they are on average."""

    basis: Floats
    mean: Floats

    def seen(self, crop: Picture, mask: Picture) -> Floats:
        """A print's edges against the average; a block that is covered (mask 0) counts as average: it says nothing."""
        return (self.all(crop) - self.mean) * np.repeat(shown(mask), self.basis.shape[1])

    def all(self, crop: Picture) -> Floats:
        return np.asarray(blocks(crop) @ self.basis, np.float32).ravel()


def shown(mask: Picture) -> Floats:
    """1 for every block that is in sight (mask 255), 0 where something lies over it."""
    block = 2 * ALIGN.cell
    wide, high = ALIGN.size[0] // block, ALIGN.size[1] // block
    seen = cv2.resize(mask, (wide, high), interpolation=cv2.INTER_AREA) > ALIGN.block_seen * 255
    # HOG goes column by column.
    return np.asarray(seen.T.ravel(), np.float32)


def unpacked(stored: Mapping[str, NDArray[Any]], name: str) -> Floats:
    """Weights that are kept as whole numbers from -127 to 127 with a scale for each column."""
    return stored[name].astype(np.float32) * stored[f"{name}_scale"].astype(np.float32)


def rectified(gray: Picture, quad: Quad) -> Picture:
    """The print seen from straight above."""
    wide, high = ALIGN.size
    box = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    place = cv2.getPerspectiveTransform(quad.astype(np.float32), box)
    return np.asarray(cv2.warpPerspective(gray, place, ALIGN.size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def visible(spots: Quad, size: float, shape: tuple[int, ...]) -> Picture:
    """255 where the finder saw this very sheet; holes of a spot or two are closed."""
    mask = np.zeros(shape[:2], np.uint8)
    for x, y in spots:
        a, b = (round(x - size / 2), round(y - size / 2)), (round(x + size / 2), round(y + size / 2))
        cv2.rectangle(mask, a, b, 255, -1)
    wide = max(round(size * 3), 3)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((wide, wide), np.uint8)), np.uint8)


def smoothed(gray: Picture, quad: Quad) -> Picture:
    """Blurred as much as shrinking the print asks for."""
    shrink = max(sheets.sides(quad)) / ALIGN.size[0]
    return np.asarray(cv2.GaussianBlur(gray, (0, 0), 0.4 * shrink), np.uint8) if shrink > 1.3 else gray


def aligned(quad: Quad, seen: Floats, aligner: Floats) -> Quad:
    """Corners moved to where the features say that they should have been, never far."""
    moves = np.clip(np.append(seen, 1) @ aligner, -ALIGN.most_move, ALIGN.most_move).reshape(4, 2)
    return moved(quad, moves.astype(np.float64))


def moved(quad: Quad, change: NDArray[np.float64]) -> Quad:
    """Corners moved by parts of the sides, along and across."""
    along = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    across = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    return np.asarray(quad + change[:, :1] * along + change[:, 1:] * across)

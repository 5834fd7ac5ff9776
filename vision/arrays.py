"""The arrays that pass between the stages of seeing, each named once."""

from __future__ import annotations

from typing import Any  # Any: arrays of any kind of number

import cv2
import numpy as np
from numpy.typing import NDArray

# A picture (height, width, 3) or several (n, height, width, 3), BGR.
Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
# Positions (..., 2): board coordinates, board widths or pixels, as each function says.
Points = NDArray[np.float64]
# Log-probabilities: a row per space or city, a column per answer, "nothing there" first.
Logs = NDArray[np.float64]
# A 3x3 projection.
Matrix = NDArray[np.float64]
# True for the rows that are meant.
Rows = NDArray[np.bool_]


def shaped(name: str, array: NDArray[Any], *shape: int) -> None:
    """Refuses an array of another shape: rows of different spots must never be joined."""
    if array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}, not {shape}")


def shrunk(image: Picture, size: tuple[int, int]) -> Picture:
    """A picture averaged down to a width and height, halved as often as that goes: far faster than in one step."""
    while image.shape[1] >= 2 * size[0] and image.shape[0] >= 2 * size[1]:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


# glibc gives freed memory back to the system beyond twice the largest block that was ever freed, and every page asked
# for anew costs time: up to a tenth of a reading. A block of the largest size that counts, untouched, ends that.
np.empty((1 << 25) - (1 << 16), np.uint8)

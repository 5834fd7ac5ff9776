"""Drawn photos that several tests use."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from vision.stickers import CORNERS, sticker
from vision.studio import Pose, practice
from vision.studio.camera import Camera

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
SIZE = (1600, 1200)
# A sticker against a board of 78 cm.
SIDE = 80 / 780


def with_stickers(
    board: str, pose: Pose, names: str | None = None, *, missing: str = "", turned: int = 0, beside: float = 0.0
) -> tuple[Image, Points]:
    """A drawn photo of a board with stickers at its corners (or a little `beside`), and where those corners are."""
    image, _ = practice(board, 3, pose=pose, light="neutral", size=SIZE, surface="checked cloth")
    high = 1 / maps.load(board).geometry.aspect
    camera = Camera(high, pose, SIZE)
    for corner in CORNERS:
        if corner == missing:
            continue
        printed = np.rot90(sticker(corner, 240, names), turned)
        x = -SIDE - beside if corner[1] == "L" else 1 + beside
        y = -SIDE - beside if corner[0] == "T" else high + beside
        lay = camera.plane() @ np.array([[SIDE / 240, 0, x], [0, SIDE / 240, y], [0, 0, 1]])
        seen = cv2.warpPerspective(np.asarray(printed * 0.8 + 15, np.uint8), lay, SIZE, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full(printed.shape, 255, np.uint8), lay, SIZE)
        image = np.where(mask[..., None] > 127, seen[..., None], image)
    return np.asarray(image, np.uint8), camera.corners

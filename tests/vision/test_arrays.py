"""Pictures averaged down: as many pixels as asked for, and no other brightness or place."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import shrunk


@pytest.mark.parametrize("size", [(400, 300), (160, 120), (123, 77), (50, 37)])
def test_a_shrunk_picture_shows_what_averaging_at_once_shows(size: tuple[int, int]) -> None:
    y, x = np.mgrid[0:301, 0:403]
    image = (127 + 60 * np.sin(x / 25) + 60 * np.cos(y / 17)).astype(np.uint8)
    at_once = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    small = shrunk(image, size)
    assert small.shape == at_once.shape
    assert np.abs(small.astype(int) - at_once).max() <= 8

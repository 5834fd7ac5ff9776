"""Where things of a board lie in a recorded photo, by its truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Board

Matrix = NDArray[np.float64]
_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


def board_to_photo(
    board: Board, truth: Mapping[str, Any], read: Sequence[Sequence[float]] = ()
) -> tuple[Matrix, float] | None:
    """The homography from board coordinates to photo pixels, and the board's width there; None if nobody knows.

    The score track of some boards was never measured: there the corners of the map inside it tell more than the rim.
    """
    start, end = _SQUARE, truth.get("corners") or read
    if board.geometry.kind == "estimated" and truth.get("art_corners"):
        start, end = np.array(board.geometry.map_area, np.float32), truth["art_corners"]
    if len(end) != 4:
        return None
    place = np.asarray(cv2.getPerspectiveTransform(start, np.array(end, np.float32)), np.float64)
    corners = cv2.perspectiveTransform(_SQUARE[None], place)[0]
    width = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
    return place, width

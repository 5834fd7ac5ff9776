"""Cuts the spot of a mistake out of its photo, enlarged, so that a person sees at once what went wrong."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from vision.evaluation.rows import Row
from vision.photo import Photo
from vision.recordings import Answer

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
# A spot as it is shown, its surroundings in space widths, and the mark around what is meant (BGR).
_SIDE = 300
_MARGIN = 2.2
_MARK = (208, 47, 255)
_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


def spot(photo: Photo, row: Row, mistake: Answer) -> bytes | None:
    """The enlarged spot as a JPEG; None where nobody knows its place."""
    found = _place(row, mistake)
    if found is None:
        return None
    points, unit = found
    to_image = cv2.perspectiveTransform(points[None].astype(np.float64), photo.shrink)[0]
    around = unit * _MARGIN * photo.shrink[0, 0]
    low, high = to_image.min(0) - around, to_image.max(0) + around
    scale = _SIDE / float((high - low).max())
    move = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale]])
    size = tuple(int(v) for v in np.ceil((high - low) * scale))
    cut = np.asarray(cv2.warpAffine(photo.image, move, size, flags=cv2.INTER_CUBIC), np.uint8)
    marks = to_image * scale + move[:, 2]
    if mistake.place:
        cv2.polylines(cut, [np.rint(marks).astype(np.int32)], True, _MARK, 2, cv2.LINE_AA)
    else:
        _ring(cut, marks, max(4, round(unit * photo.shrink[0, 0] * scale * 0.75)))
    return jpeg(cut)


def thumbnail(photo: Photo, side: int = 480) -> bytes:
    """The whole photo, small: for one in which nothing was found."""
    scale = side / max(photo.image.shape[:2])
    return jpeg(np.asarray(cv2.resize(photo.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8))


def jpeg(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes())


def _ring(cut: Image, marks: Points, radius: int) -> None:
    """A thin outline around all spaces of a track together, leaving what lies on them to be seen."""
    mask = np.zeros(cut.shape[:2], np.uint8)
    line = np.rint(marks).astype(np.int32)
    cv2.polylines(mask, [line], False, 255, 2 * radius, cv2.LINE_AA)
    for x, y in line:
        cv2.circle(mask, (int(x), int(y)), radius, 255, -1)
    outline, _ = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    cv2.drawContours(cut, outline, -1, _MARK, 2, cv2.LINE_AA)


def _place(row: Row, mistake: Answer) -> tuple[Points, float] | None:
    """Where a mistake lies in full photo pixels, and how wide a space is there."""
    if mistake.place:
        quad = np.array(mistake.place, np.float64)
        return quad, float(np.linalg.norm(quad[1] - quad[0])) / 12
    corners = _corners(row)
    if corners is None:
        return None
    board = maps.load(row.judged.board)
    if mistake.kind == "route":
        spots = [(s.x, s.y) for s in board.routes[mistake.id].spaces]
    else:
        spots = [(board.cities[mistake.id].x, board.cities[mistake.id].y)]
    place = cv2.getPerspectiveTransform(_SQUARE, corners)
    points = cv2.perspectiveTransform(np.array([spots], np.float64), place)[0]
    width = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
    return points, max(width * board.geometry.space_width, 1.0)


def _corners(row: Row) -> NDArray[np.float32] | None:
    """The board's corners: the true ones, or where there are none (or only the map's) those that were read."""
    truth = row.recording.truth
    told: Sequence[Sequence[float]] = truth.get("corners") or ()
    guessed = maps.load(row.judged.board).geometry.kind == "estimated" and bool(truth.get("art_corners"))
    if len(told) != 4 or guessed:
        told = row.judged.corners or told
    return np.array(told, np.float32) if len(told) == 4 else None

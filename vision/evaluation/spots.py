"""Cuts the spot of a mistake out of its photo, enlarged, so that a person sees at once what went wrong."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from vision.evaluation.places import board_to_photo
from vision.evaluation.rows import Row
from vision.photo import Photo
from vision.recordings import Answer

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
# A spot as it is shown, its surroundings in space widths, and the mark around what is meant (BGR).
_SIDE = 300
_MARGIN = 2.2
_MARK = (208, 47, 255)


def spot(photo: Photo, row: Row, mistake: Answer) -> bytes | None:
    """The enlarged spot as a JPEG; None where nobody knows its place."""
    cut = spot_image(photo, row, mistake)
    return None if cut is None else jpeg(cut)


def spot_image(photo: Photo, row: Row, mistake: Answer) -> Image | None:
    """The enlarged spot of a mistake, its track ringed or its card outlined; None where nobody knows its place."""
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
    return cut


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
    board = maps.load(row.judged.board)
    place = board_to_photo(board, row.recording.truth, row.judged.corners)
    if place is None:
        return None
    if mistake.kind == "route":
        spots = [(s.x, s.y) for s in board.routes[mistake.id].spaces]
    else:
        spots = [(board.cities[mistake.id].x, board.cities[mistake.id].y)]
    points = cv2.perspectiveTransform(np.array([spots], np.float64), place[0])[0]
    return points, max(place[1] * board.geometry.space_width, 1.0)

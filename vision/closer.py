"""A closer look at what the finder saw: where its corners really are, and whether it is a card, a ticket or neither."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import classify, sheets
from vision.config import CLOSER
from vision.sheets import KINDS, Floats, Picture, Quad, Sheet

NET = "../cards/closer"
# The net tells places in these pixels of its picture.
UNIT = 32.0


def looked(image: Picture, found: list[Sheet]) -> list[Sheet]:
    """The sheets of a picture with their corners put right and their kind told anew."""
    for _ in range(CLOSER.looks if found else 0):
        found = _look(image, found)
    return sheets.merged(found)


def shadowless(image: Picture) -> Picture:
    """The picture with every part as bright as the others, its colours kept."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    quarter = (max(gray.shape[1] // 4, 1), max(gray.shape[0] // 4, 1))
    small = cv2.resize(gray, quarter, interpolation=cv2.INTER_AREA).astype(np.float32)
    side = max(round(max(small.shape) * CLOSER.around), 1)
    level = cv2.resize(cv2.blur(small, (side, side)), image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    gain = CLOSER.level / np.maximum(np.asarray(level, np.float32), CLOSER.darkest)
    return np.asarray(np.clip(image * gain[..., None], 0, 255), np.uint8)


def _look(image: Picture, found: list[Sheet]) -> list[Sheet]:
    """Corners as the net sees them, the mean of both ways round, and the logarithms of none, card and ticket."""
    crops = [crop(image, sheet.quad, sheet.spots, sheet.spot_size) for sheet in found]
    both = [turned for c in crops for turned in (c, np.ascontiguousarray(c[::-1, ::-1]))]
    scores = classify.net(NET)(np.stack([net_input(c) for c in both])).astype(np.float64)
    kinds = scores[:, :3].reshape(-1, 2, 3).mean(1)
    kinds -= np.logaddexp.reduce(kinds, axis=1, keepdims=True)
    moves = scores[:, 3:].reshape(-1, 2, 4, 2) * UNIT
    # Upside down, the third corner comes first and everything points the other way.
    moves = (moves[:, 0] - np.roll(moves[:, 1], 2, axis=1)) / 2
    return [
        replace(sheet, quad=_moved(sheet.quad, move), kind=KINDS[int(odds[1:].argmax())], kinds=odds)
        for sheet, move, odds in zip(found, moves, kinds, strict=True)
    ]


def box() -> Floats:
    """Where the corners of a sheet lie in the net's picture, if the finder put them right."""
    (wide, high), part = CLOSER.size, CLOSER.inner
    left, top = wide * (1 - part) / 2, high * (1 - part) / 2
    corners = [(left, top), (wide - left, top), (wide - left, high - top), (left, high - top)]
    return np.array(corners, np.float32) - 0.5


def crop(image: Picture, quad: Quad, spots: Quad, spot_size: float) -> Picture:
    """The sheet and what is around it seen from straight above; as a fourth colour, where the finder saw this sheet."""
    return straight(image, quad, spots, spot_size, box(), CLOSER.size)


def straight(image: Picture, quad: Quad, spots: Quad, spot_size: float, to: Floats, size: tuple[int, int]) -> Picture:
    """The picture with the corners at `to` in a frame of `size`; as a fourth colour, the finder's spots."""
    frame = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32) - 0.5
    back = cv2.getPerspectiveTransform(to, quad.astype(np.float32))
    around = cv2.perspectiveTransform(frame[None].astype(np.float64), back)[0]
    low = np.clip(np.floor(around.min(0)).astype(int) - 4, 0, np.array(image.shape[1::-1]) - 8)
    high = np.maximum(np.ceil(around.max(0)).astype(int) + 5, low + 8)
    part = image[low[1] : high[1], low[0] : high[0]]
    # Averaged first where it gets smaller.
    scale = min(max(sheets.sides(to.astype(np.float64))) / max(max(sheets.sides(quad)), 1.0), 1.0)
    if scale < 1:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)

    def there(points: Quad) -> Quad:
        return np.asarray((points - low + 0.5) * scale - 0.5)

    place = cv2.getPerspectiveTransform(there(quad).astype(np.float32), to)
    seen = cv2.warpPerspective(part, place, size, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(part.shape[:2], np.uint8)
    corners = [np.round(there(spots + side * spot_size / 2)).astype(int).tolist() for side in (-1, 1)]
    for a, b in zip(*corners, strict=True):
        cv2.rectangle(mask, a, b, 255, -1)
    return np.dstack([seen, cv2.warpPerspective(mask, place, size)])


def net_input(picture: Picture) -> Floats:
    return np.asarray(picture.transpose(2, 0, 1) / np.float32(127.5) - 1, np.float32)


def _moved(quad: Quad, moves: NDArray[np.float64]) -> Quad:
    """The corners moved by so many pixels of the net's picture; as they were where that makes no card of them."""
    corners = box().astype(np.float64)
    back = cv2.getPerspectiveTransform(corners.astype(np.float32), quad.astype(np.float32))
    placed = np.asarray(cv2.perspectiveTransform((corners + moves)[None], back.astype(np.float64))[0], np.float64)
    return placed if cv2.isContourConvex(placed.astype(np.float32)) else quad

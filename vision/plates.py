"""The number of a share: on a light plate below left of its company's name, as in 3/10.

The plate is found by its shape, its signs by their ink. What stands before the stroke is read by itself and with all of
the plate; a number is told only where both readings say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import names
from vision.config import PLATE
from vision.lines import Line
from vision.names import Lattice, Words
from vision.sheets import Quad

Picture = NDArray[np.uint8]
Scores = NDArray[np.float64]
_DIGITS = [0, *(names.LETTERS.index(c) + 1 for c in "0123456789")]


@dataclass(frozen=True)
class _Sign:
    """Ink that hangs together: its box, how it leans (columns per row), how far it is off that slope in heights."""

    left: int
    top: int
    right: int
    bottom: int
    lean: float
    off: float

    @property
    def high(self) -> int:
        return self.bottom - self.top


def find(image: Picture, lines: Sequence[Line]) -> list[Quad]:
    """Plates below left of a name, the clearest first; corners clockwise, from the one where a reader begins."""
    name = max(lines, key=lambda one: one.long)
    ends = [float((end - name.middle) @ name.way) for line in lines for end in (line.left, line.right)]
    long = max(max(ends) - min(ends), PLATE.least_long * name.high)
    middle = name.middle + name.way * (max(ends) + min(ends)) / 2
    left, top, right, bottom = PLATE.region
    corners = np.array(
        [
            middle + long * (x * name.way + y * name.down)
            for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
        ],
        np.float32,
    )
    size = (round((right - left) * PLATE.unit), round((bottom - top) * PLATE.unit))
    flat = names.straightened(image, corners, size)
    box = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32) - 0.5
    back = cv2.getPerspectiveTransform(box, corners).astype(np.float64)
    return [np.asarray(cv2.perspectiveTransform(quad[None], back)[0]) for quad in _light_bars(flat)]


def _light_bars(flat: Picture) -> list[Quad]:
    """Light areas of a plate's shape, by how many thresholds show them."""
    found: list[list[tuple[float, ...]]] = []
    for channel in _channels(flat):
        soft = np.asarray(cv2.GaussianBlur(channel, (0, 0), 0.8), np.uint8)
        darkest, lightest = (float(np.percentile(soft, level)) for level in PLATE.levels)
        for level in np.linspace(darkest, lightest, PLATE.thresholds)[1:-1]:
            contours, _ = cv2.findContours((soft > level).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
            for bar in filter(None, map(_bar, contours)):
                same = next((group for group in found if _same(group[0], bar)), None)
                if same is None:
                    found.append([bar])
                else:
                    same.append(bar)
    return [_corners(*np.median(group, axis=0)) for group in sorted(found, key=len, reverse=True)[: PLATE.most]]


def _channels(flat: Picture) -> list[Picture]:
    """Ways in which a plate may be lighter than what is around it; one of them without shadows."""
    lab = cv2.cvtColor(flat, cv2.COLOR_BGR2LAB)
    light = lab[..., 0].astype(np.float32)
    around = (PLATE.unit // 4, PLATE.unit // 4)
    mean = cv2.blur(light, around)
    spread = np.sqrt(np.maximum(cv2.blur(light**2, around) - mean**2, 0))
    even = np.clip(128 + 48 * (light - mean) / (spread + 6), 0, 255).astype(np.uint8)
    return [np.asarray(one, np.uint8) for one in (lab[..., 0], even, flat[..., 2], lab[..., 2])]


def _bar(contour: NDArray[np.int32]) -> tuple[float, ...] | None:
    """Middle, width, height and turn of a contour that may be a plate."""
    area = cv2.contourArea(contour)
    if area < PLATE.least_area:
        return None
    (x, y), (wide, high), turn = cv2.minAreaRect(contour)
    if wide < high:
        wide, high, turn = high, wide, turn - 90
    turn = (turn + 90) % 180 - 90
    shaped = PLATE.shape[0] < wide / max(high, 1.0) < PLATE.shape[1] and area > PLATE.full * wide * high
    sized = PLATE.wide[0] * PLATE.unit < wide < PLATE.wide[1] * PLATE.unit
    return (x, y, wide, high, turn) if shaped and sized and abs(turn) < PLATE.turned else None


def _same(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    near = abs(a[0] - b[0]) < 0.25 * b[2] and abs(a[1] - b[1]) < 0.4 * b[3]
    return near and 0.7 < a[2] / b[2] < 1.4


def _corners(x: float, y: float, wide: float, high: float, turn: float) -> Quad:
    angle = np.deg2rad(turn)
    along = np.array([np.cos(angle), np.sin(angle)]) * wide / 2
    across = np.array([-np.sin(angle), np.cos(angle)]) * high / 2
    middle = np.array([x, y])
    return np.array(
        [middle - along - across, middle + along - across, middle + along + across, middle - along + across]
    )


def read(gray: Picture, plate: Quad, shares: int) -> int | None:
    """The number on a plate, of so many shares; None where the two readings aren't sure of the same."""
    wide = float(np.linalg.norm(plate[1] - plate[0]))
    high = max(float(np.linalg.norm(plate[3] - plate[0])), 1.0)
    flat = names.straightened(gray, plate.astype(np.float32), (round(PLATE.high * wide / high), PLATE.high))
    # Signs that touch come apart where only their darkest ink counts.
    for part in PLATE.ink:
        signs = _signs(flat, part)
        stroke = _stroke(signs)
        if stroke is not None:
            return _number(flat, signs, stroke, shares)
    return None


def _number(flat: Picture, signs: Sequence[_Sign], stroke: int, shares: int) -> int | None:
    """What stands before the stroke, if both readings are sure of the same."""
    before, behind = _whole(signs[:stroke]), _whole(signs[stroke + 1 :])
    may_be = [n for n in range(1, shares + 1) if len(str(n)) == len(before)]
    if not may_be or not behind:
        return None
    left, right = before[0].left - 0.2 * PLATE.high, behind[-1].right + 0.2 * PLATE.high
    strips = [_around(flat, before)]
    strips += [_strip(flat, left, right, PLATE.high / 2, PLATE.high * by) for by in PLATE.cuts]
    alone, *together = names.read(strips)
    by_itself = _fits(alone, [str(n) for n in may_be])
    in_all = np.max([_fits(one, [f"{n}{shares}" for n in may_be]) for one in together], axis=0)
    best = int(np.argmax(by_itself))
    told = by_itself[best] > -PLATE.off and _lead(by_itself) > PLATE.lead
    agreed = best == int(np.argmax(in_all)) and in_all[best] > -PLATE.whole_off and _lead(in_all) > PLATE.whole_lead
    return may_be[best] if told and agreed else None


def _signs(flat: Picture, part: float) -> list[_Sign]:
    """What is written on a plate, from left to right, in ink so dark; none where ink runs into it from the left."""
    side = PLATE.high // 2 + 1
    ground = cv2.GaussianBlur(cv2.morphologyEx(flat, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), (0, 0), 4)
    ink = cv2.subtract(ground, flat)
    rim = PLATE.high // 10
    level, _ = cv2.threshold(np.ascontiguousarray(ink[rim:-rim, rim:-rim]), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    count, marks, boxes, _ = cv2.connectedComponentsWithStats((ink > max(part * level, 10)).astype(np.uint8))
    signs = []
    for n in range(1, count):
        left, top, wide, high, area = map(int, boxes[n])
        if high < PLATE.least_high * PLATE.high or area < PLATE.least_ink:
            continue
        inside = top > 1 and top + high < flat.shape[0] - 1
        if inside and left <= 1:
            return []
        if inside and left + wide < flat.shape[1] - 1:
            rows, columns = np.nonzero(marks == n)
            slope = np.polyfit(rows, columns, 1)
            off = float(np.std(columns - np.polyval(slope, rows))) / high
            signs.append(_Sign(left, top, left + wide, top + high, float(slope[0]), off))
    return sorted(signs, key=lambda sign: sign.left)


def _stroke(signs: Sequence[_Sign]) -> int | None:
    """Which sign is the stroke between the numbers: thin, slanted, and as high as any."""
    highest = max((sign.high for sign in signs), default=0)
    may_be = [
        n
        for n, sign in enumerate(signs[:-1])
        if n and PLATE.slant[0] < sign.lean < PLATE.slant[1] and sign.off < PLATE.thin and sign.high > 0.75 * highest
    ]
    return min(may_be, key=lambda n: signs[n].off, default=None)


def _whole(signs: Sequence[_Sign]) -> list[_Sign]:
    """Digits from their pieces: a low one belongs to the nearest high one."""
    highest = max((sign.high for sign in signs), default=0)
    whole = [sign for sign in signs if sign.high >= PLATE.piece * highest]
    for piece in signs:
        if piece not in whole:
            gaps = [max(sign.left - piece.right, piece.left - sign.right) for sign in whole]
            n = int(np.argmin(gaps))
            if gaps[n] < 0.25 * highest:
                one = whole[n]
                sides = (min(one.left, piece.left), min(one.top, piece.top))
                ends = (max(one.right, piece.right), max(one.bottom, piece.bottom))
                whole[n] = replace(one, left=sides[0], top=sides[1], right=ends[0], bottom=ends[1])
    return whole


def _around(flat: Picture, digits: Sequence[_Sign]) -> Picture:
    """Some digits as the reader of names wants them."""
    top, bottom = min(d.top for d in digits), max(d.bottom for d in digits)
    high = bottom - top
    left, right = digits[0].left - PLATE.beside * high, digits[-1].right + PLATE.beside * high
    return _strip(flat, left, right, (top + bottom) / 2, PLATE.room * high)


def _strip(flat: Picture, left: float, right: float, row: float, high: float) -> Picture:
    return names.cut(flat, np.array([left, row], np.float32), np.array([right, row], np.float32), high)


def _fits(lattice: Lattice, texts: Sequence[str]) -> Scores:
    """How well each number fits a strip in which nothing but digits can stand."""
    digits = np.full_like(lattice.logs, -60.0)
    digits[:, _DIGITS] = lattice.logs[:, _DIGITS]
    digits -= np.logaddexp.reduce(digits, axis=1, keepdims=True)
    return names.fits(Lattice(np.maximum(digits, PLATE.least_log)), Words(tuple(texts)), PLATE.junk).alone


def _lead(scores: Scores) -> float:
    first, second = np.sort(np.append(scores, -99.0))[::-1][:2]
    return float(first - second)

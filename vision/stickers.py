"""Corner stickers: QR codes in a heavy frame, to print, and to find a board by where its print can't be recognised.

The frame is what is looked for, and its code is compared with the few that it can be: that works in a dark or blurred
photo in which no reader decodes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from maps import Trouble
from vision.codes import MARK, qr
from vision.config import CODES, STICKERS

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]

# In the order of a board's corners; the letters stand for top, bottom, left and right.
CORNERS = ("TL", "TR", "BR", "BL")
_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)


def text(corner: str, board: str | None = None) -> str:
    """What the sticker of a corner says: which corner it is, and of which board if that was named."""
    return ":".join([MARK, corner, *([board.upper()] if board else [])])


def page(path: Path, note: str = "", board: str | None = None) -> None:
    """Writes a page (A4, PDF) with four stickers to cut out, one for each corner of a board: of any, or of one.

    Each has a white mark in one corner: that corner touches the board's. `note` is printed under them.
    """
    dots = CODES.sticker_dpi
    sheet = Image.new("L", (round(8.27 * dots), round(11.69 * dots)), 255)
    draw = ImageDraw.Draw(sheet)
    side, gap = (round(mm / 25.4 * dots) for mm in (CODES.sticker_mm, 12))
    left, top = (sheet.width - 2 * side - gap) // 2, round(20 / 25.4 * dots)
    for corner in CORNERS:
        column, row = int(corner[1] == "R"), int(corner[0] == "B")
        at = (left + column * (side + gap), top + row * (side + gap))
        sheet.paste(Image.fromarray(sticker(corner, side, board)), at)
    if note:
        draw.multiline_text((left, top + 2 * side + 2 * gap), note, fill=0, font_size=round(dots / 6), spacing=8)
    try:
        sheet.save(path, "PDF", resolution=dots)
    except OSError as error:
        raise Trouble("picture-not-written", file=str(path), reason=error.strerror or str(error)) from None


def sticker(corner: str, side: int, board: str | None = None) -> Picture:
    """One sticker, that many pixels wide: a black frame around the code, named, marked where it touches the board."""
    made: Picture = np.zeros((side, side), np.uint8)
    frame = round(STICKERS.frame * side)
    inner = side - 2 * frame
    code = cv2.resize(_pattern(text(corner, board)), (inner, inner), interpolation=cv2.INTER_NEAREST)
    made[frame : frame + inner, frame : frame + inner] = code
    # The mark lies within the frame's corner, clear of both edges.
    far, near, mark = side - frame + frame // 4, frame // 4, frame // 2
    x, y = (far if corner[1] == "L" else near), (far if corner[0] == "T" else near)
    made[y : y + mark, x : x + mark] = 255
    named = Image.fromarray(made)
    ImageDraw.Draw(named).text((side / 2, frame / 2), corner, fill=255, font_size=0.7 * frame, anchor="mm")
    return np.asarray(named, np.uint8)


def _pattern(words: str) -> Picture:
    """The code as it fills the frame, one pixel per module: its white margin is narrower than a bare code's."""
    modules = qr(words)
    spare = CODES.margin - STICKERS.margin
    return np.ascontiguousarray(modules[spare:-spare, spare:-spare])


@dataclass(frozen=True, eq=False)
class Stickers:
    """The four stickers around a board: the board's corners in the picture, and which board they name, if any."""

    corners: Points
    board: str | None = None


def stickers_in(gray: Picture, boards: Sequence[str]) -> Stickers | None:
    """The stickers around a board, those that name none or one of `boards`; None unless all four are seen."""
    quads = _frames(gray)
    if len(quads) < len(CORNERS):
        return None
    insides = np.stack([_inside(gray, quad) for quad in quads])
    looks = {board: _alike(insides, board) for board in (None, *boards)}
    chosen = {board: _best(alike, quads) for board, alike in looks.items()}
    # Each board's stickers compete as a set: four blurred codes together tell more than each alone.
    board = max(looks, key=lambda b: float(looks[b][chosen[b]].max(1).sum()))
    alike, best = looks[board], chosen[board]
    if len(best) < len(CORNERS) or alike[best].max(1).min() < STICKERS.least_alike:
        return None
    middle = np.mean([quads[i].mean(0) for i in best], axis=0)
    around = sorted(best, key=lambda i: np.arctan2(*(quads[i].mean(0) - middle)[::-1]))
    # Clockwise they follow each other as a board's corners do: only which comes first is asked.
    first = max(range(4), key=lambda n: float(sum(alike[i, (n + k) % 4] for k, i in enumerate(around))))
    touching = np.array([_touching(quads[i], middle) for i in around])
    return Stickers(np.roll(touching, first, axis=0), board)


def _best(alike: Points, quads: Sequence[Points]) -> list[int]:
    """The four frames most like a sticker; one that was found twice counts once."""
    best: list[int] = []
    for i in np.argsort(-alike.max(1)).tolist():
        if len(best) == len(CORNERS):
            break
        side = np.linalg.norm(quads[i][1] - quads[i][0])
        if all(np.linalg.norm(quads[i].mean(0) - quads[k].mean(0)) > side / 2 for k in best):
            best.append(i)
    return best


def _frames(gray: Picture) -> list[Points]:
    """The inner edges of what may be frames: bright quadrilaterals inside something dark."""
    scale = min(1.0, STICKERS.side / max(gray.shape))
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    long = max(small.shape)
    found: list[Points] = []
    for window in STICKERS.windows:
        size = int(window * long) | 1
        bright = cv2.adaptiveThreshold(small, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, size, STICKERS.darker)
        _, parts, boxes, _ = cv2.connectedComponentsWithStats(bright, connectivity=4, ltype=cv2.CV_32S)
        sides = boxes[:, 2:4]
        likely = (sides > STICKERS.least_side * long).all(1) & (sides < STICKERS.most_side * long).all(1)
        likely &= boxes[:, 4] > STICKERS.least_filled * sides.prod(1)
        for n in np.flatnonzero(likely):
            x, y, w, h = (int(v) for v in boxes[n, :4])
            part = np.asarray(parts[y : y + h, x : x + w] == n, np.uint8)
            outline = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(x, y))[0][0]
            quad = _quadrilateral(outline[:, 0].astype(np.float64))
            if quad is not None:
                found.append((quad + 0.5) / scale - 0.5)
    return found


def _quadrilateral(outline: Points) -> Points | None:
    """The four corners of an outline that is one, clockwise, from straight lines through its sides."""
    rough = cv2.approxPolyDP(outline.astype(np.float32), STICKERS.straight * len(outline) / 4, True)
    if len(rough) != 4 or not cv2.isContourConvex(rough):
        return None
    corners = rough[:, 0].astype(np.float64)
    if cv2.contourArea(rough, True) < 0:
        corners = corners[::-1]
    sides = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1)
    if sides.min() < STICKERS.least_ratio * sides.max():
        return None
    lines = []
    for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
        along = (b - a) / np.linalg.norm(b - a)
        way = (outline - a) @ along / np.linalg.norm(b - a)
        beside = np.abs((outline - a) @ [-along[1], along[0]])
        near = outline[(way > 0.15) & (way < 0.85) & (beside < STICKERS.straight * sides.max())]
        if len(near) < 4:
            return None
        dx, dy, x, y = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append(np.array([dy, -dx, dx * y - dy * x]))
    crossed = np.array([np.cross(lines[i - 1], lines[i]) for i in range(4)])
    if (np.abs(crossed[:, 2]) < 1e-6).any():
        return None
    return np.asarray(crossed[:, :2] / crossed[:, 2:])


def _inside(gray: Picture, quad: Points) -> NDArray[np.float32]:
    """What a frame holds, seen from straight above, without its brightness and contrast."""
    side = STICKERS.patch
    onto = cv2.getPerspectiveTransform(quad.astype(np.float32), (_SQUARE * side - 0.5).astype(np.float32))
    return _even(np.asarray(cv2.warpPerspective(gray, onto, (side, side), flags=cv2.INTER_LINEAR), np.float32))


def _even(patch: NDArray[np.float32]) -> NDArray[np.float32]:
    off = cv2.GaussianBlur(patch, (0, 0), STICKERS.patch * STICKERS.soft)
    off = off - off.mean()
    return np.asarray(off / max(float(np.linalg.norm(off)), 1e-6), np.float32)


@lru_cache(maxsize=32)
def _looks(board: str | None) -> NDArray[np.float32]:
    """The codes of a board's four stickers as `_inside` sees them, each turned four ways."""
    side = STICKERS.patch
    found = []
    for corner in CORNERS:
        code = cv2.resize(_pattern(text(corner, board)), (side, side), interpolation=cv2.INTER_AREA)
        found += [_even(np.rot90(code, turn).astype(np.float32)) for turn in range(4)]
    return np.stack(found)


def _alike(insides: NDArray[np.float32], board: str | None) -> Points:
    """How alike each of some frames is to each corner's sticker, turned any way: 1 is the same."""
    same = np.tensordot(insides, _looks(board), axes=([1, 2], [1, 2]))
    return np.asarray(same.reshape(len(insides), len(CORNERS), 4).max(2), np.float64)


def _touching(quad: Points, middle: Points) -> Points:
    """The outer corner of the frame that faces the board."""
    quad = np.roll(quad, -int(np.linalg.norm(quad - middle, axis=1).argmin()), axis=0)
    place = cv2.getPerspectiveTransform(_SQUARE.astype(np.float32), quad.astype(np.float32))
    out = np.full((1, 1, 2), -STICKERS.frame / (1 - 2 * STICKERS.frame))
    return np.asarray(cv2.perspectiveTransform(out, place)[0, 0], np.float64)

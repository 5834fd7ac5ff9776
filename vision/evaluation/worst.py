"""The photos that are read worst, each on a page: what was read drawn over it, and its mistakes enlarged below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

import maps
from maps import Trouble
from maps.drawing.fonts import font
from vision.annotate import annotate
from vision.evaluation.readers import Ask, Reader, ask_program
from vision.evaluation.rows import Row
from vision.evaluation.spots import spot_image
from vision.photo import Photo, load
from vision.reading import Reading
from vision.recordings import Answer

Picture = NDArray[np.uint8]
# Width of a page, spots beside each other, what is written under each, and the most rows of spots.
_WIDE, _ACROSS, _CAPTION, _DOWN = 1600, 5, 54, 4
_PAPER, _INK = "#14181c", "#e8ecf0"
_READ = (47, 208, 255)


def worst(rows: Sequence[Row], most: int = 10) -> list[Row]:
    """The photos with the most mistakes, silent ones counting double; then those with the most doubts."""
    judged = [r for r in rows if r.recording.problem is None and r.recording.truth]
    judged.sort(key=lambda r: (-_weight(r), -r.judged.doubtful, r.judged.name))
    return [r for r in judged if _weight(r) or r.judged.doubtful][:most]


def _weight(row: Row) -> int:
    return len(row.judged.mistakes) + row.judged.silent


def page(row: Row, tell: Callable[[Answer], str], reader: Reader = ask_program) -> Picture:
    """A photo with what is read in it, its mistakes below in the words of `tell`. Trouble, if it can't be opened."""
    photo = load(row.recording.photo, full=True)
    top = Image.fromarray(cv2.cvtColor(_read_over(photo, row, reader), cv2.COLOR_BGR2RGB))
    top = top.resize((_WIDE, round(top.height * _WIDE / top.width)), Image.Resampling.LANCZOS)
    shown = [] if row.judged.problem else sorted(row.judged.mistakes, key=lambda m: m.flagged)[: _ACROSS * _DOWN]
    side = _WIDE // _ACROSS
    down = -(-len(shown) // _ACROSS)
    made = Image.new("RGB", (_WIDE, top.height + down * (side + _CAPTION)), _PAPER)
    made.paste(top, (0, 0))
    pen = ImageDraw.Draw(made)
    for i, mistake in enumerate(shown):
        x, y = i % _ACROSS * side, top.height + i // _ACROSS * (side + _CAPTION)
        cut = spot_image(photo, row, mistake)
        if cut is not None:
            tile = Image.fromarray(cv2.cvtColor(cut, cv2.COLOR_BGR2RGB))
            tile.thumbnail((side - 8, side - 8))
            made.paste(tile, (x + (side - tile.width) // 2, y + (side - tile.height) // 2))
        for line, words in enumerate(tell(mistake).split("\n")):
            pen.text((x + 8, y + side + 12 + 22 * line), words, _INK, font("medium", 17), "lm")
    return np.asarray(cv2.cvtColor(np.asarray(made), cv2.COLOR_RGB2BGR), np.uint8)


def _read_over(photo: Photo, row: Row, reader: Reader) -> Picture:
    """The photo with what the program reads in it; bare, where that is nothing."""
    try:
        read = reader(row.recording.photo, Ask.about(row.recording.truth))
    except Trouble:
        return photo.image
    if isinstance(read, Reading):
        return annotate(photo, read, maps.load(read.board))
    drawn = photo.image.copy()
    for sheet in read.found:
        quad = cv2.perspectiveTransform(np.array([sheet.quad], np.float64), photo.shrink)[0]
        cv2.polylines(drawn, [np.rint(quad).astype(np.int32)], True, _READ, max(2, drawn.shape[1] // 400), cv2.LINE_AA)
    return np.asarray(drawn, np.uint8)

"""Finds lines of letters anywhere in a photo, whichever way they run, and cuts them out as strips to be read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import classify, names
from vision.config import LINES

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Places = NDArray[np.float64]
NET = "../tickets/lines"
STRIDE = 4
# The net tells heights as powers of two of this, in pixels.
UNIT = 8.0


@dataclass(frozen=True, eq=False)
class Line:
    """Letters in a row: from where to where their middle runs in reading direction, their height, how sure they are."""

    left: Places
    right: Places
    high: float
    score: float

    @cached_property
    def way(self) -> Places:
        """The reading direction, of length one."""
        along = self.right - self.left
        return np.asarray(along / max(float(np.linalg.norm(along)), 1e-6))

    @property
    def down(self) -> Places:
        """From the letters' heads to their feet, of length one."""
        return np.array([-self.way[1], self.way[0]])

    @cached_property
    def long(self) -> float:
        return float(np.linalg.norm(self.right - self.left))

    @cached_property
    def middle(self) -> Places:
        return np.asarray((self.left + self.right) / 2)

    @property
    def may_be_names(self) -> bool:
        return self.long > LINES.usual * self.high / 2

    @property
    def turned(self) -> Line:
        """The same line read upside down."""
        return Line(self.right, self.left, self.high, self.score)

    def sized(self, by: float) -> Line:
        """The same line with higher or lower letters."""
        return Line(self.left, self.right, self.high * by, self.score)

    def longer(self, by: float) -> Line:
        """The same line with more of its row at both ends, in heights of its letters."""
        step = self.way * self.high * by
        return Line(self.left - step, self.right + step, self.high, self.score)

    def moved(self, by: float) -> Line:
        """The same line further down, in heights of its letters."""
        step = self.down * self.high * by
        return Line(self.left + step, self.right + step, self.high, self.score)

    @property
    def box(self) -> Places:
        """Its four corners, from the head of the first letter on."""
        up = self.down * self.high / 2
        return np.array([self.left - up, self.right - up, self.right + up, self.left + up])

    def scaled(self, by: float) -> Line:
        return Line((self.left + 0.5) * by - 0.5, (self.right + 0.5) * by - 0.5, self.high * by, self.score)


def find(image: Picture) -> list[Line]:
    """The lines of letters in a picture, in its pixels."""
    full = max(image.shape[:2])
    found: list[Line] = []
    sides = sorted({min(side, full) for side in LINES.sides}, reverse=True)
    for side in sides:
        found += _look(image, side / full)
    if sides[0] < full and mostly_small(found, LINES.small * full / sides[0]):
        found += _look(image, min(LINES.most_side, full) / full)
    if np.median(image[::8, ::8]) < LINES.dark:
        found += _look(_lifted(image), sides[0] / full)
    return single(found)


def anywhere(image: Picture) -> list[Line]:
    """The lines of a picture that was looked at before, in the two looks that show most."""
    full = max(image.shape[:2])
    return [line for side in sorted({min(side, full) for side in LINES.again}) for line in _look(image, side / full)]


def inverted(image: Picture, sides: tuple[int, ...]) -> list[Line]:
    """Light letters on dark ground, which the net knows less well: the negative is looked at."""
    full = max(image.shape[:2])
    negative = np.asarray(255 - image, np.uint8)
    return [line for side in sorted({min(side, full) for side in sides}) for line in _look(negative, side / full)]


def mostly_small(found: list[Line], high: float) -> bool:
    """Whether most lines that may be names have letters lower than this."""
    heights = [line.high for line in found if line.may_be_names]
    return bool(heights) and float(np.median(heights)) < high


def _look(image: Picture, scale: float) -> list[Line]:
    return [line.scaled(1 / scale) for line in joined(seen(_resized(image, scale)))]


def evened(image: Picture) -> Picture:
    """The picture in grey without shadows and glare: every part as bright, and of as much contrast, as the others."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    side = round(max(gray.shape) * LINES.around)
    mean = cv2.blur(gray, (side, side))
    spread = np.sqrt(np.maximum(cv2.blur(gray**2, (side, side)) - mean**2, 0))
    even = np.clip(128 + LINES.even * (gray - mean) / (spread + LINES.grain), 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(even, cv2.COLOR_GRAY2BGR), np.uint8)


def _lifted(image: Picture) -> Picture:
    """The picture with its dark parts as light as the others."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    lab[..., 0] = cv2.createCLAHE(LINES.contrast, (8, 8)).apply(lab[..., 0])
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)


def on(image: Picture, quad: Places) -> list[Line]:
    """The lines on a flat sheet, looked at from straight above and from near, in pixels of the picture."""
    along = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
    across = float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    scale = LINES.near / max(along, across, 1.0)
    size = (max(round(along * scale), 16), max(round(across * scale), 16))
    flat = names.straightened(image, quad.astype(np.float32), size)
    box = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32) - 0.5
    back = cv2.getPerspectiveTransform(box, quad.astype(np.float32)).astype(np.float64)
    return [_moved(line, back) for line in joined(seen(flat))]


def _moved(line: Line, by: Places) -> Line:
    """The line as a homography takes it to other pixels."""
    heads, feet = line.box[[0, 1]].mean(0), line.box[[2, 3]].mean(0)
    left, right, head, foot = cv2.perspectiveTransform(np.array([[line.left, line.right, heads, feet]]), by)[0]
    return Line(left, right, float(np.linalg.norm(foot - head)), line.score)


def _resized(image: Picture, scale: float) -> Picture:
    if scale == 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def seen(image: Picture) -> list[Line]:
    """Pieces of lines in the picture as it is."""
    scores = _scores(image)
    lettering = (scores[0] > LINES.least).astype(np.uint8)
    count, marks = cv2.connectedComponents(lettering, connectivity=8)
    found = []
    rows, columns = np.nonzero(marks)
    owners = marks[rows, columns]
    order = np.argsort(owners, kind="stable")
    rows, columns, owners = rows[order], columns[order], owners[order]
    starts = np.searchsorted(owners, np.arange(1, count + 1))
    for first, last in pairwise(starts):
        if last - first >= LINES.cells:
            line = _line(scores, rows[first:last], columns[first:last])
            if LINES.heights[0] <= line.high <= LINES.heights[1]:
                found.append(line)
    return found


def _scores(image: Picture) -> Floats:
    """Lettering, direction and height for every fourth pixel."""
    high, wide = (-(-side // 16) * 16 for side in image.shape[:2])
    bottom, right = high - image.shape[0], wide - image.shape[1]
    padded = cv2.copyMakeBorder(image, 0, bottom, 0, right, cv2.BORDER_REPLICATE)
    batch = (padded.transpose(2, 0, 1)[None] / np.float32(127.5) - 1).astype(np.float32)
    scores = classify.net(NET)(batch).reshape(4, high // STRIDE, wide // STRIDE)
    return scores[:, : -(-image.shape[0] // STRIDE), : -(-image.shape[1] // STRIDE)]


def _line(scores: Floats, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Line:
    """The line that some cells belong to: along their common direction, through their middle."""
    cells = scores[:, rows, columns].astype(np.float64)
    sure = 1 / (1 + np.exp(-cells[0]))
    at = np.stack([columns, rows], axis=1) * float(STRIDE) + (STRIDE / 2 - 0.5)
    told = (cells[1:3] * sure).sum(1)
    high = float(UNIT * 2 ** np.median(cells[3]))
    middle = (at * sure[:, None]).sum(0) / sure.sum()
    sign = float(np.linalg.norm(told)) / max(float(sure.sum()), 1e-6)
    way = told / max(float(np.linalg.norm(told)), 1e-6)
    spread = np.cov((at - middle).T) if len(at) > 2 else np.eye(2)
    values, axes = np.linalg.eigh(spread)
    # A long line's cells tell its direction better than the net; which way it reads, the net tells.
    if values[1] > 6 * max(values[0], 1.0) or sign < LINES.told:
        way = axes[:, 1] * (np.sign(axes[:, 1] @ way) or 1.0)
    # Where nobody tells, it reads to the right; the reader of names tries the other way too.
    if sign < LINES.told and way @ (1.0, 0.3) < 0:
        way = -way
    along = (at - middle) @ way
    low, top = float(along.min()) - STRIDE / 2, float(along.max()) + STRIDE / 2
    return Line(middle + way * low, middle + way * top, high, float(sure.mean()))


def joined(pieces: list[Line]) -> list[Line]:
    """Pieces that stand in one row, close together, as one line; from left to right."""
    lines = list(pieces)
    while len(lines) > 1:
        follows = _follows(lines)
        if not follows.any():
            break
        i, j = np.unravel_index(int(np.argmax(follows)), follows.shape)
        together = _together(lines[i], lines[j])
        lines = [line for n, line in enumerate(lines) if n not in (i, j)] + [together]
    return lines


def _follows(lines: list[Line]) -> NDArray[np.bool_]:
    """For every two pieces whether the second stands behind the first in the same row."""
    left, right = np.array([one.left for one in lines]), np.array([one.right for one in lines])
    high = np.array([one.high for one in lines])
    way = (right - left) / np.maximum(np.linalg.norm(right - left, axis=1, keepdims=True), 1e-6)
    down = np.stack([-way[:, 1], way[:, 0]], axis=1)
    tall, small = np.maximum.outer(high, high), np.minimum.outer(high, high)
    step = left[None] - right[:, None]
    ahead, aside = (step * way[:, None]).sum(2), (step * down[:, None]).sum(2)
    onward = ((left + right)[None] - (left + right)[:, None]) * way[:, None]
    near = (ahead >= -0.5 * tall) & (ahead <= LINES.gap * tall) & (np.abs(aside) <= LINES.off * tall)
    alike = (way @ way.T >= LINES.parallel) & (tall <= LINES.alike * small)
    follows = near & alike & (onward.sum(2) > 0)
    np.fill_diagonal(follows, False)
    return np.asarray(follows)


def _together(a: Line, b: Line) -> Line:
    part = a.long / max(a.long + b.long, 1e-6)
    return Line(a.left, b.right, a.high * part + b.high * (1 - part), a.score * part + b.score * (1 - part))


def single(found: list[Line]) -> list[Line]:
    """Each line once; where two looks tell of one place differently, both are kept: reading says which was right.

    Of too many lines the likeliest.
    """
    kept: list[Line] = []
    for line in sorted(found, key=lambda one: -one.long * one.score):
        near = [k for k in kept if abs(line.middle - k.middle).max() < (line.long + k.long) / 2 + line.high + k.high]
        if all(_same(line, other) < LINES.same for other in near):
            kept.append(line)
    return sorted(kept, key=lambda one: -one.score * min(one.long / one.high, LINES.usual))[: LINES.most]


def common(a: Line, b: Line) -> float:
    """How much of the smaller of two lines lies in the other."""
    return _shared(a, b) / max(min(a.long * a.high, b.long * b.high), 1e-6)


def _same(a: Line, b: Line) -> float:
    """How much of all that two lines cover is in both."""
    both = _shared(a, b)
    return both / max(a.long * a.high + b.long * b.high - both, 1e-6)


def _shared(a: Line, b: Line) -> float:
    return float(cv2.intersectConvexConvex(a.box.astype(np.float32), b.box.astype(np.float32))[0])


def strip(gray: Picture, line: Line) -> Picture:
    """The line as the reader of names wants it, with a little room around."""
    ends = line.way * line.high * LINES.ends
    left, right = (line.left - ends).astype(np.float32), (line.right + ends).astype(np.float32)
    return names.cut(gray, left, right, line.high * LINES.room)

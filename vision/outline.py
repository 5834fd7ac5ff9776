"""Where a ticket lies whose names were read: its edges around the names, as far as they can be seen."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.config import OUTLINE, NamePlace
from vision.lines import Line
from vision.sheets import Quad

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


def upright(quad: Quad, line: Line) -> Quad:
    """The corners clockwise, the one first that comes first for who reads the names."""
    middle = quad.mean(0)
    first = int(np.argmin((quad - middle) @ (line.way + line.down)))
    turned = np.roll(quad, -first, axis=0)
    area = cv2.contourArea(turned.astype(np.float32), oriented=True)
    return turned if area > 0 else np.roll(turned[::-1], 1, axis=0)


def like(line: Line, others: list[tuple[Line, Quad]]) -> Quad | None:
    """Where the ticket of a line lies, if it lies there as the nearest of other tickets does around its names."""
    alike = [(other, quad) for other, quad in others if other.way @ line.way > OUTLINE.parallel]
    if not alike:
        return None
    other, quad = min(alike, key=lambda one: float(np.linalg.norm(one[0].middle - line.middle)))
    off = quad - other.middle
    return np.asarray(line.middle + (off @ other.way)[:, None] * line.way + (off @ other.down)[:, None] * line.down)


def misplaced(quad: Quad, line: Line, where: NamePlace) -> float:
    """How far a line is from where it should stand on an upright sheet, in parts of its sides."""
    box = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    flat = cv2.getPerspectiveTransform(quad.astype(np.float32), box)
    ends = cv2.perspectiveTransform(np.array([[line.left, line.middle]], np.float64), flat.astype(np.float64))[0]
    told = ((ends[0, 0], where.begin), (ends[1, 0], where.middle), (ends[1, 1], where.down))
    return max(max(low - float(at), float(at) - high, 0.0) for at, (low, high) in told)


def around(gray: Picture, line: Line, where: NamePlace | None = None) -> Quad:
    """The rectangle around a line whose sides show the strongest edges; names tell its direction, not its size.

    `where`: where on a lying card the line stands, if that is known.
    """
    unit = line.high
    reach = OUTLINE.reach * unit
    # The surroundings with the names level, so that edges are rows and columns.
    scale = OUTLINE.unit / unit
    side = int(2 * reach * scale)
    move = np.array([[*(line.way * scale), 0.0], [*(line.down * scale), 0.0]])
    move[:, 2] = side / 2 - move[:, :2] @ line.middle
    soft = cv2.GaussianBlur(gray, (0, 0), max(0.5 / scale, 0.3)) if scale < 1 else gray
    flat = cv2.warpAffine(soft, move, (side, side), borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    box = _best(np.asarray(flat, np.float32), line.long * scale, where)
    corners = np.array([(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3])], np.float64)
    back = cv2.invertAffineTransform(move)
    return np.asarray(corners @ back[:, :2].T + back[:, 2], np.float64)


def _best(flat: Floats, long: float, where: NamePlace | None) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a card's shape around the middle, by the edges along its sides."""
    size = flat.shape[0]
    across = np.abs(np.diff(flat, axis=1, append=flat[:, -1:]))
    down = np.abs(np.diff(flat, axis=0, append=flat[-1:]))
    columns, rows = np.cumsum(np.minimum(across, OUTLINE.most), 0), np.cumsum(np.minimum(down, OUTLINE.most), 1)
    middle, half = size / 2, long / 2
    u = OUTLINE.unit
    best, found = -1.0, (middle - half - u, middle - 3 * u, middle + half + u, middle + 3 * u)
    for wide in np.arange(max(long + u, OUTLINE.widths[0] * u), OUTLINE.widths[1] * u, u * 0.5):
        for shape in OUTLINE.shapes:
            high = wide * shape
            lefts = np.linspace(middle + half - wide + 0.5 * u, middle - half - 0.5 * u, 9)
            tops = np.arange(middle + 0.7 * u - high, middle - 0.7 * u, u * 0.5)
            if where is not None:
                lefts = middle - half - wide * np.linspace(*where.begin, 9)
                lefts = lefts[_within((middle - lefts) / wide, where.middle)]
                tops = tops[_within((middle - tops) / high, where.down)]
            if not len(tops) or not len(lefts) or (where is not None and shape > 1):
                continue
            x0, y0 = (np.round(v).astype(int) for v in np.meshgrid(lefts, tops))
            x1, y1 = x0 + round(wide), y0 + round(high)
            fits = (x0 >= 0) & (y0 >= 0) & (x1 < size) & (y1 < size)
            if not fits.any():
                continue
            x0, y0, x1, y1 = x0[fits], y0[fits], x1[fits], y1[fits]
            sides = np.stack(
                [
                    (columns[y1, x0] - columns[y0, x0]) / high,
                    (columns[y1, x1] - columns[y0, x1]) / high,
                    (rows[y0, x1] - rows[y0, x0]) / wide,
                    (rows[y1, x1] - rows[y1, x0]) / wide,
                ]
            )
            scores = np.sqrt(np.maximum(sides, 0)).sum(0) + sides.min(0)
            n = int(np.argmax(scores))
            if scores[n] > best:
                best, found = float(scores[n]), (float(x0[n]), float(y0[n]), float(x1[n]), float(y1[n]))
    return found


def _within(values: NDArray[np.float64], bounds: tuple[float, float]) -> NDArray[np.bool_]:
    return np.asarray((values >= bounds[0]) & (values <= bounds[1]))

"""Where a half-hidden ticket really ends: it is as large as the others, and what nobody sees lies under them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.config import HIDDEN
from vision.sheets import Quad, Sheet, sides


def candidates(found: list[Sheet]) -> list[list[Sheet]]:
    """For each sheet the places where it may lie; one that shows whole lies where its spots are."""
    whole = [s for s in found if _shown(s) >= HIDDEN.whole]
    return [_places(s, found, whole) for s in found]


def _places(sheet: Sheet, found: list[Sheet], whole: list[Sheet]) -> list[Sheet]:
    spread = _by_spots(sheet)
    short, long = sorted(sides(spread.quad))
    like_a_card = HIDDEN.shape[0] <= long / max(short, 1e-6) <= HIDDEN.shape[1]
    covered = _covered(sheet, found) if like_a_card else 1.0
    if sheet in whole and covered < HIDDEN.free:
        return [spread]
    places = [sheet, spread] if covered < HIDDEN.maybe_free else [sheet]
    return places if sheet in whole else [*places, *_others(sheet, found, whole)]


def _by_spots(sheet: Sheet) -> Sheet:
    """The sheet where the middle and the spread of its spots put it."""
    along, across = _directions(sheet.quad)
    middle = sheet.spots.mean(0)
    # The spots of a rectangle spread by its side over the square root of twelve.
    long, short = (np.sqrt(12) * np.std((sheet.spots - middle) @ way) * way / 2 for way in (along, across))
    return replace(sheet, quad=middle + np.array([-long - short, long - short, long + short, short - long]))


def _covered(sheet: Sheet, found: list[Sheet]) -> float:
    """How much of a sheet's place shows other sheets."""
    others = [s.spots for s in found if s is not sheet]
    grid = _inside(sheet.quad, sheet.spot_size)
    if not others:
        return 0.0
    apart = np.abs(grid[:, None] - np.concatenate(others)[None]).max(2).min(1)
    return float((apart <= 0.6 * sheet.spot_size).mean())


def _shown(sheet: Sheet) -> float:
    """How much of the sheet is in sight."""
    area = cv2.contourArea(sheet.quad.astype(np.float32))
    return float(len(sheet.spots) * sheet.spot_size**2 / max(area, 1e-6))


def _others(sheet: Sheet, found: list[Sheet], whole: list[Sheet]) -> list[Sheet]:
    others = [s for s in whole if s is not sheet] or [s for s in found if s is not sheet]
    if not others:
        return []
    near = min(others, key=lambda s: float(np.linalg.norm(s.quad.mean(0) - sheet.quad.mean(0))))
    long, short = sorted(sides(near.quad), reverse=True)
    along, across = _directions(sheet.quad)
    ends_along, ends_across = _reach(sheet, along, long), _reach(sheet, across, short)
    placed = []
    for (a, b), (c, d) in product(ends_along, ends_across):
        corners = [(a, c), (b, c), (b, d), (a, d)]
        quad = np.array([x * along + y * across for x, y in corners])
        if _bare(quad, found) <= HIDDEN.bare:
            placed.append(replace(sheet, quad=quad))
    return placed


def _directions(quad: Quad) -> tuple[Quad, Quad]:
    """Unit vectors along the long and the short side."""
    one = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    two = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    long, short = (one, two) if np.linalg.norm(one) >= np.linalg.norm(two) else (two, -one)
    return long / np.linalg.norm(long), short / np.linalg.norm(short)


def _reach(sheet: Sheet, way: Quad, size: float) -> list[tuple[float, float]]:
    """From where to where the sheet may reach: one way if it shows whole, else to either side of what shows."""
    at = sheet.spots @ way
    low, high = np.quantile(at, [0.03, 0.97]) + np.array([-0.5, 0.5]) * sheet.spot_size
    if high - low >= HIDDEN.complete * size:
        middle = (low + high) / 2
        return [(float(middle - size / 2), float(middle + size / 2))]
    return [(float(low), float(low + size)), (float(high - size), float(high))]


def _bare(quad: Quad, found: list[Sheet]) -> float:
    """How much of a place is bare table: a card that reaches there would be seen."""
    spots = np.concatenate([s.spots for s in found])
    size = found[0].spot_size
    grid = _inside(quad, size)
    if not len(grid):
        return 1.0
    apart = np.abs(grid[:, None] - spots[None]).max(2).min(1)
    return float((apart > size).mean())


def _inside(quad: Quad, step: float) -> NDArray[np.float64]:
    """Points all over a quadrilateral, a little inside its edge."""
    parts = np.linspace(0.08, 0.92, max(int(max(sides(quad)) / step), 3))
    x, y = np.meshgrid(parts, parts)
    top = quad[0] + (quad[1] - quad[0]) * x[..., None]
    bottom = quad[3] + (quad[2] - quad[3]) * x[..., None]
    return np.asarray((top + (bottom - top) * y[..., None]).reshape(-1, 2))

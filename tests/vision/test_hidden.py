"""Half-hidden cards: what the finder saw of them is told here by hand, and they have to be put in their places."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import hidden, sheets
from vision.arrays import Points
from vision.sheets import Sheet

STEP = 8.0


def card(x: float, y: float, wide: float = 150, high: float = 97) -> sheets.Quad:
    return np.array([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], np.float64)


def seen(quad: sheets.Quad, place: sheets.Quad, over: sheets.Quad | None = None) -> Sheet:
    """A card that lies at `place` and that the finder takes to lie at `quad`; `over` covers a part of it."""
    columns, rows = np.meshgrid(np.arange(STEP / 2, 900, STEP), np.arange(STEP / 2, 500, STEP))
    every = np.stack([columns.ravel(), rows.ravel()], axis=1)
    spots = np.array([p for p in every if _inside(place, p) and (over is None or not _inside(over, p))])
    return Sheet("card", quad, 0.95, np.zeros(9), spots, STEP)


def _inside(quad: sheets.Quad, point: Points) -> bool:
    return cv2.pointPolygonTest(quad.astype(np.float32), (float(point[0]), float(point[1])), False) >= 0


def best(places: list[Sheet], true: sheets.Quad) -> float:
    return max(sheets.overlap(place.quad, true) for place in places)


def test_a_card_that_shows_whole_lies_where_its_spots_are() -> None:
    true = card(200, 200)
    ((place,),) = hidden.candidates([seen(card(215, 185), true)])
    assert sheets.overlap(place.quad, true) > 0.9


def test_a_card_thought_too_tall_gets_its_own_height() -> None:
    """Seen at a slant: the finder's guess reaches into the next card."""
    one, two = card(200, 100, high=70), card(200, 180, high=70)
    several = hidden.candidates([seen(card(200, 85, high=110), one), seen(card(200, 165, high=110), two)])
    assert all(best(places, true) > 0.85 for places, true in zip(several, (one, two), strict=True))


@pytest.mark.parametrize("shift", [60, 80, 110])
def test_a_covered_card_may_lie_under_the_other(shift: float) -> None:
    under, over = card(200, 200), card(200 + shift, 200)
    places, whole = hidden.candidates([seen(card(185, 200), under, over), seen(over, over)])
    assert best(places, under) > 0.85
    assert best(whole, over) > 0.85


def test_no_place_reaches_over_bare_table() -> None:
    """What shows of the lower card is its left part: to the left of it there is only table."""
    under, over = card(300, 200), card(370, 200)
    places, _ = hidden.candidates([seen(under, under, over), seen(over, over)])
    assert all(place.quad[:, 0].min() > 260 for place in places)

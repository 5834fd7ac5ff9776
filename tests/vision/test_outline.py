"""Where on its card a name stands."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision import lettered
from vision import outline, sheets
from vision.config import PAPER
from vision.lines import Line

CARD = np.array([(100, 100), (500, 100), (500, 350), (100, 350)], np.float64)


@pytest.mark.parametrize(
    ("left", "right", "row", "stands"),
    [(140, 240, 150, True), (140, 240, 300, False), (300, 420, 150, False), (180, 420, 140, False)],
)
def test_a_technology_has_its_name_above_left(left: float, right: float, row: float, stands: bool) -> None:
    line = Line(np.array([left, row]), np.array([right, row]), 20.0, 1.0)
    assert (outline.misplaced(CARD, line, PAPER.technology) < PAPER.misplaced) is stands


def test_the_whole_card_is_found_around_a_name_on_a_dark_plate() -> None:
    quad = lettered.at(600, 450, 700)
    gray = cv2.cvtColor(lettered.table([(lettered.technology("BOILER", "LAGGING"), quad)]), cv2.COLOR_BGR2GRAY)
    # BOILER, as the finder of lines tells it.
    unit = 700 / lettered.WIDE
    name = Line(quad[0] + np.array([36, 62]) * unit, quad[0] + np.array([200, 62]) * unit, 34 * unit, 1.0)
    found = outline.around(np.asarray(gray, np.uint8), name, PAPER.technology)
    assert sheets.overlap(outline.upright(found, name), quad) > 0.7

"""Numbers of shares on plates drawn here."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from tests.vision import lettered
from vision import plates
from vision.lines import Line
from vision.sheets import Quad


def _plate(text: str, size: tuple[int, int] = (260, 80), hidden: int = 0) -> tuple[lettered.Picture, Quad]:
    """A light plate with a number on it, and its corners; of its left so many pixels are not seen."""
    page = Image.new("L", (size[0] + 120, size[1] + 120), 70)
    draw = ImageDraw.Draw(page)
    draw.rectangle((60, 60, 60 + size[0], 60 + size[1]), fill=225)
    draw.text((60 + size[0] / 2, 60 + size[1] / 2), text, fill=60, font_size=50, anchor="mm")
    left, top = 60 + hidden, 60
    right, bottom = 60 + size[0], 60 + size[1]
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)
    return np.asarray(page, np.uint8), corners


@pytest.mark.parametrize(
    ("text", "shares", "number"),
    [("1 / 7", 7, 1), ("3 / 7", 7, 3), ("2 / 2", 2, 2), ("6 / 10", 10, 6), ("12 / 15", 15, 12), ("4 / 15", 15, 4)],
)
def test_the_number_before_the_stroke_is_told(text: str, shares: int, number: int) -> None:
    assert plates.read(*_plate(text), shares) == number


@pytest.mark.parametrize("text", ["", "37", "/ 7", "SHARE"])
def test_what_is_no_number_with_a_stroke_is_asked(text: str) -> None:
    assert plates.read(*_plate(text), 7) is None


def test_a_number_of_which_the_first_digit_is_cut_off_is_asked() -> None:
    gray, corners = _plate("14 / 15", hidden=0)
    cut = next(x for x in range(60, 320) if gray[60:140, x].min() < 100) + 4
    corners[[0, 3], 0] = cut
    assert plates.read(gray, corners, 15) is None


def test_a_plate_is_found_below_left_of_a_name_whichever_way_up() -> None:
    for turn in (0, 12, 180):
        quad = lettered.at(600, 450, 760, turn)
        table = lettered.table([(lettered.share("READING RAILROAD", "3/7"), quad)])
        along, down = (quad[1] - quad[0]), (quad[3] - quad[0])
        left, right = quad[0] + 0.2 * along + 0.13 * down, quad[0] + 0.8 * along + 0.13 * down
        found = plates.find(table, [Line(left, right, 44.0, 1.0)])
        middle = quad[0] + 0.148 * along + 0.854 * down
        assert any(np.linalg.norm(plate.mean(0) - middle) < 12 for plate in found), turn
        plate = min(found, key=lambda p: float(np.linalg.norm(p.mean(0) - middle)))
        assert float((plate[1] - plate[0]) @ along) > 0


def test_plates_beyond_the_picture_do_no_harm() -> None:
    gray = np.full((200, 200), 90, np.uint8)
    beyond = np.array([(-300, 100), (2, 100), (2, 190), (-300, 190)], np.float64)
    assert plates.read(gray, beyond, 7) is None
    assert plates.find(np.dstack([gray] * 3), [Line(np.array([10.0, 190]), np.array([190.0, 190]), 20.0, 1.0)]) == []

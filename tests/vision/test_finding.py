"""Floors for finding the board in hard poses: real photos laid anew under a camera, at the limits that are promised."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from models.training.finding import EXACT, ROWS, Row, Scene, Sought, line, scenes, tried

PHOTOS = {"usa": "photos/usa/IMG_4134", "europe": "photos/europe/cropped_messy2"}
# Europe's true corners are told to 0.4 % only.
MOST_OFF = {"usa": EXACT, "europe": EXACT + 0.4}


@lru_cache(maxsize=2)
def scene(shared: Path, board: str) -> Scene:
    (made,) = scenes(shared, {board: [PHOTOS[board]]}, fold=False)
    return made


@pytest.mark.parametrize("row", [row for row in ROWS if row.name != "turn"], ids=lambda row: row.name)
@pytest.mark.parametrize("board", PHOTOS)
def test_found_at_the_limit(shared: Path, board: str, row: Row) -> None:
    result = tried(scene(shared, board), row, row.limit)
    assert result.found
    # A corner outside the picture is told by what is left of the board.
    assert result.off < (2 if row.name == "cut off" else 1) * MOST_OFF[board]


def test_a_scene_shows_the_board_where_it_says(shared: Path) -> None:
    image, corners = scene(shared, "usa").seen(ROWS[0].pose(30))
    inside = corners.mean(0) + 0.9 * (corners - corners.mean(0))
    assert image.shape == (1500, 2000, 3)
    assert ((inside > 0) & (inside < [2000, 1500])).all()


def test_a_row_counts_what_was_not_found() -> None:
    rows = [Sought("a", "usa", True, 0.2), Sought("b", "usa", True, 0.8), Sought("c", "usa", False, float("nan"))]
    assert line("some", rows) == "| some | 2 of 3 | 0.50 | 0.80 | 33 % |"

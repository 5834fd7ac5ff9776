"""The digital pictures of boards as prints of their own: their spaces have to be where the art shows them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

import maps
from models.training import examples
from models.training.art_prints import art_print
from vision import spaces

NEARLY = {"usa": 0.22, "europe": 0.08, "united-kingdom": 0.12}


@pytest.mark.parametrize(("board", "off"), NEARLY.items())
def test_the_art_has_its_spaces_nearly_where_the_print_has_them(shared: Path, board: str, off: float) -> None:
    art, printed = spaces.layout(art_print(board).board), spaces.layout(maps.load(board))
    away = np.linalg.norm(art.centres - printed.centres, axis=1) / printed.unit
    assert away.mean() < off
    # Some are off by a whole space: reading the art as if it were the print would look at the wrong track.
    assert away.max() > off


@pytest.mark.parametrize("board", NEARLY)
def test_the_colours_of_the_art_are_those_of_its_tracks(shared: Path, board: str) -> None:
    art = art_print(board)
    names, told = np.array(spaces.layout(art.board).colors), art.reference.spaces
    blue, green, red = (told[names == name].mean(0) for name in ("blue", "green", "red"))
    assert blue.argmax() == 0
    assert green.argmax() == 1
    assert red.argmax() == 2


def test_a_render_that_shows_the_art_is_placed_by_it(shared: Path) -> None:
    corners = [[100.0, 100.0], [900.0, 100.0], [900.0, 600.0], [100.0, 600.0]]
    truth = {"board": "europe", "texture": "art", "corners": [[0, 0]] * 4, "art_corners": corners}
    board, reference = examples.board_of(truth), examples.reference_of(Path("europe-1.json"), truth)
    assert board is art_print("europe").board
    assert reference is art_print("europe").reference
    pose = examples.homography(truth, board)
    found = cv2.perspectiveTransform(art_print("europe").corners[None], pose)[0]
    assert found == pytest.approx(np.array(corners), abs=1e-3)
    assert examples.reference_of(Path("europe-1.json"), {**truth, "texture": "printed"}) is None
    # Only the art of these boards was at hand at all: it is their print.
    assert examples.reference_of(Path("europe-1.json"), {**truth, "board": "pennsylvania"}) is None

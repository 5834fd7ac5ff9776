"""Whole photos, from the file to the reading: drawn ones, and shared ones, so that a change for the worse shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
import pytest

import maps
from vision import decide, spaces
from vision.locate import Located, locate
from vision.photo import load, of_image
from vision.read import _surely, look, read
from vision.reading import Reading
from vision.recordings import compare
from vision.studio import practice

PHOTOS = ("usa/IMG_4152.jpg", "usa/IMG_4186.jpg", "europe/cropped2s2_12-12.jpg")


def truth(photo: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    return told


@pytest.mark.parametrize("name", PHOTOS)
def test_a_real_photo_is_read_without_a_mistake(shared: Path, name: str) -> None:
    photo = shared / "photos" / name
    found = read(photo)
    row = compare(photo.stem, found, truth(photo))
    assert row.mistakes == ()
    assert len(found.doubtful) <= 5
    assert Reading.from_json(found.to_json()).taken == found.taken
    assert set(found.seconds) == {"decode", "locate", "read", "total"}


def test_both_engines_read_the_same(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = load(shared / "photos" / "usa" / "IMG_4165.jpg")
    located, board = locate(picture, "usa"), maps.load("usa")
    told = {}
    for engine in ("onnxruntime", "opencv"):
        monkeypatch.setenv("COMPANION_ENGINE", engine)
        told[engine] = look(picture, located, board).routes
    assert {r: t.color for r, t in told["opencv"].items()} == {r: t.color for r, t in told["onnxruntime"].items()}
    assert all(abs(t.confidence - told["opencv"][r].confidence) < 0.01 for r, t in told["onnxruntime"].items())


def test_what_the_game_knows_reaches_the_decision(shared: Path) -> None:
    picture = load(shared / "photos" / "usa" / "IMG_4165.jpg")
    located, board = locate(picture, "usa"), maps.load("usa")
    plain = look(picture, located, board).routes
    told = look(picture, located, board, decide.Knowledge(colors=("blue", "green", "yellow", "black")))
    red = [r for r, t in plain.items() if t.color == "red"]
    assert len(red) > 5
    # Nobody said that red plays: its routes are read otherwise, or are doubtful.
    assert all(
        told.routes[r].color != "red" or r in told.doubtful or told.routes[r].confidence < plain[r].confidence
        for r in red
    )


@pytest.mark.parametrize("board_id", ["usa", "pennsylvania", "asia"])
def test_depots_of_a_drawn_board_are_found_where_they_are_played(board_id: str) -> None:
    image, told = practice(board_id, 2, depots=True, stations=False)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    corners = np.array(told["corners"], np.float32)
    homography = np.asarray(cv2.getPerspectiveTransform(square, corners), np.float64)
    place = Located(board_id, homography, tuple(map(tuple, told["corners"])))
    board, picture = maps.load(board_id), of_image(image)
    found = look(picture, place, board, decide.Knowledge(depots=True))
    assert {city: depot.color for city, depot in found.buildings["depot"].items()} == told["depots"]
    assert set(told["depots"]) <= set(found.doubtful)
    assert look(picture, place, board).buildings == {}


SURE, GUESS = 0.999, 0.9
USA = spaces.layout(maps.load("usa"))


@pytest.mark.parametrize(
    ("first", "second", "inside", "covered", "enough"),
    [
        (("red", SURE), ("red", SURE), 1.0, 0.0, True),
        (("red", SURE), ("red", GUESS), 1.0, 0.0, False),
        (("red", SURE), ("green", SURE), 1.0, 0.0, False),
        (("empty", SURE), ("empty", SURE), 0.8, 0.0, False),
        (("empty", SURE), ("empty", SURE), 1.0, 0.9, False),
        (("blue", SURE), ("blue", SURE), 1.0, 0.0, False),
    ],
)
def test_a_glance_is_enough_for_a_route_that_is_told_surely_and_alike(
    first: tuple[str, float], second: tuple[str, float], inside: float, covered: float, enough: bool
) -> None:
    colors, routes = ("empty", *USA.board.wagon_colors), list(USA.board.routes)
    # Two spaces of a blue track, and one of another that is sure in any case: it does not answer for the first.
    at = [*USA.rows(routes.index("kansas-city-omaha-gray"))[:1], *USA.rows(routes.index("atlanta-miami-blue"))[:2]]
    spots = spaces.part(USA, np.isin(np.arange(len(USA.route)), at))
    blue = np.array(spots.colors) == "blue"
    chances = np.full((3, len(colors)), 0.0001)
    chances[~blue, 0] = SURE
    for row, (lying, chance) in zip(np.flatnonzero(blue), (first, second), strict=True):
        chances[row, colors.index(lying)] = chance
    last = np.flatnonzero(blue)[1]
    sight, over = np.ones(3, np.float32), np.zeros(3, np.float32)
    sight[last], over[last] = inside, covered
    found = _surely(decide.Seen(np.log(chances), sight, over), spots)
    assert found[blue].tolist() == [enough, enough]
    assert found[~blue].all()

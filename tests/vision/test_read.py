"""Whole photos, from the file to the reading: drawn ones, and shared ones, so that a change for the worse shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
import pytest

import maps
from vision import decide, lanes, patches, spaces
from vision.arrays import Logs
from vision.locate import Located, locate
from vision.photo import load, of_image
from vision.read import View, _surely, look, read
from vision.reading import Reading, RouteReading
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


def placed(board_id: str, told: dict[str, Any]) -> Located:
    """Where a drawn board lies."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    corners = np.array(told["corners"], np.float32)
    homography = np.asarray(cv2.getPerspectiveTransform(square, corners), np.float64)
    return Located(board_id, homography, tuple(map(tuple, told["corners"])))


@pytest.mark.parametrize("board_id", ["usa", "pennsylvania", "asia"])
def test_depots_of_a_drawn_board_are_found_where_they_are_played(board_id: str) -> None:
    image, told = practice(board_id, 2, depots=True, stations=False)
    place, board, picture = placed(board_id, told), maps.load(board_id), of_image(image)
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


@pytest.mark.parametrize(
    ("sure", "differs", "color", "told"),
    [
        (0.9, 200.0, "blue", "blue"),
        (0.9, 100.0, "blue", "empty"),
        (0.9, 100.0, "red", "red"),
        (0.9, 70.0, "red", None),
        (0.999, 200.0, "red", None),
    ],
)
def test_half_a_lane_beside_a_track_that_is_not_sure_its_print_counts_little(
    monkeypatch: pytest.MonkeyPatch, sure: float, differs: float, color: str, told: str | None
) -> None:
    image, drawn = practice("usa", 2)
    view, track = View(of_image(image), placed("usa", drawn), USA.board), "atlanta-miami-blue"
    names = ("empty", *USA.board.wagon_colors)

    def look(_: View, at: lanes.Outside) -> Logs:
        chances = np.full((len(at.centres), len(names)), 0.01)
        chances[:, names.index(color)] = 1 - 0.01 * (len(names) - 1)
        return np.asarray(np.log(chances))

    monkeypatch.setattr(View, "_outside", look)
    monkeypatch.setattr(patches, "unlike", lambda _, centres, __: np.full(len(centres), differs, np.float32))
    first = {r: RouteReading(None, sure if r == track else 0.999, ()) for r in USA.board.routes}
    found = view.outside(decide.Decided(first, {}))
    halves = {side: logs for side, logs in found.items() if side[1] % 2}
    assert {side[0] for side in halves} == ({track} if told else set())
    assert all(names[i] == told for logs in halves.values() for i in logs.argmax(1))

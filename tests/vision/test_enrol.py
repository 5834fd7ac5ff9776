"""Enrolling a table's own board: from then on it is found and read by its own print; tapped cities place its spaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any  # Any: corners as no program gives them

import cv2
import numpy as np
import pytest

import maps
from maps import Trouble
from tests.vision.drawn import with_stickers
from vision import annotate, light, tables
from vision.enrol import enrol
from vision.locate import fingerprints, locate
from vision.photo import of_image
from vision.read import read
from vision.recordings import compare
from vision.studio import Pose, practice

SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


def empty(board: str) -> tuple[Any, dict[str, Any]]:
    image, truth = practice(board, 1, taken=0, stations=False, pose=Pose(12, 3), light="neutral", surface="wood")
    return of_image(image), truth


def taps(board: maps.Board, corners: object) -> dict[str, list[float]]:
    to_photo = cv2.getPerspectiveTransform(SQUARE, np.array(corners, np.float32))
    points = np.array([[(c.x, c.y) for c in board.cities.values()]], np.float64)
    found = cv2.perspectiveTransform(points, to_photo)[0]
    return {c: [float(x), float(y)] for c, (x, y) in zip(board.cities, found, strict=True)}


@pytest.mark.parametrize("board", ["san-francisco", "europe"])
def test_an_enrolled_board_is_found_in_other_photos(board: str) -> None:
    photo, truth = empty(board)
    cities = taps(maps.load(board), truth["corners"]) if board == "san-francisco" else None
    learnt = enrol(photo, board, truth["corners"], cities)
    assert learnt.features > 500
    image, other = practice(board, 5, taken=0.4, pose=Pose(30, 170), light="warm")
    located = locate(of_image(image), board)
    assert located.enrolled
    width = np.linalg.norm(np.subtract(other["corners"][1], other["corners"][0]))
    assert np.abs(np.subtract(located.corners, other["corners"])).max() < 0.005 * width


def test_reading_uses_the_enrolled_colours() -> None:
    photo, truth = empty("europe")
    enrol(photo, "europe", truth["corners"])
    assert light.own_file("europe").is_file()
    row = compare("empty", read(photo, "europe"), truth)
    assert row.routes == 101
    # An empty board that was just taught holds next to nothing.
    assert row.wrong("route") <= 3


def test_a_board_with_wagons_on_it_is_refused() -> None:
    image, truth = practice("europe", 3, taken=0.5, pose=Pose(12, 3), light="neutral", surface="wood")
    with pytest.raises(Trouble) as trouble:
        enrol(of_image(image), "europe", truth["corners"])
    assert trouble.value.code == "enrol-taken"
    assert not tables.learnt()
    # Who has looked knows better than the camera.
    assert enrol(of_image(image), "europe", truth["corners"], looked=True).features > 500


def test_what_was_learnt_is_shown_listed_and_forgotten() -> None:
    photo, truth = empty("europe")
    found = enrol(photo, "europe", truth["corners"])
    assert set(found.colors) == {r.color for r in maps.load("europe").routes.values()}
    red, _, blue = found.colors["red"]
    assert red > blue
    drawn = annotate.learnt(photo, maps.load("europe"), found.corners, found.colors)
    assert drawn.std() > 10
    (listed,) = tables.learnt()
    assert (listed.board, listed.features, listed.cities) == ("europe", found.features, 0)
    assert tables.forget("europe")
    assert tables.learnt() == ()


def test_a_new_user_with_a_board_that_nobody_measured() -> None:
    """Corners and cities tapped by hand, a few pixels off; then a game is read from a photo in other light."""
    photo, truth = empty("san-francisco")
    sloppy = np.random.default_rng(0)
    exact = taps(maps.load("san-francisco"), truth["corners"])
    cities = {c: (np.array(at) + sloppy.normal(0, 2, 2)).tolist() for c, at in exact.items()}
    corners = (np.array(truth["corners"]) + sloppy.normal(0, 1, (4, 2))).tolist()
    enrol(photo, "san-francisco", corners, cities)
    image, game = practice("san-francisco", 7, taken=0.5, pose=Pose(28, 170), light="warm", size=(2000, 1500))
    reading = read(of_image(image))
    assert reading.board == "san-francisco"
    row = compare("game", reading, game)
    assert row.wrong("route") <= 4


def test_stickers_tell_the_corners_of_a_board_without_a_fingerprint() -> None:
    image, corners = with_stickers("san-francisco", Pose(15, 0, 0.7))
    # Wagons lie on this one, as they may: it is the corners that count here.
    learnt = enrol(of_image(image), "san-francisco", None, taps(maps.load("san-francisco"), corners), looked=True)
    width = np.linalg.norm(corners[1] - corners[0])
    assert np.abs(np.array(learnt.corners) - corners).max() < 0.005 * width


def test_own_fingerprints_come_first_and_can_be_forgotten() -> None:
    photo, truth = empty("usa")
    enrol(photo, "usa", truth["corners"])
    assert (fingerprints()[0].board_id, fingerprints()[0].enrolled) == ("usa", True)
    assert tables.forget("usa")
    assert not any(p.enrolled for p in fingerprints())
    assert not tables.forget("usa")


def test_a_board_without_a_fingerprint_needs_corners() -> None:
    photo, _ = empty("san-francisco")
    with pytest.raises(Trouble) as caught:
        enrol(photo, "san-francisco")
    assert caught.value.code == "enrol-needs-corners"


def test_a_board_that_nobody_measured_needs_cities() -> None:
    photo, truth = empty("san-francisco")
    with pytest.raises(Trouble) as caught:
        enrol(photo, "san-francisco", truth["corners"])
    assert caught.value.code == "enrol-needs-cities"


@pytest.mark.parametrize(
    "corners",
    [[], [[0, 0]] * 4, [[0, 0], [1, 1], [2, 2], [3, 3]], [[900, 100], [100, 100], [100, 700], [900, 700]]],
)
def test_corners_that_no_board_has(corners: Any) -> None:
    photo, _ = empty("europe")
    with pytest.raises(Trouble) as caught:
        enrol(photo, "europe", corners)
    assert caught.value.code == "impossible-corners"


def test_unknown_and_far_cities_are_told() -> None:
    photo, truth = empty("san-francisco")
    with pytest.raises(Trouble) as caught:
        enrol(photo, "san-francisco", truth["corners"], {"alcatras": [1, 1]})
    assert caught.value.code == "unknown-city"
    with pytest.raises(Trouble) as caught:
        enrol(photo, "san-francisco", truth["corners"], {"alcatraz": [-500, 0]})
    assert caught.value.code == "city-off-board"


def test_cities_that_nobody_tapped_follow_their_neighbours() -> None:
    """A print that is the sketch moved and stretched: ten taps place the other eleven cities, and all spaces."""
    board = maps.load("san-francisco")
    real = {c.id: (0.1 + 0.8 * c.x + 0.03 * c.y, 0.05 + 0.85 * c.y) for c in board.cities.values()}
    placed = tables.place_spaces(board, dict(list(real.items())[:10]))
    for city in placed.cities.values():
        assert (city.x, city.y) == pytest.approx(real[city.id], abs=0.01)
    route = placed.routes["alcatraz-fort-mason-black"]
    ends = [np.array(real[c]) for c in route.ends]
    middle = np.mean([(s.x, s.y) for s in route.spaces], axis=0)
    assert np.abs(middle - np.mean(ends, axis=0)).max() < 0.03
    assert len(route.spaces) == route.length


@pytest.mark.parametrize("name", ["asia", "san-francisco"])
def test_parallel_tracks_keep_their_sides(name: str) -> None:
    """Cities tapped exactly where the sketch has them: every space stays nearest to its own track."""
    board = maps.load(name)
    placed = tables.place_spaces(board, {c.id: (c.x, c.y) for c in board.cities.values()})
    for tracks in board.groups.values():
        for track in tracks:
            new = np.mean([(s.x, s.y) for s in placed.routes[track.id].spaces], axis=0)
            old = {t.id: np.mean([(s.x, s.y) for s in t.spaces], axis=0) for t in tracks}
            assert min(old, key=lambda t: float(np.linalg.norm(old[t] - new))) == track.id


def test_two_taps_are_too_few_to_move_anything() -> None:
    board = maps.load("san-francisco")
    assert tables.place_spaces(board, {"alcatraz": (0.5, 0.5), "sunset": (0.1, 0.9)}) is board

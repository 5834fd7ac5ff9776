"""Practice photos: plausible positions, truth that fits the picture, the same picture for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import maps
from vision.studio import LIGHTS, Pose, deal, practice, write
from vision.studio.camera import Camera
from vision.studio.pieces import PLASTIC, Piece, depot, paint, station, wagon
from vision.studio.surfaces import SURFACES, printed
from vision.truth import wrong_with

Image = NDArray[np.uint8]
BOARDS = ("usa", "europe", "asia", "legendary-asia", "united-kingdom", "pennsylvania", "san-francisco")
STRAIGHT = Pose(tilt=0, turn=0, fill=0.95)


def flattened(image: Image, truth: dict[str, Any], width: int, height: int) -> Image:
    """The board cut out of its photo by the true corners."""
    corners = np.array(truth["corners"], np.float32)
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return np.asarray(cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, flat), (width, height)), np.uint8)


@pytest.mark.parametrize("board_id", BOARDS)
def test_positions_obey_the_game(board_id: str) -> None:
    board = maps.load(board_id)
    for seed in range(20):
        game = deal(board, np.random.default_rng(seed), taken=0.8, untidy=0.3)
        assert set(game.routes) == set(board.routes)
        used: Counter[str] = Counter()
        for route in board.routes.values():
            owner = game.routes[route.id]
            if owner is not None:
                used[owner] += route.length
                assert owner in board.wagon_colors
        assert all(n <= board.wagons for n in used.values())
        assert 2 <= len(used) <= min(len(board.wagon_colors), max(board.players))
        for group in board.groups.values():
            owners = [game.routes[r.id] for r in group if game.routes[r.id]]
            assert len(owners) == len(set(owners))
            assert len(used) > 3 or len(owners) <= 1
        assert set(game.stations) <= set(board.cities)
        assert all(n <= 3 for n in Counter(game.stations.values()).values())
        for route_id, spaces in game.spaces.items():
            assert Counter(spaces) == {game.routes[route_id]: len(spaces) - 1, None: 1}


@pytest.mark.parametrize("board_id", BOARDS)
def test_depots_are_buildings_of_their_own(board_id: str) -> None:
    board = maps.load(board_id)
    for seed in range(10):
        without = deal(board, np.random.default_rng(seed), taken=0.5)
        game = deal(board, np.random.default_rng(seed), taken=0.5, depots=True)
        # Depots change nothing else of the same seed.
        assert (game.routes, game.stations, without.depots) == (without.routes, without.stations, {})
        assert not set(game.depots) & set(game.stations)
        assert not any(board.cities[city].junction for city in game.depots)
        assert all(1 <= n <= 5 for n in Counter(game.depots.values()).values())
        assert 1 <= len(set(game.depots.values())) <= 5


def test_depots_are_told_apart_from_stations() -> None:
    plain, told = practice("usa", 4, size=(640, 480), stations=False)
    image, truth = practice("usa", 4, size=(640, 480), stations=False, depots=True)
    assert truth["depots"]
    assert truth["stations"] == {}
    assert "depots" not in told
    assert wrong_with(truth) is None
    assert not np.array_equal(image, plain)


@pytest.mark.parametrize("make", [depot, station, lambda x, y, turn, wide, color: wagon(x, y, turn, 0.3, wide, color)])
@pytest.mark.parametrize("tilt", [0, 40])
def test_a_piece_has_no_holes(make: Callable[..., Piece], tilt: float) -> None:
    """Whatever side a piece is seen from, its outline is filled: hidden sides stay hidden, visible ones are there."""
    for turn in range(0, 360, 50):
        camera = Camera(2 / 3, Pose(tilt, turn, 0.9), (400, 300))
        piece = make(0.5, 0.33, 0.4, 0.1, "white")
        image = np.zeros((300, 400, 3), np.uint8)
        paint(image, [piece], camera, np.array([0.3, 0.2, 0.93]), np.random.default_rng(0))
        outline = np.concatenate(
            [
                camera.project(np.column_stack([ends, np.full(len(ends), z)]))
                for layer in piece.layers
                for ends, z in ((layer.bottom, layer.low), (layer.top, layer.high))
            ]
        )
        seen = (image.max(2) > 20).astype(np.uint8)
        corners = np.rint(outline).astype(int)
        reached = [seen[y - 2 : y + 3, x - 2 : x + 3].any() for x, y in corners]
        assert np.mean(reached) > 0.99
        closed = cv2.morphologyEx(seen, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        assert (closed != seen).mean() < 0.004


@pytest.mark.parametrize(("taken", "low", "high"), [(0.0, 0, 0), (0.3, 25, 32), (0.5, 45, 52)])
def test_about_as_many_tracks_are_taken_as_asked(taken: float, low: int, high: int) -> None:
    board = maps.load("europe")
    game = deal(board, np.random.default_rng(1), taken, board.wagon_colors)
    assert low <= sum(owner is not None for owner in game.routes.values()) <= high


def test_only_the_colours_asked_for_play() -> None:
    _, truth = practice("usa", 5, colors=["red", "blue"], size=(320, 240))
    assert {c for c in truth["routes"].values() if c} == {"red", "blue"}
    assert set(truth["stations"].values()) <= {"red", "blue"}


@pytest.mark.parametrize("board_id", BOARDS)
def test_every_board_gives_a_photo_with_its_truth(board_id: str) -> None:
    board = maps.load(board_id)
    image, truth = practice(board_id, 11, size=(800, 600))
    assert image.shape == (600, 800, 3)
    assert image.dtype == np.uint8
    assert truth["board"] == board_id
    assert set(truth["routes"]) == set(board.routes)
    corners = np.array(truth["corners"])
    assert corners.shape == (4, 2)
    assert (corners > 0).all()
    assert (corners < (800, 600)).all()
    assert cv2.isContourConvex(corners.astype(np.float32))
    # Named in the board's own orientation: clockwise, as seen from above.
    assert cv2.contourArea(corners.astype(np.float32), oriented=True) > 0
    assert truth["light"] in LIGHTS
    assert truth["surface"] in SURFACES
    json.dumps(truth)


def test_the_same_seed_gives_the_same_photo() -> None:
    first, told = practice("europe", 3, size=(640, 480))
    again, retold = practice("europe", 3, size=(640, 480))
    other, _ = practice("europe", 4, size=(640, 480))
    assert told == retold
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("board_id", ["europe", "united-kingdom"])
@pytest.mark.parametrize("pose", [STRAIGHT, Pose(30, 20), Pose(45, 180, 0.8, (0.5, -0.5)), Pose(20, 260)])
def test_corners_are_those_of_the_printed_board(board_id: str, pose: Pose) -> None:
    board = maps.load(board_id)
    image, truth = practice(board_id, 2, taken=0, stations=False, light="neutral", pose=pose)
    art = printed(board, 1200)
    small = cv2.resize(art, (600, round(600 / board.geometry.aspect)), interpolation=cv2.INTER_AREA)
    flat = flattened(image, truth, small.shape[1], small.shape[0])
    gray = [cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), (0, 0), 1).astype(float) for p in (small, flat)]
    assert np.corrcoef(gray[0].ravel(), gray[1].ravel())[0, 1] > 0.9
    # The photo fits its corners better than corners that are a little off.
    off = flattened(image, {"corners": np.array(truth["corners"]) + 4}, small.shape[1], small.shape[0])
    moved = cv2.GaussianBlur(cv2.cvtColor(off, cv2.COLOR_BGR2GRAY), (0, 0), 1).astype(float)
    assert np.corrcoef(gray[0].ravel(), gray[1].ravel())[0, 1] > np.corrcoef(gray[0].ravel(), moved.ravel())[0, 1]


def test_wagons_lie_on_the_spaces_of_taken_routes() -> None:
    board = maps.load("europe")
    image, truth = practice("europe", 8, pose=STRAIGHT, light="neutral", stations=False, untidy=0.4)
    width, height = 1500, 1000
    flat = flattened(image, truth, width, height).astype(float)
    empty = cv2.resize(printed(board, 1800), (width, height), interpolation=cv2.INTER_AREA).astype(float)
    assert truth["spaces"]
    right = asked = 0
    for route in board.routes.values():
        colors = truth["spaces"].get(route.id, [truth["routes"][route.id]] * route.length)
        for space, color in zip(route.spaces, colors, strict=True):
            x, y = round(space.x * width), round(space.y * height)
            seen = np.median(flat[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3), axis=0)
            print_there = np.median(empty[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3), axis=0)
            choices = {c: np.array(PLASTIC[c][::-1], float) for c in board.wagon_colors}
            nearest = min(choices, key=lambda c: float(np.abs(seen - choices[c]).sum()))
            asked += 1
            right += nearest == color if color else float(np.abs(seen - print_there).sum()) < 150
    assert right / asked > 0.9


@pytest.mark.parametrize("light", list(LIGHTS))
def test_each_light_shows(light: str) -> None:
    image, truth = practice("usa", 1, light=light, surface="wood", pose=STRAIGHT, size=(640, 480))
    plain, _ = practice("usa", 1, light="neutral", surface="wood", pose=STRAIGHT, size=(640, 480))
    assert truth["light"] == light
    assert (np.abs(image.astype(int) - plain).mean() > 2) == (light != "neutral")


def test_features_of_the_drawn_board_are_found_again() -> None:
    """A drawn board is only of use if a matcher can hold on to it, also tilted and upside down."""
    board = maps.load("pennsylvania")
    art = printed(board, 1200)
    orb = cv2.ORB.create(3000)
    known, described = orb.detectAndCompute(cv2.cvtColor(art, cv2.COLOR_BGR2GRAY), None)
    image, truth = practice("pennsylvania", 6, pose=Pose(25, 170), light="warm")
    seen, found = orb.detectAndCompute(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), None)
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(described, found)
    there = np.array([known[m.queryIdx].pt for m in matches], np.float32)
    here = np.array([seen[m.trainIdx].pt for m in matches], np.float32)
    homography, inliers = cv2.findHomography(there, here, cv2.RANSAC, 4)
    assert int(inliers.sum()) > 60
    height, width = art.shape[:2]
    flat = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32)
    error = np.abs(cv2.perspectiveTransform(flat, homography)[0] - np.array(truth["corners"])).max()
    assert error < 12


def test_camera_projects_the_plane_as_its_points() -> None:
    camera = Camera(2 / 3, Pose(35, 200, 0.8, (0.3, 0.1)), (1600, 1200))
    rng = np.random.default_rng(0)
    flat = rng.uniform(0, 1, (20, 2))
    for z in (0.0, 0.02, -0.004):
        points = np.column_stack([flat, np.full(20, z)])
        by_plane = np.column_stack([flat, np.ones(20)]) @ camera.plane(z).T
        assert camera.project(points) == pytest.approx(by_plane[:, :2] / by_plane[:, 2:])


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"light": "disco"}, "no-such-light"),
        ({"surface": "sand"}, "no-such-surface"),
        ({"colors": ["redd"]}, "unknown-color"),
        ({"colors": ["mauve"]}, "no-such-color"),
    ],
)
def test_wrong_wishes_are_named(asked: dict[str, Any], code: str) -> None:
    with pytest.raises(maps.Trouble) as found:
        practice("europe", 1, **asked)
    assert found.value.code == code


def test_write_makes_a_recording(tmp_path: Path) -> None:
    image, truth = practice("san-francisco", 1, size=(320, 240))
    photo = write(tmp_path / "new", "sample", image, truth)
    told = json.loads((tmp_path / "new" / "sample.json").read_text(encoding="utf-8"))
    assert photo.name == told["photo"] == "sample.jpg"
    assert {"board", "corners", "routes", "stations"} <= set(told)
    read = cv2.imread(str(photo))
    assert read is not None
    assert np.abs(read.astype(int) - image).mean() < 6

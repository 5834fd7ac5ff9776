"""Where patches are taken from: geometry only, on pictures made of coordinates."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

import maps
from vision import spaces
from vision.arrays import Matrix
from vision.config import PATCH

SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
BOARDS = ("usa", "europe", "united-kingdom", "legendary-asia", "pennsylvania")


def flat(board: maps.Board, width: int = 1500) -> Matrix:
    """The homography of a board seen from straight above, its width being that many pixels."""
    return np.diag([width, width / board.geometry.aspect, 1.0])


@pytest.mark.parametrize("name", BOARDS)
def test_every_space_of_every_route_has_its_row_in_order(name: str) -> None:
    board = maps.load(name)
    spots = spaces.layout(board)
    assert len(spots.centres) == sum(route.length for route in board.routes.values())
    for i, route in enumerate(board.routes.values()):
        rows = spots.rows(i)
        assert len(rows) == route.length
        assert {spots.colors[row] for row in rows} == {route.color}
        assert np.allclose(spots.centres[rows][:, 0], [s.x for s in route.spaces])


def test_a_patch_shows_the_space_lying_along_its_width() -> None:
    board = maps.load("usa")
    spots = spaces.layout(board)
    image = np.zeros((991, 1500, 3), np.uint8)
    length, width = board.geometry.space_length * 1500, board.geometry.space_width * 1500
    row = 40
    box = (tuple(spots.centres[row] * 1500), (length, width), float(np.degrees(spots.angles[row])))
    cv2.fillPoly(image, [np.round(cv2.boxPoints(box)).astype(np.int32)], (255, 255, 255))
    still = np.zeros_like(spots.centres)
    found = spaces.sample(image, spaces.by_homography(flat(board)), spots, still, PATCH.size, PATCH.span)
    patch = found.pictures[row, :, :, 0] > 128
    wide, high = PATCH.size
    pixel = wide / PATCH.span
    assert patch[high // 2].sum() == pytest.approx(length / width * pixel, abs=4)
    assert patch[:, wide // 2].sum() == pytest.approx(pixel, abs=3)
    assert patch[high // 2, wide // 2]
    assert not patch[0].any()


def test_what_lies_outside_the_picture_is_known() -> None:
    board = maps.load("usa")
    spots = spaces.layout(board)
    half = np.zeros((991, 750, 3), np.uint8)
    still = np.zeros_like(spots.centres)
    found = spaces.sample(half, spaces.by_homography(flat(board)), spots, still, PATCH.size, PATCH.span)
    assert (found.inside[spots.centres[:, 0] < 0.45] == 1).all()
    assert (found.inside[spots.centres[:, 0] > 0.55] == 0).all()


@pytest.mark.parametrize(
    ("place", "direction"),
    [((0.5, 0.3, 1.0), (0.0, 0.0)), ((0.5, 1.2, 1.0), (0.0, -1.0)), ((-0.5, 0.3, 1.0), (1.0, 0.0))],
)
def test_pieces_lean_away_from_the_camera(place: tuple[float, float, float], direction: tuple[float, float]) -> None:
    away = spaces.lean(np.array([[0.5, 0.3]]), place, 0.011)[0]
    length = float(np.linalg.norm(away))
    if direction == (0.0, 0.0):
        assert length < 1e-9
    else:
        assert away / length == pytest.approx(direction, abs=1e-6)
        assert 0.003 < length < 0.02


@pytest.mark.parametrize("tilt", [0, 20, 40])
def test_the_camera_is_found_from_the_homography(tilt: float) -> None:
    """A phone held one board width away, tilted about the board's middle."""
    board = maps.load("usa")
    aspect = board.geometry.aspect
    width, height = 2000, 1500
    focal = PATCH.focal * np.hypot(width, height)
    angle = np.radians(tilt)
    turn = np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])
    middle = np.array([0.5, 0.5 / aspect, 0])
    pose = np.column_stack([turn[:, :2], np.array([0, 0, 1.0]) - turn @ middle])
    inner = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    homography = inner @ pose @ np.diag([1, 1 / aspect, 1])
    where = middle - turn.T @ np.array([0, 0, 1.0])
    found = spaces.camera(homography / homography[2, 2], width, height, aspect)
    assert found == pytest.approx((where[0], where[1], abs(where[2])), abs=0.01)

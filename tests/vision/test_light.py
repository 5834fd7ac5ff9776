"""Evening out the light: a board drawn in flat colours, photographed under a lamp that is drawn too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import maps
from vision import light, spaces
from vision.arrays import Floats, Picture
from vision.config import PATCH

WIDTH = 1200


def drawn(board: maps.Board) -> Picture:
    """An empty board without art: a ground of slowly changing colour, spaces in their printed colours."""
    height = round(WIDTH / board.geometry.aspect)
    x, y = np.meshgrid(np.linspace(0, 1, WIDTH), np.linspace(0, 1, height))
    ground = np.stack([150 + 30 * np.sin(5 * x), 160 + 20 * np.cos(4 * y), 165 + 25 * np.sin(3 * x + y)], axis=-1)
    image = ground.astype(np.uint8)
    geometry = board.geometry
    for route in board.routes.values():
        for space in route.spaces:
            box = (
                (space.x * WIDTH, space.y * height),
                (geometry.space_length * WIDTH, geometry.space_width * WIDTH),
                space.angle,
            )
            cv2.fillPoly(image, [np.round(cv2.boxPoints(box)).astype(np.int32)], light.PRINT[route.color])
    return image


def lamp(image: Picture, cast: tuple[float, float, float]) -> Picture:
    """Brighter at the left, dark at the right, and coloured."""
    fall = np.linspace(1.25, 0.45, image.shape[1])[None, :, None]
    return np.asarray(np.clip(image * fall * np.array(cast), 0, 255), np.uint8)


@pytest.fixture(scope="module")
def board() -> maps.Board:
    return maps.load("usa")


def patches(image: Picture, board: maps.Board, reference: light.Reference | None) -> Floats:
    spots = spaces.layout(board)
    still = np.zeros_like(spots.centres)
    to_picture = spaces.by_homography(np.diag([WIDTH, image.shape[0], 1.0]))
    gains = light.gain(*light.measure(image, to_picture, spots, still), reference)
    found = spaces.sample(image, to_picture, spots, still, PATCH.size, PATCH.span)
    return light.even(found.pictures, found.points, gains)


@pytest.mark.parametrize("cast", [(1.0, 1.0, 1.0), (0.6, 0.85, 1.1), (1.1, 0.95, 0.8)])
def test_a_lamp_and_its_colour_are_taken_out(board: maps.Board, cast: tuple[float, float, float]) -> None:
    plain = drawn(board)
    spots = spaces.layout(board)
    to_picture = spaces.by_homography(np.diag([WIDTH, plain.shape[0], 1.0]))
    reference = light.reference_of(plain, to_picture, spots)
    wanted, got = patches(plain, board, reference), patches(lamp(plain, cast), board, reference)
    raw = spaces.sample(lamp(plain, cast), to_picture, spots, np.zeros_like(spots.centres), PATCH.size, PATCH.span)
    assert np.abs(got - wanted).mean() < 8
    assert np.abs(raw.pictures - wanted).mean() > 2 * np.abs(got - wanted).mean()


def test_a_board_without_reference_is_made_grey(board: maps.Board) -> None:
    got = patches(lamp(drawn(board), (0.6, 0.85, 1.1)), board, None)
    assert np.ptp(got.mean((0, 1, 2))) < 25


def test_printed_colours_come_from_the_reference_where_there_is_one(board: maps.Board) -> None:
    spots = spaces.layout(board)
    reference = light.built_in("usa")
    assert reference is not None
    assert light.printed(spots, reference).shape == (len(spots.colors), 3)
    plain = light.printed(spots, None)
    assert tuple(plain[spots.colors.index("red")]) == light.PRINT["red"]


def test_a_reference_survives_its_file(board: maps.Board, tmp_path: Path) -> None:
    reference = light.built_in("usa")
    assert reference is not None
    reference.save(tmp_path / "own.npz")
    again = light.load_reference(tmp_path / "own.npz")
    assert np.allclose(again.field, reference.field)
    assert np.allclose(again.spaces, reference.spaces)


def test_the_own_board_replaces_the_built_in_one(board: maps.Board) -> None:
    spots = spaces.layout(board)
    plain = drawn(board)
    own = light.reference_of(plain, spaces.by_homography(np.diag([WIDTH, plain.shape[0], 1.0])), spots)
    light.own_file(board.id).parent.mkdir(parents=True, exist_ok=True)
    own.save(light.own_file(board.id))
    try:
        chosen = light.reference(board, enrolled=True)
        assert chosen is not None
        assert np.abs(chosen.field - own.field).max() <= 1
        assert light.reference(board, enrolled=False) is light.built_in(board.id)
    finally:
        light.own_file(board.id).unlink()


@pytest.mark.parametrize("board_id", maps.available())
def test_the_colour_beside_is_that_of_the_nearest_track_that_runs_along(board_id: str) -> None:
    board = maps.load(board_id)
    spots = spaces.layout(board)
    told = np.arange(3 * len(spots.colors), dtype=np.float32).reshape(-1, 3) + 1
    beside = light.beside(spots, told).reshape(-1, 2, 3)
    routes = list(board.routes.values())
    twins = 0
    for row, sides in enumerate(beside):
        for side in sides[sides.any(1)]:
            other = int(side[0] - 1) // 3
            away = np.linalg.norm(spots.centres[other] - spots.centres[row]) / spots.unit
            assert other != row
            assert away < 2.7
            twins += {routes[spots.route[other]].a, routes[spots.route[other]].b} == {
                routes[spots.route[row]].a,
                routes[spots.route[row]].b,
            }
    doubles = [r for r in routes if sum({r.a, r.b} == {s.a, s.b} for s in routes) > 1]
    assert twins >= 0.9 * sum(r.length for r in doubles)


def test_turned_round_above_and_below_change_places(board: maps.Board) -> None:
    spots = spaces.layout(board)
    told = light.printed(spots, None)
    turned = light.beside(replace(spots, angles=spots.angles + np.pi), told)
    assert turned == pytest.approx(np.roll(light.beside(spots, told), 3, axis=1))


def test_a_print_that_a_camera_saturates_does_not_change_the_colour_of_the_light() -> None:
    """Orange land loses its blue on a saturated photo: a wagon beside it must not be told as bluer for that."""
    field = np.full((48, 72, 3), 120, np.float32)
    reference = light.Reference(field, np.zeros((0, 3), np.float32))
    photo = field * np.array([0.6, 1.0, 1.2], np.float32)
    photo[20:25, 30:35, 0] *= 0.2
    gains = light.gain(photo, np.ones((48, 72), np.float32), reference)
    assert gains[22, 32, 0] / gains[22, 32, 1] > 0.75 * gains[5, 5, 0] / gains[5, 5, 1]


def test_a_shadow_is_followed_closely() -> None:
    field = np.full((48, 72, 3), 120, np.float32)
    photo = field.copy()
    photo[:, 36:] *= 0.4
    gains = light.gain(photo, np.ones((48, 72), np.float32), light.Reference(field, np.zeros((0, 3), np.float32)))
    assert gains[24, 33] == pytest.approx(np.ones(3), abs=0.02)
    assert gains[24, 39] == pytest.approx(np.full(3, 0.4), abs=0.02)

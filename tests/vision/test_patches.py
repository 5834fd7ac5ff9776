"""From a photo and a pose to what a net sees: one way, with named channels."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

import maps
from vision import light, patches, spaces
from vision.arrays import Floats
from vision.patches import SEEN, TOLD, Input, Patches
from vision.studio import Pose, practice


def some(n: int = 2) -> Patches:
    pictures = np.arange(n * 2 * 4 * 3, dtype=np.float32).reshape(n, 2, 4, 3)
    numbers = np.array([[0.5, -0.25]] * n, np.float32)
    beside = np.array([[255, 0, 0, 0, 0, 51]] * n, np.float32)
    return Patches(
        pictures,
        pictures + 100,
        np.full((n, 3), 51, np.float32),
        numbers,
        np.ones(n, np.float32),
        np.zeros(n, np.float32),
        beside,
        pictures + 7,
    )


def same(one: Input, two: Input, off: float = 0.0) -> bool:
    return all(np.allclose(a, b, rtol=0, atol=off) for a, b in zip(one, two, strict=True))


@pytest.fixture(scope="module")
def scene() -> patches.Scene:
    board = maps.load("usa")
    image, truth = practice("usa", 3, taken=0.5, pose=Pose(20, 10))
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    corners = np.array(truth["corners"], np.float32)
    homography = np.asarray(cv2.getPerspectiveTransform(square, corners), np.float64)
    return patches.scene(image, homography, board, light.built_in("usa"))


def test_every_channel_is_where_its_name_says() -> None:
    batch, told = some().batch()
    assert batch.shape == (2, 9, 2, 4)
    assert batch[0, SEEN["foot"], 0, 1] == pytest.approx(np.array([3, 4, 5]) / 255 - 0.5)
    assert batch[0, SEEN["middle"], 0, 0] == pytest.approx(np.array([100, 101, 102]) / 255 - 0.5)
    assert batch[0, SEEN["twin"], 0, 0] == pytest.approx(np.array([7, 8, 9]) / 255 - 0.5)
    assert told.shape == (2, 11, patches.TOLD_SIDE, patches.TOLD_SIDE)
    assert told[1, TOLD["printed"], 1, 3] == pytest.approx(0.2)
    assert told[1, TOLD["lean"], 0, 0] == pytest.approx([0.5, -0.25])
    assert told[0, TOLD["beside"], 3, 1] == pytest.approx([1, 0, 0, 0, 0, 0.2])
    assert batch.shape[1] + told.shape[1] == patches.SPACE_CHANNELS


def test_a_twin_that_nobody_knows_says_nothing() -> None:
    assert not replace(some(), twin=None).batch().patches[:, SEEN["twin"]].any()
    black = replace(some(), twin=np.zeros((2, 2, 4, 3), np.float32))
    assert not black.batch().patches[:, SEEN["twin"]].any()


def test_cities_are_told_less() -> None:
    batch, told = replace(some(), beside=None, twin=None).batch()
    assert (batch.shape[1], told.shape[1]) == (SEEN["middle"].stop, TOLD["lean"].stop)
    assert batch.shape[1] + told.shape[1] == patches.CITY_CHANNELS


def test_parts_put_together_are_the_whole() -> None:
    many = some(11)
    parts = [Input(part.patches.copy(), part.told) for part in many.batches(4)]
    assert same(Input(*map(np.concatenate, zip(*parts, strict=True))), many.batch())


def test_mirrored_across_the_track_what_lay_above_lies_below() -> None:
    plain, across = some(1), some(1).mirrored(along=False, across=True)
    assert np.array_equal(across.foot, plain.foot[:, ::-1])
    assert across.lean.tolist() == [[0.5, 0.25]]
    assert across.beside is not None
    assert across.beside.tolist() == [[0, 0, 51, 255, 0, 0]]
    along = some(1).mirrored(along=True, across=False)
    assert np.array_equal(along.middle, plain.middle[:, :, ::-1])
    assert along.lean.tolist() == [[-0.5, -0.25]]
    assert same(along.mirrored(along=True, across=False).batch(), plain.batch())


def test_each_way_is_one_after_the_other() -> None:
    plain, ways = some(2), some(2).each_way()
    assert len(ways) == 6
    assert same(ways.of(slice(2, 4)).batch(), plain.mirrored(along=False, across=True).batch())
    assert replace(plain, twin=None).each_way().twin is None


@pytest.mark.parametrize(
    "wrong", [{"lean": np.zeros((2, 3), np.float32)}, {"middle": np.zeros((1, 2, 4, 3), np.float32)}]
)
def test_rows_of_different_spots_are_never_joined(wrong: dict[str, Floats]) -> None:
    with pytest.raises(ValueError, match="shape"):
        replace(some(), **wrong)


def test_some_spaces_are_seen_as_in_the_whole_board(scene: patches.Scene) -> None:
    rows = np.arange(len(scene.layout.centres)) % 7 == 3
    whole, part = patches.on_spaces(scene), patches.on_spaces(scene, rows)
    assert same(whole.of(rows).batch(), part.batch(), 1e-5)


def test_training_looks_beside_the_mark(scene: patches.Scene) -> None:
    n = len(scene.layout.centres)
    still = patches.Jitter(np.zeros(n), np.zeros((n, 2)), 1.0)
    plain = patches.on_spaces(scene)
    assert same(patches.on_spaces(scene, jitter=still).batch(), plain.batch())
    turned = patches.on_spaces(scene, jitter=replace(still, turn=np.full(n, np.pi)))
    assert np.allclose(turned.lean, -plain.lean, atol=1e-5)


def test_a_twin_is_the_same_print_elsewhere_where_nothing_lies() -> None:
    layout = spaces.layout(maps.load("usa"))
    n = len(layout.centres)
    foot = np.full((n, 2, 4, 3), 200, np.float32)
    names = np.array(layout.colors)
    red = np.flatnonzero(names == "red")
    routes = np.unique(layout.route[red])
    taken = np.isin(layout.route, routes[:2])
    foot[red] = 80
    foot[taken] = 10
    found = patches.twins(foot, layout, (~taken).astype(np.float32), np.full((n, 3), 90, np.float32))
    # What lies on the taken ones hardly counts, and a space never tells about itself.
    assert found[red].max() <= 80
    assert found[red[layout.route[red] == routes[0]]].min() > 70
    assert np.allclose(found[names == "gray"], 200)


def test_tunnels_are_twins_of_tunnels() -> None:
    """They have a frame of their own: plain tracks of the colour tell of it only where there is no other tunnel."""
    board = maps.load("europe")
    layout = spaces.layout(board)
    kinds = np.array([route.kind for route in board.routes.values()])[layout.route]
    gray, blue = (np.array(layout.colors) == color for color in ("gray", "blue"))
    foot = np.full((len(blue), 2, 4, 3), 50, np.float32)
    foot[kinds == "tunnel"] = 150
    found = patches.twins(foot, layout, np.ones(len(blue), np.float32), np.full((len(blue), 3), 90, np.float32))
    assert found[gray & (kinds == "tunnel")].min() > 130
    assert found[blue & (kinds == "normal")].max() < 55
    assert np.allclose(found[blue & (kinds == "tunnel")], 50)


def test_a_print_that_stands_alone_has_no_twin() -> None:
    board = maps.load("usa")
    layout = replace(spaces.layout(board), colors=tuple(f"print-{i}" for i in spaces.layout(board).route))
    foot = np.full((len(layout.centres), 2, 4, 3), 200, np.float32)
    bare, printed = np.ones(len(foot), np.float32), np.full((len(foot), 3), 90, np.float32)
    assert not patches.twins(foot, layout, bare, printed).any()


def cities(colors: list[tuple[int, int, int]]) -> Patches:
    pictures = np.array(colors, np.float32)[:, None, None] * np.ones((1, 40, 40, 1), np.float32)
    n = len(colors)
    return Patches(
        pictures, pictures, np.zeros((n, 3), np.float32), np.zeros((n, 2), np.float32), np.ones(n, np.float32),
        np.zeros(n, np.float32),
    )  # fmt: skip


def test_a_city_that_looks_like_the_bare_ones_is_like_them() -> None:
    gold, yellow = (20, 160, 220), (30, 210, 190)
    found = cities([gold] * 10 + [yellow])
    assert patches.like_bare_cities(found, np.array([1.0] * 9 + [0.1, 0.1], np.float32)).tolist() == [1.0] * 10 + [0.0]


def test_too_few_bare_cities_tell_nothing() -> None:
    found = cities([(20, 160, 220)] * 10)
    assert not patches.like_bare_cities(found, np.array([1.0] * 5 + [0.0] * 5, np.float32)).any()

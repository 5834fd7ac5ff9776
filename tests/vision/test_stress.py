"""Photos made worse: each step changes the picture, truth follows it, and the curve shows where reading fails."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: arrays of any kind of number

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import maps
from maps import Trouble
from tests.vision.stand_ins import right_reading
from vision.evaluation import HARMS, Ask, Curve, gather, sweep
from vision.evaluation.plots import plot
from vision.evaluation.stress import Harm, Point, harmed
from vision.reading import Reading
from vision.studio import Pose, practice, write

BY_NAME = {h.name: h for h in HARMS}


@lru_cache(maxsize=1)
def drawn() -> tuple[NDArray[np.uint8], dict[str, Any]]:
    return practice("europe", 2, size=(640, 480), light="neutral", pose=Pose(5, 0, 0.9))


@pytest.fixture
def photo() -> tuple[NDArray[np.uint8], dict[str, Any]]:
    return drawn()


@pytest.mark.parametrize("harm", HARMS, ids=lambda h: h.name)
def test_each_step_is_worse_than_the_one_before(photo: tuple[NDArray[np.uint8], dict[str, Any]], harm: Harm) -> None:
    image, truth = photo
    assert list(harm.steps) == sorted(harm.steps, reverse=harm.name in ("jpeg", "size"))
    shapes, differences = [], []
    for step in harm.steps:
        worse, told = harmed(image, truth, harm, step)
        assert worse.dtype == np.uint8
        again, _ = harmed(image, truth, harm, step)
        assert np.array_equal(worse, again)
        assert set(told["routes"]) == set(truth["routes"])
        shapes.append(worse.shape[0])
        if worse.shape == image.shape:
            differences.append(float(np.abs(worse.astype(int) - image).mean()))
    if differences and len(differences) == len(harm.steps):
        assert differences == sorted(differences)
    else:
        assert shapes == sorted(shapes, reverse=True)


@pytest.mark.parametrize(("name", "step"), [("tilt", 40), ("size", 350)])
def test_corners_follow_the_picture(photo: tuple[NDArray[np.uint8], dict[str, Any]], name: str, step: float) -> None:
    image, truth = photo
    worse, told = harmed(image, truth, BY_NAME[name], step)
    flat = np.array([[0, 0], [300, 0], [300, 200], [0, 200]], np.float32)
    views = []
    for picture, corners in ((image, truth["corners"]), (worse, told["corners"])):
        place = cv2.getPerspectiveTransform(np.array(corners, np.float32), flat)
        gray = cv2.cvtColor(cv2.warpPerspective(picture, place, (300, 200)), cv2.COLOR_BGR2GRAY)
        views.append(cv2.GaussianBlur(gray, (0, 0), 2).astype(float).ravel())
    assert np.corrcoef(views)[0, 1] > 0.95


def test_what_something_lies_over_is_not_judged(photo: tuple[NDArray[np.uint8], dict[str, Any]]) -> None:
    image, truth = photo
    worse, told = harmed(image, truth, BY_NAME["occlusion"], 20)
    board = maps.load("europe")
    assert 0 < len(told["covered"]) < len(board.routes)
    place = cv2.getPerspectiveTransform(
        np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32), np.array(truth["corners"], np.float32)
    )
    changed = np.abs(worse.astype(int) - image).max(2) > 0
    for route in board.routes.values():
        spots = cv2.perspectiveTransform(np.array([[(s.x, s.y) for s in route.spaces]]), place)[0]
        under = any(changed[round(y), round(x)] for x, y in spots)
        assert route.id in told["covered"] or not under


def fails_in_the_dark(photo: Path, ask: Ask) -> Reading:
    """Finds no board in a dark picture, and takes small ones for empty boards."""
    image = cv2.imread(str(photo))
    assert image is not None
    if image.mean() < 40:
        raise Trouble("no-folder", nothing_seen=True, folder="-")
    truth = drawn()[1]
    wrong = dict.fromkeys(truth["routes"]) if max(image.shape) < 600 else {}
    return right_reading(truth, **wrong)


def test_the_sweep_finds_where_reading_starts_to_fail(
    photo: tuple[NDArray[np.uint8], dict[str, Any]], tmp_path: Path
) -> None:
    write(tmp_path, "one", *photo)
    curves = {
        c.harm: c
        for c in sweep(
            gather([tmp_path]), harms=[BY_NAME["dark"], BY_NAME["size"], BY_NAME["jpeg"]], reader=fails_in_the_dark
        )
    }
    assert curves["jpeg"].fails_at is None
    assert curves["size"].fails_at == 500
    dark = curves["dark"]
    assert dark.fails_at is not None
    assert dark.points[0].right == 1
    last = dark.points[-1]
    # No board was found, and the program said so.
    assert (last.found, last.right, last.right_or_flagged) == (0, 0, 1)
    assert curves["size"].points[-1].right_or_flagged < 1


def test_the_plot_shows_every_curve() -> None:
    points = tuple(Point(s, 3, 1, 1 - 0.1 * s, 1) for s in range(6))
    curves = [Curve("europe", h.name, h.unit, points) for h in HARMS]
    said: list[str] = []

    def say(key: str) -> str:
        said.append(key)
        return key

    picture = plot(curves, "Europe", say)
    assert picture.size == (1600, 56 + 2 * 270 + 40)
    assert {f"harm.{h.name}" for h in HARMS} <= set(said)
    drawn = np.asarray(picture)
    for color in ((0x1C, 0x62, 0xC4), (0x8A, 0x94, 0xA0), (0xC6, 0x28, 0x28)):
        assert (drawn == color).all(2).sum() > 500

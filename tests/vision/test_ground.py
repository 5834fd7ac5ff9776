"""What the small flat picture of a board says: by how much places differ, and what pieces stand in front of."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

import maps
from vision.ground import GROUND, Ground
from vision.locate import Located
from vision.photo import of_image
from vision.studio import Film, film

BOARD = maps.load("usa")


def seen(made: Film) -> tuple[Ground, Located]:
    corners = np.array(made.truth["corners"], np.float32)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    homography = np.asarray(cv2.getPerspectiveTransform(square, corners), np.float64)
    where = tuple((float(x), float(y)) for x, y in corners)
    return Ground(BOARD, cities=False), Located("usa", homography, where)


@pytest.fixture(scope="module")
def ground() -> Ground:
    """A board seen from one side."""
    made = film("usa", 4, claims=1, start=0, tricks=(), size=(640, 480))
    found, located = seen(made)
    found.glance(of_image(made.shots[0][0]), located)
    return found


def test_a_piece_stands_in_front_of_the_next_track_only(ground: Ground) -> None:
    beside = ground.beside(frozenset({"boston-new-york-yellow"}))
    assert beside["boston-new-york-yellow"].all()
    assert beside["boston-new-york-red"].all()
    assert not any(spots.any() for place, spots in beside.items() if "seattle" in place)


def test_a_place_has_to_differ_by_more_than_it_does_untouched(ground: Ground) -> None:
    least, most = GROUND.differs
    quiet, restless = "denver-omaha-pink", "calgary-helena-gray"
    change = {r.id: np.full(r.length, 1.0 if r.id == quiet else 4.5) for r in BOARD.routes.values()}
    change["dallas-el-paso-red"][:] = 9.0
    before = ground.bounds["dallas-el-paso-red"].copy()
    for _ in range(60):
        ground.learn(change, frozenset(change))
    assert ground.bounds[quiet].max() == pytest.approx(least, abs=0.1)
    assert ground.bounds[restless].min() == pytest.approx(most, abs=0.1)
    # What differs that much is no noise.
    assert (ground.bounds["dallas-el-paso-red"] == before).all()


def test_a_switched_lamp_hides_nothing_and_is_followed_at_once() -> None:
    made = film("usa", 4, claims=1, start=0, tricks=(), size=(640, 480))
    found, located = seen(made)
    bright = made.shots[0][0]
    dim = np.clip(bright * np.array([0.35, 0.55, 0.72]), 0, 255).astype(np.uint8)
    found.glance(of_image(bright), located)
    for picture in (dim, bright, dim):
        glance = found.glance(of_image(picture), located)
        assert not glance.covered
        # A place that was accepted in one light must not stand out in the next.
        found.accept(glance, frozenset({"denver-omaha-pink", "calgary-helena-gray"}))

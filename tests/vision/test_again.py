"""A table looked at again: only what changed is looked at, and told as a look at everything would tell it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any  # Any: what is asked is passed on

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import maps
from vision import again as module
from vision import patches
from vision.again import Again
from vision.config import AGAIN
from vision.decide import Knowledge
from vision.locate import Located
from vision.photo import Photo, of_image
from vision.read import evidence, look
from vision.studio import Film, film

Image = NDArray[np.uint8]
BOARD = maps.load("usa")
PLAYING = Knowledge(("red", "blue"), 2)


@lru_cache(maxsize=1)
def drawn() -> Film:
    return film(BOARD.id, 4, claims=1, start=2, colors=("red", "blue"), tricks=("light",), size=(800, 600))


def seen(shot: int) -> Photo:
    picture, _, _ = drawn().shots[shot]
    return of_image(picture)


def shots() -> tuple[int, int, int]:
    """The table before anything is laid, after the first claim, and in another light."""
    calm = [n for n, (_, count, _) in enumerate(drawn().shots) if count / drawn().fps >= 3]
    return calm[0], calm[1], calm[2]


def place(moved: float = 0.0) -> Located:
    corners = np.array(drawn().truth["corners"], np.float32) + np.float32(moved)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    homography = np.asarray(cv2.getPerspectiveTransform(square, corners), np.float64)
    return Located(BOARD.id, homography, tuple((float(x), float(y)) for x, y in corners))


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with every look at the whole board."""
    taken: list[int] = []

    def counted(*asked: Any) -> Any:
        taken.append(len(taken))
        return evidence(*asked)

    monkeypatch.setattr(module, "evidence", counted)
    return taken


def laid() -> tuple[str, str]:
    event = drawn().truth["events"][0]
    return event["route"], event["color"]


def test_a_claim_is_seen_by_a_look_at_its_place(whole: list[int]) -> None:
    route, color = laid()
    before, after, _ = shots()
    again = Again()
    assert again.look(seen(before), place(), BOARD, PLAYING).routes[route].color is None
    part = again.look(seen(after), place(), BOARD, PLAYING, [route])
    assert len(whole) == 1
    all_of_it = look(seen(after), place(), BOARD, PLAYING)
    assert part.routes[route].color == color
    assert {r: told.color for r, told in part.routes.items()} == {r: t.color for r, t in all_of_it.routes.items()}
    assert part.routes[route].confidence == pytest.approx(all_of_it.routes[route].confidence, abs=0.02)


def test_what_did_not_change_is_not_looked_at() -> None:
    route, _ = laid()
    before, after, _ = shots()
    other = next(r for r in BOARD.routes if BOARD.routes[r].group != BOARD.routes[route].group)
    again = Again()
    again.look(seen(before), place(), BOARD, PLAYING)
    assert again.look(seen(after), place(), BOARD, PLAYING, [other]).routes[route].color is None


def test_the_tracks_beside_a_place_are_looked_at_too(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = next(tracks for tracks in BOARD.groups.values() if len(tracks) == 2)
    before, after, _ = shots()
    again = Again()
    again.look(seen(before), place(), BOARD, PLAYING)
    asked: list[int] = []
    real = patches.on_spaces

    def on_spaces(scene: Any, rows: Any) -> Any:
        asked.append(int(rows.sum()))
        return real(scene, rows)

    monkeypatch.setattr(patches, "on_spaces", on_spaces)
    again.look(seen(after), place(), BOARD, PLAYING, [pair[0].id])
    assert asked == [sum(track.length for track in pair)]


def test_another_light_a_knock_and_many_places_ask_for_a_whole_look(whole: list[int]) -> None:
    route, _ = laid()
    before, after, dark = shots()
    again = Again()
    again.look(seen(before), place(), BOARD, PLAYING)
    again.look(seen(dark), place(), BOARD, PLAYING, [route])
    assert len(whole) == 2
    again.look(seen(after), place(), BOARD, PLAYING, [route])
    assert len(whole) == 3
    again.look(seen(after), place(moved=8), BOARD, PLAYING, [route])
    assert len(whole) == 4
    again.look(seen(after), place(moved=8), BOARD, PLAYING, list(BOARD.routes)[::2])
    assert len(whole) == 5
    again.look(seen(after), place(moved=8), BOARD, PLAYING)
    assert len(whole) == 6


def test_now_and_then_everything_is_looked_at(whole: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    route, _ = laid()
    before, after, _ = shots()
    again = Again()
    most = 3
    monkeypatch.setattr(module, "AGAIN", type(AGAIN)(looks=most))
    again.look(seen(before), place(), BOARD, PLAYING)
    for _ in range(most + 1):
        again.look(seen(after), place(), BOARD, PLAYING, [route])
    assert len(whole) == 2

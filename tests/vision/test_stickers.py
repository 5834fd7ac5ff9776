"""Corner stickers: printed, seen in bad light, and used to find a board whose print can't be recognised."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import maps
from maps import Trouble
from tests.vision.drawn import SIZE, with_stickers
from vision import codes
from vision.arrays import Picture
from vision.fingerprints import Fingerprint, fingerprint_of
from vision.locate import locate
from vision.photo import of_image
from vision.stickers import CORNERS, page, sticker, stickers_in, text
from vision.studio import Pose, practice

Image = NDArray[np.uint8]
Points = NDArray[np.float64]


@lru_cache(maxsize=4)
def drawn_print(board: str) -> Fingerprint:
    image, truth = practice(board, 0, taken=0, stations=False, pose=Pose(0, 0), light="neutral", surface="wood")
    return fingerprint_of(image, truth["corners"], board)


def darker(image: Image, stops: float) -> Image:
    light = (image.astype(np.float32) / 255) ** 2.2 * 2.0**-stops
    grain = np.random.default_rng(0).standard_normal(image.shape, np.float32) * np.float32(1.2 * stops)
    return np.asarray(np.clip(light ** (1 / 2.2) * 255 + grain, 0, 255), np.uint8)


def blurred(image: Image, pixels: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), pixels), np.uint8)


def covered(image: Image, corners: Points) -> Image:
    """A cloth over the whole board."""
    result: Image = image.copy()
    cv2.fillConvexPoly(result, np.rint(corners).astype(np.int32), (120, 110, 100))
    return result


def bleached(image: Image, corners: Points) -> Image:
    """A lamp mirrored all over the board."""
    plain = covered(image, corners)
    return np.asarray(np.where((plain != image).any(2, keepdims=True), 0.04 * image + 235, image), np.uint8)


def off(found: object, corners: Points) -> float:
    """The worst corner in per cent of the board's width."""
    away = np.linalg.norm(np.array(found, float) - corners, axis=1).max()
    return float(100 * away / np.linalg.norm(corners[1] - corners[0]))


def gray(image: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


@pytest.mark.parametrize("corner", CORNERS)
def test_a_sticker_is_a_qr_code_that_names_its_corner(corner: str) -> None:
    printed = np.pad(sticker(corner, 400, "europe"), 40, constant_values=200)
    assert [c.text for c in codes.decode(printed)] == [text(corner, "europe")] == [f"COMPANION:{corner}:EUROPE"]


@pytest.mark.parametrize(
    ("pose", "names"),
    [(Pose(15, 5, 0.75), None), (Pose(40, 200, 0.7), "europe"), (Pose(10, 90, 0.7), "united-kingdom")],
)
def test_stickers_tell_the_corners(pose: Pose, names: str | None) -> None:
    image, corners = with_stickers("usa", pose, names)
    seen = stickers_in(gray(image), maps.available())
    assert seen is not None
    assert seen.board == names
    assert off(seen.corners, corners) < 0.5


def test_stickers_may_lie_turned() -> None:
    image, corners = with_stickers("usa", Pose(20, 0, 0.75), turned=1)
    seen = stickers_in(gray(image), ["usa"])
    assert seen is not None
    assert off(seen.corners, corners) < 0.5


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        ("bare", covered),
        ("bleached and blurred", lambda image, corners: blurred(bleached(image, corners), 2)),
        ("bare and dark", lambda image, corners: darker(covered(image, corners), 6)),
    ],
)
def test_stickers_find_a_board_whose_print_can_not_be_seen(name: str, harm: object) -> None:
    assert callable(harm)
    pose = Pose(35, 190, 0.75)
    plain, _ = practice("usa", 3, pose=pose, light="neutral", size=SIZE, surface="checked cloth")
    image, corners = with_stickers("usa", pose, "usa")
    with pytest.raises(Trouble):
        locate(of_image(harm(plain, corners)), prints=[drawn_print("usa")])
    located = locate(of_image(harm(image, corners)), prints=[drawn_print("usa"), drawn_print("europe")])
    assert (located.board_id, located.by) == ("usa", "stickers")
    assert off(located.corners, corners) < 0.5


def test_the_print_makes_stickers_exact_and_says_which_board_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stickers laid 1 % beside their corners, and a print that is not recognised at first glance."""
    monkeypatch.setattr("vision.locate._search", lambda *_: None)
    image, corners = with_stickers("europe", Pose(30, 8, 0.7), beside=0.01)
    located = locate(of_image(image), prints=[drawn_print("usa"), drawn_print("europe")])
    assert (located.board_id, located.by) == ("europe", "stickers")
    assert off(located.corners, corners) < 0.2


def test_stickers_that_name_no_board_ask_which_it_is() -> None:
    image, corners = with_stickers("usa", Pose(20, 0, 0.75))
    bare = covered(image, corners)
    prints = [drawn_print("usa"), drawn_print("europe")]
    with pytest.raises(Trouble) as told:
        locate(of_image(bare), prints=prints)
    assert (told.value.code, told.value.nothing_seen) == ("stickers-which-board", True)
    located = locate(of_image(bare), "usa", prints)
    assert (located.board_id, located.by) == ("usa", "stickers")
    assert off(located.corners, corners) < 0.5


def test_stickers_of_another_board_are_not_taken_for_it() -> None:
    image, corners = with_stickers("usa", Pose(20, 0, 0.75), "europe")
    with pytest.raises(Trouble) as told:
        locate(of_image(covered(image, corners)), "usa", [drawn_print("usa")])
    assert told.value.code == "no-such-board-here"


def test_three_stickers_are_not_enough() -> None:
    image, _ = with_stickers("usa", Pose(20, 0, 0.75), missing="BR")
    assert stickers_in(gray(image), ["usa"]) is None


@pytest.mark.parametrize("surface", ["wood", "checked cloth", "plain cloth", "floor"])
def test_a_table_without_stickers(surface: str) -> None:
    image, _ = practice("europe", 8, pose=Pose(25, 10), surface=surface)
    assert stickers_in(gray(image), maps.available()) is None


def test_a_board_that_is_seen_well_is_found_by_its_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.locate.stickers_in", lambda *_: pytest.fail("a clear photo paid for stickers"))
    image, _ = with_stickers("usa", Pose(20, 0, 0.75))
    assert locate(of_image(image), prints=[drawn_print("usa")]).by == "print"


def test_the_page_of_stickers_is_a_pdf(tmp_path: Path) -> None:
    page(tmp_path / "stickers.pdf", "Top left: TL", "europe")
    assert (tmp_path / "stickers.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(Trouble) as told:
        page(tmp_path / "missing" / "stickers.pdf")
    assert told.value.code == "picture-not-written"

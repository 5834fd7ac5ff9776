"""Finding the board: in any pose on photos drawn by us, on real photos with floors; what is no board is refused."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

import maps
from maps import Trouble
from vision.fingerprints import SQUARE, Fingerprint, built_in, fingerprint_of
from vision.locate import locate, pose, problems
from vision.photo import load, of_image
from vision.refine import near
from vision.studio import Pose, practice
from vision.studio.surfaces import SURFACES, table


@lru_cache(maxsize=8)
def drawn_print(board: str) -> Fingerprint:
    image, truth = practice(board, 0, taken=0, stations=False, pose=Pose(0, 0), light="neutral", surface="wood")
    return fingerprint_of(image, truth["corners"], board)


def off(found: object, real: object) -> float:
    """The worst corner in per cent of the board's width."""
    a, b = np.array(found, float), np.array(real, float)
    return float(np.linalg.norm(a - b, axis=1).max() / np.linalg.norm(b[1] - b[0]) * 100)


POSES = [
    Pose(0, 0), Pose(45, 0), Pose(20, 90), Pose(20, 180), Pose(35, 250), Pose(10, 17, 0.58), Pose(30, 200, 0.97),
]  # fmt: skip


@pytest.mark.parametrize("pose", POSES, ids=lambda p: f"tilt {p.tilt:.0f} turn {p.turn:.0f} fill {p.fill}")
def test_any_pose_is_found(pose: Pose) -> None:
    image, truth = practice("usa", 3, pose=pose, light="warm", stations=False)
    located = locate(of_image(image), "usa", [drawn_print("usa")])
    assert off(located.corners, truth["corners"]) < 0.5


@pytest.mark.parametrize("light", ["glare", "shadowed", "dim"])
def test_bad_light(light: str) -> None:
    image, truth = practice("europe", 4, pose=Pose(25, 10), light=light)
    located = locate(of_image(image), None, [drawn_print("usa"), drawn_print("europe")])
    assert located.board_id == "europe"
    assert off(located.corners, truth["corners"]) < 0.5


def test_a_board_that_is_slightly_cut_off() -> None:
    image, truth = practice("usa", 6, pose=Pose(15, 0, 0.95), stations=False)
    cut = 90
    located = locate(of_image(np.ascontiguousarray(image[:, cut:])), "usa", [drawn_print("usa")])
    assert off(located.corners, np.array(truth["corners"]) - [cut, 0]) < 0.6


def test_the_same_photo_gives_the_same_answer() -> None:
    image, _ = practice("usa", 3, pose=Pose(20, 30), stations=False)
    first, second = (locate(of_image(image), "usa", [drawn_print("usa")]).corners for _ in range(2))
    assert first == second


def _nothing(kind: str) -> np.ndarray:  # type: ignore[type-arg]
    rng = np.random.default_rng(0)
    if kind in SURFACES:
        return np.asarray(cv2.resize(np.tile(table(rng, kind), (2, 3, 1)), (1200, 800)), np.uint8)
    if kind == "newspaper":
        page = np.full((800, 1000, 3), 235, np.uint8)
        for line in range(20, 790, 14):
            words = "".join(chr(c) for c in rng.integers(97, 123, 80))
            cv2.putText(page, words, (15, line), cv2.FONT_HERSHEY_COMPLEX, 0.45, (40, 40, 40))
        return page
    if kind == "plain":
        return np.full((800, 1000, 3), 128, np.uint8)
    stripes = np.zeros((800, 1000, 3), np.uint8)
    stripes[:, ::40] = 255
    stripes[::40] = 255
    return stripes


@pytest.mark.parametrize("kind", ["plain", "stripes", "newspaper", "wood", "checked cloth"])
def test_no_board_says_so(kind: str) -> None:
    with pytest.raises(Trouble) as caught:
        locate(of_image(_nothing(kind)))
    assert caught.value.code == "no-board"
    assert caught.value.nothing_seen


def test_another_board_is_not_taken_for_the_one_told() -> None:
    image, _ = practice("europe", 2, pose=Pose(10, 0))
    with pytest.raises(Trouble) as caught:
        locate(of_image(image), "usa", [p for p in built_in() if p.board_id == "usa"])
    assert caught.value.code == "no-such-board-here"


@pytest.mark.parametrize(("shown", "known"), [("usa", "europe"), ("asia", "legendary-asia")])
def test_a_board_is_not_found_by_the_print_of_another(shown: str, known: str) -> None:
    """Drawn boards share their score track, their letters and their city dots."""
    image, _ = practice(shown, 5, taken=0.3, pose=Pose(10, 0, 0.95), light="neutral")
    with pytest.raises(Trouble) as caught:
        locate(of_image(image), None, [drawn_print(known)])
    assert caught.value.code == "no-board"


def test_a_mirrored_board_is_none() -> None:
    image, _ = practice("usa", 3, pose=Pose(15, 0))
    with pytest.raises(Trouble):
        locate(of_image(np.ascontiguousarray(image[:, ::-1])), None, [drawn_print("usa")])


@pytest.mark.parametrize("seed", range(20))
def test_matches_that_agree_on_nothing_make_no_pose(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pixels = (rng.random((60, 2)) * [1000, 750]).astype(np.float32)
    assert pose(pixels, rng.random((60, 2)).astype(np.float32), 1.5, (1000, 750)) is None


@pytest.mark.parametrize("kind", ["one corner", "one line", "one place", "mirrored"])
def test_matches_that_agree_on_nonsense_make_no_pose(kind: str) -> None:
    rng = np.random.default_rng(1)
    board = rng.random((60, 2))
    if kind == "one corner":
        board = board * 0.15
    elif kind == "one line":
        board[:, 1] = 0.5
    pixels = np.full((60, 2), 300.0) if kind == "one place" else board * [800, 530] + 100
    if kind == "mirrored":
        pixels[:, 0] = 1000 - pixels[:, 0]
    assert pose(pixels.astype(np.float32), board.astype(np.float32), 1.5, (1000, 750)) is None


@pytest.mark.parametrize("spread", [1.0, 8.0, 1e9])
@pytest.mark.parametrize("reach", [0.1, 0.9, 5.0])
def test_pairs_within_reach_are_all_found_however_far_a_pose_sends_the_marks(spread: float, reach: float) -> None:
    chance = np.random.default_rng(1)
    expected, seen = chance.normal(0, spread, (60, 2)), chance.uniform(-4, 4, (80, 2)).astype(np.float32)
    apart = ((expected[:, None] - seen[None].astype(np.float64)) ** 2).sum(-1)
    of, at = near(expected, seen, reach)
    assert set(zip(of.tolist(), at.tolist(), strict=True)) == set(map(tuple, np.argwhere(apart < reach**2).tolist()))


def test_a_board_without_a_fingerprint_says_what_to_do() -> None:
    with pytest.raises(Trouble) as caught:
        locate(of_image(_nothing("plain")), "san-francisco")
    assert caught.value.code == "no-fingerprint"


def homography(corners: list[list[float]]) -> np.ndarray:  # type: ignore[type-arg]
    fitted = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), np.array(corners, np.float32))
    return np.asarray(fitted, np.float64)


@pytest.mark.parametrize(
    ("corners", "problem"),
    [
        ([[100, 100], [900, 100], [900, 640], [100, 640]], None),
        ([[900, 100], [100, 100], [100, 640], [900, 640]], "mirrored"),
        ([[100, 100], [130, 100], [130, 120], [100, 120]], "small"),
        ([[100, 100], [900, 100], [900, 180], [100, 180]], "tilted"),
        ([[480, 100], [520, 100], [980, 640], [20, 640]], "lopsided"),
        ([[-3000, 100], [-2200, 100], [-2200, 640], [-3000, 640]], "outside"),
    ],
)
def test_a_homography_that_makes_no_sense_is_named(corners: list[list[float]], problem: str | None) -> None:
    found = problems(homography(corners), 1.5, (1000, 750))
    assert found == () if problem is None else problem in found


def test_fingerprints_are_small_and_of_known_boards() -> None:
    prints = built_in()
    assert {p.board_id for p in prints} == {"usa", "europe", "united-kingdom", "legendary-asia", "pennsylvania"}
    folder = Path(maps.__file__).parent.parent / "models" / "fingerprints"
    assert sum(f.stat().st_size for f in folder.glob("*.npz")) < 1_700_000


@pytest.mark.parametrize(
    "name",
    ["photos/usa/IMG_4134", "photos/usa/IMG_4168", "photos/usa/IMG_4185", "photos/europe/cropped1_12-12",
     "renders/boards/united-kingdom-1003", "renders/boards/legendary-asia-1005", "renders/boards/pennsylvania-1002"],
)  # fmt: skip
def test_shared_photos_are_found_without_a_hint(shared: Path, name: str) -> None:
    truth = json.loads((shared / f"{name}.json").read_text(encoding="utf-8"))
    located = locate(load(shared / f"{name}.jpg"))
    assert located.board_id == truth["board"]
    assert off(located.corners, truth["corners"]) < 0.5


@pytest.mark.parametrize("board", ["usa"])
def test_the_art_of_a_board_is_not_found_by_other_prints(shared: Path, board: str) -> None:
    art = load(shared / "art" / "boards" / f"{board}.webp")
    with pytest.raises(Trouble) as caught:
        locate(art, None, [p for p in built_in() if p.board_id != board])
    assert caught.value.code == "no-board"


@pytest.mark.parametrize("name", ["none-0021", "claim-classic-0001"])
def test_shared_pictures_without_a_board(shared: Path, name: str) -> None:
    with pytest.raises(Trouble) as caught:
        locate(load(shared / "renders" / "cards" / f"{name}.jpg"))
    assert caught.value.code == "no-board"

"""The tracker on drawn frames: it follows, waits for a steady and sharp view, reads what changed, and settles."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: any detector of OpenCV

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import maps
from maps import Board, Trouble
from vision.config import LIVE
from vision.decide import Seen
from vision.fingerprints import SQUARE, Fingerprint, fingerprint_of
from vision.live import Live, Slices, Tracker, sharpness
from vision.locate import Located
from vision.photo import Photo, load, of_image
from vision.refine import project
from vision.studio import Pose, practice
from vision.studio.surfaces import printed

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
BOARD = "usa"
SIZE = (1280, 720)


class Clock:
    """A clock that stands still until somebody moves it: how busy the machine is makes no difference here."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    still = Clock()
    monkeypatch.setattr("vision.live.time.perf_counter", still)
    return still


@lru_cache(maxsize=1)
def drawn() -> tuple[Image, dict[str, Any]]:
    return practice(BOARD, 3, size=SIZE, pose=Pose(20, 5, 0.8), light="neutral", surface="wood")


@lru_cache(maxsize=1)
def drawn_print() -> Fingerprint:
    board = maps.load(BOARD)
    art = printed(board, 1200)
    height, width = art.shape[:2]
    return fingerprint_of(art, [(0, 0), (width, 0), (width, height), (0, height)], board)


def journey(step: float) -> Matrix:
    """A hand that drifts, turns, leans and comes nearer, all at once."""
    turned = np.vstack([cv2.getRotationMatrix2D((640, 360), 0.3 * step, 1 + 0.004 * step), [0, 0, 1]])
    lean = np.array([[1, 0, 4 * step], [0, 1, -2 * step], [3e-6 * step, 2e-6 * step, 1]])
    return np.asarray(lean @ turned, np.float64)


def moved(image: Image, by: Matrix) -> Image:
    return np.asarray(cv2.warpPerspective(image, by, SIZE, borderMode=cv2.BORDER_REFLECT), np.uint8)


def true_corners(by: Matrix | None = None) -> Matrix:
    corners = np.array(drawn()[1]["corners"], np.float64)
    return corners if by is None else np.asarray(cv2.perspectiveTransform(corners[None], by)[0], np.float64)


def off(live: Live, by: Matrix | None = None) -> float:
    """How far the corners are off at most, in board widths."""
    true = true_corners(by)
    return float(np.abs(np.array(live.corners) - true).max() / np.linalg.norm(true[1] - true[0]))


@dataclass
class FakeReader:
    """Answers from a table of owners, and writes down what it was asked for."""

    owners: dict[str, str | None]
    chance: float = 0.98
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(self, _photo: Photo, _located: Located, board: Board, places: Sequence[str]) -> Mapping[str, Seen]:
        self.asked.append(tuple(places))
        return {place: self._seen(board, place) for place in places}

    def _seen(self, board: Board, place: str) -> Seen:
        outcomes = (None, *board.wagon_colors)
        logs = np.full((board.routes[place].length, len(outcomes)), np.log((1 - self.chance) / (len(outcomes) - 1)))
        logs[:, outcomes.index(self.owners[place])] = np.log(self.chance)
        return Seen(logs, np.ones(len(logs), np.float32))

    @property
    def places(self) -> set[str]:
        return {place for asked in self.asked for place in asked}


def tracker(reader: FakeReader | None = None) -> Tracker:
    return Tracker(BOARD, reader or FakeReader(dict(drawn()[1]["routes"])), [drawn_print()])


def until_settled(follow: Tracker, frame: Image, most: int = 60) -> Iterator[Live]:
    for _ in range(most):
        live = follow.update(frame)
        yield live
        if live.settled:
            return
    pytest.fail("the reading did not settle")


def painted(image: Image, route: str, bgr: tuple[int, int, int]) -> Image:
    """The frame with wagons of a colour laid on a route."""
    board, geometry = maps.load(BOARD), maps.load(BOARD).geometry
    place = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), true_corners().astype(np.float32))
    result: Image = image.copy()
    for space in board.routes[route].spaces:
        box = cv2.boxPoints(
            ((space.x, space.y / geometry.aspect), (geometry.space_length, geometry.space_width), space.angle)
        )
        corners = cv2.perspectiveTransform((box * [1, geometry.aspect])[None].astype(np.float64), place)[0]
        cv2.fillConvexPoly(result, np.round(corners).astype(np.int32), bgr, cv2.LINE_AA)
    return result


def test_a_moving_board_is_followed() -> None:
    image, _ = drawn()
    follow = tracker()
    for n in range(21):
        live = follow.look(moved(image, journey(n)))
        assert live.state == "moving"
        assert live.located is not None
        assert live.located.board_id == BOARD
        assert off(live, journey(n)) < 0.01
    assert live.located is not None
    assert live.located.to_photo(SQUARE) == pytest.approx(np.array(live.corners))


def test_corners_are_told_in_pixels_of_a_larger_frame() -> None:
    image, _ = drawn()
    large = np.asarray(cv2.resize(image, None, fx=1.5, fy=1.5), np.uint8)
    follow = tracker()
    for _ in range(4):
        live = follow.look(large)
    assert live.steady
    # Pixel centres: 0 of the small frame lies at 0.25 of the large one.
    small = (np.array(live.corners) - 0.25) / 1.5
    assert np.abs(small - true_corners()).max() < 0.01 * SIZE[0]


def test_nothing_is_read_before_the_hand_is_steady() -> None:
    image, truth = drawn()
    reader = FakeReader(dict(truth["routes"]))
    follow = tracker(reader)
    for n in range(6):
        live = follow.update(moved(image, journey(n)))
        assert (live.state, live.reading, live.settled) == ("moving", None, False)
    assert reader.asked == []
    still = moved(image, journey(5))
    states = [follow.update(still).state for _ in range(4)]
    assert states[0] == "moving"
    assert states[-1] == "steady"
    assert reader.asked


def test_blurred_frames_are_told_and_not_read() -> None:
    image, truth = drawn()
    reader = FakeReader(dict(truth["routes"]))
    follow = tracker(reader)
    while not follow.look(image).steady:
        pass
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), 3), np.uint8)
    assert [follow.update(blurred).state for _ in range(3)] == ["blurred"] * 3
    assert reader.asked == []
    assert follow.update(image).steady


def test_sharpness_falls_with_blur_and_not_with_the_light() -> None:
    gray = np.asarray(cv2.cvtColor(drawn()[0], cv2.COLOR_BGR2GRAY), np.uint8)
    best = sharpness(gray, true_corners())
    assert sharpness(np.asarray(cv2.GaussianBlur(gray, (0, 0), 3), np.uint8), true_corners()) < LIVE.least_sharp * best
    assert sharpness(np.asarray(gray * 0.6, np.uint8), true_corners()) == pytest.approx(best, rel=0.1)


def test_a_board_that_left_is_searched_and_found_again() -> None:
    image, _ = drawn()
    follow = tracker()
    assert follow.look(image).located is not None
    table = np.full_like(image, 90)
    for _ in range(3):
        live = follow.look(table)
        assert (live.state, live.located, live.corners, live.settled) == ("searching", None, (), False)
    elsewhere = journey(-12)
    for _ in range(LIVE.search_every + 2):
        live = follow.look(moved(image, elsewhere))
    assert live.located is not None
    assert off(live, elsewhere) < 0.01


def test_a_jump_to_another_place_is_no_movement() -> None:
    image, _ = drawn()
    follow = tracker()
    assert follow.look(image).located is not None
    upside_down = np.array([[-1, 0, SIZE[0] - 1], [0, -1, SIZE[1] - 1], [0, 0, 1]], np.float64)
    seen = [follow.look(moved(image, upside_down)) for _ in range(3)]
    assert seen[0].state == "searching"
    assert off(seen[-1], upside_down) < 0.01


def test_frames_of_another_size_are_searched_anew() -> None:
    image, _ = drawn()
    follow = tracker()
    assert follow.look(image).located is not None
    cut = np.ascontiguousarray(image[:, 40:])
    seen = [follow.look(cut) for _ in range(2)]
    assert seen[0].state == "searching"
    assert np.abs(np.array(seen[1].corners) - true_corners() + np.array([40, 0])).max() < 0.01 * SIZE[0]


def test_the_whole_board_is_read_in_slices_and_settles() -> None:
    image, truth = drawn()
    reader = FakeReader(dict(truth["routes"]))
    board = maps.load(BOARD)
    longest = max(route.length for route in board.routes.values())
    seen = list(until_settled(tracker(reader), image))
    assert max(sum(board.routes[r].length for r in asked) for asked in reader.asked) < LIVE.slice + longest
    assert sorted(r for asked in reader.asked for r in asked) == sorted([*board.routes] * LIVE.reads)
    reading = seen[-1].reading
    assert reading is not None
    assert {r: told.color for r, told in reading.routes.items()} == truth["routes"]
    # Until the first slice of all is in there is no reading; a settled one does not change.
    assert seen[2].reading is None
    assert [live.settled for live in seen].count(True) == 1


def test_slices_fit_into_what_a_frame_has_left(clock: Clock) -> None:
    """A reader that takes 10 ms a space may look at six of them, less what following took."""
    image, truth = drawn()
    board = maps.load(BOARD)
    reader = FakeReader(dict(truth["routes"]))

    def slow(photo: Photo, located: Located, board: Board, places: Sequence[str]) -> Mapping[str, Seen]:
        clock.now += 0.01 * sum(board.routes[place].length for place in places)
        return reader(photo, located, board, places)

    last = list(until_settled(Tracker(BOARD, slow, [drawn_print()]), image, 200))[-1]
    sizes = [sum(board.routes[place].length for place in asked) for asked in reader.asked if asked]
    longest = max(route.length for route in board.routes.values())
    assert max(sizes[8:]) < LIVE.budget / 0.01 + longest
    assert sizes[0] > max(sizes[8:])
    assert last.reading is not None
    assert {r: told.color for r, told in last.reading.routes.items()} == truth["routes"]


def test_a_changed_route_is_read_again_and_no_other() -> None:
    image, truth = drawn()
    reader = FakeReader(dict(truth["routes"]))
    follow = tracker(reader)
    list(until_settled(follow, image))
    reader.asked.clear()
    brighter = np.asarray(cv2.convertScaleAbs(image, alpha=1.08), np.uint8)
    assert all(live.settled for live in (follow.update(brighter) for _ in range(3)))
    assert reader.asked == []
    route = next(r for r, color in truth["routes"].items() if color is None and maps.load(BOARD).routes[r].length == 4)
    reader.owners[route] = "red"
    after = painted(image, route, (30, 30, 200))
    assert not follow.update(after).settled
    last = list(until_settled(follow, after))[-1]
    assert last.reading is not None
    assert last.reading.routes[route].color == "red"
    assert route in reader.places
    # Neighbours that the wagons overlap may be looked at as well.
    assert len(reader.places) <= 3


def test_doubtful_routes_are_read_more_often() -> None:
    image, truth = drawn()
    reader = FakeReader(dict(truth["routes"]), chance=0.3)
    live = list(until_settled(tracker(reader), image, 120))[-1]
    assert live.reading is not None
    assert live.reading.doubtful
    counts = {r: sum(r in asked for asked in reader.asked) for r in reader.places}
    assert {counts[r] for r in live.reading.doubtful} == {LIVE.most_reads}


def test_one_odd_reading_is_outvoted() -> None:
    image, truth = drawn()
    reader = FakeReader(dict(truth["routes"]))
    follow = tracker(reader)
    route = next(r for r, color in truth["routes"].items() if color is not None)
    right, reader.owners[route] = reader.owners[route], None
    while follow.update(image).reading is None:
        pass
    reader.owners[route] = right
    reading = list(until_settled(follow, image))[-1].reading
    assert reading is not None
    assert reading.routes[route].color == right


def test_a_picture_without_a_board_is_searched_only_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[int, ...]] = []

    def nowhere(photo: Photo, *_: object, **__: object) -> Located:
        tried.append(photo.image.shape)
        raise Trouble("no-board", nothing_seen=True)

    monkeypatch.setattr("vision.live.locate", nowhere)
    follow = tracker()
    table = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    assert {follow.update(table).state for _ in range(3 * (LIVE.search_every + 1))} == {"searching"}
    assert [max(shape) for shape in tried] == [LIVE.search_side, LIVE.search_side, SIZE[0]]


def test_a_board_without_a_fingerprint_is_told_at_once() -> None:
    with pytest.raises(Trouble) as told:
        Tracker("asia", prints=[drawn_print()])
    assert told.value.code == "no-fingerprint"


def view_of(photo: Image, by: Matrix) -> Image:
    """What a camera sees that is held over a photo."""
    return np.asarray(cv2.warpPerspective(photo, by, SIZE, flags=cv2.INTER_AREA, borderValue=(90, 90, 90)), np.uint8)


def test_a_hand_over_a_real_photo(shared: Path) -> None:
    """Pans and leans over a phone's photo, loses the board, finds it again, holds still: read as the photo is."""
    truth = json.loads((shared / "photos/usa/IMG_4168.json").read_text(encoding="utf-8"))
    photo = load(shared / "photos/usa/IMG_4168.jpg")
    corners = project(np.array(truth["corners"], np.float64), photo.shrink)
    middle, wide = corners.mean(0), float(np.linalg.norm(corners[1] - corners[0]))
    scale = 0.8 * SIZE[0] / wide
    centred = np.array([[scale, 0, 640 - scale * middle[0]], [0, scale, 360 - scale * middle[1]], [0, 0, 1]])
    follow = Tracker(knowledge=None)
    for n in range(15):
        live = follow.update(view_of(photo.image, journey(n) @ centred))
        true = project(corners, journey(n) @ centred)
        assert live.located is not None
        assert np.abs(np.array(live.corners) - true).max() < 0.01 * SIZE[0]
    assert live.state == "moving"
    table = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    assert [follow.update(table).state for _ in range(3)] == ["searching"] * 3
    seen = [follow.update(view_of(photo.image, centred)) for _ in range(90)]
    assert seen[LIVE.search_every + 1].located is not None
    assert np.abs(np.array(seen[-1].corners) - project(corners, centred)).max() < 0.004 * SIZE[0]
    assert seen[-1].settled
    assert seen[-1].reading is not None
    wrong = [r for r, told in seen[-1].reading.routes.items() if told.color != truth["routes"][r]]
    # A frame has a quarter of the photo's pixels.
    assert len([r for r in wrong if r not in seen[-1].reading.doubtful]) <= 2


@pytest.mark.parametrize("board_id", ["usa", "europe"])
def test_slices_read_what_a_photo_reads(board_id: str) -> None:
    image, truth = practice(board_id, 3, size=SIZE, pose=Pose(10, 0, 0.9), light="neutral")
    board = maps.load(board_id)
    place = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), np.array(truth["corners"], np.float32))
    located = Located(board_id, np.asarray(place, np.float64), tuple((x, y) for x, y in truth["corners"]))
    photo, slices = of_image(image), Slices()
    # Tracks side by side are seen by the same net: a slice has all tracks of a group.
    groups = list(board.groups.values())
    some = ({track.id for group in groups[n : n + 5] for track in group} for n in (4, 9))
    first, second = ([route for route in board.routes if route in half] for half in some)
    cities = list(board.cities)[:5] if board_id == "europe" else []
    places = [*first, *second, *cities]
    halves = {**slices(photo, located, board, first), **slices(photo, located, board, [*second, *cities])}
    whole = Slices()(photo, located, board, list(board.routes))
    assert list(halves) == places
    for route in (*first, *second):
        assert halves[route].logs == pytest.approx(whole[route].logs, abs=1e-3)
        assert halves[route].logs.shape == (board.routes[route].length, 1 + len(board.wagon_colors))

"""Wagons that lie beside their tracks are counted where they belong, all tracks of a group together."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import maps
from vision import decide, groups, lanes, spaces
from vision.arrays import Logs
from vision.reading import RouteReading

BOARD = maps.load("usa")
LAYOUT = spaces.layout(BOARD)
COLORS = ("empty", *BOARD.wagon_colors)
PAIR = ("seattle-vancouver-gray", "seattle-vancouver-gray-2")
ALONE = "denver-helena-green"
PLAYING = {"atlanta-miami-blue": "blue", "calgary-helena-gray": "black", "calgary-winnipeg-white": "red"}
KNOWN = decide.Knowledge(colors=("blue", "black", "red"))


def rows(route: str) -> NDArray[np.intp]:
    return LAYOUT.rows(list(BOARD.routes).index(route))


def looks(color: str, chance: float, n: int) -> Logs:
    table = np.full((n, len(COLORS)), (1 - chance) / (len(COLORS) - 1))
    table[:, COLORS.index(color)] = chance
    return np.asarray(np.log(table), np.float64)


def seen(lying: dict[str, str]) -> decide.Seen:
    logs = looks("empty", 0.99, len(LAYOUT.centres))
    for name, color in {**PLAYING, **lying}.items():
        logs[rows(name)] = looks(color, 0.99, len(rows(name)))
    return decide.Seen(logs, np.ones(len(logs), np.float32))


def of(track: str) -> lanes.Lanes:
    return next(part for part in lanes.lanes(BOARD, LAYOUT) if track in part.tracks)


def decided(lying: dict[str, str], outside: dict[lanes.Side, Logs]) -> decide.Decided:
    return decide.decided(BOARD, decide.Evidence(seen(lying), None, outside), KNOWN, LAYOUT)


def test_places_outside_a_pair_go_on_where_its_tracks_end() -> None:
    part = of(PAIR[0])
    one, two = (LAYOUT.centres[r] for r in part.rows)
    before, after = part.beside[-2], part.beside[4]
    assert np.linalg.norm(before.centres - one, axis=1) == pytest.approx(1.2 * LAYOUT.unit, rel=0.1)
    assert ((before.centres - one) * (two - one)).sum() < 0 < ((after.centres - two) * (two - one)).sum()


@pytest.mark.parametrize("board_id", maps.available())
def test_no_place_outside_lies_on_another_track(board_id: str) -> None:
    layout = spaces.layout(maps.load(board_id))
    for part in lanes.lanes(layout.board, layout):
        others = np.delete(layout.centres, np.concatenate(part.rows), axis=0)
        for at, place in part.beside.items():
            away = np.linalg.norm(place.centres[:, None] - others, axis=-1)
            assert away.min(initial=np.inf) > (1.5 if at in (-2, 2 * len(part.tracks)) else 0.7) * layout.unit


def test_a_pair_pushed_over_by_one_track_goes_back() -> None:
    part = of(PAIR[0])
    first, second = part.tracks
    found = decided({second: "blue"}, {(first, 4): looks("black", 0.97, 1), (first, -2): looks("empty", 0.99, 1)})
    assert (found.routes[first].color, found.routes[second].color) == ("blue", "black")
    assert {s.route for s in found.strays} == {first, second} <= set(found.doubtful)


def test_a_wagon_beside_the_empty_track_of_a_pair_is_counted_on_it() -> None:
    part = of(PAIR[0])
    first, second = part.tracks
    found = decided({second: "blue"}, {(first, -2): looks("black", 0.97, 1)})
    assert (found.routes[first].color, found.routes[second].color) == ("black", "blue")
    assert [(s.route, s.color) for s in found.strays] == [(first, "black")]
    assert found.routes[first].spaces == ("black",)


def test_wagons_beside_a_single_track_are_counted_on_it() -> None:
    side, place = next((at, place) for at, place in of(ALONE).beside.items() if at in (-2, 2))
    n = len(place.centres)
    found = decided({}, {(ALONE, side): looks("red", 0.97, n)})
    assert found.routes[ALONE].color == "red"
    (stray,) = found.strays
    assert len(stray.at) == n
    assert ALONE in found.doubtful


def test_half_a_route_beside_its_track_is_none() -> None:
    side, place = next((at, place) for at, place in of(ALONE).beside.items() if at in (-2, 2))
    n = len(place.centres)
    half = np.concatenate([looks("red", 0.97, n // 2), looks("empty", 0.99, n - n // 2)])
    found = decided({}, {(ALONE, side): half})
    assert found.routes[ALONE].color is None
    assert not found.strays


@pytest.mark.parametrize(("color", "chance"), [("empty", 0.99), ("blue", 0.99), ("black", 0.6)])
def test_bare_board_the_same_colour_or_a_guess_change_nothing(color: str, chance: float) -> None:
    part = of(PAIR[0])
    first, second = part.tracks
    found = decided({second: "blue"}, {(first, -2): looks(color, chance, 1), (first, 4): looks(color, chance, 1)})
    assert not found.strays
    assert (found.routes[first].color, found.routes[second].color) == (None, "blue")


def hardly(lying: dict[str, tuple[str, str]], outside: dict[lanes.Side, Logs]) -> decide.Decided:
    """The same where some tracks look like either of two, a little more like the first."""
    logs = seen({}).logs.copy()
    for name, (one, two) in lying.items():
        logs[rows(name)] = looks(one, 0.5, 1)
        logs[rows(name), COLORS.index(two)] = np.log(0.4)
    spots = decide.Seen(logs, np.ones(len(logs), np.float32))
    return decide.decided(BOARD, decide.Evidence(spots, None, outside), KNOWN, LAYOUT)


def test_a_pair_pushed_over_by_half_a_track_goes_back() -> None:
    first, second = of(PAIR[0]).tracks
    between = {(first, 1): looks("blue", 0.97, 1), (first, 3): looks("black", 0.97, 1)}
    # Of wagons that lie half on it a track shows either.
    lying = {first: ("empty", "blue"), second: ("blue", "black")}
    assert hardly(lying, {}).routes[first].color is None
    found = hardly(lying, between)
    assert (found.routes[first].color, found.routes[second].color) == ("blue", "black")
    assert {first, second} <= set(found.doubtful)


def test_a_wagon_half_beside_its_own_track_is_not_counted_on_the_next() -> None:
    first, second = of(PAIR[0]).tracks
    found = decided({first: "blue"}, {(first, 1): looks("blue", 0.97, 1), (first, -1): looks("empty", 0.97, 1)})
    assert (found.routes[first].color, found.routes[second].color) == ("blue", None)
    assert not found.strays


@pytest.mark.parametrize(("looks_like", "color"), [("red", "red"), ("empty", None)])
def test_wagons_half_beside_a_track_are_counted_on_it_unless_it_is_surely_empty(
    looks_like: str, color: str | None
) -> None:
    side, place = next((at, place) for at, place in of(ALONE).beside.items() if at in (-1, 1))
    outside = {(ALONE, side): looks("red", 0.97, len(place.centres))}
    found = decided({}, outside) if looks_like == "empty" else hardly({ALONE: ("empty", looks_like)}, outside)
    assert found.routes[ALONE].color == color
    # A wagon that is seen and counted nowhere is asked about.
    assert color or ALONE in found.doubtful


@pytest.mark.parametrize(("beside", "color"), [("red", None), (None, "black")])
def test_what_may_be_black_beside_wagons_is_their_shadow(beside: str | None, color: str | None) -> None:
    first, second = of(PAIR[0]).tracks
    lying = {first: ("black", "empty")}
    if beside:
        lying[second] = (beside, beside)
    assert hardly(lying, {}).routes[first].color == color


def test_black_that_was_pushed_over_with_its_neighbour_is_no_shadow() -> None:
    straight, pushed = groups._shaded((0, 0), 3, 2), groups._shaded((1, 1), 3, 2)
    assert straight[1, 2] == straight[2, 1] < straight[1, 1] == straight[0, 2] == straight[2, 2] == 0
    assert not pushed.any()
    assert not groups._shaded((0, 0), 3, 0).any()


@pytest.mark.parametrize(("color", "asked"), [("blue", True), ("black", False), ("empty", False)])
def test_black_with_another_wagon_half_beside_it_is_asked_about(color: str, asked: bool) -> None:
    part = of(ALONE)
    at = next(at for at in part.beside if at % 2)
    outside = {(ALONE, at): looks(color, 0.9, len(part.beside[at].centres))}
    found = decided({ALONE: "black"}, outside)
    assert found.routes[ALONE].color == "black"
    assert (ALONE in found.doubtful) is asked


def test_the_tracks_nearest_to_a_place() -> None:
    part = of(PAIR[0])
    first, second = part.tracks
    told = {at: lanes.nearest(part, at) for at in (-2, -1, 1, 3, 4)}
    assert told == {-2: (), -1: (first,), 1: (first, second), 3: (second,), 4: ()}


@pytest.mark.parametrize(("bare", "between", "asked"), [(0.9, 0.97, True), (0.9, 0.6, False), (0.997, 0.97, False)])
def test_wagons_seen_between_two_tracks_may_be_of_either(bare: float, between: float, asked: bool) -> None:
    first, second = PAIR
    plain = seen({second: "blue"})
    plain.logs[rows(first)] = looks("empty", bare, len(rows(first)))
    place = of(first).beside[1]
    outside = {(first, 1): looks("blue", between, len(place.centres))}
    found = decide.decided(BOARD, decide.Evidence(plain, None, outside), KNOWN, LAYOUT)
    assert (found.routes[first].color, found.routes[second].color) == (None, "blue")
    assert (first in found.doubtful) == (second in found.doubtful) == asked


def test_the_middle_one_of_three_tracks_is_asked_about_once() -> None:
    board = maps.load("asia")
    spots = spaces.layout(board)
    part = next(p for p in lanes.lanes(board, spots) if len(p.tracks) == 3)
    colors = ("empty", *board.wagon_colors)
    chances = np.full((1, len(colors)), 0.01)
    chances[0, 1] = 0.95
    outside = {(part.tracks[0], at): np.log(chances) for at in (1, 3)}
    blue = board.wagon_colors[0]
    found = {track: RouteReading(None if n == 1 else blue, 0.97, ()) for n, track in enumerate(part.tracks)}
    assert decide._astride(board, outside, found, spots) == list(part.tracks)

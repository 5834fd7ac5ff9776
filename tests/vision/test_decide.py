"""From single spaces to routes, with what the game allows: on made-up evidence, no picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import maps
from vision import decide, spaces
from vision.arrays import Logs
from vision.reading import RouteReading

BOARD = maps.load("usa")
COLORS = ("empty", *BOARD.wagon_colors)
DOUBLE = ("denver-omaha-pink", "kansas-city-saint-louis-blue")
# What each space looks like, and how surely; by route.
Spaces = list[tuple[str | None, float]]
Lying = dict[str, Spaces]


def looks(color: str | None, sure: float) -> Logs:
    """Chances of one space that looks like a colour with that much certainty."""
    chance = np.full(len(COLORS), (1 - sure) / (len(COLORS) - 1))
    chance[COLORS.index(color or "empty")] = sure
    return chance


def seen(lying: Lying, hidden: tuple[str, ...] = ()) -> decide.Seen:
    """A board that is empty for certain, but for some routes."""
    rows, inside = [], []
    for route in BOARD.routes.values():
        own = lying.get(route.id, [(None, 0.99)] * route.length)
        rows += [looks(color, sure) for color, sure in own]
        inside += [0.0 if route.id in hidden else 1.0] * route.length
    return decide.Seen(np.log(np.array(rows)), np.array(inside, np.float32))


def playing(*colors: str) -> Lying:
    """Two routes of each colour that nobody can doubt, so that the colours count as playing."""
    free = [r for r in BOARD.routes.values() if r.length >= 3 and len(BOARD.groups[r.group]) == 1]
    found: Lying = {}
    for i, color in enumerate(colors):
        for route in free[2 * i : 2 * i + 2]:
            found[route.id] = [(color, 0.99)] * route.length
    return found


def single(length: int) -> maps.Route:
    """A route without a parallel track that `playing` leaves alone."""
    used = playing(*BOARD.wagon_colors)
    return next(
        r for r in BOARD.routes.values() if r.length == length and len(BOARD.groups[r.group]) == 1 and r.id not in used
    )


def double() -> tuple[maps.Route, maps.Route]:
    group = next(g for g in BOARD.groups.values() if len(g) == 2 and g[0].length >= 3)
    return group[0], group[1]


def test_a_clear_board_is_read_without_doubt() -> None:
    lying = playing("red", "blue")
    found, doubtful = decide.routes(BOARD, seen(lying))
    assert {r: f.color for r, f in found.items() if f.color} == {r: own[0][0] for r, own in lying.items()}
    assert doubtful == []
    assert min(f.confidence for f in found.values()) > 0.95


def test_one_misread_space_does_not_change_a_long_route() -> None:
    route = single(5)
    spaces: Spaces = [*[("red", 0.95)] * 4, ("black", 0.7)]
    found, _ = decide.routes(BOARD, seen({**playing("red", "black"), route.id: spaces}))
    assert found[route.id].color == "red"
    assert found[route.id].spaces == ("red",) * 5


@pytest.mark.parametrize(
    ("spaces", "told"),
    [
        ([("red", 0.99), ("red", 0.99), (None, 0.99), (None, 0.99)], ("red", "red", None, None)),
        ([("red", 0.99), ("red", 0.99), ("red", 0.99), ("blue", 0.99)], ("red", "red", "red", "blue")),
        ([(None, 0.99), (None, 0.99), (None, 0.99), ("blue", 0.99)], (None, None, None, "blue")),
    ],
    ids=["half filled", "two colours", "one stray wagon"],
)
def test_what_is_no_claim_is_told_as_it_lies_and_doubted(
    spaces: list[tuple[str | None, float]], told: tuple[str | None, ...]
) -> None:
    route = single(4)
    found, doubtful = decide.routes(BOARD, seen({**playing("red", "blue"), route.id: spaces}))
    assert found[route.id].spaces == told
    assert route.id in doubtful


def test_unsure_spaces_make_a_doubtful_route() -> None:
    route = single(2)
    _, doubtful = decide.routes(BOARD, seen({**playing("red"), route.id: [("red", 0.5), (None, 0.5)]}))
    assert doubtful == [route.id]


def test_a_route_out_of_sight_is_doubtful() -> None:
    route = single(3)
    found, doubtful = decide.routes(BOARD, seen(playing("red"), hidden=(route.id,)))
    assert route.id in doubtful
    assert found[route.id].confidence < 0.9


def test_nobody_holds_both_tracks() -> None:
    one, two = double()
    lying: Lying = {
        **playing("red", "blue"),
        one.id: [("red", 0.99)] * one.length,
        two.id: [("red", 0.55)] * two.length,
    }
    alone, _ = decide.routes(BOARD, seen({k: v for k, v in lying.items() if k != one.id}))
    together, doubtful = decide.routes(BOARD, seen(lying))
    assert alone[two.id].color == "red"
    assert together[one.id].color == "red"
    assert together[two.id].confidence < alone[two.id].confidence
    assert two.id in doubtful


def test_a_colour_that_does_not_play_is_hardly_believed() -> None:
    route = single(2)
    lying: Lying = {**playing("red", "green"), route.id: [("black", 0.6)] * 2}
    told, _ = decide.routes(BOARD, seen(lying), decide.Knowledge(colors=("red", "green")))
    free, _ = decide.routes(BOARD, seen({**lying, **playing("red", "green", "black")}))
    assert told[route.id].color != "black"
    assert free[route.id].color == "black"


def test_what_was_claimed_before_stays() -> None:
    route = single(2)
    lying: Lying = {**playing("red", "green"), route.id: [(None, 0.6)] * 2}
    before, _ = decide.routes(BOARD, seen(lying), decide.Knowledge(known={route.id: "green"}))
    fresh, _ = decide.routes(BOARD, seen(lying))
    assert fresh[route.id].color is None
    assert before[route.id].color == "green"


def test_a_clear_photo_beats_what_was_known() -> None:
    route = single(4)
    found, _ = decide.routes(BOARD, seen(playing("red")), decide.Knowledge(known={route.id: "red"}))
    assert found[route.id].color is None


def test_nobody_lays_more_wagons_than_there_are() -> None:
    lying: Lying = {}
    total = 0
    long = sorted((r for r in BOARD.routes.values() if len(BOARD.groups[r.group]) == 1), key=lambda r: -r.length)
    for route in long:
        if total + route.length <= BOARD.wagons + 3:
            lying[route.id] = [("red", 0.99)] * route.length
            total += route.length
    extra = next(r for r in long if r.id not in lying)
    lying[extra.id] = [("red", 0.6)] * extra.length
    found, doubtful = decide.routes(BOARD, seen(lying))
    assert extra.id in doubtful
    assert all(found[r].color == "red" for r in lying if r != extra.id)


def test_two_players_leave_the_second_track_alone() -> None:
    one, two = double()
    lying: Lying = {
        **playing("red", "blue"),
        one.id: [("red", 0.99)] * one.length,
        two.id: [("blue", 0.6)] * two.length,
    }
    many, _ = decide.routes(BOARD, seen(lying), decide.Knowledge(players=5))
    few, doubtful = decide.routes(BOARD, seen(lying), decide.Knowledge(players=2, limits={one.group: 1}))
    assert many[two.id].color == "blue"
    assert few[two.id].color is None
    assert few[one.id].color == "red"
    assert two.id not in doubtful or few[two.id].confidence < 0.95


def test_no_more_colours_than_players() -> None:
    route = single(3)
    lying: Lying = {**playing("red", "blue"), route.id: [("green", 0.95)] * 3}
    free, _ = decide.routes(BOARD, seen(lying))
    told, doubtful = decide.routes(BOARD, seen(lying), decide.Knowledge(players=2))
    assert free[route.id].color == "green"
    assert told[route.id].color != "green" or route.id in doubtful


def test_a_lone_track_on_a_bare_board_is_asked_about_unless_the_game_is_known() -> None:
    route = single(3)
    alone: Lying = {route.id: [("red", 0.99)] * 3}
    told, doubtful = decide.routes(BOARD, seen(alone))
    assert told[route.id].color == "red"
    assert doubtful == [route.id]
    for known in (decide.Knowledge(colors=("red", "blue")), decide.Knowledge(known={route.id: "red"})):
        assert decide.routes(BOARD, seen(alone), known)[1] == []


@pytest.mark.parametrize(
    ("both", "game", "told"),
    [
        (0, decide.Knowledge(), None),
        (6, decide.Knowledge(), "blue"),
        (0, decide.Knowledge(players=5), "blue"),
        (0, decide.Knowledge(known={"duluth-omaha-gray": "red"}), "blue"),
    ],
)
def test_a_doubtful_second_owner_is_believed_where_others_are(
    both: int, game: decide.Knowledge, told: str | None
) -> None:
    """Eight pairs with one owner each say that the second tracks are closed, as with two or three players."""
    pairs = [g for g in BOARD.groups.values() if len(g) == 2]
    lying = playing("red", "blue")
    for i, (one, other) in enumerate(pairs[:14]):
        if i < 8:
            lying[one.id] = [("red", 0.995)] * one.length
        elif i < 8 + both:
            lying |= {one.id: [("red", 0.995)] * one.length, other.id: [("blue", 0.995)] * other.length}
    first, second = pairs[14]
    lying[first.id] = [("red", 0.995)] * first.length
    half = seen(lying)
    rows = spaces.layout(BOARD).rows(list(BOARD.routes).index(second.id))
    half.logs[rows] = np.log([0.38 if c == "empty" else 0.56 if c == "blue" else 0.015 for c in COLORS])
    found, doubtful = decide.routes(BOARD, half, game)
    assert found[second.id].color == told
    assert second.id in doubtful
    assert found[first.id].color == "red"


@pytest.mark.parametrize(
    ("plays", "better", "asked"),
    [("black", 0.2, True), ("black", 3.0, False), ("yellow", 0.2, False)],
)
def test_wagons_that_look_like_another_players_too_are_asked_about(plays: str, better: float, asked: bool) -> None:
    """Told for red, they fit this photo's red wagons only so much better than its black ones."""
    route = single(4)
    lying: Lying = {**playing("red", plays), route.id: [("red", 0.99)] * 4}
    told = seen(lying)
    fits = np.full((len(told.logs), len(BOARD.wagon_colors)), np.nan)
    rows = spaces.layout(BOARD).rows(list(BOARD.routes).index(route.id))
    fits[rows] = -9.0
    fits[rows, BOARD.wagon_colors.index("red")] = -1.0
    fits[rows, BOARD.wagon_colors.index("black")] = -1.0 - better
    found, doubtful = decide.routes(BOARD, replace(told, fits=fits))
    assert found[route.id].color == "red"
    assert (route.id in doubtful) == asked


def test_what_is_covered_is_asked_and_not_read() -> None:
    route = single(4)
    lying: Lying = {**playing("red", "blue"), route.id: [("red", 0.97)] * 4}
    plain = seen(lying)
    over = np.zeros(len(plain.logs), np.float32)
    number = list(BOARD.routes).index(route.id)
    over[spaces.layout(BOARD).route == number] = 0.9
    found = decide.decided(BOARD, decide.Evidence(decide.Seen(plain.logs, plain.inside, over)))
    assert found.covered == (route.id,)
    assert route.id in found.doubtful
    assert found.routes[route.id].confidence < 0.9


def test_wagons_on_the_only_tunnel_of_their_colour_are_asked_about() -> None:
    """Europe has one tunnel of each colour: nothing in the photo shows how it looks when it is bare."""
    board = maps.load("europe")
    names = (None, *board.wagon_colors)
    tunnels = [r for r in board.routes.values() if r.kind == "tunnel" and r.color in names]
    assert len(tunnels) == 5
    for route in tunnels:
        held = route.color, next(c for c in board.wagon_colors if c != route.color)
        for owner in held:
            rows = [
                [0.98 if n == (owner if r.id == route.id else None) else 0.004 for n in names]
                for r in board.routes.values()
                for _ in range(r.length)
            ]
            plain = decide.Seen(np.log(np.array(rows)), np.ones(len(rows), np.float32))
            found = decide.decided(board, decide.Evidence(plain), decide.Knowledge(colors=held))
            assert found.routes[route.id].color == owner
            assert (route.id in found.doubtful) is (owner == route.color)


def test_print_of_a_wagons_colour_is_asked_about_where_a_hand_lies_over_a_part() -> None:
    for color, asked in (("red", True), ("blue", False)):
        route = next(r for r in BOARD.routes.values() if r.color == "red" and r.length == 5)
        plain = seen({**playing("red", "blue"), route.id: [(color, 0.99)] * 5})
        over = np.zeros(len(plain.logs), np.float32)
        over[spaces.layout(BOARD).rows(list(BOARD.routes).index(route.id))[0]] = 0.9
        found = decide.decided(BOARD, decide.Evidence(decide.Seen(plain.logs, plain.inside, over)))
        assert found.routes[route.id].color == color
        assert (route.id in found.doubtful) is asked


def test_a_city_under_a_hand_is_asked_about() -> None:
    board = maps.load("europe")
    rows = sum(r.length for r in board.routes.values())
    bare = np.log(np.full((rows, 6), 0.004))
    bare[:, 0] = np.log(0.98)
    over = np.zeros(rows, np.float32)
    last = np.cumsum([r.length for r in board.routes.values()]) - 1
    for route, end in zip(board.routes.values(), last, strict=True):
        if "wien" in route.ends:
            over[end if route.b == "wien" else end - route.length + 1] = 0.9
    cities = decide.Seen(bare[: len(board.cities)], np.ones(len(board.cities), np.float32))
    seen_so = decide.Seen(bare, np.ones(rows, np.float32), over)
    found = decide.decided(board, decide.Evidence(seen_so, cities))
    assert "wien" in found.covered
    assert "wien" in found.doubtful
    assert set(found.covered) & set(board.cities) == {"wien"}
    in_sight = decide.decided(board, decide.Evidence(replace(seen_so, covered=over * 0), cities))
    assert not in_sight.covered
    assert not in_sight.doubtful
    over_it = np.where(np.array(list(board.cities)) == "athina", 0.9, 0.0).astype(np.float32)
    by_itself = decide.Evidence(replace(seen_so, covered=over * 0), replace(cities, covered=over_it))
    assert decide.decided(board, by_itself).covered == decide.decided(board, by_itself).doubtful == ("athina",)


def test_a_station_on_a_borrowed_track_is_told_as_one() -> None:
    board = maps.load("europe")
    route = next(r for r in board.routes.values() if r.length == 4 and len(board.groups[r.group]) == 1)
    names = (None, *board.wagon_colors)
    rows = []
    for r in board.routes.values():
        for i in range(r.length):
            lying = ("blue" if i == 2 else "red") if r.id == route.id else None
            rows.append([0.98 if n == lying else 0.02 / (len(names) - 1) for n in names])
    plain = decide.Seen(np.log(np.array(rows)), np.ones(len(rows), np.float32))
    found = decide.decided(board, decide.Evidence(plain))
    assert found.routes[route.id].color == "red"
    assert {r: s.color for r, s in found.borrowed.items()} == {route.id: "blue"}
    assert route.id in found.doubtful


def test_nobody_has_more_stations_than_the_box_holds() -> None:
    board = maps.load("europe")
    cities = list(board.cities)
    rows = [looks("red" if c in ("paris", "berlin", "wien", "roma") else None, 0.99) for c in cities]
    rows[cities.index("roma")] = looks("red", 0.93)
    sights = decide.Seen(np.log(np.array(rows)), np.ones(len(cities), np.float32))
    _, doubtful = decide.buildings(board, sights, ("station",))
    assert doubtful == ["roma"]


def test_stations_are_told_where_they_stand() -> None:
    board = maps.load("europe")
    cities = list(board.cities)
    rows = [looks("red" if c == "paris" else None, 0.99) for c in cities]
    rows[cities.index("berlin")] = looks(None, 0.5)
    sights = decide.Seen(np.log(np.array(rows)), np.ones(len(cities), np.float32))
    found, doubtful = decide.buildings(board, sights, ("station",))
    assert {c: s.color for c, s in found["station"].items()} == {"paris": "red"}
    assert doubtful == ["berlin"]


def test_with_depots_every_building_is_told_apart_and_looked_at() -> None:
    board = maps.load("europe")
    names = decide.building_names(board, ("station", "depot"))
    rows = np.full((len(board.cities), len(names) + 1), 1e-4)
    rows[:, 0] = 0.99
    at = {"paris": "red", "berlin": "depot-red"}
    for city, name in at.items():
        rows[list(board.cities).index(city)] = np.where(np.arange(len(names) + 1) == names.index(name) + 1, 0.99, 1e-4)
    sights = decide.Seen(np.log(rows), np.ones(len(rows), np.float32))
    found, doubtful = decide.buildings(board, sights, ("station", "depot"))
    assert {c: s.color for c, s in found["station"].items()} == {"paris": "red"}
    assert {c: s.color for c, s in found["depot"].items()} == {"berlin": "red"}
    assert set(doubtful) == {"paris", "berlin"}


def test_two_tracks_of_a_group_in_one_colour_are_both_looked_at() -> None:
    one, two = double()
    lying: Lying = {
        **playing("red", "blue"),
        one.id: [("red", 0.999)] * one.length,
        two.id: [("red", 0.999)] * two.length,
    }
    found, doubtful = decide.routes(BOARD, seen(lying))
    assert {one.id, two.id} <= set(doubtful)
    assert max(found[r.id].confidence for r in (one, two)) <= 0.6 + 1e-9
    assert all(sum(1 for _ in found[r.id].spaces) == r.length for r in (one, two))


def test_wagons_between_two_tracks_make_both_doubtful() -> None:
    first, second = double()
    lying = playing("red", "blue")
    lying[second.id] = [("red", 0.95)] * second.length
    rest: Spaces = [(None, 0.95)] * (first.length - 1)
    for color, asked in (("red", {first.id, second.id}), ("blue", {first.id})):
        found, doubtful = decide.routes(BOARD, seen({**lying, first.id: [(color, 0.97), *rest]}))
        assert (found[first.id].color, found[second.id].color) == (None, "red")
        assert {first.id, second.id} & set(doubtful) == asked


@pytest.mark.parametrize(("beside", "asked"), [(None, True), ("blue", False)])
def test_a_bare_track_is_asked_about_with_the_doubtful_wagons_beside_it(beside: str | None, asked: bool) -> None:
    first, second = double()
    wagons: Spaces = [("red", 0.95)] * (first.length - 1)
    lying = {**playing("red", "blue"), first.id: [*wagons, (None, 0.95)]}
    found, doubtful = decide.routes(BOARD, seen({**lying, second.id: [(beside, 0.99)] * second.length}))
    assert (found[first.id].color, found[second.id].color) == ("red", beside)
    assert first.id in doubtful
    assert (second.id in doubtful) == asked


@pytest.mark.parametrize(
    ("color", "bare", "known", "asked"),
    [("red", 0.8, False, True), ("red", 0.5, False, False), ("blue", 0.8, False, False), ("red", 0.8, True, False)],
)
def test_wagons_on_print_of_their_colour_with_a_bare_space_are_asked_about(
    color: str, bare: float, known: bool, asked: bool
) -> None:
    route = next(r for r in BOARD.routes.values() if r.color == "red" and r.length >= 5)
    own: Spaces = [*[(color, 0.98)] * (route.length - 1), (None, bare)]
    knowledge = decide.Knowledge(known={route.id: color} if known else None)
    found, doubtful = decide.routes(BOARD, seen({**playing("red", "blue"), route.id: own}), knowledge)
    assert found[route.id].color == color
    assert (route.id in doubtful) == asked


def test_wagons_that_look_as_if_on_two_tracks_are_told_on_one_and_both_are_asked_about() -> None:
    first, second = double()
    lying: Lying = {**playing("red"), first.id: [("red", 0.99)] * first.length}
    lying[second.id] = [("red", 0.97), *[("red", 0.6)] * (second.length - 1)]
    found, doubtful = decide.routes(BOARD, seen(lying), decide.Knowledge(("red",)))
    assert (found[first.id].color, found[second.id].color) == ("red", None)
    assert {first.id, second.id} <= set(doubtful)
    assert found[second.id].confidence <= 0.6 + 1e-9


@pytest.mark.parametrize(("sure", "standing", "asked"), [(0.7, False, True), (0.95, True, True), (0.995, True, False)])
def test_most_cities_have_no_station(sure: float, standing: bool, asked: bool) -> None:
    board = maps.load("europe")
    rows = np.full((len(board.cities), len(COLORS)), 1e-6)
    rows[:, 0] = 0.99
    rows[list(board.cities).index("palermo"), [0, COLORS.index("yellow")]] = 1 - sure, sure
    held = {"roma": RouteReading("yellow", 0.99, ())}
    sights = decide.Seen(np.log(rows), np.ones(len(rows), np.float32))
    found, doubtful = decide.buildings(board, sights, ("station",), held=held)
    assert ("palermo" in found["station"]) == standing
    assert ("palermo" in doubtful) == asked

"""Each sentence of the rules on scoring, with small positions counted by hand."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

from companion.rules import PlayerScore, Position, ScoreSheet, score
from maps import Message


def sheet(variant: str, *players: dict[str, Any], **more: object) -> ScoreSheet:
    named = [{"name": f"P{i}", **p} for i, p in enumerate(players, start=1)]
    return score(Position.from_json({"variant": variant, "players": named, **more}))


def first(variant: str, *players: dict[str, Any], **more: object) -> PlayerScore:
    return sheet(variant, *players, **more).players[0]


def told(messages: tuple[Message, ...]) -> list[str]:
    return [m.key for m in messages]


NOBODY: dict[str, Any] = {"routes": []}
COAST = ["atlanta-miami-blue", "atlanta-nashville-gray", "nashville-saint-louis-gray", "chicago-saint-louis-green"]


def tracks(*ids: str, **more: object) -> dict[str, Any]:
    return {"routes": list(ids), **more}


@pytest.mark.parametrize(
    ("variant", "route", "points"),
    [
        ("usa", "portland-seattle-gray", 1),
        ("usa", "denver-santa-fe-gray", 2),
        ("usa", "calgary-vancouver-gray", 4),
        ("usa", "denver-omaha-pink", 7),
        ("usa", "atlanta-miami-blue", 10),
        ("usa", "duluth-helena-orange", 15),
        ("europe", "petrograd-stockholm-gray", 21),
        ("pennsylvania", "baltimore-cumberland-blue", 18),
        ("united-kingdom", "new-york-southampton-gray", 40),
    ],
)
def test_a_route_counts_what_the_board_prints(variant: str, route: str, points: int) -> None:
    assert first(variant, tracks(route), NOBODY).breakdown["routes"] == points


@pytest.mark.parametrize(
    ("variant", "lines"),
    [
        ("usa", "routes tickets longest_path"),
        ("usa-1910", "routes tickets globetrotter"),
        ("usa-mega", "routes tickets longest_path globetrotter"),
        ("usa-big-cities", "routes tickets"),
        ("europe", "routes tickets stations longest_path"),
        ("europe-mega", "routes tickets stations longest_path"),
        ("asia", "routes tickets longest_path globetrotter"),
        ("legendary-asia", "routes mountain tickets explorer"),
        ("united-kingdom", "routes tickets technologies"),
        ("united-kingdom-advanced", "routes tickets technologies"),
        ("pennsylvania", "routes tickets globetrotter shares"),
        ("san-francisco", "routes tickets tourists"),
    ],
)
def test_the_sheet_has_the_lines_of_its_variant(variant: str, lines: str) -> None:
    assert list(first(variant, NOBODY, NOBODY).breakdown) == lines.split()
    with_depots = first(variant, NOBODY, NOBODY, modules=["warehouses-depots"])
    assert list(with_depots.breakdown) == [*lines.split(), "depots"]


def test_a_ticket_done_adds_its_points_and_names_its_tracks() -> None:
    player = first("usa", tracks(*COAST, tickets=["atlanta--chicago", "boston--miami"]), NOBODY)
    done, missed = player.tickets
    assert (done.done, done.points, done.via) == (True, 5, tuple(COAST[1:]))
    assert (missed.done, missed.points, missed.to_json()["via"]) == (False, 12, [])
    assert player.breakdown["tickets"] == 5 - 12


def test_the_way_of_a_ticket_is_the_shortest() -> None:
    both = ["chicago-saint-louis-green", "nashville-saint-louis-gray"]
    around = ["chicago-pittsburgh-black", "nashville-pittsburgh-yellow"]
    ticket = {"a": "chicago", "b": "nashville", "points": 5}
    assert first("usa", tracks(*around, *both, tickets=[ticket]), NOBODY).tickets[0].via == tuple(both)


def test_a_place_on_a_ticket_is_any_of_its_cities() -> None:
    west, east = "erie-ontario-west-gray", "buffalo-ontario-east-gray"
    for ferry, between in ((west, ["buffalo-erie-orange", "buffalo-warren-green"]), (east, ["buffalo-warren-green"])):
        player = first("pennsylvania", tracks(ferry, *between, tickets=["ontario--warren"]), NOBODY, NOBODY)
        assert player.tickets[0].via == (ferry, *between)
    # Both ferries alone join Erie and Buffalo to Ontario, but not to each other.
    player = first("pennsylvania", tracks(west, east, tickets=[{"a": "erie", "b": "buffalo", "points": 4}]), NOBODY)
    assert not player.tickets[0].done


def test_values_of_reprinted_tickets() -> None:
    def missed(variant: str, **more: object) -> int:
        return first(variant, {"routes": [], "tickets": ["los-angeles--new-york"]}, NOBODY, **more).breakdown["tickets"]

    assert (missed("usa"), missed("usa-mega"), missed("usa-big-cities")) == (-21, -20, -20)
    assert missed("usa", options={"all-tickets": True}) == -20


def test_all_tickets_is_an_option_of_usa_alone() -> None:
    ticket = {"routes": [], "tickets": ["chicago--new-york"]}
    assert "position.other-deck" in told(sheet("usa", ticket, NOBODY).warnings)
    assert not sheet("usa", ticket, NOBODY, options={"all-tickets": True}).warnings
    assert told(sheet("usa-1910", ticket, NOBODY, options={"all-tickets": True}).warnings) == ["position.unknown"]


def test_longest_path_counts_loops_and_every_wagon_once() -> None:
    # Santa Fe is passed twice; the branch to Oklahoma City is left out.
    loop = ["denver-santa-fe-gray", "denver-phoenix-white", "phoenix-santa-fe-gray", "el-paso-santa-fe-gray"]
    player = first("usa", tracks(*loop, "el-paso-oklahoma-city-yellow", "dallas-el-paso-red"), NOBODY)
    assert player.longest_path.length == 2 + 5 + 3 + 2 + 5
    assert sorted(player.longest_path.routes) == sorted([*loop, "el-paso-oklahoma-city-yellow"])
    assert player.breakdown["longest_path"] == 10


def test_equal_longest_paths_all_get_the_bonus() -> None:
    three = sheet("usa", tracks("duluth-helena-orange"), tracks("miami-new-orleans-red"), tracks("denver-omaha-pink"))
    assert [p.breakdown["longest_path"] for p in three.players] == [10, 10, 0]


@pytest.mark.parametrize("variant", ["usa", "usa-1910", "usa-mega", "asia", "legendary-asia", "pennsylvania"])
def test_no_bonus_without_at_least_one(variant: str) -> None:
    bonuses = ("longest_path", "globetrotter", "explorer")
    for player in sheet(variant, NOBODY, NOBODY, NOBODY).players:
        assert not any(player.breakdown.get(b) for b in bonuses)


def test_globetrotter_for_most_tickets_done_not_most_points() -> None:
    two = tracks("portland-seattle-gray", "seattle-vancouver-gray")
    two["tickets"] = [{"a": "portland", "b": "seattle", "points": 1}, {"a": "portland", "b": "vancouver", "points": 1}]
    one = tracks("duluth-helena-orange", tickets=[{"a": "duluth", "b": "helena", "points": 20}])
    scored = sheet("usa-1910", two, one)
    assert [p.breakdown["globetrotter"] for p in scored.players] == [15, 0]
    scored = sheet(
        "asia", tracks("canton-hong-kong-red", tickets=[{"a": "canton", "b": "hong-kong", "points": 2}]), one
    )
    assert scored.players[0].breakdown["globetrotter"] == 10


def test_stations_left_and_built() -> None:
    players = [
        {"routes": [], "stations": cities} for cities in ([], ["paris"], ["wien", "roma"], ["riga", "kyiv", "sofia"])
    ]
    assert [p.breakdown["stations"] for p in sheet("europe", *players).players] == [12, 8, 4, 0]


def test_a_station_borrows_one_track_for_all_tickets() -> None:
    # Paris can borrow the way to Bruxelles or to Zürich, not both.
    mine: dict[str, Any] = {"routes": [], "stations": ["paris"]}
    mine["tickets"] = [{"a": "bruxelles", "b": "paris", "points": 8}, {"a": "paris", "b": "zurich", "points": 9}]
    other = tracks("bruxelles-paris-red", "paris-zurich-gray")
    player = first("europe", mine, other)
    assert [t.done for t in player.tickets] == [False, True]
    assert player.station_choices == {"paris": "paris-zurich-gray"}
    assert player.breakdown["tickets"] == 9 - 8


def test_stations_are_chosen_together() -> None:
    # Either track of Wien alone is worth nothing: only with what Budapest borrows does the ticket join.
    mine = tracks(
        "bucuresti-sofia-gray", stations=["budapest", "wien"], tickets=[{"a": "wien", "b": "sofia", "points": 9}]
    )
    other = tracks("budapest-wien-red", "bucuresti-budapest-gray", "munchen-wien-orange", "budapest-sarajevo-pink")
    player = first("europe", mine, other)
    assert player.tickets[0].via == ("bucuresti-sofia-gray", "bucuresti-budapest-gray", "budapest-wien-red")
    assert player.station_choices == {"budapest": "bucuresti-budapest-gray", "wien": "budapest-wien-red"}


def test_among_equal_points_stations_complete_more_tickets() -> None:
    mine: dict[str, Any] = {"routes": [], "stations": ["paris"]}
    mine["routes"] = ["bruxelles-dieppe-green"]
    mine["tickets"] = [
        {"a": "paris", "b": "zurich", "points": 8},
        {"a": "bruxelles", "b": "paris", "points": 4},
        {"a": "dieppe", "b": "paris", "points": 4},
    ]
    player = first("europe", mine, tracks("bruxelles-paris-red", "paris-zurich-gray"))
    assert [t.done for t in player.tickets] == [False, True, True]


def test_a_station_never_borrows_from_nobody_or_oneself() -> None:
    mine = tracks(
        "bruxelles-paris-red", stations=["paris"], tickets=["paris--wien", {"a": "paris", "b": "dieppe", "points": 3}]
    )
    player = first("europe", mine, NOBODY)
    assert (player.station_choices, player.tickets_done) == ({}, 0)


def test_a_borrowed_track_is_no_part_of_the_longest_path() -> None:
    mine = tracks(
        "bruxelles-dieppe-green", stations=["bruxelles"], tickets=[{"a": "dieppe", "b": "paris", "points": 3}]
    )
    player = first("europe", mine, tracks("bruxelles-paris-red"))
    assert player.tickets[0].done
    assert player.longest_path.length == 2


def test_a_station_that_helps_nobody_borrows_nothing() -> None:
    mine = tracks(
        "bruxelles-dieppe-green", stations=["bruxelles"], tickets=[{"a": "bruxelles", "b": "dieppe", "points": 3}]
    )
    assert first("europe", mine, tracks("bruxelles-paris-red")).station_choices == {}


def test_two_stations_at_both_ends_borrow_a_track_once() -> None:
    mine = {"routes": [], "stations": ["paris", "zurich"], "tickets": [{"a": "paris", "b": "zurich", "points": 3}]}
    assert first("europe", mine, tracks("paris-zurich-gray")).station_choices == {"paris": "paris-zurich-gray"}


def test_mountain_wagons_and_the_explorer() -> None:
    hills = tracks("hanoi-mandalay-red", "agra-kathmandu-pink", "mandalay-rangoon-gray")
    flat = tracks("agra-bombay-orange", "agra-calcutta-gray", "agra-karachi-red")
    scored = sheet("legendary-asia", hills, flat)
    assert [p.breakdown["mountain"] for p in scored.players] == [2 * (2 + 1 + 1), 0]
    # Three cities in one network and two in another, against four.
    assert [p.breakdown["explorer"] for p in scored.players] == [0, 10]
    assert scored.players[0].longest_path.length == 0


def test_explorer_counts_cities_of_loops_once_and_is_shared() -> None:
    loop = tracks("agra-bombay-orange", "agra-karachi-red", "bombay-karachi-gray")
    line = tracks("bangkok-rangoon-green", "bangkok-saigon-pink")
    assert [p.breakdown["explorer"] for p in sheet("legendary-asia", loop, line).players] == [10, 10]


def test_united_kingdom_counts_what_the_marker_shows() -> None:
    scored = sheet("united-kingdom", tracks("barrow-leeds-green", marked_points=3), NOBODY)
    assert scored.players[0].breakdown["routes"] == 3
    assert not scored.warnings


@pytest.mark.parametrize(
    ("player", "routes", "warning"),
    [
        ({}, 3, ["score.recounted"]),
        ({"technologies": ["boiler-lagging", "propellers"]}, 3, ["score.recounted"]),
        ({"technologies": ["booster", "propellers"]}, 3, []),
        ({"marked_points": 2}, 2, ["score.marker-impossible"]),
        ({"marked_points": 7}, 7, []),
        ({"marked_points": 8}, 8, ["score.marker-impossible"]),
        ({"marked_points": 6, "technologies": ["boiler-lagging", "propellers"]}, 6, ["score.marker-impossible"]),
        ({"marked_points": 7, "technologies": ["boiler-lagging", "steam-turbines", "propellers"]}, 7, []),
    ],
)
def test_united_kingdom_markers_that_can_and_cannot_be(player: dict[str, Any], routes: int, warning: list[str]) -> None:
    # A land track of 2 and a ferry of 1: 3 points; Boiler Lagging adds 2 at most, Steam Turbines 2.
    scored = sheet("united-kingdom", tracks("barrow-leeds-green", "barrow-liverpool-gray", **player), NOBODY)
    assert scored.players[0].breakdown["routes"] == routes
    assert told(scored.warnings) == warning


def test_elsewhere_the_recount_stands_against_the_marker() -> None:
    right = sheet("usa", tracks("denver-omaha-pink", marked_points=7), NOBODY)
    wrong = sheet("usa", tracks("denver-omaha-pink", marked_points=9), NOBODY)
    assert [s.players[0].breakdown["routes"] for s in (right, wrong)] == [7, 7]
    assert (told(right.warnings), told(wrong.warnings)) == ([], ["score.marker-differs"])
    # Points for mountain wagons are marked at once.
    hills = sheet("legendary-asia", tracks("hanoi-mandalay-red", marked_points=2 + 4), NOBODY)
    assert not hills.warnings


LEEDS = {"a": "barrow", "b": "leeds", "points": 4}
HULL = {"a": "hull", "b": "leeds", "points": 4}


@pytest.mark.parametrize(
    ("technologies", "tickets", "other", "points"),
    [
        ([], [LEEDS], [], 0),
        (["double-heading"], [LEEDS, HULL], [], 2),
        (["double-heading", "booster"], [], [], 0),
        (["risky-contracts"], [LEEDS], [], 20),
        (["risky-contracts"], [LEEDS], [HULL], 20),
        (["risky-contracts"], [HULL], [HULL], -20),
        (["risky-contracts"], [HULL], [], -20),
        (["equalising-beam"], [], [], 15),
        (["double-heading", "risky-contracts", "equalising-beam"], [LEEDS], [], 2 + 20 + 15),
    ],
)
def test_technologies_at_the_end(technologies: list[str], tickets: list[Any], other: list[Any], points: int) -> None:
    mine = tracks("barrow-leeds-green", technologies=technologies, tickets=tickets)
    theirs = tracks("hull-leeds-yellow", tickets=other)
    assert first("united-kingdom-advanced", mine, theirs).breakdown["technologies"] == points


def test_equalising_beam_needs_the_longest_path() -> None:
    def beam(mine: str, theirs: str) -> int:
        players = tracks(mine, technologies=["equalising-beam"]), tracks(theirs)
        return first("united-kingdom-advanced", *players).breakdown["technologies"]

    assert beam("hull-leeds-yellow", "barrow-leeds-green") == -15
    assert beam("barrow-carlisle-red", "hull-leeds-yellow") == 15
    nothing = first("united-kingdom-advanced", {"routes": [], "technologies": ["equalising-beam"]}, NOBODY)
    assert nothing.breakdown["technologies"] == -15


def test_right_of_way_counts_for_both() -> None:
    both = [tracks("barrow-leeds-green", "hull-leeds-yellow", marked_points=3) for _ in range(2)]
    scored = sheet("united-kingdom", *both)
    assert [p.total for p in scored.players] == [3, 3]
    assert not scored.warnings


def shares(**held: list[int]) -> dict[str, Any]:
    return {"routes": [], "shares": {company.replace("_", "-"): numbers for company, numbers in held.items()}}


def test_the_rulebooks_example_of_shares() -> None:
    """Mark has three shares of Baltimore & Ohio, the neutral player two, Eric one: 20 and 9."""
    neutral = {"baltimore-ohio": [2, 5]}
    mark, eric = shares(baltimore_ohio=[1, 3, 6]), shares(baltimore_ohio=[4])
    scored = sheet("pennsylvania", mark, eric, neutral_shares=neutral)
    assert [p.breakdown["shares"] for p in scored.players] == [20, 9]


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ([[1, 2], [3], []], [30, 21, 0]),
        ([[2, 3], [1, 4], [5, 6]], [21, 30, 14]),
        ([[3], [1], [2], [4], [5]], [14, 30, 21, 9, 6]),
    ],
)
def test_shares_by_rank_with_the_lowest_number_first(held: list[list[int]], points: list[int]) -> None:
    scored = sheet("pennsylvania", *(shares(pennsylvania=numbers) for numbers in held))
    assert [p.breakdown["shares"] for p in scored.players] == points


def test_ranks_beyond_the_values_score_nothing() -> None:
    scored = sheet("pennsylvania", *(shares(western_maryland=[n]) for n in (1, 2, 3)))
    assert [p.breakdown["shares"] for p in scored.players] == [9, 5, 0]


@pytest.mark.parametrize(("kinds", "points"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 6), (6, 9), (7, 12)])
def test_tourist_tokens_by_different_kinds(kinds: int, points: int) -> None:
    tokens = [f"kind-{k}" for k in range(kinds)]
    assert first("san-francisco", {"routes": [], "tourists": tokens}, NOBODY).breakdown["tourists"] == points
    doubled = {"routes": [], "tourists": tokens * 2}
    assert first("san-francisco", doubled, NOBODY).breakdown["tourists"] == points


@pytest.mark.parametrize(
    ("left", "bonus"),
    [([4, 2, 1], [10, 0, 0]), ([3, 3, 1], [10, 10, 0]), ([0, 0, 0], [0, 0, 0]), ([1, 0, 0], [10, 0, 0])],
)
def test_most_depots_left(left: list[int], bonus: list[int]) -> None:
    players = [{"routes": [], "depots_left": n} for n in left]
    scored = sheet("europe", *players, modules=["warehouses-depots"])
    assert [p.breakdown["depots"] for p in scored.players] == bonus
    assert not scored.warnings


def test_depots_that_were_not_told_are_asked_for() -> None:
    scored = sheet("usa", {"routes": [], "depots_left": 1}, NOBODY, modules=["warehouses-depots"])
    assert [p.breakdown["depots"] for p in scored.players] == [10, 0]
    assert told(scored.warnings) == ["score.depots-not-told"]


def test_tickets_that_the_table_added_up() -> None:
    """Only their sum is told; how many are done counts for the bonus, and is asked for where it does."""
    sums: list[dict[str, Any]] = [{"ticket_points": 34}, {"ticket_points": -7, "tickets_done": 1}]
    scored = sheet("usa-mega", *sums)
    assert [p.breakdown["tickets"] for p in scored.players] == [34, -7]
    assert [p.breakdown["globetrotter"] for p in scored.players] == [0, 15]
    assert told(scored.warnings) == ["score.done-not-told"]
    assert not sheet("usa", {"routes": [], "ticket_points": 34}, NOBODY).warnings


def test_a_sum_goes_before_the_tickets_listed() -> None:
    scored = sheet("usa", {"routes": [], "tickets": ["denver--el-paso"], "ticket_points": 4}, NOBODY)
    assert scored.players[0].breakdown["tickets"] == 4
    assert told(scored.warnings) == ["score.tickets-differ"]


def test_the_total_is_the_sum_of_the_lines() -> None:
    player = first("usa-mega", tracks(*COAST, tickets=["atlanta--chicago"]), NOBODY)
    assert player.total == sum(player.breakdown.values()) == 10 + 1 + 2 + 2 + 5 + 10 + 15


def test_the_json_is_that_of_the_contract() -> None:
    scored = sheet("europe", tracks("paris-zurich-gray", tickets=["paris--wien"]), NOBODY)
    found = scored.to_json()
    assert list(found) == ["players", "winners", "decided_by", "warnings"]
    assert found["players"][0] == {
        "name": "P1",
        "rank": 1,
        "total": 4 - 8 + 12 + 10,
        "breakdown": {"routes": 4, "tickets": -8, "stations": 12, "longest_path": 10},
        "tickets": [{"id": "paris--wien", "points": 8, "done": False, "via": []}],
        "station_choices": {},
        "longest_path": {"length": 3, "routes": ["paris-zurich-gray"]},
    }

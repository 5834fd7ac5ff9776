"""Impossible positions: each kind is named, all at once, in both languages, and scored all the same."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

from companion.lang import catalogue, tell
from companion.rules import Position, problems, score
from tests.play.tables import some_position

Players = list[dict[str, Any]]


def named(players: Players) -> Players:
    return [{"name": name, **p} for name, p in zip("ABCDEFGH", players, strict=False)]


def found(variant: str, players: Players, **more: object) -> list[str]:
    position = Position.from_json({"variant": variant, "players": named(players), **more})
    told = problems(position)
    for problem in told:
        assert tell(problem, "en").endswith(".")
        assert tell(problem, "fr").endswith(".")
    assert len(score(position).players) == len(players)
    return [problem.key.removeprefix("position.") for problem in told]


LONG = [
    "duluth-helena-orange",
    "helena-seattle-yellow",
    "calgary-winnipeg-white",
    "el-paso-houston-green",
    "el-paso-los-angeles-black",
    "miami-new-orleans-red",
    "duluth-toronto-pink",
    "portland-salt-lake-city-blue",
]
DOUBLE = ["denver-kansas-city-black", "denver-kansas-city-orange"]
CANTON = ["canton-hong-kong-red", "canton-hong-kong-white"]
TRIPLE = ["calcutta-dacca-red", "calcutta-dacca-blue", "calcutta-dacca-pink"]
DEPOTS = {"modules": ["warehouses-depots"]}

CASES: list[tuple[str, Players, dict[str, Any], list[str]]] = [
    ("usa", [{}, {}], {}, []),
    ("usa", [{}], {}, ["seats"]),
    ("usa", [{}] * 6, {}, ["seats"]),
    ("san-francisco", [{}] * 5, {}, ["seats"]),
    ("asia", [{"members": ["X", "Y"]}, {"members": ["Z"]}], {}, ["seats", "team-size"]),
    ("asia", [{}, {}], {}, []),
    ("asia", [{}] * 3, {}, []),
    ("usa", [{}] * 6, DEPOTS, ["seats", "depot-owners"]),
    ("usa", [{"name": "Z"}, {"name": "Z"}], {}, ["name-twice"]),
    ("asia", [{"members": ["A", "X"]}, {"members": ["B", "Y"]}], {}, []),
    ("asia", [{"members": ["Z", "X"]}, {"members": ["Z", "Y"]}], {}, ["name-twice"]),
    ("usa", [{"color": "red"}, {"color": "red"}], {}, ["color-twice"]),
    ("usa", [{"color": "pink"}, {"color": "khaki"}], {}, ["color-not-here", "color-not-here"]),
    ("san-francisco", [{"color": "pink"}, {"color": "white"}], {}, []),
    ("usa", [{"routes": DOUBLE[:1]}, {"routes": DOUBLE[:1]}], {}, ["track-twice"]),
    ("united-kingdom", [{"routes": ["barrow-leeds-green"]}] * 2, {}, []),
    ("usa", [{"routes": DOUBLE[:1]}, {"routes": DOUBLE[1:]}], {}, ["group-closed"]),
    ("usa", [{"routes": DOUBLE[:1]}, {"routes": DOUBLE[1:]}, {}, {}], {}, []),
    ("usa", [{"routes": DOUBLE}, {}], {}, ["group-closed", "group-twice"]),
    ("usa", [{"routes": DOUBLE}, {}, {}, {}], {}, ["group-twice"]),
    # Both tracks run from Penzance to Plymouth but differ in length: no group.
    ("united-kingdom", [{"routes": ["penzance-plymouth-black", "penzance-plymouth-gray"]}, {}], {}, []),
    ("united-kingdom", [{"routes": ["leeds-manchester-blue"]}, {"routes": ["leeds-manchester-red"]}, {}], {}, []),
    (
        "united-kingdom",
        [{"routes": ["leeds-manchester-blue"]}, {"routes": ["leeds-manchester-red"]}],
        {},
        ["group-closed"],
    ),
    ("asia", [{"routes": CANTON[:1]}, {"routes": CANTON[1:]}], {}, []),
    ("asia", [{"routes": CANTON}, {}], {}, ["group-twice"]),
    ("asia", [{"routes": CANTON}, {}, {}], {}, ["group-twice"]),
    ("asia", [{"routes": TRIPLE[:2]}, {}], {}, []),
    ("asia", [{"routes": TRIPLE[:2]}, {"routes": TRIPLE[2:]}], {}, ["group-closed"]),
    ("asia", [{"routes": TRIPLE[:2]}, {"routes": TRIPLE[2:]}, {}], {}, []),
    ("asia", [{"routes": TRIPLE}, {}, {}], {}, ["group-twice"]),
    ("europe", [{"stations": ["paris"]}, {"stations": ["paris"]}], {}, ["stations-in-city"]),
    ("europe", [{"stations": ["paris", "paris"]}, {}], {}, ["stations-in-city"]),
    ("europe", [{"stations": ["paris"], "depots_left": 1}, {"depots": ["paris"]}], DEPOTS, ["buildings-in-city"]),
    ("usa", [{"depots": ["miami"]}, {"depots": ["miami"]}], DEPOTS, ["buildings-in-city"]),
    ("europe", [{"stations": ["paris", "wien", "roma", "riga"]}, {}], {}, ["stations"]),
    ("usa", [{"tickets": ["boston--miami"]}, {"tickets": ["miami--boston"]}], {}, ["ticket-twice"]),
    ("usa", [{"tickets": ["boston--miami", "miami--boston"]}, {}], {}, ["ticket-listed-twice"]),
    (
        "pennsylvania",
        [{"shares": {"reading": [1, 8]}}, {"shares": {"reading": [0]}}],
        {"neutral_shares": {"reading": [2]}},
        ["no-such-share", "no-such-share", "share-source", "share-source"],
    ),
    (
        "pennsylvania",
        [{"shares": {"reading": [1]}}, {"shares": {"reading": [1]}}, {}],
        {},
        ["share-twice", "share-source", "share-source"],
    ),
    (
        "pennsylvania",
        [{"routes": ["allentown-reading-green"], "shares": {"reading": [3]}}, {}, {}],
        {},
        ["share-missing"],
    ),
    (
        "pennsylvania",
        [{"routes": ["allentown-reading-green"], "shares": {"reading": [3]}}, {}],
        {"neutral_shares": {"reading": [1]}},
        [],
    ),
    ("pennsylvania", [{}, {}, {}], {"neutral_shares": {"reading": [1]}}, ["neutral-player"]),
    ("pennsylvania", [{}, {}], {"neutral_shares": {"reading": [1]}}, ["neutral-half"]),
    (
        "pennsylvania",
        [{"routes": ["allentown-reading-green"], "shares": {"reading": [1]}}, {}],
        {},
        ["no-neutral-shares"],
    ),
    ("united-kingdom", [{"technologies": ["right-of-way"]}] * 2, {}, ["technology-copies"]),
    ("united-kingdom", [{"technologies": ["risky-contracts"]}, {}], {}, ["technology-not-here"]),
    ("united-kingdom-advanced", [{"technologies": ["risky-contracts"]}, {}], {}, []),
    ("united-kingdom", [{"technologies": ["booster", "booster"]}, {}], {}, ["technology-listed-twice"]),
    (
        "united-kingdom",
        [{"technologies": ["booster"], "routes": ["dover-france-gray"]}, {}],
        {},
        ["technology-needed", "technology-needed"],
    ),
    ("united-kingdom", [{"technologies": ["booster"], "routes": ["new-york-southampton-gray"]}, {}], {}, []),
    ("united-kingdom", [{"routes": ["dover-france-gray"]}, {}], {}, []),
    ("san-francisco", [{"tourists": ["a"]}, {}], {}, ["token-source"]),
    (
        "san-francisco",
        [{"tourists": ["a", "a"], "routes": ["crissy-field-presidio-gray"]}, {}],
        {},
        ["token-listed-twice"],
    ),
    (
        "san-francisco",
        [
            {"tourists": ["a"], "routes": ["crissy-field-presidio-gray"]},
            {"tourists": ["a"], "routes": ["haight-ashbury-twin-peaks-blue"]},
            {"tourists": ["a"], "routes": ["fort-mason-lombard-street-red"]},
        ],
        {},
        ["token-copies"],
    ),
    ("san-francisco", [{"tourists": list("abcdefgh")}, {}], {}, ["token-kinds", "token-source"]),
    (
        "san-francisco",
        [{"tourists": list("abcdef")}, {"tourists": list("abcdef")}],
        {},
        ["tokens-shared", "token-source", "token-source"],
    ),
    ("usa", [{"routes": [LONG[0], LONG[0]]}, {}], {}, ["route-listed-twice"]),
    ("usa", [{"routes": LONG}, {}], {}, ["wagons"]),
    ("usa", [{"routes": LONG[:7]}, {}], {}, []),
    ("usa", [{"routes": LONG[:7], "wagons": 3}, {}], {}, []),
    ("usa", [{"routes": LONG[:7], "wagons": 4}, {}], {}, ["wagons-left"]),
    ("usa", [{"depots": ["miami", "boston"], "depots_left": 4}, {}], DEPOTS, ["depots"]),
    ("usa", [{"depots_left": 6}, {}], DEPOTS, ["depots"]),
    ("usa", [{"depots_left": 5}, {}], DEPOTS, []),
    ("usa-1910", [{"tickets": ["boston--miami"]}, {}], {}, ["other-deck"]),
    ("europe", [{"tickets": ["brest--petrograd", "cadiz--stockholm"]}, {}], {}, ["long-tickets"]),
    ("europe-mega", [{"tickets": ["brest--petrograd", "cadiz--stockholm"]}, {}], {}, []),
    (
        "usa",
        [{"stations": ["miami"], "tourists": ["a"], "members": ["X", "Y"], "rack": {"red": 1}, "depots_left": 2}, {}],
        {},
        ["not-here"] * 5,
    ),
]


@pytest.mark.parametrize(("variant", "players", "more", "expected"), CASES)
def test_each_impossible_thing_is_named(
    variant: str, players: Players, more: dict[str, Any], expected: list[str]
) -> None:
    assert found(variant, players, **more) == expected


def test_mountains_take_wagons_too() -> None:
    # 2 wagons on the track and 2 lost, on each of eleven tracks, come to more than 45 with a twelfth.
    position = Position.from_json(
        {
            "variant": "legendary-asia",
            "players": [{"name": "A", "routes": ["hanoi-mandalay-red"], "wagons": 42}, {"name": "B"}],
        }
    )
    assert [p.key for p in problems(position)] == ["position.wagons-left"]


def test_every_problem_in_the_catalogue_has_a_case() -> None:
    words = {key.removeprefix("position.") for key in catalogue("en") if key.startswith("position.")}
    read_apart = {
        "not-position",
        "no-players",
        "missing",
        "bad-ticket",
        "also",
        "more",
        "unknown",
        "unknown-near",
        "field",
        "field-near",
        "route",
        "ticket",
        "city",
        "technology",
        "company",
        "module",
        "option",
        "pair",
        "keeping",
        "too-many-players",
    }
    problems_told = {w for w in words - read_apart if not w.endswith("-word")}
    problems_told -= {"not-object", "not-text", "not-whole", "not-list"}
    assert problems_told == {key for *_, expected in CASES for key in expected}


def test_everything_is_named_at_once() -> None:
    a = {"color": "red", "routes": [*LONG, *DOUBLE], "tickets": ["boston--miami"]}
    b = {"color": "red", "routes": DOUBLE[:1], "tickets": ["boston--miami"], "stations": ["miami"]}
    expected = {"color-twice", "track-twice", "group-closed", "group-twice", "ticket-twice", "wagons", "not-here"}
    assert set(found("usa", [a, b])) == expected


def test_impossible_positions_are_scored_as_they_stand() -> None:
    position = Position.from_json(
        {
            "variant": "europe",
            "players": named(
                [
                    {
                        "routes": ["paris-zurich-gray", "paris-zurich-gray"],
                        "stations": ["riga", "riga", "roma", "wien"],
                        "tickets": ["paris--wien", "wien--paris"],
                    },
                    {"routes": ["paris-zurich-gray"]},
                ]
            ),
        }
    )
    a, b = score(position).players
    assert (a.breakdown["routes"], a.breakdown["stations"], a.breakdown["tickets"]) == (4, 0, -8)
    assert (b.breakdown["routes"], b.longest_path.length) == (4, 3)


def test_a_station_too_many_borrows_nothing() -> None:
    tickets = [{"a": "paris", "b": "zurich", "points": 4}]
    mine = {"stations": ["riga", "roma", "wien", "paris"], "tickets": tickets}
    position = Position.from_json({"variant": "europe", "players": named([mine, {"routes": ["paris-zurich-gray"]}])})
    assert score(position).players[0].tickets_done == 0


@pytest.mark.parametrize("seed", range(60))
def test_networks_by_the_rules_have_no_problem(seed: int) -> None:
    position = some_position(seed)
    for player in position["players"]:
        for key in ("shares", "tourists", "technologies", "tickets"):
            player.pop(key, None)
    position.pop("neutral_shares", None)
    assert problems(Position.from_json(position)) == ()

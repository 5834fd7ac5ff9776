"""Who wins: points, then what each variant says about ties for the first place."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

from companion.rules import Position, score
from companion.rules.scoring.ranking import ranks, winners

NOBODY: dict[str, Any] = {"routes": []}


def told(a: str, b: str, points: int) -> dict[str, Any]:
    return {"a": a, "b": b, "points": points}


def decided(variant: str, *players: dict[str, Any]) -> tuple[list[str], str, list[int]]:
    named = [{"name": name, **p} for name, p in zip("ABCDE", players, strict=False)]
    sheet = score(Position.from_json({"variant": variant, "players": named}))
    return list(sheet.winners), sheet.decided_by, [p.rank for p in sheet.players]


# 2 points each way: a track of 2; or a track of 1 and a ticket of 1 on it.
TRACK = {"routes": ["denver-santa-fe-gray"]}
TRACK_AND_TICKET = {"routes": ["portland-seattle-gray"], "tickets": [told("portland", "seattle", 1)]}

CASES: list[tuple[str, list[dict[str, Any]], list[str], str, list[int]]] = [
    ("usa", [{"routes": ["denver-omaha-pink"]}, NOBODY], ["A"], "points", [1, 2]),
    ("usa-big-cities", [TRACK, TRACK_AND_TICKET], ["B"], "tickets", [2, 1]),
    # Equal points and tickets; 3 + 3 wagons in one piece against 6 in two.
    (
        "usa-big-cities",
        [
            {"routes": ["calgary-vancouver-gray", "chicago-duluth-red"]},
            {"routes": ["las-vegas-salt-lake-city-orange", "helena-salt-lake-city-pink"]},
        ],
        ["B"],
        "longest_path",
        [2, 1],
    ),
    ("usa-big-cities", [TRACK, {"routes": ["boston-montreal-gray"]}], ["A", "B"], "shared", [1, 1]),
    ("usa-big-cities", [TRACK, NOBODY, {"routes": ["boston-montreal-gray"]}], ["A", "C"], "shared", [1, 3, 1]),
    # Three tied: tickets leave two, the path decides between them.
    (
        "usa-big-cities",
        [
            {"routes": ["denver-omaha-pink"]},
            {"routes": ["calgary-vancouver-gray", "denver-santa-fe-gray"], "tickets": [told("denver", "santa-fe", 1)]},
            {"routes": ["chicago-duluth-red", "duluth-omaha-gray"], "tickets": [told("duluth", "omaha", 1)]},
        ],
        ["C"],
        "longest_path",
        [2, 2, 1],
    ),
    ("legendary-asia", [NOBODY, NOBODY], ["A", "B"], "shared", [1, 1]),
    ("united-kingdom", [{"routes": [], "marked_points": 4}] * 2, ["A", "B"], "shared", [1, 1]),
    (
        "united-kingdom",
        [{"routes": ["hull-leeds-yellow"], "marked_points": 2}, {"routes": ["barrow-leeds-green"], "marked_points": 2}],
        ["B"],
        "longest_path",
        [2, 1],
    ),
    # San Francisco knows no longest path: equal tickets share the victory.
    (
        "san-francisco",
        [
            {"routes": ["crissy-field-golden-gate-bridge-pink", "crissy-field-presidio-gray"]},
            {"routes": ["alcatraz-pier-39-gray"]},
        ],
        ["A", "B"],
        "shared",
        [1, 1],
    ),
    (
        "san-francisco",
        [
            {"routes": ["crissy-field-presidio-gray"], "tickets": [told("crissy-field", "presidio", 1)]},
            {"routes": ["alcatraz-pier-39-gray"]},
        ],
        ["A"],
        "tickets",
        [1, 2],
    ),
]


@pytest.mark.parametrize(("variant", "players", "won", "by", "places"), CASES)
def test_who_wins(variant: str, players: list[dict[str, Any]], won: list[str], by: str, places: list[int]) -> None:
    assert decided(variant, *players) == (won, by, places)


def test_europe_breaks_a_tie_by_fewest_stations() -> None:
    # 7 + 4 + 8 for two stations left against 7 + 12 for three; both paths have 4 wagons, no ticket is done.
    a = {"routes": ["berlin-danzig-gray", "athina-sofia-pink"], "stations": ["riga"]}
    b = {"routes": ["marseille-roma-gray"]}
    assert decided("europe", a, b) == (["B"], "stations", [2, 1])
    # With one more station built by B and 4 points more all is equal.
    b = {"routes": ["marseille-roma-gray", "cadiz-madrid-orange"], "stations": ["essen"]}
    assert decided("europe", a, b) == (["A", "B"], "shared", [1, 1])


def test_legendary_asia_breaks_a_tie_by_mountain_tracks() -> None:
    one = {"routes": ["hanoi-mandalay-red"]}
    two = {"routes": ["mandalay-rangoon-gray", "agra-kathmandu-pink"]}
    # 2 + 4 = 6 against 1 + 2 + 2 + 2 = 7: a missed ticket of 1 makes them equal, both join two cities.
    won, by, places = decided("legendary-asia", one, {**two, "tickets": [told("mecca", "seoul", 1)]})
    assert (won, by, places) == (["B"], "mountain", [2, 1])


def test_winners_only_measure_those_still_tied() -> None:
    asked: list[int] = []

    def path(i: int) -> int:
        asked.append(i)
        return 5

    first, by = winners(
        [9, 9, 3], ["tickets", "longest_path"], {"tickets": [1, 1, 1].__getitem__, "longest_path": path}
    )
    assert (first, by, asked) == ([0, 1], "shared", [0, 1])


@pytest.mark.parametrize(
    ("totals", "first", "expected"),
    [
        ([10, 20, 5], [1], [2, 1, 3]),
        ([20, 20, 5], [0], [1, 2, 3]),
        ([20, 20, 20], [2], [2, 2, 1]),
        ([20, 20, 5, 5, 1], [0, 1], [1, 1, 3, 3, 5]),
        ([-4], [0], [1]),
    ],
)
def test_ranks(totals: list[int], first: list[int], expected: list[int]) -> None:
    assert ranks(totals, first) == expected

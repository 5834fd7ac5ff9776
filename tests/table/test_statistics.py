"""What games add up to: every number of a player's page, from games that can be counted by hand."""

from __future__ import annotations

import pytest

from companion.rules import Position, score
from companion.table.history import PastGame, PastPlayer, past_game
from companion.table.statistics import PlayerStats, Rival, Share, Tickets, person, player_statistics, statistics
from tests.table.test_history import WHEN

Row = tuple[str, str, int]


def _game(number: int, *rows: Row, board: str = "usa", first: str = "") -> PastGame:
    """Players as name, colour and points; three quarters of the points are of routes."""
    ranked = sorted((points for *_, points in rows), reverse=True)
    players = tuple(
        PastPlayer(name, color, ranked.index(p) + 1, p, {"routes": p * 3 // 4, "tickets": p - p * 3 // 4})
        for name, color, p in rows
    )
    winners = tuple(p.name for p in players if p.rank == 1)
    day = f"2026-05-{number:02}"
    return PastGame(f"202605{number:02}-203000-000", f"{day} 20:30", board, board, players, winners, first=first)


GAMES = [
    _game(1, ("Ada", "blue", 100), ("Bo", "red", 80), first="Bo"),
    _game(2, ("ada", "blue", 120), ("Bo", "green", 80), first="ada"),
    _game(3, ("Bo", "red", 90), ("ADA ", "yellow", 60), ("Chidi", "blue", 60), board="europe"),
    _game(4, ("Ada", "blue", 80), ("Bo", "red", 80), first="Ada"),
    _game(5, ("Ada", "blue", 140), ("Bo", "red", 20), first="Ada"),
]


def _of(name: str, games: list[PastGame] | None = None) -> PlayerStats:
    found = player_statistics(GAMES if games is None else games, name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "field", "expected"),
    [
        ("Ada", "totals", (100, 120, 60, 80, 140)),
        ("Ada", "wins", 3),
        ("Ada", "average", 100.0),
        ("Ada", "best", 140),
        ("Ada", "worst", 60),
        ("Ada", "color", "blue"),
        # The draw ends the run.
        ("Ada", "streak", 1),
        ("Ada", "longest_streak", 2),
        ("Ada", "trend", (100.0, 110.0, pytest.approx(93.33, abs=0.01), 90.0, 100.0)),
        ("Ada", "boards", (Share("usa", 4, 3, 110.0, 140), Share("europe", 1, 0, 60.0, 60))),
        ("Ada", "colors", (Share("blue", 4, 3, 110.0, 140), Share("yellow", 1, 0, 60.0, 60))),
        # Second in the first game, first in three others; nobody told who began on Europe.
        ("Ada", "seats", (Share("1", 3, 2, 340 / 3, 140), Share("2", 1, 1, 100.0, 100))),
        ("Ada", "rivals", (Rival("Bo", 5, 3, 1, 1), Rival("Chidi", 1, 0, 0, 1))),
        ("Ada", "sources", {"routes": 75.0, "tickets": 25.0}),
        ("Ada", "tickets", None),
        ("Bo", "wins", 1),
        ("Bo", "streak", 0),
        ("Bo", "rivals", (Rival("Ada", 5, 1, 3, 1), Rival("Chidi", 1, 1, 0, 0))),
        ("Chidi", "seats", ()),
        ("Chidi", "trend", (60.0,)),
    ],
)
def test_a_players_numbers(name: str, field: str, expected: object) -> None:
    assert getattr(_of(name), field) == expected


def test_the_order_of_the_files_does_not_matter() -> None:
    assert statistics(reversed(GAMES)) == statistics(GAMES)


def test_everybody_once_the_winners_first() -> None:
    assert [s.name for s in statistics(GAMES)] == ["Ada", "Bo", "Chidi"]
    assert [(s.name, s.wins) for s in statistics(GAMES, "europe")] == [("Bo", 1), ("ADA", 0), ("Chidi", 0)]
    assert statistics([]) == []
    assert player_statistics(GAMES, "Dora") is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ada", "ada ", True),
        ("Zoe\u0308", "ZOË", True),
        ("Ada Byron", "ada  byron", True),
        ("Straße", "STRASSE", True),
        ("Ada", "Adam", False),
        ("שרה", "שרה", True),
    ],
)
def test_one_person_however_the_name_is_written(one: str, other: str, same: bool) -> None:
    assert (person(one) == person(other)) == same


def test_tickets_are_counted_from_the_position() -> None:
    """One done, one missed; whoever told none is not counted as having kept none."""
    players = [
        {"name": "Ada", "color": "red", "routes": ["dallas-houston-gray"], "tickets": [
            {"a": "dallas", "b": "houston", "points": 4}, "boston--miami"]},
        {"name": "Bo", "color": "blue", "routes": []},
    ]  # fmt: skip
    position = Position.from_json({"variant": "usa", "players": players})
    game = past_game(position, score(position), WHEN)
    assert _of("Ada", [game]).tickets == Tickets(2, 1, 4 - 12)
    tickets = _of("Ada", [game]).tickets
    assert tickets is not None
    assert tickets.rate == 0.5
    assert _of("Bo", [game]).tickets is None


def test_a_position_of_another_version_leaves_the_points() -> None:
    game = PastGame("g1", "2026-05-01", "usa", "usa", (PastPlayer("Ada", "red", 1, 7),), ("Ada",), {"variant": "?"})
    found = _of("Ada", [game])
    assert (found.totals, found.tickets) == ((7,), None)


def test_a_colour_is_nobody() -> None:
    """Whoever gave no name is called by the colour, in either language: that is no person."""
    games = [_game(1, ("Ada", "red", 50), ("Blue", "blue", 40)), _game(2, ("Ada", "red", 30), ("bleu", "blue", 60))]
    assert [s.name for s in statistics(games)] == ["Ada"]
    # Somebody may be called Violet, and play with red.
    assert len(statistics([_game(3, ("Ada", "red", 1), ("Blue", "green", 2))])) == 2

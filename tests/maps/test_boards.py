"""The seven boards as they ship: counts that hold anywhere, every line against the collected facts where they are."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

import maps
from maps import Board, load

# cities, routes, tickets
COUNTS = {
    "usa": (36, 100, 69),
    "europe": (47, 101, 101),
    "legendary-asia": (39, 100, 36),
    "pennsylvania": (36, 95, 50),
    "united-kingdom": (48, 125, 57),
    "san-francisco": (21, 65, 24),
    "asia": (46, 126, 0),
}
BOARDS = tuple(COUNTS)
DECKS = [
    ("usa", "base", 30),
    ("usa", "1910", 35),
    ("usa", "mystery", 4),
    ("usa", "mega", 69),
    ("usa", "big-cities", 35),
    ("europe", "regular", 40),
    ("europe", "long", 6),
    ("legendary-asia", "regular", 30),
    ("legendary-asia", "long", 6),
]


def test_every_board_is_listed() -> None:
    assert set(maps.available()) == set(BOARDS)


@pytest.mark.parametrize("board", BOARDS)
def test_counts(board: str) -> None:
    found = load(board)
    assert (len(found.cities), len(found.routes), len(found.tickets)) == COUNTS[board]


@pytest.mark.parametrize("board", BOARDS)
def test_files_have_no_problem(board: str) -> None:
    assert maps.validate(maps.board_folders()[board]) == []


@pytest.mark.parametrize(("board", "deck", "tickets"), DECKS)
def test_decks(board: str, deck: str, tickets: int) -> None:
    assert len(load(board).deck(deck)) == tickets


@pytest.mark.parametrize("board", BOARDS)
def test_beta_boards_say_why(board: str) -> None:
    found = load(board)
    assert found.stage == ("beta" if board in ("asia", "san-francisco") else "stable")
    assert found.unsure or found.stage == "stable"
    assert all(text.en and text.fr and text.en != text.fr for text in found.unsure)


def test_a_board_is_frozen() -> None:
    board = load("usa")
    with pytest.raises(AttributeError):
        board.wagons = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        board.routes["x"] = next(iter(board.routes.values()))  # type: ignore[index]


@pytest.mark.parametrize("board", BOARDS)
def test_spaces_lie_on_the_way_between_their_cities(board: str) -> None:
    """Each track runs from city a to city b in even steps: a wrong city or a swapped track would make a jump."""
    found = load(board)
    length = found.geometry.space_length
    for route in found.routes.values():
        assert len(route.spaces) == route.length
        points = [(s.x, s.y / found.geometry.aspect) for s in route.spaces]
        for here, there in pairwise(points):
            assert math.dist(here, there) < 2.6 * length, route.id


@pytest.mark.parametrize("board", BOARDS)
def test_every_ticket_can_be_done(board: str) -> None:
    found = load(board)
    for ticket in found.tickets.values():
        seen = set(found.reach(ticket.a))
        todo = list(seen)
        while todo:
            for route in found.touching[city := todo.pop()]:
                if (other := route.other(city)) not in seen:
                    seen.add(other)
                    todo.append(other)
        assert seen & set(found.reach(ticket.b)), ticket.id


@pytest.mark.parametrize(
    ("board", "text", "city"),
    [
        ("europe", "Copenhague", "kobenhavn"),
        ("europe", "kobenhavn", "kobenhavn"),
        ("europe", "Vienna", "wien"),
        ("europe", "zür", "zurich"),
        ("usa", "nouvelle", "new-orleans"),
        ("united-kingdom", "Douvres", "dover"),
        ("legendary-asia", "pékin", "peking"),
    ],
)
def test_cities_are_found_by_any_spelling(board: str, text: str, city: str) -> None:
    assert load(board).find_cities(text)[0].id == city


def test_cities_not_found() -> None:
    assert load("usa").find_cities("") == ()
    assert load("usa").find_cities("Atlantis") == ()


@pytest.mark.parametrize(("wrong", "meant"), [("erope", "europe"), ("United Kingdom", "united-kingdom")])
def test_unknown_board_names_the_nearest(wrong: str, meant: str) -> None:
    with pytest.raises(maps.UnknownBoard) as caught:
        load(wrong)
    assert caught.value.message.values["meant"] == meant


@pytest.mark.parametrize("wrong", ["", "atlantis", "../../x"])
def test_unknown_board_lists_what_there_is(wrong: str) -> None:
    with pytest.raises(maps.UnknownBoard) as caught:
        load(wrong)
    assert "europe" in caught.value.message.values["known"]


def _facts(shared: Path, board: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads((shared / "facts" / f"{board}.json").read_text(encoding="utf-8"))
    return facts


def _decks(ticket: dict[str, Any]) -> set[str]:
    return set(ticket["decks"] if "decks" in ticket else [ticket["deck"]])


@pytest.mark.parametrize("board", BOARDS)
def test_cities_are_those_of_the_facts(shared: Path, board: str) -> None:
    found, facts = load(board), _facts(shared, board)
    regions = {"new-york": None}
    for city in facts["cities"]:
        ours = found.cities[city["id"]]
        assert ours.name == (city["name"] or "") or ours.junction
        assert regions.get(city["region"], city["region"]) in (ours.region, None)
        assert set(city["aliases"]) <= {*ours.spellings, *ours.aliases}
    assert len(found.cities) == len(facts["cities"])


@pytest.mark.parametrize("board", BOARDS)
def test_routes_are_those_of_the_facts(shared: Path, board: str) -> None:
    found, facts = load(board), _facts(shared, board)
    assert set(found.routes) == {r["id"] for r in facts["routes"]}
    for theirs in facts["routes"]:
        ours = found.routes[theirs["id"]]
        for field in ("a", "b", "length", "color", "kind", "locomotives", "tunnel_draw", "mountain_marks", "group"):
            assert getattr(ours, field) == theirs[field], f"{ours.id}: {field}"
        assert list(ours.companies) == theirs["companies"]
        assert list(ours.technologies) == theirs.get("technologies", [])
        table = facts["extra"]["route_points"] or facts["extra"]["route_points_presumed"]
        assert ours.points == theirs.get("points", table.get(str(ours.length)))


@pytest.mark.parametrize("board", BOARDS)
def test_tickets_are_those_of_the_facts(shared: Path, board: str) -> None:
    found, facts = load(board), _facts(shared, board)
    ours = sorted((t.a, t.b, t.points, t.revised, t.long) for t in found.tickets.values())
    theirs = sorted(
        (*sorted((t["a"], t["b"])), t["points"], t.get("points_1910"), bool(t.get("long")) or "long" in _decks(t))
        for t in facts["tickets"]
    )
    assert ours == theirs
    for ticket in facts["tickets"]:
        ends = sorted((ticket["a"], ticket["b"]))
        (same,) = [t for t in found.tickets.values() if [t.a, t.b] == ends and t.points == ticket["points"]]
        assert same.decks >= _decks(ticket) & set(found.ticket_decks)


@pytest.mark.parametrize("board", ["usa", "europe"])
def test_positions_are_those_measured_on_photos(shared: Path, board: str) -> None:
    found, facts = load(board), _facts(shared, board)
    for theirs in facts["routes"]:
        ours = found.routes[theirs["id"]].spaces
        measured = [(s["x"], s["y"]) for s in theirs["board_spaces"]]
        told = [(s.x, s.y) for s in ours]
        # The facts may tell a track from b to a; ours always run from a to b.
        assert told in (measured, measured[::-1]), theirs["id"]


def test_technologies_and_companies_are_those_of_the_facts(shared: Path) -> None:
    united_kingdom, pennsylvania = load("united-kingdom"), load("pennsylvania")
    for theirs in _facts(shared, "united-kingdom")["extra"]["technologies"]:
        ours = united_kingdom.technologies[theirs["id"]]
        assert (ours.copies, ours.locomotives) == (theirs["count"], theirs["cost_locomotives"])
    assert [c.id for c in pennsylvania.companies.values()] == [
        c["id"] for c in _facts(shared, "pennsylvania")["extra"]["companies"]
    ]
    for company in _facts(shared, "pennsylvania")["extra"]["companies"]:
        ours_company = pennsylvania.companies[company["id"]]
        assert ours_company.shares == company["shares"]
        assert list(ours_company.points_by_rank) == company["points_by_rank"]


def test_groups_hold_parallel_tracks() -> None:
    board: Board = load("usa")
    assert {r.id for r in board.groups["atlanta-raleigh"]} == {"atlanta-raleigh-gray", "atlanta-raleigh-gray-2"}

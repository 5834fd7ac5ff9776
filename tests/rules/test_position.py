"""Positions: read from JSON and written again, tickets as people write them, and everything wrong told at once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

from companion.lang import tell
from companion.rules import BuildStation, Player, Position, find_variant, judge, rulebook, score
from maps import Trouble, user_folder
from tests.play.tables import some_position

FULL: dict[str, Any] = {
    "variant": "pennsylvania",
    "modules": ["warehouses-depots"],
    "neutral_shares": {"reading": [2]},
    "turn": "Eric",
    "deck": 40,
    "discard": 3,
    "face_up": ["red", "blue", "blue", "locomotive", "pink"],
    "players": [
        {
            "name": "Mark",
            "color": "red",
            "routes": ["buffalo-warren-green", "erie-ontario-west-gray"],
            "tickets": ["ontario--warren", {"a": "albany", "b": "york", "points": 3}],
            "shares": {"reading": [1, 3]},
            "depots": ["erie"],
            "depots_left": 3,
            "marked_points": 8,
            "ticket_points": -4,
            "tickets_done": 1,
            "hand": {"red": 3, "locomotive": 1},
            "wagons": 40,
        },
        {"name": "Eric", "color": "blue", "routes": [], "tickets": []},
    ],
}


def read(**changes: object) -> Position:
    return Position.from_json({"variant": "usa", "players": [{"name": "A"}, {"name": "B"}], **changes})


def one(**player: object) -> Player:
    return read(players=[{"name": "A", **player}, {"name": "B"}]).players[0]


def keys(position: Position) -> list[str]:
    return [m.key for m in (*position.unknown, *position.remarks)]


def test_a_position_comes_back_as_it_was() -> None:
    position = Position.from_json(FULL)
    assert not keys(position)
    assert position.to_json() == FULL
    assert Position.from_json(json.loads(json.dumps(position.to_json()))) == position


@pytest.mark.parametrize("seed", range(40))
def test_positions_of_every_variant_come_back(seed: int) -> None:
    position = Position.from_json(some_position(seed))
    assert not keys(position)
    assert Position.from_json(position.to_json()) == position


def test_what_is_left_out_has_its_default() -> None:
    player = one()
    assert (player.routes, player.tickets, player.hand, player.wagons, player.marked_points) == (
        (),
        (),
        None,
        None,
        None,
    )
    assert (read().modules, read().deck, read().face_up) == ((), None, None)


def test_wagons_are_counted_with_those_that_mountains_took() -> None:
    position = Position.from_json(
        {
            "variant": "legendary-asia",
            "players": [{"name": "A", "routes": ["hanoi-mandalay-red"]}, {"name": "B", "wagons": 7}],
        }
    )
    a, b = position.players
    assert (position.wagons_used(a), position.wagons_left(a), position.wagons_left(b)) == (4, 41, 7)


def test_teams_have_their_members_wagons_and_seats() -> None:
    teams = [{"name": "Red", "members": ["Ann", "Ben"]}, {"name": "Blue"}]
    position = Position.from_json({"variant": "asia", "players": teams})
    assert (position.seats, position.wagons_left(position.players[0])) == (4, 54)
    assert position.player("Ben") is position.players[0]
    assert position.player("Blue") is position.players[1]
    assert position.player("Zoe") is None


@pytest.mark.parametrize("written", ["boston--miami", "miami--boston", "boston--miami--12", "miami--boston--12"])
def test_a_ticket_is_understood_in_either_order(written: str) -> None:
    (ticket,) = one(tickets=[written]).tickets
    assert (ticket.id, ticket.points) == ("boston--miami", 12)


def test_a_ticket_told_by_its_cities_is_the_known_one_if_there_is_one() -> None:
    known, unknown = one(
        tickets=[{"a": "miami", "b": "boston", "points": 12}, {"a": "miami", "b": "boston", "points": 3}]
    ).tickets
    assert known == read().tickets["boston--miami"]
    assert (unknown.id, unknown.points, unknown.decks) == ("boston--miami", 3, frozenset())


def test_a_ticket_of_another_deck_is_taken_with_the_value_that_counts_here() -> None:
    (ticket,) = one(tickets=["chicago--new-york"]).tickets
    assert ticket.points == 5
    mega = Position.from_json({"variant": "usa-mega", "players": [{"name": "A", "tickets": ["new-york--seattle"]}]})
    assert mega.players[0].tickets[0].points == 20


@pytest.mark.parametrize(
    ("changes", "key", "words"),
    [
        ({"players": [{"name": "A", "routes": ["boston-newyork-red"]}]}, "unknown-near", "'boston-new-york-red'"),
        ({"players": [{"name": "A", "routes": ["york-new-boston-red"]}]}, "unknown-near", "'boston-new-york-red'"),
        ({"players": [{"name": "A", "routes": ["xxx"]}]}, "unknown", "no route 'xxx'"),
        ({"players": [{"name": "A", "tickets": ["miami--bostn"]}]}, "unknown-near", "'boston--miami'"),
        ({"players": [{"name": "A", "tickets": ["boston--miami--13"]}]}, "unknown-near", "'boston--miami'"),
        ({"players": [{"name": "A", "tickets": [{"a": "oz", "b": "miami", "points": 1}]}]}, "unknown", "no city 'oz'"),
        ({"players": [{"name": "A", "stations": ["miamy"]}]}, "unknown-near", "'miami'"),
        ({"modules": ["warehouse-depots"]}, "unknown-near", "'warehouses-depots'"),
        ({"options": {"all-ticket": True}}, "unknown-near", "'all-tickets'"),
        ({"plyers": 3}, "field-near", "'players'"),
        ({"weather": "rain"}, "field", "weather is not a known field"),
        ({"players": [{"name": "A", "ticket": []}]}, "field-near", "'tickets'"),
        ({"players": [{"name": "A", "shares": {"reading": [1]}}]}, "not-here", "USA has no shares"),
        ({"players": [{"name": "A", "technologies": ["booster"]}]}, "not-here", "USA has no technologies"),
    ],
)
def test_what_nobody_knows_is_left_out_and_told(changes: dict[str, Any], key: str, words: str) -> None:
    position = read(**changes)
    assert keys(position) == [f"position.{key}"]
    (told,) = (*position.unknown, *position.remarks)
    assert words in tell(told, "en")
    assert tell(told, "fr") != tell(told, "en")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "a position is an object"),
        ([], "a position is an object"),
        ({}, "variant is missing"),
        ({"variant": 3}, "variant should be text"),
        ({"variant": "usa"}, "players is missing"),
        ({"variant": "usa", "players": {}}, "players should be a list"),
        ({"variant": "usa", "players": []}, "nobody plays"),
        ({"variant": "usa", "players": ["A"]}, 'players[0] should be an object in braces, found "A"'),
        ({"variant": "usa", "players": [{}]}, "players[0].name is missing"),
        ({"variant": "usa", "players": [{"name": ["A"]}]}, "players[0].name should be text in quotes, found [...]"),
        ({"variant": "usa", "players": [{"name": "A", "routes": "x"}]}, "players[0].routes should be a list"),
        ({"variant": "usa", "players": [{"name": "A", "routes": [7]}]}, "players[0].routes[0] should be text"),
        ({"variant": "usa", "players": [{"name": "A", "tickets": [7]}]}, "players[0].tickets[0] should be a ticket"),
        (
            {"variant": "usa", "players": [{"name": "A", "tickets": [{"a": "miami", "b": "miami", "points": 2}]}]},
            "ticket",
        ),
        ({"variant": "usa", "players": [{"name": "A", "tickets": [{"a": "miami", "b": "boston"}]}]}, "ticket"),
        ({"variant": "usa", "players": [{"name": "A", "wagons": -1}]}, "players[0].wagons should be a whole number"),
        ({"variant": "usa", "players": [{"name": "A", "wagons": 2.0}]}, "players[0].wagons should be a whole number"),
        ({"variant": "usa", "players": [{"name": "A", "wagons": True}]}, "players[0].wagons should be a whole number"),
        ({"variant": "usa", "players": [{"name": "A", "hand": {"red": "many"}}]}, "players[0].hand.red should be"),
        ({"variant": "usa", "players": [{"name": "A"}], "options": []}, "options should be an object"),
        ({"variant": "pennsylvania", "players": [{"name": "A", "shares": {"reading": 2}}]}, "shares.reading should be"),
        ({"variant": "pennsylvania", "players": [{"name": "A", "shares": {"reading": [None]}}]}, "a whole number"),
    ],
)
def test_what_can_not_be_read_is_told_in_a_sentence(data: object, words: str) -> None:
    with pytest.raises(Trouble) as trouble:
        Position.from_json(data)
    assert trouble.value.code == "bad-position"
    assert words.lower() in tell(trouble.value.message, "en").lower()
    assert tell(trouble.value.message, "fr").startswith("Cette position")


def test_all_that_is_wrong_is_told_at_once() -> None:
    bad = {"name": 1, "routes": 2, "tickets": ["oz--miami"], "stations": [3], "depots_left": "x"}
    with pytest.raises(Trouble) as trouble:
        read(players=[bad, 4], deck=[])
    told = tell(trouble.value.message)
    for where in ("players[0].name", "players[0].routes", "players[0].tickets[0]", "players[0].stations[0]"):
        assert where in told
    for where in ("players[0].depots_left", "players[1]", "deck"):
        assert where in told


def test_a_long_list_of_problems_ends_with_their_number() -> None:
    with pytest.raises(Trouble) as trouble:
        read(players=[{"name": "A", "routes": list(range(50))}])
    assert tell(trouble.value.message).endswith("And 30 more problems.")


@pytest.mark.parametrize(
    ("wanted", "code"),
    [("europ", "unknown-variant"), ("warehouses-depots", "no-such-variant"), ("", "no-such-variant")],
)
def test_an_unknown_variant_has_its_own_error(wanted: str, code: str) -> None:
    with pytest.raises(Trouble) as trouble:
        find_variant(wanted)
    assert trouble.value.code == code
    assert wanted in tell(trouble.value.message)


@pytest.fixture
def own_board() -> Iterator[str]:
    """A small board of one's own in the players' folder, with the same pair on two tickets of one deck."""
    folder: Path = user_folder() / "village"
    folder.mkdir(parents=True, exist_ok=True)
    parts: dict[str, Any] = {
        "meta": {
            "id": "village",
            "name": {"en": "Our village", "fr": "Notre village"},
            "stage": "beta",
            "unsure": [{"en": "All of it.", "fr": "Tout."}],
            "players": [2, 3],
            "wagons": 12,
            "wagon_colors": ["red", "blue", "green"],
            "cards": {"colors": ["red", "blue"], "per_color": 12, "locomotives": 4},
            "ticket_decks": {"one": {"en": "One", "fr": "Un", "tickets": 3}},
            "places": {"lake": {"en": "Lake", "fr": "Lac", "cities": ["a", "c"]}},
            "geometry": {
                "kind": "schematic",
                "edition": "a sketch",
                "aspect": 1,
                "space_length": 0.03,
                "space_width": 0.01,
            },
        },
        "cities": [
            {"id": city, "name": city.upper(), "x": x, "y": y}
            for city, x, y in (("a", 0.1, 0.1), ("b", 0.5, 0.1), ("c", 0.9, 0.1), ("d", 0.5, 0.9))
        ],
        "routes": [
            {"id": "a-b", "a": "a", "b": "b", "length": 2, "color": "red"},
            {"id": "b-c", "a": "b", "b": "c", "length": 3, "color": "blue", "kind": "mountain", "mountain_marks": 2},
            {"id": "b-d", "a": "b", "b": "d", "length": 2, "color": "gray"},
        ],
        "tickets": [
            {"a": "a", "b": "c", "points": 7, "decks": ["one"]},
            {"a": "a", "b": "c", "points": 9, "decks": ["one"]},
            {"a": "d", "b": "lake", "points": 4, "decks": ["one"]},
        ],
    }
    for part, data in parts.items():
        (folder / f"{part}.json").write_text(json.dumps(data), encoding="utf-8")
    yield "village"
    shutil.rmtree(folder)


def test_a_board_of_ones_own_plays_the_base_rules(own_board: str) -> None:
    tickets = ["a--c--7", "c--a--9", "d--lake"]
    players = [{"name": "A", "routes": ["b-c", "b-d"], "tickets": tickets}, {"name": "B"}]
    position = Position.from_json({"variant": own_board, "players": players})
    assert not keys(position)
    assert [t.points for t in position.players[0].tickets] == [7, 9, 4]
    # It is called by its name, here and in sentences.
    assert position.variant.name("fr") == "Notre village"
    station = judge(position, BuildStation("A", "a", {"red": 1}))
    assert "Our village" in tell(station.reasons[0].message)
    # None of its routes is a double one: nothing is said of these.
    assert "groups" not in {s.rule for s in rulebook(*find_variant(own_board))}
    assert position.lines == ("routes", "mountain", "tickets", "longest_path")
    assert score(position).players[0].breakdown["longest_path"] == 10
    assert position.to_json()["players"][0]["tickets"] == ["a--c--7", "a--c--9", "d--lake"]
    ambiguous = Position.from_json({"variant": own_board, "players": [{"name": "A", "tickets": ["a--c"]}]})
    assert keys(ambiguous) == ["position.unknown-near"]


def test_an_id_tells_points_only_where_the_variants_own_deck_needs_it(own_board: str) -> None:
    folder = user_folder() / own_board
    tickets = json.loads((folder / "tickets.json").read_text(encoding="utf-8"))
    tickets[1]["decks"] = []
    (folder / "tickets.json").write_text(json.dumps(tickets), encoding="utf-8")
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    meta["ticket_decks"]["one"]["tickets"] = 2
    (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    variant, board = find_variant(own_board)
    deck = replace(variant, decks=("one",)).tickets(board)
    assert {t.id: t.points for t in deck.values()} == {"a--c": 7, "d--lake": 4}

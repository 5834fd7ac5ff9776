"""Drawing cards: how many, from where, locomotives, empty decks, racks and warehouses."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

from companion.rules import DEPOTS
from tests.play.asking import ask, believed, table, why

L = "locomotive"
FIVE = ["red", "blue", L, "green", "green"]


def draw(*cards: str, **more: object) -> dict[str, Any]:
    """Cards of the table by colour; `?` is a blind one; `red>rack` says where it goes."""
    taken = []
    for card in cards:
        name, _, to = card.partition(">")
        one = {"from": "deck"} if name == "?" else {"from": "table", "card": name}
        taken.append({**one, "to": to} if to else one)
    return {"action": "draw-cards", "cards": taken, **more}


@pytest.mark.parametrize(
    ("cards", "reasons"),
    [
        (("?", "?"), set()),
        (("?",), set()),
        (("red", "?"), set()),
        (("?", "red"), set()),
        (("red", "blue"), set()),
        (("green", "green"), set()),
        ((L,), set()),
        (("?", "?", "?"), {"draw.too-many"}),
        ((), {"draw.none"}),
        ((L, "?"), {"draw.locomotive-ends"}),
        ((L, "red"), {"draw.locomotive-ends"}),
        (("red", L), {"draw.locomotive-first"}),
        (("?", L), {"draw.locomotive-first"}),
        ((L, L), {"draw.locomotive-ends", "draw.locomotive-first"}),
        (("black",), {"draw.not-on-table"}),
    ],
)
def test_two_cards_or_one_open_locomotive(cards: tuple[str, ...], reasons: set[str]) -> None:
    assert why(table("usa", "Bruno") | {"face_up": FIVE}, draw(*cards)) == reasons


def test_the_second_card_may_be_one_that_was_just_turned_up() -> None:
    verdict = ask(table("usa", "Bruno") | {"face_up": FIVE}, draw("red", "black"))
    assert verdict.legal
    assert believed(verdict) == {"replacement"}


SWEPT = [L, L, L, "red", "blue"]


@pytest.mark.parametrize(
    ("variant", "more", "cards", "reasons", "trust"),
    [
        ("usa", {}, ("red",), {"draw.sweep-first"}, set()),
        ("usa", {}, (L,), {"draw.sweep-first"}, set()),
        ("usa", {}, ("?", "?"), set(), set()),
        # The United Kingdom leaves three locomotives where they are.
        ("united-kingdom", {}, ("red",), set(), set()),
        # Fewer than five cards are left: the locomotives stay.
        ("usa", {"deck": 3, "discard": 1}, ("red",), set(), set()),
        # Among 39 cards 28 at least are no locomotives; among 11 nobody knows.
        ("usa", {"deck": 30, "discard": 9}, ("red",), {"draw.sweep-first"}, set()),
        ("usa", {"deck": 10, "discard": 1}, ("red",), set(), {"no-sweep"}),
    ],
)
def test_three_open_locomotives_are_swept_away_first(
    variant: str, more: dict[str, Any], cards: tuple[str, ...], reasons: set[str], trust: set[str]
) -> None:
    position = table(variant, "Bruno") | {"face_up": SWEPT, **more}
    assert why(position, draw(*cards)) == reasons
    assert believed(ask(position, draw(*cards))) == trust


def test_locomotives_stay_when_hands_hold_all_other_cards() -> None:
    colors = ("blue", "pink", "orange", "white", "green", "yellow", "black", "red")
    position = table("usa", "Bruno", hand=dict.fromkeys(colors, 12)) | {"face_up": SWEPT, "deck": 3, "discard": 3}
    position["players"][0]["hand"] |= {"red": 10, "blue": 10}
    position["players"][1]["hand"] = {L: 5}
    # Two more than the two open cards are neither in a hand nor open: not enough for five with two locomotives.
    assert why(position, draw("red")) == set()
    position["players"][0]["hand"] |= {"red": 9}
    assert why(position, draw("red")) == {"draw.sweep-first"}


def test_open_cards_that_nobody_told_are_believed() -> None:
    assert why(table("usa", "Bruno"), draw("red", "black")) == set()


@pytest.mark.parametrize(
    ("deck", "discard", "face_up", "cards", "reasons"),
    [
        (0, 0, [], ("?",), {"draw.no-cards"}),
        (0, 0, FIVE, ("?",), {"draw.no-cards"}),
        (0, 0, FIVE, ("red", "blue"), set()),
        (0, 0, FIVE, ("red", "?"), {"draw.deck-empty"}),
        (0, 1, FIVE, ("?",), set()),
        (1, 0, FIVE, ("?", "?"), {"draw.deck-empty"}),
        (1, 1, FIVE, ("?", "?"), set()),
        (1, 0, FIVE, ("red", "?"), {"draw.deck-empty"}),
        # What was turned up for the first card may be taken, but only while there are cards to turn up.
        (1, 0, ["red"], ("red", "black"), set()),
        (0, 1, ["red"], ("red", "black"), set()),
        (0, 0, ["red"], ("red", "black"), {"draw.not-on-table"}),
        (0, 0, ["red"], ("red", "red"), {"draw.not-on-table"}),
        (1, 0, ["red"], ("?", "black"), {"draw.not-on-table"}),
    ],
)
def test_empty_decks(deck: int, discard: int, face_up: list[str], cards: tuple[str, ...], reasons: set[str]) -> None:
    position = table("usa", "Bruno") | {"deck": deck, "discard": discard, "face_up": face_up}
    assert why(position, draw(*cards)) == reasons


def test_water_tenders_draw_three_blind() -> None:
    position = table("united-kingdom-advanced", "Bruno", technologies=["water-tenders"]) | {"face_up": FIVE}
    assert why(position, draw("?", "?", "?")) == set()
    assert why(position, draw("red", "?", "?")) == {"draw.too-many"}
    assert why(position, draw("?", "?", "?", "?")) == {"draw.too-many"}


@pytest.mark.parametrize(
    ("cards", "reasons", "needs"),
    [
        (("red>rack", "?>hand"), set(), {}),
        (("red>hand", "?>rack"), set(), {}),
        (("red", "?"), set(), {"to": ["hand", "rack"]}),
        (("red>rack", "?>rack"), {"draw.one-each"}, {}),
        (("red>hand", "?>hand"), {"draw.one-each"}, {}),
        (("red>hand",), {"draw.team-takes-two"}, {}),
        ((f"{L}>rack",), set(), {}),
        ((L,), set(), {}),
        ((f"{L}>hand",), {"draw.locomotive-to-rack"}, {}),
    ],
)
def test_a_team_shares_one_of_two_cards(cards: tuple[str, ...], reasons: set[str], needs: dict[str, Any]) -> None:
    position = table("asia", "Bruno", members=["Ada", "Alf"]) | {"face_up": FIVE}
    position["players"][1]["members"] = ["Bea", "Bo"]
    verdict = ask(position, {"player": "Ada", **draw(*cards)})
    assert {r.message.key.removeprefix("verdict.") for r in verdict.reasons} == reasons
    assert verdict.needs == needs


def test_the_first_card_goes_to_a_warehouse() -> None:
    position = table("usa", "Bruno") | {"modules": [DEPOTS]}
    assert ask(position, draw("?", "?")).needs == {"warehouse": ["Anna", "Bruno"]}
    assert ask(position, draw("?", "?", warehouse="Bruno")).complete
    assert why(table("usa", "Bruno"), draw("?", "?", warehouse="Bruno")) == {"depot.no-module"}
    short = position | {"deck": 2, "discard": 0, "face_up": FIVE}
    assert why(short, draw("?", "?", warehouse="Anna")) == {"draw.deck-empty"}
    empty = position | {"deck": 0, "discard": 0, "face_up": FIVE}
    assert ask(empty, draw("red")).complete

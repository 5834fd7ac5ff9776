"""United Kingdom: technologies, cards that stand for locomotives, and what the advanced ones change."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

import maps
from companion.rules import Position
from tests.play.asking import ask, table, why

L = "locomotive"
UK = maps.load("united-kingdom")
SCOTLAND, WALES, IRELAND = "concession-scotland", "concession-wales", "concession-ireland-france"
STOKER, BOILER, PROPELLERS = "mechanical-stoker", "superheated-steam-boiler", "propellers"


def claim(route: str, cards: dict[str, int]) -> dict[str, Any]:
    return {"action": "claim", "route": route, "cards": cards}


def uk(*technologies: str, variant: str = "united-kingdom-advanced", **anna: object) -> dict[str, Any]:
    return table(variant, "Bruno", "Chloé", technologies=list(technologies), **anna)


def needed_by_the_rules(route: maps.Route) -> set[str]:
    """What a track needs, found from its cities and spaces."""
    regions = {UK.cities[c].region for c in route.ends}
    if "new-york" in regions:
        return set()
    concessions = {"wales": WALES, "scotland": SCOTLAND, "ireland": IRELAND, "france": IRELAND}
    found = {concessions[str(r)] for r in regions if r != "england"}
    found |= {STOKER} if route.length == 3 else {BOILER} if route.length in (4, 5, 6) else set()
    return found | ({PROPELLERS} if route.kind == "ferry" else set())


@pytest.mark.parametrize("route", UK.routes.values(), ids=lambda r: r.id)
def test_each_track_needs_the_technologies_of_its_regions_and_length(route: maps.Route) -> None:
    needed = needed_by_the_rules(route)
    cards = {"red" if route.color == "gray" else route.color: route.length - route.locomotives, L: route.locomotives}
    assert why(uk(*needed), claim(route.id, cards)) == set()
    reasons = ask(uk(), claim(route.id, cards)).reasons
    assert len(reasons) == len(needed)
    for missing in needed:
        assert why(uk(*(needed - {missing})), claim(route.id, cards)) == {"claim.technology"}


def test_the_boiler_does_not_stand_for_the_stoker() -> None:
    assert why(uk(BOILER, WALES), claim("birmingham-cardiff-blue", {"blue": 3})) == {"claim.technology"}


def test_southampton_to_new_york_needs_none() -> None:
    assert why(uk(), claim("new-york-southampton-gray", {"blue": 7, L: 3})) == set()
    assert why(uk(), claim("new-york-southampton-gray", {"blue": 8, L: 2})) == {"pay.locomotives"}


@pytest.mark.parametrize(
    ("technologies", "cards", "reasons"),
    [
        # Birmingham - Cardiff, three blue spaces: four cards stand for one locomotive, wherever one can be used.
        ((), {"blue": 3}, set()),
        ((), {"blue": 2, "red": 4}, set()),
        ((), {"blue": 6}, set()),
        ((), {"blue": 2, "red": 1, "green": 1, "pink": 1, "black": 1}, set()),
        ((), {"blue": 1, "red": 8}, set()),
        ((), {"red": 12}, set()),
        ((), {"red": 8, L: 1}, set()),
        ((), {"blue": 2, "red": 3}, {"pay.no-stand-in"}),
        ((), {"blue": 1, "red": 4}, {"pay.no-stand-in"}),
        ((), {"blue": 2, "red": 1}, {"pay.wrong-color"}),
        ((), {"red": 3, "green": 3}, {"pay.no-assignment"}),
        ((), {"red": 2, L: 1}, {"pay.wrong-color"}),
        # With Booster three do, and four are one too many.
        (("booster",), {"blue": 2, "red": 3}, set()),
        (("booster",), {"red": 9}, set()),
        (("booster",), {"blue": 2, "red": 4}, {"pay.no-stand-in"}),
        (("booster",), {"blue": 3, "red": 2}, set()),
    ],
)
def test_cards_that_stand_for_locomotives(
    technologies: tuple[str, ...], cards: dict[str, int], reasons: set[str]
) -> None:
    assert why(uk(WALES, STOKER, *technologies), claim("birmingham-cardiff-blue", cards)) == reasons


@pytest.mark.parametrize(
    ("cards", "reasons"),
    [
        ({"red": 2, L: 1}, set()),
        ({"red": 3}, {"pay.locomotives"}),
        ({"red": 2, "blue": 4}, set()),
        ({"red": 6}, set()),
        ({"red": 2, "blue": 2, "green": 2}, set()),
        ({"red": 1, "blue": 1, "green": 4}, set()),
        ({"red": 1, "blue": 1, "green": 1, "pink": 1, "black": 1, "white": 1}, {"pay.no-assignment"}),
    ],
)
def test_stand_ins_pay_the_symbols_of_a_ferry(cards: dict[str, int], reasons: set[str]) -> None:
    assert why(uk(SCOTLAND, IRELAND, STOKER, PROPELLERS), claim("londonderry-stranraer-gray", cards)) == reasons


@pytest.mark.parametrize(
    ("route", "cards", "reasons"),
    [
        ("birmingham-cardiff-blue", {"blue": 2}, set()),
        ("birmingham-cardiff-blue", {"blue": 3}, {"pay.no-stand-in"}),
        ("aberdeen-dundee-white", {"white": 1}, set()),
        ("aberdeen-dundee-white", {}, {"pay.too-few"}),
        ("londonderry-stranraer-gray", {"red": 1, L: 1}, set()),
        ("londonderry-stranraer-gray", {"red": 2}, {"pay.locomotives"}),
        ("barrow-liverpool-gray", {L: 1}, set()),
        ("aberystwyth-holyhead-gray", {L: 1}, set()),
        ("new-york-southampton-gray", {"red": 6, L: 3}, set()),
        ("new-york-southampton-gray", {"red": 7, L: 2}, {"pay.locomotives"}),
    ],
)
def test_diesel_takes_one_card_off_but_no_symbol(route: str, cards: dict[str, int], reasons: set[str]) -> None:
    every = (SCOTLAND, WALES, IRELAND, STOKER, BOILER, PROPELLERS, "diesel-power")
    assert why(uk(*every), claim(route, cards)) == reasons


def test_right_of_way_claims_what_others_occupy() -> None:
    position = uk("right-of-way")
    position["players"][1]["routes"] = ["barrow-carlisle-red"]
    paid = claim("barrow-carlisle-red", {"red": 1})
    assert why(position, paid) == set()
    position["players"][0]["technologies"] = []
    assert why(position, paid) == {"claim.taken"}
    position["players"][0] |= {"technologies": ["right-of-way"], "routes": ["barrow-carlisle-red"]}
    assert why(position, paid) == {"claim.own"}


def test_right_of_way_still_needs_the_technologies_and_the_price() -> None:
    position = uk("right-of-way")
    position["players"][1]["routes"] = ["birmingham-cardiff-blue"]
    assert why(position, claim("birmingham-cardiff-blue", {"blue": 2})) == {"claim.technology", "pay.too-few"}


def test_right_of_way_opens_no_closed_track_and_no_second_one() -> None:
    position = table("united-kingdom", "Bruno", technologies=["right-of-way", IRELAND])
    position["players"][1]["routes"] = ["belfast-dundalk-red"]
    assert why(position, claim("belfast-dundalk-white", {"white": 1})) == {"claim.group-closed", "claim.free-track"}
    assert why(position, claim("belfast-dundalk-red", {"red": 1})) == set()
    position["players"][0]["routes"] = ["belfast-dundalk-white"]
    assert why(position, claim("belfast-dundalk-red", {"red": 1})) == {"claim.group-own"}


@pytest.mark.parametrize(
    ("technologies", "route", "points"),
    [
        ((), "barrow-liverpool-gray", 1),
        (("boiler-lagging",), "barrow-liverpool-gray", 2),
        (("steam-turbines",), "barrow-liverpool-gray", 3),
        (("boiler-lagging", "steam-turbines"), "barrow-liverpool-gray", 4),
        (("boiler-lagging", "steam-turbines"), "barrow-carlisle-red", 2),
    ],
)
def test_technologies_add_points_to_a_claim(technologies: tuple[str, ...], route: str, points: int) -> None:
    cards = {L: 1} if "gray" in route else {"red": 1}
    assert ask(uk(PROPELLERS, *technologies), claim(route, cards)).points == points


def buy(technology: str, cards: dict[str, int]) -> dict[str, Any]:
    return {"action": "technology", "technology": technology, "cards": cards}


@pytest.mark.parametrize(
    ("technology", "cards", "reasons"),
    [
        (WALES, {L: 1}, set()),
        (WALES, {"red": 2, "blue": 2}, set()),
        (WALES, {"red": 4}, set()),
        (WALES, {"red": 1}, {"pay.locomotives-only"}),
        (WALES, {L: 2}, {"pay.no-stand-in"}),
        (WALES, {}, {"pay.too-few"}),
        (BOILER, {L: 1, "red": 4}, set()),
        (BOILER, {"red": 8}, set()),
        (BOILER, {L: 1}, {"pay.too-few"}),
        ("right-of-way", {L: 4}, {"technology.no-use"}),
        ("thermocompressor", {L: 1}, {"technology.not-here"}),
    ],
)
def test_technologies_cost_locomotives(technology: str, cards: dict[str, int], reasons: set[str]) -> None:
    assert why(uk(variant="united-kingdom"), buy(technology, cards)) == reasons


def test_booster_makes_the_next_technology_cheaper() -> None:
    assert why(uk("booster"), buy(WALES, {"red": 3})) == set()
    assert why(uk("booster"), buy(WALES, {"red": 4})) == {"pay.no-stand-in"}


def test_a_technology_is_bought_once_and_while_copies_last() -> None:
    assert why(uk(WALES), buy(WALES, {L: 1})) == {"technology.owned"}
    position = uk()
    position["players"][1]["technologies"] = ["diesel-power"]
    assert why(position, buy("diesel-power", {L: 3})) == {"technology.sold-out"}
    position["players"][0]["hand"] = {L: 2}
    assert why(position, buy("risky-contracts", {L: 2})) == set()
    assert why(position, buy("equalising-beam", {L: 3})) == {"pay.no-stand-in", "hand.lacks"}


def test_boards_without_technologies_say_so() -> None:
    assert why(table("usa", "Bruno"), buy(WALES, {L: 1})) == {"technology.none-here"}


def test_the_stored_technologies_are_those_of_the_board() -> None:
    assert Position.from_json(uk()).variant.technology_ids(UK) == tuple(UK.technologies)

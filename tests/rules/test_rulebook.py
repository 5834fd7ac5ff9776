"""The examples that the rulebooks print, one after the other."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

from companion import rules as a
from companion.rules import DEPOTS, Outcome, Player, Position, find_variant, play, score, start, tunnel
from tests.play.asking import ask, table, why

L = "locomotive"


def claim(route: str, cards: dict[str, int], **more: object) -> dict[str, Any]:
    return {"action": "claim", "route": route, "cards": cards, **more}


def test_montreal_to_new_york_takes_three_blue_cards() -> None:
    assert why(table("usa", "Eric"), claim("montreal-new-york-blue", {"blue": 3})) == set()
    assert why(table("usa", "Eric"), claim("montreal-new-york-blue", {"green": 3})) == {"pay.wrong-color"}


@pytest.mark.parametrize("color", ["blue", "pink", "orange", "white", "green", "yellow", "black", "red"])
def test_montreal_to_toronto_takes_any_one_colour(color: str) -> None:
    assert why(table("usa", "Eric"), claim("montreal-toronto-gray", {color: 3})) == set()


@pytest.mark.parametrize("locomotives", [0, 1, 2, 3])
def test_a_route_of_three_takes_locomotives_for_missing_cards(locomotives: int) -> None:
    """Europe's first example: three cards, one and two locomotives, two and one, or three locomotives."""
    cards = {c: n for c, n in {"black": 3 - locomotives, L: locomotives}.items() if n}
    assert why(table("europe", "Eric"), claim("brest-paris-black", cards)) == set()


def test_tunnel_example_1_a_red_card_asks_for_a_red_card() -> None:
    found = tunnel(*find_variant("europe"), ["red", "red"], ["red", "green", "blue"])
    assert (found.due, found.payable) == (1, ("red", L))


def test_tunnel_example_2_a_locomotive_asks_for_a_third_green_card() -> None:
    cards = claim("venezia-zurich-green", {"green": 2}, revealed=["blue", L, "pink"])
    assert ask(table("europe", "Eric"), cards).needs == {"extra": 1}
    assert why(table("europe", "Eric"), {**cards, "extra": {"green": 1}}) == set()


def test_tunnel_example_3_laid_locomotives_fear_locomotives_only() -> None:
    cards = claim("venezia-zurich-green", {L: 2}, revealed=["green", "green", "pink"])
    assert ask(table("europe", "Eric"), cards).complete
    turned = {**cards, "revealed": ["green", L, "pink"]}
    assert ask(table("europe", "Eric"), turned).needs == {"extra": 1}
    assert why(table("europe", "Eric"), {**turned, "extra": {L: 1}}) == set()
    assert why(table("europe", "Eric"), {**turned, "extra": {"green": 1}}) == {"pay.locomotives-only"}


@pytest.mark.parametrize(("players", "reasons"), [(2, {"claim.group-closed"}), (4, set())])
def test_madrid_to_pamplona_is_a_double_route_of_tunnels(players: int, reasons: set[str]) -> None:
    position = table("europe", *("Eric", "Mark", "Natalie")[: players - 1])
    position["players"][1]["routes"] = ["madrid-pamplona-black"]
    assert why(position, claim("madrid-pamplona-white", {"white": 3})) == reasons


STRANRAER = ("concession-scotland", "concession-ireland-france", "mechanical-stoker", "propellers")


def test_stranraer_to_londonderry_takes_four_technologies() -> None:
    cards = claim("londonderry-stranraer-gray", {"red": 2, L: 1})
    assert why(table("united-kingdom", "Eric", technologies=list(STRANRAER)), cards) == set()
    for missing in STRANRAER:
        held = [t for t in STRANRAER if t != missing]
        verdict = ask(table("united-kingdom", "Eric", technologies=held), cards)
        assert [r.message.key for r in verdict.reasons] == ["verdict.claim.technology"]
    assert len(ask(table("united-kingdom", "Eric"), cards).reasons) == 4


def test_the_transatlantic_route_takes_no_technology() -> None:
    assert why(table("united-kingdom", "Eric"), claim("new-york-southampton-gray", {"red": 7, L: 3})) == set()


def test_four_cards_stand_for_a_locomotive_or_three_with_booster() -> None:
    ferry = ["propellers"]
    assert why(table("united-kingdom", "E", technologies=ferry), claim("barrow-liverpool-gray", {"red": 4})) == set()
    boosted = table("united-kingdom", "E", technologies=[*ferry, "booster"])
    assert why(boosted, claim("barrow-liverpool-gray", {"red": 3})) == set()


def test_lagging_and_turbines_add_three_points_to_a_ferry() -> None:
    held = ["propellers", "boiler-lagging", "steam-turbines"]
    found = ask(table("united-kingdom", "Eric", technologies=held), claim("barrow-liverpool-gray", {L: 1}))
    assert found.points == 1 + 3


@pytest.mark.parametrize("ferry_cards", [0, 1, 2, 3])
def test_san_francisco_a_black_route_of_three(ferry_cards: int) -> None:
    """Combinations A to D of the booklet."""
    cards = {c: n for c, n in {"black": 3 - ferry_cards, L: ferry_cards}.items() if n}
    assert why(table("san-francisco", "Eric"), claim("potrero-hill-south-beach-black", cards)) == set()


@pytest.mark.parametrize("company", ["pennsylvania", "baltimore-ohio", "erie-lackawanna"])
def test_oil_city_to_warren_offers_three_companies(company: str) -> None:
    position = table("pennsylvania", "Mark", "Eric", routes=["oil-city-warren-orange"])
    share = {"action": "share", "company": company, "route": "oil-city-warren-orange"}
    assert why(position, share) == set()
    assert why(position, {**share, "company": "reading"}) == {"share.not-beside"}


def test_three_two_one_shares_of_baltimore_and_ohio_score_20_and_9() -> None:
    position = table("pennsylvania", "Eric", shares={"baltimore-ohio": [1, 3, 6]})
    position["players"][1]["shares"] = {"baltimore-ohio": [4]}
    position["neutral_shares"] = {"baltimore-ohio": [2, 5]}
    sheet = score(Position.from_json(position))
    assert [p.breakdown["shares"] for p in sheet.players] == [20, 9]


def test_a_track_between_two_depots_empties_both_warehouses_for_two_depots() -> None:
    position = start("usa", [Player("Anna", "red"), Player("Bruno", "blue")], [DEPOTS])
    for owner, city in (("Anna", "vancouver"), ("Bruno", "calgary")):
        position = play(position, a.PlaceDepot(owner, city))
    position = play(position, a.Claim("Anna", "calgary-vancouver-gray", {"red": 3}))
    position = play(position, a.EmptyWarehouse("Anna", "Bruno"), Outcome(taken={"red": 2}))
    position = play(position, a.EmptyWarehouse("Anna", "Anna"), Outcome(taken={}))
    assert position.players[0].depots_left == 5 - 1 - 2
    assert position.run.last_claim is not None


def test_a_gray_track_beside_a_mountain_track_discards_no_wagon() -> None:
    position = table("legendary-asia", "Eric", wagons=2)
    assert why(position, claim("chita-irkutsk-gray", {"white": 2})) == set()
    assert why(position, claim("chita-irkutsk-white", {"white": 2})) == {"claim.wagons-mountain"}
    position["players"][0]["wagons"] = 3
    assert ask(position, claim("chita-irkutsk-white", {"white": 2})).points == 2 + 2


def test_an_asian_tunnel_turns_up_its_printed_number() -> None:
    _, board = find_variant("asia")
    for route in board.routes.values():
        if route.kind == "tunnel":
            position = table("asia", "Eric", members=["Ada", "Alf"])
            position["players"][1]["members"] = ["Bea", "Bo"]
            color = "red" if route.color == "gray" else route.color
            laid = {"player": "Ada", **claim(route.id, {color: route.length})}
            assert ask(position, laid).needs == {"revealed": route.tunnel_draw}
            assert 4 <= route.tunnel_draw <= 6

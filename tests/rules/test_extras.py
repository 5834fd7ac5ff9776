"""Stations, shares, tourist tokens, depots and warehouses, as `check` is asked about them."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

import maps
from companion.rules import DEPOTS
from tests.play.asking import ask, believed, table, why

L = "locomotive"


def station(city: str, cards: dict[str, int]) -> dict[str, Any]:
    return {"action": "station", "city": city, "cards": cards}


@pytest.mark.parametrize(
    ("built", "cards", "reasons"),
    [
        ([], {"red": 1}, set()),
        ([], {L: 1}, set()),
        ([], {"red": 2}, {"pay.too-many"}),
        ([], {}, {"pay.too-few"}),
        (["roma"], {"red": 2}, set()),
        (["roma"], {"red": 1, L: 1}, set()),
        (["roma"], {L: 2}, set()),
        (["roma"], {"red": 1, "blue": 1}, {"pay.mixed"}),
        (["roma"], {"red": 1}, {"pay.too-few"}),
        (["roma", "wien"], {"red": 3}, set()),
        (["roma", "wien"], {"red": 2, "blue": 1}, {"pay.mixed"}),
        (["roma", "wien", "berlin"], {"red": 4}, {"station.all-built"}),
    ],
)
def test_what_stations_cost(built: list[str], cards: dict[str, int], reasons: set[str]) -> None:
    assert why(table("europe", "Bruno", stations=built), station("paris", cards)) == reasons


def test_one_building_to_a_city() -> None:
    position = table("europe", "Bruno", stations=["paris"])
    assert why(position, station("paris", {"red": 2})) == {"station.occupied"}
    position["players"][1]["stations"] = ["roma"]
    assert why(position, station("roma", {"red": 2})) == {"station.occupied"}
    position |= {"modules": [DEPOTS]}
    position["players"][1]["depots"] = ["wien"]
    assert why(position, station("wien", {"red": 2})) == {"station.occupied"}


def test_stations_elsewhere() -> None:
    assert why(table("usa", "Bruno"), station("miami", {"red": 1})) == {"station.none-here"}


def test_the_hand_pays_stations() -> None:
    assert why(table("europe", "Bruno", hand={"blue": 1}), station("paris", {"red": 1})) == {"hand.lacks"}


PENNSYLVANIA = maps.load("pennsylvania")
ROUTE = next(r for r in PENNSYLVANIA.routes.values() if len(r.companies) >= 2)
OTHER = next(c for c in PENNSYLVANIA.companies if c not in ROUTE.companies)


def share(company: str, **more: object) -> dict[str, Any]:
    return {"action": "share", "company": company, "route": ROUTE.id, **more}


def test_a_share_beside_the_track() -> None:
    position = table("pennsylvania", "Bruno", "Chloé", routes=[ROUTE.id])
    assert why(position, share(ROUTE.companies[0])) == set()
    assert why(position, share(OTHER)) == {"share.not-beside"}
    position["players"][0]["routes"] = []
    assert why(position, share(ROUTE.companies[0])) == {"share.not-yours"}
    assert why(position, share(ROUTE.companies[0], neutral=ROUTE.companies[1])) == {
        "share.not-yours",
        "share.no-neutral",
    }


def test_a_company_can_be_sold_out() -> None:
    company = min(ROUTE.companies, key=lambda c: PENNSYLVANIA.companies[c].shares)
    shares = PENNSYLVANIA.companies[company].shares
    position = table("pennsylvania", "Bruno", "Chloé", routes=[ROUTE.id])
    position["players"][1]["shares"] = {company: list(range(1, shares + 1))}
    assert why(position, share(company)) == {"share.sold-out"}


def test_two_players_take_one_for_the_neutral_player_too() -> None:
    position = table("pennsylvania", "Bruno", routes=[ROUTE.id])
    first, second = ROUTE.companies[:2]
    assert ask(position, share(first)).needs == {"neutral": list(ROUTE.companies)}
    assert ask(position, share(first, neutral=second)).complete
    assert why(position, share(first, neutral=OTHER)) == {"share.neutral-not-there"}
    assert why(table("usa", "Bruno"), {"action": "share", "company": "x", "route": "calgary-seattle-gray"}) == {
        "share.none-here"
    }


SAN_FRANCISCO = maps.load("san-francisco")
TO_ALCATRAZ = SAN_FRANCISCO.touching["alcatraz"][0]


def test_tourist_tokens() -> None:
    position = table("san-francisco", "Bruno", routes=[TO_ALCATRAZ.id], tourists=["kind-0"])
    token = {"action": "tourist", "kind": "kind-1", "place": "alcatraz"}
    verdict = ask(position, token)
    assert verdict.legal
    assert believed(verdict) == {"token-claim", "tokens"}
    assert why(position, {**token, "kind": "kind-0"}) == {"tourist.owned"}
    far = next(c for c in SAN_FRANCISCO.cities if c not in TO_ALCATRAZ.ends)
    assert why(position, {**token, "place": far}) == {"tourist.no-track-there"}
    assert why(table("usa", "Bruno"), {**token, "place": "miami"}) == {"tourist.none-here"}


def test_depots() -> None:
    position = table("usa", "Bruno", depots=["miami"], depots_left=1) | {"modules": [DEPOTS]}
    depot = {"action": "depot", "city": "chicago"}
    assert why(position, depot) == set()
    assert why(position, {**depot, "city": "miami"}) == {"depot.occupied"}
    position["players"][0]["depots_left"] = 0
    assert why(position, depot) == {"depot.none-left"}
    assert why(table("usa", "Bruno"), depot) == {"depot.no-module"}


def test_warehouses() -> None:
    route = "calgary-vancouver-gray"
    position = table("usa", "Bruno", routes=[route], depots_left=1) | {"modules": [DEPOTS]}
    position["players"][1] |= {"depots": ["vancouver"], "depots_left": 4}
    fetch = {"action": "warehouse", "owner": "Bruno"}
    assert why(position, fetch) == set()
    position["players"][1]["depots"] = ["miami"]
    assert why(position, fetch) == {"warehouse.no-track-there"}
    position["players"][0]["depots_left"] = 0
    assert why(position, fetch) == {"warehouse.no-track-there", "depot.none-left"}
    assert why(table("usa", "Bruno"), fetch) == {"depot.no-module"}

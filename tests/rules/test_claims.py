"""Claims: each rule by itself, then several reasons at once."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

from companion.rules import Position, legal_claims
from tests.play.asking import ask, believed, table, why

L = "locomotive"


def claim(route: str, cards: dict[str, int], **more: object) -> dict[str, Any]:
    return {"action": "claim", "route": route, "cards": cards, **more}


@pytest.mark.parametrize(
    ("route", "cards", "reasons"),
    [
        ("calgary-vancouver-gray", {"red": 3}, set()),
        ("calgary-vancouver-gray", {"red": 2, L: 1}, set()),
        ("calgary-vancouver-gray", {L: 3}, set()),
        ("calgary-vancouver-gray", {"red": 1, L: 2}, set()),
        ("calgary-vancouver-gray", {"red": 2}, {"pay.too-few"}),
        ("calgary-vancouver-gray", {}, {"pay.too-few"}),
        ("calgary-vancouver-gray", {"red": 4}, {"pay.too-many"}),
        ("calgary-vancouver-gray", {"red": 3, L: 1}, {"pay.too-many"}),
        ("calgary-vancouver-gray", {"red": 2, "blue": 1}, {"pay.mixed"}),
        ("calgary-vancouver-gray", {"red": 2, "blue": 2}, {"pay.mixed", "pay.too-many"}),
        ("calgary-vancouver-gray", {"red": 3, L: 0}, set()),
        ("montreal-new-york-blue", {"blue": 3}, set()),
        ("montreal-new-york-blue", {"blue": 1, L: 2}, set()),
        ("montreal-new-york-blue", {"red": 3}, {"pay.wrong-color"}),
        ("montreal-new-york-blue", {"blue": 2, "red": 1}, {"pay.wrong-color"}),
        ("montreal-new-york-blue", {"red": 2}, {"pay.wrong-color", "pay.too-few"}),
    ],
)
def test_cards_are_all_of_the_tracks_colour(route: str, cards: dict[str, int], reasons: set[str]) -> None:
    assert why(table("usa", "Bruno"), claim(route, cards)) == reasons


@pytest.mark.parametrize(
    ("route", "cards", "reasons"),
    [
        ("palermo-smyrna-gray", {"red": 4, L: 2}, set()),
        ("palermo-smyrna-gray", {"red": 3, L: 3}, set()),
        ("palermo-smyrna-gray", {L: 6}, set()),
        ("palermo-smyrna-gray", {"red": 5, L: 1}, {"pay.locomotives"}),
        ("palermo-smyrna-gray", {"red": 6}, {"pay.locomotives"}),
        ("palermo-smyrna-gray", {"red": 3, "blue": 1, L: 2}, {"pay.mixed"}),
        ("palermo-smyrna-gray", {"red": 5, L: 2}, {"pay.too-many"}),
    ],
)
def test_a_ferry_asks_for_its_locomotives(route: str, cards: dict[str, int], reasons: set[str]) -> None:
    assert why(table("europe", "Bruno"), claim(route, cards)) == reasons


def test_a_coloured_ferry_keeps_its_colour() -> None:
    route = next(
        r
        for r in Position.from_json(table("legendary-asia", "B")).board.routes.values()
        if r.kind == "ferry" and r.color == "red"
    )
    assert why(table("legendary-asia", "B"), claim(route.id, {"red": route.length - 1, L: 1})) == set()
    assert why(table("legendary-asia", "B"), claim(route.id, {"blue": route.length - 1, L: 1})) == {"pay.wrong-color"}


@pytest.mark.parametrize(("players", "owner", "reasons"), [
    (2, "Bruno", {"claim.group-closed"}),
    (3, "Bruno", {"claim.group-closed"}),
    (4, "Bruno", set()),
    (5, "Bruno", set()),
    (2, "Anna", {"claim.group-closed", "claim.group-own"}),
    (3, "Anna", {"claim.group-closed", "claim.group-own"}),
    (4, "Anna", {"claim.group-own"}),
    (5, "Anna", {"claim.group-own"}),
])  # fmt: skip
def test_the_second_track_of_a_double_route(players: int, owner: str, reasons: set[str]) -> None:
    position = table("usa", *("Bruno", "Chloé", "David", "Emma")[: players - 1])
    next(p for p in position["players"] if p["name"] == owner)["routes"] = ["boston-montreal-gray"]
    assert why(position, claim("boston-montreal-gray-2", {"red": 2})) == reasons


@pytest.mark.parametrize(("players", "reasons"), [(2, {"claim.group-closed"}), (3, set()), (4, set())])
@pytest.mark.parametrize("variant", ["united-kingdom", "united-kingdom-advanced", "san-francisco"])
def test_some_boards_close_with_two_players_only(variant: str, players: int, reasons: set[str]) -> None:
    position = table(variant, *("Bruno", "Chloé", "David")[: players - 1])
    board = Position.from_json(position).board
    doubles = (g for g in board.groups.values() if len(g) == 2 and g[1].kind == "normal")
    group = next(g for g in doubles if not g[1].technologies and g[1].length < 3)
    position["players"][1]["routes"] = [group[0].id]
    paid = {group[1].color if group[1].color != "gray" else "red": group[1].length}
    assert why(position, claim(group[1].id, paid)) == reasons


ASIA_DOUBLE = ("canton-hong-kong-red", "canton-hong-kong-white")
ASIA_TRIPLE = ("peking-shanghai-blue", "peking-shanghai-red", "peking-shanghai-green")


def asia(teams: int) -> dict[str, Any]:
    position = table("asia", *("Bruno", "Chloé")[: teams - 1])
    for player in position["players"]:
        player["members"] = [f"{player['name']} 1", f"{player['name']} 2"]
    return position


@pytest.mark.parametrize(
    ("teams", "anna", "bruno", "route", "reasons"),
    [
        (2, (), ASIA_DOUBLE[:1], ASIA_DOUBLE[1], set()),
        (2, ASIA_DOUBLE[:1], (), ASIA_DOUBLE[1], {"claim.group-own-team"}),
        (3, ASIA_DOUBLE[:1], (), ASIA_DOUBLE[1], {"claim.group-own-team"}),
        (2, (), ASIA_TRIPLE[:1], ASIA_TRIPLE[1], set()),
        (2, ASIA_TRIPLE[:1], (), ASIA_TRIPLE[1], set()),
        (2, ASIA_TRIPLE[:2], (), ASIA_TRIPLE[2], {"claim.group-own-team", "claim.group-closed"}),
        (2, ASIA_TRIPLE[:1], ASIA_TRIPLE[1:2], ASIA_TRIPLE[2], {"claim.group-closed"}),
        (3, ASIA_TRIPLE[:1], ASIA_TRIPLE[1:2], ASIA_TRIPLE[2], set()),
        (3, ASIA_TRIPLE[:2], (), ASIA_TRIPLE[2], {"claim.group-own-team"}),
    ],
)
def test_groups_of_the_team_board(
    teams: int, anna: tuple[str, ...], bruno: tuple[str, ...], route: str, reasons: set[str]
) -> None:
    position = asia(teams)
    position["players"][0]["routes"], position["players"][1]["routes"] = list(anna), list(bruno)
    board = Position.from_json(position).board
    track = board.routes[route]
    assert why(position, {"player": "Anna 1", **claim(route, {track.color: track.length})}) == reasons


def test_an_ordinary_double_of_the_team_board_closes_with_four_players() -> None:
    for teams, reasons in ((2, {"claim.group-closed"}), (3, set())):
        position = asia(teams)
        board = Position.from_json(position).board
        group = next(
            g for k, g in board.groups.items() if len(g) == 2 and k != "canton-hong-kong" and g[1].kind == "normal"
        )
        position["players"][1]["routes"] = [group[0].id]
        color = "red" if group[1].color == "gray" else group[1].color
        assert why(position, claim(group[1].id, {color: group[1].length})) == reasons


def test_a_taken_track_stays_taken() -> None:
    position = table("usa", "Bruno")
    position["players"][1]["routes"] = ["calgary-vancouver-gray"]
    assert why(position, claim("calgary-vancouver-gray", {"red": 3})) == {"claim.taken"}
    position["players"][0]["routes"] = ["calgary-seattle-gray"]
    assert why(position, claim("calgary-seattle-gray", {"red": 4})) == {"claim.own"}


@pytest.mark.parametrize(("wagons", "reasons"), [(2, {"claim.wagons"}), (3, set()), (0, {"claim.wagons"})])
def test_wagons_must_be_there(wagons: int, reasons: set[str]) -> None:
    assert why(table("usa", "Bruno", wagons=wagons), claim("calgary-vancouver-gray", {"red": 3})) == reasons


def test_wagons_are_counted_from_the_board() -> None:
    board = Position.from_json(table("usa", "Bruno")).board
    sixes = [g[0].id for g in board.groups.values() if g[0].length == 6 and g[0].id != "el-paso-houston-green"][:7]
    position = table("usa", "Bruno", routes=sixes)
    # 42 of 45 wagons are on the board.
    assert why(position, claim("calgary-vancouver-gray", {"red": 3})) == set()
    assert why(position, claim("calgary-seattle-gray", {"red": 4})) == {"claim.wagons"}


@pytest.mark.parametrize(("wagons", "reasons"), [(3, {"claim.wagons-mountain"}), (4, set())])
def test_a_mountain_takes_wagons_for_its_marks(wagons: int, reasons: set[str]) -> None:
    board = Position.from_json(table("legendary-asia", "Bruno")).board
    route = next(r for r in board.routes.values() if r.length == 3 and r.mountain_marks == 1)
    color = "red" if route.color == "gray" else route.color
    position = table("legendary-asia", "Bruno", wagons=wagons)
    assert why(position, claim(route.id, {color: 3})) == reasons
    if not reasons:
        assert ask(position, claim(route.id, {color: 3})).points == 4 + 2


def test_a_member_of_a_team_lays_own_wagons_only() -> None:
    position = asia(2)
    position["players"][0]["wagons"] = 3
    board = Position.from_json(position).board
    route = next(r for r in board.routes.values() if r.length == 4 and r.kind == "normal")
    color = "red" if route.color == "gray" else route.color
    assert why(position, {"player": "Anna 2", **claim(route.id, {color: 4})}) == {"claim.wagons"}


def test_the_hand_must_hold_the_cards() -> None:
    held = {"red": 2, L: 1}
    position = table("usa", "Bruno", hand=held)
    assert why(position, claim("calgary-vancouver-gray", {"red": 2, L: 1})) == set()
    assert why(position, claim("calgary-vancouver-gray", {"red": 3})) == {"hand.lacks"}
    assert why(position, claim("calgary-vancouver-gray", {"blue": 3})) == {"hand.lacks"}


def test_an_unknown_hand_is_believed_and_said_so() -> None:
    verdict = ask(table("usa", "Bruno"), claim("calgary-vancouver-gray", {"red": 3}))
    assert verdict.legal
    assert believed(verdict) == {"hand"}
    assert believed(ask(table("usa", "Bruno", hand={"red": 3}), claim("calgary-vancouver-gray", {"red": 3}))) == set()


def test_hand_and_rack_pay_together() -> None:
    position = asia(2)
    position["players"][0] |= {"hand": {"red": 1}, "rack": {"red": 1, L: 1}}
    board = Position.from_json(position).board
    three = next(r for r in board.routes.values() if r.length == 3 and r.color == "red" and r.kind == "normal")
    paid = {"player": "Anna 1", **claim(three.id, {"red": 2, L: 1})}
    assert why(position, paid) == set()
    assert why(position, {**paid, "rack": {"red": 1, L: 1}}) == set()
    assert why(position, {**paid, "rack": {"red": 2}}) == {"hand.not-on-rack"}
    assert why(position, {**paid, "cards": {"red": 3}}) == {"hand.lacks-with-rack"}


def test_whose_turn_it_is() -> None:
    position = table("usa", "Bruno") | {"turn": "Bruno"}
    assert why(position, claim("calgary-vancouver-gray", {"red": 3})) == {"turn.not-yours"}
    assert why(position | {"turn": "Anna"}, claim("calgary-vancouver-gray", {"red": 3})) == set()


def test_a_team_acts_through_its_members() -> None:
    position = asia(2) | {"turn": "Anna 1"}
    route = claim(ASIA_TRIPLE[0], {"blue": 3})
    length = Position.from_json(position).board.routes[ASIA_TRIPLE[0]].length
    route["cards"] = {"blue": length}
    for player, reasons in (
        ("Anna 1", set()),
        ("Anna", set()),
        ("Anna 2", {"turn.not-yours"}),
        ("Bruno 1", {"turn.not-yours"}),
    ):
        assert why(position, {"player": player, **route}) == reasons
    assert why(position | {"turn": "Anna"}, {"player": "Anna 2", **route}) == set()


def test_all_reasons_at_once() -> None:
    position = table("united-kingdom", "Bruno", hand={"red": 2}, wagons=2) | {"turn": "Bruno"}
    position["players"][1]["routes"] = ["londonderry-stranraer-gray"]
    assert why(position, claim("londonderry-stranraer-gray", {"red": 1, "blue": 1})) == {
        "turn.not-yours", "claim.taken", "claim.wagons", "claim.technology", "pay.too-few", "pay.mixed",
        "pay.locomotives", "hand.lacks",
    }  # fmt: skip


def test_points_are_told() -> None:
    assert ask(table("usa", "B"), claim("calgary-vancouver-gray", {"red": 3})).points == 4
    assert ask(table("united-kingdom", "B"), claim("new-york-southampton-gray", {"red": 7, L: 3})).points == 40


def test_every_claim_of_a_hand_is_listed_with_every_way_to_pay() -> None:
    position = Position.from_json(table("usa", "Bruno", hand={"blue": 2, "red": 1, L: 1}))
    found = {c.route: [dict(w) for w in c.ways] for c in legal_claims(position, "Anna")}
    one = found["dallas-houston-gray"]
    assert sorted(map(sorted, one)) == sorted(map(sorted, [{"blue": 1}, {"red": 1}, {L: 1}]))
    assert found["montreal-new-york-blue"] == [{"blue": 2, L: 1}]
    assert "el-paso-houston-green" not in found


def test_an_unknown_hand_lists_all_ways_in_principle() -> None:
    position = Position.from_json(table("usa", "Bruno"))
    found = {c.route: c.ways for c in legal_claims(position, "Anna")}
    assert set(found) == set(position.board.routes)
    assert len(found["montreal-new-york-blue"]) == 4
    assert len(found["dallas-houston-gray"]) == 9

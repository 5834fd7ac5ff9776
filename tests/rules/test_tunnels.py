"""Tunnels: before and after cards are turned up, paying more, giving up, and short decks."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

from companion.rules import Variant, find_variant, tunnel
from maps import Board, Trouble
from tests.play.asking import ask, believed, table, why

L = "locomotive"
EUROPE = find_variant("europe")
ASIA = find_variant("asia")
# Three white spaces, three cards turned up.
WHITE = "madrid-pamplona-white"


def dig(cards: dict[str, int], route: str = WHITE, **more: object) -> dict[str, Any]:
    return {"action": "claim", "route": route, "cards": cards, **more}


@pytest.mark.parametrize(
    ("played", "revealed", "due", "payable"),
    [
        (["red", "red"], ["red", "blue", "green"], 1, ("red", L)),
        (["green", "green"], [L, "blue", "red"], 1, ("green", L)),
        ([L, L], [L, "red", "green"], 1, (L,)),
        ([L, L], ["red", "red", "red"], 0, (L,)),
        (["red", L], ["red", L, "red"], 3, ("red", L)),
        (["red", "red"], [], 0, ("red", L)),
        (["red", "red"], ["blue", "green"], 0, ("red", L)),
    ],
)
def test_what_a_tunnel_costs_more(played: list[str], revealed: list[str], due: int, payable: tuple[str, ...]) -> None:
    found = tunnel(*EUROPE, played, revealed)
    assert (found.due, found.payable, found.can_pay) == (due, payable, None)
    assert [t.counts for t in found.turned].count(True) == due
    assert len({t.why.key for t in found.turned}) >= 1 or not revealed


@pytest.mark.parametrize(
    ("played", "hand", "can", "ways"),
    [
        (["red", "red"], ["red", "red"], True, [{"red": 2}]),
        (["red", "red"], ["red", L], True, [{"red": 1, L: 1}]),
        (["red", "red"], ["red", "blue", "blue"], False, []),
        (["red", "red"], [], False, []),
        (["red", "red"], ["red", "red", L, L], True, [{"red": 2}, {"red": 1, L: 1}, {L: 2}]),
        ([L, L], ["red", "red", "red"], False, []),
        ([L, L], [L], True, [{L: 1}]),
    ],
)
def test_whether_a_hand_can_pay(played: list[str], hand: list[str], can: bool, ways: list[dict[str, int]]) -> None:
    found = tunnel(*EUROPE, played, ["red", L, "blue"], hand)
    assert found.can_pay is can
    assert [dict(w) for w in found.ways] == ways


@pytest.mark.parametrize(
    ("rules", "played", "revealed", "code"),
    [
        (EUROPE, ["red", "blue"], ["red"], "tunnel-mixed"),
        (EUROPE, [], ["red"], "tunnel-nothing-played"),
        (EUROPE, ["red"], ["red"] * 4, "tunnel-too-many"),
        (ASIA, ["red"], ["red"] * 7, "tunnel-too-many"),
        (find_variant("usa"), ["red"], ["red"], "no-tunnels"),
    ],
)
def test_what_is_no_tunnel_is_told(
    rules: tuple[Variant, Board], played: list[str], revealed: list[str], code: str
) -> None:
    with pytest.raises(Trouble) as trouble:
        tunnel(*rules, played, revealed)
    assert trouble.value.code == code


def test_up_to_six_cards_are_turned_up_in_asia() -> None:
    assert tunnel(*ASIA, ["red", "red"], ["red", L, "blue", "red", "green", "red"]).due == 4


def test_before_turning_up_the_number_of_cards_is_asked_for() -> None:
    verdict = ask(table("europe", "Bruno"), dig({"white": 3}))
    assert verdict.legal
    assert verdict.needs == {"revealed": 3}
    assert not verdict.complete


def test_after_turning_up_the_extra_is_asked_for_whatever_the_hand_holds() -> None:
    for hand in ({"white": 3}, {"white": 9}):
        verdict = ask(table("europe", "Bruno", hand=hand), dig({"white": 3}, revealed=["white", L, "red"]))
        assert verdict.legal
        assert verdict.needs == {"extra": 2}
    assert ask(table("europe", "Bruno"), dig({"white": 3}, revealed=["blue", "green", "red"])).complete


@pytest.mark.parametrize(
    ("cards", "revealed", "extra", "reasons"),
    [
        ({"white": 3}, ["white", "red", "red"], {"white": 1}, set()),
        ({"white": 3}, ["white", "red", "red"], {L: 1}, set()),
        ({"white": 3}, ["white", "red", "red"], {"red": 1}, {"pay.wrong-color"}),
        ({"white": 3}, ["white", "red", "red"], {}, {"pay.too-few"}),
        ({"white": 3}, ["white", L, "red"], {"white": 1}, {"pay.too-few"}),
        ({"white": 3}, ["white", L, "red"], {"white": 1, L: 1}, set()),
        ({"white": 3}, ["white", "red", "red"], {"white": 2}, {"pay.too-many"}),
        ({"white": 3}, ["blue", "red", "red"], {"white": 1}, {"tunnel.nothing-due"}),
        ({"white": 3}, ["blue", "red", "red"], {}, set()),
        ({L: 3}, ["white", "white", L], {L: 1}, set()),
        ({L: 3}, ["white", "white", L], {"white": 1}, {"pay.locomotives-only"}),
        ({L: 3}, ["white", "white", "white"], {}, set()),
        ({"white": 2, L: 1}, ["white", "white", L], {"white": 2, L: 1}, set()),
        ({"white": 3}, ["white"] * 4, {"white": 4}, {"tunnel.too-many"}),
        ({"white": 3}, None, {"white": 1}, {"tunnel.turn-up-first"}),
        ({"black": 3}, ["black", "red", "red"], {"black": 1}, {"pay.wrong-color"}),
        ({"white": 4}, ["black", "red", "red"], None, {"pay.too-many"}),
    ],
)
def test_paying_the_extra(
    cards: dict[str, int], revealed: list[str] | None, extra: dict[str, int] | None, reasons: set[str]
) -> None:
    assert why(table("europe", "Bruno"), dig(cards, revealed=revealed, extra=extra)) == reasons


def test_the_colour_of_a_gray_tunnel_is_the_one_laid() -> None:
    board = EUROPE[1]
    gray = next(r for r in board.routes.values() if r.kind == "tunnel" and r.color == "gray")
    laid = dig({"blue": gray.length}, gray.id, revealed=["blue", "red", "red"], extra={"blue": 1})
    assert why(table("europe", "Bruno"), laid) == set()
    assert why(table("europe", "Bruno"), {**laid, "extra": {"red": 2}}) == {"pay.too-many", "pay.wrong-color"}


def test_the_extra_comes_on_top_of_the_laid_cards() -> None:
    position = table("europe", "Bruno", hand={"white": 3})
    paid = dig({"white": 3}, revealed=["white", "red", "red"], extra={"white": 1})
    assert why(position, paid) == {"hand.lacks"}
    position["players"][0]["hand"] = {"white": 4}
    assert why(position, paid) == set()


def test_giving_up() -> None:
    position = table("europe", "Bruno")
    given_up = dig({"white": 3}, revealed=["white", "red", "red"], give_up=True)
    assert ask(position, given_up).complete
    assert ask(position, given_up).points == 0
    assert why(position, {**given_up, "revealed": ["red"] * 3}) == {"tunnel.nothing-to-give-up"}
    assert why(position, {**given_up, "extra": {"white": 1}}) == {"tunnel.pay-or-give-up"}
    assert why(position, {**given_up, "revealed": None}) == {"tunnel.turn-up-first"}


@pytest.mark.parametrize(("deck", "discard", "needs"), [(0, 0, {}), (1, 1, {"revealed": 2}), (0, 9, {"revealed": 3})])
def test_a_short_deck_turns_up_fewer_cards(deck: int, discard: int, needs: dict[str, int]) -> None:
    position = table("europe", "Bruno") | {"deck": deck, "discard": discard}
    assert ask(position, dig({"white": 3})).needs == needs


def test_fewer_cards_than_the_deck_holds_are_too_few() -> None:
    position = table("europe", "Bruno") | {"deck": 9, "discard": 0}
    assert ask(position, dig({"white": 3}, revealed=["red"])).needs == {"revealed": 2}
    unknown = ask(table("europe", "Bruno"), dig({"white": 3}, revealed=["red"]))
    assert unknown.complete
    assert believed(unknown) == {"hand", "short-deck"}


def test_other_tracks_turn_up_nothing() -> None:
    paid = {"action": "claim", "route": "brest-paris-black", "cards": {"black": 3}}
    position = table("europe", "Bruno")
    assert why(position, paid) == set()
    assert why(position, {**paid, "revealed": [], "extra": {}}) == set()
    assert why(position, {**paid, "revealed": ["red"]}) == {"tunnel.none"}
    assert why(position, {**paid, "extra": {"black": 1}}) == {"tunnel.none"}
    assert why(position, {**paid, "give_up": True}) == {"tunnel.none"}


def test_extra_cards_may_come_from_the_rack() -> None:
    route = next(r for r in ASIA[1].routes.values() if r.kind == "tunnel" and r.color != "gray")
    position = table("asia", "Bruno", members=["Ada", "Alf"], hand={route.color: route.length}, rack={L: 1})
    position["players"][1]["members"] = ["Bea", "Bo"]
    revealed = [route.color] + ["red" if route.color != "red" else "blue"] * (route.tunnel_draw - 1)
    laid = {"player": "Ada", **dig({route.color: route.length}, route.id, revealed=revealed, extra={L: 1})}
    assert why(position, laid) == set()
    position["players"][0]["rack"] = {}
    assert why(position, laid) == {"hand.lacks-with-rack"}

"""Small things that mistakes made on purpose showed to be held by no test: see docs/testing-rules.md."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion import rules as a
from companion.rules import DEPOTS, Player, Position, Setup, judge, play, problems, start
from tests.play.asking import ask, believed, table

TWO = [Player("Anna", "red"), Player("Bruno", "blue")]
SF = [Player("Anna", "purple"), Player("Bruno", "white"), Player("Chloé", "pink")]
BLIND = (a.DrawnCard("deck"), a.DrawnCard("deck"))


def keys(position: Position, action: a.Action) -> set[str]:
    return {r.message.key.removeprefix("verdict.") for r in judge(position, action).reasons}


def test_cards_too_many_are_counted_and_score_nothing() -> None:
    verdict = ask(table("usa", "Bruno"), {"action": "claim", "route": "duluth-omaha-gray", "cards": {"red": 4}})
    (reason,) = verdict.reasons
    assert (reason.message.key, reason.message.values["n"]) == ("verdict.pay.too-many", 2)
    assert verdict.points == 0


@pytest.mark.parametrize(("shared", "told"), [(5, []), (6, [("position.tokens-shared", 5, 6)])])
def test_of_two_kinds_there_is_one_token_for_two_players(shared: int, told: list[tuple[str, int, int]]) -> None:
    kinds = [str(n) for n in range(shared)]
    players = [
        {"name": name, "color": color, "routes": [], "tickets": [], "tourists": kinds}
        for name, color in (("Anna", "purple"), ("Bruno", "white"))
    ]
    found = problems(Position.from_json({"variant": "san-francisco", "players": players}))
    there = [(m.key, m.values["n"], m.values["there"]) for m in found if m.key == "position.tokens-shared"]
    assert there == told


def test_only_where_nobody_keeps_the_game_a_claim_is_believed() -> None:
    position = table("pennsylvania", "Bruno", "Chloé", routes=["oil-city-warren-orange"])
    share = {"action": "share", "company": "pennsylvania", "route": "oil-city-warren-orange"}
    assert believed(ask(position, share)) == {"just-claimed"}
    game = start("pennsylvania", [*TWO, Player("Chloé", "green")])
    game = play(game, a.Claim("Anna", "oil-city-warren-orange", {"orange": 2}))
    assert believed(judge(game, a.TakeShare("Anna", "pennsylvania", "oil-city-warren-orange"))) == set()


def test_an_empty_ticket_deck_is_said_to_be_empty() -> None:
    position = start("usa", TWO).go_on(tickets_left=0)
    for drawn in (0, 1, 3):
        assert keys(position, a.DrawTickets("Anna", drawn, min(drawn, 1))) == {"tickets.none-left"}
    opening = start("usa", TWO, setup=Setup(opening=True)).go_on(tickets_left=0)
    assert "tickets.none-left" not in keys(opening, a.DrawTickets("Anna", 3, 2))


def test_what_a_table_accepts_never_leaves_less_than_nothing() -> None:
    bare = start("usa", TWO, [DEPOTS])
    bare = replace(bare, players=tuple(replace(p, depots_left=0) for p in bare.players))
    assert play(bare, a.PlaceDepot("Anna", "denver")).players[0].depots_left == 0
    empty = replace(start("usa", TWO), deck=0, discard=0)
    assert play(empty, a.DrawCards("Anna", BLIND)).deck in (0, None)
    laid = start("san-francisco", SF, setup=Setup(tokens={})).go_on(tokens={"alcatraz": {"1": 0}})
    assert (play(laid, a.TakeTourist("Anna", "1", "alcatraz")).run.tokens or {})["alcatraz"] == {"1": 0}


def test_without_turns_the_last_seat_lays_the_first_tokens() -> None:
    position = start("san-francisco", SF, setup=Setup(turns=False, tokens={}))
    assert [(o.kind, o.player, o.required) for o in a.offers(position)] == [("lay-tokens", "Chloé", True)]

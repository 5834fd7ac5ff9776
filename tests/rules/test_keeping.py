"""Games that are not told in full: what can be judged without draws is judged, the rest is taken on trust."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules import (
    BuildStation,
    Claim,
    Join,
    Keep,
    Player,
    Position,
    Setup,
    action_json,
    judge,
    offers,
    play,
    read_action,
    start,
)
from maps import Trouble


def kept(keeping: str = "claims", variant: str = "usa", n: int = 2) -> Position:
    players = [Player(name, color) for name, color in (("Ann", "red"), ("Bob", "blue"), ("Cem", "green"))]
    return start(variant, players[:n], setup=Setup(keeping=keeping))


@pytest.mark.parametrize("keeping", ["claims", "watched"])
def test_a_claim_needs_no_cards_and_no_turn(keeping: str) -> None:
    position = kept(keeping)
    assert position.turn == ""
    for name in ("Bob", "Bob", "Ann"):
        offer = next(o for o in offers(position) if o.action is Claim and o.player == name)
        assert [ask.field for ask in offer.asks] == ["route"]
        route = next(r for r in position.board.routes if r not in position.owners)
        action = read_action({"player": name, "action": "claim", "route": route}, position)
        verdict = judge(position, action)
        assert verdict.complete
        assert [m.key for m in verdict.trust] == ["verdict.trust.cards"]
        assert verdict.points == position.board.routes[route].points
        assert read_action(action_json(action, position), position) == action
        position = play(position, action)
    assert [len(p.routes) for p in position.players] == [1, 2]


def test_what_the_board_shows_is_judged() -> None:
    position = play(kept(), Claim("Ann", "denver-salt-lake-city-red"))
    closed = judge(position, Claim("Bob", "denver-salt-lake-city-yellow"))
    assert [r.message.key for r in closed.reasons] == ["verdict.claim.group-closed"]
    taken = judge(position, Claim("Bob", "denver-salt-lake-city-red"))
    assert "verdict.claim.taken" in [r.message.key for r in taken.reasons]


def test_cards_that_are_told_all_the_same_are_judged() -> None:
    verdict = judge(kept(), Claim("Ann", "denver-salt-lake-city-red", {"blue": 3}))
    assert not verdict.legal


def test_a_refereed_game_still_asks_for_cards() -> None:
    with pytest.raises(Trouble):
        read_action({"player": "Ann", "action": "claim", "route": "denver-omaha-pink"}, kept("refereed"))


def test_a_tunnel_is_taken_on_trust() -> None:
    position = kept("watched", "europe")
    route = next(r.id for r in position.board.routes.values() if r.kind == "tunnel")
    assert judge(position, Claim("Ann", route)).complete
    assert judge(position, BuildStation("Ann", "paris")).complete


def test_the_last_round_is_called_and_everybody_claims_once_more() -> None:
    position = kept()
    position = replace(position, players=(replace(position.players[0], wagons=4), position.players[1]))
    position = play(position, Claim("Ann", "atlanta-charleston-gray"))
    assert position.run.called_by == "Ann"
    assert set(position.run.last_turns or ()) == {"Ann", "Bob"}
    position = play(position, Claim("Bob", "denver-omaha-pink"))
    second = judge(position, Claim("Bob", "calgary-helena-gray"))
    assert [r.message.key for r in second.reasons] == ["verdict.turn.had-last"]
    assert not position.run.over
    position = play(position, Claim("Ann", "nashville-saint-louis-gray"))
    assert position.run.over


def test_the_way_of_keeping_changes_at_any_time() -> None:
    position = start("usa", [Player("Ann", "red"), Player("Bob", "blue")])
    assert position.turn == "Ann"
    position = play(position, Keep("Ann", "claims"))
    assert (position.keeping, position.turn) == ("claims", "")
    assert judge(position, Claim("Bob", "denver-omaha-pink")).complete
    assert not judge(position, Keep("Ann", "claims")).legal
    assert Position.from_json(position.to_json()).keeping == "claims"
    position = play(position, Keep("Bob", "refereed"))
    assert (position.keeping, position.turn) == ("refereed", "Bob")
    assert not judge(position, Claim("Bob", "denver-omaha-pink")).legal


def test_no_draws_are_offered() -> None:
    assert {o.action for o in offers(kept())} == {Claim}


def test_a_way_that_nobody_knows_is_told() -> None:
    with pytest.raises(Trouble) as trouble:
        kept("by-heart")
    assert trouble.value.code == "unknown-keeping"


@pytest.mark.parametrize(
    ("variant", "name", "color", "reasons"),
    [
        ("usa", "Cleo", "green", []),
        ("usa", "Ann", "green", ["error.player-names"]),
        ("usa", " ", "green", ["error.player-names"]),
        ("usa", "Cleo", "blue", ["error.same-color"]),
        ("usa", "Cleo", "purple", ["error.player-color"]),
    ],
)
def test_who_was_forgotten_sits_down(variant: str, name: str, color: str, reasons: list[str]) -> None:
    position = start(variant, [Player("Ann", "red"), Player("Bob", "blue")])
    verdict = judge(position, Join("Ann", name, color))
    assert [r.message.key for r in verdict.reasons] == reasons
    assert Join not in {o.action for o in offers(position)}


def test_a_full_table_and_a_team_take_nobody_more() -> None:
    colors = ("red", "blue", "green", "yellow", "black")
    full = start("usa", [Player(c.title(), c) for c in colors])
    assert [r.message.key for r in judge(full, Join("Red", "Cleo", "white")).reasons] == ["error.player-count"]
    teams = start("asia", [Player(c.title(), c, members=(f"{c}-1", f"{c}-2")) for c in colors[:2]])
    assert [r.message.key for r in judge(teams, Join("red-1", "Cleo", "green")).reasons] == ["error.team-members"]


def test_whoever_sits_down_is_last_in_turn_and_chooses_what_the_others_chose() -> None:
    position = start("usa", [Player("Ann", "red"), Player("Bob", "blue")], ["warehouses-depots"])
    position = replace(play(position, Claim("Ann", "duluth-omaha-gray", {"red": 2})), deck=60, discard=2)
    later = play(position, Join("Bob", "Cleo", "green"))
    assert (later.order, later.turn, later.run.opening, later.run.placing) == (("Ann", "Bob", "Cleo"), "Bob", (), ())
    assert (later.deck, later.discard) == (None, None)
    assert (later.players[2].depots_left, dict(later.run.warehouses)) == (5, {"Ann": 0, "Bob": 0, "Cleo": 0})
    assert later.players[0] == position.players[0]
    asked = play(position, Join("Bob", "Cleo", "green", opening=True))
    assert (asked.run.opening, asked.run.placing) == (("Cleo",), ("Cleo",))
    assert {(o.kind, o.player) for o in offers(asked) if o.required} == {("draw-tickets", "Cleo")}
    # Nobody sits down twice, whatever a table accepts.
    assert play(later, Join("Bob", "Cleo", "green")) == later


def test_whoever_sits_down_in_the_last_round_has_a_last_turn() -> None:
    position = start("usa", [Player("Ann", "red"), Player("Bob", "blue")]).go_on(last_turns=("Bob",), called_by="Ann")
    position = replace(position, turn="Bob")
    assert play(position, Join("Bob", "Cleo", "green")).run.last_turns == ("Bob", "Cleo")

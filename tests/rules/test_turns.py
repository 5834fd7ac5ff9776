"""A running game: opening, turns, what follows a claim, the last round and the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion import rules as a
from companion.rules import DEPOTS, Outcome, Player, Position, Setup, judge, play, start
from maps import LOCOMOTIVE as L
from maps import Trouble
from tests.play.walking import follow_ups

TWO = [Player("Anna", "red"), Player("Bruno", "blue")]
TEAMS = [Player("Reds", "red", members=("Anna", "Ada")), Player("Blues", "blue", members=("Bruno", "Bea"))]
BLIND = (a.DrawnCard("deck"), a.DrawnCard("deck"))


def keys(position: Position, action: a.Action) -> set[str]:
    return {r.message.key.removeprefix("verdict.") for r in judge(position, action).reasons}


def test_the_opening_comes_first() -> None:
    position = start("usa", TWO, setup=Setup(opening=True))
    assert keys(position, a.DrawCards("Anna", BLIND)) == {"turn.opening-first"}
    for name in ("Bruno", "Anna"):
        position = play(position, a.DrawTickets(name, 3, 2))
        if name == "Bruno":
            assert "turn.opening-done" in keys(position, a.DrawTickets("Bruno", 3, 2))
    assert position.turn == "Anna"
    assert position.run.tickets_left == 30 - 4
    assert position.run.secret_tickets == {"Bruno": 2, "Anna": 2}
    assert keys(position, a.DrawCards("Anna", BLIND)) == set()


def test_refused_opening_tickets_go_into_the_box_in_europe() -> None:
    position = start("europe", TWO, setup=Setup(opening=True))
    position = play(position, a.DrawTickets("Anna", 4, 2))
    assert position.run.tickets_left == 40 - 3


def test_turns_go_round() -> None:
    position = start("usa", TWO, setup=Setup(first="Bruno"))
    assert position.turn == "Bruno"
    assert keys(position, a.DrawCards("Anna", BLIND)) == {"turn.not-yours"}
    position = play(position, a.DrawCards("Bruno", BLIND))
    assert position.turn == "Anna"
    assert keys(position, a.DrawCards("Bruno", BLIND)) == {"turn.not-yours"}


def test_partners_play_one_after_the_other() -> None:
    position = start("asia", TEAMS)
    assert position.order == ("Anna", "Ada", "Bruno", "Bea")
    told = []
    for _ in range(5):
        told.append(position.turn)
        cards = (a.DrawnCard("deck", None, "hand"), a.DrawnCard("deck", None, "rack"))
        position = play(position, a.DrawCards(position.turn, cards))
    assert told == ["Anna", "Ada", "Bruno", "Bea", "Anna"]


def test_nobody_keeps_turns_where_the_table_does_not_want_it() -> None:
    position = start("usa", TWO, setup=Setup(turns=False))
    position = play(position, a.Claim("Bruno", "calgary-vancouver-gray", {"red": 3}))
    assert position.turn == ""
    assert keys(position, a.Claim("Bruno", "calgary-seattle-gray", {"red": 4})) == set()


def few_wagons(position: Position, name: str, wagons: int) -> Position:
    player = replace(position.entry(name), wagons=wagons)
    return replace(position, players=tuple(player if p.name == player.name else p for p in position.players))


@pytest.mark.parametrize(("before", "called"), [(3, True), (4, True), (5, True), (6, False)])
def test_the_last_round_is_called_at_two_wagons(before: int, called: bool) -> None:
    position = few_wagons(start("usa", TWO), "Anna", before)
    position = play(position, a.Claim("Anna", "calgary-vancouver-gray", {"red": 3}))
    run = position.run
    assert (run.last_turns is not None) is called
    assert run.called_by == ("Anna" if called else "")
    if not called:
        return
    # Everybody plays once more, the one who called it last.
    assert run.last_turns == ("Bruno", "Anna")
    position = play(position, a.DrawCards("Bruno", BLIND))
    assert not position.run.over
    position = play(position, a.DrawCards("Anna", BLIND))
    assert position.run.over
    assert keys(position, a.DrawCards("Bruno", BLIND)) == {"turn.over"}
    assert keys(position, a.Claim("Bruno", "calgary-seattle-gray", {"red": 4})) == {"turn.over"}
    assert keys(position, a.ShowTickets("Bruno", ())) == set()


@pytest.mark.parametrize(("before", "called"), [(5, True), (6, True), (7, True), (8, False)])
def test_a_team_calls_the_last_round_at_four_wagons_together(before: int, called: bool) -> None:
    position = few_wagons(start("asia", TEAMS), "Anna", before)
    route = next(r for r in position.board.routes.values() if r.length == 3 and r.color == "red")
    position = play(position, a.Claim("Anna", route.id, {"red": 3}))
    assert (position.run.last_turns is not None) is called
    if called:
        assert position.run.last_turns == ("Ada", "Bruno", "Bea", "Anna")


def test_each_member_has_wagons_of_their_own() -> None:
    position = start("asia", TEAMS)
    position = replace(position, running=replace(position.run, wagons={"Anna": 2, "Ada": 20, "Bruno": 27, "Bea": 27}))
    route = next(r for r in position.board.routes.values() if r.length == 3 and r.color == "red")
    assert keys(position, a.Claim("Anna", route.id, {"red": 3})) == {"claim.wagons"}
    assert keys(replace(position, turn="Ada"), a.Claim("Ada", route.id, {"red": 3})) == set()


def test_one_technology_a_turn_before_the_action() -> None:
    position = start("united-kingdom", TWO)
    position = play(position, a.BuyTechnology("Anna", "propellers", {L: 2}))
    assert position.turn == "Anna"
    assert keys(position, a.BuyTechnology("Anna", "booster", {L: 2})) == {"technology.one-a-turn"}
    assert keys(position, a.BuyTechnology("Bruno", "booster", {L: 2})) >= {"turn.not-yours"}
    position = play(position, a.Claim("Anna", "barrow-liverpool-gray", {L: 1}))
    assert position.turn == "Bruno"
    assert keys(position, a.BuyTechnology("Bruno", "booster", {L: 2})) == set()
    assert position.players[0].marked_points == 1


def test_right_of_way_goes_back_after_its_turn() -> None:
    position = start("united-kingdom", TWO)
    position = play(position, a.Claim("Anna", "barrow-carlisle-red", {"red": 1}))
    position = play(position, a.BuyTechnology("Bruno", "right-of-way", {L: 4}))
    position = play(position, a.Claim("Bruno", "barrow-carlisle-red", {"red": 1}))
    assert position.players[1].technologies == ()
    assert position.owners["barrow-carlisle-red"] == (0, 1)
    assert position.turn == "Anna"
    assert keys(position, a.BuyTechnology("Anna", "right-of-way", {L: 4})) == {"technology.no-use"}


def test_thermocompressor_claims_two_tracks() -> None:
    position = start("united-kingdom-advanced", TWO)
    position = play(position, a.BuyTechnology("Anna", "thermocompressor", {L: 1}))
    position = play(position, a.Claim("Anna", "barrow-carlisle-red", {"red": 1}))
    assert position.turn == "Anna"
    assert keys(position, a.DrawCards("Anna", BLIND)) == {"turn.claim-or-pass"}
    assert keys(position, a.Pass("Anna")) == set()
    assert keys(position, a.BuyTechnology("Anna", "booster", {L: 2})) == {
        "technology.one-a-turn",
        "technology.before-the-action",
    }
    position = play(position, a.Claim("Anna", "barrow-leeds-green", {"green": 2}))
    assert position.turn == "Bruno"
    assert position.players[0].technologies == ()


def test_contracts_leave_the_game_when_the_deck_runs_out() -> None:
    position = start("united-kingdom-advanced", TWO)
    position = replace(position, running=replace(position.run, reshuffled=True))
    assert keys(position, a.BuyTechnology("Anna", "risky-contracts", {L: 2})) == {"technology.too-late"}
    assert keys(position, a.BuyTechnology("Anna", "equalising-beam", {L: 2})) == {"technology.too-late"}
    assert keys(position, a.BuyTechnology("Anna", "diesel-power", {L: 3})) == set()


def test_passing_is_for_those_who_can_do_nothing() -> None:
    position = start("usa", TWO)
    assert keys(position, a.Pass("Anna")) == {"turn.must-act"}
    stuck = replace(
        position, deck=0, discard=0, face_up=(), running=replace(position.run, tickets_left=0),
        players=(replace(TWO[0], hand={}), TWO[1]),
    )  # fmt: skip
    assert keys(stuck, a.Pass("Anna")) == set()
    assert keys(replace(stuck, players=(replace(TWO[0], hand={"red": 1}), TWO[1])), a.Pass("Anna")) == {"turn.must-act"}


def test_a_share_follows_its_claim_until_somebody_acts() -> None:
    position = start("pennsylvania", [*TWO, Player("Chloé", "green")])
    claim = a.Claim("Anna", "oil-city-warren-orange", {"orange": 2})
    share = a.TakeShare("Anna", "pennsylvania", claim.route)
    assert keys(position, share) == {"share.not-just-claimed"}
    position = play(position, claim)
    assert position.turn == "Bruno"
    assert keys(position, share) == set()
    for other in ("Bruno", "Chloé"):
        assert "turn.not-your-claim" in keys(position, a.TakeShare(other, "pennsylvania", claim.route))
    taken = play(position, share)
    assert taken.players[0].shares == {"pennsylvania": (1,)}
    assert keys(taken, share) == {"share.one-a-claim"}
    later = play(position, a.DrawCards("Bruno", BLIND))
    assert keys(later, share) == {"share.not-just-claimed", "turn.not-yours"}


def test_the_neutral_player_gets_a_share_and_half_is_shown() -> None:
    position = start("pennsylvania", TWO)
    for i, route in enumerate(("oil-city-warren-orange",)):
        position = play(position, a.Claim(TWO[i].name, route, {"orange": 2}))
        assert judge(position, a.TakeShare("Anna", "pennsylvania", route)).needs == {
            "neutral": ["pennsylvania", "baltimore-ohio", "erie-lackawanna"]
        }
        position = play(position, a.TakeShare("Anna", "pennsylvania", route, "pennsylvania"))
    assert position.run.neutral_pile == {"pennsylvania": (2,)}
    assert keys(position, a.ShowNeutral("Anna", {})) == {"share.neutral-at-end", "share.neutral-half"}
    over = replace(position, running=replace(position.run, over=True))
    assert keys(over, a.ShowNeutral("Anna", {"reading": (1,)})) == {"share.neutral-not-in-pile"}
    assert play(over, a.ShowNeutral("Anna", {"pennsylvania": (2,)})).neutral_shares == {"pennsylvania": (2,)}


TOKENS = {
    "alcatraz": {"kind-0": 2}, "golden-gate-bridge": {"kind-1": 2}, "the-embarcadero": {"kind-2": 2},
    "sunset": {"kind-3": 2}, "potrero-hill": {"kind-4": 2}, "pier-39": {"kind-5": 1}, "mission-district": {"kind-6": 1},
}  # fmt: skip
SF_TWO = [Player("Anna", "purple"), Player("Bruno", "white")]


def test_a_token_is_taken_at_an_end_of_the_track() -> None:
    position = start("san-francisco", SF_TWO, setup=Setup(tokens=TOKENS))
    position = play(position, a.Claim("Anna", "alcatraz-pier-39-gray", {"red": 1, L: 1}))
    assert keys(position, a.TakeTourist("Anna", "kind-0", "alcatraz")) == set()
    assert keys(position, a.TakeTourist("Anna", "kind-5", "pier-39")) == set()
    assert keys(position, a.TakeTourist("Anna", "kind-1", "alcatraz")) == {"tourist.not-there"}
    assert keys(position, a.TakeTourist("Anna", "kind-3", "sunset")) == {"tourist.not-an-end"}
    taken = play(position, a.TakeTourist("Anna", "kind-0", "alcatraz"))
    assert taken.run.tokens is not None
    assert (taken.run.tokens or {})["alcatraz"] == {"kind-0": 1}
    assert keys(taken, a.TakeTourist("Anna", "kind-5", "pier-39")) == {"tourist.one-a-claim"}
    assert taken.players[0].tourists == ("kind-0",)


def test_what_a_claim_brings_is_listed() -> None:
    position = start("san-francisco", SF_TWO, setup=Setup(tokens=TOKENS))
    assert follow_ups(position) == ()
    position = play(position, a.Claim("Anna", "alcatraz-pier-39-gray", {"red": 1, L: 1}))
    both = (a.TakeTourist("Anna", "kind-0", "alcatraz"), a.TakeTourist("Anna", "kind-5", "pier-39"))
    assert follow_ups(position) == both
    assert follow_ups(play(position, both[0])) == ()
    position = play(start("pennsylvania", TWO), a.Claim("Anna", "oil-city-warren-orange", {"orange": 2}))
    # One of three companies for Anna, one of three for the neutral player.
    assert len(follow_ups(position)) == 9
    position = play(start("usa", TWO, [DEPOTS]), a.PlaceDepot("Bruno", "vancouver"))
    position = play(position, a.DrawCards("Anna", BLIND, "Bruno"))
    position = play(position, a.Claim("Bruno", "calgary-vancouver-gray", {"red": 3}))
    assert follow_ups(position) == (a.EmptyWarehouse("Bruno", "Bruno"),)


@pytest.mark.parametrize("wrong", [
    {"alcatraz": {"kind-0": 2}},
    TOKENS | {"mission-district": {"kind-6": 2}},
    TOKENS | {"mission-district": {"kind-5": 1}},
    {**TOKENS, "nowhere": {"kind-6": 1}},
])  # fmt: skip
def test_tokens_lie_as_the_rules_say(wrong: dict[str, dict[str, int]]) -> None:
    with pytest.raises(Trouble) as trouble:
        start("san-francisco", SF_TWO, setup=Setup(tokens=wrong))
    assert trouble.value.code == "bad-tokens"


def test_depots_are_placed_backwards_before_the_first_turn() -> None:
    position = start("usa", [*TWO, Player("Chloé", "green")], [DEPOTS], setup=Setup(first="Bruno", opening=True))
    for name in ("Anna", "Bruno", "Chloé"):
        position = play(position, a.DrawTickets(name, 3, 2))
    assert position.run.placing == ("Anna", "Chloé", "Bruno")
    assert keys(position, a.PlaceDepot("Bruno", "miami")) == {"turn.placing"}
    for name, city in (("Anna", "miami"), ("Chloé", "boston"), ("Bruno", "denver")):
        assert keys(position, a.PlaceDepot(name, city)) == set()
        position = play(position, a.PlaceDepot(name, city))
    assert [p.depots_left for p in position.players] == [4, 4, 4]
    # During one's turn, and when it is just over, depots cost no action.
    assert keys(position, a.PlaceDepot("Bruno", "dallas")) == set()
    assert keys(position, a.PlaceDepot("Anna", "dallas")) == {"turn.not-yours"}
    position = play(position, a.DrawCards("Bruno", BLIND, "Anna"))
    assert position.run.warehouses == {"Anna": 1, "Chloé": 0, "Bruno": 0}
    assert keys(position, a.PlaceDepot("Bruno", "dallas")) == set()


def test_a_warehouse_is_emptied_after_reaching_its_depot() -> None:
    position = start("usa", TWO, [DEPOTS])
    position = play(position, a.PlaceDepot("Bruno", "vancouver"))
    position = play(position, a.DrawCards("Anna", BLIND, "Bruno"))
    position = play(position, a.Claim("Bruno", "calgary-seattle-gray", {"red": 4}))
    assert keys(position, a.EmptyWarehouse("Bruno", "Bruno")) == {"warehouse.no-depot"}
    position = play(position, a.Claim("Anna", "calgary-vancouver-gray", {"red": 3}))
    assert keys(position, a.EmptyWarehouse("Anna", "Bruno")) == set()
    assert keys(position, a.EmptyWarehouse("Anna", "Anna")) == {"warehouse.no-depot", "warehouse.empty"}
    position = play(position, a.EmptyWarehouse("Anna", "Bruno"), Outcome(taken={"red": 1}))
    assert position.run.warehouses == {"Anna": 0, "Bruno": 0}
    assert keys(position, a.EmptyWarehouse("Anna", "Bruno")) == {"warehouse.once", "warehouse.empty"}


@pytest.mark.parametrize(
    ("options", "hand", "rack"),
    [({}, {"yellow": 3}, {}), ({"rack-cards-back": True}, {"yellow": 2}, {"yellow": 1})],
)
def test_a_given_up_tunnel_returns_its_cards_to_the_hand(
    options: dict[str, bool], hand: dict[str, int], rack: dict[str, int]
) -> None:
    hands: dict[str, dict[str, int]] = {"Anna": {"yellow": 2}, "Ada": {}, "Bruno": {}, "Bea": {}}
    position = start("asia", TEAMS, options=options, setup=Setup(hands=hands, face_up=("red",) * 5))
    position = replace(position, players=(replace(position.players[0], rack={"yellow": 1}), position.players[1]))
    turned = ("yellow", "blue", "blue", "red")
    after = play(position, a.Claim("Anna", "kabul-kashgar-yellow", {"yellow": 3}, turned, None, True))
    assert after.seat("Anna").hand == hand
    assert after.players[0].rack == rack
    assert after.discard == 4
    assert not after.owners
    assert after.turn == "Ada"


def test_hands_that_nobody_knows_stay_unknown() -> None:
    position = play(start("usa", TWO), a.DrawCards("Anna", BLIND), Outcome(("red", "blue")))
    assert position.seat("Anna").hand is None
    known = start("usa", TWO, setup=Setup(hands={"Anna": {"red": 4}, "Bruno": {"blue": 4}}, face_up=("red",) * 5))
    assert known.deck == 110 - 8 - 5
    drawn = play(known, a.DrawCards("Anna", BLIND), Outcome(("red", "blue"), ()))
    assert drawn.seat("Anna").hand == {
        "red": 5,
        "blue": 1,
    }
    lost = play(known, a.DrawCards("Anna", BLIND))
    assert lost.seat("Anna").hand is None
    assert lost.deck == 110 - 8 - 5 - 2
    taken = play(known, a.DrawCards("Anna", (a.DrawnCard("table", "red"),)))
    assert (taken.deck, taken.face_up) == (None, None)


def test_three_locomotives_sweep_the_open_cards() -> None:
    five = ("red", "blue", L, L, "green")
    position = start("usa", TWO, setup=Setup(hands={"Anna": {}, "Bruno": {}}, face_up=five))
    turned = (L, "sweep", "red", "red", "red", "red", "red")
    position = play(position, a.DrawCards("Anna", (a.DrawnCard("table", "red"),)), Outcome((), turned))
    assert position.face_up == ("red",) * 5
    assert position.discard == 5
    assert position.deck == 110 - 5 - 6


@pytest.mark.parametrize(
    ("players", "modules", "options", "code"),
    [
        ([Player("Anna", "red")], [], {}, "player-count"),
        ([Player("Anna", "red"), Player("Anna", "blue")], [], {}, "player-names"),
        ([Player("Anna", "red"), Player(" ", "blue")], [], {}, "player-names"),
        ([Player("Anna", "red"), Player("Bruno", "red")], [], {}, "same-color"),
        ([Player("Anna", "red"), Player("Bruno", "gold")], [], {}, "player-color"),
        (TWO, ["warehouse-depots"], {}, "unknown-module"),
        (TWO, [], {"rack-cards-back": True}, "unknown-option"),
    ],
)
def test_what_can_not_be_played_is_told(
    players: list[Player], modules: list[str], options: dict[str, bool], code: str
) -> None:
    with pytest.raises(Trouble) as trouble:
        start("usa", players, modules, options)
    assert trouble.value.code == code


def test_teams_need_their_members() -> None:
    with pytest.raises(Trouble) as trouble:
        start("asia", [replace(TEAMS[0], members=("Anna", "Ada", "Alf")), replace(TEAMS[1], members=("Bruno",))])
    assert trouble.value.code == "team-members"
    with pytest.raises(Trouble) as trouble:
        start("usa", TWO, setup=Setup(first="Zoé"))
    assert trouble.value.code == "unknown-player"

"""What each offer asks, question by question: the choices of a known table, part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any  # Any: fields of actions, and their choices

import pytest

from companion import rules as a
from companion.rules import DEPOTS, LastClaim, Player, Position, Question, Setup, offers, start
from maps import Ticket
from tests.play.asking import table

TWO = [Player("Anna", "red"), Player("Bruno", "blue")]
THREE = [*TWO, Player("Chloé", "green")]
SF = [Player("Anna", "purple"), Player("Bruno", "white"), Player("Chloé", "pink")]
TEAMS = [Player("Red", "red", members=("Anna", "Bea")), Player("Blue", "blue", members=("Carl", "Dora"))]
COLORS = ("blue", "pink", "orange", "white", "green", "yellow", "black", "red")

LOCO = "locomotive"
BLIND = a.DrawnCard("deck")


def opened(color: str) -> a.DrawnCard:
    return a.DrawnCard("table", color)


def offer(position: Position, kind: str, player: str = "Anna") -> a.Offer | None:
    found = [o for o in offers(position) if o.kind == kind and o.player == player]
    assert len(found) <= 1
    return found[0] if found else None


def question(position: Position, kind: str, player: str = "Anna", **told: Any) -> Question | None:
    """The next question of an offer that must be there."""
    found = offer(position, kind, player)
    assert found is not None, (kind, [o.kind for o in offers(position)])
    return found.question(told)


def choices(position: Position, kind: str, player: str = "Anna", **told: Any) -> tuple[Any, ...]:
    """The choices of the next question, which must have some."""
    asked = question(position, kind, player, **told)
    assert asked is not None
    assert asked.choices is not None
    return asked.choices


def holding(variant: str, hand: Mapping[str, int] | None, **fields: Any) -> Position:
    """Anna to move with these cards, whatever else is told of the table."""
    own = {k: fields.pop(k) for k in ("routes", "stations", "technologies", "rack") if k in fields}
    told = table(variant, "Bruno", **({} if hand is None else {"hand": hand}), **own)
    return Position.from_json({**told, "turn": "Anna", **fields})


def as_set(piles: Sequence[Mapping[str, int]]) -> set[tuple[tuple[str, int], ...]]:
    return {tuple(sorted(pile.items())) for pile in piles}


@pytest.mark.parametrize(
    ("hand", "cards"),
    [
        ({"red": 3}, [{"red": 2}]),
        ({"red": 1, LOCO: 1}, [{"red": 1, LOCO: 1}]),
        ({"red": 2, "blue": 1, LOCO: 2}, [{"red": 2}, {"red": 1, LOCO: 1}, {"blue": 1, LOCO: 1}, {LOCO: 2}]),
        ({LOCO: 4}, [{LOCO: 2}]),
        (None, [p for c in COLORS for p in ({c: 2}, {c: 1, LOCO: 1})] + [{LOCO: 2}]),
    ],
)
def test_a_grey_route_of_two_is_paid_in_these_ways(
    hand: Mapping[str, int] | None, cards: Sequence[Mapping[str, int]]
) -> None:
    position = holding("usa", hand)
    assert "duluth-omaha-gray" in choices(position, "claim")
    asked = question(position, "claim", route="duluth-omaha-gray")
    assert asked is not None
    assert (asked.field, asked.free, asked.number) == ("cards", False, None)
    assert as_set(asked.choices or ()) == as_set(cards)
    assert len(asked.choices or ()) == len(cards)
    assert question(position, "claim", route="duluth-omaha-gray", cards=cards[0]) is None


def test_only_routes_that_the_hand_can_pay_are_offered() -> None:
    routes = choices(holding("usa", {"black": 1, "red": 1}), "claim")
    lengths = {holding("usa", None).board.routes[r].length for r in routes}
    assert lengths == {1}
    assert offer(holding("usa", {}), "claim") is None
    assert set(choices(holding("usa", None), "claim")) == set(holding("usa", None).board.routes)


@pytest.mark.parametrize(
    ("hand", "cards"),
    [
        # Birmingham - Northampton is a green one of one space: a green card, a locomotive, or any four cards.
        ({"green": 1}, [{"green": 1}]),
        ({"red": 3, "blue": 1}, [{"red": 3, "blue": 1}]),
        ({"red": 4, "blue": 1}, [{"red": 4}, {"red": 3, "blue": 1}]),
        (
            {"red": 2, "blue": 2, "black": 1},
            [{"red": 2, "blue": 2}, {"red": 2, "blue": 1, "black": 1}, {"red": 1, "blue": 2, "black": 1}],
        ),
        ({"red": 3}, None),
    ],
)
def test_four_cards_stand_for_a_locomotive_in_the_united_kingdom(
    hand: Mapping[str, int], cards: Sequence[Mapping[str, int]] | None
) -> None:
    position = holding("united-kingdom", hand)
    found = offer(position, "claim")
    if cards is None:
        assert found is None or "birmingham-northampton-green" not in choices(position, "claim")
        return
    asked = question(position, "claim", route="birmingham-northampton-green")
    assert asked is not None
    assert asked.free
    assert as_set(asked.choices or ()) == as_set(cards)


def test_booster_takes_three() -> None:
    position = holding("united-kingdom", {"red": 3}, technologies=["booster"])
    assert choices(position, "claim", route="birmingham-northampton-green") == ({"red": 3},)


TUNNEL = "angora-constantinople-gray"


@pytest.mark.parametrize(
    ("told", "number"),
    [
        ({}, 3),
        ({"deck": 10, "discard": 5}, 3),
        ({"deck": 1, "discard": 1}, 2),
        ({"deck": 1}, 3),
        ({"deck": 0, "discard": 0}, None),
    ],
)
def test_so_many_cards_are_turned_up_for_a_tunnel(told: Mapping[str, int], number: int | None) -> None:
    position = holding("europe", {"red": 4}, **told)
    asked = question(position, "claim", route=TUNNEL, cards={"red": 2})
    assert asked == (None if number is None else Question("revealed", None, True, number))


def test_nothing_is_turned_up_where_there_is_no_tunnel_or_nobody_referees() -> None:
    assert (
        question(holding("europe", {"black": 4}), "claim", route="amsterdam-bruxelles-black", cards={"black": 1})
        is None
    )
    watched = start("europe", TWO, setup=Setup(keeping="claims"))
    assert question(watched, "claim", route=TUNNEL) is None


@pytest.mark.parametrize(
    ("hand", "laid", "revealed", "give_up", "extra"),
    [
        # Nothing counts: nothing is asked.
        ({"red": 4}, {"red": 2}, ("blue", "green", "black"), None, None),
        ({"red": 4}, {"red": 2}, (), None, None),
        # One counts: pay with the colour or a locomotive that is left, or give up.
        ({"red": 3}, {"red": 2}, ("red", "green", "black"), (False, True), [{"red": 1}]),
        ({"red": 3, LOCO: 1}, {"red": 2}, ("red", "green", "black"), (False, True), [{"red": 1}, {LOCO: 1}]),
        ({"red": 3, LOCO: 1}, {"red": 1, LOCO: 1}, (LOCO, "red", "black"), (False, True), [{"red": 2}]),
        # Nothing left that pays: what was laid does not count again.
        ({"red": 2, "blue": 3}, {"red": 2}, ("red", "green", "black"), (True,), None),
        ({"red": 3}, {"red": 2}, ("red", "red", "black"), (True,), None),
        # Only locomotives were laid: only locomotives count, and pay.
        ({LOCO: 3, "red": 4}, {LOCO: 2}, ("red", "blue", "black"), None, None),
        ({LOCO: 3, "red": 4}, {LOCO: 2}, ("red", LOCO, "black"), (False, True), [{LOCO: 1}]),
        # A hand that nobody knows may hold anything.
        (None, {"red": 2}, ("red", "green", LOCO), (False, True), [{"red": 2}, {"red": 1, LOCO: 1}, {LOCO: 2}]),
    ],
)
def test_what_a_tunnel_asks_after_its_cards_were_turned_up(
    hand: Mapping[str, int] | None,
    laid: Mapping[str, int],
    revealed: tuple[str, ...],
    give_up: tuple[bool, ...] | None,
    extra: Sequence[Mapping[str, int]] | None,
) -> None:
    position = holding("europe", hand)
    told: dict[str, Any] = {"route": TUNNEL, "cards": laid, "revealed": revealed}
    asked = question(position, "claim", **told)
    assert asked == (None if give_up is None else Question("give_up", give_up))
    if give_up is None:
        return
    assert question(position, "claim", **told, give_up=True) is None
    paid = question(position, "claim", **told, give_up=False)
    if extra is None:
        assert paid is None
    else:
        assert paid is not None
        assert (paid.field, as_set(paid.choices or ())) == ("extra", as_set(extra))


def test_a_tunnel_of_asia_turns_up_as_many_as_it_prints() -> None:
    position = start("asia", TEAMS)
    printed = {r.tunnel_draw for r in position.board.routes.values() if r.kind == "tunnel"}
    assert printed == {4, 5, 6}
    for route in (r for r in position.board.routes.values() if r.kind == "tunnel"):
        asked = question(position, "claim", route=route.id, cards={LOCO: route.length})
        assert asked == Question("revealed", None, True, route.tunnel_draw)


@pytest.mark.parametrize(
    ("built", "hand", "cards"),
    [
        ([], {"red": 1, "blue": 2}, [{"red": 1}, {"blue": 1}]),
        (["paris"], {"red": 1, "blue": 2}, [{"blue": 2}]),
        (["paris", "wien"], {"blue": 2, LOCO: 1}, [{"blue": 2, LOCO: 1}]),
        ([], {}, None),
        (["paris"], {"red": 1, "blue": 1}, None),
        (["paris", "wien", "roma"], {"blue": 8}, None),
    ],
)
def test_stations(built: list[str], hand: Mapping[str, int], cards: Sequence[Mapping[str, int]] | None) -> None:
    position = holding("europe", hand, stations=built)
    if cards is None:
        assert offer(position, "station") is None
        return
    cities = choices(position, "station")
    assert set(cities) == set(position.board.cities) - set(built)
    assert as_set(choices(position, "station", city="berlin")) == as_set(cards)
    assert question(position, "station", city="berlin", cards=cards[0]) is None


def test_the_cities_of_others_are_taken_and_a_watched_game_asks_no_cards() -> None:
    told = table("europe", "Bruno")
    told["players"][1]["stations"] = ["berlin"]
    assert "berlin" not in choices(Position.from_json(told), "station")
    game = start("europe", TWO, setup=Setup(keeping="claims"))
    assert question(game, "station", city="berlin") is None


def test_draws_are_those_of_the_open_cards_and_blind_ones() -> None:
    game = replace(start("usa", TWO), face_up=("red", "red", "blue", LOCO, "green"), deck=50, discard=5)
    asked = question(game, "draw-cards")
    assert asked is not None
    assert (asked.field, asked.free) == ("cards", True)
    one = [BLIND, opened("red"), opened("blue"), opened("green")]
    pairs = {(x, y) for x in one for y in one}
    # Another blue one may be turned up for the first: that is what the table tells, not the choices.
    assert {c for c in asked.choices or () if len(c) == 2} == pairs
    assert {c for c in asked.choices or () if len(c) == 1} == {(x,) for x in (*one, opened(LOCO))}
    assert (asked.choices or ())[0] == (BLIND, BLIND)
    assert question(game, "draw-cards", cards=(BLIND, BLIND)) is None


@pytest.mark.parametrize(
    ("deck", "discard", "face_up", "draws"),
    [
        (0, 0, (), None),
        (1, 0, (), {(BLIND,)}),
        (0, 1, (), {(BLIND,)}),
        (0, 0, ("red",), {(opened("red"),)}),
    ],
)
def test_where_few_cards_are_left_fewer_are_offered(
    deck: int, discard: int, face_up: tuple[str, ...], draws: set[tuple[a.DrawnCard, ...]] | None
) -> None:
    game = replace(start("usa", TWO), deck=deck, discard=discard, face_up=face_up)
    found = offer(game, "draw-cards")
    assert (found and set(choices(game, "draw-cards"))) == draws


def test_open_locomotives_to_be_swept_leave_blind_draws() -> None:
    game = replace(start("usa", TWO), face_up=(LOCO, LOCO, LOCO, "red", "blue"))
    assert set(choices(game, "draw-cards")) == {(BLIND,), (BLIND, BLIND)}


def test_water_tenders_offer_three_blind_cards_first() -> None:
    game = start("united-kingdom-advanced", TWO)
    assert choices(game, "draw-cards")[0] == (BLIND, BLIND)
    player = replace(game.players[0], technologies=("water-tenders",))
    drawn = choices(game.changed(player), "draw-cards")
    assert drawn[0] == (BLIND, BLIND, BLIND)
    assert [c for c in drawn if len(c) == 3] == [(BLIND, BLIND, BLIND)]


def test_with_warehouses_it_is_asked_whose_gets_the_first_card() -> None:
    game = start("usa", TWO, [DEPOTS])
    asked = question(game, "draw-cards", cards=(BLIND, BLIND))
    assert asked == Question("warehouse", ("Anna", "Bruno"))
    assert question(game, "draw-cards", cards=(BLIND, BLIND), warehouse="Bruno") is None
    empty = replace(game, deck=0, discard=0, face_up=("red", "blue"))
    assert question(empty, "draw-cards", cards=(opened("red"),)) is None
    last = replace(game, deck=1, discard=0, face_up=("red", "blue"))
    # The last card goes into a warehouse: none is left to be drawn blind.
    assert {c.source for draw in choices(last, "draw-cards") for c in draw} == {"table"}


@pytest.mark.parametrize(
    ("variant", "left", "drawn", "kept"),
    [("usa", None, 3, (1, 2, 3)), ("usa", 2, 2, (1, 2)), ("usa", 1, 1, (1,)), ("pennsylvania", None, 4, (1, 2, 3, 4))],
)
def test_later_tickets(variant: str, left: int | None, drawn: int, kept: tuple[int, ...]) -> None:
    game = start(variant, THREE)
    game = game if left is None else game.go_on(tickets_left=left)
    assert question(game, "draw-tickets") == Question("drawn", (drawn,), True, drawn)
    assert question(game, "draw-tickets", drawn=drawn) == Question("kept", kept, True)
    assert question(game, "draw-tickets", drawn=drawn, kept=1) is None
    found = offer(game, "draw-tickets")
    assert found is not None
    assert (found.required, dict(found.fixed)) == (False, {})


def test_no_tickets_are_offered_where_none_is_left() -> None:
    assert offer(start("usa", TWO).go_on(tickets_left=0), "draw-tickets") is None


@pytest.mark.parametrize(("variant", "dealt", "kept"), [("usa", 3, (2, 3)), ("europe", 4, (2, 3, 4))])
def test_opening_tickets_are_required_of_everybody(variant: str, dealt: int, kept: tuple[int, ...]) -> None:
    game = start(variant, TWO, setup=Setup(opening=True))
    assert [(o.kind, o.player, o.required, dict(o.fixed)) for o in offers(game)] == [
        ("draw-tickets", name, True, {"opening": True}) for name in ("Anna", "Bruno")
    ]
    assert question(game, "draw-tickets") == Question("drawn", (dealt,), True, dealt)
    assert question(game, "draw-tickets", drawn=dealt) == Question("kept", kept, True)
    # What is dealt is dealt, however many the deck counts.
    assert question(game.go_on(tickets_left=1), "draw-tickets") == Question("drawn", (dealt,), True, dealt)


def test_tickets_by_name_are_kept_by_name() -> None:
    game = start("usa", TWO)
    x, y, z = list(game.tickets.values())[:3]
    kept = choices(game, "draw-tickets", drawn=(x, y, z))
    assert kept == ((x,), (y,), (z,), (x, y), (x, z), (y, z), (x, y, z))
    opening = start("usa", TWO, setup=Setup(opening=True))
    assert choices(opening, "draw-tickets", drawn=(x, y, z)) == ((x, y), (x, z), (y, z), (x, y, z))


def test_at_the_end_everybody_shows_as_many_as_stayed_secret() -> None:
    game = start("usa", TWO)
    assert offer(game, "show-tickets") is None
    over = game.go_on(over=True, secret_tickets={"Anna": 3})
    assert question(over, "show-tickets") == Question("tickets", None, True, 3)
    assert offer(over, "show-tickets", "Bruno") is None


def test_one_of_the_tickets_kept_goes_on_the_rack() -> None:
    game = start("asia", TEAMS)
    x, y = Ticket("x", "kabul", "agra", 1), Ticket("y", "kabul", "dihua", 2)
    assert question(game, "draw-tickets", drawn=4, kept=2) == Question("rack", (1,))
    assert question(game, "draw-tickets", drawn=(x, y), kept=(x, y)) == Question("rack", ((x,), (y,)))
    assert question(game, "draw-tickets", drawn=(x, y), kept=(x, y), rack=(x,)) is None
    assert question(start("usa", TWO), "draw-tickets", drawn=3, kept=2) is None


def test_team_cards_go_one_to_the_hand_and_one_to_the_rack() -> None:
    game = replace(start("asia", TEAMS), face_up=("red", "blue", LOCO, "red", "red"), deck=60, discard=9)
    drawn = choices(game, "draw-cards")
    assert {tuple(c.to for c in draw) for draw in drawn if len(draw) == 2} == {("hand", "rack"), ("rack", "hand")}
    # Alone only an open locomotive, which goes to the rack.
    assert [draw for draw in drawn if len(draw) == 1] == [(replace(opened(LOCO), to="rack"),)]
    last = replace(game, face_up=(), deck=1, discard=0)
    assert {c.to for draw in choices(last, "draw-cards") for c in draw} == {"hand", "rack"}


def test_hand_tickets_that_may_be_revealed() -> None:
    game = start("asia", TEAMS)
    assert question(game, "reveal-tickets") == Question("tickets", None, True, 2)
    x, y, z = (Ticket(i, "kabul", i, 5) for i in ("x", "y", "z"))
    told = game.go_on(tickets={"Anna": (x, y, z), "Bea": ()})
    assert question(told, "reveal-tickets") == Question("tickets", ((x,), (y,), (z,), (x, y), (x, z), (y, z)))
    assert offer(replace(told, turn="Bea"), "reveal-tickets", "Bea") is None
    # A team that told all its tickets at once: without those on the rack.
    held = game.changed(replace(game.players[0], tickets=(x, y))).go_on(rack_tickets={"Red": (x,)})
    assert question(held, "reveal-tickets") == Question("tickets", ((y,),))


def test_technologies_on_sale_that_can_be_paid() -> None:
    position = holding("united-kingdom", {LOCO: 1})
    assert set(choices(position, "technology")) == {
        "concession-wales", "concession-ireland-france", "concession-scotland", "mechanical-stoker",
    }  # fmt: skip
    asked = question(position, "technology", technology="mechanical-stoker")
    assert asked == Question("cards", ({LOCO: 1},), True)
    assert "mechanical-stoker" not in choices(
        holding("united-kingdom", {LOCO: 1}, technologies=["mechanical-stoker"]), "technology"
    )
    assert offer(holding("united-kingdom", {"red": 3}), "technology") is None
    assert offer(holding("united-kingdom", {LOCO: 1}), "technology", "Bruno") is None
    watched = start("united-kingdom", TWO, setup=Setup(keeping="claims"))
    assert question(watched, "technology", technology="booster") is None


@pytest.mark.parametrize(
    ("changes", "offered"),
    [({}, True), ({"bought": "booster"}, False), ({"claims": 1}, False), ({"reshuffled": True}, True)],
)
def test_one_technology_a_turn_before_the_action(changes: Mapping[str, Any], offered: bool) -> None:
    game = start("united-kingdom-advanced", TWO).go_on(**changes)
    assert (offer(game, "technology") is not None) == offered
    if offered:
        assert ("risky-contracts" in choices(game, "technology")) == ("reshuffled" not in changes)


def test_right_of_way_is_offered_where_somebody_holds_a_track_only() -> None:
    game = start("united-kingdom", TWO, setup=Setup(hands={"Anna": {LOCO: 4, "black": 3}, "Bruno": {}}))
    assert "right-of-way" not in choices(game, "technology")
    taken = game.changed(replace(game.players[1], routes=("birmingham-manchester-black",)))
    assert "right-of-way" in choices(taken, "technology")
    # Nothing is left to pay the track with.
    poor = taken.changed(replace(taken.players[0], hand={LOCO: 4, "black": 1}))
    assert "right-of-way" not in choices(poor, "technology")


# All seven piles of San Francisco, where they may lie.
PILES = {
    "alcatraz": {"1": 2}, "golden-gate-bridge": {"2": 2}, "potrero-hill": {"3": 2}, "sunset": {"4": 2},
    "the-embarcadero": {"5": 2}, "presidio": {"6": 2}, "south-beach": {"7": 2},
}  # fmt: skip


def _without(piles: Mapping[str, Mapping[str, int]], place: str) -> dict[str, Mapping[str, int]]:
    return {k: v for k, v in piles.items() if k != place}


def claimed(game: Position, route: str, **brought: Any) -> Position:
    game = game.changed(replace(game.players[0], routes=(route,)))
    return replace(game, turn="Bruno").go_on(last_claim=LastClaim("Anna", route, **brought), previous="Anna")


def test_a_share_of_each_company_beside_the_track_that_has_one_left() -> None:
    route = "baltimore-cumberland-blue"
    game = claimed(start("pennsylvania", THREE), route)
    found = offer(game, "share")
    assert found is not None
    assert (found.follow_up, found.required, dict(found.fixed)) == (True, False, {"route": route})
    assert question(game, "share") == Question("company", ("baltimore-ohio", "western-maryland"))
    assert question(game, "share", company="western-maryland") is None
    assert offer(game, "share", "Bruno") is None
    assert offer(claimed(start("pennsylvania", THREE), route, share=True), "share") is None
    sold = game.changed(replace(game.players[1], shares={"western-maryland": (1, 2, 3, 4)}))
    assert choices(sold, "share") == ("baltimore-ohio",)
    assert offer(claimed(start("pennsylvania", THREE), "albany-binghamton-pink"), "share") is None


def test_of_two_players_the_neutral_one_gets_a_share_too() -> None:
    game = claimed(start("pennsylvania", TWO), "baltimore-cumberland-blue")
    both = ("baltimore-ohio", "western-maryland")
    assert question(game, "share", company="western-maryland") == Question("neutral", both)
    few = game.changed(replace(game.players[1], shares={"western-maryland": (1, 2, 3)}))
    assert question(few, "share", company="western-maryland") == Question("neutral", ("baltimore-ohio",))
    assert question(few, "share", company="baltimore-ohio") == Question("neutral", both)


def test_half_of_the_neutral_pile_is_shown_at_the_end() -> None:
    game = start("pennsylvania", TWO).go_on(neutral_pile={"reading": (1, 3), "lehigh-valley": (2,)})
    assert offer(game, "neutral-shares") is None
    over = game.go_on(over=True)
    halves = ({"reading": (1, 3)}, {"reading": (1,), "lehigh-valley": (2,)}, {"reading": (3,), "lehigh-valley": (2,)})
    assert question(over, "neutral-shares") == Question("shares", halves, True, 2)
    assert offer(start("pennsylvania", TWO).go_on(over=True), "neutral-shares") is None


def test_a_token_lies_at_an_end_of_the_track_and_is_of_a_new_kind() -> None:
    game = claimed(start("san-francisco", SF), "alcatraz-fort-mason-black")
    assert question(game, "tourist") == Question("place", ("alcatraz", "fort-mason"))
    assert question(game, "tourist", place="alcatraz") == Question("token", None, True)
    laid = game.go_on(tokens={**_without(PILES, "presidio"), "fort-mason": {"6": 1}})
    found = offer(laid, "tourist")
    assert found is not None
    assert (found.required, found.follow_up) == (True, True)
    assert choices(laid, "tourist") == ("alcatraz", "fort-mason")
    assert choices(laid, "tourist", place="fort-mason") == ("6",)
    has = laid.changed(replace(laid.players[0], tourists=("1",)))
    assert choices(has, "tourist") == ("fort-mason",)
    gone = has.go_on(tokens={**_without(PILES, "presidio"), "fort-mason": {"6": 0}})
    assert offer(gone, "tourist") is None
    assert offer(laid.go_on(last_claim=replace(laid.run.last_claim, tourist=True)), "tourist") is None  # type: ignore[type-var]


@pytest.mark.parametrize(("players", "order"), [(SF[:2], ["Bruno", "Bruno"]), (SF, ["Chloé", "Bruno"])])
def test_piles_without_a_place_are_laid_by_the_last_players(players: list[Player], order: list[str]) -> None:
    game = start("san-francisco", players, setup=Setup(tokens={}))
    for i, name in enumerate(order):
        assert [(o.kind, o.player, o.required) for o in offers(game)] == [("lay-tokens", name, True)]
        free = choices(game, "lay-tokens", name)
        assert set(free) == set(game.board.cities) - set(game.run.tokens or {})
        game = a.play(game, a.LayTokens(name, free[0]))
        assert (game.run.tokens or {})[free[0]] == {str(6 + i): 1 if len(players) == 2 else 2}
    assert "lay-tokens" not in [o.kind for o in offers(game)]


def test_depots_go_on_cities_without_a_building_and_cost_one() -> None:
    game = start("europe", TWO, [DEPOTS])
    game = game.changed(replace(game.players[1], stations=("berlin",), depots=("wien",)))
    assert set(choices(game, "depot")) == set(game.board.cities) - {"berlin", "wien"}
    assert offer(game, "depot", "Bruno") is None
    assert offer(game.changed(replace(game.players[0], depots_left=0)), "depot") is None


def test_opening_depots_from_the_last_player_backwards() -> None:
    game = start("usa", THREE, [DEPOTS], setup=Setup(opening=True)).go_on(opening=())
    for name in ("Chloé", "Bruno", "Anna"):
        assert [(o.kind, o.player, o.required) for o in offers(game)] == [("depot", name, True)]
        game = a.play(game, a.PlaceDepot(name, choices(game, "depot", name)[0]))
    assert all(not o.required for o in offers(game))


def test_a_warehouse_is_offered_to_whom_the_claim_leads_to_its_depot() -> None:
    game = claimed(start("usa", THREE, [DEPOTS]), "duluth-omaha-gray")
    assert offer(game, "warehouse") is None
    bruno = game.changed(replace(game.players[1], depots=("omaha",))).go_on(
        warehouses={"Anna": 0, "Bruno": 2, "Chloé": 1}
    )
    both = bruno.changed(replace(bruno.players[2], depots=("duluth",)))
    assert question(both, "warehouse") == Question("owner", ("Bruno", "Chloé"))
    assert choices(both.go_on(warehouses={"Bruno": 2, "Chloé": 0}), "warehouse") == ("Bruno",)
    assert choices(claimed(both, "duluth-omaha-gray", warehouses=("Bruno",)), "warehouse") == ("Chloé",)
    assert offer(both.changed(replace(both.players[0], depots_left=0)), "warehouse") is None
    assert offer(both, "warehouse", "Bruno") is None


def test_passing_is_offered_last_and_only_where_nothing_else_is() -> None:
    game = start("usa", TWO)
    assert offer(game, "pass") is None
    stuck = replace(game, deck=0, discard=0, face_up=()).go_on(tickets_left=0)
    assert [o.kind for o in offers(stuck)][-1] == "pass"
    again = start("united-kingdom-advanced", TWO).go_on(claims=1)
    assert [o.kind for o in offers(again)] == ["claim", "pass"]


def test_what_is_required_comes_first_then_what_a_claim_brings() -> None:
    game = claimed(start("san-francisco", SF, [DEPOTS]), "alcatraz-fort-mason-black")
    game = game.changed(replace(game.players[1], depots=("fort-mason",)))
    game = game.go_on(tokens=PILES, warehouses={"Anna": 0, "Bruno": 2, "Chloé": 0})
    assert [(o.kind, o.player) for o in offers(game)] == [("tourist", "Anna"), ("warehouse", "Anna"), ("depot", "Anna")]

"""What the printed books say, case by case, where a referee easily gets it wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any  # Any: JSON

import pytest

import maps
from companion import rules as a
from companion.rules import DEPOTS, OPTIONS, VARIANTS, Player, Position, Setup, judge, offers, play, problems, start
from maps import LOCOMOTIVE as L
from maps import Trouble
from tests.play.asking import believed, why

TWO = [Player("Anna", "red"), Player("Bruno", "blue")]
THREE = [*TWO, Player("Chloé", "green")]
UK_TWO = [Player("Anna", "red"), Player("Bruno", "blue")]
BLIND = (a.DrawnCard("deck"), a.DrawnCard("deck"))


def keys(position: Position, action: a.Action) -> set[str]:
    return {r.message.key.removeprefix("verdict.") for r in judge(position, action).reasons}


def bare(variant: str, seats: int = 2, **more: object) -> dict[str, Any]:
    colors = maps.load(VARIANTS[variant].board).wagon_colors
    players = [{"name": name, "color": c, "routes": []} for name, c in zip("ABCD"[:seats], colors, strict=False)]
    return {"variant": variant, "players": players, **more}


# A later draw of tickets is not taken for the opening.


@pytest.mark.parametrize(
    ("variant", "drawn"),
    [
        ("usa", 3), ("usa-1910", 3), ("usa-mega", 4), ("europe", 3), ("legendary-asia", 3), ("united-kingdom", 3),
        ("pennsylvania", 4), ("san-francisco", 2),
    ],
)  # fmt: skip
@pytest.mark.parametrize("more", [{}, {"turn": "A"}], ids=["no turn", "turn"])
def test_one_ticket_of_a_later_draw_may_be_kept(variant: str, drawn: int, more: dict[str, Any]) -> None:
    draw = {"player": "A", "action": "draw-tickets", "drawn": drawn, "kept": 1}
    assert why(bare(variant, **more), draw) == set()
    others = bare(variant, **more)
    others["players"][1]["routes"] = [next(iter(maps.load(VARIANTS[variant].board).routes))]
    assert why(others, draw) == set()
    too_few = {*why(bare(variant), {**draw, "opening": True})}
    assert too_few <= {"tickets.keep-opening", "tickets.too-few", "tickets.long-opening"}
    assert too_few or variant == "san-francisco"


def test_a_number_that_only_fits_the_opening_is_the_opening() -> None:
    five = {"player": "A", "action": "draw-tickets", "drawn": 5, "kept": 2}
    assert why(bare("united-kingdom"), five) == {"tickets.keep-opening"}
    assert why(bare("united-kingdom"), {**five, "opening": False}) == {"tickets.too-many"}


# Three open locomotives are swept whenever five better cards certainly exist.


@pytest.mark.parametrize(("deck", "discard", "swept"), [(60, 10, True), (13, 1, True), (12, 1, False), (4, 0, None)])
def test_three_open_locomotives(deck: int, discard: int, swept: bool | None) -> None:
    position = bare("usa", deck=deck, discard=discard, face_up=[L, L, L, "red", "blue"])
    verdict = judge(Position.from_json(position), a.DrawCards("A", (a.DrawnCard("table", L),)))
    # 11 locomotives don't lie open: three others are certain among 14 cards, two among 13.
    assert verdict.legal is (swept is not True)
    assert believed(verdict) == ({"no-sweep"} if swept is False else set())


# Pennsylvania for two: half of the neutral pile ranks.


def test_the_neutral_half_is_checked() -> None:
    told: dict[str, Any] = bare("pennsylvania")
    company = next(iter(maps.load("pennsylvania").companies))
    routes = [r.id for r in maps.load("pennsylvania").routes.values() if company in r.companies]
    told["players"][0] |= {"routes": routes[:3], "shares": {company: [2, 4, 6]}}
    told["players"][1] |= {"routes": routes[3:4], "shares": {company: [8]}}
    whole = Position.from_json({**told, "neutral_shares": {company: [1, 3, 5, 7]}})
    half = Position.from_json({**told, "neutral_shares": {company: [1, 3]}})
    assert "position.neutral-half" in [m.key for m in problems(whole)]
    assert "position.neutral-half" not in [m.key for m in problems(half)]
    running = half.go_on(neutral_pile={company: (1, 3, 5, 7)}, over=True)
    shown = a.ShowNeutral("A", {company: (1, 3)})
    assert keys(running, shown) == set()
    assert keys(running, a.ShowNeutral("A", {company: (1, 3, 5, 7)})) == {"share.neutral-half"}
    assert "neutral-shares" in [o.kind for o in offers(running)]


# Asia: partners may share a triple route, nobody takes two of its tracks alone.


def asian(n: int) -> Position:
    colors = maps.load("asia").wagon_colors
    names = [("Anna", "Ada"), ("Bruno", "Bea"), ("Chloé", "Carl")][: n // 2]
    teams = [Player(" & ".join(pair), color, members=pair) for pair, color in zip(names, colors, strict=False)]
    return start("asia", teams)


def triple() -> list[str]:
    return next([t.id for t in tracks] for tracks in maps.load("asia").groups.values() if len(tracks) == 3)


def lay(position: Position, name: str, route: str) -> Position:
    """Somebody claims, whoever's turn it is."""
    return replace(play(position, a.Claim(name, route, {})), turn=position.turn)


@pytest.mark.parametrize("n", [4, 6])
def test_a_triple_route_in_teams(n: int) -> None:
    one, two, three = triple()
    position = lay(asian(n), "Anna", one)

    def against(position: Position, name: str, route: str) -> set[str]:
        return {k for k in keys(replace(position, turn=name), a.Claim(name, route)) if k.startswith("claim.")}

    assert against(position, "Anna", two) == {"claim.group-own"}
    assert against(position, "Ada", two) == set()
    both = lay(position, "Ada", two)
    closed = {"claim.group-closed"} if n == 4 else set()
    assert against(both, "Bruno", three) == closed
    assert "claim.group-own-team" in against(both, "Ada", three)


def test_who_of_a_team_claimed_is_believed_where_nobody_knows() -> None:
    one, two, _ = triple()
    teams = [{"name": "X", "members": ["A", "B"], "routes": [one]}, {"name": "Y", "members": ["C", "D"], "routes": []}]
    position = Position.from_json({"variant": "asia", "players": teams})
    track = position.board.routes[two]
    color = track.color if track.color != "gray" else "red"
    verdict = judge(position, a.Claim("A", two, {color: track.length}, revealed=() if track.tunnel_draw else None))
    assert verdict.legal
    assert "partner" in believed(verdict)


# Right of Way and Thermocompressor are used at once.


def test_right_of_way_is_bought_for_a_track_that_somebody_holds() -> None:
    position = play(start("united-kingdom", UK_TWO), a.Claim("Anna", "barrow-carlisle-red", {"red": 1}))
    buy = a.BuyTechnology("Bruno", "right-of-way", {L: 4})
    assert keys(start("united-kingdom", UK_TWO), replace(buy, player="Anna")) == {"technology.no-use"}
    assert keys(position, buy) == set()
    bought = play(position, buy)
    assert keys(bought, a.DrawCards("Bruno", BLIND)) == {"technology.use-it"}
    assert keys(bought, a.DrawCards("Anna", BLIND)) == {"turn.not-yours"}
    assert keys(bought, a.Claim("Bruno", "barrow-leeds-green", {"green": 2})) == {"claim.free-track"}
    assert keys(bought, a.Claim("Bruno", "barrow-carlisle-red", {"red": 1})) == set()
    assert {(o.kind, o.player) for o in offers(bought)} == {("claim", "Bruno")}


def test_thermocompressor_is_bought_for_a_claim() -> None:
    bought = play(start("united-kingdom-advanced", UK_TWO), a.BuyTechnology("Anna", "thermocompressor", {L: 1}))
    assert keys(bought, a.DrawCards("Anna", BLIND)) == {"technology.use-it"}
    once = play(bought, a.Claim("Anna", "barrow-carlisle-red", {"red": 1}))
    assert keys(once, a.Pass("Anna")) == set()
    poor = replace(bought.players[0], hand={"red": 1}, technologies=())
    stuck = replace(start("united-kingdom-advanced", UK_TWO), players=(replace(poor, hand={L: 1}), TWO[1]))
    assert keys(stuck, a.BuyTechnology("Anna", "thermocompressor", {L: 1})) == {"technology.no-use"}


# San Francisco: a token that is to be had is taken, and the piles lie as they should.

SF = [Player("Anna", "purple"), Player("Bruno", "white")]
PRINTED = {"alcatraz": "k0", "golden-gate-bridge": "k1", "the-embarcadero": "k2", "sunset": "k3", "potrero-hill": "k4"}
PILES = {place: {kind: 2} for place, kind in PRINTED.items()} | {"pier-39": {"k5": 1}, "mission-district": {"k6": 1}}


def test_a_token_must_be_taken() -> None:
    position = play(
        start("san-francisco", SF, setup=Setup(tokens=PILES)),
        a.Claim("Anna", "alcatraz-pier-39-gray", {"red": 1, L: 1}),
    )
    assert keys(position, a.DrawCards("Bruno", BLIND)) == {"tourist.first"}
    assert [(o.kind, o.player, o.required, o.follow_up) for o in offers(position)] == [("tourist", "Anna", True, True)]
    taken = play(position, a.TakeTourist("Anna", "k0", "alcatraz"))
    assert keys(taken, a.DrawCards("Bruno", BLIND)) == set()
    # A kind that one has already is no token to be had.
    owner = replace(position.players[0], tourists=("k0", "k5"))
    assert keys(position.changed(owner), a.DrawCards("Bruno", BLIND)) == set()


@pytest.mark.parametrize(
    ("wrong", "seats"),
    [
        ({"alcatraz": {"k0": 1}, "pier-39": {"k5": 2}}, 2),
        ({"pier-39": {"k5": 2}, "mission-district": {"k6": 2}}, 2),
        ({}, 3),
    ],
)
def test_token_piles_that_cannot_be(wrong: dict[str, dict[str, int]], seats: int) -> None:
    players = [*SF, Player("Chloé", "pink")][:seats]
    with pytest.raises(Trouble) as trouble:
        start("san-francisco", players, setup=Setup(tokens=PILES | wrong))
    assert trouble.value.code == "bad-tokens"


# No more tickets are drawn than are left.


@pytest.mark.parametrize(("left", "drawn", "expected"), [(1, 2, {"tickets.too-many"}), (1, 1, set()), (2, 2, set())])
def test_no_more_tickets_than_are_left(left: int, drawn: int, expected: set[str]) -> None:
    position = start("san-francisco", SF).go_on(tickets_left=left)
    assert keys(position, a.DrawTickets("Anna", drawn, 1)) == expected


# Asia's opening rack ticket is asked for.


def test_the_opening_rack_ticket_is_asked_for() -> None:
    tickets = [{"a": "peking", "b": city, "points": 5} for city in ("calcutta", "hanoi", "xian", "kabul", "lhasa")]
    position = {"variant": "asia", "players": [{"name": "X", "members": ["A", "B"], "routes": []},
                                              {"name": "Y", "members": ["C", "D"], "routes": []}]}  # fmt: skip
    table = Position.from_json(position)
    deal = {"player": "A", "action": "draw-tickets", "drawn": tickets, "kept": tickets[:3], "opening": True}
    assert judge(table, a.read_action(deal, table)).needs == {"rack": 1}
    assert judge(table, a.read_action({**deal, "rack": tickets[:1]}, table)).complete


# Opening depots are placed from the last player backwards.


def test_opening_depots_go_backwards() -> None:
    position = start("usa", THREE, [DEPOTS], setup=Setup(opening=True))
    for name in ("Chloé", "Anna", "Bruno"):
        assert {o.player for o in offers(position)} >= {name}
        position = play(position, a.DrawTickets(name, 3, 2))
    for name, city in (("Chloé", "miami"), ("Bruno", "boston"), ("Anna", "denver")):
        assert [(o.kind, o.player) for o in offers(position)] == [("depot", name)]
        assert keys(position, a.DrawCards("Anna", BLIND)) == {"turn.placing"}
        position = play(position, a.PlaceDepot(name, city))
    assert keys(position, a.DrawCards("Anna", BLIND, "Bruno")) == set()


def test_the_deck_of_tickets_counts_what_the_opening_took() -> None:
    position = start("europe", TWO, setup=Setup(opening=True))
    assert position.run.tickets_left == 40
    for name in ("Anna", "Bruno"):
        position = play(position, a.DrawTickets(name, 4, 2))
    # Refused ones go into the box here.
    assert position.run.tickets_left == 34


# Reprinted values, and rulings that players can see.


def test_reprinted_values() -> None:
    first = VARIANTS["usa"].tickets(maps.load("usa"))
    again = Position.from_json({**bare("usa"), "options": {"reprinted": True}}).tickets
    assert len(again) == len(first) == 30
    lower = [(first[t].points, again[t].points) for t in first if first[t].points != again[t].points]
    assert len(lower) == 4
    assert all(new < old for old, new in lower)
    assert "reprinted" in OPTIONS


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        ("united-kingdom-advanced", "a tie for the most counts"),
        ("legendary-asia", "Asian Explorer: all who tie"),
        ("usa-1910", "with none done nobody"),
        ("usa-mega", "with none done nobody"),
        ("pennsylvania", "with none done nobody"),
        ("asia", "partners may take one track each"),
        ("europe-mega", "as on Board Game Arena"),
        ("europe-mega", "Both long tickets may be kept"),
        ("united-kingdom", "France is one place"),
        ("united-kingdom-advanced", "by land and by sea are two routes"),
    ],
)
def test_rulings_are_told(variant: str, words: str) -> None:
    assert any(words in choice("en") for choice in VARIANTS[variant].choices)
    assert len(set(VARIANTS[variant].choices)) == len(VARIANTS[variant].choices)


def test_rulings_of_a_module_are_told_with_it() -> None:
    told = [choice("en") for choice in start("usa", TWO, [DEPOTS]).variant.choices if "Depots" in choice("en")]
    assert [("team" in text, "all who tie" in text) for text in told] == [(False, True), (True, False)]
    assert not any("Depots" in choice("en") for choice in start("usa", TWO).variant.choices)


def test_rulings_that_no_book_has_are_as_they_are_told() -> None:
    land, sea = "penzance-plymouth-black", "penzance-plymouth-gray"
    own = replace(UK_TWO[0], routes=(land,), technologies=("mechanical-stoker", "propellers"))
    game = start("united-kingdom", UK_TWO).changed(own)
    ferry = game.board.routes[sea]
    assert keys(game, a.Claim("Anna", sea, {L: ferry.length})) == set()
    mega = start("europe-mega", TWO, setup=Setup(opening=True))
    long = [t for t in mega.tickets.values() if t.long][:2]
    short = [t for t in mega.tickets.values() if not t.long][:5]
    assert keys(mega, a.DrawTickets("Anna", (*long, *short), (*long, short[0]))) == set()


# Corners that a mistake made on purpose once slipped through.


def test_the_neutral_player_gets_no_share_that_the_player_took_last() -> None:
    board = maps.load("pennsylvania")
    track = next(r for r in board.routes.values() if len(r.companies) > 1)
    company = track.companies[0]
    position = play(start("pennsylvania", TWO), a.Claim("Anna", track.id, {}))
    taken = tuple(range(1, board.companies[company].shares))
    position = position.changed(replace(position.players[1], shares={company: taken}))
    # One share of the company is left: whoever takes it leaves none for the neutral player.
    assert company not in a.neutral_choices(position, track.id, company)
    assert company in a.neutral_choices(position, track.id, track.companies[1])
    assert keys(position, a.TakeShare("Anna", company, track.id, company)) == {"share.neutral-not-there"}


def test_a_card_taken_that_did_not_lie_there_loses_the_count() -> None:
    setup = Setup(hands={"Anna": {"red": 4}, "Bruno": {"blue": 4}}, face_up=("red",) * 5)
    position = start("usa", TWO, setup=setup)
    drawn = a.DrawCards("Anna", (a.DrawnCard("table", "green"),))
    assert keys(position, drawn) == {"draw.not-on-table"}
    after = play(position, drawn, a.Outcome(turned=("white",)))
    assert (after.face_up, after.deck, after.discard) == (None, None, None)
    right = play(position, a.DrawCards("Anna", (a.DrawnCard("table", "red"),)), a.Outcome(turned=("white",)))
    assert (right.face_up, right.deck) == (("red", "red", "red", "red", "white"), 110 - 8 - 5 - 1)


def test_a_deck_that_is_told_without_its_discard_pile_is_not_taken_for_empty() -> None:
    blind = {"player": "A", "action": "draw-cards", "cards": [{"from": "deck"}]}
    assert why(bare("usa", deck=0), blind) == set()
    assert why(bare("usa", deck=0, discard=0, face_up=[]), blind) == {"draw.no-cards"}


@pytest.mark.parametrize(("built", "must_act"), [(2, True), (3, False)])
def test_the_last_station_is_something_to_do(built: int, must_act: bool) -> None:
    cities = list(maps.load("europe").cities)[:built]
    told = bare("europe", deck=0, discard=0, face_up=[], turn="A")
    told["players"][0] |= {"wagons": 0, "hand": {"red": 3}, "stations": cities}
    position = Position.from_json(told).go_on(tickets_left=0)
    assert keys(position, a.Pass("A")) == ({"turn.must-act"} if must_act else set())


def test_tokens_without_a_printed_place_are_laid_from_the_last_player_backwards() -> None:
    players = [Player("Anna", "purple"), Player("Bruno", "white"), Player("Chloé", "pink"), Player("David", "blue")]
    for n, (lays, each) in {2: (("Anna", "Anna"), 1), 3: (("Anna", "Chloé"), 2), 4: (("Anna", "David"), 3)}.items():
        position = start("san-francisco", players[:n], setup=Setup("Bruno", tokens={}))
        printed = {c.id for c in position.board.cities.values() if c.tokens}
        assert {place: sum(pile.values()) for place, pile in (position.run.tokens or {}).items()} == dict.fromkeys(
            printed, 2 if n < 4 else 3
        )
        for i, name in enumerate(lays):
            others = [p.name for p in players[:n] if p.name != name]
            assert [(o.kind, o.player) for o in offers(position)] == [("lay-tokens", name)]
            for other in others:
                assert keys(position, a.LayTokens(other, "presidio")) == {"tourist.lay-first"}
            assert keys(position, a.DrawCards("Bruno", BLIND)) == {"tourist.lay-first"}
            assert keys(position, a.LayTokens(name, "alcatraz")) == {"tourist.pile-there"}
            city = ("the-castro", "mission-district")[i]
            assert keys(position, a.LayTokens(name, city)) == set()
            position = play(position, a.LayTokens(name, city))
            assert (position.run.tokens or {})[city] == {str(6 + i): each}
            assert a.pile_of(position, str(6 + i)) == city
        assert keys(position, a.LayTokens("Bruno", "union-square")) == {"tourist.all-lie"}
        assert play(position, a.LayTokens("Bruno", "union-square")) == position
        assert keys(position, a.DrawCards("Bruno", BLIND)) == set()


def test_tokens_are_laid_in_san_francisco_only() -> None:
    position = start("usa", [Player("Anna", "red"), Player("Bruno", "blue")], setup=Setup(tokens={}))
    assert keys(position, a.LayTokens("Anna", "denver")) == {"tourist.none-here"}


def test_what_a_claim_brings_is_for_its_player_alone() -> None:
    """The next player, whose turn it is, does not empty a warehouse that somebody else's claim reached."""
    table = start("usa", [Player("Anna", "red"), Player("Bruno", "blue")], [DEPOTS])
    table = play(table, a.PlaceDepot("Anna", "portland"))
    table = play(table, a.DrawCards("Anna", BLIND, "Anna"))
    table = play(table, a.Claim("Bruno", "portland-seattle-gray", {"red": 1}))
    assert table.turn == "Anna"
    assert keys(table, a.EmptyWarehouse("Bruno", "Anna")) == set()
    assert keys(table, a.EmptyWarehouse("Anna", "Anna")) == {"turn.not-your-claim"}

"""Small things that mistakes made on purpose showed to be held by no test: see docs/testing-rules.md."""

from __future__ import annotations

from dataclasses import replace
from typing import Any  # Any: JSON

import pytest

from companion import rules as a
from companion.rules import DEPOTS, VARIANTS, Player, Position, Setup, judge, offers, play, problems, score, start
from companion.rules.parts.depot import Depots
from companion.rules.table.cards import lacking, minus, plus, price_told
from maps import Text, Ticket, Trouble, load
from tests.play.asking import ask, believed, table, why

TWO = [Player("Anna", "red"), Player("Bruno", "blue")]
SF = [Player("Anna", "purple"), Player("Bruno", "white"), Player("Chloé", "pink")]
TEAMS = [Player("Red", "red", members=("Anna", "Bea")), Player("Blue", "blue", members=("Carl", "Dora"))]
BLIND = (a.DrawnCard("deck"), a.DrawnCard("deck"))
LOCO = "locomotive"


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


@pytest.mark.parametrize(
    ("laid", "over"),
    [(3, 1), (4, 2), (6, 1), (7, 2), (9, 1), (11, 3)],
)
def test_with_stand_ins_the_nearest_number_that_pays_is_told(laid: int, over: int) -> None:
    # Two cards, or five, or eight: each locomotive that four cards stand for takes three cards more.
    action = {"action": "claim", "route": "barrow-leeds-green", "cards": {"green": laid}}
    (reason,) = ask(table("united-kingdom", "Bruno"), action).reasons
    assert (reason.message.key, reason.message.values["n"]) == ("verdict.pay.no-stand-in", over)


@pytest.mark.parametrize("laid", [2, 5, 8])
def test_with_stand_ins_these_numbers_pay(laid: int) -> None:
    action = {"action": "claim", "route": "barrow-leeds-green", "cards": {"green": laid}}
    assert why(table("united-kingdom", "Bruno"), action) == set()


def price(position: dict[str, Any], action: dict[str, Any]) -> dict[str, Any]:
    """The price that the first reason names."""
    told = ask(position, action).reasons[0].message.values["price"]
    return {"key": told.key.removeprefix("verdict.price."), **{k: v for k, v in told.values.items() if k != "color"}}


@pytest.mark.parametrize(
    ("variant", "route", "told"),
    [
        ("usa", "duluth-omaha-gray", {"key": "any", "n": 2}),
        ("usa", "denver-omaha-pink", {"key": "color", "n": 4}),
        ("europe", "london-dieppe", {"key": "ferry", "n": 1, "due": 1}),
        ("europe", "palermo-smyrna-gray", {"key": "ferry", "n": 4, "due": 2}),
    ],
)
def test_the_price_is_told_as_it_would_be_right(variant: str, route: str, told: dict[str, Any]) -> None:
    routes = load(VARIANTS[variant].board).routes
    found = next(r for r in routes if r == route or set(route.split("-")) <= set(r.split("-")))
    assert price(table(variant, "Bruno"), {"action": "claim", "route": found, "cards": {}}) == told


def test_a_ferry_with_a_colour_tells_the_colour() -> None:
    told = price_told(a.Price(4, ("red",), 1))
    assert (told.key, told.values["due"], told.values["n"]) == ("verdict.price.ferry-color", 1, 3)
    assert price_told(a.Price(2, ("red",), 2)).key == "verdict.price.locomotives"
    assert price_told(a.Price(2, (), 2)).key == "verdict.price.locomotives"


@pytest.mark.parametrize(
    ("revealed", "trust"),
    [([], {"short-deck", "hand"}), (["blue"], {"short-deck", "hand"}), (["blue", "green", "black"], {"hand"})],
)
def test_a_deck_that_nobody_counts_may_be_short(revealed: list[str], trust: set[str]) -> None:
    claim = {"action": "claim", "route": "angora-constantinople-gray", "cards": {"red": 2}, "revealed": revealed}
    verdict = ask(table("europe", "Bruno"), claim)
    assert verdict.complete
    assert believed(verdict) == trust


def test_only_a_teams_rack_pays() -> None:
    claim = {"action": "claim", "route": "duluth-omaha-gray", "cards": {"red": 2}}
    assert why(table("usa", "Bruno", hand={"red": 1}, rack={"red": 1}), claim) == {"hand.lacks"}


def test_a_claim_leaves_the_wagons_that_are_left() -> None:
    for told, left in ((5, 3), (2, 0), (1, 0)):
        game = start("usa", TWO)
        game = game.changed(replace(game.players[0], wagons=told))
        assert play(game, a.Claim("Anna", "duluth-omaha-gray", {"red": 2})).players[0].wagons == left


def test_first_points_are_the_tracks_own() -> None:
    game = play(start("usa", TWO), a.Claim("Anna", "duluth-omaha-gray", {"red": 2}))
    assert game.players[0].marked_points == 2


def test_a_team_that_draws_wrongly_hears_of_the_number_first() -> None:
    three = [{"from": "deck", "to": "hand"}, {"from": "deck", "to": "hand"}, {"from": "deck", "to": "rack"}]
    teams: dict[str, Any] = {
        "variant": "asia",
        "players": [
            {"name": t.name, "color": t.color, "members": list(t.members), "routes": [], "tickets": []} for t in TEAMS
        ],
    }
    assert why(teams, {"action": "draw-cards", "cards": three}) == {"draw.too-many"}
    assert why(teams, {"action": "draw-cards", "cards": three[:2]}) == {"draw.one-each"}
    assert why(teams, {"action": "draw-cards", "cards": [three[2], three[2]]}) == {"draw.one-each"}
    assert why(teams, {"action": "draw-cards", "cards": three[1:]}) == set()


@pytest.mark.parametrize(
    ("deck", "discard", "face_up", "alone"),
    [
        (None, None, (), False),
        (1, 0, (), True),
        (1, 1, (), False),
        (2, 0, (), False),
        (0, 0, ("red",), True),
        (0, 0, ("red", LOCO), True),
        (0, 0, ("red", "blue"), False),
        (1, 0, ("red",), False),
    ],
)
def test_a_team_takes_two_cards_where_there_are_two(
    deck: int | None, discard: int | None, face_up: tuple[str, ...], alone: bool
) -> None:
    game = replace(start("asia", TEAMS), deck=deck, discard=discard, face_up=face_up)
    card = a.DrawnCard("table", "red", "hand") if face_up else a.DrawnCard("deck", None, "hand")
    assert keys(game, a.DrawCards("Anna", (card,))) == (set() if alone else {"draw.team-takes-two"})


def test_a_teams_name_stands_for_the_member_to_move() -> None:
    game = replace(start("asia", TEAMS), turn="Bea")
    cards = (a.DrawnCard("deck", None, "hand"), a.DrawnCard("deck", None, "rack"))
    assert play(game, a.DrawCards("Red", cards)).turn == "Carl"
    assert play(replace(game, turn="Anna"), a.DrawCards("Red", cards)).turn == "Bea"
    # Out of turn it stands for the first one.
    assert play(game, a.DrawCards("Blue", cards)).turn == "Dora"


def test_tickets_laid_open_take_the_place_of_secret_ones() -> None:
    x, y, z = (Ticket(i, "kabul", i, 5) for i in ("x", "y", "z"))
    secret = {"Anna": 2, "Bea": 1, "Carl": 3}
    game = start("asia", TEAMS).go_on(over=True, secret_tickets=secret)
    game = game.changed(replace(game.players[0], tickets=(x,)))
    one = play(game, a.ShowTickets("Anna", (y, z)))
    assert (one.players[0].tickets, dict(one.run.secret_tickets)) == ((x, y, z), {"Bea": 1, "Carl": 3})
    again = play(game, a.ShowTickets("Anna", (x, y)))
    assert again.players[0].tickets == (x, y)
    team = play(game, a.ShowTickets("Red", (y, z)))
    assert (team.players[0].tickets, dict(team.run.secret_tickets)) == ((y, z), {"Carl": 3})


def test_only_tickets_of_the_game_are_laid_open_at_its_end() -> None:
    game = start("usa", TWO)
    known = next(iter(game.tickets.values()))
    strange = Ticket("denver--omaha", "denver", "omaha", 3)
    assert keys(game, a.ShowTickets("Anna", (known,))) == {"tickets.show-at-end"}
    over = game.go_on(over=True)
    assert keys(over, a.ShowTickets("Anna", (known,))) == set()
    assert keys(over, a.ShowTickets("Anna", (known, strange))) == {"tickets.not-in-game"}
    # Nobody keeps turns: they are shown when the table wants.
    assert keys(replace(game, turn=""), a.ShowTickets("Anna", (known,))) == set()
    # The tickets of Asia are in no list.
    assert keys(start("asia", TEAMS).go_on(over=True), a.ShowTickets("Anna", (strange,))) == set()


@pytest.mark.parametrize(("left", "trust"), [(None, {"depots"}), (3, set())])
def test_a_depot_is_believed_where_nobody_told_how_many_are_left(left: int | None, trust: set[str]) -> None:
    game = start("usa", TWO, [DEPOTS])
    game = game.changed(replace(game.players[0], depots_left=left))
    assert believed(judge(game, a.PlaceDepot("Anna", "denver"))) == trust


@pytest.mark.parametrize("n", [5, 6])
def test_there_are_depots_for_five(n: int) -> None:
    game = start("usa", TWO, [DEPOTS])
    many = replace(game, players=tuple(Player(str(i), "red") for i in range(n)))
    (part,) = [p for p in many.parts if isinstance(p, Depots)]
    assert ("position.depot-owners" in [m.key for m in part.problems(many)]) == (n > 5)
    if n > 5:
        with pytest.raises(Trouble):
            part.begin(many, Setup())
    else:
        assert part.begin(many, Setup()).players[4].depots_left == 5


def stuck(variant: str = "usa", **anna: Any) -> Position:
    """No card and no ticket is left; Anna holds what is told."""
    game = replace(start(variant, TWO), deck=0, discard=0, face_up=()).go_on(tickets_left=0)
    return game.changed(replace(game.players[0], **{"hand": {}, **anna}))


@pytest.mark.parametrize(
    ("position", "may"),
    [
        (stuck(), True),
        (replace(stuck(), deck=1), False),
        (replace(stuck(), face_up=("red",)), False),
        (stuck().go_on(tickets_left=1), False),
        (stuck(hand={"red": 6}), False),
        (stuck(hand={"red": 6}, wagons=0), True),
        # A station costs a card; once all three are built, no number of cards builds a fourth.
        (stuck("europe", hand={"red": 1}, wagons=0), False),
        (stuck("europe", hand={}, wagons=0), True),
        (stuck("europe", hand={"red": 1, "blue": 1}, wagons=0, stations=("paris",)), True),
        (stuck("europe", hand={"red": 2}, wagons=0, stations=("paris",)), False),
        (stuck("europe", hand={"red": 8}, wagons=0, stations=("paris", "wien", "roma")), True),
    ],
)
def test_nobody_passes_who_can_do_something(position: Position, may: bool) -> None:
    assert keys(position, a.Pass("Anna")) == (set() if may else {"turn.must-act"})
    assert ("pass" in [o.kind for o in offers(position)]) == may


def test_passing_is_believed_of_a_hand_that_nobody_knows() -> None:
    assert believed(judge(stuck(hand=None), a.Pass("Anna"))) == {"stuck"}
    assert believed(judge(stuck(), a.Pass("Anna"))) == set()


@pytest.mark.parametrize("n", [2, 3])
def test_of_each_kind_there_is_a_token_less_than_players(n: int) -> None:
    players = [
        {"name": p.name, "color": p.color, "routes": [], "tickets": [], "tourists": ["1"] if i < n else []}
        for i, p in enumerate(SF)
    ]
    found = problems(Position.from_json({"variant": "san-francisco", "players": players}))
    copies = [(m.values["n"], m.values["there"]) for m in found if m.key == "position.token-copies"]
    assert copies == ([(2, 3)] if n == 3 else [])


@pytest.mark.parametrize("field", ["marked_points", "ticket_points"])
@pytest.mark.parametrize(("told", "read"), [(-1000, True), (-1001, False)])
def test_points_may_be_far_below_zero(field: str, told: int, read: bool) -> None:
    position = table("usa", "Bruno", **{field: told})
    if read:
        assert getattr(Position.from_json(position).players[0], field) == told
    else:
        with pytest.raises(Trouble):
            Position.from_json(position)


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (a.DrawCards("Anna", BLIND), {"cards": [{"from": "deck"}, {"from": "deck"}]}),
        (
            a.DrawCards("Anna", (a.DrawnCard("table", "red", "rack"),)),
            {"cards": [{"from": "table", "card": "red", "to": "rack"}]},
        ),
        # What was told stays told: that these are no opening tickets, for one.
        (a.DrawTickets("Anna", 3, 1, opening=False), {"drawn": 3, "kept": 1, "opening": False}),
        (a.DrawTickets("Anna", 3, 1), {"drawn": 3, "kept": 1}),
        (a.Claim("Anna", "duluth-omaha-gray", {"red": 2}), {"route": "duluth-omaha-gray", "cards": {"red": 2}}),
        (a.TakeTourist("Anna", "4", "sunset"), {"kind": "4", "place": "sunset"}),
    ],
)
def test_an_action_is_written_with_what_was_told(action: a.Action, told: dict[str, Any]) -> None:
    written = a.action_json(action, start("usa", TWO))
    assert written == {"player": "Anna", "action": action.kind, **told}


def test_an_outcome_is_written_with_what_was_told() -> None:
    whole = {"drawn": ["red"], "turned": ["blue", "sweep"], "taken": {"green": 2}}
    assert a.outcome_json(a.Outcome(("red",), ("blue", "sweep"), {"green": 2})) == whole
    assert a.outcome_json(a.NOTHING) == {}
    assert a.read_outcome(whole, start("usa", TWO)) == a.Outcome(("red",), ("blue", "sweep"), {"green": 2})


def uk_sheet(routes: list[str], marked: int | None, technologies: list[str]) -> list[tuple[str, Any, Any]]:
    told = {} if marked is None else {"marked_points": marked}
    position = table("united-kingdom", "Bruno", routes=routes, technologies=technologies, **told)
    found = score(Position.from_json(position)).warnings
    return [(m.key.removeprefix("score."), m.values.get("n"), m.values.get("more")) for m in found if "n" in m.values]


def test_what_a_recount_can_be_at_most_is_told() -> None:
    # Two tracks of 2 and 1 spaces: 3 points, and one more for each with Boiler Lagging.
    routes = ["barrow-leeds-green", "barrow-carlisle-red"]
    keys_of = {w[0] for w in uk_sheet(routes, None, ["boiler-lagging"])}
    assert [w[1:] for w in uk_sheet(routes, None, ["boiler-lagging"]) if "recounted" in w[0]] == [(3, 5)], keys_of
    assert [w[1:] for w in uk_sheet(routes, 6, ["boiler-lagging"]) if "impossible" in w[0]] == [(3, 5)]
    for marked in (3, 5):
        assert [w for w in uk_sheet(routes, marked, ["boiler-lagging"]) if "impossible" in w[0]] == []


def test_groups_of_two_close_and_single_tracks_have_no_limit() -> None:
    usa, board = VARIANTS["usa"], load("usa")
    doubles = {g for g, tracks in board.groups.items() if len(tracks) == 2}
    assert usa.group_limits(board, 3) == dict.fromkeys(doubles, 1)
    assert usa.group_limits(board, 4) == {}


def test_who_of_a_team_has_how_many_wagons_is_believed_only_where_it_matters() -> None:
    teams: dict[str, Any] = {
        "variant": "asia",
        "players": [
            {"name": t.name, "color": t.color, "members": list(t.members), "routes": [], "tickets": []} for t in TEAMS
        ],
    }
    board = load("asia")
    routes: list[str] = []
    used = 0
    for route in board.routes.values():
        if route.group not in {board.routes[r].group for r in routes} and used + route.length <= board.wagons:
            routes.append(route.id)
            used += route.length
    free = next(r for r in board.routes.values() if r.group not in {board.routes[x].group for x in routes})
    claim = {"action": "claim", "route": free.id, "cards": {free.color if free.color != "gray" else "red": free.length}}
    claim |= {"revealed": []} if free.kind == "tunnel" else {}
    assert "team-wagons" not in believed(ask(teams, claim))
    # One partner may have laid all that lies there: whether this one has any left, nobody told.
    teams["players"][0]["routes"] = routes
    assert used == board.wagons
    assert "team-wagons" in believed(ask(teams, claim))
    teams["players"][0]["wagons"] = free.length
    assert "team-wagons" not in believed(ask(teams, claim))
    # As many as the track takes are left for certain.
    del teams["players"][0]["wagons"]
    short = [r for r in routes if board.routes[r].length == free.length][:1]
    assert short, free.length
    teams["players"][0]["routes"] = [r for r in routes if r not in short]
    assert "team-wagons" not in believed(ask(teams, claim))


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("rules.buying.at-once", {"right-of-way", "thermocompressor"}),
        ("rules.buying.until", {"risky-contracts", "equalising-beam"}),
    ],
)
def test_the_book_names_the_cards_that_are_different(key: str, names: set[str]) -> None:
    variant, board = a.find_variant("united-kingdom-advanced")
    told = [m for s in a.rulebook(variant, board) for m in s.told if m.key == key]
    assert len(told) == 1
    wanted = {board.technologies[t].name for t in names}
    assert _texts(told[0].values["names"]) == wanted


def _texts(value: Any) -> set[Text]:
    """All names within a list in words."""
    if isinstance(value, Text):
        return {value}
    values = value.values.values() if hasattr(value, "values") and hasattr(value, "key") else value
    return set().union(*(_texts(v) for v in values)) if not isinstance(value, str) else set()


@pytest.mark.parametrize(("name", "meant"), [("Ana", "Anna"), ("ANNA", "Anna"), ("Bruna", "Bruno"), ("Zoé", "")])
def test_the_name_that_was_meant_is_asked_back(name: str, meant: str) -> None:
    with pytest.raises(Trouble) as trouble:
        ask(table("usa", "Bruno"), {"player": name, "action": "pass"})
    assert ("unknown-near" in repr(trouble.value.message)) == bool(meant)
    assert meant in repr(trouble.value.message)


def stored(deck: int, discard: int, warehouses: dict[str, int], left: int) -> Position:
    game = replace(start("usa", TWO, [DEPOTS]), deck=deck, discard=discard, face_up=("red",) * 5)
    game = game.changed(replace(game.players[0], depots_left=left))
    return game.go_on(warehouses=warehouses)


@pytest.mark.parametrize(
    ("deck", "discard", "left", "after"),
    [
        # Deck, discard and Bruno's warehouse after one card stored there and one drawn blind.
        (10, 3, 5, (8, 3, 3)),
        (1, 3, 5, (2, 0, 3)),
        (0, 3, 5, (1, 0, 3)),
        # Deck and discard are empty: the warehouses become the deck once somebody is out of depots.
        (0, 0, 0, (2, 0, 1)),
        (0, 0, 5, (0, 0, 2)),
        (0, 0, 1, (0, 0, 2)),
    ],
)
def test_a_new_deck_comes_of_the_discard_then_of_the_warehouses(
    deck: int, discard: int, left: int, after: tuple[int, int, int]
) -> None:
    game = stored(deck, discard, {"Anna": 2, "Bruno": 2}, left)
    done = play(game, a.DrawCards("Anna", (a.DrawnCard("deck"),), "Bruno"), a.Outcome(drawn=("red",), turned=()))
    assert (done.deck, done.discard, done.run.warehouses["Bruno"]) == after
    assert done.run.reshuffled == (deck < 2 and discard > 0)


@pytest.mark.parametrize(
    ("variant", "anna", "told"),
    [
        ("europe", {"stations": ["paris"]}, {"stations-left": 2}),
        ("europe", {"stations": ["paris", "wien", "roma"]}, {}),
        ("legendary-asia", {"routes": ["agra-calcutta-gray"]}, {}),
        ("legendary-asia", {"routes": ["MOUNTAIN"]}, {"mountain-wagons": "MARKS"}),
        ("san-francisco", {"routes": ["alcatraz-fort-mason-black"], "tourists": ["1"]}, {"tourist-kinds": 1}),
    ],
)
def test_the_sheet_tells_what_its_lines_were_counted_from(
    variant: str, anna: dict[str, Any], told: dict[str, Any]
) -> None:
    mountain = next((r for r in load(VARIANTS[variant].board).routes.values() if r.mountain_marks), None)
    if anna.get("routes") == ["MOUNTAIN"] and mountain is not None:
        anna, told = {"routes": [mountain.id]}, {"mountain-wagons": mountain.mountain_marks}
    sheet = score(Position.from_json(table(variant, "Bruno", **anna)))
    found = {m.key.removeprefix("score."): m.values["n"] for m in sheet.players[0].evidence if "n" in m.values}
    of_parts = {"stations-left", "mountain-wagons", "tourist-kinds"}
    assert {k: n for k, n in found.items() if k in of_parts} == told


def test_piles_hold_no_card_that_is_not_there() -> None:
    assert plus({"red": 1, "green": 0}, {"blue": 0, "red": 1}) == {"red": 2}
    assert plus({}, {"blue": 1}) == {"blue": 1}
    assert minus({"red": 2, "blue": 1}, {"red": 1, "blue": 1, "green": 1}) == {"red": 1}
    assert lacking({"red": 1}, {"red": 3, "blue": 1, "green": 2}) == {"red": 2, "blue": 1, "green": 2}
    assert lacking({"red": 3}, {"red": 3}) == {}


def test_a_claim_touches_no_rack_where_there_is_none() -> None:
    game = play(start("usa", TWO), a.Claim("Anna", "duluth-omaha-gray", {"red": 2}))
    assert game.players[0].rack is None
    teams = start("asia", TEAMS, setup=Setup(hands={n: {"red": 4} for n in ("Anna", "Bea", "Carl", "Dora")}))
    paid = play(
        teams.changed(replace(teams.players[0], rack={"blue": 1})), a.Claim("Anna", "delhi-lahore-red", {"red": 1})
    )
    assert (paid.players[0].rack, paid.run.hands["Anna"]) == ({"blue": 1}, {"red": 3})


@pytest.mark.parametrize(("deck", "known"), [(5, False), (1, False), (0, True)])
def test_open_cards_that_nobody_told_are_known_only_where_none_was_turned_up(deck: int, known: bool) -> None:
    game = replace(start("usa", TWO), deck=deck, discard=3, face_up=("red", "red", "blue", "green", "black"))
    after = play(game, a.DrawCards("Anna", (a.DrawnCard("table", "red"),)))
    assert (after.face_up is not None) == known
    assert (after.deck is not None) == known


@pytest.mark.parametrize(
    ("variant", "action", "missing"),
    [
        ("usa", {"action": "claim", "cards": {}}, "route"),
        ("usa", {"action": "claim", "route": "duluth-omaha-gray"}, "cards"),
        ("usa", {"action": "draw-cards"}, "cards"),
        ("usa", {"action": "draw-cards", "cards": [{}]}, "cards[0].from"),
        ("usa", {"action": "draw-cards", "cards": [{"from": "table"}]}, "cards[0].card"),
        ("usa", {"action": "draw-tickets", "kept": []}, "drawn"),
        ("usa", {"action": "draw-tickets", "drawn": []}, "kept"),
        ("usa", {"action": "show-tickets"}, "tickets"),
        ("usa", {"action": "join", "color": "green"}, "name"),
        ("usa", {"action": "join", "name": "Cleo"}, "color"),
        ("usa", {"action": "depot"}, "city"),
        ("usa", {"action": "warehouse"}, "owner"),
        ("europe", {"action": "station", "cards": {"red": 1}}, "city"),
        ("united-kingdom", {"action": "technology", "cards": {}}, "technology"),
        ("pennsylvania", {"action": "share", "company": "reading"}, "route"),
        ("san-francisco", {"action": "tourist", "place": "sunset"}, "kind"),
        ("san-francisco", {"action": "lay-tokens"}, "city"),
    ],
)
def test_what_an_action_lacks_is_named(variant: str, action: dict[str, Any], missing: str) -> None:
    with pytest.raises(Trouble) as trouble:
        ask(table(variant, "Bruno"), action)
    assert "position.missing" in repr(trouble.value.message)
    assert f"action.{missing}'" in repr(trouble.value.message)


def test_a_company_that_nobody_knows_is_named() -> None:
    with pytest.raises(Trouble) as trouble:
        ask(table("pennsylvania", "Bruno"), {"action": "neutral-shares", "shares": {"readin": [1]}})
    assert "'reading'" in repr(trouble.value.message)


def test_before_a_warehouse_is_named_no_card_is_stored() -> None:
    game = replace(start("usa", TWO, [DEPOTS]), deck=1, discard=0, face_up=("red",) * 5)
    verdict = judge(game, a.DrawCards("Anna", (a.DrawnCard("deck"),)))
    assert (verdict.reasons, set(verdict.needs)) == ((), {"warehouse"})
    stored_first = judge(game, a.DrawCards("Anna", (a.DrawnCard("deck"),), "Bruno"))
    assert {r.message.key for r in stored_first.reasons} == {"verdict.draw.no-cards"}


@pytest.mark.parametrize(
    ("face_up", "reasons"), [(None, set()), (["red"], set()), ([], {"draw.no-cards", "draw.not-on-table"})]
)
def test_open_cards_may_be_there_though_the_deck_is_empty(face_up: list[str] | None, reasons: set[str]) -> None:
    position = table("usa", "Bruno") | {"deck": 0, "discard": 0} | ({} if face_up is None else {"face_up": face_up})
    assert why(position, {"action": "draw-cards", "cards": [{"from": "table", "card": "red"}]}) == reasons


@pytest.mark.parametrize(
    ("name", "laid_by", "trust"),
    [
        ("Bea", {"peking-shanghai-blue": "Anna"}, set()),
        ("Bea", {}, {"partner"}),
        ("Red", {"peking-shanghai-blue": "Anna"}, {"partner"}),
    ],
)
def test_whose_track_of_a_triple_route_it_is_may_be_believed(
    name: str, laid_by: dict[str, str], trust: set[str]
) -> None:
    game = start("asia", TEAMS).go_on(laid_by=laid_by)
    game = replace(game.changed(replace(game.players[0], routes=("peking-shanghai-blue",))), turn="Bea")
    verdict = judge(game, a.Claim(name, "peking-shanghai-red", {"red": 4}))
    assert (verdict.legal, believed(verdict) & {"partner"}) == (True, trust)


def test_a_partner_who_has_one_track_takes_no_second() -> None:
    game = start("asia", TEAMS).go_on(laid_by={"peking-shanghai-blue": "Anna"})
    game = game.changed(replace(game.players[0], routes=("peking-shanghai-blue",)))
    assert keys(game, a.Claim("Anna", "peking-shanghai-red", {"red": 4})) == {"claim.group-own"}


@pytest.mark.parametrize(
    ("variant", "own", "route", "rule"),
    [
        ("asia", "delhi-lahore-red", "delhi-lahore-orange", "team-groups"),
        ("usa", "denver-kansas-city-black", "denver-kansas-city-orange", "groups"),
    ],
)
def test_double_routes_of_teams_have_a_rule_of_their_own(variant: str, own: str, route: str, rule: str) -> None:
    game = start(variant, TEAMS if variant == "asia" else [*TWO, Player("C", "green"), Player("D", "yellow")])
    game = game.changed(replace(game.players[0], routes=(own,)))
    track = game.board.routes[route]
    reasons = judge(game, a.Claim("Anna", route, {track.color: track.length})).reasons
    assert rule in {r.rule.id for r in reasons}


def test_locomotives_that_a_ferry_lacks_are_the_ferrys_rule() -> None:
    claim = {"action": "claim", "route": "palermo-smyrna-gray", "cards": {"blue": 6}}
    assert [r.rule.id for r in ask(table("europe", "Bruno"), claim).reasons] == ["ferry"]


def test_tracks_are_found_for_whoever_holds_some() -> None:
    game = start("usa", TWO)
    later = replace(game.players[0], routes=("duluth-omaha-gray",))
    assert [t.id for t in game.tracks(later)] == ["duluth-omaha-gray"]
    assert game.tracks(game.players[0]) == ()


def test_members_make_seats_in_teams_only() -> None:
    told = table("usa", "Bruno", members=["x", "y", "z"])
    assert Position.from_json(told).seats == 2
    assert start("asia", TEAMS).seats == 4


@pytest.mark.parametrize(
    ("known", "told", "laid", "wagons"),
    [
        # What a member has left, never more than the team; what was told of the team is not taken apart.
        (20, None, 0, 20),
        (27, None, 50, 4),
        (20, 3, 0, 20),
        (None, 3, 0, 3),
        (None, None, 0, 27),
        (None, None, 50, 4),
    ],
)
def test_the_wagons_of_a_member(known: int | None, told: int | None, laid: int, wagons: int) -> None:
    game = start("asia", TEAMS)
    routes: list[str] = []
    for route in game.board.routes.values():
        if route.length <= laid - sum(game.board.routes[r].length for r in routes):
            routes.append(route.id)
    assert sum(game.board.routes[r].length for r in routes) == laid
    game = game.changed(replace(game.players[0], wagons=told, routes=tuple(routes)))
    game = game.go_on(wagons={} if known is None else {"Anna": known})
    assert game.seat("Anna").wagons == wagons


def test_a_member_who_lays_more_than_there_is_has_none_left() -> None:
    for known, left in ((10, 9), (1, 0), (0, 0)):
        game = start("asia", TEAMS).go_on(wagons={"Anna": known})
        assert play(game, a.Claim("Anna", "delhi-lahore-red", {"red": 1})).run.wagons["Anna"] == left


def test_a_single_player_may_hold_any_token() -> None:
    told = {"variant": "san-francisco", "players": [{"name": "Anna", "color": "purple", "tourists": ["1"]}]}
    found = [m.key for m in problems(Position.from_json(told))]
    assert "position.token-copies" not in found


def test_payments_without_stand_ins_can_be_asked_for() -> None:
    told = table("united-kingdom", "Bruno", hand={"red": 4, "green": 1})
    position = Position.from_json(told)
    route = "birmingham-northampton-green"
    every = {c.route: c.ways for c in a.legal_claims(position, "Anna")}
    plain = {c.route: c.ways for c in a.legal_claims(position, "Anna", stand_ins=False)}
    assert {"green": 1} in every[route]
    assert {"red": 4} in every[route]
    assert plain[route] == ({"green": 1},)


def test_what_a_module_or_a_board_has_is_said_of_the_variant() -> None:
    made_anew = [replace(v, end_trigger=1) for v in VARIANTS.values()]
    assert [v.id for v in made_anew if v.tourists] == ["san-francisco"]
    assert [v.id for v in made_anew if v.shares] == ["pennsylvania"]
    with pytest.raises(Trouble) as trouble:
        start("usa", TWO, ["warehouse-depots"])
    assert DEPOTS in repr(trouble.value.message)
    with pytest.raises(Trouble) as trouble:
        start("usa", TWO, ["zzz"])
    assert DEPOTS in repr(trouble.value.message)

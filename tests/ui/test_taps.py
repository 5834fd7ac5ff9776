"""How many taps things take, counted; and that nothing lies in wait under the second half of a double tap."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.lang import say
from companion.rules import VARIANTS, DrawCards, offers, read_action
from companion.table.settings import Seat
from companion.ui import services
from companion.ui.demo import deal
from companion.ui.desk import Desk
from companion.ui.models.finish import FinishModel
from companion.ui.models.new_game import NewGame
from companion.ui.models.table import TableModel
from maps import load
from tests.ui.conftest import Pilot, Start, Table


class Counter:
    """Counts the taps of a pilot."""

    def __init__(self, pilot: Pilot) -> None:
        self.pilot, self.taps = pilot, 0

    def __call__(self, *texts: str) -> None:
        self.taps += len(texts)
        self.pilot.tap(*texts)

    def map(self, name: str) -> None:
        self.taps += 1
        self.pilot.tap_map(name)


@pytest.fixture
def game(start: Start) -> Pilot:
    pilot = start()
    pilot.begin("Ada", "Bo")
    return pilot


def test_two_blind_cards_are_one_tap(game: Pilot) -> None:
    tap = Counter(game)
    tap(game.say("do.deck"))
    assert (tap.taps, game.game.position.turn) == (1, "Bo")
    assert [c.source for c in game.last(DrawCards).cards] == ["deck", "deck"]


@pytest.mark.parametrize("size", [(780, 360), (320, 640)])
def test_the_largest_words_leave_every_button_in_reach(start: Start, size: tuple[int, int]) -> None:
    pilot = start("fr", *size, text=1.6)
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.draw-cards"), pilot.desk.word("blue"), pilot.desk.word("white"))
    assert [c.card for c in pilot.last(DrawCards).cards] == ["blue", "white"]
    pilot.tap(pilot.say("do.deck"))
    assert [c.source for c in pilot.last(DrawCards).cards] == ["deck", "deck"]


def test_two_face_up_cards_are_three_taps(game: Pilot) -> None:
    tap = Counter(game)
    tap(game.say("do.draw-cards"), game.desk.word("blue"), game.desk.word("white"))
    assert (tap.taps, game.game.position.turn) == (3, "Bo")
    assert [c.card for c in game.last(DrawCards).cards] == ["blue", "white"]


def test_a_face_up_locomotive_is_two_taps(game: Pilot) -> None:
    tap = Counter(game)
    tap(game.say("do.draw-cards"), game.say("loco"))
    assert (tap.taps, game.game.position.turn) == (2, "Bo")


def test_a_claim_is_two_taps_and_a_grey_one_three(game: Pilot) -> None:
    tap = Counter(game)
    game.look_at("amsterdam-essen-yellow")
    tap.map("amsterdam-essen-yellow")
    tap(game.say("confirm.claim"))
    assert (tap.taps, game.game.position.turn) == (2, "Bo")
    tap = Counter(game)
    game.look_at("marseille-paris-gray")
    tap.map("marseille-paris-gray")
    tap(game.desk.word("red"), game.say("confirm.claim"))
    assert tap.taps == 3
    assert len(game.game.position.owners) == 2


def test_a_tunnel_is_seven_taps(game: Pilot) -> None:
    tap = Counter(game)
    game.look_at("paris-zurich-gray")
    tap.map("paris-zurich-gray")
    tap(game.desk.word("red"), game.say("confirm.claim"))
    tap(game.desk.word("blue"), game.desk.word("white"), game.desk.word("green"), game.say("form.go-on"))
    # Nothing more is due: told with the same tap.
    assert game.game.position.owners == {"paris-zurich-gray": (0,)}
    assert tap.taps == 7


def test_a_station_is_three_taps(game: Pilot) -> None:
    tap = Counter(game)
    tap(game.say("do.station"))
    game.look_at("roma-venezia-black")
    tap.map("roma")
    tap(game.desk.word("red"))
    assert tap.taps == 3
    assert game.game.position.players[0].stations == ("roma",)


def test_the_cards_never_move_under_the_finger(game: Pilot) -> None:
    """Whatever is laid, every card of the grid stays where it was."""
    game.page.model.offer(["marseille-paris-gray"])
    game.app.refresh()
    game.settle()
    places: list[dict[str, tuple[float, float]]] = []
    for _ in range(3):
        places.append(
            {c: game.find(game.desk.word(c)).to_window(*game.find(game.desk.word(c)).pos) for c in ("red", "blue")}
        )
        game.tap(game.desk.word("red"))
    assert places[0] == places[1] == places[2]
    game.tap(game.say("cancel"), game.say("do.draw-cards"))
    before = game.find(game.desk.word("white")).to_window(*game.find(game.desk.word("white")).pos)
    game.tap(game.desk.word("blue"))
    assert game.find(game.desk.word("white")).to_window(*game.find(game.desk.word("white")).pos) == before


def test_the_second_half_of_a_double_tap_does_nothing(game: Pilot) -> None:
    game.app.guard = 60.0
    game.touch(*game.find(game.say("do.draw-tickets")).to_window(*game.find(game.say("do.draw-tickets")).center))
    assert game.page.model.form is not None
    entries = len(game.game.entries)
    # Where the button was there is something else now: it is not tapped by the same movement.
    button = game.find(game.say("confirm.draw-tickets"))
    game.touch(*button.to_window(*button.center))
    assert len(game.game.entries) == entries
    game.app.guard = 0.0
    game.app.hold()
    game.tap(game.say("confirm.draw-tickets"))
    assert len(game.game.entries) == entries + 1


def test_a_double_tap_draws_for_one_player_and_undo_may_be_hurried(game: Pilot) -> None:
    entries = len(game.game.entries)
    game.app.guard = 60.0
    deck = game.find(game.say("do.deck")).to_window(*game.find(game.say("do.deck")).center)
    game.touch(*deck)
    game.touch(*deck)
    assert len(game.game.entries) == entries + 1
    game.app.guard = 0.0
    game.app.hold()
    game.touch(*deck)
    assert len(game.game.entries) == entries + 2
    game.app.guard = 60.0
    game.tap("undo", "undo")
    assert len(game.game.entries) == entries


def test_a_taken_track_is_never_shared_but_its_owner_is_corrected(game: Pilot) -> None:
    game.look_at("budapest-wien-red")
    game.tap_map("budapest-wien-red")
    game.tap(game.say("confirm.claim"))
    game.page.model.form = None
    game.page.model.start("claim").set("route", "budapest-wien-red")
    game.app.refresh()
    game.settle()
    assert game.sees(game.say("form.taken", player="Ada"))
    assert not game.offers(game.say("verdict.accept"))
    game.tap("Bo")
    assert game.game.position.owners == {"budapest-wien-red": (1,)}


def test_only_claims_a_route_and_who(start: Start) -> None:
    pilot = start()
    pilot.tap(pilot.say("home.new"), "Europe", pilot.say("keeping.claims"), pilot.say("new.next"))
    pilot.type("Ada")
    pilot.tap(pilot.say("new.begin"))
    tap = Counter(pilot)
    pilot.look_at("amsterdam-essen-yellow")
    tap.map("amsterdam-essen-yellow")
    tap("Ada")
    assert tap.taps == 2
    position = pilot.game.position
    assert (position.owners, position.turn) == ({"amsterdam-essen-yellow": (0,)}, "")
    assert all(e.fine for e in pilot.game.entries)
    # The sister track of a double route that is closed, or wagons that are not there, are still refused.
    pilot.page.model.start("claim").set("route", "amsterdam-essen-yellow")
    pilot.app.refresh()
    pilot.settle()
    assert pilot.sees(pilot.say("form.taken", player="Ada"))


def test_somebody_acts_out_of_turn(game: Pilot) -> None:
    game.tap("Bo")
    assert game.sees(game.say("table.out-of-turn", player="Bo"))
    game.tap(game.say("do.draw-tickets"))
    assert game.page.model.form.player == "Bo"


def _model(tmp_path: Path, variant: str, modules: tuple[str, ...] = ()) -> TableModel:
    desk = Desk(tmp_path / "home")
    new = NewGame(desk)
    new.choose(VARIANTS[variant])
    for module in modules:
        new.switch(module, True)
    game = new.begin()
    deal(game)
    return TableModel(desk, game)


def test_what_the_screen_lights_is_what_the_rules_offer(tmp_path: Path) -> None:
    """A depot after the first of two claims has its button; so has passing; a token that is not there has none."""
    model = _model(tmp_path, "united-kingdom", ("warehouses-depots",))
    player = model.position.turn
    told = {"action": "technology", "player": player, "technology": "double-heading", "cards": {"locomotive": 4}}
    if "double-heading" in model.board.technologies:
        model.game.do(read_action(told, model.position), accept=True)
    kinds = {o.kind for o in offers(model.position)}
    lit = {slot.kind for slot in model.slots if slot.lit}
    assert lit - {"deck"} == kinds & {slot.kind for slot in model.slots}
    assert ("depot" in kinds) == ("depot" in lit)


def test_what_a_claim_brings_is_the_next_question(tmp_path: Path) -> None:
    model = _model(tmp_path, "pennsylvania")
    route = next(r for r in model.board.routes.values() if len(r.companies) > 1 and r.kind == "normal")
    model.offer([route.id])
    assert model.form is not None
    if not model.form.pile:
        model.form.lay(model.form.payable()[0])
    first = model.form.player
    assert model.form.go_on()
    model.done()
    assert model.form is not None
    assert (model.form.kind, model.form.player, model.form.optional) == ("share", first, True)
    model.decline()
    model.ask_next()
    assert model.form is None


def test_keys_undo_and_a_dropped_photo_is_read(start: Start, table: Table) -> None:
    table.board("usa", {"atlanta-charleston-gray": "red"})
    pilot = start()
    pilot.app._dropped(None, str(table.photos / "00.jpg").encode())
    pilot.wait_for("review")
    # Enter does what the one main button would do.
    pilot.app._key(None, 13)
    pilot.settle()
    assert pilot.app.stack[-1][0] == "finish"
    pilot.app.home()
    pilot.settle()
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.deck"))
    entries = len(pilot.game.entries)
    pilot.app._key(None, ord("z"), 0, "", ["ctrl"])
    assert len(pilot.game.entries) == entries - 1
    pilot.app._key(None, ord("y"), 0, "", ["ctrl"])
    assert len(pilot.game.entries) == entries


def test_a_board_is_learnt_and_forgotten_on_its_own_page(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[str] = ["usa"]
    monkeypatch.setattr(services, "knows_board", lambda board: board in known)
    monkeypatch.setattr(services, "forget_board", known.remove)
    pilot = start()
    pilot.tap(pilot.say("home.boards"), "USA")
    pilot.tap(pilot.say("boards.forget"), pilot.say("boards.forget"))
    assert known == []
    assert pilot.offers(pilot.say("new.empty-board-snap"))


def test_a_dispute_is_settled_in_two_taps(start: Start) -> None:
    pilot = start()
    tap = Counter(pilot)
    tap(pilot.say("home.dispute"))
    tap.map("erzurum-sochi-red")
    assert pilot.sees(pilot.say("dispute.points", n=4))
    assert tap.taps == 2
    # What the tunnel costs: the colour that was laid, and the three cards.
    tap(pilot.desk.word("red"), pilot.desk.word("red"), pilot.desk.word("blue"), pilot.say("loco"))
    assert pilot.page.model.due == pilot.say("form.more-of", n=2, color="red")
    assert tap.taps == 6


def _hands() -> list[list[str]]:
    """Five tickets for each of four players."""
    every = sorted(VARIANTS["usa"].tickets(load("usa")))
    return [every[i : i + 5] for i in range(0, 20, 5)]


def _finished(table: Table) -> None:
    """A finished game of four, and everybody's names as last time."""
    routes = [r for r in sorted(load("usa").routes) if len(load("usa").groups[load("usa").routes[r].group]) == 1]
    table.board("usa", dict(zip(routes, ("blue", "red", "green", "yellow"), strict=False)))


def _sheet_of(pilot: Pilot, tap: Counter) -> list[int]:
    pilot.wait_for("sheet")
    tap(pilot.say("sheet.all"), pilot.say("sheet.home"))
    (kept,) = pilot.desk.history.games()
    return [p.breakdown["tickets"] for p in kept.players]


def test_a_whole_score_with_typed_tickets_is_about_45_taps(start: Start, table: Table) -> None:
    """Four players with five tickets each: two taps for a ticket, one where a city has only one left; 51 at most."""
    _finished(table)
    pilot = start()
    tap = Counter(pilot)
    tap(pilot.say("home.score"), pilot.say("snap.shoot"), pilot.say("review.accept"), pilot.say("new.next"))
    tap(pilot.say("tickets.add"))
    for held in _hands():
        for name in held:
            ticket, left = load("usa").tickets[name], pilot.page.picker.left()
            # Whoever looks at the list begins with the city that has fewer tickets left.
            ends = sorted((ticket.a, ticket.b), key=lambda c: sum(c in (t.a, t.b) for t in left))
            tap(load("usa").cities[ends[0]].label("en"))
            if name not in pilot.page.model.finish.draft.tickets:
                tap(load("usa").cities[ends[1]].label("en"))
        assert pilot.page.model.finish.draft.tickets == held
        tap(pilot.page.model.finish.next_told)
    assert len(_sheet_of(pilot, tap)) == 4
    assert tap.taps <= 45


def test_a_whole_score_with_photos_of_tickets_is_about_20_taps(start: Start, table: Table) -> None:
    _finished(table)
    for held in _hands():
        table.tickets(*(([name], True) for name in held), board="usa")
    pilot = start()
    tap = Counter(pilot)
    tap(pilot.say("home.score"), pilot.say("snap.shoot"), pilot.say("review.accept"), pilot.say("new.next"))
    for _ in range(4):
        tap(pilot.say("tickets.snap"), pilot.say("snap.shoot"))
        tap(pilot.page.model.next_told)
    assert len(_sheet_of(pilot, tap)) == 4
    assert tap.taps == 18


def test_a_whole_score_with_sums_is_about_16_taps(start: Start, table: Table) -> None:
    """The table has added its tickets up: a tap on the field, a number, on to the next."""
    _finished(table)
    pilot = start()
    tap = Counter(pilot)
    tap(pilot.say("home.score"), pilot.say("snap.shoot"), pilot.say("review.accept"), pilot.say("new.next"))
    for points in (34, -4, 12, 57):
        tap.taps += 1
        pilot.type(str(points))
        tap(pilot.page.model.next_told)
    assert sorted(_sheet_of(pilot, tap)) == [-4, 12, 34, 57]
    assert tap.taps == 14


def test_drawing_tickets_is_two_taps(game: Pilot) -> None:
    tap = Counter(game)
    tap(game.say("do.draw-tickets"), game.say("confirm.draw-tickets"))
    assert (tap.taps, game.game.position.turn) == (2, "Bo")


@pytest.mark.parametrize("keeping", ["keeping.claims", "keeping.turns"])
def test_a_forgotten_player_is_said_first_and_added(start: Start, table: Table, keeping: str) -> None:
    """Before anything that is doubtful; also where every turn is told: what was told before stays."""
    lying = {"amsterdam-essen-yellow": "blue", "berlin-wien-green": "black", "brest-paris-black": "blue"}
    table.board("europe", lying, doubtful=("brest-paris-black",))
    pilot = start()
    pilot.tap(pilot.say("home.new"), "Europe", pilot.say(keeping), pilot.say("new.next"))
    pilot.type("Ada")
    pilot.tap(pilot.say("new.begin"))
    pilot.deal()
    pilot.tap(pilot.say("table.snap"), pilot.say("snap.shoot"))
    assert pilot.sees(pilot.say("review.stranger", color="black"))
    pilot.tap(pilot.say("review.add-player", color="Black"), "Blue", pilot.say("review.accept"))
    players = {p.color: p.routes for p in pilot.game.position.players}
    assert players["black"] == ("berlin-wien-green",)
    assert set(players["blue"]) == {"amsterdam-essen-yellow", "brest-paris-black"}
    # Nobody accepted anything: what was told before was as it should be.
    lines = TableModel(pilot.desk, pilot.game).log
    assert [line.color for line in lines if "Black" in line.words] == ["black"]
    log = " ".join(line.words for line in lines)
    assert say("words.did.join", name="Black") in log
    assert pilot.say("log.accepted") not in log
    # Where tickets are dealt, the forgotten player's are the next question.
    assert bool(pilot.game.position.run.opening) == (keeping == "keeping.turns")


def test_half_of_the_neutral_shares_is_asked_for(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "home")
    desk.change(seats=(Seat("Ada", "blue"), Seat("Bo", "red")))
    new = NewGame(desk)
    new.choose(VARIANTS["pennsylvania"])
    while new.can_remove:
        new.remove(len(new.seats) - 1)
    game = new.begin()
    deal(game)
    model = TableModel(desk, game)
    for _ in range(3):
        route = next(r for r in sorted(model.claimable) if len(model.board.routes[r].companies) > 1)
        model.offer([route])
        assert model.form is not None
        if not model.form.pile:
            model.form.lay(model.form.payable()[0])
        model.form.go_on()
        model.done()
        assert model.form is not None
        model.form.set("company", model.form.options("company")[0])
        if not model.form.go_on():
            model.form.answer_need(model.form.verdict().needs["neutral"][0])
            model.form.go_on()
        model.done()
    finish = FinishModel.of_game(desk, game)
    taken = sum(len(n) for n in finish.neutral_pile.values())
    assert taken == 3
    assert (finish.neutral_half, finish.neutral, finish.asks_neutral) == (2, {}, True)

"""Cards before the camera or under a finger: claims, tunnels, tickets, shares, tokens, technologies."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import pytest

from companion.rules import VARIANTS, BuyTechnology, DrawTickets, Setup, TakeShare, TakeTourist
from companion.table.game import Game
from companion.ui.camera import NoCamera
from companion.ui.demo import deal
from companion.ui.desk import Desk
from companion.ui.models.forms import Form, SingleCard
from companion.ui.models.new_game import NewGame
from companion.ui.widgets.pieces import ColorTap
from companion.ui.work import Job
from maps import LOCOMOTIVE
from tests.ui.conftest import Pilot, Start, Table
from tests.vision.test_cards import table as drawn_table

if TYPE_CHECKING:
    from kivy.graphics.instructions import Instruction, InstructionGroup

LANGUAGES = ("en", "fr")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_claim_is_paid_by_one_photo_and_each_card_changed_by_one_tap(
    start: Start, table: Table, language: str
) -> None:
    table.cards("red", "blue", LOCOMOTIVE)
    pilot = start(language)
    pilot.begin("Ada", "Bo")
    # The route by its two cities.
    pilot.look_at("paris-zurich-gray")
    pilot.tap_map("zurich")
    pilot.tap_map("paris")
    form = pilot.page.model.form
    assert form.data["route"] == "paris-zurich-gray"
    pilot.tap(pilot.say("form.snap-cards"), pilot.say("snap.shoot"))
    assert form.pile == {"red": 1, "blue": 1, LOCOMOTIVE: 1}
    assert not pilot.offers(pilot.say("confirm.claim"))
    # The card that is wrong is changed where the photo's cards stand, below the grid.
    form.change(1)
    assert form.shows == ["red", "red", LOCOMOTIVE]
    pilot.app.refresh()
    pilot.settle()
    pilot.tap("drop-2")
    assert form.pile == {"red": 2}
    pilot.tap(pilot.say("loco"), pilot.say("confirm.claim"))
    assert form.data["cards"] == {"red": 2, LOCOMOTIVE: 1}
    assert form.asks == "revealed"


def test_a_tunnel_says_what_each_card_counts_and_what_is_due(start: Start, table: Table) -> None:
    table.cards("red", "blue", LOCOMOTIVE, "red")
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.page.model.offer(["paris-zurich-gray"])
    pilot.app.refresh()
    pilot.tap("Red", pilot.say("confirm.claim"), pilot.say("form.snap-cards"), pilot.say("snap.shoot"))
    # One card too many lay in the picture.
    assert pilot.sees(pilot.say("form.too-many", n=4, wanted=3))
    assert not pilot.offers(pilot.say("form.go-on"))
    pilot.tap("drop-3")
    for why in ("It counts: you laid red.", "It does not count: this is blue", "A locomotive always counts."):
        assert pilot.sees(why)
    assert pilot.sees("2 more red (or locomotives)")
    pilot.tap(pilot.say("form.go-on"))
    assert pilot.sees("2 more red (or locomotives). Pay, or give up?")
    pilot.tap(pilot.say("form.give-up"))
    assert pilot.game.position.owners == {}
    assert pilot.sees("Ada gives up the tunnel")


def _marked(pilot: Pilot) -> list[str]:
    """Cards with the mark of doubt, as they are written on the screen."""
    ink = tuple(pilot.desk.look.doubt)
    taps = [w for w in pilot.widgets() if isinstance(w, ColorTap)]
    return [w.color for w in taps if any(getattr(i, "rgba", None) == list(ink) for i in _drawn(w.canvas.after))]


def _drawn(group: InstructionGroup) -> Iterator[Instruction]:
    """Every instruction of a canvas, also those in groups."""
    for one in group.children:
        yield one
        yield from _drawn(one) if hasattr(one, "children") else ()


@pytest.mark.parametrize(("language", "asked"), [("en", "cards"), ("fr", "revealed")])
def test_a_card_that_is_not_sure_is_marked_until_somebody_looked(
    start: Start, table: Table, language: str, asked: str
) -> None:
    table.cards("red", "white", "yellow", unsure=(1, 2))
    pilot = start(language)
    pilot.begin("Ada", "Bo")
    pilot.page.model.offer(["paris-zurich-gray"])
    pilot.app.refresh()
    if asked == "revealed":
        pilot.tap(pilot.desk.word("red"), pilot.say("confirm.claim"))
    pilot.tap(pilot.say("form.snap-cards"), pilot.say("snap.shoot"))
    assert _marked(pilot) == ["white", "yellow"]
    assert pilot.sees(pilot.say("form.doubtful", n=2))
    assert pilot.sees("60\u00a0%" if asked == "cards" else pilot.say("form.sure", n=60))

    # Killed and opened again: still marked; one tap changes a card, and it is marked no more.
    pilot = start(language)
    assert _marked(pilot) == ["white", "yellow"]
    pilot.tap(pilot.desk.word("white") + "\n")
    assert pilot.page.model.form.shows == ["red", "red", "yellow"]
    assert _marked(pilot) == ["yellow"]
    pilot.tap(pilot.say("form.agree", n=1))
    assert _marked(pilot) == []
    assert not pilot.sees(pilot.say("form.doubtful", n=1))
    pilot = start(language)
    assert pilot.page.model.form.shows == ["red", "red", "yellow"]
    assert _marked(pilot) == []


def test_a_photo_without_cards_is_told_by_the_real_reader(start: Start, photos: Path) -> None:
    cv2.imwrite(str(photos / "empty.jpg"), drawn_table([]))
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.page.model.offer(["amsterdam-essen-yellow"])
    pilot.app.refresh()
    pilot.tap(pilot.say("form.snap-cards"), pilot.say("snap.shoot"))
    pilot.wait_to_see("No train cards were found")
    pilot.tap("back", pilot.say("confirm.claim"))
    assert pilot.game.position.owners == {"amsterdam-essen-yellow": (0,)}


@pytest.mark.parametrize(
    ("asked", "seen", "taps", "becomes"),
    [
        ("cards", ["blue", "red", "red"], 1, "red"),
        ("cards", ["blue", "red", "red"], 2, LOCOMOTIVE),
        ("cards", ["red", "red", "red"], 1, LOCOMOTIVE),
        ("revealed", ["white", "blue", "green"], 1, "red"),
        ("revealed", ["white", "blue", "green"], 2, LOCOMOTIVE),
        ("revealed", ["red", "blue", "green"], 9, "red"),
    ],
)
def test_a_tap_brings_the_likeliest_card_first(
    tmp_path: Path, asked: str, seen: list[str], taps: int, becomes: str
) -> None:
    desk = Desk(tmp_path, NoCamera())
    game = NewGame(desk).begin()
    deal(game)
    form = Form(game, "claim", "Blue")
    form.set("route", "paris-zurich-gray")
    if asked == "revealed":
        form.lay("red")
        form.go_on()
    form.show_cards([SingleCard(card, 0.6, doubtful=True) for card in seen])
    for _ in range(taps):
        form.change(0)
    assert form.shows == [becomes, *seen[1:]]
    assert [card.doubtful for card in form.singles] == [False, True, True]


@pytest.mark.parametrize("language", LANGUAGES)
def test_wild_cards_have_the_name_and_the_deck_of_their_board(
    start: Start, table: Table, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    table.cards("red", "red", LOCOMOTIVE)
    asked: list[Collection[str]] = []

    def read(job: Job, photo: Path, colors: Collection[str]) -> list[SingleCard]:
        asked.append(colors)
        found: list[SingleCard] = table.read(job, photo)
        return found

    table.read_cards = read
    pilot = start(language)
    game = _begin(pilot, "san-francisco")
    board = game.position.board
    ferry = next(r for r in board.routes.values() if r.kind == "ferry")
    wild = board.cards.wild

    def says_ferry() -> bool:
        return pilot.sees("Ferry") and not any("loco" in text.lower() for text in pilot.texts())

    # After another card it can't be taken: the referee says why.
    pilot.tap(pilot.say("do.draw-cards"), pilot.desk.word("red"), "Ferry")
    assert says_ferry()
    pilot.tap(pilot.say("verdict.rule"))
    assert says_ferry()
    pilot.tap("back", pilot.say("cancel"))
    pilot.page.model.offer([ferry.id])
    pilot.app.refresh()
    pilot.tap(pilot.say("form.snap-cards"), pilot.say("snap.shoot"))
    assert asked == [("blue", "green", "black", "pink", "red", "orange")]
    assert says_ferry()
    # Cards of two colours, and no Ferry card for the ferry: the referee names it in his reasons.
    pilot.tap("drop-2", pilot.desk.word("blue"))
    assert pilot.sees(pilot.tell("verdict.pay.locomotives", wild, due=1, n=0))
    assert says_ferry()


@pytest.mark.parametrize("language", LANGUAGES)
def test_tickets_come_by_photo_and_what_is_unsure_is_asked(start: Start, table: Table, language: str) -> None:
    table.board("europe", {"amsterdam-essen-yellow": "blue"})
    table.tickets(
        (["brest--marseille"], True), (["athina--edinburgh", "berlin--roma"], False), (["paris--wien"], False)
    )
    pilot = start(language)
    pilot.photograph()
    pilot.tap(pilot.say("new.next"))
    pilot.tap(pilot.say("tickets.snap"), pilot.say("snap.shoot"))
    assert pilot.sees(pilot.say("review.nth", n=1, all=2))
    assert pilot.sees(pilot.say("tickets.unsure"))
    pilot.tap("Berlin – Roma")
    assert pilot.sees(pilot.say("review.nth", n=2, all=2))
    pilot.tap(pilot.say("tickets.other"), "Brest", "Petrograd")
    assert pilot.page.model.draft.tickets == ["brest--marseille", "berlin--roma", "brest--petrograd"]
    pilot.tap("drop-0")
    pilot.count()
    kept = pilot.desk.history.games()[0].position["players"][0]["tickets"]
    assert kept == ["berlin--roma", "brest--petrograd"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_ticket_that_nobody_can_read_is_told_by_its_cities(start: Start, table: Table, language: str) -> None:
    table.board("europe", {"amsterdam-essen-yellow": "blue"})
    table.tickets((["brest--marseille"], True), ([], False))
    pilot = start(language)
    pilot.photograph()
    pilot.tap(pilot.say("new.next"))
    pilot.tap(pilot.say("tickets.snap"), pilot.say("snap.shoot"))
    assert pilot.sees(pilot.say("tickets.unread"))
    assert not pilot.offers(pilot.say("tickets.other"))
    pilot.tap(pilot.say("tickets.choose"), "Brest", "Petrograd")
    assert pilot.page.model.draft.tickets == ["brest--marseille", "brest--petrograd"]


def _begin(pilot: Pilot, variant: str, setup: Setup | None = None) -> Game:
    """A game of a variant, without the taps that begin it."""
    new = NewGame(pilot.desk)
    new.choose(VARIANTS[variant])
    if setup is None:
        deal(new.begin())
    else:
        pilot.desk.begin(lambda path: Game.new(path, variant, new.players(), setup=setup))
    pilot.app.home()
    pilot.app.go("table", pilot.app.table_model())
    pilot.settle()
    return pilot.game


def _claim(pilot: Pilot, route: str) -> None:
    pilot.page.model.offer([route])
    pilot.app.refresh()
    form = pilot.page.model.form
    if not form.pile:
        form.lay(form.payable()[0])
        pilot.app.refresh()
    pilot.tap(pilot.say("confirm.claim"))


def test_shares_tokens_and_technologies_take_two_taps_each(start: Start) -> None:
    pilot = start()
    game = _begin(pilot, "pennsylvania")
    route = next(r for r in game.position.board.routes.values() if len(r.companies) > 1)
    _claim(pilot, route.id)
    company = game.position.board.companies[route.companies[1]]
    # What a claim brings is the next question.
    pilot.tap(company.name)
    assert pilot.last(TakeShare).company == company.id

    game = _begin(pilot, "united-kingdom")
    name = game.position.board.technologies["booster"].name("en")
    pilot.tap(pilot.say("do.technology"), name, pilot.say("confirm.technology"))
    assert pilot.last(BuyTechnology).technology == "booster"

    game = _begin(pilot, "san-francisco")
    route = next(r for r in game.position.board.routes.values() if r.kind == "normal")
    _claim(pilot, route.id)
    place = route.ends[0] if (game.position.run.tokens or {}).get(route.ends[0]) else route.ends[1]
    pilot.tap(game.position.board.cities[place].label("en"))
    assert pilot.last(TakeTourist).place == place
    assert game.position.entry(pilot.last(TakeTourist).player).tourists


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_last_players_lay_the_tokens_without_a_place(start: Start, language: str) -> None:
    pilot = start(language)
    new = NewGame(pilot.desk)
    new.choose(VARIANTS["san-francisco"])
    assert len(new.seats) == 4
    deal(new.begin(), ("draw-tickets",))
    pilot.app.home()
    pilot.app.go("table", pilot.app.table_model())
    game = pilot.game
    for n, (player, city) in enumerate(((3, "the-castro"), (2, "mission-district"))):
        form = pilot.page.model.form
        assert (form.kind, form.player, form.required) == ("lay-tokens", game.position.players[player].name, True)
        assert pilot.sees(pilot.say("form.lay-tokens", player=form.player, n=3))
        assert not pilot.offers(pilot.say("cancel"))
        # A place that has tokens already is refused, with the reason.
        form.set("city", "alcatraz")
        pilot.app.refresh()
        assert not pilot.offers(pilot.say("confirm.lay-tokens"))
        form.set("city", city)
        pilot.app.refresh()
        pilot.tap(pilot.say("confirm.lay-tokens"))
        assert (game.position.run.tokens or {})[city] == {str(6 + n): 3}
    assert pilot.page.model.form is None
    assert pilot.offers(pilot.say("do.claim"))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_team_is_asked_for_the_ticket_on_its_rack(start: Start, language: str) -> None:
    pilot = start(language)
    new = NewGame(pilot.desk)
    new.choose(VARIANTS["asia"])
    new.begin()
    pilot.app.home()
    pilot.app.go("table", pilot.app.table_model())
    game = pilot.game
    waiting = len(game.position.run.opening)
    pilot.tap(str(game.position.variant.keep_opening))
    assert not game.entries
    assert pilot.sees(pilot.say("need.rack"))
    pilot.tap(pilot.say("need.rack-there"))
    assert pilot.last(DrawTickets).rack == 1
    assert len(game.position.run.opening) == waiting - 1


def test_what_the_rules_forbid_is_not_done_by_a_quick_tap(start: Start) -> None:
    pilot = start()
    # Nobody told where the tokens lie: then any kind may be taken, once.
    game = _begin(pilot, "san-francisco", Setup())
    routes = [r for r in game.position.board.routes.values() if r.kind == "normal"]
    first = routes[0]
    second = next(r for r in routes[1:] if set(r.ends) & set(first.ends) and r.group != first.group)
    for route, kind in ((first, "3"), (second, "3")):
        while game.position.turn != game.position.players[0].name:
            pilot.tap(pilot.say("do.deck"))
        _claim(pilot, route.id)
        pilot.tap(kind)
    # The same kind twice: the referee says no, and why.
    assert pilot.page.model.form is not None
    assert pilot.offers(pilot.say("verdict.accept"))

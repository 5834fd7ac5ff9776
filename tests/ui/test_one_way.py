"""Nothing is a one-way door: sheets are corrected, games go on after counting, and Back asks before it drops."""

from __future__ import annotations

import pytest

from tests.ui.conftest import Pilot, Start, Table

ROUTE = "atlanta-charleston-gray"


def _sheet(pilot: Pilot) -> None:
    """A board of one red route, counted; the sheet is shown."""
    pilot.photograph()
    pilot.tap(pilot.say("new.next"))
    pilot.next_player()
    pilot.tap(pilot.say("sheet.all"))


def _every_player(pilot: Pilot) -> None:
    while pilot.app.stack[-1][0] != "sheet":
        pilot.next_player()


def test_a_sheet_is_corrected_before_it_is_kept(start: Start, table: Table) -> None:
    table.board("usa", {ROUTE: "red"})
    pilot = start()
    _sheet(pilot)
    # Back leads to the last player's tickets: a forgotten one is added.
    pilot.tap("back", pilot.say("tickets.add"), "Denver", "El Paso")
    pilot.tap(pilot.say("tickets.done", n=1, points=-4), pilot.say("finish.count"), pilot.say("sheet.all"))
    assert pilot.desk.history.games() == []
    pilot.tap(pilot.say("sheet.home"))
    (kept,) = pilot.desk.history.games()
    assert kept.players[0].breakdown["tickets"] == -4


def test_a_sheet_of_the_history_is_corrected_in_its_place(start: Start, table: Table) -> None:
    table.board("usa", {ROUTE: "red"})
    pilot = start()
    _sheet(pilot)
    pilot.tap(pilot.say("sheet.home"))
    (before,) = pilot.desk.history.games()
    pilot.tap(pilot.say("home.history"), pilot.day(before), pilot.say("sheet.correct"))
    pilot.type("Ada")
    # Names, the board itself, tickets: everything can be put right.
    pilot.tap(pilot.say("finish.edit"))
    pilot.page._ask("atlanta-miami-blue")
    pilot.settle()
    pilot.tap("Red", pilot.say("edit.done"), pilot.say("new.next"), pilot.say("tickets.add"), "Denver", "El Paso")
    pilot.tap(pilot.say("tickets.done", n=1, points=-4))
    pilot.count()
    (after,) = pilot.desk.history.games()
    assert (after.id, after.date, after.names) == (before.id, before.date, ("Ada",))
    assert after.players[0].breakdown["routes"] == 2 + 10
    assert after.players[0].breakdown["tickets"] == -4


def test_counting_does_not_end_a_game(start: Start) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.draw-tickets"), pilot.say("confirm.draw-tickets"))
    game = pilot.desk.settings.game
    pilot.tap("menu", pilot.say("table.end"), pilot.say("table.count"), pilot.say("tickets.add"), "Brest", "Marseille")
    pilot.tap(pilot.say("tickets.done", n=1, points=-7))
    _every_player(pilot)
    # Back to the table: the game goes on, nothing is kept, and the ticket need not be told again.
    while pilot.app.stack[-1][0] != "table":
        pilot.tap("back")
    assert (pilot.desk.settings.game, pilot.desk.history.games()) == (game, [])
    pilot.page.count()
    pilot.settle()
    assert pilot.page.model.drafts[0].tickets == ["brest--marseille"]


def test_a_counted_game_is_gone_on_with_from_its_sheet(start: Start) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    game = pilot.desk.settings.game
    pilot.page.count()
    pilot.settle()
    _every_player(pilot)
    pilot.tap(pilot.say("sheet.all"), pilot.say("sheet.home"))
    assert pilot.desk.game is None
    (kept,) = pilot.desk.history.games()
    pilot.tap(pilot.say("home.history"), pilot.day(kept), pilot.say("sheet.go-on"))
    assert (pilot.app.stack[-1][0], pilot.desk.settings.game) == ("table", game)


def test_back_asks_before_it_drops_a_photo(start: Start, table: Table) -> None:
    table.board("usa", {ROUTE: "red"}, doubtful=(ROUTE,))
    pilot = start()
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"), "back")
    assert pilot.sees(pilot.say("review.drop-ask"))
    pilot.tap(pilot.say("review.stay"))
    assert pilot.app.stack[-1][0] == "review"
    pilot.tap("back", pilot.say("review.drop"))
    assert pilot.app.stack[-1][0] == "finish"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_scoring_in_progress_stands_on_home(start: Start, table: Table, language: str) -> None:
    table.board("usa", {ROUTE: "red"})
    pilot = start(language)
    pilot.photograph()
    pilot.type("Ada")
    pilot.tap(pilot.say("new.next"), pilot.say("tickets.add"), "Denver", "El Paso")
    pilot.tap("back", "back", "back")
    assert pilot.app.stack == [("home", None)]
    # A new photo would drop it: that is asked. After a restart it is there as well.
    pilot = start(language)
    pilot.tap(pilot.say("home.score") + "\n" + pilot.say("home.score-about"))
    assert pilot.sees(pilot.say("home.score-ask"))
    pilot.tap(pilot.say("home.score-on"), pilot.say("new.next"))
    assert pilot.sees("Ada")
    assert pilot.sees("Denver – El Paso")
    pilot.count()
    assert not pilot.offers(pilot.say("home.score-on"))
    assert pilot.desk.history.games()[0].names == ("Ada",)


def test_a_player_without_tickets_is_queried(start: Start, table: Table) -> None:
    table.board("usa", {ROUTE: "red"})
    pilot = start()
    pilot.photograph()
    pilot.tap(pilot.say("new.next"), pilot.say("finish.count"))
    assert pilot.sees(pilot.say("finish.no-tickets-ask", player="Red"))
    pilot.tap(pilot.say("finish.add-tickets"))
    assert pilot.app.stack[-1][0] == "finish-player"


def test_tickets_say_what_is_done_and_what_they_bring(start: Start, table: Table) -> None:
    table.board("usa", {"denver-santa-fe-gray": "red", "el-paso-santa-fe-gray": "red"})
    pilot = start()
    pilot.photograph()
    pilot.tap(pilot.say("new.next"), pilot.say("tickets.add"))
    pilot.tap_map("denver")
    assert pilot.sees("4 points")
    pilot.tap_map("el-paso")
    pilot.tap("Boston", "Miami")
    chips = [(c.words, c.points, c.state) for c in pilot.page.model.finish.chips()]
    assert chips == [("Denver – El Paso", "+4", "done"), ("Boston – Miami", "−12", "missed")]
    assert pilot.offers(pilot.say("tickets.done", n=2, points=-8))

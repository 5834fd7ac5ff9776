"""Somebody who opens the app for the first time: something to try, a page on each way, hints that go away."""

from __future__ import annotations

import pytest

from companion.ui.models.coach import LESSONS, Coach
from companion.ui.showcase import WAYS as SHOWN
from tests.ui.conftest import Start


def test_the_practice_game_teaches_by_doing(start: Start) -> None:
    """Each lesson is done with the taps that it asks for; nothing of it is kept."""
    pilot = start()
    pilot.tap(pilot.say("home.try"), pilot.say("guide.game"))
    assert pilot.sees(pilot.say("coach.deck"))
    pilot.tap(pilot.say("do.deck"))
    assert pilot.sees(pilot.say("coach.claim"))
    pilot.tap_map(LESSONS[1].look)
    pilot.tap(pilot.say("confirm.claim"))
    assert pilot.sees(pilot.say("coach.tunnel"))
    pilot.tap_map(LESSONS[2].look)
    pilot.tap(pilot.say("confirm.claim"))
    pilot.tap(pilot.desk.word("blue"), pilot.desk.word("white"), pilot.desk.word("green"), pilot.say("form.go-on"))
    assert pilot.sees(pilot.say("coach.undo"))
    pilot.tap("undo")
    assert pilot.sees(pilot.say("coach.turn"))
    pilot.tap("Bo")
    assert pilot.sees(pilot.say("coach.end"))
    pilot.tap(pilot.say("coach.done"))
    assert (pilot.app.stack[-1][0], pilot.desk.game, pilot.desk.aside()) == ("home", None, [])


def test_a_practice_game_that_is_counted_is_not_kept(start: Start) -> None:
    """Nor does it touch the game that goes on, or a sheet that is being prepared."""
    pilot = start()
    pilot.begin("Cleo", "Dan")
    going = pilot.desk.settings.game
    pilot.app.home()
    pilot.settle()
    pilot.tap(pilot.say("home.try"), pilot.say("guide.game"), "menu", pilot.say("table.end"), pilot.say("table.count"))
    while pilot.app.stack[-1][0] != "sheet":
        pilot.next_player()
    pilot.tap(pilot.say("sheet.all"), pilot.say("sheet.home"))
    assert (pilot.desk.history.games(), pilot.desk.settings.game, pilot.desk.scoring) == ([], going, None)
    assert [p.name for p in pilot.game.position.players][:2] == ["Cleo", "Dan"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_way_has_its_page(start: Start, language: str) -> None:
    pilot = start(language)
    # Widgets open the window: they are loaded when there is one.
    from companion.ui.pages.guide import WAYS

    assert tuple(WAYS) == SHOWN
    for way, opens in zip(WAYS, ("finish", "variant", "variant", "variant", "dispute"), strict=True):
        pilot.app.home()
        pilot.settle()
        pilot.tap(pilot.say("home.try"), pilot.say(f"way.{way}"))
        assert pilot.sees(pilot.say(f"way.{way}.1"))
        pilot.tap(pilot.say("guide.start"))
        assert pilot.app.stack[-1][0] == opens
        if opens == "variant":
            assert pilot.page.model.keeping == way


def test_help_is_where_it_is_needed(start: Start) -> None:
    pilot = start()
    pilot.tap(pilot.say("home.dispute"), "help")
    assert pilot.sees(pilot.say("way.dispute.1"))
    pilot.tap(pilot.say("ok"))
    assert pilot.app.stack[-1][0] == "dispute"


def test_a_hint_that_was_read_is_gone_for_good(start: Start) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    assert pilot.sees(pilot.say("hint.table"))
    pilot.tap("hint-table")
    assert not pilot.sees(pilot.say("hint.table"))
    pilot = start()
    assert pilot.app.stack[-1][0] == "table"
    assert not pilot.sees(pilot.say("hint.table"))


def test_a_lesson_that_was_done_stays_done(start: Start) -> None:
    coach = Coach.new(start().desk)
    assert coach.lesson is LESSONS[0]
    coach.draw_blind()
    assert coach.lesson is LESSONS[1]
    coach.undo()
    assert coach.lesson is LESSONS[1]

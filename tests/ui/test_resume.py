"""Killed in the middle of anything, the app opens exactly there again."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rules import Claim
from companion.ui.models.forms import Form
from tests.ui.conftest import Pilot, Start, Table

LANGUAGES = ("en", "fr")


def _form(pilot: Pilot) -> Form:
    form = pilot.page.model.form
    assert isinstance(form, Form)
    return form


def _same(start: Start, before: Pilot, language: str = "en") -> Pilot:
    """The app after a crash; it says what it said before."""
    told = before.texts()
    after = start(language)
    assert after.texts() == told
    return after


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_action_half_told_is_there_again(start: Start, table: Table, language: str) -> None:
    pilot = start(language)
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.draw-tickets"), "2")
    pilot = _same(start, pilot, language)
    pilot.tap(pilot.say("confirm.draw-tickets"))
    assert pilot.game.position.turn == "Bo"

    # A tunnel: its cards laid, then two of three turned up, then the payment.
    pilot.tap(pilot.say("do.claim"))
    pilot.type("paris zur")
    pilot.tap("Paris – Zürich", pilot.desk.word("red"), pilot.say("loco"))
    pilot = _same(start, pilot, language)
    assert _form(pilot).pile == {"red": 2, "locomotive": 1}
    pilot.tap(pilot.say("confirm.claim"), pilot.desk.word("red"), pilot.desk.word("blue"))
    pilot = _same(start, pilot, language)
    assert _form(pilot).turned == ["red", "blue"]
    pilot.tap(pilot.say("loco"), pilot.say("form.go-on"))
    pilot = _same(start, pilot, language)
    pilot.tap(pilot.say("confirm.claim"))
    assert pilot.last(Claim).extra == {"red": 2}
    assert start(language).page.model.form is None


def test_a_game_being_put_together_is_there_again(start: Start) -> None:
    pilot = start()
    pilot.tap(pilot.say("home.new"), "USA", "Warehouses and depots")
    pilot = _same(start, pilot)
    pilot.tap(pilot.say("new.next"))
    pilot.type("Ada")
    pilot.tap("remove-3")
    pilot = _same(start, pilot)
    pilot.tap(pilot.say("new.begin"))
    position = pilot.game.position
    assert (position.variant.id, [p.name for p in position.players]) == ("usa", ["Ada", "Red", "Green"])
    assert position.has_depots


def test_a_photo_under_review_is_there_again(start: Start, table: Table) -> None:
    owners = {"amsterdam-essen-yellow": "blue", "berlin-wien-green": "red"}
    table.board("europe", owners, doubtful=tuple(owners))
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("table.snap"), pilot.say("snap.shoot"), "Red")
    assert pilot.sees(pilot.say("review.nth", n=2, all=2))
    pilot = _same(start, pilot)
    pilot.tap("Red")
    pilot = _same(start, pilot)
    pilot.tap(pilot.say("review.accept"))
    assert pilot.game.position.owners == {"amsterdam-essen-yellow": (1,), "berlin-wien-green": (1,)}


def test_a_board_being_scored_is_there_again(start: Start, table: Table) -> None:
    table.board(
        "europe", {"amsterdam-essen-yellow": "blue", "berlin-wien-green": "red"}, doubtful=("berlin-wien-green",)
    )
    pilot = start()
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
    pilot = _same(start, pilot)
    pilot.tap("Red")
    pilot = _same(start, pilot)
    pilot.tap(pilot.say("review.accept"))
    pilot.type("Ada")
    pilot.tap(pilot.say("new.next"), pilot.say("tickets.add"), "Brest")
    pilot = _same(start, pilot)
    pilot.tap("Marseille", "back")
    pilot.next_player()
    pilot = _same(start, pilot)
    pilot.next_player()
    pilot.tap(pilot.say("sheet.next", line=pilot.say("line.routes")))
    # The sheet being revealed is there again, and kept only when everybody has seen it.
    pilot = _same(start, pilot)
    assert pilot.desk.history.games() == []
    pilot.tap(pilot.say("sheet.all"), pilot.say("sheet.home"))
    kept = pilot.desk.history.games()[0]
    assert [p.name for p in kept.players] == ["Ada", "Red"]
    assert [len(p["tickets"]) for p in kept.position["players"]] == [1, 0]


@pytest.mark.parametrize(
    "left", ["{", "[]", '[["table", {}]]', '[["review", {"picture": "gone.jpg"}]]', '[["sheet", {}]]']
)
def test_what_cannot_be_read_again_is_left_out(start: Start, tmp_path: Path, left: str) -> None:
    (tmp_path / "home").mkdir(exist_ok=True)
    (tmp_path / "home" / "unfinished.json").write_text(left, encoding="utf-8")
    assert start().app.stack == [("home", None)]


def test_an_action_recorded_in_the_last_moment_is_not_told_twice(start: Start) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.draw-tickets"))
    kept = (pilot.desk.folder / "unfinished.json").read_text(encoding="utf-8")
    pilot.tap(pilot.say("confirm.draw-tickets"))
    # Killed after the journal was written and before anything else was.
    (pilot.desk.folder / "unfinished.json").write_text(kept, encoding="utf-8")
    pilot = start()
    assert pilot.page.model.form is None
    assert len(pilot.game.entries) == 5

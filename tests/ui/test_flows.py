"""Whole flows by touch, in both languages: from a new game to the shared sheet, and a board scored from one photo."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

from companion.table.game import Game

LANGUAGES = ("en", "fr")


def _claim(pilot: Any, route: str) -> None:
    """A route by touch, confirmed."""
    pilot.look_at(route)
    pilot.tap_map(route)
    pilot.tap(pilot.say("confirm.claim"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_of_europe_from_new_game_to_the_shared_sheet(start: Any, table: Any, language: str) -> None:
    pilot = start(language)
    pilot.begin("Ada", "Bo", "Cy", "Di")
    assert pilot.sees(pilot.say("table.turn", player="Ada"))
    game: Game = pilot.desk.game
    assert [p.color for p in game.position.players] == ["blue", "red", "green", "yellow"]

    _claim(pilot, "amsterdam-essen-yellow")
    assert pilot.sees("Ada")
    assert game.position.players[0].routes == ("amsterdam-essen-yellow",)

    # Bo tries what Ada holds: red, with the rule behind a tap.
    pilot.tap_map("amsterdam-essen-yellow")
    assert not pilot.offers(pilot.say("confirm.claim"))
    pilot.tap(pilot.say("verdict.rule"))
    assert pilot.sees(pilot.say("rule.claiming"))
    pilot.tap(pilot.say("ok"))
    pilot.tap(pilot.say("cancel"))
    assert len(game.entries) == 1

    # A tunnel, its turned-up cards shown to the camera: one red, so one more is due.
    table.cards("red", "blue", "green")
    pilot.look_at("paris-zurich-gray")
    pilot.tap_map("paris-zurich-gray")
    pilot.tap(pilot.desk.word("red"), pilot.say("confirm.claim"))
    assert pilot.sees(pilot.say("form.turn-up", n=3))
    pilot.tap(pilot.say("form.snap-cards"), pilot.say("snap.shoot"))
    pilot.tap(pilot.say("form.go-on"))
    assert pilot.sees(pilot.say("form.extra", n=1))
    pilot.tap(pilot.say("confirm.claim"))
    assert game.position.players[1].routes == ("paris-zurich-gray",)
    assert game.entries[-1].action.extra == {"red": 1}

    pilot.tap(pilot.say("do.draw-cards"), pilot.say("confirm.draw-cards"))
    assert game.position.turn == "Di"

    # One undo: Cy takes tickets instead.
    pilot.tap(pilot.say("table.undo"))
    assert game.position.turn == "Cy"
    pilot.tap(pilot.say("do.draw-tickets"), "2", pilot.say("confirm.draw-tickets"))

    # Killed and opened again: the game is exactly there.
    before = game.position
    pilot = start(language)
    game = pilot.desk.game
    assert game.position == before
    assert pilot.sees(pilot.say("table.turn", player="Di"))

    # Di lays wagons without a word: a snap of the board finds them.
    owners = {"amsterdam-essen-yellow": "blue", "paris-zurich-gray": "red"}
    fresh = next(r for r in game.position.board.routes if r.startswith("edinburgh-london"))
    table.board("europe", {**owners, fresh: "yellow"})
    # The camera starts with its first picture again after a restart: skip the cards' photo.
    pilot.desk.camera._next = len(table.known) - 1
    pilot.tap(pilot.say("table.snap"), pilot.say("snap.shoot"))
    assert pilot.sees(pilot.say("review.new", n=1))
    pilot.tap(pilot.say("review.accept"))
    assert game.position.players[3].routes == (fresh,)

    # A second snap: Ada's new route is doubtful, a station of Bo's appears.
    second = next(r.id for r in game.position.board.routes.values() if r.color == "orange" and r.kind == "normal")
    table.board("europe", {**owners, fresh: "yellow", second: "blue"}, doubtful=(second,))
    pilot.tap(pilot.say("table.snap"), pilot.say("snap.shoot"))
    assert pilot.sees(pilot.say("review.nth", n=1, all=1))
    pilot.tap(pilot.desk.word("blue"), pilot.say("review.accept"))
    assert second in game.position.players[0].routes

    # The end, tickets in two taps, the sheet line by line.
    pilot.tap(pilot.say("table.end"), pilot.say("table.count"))
    pilot.tap(pilot.say("tickets.add"))
    ticket = next(t for t in game.position.tickets.values())
    board = game.position.board
    pilot.tap(board.place_name(ticket.a, language), board.place_name(ticket.b, language), "back")
    for _ in range(3):
        pilot.tap(pilot.app.page.ids.next.text)
    pilot.tap(pilot.say("finish.count"))
    pilot.settle()
    assert pilot.sees(pilot.say("sheet.next", line=pilot.say("line.routes")))
    for _ in range(4):
        pilot.tap(pilot.app.page.ids.ways.children[-1].text)
    pilot.tap(pilot.say("sheet.who"))
    kept = pilot.desk.history.games()[0]
    assert pilot.sees(", ".join(kept.winners))
    assert sum(p.breakdown["routes"] for p in kept.players) == sum(
        board.routes[r].points for r in (*owners, fresh, second)
    )
    pilot.tap(pilot.say("sheet.share"))
    shared = sorted((pilot.desk.folder / "shared").iterdir())
    assert [p.suffix for p in shared] == [".html", ".png"]
    assert "<svg" in shared[0].read_text(encoding="utf-8")
    assert pilot.desk.game is None
    assert len(pilot.desk.history.games()) == 1


def test_history_counts_exports_imports_and_deletes(start: Any, table: Any, tmp_path: Path) -> None:
    table.board("usa", {"atlanta-charleston-gray": "red"})
    pilot = start()
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
    pilot.tap(pilot.say("new.next"), pilot.say("finish.count"))
    pilot.tap(pilot.say("sheet.all"), pilot.say("sheet.home"), pilot.say("home.history"))
    assert pilot.sees("Red 12")
    pilot.tap(pilot.say("history.csv"), pilot.say("ok"), pilot.say("history.json"), pilot.say("ok"))
    shared = pilot.desk.folder / "shared"
    rows = list(csv.DictReader(io.StringIO((shared / "companion-history.csv").read_text(encoding="utf-8"))))
    assert rows[0]["player"] == "Red"
    assert rows[0]["routes"] == "2"
    assert len(json.loads((shared / "companion-history.json").read_text(encoding="utf-8"))["games"]) == 1
    pilot.tap(pilot.say("history.delete"), pilot.say("history.delete"))
    assert pilot.desk.history.games() == []
    pilot.tap(pilot.say("history.import"), "companion-history.json", pilot.say("ok"))
    assert len(pilot.desk.history.games()) == 1


def test_language_and_look_change_at_once(start: Any) -> None:
    pilot = start("en")
    pilot.tap("Settings", "Français")
    assert pilot.sees("Réglages")
    pilot.tap("Sombre")
    assert pilot.desk.look.name == "dark"
    pilot.tap("back")
    assert pilot.sees("Nouvelle partie")


def test_turning_the_phone_keeps_the_action_being_told(start: Any) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.look_at("amsterdam-essen-yellow")
    pilot.tap_map("amsterdam-essen-yellow")
    assert pilot.sees(pilot.say("verdict.yes"))
    pilot.resize(780, 360)
    assert pilot.app.wide
    assert pilot.sees(pilot.say("verdict.yes"))
    pilot.tap(pilot.say("confirm.claim"))
    assert pilot.desk.game.position.owners == {"amsterdam-essen-yellow": (0,)}


def test_the_map_moves_and_zooms_under_fingers(start: Any) -> None:
    from kivy.tests.common import UnitTestTouch

    pilot = start()
    pilot.begin("Ada", "Bo")
    view = pilot.app.page.map
    x, y = view.to_window(*view.center)
    one, other = UnitTestTouch(x - 20, y), UnitTestTouch(x + 20, y)
    one.touch_down()
    other.touch_down()
    other.touch_move(x + 100, y)
    one.touch_up()
    other.touch_up()
    assert view.zoom == pytest.approx(3.0, abs=0.2)
    before = view.to_picture(x, y)
    pilot.drag((x, y), (x - 60, y))
    after = view.to_picture(x, y)
    assert after[0] > before[0]
    assert pilot.app.page.model.form is None
    # Once the fingers rest, the board is painted anew in the size that is looked at.
    end = time.monotonic() + 10
    while view._shown[3] != 1536 and time.monotonic() < end:
        pilot.settle()
    assert view._shown[3] == 1536


def test_a_wrong_entry_is_struck_out(start: Any) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.draw-cards"), pilot.say("confirm.draw-cards"))
    pilot.tap(pilot.say("table.log"), pilot.say("log.strike"), pilot.say("log.strike"), "back")
    assert pilot.desk.game.entries == ()
    assert pilot.sees(pilot.say("table.turn", player="Ada"))


def test_a_route_is_found_by_name(start: Any) -> None:
    pilot = start("fr")
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.claim"))
    pilot.type("paris zur")
    pilot.tap("Paris – Zürich")
    assert pilot.app.page.model.form.data["route"] == "paris-zurich-gray"


def test_a_house_rule_is_accepted_and_logged(start: Any) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.claim"))
    pilot.type("amsterdam essen")
    pilot.tap("Amsterdam – Essen", "3 × Yellow")
    pilot.tap(pilot.say("verdict.accept"), pilot.say("verdict.accept"))
    assert pilot.desk.game.entries[0].accepted
    assert pilot.sees(pilot.say("table.accepted", what="").strip())


def test_what_no_screen_caught_is_told_and_the_app_goes_on(start: Any) -> None:
    pilot = start()
    pilot.app.unexpected(ValueError("oh"))
    pilot.frames(2)
    assert pilot.sees("ValueError: oh")
    assert "ValueError" in (pilot.desk.folder / "last-error.txt").read_text(encoding="utf-8")
    pilot.tap(pilot.say("ok"))
    assert pilot.offers(pilot.say("home.new") + "\n" + pilot.say("home.new-about"))

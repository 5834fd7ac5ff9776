"""Whole flows by touch, in both languages: from a new game to the shared sheet, and a board scored from one photo."""

from __future__ import annotations

import csv
import io
import json
import time

import pytest

from companion.rules import Claim
from companion.ui import layers
from companion.ui.layers import Pieces
from maps.drawing import Shape, Theme
from tests.ui.conftest import Pilot, Start, Table


def _counted(pilot: Pilot, language: str, total: int) -> None:
    """A game of one route, counted, and its line in the history."""
    pilot.photograph()
    pilot.tap(pilot.say("new.next"))
    pilot.count()
    pilot.tap(pilot.say("home.history"))
    assert pilot.sees(f"{pilot.desk.word('red')} {total}")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_history_counts_exports_imports_and_deletes(start: Start, table: Table, language: str) -> None:
    table.board("usa", {"atlanta-charleston-gray": "red"})
    pilot = start(language)
    _counted(pilot, language, 12)
    red = pilot.desk.word("red")
    pilot.tap(pilot.say("history.csv"), pilot.say("ok"), pilot.say("history.json"), pilot.say("ok"))
    shared, kept = pilot.desk.folder / "shared", pilot.desk.history.games()
    rows = list(csv.DictReader(io.StringIO((shared / "companion-history.csv").read_text(encoding="utf-8-sig"))))
    assert (rows[0]["player"], rows[0]["routes"]) == (red, "2")
    assert len(json.loads((shared / "companion-history.json").read_text(encoding="utf-8"))["games"]) == 1

    # A broken file adds nothing and takes nothing away.
    whole = (shared / "companion-history.json").read_text(encoding="utf-8")
    (shared / "broken.json").write_text(whole[: len(whole) // 2], encoding="utf-8")
    pilot.tap(pilot.say("history.import"), "broken.json")
    assert pilot.sees("broken.json")
    pilot.tap(pilot.say("ok"))
    assert pilot.desk.history.games() == kept

    # Cancelled, then deleted; from the table come the points, from JSON the whole game.
    pilot.tap(pilot.say("history.delete"), pilot.say("cancel"))
    assert pilot.desk.history.games() == kept
    for ending, told in (("csv", "history.table-only"), ("json", "sheet.title")):
        pilot.tap(pilot.say("history.delete"), pilot.say("history.delete"))
        assert pilot.desk.history.games() == []
        pilot.tap(pilot.say("history.import"), f"companion-history.{ending}", pilot.say("ok"))
        assert pilot.desk.history.games()[0].players == kept[0].players
        pilot.tap(pilot.day(kept[0]))
        assert pilot.sees(pilot.say(told)) or pilot.app.shell.title == pilot.say(told)
        if ending == "csv":
            pilot.tap(pilot.say("ok"))


def test_language_and_look_change_at_once(start: Start) -> None:
    pilot = start("en")
    pilot.tap("Settings", "Français")
    assert pilot.sees("Réglages")
    pilot.tap("Sombre")
    assert pilot.desk.look.name == "dark"
    pilot.tap("back")
    assert pilot.sees("Arbitrer chaque tour")


def test_turning_the_phone_keeps_the_action_being_told(start: Start) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.look_at("amsterdam-essen-yellow")
    pilot.tap_map("amsterdam-essen-yellow")
    assert pilot.sees(pilot.say("verdict.yes"))
    pilot.resize(780, 360)
    assert pilot.app.wide
    assert pilot.sees(pilot.say("verdict.yes"))
    pilot.tap(pilot.say("confirm.claim"))
    assert pilot.game.position.owners == {"amsterdam-essen-yellow": (0,)}


def test_the_map_moves_and_zooms_under_fingers(start: Start) -> None:
    from kivy.tests.common import UnitTestTouch

    layers.forget()
    pilot = start()
    pilot.begin("Ada", "Bo")
    view = pilot.page.map
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
    assert pilot.page.model.form is None
    # Once the fingers rest, the board is painted anew in the size that is looked at.
    end = time.monotonic() + 10
    while view._shown[3] != 1536 and time.monotonic() < end:
        pilot.settle()
    assert view._shown[3] == 1536


def test_a_wrong_entry_is_struck_out(start: Start) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.deck"), "menu")
    pilot.tap(pilot.say("table.log"), pilot.say("log.strike"), pilot.say("log.strike"), "back", "back")
    assert {e.action.kind for e in pilot.game.entries if e.action} == {"draw-tickets"}
    assert pilot.sees(pilot.say("table.turn", player="Ada"))


def test_a_route_is_found_by_name(start: Start) -> None:
    pilot = start("fr")
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.claim"))
    pilot.type("paris zur")
    pilot.tap("Paris – Zürich")
    assert pilot.page.model.form.data["route"] == "paris-zurich-gray"


def test_a_house_rule_is_accepted_and_logged(start: Start) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.claim"))
    pilot.type("amsterdam essen")
    pilot.tap("Amsterdam – Essen", "slot-yellow")
    pilot.tap(pilot.say("verdict.accept"), pilot.say("verdict.accept"))
    assert pilot.game.entries[-1].accepted
    assert pilot.sees(pilot.say("table.accepted", what="").strip())


def test_what_no_screen_caught_is_told_and_the_app_goes_on(start: Start) -> None:
    pilot = start()
    pilot.app.unexpected(ValueError("oh"))
    pilot.frames(2)
    assert pilot.sees("ValueError: oh")
    assert "ValueError" in (pilot.desk.folder / "last-error.txt").read_text(encoding="utf-8")
    pilot.tap(pilot.say("ok"))
    assert pilot.offers(pilot.say("home.new") + "\n" + pilot.say("home.new-about"))


def test_what_lies_on_a_board_is_laid_once_for_screens_that_show_the_same(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.ui.widgets import map_view

    pilot = start()
    pilot.begin("Ada", "Bo")
    map_view.forget()
    laid: list[Pieces] = []
    shapes = layers.piece_shapes

    def counted(board: str, theme: Theme, pieces: Pieces) -> list[Shape]:
        laid.append(pieces)
        return shapes(board, theme, pieces)

    monkeypatch.setattr(layers, "piece_shapes", counted)
    pilot.app.show()
    pilot.app.show()
    assert len(laid) == 1
    pilot.game.do(Claim("Ada", "brest-paris-black", {"black": 3}))
    pilot.app.show()
    assert laid[-1].owners == {"brest-paris-black": "blue"}

"""Desktop manners: the look of the system, a mouse that is over something, files dropped onto the window."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any  # Any: what the chooser of files is asked

import pytest

from companion.ui.desktop import DesktopSystem
from companion.ui.system import Desktop
from tests.ui.conftest import Pilot, Start, Table

ROUTE = "atlanta-charleston-gray"


class Evening(Desktop):
    """A system that can be made dark."""

    now = "light"

    def look(self) -> str:
        return self.now


@pytest.mark.parametrize(("told", "look"), [("Dark", "dark"), ("Light", "light"), (None, "")])
def test_the_desktop_is_asked_how_it_looks(monkeypatch: pytest.MonkeyPatch, told: str | None, look: str) -> None:
    monkeypatch.setitem(sys.modules, "darkdetect", SimpleNamespace(theme=lambda: told))
    assert DesktopSystem().look() == look


def test_the_app_looks_as_the_system_until_somebody_chooses(start: Start) -> None:
    pilot = start()
    system = Evening()
    pilot.desk.system = system
    system.now = "dark"
    pilot.app._focused(pilot.window, True)
    pilot.settle()
    assert pilot.desk.look.name == "dark"
    # A question that stands above the screen goes on standing there.
    pilot.app.tell("?")
    system.now = "light"
    pilot.app.dispatch("on_resume")
    pilot.settle()
    assert pilot.desk.look.name == "light"
    pilot.tap(pilot.say("ok"), pilot.say("home.settings"), pilot.say("settings.dark"))
    pilot.app.dispatch("on_resume")
    assert pilot.desk.look.name == "dark"
    pilot.tap(pilot.say("settings.system"))
    assert pilot.desk.look.name == "light"


def _mouse(pilot: Pilot, text: str) -> None:
    pilot.frames(2)
    widget = pilot.find(text)
    pilot.window.mouse_pos = widget.to_window(*widget.center)
    pilot.frames(2)


def test_what_the_mouse_could_tap_is_lit(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    pilot = start(width=1100, height=760)
    cursors: list[str] = []
    monkeypatch.setattr(pilot.window, "set_system_cursor", cursors.append)
    pointer = pilot.app.pointer
    assert pointer is not None
    _mouse(pilot, pilot.say("home.score"))
    assert pointer.over is pilot.find(pilot.say("home.score"))
    pilot.window.mouse_pos = (3, 3)
    pilot.frames(2)
    assert pointer.over is None
    # Below a question nothing is lit, nor is the dark around it.
    pilot.app.tell("?")
    _mouse(pilot, pilot.say("ok"))
    assert pointer.over is pilot.find(pilot.say("ok"))
    pilot.window.mouse_pos = (30, 300)
    pilot.frames(2)
    assert pointer.over is None
    assert cursors == ["hand", "arrow", "hand", "arrow"]
    pilot.tap(pilot.say("ok"))
    # Another screen: whatever was under the mouse is gone.
    _mouse(pilot, pilot.say("home.settings"))
    pilot.app.go("settings")
    assert pointer.over is None


def _drop(pilot: Pilot, file: Path) -> None:
    """As SDL tells it: the file's name in bytes, and where it was let go."""
    pilot.window.dispatch("on_drop_file", str(file).encode(), 10, 10)
    pilot.settle()


@pytest.mark.parametrize("name", ["00.jpg", "IMG_4168.JPG", "IMG_1.HEIC"])
def test_a_photo_dropped_on_home_is_scored(start: Start, table: Table, name: str) -> None:
    table.board("usa", {ROUTE: "red"})
    table.known[name] = table.known["00.jpg"]
    (table.photos / name).write_bytes((table.photos / "00.jpg").read_bytes())
    pilot = start()
    _drop(pilot, table.photos / name)
    pilot.wait_for("review")
    pilot.tap(pilot.say("review.accept"))
    assert pilot.app.stack[-1][0] == "finish"
    # Scoring in progress is not thrown away by the next photo.
    pilot.app.home()
    _drop(pilot, table.photos / name)
    assert pilot.sees(pilot.say("home.score-ask"))
    pilot.tap(pilot.say("home.score-on"))
    assert pilot.app.stack[-1][0] == "finish"
    _drop(pilot, table.photos / name)
    pilot.wait_for("review")


def test_a_photo_dropped_on_the_table_is_what_is_new(start: Start, table: Table) -> None:
    table.board("europe", {"amsterdam-essen-yellow": "blue"})
    pilot = start()
    pilot.tap(pilot.say("home.claims"), "Europe", pilot.say("new.next"), pilot.say("new.begin"))
    _drop(pilot, table.photos / "00.jpg")
    pilot.wait_for("review")
    pilot.tap(pilot.say("review.accept"))
    assert "amsterdam-essen-yellow" in pilot.page.model.position.owners


def test_a_photo_of_tickets_is_dropped_on_their_player(start: Start, table: Table) -> None:
    table.board("europe", {"amsterdam-essen-yellow": "blue", "brest-paris-black": "red"})
    table.tickets((["essen--kyiv"], True), (["amsterdam--pamplona"], True))
    pilot = start()
    _drop(pilot, table.photos / "00.jpg")
    pilot.wait_for("review")
    pilot.tap(pilot.say("review.accept"), pilot.say("new.next"))
    _drop(pilot, table.photos / "01.jpg")
    pilot.wait_for("finish-player")
    assert len(pilot.page.model.draft.tickets) == 2


def test_exported_games_are_dropped_on_the_history(start: Start, table: Table, tmp_path: Path) -> None:
    table.board("usa", {ROUTE: "red"})
    pilot = start()
    pilot.photograph()
    pilot.tap(pilot.say("new.next"))
    pilot.count()
    (kept,) = pilot.desk.history.games()
    exported = tmp_path / "games.json"
    pilot.desk.history.export(exported)
    pilot.desk.history.delete(kept.id)
    pilot.tap(pilot.say("home.history"))
    _drop(pilot, exported)
    assert pilot.sees(pilot.say("history.imported", n=1))
    pilot.tap(pilot.say("ok"))
    assert [game.id for game in pilot.desk.history.games()] == [kept.id]
    _drop(pilot, tmp_path / "notes.txt")
    assert pilot.sees(pilot.say("drop.games", file="notes.txt"))


def test_what_can_not_be_used_is_said(start: Start, tmp_path: Path) -> None:
    pilot = start()
    _drop(pilot, tmp_path / "rules.pdf")
    assert pilot.sees(pilot.say("drop.photo", file="rules.pdf"))
    pilot.tap(pilot.say("ok"), pilot.say("home.settings"))
    _drop(pilot, tmp_path / "board.jpg")
    assert pilot.sees(pilot.say("drop.nothing", file="board.jpg"))
    assert pilot.app.stack[-1][0] == "settings"


class Chooser:
    """Stands in for the window that zenity, kdialog, Windows or macOS open."""

    def __init__(self, picks: str | None) -> None:
        self.picks = picks
        self.asked: list[dict[str, Any]] = []

    def open_file(self, **asked: Any) -> str | None:
        self.asked.append(asked)
        return self.picks


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_desktops_own_window_chooses_the_photo(start: Start, table: Table, language: str) -> None:
    table.board("usa", {ROUTE: "red"})
    chooser = Chooser(str(table.photos / "00.jpg"))
    pilot = start(language)
    pilot.desk.system = DesktopSystem(chooser)
    pilot.desk.system.say = pilot.desk.say
    pilot.tap(pilot.say("home.score"), pilot.say("snap.gallery"))
    pilot.wait_for("review")
    (asked,) = chooser.asked
    assert asked["title"] == pilot.say("desktop.choose-photo")
    assert {"*.jpg", "*.JPG", "*.heic", "*.HEIC"} <= set(asked["filter"])
    pilot.app.home()
    pilot.tap(pilot.say("home.score"), pilot.say("snap.gallery"))
    pilot.wait_for("review")
    # Where the last one was, the next one is looked for.
    assert chooser.asked[1]["start_dir"] == str(table.photos)


def test_nothing_chosen_changes_nothing(start: Start) -> None:
    pilot = start()
    chooser = Chooser(None)
    pilot.desk.system = DesktopSystem(chooser)
    pilot.tap(pilot.say("home.score"), pilot.say("snap.gallery"))
    pilot.until(lambda: bool(chooser.asked))
    time.sleep(0.1)
    pilot.settle()
    assert pilot.app.stack[-1][0] == "snap"


@pytest.mark.parametrize(
    ("size", "how"), [((360, 780), "zoom.fingers"), ((780, 360), "zoom.fingers"), ((1100, 760), "zoom.wheel")]
)
def test_the_wheel_is_told_where_there_is_a_mouse(start: Start, size: tuple[int, int], how: str) -> None:
    pilot = start(width=size[0], height=size[1])
    pilot.tap(pilot.say("home.new"), "Europe", pilot.say("new.next"), pilot.say("new.begin"))
    pilot.deal()
    assert pilot.sees(pilot.say(how))


def test_a_tick_stands_in_the_corner_of_what_is_chosen(start: Start) -> None:
    from kivy.graphics import Line

    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.draw-tickets"))
    (chosen,) = (w for w in pilot._layer() if getattr(w, "kind", "") == "chosen")
    (tick,) = (each for each in chosen._tick.children if isinstance(each, Line))
    assert chosen.right - 30 < min(tick.points[::2]) < max(tick.points[::2]) < chosen.right
    assert chosen.top - 30 < min(tick.points[1::2]) < max(tick.points[1::2]) < chosen.top
    # Taken back, it is gone.
    chosen.kind = "button"
    assert not chosen._tick.children

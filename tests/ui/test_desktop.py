"""Desktop manners: the look of the system, a mouse that is over something, files dropped onto the window."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from companion.ui.desktop import DesktopSystem
from companion.ui.system import Desktop
from tests.ui.conftest import Pilot, Start


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

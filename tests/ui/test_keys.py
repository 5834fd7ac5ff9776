"""Everything also by keyboard: a game begun, a route claimed on the map, undone and counted without a mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.ui import layers
from tests.ui.conftest import Pilot, Start, _plain

if TYPE_CHECKING:
    from kivy.uix.widget import Widget

_TAB, _ENTER, _SPACE, _ESCAPE = 9, 13, 32, 27
_UP, _DOWN, _RIGHT, _LEFT = 273, 274, 275, 276


def _press(pilot: Pilot, key: int, *modifiers: str) -> None:
    focus = next((w for w in pilot._layer() if getattr(w, "focus", False)), None)
    names = {_TAB: "tab", _ENTER: "enter", _ESCAPE: "escape"}
    if focus is not None and key in names:
        # A text field hears its keys before the window does.
        focus.keyboard_on_key_down(pilot.window, (key, names[key]), "", list(modifiers))
    else:
        pilot.window.dispatch("on_keyboard", key, 0, None, list(modifiers))
    pilot.settle()


def _name(widget: Widget) -> str:
    return _plain(getattr(widget, "text", "") or getattr(widget, "hint", ""))


def _tab_to(pilot: Pilot, name: str) -> None:
    for _ in range(80):
        _press(pilot, _TAB)
        if name in _name(pilot.app.keys.at):
            return
    raise AssertionError(f"{name!r} is not reached: {[_name(w) for w in pilot.app.keys.reachable()]}")


def _choose(pilot: Pilot, name: str) -> None:
    _tab_to(pilot, name)
    _press(pilot, _ENTER)


def test_a_game_without_a_mouse(start: Start) -> None:
    from companion.ui.widgets.map_view import MapView

    pilot = start()
    _choose(pilot, pilot.say("home.new"))
    _choose(pilot, "Europe")
    _choose(pilot, pilot.say("new.next"))
    _choose(pilot, pilot.say("new.begin"))
    while pilot.page.model.form is not None:
        _choose(pilot, str(pilot.page.model.form.kept_choices()[0]))
    _tab_to(pilot, "")
    while not isinstance(pilot.app.keys.at, MapView):
        _press(pilot, _TAB)
    view = pilot.page.map
    x, y = view.to_window_place(*layers.laid("europe")["brest-paris-black"].middle)
    for _ in range(200):
        cx, cy = pilot.app.keys._place(view)
        if abs(cx - x) > 8:
            _press(pilot, _RIGHT if cx < x else _LEFT)
        elif abs(cy - y) > 8:
            _press(pilot, _UP if cy < y else _DOWN)
        else:
            break
    _press(pilot, ord("+"))
    assert view.zoom > 1
    _press(pilot, _ENTER)
    form = pilot.page.model.form
    assert form is not None
    if not form.data.get("route"):
        _choose(pilot, "Brest – Paris")
    main = next(w for w in pilot.app.keys.reachable() if getattr(w, "kind", "") == "primary")
    _choose(pilot, _plain(main.text))
    assert "brest-paris-black" in pilot.page.model.position.owners
    _press(pilot, ord("z"), "ctrl")
    assert "brest-paris-black" not in pilot.page.model.position.owners


def test_the_ring_follows_what_is_filled_anew(start: Start) -> None:
    pilot = start()
    _choose(pilot, pilot.say("home.settings"))
    _tab_to(pilot, pilot.say("settings.sound"))
    _press(pilot, _SPACE)
    assert not pilot.desk.settings.sound
    assert _name(pilot.app.keys.at) == pilot.say("settings.sound")
    _press(pilot, _DOWN)
    # A desktop can't shake: the switch for it is a phone's.
    assert _name(pilot.app.keys.at) == pilot.say("settings.record")
    _press(pilot, _UP)
    _press(pilot, _TAB, "shift")
    assert _name(pilot.app.keys.at) == pilot.say("settings.motion")
    # A finger takes over: no ring is left behind.
    pilot.tap(pilot.say("settings.motion"))
    assert pilot.app.keys.at is None
    _press(pilot, _ESCAPE)
    assert pilot.app.stack[-1][0] == "home"


def test_a_question_holds_the_keyboard(start: Start) -> None:
    pilot = start()
    pilot.app.ask("?", [("One", None, "button"), ("Two", None, "primary")])
    pilot.settle()
    _press(pilot, _TAB)
    _press(pilot, _TAB)
    assert _name(pilot.app.keys.at) == "Two"
    _press(pilot, _TAB)
    assert _name(pilot.app.keys.at) == "One"
    _press(pilot, _ENTER)
    assert pilot.app._question is None


@pytest.mark.parametrize("page", ["settings", "boards", "history"])
def test_nothing_that_can_be_tapped_is_out_of_reach(start: Start, page: str) -> None:
    pilot = start()
    pilot.app.go(page)
    pilot.settle()
    shown = [w for w in pilot._layer() if hasattr(w, "on_release") and not w.disabled and w.opacity]
    seen = set()
    for _ in range(len(shown) + 5):
        _press(pilot, _TAB)
        seen.add(pilot.app.keys.at)
    assert set(shown) <= seen

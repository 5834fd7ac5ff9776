"""A phone's life cycle: paused, ended by the system at any moment, short of memory. The game is never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.ui import layers
from companion.ui.camera import FolderCamera
from tests.ui.conftest import Pilot, Start, Table

_BACK = 27


class _CameraApp:
    """The system's camera: it never answers, because the app was ended meanwhile; the photo is there all the same."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.photo: Path | None = None
        monkeypatch.setattr(FolderCamera, "still", lambda _camera, _done: None)
        monkeypatch.setattr(FolderCamera, "left_over", lambda _camera: self.take())

    def take(self) -> Path | None:
        photo, self.photo = self.photo, None
        return photo


def _half_told_claim(pilot: Pilot) -> None:
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.claim"))
    pilot.type("paris zur")
    pilot.tap("Paris – Zürich")


def test_pausing_keeps_the_app_and_what_is_half_told(start: Start) -> None:
    pilot = start()
    _half_told_claim(pilot)
    assert pilot.app.dispatch("on_pause")
    before = pilot.page.model.form.to_json()
    pilot.app.dispatch("on_resume")
    assert pilot.page.model.form.to_json() == before
    # Ended while it was paused.
    pilot = start()
    assert pilot.app.stack[-1][0] == "table"
    assert pilot.page.model.form.to_json() == before


def test_ended_in_the_camera_app_the_cards_still_reach_the_claim(
    start: Start, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.cards("red", "red", "red")
    camera = _CameraApp(monkeypatch)
    pilot = start()
    _half_told_claim(pilot)
    pilot.tap(pilot.say("form.snap-cards"))
    pilot.tap(pilot.say("snap.shoot"), settle=False)
    camera.photo = table.photos / "00.jpg"
    pilot = start()
    pilot.wait_for("table")
    form = pilot.page.model.form
    assert form.data["route"] == "paris-zurich-gray"
    assert form.pile == {"red": 3}


def test_ended_in_the_camera_app_the_board_still_reaches_the_score(
    start: Start, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners = {"atlanta-charleston-gray": "red"}
    table.board("usa", owners, doubtful=tuple(owners))
    camera = _CameraApp(monkeypatch)
    pilot = start()
    pilot.tap(pilot.say("home.score"))
    pilot.tap(pilot.say("snap.shoot"), settle=False)
    camera.photo = table.photos / "00.jpg"
    pilot = start()
    pilot.wait_for("review")
    assert pilot.page.review.item.id == "atlanta-charleston-gray"


def test_a_photo_that_nobody_waits_for_does_not_turn_up(
    start: Start, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.board("usa", {})
    camera = _CameraApp(monkeypatch)
    start()
    camera.photo = table.photos / "00.jpg"
    pilot = start()
    assert pilot.app.stack[-1][0] == "home"
    assert camera.photo is None


def test_short_of_memory_painted_maps_go_and_come_back(start: Start) -> None:
    pilot = start()
    _half_told_claim(pilot)
    before = pilot.page.model.form.to_json()
    from companion.ui.widgets import map_view

    assert layers._painted
    assert map_view._last
    pilot.window.dispatch("on_memorywarning")
    assert not layers._painted
    assert not map_view._last
    pilot.app.show()
    pilot.settle()
    assert layers._painted
    assert pilot.page.model.form.to_json() == before


def test_back_leads_back_and_leaves_the_app_from_the_first_screen_only(start: Start) -> None:
    pilot = start()
    pilot.tap(pilot.say("home.settings"))
    assert pilot.window.dispatch("on_keyboard", _BACK, 0, None, [])
    assert pilot.app.stack == [("home", None)]
    # Not used by the app: Kivy then lays it aside, as Android's home screen would.
    assert not pilot.app._key(pilot.window, _BACK)


def test_nothing_lies_below_the_systems_bars(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    pilot = start()
    monkeypatch.setattr(pilot.desk.system, "edges", lambda: (0.0, 40.0, 0.0, 20.0))
    pilot.app.dispatch("on_resume")
    pilot.settle()
    assert pilot.app.shell.ids.bar.top == pilot.window.height - 40
    assert pilot.app.shell.ids.body.y == 20

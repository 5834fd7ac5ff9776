"""Memory: screens that went leave nothing behind that Python has to look for, and no long look stops the picture."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.ui import demo
from companion.ui.showcase import screens
from companion.ui.stage import Stage
from companion.ui.work import Note
from tests.ui.conftest import Start, Still

# Long lists, maps, photos, fields, pictures, what is scrolled, and questions.
SCREENS = (
    "home", "settings", "boards", "players", "table", "claim", "review", "ticket", "sheet", "evidence-tickets",
    "history", "player",
)  # fmt: skip
# Of what a screen held, what may be left for Python's long look, and how much that is at most.
LEFT, FEW = 0.02, 400


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stage, Path]]:
    home = tmp_path_factory.mktemp("memory")
    try:
        opened = Still(demo.desk(home, "en"))
    except Exception as error:
        if type(error).__name__ == "Trouble":
            pytest.skip("no window can be opened here: Kivy finds no OpenGL")
        raise
    opened.app.memory.wait = 0.0
    opened.settle()
    yield opened, home / "photos"
    opened.close()


def _home(stage: Stage) -> None:
    """Home, and everything that was there before is gone."""
    stage.app.answer()
    stage.app.home()
    stage.settle()
    while stage.app.memory.waiting:
        stage.frames(1)


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_that_went_leaves_nothing_to_look_for(stage: tuple[Stage, Path], name: str) -> None:
    opened, photos = stage
    show = dict(screens(photos))[name]
    # The first time a screen brings what stays.
    show(opened)
    _home(opened)
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        show(opened)
        opened.settle()
        held = len(gc.get_objects())
        _home(opened)
        found = gc.collect()
    finally:
        gc.enable()
        gc.unfreeze()
    assert held > 3_000
    assert found < max(FEW, LEFT * held)


@pytest.mark.parametrize("name", ["snap", "snap-working", "snap-tickets", "snap-by-finger"])
def test_a_camera_that_went_is_held_by_nobody(stage: tuple[Stage, Path], name: str) -> None:
    opened, photos = stage
    gc.collect()
    gc.disable()
    try:
        dict(screens(photos))[name](opened)
        opened.settle()
        page = weakref.ref(opened.app.page)
        _home(opened)
        assert page() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("name", SCREENS)
def test_what_comes_late_can_still_be_told_to_a_screen_that_went(stage: tuple[Stage, Path], name: str) -> None:
    opened, photos = stage
    dict(screens(photos))[name](opened)
    page = opened.app.page
    assert page is not None
    _home(opened)
    assert page.parent is None
    page.fill()
    opened.settle()


def test_no_long_look_on_the_way_through_the_app(stage: tuple[Stage, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    opened, photos = stage
    monkeypatch.setattr("companion.ui.memory.gc", gc)
    usual = gc.get_threshold()
    looks: list[int] = []

    def looked(phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            looks.append(about["generation"])

    opened.app.memory.begin()
    opened.app.memory.stays()
    gc.callbacks.append(looked)
    try:
        for name, show in screens(photos):
            if name in SCREENS:
                show(opened)
                opened.settle()
                opened.app._tidy_up(0.0)
                _home(opened)
    finally:
        gc.callbacks.remove(looked)
        gc.unfreeze()
        gc.set_threshold(*usual)
    assert 1 in looks
    assert 2 not in looks


def test_what_stays_is_not_looked_through_and_is_given_back(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    pilot = start()
    monkeypatch.setattr("companion.ui.memory.gc", gc)
    monkeypatch.setattr("companion.ui.app._UP_SECONDS", 600)
    usual = gc.get_threshold()
    pilot.app.memory.begin()
    pilot.app._stay(Note("boards", "done"))
    assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold()[2] > usual[2]
    pilot.app.memory.end()
    assert (gc.get_freeze_count(), gc.get_threshold()) == (0, usual)


def test_what_has_a_place_again_is_left_whole(start: Start) -> None:
    from companion.ui.widgets.base import Column, Text

    pilot = start()
    panel, kept = Column(), Text(text="here")
    panel.add_widget(kept)
    panel.clear_widgets()
    panel.add_widget(kept)
    panel.size, panel.pos = (200, 40), (7, 9)
    pilot.frames(3)
    panel.x = 21
    pilot.frames(3)
    assert kept.x == 21


def test_much_that_went_is_taken_apart_over_many_frames(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.ui.widgets.base import Text

    pilot = start()
    while pilot.app.memory.waiting:
        pilot.frames(1)
    # Every widget takes as long as a frame may be held up.
    clock = iter(range(1_000_000))
    monkeypatch.setattr("companion.ui.memory.time.perf_counter", lambda: next(clock) * 0.002)
    pilot.app.memory.leave([Text(text=str(i)) for i in range(10)])
    left: list[int] = []
    while pilot.app.memory.waiting:
        left.append(pilot.app.memory.waiting)
        pilot.frames(1)
    assert left == list(range(10, 0, -1))


def test_a_finger_still_on_it_finds_a_button_whole(start: Start) -> None:
    from companion.ui.widgets.base import Tap

    pilot = start()
    pilot.app.memory.wait = 60.0
    told: list[str] = []
    button = Tap("do", lambda: told.append("done"))
    pilot.app.memory.leave([button])
    pilot.frames(5)
    button.dispatch("on_release")
    assert told == ["done"]

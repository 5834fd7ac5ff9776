"""Every screen: no text is cut, covered, pale or a key without words; all that can be tapped can be hit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.ui import demo
from companion.ui.screenshots import SIZES, text_of
from companion.ui.showcase import screens
from companion.ui.stage import Stage
from tests.ui.conftest import Still

if TYPE_CHECKING:
    from kivy.uix.widget import Widget

# French words are the longer ones. `companion screens` looks over the other settings too; all of them here on demand.
SETTINGS = [
    ("fr", "narrow", "dark"), ("en", "landscape", "light"), ("fr", "large-narrow", "light"),
    ("en", "large-landscape", "dark"),
]  # fmt: skip
if os.environ.get("COMPANION_ALL_SCREENS"):
    SETTINGS = [(lang, size, look) for lang in ("en", "fr") for size in SIZES for look in ("light", "dark")]


@pytest.fixture(scope="module", params=["en", "fr"])
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stage, Path]]:
    home = tmp_path_factory.mktemp("screens")
    desk = demo.desk(home, request.param)
    try:
        opened = Still(desk, *SIZES["portrait"])
    except Exception as error:
        if type(error).__name__ == "Trouble":
            pytest.skip("no window can be opened here: Kivy finds no OpenGL")
        raise
    yield opened, home / "photos"
    opened.close()


def _problems(stage: Stage) -> list[str]:
    # Kivy's widgets open the window: they are loaded when there is one.
    from companion.ui.inspection import problems

    return problems(stage)


@pytest.mark.parametrize(("language", "size", "look"), SETTINGS)
def test_every_screen_is_whole(stage: tuple[Stage, Path], language: str, size: str, look: str) -> None:
    opened, photos = stage
    if opened.desk.language != language:
        pytest.skip("looked over in its own language")
    opened.resize(*SIZES[size])
    opened.desk.change(look=look, text=text_of(size))
    opened.app.restyle()
    wrong = []
    for name, show in screens(photos):
        opened.app.answer()
        opened.app.home()
        show(opened)
        _bring_up(opened)
        wrong += [f"{name}: {problem}" for problem in _problems(opened)]
    assert wrong == []


def _bring_up(stage: Stage) -> None:
    """Everything but the boards, which take long to paint and hold no words of the screen."""
    stage.frames(2)
    stage.desk.work.deliver()
    stage.lay_out()


def _cut() -> Widget:
    from kivy.uix.button import Button

    return Button(text="Words that are much too long for this", size_hint=(None, None), size=(30, 20))


def _hint() -> Widget:
    from companion.ui.widgets.base import Entry

    return Entry(hint_text="what nobody has room for", size_hint=(None, None), width=90)


def _key() -> Widget:
    from companion.ui.widgets.base import Text

    return Text(text="app.home.new")


def _pale() -> Widget:
    from kivy.uix.label import Label

    return Label(text="hardly seen", color=(0.93, 0.93, 0.9, 1), font_size=30)


def _beside() -> Widget:
    from companion.ui.widgets.base import Tap

    return Tap("far right", size_hint=(None, None), width=200, x=300)


def _squeezed() -> Widget:
    from companion.ui.widgets.base import Column, Sheet, Tap

    sheet, listed = Sheet(size_hint=(None, None), size=(300, 50)), Column()
    for word in ("one", "two", "three"):
        listed.add_widget(Tap(word))
    sheet.add_widget(listed)
    return sheet


def _covering() -> Widget:
    from kivy.uix.label import Label

    return Label(text="Settings", pos_hint={"center_x": 0.5, "top": 1}, size_hint_y=None, height=50, color=(0, 0, 0, 1))


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (_cut, "cut"),
        (_cut, "broken"),
        (_cut, "too small"),
        (_hint, "cut in its field"),
        (_key, "key"),
        (_pale, "pale"),
        (_beside, "outside"),
        (_covering, "lies on"),
        (_squeezed, "squeezed"),
    ],
)
def test_a_fault_is_found(stage: tuple[Stage, Path], plant: Callable[[], Widget], found: str) -> None:
    opened, _ = stage
    opened.desk.change(look="light", text=1.0)
    opened.resize(*SIZES["portrait"])
    opened.app.answer()
    opened.app.home()
    opened.app.restyle()
    opened.app.go("settings")
    opened.frames(2)
    before = _problems(opened)
    planted = plant()
    opened.app.shell.add_widget(planted)
    opened.frames(3)
    told = _problems(opened)
    opened.app.shell.remove_widget(planted)
    assert before == []
    assert any(found in problem for problem in told), told

"""Names in any script: on buttons, in fields and on the shared picture, with whatever fonts are there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any  # Any: Kivy

import pytest

from companion.ui import scripts
from companion.ui.scripts import missing, reads_from_right, runs, written
from tests.ui.conftest import Pilot, Start


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A system without a single font of its own."""
    scripts._font_of.cache_clear()
    monkeypatch.setattr(scripts, "_system", lambda _letter: iter(()))
    yield
    scripts._font_of.cache_clear()


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("name", ["\U0001f682 Ada", "\U0001f600", "\U0001f469\u200d\U0001f680", "שרה", "محمد", "Ελένη"])
def test_emoji_hebrew_and_arabic_need_no_font_of_the_system(name: str) -> None:
    assert missing(name) == []
    assert "◆" not in "".join(piece for piece, _ in runs(name))


@pytest.mark.usefixtures("bare")
def test_what_no_font_has_is_named() -> None:
    assert missing("Ada ไทย \U00012000") == ["Thai", "Cuneiform"]
    assert [piece for piece, _ in runs("Ada ไ")] == ["Ada ", "◆"]


def test_a_font_of_the_system_is_found_by_its_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Android has them: one file for each script."""
    every = {
        "notosansthai-bold": "bold",
        "notosansthai-vf": "vf",
        "notosansthai-regular": "regular",
        "arial": "arial",
    }
    monkeypatch.setattr(scripts, "_installed", lambda: every)
    monkeypatch.setattr(scripts, "_fontconfig", lambda _letter: iter(("asked",)))
    assert list(scripts._system("ไ")) == ["regular", "regular", "vf", "bold", "asked"]


def test_points_and_spaces_stay_with_the_letters_before_them() -> None:
    emoji = runs("\U0001f682 (Ada)")
    assert [piece.strip() for piece, _ in emoji] == ["\U0001f682", "(Ada)"]
    assert written("Ada (\U0001f682)", marked=False) is not None


@pytest.mark.parametrize(("text", "right"), [("שרה Cohen", True), ("Ada שרה", False), ("12 محمد", True), ("", False)])
def test_a_line_is_read_from_where_its_first_letter_is(text: str, right: bool) -> None:
    assert reads_from_right(text) == right


def test_a_field_shows_hebrew_from_right_to_left_while_it_is_typed(start: Start) -> None:
    pilot = start()
    pilot.tap(pilot.say("home.new"), "Europe", pilot.say("new.next"))
    pilot.type("Ada", at=0)
    pilot.type("שרה", at=1)
    latin, hebrew = _fields(pilot)[:2]
    assert latin.halign == "left"
    assert latin.cursor_offset() == pytest.approx(latin._get_row_width(0), abs=1)
    # The cursor stands at the left, where the next letter comes.
    assert hebrew.halign == "right"
    assert hebrew.cursor_offset() == 0
    hebrew.cursor = (0, 0)
    assert hebrew.cursor_offset() == hebrew._get_row_width(0) > 0
    y = hebrew.center_y
    assert hebrew.get_cursor_from_xy(hebrew.right - hebrew.padding[2] - 1, y)[0] == 0
    assert hebrew.get_cursor_from_xy(hebrew.x + 1, y)[0] == 3
    assert pilot.page.model.seats[1].name == "שרה"


@pytest.mark.usefixtures("bare")
def test_players_are_told_which_letters_no_font_has(start: Start) -> None:
    pilot = start()
    pilot.tap(pilot.say("home.new"), "Europe", pilot.say("new.next"))
    pilot.type("ไทย", at=0)
    assert pilot.sees(pilot.say("new.no-font", signs=["Thai"]))
    pilot.type("Ada", at=0)
    assert not pilot.sees("Thai")


def _fields(pilot: Pilot) -> list[Any]:
    from kivy.uix.textinput import TextInput

    found = [w for w in pilot._layer() if isinstance(w, TextInput)]
    return sorted(found, key=lambda w: -w.to_window(*w.pos)[1])

"""Large words on small screens: none is broken, and what is to be tapped stays in reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.ui.showcase import screens
from tests.ui.conftest import Pilot, Start

if TYPE_CHECKING:
    from kivy.uix.widget import Widget


def _drawn(pilot: Pilot, widget: Widget) -> Widget:
    pilot.app.shell.add_widget(widget)
    pilot.frames(3)
    pilot.app.shell.remove_widget(widget)
    return widget


@pytest.mark.parametrize("markup", [False, True])
def test_a_word_longer_than_its_line_is_drawn_smaller(start: Start, markup: bool) -> None:
    from companion.ui.widgets.base import Text

    pilot = start()
    words = "Bo and [b]Maximilienne[/b]" if markup else "Bo and Maximilienne"
    room = Text(text=words, markup=markup, size_hint_x=None, width=200)
    short = Text(text=words, markup=markup, size_hint_x=None, width=80)
    assert _drawn(pilot, room).scale == 1
    lines = _drawn(pilot, short).texture_size[1] / (short.scale * room.texture_size[1])
    assert 12 / 16 <= short.scale < 1
    assert round(lines) == 2, "the long word, and the two others above it"


def test_the_second_line_of_a_button_shrinks_with_the_first(start: Start) -> None:
    from companion.ui.pages.page import two_lines
    from companion.ui.widgets.base import Text

    pilot = start()
    text = Text(text=two_lines("Maximilienne", "3"), markup=True, size_hint_x=None, width=82)
    usual = Text(text=two_lines("Maximilienne", "3"), markup=True, size_hint_x=None, width=200)
    assert _drawn(pilot, text).texture_size[1] < _drawn(pilot, usual).texture_size[1]


@pytest.mark.parametrize("markup", [False, True])
def test_words_that_belong_together_are_parted_before_they_are_drawn_smaller(start: Start, markup: bool) -> None:
    from companion.ui.widgets.base import Text

    pilot = start()
    words = "12 wagons · plus\u00a0long\u00a0chemin\u00a04"
    room = _drawn(pilot, Text(text=words, markup=markup, size_hint_x=None, width=160))
    short = _drawn(pilot, Text(text=words, markup=markup, size_hint_x=None, width=100))
    assert (room.scale, short.scale) == (1, 1)
    assert round(short.texture_size[1] / room.texture_size[1] * 2) == 3
    assert short.text == words


def test_a_slash_between_words_is_no_place_of_a_file(start: Start) -> None:
    from companion.ui.widgets.base import Text

    pilot = start()
    words = "Irlande\u00a0/\u00a0France"
    one, two = (_drawn(pilot, Text(text=words, size_hint_x=None, width=w)) for w in (160, 80))
    assert two.shown == "Irlande / France"
    assert round(two.texture_size[1] / one.texture_size[1]) == 2


def test_no_word_is_drawn_too_small_to_read(start: Start) -> None:
    from companion.ui.widgets.base import Text

    pilot = start()
    long = Text(text="a-name-that-nobody-has-room-for", size_hint_x=None, width=60)
    place = Text(text="/home/ada/shared/history.json", size_hint_x=None, width=60)
    assert _drawn(pilot, long).scale * 16 == pytest.approx(12)
    assert _drawn(pilot, place).scale == 1, "places of files may be broken"


def test_a_long_name_is_seen_whole_in_its_field(start: Start) -> None:
    from companion.ui.widgets.base import Entry

    pilot = start()
    field = Entry(text="Maximilienne", size_hint_x=None, width=100)
    longer = Entry(text="Maximilienne of the long table", size_hint_x=None, width=100)
    assert 12 <= _drawn(pilot, field).font_size < 16
    assert _drawn(pilot, longer).scroll_x == 0, "its beginning"


@pytest.mark.parametrize("size", [(412, 915), (320, 640)])
def test_a_long_refusal_leaves_its_button_in_sight(start: Start, size: tuple[int, int]) -> None:
    from companion.ui.widgets.base import Brief

    pilot = start("fr", *size, text=1.6)
    dict(screens(pilot.desk.folder / "photos"))["ferry-card"](pilot)
    pilot.settle()
    accept = pilot.find(pilot.say("verdict.accept"))
    assert accept.to_window(*accept.pos)[1] >= 0
    said = next(w for w in pilot.widgets() if isinstance(w, Brief))
    assert said.height < 0.5 * pilot.page.height
    assert pilot.page.ids.scroll.height > 96


@pytest.mark.parametrize(("size", "text"), [((320, 640), 1.2), ((320, 640), 1.6), ((780, 360), 1.6)])
def test_the_first_action_is_seen_at_once(start: Start, size: tuple[int, int], text: float) -> None:
    pilot = start("fr", *size, text=text)
    pilot.begin("Ada", "Maximilienne")
    for key in ("do.claim", "do.deck"):
        button = pilot.find(pilot.say(key))
        assert button.to_window(*button.pos)[1] >= 0

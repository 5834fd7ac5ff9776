"""Text, boxes and buttons, in the look of the theme."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, OptionProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

KINDS = ("button", "primary", "chosen", "good", "bad", "panel", "paper")


class Text(Label):
    """Words that wrap and grow downwards, so that nothing is ever cut."""

    ink_of = StringProperty("")


class Quiet(Text):
    """A side remark."""


class Heading(Text):
    """The title of a part."""


class Huge(Text):
    """What everybody at the table should read."""


class Icon(Label):
    """A sign of the symbol font."""

    ink_of = StringProperty("")


class Column(BoxLayout):
    """Things below each other, as high as they need."""


class Row(BoxLayout):
    """Things beside each other, as high as the highest."""


class Sheet(ScrollView):
    """What is longer than the screen."""

    def to_top(self) -> None:
        """Shows the beginning, whatever was scrolled before."""
        if self.effect_y is not None:
            self.effect_y.velocity = 0
        self.scroll_y = 1
        Clock.schedule_once(lambda _: setattr(self, "scroll_y", 1), 0)


class Grid(GridLayout):
    """Buttons in columns; those of one row are equally high."""

    def __init__(self, *widgets: Widget, **more: Any) -> None:
        super().__init__(**more)
        self._even = Clock.create_trigger(self._level, -1)
        for widget in widgets:
            self.add_widget(widget)

    def add_widget(self, widget: Widget, *args: Any, **more: Any) -> None:
        super().add_widget(widget, *args, **more)
        if hasattr(widget, "least_height"):
            widget.fbind("minimum_height", lambda *_: self._even())
            self._even()

    def _level(self, *_: Any) -> None:
        """Gives all of a row the height of the highest."""
        row: list[Any] = []
        for widget in [*reversed(self.children), None]:
            if row and (widget is None or len(row) == self.cols):
                highest = max(w.minimum_height for w in row)
                for each in row:
                    each.least_height = highest
                row = []
            if widget is not None and hasattr(widget, "least_height"):
                row.append(widget)


class Panel(Column):
    """A box with its own ground."""

    kind = OptionProperty("panel", options=KINDS)


class Tap(ButtonBehavior, BoxLayout):
    """A button as large as a finger; its words wrap."""

    text = StringProperty("")
    kind = OptionProperty("button", options=KINDS)
    halign = StringProperty("center")
    bold = BooleanProperty(False)
    label = ObjectProperty(None)
    least_height = NumericProperty(0)

    def __init__(self, text: str = "", do: Callable[[], Any] | None = None, **more: Any) -> None:
        super().__init__(text=text, **more)
        if do is not None:
            self.bind(on_release=lambda _: do())


class IconTap(ButtonBehavior, BoxLayout):
    """A sign to tap; `hint` names it where it can't be read."""

    icon = StringProperty("")
    hint = StringProperty("")

    def __init__(self, icon: str = "", hint: str = "", do: Callable[[], Any] | None = None, **more: Any) -> None:
        super().__init__(icon=icon, hint=hint, **more)
        if do is not None:
            self.bind(on_release=lambda _: do())


class Toggle(Tap):
    """Something to switch on or off, with its words beside it."""

    active = BooleanProperty(False)

    def __init__(self, text: str, active: bool, do: Callable[[bool], Any], **more: Any) -> None:
        super().__init__(text=text, active=active, halign="left", kind="panel", **more)
        self.bind(on_release=lambda _: self._turn(do))

    def _turn(self, do: Callable[[bool], Any]) -> None:
        self.active = not self.active
        do(self.active)


class Entry(TextInput):
    """A line to write in."""


class Bar(Widget):
    """How far something is."""

    share = NumericProperty(0.0)


def escape(text: str) -> str:
    """Names as they were typed, where marks for bold and size are read.

    >>> escape("[Ada] & Bo")
    '&bl;Ada&br; &amp; Bo'
    """
    return text.replace("&", "&amp;").replace("[", "&bl;").replace("]", "&br;")


Builder.load_file(str(Path(__file__).with_name("base.kv")))

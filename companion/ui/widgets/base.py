"""Text, boxes and buttons, in the look of the theme."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: Kivy's properties have no types

from kivy.app import App
from kivy.clock import Clock, ClockEvent
from kivy.core.text import Label as CoreLabel
from kivy.core.text.markup import MarkupLabel
from kivy.effects.scroll import ScrollEffect
from kivy.graphics import Color, Line
from kivy.graphics.instructions import InstructionGroup
from kivy.lang import Builder
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, OptionProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.label import Label
from kivy.uix.layout import Layout
from kivy.uix.scrollview import ScrollView
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget
from kivy.utils import get_hex_from_color

from companion.ui.scripts import reads_from_right, written
from companion.ui.widgets.icons import CAMERA as CAMERA
from companion.ui.widgets.icons import Icon as Icon

# What a line of a field says about how it is drawn, as far as drawing with marks understands it.
_LINE_OPTIONS = ("font_size", "font_name", "bold", "italic")
# No word is drawn smaller than this (dp) to have room in one piece.
_LEAST = 12
# Marks for bold, size and font; what a mark of size says.
_MARKS = re.compile(r"\[/?\w+(?:=[^\]]*)?\]")
_SIZED = re.compile(r"\[size=(\d+)\]")
_SPACES = re.compile(r"[ \n\t]+")
# Between words, not before a sign.
_TOGETHER = re.compile("(?<=[\\w/])\u00a0(?=[\\w/])")
# A place of a file; between words a slash has spaces around it.
PLACE = re.compile(r"/\w")
# Wider than this share of its height no letter is.
_WIDEST_LETTER = 1.0
KINDS = ("button", "primary", "soft", "chosen", "good", "bad", "panel", "paper")


@lru_cache(maxsize=4096)
def _word_width(word: str, size: float, font: str, bold: bool) -> float:
    return float(CoreLabel(font_size=size, font_name=font, bold=bold).get_extents(word)[0])


class Text(Label):
    """Words that wrap and grow downwards, so that nothing is ever cut; in a font that has their letters.

    A word that is longer than a line is drawn smaller, all others with it, and not broken.
    """

    ink_of = StringProperty("")
    # How large the words are drawn, measured by what was wished for.
    scale = 1.0

    # The text as it is drawn.
    shown = ""

    def texture_update(self, *_: object) -> None:
        self.shown = self.text
        self.shown = self._loosened()
        self.scale = self._fitting()
        self._label.options["font_size"] = self.scale * self.font_size
        if self.markup and (self.shown != self.text or (self.scale < 1 and _SIZED.search(self.text))):
            self._draw_marked()
            return
        if not self.markup:
            self._label.text = self.shown
        super().texture_update()

    def words(self) -> Iterator[tuple[str, float, bool]]:
        """Every word with its height as wished for and whether it is bold; marks may say so for a part of them."""
        size, text = float(self.font_size), self.shown or self.text
        for i, part in enumerate(_SIZED.split(text) if self.markup else [text]):
            if i % 2:
                size = float(part)
            else:
                plain = _MARKS.sub("", part) if self.markup else part
                bold = self.bold or (self.markup and "[b]" in part)
                # Not at spaces that keep words together.
                yield from ((word, size, bold) for word in _SPACES.split(plain) if word)

    def width_of(self, word: str, size: float, bold: bool) -> float:
        """How wide it is drawn in that height."""
        return _word_width(word, size, self.font_name, bold)

    def _long(self) -> tuple[float, list[tuple[str, float, bool]]]:
        """How long a line is, and the words that may be longer; places of files may be broken."""
        if not self.text_size[0]:
            return 0.0, []
        room = self.text_size[0] - self.padding[0] - self.padding[2]
        words = (each for each in self.words() if not PLACE.search(each[0]))
        return room, [each for each in words if len(each[0]) * _WIDEST_LETTER * each[1] > room]

    def _loosened(self) -> str:
        """Words that are kept together are not where that would take more than a line."""
        text = self.text
        if "\u00a0" in text:
            room, long = self._long()
            for each in long:
                if self.width_of(*each) > room:
                    text = text.replace(each[0], _TOGETHER.sub(" ", each[0]))
        return text

    def _fitting(self) -> float:
        """What brings the longest word into a line."""
        room, long = self._long()
        scale, least = 1.0, min(1.0, dp(_LEAST) / self.font_size)
        # Letters come in whole pixels: what should fit by its share may still be a pixel too wide.
        while scale > least and any(self.width_of(w, int(size * scale), bold) > room for w, size, bold in long):
            scale = max(least, scale - 1 / self.font_size)
        return scale

    def _draw_marked(self) -> None:
        """As Kivy does, with the marks of size made smaller too."""
        smaller = _SIZED.sub(lambda found: f"[size={int(int(found[1]) * self.scale)}]", self.shown)
        self._label.text = f"[color={get_hex_from_color(self.color)}]{smaller}[/color]"
        self._label.refresh()
        self.texture = self._label.texture
        self.texture_size = list(self.texture.size)

    # What is drawn where letters need other fonts, and whether marks were read before that.
    _drawn, _marked = "", False

    def on_text(self, _: object, text: str) -> None:
        if text == self._drawn and text:
            return
        if self._drawn:
            self._drawn, self.markup = "", self._marked
        found = written(text, self.markup)
        if found is not None:
            self._marked, self._drawn = self.markup, found
            self.markup, self.text = True, found


class Quiet(Text):
    """A side remark."""


class Heading(Text):
    """The title of a part."""


class PartTitle(Text):
    """The title of a part below another: it stands a little apart."""


class Huge(Text):
    """What everybody at the table should read."""


class Sign(Icon):
    """A sign beside a button's words."""


def _gone(widgets: Sequence[Widget]) -> None:
    """These are not on the screen any more: they are taken apart, unless they have a place again a moment later."""
    memory = getattr(App.get_running_app(), "memory", None)
    if memory is not None:
        memory.leave(widgets)


class _Clears(Widget):
    """What is cleared away is taken apart."""

    def clear_widgets(self, children: Sequence[Widget] | None = None) -> None:
        gone = list(self.children if children is None else children)
        super().clear_widgets(children)
        _gone(gone)


class Column(_Clears, BoxLayout):
    """Things below each other, as high as they need. `taps`: where words of buttons begin, unless they say it."""

    taps = StringProperty("left")

    def add_widget(self, widget: Widget, *args: Any, **more: Any) -> None:
        if isinstance(widget, Tap) and not widget.halign:
            widget.halign = self.taps
        super().add_widget(widget, *args, **more)


class Middle(Column):
    """A column that stays in the middle of a window wider than `most`."""

    most = NumericProperty(0)
    edge = NumericProperty(0)


class Foot(Middle):
    """The main buttons below a list, always in sight, their words in the middle."""

    taps = StringProperty("center")


class _Level(_Clears, Layout):
    """Buttons of one row are equally high, however many lines their words take."""

    def __init__(self, *widgets: Widget, **more: Any) -> None:
        super().__init__(**more)
        self._even = Clock.create_trigger(self._level, -1)
        for widget in widgets:
            self.add_widget(widget)

    def add_widget(self, widget: Widget, *args: object, **more: object) -> None:
        super().add_widget(widget, *args, **more)
        if hasattr(widget, "least_height"):
            widget.fbind("minimum_height", lambda *_: self._even())
            self._even()

    def _side_by_side(self) -> Iterator[list[Widget]]:
        yield list(self.children)

    def _level(self, *_: object) -> None:
        for row in self._side_by_side():
            taps = [w for w in row if hasattr(w, "least_height")]
            for each in taps:
                each.least_height = max(w.minimum_height for w in taps)


class Row(_Level, BoxLayout):
    """Things beside each other, as high as the highest."""


class Sheet(ScrollView):
    """What is longer than the screen."""

    # Here and not in the .kv file, for else Kivy makes effects of another kind first.
    effect_cls = ObjectProperty(ScrollEffect)

    def to_top(self) -> None:
        """Shows the beginning, whatever was scrolled before."""
        if self.effect_y is not None:
            self.effect_y.velocity = 0
        self.scroll_y = 1
        Clock.schedule_once(lambda _: setattr(self, "scroll_y", 1), 0)


class Brief(Sheet):
    """Words above the main buttons of a screen: longer ones are scrolled, so that the buttons stay in reach."""

    told = ObjectProperty(None)

    def __init__(self, told: Widget, **more: Any) -> None:
        super().__init__(told=told, **more)
        self.add_widget(told)


class Grid(_Level, GridLayout):
    """Buttons in columns."""

    def _side_by_side(self) -> Iterator[list[Widget]]:
        widgets = list(reversed(self.children))
        for i in range(0, len(widgets), self.cols):
            yield widgets[i : i + self.cols]


class Panel(Column):
    """A box with its own ground."""

    kind = OptionProperty("panel", options=KINDS)


class Tap(ButtonBehavior, BoxLayout):
    """A button as large as a finger; its words wrap. `sign` stands before them.

    Words begin at the left below each other (see Column) and beside a sign, else they stand in the middle.
    """

    text = StringProperty("")
    kind = OptionProperty("button", options=KINDS)
    halign = StringProperty("")
    # Where words begin as long as nothing around it says so.
    begins = StringProperty("center")
    bold = BooleanProperty(False)
    label = ObjectProperty(None)
    least_height = NumericProperty(0)
    inset = NumericProperty(10)

    def __init__(self, text: str = "", do: Callable[[], object] | None = None, sign: str = "", **more: Any) -> None:
        super().__init__(text=text, **more)
        if sign:
            self.begins = "left"
            self.add_widget(Sign(text=sign, ink_of=self.kind), index=len(self.children))
        if do is not None:
            self.bind(on_release=lambda _: do())
        self.on_kind()

    def take_words_away(self) -> None:
        """Something else stands in their place."""
        words = self.label.__self__
        self.remove_widget(words)
        _gone([words])

    # The tick of what is chosen, drawn only there: a screen has dozens of buttons, and each binding costs.
    _tick: InstructionGroup | None = None

    def on_kind(self, *_: object) -> None:
        if self.kind == "chosen" and self._tick is None and self.canvas is not None:
            self._tick = InstructionGroup()
            self.canvas.after.add(self._tick)
            self.fbind("pos", self._draw_tick)
            self.fbind("size", self._draw_tick)
        self._draw_tick()

    def _draw_tick(self, *_: object) -> None:
        if self._tick is None:
            return
        self._tick.clear()
        if self.kind != "chosen":
            return
        # Not `right` and `top`, which Kivy works out later than this is told.
        right, top = self.x + self.width, self.y + self.height
        points = [right - dp(20), top - dp(14), right - dp(16), top - dp(18), right - dp(9), top - dp(9)]
        self._tick.add(Color(*App.get_running_app().look.on("chosen")))
        self._tick.add(Line(points=points, width=dp(1.3), cap="round", joint="round"))


class IconTap(ButtonBehavior, BoxLayout):
    """A sign to tap; `hint` names it where it can't be read."""

    icon = StringProperty("")
    hint = StringProperty("")

    def __init__(self, icon: str = "", hint: str = "", do: Callable[[], object] | None = None, **more: Any) -> None:
        super().__init__(icon=icon, hint=hint, **more)
        if do is not None:
            self.bind(on_release=lambda _: do())


class Toggle(Tap):
    """Something to switch on or off, with its words beside it."""

    active = BooleanProperty(False)

    def __init__(self, text: str, active: bool, do: Callable[[bool], object], **more: Any) -> None:
        super().__init__(text=text, active=active, halign="left", kind="panel", **more)
        self.bind(on_release=lambda _: self._turn(do))

    def _turn(self, do: Callable[[bool], object]) -> None:
        self.active = not self.active
        do(self.active)


class Entry(TextInput):
    """A line to write in, in any script that some font here has; Tab leads on to whatever comes next.

    What is longer than the line is drawn smaller; what is longer still shows its beginning until somebody writes.
    """

    # How large words are where they have room.
    wished = NumericProperty(0)

    def __init__(self, **more: Any) -> None:
        self._fit = Clock.create_trigger(self._fit_words, -1)
        self._cursor_seen = (0, 0)
        self._follow_cursor = Clock.create_trigger(self._bring_cursor)
        super().__init__(**more)
        for name in ("text", "hint_text", "width", "focus", "wished"):
            self.fbind(name, self._fit)
        self._fit()

    def _fit_words(self, _dt: float) -> None:
        room, size = self.width - self.padding[0] - self.padding[2], self.wished
        shown = self.text or self.hint_text
        while size > dp(_LEAST) and _word_width(shown, size, self.font_name, False) > room:
            size -= 1
        self.font_size = size
        self._follow_cursor()

    def _adjust_viewport(self, column: int, row: int) -> None:
        """Kivy's own way of waiting a frame remembers the last field for good, and with it a whole screen."""
        self._cursor_seen = (column, row)
        self._follow_cursor()

    def _bring_cursor(self, _dt: float) -> None:
        if self.focus or reads_from_right(self.text):
            TextInput._adjust_viewport.__wrapped__(self, *self._cursor_seen)
        else:
            self.scroll_x = 0

    def keyboard_on_key_down(self, window: object, keycode: tuple[int, str], text: str, modifiers: list[str]) -> bool:
        keys = getattr(App.get_running_app(), "keys", None)
        if keycode[1] == "tab" and keys is not None:
            keys.at = self
            return bool(keys.move(-1 if "shift" in modifiers else 1))
        return bool(super().keyboard_on_key_down(window, keycode, text, modifiers))

    def on_text(self, _: object, text: str) -> None:
        self.halign = "right" if reads_from_right(text) else "left"

    def _create_line_label(self, text: str, hint: bool = False) -> Any:
        """Kivy draws a line in one font, in the order of typing; names are drawn here as everywhere else."""
        told = None if hint else written(text, marked=False)
        return super()._create_line_label(text, hint) if told is None else self._drawn(told)

    def _drawn(self, told: str) -> Any:
        options = {name: value for name, value in self._get_line_options().items() if name in _LINE_OPTIONS}
        label = MarkupLabel(text=told, **options)
        label.refresh()
        return label.texture

    def _get_text_width(self, text: str, tab_width: int, label: Any) -> float:
        told = written(text, marked=False)
        return float(super()._get_text_width(text, tab_width, label) if told is None else self._drawn(told).width)

    def cursor_offset(self) -> float:
        """What is read from the right grows to the left: so does the way of the cursor."""
        offset = float(super().cursor_offset())
        return float(self._get_row_width(int(self.cursor_row))) - offset if reads_from_right(self.text) else offset

    def get_cursor_from_xy(self, x: float, y: float) -> Any:
        if reads_from_right(self.text):
            left, right = self.x + self.padding[0], self.right - self.padding[2]
            empty = max(0.0, right - left - float(self._get_row_width(0)))
            x = left + empty + right - x
        return super().get_cursor_from_xy(x, y)


class Bar(Widget):
    """How far something is."""

    share = NumericProperty(0.0)


def hold_back(page: Widget) -> None:
    """A new screen is not laid out before it has its place: words would be drawn for a width that they don't have."""
    for widget in page.walk(restrict=True):
        for trigger in _laying_out(widget):
            trigger.cancel()


def from_the_top(page: Widget) -> None:
    """Lays a new screen out from its frame inwards.

    Kivy begins with what was made first, the innermost, before it knows how wide that is, and draws most words twice.
    """
    for widget in page.walk(restrict=True):
        for trigger in _laying_out(widget):
            trigger.cancel()
            trigger.get_callback()()


def _laying_out(widget: Widget) -> tuple[ClockEvent, ...]:
    """What Kivy calls, in a moment, to bring a widget up to date."""
    if isinstance(widget, Layout):
        return (widget._trigger_layout,)
    if isinstance(widget, ScrollView):
        return (widget._trigger_update_from_scroll,)
    return (widget._trigger_texture,) if isinstance(widget, Label) else ()


def escape(text: str) -> str:
    """Names as they were typed, where marks for bold and size are read.

    >>> escape("[Ada] & Bo")
    '&bl;Ada&br; &amp; Bo'
    """
    return text.replace("&", "&amp;").replace("[", "&bl;").replace("]", "&br;")


Builder.load_file(str(Path(__file__).with_name("base.kv")))

"""Looks over the screen as a picky player would: cut, covered, pale, uneven words, small buttons, keys untranslated."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from kivy.core.text import Label as CoreLabel
from kivy.metrics import dp
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget
from numpy.typing import NDArray

from companion.lang import catalogue
from companion.ui import theme
from companion.ui.stage import Stage
from companion.ui.widgets.base import PLACE, Tap, Text

if TYPE_CHECKING:
    from kivy.core.window import WindowBase

Box = tuple[float, float, float, float]
Pixels = NDArray[np.uint8]
# The contrast that everybody can read (WCAG, level AA).
CONTRAST = 4.5
_KEY = re.compile(r"([a-z]+)(\.[a-z0-9_-]+)+")
# Of a list that is moved, so much (dp) has to be seen: one button and the beginning of the next.
_LEAST_SHOWN = 1.5 * theme.TOUCH
# Half a pixel of rounding is no fault.
_LOOSE = 1.0


def problems(stage: Stage) -> list[str]:
    """Everything on the screen that a player would find cut, covered, pale, nameless or too small to tap."""
    top = stage.app._question or stage.app.shell
    shown = [w for w in top.walk() if w.opacity and not _hidden(w)]
    labels = [w for w in shown if isinstance(w, Label) and w.text]
    taps = [w for w in shown if hasattr(w, "on_release") and w is not stage.app._question]
    pixels = _pixels(stage)
    found = [told for label in labels for told in _faults(label, stage.window, pixels)]
    found += _overlaps([(_seen(label, stage.window), label.text) for label in labels])
    fields = [w for w in shown if isinstance(w, TextInput)]
    found += [told for field in fields for told in _cut_hint(field)]
    touched = [*taps, *fields]
    found += [told for w in shown if isinstance(w, ScrollView) for told in _squeezed(w)]
    found += _mixed([w for w in taps if isinstance(w, Tap) and w.text])
    return found + [told for w in touched for told in _hard_to_tap(w, stage.window)]


def _hidden(widget: Widget) -> bool:
    """Below something that is not shown."""
    parent = widget.parent
    while parent is not None and parent is not parent.parent:
        if not parent.opacity:
            return True
        parent = parent.parent
    return False


def _pixels(stage: Stage) -> Pixels:
    """The screen as it is drawn, the top row first."""
    texture = stage.app.shell.export_as_image().texture
    rows = np.frombuffer(texture.pixels, np.uint8).reshape(texture.height, texture.width, 4)
    return np.asarray(rows)


def _faults(label: Label, window: WindowBase, pixels: Pixels) -> Iterator[str]:
    words = _plain(label.text)
    if label.texture_size[0] > label.width + _LOOSE or label.texture_size[1] > label.height + _LOOSE:
        yield f"cut: {words!r} {label.texture_size} in {label.size}"
    broken = [w for w, wide in _widths(label) if not PLACE.search(w) and wide > label.width + _LOOSE]
    if broken and not getattr(label, "shorten", False):
        yield f"broken within a word: {broken}"
    if outside(_reachable(label, _box(label), window), window):
        yield f"outside the window: {words!r}"
    if any(_is_key(word) for word in words.split()):
        yield f"a key without words: {words!r}"
    contrast = _contrast(label, window, pixels)
    if contrast < CONTRAST:
        yield f"pale: {words!r} has a contrast of {contrast:.1f}"


def _cut_hint(field: TextInput) -> Iterator[str]:
    """What stands in a field that nobody has written in."""
    room = field.width - field.padding[0] - field.padding[2]
    core = CoreLabel(font_size=field.font_size, font_name=field.font_name)
    if not field.text and core.get_extents(field.hint_text)[0] > room + _LOOSE:
        yield f"cut in its field: {field.hint_text!r}"


def _squeezed(sheet: ScrollView) -> Iterator[str]:
    """A list of which nobody sees enough to find out that there is more."""
    high = max((child.height for child in sheet.children), default=0.0)
    if high > sheet.height + _LOOSE and sheet.height < dp(_LEAST_SHOWN):
        yield f"squeezed: a list of {high:.0f} shows only {sheet.height:.0f}"


def _is_key(word: str) -> bool:
    """Whether it looks like a name of the catalogues that nobody translated."""
    found = _KEY.fullmatch(word)
    return found is not None and found[1] in {key.split(".")[0] for key in catalogue("en")}


def _hard_to_tap(widget: Widget, window: WindowBase) -> Iterator[str]:
    name = getattr(widget, "text", "") or getattr(widget, "hint", "") or type(widget).__name__
    if min(widget.size) < dp(theme.TOUCH) - _LOOSE:
        yield f"too small to tap: {name!r} {widget.size}"
    x, y = widget.to_window(*widget.pos)
    if outside(_reachable(widget, (x, y, x + widget.width, y + widget.height), window), window):
        yield f"outside the window: {name!r}"


def _mixed(taps: list[Widget]) -> Iterator[str]:
    """Buttons right below each other whose words begin in different places."""
    columns: dict[tuple[Widget, int, int], list[Widget]] = defaultdict(list)
    for widget in taps:
        columns[widget.parent, round(widget.x), round(widget.width)].append(widget)
    for column in columns.values():
        if len({w.halign or w.begins for w in column}) > 1:
            yield f"words begin in different places: {[_plain(w.text) for w in column]}"


def outside(box: Box, window: WindowBase) -> bool:
    """Whether a part of it lies where nobody can see it."""
    left, bottom, right, top = box
    return left < -_LOOSE or bottom < -_LOOSE or right > window.width + _LOOSE or top > window.height + _LOOSE


def _reachable(widget: Widget, box: Box, window: WindowBase) -> Box:
    """Where it is, or can be brought by moving the list that it is in: up and down then does not count."""
    listed = any(isinstance(p, ScrollView) for p in _parents(widget, window))
    return (box[0], 0, box[2], 0) if listed else box


def _parents(widget: Widget, window: WindowBase) -> Iterator[Widget]:
    parent = widget.parent
    while parent is not None and parent is not window:
        yield parent
        parent = parent.parent


def _plain(text: str) -> str:
    """Words without the marks for bold and size."""
    return re.sub(r"\[/?\w+(=[^\]]*)?\]", "", text)


def _box(label: Label) -> Box:
    """The words of a label on the window: they sit in its middle, or at its left or right."""
    wide, high = label.texture_size
    x, y = label.to_window(*label.pos)
    left = {"left": x, "right": x + label.width - wide}.get(label.halign, x + (label.width - wide) / 2)
    bottom = y + (label.height - high) / 2
    return left, bottom, left + wide, bottom + high


def _seen(label: Label, window: WindowBase) -> Box:
    """The part of its words that shows: lists show only a part of what is in them."""
    left, bottom, right, top = _box(label)
    for parent in _parents(label, window):
        if isinstance(parent, ScrollView):
            x, y = parent.to_window(*parent.pos)
            left, bottom = max(left, x), max(bottom, y)
            right, top = min(right, x + parent.width), min(top, y + parent.height)
    return max(left, 0.0), max(bottom, 0.0), min(right, float(window.width)), min(top, float(window.height))


def _widths(label: Label) -> Iterator[tuple[str, float]]:
    """Every word and how wide it is drawn."""
    if isinstance(label, Text):
        yield from ((word, label.width_of(word, int(size * label.scale), bold)) for word, size, bold in label.words())
    else:
        core = CoreLabel(font_size=label.font_size, font_name=label.font_name, bold=label.bold)
        yield from ((word, float(core.get_extents(word)[0])) for word in _plain(label.text).split())


def _contrast(label: Label, window: WindowBase, pixels: Pixels) -> float:
    """Between the words' colour and what is painted around them; what is switched off may be pale."""
    left, bottom, right, top = (round(c) for c in _seen(label, window))
    if label.disabled or right - left < 4 or top - bottom < 4:
        return CONTRAST
    high = pixels.shape[0]
    behind = pixels[high - top : high - bottom, left:right, :3].astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1])
    around = np.concatenate([behind[0], behind[-1], behind[:, 0], behind[:, -1]])
    colors, counts = np.unique(around, return_counts=True)
    most = int(colors[counts.argmax()])
    ground = _luminance(np.array([most >> 16, most >> 8 & 255, most & 255]) / 255)
    ink = _luminance(np.array(label.color[:3]))
    light, dark = max(ink, ground), min(ink, ground)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: NDArray[np.float64]) -> float:
    linear = np.where(color <= 0.03928, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


def _overlaps(shown: list[tuple[Box, str]]) -> list[str]:
    shown = [(b, text) for b, text in shown if b[2] - b[0] > 2 and b[3] - b[1] > 2]
    return [
        f"{one!r} lies on {other!r}"
        for i, (a, one) in enumerate(shown)
        for b, other in shown[i + 1 :]
        if min(a[2], b[2]) - max(a[0], b[0]) > 3 and min(a[3], b[3]) - max(a[1], b[1]) > 3
    ]

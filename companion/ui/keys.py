"""Everything by keyboard: Tab and arrows walk from one thing to the next, Enter or Space taps it, a ring shows where.

On a map or photo the arrows move a cross, Enter taps there, plus and minus zoom.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from kivy.clock import Clock, ClockEvent
from kivy.graphics import Color, Line
from kivy.graphics.instructions import InstructionGroup
from kivy.metrics import dp
from kivy.uix.scrollview import ScrollView
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.ui import theme
from companion.ui.theme import Look
from companion.ui.widgets.zoom import ZoomView

_TAB, _SPACE, _ENTERS = 9, 32, (13, 271)
_ARROWS = {273: (0, 1), 274: (0, -1), 275: (1, 0), 276: (-1, 0)}
_PAGES = {280: 1, 281: -1}
_ZOOMS = {ord("+"): 1.3, ord("="): 1.3, 270: 1.3, ord("-"): 1 / 1.3, 269: 1 / 1.3}
# How far an arrow moves the cross on a map, and with Shift; in dp.
_STEP, _LEAP = 14, 70
# How much of a list a page key scrolls.
_PAGE = 0.85


class Keys:
    """Where the keyboard is. `top`: what can be reached now, a question above the screen or the whole frame."""

    def __init__(self, top: Callable[[], Widget], look: Callable[[], Look]) -> None:
        self._top, self._look = top, look
        self.at: Widget = None
        self._known: tuple[str, int] = ("", 0)
        self._cross = (0.5, 0.5)
        self._ring = InstructionGroup()
        self._on: Widget = None
        self._clock: ClockEvent = None

    def reachable(self) -> list[Widget]:
        """Everything that takes a tap, in reading order."""
        top = self._top()
        return [w for w in top.walk(restrict=True) if w is not top and _takes_taps(w) and _shown(w, top)]

    def press(self, key: int, modifiers: Sequence[str] = ()) -> bool:
        """A key that no text field wanted: True if it was for here."""
        here = self._here()
        if key == _TAB:
            return self.move(-1 if "shift" in modifiers else 1)
        if isinstance(here, ZoomView) and self._over_map(here, key, "shift" in modifiers):
            return True
        if key in _ARROWS:
            return self.toward(*_ARROWS[key])
        if key in _PAGES:
            return self._scroll(_PAGES[key])
        if key in (*_ENTERS, _SPACE) and here is not None:
            return self._tap(here)
        return False

    def move(self, step: int) -> bool:
        """The next thing in reading order, or the one before."""
        every = self.reachable()
        here = self._here()
        if not every:
            return False
        at = every.index(here) + step if here in every else 0 if step > 0 else -1
        self.go(every[at % len(every)])
        return True

    def toward(self, dx: int, dy: int) -> bool:
        """The nearest thing in that direction."""
        here = self._here()
        if here is None:
            return self.move(1)
        x, y = _middle(here)
        best: tuple[float, Widget] | None = None
        for widget in self.reachable():
            ox, oy = _middle(widget)
            ahead, aside = (ox - x) * dx + (oy - y) * dy, abs((ox - x) * dy) + abs((oy - y) * dx)
            if widget is here or ahead <= dp(4):
                continue
            far = ahead + 2.5 * aside
            if best is None or far < best[0]:
                best = (far, widget)
        if best is not None:
            self.go(best[1])
        return best is not None

    def go(self, widget: Widget) -> None:
        """Puts the ring around it, and brings it into view; a text field is written in at once."""
        if isinstance(self.at, TextInput) and self.at is not widget:
            self.at.focus = False
        self.at = widget
        every = self.reachable()
        self._known = (_name(widget), every.index(widget) if widget in every else 0)
        for parent in _parents(widget):
            if isinstance(parent, ScrollView):
                parent.scroll_to(widget, padding=dp(theme.TOUCH), animate=False)
        if isinstance(widget, TextInput):
            widget.focus = True
        self._cross = (0.5, 0.5)
        if self._clock is None:
            self._clock = Clock.schedule_interval(self._follow, 1 / 30)
        self._follow()

    def leave(self) -> None:
        """A finger or mouse is used, or another screen is there: no ring."""
        self.at = None
        self._ring.clear()
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _here(self) -> Widget:
        """Where the keyboard is; a screen that was filled anew has the same thing again, or one in its place."""
        if self.at is None:
            return None
        every = self.reachable()
        if self.at in every:
            return self.at
        name, place = self._known
        same = [w for w in every if name and _name(w) == name]
        if not every:
            self.leave()
            return None
        self.at = same[0] if same else every[min(place, len(every) - 1)]
        return self.at

    def _tap(self, widget: Widget) -> bool:
        if isinstance(widget, TextInput):
            widget.focus = True
        else:
            widget.dispatch("on_release")
        return True

    def _over_map(self, view: ZoomView, key: int, leap: bool) -> bool:
        x, y = self._place(view)
        if key in _ZOOMS:
            view.zoom_at(view.zoom * _ZOOMS[key], x, y)
        elif key in _ARROWS:
            step = dp(_LEAP if leap else _STEP)
            self._shift(view, _ARROWS[key][0] * step, _ARROWS[key][1] * step)
        elif key in (*_ENTERS, _SPACE):
            view.dispatch("on_pick", *view.to_picture(*view.to_widget(x, y)), dp(theme.TOUCH / 2) / view.pixels)
        else:
            return False
        return True

    def _shift(self, view: ZoomView, dx: float, dy: float) -> None:
        """Moves the cross; at the edge of the view the map comes to it."""
        across, up = self._cross[0] + dx / view.width, self._cross[1] + dy / view.height
        inside = min(0.96, max(0.04, across)), min(0.96, max(0.04, up))
        view.move((inside[0] - across) * view.width, (inside[1] - up) * view.height)
        self._cross = inside

    def _place(self, view: ZoomView) -> tuple[float, float]:
        """The cross on the window."""
        x, y = view.to_window(*view.pos)
        return x + self._cross[0] * view.width, y + self._cross[1] * view.height

    def _scroll(self, way: int) -> bool:
        lists = [w for w in self._top().walk(restrict=True) if isinstance(w, ScrollView) and w.children]
        long = [w for w in lists if w.children[0].height > w.height]
        for each in long[:1]:
            far = each.height * _PAGE / (each.children[0].height - each.height)
            each.scroll_y = min(1.0, max(0.0, each.scroll_y + way * far))
        return bool(long)

    def _follow(self, *_: object) -> None:
        """Draws the ring where the thing is now."""
        here = self._here()
        self._ring.clear()
        if here is None:
            return
        top = self._top()
        if self._on is not top:
            self._move_to(top)
        x, y = here.to_window(*here.pos)
        edge = dp(2)
        box = (x - edge, y - edge, here.width + 2 * edge, here.height + 2 * edge, dp(theme.ROUND))
        self._line(Line(rounded_rectangle=box, width=dp(3)), self._look().paper)
        self._line(Line(rounded_rectangle=box, width=dp(1.8)), self._look().ink)
        if isinstance(here, ZoomView):
            cx, cy = self._place(here)
            for ink, width in ((self._look().paper, dp(2.4)), (self._look().bad, dp(1.4))):
                self._line(Line(points=[cx - dp(12), cy, cx + dp(12), cy], width=width), ink)
                self._line(Line(points=[cx, cy - dp(12), cx, cy + dp(12)], width=width), ink)

    def _line(self, line: Line, ink: theme.Rgba) -> None:
        self._ring.add(Color(*ink))
        self._ring.add(line)

    def _move_to(self, top: Widget) -> None:
        if self._on is not None:
            self._on.canvas.after.remove(self._ring)
        self._on = top
        top.canvas.after.add(self._ring)


def _takes_taps(widget: Widget) -> bool:
    if widget.disabled:
        return False
    return hasattr(widget, "on_release") or isinstance(widget, TextInput | ZoomView)


def _shown(widget: Widget, top: Widget) -> bool:
    """Not folded away: neither it nor anything around it."""
    if min(widget.size) < 1:
        return False
    return all(w.opacity for w in (widget, *_parents(widget, top)))


def _parents(widget: Widget, top: Widget = None) -> list[Widget]:
    found, parent = [], widget.parent
    while parent is not None and parent is not top and parent is not parent.parent:
        found.append(parent)
        parent = parent.parent
    return found


def _middle(widget: Widget) -> tuple[float, float]:
    x, y = widget.to_window(*widget.center)
    return (float(x), float(y)) if math.isfinite(x + y) else (0.0, 0.0)


def _name(widget: Widget) -> str:
    return str(getattr(widget, "text", "") or getattr(widget, "hint", "") or "")

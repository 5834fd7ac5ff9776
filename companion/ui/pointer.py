"""A mouse on the window: what it could tap is lit a little, and the pointer says what is under it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kivy.clock import Clock
from kivy.graphics import Color, RoundedRectangle
from kivy.graphics.instructions import InstructionGroup
from kivy.metrics import dp
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.ui import theme
from companion.ui.theme import Look

if TYPE_CHECKING:
    from kivy.core.window import WindowBase

# How much of the ink is laid over what the mouse is on: seen, and every text stays readable.
_LIT = 0.08


class Pointer:
    """Where the mouse is. `top`: what can be reached now, a question above the screen or the whole frame."""

    def __init__(self, window: WindowBase, top: Callable[[], Widget], look: Callable[[], Look]) -> None:
        self._window, self._top, self._look = window, top, look
        self.over: Widget | None = None
        self._light = InstructionGroup()
        # Once a frame, however fast the mouse is.
        self._moved = Clock.create_trigger(self._look_below, 0)
        window.bind(mouse_pos=self._on_move, on_cursor_leave=self.leave)

    def _on_move(self, *_: object) -> None:
        self._moved()

    def _look_below(self, _dt: float) -> None:
        top = self._top()
        found = _under(top, *self._window.mouse_pos)
        # The dark around a question takes a tap as well, and is nothing to light up.
        self._go(found if found is not top else None)

    def leave(self, *_: object) -> None:
        """The mouse is elsewhere, or another screen is there."""
        self._go(None)

    def close(self) -> None:
        self._moved.cancel()
        self._window.unbind(mouse_pos=self._on_move, on_cursor_leave=self.leave)

    def _go(self, widget: Widget | None) -> None:
        if widget is self.over:
            return
        if self.over is not None:
            self.over.unbind(pos=self._draw, size=self._draw)
            self.over.canvas.after.remove(self._light)
        self.over = widget
        if widget is not None:
            widget.canvas.after.add(self._light)
            widget.bind(pos=self._draw, size=self._draw)
            self._draw()
        self._window.set_system_cursor(
            "arrow" if widget is None else "ibeam" if isinstance(widget, TextInput) else "hand"
        )

    def _draw(self, *_: object) -> None:
        self._light.clear()
        if self.over is None or isinstance(self.over, TextInput):
            return
        self._light.add(Color(*self._look().ink[:3], _LIT))
        self._light.add(RoundedRectangle(pos=self.over.pos, size=self.over.size, radius=[dp(theme.ROUND)]))


def _under(widget: Widget, x: float, y: float) -> Widget | None:
    """The uppermost thing there that takes a tap; None where there is none, or it is folded away."""
    if widget.disabled or not widget.opacity or not widget.collide_point(x, y):
        return None
    inside = widget.to_local(x, y)
    for child in widget.children:
        found = _under(child, *inside)
        if found is not None:
            return found
    return widget if isinstance(widget, TextInput) or hasattr(widget, "on_release") else None

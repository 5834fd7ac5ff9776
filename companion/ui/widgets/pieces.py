"""Wagons and cards in small: a colour always with its sign and its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Mesh, PopMatrix, PushMatrix, RoundedRectangle, Scale, Translate
from kivy.metrics import dp, sp
from kivy.uix.widget import Widget

from companion.ui import theme
from companion.ui.widgets.base import Tap
from companion.ui.widgets.meshes import Triangles, triangles
from maps import LOCOMOTIVE
from maps.drawing.palette import LIGHT, WAGONS, ink_on
from maps.drawing.shapes import LOCOMOTIVE_BODY, LOCOMOTIVE_WHEELS, SIGNS, Circle, Polygon, Shape

_RAINBOW = ("red", "orange", "yellow", "green", "blue", "pink")


def sign_shapes(color: str, ink: str) -> list[Shape]:
    """The sign of a colour within a circle of 1; a locomotive has its own picture."""
    if color != LOCOMOTIVE:
        return [Polygon(outline, "mark", None, ink) for outline in SIGNS.get(color, ())]
    body: list[Shape] = [Polygon(outline, "mark", None, ink) for outline in LOCOMOTIVE_BODY]
    return body + [Circle(x, y, r, "mark", None, ink) for x, y, r in LOCOMOTIVE_WHEELS]


class Swatch(Widget):
    """A wagon's or card's colour with its sign."""

    def __init__(self, color: str, card: bool = False, **more: Any) -> None:
        more.setdefault("size_hint", (None, None))
        more.setdefault("size", (dp(34), dp(26)))
        super().__init__(pos_hint={"center_y": 0.5}, **more)
        self.color = color
        paints = LIGHT.tracks if card else WAGONS
        self._fill = paints[color].fill if color in paints else "#c3c8ce"
        ink = ink_on(self._fill) if color != LOCOMOTIVE else "#ffffff"
        self._parts: list[Triangles] = triangles(sign_shapes(color, ink))[0]
        self._edge = paints[color].edge if color in paints else "#3c4650"
        self.bind(pos=self._draw, size=self._draw)
        self._draw()

    def _draw(self, *_: Any) -> None:
        self.canvas.clear()
        with self.canvas:
            self._box(self._edge, 0)
            if self.color == LOCOMOTIVE:
                self._stripes()
            else:
                self._box(self._fill, dp(2))
            PushMatrix()
            Translate(self.center_x, self.center_y)
            unit = self.height * 0.3
            Scale(unit, -unit, 1)
            for part in self._parts:
                Color(*theme.rgba(part.color))
                Mesh(vertices=part.corners, indices=part.indices, mode="triangles")
            PopMatrix()

    def _box(self, color: str, inset: float) -> None:
        Color(*theme.rgba(color))
        size = (self.width - 2 * inset, self.height - 2 * inset)
        RoundedRectangle(pos=(self.x + inset, self.y + inset), size=size, radius=[dp(4)])

    def _stripes(self) -> None:
        """A locomotive stands for all colours: they show at its edge, the sign on dark ground."""
        inset = dp(2)
        step = (self.width - 2 * inset) / len(_RAINBOW)
        for i, color in enumerate(_RAINBOW):
            Color(*theme.rgba(LIGHT.tracks[color].fill))
            RoundedRectangle(pos=(self.x + inset + i * step, self.y + inset), size=(step, self.height - 2 * inset))
        Color(*theme.rgba("#2a2d33"))
        size = (self.width - 2 * inset, self.height * 0.66)
        RoundedRectangle(pos=(self.x + inset, self.y + self.height * 0.17), size=size, radius=[dp(3)])


class ColorTap(Tap):
    """A button for a colour: swatch, name, and how many where that counts."""

    def __init__(self, color: str, name: str, do: Callable[[], Any], card: bool = False, **more: Any) -> None:
        super().__init__(text=name, do=do, halign="left", **more)
        self.color = color
        self.add_widget(Swatch(color, card), index=len(self.children))
        self.label.font_size = sp(theme.SMALL)

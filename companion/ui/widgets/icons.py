"""Signs drawn with one pen, all of the same weight: fonts have some of them, in many weights, and no camera."""

from __future__ import annotations

import math
from collections.abc import Callable

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Ellipse, Line, Mesh, Rectangle
from kivy.metrics import dp, sp
from kivy.properties import ColorProperty, NumericProperty, StringProperty
from kivy.uix.widget import Widget

from companion.ui import theme

# Strokes on a field of 24 by 24, y upwards: lines through their points, circles by middle and radius, filled shapes.
Stroke = tuple[str, tuple[float, ...]]
_FIELD = 24.0
_PEN = 2.4
CAMERA = "camera"


def _line(*points: float) -> Stroke:
    return "line", points


def _ring(x: float, y: float, radius: float) -> Stroke:
    return "ring", (x, y, radius)


def _dot(x: float, y: float, radius: float) -> Stroke:
    return "dot", (x, y, radius)


def _shape(*points: float) -> Stroke:
    return "shape", points


def _box(left: float, low: float, right: float, high: float) -> Stroke:
    return _line(left, low, right, low, right, high, left, high, left, low)


def _arc(x: float, y: float, radius: float, start: float, end: float) -> Stroke:
    """A part of a circle; angles in degrees from the right, against the clock."""
    steps = 16
    angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return _line(*(c for a in angles for c in (x + radius * math.cos(a), y + radius * math.sin(a))))


def _star(x: float, y: float, radius: float) -> Stroke:
    corners = [(radius * (1 if i % 2 == 0 else 0.42), math.radians(90 + 36 * i)) for i in range(11)]
    return _line(*(c for r, a in corners for c in (x + r * math.cos(a), y + r * math.sin(a))))


# By the letter that stands for it in a text, where there is one.
ICONS: dict[str, tuple[Stroke, ...]] = {
    CAMERA: (_line(3, 5, 21, 5, 21, 17, 16, 17, 14.5, 19.5, 9.5, 19.5, 8, 17, 3, 17, 3, 5), _ring(12, 11, 3.6)),
    "✚": (_line(12, 5, 12, 19), _line(5, 12, 19, 12)),
    "✕": (_line(7, 7, 17, 17), _line(7, 17, 17, 7)),
    "✓": (_line(5, 12, 10, 7, 19, 17),),
    "←": (_line(19, 12, 5, 12), _line(11, 18, 5, 12, 11, 6)),
    "↑": (_line(12, 5, 12, 19), _line(6, 13, 12, 19, 18, 13)),
    "▸": (_line(9, 6, 16, 12, 9, 18),),
    "▶": (_shape(8, 5, 8, 19, 19, 12),),
    "↶": (
        _arc(13, 10, 5.5, -90, 90),
        _line(13, 4.5, 8, 4.5),
        _line(13, 15.5, 5, 15.5),
        _line(9, 19.5, 5, 15.5, 9, 11.5),
    ),
    "↷": (
        _arc(11, 10, 5.5, 90, 270),
        _line(11, 4.5, 16, 4.5),
        _line(11, 15.5, 19, 15.5),
        _line(15, 19.5, 19, 15.5, 15, 11.5),
    ),
    "☰": (_line(5, 7, 19, 7), _line(5, 12, 19, 12), _line(5, 17, 19, 17)),
    "≡": (
        _line(9, 7, 20, 7),
        _line(9, 12, 20, 12),
        _line(9, 17, 20, 17),
        _dot(5, 7, 1.3),
        _dot(5, 12, 1.3),
        _dot(5, 17, 1.3),
    ),
    "⇄": (
        _line(4, 15.5, 20, 15.5),
        _line(16, 19.5, 20, 15.5, 16, 11.5),
        _line(20, 8.5, 4, 8.5),
        _line(8, 12.5, 4, 8.5, 8, 4.5),
    ),
    "⚑": (_line(6, 4, 6, 20), _line(6, 19, 19, 19, 15.5, 15, 19, 11, 6, 11)),
    "✎": (_line(5, 5, 6.2, 10, 16, 19.8, 19.8, 16, 10, 6.2, 5, 5), _line(13.5, 17.3, 17.3, 13.5)),
    "★": (_star(12, 11.5, 9),),
    "▦": (_box(4, 5, 20, 19), _line(9.3, 5, 9.3, 19), _line(14.7, 5, 14.7, 19), _line(4, 12, 20, 12)),
    "⚙": (
        _line(4, 7, 20, 7),
        _line(4, 17, 20, 17),
        _dot(9, 17, 2.6),
        _dot(15, 7, 2.6),
        _line(4, 12, 20, 12),
        _dot(11, 12, 2.6),
    ),
    "⚖": (
        _line(12, 4, 12, 20),
        _line(7, 4, 17, 4),
        _line(4, 17, 20, 17),
        _line(5, 17, 2.5, 11, 8.5, 11, 5.5, 17),
        _line(18.5, 17, 15.5, 11, 21.5, 11, 19, 17),
    ),
    "◉": (_arc(12, 8, 10, 25, 155), _arc(12, 16, 10, 205, 335), _ring(12, 12, 3.2)),
    "✦": (_line(12, 3, 14, 10, 21, 12, 14, 14, 12, 21, 10, 14, 3, 12, 10, 10, 12, 3),),
    "▮": (_box(6, 4, 18, 20), _line(9.5, 8, 14.5, 16), _line(14.5, 8, 9.5, 16)),
    "?": (_arc(12, 15.5, 4, -60, 180), _line(14, 12, 12, 10, 12, 8), _dot(12, 4.6, 1.4)),
    "•": (_dot(12, 12, 2.4),),
    "±": (_line(12, 9, 12, 19), _line(7, 14, 17, 14), _line(7, 5, 17, 5)),
    "track": (
        _line(3, 7, 10, 7, 10, 12, 3, 12, 3, 7),
        _line(13, 12, 20, 12, 20, 17, 13, 17, 13, 12),
        _line(10, 9.5, 13, 14.5),
    ),
    "whistle": (_ring(9, 10, 5), _line(9, 15, 20, 15, 20, 11.5, 13.7, 11.5), _line(9, 18, 9, 20), _dot(9, 10, 1.4)),
    "book": (
        _line(12, 6, 12, 18),
        _line(12, 6, 4, 7, 4, 19, 12, 18),
        _line(12, 6, 20, 7, 20, 19, 12, 18),
    ),
    "trash": (_line(5, 18, 19, 18), _line(9.5, 18, 9.5, 20.5, 14.5, 20.5, 14.5, 18), _line(7, 18, 8, 4, 16, 4, 17, 18)),
}


class Icon(Widget):
    """A sign: drawn where it is one of ours, else written."""

    ink_of = StringProperty("")
    text = StringProperty("")
    color = ColorProperty((0, 0, 0, 1))
    font_size = NumericProperty(0)

    def __init__(self, **more: object) -> None:
        super().__init__(**more)
        self.bind(pos=self._draw, size=self._draw, text=self._draw, color=self._draw, font_size=self._draw)
        self._draw()

    @property
    def side(self) -> float:
        return float(min(self.width, self.height, 1.3 * (self.font_size or sp(theme.BIG))))

    def _corner(self, wide: float, high: float) -> tuple[float, float]:
        """Where something of that size stands in the middle; Kivy's own `center` may lag behind here."""
        return self.x + (self.width - wide) / 2, self.y + (self.height - high) / 2

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        if not self.text:
            return
        with self.canvas:
            Color(*self.color)
            if self.text in ICONS:
                left, low, unit = *self._corner(self.side, self.side), self.side / _FIELD
                for kind, told in ICONS[self.text]:
                    _STROKES[kind](told, left, low, unit)
            else:
                self._write()

    def _write(self) -> None:
        core = CoreLabel(
            text=self.text, font_size=self.font_size or sp(theme.BIG), font_name="data/fonts/DejaVuSans.ttf"
        )
        core.refresh()
        wide, high = core.texture.size
        Rectangle(texture=core.texture, pos=self._corner(wide, high), size=(wide, high))


def _draw_line(told: tuple[float, ...], left: float, low: float, unit: float) -> None:
    points = [c * unit + (low if i % 2 else left) for i, c in enumerate(told)]
    # Kivy's lines are twice as wide as they say.
    Line(points=points, width=max(dp(1.15), _PEN * unit / 2), cap="round", joint="round")


def _draw_ring(told: tuple[float, ...], left: float, low: float, unit: float) -> None:
    x, y, radius = told
    Line(circle=(left + x * unit, low + y * unit, radius * unit), width=max(dp(1.15), _PEN * unit / 2))


def _draw_dot(told: tuple[float, ...], left: float, low: float, unit: float) -> None:
    x, y, radius = told
    Ellipse(pos=(left + (x - radius) * unit, low + (y - radius) * unit), size=(2 * radius * unit, 2 * radius * unit))


def _draw_shape(told: tuple[float, ...], left: float, low: float, unit: float) -> None:
    corners = [(left + x * unit, low + y * unit) for x, y in zip(told[::2], told[1::2], strict=True)]
    vertices = [c for x, y in corners for c in (x, y, 0, 0)]
    Mesh(vertices=vertices, indices=list(range(len(corners))), mode="triangle_fan")


_STROKES: dict[str, Callable[[tuple[float, ...], float, float, float], None]] = {
    "line": _draw_line,
    "ring": _draw_ring,
    "dot": _draw_dot,
    "shape": _draw_shape,
}

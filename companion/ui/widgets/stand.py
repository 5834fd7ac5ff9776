"""How a phone watches a table, drawn from the side: tilted on a stand, the whole board in view, plugged in."""

from __future__ import annotations

from kivy.graphics import Color, Line, Mesh, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.ui.theme import Look, rgba
from maps.drawing.palette import paint_of

# In hundredths of the width: table, board, pieces on it, stand, phone with its lens, and its cable.
_WIDE, _HIGH = 100.0, 42.0
_TABLE = (3.0, 5.0, 94.0, 1.4)
_BOARD = (10.0, 6.4, 56.0, 1.6)
_PIECES = ((16, "red"), (22, "red"), (34, "blue"), (40, "blue"), (46, "blue"), (58, "yellow"))
_FOOT, _POLE = (75.0, 6.4, 14.0, 1.4), (82.0, 7.0, 84.0, 30.0)
_PHONE = (79.0, 37.0, 87.5, 26.0)
_LENS = (82.0, 33.0)
_CABLE = (87.5, 26.0, 92.0, 22.0, 89.0, 14.0, 93.0, 6.4, 97.0, 3.0)
_MOST = 340


class StandPicture(Widget):
    """As wide as there is room for, up to a bound."""

    def __init__(self, look: Look) -> None:
        super().__init__(size_hint_y=None)
        self._look = look
        self.bind(pos=self._draw, size=self._draw)

    def _draw(self, *_: object) -> None:
        wide = min(self.width, dp(_MOST))
        unit, left = wide / _WIDE, self.x + (self.width - wide) / 2
        self.height = unit * _HIGH

        def at(*flat: float) -> list[float]:
            return [(left if n % 2 == 0 else self.y) + unit * v for n, v in enumerate(flat)]

        def box(x: float, y: float, long: float, high: float) -> None:
            Rectangle(pos=at(x, y), size=(unit * long, unit * high))

        look = self._look
        self.canvas.clear()
        with self.canvas:
            Color(*look.good[:3], 0.22)
            ends = at(*_LENS), at(_BOARD[0] - 3, _BOARD[1]), at(_BOARD[0] + _BOARD[2] + 3, _BOARD[1])
            Mesh(vertices=[v for x, y in ends for v in (x, y, 0, 0)], indices=[0, 1, 2], mode="triangles")
            Color(*look.quiet)
            box(*_TABLE)
            box(*_FOOT)
            Line(points=at(*_POLE), width=unit * 0.7)
            Line(bezier=at(*_CABLE), width=unit * 0.35)
            Color(*look.ink)
            box(*_BOARD)
            Line(points=at(*_PHONE), width=unit * 1.1)
            for x, color in _PIECES:
                Color(*look.ink)
                box(x - 0.3, _BOARD[1] + _BOARD[3], 4.8, 2.4)
                Color(*rgba(paint_of(color).fill))
                box(x, _BOARD[1] + _BOARD[3], 4.2, 2.1)
            Color(*look.good)
            Line(circle=(*at(*_LENS), unit * 1.0), width=unit * 0.6)

"""Who led when, drawn: one line for each player."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.table.timeline import Curve
from companion.ui.theme import Look, rgba
from maps.drawing.palette import paint_of

_HIGH = 120


class Timeline(Widget):
    """Points against claims, from the first to the last."""

    def __init__(self, curves: Sequence[Curve], look: Look, **more: object) -> None:
        super().__init__(size_hint_y=None, height=dp(_HIGH), **more)
        self._curves, self._look = curves, look
        self.bind(pos=self._draw, size=self._draw)

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        steps = len(self._curves[0].points) - 1
        most = max(1, *(max(c.points) for c in self._curves))
        edge = dp(6)
        wide, high = self.width - 2 * edge, self.height - 2 * edge
        with self.canvas:
            Color(*self._look.quiet)
            Line(points=[self.x + edge, self.y + edge, self.right - edge, self.y + edge], width=1)
            for curve in self._curves:
                line = []
                for n, points in enumerate(curve.points):
                    line += [self.x + edge + wide * n / steps, self.y + edge + high * points / most]
                # A dark rim: yellow and white wagons are seen on any ground.
                Color(0, 0, 0, 0.55)
                Line(points=line, width=dp(2.2))
                Color(*rgba(paint_of(curve.color).fill))
                Line(points=line, width=dp(1.4))

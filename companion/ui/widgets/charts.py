"""Bars, shares and curves, drawn small: every number stands beside its bar as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kivy.graphics import Color, Ellipse, Line, Rectangle
from kivy.lang import Builder
from kivy.metrics import dp
from kivy.properties import ListProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.ui.models.statistics import Against, BarRow, Curve, Fact
from companion.ui.theme import TOUCH, Look, Rgba, rgba
from companion.ui.widgets.base import Column, Panel
from companion.ui.widgets.pieces import Swatch
from maps.drawing.palette import paint_of


class FactBox(Panel):
    """A number that stands alone."""

    least_height = NumericProperty(0)
    number = StringProperty("")
    what = StringProperty("")

    def __init__(self, fact: Fact) -> None:
        super().__init__(number=fact.number, what=fact.what)


class Figure(Label):
    """A number at the end of its line, as wide as it is."""


class Span(Widget):
    """A bar: `share` of its width. `grown`: how far it has grown, for whoever moves it."""

    share = NumericProperty(0.0)
    grown = NumericProperty(1.0)
    tint = ListProperty([0, 0, 0, 1])


class BarLine(Column):
    """A bar with its name, its number and a side remark."""

    name = StringProperty("")
    told = StringProperty("")
    more = StringProperty("")
    share = NumericProperty(0.0)
    least = NumericProperty(0.0)

    def __init__(self, row: BarRow, **more: object) -> None:
        super().__init__(name=row.name, told=row.told, more=row.more, share=row.share, **more)
        if row.color:
            self.ids.head.add_widget(Swatch(row.color), index=len(self.ids.head.children))


class BarTap(ButtonBehavior, BarLine):
    """Such a bar that leads somewhere."""

    def __init__(self, row: BarRow, do: Callable[[], object]) -> None:
        super().__init__(row=row, least=dp(TOUCH))
        self.text = row.name
        self.bind(on_release=lambda _: do())


class Parts(Widget):
    """A whole and its parts beside each other, each in its colour."""

    def __init__(self, parts: Sequence[tuple[float, Rgba]] = (), **more: object) -> None:
        super().__init__(**more)
        self._parts = parts
        self.bind(pos=self._draw, size=self._draw)

    def show(self, parts: Sequence[tuple[float, Rgba]]) -> None:
        self._parts = parts
        self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        whole, x = sum(share for share, _ in self._parts) or 1.0, self.x
        with self.canvas:
            for share, ink in self._parts:
                wide = self.width * share / whole
                Color(*ink)
                # A gap tells two parts of like colours from each other.
                Rectangle(pos=(x, self.y), size=(max(0.0, wide - dp(1.5)), self.height))
                x += wide


class AgainstLine(ButtonBehavior, Column):
    """Two players: ahead in green, level in grey, behind in red, and the numbers."""

    name = StringProperty("")
    told = StringProperty("")
    score = StringProperty("")

    def __init__(self, against: Against, look: Look, do: Callable[[], object]) -> None:
        score = f"{against.ahead} : {against.behind}"
        super().__init__(name=against.name, told=against.told, score=score)
        self.text = against.name
        inks = ((against.ahead, look.good), (against.level, look.line), (against.behind, look.bad))
        self.ids.parts.show([(float(n), ink) for n, ink in inks if n])
        self.bind(on_release=lambda _: do())


class Trend(Widget):
    """Points over games, the last game of everybody at the right. `dots`: every game has one."""

    def __init__(self, curves: Sequence[Curve], look: Look, dots: bool = False, **more: object) -> None:
        super().__init__(**more)
        self._curves, self._look, self._dots = curves, look, dots
        self.bind(pos=self._draw, size=self._draw)

    @property
    def range(self) -> tuple[float, float]:
        """The least and the most, with some air; never flat."""
        every = [p for c in self._curves for p in c.points]
        least, most = min(every), max(every)
        return (least, most) if most - least >= 1 else (least - 1, most + 1)

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        if not self._curves:
            return
        edge = dp(8)
        wide, high = self.width - 2 * edge, self.height - 2 * edge
        least, most = self.range
        steps = max(1, max(len(c.points) for c in self._curves) - 1)

        def place(curve: Curve, n: int) -> tuple[float, float]:
            back = len(curve.points) - 1 - n
            x = self.right - edge - wide * back / steps
            return x, self.y + edge + high * (curve.points[n] - least) / (most - least)

        with self.canvas:
            Color(*self._look.line)
            for quarter in range(5):
                y = self.y + edge + high * quarter / 4
                Line(points=[self.x + edge, y, self.right - edge, y], width=1)
            for curve in self._curves:
                self._curve([place(curve, n) for n in range(len(curve.points))], rgba(paint_of(curve.color).fill))

    def _curve(self, places: list[tuple[float, float]], ink: Rgba) -> None:
        flat = [c for place in places for c in place]
        # A rim in the ink of the page: yellow and white wagons are seen on light ground, black ones in the dark.
        for color, width in ((self._look.ink, dp(2.4)), (ink, dp(1.5))):
            Color(*color)
            Line(points=flat, width=width, joint="round", cap="round")
        for x, y in places if self._dots else places[-1:]:
            for color, radius in ((self._look.ink, dp(5)), (ink, dp(3.6))):
                Color(*color)
                Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius))


Builder.load_file(str(Path(__file__).with_name("charts.kv")))

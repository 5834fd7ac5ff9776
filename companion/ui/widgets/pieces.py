"""Wagons and cards in small: a colour always with its sign and its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any  # Any: Kivy's properties have no types

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.graphics import (
    Color,
    Ellipse,
    InstructionGroup,
    Line,
    Mesh,
    PopMatrix,
    PushMatrix,
    Rectangle,
    RoundedRectangle,
    Scale,
    Translate,
)
from kivy.metrics import dp, sp
from kivy.uix.widget import Widget

from companion.ui import theme
from companion.ui.widgets.base import Tap
from companion.ui.widgets.meshes import Triangles, triangles
from maps import LOCOMOTIVE
from maps.drawing.palette import LIGHT, WAGONS, ink_on
from maps.drawing.shapes import LOCOMOTIVE_BODY, LOCOMOTIVE_WHEELS, SIGNS, Circle, Polygon, Shape, dashes

# Around the place of a card, on light and dark ground.
_EDGE = "#8f9aa3"
_RAINBOW = ("red", "orange", "yellow", "green", "blue", "pink")


def sign_shapes(color: str, ink: str) -> list[Shape]:
    """The sign of a colour within a circle of 1; a locomotive has its own picture."""
    if color != LOCOMOTIVE:
        return [Polygon(outline, "mark", None, ink) for outline in SIGNS.get(color, ())]
    body: list[Shape] = [Polygon(outline, "mark", None, ink) for outline in LOCOMOTIVE_BODY]
    return body + [Circle(x, y, r, "mark", None, ink) for x, y, r in LOCOMOTIVE_WHEELS]


class Swatch(Widget):
    """A wagon's or card's colour with its sign."""

    def __init__(self, color: str, card: bool = False, **more: object) -> None:
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

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        with self.canvas:
            self._box(self._edge, 0)
            if self.color == LOCOMOTIVE:
                self._stripes()
            else:
                self._box(self._fill, dp(2))
            PushMatrix()
            Translate(self.x + self.width / 2, self.y + self.height / 2)
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


class CardSlot(Tap):
    """The place of one card: empty, from the deck, or a colour that a tap takes back."""

    def __init__(self, card: str, do: Callable[[], object] | None) -> None:
        super().__init__("", do, kind="panel")
        self.take_words_away()
        self.padding = dp(2)
        self.color = card
        self.hint = f"slot-{card}" if card else ""
        if card == "deck":
            self.add_widget(_back())
        elif card:
            self.add_widget(Swatch(card, card=True, size_hint=(1, None), height=dp(34)))
        self.disabled = do is None
        self.opacity = 1
        with self.canvas.after:
            Color(*theme.rgba(_EDGE))
            edge = Line(width=dp(1))
        around = lambda *_: setattr(edge, "rounded_rectangle", (*self.pos, *self.size, dp(theme.ROUND)))  # noqa: E731
        self.bind(pos=around, size=around)


def _back() -> Widget:
    """A card face down."""
    return Swatch("back", card=True, size_hint=(1, None), height=dp(34))


class ColorTap(Tap):
    """A button for a colour: swatch, name, and how many where that counts."""

    def __init__(self, color: str, name: str, do: Callable[[], object], card: bool = False, **more: Any) -> None:
        super().__init__(text=name, do=do, halign="left", **more)
        self.color = color
        self.swatch = Swatch(color, card)
        self.add_widget(self.swatch, index=len(self.children))
        self.label.font_size = sp(theme.SMALL)

    def doubt(self, look: theme.Look) -> None:
        """Marks it as doubtful routes are marked on maps: a dashed line around it, and a question mark."""
        mark = InstructionGroup()
        self.canvas.after.add(mark)
        sign = CoreLabel(text="?", font_size=sp(theme.SMALL), bold=True)
        sign.refresh()

        def draw(*_: object) -> None:
            mark.clear()
            mark.add(Color(*look.doubt))
            left, low, right, high = self.x + dp(1), self.y + dp(1), self.right - dp(1), self.top - dp(1)
            around = ((left, low), (right, low), (right, high), (left, high), (left, low))
            for dash in dashes(around, dp(6), dp(4)):
                mark.add(Line(points=[c for point in dash for c in point], width=dp(1.2), cap="none"))
            x, y, radius = self.swatch.right - dp(7), self.swatch.top - dp(2), dp(9)
            mark.add(Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius)))
            mark.add(Color(*look.paper))
            wide, tall = sign.texture.size
            mark.add(Rectangle(texture=sign.texture, pos=(x - wide / 2, y - tall / 2), size=(wide, tall)))

        # Once for all places that it gets while the screen is laid out.
        self._doubted = Clock.create_trigger(draw, 0)
        for widget, name in ((self, "pos"), (self, "size"), (self.swatch, "pos")):
            widget.fbind(name, self._doubted)

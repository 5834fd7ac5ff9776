"""A picture to move and pinch: the map and the photo. Moving it changes one matrix, nothing is drawn anew."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any  # Any: Kivy's properties have no types

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Mesh, PopMatrix, PushMatrix, Rectangle, Scale, Translate
from kivy.graphics.instructions import InstructionGroup
from kivy.graphics.texture import Texture
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.stencilview import StencilView

from companion.ui import theme
from companion.ui.widgets.meshes import Label, Triangles, triangles
from maps.board import Point
from maps.drawing.shapes import Polyline

# A finger that moves less than this has tapped, not dragged.
_STILL = 10
_CLOSEST = 9.0
_DOUBLE_TAP_ZOOM = 2.6
# How wide the whole picture may become, in dp, when it zooms in by itself on what is asked; the room left around that.
_NEAR = 1200
_ROOM = 1.5


class ZoomView(StencilView):
    """Shows a picture 1 wide and `picture_height` high, y downwards, on a `ground`.

    `on_pick`: a place that was tapped, and a finger's reach.
    """

    picture_height = NumericProperty(0.66)
    zoom = NumericProperty(1.0)

    def __init__(self, ground: theme.Rgba | None = None, **more: Any) -> None:
        self._fingers: list[MotionEvent] = []
        self._moved = False
        self._shift = (0.0, 0.0)
        self._looks_at: tuple[float, float] | None = None
        self._over: tuple[float, float, float, float] | None = None
        super().__init__(**more)
        self.register_event_type("on_pick")
        self.register_event_type("on_zoomed")
        with self.canvas:
            Color(*(ground or (0, 0, 0, 0)))
            self._ground = Rectangle()
            PushMatrix()
            self._translate = Translate(0, 0)
            self._scale = Scale(1, 1, 1)
            self.below = InstructionGroup()
            self.above = InstructionGroup()
            self.moving = InstructionGroup()
            PopMatrix()
        self._settled = Clock.create_trigger(self._rests, 0.15)
        self.bind(pos=self._place, size=self._resized, picture_height=self._resized, zoom=self._place)

    def on_pick(self, x: float, y: float, reach: float) -> None:
        """Somebody tapped there."""

    def on_zoomed(self) -> None:
        """Size or zoom have changed and come to rest."""

    def _rests(self, _dt: float) -> None:
        self.dispatch("on_zoomed")

    @property
    def fit(self) -> float:
        """Pixels per unit at which the whole picture is seen."""
        return float(min(self.width, self.height / self.picture_height))

    @property
    def pixels(self) -> float:
        """Pixels per unit as it is shown."""
        return float(self.fit * self.zoom)

    def _resized(self, *_: object) -> None:
        """What was looked at stays in the middle."""
        if self._over is not None:
            self.look_over(self._over)
        elif self._looks_at is not None:
            self.look_at(*self._looks_at, self.zoom)
        self._place()

    def _place(self, *_: object) -> None:
        self._ground.pos, self._ground.size = self.pos, self.size
        side, high = self.pixels, self.pixels * self.picture_height
        # A picture smaller than its window stays in the middle; a larger one covers it.
        self._shift = (_within(self._shift[0], self.width, side), _within(self._shift[1], self.height, high))
        self._translate.xy = (self.x + self._shift[0], self.y + self._shift[1] + high)
        self._scale.xyz = (side, -side, 1)
        self._settled()

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        """A place on the window as a place in the picture."""
        return (x - self._translate.x) / self.pixels, (self._translate.y - y) / self.pixels

    def to_window_place(self, x: float, y: float) -> tuple[float, float]:
        """A place in the picture as a place on the window."""
        return self._translate.x + x * self.pixels, self._translate.y - y * self.pixels

    def zoom_at(self, zoom: float, x: float, y: float) -> None:
        """Zooms so that what lies at this place of the window stays there."""
        px, py = self.to_picture(x, y)
        self._looks_at = self._over = None
        self.zoom = min(_CLOSEST, max(1.0, zoom))
        side = self.pixels
        self._shift = (x - self.x - px * side, y - self.y - (self.picture_height - py) * side)
        self._place()

    def look_at(self, x: float, y: float, zoom: float) -> None:
        """Brings a place of the picture to the middle, and keeps it there until somebody moves it."""
        self._looks_at, self._over = (x, y), None
        self.zoom = min(_CLOSEST, max(1.0, zoom))
        side = self.pixels
        self._shift = (self.width / 2 - x * side, self.height / 2 - (self.picture_height - y) * side)
        self._place()

    def look_over(self, box: tuple[float, float, float, float]) -> None:
        """Brings a part of the picture (left, top, right, bottom) into sight, with some room around it."""
        self._over = box
        if self.fit <= 0:
            # Not laid out yet: as soon as it has a size.
            return
        left, top, right, bottom = box
        wide, high = (max(right - left, 0.05) * _ROOM, max(bottom - top, 0.05) * _ROOM)
        closest = min(self.width / (wide * self.fit), self.height / (high * self.fit))
        self.look_at((left + right) / 2, (top + bottom) / 2, min(closest, max(1.0, dp(_NEAR) / self.fit)))
        self._over = box

    def move(self, dx: float, dy: float) -> None:
        self._looks_at = self._over = None
        self._shift = (self._shift[0] + dx, self._shift[1] + dy)
        self._place()

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if not self.collide_point(*touch.pos) or self.disabled:
            return False
        if getattr(touch, "is_mouse_scrolling", False):
            self.zoom_at(self.zoom * (0.85 if touch.button == "scrollup" else 1.18), *touch.pos)
            return True
        if not self._fingers:
            self._moved = False
        touch.grab(self)
        self._fingers.append(touch)
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self or touch not in self._fingers:
            return False
        if len(self._fingers) == 1:
            if self._moved or math.dist(touch.pos, touch.opos) > dp(_STILL):
                self._moved = True
                self.move(touch.dx, touch.dy)
        else:
            self._moved = True
            self._pinch(touch)
        return True

    def _pinch(self, touch: MotionEvent) -> None:
        other = next(f for f in self._fingers if f is not touch)
        before = math.dist(touch.ppos, other.pos)
        now = math.dist(touch.pos, other.pos)
        middle = ((touch.x + other.x) / 2, (touch.y + other.y) / 2)
        if before > dp(_STILL):
            self.zoom_at(self.zoom * now / before, *middle)
        self.move(touch.dx / 2, touch.dy / 2)

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if touch in self._fingers:
            self._fingers.remove(touch)
        if not self._moved and not self._fingers:
            if touch.is_double_tap:
                self.zoom_at(1.0 if self.zoom > 1.5 else _DOUBLE_TAP_ZOOM, *touch.pos)
            else:
                self.dispatch("on_pick", *self.to_picture(*touch.pos), dp(theme.TOUCH / 2) / self.pixels)
        return True

    def show_whole(self) -> None:
        """All of it again."""
        self._looks_at = self._over = None
        self.zoom = 1
        self._place()

    def show_texture(self, texture: Texture | None, strength: float = 1.0) -> None:
        """What lies at the bottom; with less strength it steps back behind what lies above."""
        self.below.clear()
        if texture is not None:
            self.below.add(Color(1, 1, 1, strength))
            self.below.add(Rectangle(texture=texture, pos=(0, 0), size=(1, self.picture_height)))

    def show_shapes(self, parts: list[Triangles], labels: list[Label], alphas: dict[str, float]) -> None:
        """What lies above it, in colours that may be see-through."""
        self.above.clear()
        for part in parts:
            self.above.add(Color(*theme.rgba(part.color, alphas.get(part.color, 1.0))))
            self.above.add(Mesh(vertices=part.corners, indices=part.indices, mode="triangles"))
        for label in labels:
            self.above.add(Color(*theme.rgba(label.color)))
            self.above.add(_words(label))

    def show_outline(self, corners: Sequence[Point], color: theme.Rgba, thick: float) -> None:
        """A closed line, `thick` in pixels of the window, on a darker one: seen on any picture."""
        width = thick / max(1.0, self.pixels)
        closed = (*corners, corners[0])
        for ink, wide in (((0.0, 0.0, 0.0, 0.6), 1.8 * width), (color, width)):
            for part in triangles([Polyline(closed, "doubt", None, "#000000", wide)])[0]:
                self.above.add(Color(*ink))
                self.above.add(Mesh(vertices=part.corners, indices=part.indices, mode="triangles"))


def _within(shift: float, window: float, picture: float) -> float:
    if picture <= window:
        return (window - picture) / 2
    return min(0.0, max(window - picture, shift))


def _words(label: Label) -> Rectangle:
    core = CoreLabel(text=label.text, font_size=48, font_name=theme.NARROW_FONT)
    core.refresh()
    texture = core.texture
    height = label.size * 1.25
    width = height * texture.width / max(1, texture.height)
    x, y = label.at
    # Pictures are drawn downwards here, texts of the window upwards.
    return Rectangle(texture=texture, pos=(x - width / 2, y + height / 2), size=(width, -height))


def texture_of(size: tuple[int, int], pixels: bytes, colors: str = "rgb") -> Texture:
    """A texture from rows of pixels, the top row first."""
    texture = Texture.create(size=size, colorfmt=colors)
    texture.blit_buffer(pixels, colorfmt=colors, bufferfmt="ubyte")
    texture.min_filter = texture.mag_filter = "linear"
    return texture

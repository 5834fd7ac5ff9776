"""Paints a scene with Pillow. Everything is drawn larger and shrunk, so that edges come out smooth."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from maps.board import Point
from maps.drawing.fonts import font
from maps.drawing.scene import Scene
from maps.drawing.shapes import Circle, Polygon, Polyline, Shape, Words

_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
# Above this many pixels across, twice as large is smooth enough and keeps memory in bounds.
_LARGE = 6000


def to_image(scene: Scene, width: int = 1600) -> Image.Image:
    """The picture of a scene, that many pixels wide: RGB on its paper, RGBA where it has none."""
    times = 3 if width * 3 <= _LARGE else 2
    size = (width * times, max(1, round(width * scene.height)) * times)
    image = Image.new("RGB", size, scene.background) if scene.background else Image.new("RGBA", size)
    brush = _Brush(ImageDraw.Draw(image), width * times)
    for shape in scene.shapes:
        brush.paint(shape)
    return image.reduce(times)


class _Brush:
    def __init__(self, draw: ImageDraw.ImageDraw, scale: float) -> None:
        self.draw, self.scale = draw, scale

    def paint(self, shape: Shape) -> None:
        if isinstance(shape, Polygon):
            self._polygon(shape)
        elif isinstance(shape, Polyline):
            self._line(shape.points, shape.stroke, shape.width)
        elif isinstance(shape, Circle):
            self._circle(shape)
        else:
            self._words(shape)

    def _points(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self.scale, y * self.scale) for x, y in points]

    def _polygon(self, shape: Polygon) -> None:
        if shape.fill:
            self.draw.polygon(self._points(shape.points), fill=shape.fill)
        if shape.stroke and shape.width:
            self._line((*shape.points, shape.points[0]), shape.stroke, shape.width)

    def _line(self, points: Sequence[Point], stroke: str, width: float) -> None:
        pixels = max(1, round(width * self.scale))
        scaled = self._points(points)
        self.draw.line(scaled, fill=stroke, width=pixels, joint="curve")
        if pixels > 3:
            for x, y in (scaled[0], scaled[-1]):
                self.draw.circle((x, y), pixels / 2, fill=stroke)

    def _circle(self, shape: Circle) -> None:
        centre, half = (shape.x * self.scale, shape.y * self.scale), shape.width / 2 if shape.stroke else 0.0
        if shape.stroke and half:
            # Strokes lie centred on the rim: a larger disc below a smaller one, or a ring where nothing fills it.
            if shape.fill:
                self.draw.circle(centre, (shape.radius + half) * self.scale, fill=shape.stroke)
            else:
                pixels = max(1, round(shape.width * self.scale))
                self.draw.circle(centre, (shape.radius + half) * self.scale, outline=shape.stroke, width=pixels)
        if shape.fill:
            self.draw.circle(centre, (shape.radius - half) * self.scale, fill=shape.fill)

    def _words(self, shape: Words) -> None:
        self.draw.text(
            (shape.x * self.scale, shape.y * self.scale),
            shape.text,
            fill=shape.fill,
            font=font(shape.weight, round(shape.size * self.scale, 2)),
            anchor=_ANCHORS[shape.anchor],
            stroke_width=round(shape.halo_width * self.scale) if shape.halo else 0,
            stroke_fill=shape.halo,
        )

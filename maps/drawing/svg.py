"""Writes a scene as SVG: one file, no outside parts, groups with the ids of routes and cities."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape

from maps.board import Point
from maps.drawing.fonts import FAMILY, WEIGHTS, extent
from maps.drawing.scene import Scene
from maps.drawing.shapes import Circle, Part, Polygon, Polyline, Shape, Words

# Units of the picture over the board's width: large enough that two decimals do.
_SCALE = 1000


def to_svg(scene: Scene) -> str:
    """The scene as a whole SVG document."""
    width, height = _SCALE, _number(scene.height)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} lang="{scene.language}" role="img" aria-labelledby="title">',
        f'<title id="title">{escape(scene.title)}</title>',
    ]
    if scene.background:
        lines.append(f'<rect width="{width}" height="{height}" fill="{scene.background}"/>')
    lines.append(
        f'<g stroke-linecap="round" stroke-linejoin="round" font-family="{FAMILY}" font-weight="{WEIGHTS["medium"]}">'
    )
    lines += _groups(scene)
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _layer(shape: Shape) -> tuple[Part, str | None]:
    # The marks on a track belong to it.
    return ("track" if shape.part == "mark" else shape.part), shape.depicts


def _groups(scene: Scene) -> Iterator[str]:
    used: set[str] = set()
    for (part, depicts), shapes in groupby(scene.shapes, _layer):
        name = f"{part}-{depicts}" if depicts else part
        opening = f'<g id="{name}" class="{part}">' if name not in used else f'<g class="{part}">'
        used.add(name)
        title = f"<title>{escape(scene.names[depicts])}</title>" if depicts else ""
        yield opening + title + "".join(_element(shape) for shape in shapes) + "</g>"


def _number(value: float) -> str:
    return f"{value * _SCALE:.2f}".rstrip("0").rstrip(".")


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _paint(shape: Polygon | Circle) -> str:
    stroke = f' stroke="{shape.stroke}" stroke-width="{_number(shape.width)}"' if shape.stroke else ""
    return f'fill="{shape.fill or "none"}"{stroke}'


def _element(shape: Shape) -> str:
    if isinstance(shape, Polygon):
        return f'<polygon points="{_points(shape.points)}" {_paint(shape)}/>'
    if isinstance(shape, Polyline):
        line = f'points="{_points(shape.points)}" stroke="{shape.stroke}" stroke-width="{_number(shape.width)}"'
        return f'<polyline {line} fill="none"/>'
    if isinstance(shape, Circle):
        circle = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"'
        return f"<circle {circle} {_paint(shape)}/>"
    return _text(shape)


def _text(shape: Words) -> str:
    # The length is given, so that a text keeps its place where the font is missing.
    length = _number(extent(shape.text, shape.weight)[0] * shape.size)
    attributes = [
        f'x="{_number(shape.x)}" y="{_number(shape.y)}" font-size="{_number(shape.size)}"',
        f'text-anchor="{shape.anchor}" textLength="{length}" lengthAdjust="spacingAndGlyphs" fill="{shape.fill}"',
    ]
    if shape.weight != "medium":
        attributes.append(f'font-weight="{WEIGHTS[shape.weight]}"')
    if shape.halo:
        halo = _number(2 * shape.halo_width)
        attributes.append(f'stroke="{shape.halo}" stroke-width="{halo}" paint-order="stroke"')
    return f"<text {' '.join(attributes)}>{escape(shape.text)}</text>"

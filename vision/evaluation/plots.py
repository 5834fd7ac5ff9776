"""Draws the curves of a stress sweep: one picture per board, one small chart per way of making photos worse."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from maps.drawing.fonts import font
from vision.evaluation.stress import Curve

# Size of one chart, what is left around its frame (left, top, right, bottom), and charts beside each other.
_WIDE, _HIGH = 400, 270
_FRAME = (58, 46, 18, 48)
_ACROSS = 4
_TITLE, _LEGEND = 56, 40
_PAPER, _INK, _QUIET, _LINES = "#ffffff", "#1f2933", "#6b7680", "#e3e7eb"
# Line colours that stay apart for the colour-blind, too; each also has its own mark.
_SERIES = (("found", "#8a94a0"), ("right_or_flagged", "#e08a1e"), ("right", "#1c62c4"))
_FAILS = "#c62828"


def plot(curves: Sequence[Curve], title: str, say: Callable[[str], str]) -> Image.Image:
    """All charts of one board. `say` gives the words for `harm.<name>`, `series.<name>`, `unit.<unit>` and `plain`."""
    down = -(-len(curves) // _ACROSS)
    across = min(len(curves), _ACROSS)
    page = Image.new("RGB", (across * _WIDE, _TITLE + down * _HIGH + _LEGEND), _PAPER)
    pen = ImageDraw.Draw(page)
    pen.text((24, _TITLE / 2), title, _INK, font("bold", 26), "lm")
    for i, curve in enumerate(curves):
        _chart(pen, curve, (i % _ACROSS) * _WIDE, _TITLE + (i // _ACROSS) * _HIGH, say)
    _legend(pen, page.height - _LEGEND / 2, say)
    return page


def _chart(pen: ImageDraw.ImageDraw, curve: Curve, left: float, top: float, say: Callable[[str], str]) -> None:
    x0, y0 = left + _FRAME[0], top + _FRAME[1]
    x1, y1 = left + _WIDE - _FRAME[2], top + _HIGH - _FRAME[3]
    unit = f" ({say(f'unit.{curve.unit}')})" if curve.unit else ""
    pen.text((x0, top + 24), say(f"harm.{curve.harm}") + unit, _INK, font("bold", 19), "lm")
    for share in (0, 25, 50, 75, 100):
        y = y1 - (y1 - y0) * share / 100
        pen.line([(x0, y), (x1, y)], _LINES, 1)
        pen.text((x0 - 8, y), f"{share} %", _QUIET, font("medium", 15), "rm")
    places = [x0 + (x1 - x0) * (i + 0.5) / len(curve.points) for i in range(len(curve.points))]
    for i, (x, point) in enumerate(zip(places, curve.points, strict=True)):
        pen.text((x, y1 + 14), f"{point.step:g}" if i else say("plain"), _QUIET, font("medium", 15), "mm")
    if curve.fails_at is not None:
        x = places[[p.step for p in curve.points[1:]].index(curve.fails_at) + 1]
        for y in range(round(y0), round(y1), 9):
            pen.line([(x, y), (x, y + 4)], _FAILS, 2)
    for name, color in _SERIES:
        values = [getattr(p, name) for p in curve.points]
        line = [(x, y1 - (y1 - y0) * value) for x, value in zip(places, values, strict=True)]
        pen.line(line, color, 3, joint="curve")
        for at in line:
            _mark(pen, name, at, color)


def _mark(pen: ImageDraw.ImageDraw, name: str, at: tuple[float, float], color: str) -> None:
    x, y = at
    if name == "found":
        pen.rectangle((x - 4, y - 4, x + 4, y + 4), color)
    elif name == "right":
        pen.ellipse((x - 5, y - 5, x + 5, y + 5), color)
    else:
        pen.polygon([(x, y - 6), (x + 6, y + 4), (x - 6, y + 4)], color)


def _legend(pen: ImageDraw.ImageDraw, y: float, say: Callable[[str], str]) -> None:
    x = 24.0
    words = font("medium", 17)
    for name, color in (*_SERIES, ("fails", _FAILS)):
        pen.line([(x, y), (x + 30, y)], color, 3)
        if name != "fails":
            _mark(pen, name, (x + 15, y), color)
        pen.text((x + 40, y), say(f"series.{name}"), _INK, words, "lm")
        x += 40 + words.getlength(say(f"series.{name}")) + 36

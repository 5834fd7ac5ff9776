"""The bundled font: where it lies, and how large a text comes out in it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from PIL import ImageFont

Weight = Literal["medium", "bold"]

FAMILY = "'Roboto Condensed', 'Arial Narrow', 'Liberation Sans Narrow', 'Helvetica Neue', Arial, sans-serif"
WEIGHTS: dict[Weight, int] = {"medium": 500, "bold": 700}
_FOLDER = Path(__file__).parent.parent / "fonts"
_MEASURED_AT = 200


def font_file(weight: Weight) -> Path:
    return _FOLDER / f"RobotoCondensed-{weight.title()}.ttf"


def emoji_file() -> Path:
    """Signs that people write into names."""
    return _FOLDER / "NotoEmoji-Regular.ttf"


@lru_cache(maxsize=64)
def font(weight: Weight, pixels: float) -> ImageFont.FreeTypeFont:
    # The basic layout engine is part of every Pillow, so that texts come out alike everywhere.
    return ImageFont.truetype(font_file(weight), pixels, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=2048)
def extent(text: str, weight: Weight) -> tuple[float, float, float]:
    """Width, height above and depth below the baseline of a text of size 1."""
    known = font(weight, _MEASURED_AT)
    _, top, _, bottom = known.getbbox(text, anchor="ls")
    return known.getlength(text) / _MEASURED_AT, -top / _MEASURED_AT, bottom / _MEASURED_AT

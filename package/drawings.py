"""Draws the icon and the picture shown while the app loads: a track of wagons in a camera's viewfinder.

`python -m package.drawings` writes the PNG files of this folder again.
"""

from __future__ import annotations

import math
from pathlib import Path

from PIL import Image, ImageDraw

from maps.drawing.fonts import font
from maps.drawing.palette import LIGHT, WAGONS

FOLDER = Path(__file__).parent
# Android shows the inner two thirds of an adaptive icon for sure.
ICON, ADAPTIVE, SAFE = 512, 432, 2 / 3
PRESPLASH = 1024
GROUND, TRACK, FRAME = "#1f4e5f", "#123540", "#faf8f3"
# Drawn larger and shrunk: smooth edges.
FINE = 4
_COLORS = ("red", "yellow", "green", "blue")


def _motif(side: int, frame: str = FRAME) -> Image.Image:
    """Viewfinder and wagons on nothing."""
    image = Image.new("RGBA", (side * FINE, side * FINE))
    pen = ImageDraw.Draw(image)
    unit = side * FINE / 100
    _viewfinder(pen, unit, frame)
    for i, color in enumerate(_COLORS):
        # Along an arc, as routes bend on a map.
        angle = math.radians(-46.5 + 31 * i)
        x, y = 50 + 38 * math.sin(angle), 83 - 38 * math.cos(angle)
        _slab(pen, unit, (x, y), angle, (20.5, 13.5), TRACK)
        _slab(pen, unit, (x, y), angle, (17.5, 10.5), WAGONS[color].fill)
    return image.resize((side, side), Image.Resampling.LANCZOS)


def _viewfinder(pen: ImageDraw.ImageDraw, unit: float, color: str) -> None:
    """The four corners of a camera's frame."""
    near, far, arm, thick = 6, 94, 20, 5
    for x, y in ((near, near), (far, near), (near, far), (far, far)):
        dx, dy = (1 if x == near else -1), (1 if y == near else -1)
        for box in ((x, y, x + dx * arm, y + dy * thick), (x, y, x + dx * thick, y + dy * arm)):
            left, right = sorted((box[0], box[2]))
            top, bottom = sorted((box[1], box[3]))
            pen.rounded_rectangle((left * unit, top * unit, right * unit, bottom * unit), thick * unit / 3, color)


def _slab(
    pen: ImageDraw.ImageDraw, unit: float, at: tuple[float, float], angle: float, size: tuple[float, float], color: str
) -> None:
    """A rectangle turned around its middle."""
    cos, sin = math.cos(angle), math.sin(angle)
    half_x, half_y = size[0] / 2, size[1] / 2
    corners = ((-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y))
    pen.polygon([((at[0] + x * cos - y * sin) * unit, (at[1] + x * sin + y * cos) * unit) for x, y in corners], color)


def icon() -> Image.Image:
    """The icon of older phones and shops: a rounded square."""
    large = ICON * FINE
    mask = Image.new("L", (large, large))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, large - 1, large - 1), large * 0.2, 255)
    image = Image.new("RGBA", (ICON, ICON), GROUND)
    inner = round(ICON * 0.8)
    image.alpha_composite(_motif(inner), ((ICON - inner) // 2, (ICON - inner) // 2))
    image.putalpha(mask.resize((ICON, ICON), Image.Resampling.LANCZOS))
    return image


def foreground() -> Image.Image:
    image = Image.new("RGBA", (ADAPTIVE, ADAPTIVE))
    inner = round(ADAPTIVE * SAFE * 0.82)
    image.alpha_composite(_motif(inner), ((ADAPTIVE - inner) // 2, (ADAPTIVE - inner) // 2))
    return image


def background() -> Image.Image:
    return Image.new("RGB", (ADAPTIVE, ADAPTIVE), GROUND)


def presplash() -> Image.Image:
    """Motif and name on the paper of the first screen, so that nothing jumps when it appears."""
    image = Image.new("RGBA", (PRESPLASH, PRESPLASH), LIGHT.paper)
    inner = round(PRESPLASH * 0.42)
    image.alpha_composite(_motif(inner, GROUND), ((PRESPLASH - inner) // 2, round(PRESPLASH * 0.2)))
    name = font("bold", round(PRESPLASH * 0.09))
    ImageDraw.Draw(image).text((PRESPLASH / 2, PRESPLASH * 0.74), "Companion", LIGHT.ink, name, anchor="mm")
    return image.convert("RGB")


PICTURES = {
    "icon": icon,
    "icon_foreground": foreground,
    "icon_background": background,
    "presplash": presplash,
}


def main() -> None:
    for name, draw in PICTURES.items():
        draw().save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()

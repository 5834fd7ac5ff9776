"""Draws boards: `scene` puts one together from shapes, `to_image`, `to_svg` and `save` turn it into a picture."""

from __future__ import annotations

from pathlib import Path

from maps.drawing.palette import DARK, LIGHT, Theme
from maps.drawing.png import to_image
from maps.drawing.scene import Owner, Scene, scene
from maps.drawing.shapes import PIECES, PRINTED, REMARKS, Part, Shape
from maps.drawing.svg import to_svg
from maps.message import Trouble

__all__ = [
    "DARK",
    "LIGHT",
    "PIECES",
    "PRINTED",
    "REMARKS",
    "Owner",
    "Part",
    "Scene",
    "Shape",
    "Theme",
    "save",
    "scene",
    "to_image",
    "to_svg",
]

_PAINTED = (".png", ".jpg", ".jpeg", ".webp")


def save(scene: Scene, path: Path | str, width: int = 1600) -> None:
    """Writes a scene to a file; its ending says how: .png, .jpg, .webp, or .svg (which needs no width)."""
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in (*_PAINTED, ".svg"):
        raise Trouble("unknown-picture-ending", file=path.name)
    try:
        if ending == ".svg":
            path.write_text(to_svg(scene), encoding="utf-8")
        else:
            image = to_image(scene, width)
            image.convert("RGB").save(path, quality=92) if ending != ".png" else image.save(path)
    except OSError as e:
        raise Trouble("picture-not-written", file=str(path), reason=e.strerror or str(e)) from e

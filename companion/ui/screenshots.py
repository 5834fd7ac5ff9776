"""Every screen as a picture, in all sizes and both languages."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.table.settings import TEXT_SIZES
from companion.ui import demo
from companion.ui.showcase import screens
from companion.ui.stage import Stage
from maps import LANGUAGES

# Upright phone, on its side, the narrowest phone, a desktop; and a phone with the largest words.
SIZES = {
    "portrait": (360, 780), "landscape": (780, 360), "narrow": (320, 640), "desktop": (1100, 760), "large": (412, 915),
}  # fmt: skip


def text_of(size: str) -> float:
    """How large words are in pictures of that size."""
    return TEXT_SIZES[-1] if size == "large" else TEXT_SIZES[0]


def take(out: Path, tell: Callable[[str], None]) -> list[Path]:
    """Makes all pictures; their files. Told is each name, and whatever is wrong with what it shows."""
    out.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    with tempfile.TemporaryDirectory() as home:
        for language in LANGUAGES:
            desk = demo.desk(Path(home), language)
            stage = Stage(desk, *SIZES["portrait"])
            for size, (width, height) in SIZES.items():
                stage.resize(width, height)
                for look in ("light", "dark") if size == "portrait" else ("light",):
                    desk.change(look=look, text=text_of(size))
                    stage.app.restyle()
                    for name, path in _each(stage, Path(home) / "photos", out, f"{size}-{look}-{language}"):
                        tell(name)
                        made.append(path)
            stage.close()
    return made


def _each(stage: Stage, photos: Path, out: Path, ending: str) -> Iterator[tuple[str, Path]]:
    # Kivy's widgets open the window: they are loaded when there is one.
    from companion.ui.inspection import problems

    for name, show in screens(photos):
        stage.app.answer()
        stage.app.home()
        show(stage)
        stage.settle()
        path = out / f"{name}-{ending}.png"
        stage.picture(path)
        yield " ".join([path.name, *problems(stage)]), path

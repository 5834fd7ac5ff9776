"""Every screen as a picture, in all sizes and both languages."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image, ImageDraw

from companion.table.settings import TEXT_SIZES
from companion.ui import demo
from companion.ui.showcase import screens
from companion.ui.stage import Stage
from maps import LANGUAGES
from maps.drawing.fonts import font

# Upright phone, on its side, the narrowest phone, a desktop; and phones with the largest words.
SIZES = {
    "portrait": (360, 780), "landscape": (780, 360), "narrow": (320, 640), "desktop": (1100, 760),
    "large": (412, 915), "large-landscape": (780, 360), "large-narrow": (320, 640),
}  # fmt: skip


def text_of(size: str) -> float:
    """How large words are in pictures of that size."""
    return TEXT_SIZES[-1] if size.startswith("large") else TEXT_SIZES[0]


# A whole evening, screen by screen; `app.evening.NAME` says what happens there.
EVENING = (
    "home-first", "players", "table", "claim", "tunnel-extra", "review-new",
    "table-last-round", "ticket", "finish-tickets", "sheet-revealing", "sheet", "evidence-tickets",
)  # fmt: skip
_A_ROW, _SCALE, _GAP, _CAPTION = 6, 0.62, 14, 46


def evening(out: Path, tell: Callable[[str], None]) -> list[Path]:
    """A whole evening as one picture in each language; their files."""
    out.mkdir(parents=True, exist_ok=True)
    made = []
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as home:
            desk = demo.desk(Path(home), language)
            stage = Stage(desk, *SIZES["portrait"])
            shown = dict(screens(Path(home) / "photos"))
            pictures = []
            for name in EVENING:
                path, _ = _one(stage, name, shown[name], Path(home), "")
                pictures.append((desk.say(f"evening.{name}"), Image.open(path).convert("RGB")))
            stage.close()
            made.append(out / f"evening-{language}.png")
            # A palette is enough for screens, and a third of the bytes.
            _series(pictures).quantize(200).save(made[-1], optimize=True)
        tell(made[-1].name)
    return made


def _series(pictures: list[tuple[str, Image.Image]]) -> Image.Image:
    """Pictures in rows, each below its words."""
    wide, high = (round(side * _SCALE) for side in pictures[0][1].size)
    rows = -(-len(pictures) // _A_ROW)
    whole = Image.new("RGB", (_A_ROW * (wide + _GAP) + _GAP, rows * (high + _CAPTION + _GAP) + _GAP), "#ffffff")
    pen = ImageDraw.Draw(whole)
    for i, (words, picture) in enumerate(pictures):
        x, y = _GAP + i % _A_ROW * (wide + _GAP), _GAP + i // _A_ROW * (high + _CAPTION + _GAP)
        pen.multiline_text((x, y), _wrapped(f"{i + 1}. {words}", wide), "#1f2933", font("bold", 16), spacing=2)
        whole.paste(picture.resize((wide, high), Image.Resampling.LANCZOS), (x, y + _CAPTION))
        pen.rectangle((x - 1, y + _CAPTION - 1, x + wide, y + _CAPTION + high), outline="#c9ced3")
    return whole


def _wrapped(text: str, wide: int) -> str:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font("bold", 16).getlength(longer) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines)


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
    for name, show in screens(photos):
        path, wrong = _one(stage, name, show, out, f"-{ending}")
        yield " ".join([path.name, *wrong]), path


def _one(stage: Stage, name: str, show: Callable[[Stage], object], out: Path, ending: str) -> tuple[Path, list[str]]:
    """A screen as a file, and whatever is wrong with what it shows."""
    # Kivy's widgets open the window: they are loaded when there is one.
    from companion.ui.inspection import problems

    stage.app.answer()
    stage.app.home()
    show(stage)
    stage.settle()
    path = out / f"{name}{ending}.png"
    stage.picture(path)
    return path, problems(stage)

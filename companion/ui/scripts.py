"""Names in any script: where our font has no letters for them, a font of Kivy's or of the system is taken."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from unicodedata import category

from PIL import ImageFont

# Where systems keep their fonts: Linux, Android, Windows, macOS.
_FOLDERS = (
    "/usr/share/fonts", "/usr/local/share/fonts", "/system/fonts", str(Path(os.environ.get("WINDIR", "")) / "Fonts"),
    "/System/Library/Fonts", "/Library/Fonts",
)  # fmt: skip
# Names of fonts with many letters, the likeliest first; never the whole folder, of which some have thousands.
_WIDE = (
    "NotoSansHebrew-Regular", "NotoNaskhArabic-Regular", "NotoSansArabic-Regular", "NotoSansCJK-Regular",
    "DroidSansFallbackFull", "DroidSansFallback", "NotoSansThai-Regular", "NotoSansDevanagari-Regular",
    "NotoEmoji-Regular", "Symbola", "wqy-microhei", "wqy-zenhei", "arialuni", "msyh", "msgothic", "malgun", "seguiemj",
    "seguisym", "segoeui", "PingFang", "Hiragino Sans GB", "Arial Unicode", "FreeSans", "unifont",
)  # fmt: skip
# Below this every letter is in our own font.
_PLAIN = 0x250
_MISSING = "\U0010fffe"


@lru_cache(maxsize=1)
def _own() -> tuple[str, str]:
    """The app's font, and the one with many signs that comes with Kivy."""
    from kivy.resources import resource_find

    roboto, wide = (resource_find(f"data/fonts/{name}.ttf") for name in ("Roboto-Regular", "DejaVuSans"))
    return str(roboto), str(wide)


@lru_cache(maxsize=1)
def _system() -> tuple[str, ...]:
    """Fonts of this system that may help."""
    found: dict[str, str] = {}
    for folder in (f for f in _FOLDERS if Path(f).is_dir()):
        for name in _files(folder):
            found.setdefault(Path(name).stem.casefold(), name)
    return tuple(found[n.casefold()] for n in _WIDE if n.casefold() in found)


def _files(folder: str) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        yield from (str(Path(place) / n) for n in names if n.lower().endswith((".ttf", ".otf", ".ttc")))


@lru_cache(maxsize=2048)
def _covers(font: str, letter: str) -> bool:
    """Whether a font has a letter: what it has not it draws as an empty box."""
    try:
        drawn = ImageFont.truetype(font, 24, layout_engine=ImageFont.Layout.BASIC)
        return bytes(drawn.getmask(letter)) != bytes(drawn.getmask(_MISSING))
    except (OSError, ValueError):
        return False


@lru_cache(maxsize=512)
def font_for(text: str) -> str | None:
    """The font that has most of the letters that ours lacks; None where ours has them all, or no font helps."""
    strange = {c for c in text if ord(c) >= _PLAIN and category(c)[0] in "LMNS"}
    if not strange:
        return None
    own, wide = _own()
    missing = {c for c in strange if not _covers(own, c)}
    if not missing:
        return None
    if all(_covers(wide, c) for c in missing):
        return wide
    # The system's fonts are looked for only now: there may be thousands. One that has all letters is best.
    every = [c for c in text if category(c)[0] in "LMNS"]
    best = max((wide, *_system()), key=lambda font: sum(_covers(font, c) for c in every))
    return best if any(_covers(best, c) for c in missing) else None

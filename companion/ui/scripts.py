"""Names in any script: where our font has no letters for them, a font of Kivy's or of the system is taken.

Kivy draws letters from left to right, as they are typed: Hebrew and Arabic are put in order here, and joined.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from unicodedata import bidirectional, category

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
# Marks for bold, size and font, and the brackets that are written out.
_MARK = re.compile(r"(\[/?[a-z]+[0-9]?(?:=[^\]]*)?\]|&(?:amp|bl|br);)")
_RIGHT_TO_LEFT = ("R", "AL")
# What stands for a sign that no font here has: better than an empty box.
_UNKNOWN = "◆"
# Joins signs or chooses how they look: a font that draws each for itself has nothing to show for it.
_UNSEEN = re.compile("[\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")


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


def shaped(text: str) -> str:
    """As it is drawn from left to right; what is read from left to right anyway stays as it is.

    >>> shaped("Ada"), shaped("שרה") == "שרה"[::-1]
    ('Ada', True)
    """
    if not any(bidirectional(c) in _RIGHT_TO_LEFT for c in text):
        return text
    from arabic_reshaper import reshape
    from bidi.algorithm import get_display

    return str(get_display(reshape(text)))


def written(text: str, marked: bool) -> str | None:
    """A text with marks that name a font for every part that needs another one; None where ours has everything.

    `marked`: the text has marks for bold and size already.
    """
    if all(ord(c) < _PLAIN or category(c)[0] not in "LMNSC" or _covers(_own()[0], c) for c in text):
        return None
    parts = _MARK.split(text) if marked else [text]
    return "".join(part if marked and i % 2 else _in_fonts(part) for i, part in enumerate(parts))


def _in_fonts(text: str) -> str:
    """One run after the other, each in a font that has its letters; brackets are written out."""
    told, run, font = "", "", ""
    for letter in shaped(_UNSEEN.sub("", text)):
        found = _font_of(letter)
        letter = letter if found is not None else _UNKNOWN
        # Spaces and points go on in the font before them.
        needed = font if category(letter)[0] in "ZP" else _own()[1] if found is None else found
        if needed != font:
            told, run, font = told + _run(run, font), "", needed
        run += letter
    return told + _run(run, font)


def _run(text: str, font: str) -> str:
    plain = text.replace("&", "&amp;").replace("[", "&bl;").replace("]", "&br;")
    return f"[font={font}]{plain}[/font]" if font and text else plain


@lru_cache(maxsize=2048)
def _font_of(letter: str) -> str | None:
    """The font for a letter: empty for ours, None where no font here has it."""
    own, wide = _own()
    if ord(letter) < _PLAIN or category(letter)[0] not in "LMNSC" or _covers(own, letter):
        return ""
    return next((font for font in (wide, *_system()) if _covers(font, letter)), None)

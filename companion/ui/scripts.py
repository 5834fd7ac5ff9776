"""Names in any script: where our font has no letters for them, one of Kivy's, our emoji or one of the system is taken.

Kivy draws letters from left to right, as they are typed: Hebrew and Arabic are put in order here, and joined.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from unicodedata import bidirectional, category, name

from PIL import ImageFont

from maps.drawing.fonts import emoji_file

# Where systems keep their fonts: Linux, Android, Windows, macOS.
_FOLDERS = (
    "/usr/share/fonts", "/usr/local/share/fonts", "/system/fonts", str(Path(os.environ.get("WINDIR", "")) / "Fonts"),
    "/System/Library/Fonts", "/Library/Fonts",
)  # fmt: skip
# Names of fonts with many letters, the likeliest first; of the others, which may be thousands, only those of a script.
_WIDE = (
    "NotoSansHebrew-Regular", "NotoNaskhArabic-Regular", "NotoSansArabic-Regular", "NotoSansCJK-Regular",
    "DroidSansFallbackFull", "DroidSansFallback", "NotoSansThai-Regular", "NotoSansDevanagari-Regular",
    "Symbola", "wqy-microhei", "wqy-zenhei", "arialuni", "msyh", "msgothic", "malgun", "Nirmala", "LeelawUI",
    "seguisym", "segoeui", "PingFang", "Hiragino Sans GB", "Arial Unicode", "FreeSans", "unifont",
)  # fmt: skip
# Below this every letter is in our own font, and from here on signs are emoji first of all.
_PLAIN, _EMOJI = 0x250, 0x1F000
_MISSING = "\U0010fffe"
# Marks for bold, size and font, and the brackets that are written out.
_MARK = re.compile(r"(\[/?[a-z]+[0-9]?(?:=[^\]]*)?\]|&(?:amp|bl|br);)")
_RIGHT_TO_LEFT = ("R", "AL")
# A mark that is not seen: what comes after it is read from left to right.
_LEFT_TO_RIGHT = "\u200e"
_NUMBER_AFTER = re.compile(r"(?<=[\u0590-\u08ff])(?=\W+\d)")
# What stands for a sign that no font here has: better than an empty box.
_UNKNOWN = "◆"
# Joins signs or chooses how they look: a font that draws each for itself has nothing to show for it.
_UNSEEN = re.compile("[\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")
# Whoever asks the system for a font waits for it no longer.
_ASKING_SECONDS = 1.0


@lru_cache(maxsize=1)
def _own() -> tuple[str, str]:
    """The app's font, and the one with many signs that comes with Kivy."""
    from kivy.resources import resource_find

    roboto, wide = (resource_find(f"data/fonts/{name}.ttf") for name in ("Roboto-Regular", "DejaVuSans"))
    return str(roboto), str(wide)


@lru_cache(maxsize=1)
def _installed() -> dict[str, str]:
    """Every font of this system, by its name in small letters."""
    found: dict[str, str] = {}
    for folder in (f for f in _FOLDERS if Path(f).is_dir()):
        for file in _files(folder):
            found.setdefault(Path(file).stem.casefold(), file)
    return found


def _files(folder: str) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        yield from (str(Path(place) / n) for n in names if n.lower().endswith((".ttf", ".otf", ".ttc")))


def script(letter: str) -> str:
    """What a letter is called by: its script, such as Thai; of a sign its whole name.

    >>> script("ไ"), script("\U0001f682")
    ('Thai', 'Steam locomotive')
    """
    words = name(letter, "U+" + format(ord(letter), "04X")).split()
    return words[0].capitalize() if category(letter)[0] in "LM" else " ".join(words).capitalize()


def _system(letter: str) -> Iterator[str]:
    """Fonts of this system that may have a letter, the likeliest first; what costs more is asked last."""
    every = _installed()
    yield from (every[n.casefold()] for n in _WIDE if n.casefold() in every)
    wanted = script(letter).casefold()
    named = [n for n in every if wanted in n and "italic" not in n]
    yield from (every[n] for n in sorted(named, key=lambda n: ("regular" not in n, len(n))))
    yield from _fontconfig(letter)


def _fontconfig(letter: str) -> Iterator[str]:
    """What a Linux desktop itself would take."""
    program = shutil.which("fc-match")
    if program is None:
        return
    wanted = f":charset={ord(letter):x}:scalable=true:color=false"
    try:
        told = subprocess.run(
            [program, "-f", "%{file}", wanted], capture_output=True, timeout=_ASKING_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return
    yield told.stdout.decode(errors="replace")


@lru_cache(maxsize=2048)
def _covers(font: str, letter: str) -> bool:
    """Whether a font has a letter: what it has not it draws as an empty box."""
    try:
        drawn = ImageFont.truetype(font, 24, layout_engine=ImageFont.Layout.BASIC)
        return bytes(drawn.getmask(letter)) != bytes(drawn.getmask(_MISSING))
    except (OSError, ValueError):
        return False


def shaped(text: str) -> str:
    """As it is drawn from left to right; what is read from left to right anyway stays as it is.

    >>> shaped("Ada"), shaped("שרה") == "שרה"[::-1]
    ('Ada', True)
    """
    if not any(bidirectional(c) in _RIGHT_TO_LEFT for c in text):
        return text
    from arabic_reshaper import reshape
    from bidi.algorithm import get_display

    if not reads_from_right(text):
        # A number after a name is no part of it: in "Ada 54, Sara 40" it stays behind hers.
        text = _NUMBER_AFTER.sub(_LEFT_TO_RIGHT, text)
    return str(get_display(reshape(text))).replace(_LEFT_TO_RIGHT, "")


def reads_from_right(text: str) -> bool:
    """Whether its first letter that has a direction is read from right to left."""
    first = next((bidirectional(c) for c in text if bidirectional(c) in ("L", *_RIGHT_TO_LEFT)), "L")
    return first in _RIGHT_TO_LEFT


def written(text: str, marked: bool) -> str | None:
    """A text with marks that name a font for every part that needs another one; None where ours has everything.

    `marked`: the text has marks for bold and size already.
    """
    if not strange(text):
        return None
    parts = _MARK.split(text) if marked else [text]
    return "".join(part if marked and i % 2 else _in_fonts(part) for i, part in enumerate(parts))


def strange(text: str) -> bool:
    """Whether there is something in it that our own font has not."""
    return any(not _ours(c) for c in text)


def _ours(letter: str) -> bool:
    return ord(letter) < _PLAIN or category(letter)[0] not in "LMNSC" or _covers(_own()[0], letter)


def runs(text: str) -> list[tuple[str, str]]:
    """What is drawn from left to right: pieces, each with the file of its font, empty for ours."""
    found: list[tuple[str, str]] = []
    for letter in shaped(_UNSEEN.sub("", text)):
        font = _font_of(letter)
        drawn, needed = (letter, font) if font is not None else (_UNKNOWN, _own()[1])
        before = found[-1][1] if found else ""
        # Spaces and points go on in the font before them.
        needed = before if category(letter)[0] in "ZP" and (not before or _covers(before, letter)) else needed
        if found and needed == before:
            found[-1] = (found[-1][0] + drawn, needed)
        else:
            found.append((drawn, needed))
    return found


def missing(text: str) -> list[str]:
    """Scripts and signs in it that no font here has."""
    return list(dict.fromkeys(script(c) for c in _UNSEEN.sub("", text) if _font_of(c) is None))


def _in_fonts(text: str) -> str:
    """One run after the other, each in a font that has its letters; brackets are written out."""
    return "".join(_run(piece, font) for piece, font in runs(text))


def _run(text: str, font: str) -> str:
    plain = text.replace("&", "&amp;").replace("[", "&bl;").replace("]", "&br;")
    return f"[font={font}]{plain}[/font]" if font and text else plain


@lru_cache(maxsize=2048)
def _font_of(letter: str) -> str | None:
    """The font for a letter: empty for ours, None where no font here has it."""
    if _ours(letter):
        return ""
    wide, emoji = _own()[1], str(emoji_file())
    first = (emoji, wide) if ord(letter) >= _EMOJI else (wide, emoji)
    fonts = (font for some in (first, _system(letter)) for font in some)
    return next((font for font in fonts if _covers(font, letter)), None)

"""Lines of lettering drawn in many fonts: what the readers of names learn from.

Fonts are whatever is installed; `python -m models.training.lettering` lists those that can be used.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from maps import load
from vision.names import folded

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
FOLDERS = ("/usr/share/fonts", "/usr/share/texmf", "/usr/share/texlive/texmf-dist/fonts", "/usr/local/share/fonts")
WORDS = ("american-english", "french", "ngerman", "italian", "spanish", "polish")
BOARDS = ("usa", "europe", "asia", "legendary-asia", "pennsylvania", "san-francisco", "united-kingdom")
_LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_ACCENTS = "éèüöäçñáíóøÉÈÜÖÄÇÑÁÍÓØ"
# What stands between two cities.
MARKS = ("-", "–", "—", "•", "·", "◆", "♦", "◊", "★", "✦", "*", "●", ".", ":", "/", "&", "→", "+", "|", "~")
# How alike a font's letters have to be to what letters usually look like.
LIKE = 0.52


@dataclass(frozen=True)
class Font:
    """A font file, its family, and whether its letters with accents are there."""

    path: str
    family: str
    accents: bool


@lru_cache(maxsize=1)
def fonts() -> tuple[Font, ...]:
    """All fonts with Latin letters that look like letters; kept in a list beside the cache of the user."""
    store = Path.home() / ".cache" / "companion-fonts.json"
    if store.is_file():
        return tuple(Font(*row) for row in json.loads(store.read_text()))
    found = _usable()
    store.parent.mkdir(exist_ok=True)
    store.write_text(json.dumps([(f.path, f.family, f.accents) for f in found]))
    return found


def _usable() -> tuple[Font, ...]:
    from fontTools.ttLib import TTFont

    paths = sorted(p for folder in FOLDERS for ext in ("ttf", "otf") for p in Path(folder).rglob(f"*.{ext}"))
    kept: list[Font] = []
    glyphs = []
    for path in paths:
        try:
            with TTFont(path, lazy=True) as font:
                covered = font.getBestCmap() or {}
            if any(ord(c) not in covered for c in _LATIN):
                continue
            drawn = ImageFont.truetype(str(path), 40)
            rows = np.stack([_glyph(drawn, c) for c in _LATIN])
            family = drawn.getname()[0] or path.stem
        except Exception:  # noqa: S112 - a broken font is not used, whatever is wrong with it
            continue
        if (rows.std((1, 2)) < 0.02).any():
            continue
        glyphs.append(rows)
        kept.append(Font(str(path), family, all(ord(c) in covered for c in _ACCENTS)))
    shapes = np.stack(glyphs)
    usual = np.median(shapes, axis=0)
    like = [_alike(rows, usual) for rows in shapes]
    return tuple(font for font, good in zip(kept, like, strict=True) if good > LIKE)


def _glyph(font: ImageFont.FreeTypeFont, letter: str) -> Floats:
    """A letter in its box, 20 by 20."""
    box = font.getbbox(letter)
    wide, high = max(int(box[2] - box[0]), 1), max(int(box[3] - box[1]), 1)
    page = Image.new("L", (wide, high))
    ImageDraw.Draw(page).text((-box[0], -box[1]), letter, 255, font)
    return np.asarray(page.resize((20, 20)), np.float32) / np.float32(255)


def _alike(rows: Floats, usual: Floats) -> float:
    a, b = rows - rows.mean((1, 2), keepdims=True), usual - usual.mean((1, 2), keepdims=True)
    return float(((a * b).sum((1, 2)) / np.sqrt((a**2).sum((1, 2)) * (b**2).sum((1, 2)) + 1e-6)).mean())


def families(held_out: bool, part: int = 12) -> list[list[Font]]:
    """Fonts by family: every twelfth family judges, the others train."""
    groups: dict[str, list[Font]] = {}
    for font in fonts():
        groups.setdefault(font.family, []).append(font)
    names = sorted(groups)
    return [groups[n] for n in names if (_hash(n) % part == 0) == held_out]


def _hash(text: str) -> int:
    return sum((n + 7) * ord(c) for n, c in enumerate(text)) * 2654435761 % 2**32 // 64


@lru_cache(maxsize=1)
def cities() -> tuple[str, ...]:
    """All spellings of all boards' cities."""
    every = {
        name
        for board in BOARDS
        for place in load(board).cities.values()
        for name in (place.name, place.names.en, place.names.fr, *place.aliases)
        if name
    }
    return tuple(sorted(every))


@lru_cache(maxsize=1)
def words() -> tuple[str, ...]:
    """Words of several languages, and towns all over the world."""
    import zoneinfo

    found = {zone.split("/")[-1].replace("_", " ") for zone in zoneinfo.available_timezones()}
    rng = np.random.default_rng(0)
    for name in WORDS:
        path = Path("/usr/share/dict") / name
        if path.is_file():
            lines = path.read_text(encoding="utf-8", errors="ignore").split("\n")
            found.update(lines[k] for k in rng.choice(len(lines), 12000))
    return tuple(sorted(w for w in found if 2 < len(w) < 16 and re.fullmatch(r"[\w' .-]+", w)))


def line(rng: np.random.Generator) -> str:
    """What a line says: two cities, one, words, letters at random, or a number."""
    kind = rng.random()
    names, others = cities(), words()

    def name() -> str:
        return names[rng.integers(len(names))] if rng.random() < 0.8 else others[rng.integers(len(others))]

    if kind < 0.5:
        mark = MARKS[rng.integers(len(MARKS))] if rng.random() < 0.7 else "-"
        gap = " " * int(rng.integers(0, 3))
        text = f"{name()}{gap}{mark}{gap}{name()}"
    elif kind < 0.68:
        text = name()
    elif kind < 0.83:
        text = " ".join(others[k] for k in rng.integers(len(others), size=rng.integers(1, 4)))
    elif kind < 0.89:
        text = "".join(_LATIN[k] for k in rng.integers(52, size=rng.integers(2, 12)))
    elif kind < 0.97:
        text = str(rng.integers(1, 30)) if rng.random() < 0.8 else f"{rng.integers(1, 16)}/{rng.integers(2, 16)}"
    else:
        text = f"{name()} {rng.integers(1, 30)}"
    way = rng.random()
    if way < 0.52:
        text = text.upper()
    elif way < 0.86:
        text = text.title() if text.islower() else text
    return text


def label(text: str) -> str:
    """What is to be read: letters without accents and case, and digits."""
    return folded(text)


def plain(text: str) -> str:
    """The text without accents, for fonts that lack them."""
    parts = unicodedata.normalize("NFKD", text.replace("ø", "o").replace("Ø", "O").replace("ł", "l").replace("Ł", "L"))
    return "".join(c for c in parts if not unicodedata.combining(c))


def _drawable(text: str, font: Font, drawn: ImageFont.FreeTypeFont) -> str:
    """The text as the font can show it; marks that it lacks are drawn by hand."""
    text = text if font.accents else plain(text)
    return "".join(c if c.isalnum() or c in " '.-/&:+*|~" or _has(drawn, c) else "-" for c in text)


def _has(drawn: ImageFont.FreeTypeFont, letter: str) -> bool:
    try:
        return drawn.getmask(letter).getbbox() is not None and bytes(drawn.getmask(letter)) != bytes(
            drawn.getmask("\U000fffff")
        )
    except OSError:
        return False


def drawn(text: str, font: Font, rng: np.random.Generator, size: int = 44) -> tuple[Picture, Floats]:
    """Ink (255) on nothing (0): a line of text, cut to its ink; and the middles of letters in parts of its width."""
    big = ImageFont.truetype(font.path, size)
    text = _drawable(text, font, big)
    small = ImageFont.truetype(font.path, max(round(size * rng.uniform(0.7, 0.88)), 8))
    capitals = text.isupper() and rng.random() < 0.35
    spread = rng.choice([0.0, rng.uniform(-0.04, 0.1), rng.uniform(0.1, 0.45)], p=[0.5, 0.32, 0.18]) * size
    x = float(size)
    # Where a letter stands, in which size, and which; a mark between names has no size.
    places: list[tuple[float, ImageFont.FreeTypeFont | None, str]] = []
    middles: list[float] = []
    start = True
    base = size * 1.5
    for letter in text:
        letters = small if capitals and not start else big
        start = not (letter.isalnum() or letter == "'")
        if letter == "-" and rng.random() < 0.25:
            places.append((x, None, letter))
            x += size * 0.5 + max(spread, 0)
            continue
        places.append((x, letters, letter))
        wide = letters.getlength(letter)
        # A letter that is spelt out is as many letters side by side.
        spelt = len(folded(letter))
        middles += [x + wide * (k + 0.5) / spelt for k in range(spelt)]
        x += wide + spread
    page = Image.new("L", (int(x + 2 * size), size * 3))
    draw = ImageDraw.Draw(page)
    stroke = int(rng.integers(1, 3)) if rng.random() < 0.12 else 0
    for at, face, letter in places:
        if face is None:
            _mark(draw, at, base - size * 0.33, size, rng)
        else:
            draw.text((at, base), letter, 255, face, anchor="ls", stroke_width=stroke)
    ink = np.asarray(page, np.uint8)
    rows, columns = np.flatnonzero(ink.max(1) > 40), np.flatnonzero(ink.max(0) > 40)
    if not len(rows) or not len(columns):
        return np.zeros((size, size), np.uint8), np.zeros(0, np.float32)
    ends = np.array(middles) - columns[0]
    parts = ends / (columns[-1] + 1 - columns[0])
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if rng.random() < 0.35:
        wide = float(np.exp(rng.uniform(np.log(0.55), np.log(1.4))))
        ink = np.asarray(cv2.resize(ink, None, fx=wide, fy=1, interpolation=cv2.INTER_AREA), np.uint8)
    if rng.random() < 0.2:
        shear = rng.uniform(-0.2, 0.4)
        room = int(abs(shear) * ink.shape[0]) + 1
        parts = (parts * ink.shape[1] + room) / (ink.shape[1] + 2 * room)
        ink = np.asarray(cv2.copyMakeBorder(ink, 0, 0, room, room, cv2.BORDER_CONSTANT), np.uint8)
        move = np.array([[1, -shear, shear * ink.shape[0] / 2], [0, 1, 0]], np.float32)
        ink = np.asarray(cv2.warpAffine(ink, move, (ink.shape[1], ink.shape[0])), np.uint8)
    if rng.random() < 0.08:
        kernel = np.ones((2, 2), np.uint8)
        ink = np.asarray(cv2.dilate(ink, kernel) if rng.random() < 0.6 else cv2.erode(ink, kernel), np.uint8)
    return ink, parts.astype(np.float32)


def _mark(draw: ImageDraw.ImageDraw, x: float, y: float, size: int, rng: np.random.Generator) -> None:
    """A diamond, dot, star or small ring between two names."""
    half = size * rng.uniform(0.08, 0.24)
    middle = x + size * 0.25
    shape = rng.integers(4)
    if shape == 0:
        draw.polygon([(middle - half, y), (middle, y - half), (middle + half, y), (middle, y + half)], 255)
    elif shape == 1:
        draw.ellipse((middle - half, y - half, middle + half, y + half), 255)
    elif shape == 2:
        draw.ellipse((middle - half, y - half, middle + half, y + half), outline=255, width=2)
    else:
        turns = np.arange(10) * np.pi / 5
        far = np.where(np.arange(10) % 2, half * 0.5, half * 1.2)
        draw.polygon([(middle + f * np.sin(t), y - f * np.cos(t)) for f, t in zip(far, turns, strict=True)], 255)


def pick(groups: Sequence[Sequence[Font]], rng: np.random.Generator) -> Font:
    """A font: every family as likely as the others."""
    family = groups[int(rng.integers(len(groups)))]
    return family[int(rng.integers(len(family)))]


if __name__ == "__main__":
    print(
        len(fonts()), "fonts,", len(families(True)), "families held out of", len(families(False)) + len(families(True))
    )

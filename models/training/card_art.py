"""The prints that cards and tickets are drawn from while training, and made-up editions that nobody printed.

Nothing of these pictures is kept: they are read, mixed and thrown away.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import pictures

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

SHARED = Path(__file__).resolve().parents[3] / "shared"
ART = ("classic", "germany", "nordic", "united-kingdom")
# Photographed and scanned prints. Pennsylvania has the United Kingdom's drawings, the older USA those of `classic`.
PRINTS = {
    "germany-print": "germany",
    "pennsylvania": "pennsylvania",
    "united-kingdom-print": "united-kingdom",
    "usa-older": "usa-older",
}
EDITIONS = (*ART, *PRINTS)
# The order of the strips, and of the classifier's outputs.
KINDS = ("locomotive", "pink", "white", "blue", "yellow", "orange", "black", "red", "green")
WIDE, HIGH = 250, 161
# How many decks have a wider white edge than printed, or none: boxes differ, and scans are cut.
OTHER_EDGE = 0.35


def cells(path: Path, wide: int = WIDE, high: int = HIGH) -> list[Picture]:
    """The pictures of a sheet, row by row."""
    sheet = pictures.picture(path)
    rows, columns = sheet.shape[0] // high, sheet.shape[1] // wide
    return [sheet[r * high : (r + 1) * high, c * wide : (c + 1) * wide] for r in range(rows) for c in range(columns)]


def deck(edition: str) -> dict[str, Picture]:
    """The nine cards of an edition."""
    if edition in PRINTS:
        return {kind: _printed(edition, kind) for kind in KINDS}
    return dict(zip(KINDS, cells(SHARED / "art" / "cards" / f"{edition}.jpg"), strict=True))


def _printed(edition: str, name: str) -> Picture:
    """A card's print, lying on its long side, as large as the art."""
    found = pictures.picture(SHARED / "prints" / "cards" / PRINTS[edition] / f"{name}.jpg")
    if found.shape[0] > found.shape[1]:
        found = np.ascontiguousarray(np.rot90(found, -1))
    return np.asarray(cv2.resize(found, (WIDE, HIGH), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, eq=False)
class TicketPrint:
    """One printed ticket; the same ticket may be printed in several decks."""

    board: str
    sheet: str
    id: str
    picture: Picture


def _ends(rows: list[dict[str, object]]) -> list[str]:
    return ["--".join(sorted((str(r["a"]), str(r["b"])))) for r in rows]


def tickets() -> list[TicketPrint]:
    """Every printed ticket of the five boards whose prints are at hand, named by its id."""
    found: list[TicketPrint] = []
    for board, sheet, ids in _sheets():
        upright = board == "united-kingdom"
        size = (HIGH, WIDE) if upright else (WIDE, HIGH)
        pictures = cells(SHARED / "art" / "tickets" / f"{sheet}.jpg", *size)
        found += [TicketPrint(board, sheet, i, p) for i, p in zip(ids, pictures, strict=False)]
    return found


def _sheets() -> list[tuple[str, str, list[str]]]:
    facts = {
        b: json.loads((SHARED / "facts" / f"{b}.json").read_text(encoding="utf-8"))["tickets"]
        for b in ("usa", "europe", "legendary-asia", "pennsylvania", "united-kingdom")
    }

    def of(board: str, *decks: str) -> list[dict[str, object]]:
        return [t for t in facts[board] if not decks or set(decks) & set(t.get("decks", [t.get("deck")]))]

    def as_printed(rows: list[dict[str, object]], turned: tuple[str, ...] = ()) -> list[str]:
        """Sorted by the city that the ticket names first; `turned` ones name the facts' second city first."""
        ids = _ends(rows)
        ends = [(str(r["a"]), str(r["b"])) for r in rows]
        keys = [pair[::-1] if i in turned else pair for pair, i in zip(ends, ids, strict=True)]
        return [i for _, i in sorted(zip(keys, ids, strict=True))]

    short = [t for t in facts["europe"] if not t["long"]]
    long = [t for t in facts["europe"] if t["long"]]
    usa_mega = of("usa", "base", "mystery")
    return [
        ("usa", "usa-destinations-1-0", _ends(of("usa", "base"))),
        ("usa", "usa-destinations-1-1", _ends(of("usa", "1910"))),
        ("usa", "usa-destinations-1-2", as_printed(usa_mega)),
        ("europe", "europe-destinations-1-0", _ends(of("europe", "regular"))),
        ("europe", "europe-destinations-1-1", as_printed(short, ("edinburgh--paris", "stockholm--wien"))),
        ("europe", "europe-destinations-2-0", _ends(of("europe", "long"))),
        ("europe", "europe-destinations-2-1", as_printed(long)),
        ("legendary-asia", "legendaryasia-destinations-1-0", _ends(of("legendary-asia", "regular"))),
        ("legendary-asia", "legendaryasia-destinations-2-0", _ends(of("legendary-asia", "long"))),
        ("pennsylvania", "pennsylvania-destinations-1-0", _ends(of("pennsylvania"))),
        ("united-kingdom", "uk-destinations-1-0", _ends(of("united-kingdom"))),
    ]


class MadeUp:
    """Editions that nobody printed: drawings of one edition in the colours and with the corner symbols of others."""

    def __init__(self, editions: tuple[str, ...]) -> None:
        self.decks = {e: deck(e) for e in editions}
        self.editions = editions
        self.backs = [_printed(e, "back") for e in editions if e in PRINTS]
        self.colors = {(e, k): _middle_color(p) for e, d in self.decks.items() for k, p in d.items()}

    def edition(self, rng: np.random.Generator, made_up: float) -> dict[str, Picture]:
        """A whole deck: a printed one, or with the chance `made_up` one that mixes all there are."""
        deck = self.decks[self._any(rng)] if rng.random() >= made_up else self._mixed(rng)
        if rng.random() >= OTHER_EDGE:
            return deck
        part = rng.uniform(-0.05, 0.05)
        return {kind: edged(picture, part) for kind, picture in deck.items()}

    def _mixed(self, rng: np.random.Generator) -> dict[str, Picture]:
        symbols, drawings, colors = self._any(rng), self._any(rng), self._any(rng)
        shuffled = rng.permutation(len(KINDS))
        mixed: dict[str, Picture] = {}
        for n, kind in enumerate(KINDS):
            drawing = self.decks[drawings][KINDS[shuffled[n]]]
            if rng.random() < 0.15:
                drawing = drawing[:, ::-1]
            if kind == "locomotive":
                body = self._rainbow(drawing, rng)
            else:
                body = self._recolored(drawing, self.colors[colors, kind] + rng.normal(0, [14, 8, 8]), rng)
            mixed[kind] = self._with_corners(body, self.decks[symbols][kind], rng)
        return mixed

    def _any(self, rng: np.random.Generator) -> str:
        return self.editions[rng.integers(len(self.editions))]

    def _recolored(self, drawing: Picture, color: NDArray[np.float64], rng: np.random.Generator) -> Picture:
        lab = cv2.cvtColor(drawing, cv2.COLOR_BGR2LAB).astype(np.float32)
        inside = _inner_mask()[..., None]
        light = lab[..., :1]
        middle = np.median(light[40:120, 40:210])
        contrast = rng.uniform(0.6, 1.1)
        new_light = color[0] + (light - middle) * contrast
        keep = rng.uniform(0.0, 0.35)
        own = lab[..., 1:] - np.median(lab[40:120, 40:210, 1:], axis=(0, 1))
        # Dark lines and white highlights have little colour of their own.
        weight = np.clip(1 - np.abs(new_light - color[0]) / 170, 0.15, 1)
        new_color = 128 + (color[1:] - 128) * weight * rng.uniform(0.8, 1.15) + own * keep
        tinted = np.concatenate([new_light, new_color], axis=2)
        mixed = lab * (1 - inside) + tinted * inside
        return np.asarray(cv2.cvtColor(np.clip(mixed, 0, 255).astype(np.uint8), cv2.COLOR_LAB2BGR), np.uint8)

    def _rainbow(self, drawing: Picture, rng: np.random.Generator) -> Picture:
        """Many colours at once behind any engine: how every edition shows a locomotive."""
        gray = cv2.cvtColor(drawing, cv2.COLOR_BGR2GRAY).astype(np.float32)
        y, x = np.mgrid[0:HIGH, 0:WIDE].astype(np.float32)
        kind = rng.integers(3)
        if kind == 0:
            turn = rng.uniform(0, 2 * np.pi)
            along = (np.cos(turn) * x / WIDE + np.sin(turn) * y / WIDE) * rng.uniform(0.8, 1.6)
        elif kind == 1:
            along = np.arctan2(y - HIGH / 2, x - WIDE / 2) / (2 * np.pi)
        else:
            along = np.asarray(cv2.resize(rng.random((3, 4)).astype(np.float32), (WIDE, HIGH)), np.float32) * 1.6
        hue = ((along + rng.random()) % 1.0) * 179
        saturation = np.full_like(gray, rng.uniform(70, 190)) * np.clip(gray / 160, 0.3, 1)
        value = np.clip(gray * rng.uniform(0.8, 1.25) + rng.uniform(0, 30), 0, 255)
        hsv = np.stack([hue, saturation, value], axis=2).astype(np.uint8)
        colored = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR).astype(np.float32)
        inside = _inner_mask()[..., None]
        engine = self.decks[self._any(rng)]["locomotive"].astype(np.float32)
        share = rng.choice([0.0, 0.4, 1.0], p=[0.4, 0.3, 0.3]) * _engine_mask()[..., None]
        colored = colored * (1 - share) + engine * share
        mixed = drawing * (1 - inside) + colored * inside
        return np.asarray(np.clip(mixed, 0, 255), np.uint8)

    def _with_corners(self, body: Picture, symbols: Picture, rng: np.random.Generator) -> Picture:
        """The corners of another card laid over this one, softly."""
        mask = _corner_mask(int(rng.integers(30, 44)))[..., None]
        return np.asarray(body * (1 - mask) + symbols * mask, np.uint8)


def edged(picture: Picture, part: float) -> Picture:
    """A card with a white edge of that part of its length more, or with so much of its own cut off."""
    x, y = round(abs(part) * WIDE), round(abs(part) * HIGH)
    if part < 0:
        inner = picture[y : HIGH - y, x : WIDE - x]
    else:
        inner = np.asarray(cv2.copyMakeBorder(picture, x, x, x, x, cv2.BORDER_CONSTANT, value=(244, 246, 247)))
    return np.asarray(cv2.resize(inner, (WIDE, HIGH), interpolation=cv2.INTER_AREA), np.uint8)


def _middle_color(picture: Picture) -> Floats:
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)[25:135, 30:220].reshape(-1, 3)
    return np.asarray(np.median(lab, axis=0), np.float32)


def _soft(mask: Floats, blur: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), blur), np.float32)


def _inner_mask() -> Floats:
    mask = np.zeros((HIGH, WIDE), np.float32)
    mask[8:-8, 10:-10] = 1
    return _soft(mask, 2)


def _engine_mask() -> Floats:
    mask = np.zeros((HIGH, WIDE), np.float32)
    mask[40:115, 35:215] = 1
    return _soft(mask, 6)


def _corner_mask(size: int) -> Floats:
    mask = np.zeros((HIGH, WIDE), np.float32)
    for row in (slice(0, size), slice(HIGH - size, HIGH)):
        for column in (slice(0, size), slice(WIDE - size, WIDE)):
            mask[row, column] = 1
    return _soft(mask, 2)

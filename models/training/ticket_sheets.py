"""Made-up tickets: a ground, a frame, something like a map, ornaments, and names and points anywhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import lettering, strips
from models.training.card_art import SHARED, TicketPrint, tickets
from models.training.lettering import Font

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
# Where the names stand on the drawn tickets at hand, in parts of the print: left, top, right, bottom.
TOP, BOTTOM = (0.06, 0.07, 0.94, 0.2), (0.17, 0.76, 0.66, 0.91)


@dataclass(eq=False)
class Lettered:
    """A flat picture with lettering: the corners of each line from its left top on, and where nobody knows (255)."""

    picture: Picture
    lines: list[Floats]
    unknown: Picture | None = field(default=None)


def _ink(text: str, font: Font, high: float, rng: np.random.Generator) -> Picture:
    ink, _ = lettering.drawn(text, font, rng)
    scale = high / max(ink.shape[0], 1)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(ink, (max(round(ink.shape[1] * scale), 2), max(round(high), 2)), interpolation=way))


def _write(page: Floats, ink: Picture, x: int, y: int, color: Floats) -> Floats:
    high, wide = ink.shape
    part = page[y : y + high, x : x + wide]
    part += (color - part) * (ink[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255)
    return np.array([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], np.float32)


def _contrast(page: Floats, rng: np.random.Generator) -> Floats:
    """An ink that can be read on this bit of the page."""
    under = page.mean((0, 1))
    for _ in range(50):
        ink = strips.colors(rng)[1]
        if abs(float((under - ink) @ np.array([0.114, 0.587, 0.299]))) > 55:
            return ink
    return np.zeros(3, np.float32) if under.mean() > 110 else np.full(3, 245, np.float32)


def _scribbles(page: Floats, rng: np.random.Generator) -> None:
    """Coasts, borders, routes, dots and a bar between two of them."""
    high, wide = page.shape[:2]
    for _ in range(rng.integers(0, 7)):
        color = [float(c) for c in rng.uniform(30, 255, 3)]
        middle = rng.uniform(0.15, 0.85, 2) * (wide, high)
        turns = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(5, 40)))
        far = rng.uniform(0.05, 0.35) * wide * (1 + 0.3 * rng.normal(size=len(turns)))
        around = (middle + np.stack([np.cos(turns), np.sin(turns)], 1) * far[:, None]).astype(np.int32)
        if rng.random() < 0.6:
            cv2.fillPoly(page, [around], color, cv2.LINE_AA)
        if rng.random() < 0.7:
            cv2.polylines(
                page, [around], rng.random() < 0.6, [c * 0.5 for c in color], int(rng.integers(1, 4)), cv2.LINE_AA
            )
    dots = (rng.uniform(0.08, 0.92, (rng.integers(2, 30), 2)) * (wide, high)).astype(int)
    color = [float(c) for c in rng.uniform(0, 255, 3)]
    for a, b in pairwise(dots):
        if rng.random() < 0.3:
            cv2.line(page, tuple(map(int, a)), tuple(map(int, b)), color, int(rng.integers(1, 3)), cv2.LINE_AA)
        cv2.circle(page, tuple(map(int, a)), int(rng.integers(1, 5)), color, -1, cv2.LINE_AA)
    color = [float(c) for c in rng.uniform(0, 255, 3)]
    ends = [tuple(map(int, d)) for d in dots[:2]]
    if rng.random() < 0.6:
        cv2.line(page, ends[0], ends[1], color, int(rng.integers(2, 8)), cv2.LINE_AA)
    for end in ends:
        r = int(rng.integers(5, 22))
        cv2.circle(page, end, r, color, -1 if rng.random() < 0.5 else 2, cv2.LINE_AA)
        cv2.circle(page, end, max(r // 2, 2), [float(c) for c in rng.uniform(0, 255, 3)], -1, cv2.LINE_AA)


def _frame(page: Floats, rng: np.random.Generator) -> None:
    high, wide = page.shape[:2]
    if rng.random() < 0.6:
        thick = int(rng.uniform(0.015, 0.05) * wide)
        color = [float(c) for c in (rng.uniform(200, 255, 3) if rng.random() < 0.7 else rng.uniform(0, 255, 3))]
        cv2.rectangle(page, (0, 0), (wide - 1, high - 1), color, 2 * thick)
        if rng.random() < 0.5:
            cv2.rectangle(page, (thick, thick), (wide - thick, high - thick), [c * 0.4 for c in color], 2)
    for x, y in ((0, 0), (wide, 0), (wide, high), (0, high)):
        if rng.random() < 0.45:
            r = rng.uniform(0.05, 0.14) * wide
            inward = np.array([np.sign(wide / 2 - x), np.sign(high / 2 - y)])
            color = [float(c) for c in rng.uniform(0, 255, 3)]
            if rng.random() < 0.5:
                cv2.circle(page, tuple(map(int, (x, y) + inward * r)), int(r), color, -1, cv2.LINE_AA)
                cv2.circle(page, tuple(map(int, (x, y) + inward * r)), int(r), [c * 0.5 for c in color], 2, cv2.LINE_AA)
            else:
                corner = np.array([(x, y), (x + inward[0] * 2 * r, y), (x, y + inward[1] * 2 * r)], np.int32)
                cv2.fillPoly(page, [corner], color, cv2.LINE_AA)


def made_up(groups: list[list[Font]], rng: np.random.Generator) -> Lettered:
    """A ticket that nobody has printed yet."""
    wide, high = 520, int(520 / rng.uniform(1.4, 1.7))
    if rng.random() < 0.2:
        wide, high = high, wide
    long = max(wide, high)
    page = strips.ground(rng, high, wide, strips.colors(rng)[0])
    if rng.random() < 0.85:
        _scribbles(page, rng)
    _frame(page, rng)
    font = lettering.pick(groups, rng)
    lines: list[Floats] = []
    tall = rng.uniform(0.032, 0.085) * long
    mark = lettering.MARKS[rng.integers(len(lettering.MARKS))]
    names = lettering.cities()
    ends = [names[k] for k in rng.integers(len(names), size=2)]
    if rng.random() < 0.7:
        ends = [e.upper() for e in ends]
    gap = " " * int(rng.integers(0, 3))
    one = rng.random() < 0.8
    said = [f"{ends[0]}{gap}{mark}{gap}{ends[1]}"] if one else ends
    y = int(
        rng.choice([rng.uniform(0.03, 0.14), rng.uniform(0.7, 0.88), rng.uniform(0.15, 0.7)], p=[0.48, 0.32, 0.2])
        * high
    )
    apart = not one and rng.random() < 0.5
    for n, text in enumerate(said):
        ink = _ink(text, font, tall, rng)
        most = 0.92 * wide
        if ink.shape[1] > most:
            ink = np.asarray(
                cv2.resize(
                    ink, (int(most), max(round(ink.shape[0] * most / ink.shape[1]), 6)), interpolation=cv2.INTER_AREA
                )
            )
        h, w = ink.shape
        x = int(rng.uniform(0.02, 0.98) * (wide - w)) if rng.random() < 0.5 else (wide - w) // 2
        if apart and n:
            y = int(rng.uniform(0.05, 0.85) * high)
        y = int(np.clip(y, 4, high - h - 4))
        if rng.random() < 0.6:
            pad = int(rng.uniform(0.15, 0.8) * h)
            a, b = (max(x - 2 * pad, 0), max(y - pad, 0)), (min(x + w + 2 * pad, wide - 1), min(y + h + pad, high - 1))
            page[a[1] : b[1], a[0] : b[0]] = strips.ground(rng, b[1] - a[1], b[0] - a[0], strips.colors(rng)[0])
            if rng.random() < 0.5:
                cv2.rectangle(page, a, b, [float(c) for c in rng.uniform(0, 255, 3)], int(rng.integers(1, 4)))
        lines.append(_write(page, ink, x, y, _contrast(page[y : y + h, x : x + w], rng)))
        y += int(h * rng.uniform(1.15, 1.8))
    if rng.random() < 0.9:
        _points(page, lines, font if rng.random() < 0.6 else lettering.pick(groups, rng), rng)
    return Lettered(np.clip(page, 0, 255).astype(np.uint8), lines)


def _points(page: Floats, lines: list[Floats], font: Font, rng: np.random.Generator) -> None:
    """The points in a corner, on a disc or a plate."""
    high, wide = page.shape[:2]
    long = max(wide, high)
    ink = _ink(str(rng.integers(1, 26)), font, rng.uniform(0.07, 0.15) * long, rng)
    h, w = ink.shape
    for _ in range(8):
        x, y = int(rng.uniform(0.04, 0.94) * (wide - w)), int(rng.uniform(0.04, 0.94) * (high - h))
        box = np.array([x - 6, y - 6, x + w + 6, y + h + 6])
        if all(
            box[2] < line[:, 0].min()
            or box[0] > line[:, 0].max()
            or box[3] < line[:, 1].min()
            or box[1] > line[:, 1].max()
            for line in lines
        ):
            break
    else:
        return
    if rng.random() < 0.7:
        r = int(max(w, h) * rng.uniform(0.65, 0.85))
        clear = np.ones(page.shape[:2], np.uint8)
        for line in lines:
            cv2.fillConvexPoly(clear, line.astype(np.int32), 0)
        disc = np.zeros(page.shape[:2], np.uint8)
        cv2.circle(disc, (x + w // 2, y + h // 2), r, 1, -1)
        page[(disc & clear) > 0] = strips.colors(rng)[0]
        if rng.random() < 0.6:
            ring = np.zeros(page.shape[:2], np.uint8)
            cv2.circle(ring, (x + w // 2, y + h // 2), r, 1, int(rng.integers(2, 7)))
            page[(ring & clear) > 0] = rng.uniform(0, 255, 3)
    lines.append(_write(page, ink, x, y, _contrast(page[y : y + h, x : x + w], rng)))


@lru_cache(maxsize=1)
def printed() -> list[Lettered]:
    """The drawn tickets at hand: the names are known, everything else may have letters that nobody marked."""
    return [_marked(p) for p in tickets()] if (SHARED / "art" / "tickets").is_dir() else []


def _marked(ticket: TicketPrint) -> Lettered:
    from models.training.tickets import TITLES

    left, top, right, bottom = TITLES[ticket.sheet]
    picture = cv2.resize(ticket.picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    high, wide = picture.shape[:2]
    x0, y0, x1, y1 = int(left * wide), int(top * high), int(right * wide), int(bottom * high)
    gray = cv2.cvtColor(picture[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY).astype(np.float32)
    rough = np.abs(gray - cv2.GaussianBlur(gray, (0, 0), 12))
    rows = np.flatnonzero(rough.mean(1) > 0.6 * rough.mean(1).max())
    columns = np.flatnonzero(cv2.GaussianBlur(rough.mean(0)[None], (0, 0), 5)[0] > 0.35 * rough.mean(0).max())
    a, b = (x0 + columns[0], y0 + rows[0]), (x0 + columns[-1], y0 + rows[-1])
    # Two lines, if the names are high.
    tops = [a[1]] if b[1] - a[1] < 0.1 * max(high, wide) else [a[1], (a[1] + b[1]) / 2 + 1]
    tall = (b[1] - a[1]) / len(tops) - 2 * (len(tops) - 1)
    lines = [np.array([(a[0], y), (b[0], y), (b[0], y + tall), (a[0], y + tall)], np.float32) for y in tops]
    return Lettered(np.asarray(picture, np.uint8), lines, np.full((high, wide), 255, np.uint8))


def titled(groups: list[list[Font]], rng: np.random.Generator) -> Lettered:
    """A card with a title that nobody has printed yet: a plate, often dark, one to three lines of different height, at
    times on an arc; numbers; teeth, scallops and flourishes that are no letters."""
    wide, high = 520, int(520 / rng.uniform(1.4, 1.7))
    if rng.random() < 0.15:
        wide, high = high, wide
    page = strips.ground(rng, high, wide, strips.colors(rng)[0])
    for _ in range(rng.integers(1, 5)):
        _ornament(page, rng)
    if rng.random() < 0.4:
        _scribbles(page, rng)
    font = lettering.pick(groups, rng)
    words = lettering.words() if rng.random() < 0.5 else lettering.cities()
    said = [words[k] for k in rng.integers(len(words), size=rng.integers(1, 4))]
    if rng.random() < 0.75:
        said = [text.upper() for text in said]
    tall = rng.uniform(0.045, 0.11) * wide
    room = rng.uniform(0.4, 0.95) * wide
    inks = [
        _within(_ink(text, font, tall * (rng.uniform(0.45, 1) if n else 1), rng), room) for n, text in enumerate(said)
    ]
    w, h = max(i.shape[1] for i in inks), int(sum(i.shape[0] * 1.35 for i in inks))
    x, y = int(rng.uniform(0.05, 0.95) * (wide - w)), int(np.clip(rng.uniform(0.03, 0.75) * high, 6, high - h - 8))
    pad = int(rng.uniform(0.2, 0.7) * tall)
    top, left = max(y - pad, 0), max(x - 2 * pad, 0)
    bottom, right = min(y + h + pad, high), min(x + w + 2 * pad, wide)
    if rng.random() < 0.85:
        _lay_plate(page, (left, top, right, bottom), rng)
    lines: list[Floats] = []
    ink_color = _contrast(page[top:bottom, left:right], rng)
    middle = rng.random() < 0.5
    for ink in inks:
        at = x + (w - ink.shape[1]) // 2 if middle else x
        lines.append(_write(page, ink, at, y, ink_color))
        y += int(ink.shape[0] * rng.uniform(1.15, 1.5))
    for _ in range(rng.integers(0, 3)):
        number = f"{rng.integers(1, 16)}/{rng.integers(2, 16)}" if rng.random() < 0.6 else str(rng.integers(1, 40))
        _number(page, lines, number, font if rng.random() < 0.5 else lettering.pick(groups, rng), rng)
    if rng.random() < 0.35:
        page, lines = _bowed(page, lines, rng)
    return Lettered(np.clip(page, 0, 255).astype(np.uint8), lines)


def _within(ink: Picture, room: float) -> Picture:
    """A line that is no longer than there is room for."""
    if ink.shape[1] <= room:
        return ink
    return np.asarray(cv2.resize(ink, (int(room), max(round(ink.shape[0] * room / ink.shape[1]), 6))), np.uint8)


def _lay_plate(page: Floats, box: tuple[int, int, int, int], rng: np.random.Generator) -> None:
    """A plate to write on, often dark."""
    left, top, right, bottom = box
    dark = rng.random() < 0.65
    color = (rng.uniform(0, 90) if dark else rng.uniform(150, 250)) + rng.normal(0, 20, 3)
    ground = strips.ground(rng, bottom - top, right - left, np.clip(color, 0, 255).astype(np.float32))
    page[top:bottom, left:right] = ground
    if rng.random() < 0.5:
        cv2.rectangle(page, (left, top), (right, bottom), [float(c) for c in rng.uniform(0, 255, 3)], 2)


def _bowed(page: Floats, lines: list[Floats], rng: np.random.Generator) -> tuple[Floats, list[Floats]]:
    """The sheet as if all of it stood on an arc; a line is cut into pieces that are straight enough."""
    high, wide = page.shape[:2]
    sag = float(rng.choice([-1, 1]) * rng.uniform(0.02, 0.09) * wide)

    def down(x: Floats) -> Floats:
        return np.asarray(sag * (2 * x / wide - 1) ** 2, np.float32)

    x, y = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
    bent = cv2.remap(page, x, y - down(x), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    pieces = []
    for line in lines:
        count = max(int((line[1, 0] - line[0, 0]) // (0.12 * wide)), 1)
        edges = np.linspace(line[0, 0], line[1, 0], count + 1)
        for a, b in pairwise(edges):
            at = np.array([a, b, b, a], np.float32)
            piece = np.stack([at, line[:, 1] + down(at)], axis=1)
            pieces.append(piece.astype(np.float32))
    return np.asarray(bent, np.float32), pieces


def _number(page: Floats, lines: list[Floats], text: str, font: Font, rng: np.random.Generator) -> None:
    """A number on a small plate of its own, where no letters stand."""
    high, wide = page.shape[:2]
    ink = _ink(text, font, rng.uniform(0.03, 0.09) * wide, rng)
    h, w = ink.shape
    if w > wide - 20 or h > high - 20:
        return
    x, y = int(rng.integers(8, wide - w - 8)), int(rng.integers(8, high - h - 8))
    taken = any(
        x - 8 < line[:, 0].max()
        and x + w + 8 > line[:, 0].min()
        and y - 8 < line[:, 1].max()
        and y + h + 8 > line[:, 1].min()
        for line in lines
    )
    if taken:
        return
    if rng.random() < 0.7:
        page[y - 6 : y + h + 6, x - 6 : x + w + 6] = strips.colors(rng)[0]
    lines.append(_write(page, ink, x, y, _contrast(page[y : y + h, x : x + w], rng)))


def _ornament(page: Floats, rng: np.random.Generator) -> None:
    """Teeth of a wheel, scallops along an edge, rows of bars, curls: what repeats as letters do, and says nothing."""
    high, wide = page.shape[:2]
    color = [float(c) for c in rng.uniform(0, 255, 3)]
    kind = rng.integers(5)
    thick = int(rng.integers(1, 4))
    middle = rng.uniform(0.1, 0.9, 2) * (wide, high)
    step = float(rng.uniform(6, 22))
    if kind == 0:
        radius = rng.uniform(0.08, 0.35) * wide
        turns = np.arange(0, 2 * np.pi, step / radius)
        for turn in turns:
            way = np.array([np.cos(turn), np.sin(turn)])
            a, b = middle + way * radius, middle + way * (radius + 0.7 * step)
            cv2.line(page, tuple(map(int, a)), tuple(map(int, b)), color, max(int(step / 2), 1), cv2.LINE_AA)
        cv2.circle(page, tuple(map(int, middle)), int(radius), color, thick * 2, cv2.LINE_AA)
    elif kind == 1:
        y = int(rng.choice([step, high - step]))
        for x in np.arange(0, wide, step):
            cv2.circle(page, (int(x), y), int(step / 2), color, thick, cv2.LINE_AA)
    elif kind == 2:
        long = rng.uniform(0.1, 0.5) * wide
        for x in np.arange(0, long, step):
            left, top = int(middle[0] + x), int(middle[1])
            end = (int(left + step * 0.5), int(top + step * rng.uniform(0.5, 1.6)))
            cv2.rectangle(page, (left, top), end, color, -1)
    else:
        for _ in range(rng.integers(4, 30)):
            at = rng.uniform(0, 1, 2) * (wide, high) if kind == 3 else middle + rng.normal(0, 0.08 * wide, 2)
            size = (int(rng.uniform(3, 16)), int(rng.uniform(3, 16)))
            start = float(rng.uniform(0, 360))
            cv2.ellipse(
                page, tuple(map(int, at)), size, start, 0, float(rng.uniform(120, 330)), color, thick, cv2.LINE_AA
            )

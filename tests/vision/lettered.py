"""Tickets of our own design with names on them, laid on a table."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from vision.sheets import Quad

Picture = NDArray[np.uint8]
WIDE, HIGH = 520, 336
CORNERS = np.array([(0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH)], np.float64) - 0.5


def ticket(names: str, points: int = 7, top: int = 30, size: int = 30, second: str = "") -> Picture:
    """A ticket that nobody has printed: its names in one line or two, a number and a few lines."""
    page = Image.new("RGB", (WIDE, HIGH), (236, 226, 205))
    draw = ImageDraw.Draw(page)
    draw.rectangle((6, 6, WIDE - 7, HIGH - 7), outline=(120, 70, 30), width=5)
    draw.line((120, 250, 300, 150), fill=(30, 60, 160), width=6)
    draw.ellipse((100, 230, 140, 270), fill=(200, 60, 30))
    draw.ellipse((280, 130, 320, 170), fill=(200, 60, 30))
    draw.text((WIDE / 2, top), names, fill=(90, 20, 20), font_size=size, anchor="mt")
    if second:
        draw.text((WIDE / 2, top + 1.25 * size), second, fill=(90, 20, 20), font_size=size, anchor="mt")
    draw.ellipse((WIDE - 110, HIGH - 110, WIDE - 30, HIGH - 30), outline=(60, 40, 30), width=5)
    draw.text((WIDE - 70, HIGH - 70), str(points), fill=(20, 20, 60), font_size=44, anchor="mm")
    return np.ascontiguousarray(np.asarray(page, np.uint8)[..., ::-1])


def share(name: str, number: str) -> Picture:
    """A share of our own design: the company above, its number in the corner below left."""
    art = Image.fromarray(np.ascontiguousarray(ticket(name, points=2)[..., ::-1]))
    draw = ImageDraw.Draw(art)
    draw.rectangle((24, 262, 130, 312), fill=(250, 244, 230))
    draw.text((77, 287), number, fill=(110, 30, 30), font_size=30, anchor="mm")
    return np.ascontiguousarray(np.asarray(art, np.uint8)[..., ::-1])


def technology(*lines: str) -> Picture:
    """A technology card of our own: white letters on a dark plate, the second line lower than the first."""
    page = Image.new("RGB", (WIDE, HIGH), (240, 236, 225))
    draw = ImageDraw.Draw(page)
    draw.rectangle((18, 18, 300, 150), fill=(58, 30, 62))
    draw.ellipse((300, 60, 500, 260), outline=(120, 110, 90), width=9)
    for n, line in enumerate(lines):
        draw.text((36, 36 + 54 * n), line, fill=(245, 245, 245), font_size=(44, 32)[min(n, 1)])
    return np.ascontiguousarray(np.asarray(page, np.uint8)[..., ::-1])


def map_of(names: list[str], size: tuple[int, int] = (1600, 1100)) -> Picture:
    """A board of our own: names of cities far apart, tracks between them."""
    page = Image.new("RGB", size, (214, 204, 180))
    draw = ImageDraw.Draw(page)
    places = [(60 + 385 * (n % 4), 70 + 200 * (n // 4) + 30 * (n % 2)) for n in range(len(names))]
    for (x, y), (u, v) in pairwise(places):
        draw.line((x + 60, y + 60, u + 60, v + 60), fill=(150, 60, 40), width=9)
    for name, place in zip(names, places, strict=True):
        draw.text(place, name, fill=(40, 30, 30), font_size=30)
    return np.ascontiguousarray(np.asarray(page, np.uint8)[..., ::-1])


def table(rows: list[tuple[Picture, Quad]], size: tuple[int, int] = (1200, 900)) -> Picture:
    """Tickets with their corners at given places, on dark wood."""
    rng = np.random.default_rng(0)
    picture = np.full((size[1], size[0], 3), (40, 60, 80), np.float32)
    picture += np.repeat(rng.normal(0, 6, (size[1], 1, 1)), size[0], axis=1)
    ready = np.clip(picture, 0, 255).astype(np.uint8)
    for art, quad in rows:
        place = cv2.getPerspectiveTransform(CORNERS.astype(np.float32), quad.astype(np.float32))
        mask = cv2.warpPerspective(np.full((HIGH, WIDE), 255, np.uint8), place, size)
        ready[mask > 127] = cv2.warpPerspective(art, place, size)[mask > 127]
    return ready


def at(x: float, y: float, long: float, turn: float = 0.0) -> Quad:
    """Corners of a ticket around a place, turned by some degrees."""
    angle = np.radians(turn)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((CORNERS - CORNERS.mean(0)) * (long / WIDE) @ spin.T + (x, y))

"""Renders of boards in prints that nobody printed: other colours on every track, other frames, other maps around them.

A net that has seen few prints learns them by heart: bare tracks of a new one are wagons to it. Here every picture shows
a print of its own, made from the art of a known board: only where its spaces lie is kept.

    python -m models.training.made_prints --python BLENDER/bin/python --first 100 --count 60 --out PHOTOS
    python -m models.training.made_prints --first 4000 --count 100 --out PHOTOS

With `--own-print` it renders the boards' own prints in every look that the tool knows, more than its options name.
The second draws bare boards only, flat, in seconds. BLENDER is the environment that tools/render.py of ../shared
describes. Beside each photo and its truth lies what the print looks like in even light: colours of spaces and of a
coarse field between them, no picture.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from models.training import examples
from models.training.card_art import SHARED
from models.training.pictures import picture
from vision import light, spaces
from vision.arrays import Picture

Floats64 = NDArray[np.float64]
BOARDS = ("usa", "europe", "pennsylvania", "legendary-asia", "united-kingdom")
# What the tool draws but its options don't name: every light, table, wagon and plastic that it knows.
WIDER = {
    "tables": ["wood", "parquet", "checks", "stone", "cloth", "laminate", "marble", "tiles", "stripes", "carpet"],
    "lights": ["ceiling", "lamp", "window", "hard", "glare", "evening", "dusk", "tubes", "spots", "mixed"],
    "moulds": ["clerestory", "boxcar", "coach"],
    "tints": ["standard", "deep", "bright", "aged"],
}
# Pixels of a photo: as many as a reader looks at, and a third quicker than the tool's own.
SIZE = 1600, 1200
# Track colours as boxes print them, RGB: every print moves all of them a little.
_INKS = {
    "pink": (205, 120, 175), "orange": (232, 140, 50), "white": (232, 230, 222), "green": (110, 165, 70),
    "blue": (50, 130, 195), "yellow": (238, 212, 70), "black": (58, 58, 60), "red": (205, 60, 50),
    "gray": (165, 165, 162),
}  # fmt: skip
# Pixels of a space's own picture for one of the art.
_FINE = 4


@dataclass(frozen=True, eq=False)
class Style:
    """How one print draws its spaces: sizes in space widths, strengths 0..1."""

    inks: dict[str, Floats64]
    long: float
    wide: float
    rim: float
    rim_color: Floats64 | None
    rim_tone: float
    round: float
    solid: float
    ties: float
    tie_count: int
    bend: float
    grain: float
    icon: float
    icon_light: bool
    symbol: float
    ends: float
    halo: float
    halo_color: Floats64
    tunnel: str
    frame: float
    frame_color: Floats64
    scallops: int
    bevel: float
    line: float
    knobs: float


# A ragged frame, a solid one with knobs as iron has, sleepers on both sides: what tells a tunnel on every board.
TUNNELS = ("ragged", "solid", "sleepers")


def style(rng: np.random.Generator) -> Style:
    """A way to draw spaces that holds for all of a print."""
    inks = {}
    stronger, lighter = rng.uniform(0.55, 1.35), rng.uniform(0.7, 1.12)
    for name, ink in _INKS.items():
        hue = cv2.cvtColor(np.array([[ink]], np.uint8), cv2.COLOR_RGB2HSV)[0, 0].astype(np.float64)
        hue[0] = (hue[0] + rng.normal(0, 4)) % 180
        hue[1] = np.clip(hue[1] * stronger * rng.uniform(0.8, 1.15), 0, 255)
        bright = (lighter if name != "black" else rng.uniform(0.6, 1.4)) * rng.uniform(0.9, 1.1)
        hue[2] = np.clip(hue[2] * bright, 0, 250)
        inks[name] = cv2.cvtColor(hue.astype(np.uint8).reshape(1, 1, 3), cv2.COLOR_HSV2RGB)[0, 0].astype(np.float64)
    return Style(
        inks,
        long=rng.uniform(0.92, 1.0), wide=rng.uniform(0.8, 1.05), rim=rng.choice([0, 0.06, 0.1, 0.16]),
        rim_color=rng.uniform(20, 250, 3) if rng.random() < 0.3 else None, rim_tone=rng.choice([0.35, 0.6, 1.5]),
        round=rng.choice([0, 0.1, 0.3, 0.5]), solid=rng.uniform(0.75, 1.0),
        ties=rng.choice([0, 0, rng.uniform(0.05, 0.3)]), tie_count=int(rng.integers(4, 14)),
        bend=rng.choice([0, rng.uniform(-0.25, 0.25)]), grain=rng.uniform(0, 0.25) ** 1.5,
        icon=rng.choice([0, rng.uniform(0.08, 0.4)], p=[0.85, 0.15]), icon_light=bool(rng.random() < 0.4),
        symbol=rng.choice([0, rng.uniform(0.15, 0.6)]), ends=rng.choice([0, rng.uniform(0.25, 0.6)]),
        halo=rng.choice([0, 0, 0.1, 0.25, 0.5]),
        halo_color=rng.choice([20.0, 240.0]) * np.ones(3) + rng.normal(0, 8, 3),
        tunnel=str(rng.choice(TUNNELS, p=[0.3, 0.5, 0.2])), frame=rng.choice([0, 0, rng.uniform(0.05, 0.25)]),
        frame_color=rng.uniform(15, 75) * np.ones(3) + rng.normal(0, 8, 3), scallops=int(rng.integers(0, 9)),
        # Rarely: a net that sees many prints that stand out takes real wagons for print.
        bevel=rng.choice([0, rng.uniform(0.05, 0.3)], p=[0.85, 0.15]), line=rng.choice([0, rng.uniform(0.1, 0.3)]),
        knobs=rng.choice([0, rng.uniform(0.1, 0.25)]),
    )  # fmt: skip


def space(look: Style, ink: Floats64, kind: str, size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """One space lying on its long side, RGB and how much it covers of what is under it."""
    wide, high = size
    unit, margin = high / 2.2, high * 0.6 / 2.2
    box = np.array([margin, margin, wide - margin, high - margin])
    y, x = np.mgrid[0:high, 0:wide].astype(np.float64) + 0.5
    away = _away(x, y, box, look.round * unit)
    inner = np.clip(0.5 - away, 0, 1)
    halo = np.clip(np.clip(0.5 - away + look.halo * unit, 0, 1) - inner, 0, 1) * 0.8
    color = np.ones((high, wide, 1)) * ink
    along, across = (x - box[0]) / (box[2] - box[0]), (y - box[1]) / (box[3] - box[1]) * 2 - 1
    tone = 1 + look.bend * across + look.ties * np.sign(np.sin(along * look.tie_count * 2 * np.pi))
    noise = sum(
        np.asarray(cv2.resize(rng.normal(0, look.grain, (max(high // n, 2), max(wide // n, 2))), (wide, high)))
        for n in (4, 12, 40)
    )
    # As if it stood out of the board, in a light from the left above: what looks most like a wagon and is none.
    edge_near = np.clip(1 + away / (0.3 * unit), 0, 1)
    raised = look.bevel * edge_near * np.sign(0.6 - along - (across + 1) / 2 + 0.4)
    color = np.clip(color * (tone + noise + raised)[..., None], 0, 252)
    if look.icon:
        body = _inside(x, y, _part(box, 0.18, 0.82, 0.25, 0.75), 0.1 * unit)
        for i in range(4):
            body = body * (1 - _inside(x, y, _part(box, 0.26 + 0.13 * i, 0.33 + 0.13 * i, 0.4, 0.55), 0))
        color += (body * look.icon)[..., None] * ((250 if look.icon_light else 20) - color)
    if look.symbol:
        color += (_symbol(look, kind, x - wide / 2, y - high / 2, unit) * look.symbol)[..., None] * (
            (250 if look.icon_light else 25) - color
        )
    tunnel = kind == "tunnel"
    if look.ends and tunnel:
        # Dark mouths at both ends, with round edges towards the middle.
        mouth = np.clip((np.abs(along - 0.5) * 2 - 0.62 + 0.08 * across**2) * 12, 0, 1)
        color *= 1 - (mouth * look.ends)[..., None]
    if look.line:
        drawn = np.clip(1.5 - np.abs(away + look.line * unit) / (0.035 * unit), 0, 1)
        color += 0.7 * drawn[..., None] * (ink * look.rim_tone - color)
    ragged = tunnel and look.tunnel == "ragged"
    rim = inner - np.clip(0.5 - away - max(look.rim, 0.22 if ragged else 0) * unit, 0, 1)
    if ragged:
        rim = rim * (np.sin((x + y) / unit * 14) > -0.3)
    edge = look.rim_color if look.rim_color is not None else np.clip(ink * look.rim_tone, 0, 255)
    color += rim[..., None] * ((np.array([45.0, 38, 32]) if ragged else edge) - color)
    if kind == "ferry":
        disc = np.clip(0.42 * unit - np.hypot(x - wide / 2, y - high / 2) + 0.5, 0, 1)
        color += disc[..., None] * (np.array([235.0, 225, 205]) - color)
        sign = np.clip(0.24 * unit - np.abs(x - wide / 2) - np.abs(y - high / 2) * 0.7 + 0.5, 0, 1)
        color += sign[..., None] * (np.array([60.0, 50, 50]) - color)
    covers = np.clip(inner * look.solid + rim * (1 - look.solid) + halo, 0, 1)
    color = np.where((halo > inner)[..., None], look.halo_color, np.clip(color, 0, 252))
    around = _around(look, tunnel, x, y, box, away / unit, unit)
    color += around[..., None] * (look.frame_color - color)
    return np.dstack([np.clip(color, 0, 252), np.maximum(covers, around) * 255]).astype(np.uint8)


def _symbol(look: Style, kind: str, x: Floats64, y: Floats64, unit: float) -> Floats64:
    """A small sign in the middle of a space, as boxes print one for each colour; ferries have their own."""
    if kind == "ferry":
        return np.zeros_like(x)
    size, far, way = 0.3 * unit, np.hypot(x, y), np.arctan2(y, x)
    # Leaves, crosses, rings: as many petals as the print has ties.
    petals = size * (0.7 + 0.3 * np.cos(way * (2 + look.tie_count % 5)))
    found = np.clip(petals - far + 0.5, 0, 1)
    if look.tie_count % 2:
        found = found * np.clip(far - 0.4 * size + 0.5, 0, 1)
    return np.asarray(found)


def _around(
    look: Style,
    tunnel: bool,
    x: Floats64,
    y: Floats64,
    box: Floats64,
    away: Floats64,
    unit: float,
) -> Floats64:
    """How much a dark frame outside of a space covers; `away`: from its edge, in space widths."""
    solid = tunnel and look.tunnel == "solid"
    broad = max(look.frame, 0.16) if solid else look.frame if not tunnel or look.tunnel == "ragged" else 0.0
    found = np.zeros_like(away)
    if broad:
        wave = 1 + (0.45 if solid else 0.15) * np.cos((x - box[0]) / (box[2] - box[0]) * look.scallops * 2 * np.pi)
        found = np.clip((broad * wave - away) * unit, 0, 1) * np.clip(away * unit + 0.5, 0, 1)
    if tunnel and look.tunnel == "sleepers":
        ties = np.cos((x - box[0]) / (box[2] - box[0]) * (look.tie_count + 2) * 2 * np.pi) > 0.1
        found = np.maximum(found, ties * (away > 0.02) * (away < 0.3) * (x > box[0]) * (x < box[2]))
    if look.knobs and (solid or look.frame):
        for at in ((0, 0), (0, 1), (1, 0), (1, 1), (0, 0.5), (1, 0.5)):
            far = np.hypot(x - box[0] - at[0] * (box[2] - box[0]), y - box[1] - at[1] * (box[3] - box[1]))
            found = np.maximum(found, np.clip(look.knobs * unit - far + 0.5, 0, 1) * (away > 0))
    return found


def _part(box: Floats64, left: float, right: float, top: float, low: float) -> Floats64:
    wide, high = box[2] - box[0], box[3] - box[1]
    return np.array([box[0] + left * wide, box[1] + top * high, box[0] + right * wide, box[1] + low * high])


def _inside(x: Floats64, y: Floats64, box: Floats64, corner: float) -> Floats64:
    """1 inside a box with round corners, 0 outside, soft over a pixel."""
    return np.asarray(np.clip(0.5 - _away(x, y, box, corner), 0, 1))


def _away(x: Floats64, y: Floats64, box: Floats64, corner: float) -> Floats64:
    """How many pixels outside a box with round corners, less than 0 inside."""
    half_x, half_y = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    corner = min(corner, half_x, half_y)
    dx = np.abs(x - (box[0] + box[2]) / 2) - half_x + corner
    dy = np.abs(y - (box[1] + box[3]) / 2) - half_y + corner
    out = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0)
    return np.asarray(out - corner)


def ground(art: Picture, rng: np.random.Generator) -> Floats64:
    """The map around the spaces, RGB: the art in other colours, or land and sea of no place in the world."""
    high, wide = art.shape[:2]
    if rng.random() < 0.6:
        mixing = np.eye(3) + rng.normal(0, 0.22, (3, 3))
        mixed = (art[..., ::-1] / 255.0) @ (mixing / mixing.sum(1, keepdims=True)).T
        gray = mixed.mean(2, keepdims=True)
        mixed = gray + (mixed - gray) * rng.uniform(0.2, 1.5)
        if rng.random() < 0.15:
            mixed = 1 - mixed
        return np.asarray(np.clip(mixed, 0, 1) ** np.exp(rng.normal(0, 0.3)) * rng.uniform(0.75, 1.0) * 255)
    coast = _cloud(high, wide, 3, 5, rng) > rng.uniform(-0.3, 0.3)
    land, sea = rng.uniform(60, 240, 3), rng.uniform(40, 220, 3)
    tint = _cloud(high, wide, 4, 3, rng)[..., None] * rng.normal(0, 25, 3)
    found: Floats64 = np.where(coast[..., None], land, sea) + tint
    found += _cloud(high, wide, 40, 3, rng)[..., None] * 14
    for _ in range(int(rng.integers(60, 240))):
        _scribble(found, rng)
    # Some of the old map shows through: its lettering, cities and lines.
    found += (art[..., ::-1].astype(np.float64) - 128) * rng.choice([0, 0.15, 0.4])
    return np.asarray(np.clip(found, 0, 252))


def _scribble(found: Floats64, rng: np.random.Generator) -> None:
    """A river, a border, a name or a dot anywhere."""
    high, wide = found.shape[:2]
    color = tuple(float(v) for v in rng.uniform(10, 245, 3))
    at = rng.uniform(0, 1, 2) * (wide, high)
    dice = rng.random()
    if dice < 0.4:
        line = at + np.cumsum(rng.normal(0, 14, (int(rng.integers(4, 20)), 2)), 0)
        cv2.polylines(found, [line.astype(np.int32)], False, color, int(rng.integers(1, 4)), cv2.LINE_AA)
    elif dice < 0.7:
        word = "".join(chr(int(c)) for c in rng.integers(65, 91, int(rng.integers(3, 10))))
        font, size = int(rng.choice([0, 2, 3, 4])), rng.uniform(0.4, 1.1)
        cv2.putText(found, word, (int(at[0]), int(at[1])), font, size, color, int(rng.integers(1, 3)), cv2.LINE_AA)
    else:
        cv2.circle(found, (int(at[0]), int(at[1])), int(rng.integers(3, 16)), color, -1, cv2.LINE_AA)


def _cloud(high: int, wide: int, first: int, octaves: int, rng: np.random.Generator) -> Floats64:
    """Smooth noise, about -1..1."""
    found = np.zeros((high, wide))
    for i in range(octaves):
        few = first * 2**i
        grid = rng.normal(0, 1, (few + 2, few * wide // high + 2))
        found += 0.55**i * cv2.resize(grid, (wide, high), interpolation=cv2.INTER_CUBIC)
    return found / 1.6


def repainted(board: str, seed: int) -> tuple[Picture, dict[str, str]]:
    """The art of a board in a print that nobody printed (BGR), and the colour of every track there."""
    rng = np.random.default_rng([seed, BOARDS.index(board)])
    facts = json.loads((SHARED / "facts" / f"{board}.json").read_text(encoding="utf-8"))
    art = picture(SHARED / "art" / "boards" / f"{board}.webp")
    sheet, look = ground(art, rng), style(rng)
    colors, gray = [name for name in _INKS if name != "gray"], rng.uniform(0.15, 0.5)
    told = {r["id"]: "gray" if rng.random() < gray else str(rng.choice(colors)) for r in facts["routes"]}
    length = _length(facts["routes"])
    size = (int(_FINE * length * (1 + 0.6 / 2.2 * 0.7)), int(_FINE * length / 3.08 * look.wide * 2.2))
    for route in facts["routes"]:
        ink = np.clip(look.inks[told[route["id"]]] + rng.normal(0, 5, 3), 5, 250)
        kind = "tunnel" if route.get("tunnel_draw") else "ferry" if route.get("locomotives") else "plain"
        for i, at in enumerate(route["spaces"]):
            own = kind if kind != "ferry" or i < route["locomotives"] else "plain"
            _laid(sheet, space(look, ink, own, size, rng), at, length * look.long)
    if rng.random() < 0.7:
        _cities(sheet, facts["cities"], length / 3.08, rng)
    soft = cv2.GaussianBlur(sheet, (0, 0), float(rng.uniform(0.3, 0.8)))
    return np.ascontiguousarray(np.clip(soft, 0, 255)[..., ::-1].astype(np.uint8)), told


def _cities(sheet: Floats64, cities: Sequence[Mapping[str, Any]], wide: float, rng: np.random.Generator) -> None:
    """Marks of all cities, in place, as one print draws them: discs of any ink, flat or domed, with rings and dots.

    `wide`: of a space, in pixels. Gold and red marks are what looks most like a station.
    """
    size = wide * rng.uniform(0.3, 0.75)
    inks = [np.array(ink, np.float64) for ink in (*_INKS.values(), (215, 170, 60), (150, 110, 60), (235, 225, 200))]
    ink, rim = (inks[rng.integers(len(inks))] * rng.uniform(0.6, 1.1) for _ in range(2))
    ring, dot, domed = rng.choice([0, 0.15, 0.3]), rng.choice([0, 0, 0.4]), rng.choice([0, 0.25, 0.5])
    glow = rng.choice([0, 0, 0.8])
    reach = int(size * 1.6) + 2
    for city in cities:
        if city.get("x") is None:
            continue
        x0, y0 = int(city["x"]) - reach, int(city["y"]) - reach
        there = sheet[max(y0, 0) : y0 + 2 * reach, max(x0, 0) : x0 + 2 * reach]
        y, x = np.mgrid[max(y0, 0) : max(y0, 0) + there.shape[0], max(x0, 0) : max(x0, 0) + there.shape[1]] + 0.5
        right, down = (x - city["x"]) / size, (y - city["y"]) / size
        far = np.hypot(right, down)
        there += (glow * np.clip(1.5 - far, 0, 0.5))[..., None] * (240 - there)
        tone = 1 - domed * (right + down) / 1.4 * np.minimum(far, 1)
        color = np.where((far > 1 - ring)[..., None] | (far < dot)[..., None], rim, ink) * tone[..., None]
        there += np.clip((1 - far) * size + 0.5, 0, 1)[..., None] * (np.clip(color, 0, 252) - there)


def _length(routes: list[dict[str, Any]]) -> float:
    """From one space to the next, in pixels of the art."""
    pairs = [pair for r in routes for pair in pairwise(r["spaces"])]
    return float(np.median([np.hypot(b["x"] - a["x"], b["y"] - a["y"]) for a, b in pairs]))


def _laid(sheet: Floats64, piece: Picture, at: dict[str, float], length: float) -> None:
    """One space laid into the sheet, in place."""
    high, wide = piece.shape[:2]
    margin = high * 0.6 / 2.2
    scale, turn = length / (wide - 2 * margin), np.radians(at["angle"])
    reach = int(np.hypot(wide, high) * scale / 2) + 3
    x0, y0 = int(at["x"]) - reach, int(at["y"]) - reach
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    middle = np.array([at["x"] - x0, at["y"] - y0])
    fit = np.array([[c, -s, 0], [s, c, 0]])
    fit[:, 2] = middle - fit[:, :2] @ (wide / 2, high / 2)
    small = cv2.GaussianBlur(piece, (0, 0), 0.45 / scale)
    found = cv2.warpAffine(small, fit, (2 * reach, 2 * reach), flags=cv2.INTER_LINEAR).astype(np.float64)
    y1, x1 = max(y0, 0), max(x0, 0)
    there = sheet[y1 : y0 + 2 * reach, x1 : x0 + 2 * reach]
    found = found[y1 - y0 : y1 - y0 + there.shape[0], x1 - x0 : x1 - x0 + there.shape[1]]
    there += (found[..., 3:] / 255) * (found[..., :3] - there)


def reference(board: maps.Board, art: Picture) -> light.Reference:
    """The colours of a print in even light, of its flat picture."""
    to_picture = spaces.by_homography(examples.art_to_picture(board, art.shape[1], art.shape[0]))
    return light.reference_of(art, to_picture, spaces.layout(board))


# Starts the tool with looks that its options don't name, and draws stations in cities of any board when asked to.
_TOOL = """
import sys
sys.path.insert(0, {tools!r})
import render
render.LOOKS['dev'] = {looks!r}
plain = render.draw_game
def drawn(board, cities, routes, rng, stage):
    players, own, stations, score = plain(board, cities, routes, rng, stage)
    for player in players if stage in ('early', 'play') else []:
        for _ in range(rng.choice([2, 3])):
            near = sorted({{c for r in routes if own[r['id']] for c in (r['a'], r['b'])}} - set(stations))
            stations[rng.choice(near if near else sorted(set(cities) - set(stations)))] = player
    return players, own, stations, score
if {stations!r}:
    render.draw_game = drawn
render.main()
"""


def made(board: str, seed: int, python: Path, out: Path, stations: bool = False) -> None:
    """One photo of a print of its own, with its truth and that print's colours."""
    name = f"{board}-{seed:04d}"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "art" / "boards").mkdir(parents=True)
        for part in ("art/cards", "art/tickets", "facts", "photos"):
            (root / part).symlink_to(SHARED / part)
        art, colors = repainted(board, seed)
        cv2.imwrite(str(root / "art" / "boards" / f"{board}.webp"), art, [cv2.IMWRITE_WEBP_QUALITY, 101])
        _render(board, seed, python, out, stations, root=root, texture="art")
    file = out / f"{name}.json"
    truth = json.loads(file.read_text(encoding="utf-8")) | {"print": colors}
    file.write_text(json.dumps(truth), encoding="utf-8")
    reference(examples.board_of(truth), art).save(out / f"{name}.print.npz")


def own_print(board: str, seed: int, python: Path, out: Path, stations: bool = False) -> None:
    """One photo of the board's own print, in every look that the tool knows."""
    _render(board, seed, python, out, stations, root=SHARED, texture="auto")


def _render(board: str, seed: int, python: Path, out: Path, stations: bool, *, root: Path, texture: str) -> None:
    tool = _TOOL.format(tools=str(SHARED / "tools"), looks=WIDER, stations=stations)
    ask = ["--root", str(root), "--board", board, "--seed", str(seed), "--texture", texture, "--threads", "1"]
    ask += ["--width", str(SIZE[0]), "--height", str(SIZE[1]), "--out", str(out)]
    subprocess.run([str(python), "-c", tool, *ask], check=True)


def bare(board: str, seed: int, out: Path) -> None:
    """One photo of such a print with nothing on it, drawn flat: quick, and wagons are pasted on while training."""
    rng = np.random.default_rng([seed, BOARDS.index(board), 1])
    art, colors = repainted(board, seed)
    high, wide = art.shape[:2]
    inner = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
    frame = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * 0.07 * wide
    camera = _camera(inner, rng)
    sheet = np.full((*SIZE[::-1], 3), rng.uniform(20, 230, 3))
    sheet += _cloud(*SIZE[::-1], 12, 5, rng)[..., None] * rng.uniform(0, 25)
    corners, art_corners = (cv2.perspectiveTransform(c[None], camera)[0] for c in (inner + frame, inner))
    rim = tuple(float(v) for v in rng.uniform(10, 240, 3))
    cv2.fillPoly(sheet, [np.round(corners).astype(np.int32)], rim, cv2.LINE_AA)
    shown = cv2.warpPerspective(art.astype(np.float64), camera, SIZE, flags=cv2.INTER_AREA)
    there = cv2.warpPerspective(np.ones(art.shape[:2]), camera, SIZE)[..., None]
    photo = _lit(np.asarray(sheet * (1 - there) + shown * there, np.float64), rng)
    name = f"{board}-{seed:04d}"
    cv2.imwrite(str(out / f"{name}.jpg"), photo, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 95))])
    truth = {
        "photo": f"{name}.jpg", "board": board, "texture": "art", "stage": "empty", "size": list(SIZE), "pose": {},
        "corners": corners.tolist(), "art_corners": art_corners.tolist(), "routes": dict.fromkeys(colors),
        "stations": {}, "print": colors,
    }  # fmt: skip
    (out / f"{name}.json").write_text(json.dumps(truth), encoding="utf-8")
    reference(examples.board_of(truth), art).save(out / f"{name}.print.npz")


def _camera(inner: Floats64, rng: np.random.Generator) -> Floats64:
    """Where a phone held at an angle sees a board, from any side: pixels of its art to those of the photo."""
    wide, high = inner[2]
    middle = inner - (wide / 2, high / 2)
    turn, tilt, around = rng.normal(0, 0.15) + rng.choice([0, np.pi]), rng.uniform(0, 0.8), rng.uniform(0, 2 * np.pi)
    turned = middle @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    away = np.array([np.cos(around), np.sin(around)])
    # Leaning away shortens what lies that way, and makes its far side smaller.
    along = turned @ away
    seen = turned + np.outer(along * (np.cos(tilt) - 1), away)
    seen /= (1 + np.sin(tilt) * along / (wide * rng.uniform(1.4, 3)))[:, None]
    seen -= (seen.min(0) + seen.max(0)) / 2
    seen *= rng.uniform(0.8, 0.95) * np.min(np.array(SIZE) / np.ptp(seen, axis=0))
    seen += np.array(SIZE) / 2
    return np.asarray(cv2.getPerspectiveTransform(inner.astype(np.float32), seen.astype(np.float32)), np.float64)


def _lit(photo: Floats64, rng: np.random.Generator) -> Picture:
    """A lamp or a window, at times its mirror, the camera's blur and noise."""
    wide, high = SIZE
    y, x = np.mgrid[0:high, 0:wide] / high
    turn = rng.uniform(0, 2 * np.pi)
    light_here = 1 + rng.uniform(0, 0.7) * ((x - wide / high / 2) * np.cos(turn) + (y - 0.5) * np.sin(turn))
    warm = rng.normal(0, 0.12) + rng.choice([0, 0.15])
    lit = photo * light_here[..., None] * np.exp([-warm, 0, warm]) * rng.uniform(0.55, 1.05)
    if rng.random() < 0.3:
        at, broad = rng.uniform(0, 1, 2) * (wide / high, 1), rng.uniform(0.05, 0.3)
        lit += (np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / broad**2) * rng.uniform(30, 200))[..., None]
    soft = cv2.GaussianBlur(lit, (0, 0), float(rng.uniform(0.4, 1.2)))
    return np.asarray(np.clip(soft + rng.normal(0, rng.uniform(0, 5), soft.shape), 0, 255), np.uint8)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--python", type=Path, help="the Python that has Blender; without it bare boards are drawn flat"
    )
    parser.add_argument("--first", type=int, default=100, help="the first seed")
    parser.add_argument("--count", type=int, default=5, help="how many photos, boards by turns")
    parser.add_argument("--stations", action="store_true", help="two or three stations a player, on any board")
    parser.add_argument("--own-print", action="store_true", help="the boards' own prints, in every look of the tool")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(arguments)
    if args.own_print and not args.python:
        parser.error("--own-print needs --python: only Blender renders a board's own print")
    args.out.mkdir(parents=True, exist_ok=True)
    for seed in range(args.first, args.first + args.count):
        board = BOARDS[seed % len(BOARDS)]
        if args.own_print:
            if not (args.out / f"{board}-{seed:04d}.json").is_file():
                own_print(board, seed, args.python, args.out, args.stations)
        elif not (args.out / f"{board}-{seed:04d}.print.npz").is_file():
            if args.python:
                made(board, seed, args.python, args.out, args.stations)
            else:
                bare(board, seed, args.out)


if __name__ == "__main__":
    main()

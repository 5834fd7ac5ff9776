"""Pictures of tables with cards and tickets on them, made while training: layouts, perspective, clutter and light."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import pictures
from models.training.card_art import EDITIONS, KINDS, SHARED, MadeUp, Picture, TicketPrint, tickets
from vision.config import SHEET

Floats = NDArray[np.float32]
NOTHING, CARD, TICKET = 0, 1, 2
_COUNTS = {"card": CARD, "ticket": TICKET}
SIZE, STRIDE = 256, 8
# Long sides of cards in pixels: the sizes that the finder knows.
LENGTHS = (66.0, 136.0)
LONG, SHORT = 87.0, 56.0
# How many of the drawn scenes are a picture that something fills, laid on the reader's own table.
FILLING = 0.06
# How many of the scenes are rendered photos, where there are any.
RENDERED = 0.5
BOARD_MM, BOARD_SIZE = (780.0, 530.0), (1170, 795)


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture and, cell by cell, what lies there: kind, colour (255: none) and the corners of that whole card.

    Then whose pixels these are (sheet 1, 2 ... or nobody's, 0), and each sheet's kind and corners.
    """

    picture: Picture
    kind: NDArray[np.uint8]
    color: NDArray[np.uint8]
    corners: Floats
    owner: NDArray[np.int16]
    kinds: list[int]
    quads: list[Floats]


@dataclass(eq=False)
class _Sheet:
    """Something flat on the table: its picture, corners in mm, and what it counts as."""

    picture: Picture
    corners: Floats
    kind: int = NOTHING
    color: int = 255
    round: bool = True


class Maker:
    """Makes scenes with the cards of some editions only, so that the others can judge."""

    def __init__(self, editions: tuple[str, ...], prints: list[TicketPrint], made_up: float = 0.5) -> None:
        self.art = MadeUp(editions)
        self.prints = prints
        self.made_up = made_up
        self.sheets = sorted({p.sheet for p in prints})
        self.boards = _boards()
        self.bare = _bare_tables()
        self.near = _near()

    def scene(self, rng: np.random.Generator) -> Scene:
        """One picture of a table."""
        size = SIZE
        if rng.random() < FILLING:
            return self._filling(rng)
        camera, scale = _camera(rng, size)
        # Nothing behind the camera or at the horizon.
        sheets = [s for s in self._sheets(rng, size / scale) if (s.corners @ camera[2, :2] + camera[2, 2]).min() > 0.3]
        picture = self._table(rng, size, camera).astype(np.float32)
        owner = np.zeros((size, size), np.int16)
        shade = rng.uniform(0.2, 0.6)
        for n, sheet in enumerate(sheets, 1):
            _lay(picture, owner, sheet, cv2.perspectiveTransform(sheet.corners[None], camera)[0], n, shade)
        for _ in range(rng.choice([0, 1, 2], p=[0.5, 0.3, 0.2])):
            _thing(picture, owner, rng, size)
        lit = light(picture, rng)
        corners = [cv2.perspectiveTransform(sheet.corners[None], camera)[0] for sheet in sheets]
        return labelled(lit, owner, [(s.kind, s.color) for s in sheets], corners)

    def _filling(self, rng: np.random.Generator) -> Scene:
        """A card that fills a photo, cut a little and any way up, or a ticket, a paper or a board in its place."""
        picture = np.full((SIZE, SIZE, 3), SHEET.table, np.float32)
        what = rng.random()
        kind, color, art = NOTHING, 255, _paper(rng)
        if what < 0.62:
            kind, color = CARD, int(rng.integers(len(KINDS)))
            art = self.art.edition(rng, self.made_up)[KINDS[color]]
        elif what < 0.76:
            kind, art = TICKET, self.prints[rng.integers(len(self.prints))].picture
        elif what < 0.9:
            art = self.boards[rng.integers(len(self.boards))]
        cuts = 1 - rng.uniform(0, 0.05, 4) * (rng.random(4) < 0.5)
        high, wide = art.shape[:2]
        art = art[int((1 - cuts[0]) * high) : int(cuts[1] * high), int((1 - cuts[2]) * wide) : int(cuts[3] * wide)]
        long = float(np.exp(rng.uniform(*np.log(LENGTHS))))
        sides = np.array(art.shape[1::-1]) * long / max(art.shape[:2])
        turn = rng.integers(4) * np.pi / 2 + rng.normal(0, rng.choice([0.005, 0.04]))
        corners = _rectangle(SIZE / 2, SIZE / 2, sides[0], sides[1], turn)
        owner = np.zeros((SIZE, SIZE), np.int16)
        sheet = _Sheet(art, corners, kind, color, round=bool(rng.random() < 0.5))
        _lay(picture, owner, sheet, corners, 1, 0.0)
        # The photo has its light; the table around it was laid later.
        lit = light(picture, rng)
        lit[owner == 0] = SHEET.table
        return labelled(lit, owner, [(kind, color)], [corners])

    def _sheets(self, rng: np.random.Generator, across: float) -> list[_Sheet]:
        """What lies on the table, undermost first; `across` is how many mm the picture shows."""
        papers = rng.choice([0, 1, 2], p=[0.6, 0.3, 0.1])
        sheets = [_board_beside(self.boards, rng, across)] if rng.random() < 0.25 else []
        # Papers of any size: the squares of a large one look like cards too.
        sizes = np.exp(rng.uniform(np.log(0.6), np.log(7), papers))
        sheets += [_placed(_paper(rng), rng, across, size, round_=False) for size in sizes]
        if rng.random() < 0.35:
            sheets.append(_placed(_back(self.art, self.prints, rng), rng, across, 1.0))
        groups = rng.choice([0, 1, 2, 3], p=[0.18, 0.54, 0.22, 0.06])
        for _ in range(groups):
            kind = rng.random()
            if kind < 0.68:
                deck = self.art.edition(rng, self.made_up)
                names = rng.choice(len(KINDS), rng.integers(1, 9) if rng.random() < 0.8 else rng.integers(6, 13))
                if rng.random() < 0.3:
                    names[:] = names[0]
                cards = [(deck[KINDS[k]], CARD, int(k)) for k in names]
            elif kind < 0.9:
                # Every design as often as the others, however many tickets it has.
                sheet = self.sheets[rng.integers(len(self.sheets))]
                deck_of = [p.picture for p in self.prints if p.sheet == sheet]
                cards = [(deck_of[k], TICKET, 255) for k in rng.choice(len(deck_of), rng.integers(1, 6))]
            else:
                # Papers and backs fanned like cards.
                paper = _paper(rng) if rng.random() < 0.6 else _back(self.art, self.prints, rng)
                cards = [(paper, NOTHING, 255)] * int(rng.integers(1, 7))
            sheets += _group(cards, rng, across)
        if rng.random() < 0.1:
            sheets.append(_placed(_back(self.art, self.prints, rng), rng, across, 1.0))
        return sheets

    def _table(self, rng: np.random.Generator, size: int, camera: Floats) -> Picture:
        if rng.random() < 0.06:
            return _crop(self.boards[rng.integers(len(self.boards))], rng, size)
        if rng.random() < 0.1:
            return _crop(self.near[rng.integers(len(self.near))], rng, size, (0.35, 1.1))
        if rng.random() > 0.5:
            return _drawn_table(rng, size, camera)
        table = _crop(self.bare[rng.integers(len(self.bare))], rng, size)
        return np.roll(table, int(rng.integers(1, 3)), axis=2) if rng.random() < 0.3 else table


def _camera(rng: np.random.Generator, size: int) -> tuple[Floats, float]:
    """A homography from mm on the table to pixels, and pixels per mm in its middle."""
    length = float(np.exp(rng.uniform(*np.log(LENGTHS))))
    scale = length / LONG
    tilt, turn = np.radians(rng.uniform(0, 52) * rng.random() ** 0.5), rng.uniform(0, 2 * np.pi)
    away = size / scale * rng.uniform(0.9, 2.2)
    spin = rng.uniform(0, 2 * np.pi)
    rotate = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    back = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, np.sin(tilt) / away, 1]])
    zoom = np.array([[scale, 0, size / 2], [0, scale, size / 2], [0, 0, 1]])
    return (zoom @ back @ lean @ back.T @ rotate).astype(np.float32), scale


def _rectangle(x: float, y: float, wide: float, high: float, turn: float) -> Floats:
    corners = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)]) / 2
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(corners @ spin.T + (x, y), np.float32)


def _placed(picture: Picture, rng: np.random.Generator, across: float, size: float, round_: bool = True) -> _Sheet:
    at = rng.uniform(-across / 2, across / 2, 2)
    wide, high = (LONG, SHORT) if picture.shape[1] > picture.shape[0] else (SHORT, LONG)
    return _Sheet(picture, _rectangle(at[0], at[1], wide * size, high * size, rng.uniform(0, 2 * np.pi)), round=round_)


def _group(cards: list[tuple[Picture, int, int]], rng: np.random.Generator, across: float) -> list[_Sheet]:
    """Cards as people lay them: in a row, fanned, stacked with a strip showing, or anyhow."""
    upright = cards[0][0].shape[0] > cards[0][0].shape[1]
    wide, high = (SHORT, LONG) if upright else (LONG, SHORT)
    if rng.random() < 0.25 and not upright:
        wide, high = wide * 0.79, high * 0.79
    kind = rng.choice(["row", "column", "fan-x", "fan-y", "loose", "two-rows"], p=[0.11, 0.09, 0.24, 0.2, 0.1, 0.26])
    turn = rng.uniform(0, 2 * np.pi)
    bend = rng.normal(0, 0.12) if kind in ("fan-x", "fan-y") and rng.random() < 0.6 else 0.0
    wobble = rng.choice([0.02, 0.06, 0.15])
    overlap = rng.uniform(0.36, 0.95) if kind.startswith("fan") else rng.uniform(1.0, 1.3)
    # Two rows: along either side, each row fanned, the second over the first or below it.
    apart, along = rng.uniform(0.52, 1.12), int(rng.random() < 0.5)
    if kind == "two-rows":
        overlap = rng.choice([rng.uniform(0.4, 0.8), 1.08], p=[0.75, 0.25])
        if rng.random() < 0.5:
            cards = cards[::-1]
    centre = rng.normal(0, across / 6, 2)
    flipped = np.pi if rng.random() < 0.3 else 0.0
    sheets = []
    half = (len(cards) - 1) / 2
    for n, (picture, what, color) in enumerate(cards):
        step = n - half
        if kind in ("row", "fan-x"):
            at = np.array([step * wide * overlap, 0.0])
        elif kind in ("column", "fan-y"):
            at = np.array([0.0, step * high * overlap])
        elif kind == "two-rows":
            columns = (len(cards) + 1) // 2
            # Either neighbour lies on top.
            column = n % columns if len(cards) % 3 else columns - 1 - n % columns
            at = np.array([(column - columns / 2) * overlap, (n // columns - 0.5) * apart])
            at = (at[::-1] if along else at) * (wide, high)
        else:
            at = rng.uniform(-across / 2.2, across / 2.2, 2)
        own = rng.normal(0, wobble) + bend * step + (rng.uniform(0, 6.28) if kind == "loose" else 0)
        at = at + rng.normal(0, 0.03 * wide, 2)
        at[1] += abs(step) ** 2 * bend * wide * 0.4
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        single = np.pi if rng.random() < 0.06 else 0.0
        place = spin @ at + centre
        corners = _rectangle(place[0], place[1], wide, high, turn + own + flipped + single)
        sheets.append(_Sheet(picture, corners, what, color))
    return sheets if rng.random() < 0.6 else sheets[::-1]


def _lay(picture: Floats, owner: NDArray[np.int16], sheet: _Sheet, corners: Floats, n: int, shade: float) -> None:
    """Draws a sheet into the picture, with a little shadow around it, and notes whose pixels these are."""
    high, wide = picture.shape[:2]
    low, up = np.floor(corners.min(0)).astype(int) - 3, np.ceil(corners.max(0)).astype(int) + 4
    x0, y0, x1, y1 = max(low[0], 0), max(low[1], 0), min(up[0], wide), min(up[1], high)
    if x0 >= x1 or y0 >= y1:
        return
    art = _reduced(sheet.picture, corners)
    mask = np.full(art.shape[:2], 255, np.uint8)
    if sheet.round:
        _round_off(mask)
    box = np.array([(0, 0), (art.shape[1], 0), art.shape[1::-1], (0, art.shape[0])], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(box, (corners - (x0, y0)).astype(np.float32))
    size = (x1 - x0, y1 - y0)
    drawn = cv2.warpPerspective(art, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(mask, warp, size, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    spot = picture[y0:y1, x0:x1]
    dark = cv2.GaussianBlur(alpha, (0, 0), 2.4) * shade
    spot *= 1 - dark[..., None]
    spot += (drawn - spot) * alpha[..., None]
    owner[y0:y1, x0:x1][alpha > 0.5] = n


def _reduced(art: Picture, corners: Floats) -> Picture:
    """The art averaged down to about the size at which it will be drawn."""
    sides = np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1)
    ratio = float(max(sides[1::2].max() / art.shape[1], sides[::2].max() / art.shape[0]))
    if ratio > 0.75:
        return art
    size = (max(round(art.shape[1] * ratio * 1.2), 6), max(round(art.shape[0] * ratio * 1.2), 6))
    return np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)


def _round_off(mask: Picture) -> None:
    r = max(round(max(mask.shape) * 0.03), 1)
    for y, x in ((0, 0), (0, mask.shape[1] - r), (mask.shape[0] - r, 0), (mask.shape[0] - r, mask.shape[1] - r)):
        mask[y : y + r, x : x + r] = 0
    for y in (r, mask.shape[0] - 1 - r):
        for x in (r, mask.shape[1] - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)


def labelled(picture: Picture, owner: NDArray[np.int16], what: list[tuple[int, int]], quads: list[Floats]) -> Scene:
    """The scene with its cells told; `owner` is whose pixels these are: sheet 1, 2 ... or nobody's, 0."""
    at = owner[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    kinds = np.array([NOTHING] + [kind for kind, _ in what], np.uint8)
    colors = np.array([255] + [color for _, color in what], np.uint8)
    corners = np.zeros((len(what) + 1, 8), np.float32)
    for n, quad in enumerate(quads, 1):
        corners[n] = quad.ravel()
        # Hardly anything of it shows: neither right nor wrong to see it.
        shown = np.count_nonzero(owner == n) / max(cv2.contourArea(quad.astype(np.float32)), 1)
        if kinds[n] and shown < 0.22:
            kinds[n] = 255
    return Scene(picture, kinds[at], colors[at], corners[at], owner, [kind for kind, _ in what], quads)


class Renders:
    """Rendered photos of cards with their truth, seen at a size that the finder knows, turned any way."""

    def __init__(self, folder: Path, without: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.without = set(without)
        self.read: dict[Path, dict[str, Any]] = {}
        self.usable: list[Path] = []

    def refresh(self) -> int:
        """Looks for new ones, and tells how many there are."""
        for path in sorted(self.folder.glob("*.json")):
            if path not in self.read and path.with_suffix(".jpg").is_file():
                self.read[path] = json.loads(path.read_text(encoding="utf-8"))
                if not self.without & set(self.read[path]["editions"]):
                    self.usable.append(path)
        return len(self.usable)

    def owner(self, path: Path, shape: tuple[int, int]) -> NDArray[np.int16]:
        """Whose pixels these are: sheet 1, 2 ... or nobody's, 0."""
        return _owner([np.array(s["quad"], np.float32) for s in self.read[path]["sheets"]], shape)

    def scene(self, rng: np.random.Generator) -> Scene:
        """A part of one of the photos."""
        path = self.usable[rng.integers(len(self.usable))]
        truth, image = self.read[path], pictures.picture(path.with_suffix(".jpg"))
        sheets = truth["sheets"]
        quads = [np.array(s["quad"], np.float32) for s in sheets]
        wanted = [q for q, s in zip(quads, sheets, strict=True) if s["kind"] in ("card", "ticket")]
        whole = np.array([[0, 0], [image.shape[1], 0], image.shape[1::-1], [0, image.shape[0]]], np.float32)
        quad = wanted[rng.integers(len(wanted))] if wanted and rng.random() < 0.9 else whole / 4
        long = float(np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).max())
        scale = float(np.exp(rng.uniform(*np.log(LENGTHS)))) / long
        # Seen from too near, nothing is a card: the finder looks at every photo in several sizes.
        too_near = rng.random() < 0.12
        if too_near:
            scale *= rng.uniform(2.2, 4.5)
            quad = quad - quad.mean(0) + rng.uniform(0.1, 0.9, 2).astype(np.float32) * image.shape[1::-1]
        turn = cv2.getRotationMatrix2D((0, 0), float(rng.uniform(0, 360)), 1.0)
        # Averaged before it is made smaller.
        if scale < 1:
            image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
            quads, quad, scale = [q * scale for q in quads], quad * scale, 1.0
        place = turn * scale
        middle = place[:, :2] @ quad.mean(0)
        place[:, 2] = SIZE / 2 - middle + rng.uniform(-0.42, 0.42, 2) * SIZE
        picture = cv2.warpAffine(image, place, (SIZE, SIZE), borderMode=cv2.BORDER_REFLECT_101)
        inside = _owner(quads, (image.shape[0], image.shape[1]))
        # What lies beyond the picture is its mirror image: nobody's.
        owner = cv2.warpAffine(inside, place, (SIZE, SIZE), flags=cv2.INTER_NEAREST, borderValue=-1)
        what = [
            (_COUNTS.get(s["kind"], NOTHING), KINDS.index(s["name"]) if s["kind"] == "card" else 255) for s in sheets
        ]
        moved = [cv2.transform(q[None], place)[0].astype(np.float32) for q in quads]
        if rng.random() < 0.5:
            picture = light(picture.astype(np.float32), rng)
        scene = labelled(np.asarray(picture, np.uint8), np.maximum(owner, 0), what, moved)
        scene.kind[owner[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE] < 0] = 255
        if too_near:
            scene.kind[scene.kind != NOTHING] = 255
            scene.kinds[:] = [255 if kind else NOTHING for kind in scene.kinds]
        return scene


def _owner(quads: list[Floats], shape: tuple[int, int]) -> NDArray[np.int16]:
    owner = np.zeros(shape, np.int16)
    for n, quad in enumerate(quads, 1):
        cv2.fillConvexPoly(owner, np.round(quad).astype(np.int32), n)
    return owner


def scenes(
    editions: tuple[str, ...], rng: np.random.Generator, renders: Path | None, made_up: float = 0.5
) -> Iterator[Scene]:
    """Scenes of these editions without end: drawn ones, and parts of rendered photos where there are any."""
    maker = Maker(editions, tickets(), made_up)
    left_out = tuple(e for e in EDITIONS if e not in editions)
    rendered = Renders(renders, left_out) if renders else None
    for n in count():
        if rendered is not None and n % 200 == 0:
            rendered.refresh()
        if rendered is not None and rendered.usable and rng.random() < RENDERED:
            yield rendered.scene(rng)
        else:
            yield maker.scene(rng)


def _boards() -> list[Picture]:
    """Whole boards with their score tracks, drawn and photographed, seen from straight above."""
    art = [cv2.imread(str(path)) for path in sorted((SHARED / "art" / "boards").iterdir())]
    found = [cv2.resize(a, BOARD_SIZE, interpolation=cv2.INTER_AREA) for a in art if a is not None]
    box = np.array([(0, 0), (BOARD_SIZE[0], 0), BOARD_SIZE, (0, BOARD_SIZE[1])], np.float32)
    for path in [*sorted((SHARED / "renders" / "boards").glob("*.json"))[::2], *_photographed()[::3]]:
        corners = np.array(json.loads(path.read_text(encoding="utf-8"))["corners"], np.float32) / 2
        image = pictures.picture(path.with_suffix(".jpg"), cv2.IMREAD_REDUCED_COLOR_2)
        place = cv2.getPerspectiveTransform(corners, box)
        found.append(np.asarray(cv2.warpPerspective(image, place, BOARD_SIZE, borderMode=cv2.BORDER_REPLICATE)))
    return [np.asarray(board, np.uint8) for board in found]


def _photographed() -> list[Path]:
    """The truths of photos of boards; other photos have no board's corners."""
    return [p for p in sorted((SHARED / "photos").glob("*/*.json")) if p.parent.name != "tickets"]


def _bare_tables() -> list[Picture]:
    """Bits of bare table beside photographed boards, mirrored to a larger cloth; none with things on them."""
    found: list[Picture] = []
    for path in [
        *sorted((SHARED / "renders" / "boards").glob("*.json")),
        *sorted((SHARED / "photos" / "usa").glob("*.json")),
    ]:
        corners = np.array(json.loads(path.read_text(encoding="utf-8"))["corners"], np.float32) / 2
        image = pictures.picture(path.with_suffix(".jpg"), cv2.IMREAD_REDUCED_COLOR_2)
        side, rng = 110, np.random.default_rng(len(found))
        for _ in range(40):
            x, y = rng.integers(0, image.shape[1] - side), rng.integers(0, image.shape[0] - side)
            away = -cv2.pointPolygonTest(corners, (float(x + side / 2), float(y + side / 2)), True)
            bit = image[y : y + side, x : x + side]
            blocks = cv2.resize(bit, (9, 9), interpolation=cv2.INTER_AREA).astype(np.float32)
            if away > side * 0.8 and blocks.std((0, 1)).max() < 11 and blocks.mean() > 12:
                wide = np.hstack([bit, bit[:, ::-1]])
                found.append(np.vstack([wide, wide[::-1]]))
                if len(found) % 3 == 0:
                    break
    return found


def _near() -> list[Picture]:
    """Boards seen from so near that the squares of their score tracks are as large as cards."""
    found: list[Picture] = []
    for path in [*sorted((SHARED / "renders" / "boards").glob("*.json"))[::2], *_photographed()[::2]]:
        corners = np.array(json.loads(path.read_text(encoding="utf-8"))["corners"], np.float32)
        image = pictures.picture(path.with_suffix(".jpg"))
        scale = 2000 / max(image.shape[:2])
        if scale < 1:
            small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            image, corners = np.asarray(small, np.uint8), corners * scale
        rng, half = np.random.default_rng(len(found)), 140
        for n in range(6):
            one, other = corners[n % 4], corners[(n + 1) % 4]
            at = one + (other - one) * rng.uniform(0.1, 0.9)
            at += (corners.mean(0) - at) * rng.choice([0.12, 0.2, 0.6])
            x, y = np.round(at).astype(int)
            bit = image[max(y - half, 0) : y + half, max(x - half, 0) : x + half]
            if min(bit.shape[:2]) > half:
                found.append(bit.copy())
    return found


def _crop(image: Picture, rng: np.random.Generator, size: int, part: tuple[float, float] = (0.7, 4.0)) -> Picture:
    side = int(min(*image.shape[:2], rng.uniform(*part) * size))
    y, x = rng.integers(0, image.shape[0] - side + 1), rng.integers(0, image.shape[1] - side + 1)
    bit = cv2.resize(image[y : y + side, x : x + side], (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(np.rot90(bit, int(rng.integers(4))), np.uint8).copy()


def _board_beside(boards: list[Picture], rng: np.random.Generator, across: float) -> _Sheet:
    """A board that reaches into the picture from one side, or lies under everything."""
    wide, high = BOARD_MM
    turn = rng.uniform(0, 2 * np.pi)
    away = high * rng.uniform(0.1, 0.5) + across * rng.uniform(0.0, 0.4)
    at = away * np.array([np.cos(turn), np.sin(turn)])
    own = turn + np.pi / 2 + rng.normal(0, 0.3)
    return _Sheet(boards[rng.integers(len(boards))], _rectangle(at[0], at[1], wide, high, own), round=False)


def _noise(rng: np.random.Generator, size: int, wide: int, high: int) -> Floats:
    grid = rng.normal(0, 1, (max(high, 2), max(wide, 2))).astype(np.float32)
    return np.asarray(cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _color(rng: np.random.Generator) -> Floats:
    hsv = np.array([[[rng.uniform(0, 180), 255 * rng.random() ** 1.5, rng.uniform(20, 245)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _drawn_table(rng: np.random.Generator, size: int, camera: Floats) -> Picture:
    """Wood, cloth, stripes, checks, stone: in the perspective of the picture."""
    kind = rng.choice(["wood", "cloth", "stripes", "checks", "plain"], p=[0.25, 0.15, 0.2, 0.2, 0.2])
    first, second = _color(rng), _color(rng)
    if rng.random() < 0.25:
        # Black and white cloth: the hardest to tell from white edges.
        first, second = np.full(3, rng.uniform(10, 60), np.float32), np.full(3, rng.uniform(190, 250), np.float32)
    if kind == "wood":
        brown = np.array([60, 95, 140], np.float32) * rng.uniform(0.3, 1.5) + rng.normal(0, 10, 3)
        first = brown.astype(np.float32)
    big = 384
    y, x = np.mgrid[0:big, 0:big].astype(np.float32)
    if kind in ("stripes", "checks"):
        period = rng.uniform(14, 90)
        edge = rng.uniform(0.3, 0.7)
        across = ((x / period) % 1 < edge).astype(np.float32)
        if kind == "checks":
            across = (across + ((y / period) % 1 < edge)) / 2
        flat = first + (second - first) * across[..., None]
    else:
        flat = np.broadcast_to(first, (big, big, 3)).copy()
    grain = _noise(rng, big, int(rng.integers(3, 30)), int(rng.integers(60, 200))) if kind == "wood" else 0
    flat = flat + (grain * rng.uniform(3, 14) + _noise(rng, big, 6, 6) * rng.uniform(0, 10))[..., None]
    if kind == "wood":
        planks = (y % rng.uniform(60, 130)) < 1.5
        flat[planks] *= 0.6
    weave = rng.normal(0, rng.uniform(0, 14), (big, big, 1)).astype(np.float32)
    if kind in ("cloth", "stripes", "checks"):
        # Thicker and thinner threads, along and across.
        threads = rng.normal(0, 1, (2, big)).astype(np.float32) * rng.uniform(0, 12)
        weave += (threads[0][None] + threads[1][:, None])[..., None]
    flat = np.clip(flat + weave, 0, 255)
    tile = 300 / big
    place = camera @ np.array([[tile, 0, -150], [0, tile, -150], [0, 0, 1]], np.float32)
    zoom = np.diag([rng.uniform(0.7, 2.5)] * 2 + [1]).astype(np.float32)
    return np.asarray(
        cv2.warpPerspective(flat, place @ zoom, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT),
        np.uint8,
    )


def _paper(rng: np.random.Generator) -> Picture:
    """Receipts, leaflets, score sheets, score tracks, playing cards, photographs."""
    wide, high = (250, 161) if rng.random() < 0.5 else (161, 250)
    base = np.array([235, 240, 245]) * rng.uniform(0.75, 1.05) if rng.random() < 0.7 else _color(rng)
    page = np.asarray(np.clip(np.full((high, wide, 3), 1.0) * base, 0, 255), np.uint8)
    draw = (_lines, _grid, _pips, _title, _photograph, _track, None)[rng.integers(7)]
    if draw is not None:
        draw(page, tuple(int(v) for v in _color(rng) * 0.5), rng)
    return page


Ink = tuple[int, ...]


def _lines(page: Picture, ink: Ink, rng: np.random.Generator) -> None:
    for y in range(14, page.shape[0] - 8, int(rng.integers(7, 14))):
        cv2.line(page, (12, y), (int(page.shape[1] * rng.uniform(0.4, 0.95)), y), ink, int(rng.integers(1, 4)))


def _grid(page: Picture, ink: Ink, rng: np.random.Generator) -> None:
    step = int(rng.integers(14, 34))
    page[step - 1 :: step] = ink
    page[:, step - 1 :: step] = ink
    if rng.random() < 0.6:
        _numbers(page, step, ink, rng)


def _pips(page: Picture, _ink: Ink, rng: np.random.Generator) -> None:
    for _ in range(rng.integers(1, 11)):
        spot = (int(rng.integers(30, page.shape[1] - 30)), int(rng.integers(25, page.shape[0] - 25)))
        cv2.circle(page, spot, int(rng.integers(6, 16)), [(30, 30, 190), (30, 30, 30)][rng.integers(2)], -1)


def _title(page: Picture, _ink: Ink, rng: np.random.Generator) -> None:
    page[: int(page.shape[0] * rng.uniform(0.2, 0.8))] = _color(rng)
    cv2.putText(page, "".join(rng.choice(list("ABCDEFGHKLMNOPRSTUVZ"), 7)), (12, 60), 0, 1.2, (245, 245, 245), 3)


def _photograph(page: Picture, _ink: Ink, rng: np.random.Generator) -> None:
    photo = np.stack([_noise(rng, 64, 5, 5) * 60 + v for v in _color(rng)], axis=2)
    size = (page.shape[1] - 20, page.shape[0] - 20)
    page[10:-10, 10:-10] = cv2.resize(np.clip(photo, 0, 255).astype(np.uint8), size)


def _track(page: Picture, ink: Ink, rng: np.random.Generator) -> None:
    """Numbered squares with a rim, as around a board."""
    step = int(rng.integers(30, 70))
    rim = tuple(int(v) for v in _color(rng))
    for y in range(0, page.shape[0], step):
        for x in range(0, page.shape[1], step):
            corners = (x + 3, y + 3), (x + step - 3, y + step - 3)
            cv2.rectangle(page, *corners, ink, -1)
            cv2.rectangle(page, *corners, rim, 2)
    _numbers(page, step, tuple(int(v) for v in _color(rng)), rng)


def _numbers(page: Picture, step: int, ink: Ink, rng: np.random.Generator) -> None:
    """A number in most squares of a page."""
    for y in range(0, page.shape[0], step):
        for x in range(0, page.shape[1], step):
            if rng.random() < 0.7:
                at = (x + step // 5, y + step * 3 // 4)
                cv2.putText(page, str(rng.integers(1, 100)), at, 0, step / 55, ink, max(step // 20, 1), cv2.LINE_AA)


def _back(art: MadeUp, prints: list[TicketPrint], rng: np.random.Generator) -> Picture:
    """Backs of cards and tickets: one colour of ink, no corner symbols, an ornament or engine in the middle."""
    of_card = rng.random() < 0.5
    if art.backs and rng.random() < 0.3:
        return art.backs[rng.integers(len(art.backs))]
    if of_card:
        deck = art.decks[art.editions[rng.integers(len(art.editions))]]
        picture = deck[KINDS[rng.integers(len(KINDS))]]
    else:
        picture = prints[rng.integers(len(prints))].picture
        if picture.shape[0] > picture.shape[1]:
            picture = np.rot90(picture)
    gray = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2GRAY).astype(np.float32)
    # A ticket's print in one ink would still be that ticket: laid over itself upside down it is none.
    if not of_card or rng.random() < 0.5:
        gray = (gray + gray[::-1, ::-1]) / np.float32(2)
    if rng.random() < 0.5:
        gray = 255 - gray
    # Sepia, teal, slate and dark blue: no colour that a train card has.
    ink = np.array(
        [(70, 110, 170), (120, 110, 30), (150, 120, 80), (110, 70, 30), (60, 80, 120)][rng.integers(5)], np.float32
    )
    ink = np.clip(ink + rng.normal(0, 14, 3), 0, 255)
    share = (np.clip((gray - gray.mean()) * rng.uniform(0.5, 1.1) + 128, 0, 255) / 255)[..., None]
    body = ink * 0.35 * (1 - share) + (ink * rng.uniform(0.9, 1.3) + rng.uniform(0, 60)) * share
    edge = int(rng.integers(0, 12))
    framed = np.full_like(body, 240)
    framed[edge : body.shape[0] - edge, edge : body.shape[1] - edge] = body[
        edge : body.shape[0] - edge, edge : body.shape[1] - edge
    ]
    page = np.ascontiguousarray(np.clip(framed, 0, 255).astype(np.uint8))
    if rng.random() < 0.5:
        middle = (page.shape[1] // 2, page.shape[0] // 2)
        cv2.ellipse(
            page,
            middle,
            (int(rng.integers(30, 90)), int(rng.integers(30, 65))),
            0,
            0,
            360,
            tuple(int(v) for v in ink * 0.6),
            int(rng.choice([-1, 4, 8])),
        )
    if rng.random() < 0.4:
        cv2.rectangle(
            page,
            (edge + 6, edge + 6),
            (page.shape[1] - edge - 7, page.shape[0] - edge - 7),
            tuple(int(v) for v in ink * 0.4),
            3,
        )
    return page


def _thing(picture: Floats, owner: NDArray[np.int16], rng: np.random.Generator, size: int) -> None:
    """Wagons, coins, cups and fingers: they may lie over cards a little."""
    color = tuple(float(v) for v in _color(rng))
    mask = np.zeros((size, size), np.uint8)
    at = rng.integers(0, size, 2)
    kind = rng.integers(3)
    if kind == 0:
        corners = _rectangle(at[0], at[1], rng.uniform(12, 52), rng.uniform(4, 14), rng.uniform(0, 6.28))
        cv2.fillConvexPoly(mask, corners.astype(np.int32), 255)
    elif kind == 1:
        r = int(rng.integers(4, 16))
        cv2.ellipse(
            mask,
            tuple(int(v) for v in at),
            (r, int(r * rng.uniform(0.6, 1))),
            float(rng.uniform(0, 180)),
            0,
            360,
            255,
            -1,
        )
    else:
        edge = rng.choice([0, size], 2) if rng.random() < 0.7 else at
        cv2.circle(mask, tuple(int(v) for v in edge), int(rng.uniform(20, 64)), 255, -1)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.0)[..., None] / np.float32(255)
    shading = 1 + 0.2 * _noise(rng, size, 5, 5)[..., None]
    picture += (np.asarray(color, np.float32) * shading - picture) * soft
    owner[mask > 0] = 0


def light(picture: Floats, rng: np.random.Generator) -> Picture:
    """Lamp and window light, shadows, glare, then what a phone makes of it: blur, noise, contrast, JPEG."""
    size = picture.shape[0]
    y, x = np.mgrid[0:size, 0 : picture.shape[1]].astype(np.float32) / size
    image = (picture / 255) ** 2.0
    turn = rng.uniform(0, 6.28)
    image *= (1 + rng.uniform(0, 0.6) * ((x - 0.5) * np.cos(turn) + (y - 0.5) * np.sin(turn)))[..., None]
    # In linear light: lamps in the evening are three times as red as blue, and phones put only part of that right.
    warm = rng.normal(0, 0.12) + (rng.uniform(0.2, 0.6) if rng.random() < 0.3 else 0)
    image *= np.exp(np.array([-warm, rng.normal(0, 0.06), warm])) * np.exp(rng.normal(-0.05, 0.3))
    if rng.random() < 0.4:
        image *= _shadow(rng, size, picture.shape[1])
    if rng.random() < 0.35:
        image += _glare(x, y, rng)
    image = np.sqrt(np.clip(image, 0, 1))
    contrast = rng.uniform(0.75, 1.2)
    image = np.clip((image - 0.45) * contrast + 0.45 + rng.normal(0, 0.03), 0, 1)
    gray = image.mean(2, keepdims=True)
    image = gray + (image - gray) * rng.uniform(0.65, 1.25)
    soft = _blurred(image.astype(np.float32), rng)
    grained = soft * 255 + rng.normal(0, rng.uniform(0, 3.5), soft.shape)
    ready = np.clip(grained, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(40, 92))
        packed = cv2.imencode(".jpg", ready, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        ready = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return ready


def _shadow(rng: np.random.Generator, high: int, wide: int) -> Floats:
    """A hand's or a head's shadow: a blob, or the straight edge of something."""
    mask = np.zeros((high, wide), np.uint8)
    corners = rng.uniform(-0.3, 1.3, (rng.integers(3, 7), 2)) * (wide, high)
    cv2.fillConvexPoly(mask, cv2.convexHull(corners.astype(np.int32)), 255)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.7, 12)).astype(np.float32) / 255
    return np.asarray(1 - soft * rng.uniform(0.3, 0.95), np.float32)[..., None]


def _glare(x: Floats, y: Floats, rng: np.random.Generator) -> Floats:
    cx, cy = rng.uniform(-0.1, 1.1, 2)
    sx, sy = rng.uniform(0.04, 0.35, 2)
    spot = np.exp(-(((x - cx) / sx) ** 2) - ((y - cy) / sy) ** 2) * rng.uniform(0.1, 1.8)
    return np.asarray(spot[..., None] * np.exp(rng.normal(0, 0.06, 3)), np.float32)


def _blurred(image: Floats, rng: np.random.Generator) -> Floats:
    if rng.random() < 0.3:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.6)), np.float32)
    if rng.random() < 0.15:
        n = int(rng.integers(2, 6))
        kernel = np.zeros((n, n), np.float32)
        end = rng.integers(0, n)
        cv2.line(kernel, (0, int(end)), (n - 1, n - 1 - int(end)), 1.0)
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)
    return image

"""Real prints laid on tables, to judge the reader of tickets: `python -m models.training.ticket_tables OUT`.

One folder for each print, with the truth beside each picture as recordings have it. The prints are other people's:
the pictures are for judging at home only.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from models.training import card_scenes
from models.training.card_art import SHARED

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
PRINTS = {
    "usa-newer": "usa",
    "usa-older": "usa",
    "europe-newer": "europe",
    "united-kingdom": "united-kingdom",
    "pennsylvania": "pennsylvania",
}
# What else is printed with names, and for which board.
OTHERS = {"technologies": "united-kingdom", "shares": "pennsylvania"}
# Their names stand below: in a fan the upper ones lie on top.
LOW = ("europe",)
SIZE = (1600, 1200)
LAYOUTS = ("one", "filling", "few", "rows", "fan", "sleeves", "small")


@dataclass(frozen=True, eq=False)
class Print:
    """A photographed or scanned ticket, cut to the card."""

    id: str
    board: str
    picture: Picture


def prints(name: str) -> list[Print]:
    """All tickets of a print; ids that the board's list doesn't know are left out."""
    board = PRINTS[name]
    known = {f"{t.a}--{t.b}" for t in maps.load(board).tickets.values()}
    found = []
    for path in sorted((SHARED / "prints" / "tickets" / name).glob("*.jpg")):
        image = cv2.imread(str(path))
        if path.stem in known and image is not None:
            whole = np.asarray(image, np.uint8)
            found.append(Print(path.stem, board, cut(whole) if name == "usa-newer" else whole))
    return found


def others(kind: str) -> list[Print]:
    """Technology cards or shares as they are named on their board."""
    board = maps.load(OTHERS[kind])
    found = []
    for path in sorted((SHARED / "prints" / kind).glob("*.jpg")):
        name = "".join(f"-{c.lower()}" if c.isupper() and n else c.lower() for n, c in enumerate(path.stem))
        if name.endswith("-concession"):
            name = f"concession-{name.removesuffix('-concession')}"
        name = {"steam-turbine": "steam-turbines"}.get(name, name)
        if name in board.technologies or name in board.companies:
            found.append(Print(name, board.id, np.asarray(cv2.imread(str(path)), np.uint8)))
    return found


def cut(image: Picture) -> Picture:
    """The white card on black ground by itself."""
    gray = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 2)
    _, bright = cv2.threshold(gray, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    x, y, wide, high = cv2.boundingRect(max(contours, key=cv2.contourArea))
    return image[y : y + high, x : x + wide]


def table(layout: str, deck: list[Print], rng: np.random.Generator) -> tuple[Picture, list[dict[str, object]]]:
    """A picture of some tickets in a layout, and where each lies."""
    picture = _ground(rng)
    number = {"one": 1, "filling": 1, "few": 5, "rows": 10, "fan": 4, "sleeves": 4, "small": 12}[layout]
    chosen = [deck[k] for k in rng.permutation(len(deck))[:number]]
    upright = deck[0].picture.shape[0] > deck[0].picture.shape[1]
    camera = _camera(rng, 0.35 if layout != "filling" else 0.1)
    truth: list[dict[str, object]] = []
    places = _places(layout, len(chosen), upright, rng)
    if layout == "fan" and deck[0].board in LOW:
        places.reverse()
    for ticket, corners in zip(chosen, places, strict=True):
        quad = cv2.perspectiveTransform(corners[None].astype(np.float32), camera)[0]
        _lay(picture, ticket.picture, quad, rng)
        row = {
            "board": ticket.board,
            "id": ticket.id,
            "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in quad],
        }
        truth.append({**row, "visible": 1.0})
        for other in truth[:-1]:
            other["visible"] = round(float(other["visible"]) * (1 - _over(np.array(other["quad"]), quad)), 3)  # type: ignore[arg-type]
    if layout == "sleeves":
        for row in truth:
            _sleeve(picture, np.array(row["quad"], np.float32), rng)
    return card_scenes.light(picture, rng), truth


@lru_cache(maxsize=1)
def _tables() -> list[Picture]:
    return card_scenes._bare_tables()


def _ground(rng: np.random.Generator) -> Floats:
    size = max(SIZE)
    camera, _ = card_scenes._camera(rng, size)
    tables = _tables()
    if tables and rng.random() < 0.5:
        ground = card_scenes._crop(tables[rng.integers(len(tables))], rng, size)
    else:
        ground = card_scenes._drawn_table(rng, size, camera)
    return np.ascontiguousarray(ground[: SIZE[1], : SIZE[0]]).astype(np.float32)


def _camera(rng: np.random.Generator, most: float) -> Floats:
    """The table leaned back and turned a little around the middle of the picture."""
    wide, high = SIZE
    middle = np.array([[1, 0, -wide / 2], [0, 1, -high / 2], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, 1 - rng.uniform(0, most), 0], [0, rng.uniform(0, most) / high, 1]])
    turn = rng.normal(0, 0.12)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    return np.asarray(np.linalg.inv(middle) @ lean @ spin @ middle, np.float32)


def _places(layout: str, number: int, upright: bool, rng: np.random.Generator) -> list[Floats]:
    wide, high = SIZE
    turned = rng.random() < 0.3
    long: float = {"one": 700, "filling": 1500, "few": 470, "rows": 330, "fan": 560, "sleeves": 520, "small": 260}[
        layout
    ]
    long *= 0.75 if upright and layout in ("one", "filling", "few", "rows") else 1.0
    places = []
    for n in range(number):
        if layout in ("one", "filling"):
            at = np.array([wide / 2, high / 2]) + rng.normal(0, 30 if layout == "filling" else 120, 2)
        elif layout == "fan":
            step = long * (0.24 if not upright else 0.2)
            at = np.array([wide / 2, high / 2 - 1.5 * step + n * step]) + rng.normal(0, 12, 2)
        else:
            columns = {"few": 3, "rows": 4, "sleeves": 2, "small": 5}[layout]
            cell = long * (1.08 if not upright else 0.72), long * (0.72 if not upright else 1.1)
            rows = -(-number // columns)
            x = (n % columns - (columns - 1) / 2) * cell[0] + wide / 2
            y = (n // columns - (rows - 1) / 2) * cell[1] + high / 2
            at = np.array([x, y]) + rng.normal(0, 8, 2)
        turn = rng.normal(0, 0.06) + (np.pi if turned and layout != "fan" else 0)
        if layout in ("one", "small") and rng.random() < 0.4:
            turn = rng.uniform(0, 2 * np.pi)
        short = long / 1.56
        half = np.array([(-long, -short), (long, -short), (long, short), (-long, short)]) / 2
        if upright:
            half = np.array([(-short, -long), (short, -long), (short, long), (-short, long)]) / 2
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        places.append((half @ spin.T + at).astype(np.float32))
    return places


def _lay(picture: Floats, art: Picture, quad: Floats, rng: np.random.Generator) -> None:
    high, wide = art.shape[:2]
    scale = float(np.linalg.norm(quad[1] - quad[0])) / wide
    if scale < 0.8:
        art = np.asarray(cv2.resize(art, None, fx=scale * 1.1, fy=scale * 1.1, interpolation=cv2.INTER_AREA))
        high, wide = art.shape[:2]
    box = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    place = cv2.getPerspectiveTransform(box, quad.astype(np.float32))
    size = (picture.shape[1], picture.shape[0])
    mask = cv2.warpPerspective(np.full((high, wide), 255, np.uint8), place, size)
    shade = cv2.GaussianBlur(mask, (0, 0), 5).astype(np.float32)[..., None] / 255
    picture *= 1 - shade * rng.uniform(0.1, 0.4)
    picture += (cv2.warpPerspective(art, place, size).astype(np.float32) - picture) * (
        mask[..., None] / np.float32(255)
    )


def _over(quad: Floats, other: Floats) -> float:
    """How much of a ticket another covers."""
    common = cv2.intersectConvexConvex(quad.astype(np.float32), other.astype(np.float32))[0]
    return float(common / max(cv2.contourArea(quad.astype(np.float32)), 1.0))


def _sleeve(picture: Floats, quad: Floats, rng: np.random.Generator) -> None:
    """A clear sleeve: a hazy rim, and a band of glare across."""
    middle = quad.mean(0)
    rim = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(rim, (middle + (quad - middle) * 1.05).astype(np.int32), 255)
    haze = rng.uniform(0.04, 0.14) * (rim[..., None] / np.float32(255))
    picture += (235 - picture) * haze
    along = quad[1] - quad[0]
    at = quad[0] + along * rng.uniform(0.1, 0.7)
    width = along * rng.uniform(0.06, 0.22)
    slant = along * rng.normal(0, 0.15)
    down = quad[3] - quad[0]
    band = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(
        band, np.array([at, at + width, at + width + down + slant, at + down + slant]).astype(np.int32), 255
    )
    soft = cv2.GaussianBlur(band, (0, 0), 9).astype(np.float32)[..., None] / 255
    picture += (255 - picture) * soft * rng.uniform(0.2, 0.6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--each", type=int, default=2, help="pictures of each layout and print")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    for name in PRINTS:
        deck = prints(name)
        folder = args.out / name
        for k, layout in enumerate(LAYOUTS):
            for n in range(args.each):
                rng = np.random.default_rng((args.seed, list(PRINTS).index(name), k, n))
                picture, truth = table(layout, deck, rng)
                stem = f"{layout}-{n:02}"
                _write(folder, stem, picture, "tickets", truth, args.seed)
    for kind in OTHERS:
        for n, one in enumerate(others(kind)):
            rng = np.random.default_rng((args.seed, n, 5))
            picture, truth = table(("one", "filling")[n % 2], [one], rng)
            # All shares at hand are the first of their company.
            named = [{**row, "company": one.id, "number": 1} for row in truth] if kind == "shares" else truth
            _write(args.out / kind, one.id, picture, kind, named, args.seed)


def _write(folder: Path, stem: str, picture: Picture, kind: str, truth: list[dict[str, object]], seed: int) -> None:
    """A picture with its truth beside it, as recordings are; the seed says that it is no photo."""
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{stem}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    told = {"photo": f"{stem}.jpg", "kind": kind, "seed": seed, kind: truth}
    (folder / f"{stem}.json").write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main()

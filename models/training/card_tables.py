"""Lays prints of train cards on tables, with truth, to judge on: `python -m models.training.card_tables OUT`.

For every edition: a card that fills the picture (any way up, whole, cut a little or small), five in a row, a fan, two
rows of half-covered cards, five tiny ones beside a board, six beside a board of their own size in photos of any size.
`python -m models.training.cards --judge --on OUT` reads
them.
"""

from __future__ import annotations

import argparse
import json
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import card_art, card_scenes, ticket_tables
from models.training.card_art import KINDS, PRINTS, SHARED, Picture
from models.training.card_renders import visible
from models.training.pictures import picture

LAYOUTS = ("filling", "row", "fan", "two-rows", "tiny", "beside")
# How much of the cards may be burnt out or lost in the dark; more is lit anew.
PLAIN = 0.12
# Shorter side in pixels of a small picture of one card.
SMALL = 150
WIDE, HIGH = ticket_tables.SIZE
# Lengths of cards in pixels beside a board, in photos from web pages up to those of phones.
BESIDE = (42.0, 120.0)
Floats = NDArray[np.float32]


def deck(edition: str) -> dict[str, Picture]:
    """The nine cards of an edition as large as they are at hand, as photographed: upright ones stay upright."""
    if edition not in PRINTS:
        return card_art.deck(edition)
    folder = SHARED / "prints" / "cards" / PRINTS[edition]
    return {kind: picture(folder / f"{kind}.jpg") for kind in KINDS}


def filling(art: Picture, n: int, rng: np.random.Generator) -> tuple[Picture, Floats]:
    """A card that fills the picture: as it is, small, or cut by up to a twentieth; turned by quarters."""
    image = np.ascontiguousarray(np.rot90(art, n))
    if n % 3 == 1:
        small = SMALL / min(image.shape[:2])
        image = np.asarray(cv2.resize(image, None, fx=small, fy=small, interpolation=cv2.INTER_AREA), np.uint8)
    if n % 3 == 2:
        (high, wide), (top, left, low, right) = image.shape[:2], rng.uniform(0, 0.05, 4)
        image = image[int(top * high) : int((1 - low) * high), int(left * wide) : int((1 - right) * wide)]
    high, wide = image.shape[:2]
    return np.ascontiguousarray(image), np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)


def _places(layout: str, upright: bool, rng: np.random.Generator) -> list[Floats]:
    """Where cards lie, undermost first."""
    number, long = {"row": (5, 250.0), "fan": (6, 300.0), "two-rows": (8, 300.0), "tiny": (5, 58.0)}[layout]
    long *= rng.uniform(0.85, 1.15)
    wide, high = (long / 1.56, long) if upright else (long, long / 1.56)
    turn = rng.normal(0, 0.08) + (np.pi / 2 if layout in ("fan", "two-rows") and rng.random() < 0.5 else 0.0)
    step, apart = rng.uniform(0.42, 0.65), rng.uniform(0.58, 0.85)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    below = rng.random() < 0.5
    places = []
    for n in range(number):
        if layout == "two-rows":
            # Along the shorter side the rows are longest in people's hands.
            u, v = n % 4 - 1.5, n // 4 - 0.5
            at = np.array([u * step * wide, v * apart * high])
        elif layout == "tiny":
            at = np.array([(n - 2) * 150.0, 0.0])
        else:
            at = np.array([(n - (number - 1) / 2) * wide * (1.12 if layout == "row" else step), 0.0])
        middle = np.array([WIDE / 2, HIGH - 60]) if layout == "tiny" else np.array([WIDE / 2, HIGH / 2])
        place = (at @ spin.T if layout != "tiny" else at) + middle + rng.normal(0, 0.02 * long, 2)
        own = turn + rng.normal(0, 0.05) + (np.pi if rng.random() < 0.1 else 0.0)
        places.append(card_scenes._rectangle(place[0], place[1], wide, high, own))
    return places[::-1] if below else places


@lru_cache(maxsize=1)
def _boards() -> list[Picture]:
    """Boards as photographed, seen from straight above; none that the nets saw as a whole while training."""
    size = card_scenes.BOARD_SIZE
    box = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    found = []
    for path in card_scenes._photographed()[1::3]:
        corners = np.array(json.loads(path.read_text(encoding="utf-8"))["corners"], np.float32)
        warp = cv2.getPerspectiveTransform(corners, box)
        found.append(np.asarray(cv2.warpPerspective(picture(path.with_suffix(".jpg")), warp, size), np.uint8))
    return found


def _beside(ground: Floats, upright: bool, rng: np.random.Generator) -> list[Floats]:
    """Lays a board on the table, and tells the places of three cards along one side of it and of a hand at another.

    They are as large as they are beside a board; older boxes have smaller ones.
    """
    boards = _boards()
    across = rng.uniform(0.58, 0.72) * WIDE
    tall = across * card_scenes.BOARD_MM[1] / card_scenes.BOARD_MM[0]
    at = np.array([WIDE, HIGH]) / 2 + rng.normal(0, 12, 2)
    board = card_scenes._rectangle(at[0], at[1], across, tall, rng.normal(0, 0.03))
    ticket_tables._lay(ground, boards[rng.integers(len(boards))], board, rng)
    long = across / card_scenes.BOARD_MM[0] * card_scenes.LONG * (0.786 if rng.random() < 0.3 else 1.0)
    wide, high = (long / 1.56, long) if upright else (long, long / 1.56)
    below = at + np.array([rng.uniform(-0.3, 0.3) * across, tall / 2 + long * rng.uniform(0.8, 1.0)])
    above = at + np.array([rng.uniform(-0.3, 0.3) * across, -tall / 2 - long * rng.uniform(0.8, 1.0)])
    row, hand = (below, above) if rng.random() < 0.5 else (above, below)
    step = rng.uniform(0.5, 0.7)
    places = []
    for n in range(6):
        along = (n - 1) * 1.15 if n < 3 else (n - 4) * step
        middle = (row if n < 3 else hand) + np.array([along * wide, 0.0]) + rng.normal(0, 0.03 * long, 2)
        places.append(card_scenes._rectangle(middle[0], middle[1], wide, high, rng.normal(0, 0.08)))
    return places


def table(
    layout: str, edition: str, cards: dict[str, Picture], n: int, rng: np.random.Generator
) -> tuple[Picture, dict[str, object]]:
    """A picture of cards in a layout, and its truth."""
    told: dict[str, object] = {"kind": layout, "edition": edition}
    if layout == "filling":
        name = KINDS[n % len(KINDS)]
        image, corners = filling(cards[name], n, rng)
        return image, {**told, "cards": [_card(name, corners, 1.0)]}
    ground = ticket_tables._ground(rng)
    if layout == "tiny":
        boards = sorted((SHARED / "photos" / "usa").glob("IMG_415*.jpg"))
        board = picture(boards[rng.integers(len(boards))])
        ground[40:1040, 60:1540] = cv2.resize(board, (1480, 1000), interpolation=cv2.INTER_AREA)
    upright = cards[KINDS[0]].shape[0] > cards[KINDS[0]].shape[1]
    camera = ticket_tables._camera(rng, 0.3 if layout != "tiny" else 0.02)
    places = _beside(ground, upright, rng) if layout == "beside" else _places(layout, upright, rng)
    if layout == "beside":
        camera = np.eye(3, dtype=np.float32)
    names, quads = [], []
    for corners in places:
        name = KINDS[rng.integers(len(KINDS))]
        quad = cv2.perspectiveTransform(corners[None], camera)[0]
        ticket_tables._lay(ground, cards[name], quad, rng)
        names.append(name)
        quads.append(quad)
    shown = visible([q.tolist() for q in quads], (WIDE, HIGH))
    told["cards"] = [_card(*row) for row in zip(names, quads, shown, strict=True)]
    on = np.zeros((HIGH, WIDE), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(on, np.round(quad).astype(np.int32), 1)
    # What is plain white or black nobody can read.
    for _ in range(8):
        lit = card_scenes.light(ground.copy(), rng)
        plain = (lit[on > 0].min(1) > 249) | (lit[on > 0].max(1) < 22)
        if plain.mean() < PLAIN:
            break
    return (lit, told) if layout != "beside" else _smaller(lit, told, quads, rng)


def _smaller(
    lit: Picture, told: dict[str, object], quads: list[Floats], rng: np.random.Generator
) -> tuple[Picture, dict[str, object]]:
    """The photo as small as people send it on, with its truth."""
    longest = max(float(np.linalg.norm(q[1] - q[0])) for q in quads)
    longest = max(longest, *(float(np.linalg.norm(q[2] - q[1])) for q in quads))
    part = min(float(np.exp(rng.uniform(*np.log(BESIDE)))) / longest, 1.0)
    image = np.asarray(cv2.resize(lit, None, fx=part, fy=part, interpolation=cv2.INTER_AREA), np.uint8)
    cards: Any = told["cards"]
    rows = [_card(c["color"], np.array(c["quad"], np.float32) * np.float32(part), c["visible"]) for c in cards]
    return image, {**told, "cards": rows}


def _card(name: str, quad: Floats, shown: float) -> dict[str, object]:
    return {"color": name, "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in quad], "visible": shown}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--each", type=int, default=2, help="pictures of each layout and edition, but nine cards fill one"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--editions", default=",".join(PRINTS), help="with commas")
    parser.add_argument("--layouts", default=",".join(LAYOUTS), help="with commas")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for edition in args.editions.split(","):
        cards = deck(edition)
        for layout in args.layouts.split(","):
            for n in range(len(KINDS) if layout == "filling" else args.each):
                place = (card_art.EDITIONS.index(edition), LAYOUTS.index(layout))
                rng = np.random.default_rng((args.seed, *place, n))
                image, told = table(layout, edition, cards, n + args.seed, rng)
                stem = f"{layout}-{edition}-{args.seed + n:05d}"
                cv2.imwrite(str(args.out / f"{stem}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
                told = {"photo": f"{stem}.jpg", "seed": args.seed, **told}
                (args.out / f"{stem}.json").write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main()

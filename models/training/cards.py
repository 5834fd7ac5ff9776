"""Rebuilds models/cards: `python -m models.training.cards --minutes 60`.

First the finder, then the aligner and the two witnesses of a card's colour. `--fold` trains the witnesses on half
of the editions and judges on the others. Rendered photos of cards are never trained on.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from torch.nn import functional as fn

from models.training import card_art, card_finder, edges
from models.training.card_art import KINDS, Picture
from models.training.card_scenes import _back, _paper, light
from models.training.net import PatchNet, export
from vision import align, cards, classify, photo, sheets
from vision.config import CARD

FOLDER = Path(__file__).resolve().parents[1] / "cards"
RENDERS = card_art.SHARED / "renders" / "cards"
NONE = len(KINDS)
HALVES = (("classic", "germany"), ("nordic", "united-kingdom"))
COLOR_WIDTHS = (12, 16, 24, 24, 32, 32, 48)
SYMBOL_WIDTHS = (12, 16, 24, 32, 32, 32, 48)
# Numbers that a block of edges is boiled down to, of 36.
PARTS = 12
View = tuple[Picture, Picture, NDArray[np.float64]]
Arrays = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]


def seen(art: Picture, over: Picture, rng: np.random.Generator, off: float = 0.012) -> View:
    """A card as a phone might see it, often partly under another, rectified by corners that are a little off.

    Then what of it is in sight, and where the corners should have been, in parts of the sides.
    """
    length = float(np.exp(rng.uniform(np.log(46), np.log(230))))
    scale = length / art.shape[1]
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(art, None, fx=scale, fy=scale, interpolation=way)
    pad = max(round(length * 0.15), 6)
    around = tuple(int(v) for v in rng.integers(0, 255, 3))
    big = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=around)
    high, wide = small.shape[:2]
    mask = np.zeros(big.shape[:2], np.uint8)
    mask[pad : pad + high, pad : pad + wide] = 255
    if rng.random() < 0.6:
        _cover(big, mask, cv2.resize(over, (wide, high), interpolation=way), pad, rng)
    lit = light(big.astype(np.float32), rng)
    true = np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) - 0.5 + pad
    quad = true + rng.normal(0, off * wide, (4, 2)) + rng.normal(0, off * wide, (1, 2))
    box = np.array([(0, 0), (CARD.size[0], 0), CARD.size, (0, CARD.size[1])], np.float32) - 0.5
    place = cv2.getPerspectiveTransform(quad.astype(np.float32), box)
    crop = cv2.warpPerspective(lit, place, CARD.size, borderMode=cv2.BORDER_REPLICATE)
    shown = cv2.warpPerspective(mask, place, CARD.size)
    should = (cv2.perspectiveTransform(true[None], place.astype(np.float64))[0] - box) / CARD.size
    # The finder knows what is in sight by spots of a twelfth of the card only.
    coarse = cv2.resize(shown, (18, 12), interpolation=cv2.INTER_AREA)
    coarse = ((coarse > 127) & (rng.random(coarse.shape) > 0.03)).astype(np.uint8) * 255
    whole = cv2.resize(coarse, CARD.size, interpolation=cv2.INTER_NEAREST)
    return np.asarray(crop, np.uint8), np.asarray(whole, np.uint8), should


def _cover(big: Picture, mask: Picture, over: Picture, pad: int, rng: np.random.Generator) -> None:
    """Lays another card over this one, shifted by 0.36 to 0.95 of a side."""
    high, wide = over.shape[:2]
    part = rng.uniform(0.36, 0.95) * rng.choice([-1, 1])
    shift = (
        np.array([part * wide, rng.normal(0, 0.05) * high])
        if rng.random() < 0.5
        else np.array([rng.normal(0, 0.05) * wide, part * high])
    )
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), float(rng.normal(0, 6)), 1.0)
    turn[:, 2] += shift + pad
    size = big.shape[1::-1]
    laid = cv2.warpAffine(over, turn, size)
    there = cv2.warpAffine(np.full((high, wide), 255, np.uint8), turn, size)
    big[there > 127] = laid[there > 127]
    mask[there > 127] = 0


def examples(editions: tuple[str, ...], n: int, made_up: float, seed: int) -> Arrays:
    """Inputs of both witnesses, and what they should say."""
    rng = np.random.default_rng(seed)
    art = card_art.MadeUp(editions)
    prints = card_art.tickets()
    colors, symbols, labels = [], [], []
    while len(labels) < n:
        deck = art.edition(rng, made_up)
        for _ in range(12):
            kind = int(rng.integers(NONE + 1))
            picture = deck[KINDS[kind]] if kind < NONE else _no_card(art, prints, rng)
            crop, mask, _ = seen(picture, deck[KINDS[rng.integers(NONE)]], rng)
            if mask.mean() < 0.2 * 255:
                continue
            if rng.random() < 0.5:
                crop, mask = cards.upside_down(crop, mask)
            colors.append(cards.color_input(crop, mask))
            symbols.append(cards.symbol_input(crop, mask))
            labels.append(kind)
    return np.array(colors, np.float32), np.array(symbols, np.float32), np.array(labels)


def aligner(editions: tuple[str, ...], samples: int, seed: int = 5) -> dict[str, NDArray[Any]]:
    """Steps that find the corners of any card from its edges: from far, then from near."""
    rng = np.random.default_rng(seed)
    art = card_art.MadeUp(editions)
    known, steps = None, []
    for off in (0.035, 0.01):
        views = [view for _ in range(-(-samples // 9)) for view in _shifted(art, off, rng)]
        known = known or edges.learned([align.blocks(crop) for crop, _, _ in views], PARTS)
        rows = np.array([np.append(known.seen(crop, mask), 1) for crop, mask, _ in views], np.float32)
        steps.append(edges.ridge(rows, np.array([should.ravel() for _, _, should in views], np.float32), 6.0))
    assert known is not None
    return {**edges.stored(known), **edges.packed("steps", np.array(steps))}


def _shifted(art: card_art.MadeUp, off: float, rng: np.random.Generator) -> Iterator[View]:
    """Nine grey cards of a deck whose corners are off by up to so much."""
    deck = art.edition(rng, 0.4)
    for _ in range(9):
        one, other = rng.integers(NONE, size=2)
        crop, mask, should = seen(deck[KINDS[one]], deck[KINDS[other]], rng, off * rng.uniform(0.3, 1))
        if rng.random() < 0.5:
            crop, mask = cards.upside_down(crop, mask)
            should = -np.roll(should, 2, axis=0)
        yield np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), np.uint8), mask, should


def _no_card(art: card_art.MadeUp, prints: list[card_art.TicketPrint], rng: np.random.Generator) -> Picture:
    kind = rng.random()
    if kind < 0.4:
        return _back(art, prints, rng)
    picture = prints[rng.integers(len(prints))].picture if kind < 0.7 else _paper(rng)
    return picture if picture.shape[1] > picture.shape[0] else np.ascontiguousarray(np.rot90(picture))


def train(
    inputs: NDArray[np.float32], labels: NDArray[np.int64], widths: tuple[int, ...], steps: int, seed: int = 1
) -> PatchNet:
    torch.manual_seed(seed)
    size = (inputs.shape[3], inputs.shape[2])
    net = PatchNet(inputs.shape[1], NONE + 1, size, widths)
    best = torch.optim.AdamW(net.parameters(), 3e-3, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, 4e-3, total_steps=steps)
    rng = np.random.default_rng(seed)
    net.train()
    for _ in range(steps):
        rows = rng.integers(0, len(labels), 64)
        x = torch.from_numpy(inputs[rows] + rng.normal(0, 0.02, inputs[rows].shape).astype(np.float32))
        loss = fn.cross_entropy(net(x), torch.from_numpy(labels[rows]), label_smoothing=0.03)
        best.zero_grad()
        loss.backward()
        best.step()
        plan.step()
    return net.eval()


def fold(half: tuple[str, ...], n: int, steps: int, folder: Path) -> Counter[str]:
    """Trains the witnesses on some editions and reads the rendered photos of the others with them."""
    witnesses(half, n, steps, folder)
    cards.COLOR_NET, cards.SYMBOL_NET = str(folder / "color"), str(folder / "symbol")
    return judge(RENDERS, without=half)


def witnesses(editions: tuple[str, ...], n: int, steps: int, folder: Path) -> None:
    """Trains and writes the colour net and the symbol net."""
    color, symbol, labels = examples(editions, n, 0.5, 1)
    save(train(color, labels, COLOR_WIDTHS, steps), color, folder / "color.onnx")
    save(train(symbol, labels, SYMBOL_WIDTHS, steps), symbol, folder / "symbol.onnx")
    classify._load.cache_clear()


def save(net: PatchNet, inputs: NDArray[np.float32], path: Path) -> None:
    """The net, and beside it an input with its answer for the self-test at start."""
    export(net, path, inputs.shape[1], (inputs.shape[3], inputs.shape[2]))
    few = inputs[:4].astype(np.float16)
    scores = InferenceSession(str(path)).run(["scores"], {"patches": few.astype(np.float32)})[0]
    np.savez_compressed(path.with_suffix(".test.npz"), patches=few, scores=scores)


def judge(folder: Path, without: tuple[str, ...] = ()) -> Counter[str]:
    """Reads every render and counts cards right, wrong, missed and made up, by kind and edition; not some editions."""
    rows: Counter[str] = Counter()
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        edition = {"uk": "united-kingdom"}.get(truth["edition"], truth["edition"])
        if truth["cards"] and edition in without:
            continue
        found = cards.read_cards(photo.load(path.with_suffix(".jpg")))
        notes, good = compare(truth["cards"], found)
        for group in (f"kind {truth['kind']}", *([f"edition {edition}"] if truth["cards"] else []), "all"):
            rows[group + " cards"] += len(truth["cards"])
            rows[group + " right"] += good
            rows[group + " pictures"] += 1
            rows[group + " without mistake"] += not notes
        if notes:
            print(path.stem, "; ".join(notes))
    for name in sorted(rows):
        print(name, rows[name])
    return rows


def compare(truth: list[dict[str, Any]], found: list[cards.CardSeen]) -> tuple[list[str], int]:
    """What is wrong with a reading, and how many cards are right: same place (half of it common) and same colour."""
    left, notes, good = list(found), [], 0
    for card in truth:
        near = [(sheets.overlap(np.array(card["quad"]), np.array(c.quad)), n) for n, c in enumerate(left)]
        best, n = max(near, default=(0.0, -1))
        if best < 0.5:
            notes.append(f"lost {card['color']} (visible {card.get('visible')}, {best:.2f})")
            continue
        seen_card = left.pop(n)
        if seen_card.color == card["color"]:
            good += 1
        else:
            notes.append(f"{card['color']} as {seen_card.color} {seen_card.confidence:.2f}")
    notes += [f"extra {c.color} {c.confidence:.2f}" for c in left]
    return notes, good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=12000)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument(
        "--minutes", type=float, default=0, help="train the finder this long; 0 keeps the one that is there"
    )
    parser.add_argument("--views", type=int, default=1500, help="views that the aligner learns from")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the models go")
    parser.add_argument("--fold", action="store_true", help="train the witnesses on half of the editions; into --out")
    parser.add_argument("--judge", action="store_true", help="judge what is there, train nothing")
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.out.mkdir(exist_ok=True, parents=True)
    if args.fold:
        for half in HALVES:
            print("trained on", *half)
            fold(half, args.examples, args.steps, args.out)
        return
    if not args.judge:
        if args.minutes:
            card_finder.build(card_art.EDITIONS, args.minutes, args.out / "finder.onnx")
        np.savez_compressed(args.out / "aligner.npz", **aligner(card_art.EDITIONS, args.views))
        witnesses(card_art.EDITIONS, args.examples, args.steps, args.out)
        cards.ALIGNER = args.out / "aligner.npz"
        cards.COLOR_NET, cards.SYMBOL_NET = str(args.out / "color"), str(args.out / "symbol")
        sheets.NET = str(args.out / "finder") if args.minutes else sheets.NET
    judge(RENDERS)


if __name__ == "__main__":
    main()

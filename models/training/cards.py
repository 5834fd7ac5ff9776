"""Rebuilds models/cards: `python -m models.training.cards --minutes 60`.

First the finder, then the aligner and the two witnesses of a card's colour. `--fold` leaves each edition out in turn
and judges on it. Rendered photos of cards are never trained on.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as fn

from models.training import card_art, card_finder
from models.training.card_art import KINDS, Picture
from models.training.card_scenes import _back, _paper, light
from models.training.net import PatchNet, export
from vision import align, cards, classify, photo, sheets
from vision.config import CARD

FOLDER = Path(__file__).resolve().parents[1] / "cards"
RENDERS = card_art.SHARED / "renders" / "cards"
NONE = len(KINDS)
COLOR_WIDTHS = (12, 16, 24, 24, 32, 32, 48)
SYMBOL_WIDTHS = (12, 16, 24, 32, 32, 32, 48)
Arrays = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]


def seen(
    art: Picture, over: Picture, rng: np.random.Generator, off: float = 0.012
) -> tuple[Picture, Picture, NDArray[np.float64]]:
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


def aligner(editions: tuple[str, ...], samples: int, seed: int = 5) -> dict[str, NDArray[np.generic]]:
    """Steps that find the corners of any card from its edges: from far, then from near."""
    rng = np.random.default_rng(seed)
    art = card_art.MadeUp(editions)
    mean, steps = None, []
    for off in (0.035, 0.01):
        rows, masks, moves = [], [], []
        while len(rows) < samples:
            deck = art.edition(rng, 0.4)
            for _ in range(9):
                one, other = rng.integers(NONE, size=2)
                crop, mask, should = seen(deck[KINDS[one]], deck[KINDS[other]], rng, off * rng.uniform(0.3, 1))
                if rng.random() < 0.5:
                    crop, mask = cards.upside_down(crop, mask)
                    should = -np.roll(should, 2, axis=0)
                rows.append(align.features(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)))
                masks.append(align.shown(mask))
                moves.append(should.ravel())
        whole = np.array(rows, np.float32)
        mean = whole.mean(0) if mean is None else mean
        whole = np.hstack([(whole - mean) * np.array(masks), np.ones((len(rows), 1), np.float32)])
        gram = whole @ whole.T
        gram[np.diag_indices(len(gram))] += 6.0
        steps.append(whole.T @ np.linalg.solve(gram, np.array(moves, np.float32)))
    return {"mean": np.asarray(mean, np.float16), "steps": np.array([steps[0], steps[0], steps[1]], np.float16)}


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


def answers(net: PatchNet, inputs: NDArray[np.float32]) -> NDArray[np.float64]:
    """Log-probabilities."""
    with torch.no_grad():
        parts = [torch.log_softmax(net(torch.from_numpy(inputs[i : i + 256])), 1) for i in range(0, len(inputs), 256)]
    return torch.cat(parts).numpy().astype(np.float64)


def fold(left_out: str, n: int, steps: int) -> dict[str, float]:
    """Trains without one edition and judges on crops of that edition alone."""
    rest = tuple(e for e in card_art.EDITIONS if e != left_out)
    color, symbol, labels = examples(rest, n, 0.5, 1)
    unseen = examples((left_out,), n // 5, 0.0, 2)
    told = [
        answers(train(color, labels, COLOR_WIDTHS, steps), unseen[0]),
        answers(train(symbol, labels, SYMBOL_WIDTHS, steps), unseen[1]),
    ]
    both = (
        np.maximum(told[0], CARD.least_log) * CARD.color_weight
        + np.maximum(told[1], CARD.least_log) * CARD.symbol_weight
    )
    right = unseen[2]
    return {
        "color": float((told[0].argmax(1) == right).mean()),
        "symbol": float((told[1].argmax(1) == right).mean()),
        "both": float((both.argmax(1) == right).mean()),
    }


def save(net: PatchNet, inputs: NDArray[np.float32], path: Path) -> None:
    """The net, and beside it an input with its answer for the self-test at start."""
    export(net, path, inputs.shape[1], (inputs.shape[3], inputs.shape[2]))
    with torch.no_grad():
        scores = net(torch.from_numpy(inputs[:4])).numpy()
    np.savez_compressed(path.with_suffix(".test.npz"), patches=inputs[:4], scores=scores)


def judge(folder: Path) -> None:
    """Reads every render and counts cards right, wrong, missed and made up, by kind and edition."""
    rows: Counter[str] = Counter()
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        found = cards.read_cards(photo.load(path.with_suffix(".jpg")))
        notes, good = compare(truth["cards"], found)
        group = f"{truth['kind']} {truth.get('edition')}"
        rows[group + " cards"] += len(truth["cards"])
        rows[group + " right"] += good
        rows[group + " pictures"] += 1
        rows[group + " without mistake"] += not notes
        if notes:
            print(path.stem, "; ".join(notes))
    for name in sorted(rows):
        print(name, rows[name])
    for what in ("cards", "right", "pictures", "without mistake"):
        print("all", what, sum(v for k, v in rows.items() if k.endswith(what)))


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
    parser.add_argument("--fold", action="store_true", help="leave out each edition in turn; keeps nothing")
    parser.add_argument("--judge", action="store_true", help="judge what is there, train nothing")
    args = parser.parse_args()
    torch.set_num_threads(1)
    FOLDER.mkdir(exist_ok=True)
    if args.fold:
        for edition in card_art.EDITIONS:
            print(edition, fold(edition, args.examples, args.steps), flush=True)
        return
    if not args.judge:
        if args.minutes:
            card_finder.build(card_art.EDITIONS, args.minutes, FOLDER / "finder.onnx")
        np.savez_compressed(cards.ALIGNER, **aligner(card_art.EDITIONS, 1500))
        color, symbol, labels = examples(card_art.EDITIONS, args.examples, 0.5, 1)
        save(train(color, labels, COLOR_WIDTHS, args.steps), color, FOLDER / "color.onnx")
        save(train(symbol, labels, SYMBOL_WIDTHS, args.steps), symbol, FOLDER / "symbol.onnx")
        classify._load.cache_clear()
    judge(RENDERS)


if __name__ == "__main__":
    main()

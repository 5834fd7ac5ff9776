"""Rebuilds models/cards: `python -m models.training.cards --minutes 60 --renders PHOTOS`.

First the finder, then the closer look and the two witnesses of a card's colour. `--leave` leaves editions out, to judge
on them. The rendered photos that came with the project are never trained on; PHOTOS are made by card_renders.py.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from torch.nn import functional as fn

from models import checksums
from models.training import card_art, card_closer, card_finder, card_scenes
from models.training.card_art import KINDS, Picture
from models.training.card_scenes import NOTHING, Renders, _back, _paper, light
from models.training.net import PatchNet, export, from_onnx, measured
from models.training.pictures import picture
from vision import cards, classify, closer, photo, sheets
from vision.config import CARD
from vision.sheets import Sheet

FOLDER = Path(__file__).resolve().parents[1] / "cards"
RENDERS = card_art.SHARED / "renders" / "cards"
NONE = len(KINDS)
LEAST_SEEN = 0.3
COLOR_WIDTHS = (12, 16, 24, 24, 32, 32, 48)
SYMBOL_WIDTHS = (12, 16, 24, 32, 32, 32, 48)
View = tuple[Picture, Picture]
Arrays = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]


def seen(art: Picture, over: Picture, rng: np.random.Generator, off: float = 0.012) -> View:
    """A card as a phone might see it, often partly under another, rectified by corners that are a little off.

    Then what of it is in sight.
    """
    length = float(np.exp(rng.uniform(np.log(46), np.log(230))))
    scale = length / art.shape[1]
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(art, None, fx=scale, fy=scale, interpolation=way), np.uint8)
    pad = max(round(length * 0.15), 6)
    around = tuple(int(v) for v in rng.integers(0, 255, 3))
    big = np.asarray(cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=around), np.uint8)
    high, wide = small.shape[:2]
    mask = np.zeros(big.shape[:2], np.uint8)
    mask[pad : pad + high, pad : pad + wide] = 255
    if rng.random() < 0.6:
        _cover(big, mask, np.asarray(cv2.resize(over, (wide, high), interpolation=way), np.uint8), pad, rng)
    lit = light(big.astype(np.float32), rng)
    true = np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) - 0.5 + pad
    quad = true + rng.normal(0, off * wide, (4, 2)) + rng.normal(0, off * wide, (1, 2))
    box = np.array([(0, 0), (CARD.size[0], 0), CARD.size, (0, CARD.size[1])], np.float32) - 0.5
    place = cv2.getPerspectiveTransform(quad.astype(np.float32), box)
    crop = cv2.warpPerspective(lit, place, CARD.size, borderMode=cv2.BORDER_REPLICATE)
    shown = cv2.warpPerspective(mask, place, CARD.size)
    # The finder knows what is in sight by spots of a twelfth of the card only.
    coarse = cv2.resize(shown, (18, 12), interpolation=cv2.INTER_AREA)
    coarse = ((coarse > 127) & (rng.random(coarse.shape) > 0.03)).astype(np.uint8) * 255
    whole = cv2.resize(coarse, CARD.size, interpolation=cv2.INTER_NEAREST)
    return np.asarray(crop, np.uint8), np.asarray(whole, np.uint8)


def _cover(big: Picture, mask: Picture, over: Picture, pad: int, rng: np.random.Generator) -> None:
    """Lays another card over this one, shifted by 0.36 to 0.95 of a side."""
    high, wide = over.shape[:2]
    part = rng.uniform(0.36, 0.95) * rng.choice([-1, 1])
    shift = (
        np.array([part * wide, rng.normal(0, 0.05) * high])
        if rng.random() < 0.5
        else np.array([rng.normal(0, 0.05) * wide, part * high])
    )
    turn = np.asarray(cv2.getRotationMatrix2D((wide / 2, high / 2), float(rng.normal(0, 6)), 1.0), np.float64)
    turn[:, 2] += shift + pad
    size = big.shape[1::-1]
    laid = cv2.warpAffine(over, turn, size)
    there = cv2.warpAffine(np.full((high, wide), 255, np.uint8), turn, size)
    big[there > 127] = laid[there > 127]
    mask[there > 127] = 0


def examples(editions: tuple[str, ...], n: int, renders: Path | None, seed: int) -> Arrays:
    """Inputs of both witnesses, and what they should say: half of them from rendered photos where there are any."""
    rng = np.random.default_rng(seed)
    rendered = list(_rendered(editions, n // 2, renders, rng)) if renders else []
    # Few: it takes many scenes to find one.
    mined = n // 40
    wrongly_found = islice(_mined(editions, renders, rng), mined)
    drawn = islice(_drawn(editions, rng), n - mined - len(rendered))
    colors, symbols, labels = [], [], []
    for crop, mask, kind in chain(rendered, wrongly_found, drawn):
        both = cards.upside_down(crop, mask) if rng.random() < 0.5 else (crop, mask)
        colors.append(cards.color_input(*both))
        symbols.append(cards.symbol_input(*both))
        labels.append(kind)
    return np.array(colors, np.float32), np.array(symbols, np.float32), np.array(labels)


def _drawn(editions: tuple[str, ...], rng: np.random.Generator) -> Iterator[tuple[Picture, Picture, int]]:
    """Cards of an edition, printed or made up, and what is no card, as a phone might see them."""
    art = card_art.MadeUp(editions)
    prints = card_art.tickets()
    while True:
        deck = art.edition(rng, 0.5)
        for _ in range(12):
            kind = int(rng.integers(NONE + 1))
            picture = deck[KINDS[kind]] if kind < NONE else _no_card(art, prints, rng)
            crop, mask = seen(picture, deck[KINDS[rng.integers(NONE)]], rng)
            if mask.mean() >= 0.2 * 255:
                yield crop, mask, kind


def _rendered(
    editions: tuple[str, ...], n: int, folder: Path, rng: np.random.Generator
) -> Iterator[tuple[Picture, Picture, int]]:
    """Cards, tickets, backs and papers of rendered photos, each several times, with corners a little off."""
    left_out = tuple(e for e in card_art.EDITIONS if e not in editions)
    found = Renders(folder, left_out)
    found.refresh()
    rows = [(path, i) for path in found.usable for i in range(len(found.read[path]["sheets"]))]
    pictures = {path: picture(path.with_suffix(".jpg")) for path in found.usable}
    owners = {path: found.owner(path, (pictures[path].shape[0], pictures[path].shape[1])) for path in found.usable}
    yielded = 0
    while rows and yielded < n:
        path, i = rows[rng.integers(len(rows))]
        what = found.read[path]["sheets"]
        if what[i]["visible"] < 0.25 or (what[i]["kind"] != "card" and rng.random() < 0.7):
            continue
        quad = np.array(what[i]["quad"], np.float64)
        long = max(sheets.sides(quad))
        # The finder tells what is in sight by spots of about a twelfth of the card.
        step = max(round(long / 12), 2)
        rows_seen, columns = np.nonzero((owners[path] == i + 1)[step // 2 :: step, step // 2 :: step])
        spots = np.stack([columns, rows_seen], axis=1).astype(np.float64) * step + step / 2
        off = quad + rng.normal(0, 0.012 * long, (4, 2)) + rng.normal(0, 0.012 * long, (1, 2))
        crop, mask = cards.view(pictures[path], Sheet("card", off, 1.0, np.zeros(NONE), spots, float(step)))
        yielded += 1
        yield tinted(crop, rng), mask, KINDS.index(what[i]["name"]) if what[i]["kind"] == "card" else NONE


def _mined(
    editions: tuple[str, ...], renders: Path | None, rng: np.random.Generator
) -> Iterator[tuple[Picture, Picture, int]]:
    """What finder and closer look take for cards in scenes but is none."""
    for scene in card_scenes.scenes(editions, rng, renders):
        for sheet in closer.looked(scene.picture, sheets.seen(scene.picture)):
            near = [sheets.overlap(sheet.quad, quad.astype(np.float64)) for quad in scene.quads]
            known = [part for part, kind in zip(near, scene.kinds, strict=True) if kind != NOTHING]
            if max(known, default=0.0) < 0.1 and sheet.kinds[1] > np.log(0.05):
                yield *cards.view(scene.picture, sheet), NONE


def tinted(picture: Picture, rng: np.random.Generator) -> Picture:
    """The same card in another light."""
    warm = rng.normal(0, 0.12)
    gain = np.exp(np.array([-warm, rng.normal(0, 0.04), warm]) / 2 + rng.normal(0, 0.15))
    return np.asarray(np.clip(picture * gain + rng.normal(0, 2, picture.shape), 0, 255), np.uint8)


def _no_card(art: card_art.MadeUp, prints: list[card_art.TicketPrint], rng: np.random.Generator) -> Picture:
    kind = rng.random()
    if kind < 0.4:
        return _back(art, prints, rng)
    picture = prints[rng.integers(len(prints))].picture if kind < 0.7 else _paper(rng)
    return picture if picture.shape[1] > picture.shape[0] else np.ascontiguousarray(np.rot90(picture))


def train(
    inputs: NDArray[np.float32],
    labels: NDArray[np.int64],
    widths: tuple[int, ...],
    steps: int,
    start: Path | None = None,
    seed: int = 1,
) -> PatchNet:
    """Trains a witness; `start` is a net to go on from."""
    torch.manual_seed(seed)
    size = (inputs.shape[3], inputs.shape[2])
    net = PatchNet(inputs.shape[1], NONE + 1, size, widths)
    rng = np.random.default_rng(seed)
    if start is not None:
        measured(from_onnx(start, net), torch.from_numpy(inputs[rng.integers(0, len(labels), 512)]))
    best = torch.optim.AdamW(net.parameters(), 3e-3, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, 4e-3 if start is None else 1.5e-3, total_steps=steps)
    net.train()
    for _ in range(steps):
        rows = rng.integers(0, len(labels), 64)
        x = torch.from_numpy(inputs[rows] + rng.normal(0, 0.02, inputs[rows].shape).astype(np.float32))
        loss = fn.cross_entropy(net(x), torch.from_numpy(labels[rows]), label_smoothing=0.03)
        best.zero_grad()
        loss.backward()
        best.step()
        plan.step()
    net.eval()
    return net


def witnesses(
    editions: tuple[str, ...], n: int, steps: int, renders: Path | None, folder: Path, begin: Path | None = None
) -> None:
    """Trains and writes the colour net and the symbol net."""
    color, symbol, labels = examples(editions, n, renders, 1)
    for name, inputs, widths in (("color", color, COLOR_WIDTHS), ("symbol", symbol, SYMBOL_WIDTHS)):
        net = train(inputs, labels, widths, steps, begin and begin / f"{name}.onnx")
        save(net, inputs, folder / f"{name}.onnx")
    classify._load.cache_clear()


def save(net: PatchNet, inputs: NDArray[np.float32], path: Path) -> None:
    """The net, and beside it an input with its answer for the self-test at start."""
    export(net, path, inputs.shape[1], (inputs.shape[3], inputs.shape[2]))
    few = inputs[:4].astype(np.float16)
    scores = InferenceSession(str(path)).run(["scores"], {"patches": few.astype(np.float32)})[0]
    np.savez_compressed(path.with_suffix(".test.npz"), patches=few, scores=scores)
    checksums.write()


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
        judged = sum(_fair(card) for card in truth["cards"])
        for group in (f"kind {truth['kind']}", *([f"edition {edition}"] if truth["cards"] else []), "all"):
            rows[group + " cards"] += judged
            rows[group + " right"] += good
            rows[group + " pictures"] += 1
            rows[group + " without mistake"] += not notes
        if notes:
            print(path.stem, "; ".join(notes))
    for name in sorted(rows):
        print(name, rows[name])
    return rows


def _fair(card: dict[str, Any]) -> bool:
    """Whether enough of a card shows to ask for it: cards overlap by 0.6 at most, fanned both ways a little more."""
    return float(card.get("visible", 1.0)) >= LEAST_SEEN


def compare(truth: list[dict[str, Any]], found: list[cards.CardSeen]) -> tuple[list[str], int]:
    """What is wrong with a reading, and how many cards are right: same place (half of it common) and same colour."""
    left, notes, good = list(found), [], 0
    for card in truth:
        near = [(sheets.overlap(np.array(card["quad"]), np.array(c.quad)), n) for n, c in enumerate(left)]
        best, n = max(near, default=(0.0, -1))
        if not _fair(card):
            left = left if best < 0.5 else left[:n] + left[n + 1 :]
            continue
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


def use(folder: Path) -> None:
    """Reads cards with the nets of that folder from now on."""
    sheets.NET, closer.NET = str(folder / "finder"), str(folder / "closer")
    cards.COLOR_NET, cards.SYMBOL_NET = str(folder / "color"), str(folder / "symbol")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="how long the finder is trained")
    parser.add_argument("--looks", type=int, default=6000, help="steps of training for the closer look")
    parser.add_argument("--examples", type=int, default=20000, help="what the witnesses see")
    parser.add_argument("--steps", type=int, default=3000, help="steps of training for each witness")
    parser.add_argument("--leave", default="", help="editions to leave out, with commas; judged on them alone")
    parser.add_argument("--renders", type=Path, help="photos made by card_renders")
    parser.add_argument("--begin", type=Path, help="a folder of nets to go on from; without it from nothing")
    parser.add_argument("--only", default="finder,closer,witnesses", help="what to train, with commas")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the nets go")
    parser.add_argument("--judge", action="store_true", help="judge what is there, train nothing")
    parser.add_argument("--on", type=Path, default=RENDERS, help="photos with truth to judge on")
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.out.mkdir(exist_ok=True, parents=True)
    left_out = tuple(e for e in args.leave.split(",") if e)
    editions = tuple(e for e in card_art.EDITIONS if e not in left_out)
    parts = [] if args.judge else args.only.split(",")
    if "finder" in parts:
        start = args.begin and args.begin / "finder.onnx"
        card_finder.build(editions, args.minutes, args.out / "finder.onnx", start=start, renders=args.renders)
    if "closer" in parts:
        keep = args.out / "closer.pt"
        start = args.begin and args.begin / "closer.onnx"
        net = card_closer.train(editions, args.looks, args.renders, args.out / "finder", keep, start)
        card_closer.write(net, args.out / "closer.onnx")
    use(args.out)
    if "witnesses" in parts:
        witnesses(editions, args.examples, args.steps, args.renders, args.out, args.begin)
    judge(args.on, without=editions if left_out else ())


if __name__ == "__main__":
    main()

"""Trains the net that looks closer at what the finder saw: none, card or ticket, and where its corners really are."""

from __future__ import annotations

import argparse
import multiprocessing as mp
import os
import time
from pathlib import Path
from queue import Empty
from typing import Any  # Any: a queue between processes

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from torch import Tensor, nn
from torch.nn import functional as fn

from models import checksums
from models.training import card_art, card_scenes
from models.training.card_scenes import CARD, NOTHING, SIZE, STRIDE, TICKET, Scene
from models.training.net import _conv, export, from_onnx, measured
from models.training.pack import coarse_noise, pack
from vision import closer, sheets
from vision.config import CLOSER

CHANNELS, OUTPUTS = 4, 3 + 8
BUFFER, BATCH, RATE = 20000, 48, 2e-3
Quad = NDArray[np.float64]
Example = tuple[NDArray[np.uint8], int, NDArray[np.float32]]


class Closer(nn.Module):
    """Eight convolutions, one that sees everything, one answer: three kinds and four corners."""

    def __init__(self) -> None:
        super().__init__()
        wide, high = CLOSER.size[0] // 16, CLOSER.size[1] // 16
        self.layers = nn.ModuleList(
            [
                _conv(CHANNELS, 16, 3, stride=2), _conv(16, 16, 3), nn.MaxPool2d(2),
                _conv(16, 24, 3), _conv(24, 32, 3), nn.MaxPool2d(2),
                _conv(32, 48, 3), _conv(48, 48, 3), nn.MaxPool2d(2),
                _conv(48, 40, 3), _conv(40, 96, (high, wide), padding=0),
            ]
        )  # fmt: skip
        self.answer = nn.Conv2d(96, OUTPUTS, 1)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return self.answer(x).flatten(1)


def examples(scene: Scene, rng: np.random.Generator) -> list[Example]:
    """What the closer look may get to see of a scene: sheets where the finder might put them, and places of none."""
    found = []
    for n, (kind, quad) in enumerate(zip(scene.kinds, scene.quads, strict=True), 1):
        spots = _spots(scene.owner == n, rng)
        inside = (quad.min() > -0.3 * SIZE) and (quad.max() < 1.3 * SIZE)
        if len(spots) < 6 or not inside:
            continue
        true = _long_first(quad.astype(np.float64))
        shown = len(spots) * STRIDE**2 / max(cv2.contourArea(true.astype(np.float32)), 1)
        if kind == NOTHING:
            if rng.random() < 0.5:
                found.append(_nothing(scene, spots, rng))
        elif kind in (CARD, TICKET) and shown > 0.2:
            found.append(_sheet(scene, kind, true, spots, rng))
    if rng.random() < 0.3:
        ground = _spots(scene.owner == 0, rng)
        if len(ground) > 40:
            found.append(_nothing(scene, ground, rng))
    return [f for f in found if f is not None]


def proposed(scene: Scene) -> list[Example]:
    """What the finder itself makes of a scene: its finds of real sheets, and what it takes for one but is none."""
    found: list[Example] = []
    for sheet in sheets.seen(scene.picture):
        columns, rows = np.clip(np.round(sheet.spots).astype(int).T, 0, SIZE - 1)
        owners = np.bincount(scene.owner[rows, columns])
        n = int(owners.argmax())
        kind = scene.kinds[n - 1] if n else NOTHING
        if owners[n] < 0.6 * len(sheet.spots):
            continue
        if kind == NOTHING:
            picture = closer.crop(scene.picture, sheet.quad, sheet.spots, sheet.spot_size)
            found.append((picture, NOTHING, np.zeros(8, np.float32)))
        elif kind in (CARD, TICKET):
            true = _long_first(scene.quads[n - 1].astype(np.float64))
            if sheets.overlap(sheet.quad, true) > 0.15:
                found.append(_example(scene, kind, sheet.quad, true, sheet.spots))
    return found


def _long_first(quad: Quad) -> Quad:
    along, across = sheets.sides(quad)
    return quad if along >= across else np.roll(quad, -1, axis=0)


def _spots(mine: NDArray[np.bool_], rng: np.random.Generator) -> Quad:
    """Cells of a sheet as the finder might tell them: some are lost, most of all at the edge."""
    cells = mine[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    if rng.random() < 0.3:
        cells = cv2.erode(cells.astype(np.uint8), np.ones((2, 2), np.uint8)) > 0
    cells = cells & (rng.random(cells.shape) > rng.choice([0.0, 0.05, 0.2]))
    rows, columns = np.nonzero(cells)
    return np.stack([columns, rows], axis=1).astype(np.float64) * STRIDE + (STRIDE / 2 - 0.5)


def _sheet(scene: Scene, kind: int, true: Quad, spots: Quad, rng: np.random.Generator) -> Example | None:
    start = _thought(true, rng)
    return _example(scene, kind, start, true, spots) if sheets.overlap(start, true) > 0.2 else None


def _example(scene: Scene, kind: int, start: Quad, true: Quad, spots: Quad) -> Example:
    picture = closer.crop(scene.picture, start, spots, STRIDE)
    place = cv2.getPerspectiveTransform(start.astype(np.float32), closer.box())
    seen = cv2.perspectiveTransform(true[None], place.astype(np.float64))[0]
    # Which end comes first is not told: the nearer one.
    seen = min((seen, np.roll(seen, 2, axis=0)), key=lambda q: float(np.abs(q - closer.box()).sum()))
    moves = (seen - closer.box()) / closer.UNIT
    return picture, kind, moves.ravel().astype(np.float32)


def _thought(true: Quad, rng: np.random.Generator) -> Quad:
    """Where the finder might put a sheet: its votes know no perspective, and half-hidden ones are pulled off."""
    along, across = (true[1] + true[2] - true[0] - true[3]) / 2, (true[2] + true[3] - true[0] - true[1]) / 2
    off = rng.choice([0.02, 0.06, 0.13])
    middle = true.mean(0) + along * rng.normal(0, off) + across * rng.normal(0, off * 1.3)
    turn = rng.normal(0, rng.choice([0.01, 0.06]))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    a, b = (spin @ side * np.exp(rng.normal(0, off * 0.8)) / 2 for side in (along, across))
    quad = middle + np.array([-a - b, a - b, a + b, b - a])
    if rng.random() < 0.5:
        quad += rng.normal(0, 0.01 * float(np.linalg.norm(along)), (4, 2))
    # The second look starts from nearly the truth.
    return np.asarray(true + (quad - middle + middle - true) * (0.25 if rng.random() < 0.3 else 1.0), np.float64)


def _nothing(scene: Scene, spots: Quad, rng: np.random.Generator) -> Example | None:
    """A place of a card's size that is none, on a paper, a back, a board or the bare table."""
    at = spots[rng.integers(len(spots))]
    long = float(np.exp(rng.uniform(*np.log(card_scenes.LENGTHS))))
    high, turn = long / rng.uniform(1.2, 1.9), rng.uniform(0, 2 * np.pi)
    quad = card_scenes._rectangle(at[0], at[1], long, high, turn).astype(np.float64)
    inside = np.array(
        [cv2.pointPolygonTest(quad.astype(np.float32), (float(x), float(y)), False) >= 0 for x, y in spots]
    )
    if np.count_nonzero(inside) < 8:
        return None
    return closer.crop(scene.picture, quad, spots[inside], STRIDE), NOTHING, np.zeros(8, np.float32)


def _make(editions: tuple[str, ...], seed: int, renders: Path | None, finder: Path, queue: Any) -> None:
    os.nice(2)
    cv2.setNumThreads(1)
    sheets.NET = str(finder)
    rng = np.random.default_rng(seed)
    for scene in card_scenes.scenes(editions, rng, renders):
        for example in [*examples(scene, rng), *proposed(scene)]:
            queue.put(example)


def train(
    editions: tuple[str, ...], steps: int, renders: Path | None, finder: Path, keep: Path, start: Path | None = None
) -> Closer:
    """Trains on scenes and on what this finder makes of them; `keep` gets a checkpoint now and then."""
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    net = Closer()
    rate = RATE if start is None else RATE / 3
    best = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    queue: Any = mp.Queue(400)
    maker = mp.Process(target=_make, args=(editions, int(time.time()) % 10000, renders, finder, queue), daemon=True)
    maker.start()
    pool: list[Example] = []
    made = 0
    shown: NDArray[np.float64] = np.zeros(3)
    for step in range(steps):
        while True:
            try:
                example = queue.get(block=made < 800)
            except Empty:
                break
            if len(pool) < BUFFER:
                pool.append(example)
            else:
                pool[made % BUFFER] = example
            made += 1
        if step == 0 and start is not None:
            first = np.stack([closer.net_input(example[0]) for example in pool[:256]])
            measured(from_onnx(start, net), torch.from_numpy(first)).train()
        for group in best.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * step / steps)) + 1e-5
        pictures, kinds, moves = zip(*(pool[i] for i in rng.integers(0, len(pool), BATCH)), strict=True)
        x = torch.from_numpy(np.stack([closer.net_input(p) for p in pictures]))
        y, to = torch.tensor(kinds), torch.from_numpy(np.stack(moves))
        out = net(x)
        kind = fn.cross_entropy(out[:, :3], y, label_smoothing=0.01)
        sheet = (y == CARD) | (y == TICKET)
        off = fn.smooth_l1_loss(out[sheet, 3:], to[sheet], beta=0.05)
        best.zero_grad()
        (kind + 6 * off).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        right = (out[:, :3].argmax(1) == y).float().mean().item()
        shown = shown * 0.98 + 0.02 * np.array([kind.item(), right, (out[sheet, 3:] - to[sheet]).abs().mean().item()])
        if step % 100 == 99:
            print(
                f"{step + 1} made {made} kind {shown[0]:.3f} right {shown[1]:.4f} off {shown[2] * closer.UNIT:.2f} px",
                flush=True,
            )
        if step % 500 == 499:
            torch.save(net.state_dict(), keep)
    maker.terminate()
    torch.save(net.state_dict(), keep)
    net.eval()
    return net


def write(net: Closer, path: Path) -> None:
    """The net as ONNX, packed, and beside it an input with its answer for the self-test at start."""
    export(net, path, CHANNELS, CLOSER.size)
    pack(path)
    wide, high = CLOSER.size
    few = coarse_noise((1, CHANNELS, high, wide))
    scores = InferenceSession(str(path)).run(["scores"], {"patches": few.astype(np.float32)})[0]
    np.savez_compressed(path.with_suffix(".test.npz"), patches=few, scores=scores)
    checksums.write()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--leave", default="", help="editions to leave out, for judging on them")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--finder", type=Path, required=True, help="the finder's net, without its suffix")
    parser.add_argument("--start", type=Path, help="a shipped net to go on from, an ONNX file")
    parser.add_argument("--renders", type=Path, help="photos made by card_renders")
    args = parser.parse_args()
    torch.set_num_threads(1)
    editions = tuple(e for e in card_art.EDITIONS if e not in args.leave.split(","))
    net = train(editions, args.steps, args.renders, args.finder, args.out.with_suffix(".pt"), args.start)
    write(net, args.out)


if __name__ == "__main__":
    main()

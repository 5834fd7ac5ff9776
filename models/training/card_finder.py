"""Trains the net that finds cards and tickets: for every cell of the picture what lies there, and its whole place."""

from __future__ import annotations

import argparse
import multiprocessing as mp
import os
import time
from pathlib import Path
from queue import Empty
from typing import Any  # Any: a queue between processes, and arrays of any kind of number

import numpy as np
import torch
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from torch import nn
from torch.nn import functional as fn

from models import checksums
from models.training import card_art, card_scenes
from models.training.card_scenes import CARD, SIZE, STRIDE, TICKET
from models.training.pack import coarse_noise, pack
from models.training.resume import resume

# Places are told in these pixels, so that outputs stay around 1.
UNIT = 64.0
CHANNELS = 3 + len(card_art.KINDS) + 6
BUFFER, BATCH, RATE = 6000, 12, 1.6e-3


def block(into: int, out: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True))


class Finder(nn.Module):
    """A small U-shaped net: colour picture in, one row of 3 kinds, 9 colours and 6 numbers of a place per cell out."""

    def __init__(self) -> None:
        super().__init__()
        self.two = nn.Sequential(block(3, 12, 2), block(12, 16, 2))
        self.four = nn.Sequential(block(16, 24, 2), block(24, 24))
        self.eight = nn.Sequential(block(24, 40, 2), block(40, 40))
        self.sixteen = nn.Sequential(block(40, 72, 2), block(72, 72))
        self.deep = nn.Sequential(block(72, 96, 2), block(96, 96), block(96, 96))
        self.up16 = nn.Sequential(block(96 + 72, 72), block(72, 72))
        self.up8 = nn.Sequential(block(72 + 40, 48), block(48, 48))
        self.down8 = nn.Conv2d(48, 32, 1)
        self.side4 = nn.Conv2d(24, 32, 1)
        self.up4 = block(32, 40)
        self.head = nn.Conv2d(40, CHANNELS, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        four = self.four(self.two(x))
        eight = self.eight(four)
        sixteen = self.sixteen(eight)
        deep = self.deep(sixteen)
        up = self.up16(torch.cat([fn.interpolate(deep, scale_factor=2.0), sixteen], 1))
        up = self.up8(torch.cat([fn.interpolate(up, scale_factor=2.0), eight], 1))
        fine = fn.relu(fn.interpolate(self.down8(up), scale_factor=2.0) + self.side4(four))
        return self.head(self.up4(fine))


def scaled(pictures: np.ndarray[Any, Any]) -> torch.Tensor:
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 127.5 - 1


def places(corners: torch.Tensor) -> torch.Tensor:
    """A card's centre and half sides, each side as a vector of twice its angle: the same when turned upside down."""
    quad = corners.view(-1, 4, 2)
    one = (quad[:, 1] + quad[:, 2] - quad[:, 0] - quad[:, 3]) / 4
    two = (quad[:, 2] + quad[:, 3] - quad[:, 0] - quad[:, 1]) / 4
    # Tickets may be printed upright: the long side comes first all the same.
    tall = (two.norm(dim=1) > one.norm(dim=1))[:, None]
    long, short = torch.where(tall, two, one), torch.where(tall, one, two)
    return torch.cat([quad.mean(1), _doubled(long), _doubled(short)], 1)


def _doubled(side: torch.Tensor) -> torch.Tensor:
    size = side.norm(dim=1).clamp(min=1e-3)
    return torch.stack([(side[:, 0] ** 2 - side[:, 1] ** 2) / size, 2 * side[:, 0] * side[:, 1] / size], 1)


def loss(out: torch.Tensor, kind: torch.Tensor, color: torch.Tensor, corners: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Kind and colour by cross-entropy; the place by its distance, in long sides of the card."""
    cells = torch.arange(out.shape[2]) * STRIDE + STRIDE / 2 - 0.5
    at = torch.stack(torch.meshgrid(cells, cells, indexing="xy")).repeat(3, 1, 1)
    at[2:] = 0
    known = kind != 255
    kinds = fn.cross_entropy(out[:, :3], kind.long().clamp(max=2), reduction="none")
    kinds = (kinds * known).sum() / known.sum()
    card, sheet = kind == CARD, (kind == CARD) | (kind == TICKET)
    n = len(card_art.KINDS)
    colors = fn.cross_entropy(out[:, 3 : 3 + n].permute(0, 2, 3, 1)[card], color[card].long())
    told = (out[:, 3 + n :] * UNIT + at).permute(0, 2, 3, 1)[sheet]
    true = places(corners.permute(0, 2, 3, 1)[sheet])
    long = true[:, 2:4].norm(dim=1) * 2
    return kinds, colors, ((told - true).abs().mean(1) / long).mean()


def _make(editions: tuple[str, ...], seed: int, made_up: float, renders: Path | None, queue: Any) -> None:
    os.nice(2)
    for scene in card_scenes.scenes(editions, np.random.default_rng(seed), renders, made_up):
        queue.put((scene.picture, scene.kind, scene.color, scene.corners))


class Buffer:
    """The latest scenes; each is used a few times, turned by quarter turns."""

    def __init__(
        self, editions: tuple[str, ...], seed: int, made_up: float, workers: int, renders: Path | None = None
    ) -> None:
        self.queue: Any = mp.Queue(64)
        self.makers = [
            mp.Process(target=_make, args=(editions, seed * 1000 + n, made_up, renders, self.queue), daemon=True)
            for n in range(workers)
        ]
        for maker in self.makers:
            maker.start()
        self.scenes: list[tuple[np.ndarray[Any, Any], ...]] = []
        self.made = 0

    def fill(self, least: int) -> None:
        while True:
            try:
                scene = self.queue.get(block=self.made < least)
            except Empty:
                return
            if len(self.scenes) < BUFFER:
                self.scenes.append(scene)
            else:
                self.scenes[self.made % BUFFER] = scene
            self.made += 1

    def batch(self, rng: np.random.Generator) -> tuple[torch.Tensor, ...]:
        picked = [_turned(self.scenes[i], int(rng.integers(4))) for i in rng.integers(0, len(self.scenes), BATCH)]
        pictures, kinds, colors, corners = (np.stack(part) for part in zip(*picked, strict=True))
        return (
            scaled(pictures),
            torch.from_numpy(kinds),
            torch.from_numpy(colors),
            torch.from_numpy(corners).permute(0, 3, 1, 2),
        )

    def stop(self) -> None:
        for maker in self.makers:
            maker.terminate()


def _turned(scene: tuple[np.ndarray[Any, Any], ...], quarter: int) -> tuple[np.ndarray[Any, Any], ...]:
    picture, kind, color, corners = scene
    for _ in range(quarter):
        picture, kind, color, corners = np.rot90(picture), np.rot90(kind), np.rot90(color), np.rot90(corners)
        xy = corners.reshape(*corners.shape[:2], 4, 2)
        corners = np.stack([xy[..., 1], SIZE - 1 - xy[..., 0]], axis=-1).reshape(corners.shape)
    return picture, kind, color, corners


def train(
    editions: tuple[str, ...],
    minutes: float,
    out: Path,
    made_up: float = 0.5,
    seed: int = 1,
    workers: int = 1,
    start: Path | None = None,
    renders: Path | None = None,
) -> Finder:
    """Trains for that long; `out` gets a checkpoint every few minutes."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net: Finder = Finder().to(memory_format=torch.channels_last)
    # What was shipped is nearly good: it takes small steps from there.
    rate = RATE if start is None else RATE / 4
    best = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-4)
    buffer = Buffer(editions, seed, made_up, workers, renders)
    began, step = time.time(), 0
    shown: NDArray[np.float64] = np.zeros(3)
    saved = began
    buffer.fill(200)
    if start is not None:
        resume(net, start, buffer.batch(rng)[0])
    net.train()
    while (gone := (time.time() - began) / 60 / minutes) < 1:
        buffer.fill(0)
        for group in best.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * gone)) + 1e-5
        pictures, kind, color, corners = buffer.batch(rng)
        kinds, colors, apart = loss(net(pictures.contiguous(memory_format=torch.channels_last)), kind, color, corners)
        best.zero_grad()
        (2 * kinds + 0.5 * colors + 8 * apart).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        step += 1
        fresh = np.array([kinds.item(), colors.item(), apart.item()])
        # A batch without a card tells nothing of colours.
        shown = np.where(np.isnan(fresh), shown, shown * 0.98 + 0.02 * fresh)
        if step % 50 == 0:
            lost = f"kinds {shown[0]:.3f} colours {shown[1]:.3f} places {shown[2]:.4f}"
            print(f"{step} made {buffer.made} {gone:.2f} {lost}", flush=True)
        if time.time() - saved > 120:
            torch.save(net.state_dict(), out)
            saved = time.time()
    buffer.stop()
    torch.save(net.state_dict(), out)
    net.eval()
    return net


class Flat(nn.Module):
    """The finder with its answer in one row, as all our nets give it."""

    def __init__(self, net: Finder) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.net(x).flatten(1)


def export(net: Finder, path: Path) -> None:
    """The net as ONNX, packed, for any picture whose sides are multiples of 64; beside it an input with its answer."""
    flat = Flat(net).eval()
    torch.onnx.export(
        flat, (torch.zeros(1, 3, 256, 320),), str(path), opset_version=13, dynamo=False,
        input_names=["patches"], output_names=["scores"],
        dynamic_axes={"patches": {2: "height", 3: "width"}, "scores": {1: "cells"}},
    )  # fmt: skip
    pack(path)
    picture = coarse_noise((1, 3, 128, 128))
    scores = InferenceSession(str(path)).run(["scores"], {"patches": picture.astype(np.float32)})[0]
    np.savez_compressed(path.with_suffix(".test.npz"), patches=picture, scores=scores)
    checksums.write()


def build(
    editions: tuple[str, ...], minutes: float, path: Path, workers: int = 1, start: Path | None = None,
    renders: Path | None = None,
) -> None:  # fmt: skip
    """Trains and writes the finder; `start` is a net to go on from, `renders` rendered photos to train on too."""
    export(train(editions, minutes, path.with_suffix(".pt"), workers=workers, start=start, renders=renders), path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--leave", default="", help="an edition to leave out, for judging on it")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--start", type=Path, help="a shipped net to go on from, an ONNX file")
    parser.add_argument("--renders", type=Path, help="photos made by card_renders")
    args = parser.parse_args()
    torch.set_num_threads(1)
    editions = tuple(e for e in card_art.EDITIONS if e not in args.leave.split(","))
    build(editions, args.minutes, args.out, args.workers, args.start, args.renders)


if __name__ == "__main__":
    main()

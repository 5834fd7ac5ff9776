"""Trains the reader of names, models/tickets/names.onnx: `python -m models.training.names`.

Lines drawn in many fonts, a family in twelve held out to judge; then lines of real prints too.
Convolutions and CTC only, so that both engines run it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any  # Any: torch is not installed where types are checked

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models import checksums
from models.training import lettering, print_lines, strips
from models.training.average import Average
from models.training.pack import coarse_noise, pack
from models.training.resume import resume
from models.training.strips import Row
from vision.names import LETTERS

Picture = NDArray[np.uint8]
FOLDER = Path(__file__).resolve().parent.parent / "tickets"
# Strips are padded to the next of these widths.
WIDTHS = (96, 160, 224, 288, 352, 448, 640)
SHARD = 2048
# A line is drawn once and seen so often: drawing takes six times as long as seeing.
VIEWS = 8
# How often a strip is seen, shaken otherwise each time, before more are drawn.
AGAIN = 5


class Aside(nn.Module):
    """Convolutions that add to what they are given; nothing at first, so that a smaller net can grow into this one."""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.Sequential(*layers)
        last = layers[-1]
        assert isinstance(last, nn.BatchNorm2d)
        nn.init.zeros_(last.weight)

    def forward(self, given: Tensor) -> Tensor:
        out: Tensor = functional.relu(given + self.layers(given))
        return out


class Reader(nn.Module):
    """A strip of 32 rows in; for every four columns, scores of nothing and of each letter."""

    def __init__(self) -> None:
        super().__init__()

        def block(a: int, b: int, kernel: tuple[int, int], pad: tuple[int, int], dilate: int = 1) -> list[nn.Module]:
            conv = nn.Conv2d(a, b, kernel, padding=pad, dilation=(1, dilate), bias=False)
            return [conv, nn.BatchNorm2d(b), nn.ReLU(inplace=True)]

        def along(a: int, dilate: int) -> Aside:
            wide = block(a, a, (1, 5), (0, 2 * dilate), dilate)
            return Aside(*wide, nn.Conv2d(a, a, 1, bias=False), nn.BatchNorm2d(a))

        self.body = nn.Sequential(
            nn.Conv2d(1, 16, 5, stride=2, padding=2, bias=False),
            nn.BatchNorm2d(16),
            nn.ReLU(inplace=True),
            *block(16, 32, (3, 3), (1, 1)),
            nn.MaxPool2d(2),
            *block(32, 64, (3, 3), (1, 1)),
            *block(64, 64, (3, 3), (1, 1)),
            nn.MaxPool2d((2, 1)),
            *block(64, 96, (3, 3), (1, 1)),
            nn.MaxPool2d((2, 1)),
            *block(96, 160, (2, 3), (0, 1)),
            *block(160, 160, (1, 5), (0, 2)),
            nn.Dropout(0.1),
            *block(160, 160, (1, 5), (0, 4), 2),
            # Half a name to each side: letters that are hardly there are told by those beside them.
            along(160, 1),
            along(160, 2),
            along(160, 4),
            nn.Dropout(0.1),
            nn.Conv2d(160, len(LETTERS) + 1, 1),
        )

    def forward(self, patches: Tensor) -> Tensor:
        out: Tensor = self.body(patches).squeeze(2)
        return out


def evened(strip: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the net sees: mean zero, spread one."""
    return np.asarray((strip - strip.mean()) / (strip.std() + 8), np.float32)


def batch_of(rows: list[Row], rng: np.random.Generator | None) -> tuple[Tensor, ...]:
    """Strips side by side in one width, with their texts; shaken a little more where there is an rng."""
    wide = next(w for w in WIDTHS if w >= max(s.shape[1] for s, *_ in rows))
    batch = np.zeros((len(rows), 1, strips.HIGH, wide), np.float32)
    for n, (strip, *_) in enumerate(rows):
        values = strip.astype(np.float32)
        if rng is not None:
            values = shaken(values, rng)
        batch[n, 0, :, : strip.shape[1]] = evened(values)
    said = [[LETTERS.index(c) + 1 for c in text] for _, text, _ in rows]
    columns = torch.tensor([max(-(-strip.shape[1] // 4), 1) for strip, *_ in rows])
    lengths = torch.tensor([len(text) for text in said])
    hints = torch.from_numpy(np.stack([hint(row, said[n], wide // 4) for n, row in enumerate(rows)]))
    return torch.from_numpy(batch), columns, torch.tensor([c for text in said for c in text]), lengths, hints


def shaken(values: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """A strip once more, otherwise: cut higher or lower, seen from further away, light for dark, other light."""
    high, wide = values.shape
    if rng.random() < 0.5:
        size = float(np.exp(rng.normal(0, 0.08)))
        move = np.array([[1, rng.normal(0, 0.04), 0], [0, size, (1 - size) * high / 2 + rng.normal(0, 1.2)]])
        values = np.asarray(cv2.warpAffine(values, move, (wide, high), borderMode=cv2.BORDER_REPLICATE), np.float32)
    if rng.random() < 0.2:
        far = rng.uniform(0.3, 0.7)
        small = cv2.resize(values, (max(round(wide * far), 8), round(high * far)), interpolation=cv2.INTER_AREA)
        way = cv2.INTER_LINEAR if rng.random() < 0.5 else cv2.INTER_CUBIC
        values = np.asarray(cv2.resize(small, (wide, high), interpolation=way), np.float32)
    if rng.random() < 0.25:
        values = 255 - values
    if rng.random() < 0.25:
        values = values + rng.normal(0, rng.uniform(1, 10), values.shape).astype(np.float32)
    if rng.random() < 0.3:
        curved = 255 * np.clip(values / 255, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.3)))
        values = curved.astype(np.float32)
    return values


def hint(row: Row, said: list[int], columns: int) -> NDArray[np.int64]:
    """What each column should say where that is clear: the letter in its middle, nothing between two; else -1."""
    told = np.full(columns, -1, np.int64)
    places = row[2]
    if len(places) != len(said) or not said:
        return told
    at = np.clip((places / 4).astype(int), 0, columns - 1)
    between = (at[1:] + at[:-1]) // 2
    told[between[(at[1:] - at[:-1]) >= 2]] = 0
    told[: max(at[0] - 3, 0)] = 0
    told[min(at[-1] + 4, columns) :] = 0
    told[at] = said
    return told


def store(path: Path, rows: list[Row]) -> None:
    flat = np.concatenate([strip.ravel() for strip, *_ in rows])
    widths = np.array([strip.shape[1] for strip, *_ in rows])
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        flat=flat,
        widths=widths,
        texts=np.array([text for _, text, _ in rows]),
        places=np.concatenate([places for *_, places in rows]),
    )
    part.rename(path)


def stored(path: Path) -> list[Row]:
    with np.load(path) as data:
        ends = np.cumsum(data["widths"] * strips.HIGH)
        parts = np.split(data["flat"], ends[:-1])
        texts = [str(t) for t in data["texts"]]
        places = np.split(data["places"], np.cumsum([len(t) for t in texts])[:-1])
        return [(p.reshape(strips.HIGH, -1), t, w) for p, t, w in zip(parts, texts, places, strict=True)]


def draw(folder: Path, shards: int, held_out: bool, seed: int) -> None:
    """Draws shards of strips into a folder."""
    groups = lettering.families(held_out)
    folder.mkdir(parents=True, exist_ok=True)
    for n in range(shards):
        path = folder / f"{'judge' if held_out else 'train'}-{seed + n:04}.npz"
        if not path.is_file():
            rng = np.random.default_rng((held_out, seed + n))
            store(path, [row for _ in range(SHARD // VIEWS) for row in strips.examples(groups, rng, VIEWS)])


def batches(folder: Path, size: int, rng: np.random.Generator, real: list[Row]) -> Iterator[Any]:
    """Batches of strips of about one width, from shards in random order; a part of each from real prints.

    When every strip was seen `AGAIN` times, more are drawn.
    """
    seen = 0
    while True:
        paths = sorted(folder.glob("train-*.npz"))
        if seen > AGAIN * SHARD * len(paths):
            draw(folder, 1, False, int(paths[-1].stem.split("-")[1]) + 1)
            continue
        newest = paths[-8:]
        chosen = [paths[k] for k in rng.integers(len(paths), size=3)] + [newest[rng.integers(len(newest))]]
        rows = [row for path in chosen for row in stored(path)]
        seen += len(rows)
        if real:
            rows += [real[k] for k in rng.integers(len(real), size=len(rows) // 3)]
        order = sorted(range(len(rows)), key=lambda k: rows[k][0].shape[1] * rng.uniform(0.85, 1.15))
        # As many columns of pixels in every batch.
        groups, group = [], []
        for k in order:
            group.append(rows[k])
            if sum(s.shape[1] for s, *_ in group) >= size * 200:
                groups.append(group)
                group = []
        for n in rng.permutation(len(groups)):
            yield batch_of(groups[n], rng)


def read(net: Reader, rows: list[Row]) -> list[str]:
    """What the net reads by itself, the likeliest letter of every column."""
    told = []
    net.eval()
    with torch.no_grad():
        for strip, *_ in rows:
            wide = -(-strip.shape[1] // 4) * 4
            page = np.zeros((1, 1, strips.HIGH, wide), np.float32)
            page[0, 0, :, : strip.shape[1]] = evened(strip.astype(np.float32))
            best = net(torch.from_numpy(page))[0].argmax(0).numpy()
            told.append("".join(LETTERS[c - 1] for n, c in enumerate(best) if c and (n == 0 or best[n - 1] != c)))
    return told


def accuracy(net: Reader, rows: list[Row]) -> tuple[float, float]:
    """Lines read without a mistake, and letters wrong per letter."""
    told = read(net, rows)
    off = sum(_distance(a, b) for a, (_, b, _) in zip(told, rows, strict=True))
    exact = sum(a == b for a, (_, b, _) in zip(told, rows, strict=True)) / len(rows)
    return exact, off / sum(len(b) for _, b, _ in rows)


def _distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def train(folder: Path, state: Path, minutes: float, rate: float, real: list[Row], begin: Path | None) -> Reader:
    """Trains for some minutes of processor time, with a checkpoint every two; the average of its weights is kept."""
    net: Reader = Reader().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.01)
    judge = [row for path in sorted(folder.glob("judge-*.npz"))[:1] for row in stored(path)][:500]
    if begin is not None and begin.suffix == ".onnx":
        several = batch_of(sorted(judge, key=lambda row: row[0].shape[1])[200:300], None)[0]
        resume(net, begin, several, grown=Aside)
    elif begin is not None and begin.is_file():
        net.load_state_dict(torch.load(begin)["net"])
    average: Average[Reader] = Average(net)
    loss_of = nn.CTCLoss(zero_infinity=True)
    rng = np.random.default_rng(int(time.time()))
    start = last = time.process_time()
    losses: list[float] = []
    seen = 0
    for patches, columns, said, lengths, hints in batches(folder, 20, rng, real):
        done = (time.process_time() - start) / 60 / minutes
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, seen / 8000 + 0.02) * (0.5 + 0.5 * np.cos(np.pi * done)) + rate * 0.01
        with torch.autocast("cpu", torch.bfloat16):
            scores = net(patches.to(memory_format=torch.channels_last))
        logs = scores.float().log_softmax(1).permute(2, 0, 1)
        # Where letters stand is told at first; later they are to be found.
        told = functional.nll_loss(logs.permute(1, 2, 0), hints, ignore_index=-1)
        loss = (1 if begin else min(1.0, 0.2 + 3 * done)) * loss_of(logs, said, columns, lengths)
        if not begin:
            loss = loss + max(1 - 1.6 * done, 0.1) * torch.nan_to_num(told)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        average.tell(net)
        losses.append(float(loss.detach()))
        seen += len(patches)
        if time.process_time() - last > 90:
            last = time.process_time()
            exact, off = accuracy(average.net, judge)
            torch.save({"net": average.net.state_dict()}, state)
            row = {"minutes": round((last - start) / 60, 1), "seen": seen, "loss": round(float(np.mean(losses)), 3)}
            print(json.dumps({**row, "exact": round(exact, 3), "letters_off": round(off, 4)}), flush=True)
            losses = []
    torch.save({"net": average.net.state_dict()}, state)
    kept: Reader = average.net
    return kept


def write(net: Reader, path: Path) -> None:
    """The net as ONNX with its weights packed, and what it answers to a stored input."""
    net.eval()
    example = torch.from_numpy(coarse_noise((1, 1, strips.HIGH, 160)).astype(np.float32))
    torch.onnx.export(
        nn.Sequential(net, nn.Flatten()).eval(),
        (example,),
        str(path),
        input_names=["patches"],
        output_names=["scores"],
        opset_version=13,
        dynamic_axes={"patches": {0: "n", 3: "wide"}, "scores": {0: "n", 1: "columns"}},
        dynamo=False,
    )
    pack(path)
    net_of = cv2.dnn.readNetFromONNX(str(path))
    patches = coarse_noise((1, 1, strips.HIGH, 160))
    net_of.setInput(patches.astype(np.float32), "patches")
    scores = np.asarray(net_of.forward("scores"), np.float32).reshape(1, -1)
    np.savez_compressed(path.with_suffix(".test.npz"), patches=patches, scores=scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path.home() / ".cache" / "companion-names")
    parser.add_argument("--shards", type=int, default=48, help="so many shards of strips are drawn first")
    parser.add_argument(
        "--minutes",
        type=float,
        default=75,
        help="of processor time on drawn strips; a third of it with real prints too",
    )
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--without", default="", help="a print that is left out to judge")
    parser.add_argument("--begin", type=Path, help="go on from this ONNX file or state")
    stages = parser.add_mutually_exclusive_group()
    stages.add_argument("--drawn-only", action="store_true", help="no real print at all: every print judges")
    stages.add_argument("--prints-only", action="store_true", help="go on from there with real prints at once")
    parser.add_argument("--out", type=Path, default=FOLDER)
    args = parser.parse_args()
    torch.set_num_threads(1)
    draw(args.work, 1, True, 0)
    draw(args.work, args.shards, False, 0)
    state = args.begin if args.prints_only else args.work / "state.pt"
    if not args.prints_only:
        net = train(args.work, state, args.minutes, args.rate, [], args.begin)
    if not args.drawn_only:
        real = print_lines.examples(4000, np.random.default_rng(7), args.without)
        net = train(args.work, args.work / "with-prints.pt", args.minutes / 3, args.rate * 0.4, real, state)
    write(net, args.out / "names.onnx")
    if args.out == FOLDER:
        checksums.write()


if __name__ == "__main__":
    main()

"""Trains the nets that look at spaces and at cities, and writes them to models/board.

    python -m models.training.board                 everything: references, both nets, their self-tests
    python -m models.training.board --leave usa-warm,render-usa --judge
                                                    one fold: those sessions or boards left out, and judged

Needs the [train] extra and ../shared; more renders (tools/render.py) can be added with --more.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
from torch import Tensor

import maps
from models.training import augment, examples, pool, references
from models.training.net import PatchNet, export
from vision import classify, decide, light, spaces
from vision.config import CLASSIFIER, PATCH

CHANNELS = 11
NETS = {
    "spaces": (PATCH.size, (16, 16, 32, 32, 64, 64, 64)),
    "stations": (PATCH.city_size, (12, 12, 24, 24, 32, 32, 32)),
}
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, eq=False)
class Stock:
    """All patches to train on, with the name of the colour printed under each and how often to draw it."""

    pictures: NDArray[np.uint8]
    labels: NDArray[np.int64]
    printed: NDArray[np.float32]
    lean: NDArray[np.float32]
    names: NDArray[np.str_]
    drawn: NDArray[np.float64]


def stock(found: list[tuple[examples.Summary, pool.Pool]], what: str, real: float) -> Stock:
    """Patches of many photos; real photos and renders, colours, and photos get their share of the draws."""
    every = [p for _, p in found]
    labels = np.concatenate([p.labels for p in every])
    names = np.concatenate([_printed_names(s, p, what) for s, p in found])
    is_real = np.concatenate([np.full(len(p.labels), s.real) for s, p in found])
    photo = np.concatenate([np.full(len(p.labels), i) for i, (_, p) in enumerate(found)])
    own = np.array(examples.CLASSES)[np.maximum(labels, 0)] == names
    strong = np.isin(names, ("black", "blue", "red", "green", "yellow", "white"))
    drawn = np.zeros(len(labels))
    for kind, share in ((True, real), (False, 1 - real)):
        usable = (is_real == kind) & (labels >= 0)
        classes = [c for c in range(len(examples.CLASSES)) if (usable & (labels == c)).any()]
        for c in classes:
            rows = usable & (labels == c)
            weight = np.bincount(photo[rows], minlength=len(every))[photo[rows]] ** -0.5
            # Wagons on a track of their own colour, and empty tracks in a wagon's colour, are what gets confused.
            weight = weight * np.where(own[rows], 3.0, 1.0) * np.where((c == 0) & strong[rows], 1.7, 1.0)
            part = 0.48 if c == 0 else 0.52 * _share(c) / max(sum(_share(k) for k in classes if k), 1)
            drawn[rows] = weight / weight.sum() * share * part
    return Stock(
        np.concatenate([p.pictures for p in every]),
        labels,
        np.concatenate([p.printed for p in every]),
        np.concatenate([p.lean for p in every]),
        names,
        drawn / drawn.sum(),
    )


def _share(color: int) -> float:
    """How much of the wagons a colour gets: those of San Francisco alone are seen on drawn boards only, and less."""
    return 0.4 if examples.CLASSES[color] in ("purple", "white", "pink") else 1.0


def _printed_names(summary: examples.Summary, patches: pool.Pool, what: str) -> NDArray[np.str_]:
    board = maps.load(summary.board)
    colors = spaces.layout(board).colors if what == "spaces" else ("none",) * len(board.cities)
    return np.array(colors * (len(patches.labels) // len(colors)))


class Batches:
    """Endless batches: pieces moved to other places, other light, other cameras."""

    def __init__(self, all_patches: Stock, what: str, seed: int) -> None:
        self._stock, self._what = all_patches, what
        self._rng = np.random.default_rng(seed)
        self._ladder = np.cumsum(all_patches.drawn)
        self._prints = {name: all_patches.printed[all_patches.names == name] for name in np.unique(all_patches.names)}

    def _draw(self, n: int) -> NDArray[np.int64]:
        return np.minimum(np.searchsorted(self._ladder, self._rng.random(n)), len(self._ladder) - 1)

    def _pictures(self, rows: NDArray[np.int64]) -> Tensor:
        return torch.from_numpy(self._stock.pictures[rows]).permute(0, 3, 1, 2).float() / 255

    def batch(self, n: int) -> tuple[Tensor, Tensor]:
        rng = self._rng
        rows, others = self._draw(n), self._draw(n)
        x = self._pictures(rows)
        if self._what == "spaces":
            x = augment.neighbour(x, self._pictures(self._draw(n)), rng, 0.3)
        x, moved = augment.paste(x, self._pictures(others), rng, 0.5, self._what)
        rows = np.where(moved.numpy(), others, rows)
        labels = self._stock.labels[rows]
        printed = self._hints(rows, labels)
        x, lean = augment.flipped(augment.photographed(x, rng), torch.from_numpy(self._stock.lean[rows]), rng)
        lean = lean * torch.from_numpy((rng.random(n) > 0.15).astype(np.float32))[:, None]
        return together(x, printed, lean), torch.from_numpy(labels)

    def _hints(self, rows: NDArray[np.int64], labels: NDArray[np.int64]) -> Tensor:
        """Printed colours. A wagon hides the print: it could be any, and often is the wagon's own colour."""
        rng = self._rng
        hints = self._stock.printed[rows].copy()
        dice = rng.random(len(rows))
        for i in np.flatnonzero(labels > 0):
            own = self._prints.get(examples.CLASSES[labels[i]])
            if dice[i] < 0.4 and own is not None:
                hints[i] = own[rng.integers(len(own))]
            elif dice[i] < 0.65:
                hints[i] = self._stock.printed[rng.integers(len(self._stock.printed))]
        told = hints / 255 + rng.normal(0, 0.04, hints.shape)
        told[rng.random(len(rows)) < 0.15] = 0
        return torch.from_numpy(told.astype(np.float32))


def together(x: Tensor, printed: Tensor, lean: Tensor) -> Tensor:
    """The input of a net, as `vision.classify.inputs` makes it."""
    n, _, high, wide = x.shape
    planes = torch.cat([printed, lean], 1)[:, :, None, None].expand(n, 5, high, wide)
    return torch.cat([x - 0.5, planes], 1).contiguous(memory_format=torch.channels_last)


def train(batches: Batches, what: str, steps: int, rate: float, start: PatchNet | None, keep: Path | None) -> PatchNet:
    """A net after that many batches, from scratch or from a start."""
    size, widths = NETS[what]
    net = start or PatchNet(CHANNELS, len(examples.CLASSES), size, widths)
    net = net.to(memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.1)
    began, mean = time.monotonic(), 0.0
    for step in range(1, steps + 1):
        x, y = batches.batch(128)
        loss = functional.cross_entropy(net(x), y, label_smoothing=0.01)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        mean += 0.02 * (loss.item() - mean)
        if step % 250 == 0 or step == steps:
            print(
                f"{what} {step}/{steps} loss {mean / (1 - 0.98**step):.4f} {time.monotonic() - began:.0f} s", flush=True
            )
            if keep is not None:
                torch.save(net.state_dict(), keep)
    return net.eval()


def scores(net: PatchNet, patches: pool.Pool) -> NDArray[np.float32]:
    foot, middle = patches.pictures[..., :3].astype(np.float32), patches.pictures[..., 3:].astype(np.float32)
    with torch.no_grad():
        return net(torch.from_numpy(classify.inputs(foot, middle, patches.printed, patches.lean))).numpy()


def judge(net: PatchNet, found: list[tuple[examples.Summary, pool.Pool]], what: str) -> dict[str, dict[str, float]]:
    """Mistakes per fold, with the board's place as the truth gives it."""
    rows: dict[str, dict[str, float]] = {}
    for summary, patches in found:
        board, truth = maps.load(summary.board), json.loads(summary.path.read_text(encoding="utf-8"))
        row = rows.setdefault(
            summary.fold, dict.fromkeys(("boards", "perfect", "judged", "wrong", "silent", "doubtful"), 0)
        )
        temperature = CLASSIFIER.temperature if what == "spaces" else CLASSIFIER.station_temperature
        logs = classify.log_probabilities(scores(net, patches), board.wagon_colors, temperature)
        seen = decide.Seen(logs, (patches.labels >= 0).astype(np.float32))
        unseen = set(truth.get("covered") or ()) | set((truth.get("cut") or {}).get("routes") or ())
        if what == "spaces":
            told, doubtful = decide.routes(board, seen)
            judged = [r for r in board.routes if r not in unseen]
            wrong = [r for r in judged if told[r].color != truth["routes"][r]]
        else:
            stands, own = truth.get("stations", {}), decide.stations(board, seen)
            doubtful = own[1]
            judged = sorted({*stands, *own[0]})
            wrong = [c for c in judged if (own[0][c].color if c in own[0] else None) != stands.get(c)]
        row["boards"] += 1
        row["perfect"] += not wrong
        row["judged"] += len(judged)
        row["wrong"] += len(wrong)
        row["silent"] += len([w for w in wrong if w not in doubtful])
        row["doubtful"] += len([d for d in doubtful if d not in unseen])
        print(f"  {summary.fold:22} {summary.path.stem:26} {len(wrong)} of {len(judged)} wrong", *wrong[:8], flush=True)
    return rows


def write(net: PatchNet, what: str, folder: Path) -> None:
    """The ONNX file and, beside it, an input of noise with the scores that any engine has to give for it."""
    size, _ = NETS[what]
    export(net, folder / f"{what}.onnx", CHANNELS, size)
    noise = np.random.default_rng(4).uniform(-0.5, 0.5, (4, CHANNELS, size[1], size[0])).astype(np.float16)
    with torch.no_grad():
        answer = net(torch.from_numpy(noise.astype(np.float32))).numpy()
    np.savez_compressed(folder / f"{what}.test.npz", patches=noise, scores=answer)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--more", type=Path, action="append", default=[], help="folders of further renders")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "patches")
    parser.add_argument("--net", choices=sorted(NETS), action="append")
    parser.add_argument("--leave", default="", help="folds to leave out, by the start of their names, with commas")
    parser.add_argument("--judge", action="store_true", help="judge what was left out")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--keep", type=Path, help="where to keep the weights")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--real", type=float, default=0.5, help="share of real photos in a batch")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=light.FOLDER)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    cv2.setNumThreads(args.threads)
    references.main([f"--shared={args.shared}", f"--out={light.FOLDER}"])
    folders = [args.shared / "photos" / "usa", args.shared / "photos" / "europe", args.shared / "renders" / "boards"]
    every = [examples.summary(path) for path in examples.every([*folders, *args.more])]
    left = tuple(name for name in args.leave.split(",") if name)
    for what in args.net or NETS:
        usable = [s for s in every if what == "spaces" or s.board == "europe"]
        kept = [s for s in usable if not s.fold.startswith(left)] if left else usable
        found = list(zip(kept, pool.cached(args.cache, [s.path for s in kept], what, 3), strict=True))
        start = None
        if args.start:
            start = PatchNet(CHANNELS, len(examples.CLASSES), *NETS[what])
            start.load_state_dict(torch.load(args.start))
        batches = Batches(stock(found, what, args.real), what, args.seed)
        net = train(batches, what, args.steps, args.rate, start, args.keep)
        if args.judge:
            out = [s for s in usable if s not in kept and not any(s.path.is_relative_to(m) for m in args.more)]
            for fold, row in judge(
                net, list(zip(out, pool.cached(args.cache, [s.path for s in out], what, 0), strict=True)), what
            ).items():
                print(f"{fold:22}", json.dumps(row), flush=True)
        if not left:
            write(net, what, args.out)


if __name__ == "__main__":
    main()

"""Trains the nets that look at spaces and at cities, and writes them to models/board.

    python -m models.training.board                 everything: references, all nets, their self-tests
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
import onnxruntime
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
from torch import Tensor

import maps
from models.training import augment, examples, pool, references
from models.training.net import PatchNet, export
from vision import classify, decide, light, spaces
from vision.config import CLASSIFIER, PATCH

# Two views of three colours, the printed colour, the lean; and for spaces the colours printed beside.
CHANNELS = {"spaces": 17, "stations": 11, "buildings": 11}
NETS = {
    "spaces": (PATCH.size, (16, 16, 32, 32, 64, 64, 64)),
    "stations": (PATCH.city_size, (12, 12, 24, 24, 32, 32, 32)),
    "buildings": (PATCH.city_size, (12, 12, 24, 24, 32, 32, 32)),
}
OUTPUTS = {"spaces": classify.CLASSES, "stations": classify.CLASSES, "buildings": classify.CITY_CLASSES}
KINDS: dict[str, tuple[decide.Building, ...]] = {"stations": ("station",), "buildings": ("station", "depot")}
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, eq=False)
class Stock:
    """All patches to train on, with the name of the colour printed under each and how often to draw it."""

    pictures: NDArray[np.uint8]
    labels: NDArray[np.int64]
    printed: NDArray[np.float32]
    beside: NDArray[np.float32]
    lean: NDArray[np.float32]
    names: NDArray[np.str_]
    drawn: NDArray[np.float64]


def stock(found: list[tuple[examples.Summary, pool.Pool]], what: str, shares: dict[str, float]) -> Stock:
    """Patches of many photos; kinds of photos (real, render, drawn), colours and photos get their share of draws."""
    every = [p for _, p in found]
    labels = np.concatenate([p.labels for p in every])
    names = np.concatenate([_printed_names(s, p, what) for s, p in found])
    kinds = np.concatenate([np.full(len(p.labels), s.kind) for s, p in found])
    photo = np.concatenate([np.full(len(p.labels), i) for i, (_, p) in enumerate(found)])
    own = np.array(OUTPUTS[what])[np.maximum(labels, 0)] == names
    strong = np.isin(names, ("black", "blue", "red", "green", "yellow", "white"))
    drawn = np.zeros(len(labels))
    for kind, share in shares.items():
        usable = (kinds == kind) & (labels >= 0)
        classes = [c for c in range(len(OUTPUTS[what])) if (usable & (labels == c)).any()]
        for c in classes:
            rows = usable & (labels == c)
            weight = np.bincount(photo[rows], minlength=len(every))[photo[rows]] ** -0.5
            # Wagons on a track of their own colour, and empty tracks in a wagon's colour, are what gets confused.
            weight = weight * np.where(own[rows], 3.0, 1.0) * np.where((c == 0) & strong[rows], 1.7, 1.0)
            part = 0.48 if c == 0 else 0.52 * _share(c, what) / max(sum(_share(k, what) for k in classes if k), 1)
            drawn[rows] = weight / weight.sum() * share * part
    return Stock(
        np.concatenate([p.pictures for p in every]),
        labels,
        np.concatenate([p.printed for p in every]),
        np.concatenate([p.beside for p in every]),
        np.concatenate([p.lean for p in every]),
        names,
        drawn / drawn.sum(),
    )


def _share(label: int, what: str) -> float:
    """How much of the pieces a colour gets: those of San Francisco alone are seen on drawn boards only, and less."""
    return 0.4 if OUTPUTS[what][label].endswith(("purple", "white", "pink")) else 1.0


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
        x, beside = self._pictures(rows), self._stock.beside[rows]
        if self._what == "spaces":
            strangers = self._draw(n)
            x, chosen, side = augment.neighbour(x, self._pictures(strangers), rng, 0.3)
            beside = beside.reshape(n, 2, 3).copy()
            beside[chosen, side[chosen]] = self._stock.printed[strangers[chosen]]
            beside = beside.reshape(n, 6)
        x, moved = augment.paste(x, self._pictures(others), rng, 0.5, self._what)
        rows = np.where(moved.numpy(), others, rows)
        labels = self._stock.labels[rows]
        told = np.concatenate([self._hints(rows, labels), beside], axis=1) / 255
        told = torch.from_numpy((told + rng.normal(0, 0.04, told.shape) * (told > 0)).astype(np.float32))
        if self._what == "spaces":
            x, told, labels = self._recolored(x, told, labels)
        told[torch.from_numpy(rng.random(n) < 0.15)] = 0
        lean = torch.from_numpy(self._stock.lean[rows])
        x, lean, sides = augment.flipped(augment.photographed(x, rng), lean, told[:, 3:], rng)
        lean = lean * torch.from_numpy((rng.random(n) > 0.15).astype(np.float32))[:, None]
        numbers = [told[:, :3], lean] + ([sides] if self._what == "spaces" else [])
        return together(x, torch.cat(numbers, 1)), torch.from_numpy(labels)

    def _recolored(
        self, x: Tensor, told: Tensor, labels: NDArray[np.int64]
    ) -> tuple[Tensor, Tensor, NDArray[np.int64]]:
        """Some blue, red or yellow wagons, and some such prints, in the colours that only San Francisco has."""
        hues = np.array([examples.CLASSES.index(c) for c in augment.HUES])
        rare = np.array([examples.CLASSES.index(c) for c in augment.RARE])
        hue, new = self._rng.integers(len(hues), size=len(labels)), self._rng.integers(len(rare), size=len(labels))
        for i, color in enumerate(hues):
            hue[labels == color] = i
        taken = np.isin(labels, hues)
        chosen = (self._rng.random(len(labels)) < 0.07) & (taken | (labels == 0))
        x, told = augment.recolored(x, told, hue, new, chosen, self._rng)
        return x, told, np.where(chosen & taken, rare[new], labels)

    def _hints(self, rows: NDArray[np.int64], labels: NDArray[np.int64]) -> NDArray[np.float32]:
        """Printed colours. A wagon hides the print: it could be any, and often is the wagon's own colour."""
        rng = self._rng
        hints = self._stock.printed[rows].copy()
        dice = rng.random(len(rows))
        for i in np.flatnonzero(labels > 0):
            own = self._prints.get(OUTPUTS[self._what][labels[i]])
            if dice[i] < 0.4 and own is not None:
                hints[i] = own[rng.integers(len(own))]
            elif dice[i] < 0.65:
                hints[i] = self._stock.printed[rng.integers(len(self._stock.printed))]
        return hints


def together(x: Tensor, numbers: Tensor) -> Tensor:
    """The input of a net, as `vision.classify.inputs` makes it."""
    n, _, high, wide = x.shape
    planes = numbers[:, :, None, None].expand(n, numbers.shape[1], high, wide)
    return torch.cat([x - 0.5, planes], 1).contiguous(memory_format=torch.channels_last)


def train(batches: Batches, what: str, steps: int, rate: float, start: PatchNet | None, keep: Path | None) -> PatchNet:
    """A net after that many batches, from scratch or from a start."""
    size, widths = NETS[what]
    net = start or PatchNet(CHANNELS[what], len(OUTPUTS[what]), size, widths)
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


def loaded(path: Path, what: str) -> PatchNet:
    """A net with the weights of a file; what was not told or answered then has no weight yet."""
    net = PatchNet(CHANNELS[what], len(OUTPUTS[what]), *NETS[what])
    weights = torch.load(path)
    first = weights["layers.0.0.weight"]
    missing = CHANNELS[what] - first.shape[1]
    weights["layers.0.0.weight"] = functional.pad(first, (0, 0, 0, 0, 0, missing))
    unknown = len(OUTPUTS[what]) - len(weights["answer.bias"])
    weights["answer.weight"] = functional.pad(weights["answer.weight"], (0, 0, 0, 0, 0, 0, 0, unknown))
    weights["answer.bias"] = functional.pad(weights["answer.bias"], (0, unknown), value=-4.0)
    net.load_state_dict(weights)
    return net


def scores(net: PatchNet, patches: pool.Pool, what: str) -> NDArray[np.float32]:
    beside = patches.beside if what == "spaces" else None
    foot, middle = patches.pictures[..., :3].astype(np.float32), patches.pictures[..., 3:].astype(np.float32)
    with torch.no_grad():
        return net(torch.from_numpy(classify.inputs(foot, middle, patches.printed, patches.lean, beside))).numpy()


def judge(net: PatchNet, found: list[tuple[examples.Summary, pool.Pool]], what: str) -> dict[str, dict[str, float]]:
    """Mistakes per fold, with the board's place as the truth gives it."""
    rows: dict[str, dict[str, float]] = {}
    for summary, patches in found:
        board, truth = maps.load(summary.board), json.loads(summary.path.read_text(encoding="utf-8"))
        row = rows.setdefault(
            summary.fold, dict.fromkeys(("boards", "perfect", "judged", "wrong", "silent", "doubtful", "loss"), 0)
        )
        unseen = set(truth.get("covered") or ()) | set((truth.get("cut") or {}).get("routes") or ())
        kinds = KINDS.get(what, ())
        names = decide.building_names(board, kinds) if kinds else board.wagon_colors
        temperature = CLASSIFIER.temperature if what == "spaces" else CLASSIFIER.station_temperature
        logs = classify.log_probabilities(scores(net, patches, what), names, temperature, OUTPUTS[what])
        seen = decide.Seen(logs, (patches.labels >= 0).astype(np.float32))
        if not kinds:
            told, doubtful = decide.routes(board, seen)
            judged = [r for r in board.routes if r not in unseen]
            wrong = [r for r in judged if told[r].color != truth["routes"][r]]
        else:
            found_in, doubtful = decide.buildings(board, seen, kinds)
            stands = {(k, c): color for k in kinds for c, color in truth.get(f"{k}s", {}).items()}
            read = {(k, c): b.color for k in kinds for c, b in found_in[k].items()}
            judged = sorted({c for _, c in {*stands, *read}})
            wrong = sorted({c for k, c in {*stands, *read} if stands.get((k, c)) != read.get((k, c))})
        known = np.flatnonzero(patches.labels >= 0)
        column = {0: 0} | {OUTPUTS[what].index(name): i for i, name in enumerate(names, 1)}
        row["loss"] -= float(logs[known, [column[label] for label in patches.labels[known]]].mean())
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
    export(net, folder / f"{what}.onnx", CHANNELS[what], size)
    noise = np.random.default_rng(4).uniform(-0.5, 0.5, (2, CHANNELS[what], size[1], size[0])).astype(np.float16)
    session = onnxruntime.InferenceSession(str(folder / f"{what}.onnx"), providers=["CPUExecutionProvider"])
    (answer,) = session.run(["scores"], {"patches": noise.astype(np.float32)})
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
    parser.add_argument("--real", type=float, default=0.45, help="share of real photos in a batch")
    parser.add_argument("--drawn", type=float, default=0.06, help="share of practice photos in a batch")
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
        # Without depots Europe is the only board with buildings; drawn depots must not count as bare cities.
        usable = [s for s in every if what != "stations" or (s.board == "europe" and s.kind != "drawn")]
        kept = [s for s in usable if not s.fold.startswith(left)] if left else usable
        found = list(zip(kept, pool.cached(args.cache, [s.path for s in kept], what, 3), strict=True))
        start = None
        if args.start:
            start = loaded(args.start, what)
        shares = {"real": args.real, "render": 1 - args.real - args.drawn, "drawn": args.drawn}
        batches = Batches(stock(found, what, shares), what, args.seed)
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

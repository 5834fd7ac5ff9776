"""Trains the nets that look at spaces and at cities, by the recipe beside their card, and writes them to models/board.

    python -m models.training.board                 everything: references, all nets, their self-tests
    python -m models.training.board --net spaces --leave usa,render-pennsylvania --out FOLD
                                                    one fold: those sessions or boards left out
    python -m models.training.judge --nets FOLD --only usa,render-pennsylvania
                                                    the whole way of reading, with those nets, on what was left out

Needs the [train] extra and ../shared; more renders (tools/render.py) can be added with --more.
"""

from __future__ import annotations

import argparse
import copy
import json
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
from torch import Tensor

from models import checksums
from models.training import augment, examples, own_photos, plastics, pool, references
from models.training.net import GlanceNet, PatchNet, blend, export, from_onnx, measured
from models.training.pack import pack
from models.training.pool import Pool
from vision import classify, light, patches, spaces
from vision.config import PATCH

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "models" / "board" / "recipe.json"
# Photos of other homes (their folds): they judge, and are never trained on.
OTHER_HOMES = ("other",)


@dataclass(frozen=True)
class Kind:
    """What a net looks at and what it can answer, and the widths of its layers."""

    channels: int
    size: tuple[int, int]
    outputs: tuple[str, ...]
    widths: tuple[int, ...]
    made: type[PatchNet] = PatchNet
    spaces: bool = False

    def new(self) -> PatchNet:
        return self.made(self.channels, len(self.outputs), self.size, self.widths)

    def of(self, file: Path) -> PatchNet:
        """The net of a file."""
        return from_onnx(file, self.new(), self.told)

    @property
    def told(self) -> range:
        """The channels that are the same all over a patch."""
        return range(patches.TOLD_CHANNELS.start, min(patches.TOLD_CHANNELS.stop, self.channels))


_SPACE = patches.SPACE_CHANNELS, PATCH.size, classify.SPACE_CLASSES
NETS = {
    "spaces": Kind(*_SPACE, (16, 16, 32, 32, 64, 64, 64), spaces=True),
    "glance": Kind(*_SPACE, (32, 32, 64, 64), GlanceNet, spaces=True),
    "stations": Kind(patches.CITY_CHANNELS, PATCH.city_size, classify.SPACE_CLASSES, (16, 16, 32, 32, 48, 48, 64)),
    "buildings": Kind(patches.CITY_CHANNELS, PATCH.city_size, classify.CITY_CLASSES, (12, 12, 24, 24, 32, 32, 32)),
}


@dataclass(frozen=True)
class Recipe:
    """How a net is trained: batches and their rate, what goes into them, and the net to go on from (None: none).

    `shares` of real photos, renders, prints made up and practice photos in a batch; `versions` of each to sample, see
    `pool.make`.
    `uses`: steps that a batch is used for, the later ones among others: making one takes longer than learning from it.
    `average`: what is written is the mean of the weights over about so many last steps (0: the last ones), and
    `blend` how much of it, the rest being the net to go on from.
    `teacher`: a net whose answers are learnt beside the truth, wherever it is right.
    `hard`: how much oftener a patch of a photo or render is drawn the less sure of it the net to go on from is, and
    `crowded` spaces beside a taken track of their group.
    """

    steps: int
    rate: float
    shares: Mapping[str, float]
    versions: Mapping[str, tuple[int, ...]]
    seed: int = 0
    start: str | None = None
    batch: int = 128
    uses: int = 1
    average: int = 0
    blend: float = 1.0
    teacher: str | None = None
    hard: float = 0.0
    crowded: float = 1.0


def recipes(file: Path = RECIPE) -> dict[str, Recipe]:
    """The recipes of a file, by the name of the net."""
    told = json.loads(file.read_text(encoding="utf-8"))
    return {
        name: Recipe(**{**r, "versions": {kind: tuple(v) for kind, v in r["versions"].items()}})
        for name, r in told.items()
    }


@dataclass(frozen=True, eq=False)
class Stock:
    """All patches to train on, with the name of the colour printed under each, its photo and how often to draw it.

    `pasted`: how often the middle of another patch is laid on it; `crowded`: whether a track of its group is taken
    beside it.
    """

    pictures: NDArray[np.uint8]
    labels: NDArray[np.int64]
    printed: NDArray[np.float32]
    beside: NDArray[np.float32]
    lean: NDArray[np.float32]
    names: NDArray[np.str_]
    photo: NDArray[np.int64]
    drawn: NDArray[np.float64]
    pasted: NDArray[np.float64]
    kinds: NDArray[np.str_]
    crowded: NDArray[np.bool_]


def stock(
    found: Iterable[tuple[examples.Summary, Pool]], what: str, shares: Mapping[str, float], folder: Path | None = None
) -> Stock:
    """Patches of many photos; kinds of photos (real, render, made, drawn), colours and photos get their share.

    `folder`: where they are laid down while they are needed.
    """
    summaries: list[examples.Summary] = []

    def parts() -> Iterator[Pool]:
        for s, p in found:
            summaries.append(s)
            yield p

    pictures, every = _kept(parts(), folder)
    told = list(zip(summaries, every, strict=True))
    labels = np.concatenate([p.labels for p in every])
    names = np.concatenate([_printed_names(s, p, what) for s, p in told])
    kinds = np.concatenate([np.full(len(p.labels), s.kind) for s, p in told])
    photo = np.concatenate([np.full(len(p.labels), i) for i, (_, p) in enumerate(told)])
    outputs = NETS[what].outputs
    own = np.array(outputs)[np.maximum(labels, 0)] == names
    strong = np.isin(names, ("black", "blue", "red", "green", "yellow", "white"))
    drawn = np.zeros(len(labels))
    for kind, share in shares.items():
        usable = (kinds == kind) & (labels >= 0)
        classes = [c for c in range(len(outputs)) if (usable & (labels == c)).any()]
        for c in classes:
            rows = usable & (labels == c)
            weight = np.bincount(photo[rows], minlength=len(every))[photo[rows]] ** -0.5
            # Wagons on a track of their own colour, and empty tracks in a wagon's colour, are what gets confused.
            weight = weight * np.where(own[rows], 3.0, 1.0) * np.where((c == 0) & strong[rows], 1.7, 1.0)
            part = 0.48 if c == 0 else 0.52 * _share(c, what) / max(sum(_share(k, what) for k in classes if k), 1)
            drawn[rows] = weight / weight.sum() * share * part
    return Stock(
        pictures,
        labels,
        np.concatenate([p.printed for p in every]),
        np.concatenate([p.beside for p in every]),
        np.concatenate([p.lean for p in every]),
        names,
        photo,
        drawn / drawn.sum(),
        # Prints made up are bare: all wagons on them come from elsewhere.
        np.where(kinds == "made", 0.8, 0.5),
        kinds,
        np.concatenate([_crowded(s, p, what) for s, p in told]),
    )


def harder(every: Stock, net: PatchNet, recipe: Recipe) -> Stock:
    """The same patches, those of photos and renders drawn oftener of which the net is not sure, and crowded ones.

    More renders alone taught nothing: nearly all of their patches are easy, and half of them got another's middle.
    """
    own = np.isin(every.kinds, ("real", "render")) & (every.labels >= 0)
    crowded = own & every.crowded
    drawn = every.drawn * np.where(crowded, recipe.crowded, 1.0)
    drawn[own] *= 1 + recipe.hard * (1 - _sureness(every, net, np.flatnonzero(own)))
    for kind, share in recipe.shares.items():
        rows = every.kinds == kind
        drawn[rows] *= share / max(drawn[rows].sum(), 1e-9)
    # What lies beside a wagon as people leave it teaches more than what is pasted there.
    return replace(every, drawn=drawn / drawn.sum(), pasted=np.where(crowded, 0.25, every.pasted))


def _sureness(every: Stock, net: PatchNet, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """How sure the net is of the truth of some patches, as they lie."""
    found = np.zeros(len(rows))
    with torch.no_grad():
        for first in range(0, len(rows), 512):
            some = rows[first : first + 512]
            x = torch.from_numpy(every.pictures[some]).permute(0, 3, 1, 2).float() / 255
            told = np.concatenate([every.printed[some] / 255, every.lean[some], every.beside[some] / 255], axis=1)
            twin = x[:, 6:] - 0.5
            twin[x[:, 6:].amax((1, 2, 3)) == 0] = 0
            chances = net(together(x[:, :6], torch.from_numpy(told).float(), twin)).softmax(1).numpy()
            found[first : first + 512] = chances[np.arange(len(some)), every.labels[some]]
    return found


def _kept(parts: Iterable[Pool], folder: Path | None) -> tuple[NDArray[np.uint8], list[Pool]]:
    """All patches as one array in a file without a name, in memory only as far as there is room; and the rest of each.

    Half a million patches take 14 GB: held in memory, two nets could not be trained side by side.
    """
    rest = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for part in parts:
            file.write(np.ascontiguousarray(part.pictures).data)
            rest.append(replace(part, pictures=part.pictures[:0].copy()))
        file.flush()
        shape = sum(len(part.labels) for part in rest), *rest[0].pictures.shape[1:]
        return np.memmap(file, np.uint8, "r", shape=shape), rest


def _share(label: int, what: str) -> float:
    """How much of the pieces a colour gets: those of San Francisco alone are seen on drawn boards only, and less."""
    return 0.4 if NETS[what].outputs[label].endswith(("purple", "white", "pink")) else 1.0


def _printed_names(summary: examples.Summary, patches: Pool, what: str) -> NDArray[np.str_]:
    board = examples.board_of(json.loads(summary.path.read_text(encoding="utf-8")))
    colors = spaces.layout(board).colors if NETS[what].spaces else ("none",) * len(board.cities)
    return np.array(colors * (len(patches.labels) // len(colors)))


def _crowded(summary: examples.Summary, patches: Pool, what: str) -> NDArray[np.bool_]:
    """Which spaces lie beside a taken track of their group."""
    if not NETS[what].spaces:
        return np.zeros(len(patches.labels), np.bool_)
    truth = json.loads(summary.path.read_text(encoding="utf-8"))
    board = examples.board_of(truth)
    near = {
        route.id: any(truth["routes"].get(other.id) for other in tracks if other is not route)
        for tracks in board.groups.values()
        for route in tracks
    }
    return np.array([near[route.id] for route in board.routes.values() for _ in range(route.length)])


class Batches:
    """Endless batches: pieces moved to other places and pushed off their tracks, other light, other cameras."""

    def __init__(self, all_patches: Stock, what: str, seed: int, things: NDArray[np.uint8] | None = None) -> None:
        self._stock, self._what = all_patches, what
        self._things = None if things is None else torch.from_numpy(things).permute(0, 3, 1, 2).float() / 255
        self._rng = np.random.default_rng(seed)
        self._ladder = np.cumsum(all_patches.drawn)
        names, photo = all_patches.names, all_patches.photo
        self._prints = {name: np.flatnonzero(names == name) for name in np.unique(names)}
        # Where in one photo a print is found: a twin has to be of the same photo.
        self._there = {
            (int(p), name): rows[photo[rows] == p]
            for name, rows in self._prints.items()
            for p in np.unique(photo[rows])
        }

    def _draw(self, n: int) -> NDArray[np.int64]:
        return np.minimum(np.searchsorted(self._ladder, self._rng.random(n)), len(self._ladder) - 1)

    def _pictures(self, rows: NDArray[np.int64], channels: slice = slice(0, 6)) -> Tensor:
        return torch.from_numpy(self._stock.pictures[rows][..., channels]).permute(0, 3, 1, 2).float() / 255

    def batch(self, n: int) -> tuple[Tensor, Tensor]:
        if not NETS[self._what].spaces:
            return self._cities(n)
        rng, stock = self._rng, self._stock
        rows, others, strangers = self._draw(n), self._draw(n), self._draw(n)
        moved = rng.random(n) < stock.pasted[rows]
        # A wagon may lie beside its track where that was bare, alone or together with the one on the next track.
        free = moved & (stock.labels[rows] == 0) & (stock.labels[others] > 0)
        beside_too = rng.random(n) < np.where(free, 0.45, 0.3)
        push = np.where(free & (rng.random(n) < 0.5), rng.uniform(-0.5, 0.5, n), 0.0)
        together_pushed = free & beside_too & (rng.random(n) < 0.4)
        push = np.where(together_pushed, rng.uniform(-0.8, 0.8, n), push)
        # Where no other track lies on that side, a wagon may be further off and still is this track's.
        far = rng.uniform(0.4, 0.85, n) * rng.choice([-1, 1], n)
        alone = (stock.beside[rows].reshape(n, 2, 3).max(2) == 0)[np.arange(n), (far > 0).astype(int)]
        push = np.where(free & ~beside_too & alone & (rng.random(n) < 0.35), far, push)
        side = rng.integers(0, 2, n)
        # The next track's wagon leans over, too, but less than its own half.
        leaning = np.where(rng.random(n) < 0.4, rng.uniform(-0.3, 0.15, n) * np.where(side > 0, 1, -1), 0.0)
        x = augment.neighbour(
            self._pictures(rows),
            self._pictures(strangers),
            rng,
            beside_too,
            side,
            np.where(together_pushed, push, leaning),
        )
        beside = stock.beside[rows].reshape(n, 2, 3).copy()
        beside[beside_too, side[beside_too]] = stock.printed[strangers[beside_too]]
        x = augment.paste(x, self._pictures(others), rng, moved, push)
        rows = np.where(moved, others, rows)
        labels = stock.labels[rows]
        # A bare track in the hard shadow of the next track's wagons is as dark as black plastic.
        shaded = beside_too & (stock.labels[strangers] > 0) & (labels == 0) & (rng.random(n) < 0.4)
        x = augment.in_shadow(x, rng, shaded, side)
        x, labels = self._blackened(x, labels)
        under = self._under(rows, labels)
        twin = self._pictures(under, slice(6, 9))
        named = np.array(NETS[self._what].outputs)[np.maximum(labels, 0)] == stock.names[under]
        seen = (twin.amax((1, 2, 3)) > 0).numpy()
        x = augment.other_plastic(x, rng, (labels > 0) & (rng.random(n) < 0.25))
        x = augment.like_print(x, twin, rng, (labels > 0) & named & seen & (rng.random(n) < 0.5))
        x = augment.backlit(x, rng, (labels > 0) & (rng.random(n) < 0.2))
        x = augment.unlike_twin(x, rng, (labels == 0) & (rng.random(n) < 0.3))
        told = np.concatenate([stock.printed[under], beside.reshape(n, 6)], axis=1) / 255
        told = torch.from_numpy((told + rng.normal(0, 0.04, told.shape) * (told > 0)).astype(np.float32))
        known = (twin.amax((1, 2, 3)) > 0) & torch.from_numpy(rng.random(n) > 0.35)
        x, told, labels = self._recolored(torch.cat([x, twin], 1), told, labels)
        if self._things is not None:
            own, hidden, unclear = augment.covered(x[:, :6], self._things, rng, 0.16)
            x, labels = torch.cat([own, x[:, 6:]], 1), np.where(hidden, classify.SPACE_CLASSES.index("covered"), labels)
            labels = np.where(unclear, examples.UNKNOWN, labels)
        told[torch.from_numpy(rng.random(n) < 0.15)] = 0
        lean = torch.from_numpy(stock.lean[rows])
        x, lean, sides = augment.flipped(augment.photographed(x, rng), lean, told[:, 3:], rng)
        lean = lean * torch.from_numpy((rng.random(n) > 0.15).astype(np.float32))[:, None]
        twin = (x[:, 6:] - 0.5) * known[:, None, None, None]
        return together(x[:, :6], torch.cat([told[:, :3], lean, sides], 1), twin), torch.from_numpy(labels)

    def _cities(self, n: int) -> tuple[Tensor, Tensor]:
        rng, stock = self._rng, self._stock
        rows, others = self._draw(n), self._draw(n)
        bare, built = stock.labels[rows] == 0, stock.labels[others] > 0
        # A disc over a station would leave its rim, and the truth would be wrong.
        moved = (rng.random(n) < stock.pasted[rows]) & bare
        x = augment.wagons_about(self._pictures(rows), rng, 0.3)
        # Nobody puts a station in the very middle; those of photos stand up to a space width beside it.
        push = np.where(built & (rng.random(n) < 0.6), rng.normal(0, 0.4, n), 0.0)
        x = augment.paste_city(x, self._pictures(others), rng, moved, push)
        rows = np.where(moved, others, rows)
        labels = stock.labels[rows]
        x = augment.wagons_about(x, rng, 0.2, labels)
        x = augment.other_plastic(x, rng, (labels > 0) & (rng.random(n) < 0.3), augment.STATION)
        if self._things is not None:
            x, hidden, unclear = augment.covered(x, self._things, rng, 0.12, city=True)
            labels = np.where(hidden, classify.SPACE_CLASSES.index("covered"), labels)
            labels = np.where(unclear, examples.UNKNOWN, labels)
        lean = torch.from_numpy(stock.lean[rows])
        x, lean, _ = augment.flipped(augment.photographed(x, rng), lean, torch.zeros(n, 6), rng)
        lean = lean * torch.from_numpy((rng.random(n) > 0.15).astype(np.float32))[:, None]
        return together(x, torch.cat([torch.zeros(n, 3), lean], 1)), torch.from_numpy(labels)

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

    def _blackened(self, x: Tensor, labels: NDArray[np.int64]) -> tuple[Tensor, NDArray[np.int64]]:
        """Some blue, red or yellow wagons in black: of black ones on black print there are few in photos."""
        hues = [examples.CLASSES.index(c) for c in augment.HUES]
        chosen = np.isin(labels, hues) & (self._rng.random(len(labels)) < 0.12)
        hue = np.array([hues.index(c) if c in hues else 0 for c in labels])
        x = augment.blackened(x, hue, chosen, self._rng)
        return x, np.where(chosen, examples.CLASSES.index("black"), labels)

    def _under(self, rows: NDArray[np.int64], labels: NDArray[np.int64]) -> NDArray[np.int64]:
        """Rows whose print is told. A wagon hides it: it could be any, and often is the wagon's own colour."""
        rng, stock = self._rng, self._stock
        found = rows.copy()
        dice = rng.random(len(rows))
        for i in np.flatnonzero(labels > 0):
            own, photo = NETS[self._what].outputs[labels[i]], int(stock.photo[rows[i]])
            name = own if dice[i] < 0.4 else str(stock.names[rng.integers(len(stock.names))])
            if dice[i] < 0.65 and name in self._prints:
                there = self._there.get((photo, name), self._prints[name])
                found[i] = there[rng.integers(len(there))]
        return found


def together(x: Tensor, numbers: Tensor, twin: Tensor | None = None) -> Tensor:
    """The input of a net, as `vision.patches.Patches.batch` makes it."""
    n, _, high, wide = x.shape
    planes = numbers[:, :, None, None].expand(n, numbers.shape[1], high, wide)
    parts = [x - 0.5, planes] + ([] if twin is None else [twin])
    return torch.cat(parts, 1).contiguous(memory_format=torch.channels_last)


def train(
    batches: Batches,
    what: str,
    recipe: Recipe,
    start: PatchNet | None,
    keep: Path | None,
    *,
    half: bool = False,
    teacher: PatchNet | None = None,
) -> PatchNet:
    """A net after the recipe's batches, from scratch or from a start; `half`: multiplied in half precision."""
    net = start or NETS[what].new()
    net.to(memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, recipe.rate, total_steps=recipe.steps, pct_start=0.1)
    mean_net = copy.deepcopy(net).eval() if recipe.average else net
    began, mean, drawn = time.monotonic(), 0.0, _drawn(batches, recipe, teacher)
    for step in range(1, recipe.steps + 1):
        x, y, taught = next(drawn)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half):
            scores = net(x).float()
        loss = functional.cross_entropy(scores, y, label_smoothing=0.01, ignore_index=examples.UNKNOWN)
        if taught is not None:
            loss = 0.5 * loss + 0.5 * _unlike(scores, y, taught)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if recipe.average:
            _average(mean_net, net, 1 / min(step, recipe.average))
        mean += 0.02 * (loss.item() - mean)
        if step % 250 == 0 or step == recipe.steps:
            took = time.monotonic() - began
            print(f"{what} {step}/{recipe.steps} loss {mean / (1 - 0.98**step):.4f} {took:.0f} s", flush=True)
            if keep is not None:
                torch.save(mean_net.state_dict(), keep)
    mean_net.eval()
    return mean_net


def _average(into: PatchNet, net: PatchNet, part: float) -> None:
    """Moves the mean of weights, and of what normalisation measured, towards a net by a part of the way."""
    # A state's tensors are the net's own, and hold no gradients.
    for kept, new in zip(into.state_dict().values(), net.state_dict().values(), strict=True):
        if kept.is_floating_point():
            kept.lerp_(new, part)


def _unlike(scores: Tensor, y: Tensor, taught: Tensor) -> Tensor:
    """How far the answers lie from those of the teacher, where it is right."""
    right = (taught.argmax(1) == y).float()
    apart = functional.cross_entropy(scores, taught.softmax(1), reduction="none")
    return (apart * right).sum() / right.sum().clamp_min(1)


# What a net is given, the truth, and what its teacher says.
_Batch = tuple[Tensor, Tensor, Tensor | None]


def _drawn(batches: Batches, recipe: Recipe, teacher: PatchNet | None) -> Iterator[_Batch]:
    """Endless batches, each given as often as the recipe says, mixed with those before it."""
    # Among 16 only, a net learnt the last few by heart: its loss was 0.22, and 0.30 as soon as its steps got small.
    kept: deque[_Batch] = deque(maxlen=128)
    rng = np.random.default_rng(recipe.seed)
    while True:
        x, y = batches.batch(recipe.batch)
        with torch.no_grad():
            taught = None if teacher is None else teacher(x)
        # In half precision, or they took four gigabytes.
        kept.append((x.half(), y, taught))
        yield x, y, taught
        for _ in range(recipe.uses - 1):
            x, y, taught = kept[int(rng.integers(len(kept)))]
            yield x.float(), y, taught


def write(net: PatchNet, what: str, folder: Path, start: onnx.ModelProto | None = None, part: float = 1.0) -> None:
    """The ONNX file and, beside it, an input of noise with the scores that any engine has to give for it.

    `part`: how much of the net is in it, the rest being the one that it was trained on from (`start`).
    """
    kind = NETS[what]
    export(net, folder / f"{what}.onnx", kind.channels, kind.size, kind.told)
    if start is not None and part < 1:
        blend(start, folder / f"{what}.onnx", part)
    if not kind.spaces:
        # Asked of cities only, they are worth less room than those that every space is seen by.
        pack(folder / f"{what}.onnx")
    # Few levels pack well: the file stays small.
    rng, told = np.random.default_rng(4), len(kind.told)
    given = {
        "patches": (rng.integers(-1, 2, (2, kind.channels - told, *kind.size[::-1])) / 2).astype(np.float16),
        "told": np.tile(rng.integers(-1, 2, (2, told, 1, 1)) / 2, (patches.TOLD_SIDE,) * 2).astype(np.float16),
    }
    session = onnxruntime.InferenceSession(str(folder / f"{what}.onnx"), providers=["CPUExecutionProvider"])
    (answer,) = session.run(["scores"], {name: noise.astype(np.float32) for name, noise in given.items()})
    np.savez_compressed(folder / f"{what}.test.npz", allow_pickle=False, scores=answer, **given)
    checksums.write()


def gathered(
    every: list[examples.Summary], what: str, recipe: Recipe, cache: Path
) -> Iterator[tuple[examples.Summary, Pool]]:
    """The patches of some photos, in all versions that the recipe asks for, one after the other."""
    spots = "spaces" if NETS[what].spaces else what
    for s in every:
        for version in recipe.versions.get(s.kind, ()):
            yield s, pool.cached(cache, s.path, spots, version)


def _few(every: list[examples.Summary], most: int | None) -> list[examples.Summary]:
    """The first photos of each fold, all if no number is told."""
    folds = {s.fold: [t for t in every if t.fold == s.fold] for s in every}
    return [s for fold in folds.values() for s in fold[:most]]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--more", type=Path, action="append", default=[], help="folders of further renders")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "patches")
    parser.add_argument("--net", choices=sorted(NETS), action="append")
    parser.add_argument("--recipe", type=Path, default=RECIPE)
    parser.add_argument("--leave", default="", help="folds to leave out, by the start of their names, with commas")
    parser.add_argument("--steps", type=int, help="so many instead of the recipe's, to see that everything runs")
    parser.add_argument("--few", type=int, help="so many photos of each fold, to see that everything runs")
    parser.add_argument("--keep", type=Path, help="where to keep the weights while training")
    parser.add_argument("--half", action="store_true", help="multiply in half precision, if the processor can")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=light.FOLDER)
    args = parser.parse_args(arguments)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(args.threads)
    own = own_photos.drawn(args.cache.parent / "drawn", args.few)
    folders = [args.shared / "photos", args.shared / "renders" / "boards", *own]
    every = [examples.summary(path) for path in examples.boards([*folders, *args.more])]
    folds = tuple(name for name in args.leave.split(",") if name)
    left = (*folds, *OTHER_HOMES)
    args.out.mkdir(parents=True, exist_ok=True)
    if not folds:
        references.main([f"--shared={args.shared}", f"--out={args.out}"])
    if not args.net:
        few = [] if args.few is None else [f"--few={8 * args.few}"]
        plastics.main([f"--shared={args.shared}", f"--out={args.out}", f"--leave={args.leave}", *few])
    for what, recipe in recipes(args.recipe).items():
        if args.net and what not in args.net:
            continue
        recipe = replace(recipe, steps=args.steps or recipe.steps)
        torch.manual_seed(recipe.seed)
        # Cities of every board and print are bare in their own way; a depot is no bare city.
        usable = [s for s in every if what != "stations" or not s.depots]
        kept = _few([s for s in usable if not s.fold.startswith(left)], args.few)
        things = None
        if "covered" in NETS[what].outputs:
            things = np.concatenate([pool.cached_beyond(args.cache, s.path) for s in kept if s.kind != "drawn"])
        every_patch = stock(gathered(kept, what, recipe, args.cache), what, recipe.shares, args.cache)
        start, before, kind = None, None, NETS[what]
        if recipe.start:
            before, start = onnx.load(str(ROOT / recipe.start)), kind.of(ROOT / recipe.start)
            if recipe.hard:
                every_patch = harder(every_patch, start, recipe)
        batches = Batches(every_patch, what, recipe.seed, things)
        if start is not None:
            start = measured(start, torch.cat([batches.batch(recipe.batch)[0] for _ in range(8)]))
        teacher = NETS["spaces"].of(ROOT / recipe.teacher).eval() if recipe.teacher else None
        net = train(batches, what, recipe, start, args.keep, half=args.half, teacher=teacher)
        write(net, what, args.out, before, recipe.blend)


if __name__ == "__main__":
    main()

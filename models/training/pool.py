"""Patches of every example, sampled again and again a little off, as a board that was found a little off gives them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import examples
from vision import light, spaces
from vision.config import PATCH


@dataclass(frozen=True, eq=False)
class Pool:
    """Patches (n, height, width, 6: BGR over the print, BGR over a piece's middle); what is told and true of them."""

    pictures: NDArray[np.uint8]
    labels: NDArray[np.int64]
    printed: NDArray[np.float32]
    beside: NDArray[np.float32]
    lean: NDArray[np.float32]
    example: NDArray[np.int32]
    place: NDArray[np.int32]


def off(homography: NDArray[np.float64], aspect: float, amount: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """A homography whose corners are each off by about `amount` board widths."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    wrong = square + rng.normal(0, amount, (4, 2)) * (1, aspect) * 0.7 + rng.normal(0, amount, 2) * (1, aspect) * 0.5
    return np.asarray(homography @ cv2.getPerspectiveTransform(square, wrong.astype(np.float32)), np.float64)


def sample(example: examples.Example, what: str, rng: np.random.Generator | None) -> tuple[NDArray[np.uint8], ...]:
    """The patches of spaces or cities of one example, light evened; jittered where there is a random source."""
    spots = spaces.layout(example.board) if what == "spaces" else spaces.cities(example.board)
    size, span = (PATCH.size, PATCH.span) if what == "spaces" else (PATCH.city_size, PATCH.city_span)
    homography, angles, shift = example.homography, spots.angles, None
    if rng is not None:
        homography = off(homography, example.board.geometry.aspect, rng.choice([0.0005, 0.0015, 0.003]), rng)
        turn = 0.05 if what == "spaces" else np.pi
        angles = spots.angles + rng.normal(0, turn, len(spots.angles)) + np.pi * rng.integers(0, 2, len(spots.angles))
        shift = rng.normal(0, 0.001, spots.centres.shape)
        span = span * rng.uniform(0.93, 1.07)
    to_picture = spaces.by_homography(homography)
    height, width = example.image.shape[:2]
    place = spaces.camera(homography, width, height, example.board.geometry.aspect)
    if rng is not None:
        place = (place[0] + rng.normal(0, 0.05), place[1] + rng.normal(0, 0.05), place[2] * rng.uniform(0.8, 1.3))
    ground = spaces.layout(example.board)
    reference = example.reference or light.built_in(example.board.id)
    measured = light.measure(example.image, to_picture, ground, spaces.lean(ground.centres, place, ground.unit))
    gains = light.gain(*measured, reference)
    away = spaces.lean(spots.centres, place, spots.unit)
    turned = replace(spots, angles=angles)
    found = [spaces.sample(example.image, to_picture, turned, away, size, span, shift, rise) for rise in (0, 0.5)]
    evened = [light.even(f.pictures, f.points, gains) for f in found]
    pictures = np.concatenate(evened, axis=-1).astype(np.uint8)
    printed, beside = (np.zeros((len(pictures), n), np.float32) for n in (3, 6))
    if what == "spaces":
        printed = light.printed(spots, reference)
        beside = light.beside(turned, printed)
    return pictures, printed, beside, found[0].lean, np.minimum(found[0].inside, found[1].inside)


def make(found: list[examples.Example], what: str, versions: int, seed: int) -> Pool:
    """All patches of some examples; `versions` 0 gives each once, exactly where it lies."""
    rows: list[tuple[NDArray, ...]] = []
    for i, example in enumerate(found):
        for version in range(max(versions, 1)):
            rng = np.random.default_rng([seed, i, version]) if versions else None
            pictures, printed, beside, lean, inside = sample(example, what, rng)
            labels = example.labels if what == "spaces" else example.stations
            labels = np.where(inside > 0.9, labels, examples.UNKNOWN)
            rows.append((pictures, labels, printed, beside, lean, np.full(len(labels), i), np.arange(len(labels))))
    parts = [np.concatenate(column) for column in zip(*rows, strict=True)]
    return Pool(*parts[:5], parts[5].astype(np.int32), parts[6].astype(np.int32))


def cached(folder: Path, paths: list[Path], what: str, versions: int, seed: int = 0) -> list[Pool]:
    """The pool of every truth file apart, kept on disk between runs."""
    folder.mkdir(parents=True, exist_ok=True)
    pools = []
    for path in paths:
        file = folder / f"{path.parent.name}-{path.stem}-{what}-{versions}-{seed}.npz"
        if not file.is_file():
            pool = make([examples.load(path)], what, versions, seed + zlib.crc32(path.stem.encode()) % 1000)
            np.savez(file, **vars(pool))
        with np.load(file) as data:
            pools.append(Pool(**{k: data[k] for k in data.files}))
    return pools

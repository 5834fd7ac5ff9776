"""Patches of every example, sampled again and again a little off, and as other phones would have taken them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import augment, examples
from vision import light, patches, spaces
from vision.arrays import Matrix

# Grows when what is sampled changes, so that no older patches are taken from the disk.
VERSION = 7
# How many of the samples have the camera's tint taken back, as all looks of a reader but the first do.
_UNTINTED = 0.7


@dataclass(frozen=True, eq=False)
class Pool:
    """Patches (n, height, width, 9: BGR over the print, over a piece's middle, of its twin; cities: 6); their truth."""

    pictures: NDArray[np.uint8]
    labels: NDArray[np.int64]
    printed: NDArray[np.float32]
    beside: NDArray[np.float32]
    lean: NDArray[np.float32]


def off(homography: Matrix, aspect: float, amount: float, rng: np.random.Generator) -> Matrix:
    """A homography whose corners are each off by about `amount` board widths."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    wrong = square + rng.normal(0, amount, (4, 2)) * (1, aspect) * 0.7 + rng.normal(0, amount, 2) * (1, aspect) * 0.5
    return np.asarray(homography @ cv2.getPerspectiveTransform(square, wrong.astype(np.float32)), np.float64)


def sample(example: examples.Example, what: str, rng: np.random.Generator | None) -> Pool:
    """The spaces or cities of one example as the reader would see them; jittered where there is a random source."""
    homography, board = example.homography, example.board
    reference = example.reference or light.built_in(board.id)
    spots = spaces.layout(board) if what == "spaces" else spaces.cities(board)
    camera, jitter = None, None
    if rng is not None:
        height, width = example.image.shape[:2]
        homography = off(homography, board.geometry.aspect, rng.choice([0.0005, 0.0015, 0.003]), rng)
        x, y, z = spaces.camera(homography, width, height, board.geometry.aspect)
        camera = (x + rng.normal(0, 0.05), y + rng.normal(0, 0.05), z * rng.uniform(0.8, 1.3))
        n = len(spots.centres)
        turn = rng.normal(0, 0.05 if what == "spaces" else np.pi, n) + np.pi * rng.integers(0, 2, n)
        jitter = patches.Jitter(turn, rng.normal(0, 0.001, (n, 2)), rng.uniform(0.93, 1.07))
    scene = patches.scene(example.image, homography, board, reference, camera=camera)
    look = patches.on_spaces if what == "spaces" else patches.in_cities
    found = look(scene, jitter=jitter)
    labels = example.labels if what == "spaces" else example.stations
    labels = np.where(found.inside > 0.9, labels, examples.UNKNOWN)
    # A first look at spaces sees colours as the camera gave them, all later ones and cities what they were before.
    untinted = rng is None or rng.random() < _UNTINTED
    if what == "spaces":
        empty = _looks_empty(labels, spots, rng)
        if untinted:
            found = found.untinted(patches.tint(scene, found, empty))
        found = replace(found, twin=patches.twins(found.foot, spots, empty, found.printed))
    elif untinted:
        on_tracks = patches.on_spaces(scene)
        known = np.where(on_tracks.inside > 0.9, example.labels, examples.UNKNOWN)
        found = found.untinted(patches.tint(scene, on_tracks, _looks_empty(known, scene.layout, rng)))
    pictures = [p for p in (found.foot, found.middle, found.twin) if p is not None]
    beside = found.beside if found.beside is not None else np.zeros((len(labels), 6), np.float32)
    return Pool(np.concatenate(pictures, axis=-1).astype(np.uint8), labels, found.printed, beside, found.lean)


def beyond(example: examples.Example, rng: np.random.Generator, most: int = 40) -> NDArray[np.uint8]:
    """Patches of what lies around the board: tables, cloths, cups, cards. The same may lie over a space."""
    board = example.board
    aspect = board.geometry.aspect
    scene = patches.scene(example.image, example.homography, board, example.reference or light.built_in(board.id))
    centres = rng.uniform(-0.35, 1.35, (40 * most, 2)) / (1, aspect)
    inner = (np.abs(centres * (1, aspect) - 0.5) < 0.53).all(1)
    found = patches.at_places(scene, centres[~inner], rng.uniform(0, 2 * np.pi, (~inner).sum()))
    return found.foot[found.inside > 0.99][:most].astype(np.uint8)


def _looks_empty(
    labels: NDArray[np.int64], spots: spaces.Layout, rng: np.random.Generator | None
) -> NDArray[np.float32]:
    """What a first look says of the spaces: mostly the truth, but at times it takes all of a print for taken."""
    empty: NDArray[np.float32] = (labels == 0).astype(np.float32)
    if rng is None:
        return empty
    names = np.array(spots.colors)
    for name in np.unique(names):
        if rng.random() < 0.2:
            empty[names == name] = 0
    wrong = rng.random(len(labels)) < 0.04
    return np.where(wrong, 1 - empty, empty).astype(np.float32)


def make(example: examples.Example, what: str, version: int, seed: int) -> Pool:
    """All patches of an example. Version 0 is exactly what lies there, 1 a little off, others from other phones too."""
    rng = np.random.default_rng([seed, version]) if version else None
    if rng is not None and version > 1:
        image, scale = augment.phone(example.image, rng)
        example = replace(example, image=image, homography=np.asarray(scale @ example.homography))
    return sample(example, what, rng)


def cached_beyond(folder: Path, path: Path) -> NDArray[np.uint8]:
    """What lies around the board of one photo, kept on disk between runs."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{path.parent.name}-{path.stem}-beyond-{VERSION}.npy"
    if not file.is_file():
        np.save(file, beyond(examples.load(path), np.random.default_rng(zlib.crc32(path.stem.encode()))))
    return np.asarray(np.load(file), np.uint8)


def cached(folder: Path, path: Path, what: str, version: int, seed: int = 0) -> Pool:
    """The patches of one photo, kept on disk between runs."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{path.parent.name}-{path.stem}-{what}-{VERSION}-{version}-{seed}.npz"
    if not file.is_file():
        pool = make(examples.load(path), what, version, seed + zlib.crc32(path.stem.encode()) % 1000)
        np.savez(file, **vars(pool))
    with np.load(file) as data:
        return Pool(**{k: data[k] for k in data.files})

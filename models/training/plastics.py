"""How wagons look from photo to photo, for `vision.plastics`: figures only, no picture.

    python -m models.training.plastics              photos and renders of ../shared, as they are and as other phones'
    python -m models.training.plastics --leave usa  a fold

Needs the [train] extra and ../shared; a minute of one core.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models import checksums
from models.training import augment, examples, pool
from vision import light, plastics
from vision.patches import Patches
from vision.plastics import Numbers, Plastics

ROOT = Path(__file__).resolve().parents[2]
# The colours that all boxes but one have; of the others there is no photo.
NAMES = ("blue", "red", "green", "yellow", "black")
# How often each photo is looked at as another phone would have taken it.
VERSIONS = 2
# A colour that fewer spaces show tells nothing of a photo.
_LEAST = 4
_ROUNDS = 30
# What a photo's mean may be off by itself, in the units of `vision.plastics.colors_of`.
_FLOOR = 2.0


@dataclass(frozen=True, eq=False)
class Sample:
    """The colours of one photo's wagons, a row each, and which of `NAMES` each is."""

    own: Numbers
    labels: NDArray[np.int64]


def sample(example: examples.Example) -> Sample:
    """The wagons of one photo, with their true colours."""
    told = pool.sample(example, "spaces", None)
    foot, middle, twin = (np.asarray(told.pictures[..., c : c + 3], np.float32) for c in (0, 3, 6))
    wanted = [examples.CLASSES.index(name) for name in NAMES]
    rows = np.isin(told.labels, wanted)
    nothing = np.zeros(len(rows), np.float32)
    found = Patches(foot, middle, told.printed, told.lean, nothing, nothing, told.beside, twin)
    return Sample(plastics.colors_of(found, rows), np.searchsorted(wanted, told.labels[rows]).astype(np.int64))


def samples(paths: Iterable[Path], versions: int = VERSIONS) -> Iterator[Sample]:
    """Every photo as it is, and as other phones would have taken it."""
    for path in paths:
        example = examples.load(path)
        yield sample(example)
        for version in range(versions):
            rng = np.random.default_rng([version, zlib.crc32(path.stem.encode())])
            image, scale = augment.phone(example.image, rng)
            yield sample(replace(example, image=image, homography=np.asarray(scale @ example.homography)))


def fitted(found: Sequence[Sample]) -> Plastics:
    """The means of all photos as one normal distribution, by turns (EM): few photos show all colours."""
    n = len(NAMES)
    counts = np.array([np.bincount(s.labels, minlength=n) for s in found])
    seen = counts >= _LEAST
    own = [[s.own[s.labels == c] for c in range(n)] for s in found]
    within = np.stack(
        [
            np.cov(np.concatenate([o[c] - o[c].mean(0) for o, k in zip(own, seen, strict=True) if k[c]]).T)
            for c in range(n)
        ]
    )
    told = np.stack(
        [[np.median(o[c], 0) if k[c] else np.zeros(3) for c in range(n)] for o, k in zip(own, seen, strict=True)]
    )
    told, known = told.reshape(len(found), -1), seen.repeat(3, axis=1)
    mean = (told * known).sum(0) / known.sum(0)
    spread = np.diag(((told - mean) ** 2 * known).sum(0) / known.sum(0) + 1)
    for _ in range(_ROUNDS):
        expected, left = [], []
        for row, there, count in zip(told, known, counts, strict=True):
            if not there.any():
                continue
            noise = np.zeros_like(spread)
            for c in range(n):
                part = slice(3 * c, 3 * c + 3)
                noise[part, part] = within[c] / max(0.3 * count[c], 1)
            gain = spread[:, there] @ np.linalg.inv((spread + noise)[np.ix_(there, there)])
            expected.append(mean + gain @ (row - mean)[there])
            left.append(spread - gain @ spread[there])
        mean = np.mean(expected, axis=0)
        off = np.array(expected) - mean
        spread = off.T @ off / len(off) + np.mean(left, axis=0) + _FLOOR * np.eye(len(mean))
    return Plastics(NAMES, mean, spread, within)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument(
        "--more", type=Path, action="append", default=[], help="more folders of photos with their truth"
    )
    parser.add_argument("--leave", default="", help="folds to leave out, by the start of their names, with commas")
    parser.add_argument("--few", type=int, help="so many photos only, to try it out")
    parser.add_argument("--out", type=Path, default=light.FOLDER)
    args = parser.parse_args(arguments)
    left = ("other", *(name for name in args.leave.split(",") if name))
    folders = [args.shared / "photos", args.shared / "renders" / "boards", *args.more]
    paths = [p for p in examples.boards(folders) if not examples.summary(p).fold.startswith(left)]
    told = fitted(list(samples(paths[: args.few])))
    args.out.mkdir(parents=True, exist_ok=True)
    told.save(args.out / "plastics.npz")
    checksums.write()
    print(f"plastics of {len(paths[: args.few])} photos")


if __name__ == "__main__":
    main()

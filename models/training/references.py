"""Makes the colour references in models/board: how each empty board looks in even light. Figures only, no picture."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

import maps
from models import checksums
from models.training import examples
from models.training.pictures import picture
from vision import light, spaces

EMPTY = {
    "usa": tuple(f"photos/usa/IMG_{n}.json" for n in range(4181, 4187)),
    "europe": ("photos/europe/cropped_blank.json",),
}
ART = {
    "united-kingdom": "art/boards/united-kingdom-printed.jpg",
    "legendary-asia": "art/boards/legendary-asia.webp",
    "pennsylvania": "art/boards/pennsylvania.webp",
}


def _views(board: maps.Board, shared: Path) -> list[examples.Example]:
    if board.id in EMPTY:
        return [examples.load(shared / name) for name in EMPTY[board.id]]
    image = picture(shared / ART[board.id])
    height, width = image.shape[:2]
    area = board.geometry.map_area if board.geometry.kind == "estimated" else ((0, 0), (1, 0), (1, 1), (0, 1))
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    homography = np.asarray(cv2.getPerspectiveTransform(np.array(area, np.float32), corners), np.float64)
    nothing = np.zeros(0, np.int64)
    return [examples.Example(board.id, "art", board, image, homography, nothing, nothing)]


def make(board: maps.Board, shared: Path) -> light.Reference:
    """The mean over all empty views of a board."""
    spots = spaces.layout(board)
    views = _views(board, shared)
    found = [light.reference_of(view.image, spaces.by_homography(view.homography), spots) for view in views]
    return light.mean_reference(found, spots)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[3] / "shared")
    parser.add_argument("--out", type=Path, default=light.FOLDER)
    args = parser.parse_args(arguments)
    for name in (*EMPTY, *ART):
        reference = make(maps.load(name), args.shared)
        reference.save(args.out / f"{name}.npz")
        checksums.write()
        print(name, reference.field.shape, reference.field.mean((0, 1)).round(), reference.spaces.shape)


if __name__ == "__main__":
    main()

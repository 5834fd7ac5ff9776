"""How time grows: with the size of the picture, the number of trains, and the number of recordings."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np

from bench import Row, best, row
from maps import load as load_board
from vision import evaluation
from vision.decide import Knowledge
from vision.locate import Located
from vision.photo import Photo, load
from vision.read import look
from vision.studio import Pose, practice, write

_SIZES = ((1000, 750), (2000, 1500), (4000, 3000))
_TAKEN = (0.0, 0.25, 0.6)
_MANY = (2, 4, 8)


def run() -> list[Row]:
    return [*_by_size(), *_by_trains(), *_by_recordings()]


def _by_size() -> list[Row]:
    """A ratio of 1 means that four times the pixels take four times as long; more is better."""
    rows, smallest = [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        for size in _SIZES:
            image, truth = practice("europe", 1, size=size, pose=Pose(15, 0, 0.9), light="neutral")
            file = write(Path(folder), f"{size[0]}", image, truth)
            seconds = best(partial(_load_and_read, file, truth), times=3)
            smallest = smallest or seconds
            pixels = size[0] * size[1] / (_SIZES[0][0] * _SIZES[0][1])
            megapixels = size[0] * size[1] / 1e6
            rows.append(
                row(f"decode and read {megapixels:.2g} megapixels, against growth by pixels", 1000 * seconds, "ms",
                    pixels * smallest / seconds)
            )  # fmt: skip
    return rows


def _load_and_read(file: Path, truth: dict[str, Any]) -> None:
    read_drawn(load(file), truth)


def _by_trains() -> list[Row]:
    """A ratio of 1 means that a full board takes no longer than an empty one."""
    rows, empty = [], 0.0
    for taken in _TAKEN:
        image, truth = practice("europe", 1, taken=taken, pose=Pose(15, 0, 0.9), light="neutral")
        photo = Photo(image, image.shape[1], image.shape[0])
        seconds = best(partial(read_drawn, photo, truth), times=3)
        empty = empty or seconds
        trains = sum(load_board("europe").routes[r].length for r, color in truth["routes"].items() if color)
        rows.append(
            row(f"read a board with {trains} trains, against an empty one", 1000 * seconds, "ms", empty / seconds)
        )
    return rows


def _by_recordings() -> list[Row]:
    """What the bench itself adds to reading: a ratio of 1 means that twice the recordings take twice as long."""
    rows, first = [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        for n in _MANY:
            for seed in range(n):
                image, truth = practice("europe", seed, size=(400, 300))
                write(Path(folder) / f"{n}", f"{seed}", image, truth)
            seconds = best(partial(evaluation.evaluate, [Path(folder) / f"{n}"], reader=_nothing), times=3) / n
            first = first or seconds
            rows.append(row(f"judge {n} recordings, each, against {_MANY[0]}", 1000 * seconds, "ms", first / seconds))
    return rows


def _nothing(photo: Path, _ask: evaluation.Ask) -> evaluation.Sheets:
    load(photo)
    return evaluation.Sheets(())


def read_drawn(photo: Photo, truth: dict[str, object]) -> object:
    """Everything after finding the board, whose place is told: the drawn board is no print that the finder knows."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    corners = np.array(truth["corners"], np.float32)
    place = np.asarray(cv2.getPerspectiveTransform(square, corners), np.float64)
    board = load_board(str(truth["board"]))
    return look(photo, Located(board.id, place, tuple((float(x), float(y)) for x, y in corners)), board, Knowledge())

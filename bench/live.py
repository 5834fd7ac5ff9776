"""How many frames of 1280 x 720 a second the tracker takes, against decoding the same frames from JPEG in the same run.

`python -m bench.live` prints the rows. The board is drawn by us; the nets are the ones that read photos.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat

import cv2
import numpy as np

import maps
from bench import Row, row
from vision.fingerprints import SQUARE, Fingerprint, Picture, fingerprint_of
from vision.live import Tracker
from vision.studio import Pose, practice
from vision.studio.surfaces import printed

BOARD = "usa"
SIZE = (1280, 720)
_CHANGED = 3
_TURNS = 4
# Frames until a reading has to be settled.
_MOST = 200


@dataclass(frozen=True)
class Stretch:
    """Some frames in a row: seconds that the tracker took for each, and decoding it."""

    took: tuple[float, ...]
    decoding: tuple[float, ...]

    @property
    def ratio(self) -> float:
        return sum(self.decoding) / sum(self.took)


def run() -> list[Row]:
    image, truth = practice(BOARD, 3, size=SIZE, pose=Pose(20, 5, 0.85), light="neutral")
    free = [route for route, color in truth["routes"].items() if color is None][:_CHANGED]
    other = _painted(image, truth["corners"], free)
    prints = [_print()]
    stretches: dict[str, list[Stretch]] = {"following": [], "reading": [], "rereading": [], "watching": []}
    Tracker(BOARD, prints=prints).update(image)
    for _ in range(_TURNS):
        tracker = Tracker(BOARD, prints=prints)
        tracker.update(image)
        stretches["following"].append(_timed(tracker, [_moved(image, n) for n in range(1, 25)]))
        stretches["reading"].append(_timed(tracker, repeat(_moved(image, 24), _MOST), until_settled=True))
        stretches["rereading"].append(_timed(tracker, repeat(_moved(other, 24), _MOST), until_settled=True))
        stretches["watching"].append(_timed(tracker, repeat(_moved(other, 24), 20)))
    return [
        _row("following a moving board", stretches["following"]),
        _row("watching a board that was read", stretches["watching"]),
        _row(f"re-reading {_CHANGED} changed routes until they settle", stretches["rereading"]),
        _row("reading a whole board in slices until it settles", stretches["reading"]),
        *(_slowest(stretches[kind], name) for kind, name in (("rereading", "re-reading"), ("reading", "reading"))),
    ]


def _print() -> Fingerprint:
    board = maps.load(BOARD)
    art = printed(board, 1200)
    height, width = art.shape[:2]
    return fingerprint_of(art, [(0, 0), (width, 0), (width, height), (0, height)], board)


def _moved(image: Picture, step: int) -> Picture:
    turned = np.vstack([cv2.getRotationMatrix2D((640, 360), 0.3 * step, 1 + 0.003 * step), [4e-6 * step, 0, 1]])
    return np.asarray(cv2.warpPerspective(image, turned, SIZE, borderMode=cv2.BORDER_REFLECT), np.uint8)


def _painted(image: Picture, corners: object, routes: Iterable[str]) -> Picture:
    """The frame with red wagons on some routes."""
    board = maps.load(BOARD)
    geometry = board.geometry
    result: Picture = image.copy()
    place = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), np.array(corners, np.float32))
    size = (geometry.space_length, geometry.space_width)
    for space in (space for route in routes for space in board.routes[route].spaces):
        box = cv2.boxPoints(((space.x, space.y / geometry.aspect), size, space.angle))
        seen = cv2.perspectiveTransform((box * [1, geometry.aspect])[None].astype(np.float64), place)[0]
        cv2.fillConvexPoly(result, np.round(seen).astype(np.int32), (40, 35, 190), cv2.LINE_AA)
    return result


def _timed(tracker: Tracker, frames: Iterable[Picture], *, until_settled: bool = False) -> Stretch:
    took, decoding = [], []
    for frame in frames:
        data = cv2.imencode(".jpg", frame)[1]
        began = time.perf_counter()
        cv2.imdecode(data, cv2.IMREAD_COLOR)
        decoded = time.perf_counter()
        live = tracker.update(frame)
        took.append(time.perf_counter() - decoded)
        decoding.append(decoded - began)
        if until_settled and live.settled:
            break
    return Stretch(tuple(took), tuple(decoding))


def _row(name: str, stretches: list[Stretch]) -> Row:
    best = min(stretches, key=lambda s: sum(s.took) / len(s.took))
    rate = len(best.took) / sum(best.took)
    return row(f"{name}, against decoding the frames", rate, "frames/s", best.ratio)


def _slowest(stretches: list[Stretch], name: str) -> Row:
    """The one frame that takes longest, in the turn that was disturbed least."""
    best = min(stretches, key=lambda s: max(s.took))
    return row(f"  the slowest frame while {name}, against decoding", 1 / max(best.took), "frames/s",
               min(best.decoding) / max(best.took))  # fmt: skip


if __name__ == "__main__":
    for told in run():
        print(f"{told['value']:>8} {told['unit']}  {told['ratio']:>6} x  {told['name']}")

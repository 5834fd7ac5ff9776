"""How many frames of 1280 x 720 a second the tracker takes, against decoding the same frames from JPEG in the same run.

`python -m bench.live` prints the rows. The board is drawn by us; the nets are the ones that read photos. Processor time
of all cores together counts: what else the machine does makes no difference.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import repeat

import cv2
import numpy as np

import maps
from bench import Row, best, row
from vision.again import Again
from vision.fingerprints import SQUARE, Fingerprint, Picture, fingerprint_of
from vision.live import Tracker
from vision.locate import locate
from vision.photo import of_image
from vision.studio import Pose, practice
from vision.studio.surfaces import printed
from vision.watcher import Watcher

BOARD = "usa"
SIZE = (1280, 720)
_CHANGED = 3
_TURNS = 3
# Frames until a reading has to be settled.
_MOST = 200
# Frames a second that the app asks for, and how many are measured: a minute at rest, with its looks, and of a view that
# moves half the time.
_RATE = 15
_REST = 900
_MOVING = 150


@dataclass(frozen=True)
class Stretch:
    """Some frames in a row: seconds that the tracker took for each, and decoding it."""

    took: tuple[float, ...]
    decoding: tuple[float, ...]

    def slow(self, share: float) -> float:
        """The frame that takes as long as or longer than that share of all."""
        return float(np.quantile(self.took, share))


def run() -> list[Row]:
    image, truth = practice(BOARD, 3, size=SIZE, pose=Pose(20, 5, 0.85), light="neutral")
    free = [route for route, color in truth["routes"].items() if color is None][:_CHANGED]
    other = _painted(image, truth["corners"], free)
    prints = [drawn_print(BOARD)]
    stretches: dict[str, list[Stretch]] = {"following": [], "reading": [], "rereading": [], "watching": []}
    Tracker(BOARD, prints=prints).update(image)
    for _ in range(_TURNS):
        tracker = Tracker(BOARD, prints=prints)
        tracker.update(image)
        stretches["following"].append(_timed(tracker, [_moved(image, n) for n in range(1, 25)]))
        stretches["reading"].append(_timed(tracker, repeat(_moved(image, 24), _MOST), until_settled=True))
        stretches["rereading"].append(_timed(tracker, repeat(_moved(other, 24), _MOST), until_settled=True))
        stretches["watching"].append(_timed(tracker, repeat(_moved(other, 24), 20)))
    names = {
        "following": "following a moving board",
        "watching": "watching a board that was read",
        "rereading": f"re-reading {_CHANGED} changed routes until they settle",
        "reading": "reading a whole board in slices until it settles",
    }
    return [row for kind, name in names.items() for row in _rows(name, stretches[kind])] + _resting(image, prints)


def _resting(image: Picture, prints: list[Fingerprint]) -> list[Row]:
    """A table that nobody touches, watched as the app does: what that takes of one core, at its frames a second."""
    watcher, rng = Watcher(BOARD, prints=prints), np.random.default_rng(1)
    frames = [np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8) for _ in range(6)]
    for n in range(60):
        watcher.update(frames[n % len(frames)], n / _RATE)
    began = time.process_time()
    for n in range(60, 60 + _REST):
        watcher.update(frames[n % len(frames)], n / _RATE)
    share = (time.process_time() - began) / (_REST / _RATE)
    return [
        row(f"watching a table at rest, {_RATE} frames a second: share of a core", 100 * share, "%", 1 / share),
        *_moving(image, prints),
        *_looks(image, prints),
    ]


def _looks(image: Picture, prints: list[Fingerprint]) -> list[Row]:
    """A look at places that have changed, against one at the whole board."""
    located, board = locate(of_image(image), prints=prints), maps.load(BOARD)
    again, places = Again(), list(board.routes)[:_CHANGED]
    look = partial(again.look, of_image(image), located, board)
    whole = best(look)
    part = best(partial(look, places=places))
    return [
        row("a look at the whole board", 1000 * whole, "ms", 1.0),
        row(f"a look at {_CHANGED} routes that have changed, against the whole board", 1000 * part, "ms", whole / part),
    ]


def _moving(image: Picture, prints: list[Fingerprint]) -> list[Row]:
    """A camera that is carried about and stops again and again, with the looks that it takes then."""
    watcher = Watcher(BOARD, prints=prints)
    frames = [_moved(image, min(n % 30, 14)) for n in range(_MOVING)]
    began = time.process_time()
    for n, frame in enumerate(frames):
        watcher.update(frame, n / _RATE)
    rate = _MOVING / (time.process_time() - began)
    return [row("watching a view that moves, with the looks it takes: frames a second", rate, "frames/s", rate / _RATE)]


def drawn_print(board_id: str) -> Fingerprint:
    """Our own drawing of a board, which is no print that the program knows."""
    board = maps.load(board_id)
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
        began = time.process_time()
        cv2.imdecode(data, cv2.IMREAD_COLOR)
        decoded = time.process_time()
        live = tracker.update(frame)
        took.append(time.process_time() - decoded)
        decoding.append(decoded - began)
        if until_settled and live.settled:
            break
    return Stretch(tuple(took), tuple(decoding))


def _rows(name: str, stretches: list[Stretch]) -> list[Row]:
    """The usual frame and a slow one (of twenty, the slowest), in the turn that was disturbed least."""
    best = min(stretches, key=lambda s: s.slow(0.95))
    decoding = float(np.median(best.decoding))
    usual, slow = best.slow(0.5), best.slow(0.95)
    return [
        row(f"{name}, the median frame against decoding it", 1 / usual, "frames/s", decoding / usual),
        row("  the 95th of 100 frames, slowest last", 1 / slow, "frames/s", decoding / slow),
    ]


if __name__ == "__main__":
    for told in run():
        print(f"{told['value']:>8} {told['unit']}  {told['ratio']:>6} x  {told['name']}")

"""Frames of a film or of a camera, each with its time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from maps import Trouble
from vision.fingerprints import Picture

# So many frames a second are looked at: a hand is slower, and a watched film is read faster than it runs.
RATE = 10.0
# Failed grabs in a row after which a camera is taken to be unplugged.
_DEAD = 50


@dataclass(frozen=True, eq=False)
class Source:
    """An open film or camera. `frames` gives its pictures with seconds from its start; `length` 0: nobody knows."""

    name: str
    fps: float
    length: float
    live: bool
    _capture: cv2.VideoCapture

    def frames(self, rate: float = RATE) -> Iterator[tuple[float, Picture]]:
        """At most `rate` frames a second, BGR, as displayed."""
        try:
            yield from self._camera(rate) if self.live else self._film(rate)
        finally:
            self._capture.release()

    def _film(self, rate: float) -> Iterator[tuple[float, Picture]]:
        due = n = 0
        last = -1.0
        while self._capture.grab():
            told = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            # Phones film at an uneven pace and tell each frame's time; some files tell none.
            seconds = told if told > last else max(n / self.fps, last + 1e-3)
            n, last = n + 1, seconds
            if seconds + 1e-6 < due / rate:
                continue
            due = int(seconds * rate + 1e-6) + 1
            there, frame = self._capture.retrieve()
            if there:
                yield seconds, np.asarray(frame, np.uint8)

    def _camera(self, rate: float) -> Iterator[tuple[float, Picture]]:
        began, due, failed = time.monotonic(), 0.0, 0
        while failed < _DEAD:
            # Frames that nobody looks at are grabbed all the same: a camera keeps old ones in store.
            if not self._capture.grab():
                failed += 1
                time.sleep(1 / rate)
                continue
            failed, seconds = 0, time.monotonic() - began
            if seconds < due:
                continue
            due = seconds + 1 / rate
            there, frame = self._capture.retrieve()
            if there:
                yield seconds, np.asarray(frame, np.uint8)


def open_film(path: Path | str) -> Source:
    """A film file. Trouble if it is none."""
    file = Path(path)
    if not file.is_file():
        raise Trouble("is-folder" if file.is_dir() else "no-file", file=str(path))
    if not file.stat().st_size:
        raise Trouble("empty-file", file=str(path))
    capture = cv2.VideoCapture(str(file))
    fps = capture.get(cv2.CAP_PROP_FPS)
    if not capture.isOpened() or not capture.get(cv2.CAP_PROP_FRAME_WIDTH):
        raise Trouble("not-a-film", file=str(path))
    fps = fps if 0.1 < fps < 1000 else 30.0
    return Source(file.name, fps, max(capture.get(cv2.CAP_PROP_FRAME_COUNT), 0) / fps, False, capture)


def open_camera(number: int) -> Source:
    """A camera of this computer. Trouble if there is none of that number."""
    capture = cv2.VideoCapture(number)
    if not capture.isOpened():
        raise Trouble("no-such-camera", n=number)
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, 1920)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 1080)
    return Source(str(number), capture.get(cv2.CAP_PROP_FPS) or 30.0, 0.0, True, capture)

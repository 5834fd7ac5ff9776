"""The app watches a table for an hour in real time, and its memory is written down every ten seconds.

`python -m bench.hour [MINUTES] [TABLE.csv]`. The app is the real one, in a window that nobody sees; its camera plays a
drawn table at 15 frames a second: long rests, claims by hands, knocks, papers, shadows, a lamp that is switched, and
now and then nothing in view at all. When all is laid, the board is cleared and it begins again. No part of `bench`.
"""

from __future__ import annotations

import csv
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from bench.live import drawn_print
from companion.ui.camera import Camera, Frame
from maps import Trouble
from vision.event import Event, Expected
from vision.studio import film
from vision.watcher import Watcher

BOARD = "usa"
_SIZE = (1280, 960)
_RATE = 15
_CLAIMS = 15
# Seconds: a view that nothing happened in for so long in the film rests as much longer here; nothing in view.
_CALM = 3.0
_REST = 30.0
_AWAY = 8.0
_SAMPLE = 10.0


def draw(folder: Path) -> None:
    """The pictures of a film, each named by how long it stays."""
    made = film(BOARD, 71, claims=_CLAIMS, start=3, colors=("red", "blue", "green"), size=_SIZE)
    for n, (picture, count, view) in enumerate(made.shots):
        seconds = count / made.fps
        if seconds >= _CALM:
            seconds += _REST
        seen = cv2.warpAffine(picture, view, _SIZE, borderMode=cv2.BORDER_REPLICATE)
        cv2.imwrite(str(folder / f"{n:04} {seconds:.3f}.jpg"), seen, [cv2.IMWRITE_JPEG_QUALITY, 95])
    # Somebody takes the phone up: twice in a round.
    black = np.full((_SIZE[1], _SIZE[0], 3), 25, np.uint8)
    for n in (len(made.shots) // 2, len(made.shots)):
        cv2.imwrite(str(folder / f"{n:04} {_AWAY:.3f} .jpg"), black)


class TableCamera(Camera):
    """The drawn table as it is now, with a camera's noise."""

    def __init__(self, folder: Path) -> None:
        self._shots = [(float(p.stem.split()[1]), p) for p in sorted(folder.glob("*.jpg"))]
        rng = np.random.default_rng(1)
        self._noise = [rng.normal(0, 1.8, (_SIZE[1], _SIZE[0], 3)).round().astype(np.int16) for _ in range(4)]
        self._began = time.monotonic()
        self._at, self._until = -1, 0.0
        self._image: Frame = np.zeros((_SIZE[1], _SIZE[0], 3), np.uint8)
        self.frames = self.rounds = 0

    def frame(self) -> Frame | None:
        now = time.monotonic() - self._began
        while now >= self._until:
            self._at = (self._at + 1) % len(self._shots)
            self.rounds += self._at == 0
            seconds, path = self._shots[self._at]
            self._until += seconds
            if now < self._until:
                self._image = np.asarray(cv2.imread(str(path)), np.uint8)
        self.frames += 1
        return np.asarray(cv2.add(self._image, self._noise[self.frames % 4], dtype=cv2.CV_8U), np.uint8)

    def still(self, done: Callable[[Path | Trouble], None]) -> None:
        done(Trouble("no-camera"))


def memory() -> float:
    """What this process holds now, in megabytes."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def watch(minutes: float, table: Path, folder: Path) -> None:
    """Opens the app on the screen that watches, and writes a line of the table every ten seconds."""
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
    from companion.table.settings import Seat
    from companion.ui.desk import Desk
    from companion.ui.models.new_game import NewGame
    from companion.ui.models.watch import WatchModel
    from companion.ui.window import prepare

    prepare(360, 780)
    from kivy.clock import Clock

    from companion.ui.app import CompanionApp

    events: list[Event] = []

    class Counted(Watcher):
        def update(self, frame: Frame, seconds: float) -> list[Event]:
            told = super().update(frame, seconds)
            events.extend(told)
            return told

    def watches(board: str, known: Mapping[str, str] | None, expected: Expected) -> Watcher:
        return Counted(board, known, expected, [drawn_print(BOARD)], background=True)

    camera = TableCamera(folder / "shots")
    desk = Desk(folder / "home", camera)
    desk.change(
        variant="usa", keeping="watched", language="en",
        seats=tuple(Seat(n, c) for n, c in (("Ann", "red"), ("Ben", "blue"), ("Cleo", "green"))),
    )  # fmt: skip
    desk.watches = watches
    began, used = time.monotonic(), time.process_time()

    def sample() -> None:
        with table.open("w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(["seconds", "megabytes", "frames", "rounds", "events", "entries", "threads", "cpu"])
            while True:
                entries = len(desk.game.entries) if desk.game else 0
                now = time.monotonic() - began
                row = [camera.frames, camera.rounds, len(events), entries, threading.active_count()]
                lines.writerow([round(now), round(memory(), 1), *row, round(time.process_time() - used, 1)])
                file.flush()
                time.sleep(_SAMPLE)

    def begin(_dt: float) -> None:
        app.go("watch", WatchModel(desk, NewGame(desk).begin()))
        threading.Thread(target=sample, daemon=True).start()
        Clock.schedule_once(lambda _: app.stop(), 60 * minutes)

    app = CompanionApp(desk)
    Clock.schedule_once(begin, 5)
    app.run()
    kinds = {kind: sum(e.kind == kind for e in events) for kind in sorted({e.kind for e in events})}
    print(f"{camera.frames} frames, {camera.rounds} rounds, {kinds}")


def main(arguments: list[str]) -> int:
    minutes = float(arguments[0]) if arguments else 60.0
    table = Path(arguments[1] if len(arguments) > 1 else "hour.csv")
    with tempfile.TemporaryDirectory() as folder:
        shots = Path(folder) / "shots"
        shots.mkdir()
        # Drawing takes memory of its own: in a process that ends.
        drawing = get_context("spawn").Process(target=draw, args=(shots,))
        drawing.start()
        drawing.join()
        watch(minutes, table, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

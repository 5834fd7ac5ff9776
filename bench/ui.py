"""The app on this machine: start to usable against 3 seconds, the map while it is dragged against 30 frames a second.

`python -m bench ui` prints the rows. The window is drawn where nobody sees it, without a graphics card.
Counted is processor time of all threads, so that whoever else works on the machine does not count.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

# What the project promises.
START_SECONDS = 3.0
FRAMES = 30.0
LONGEST_FRAME = 0.1
_DRAGS = 90


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and ratio; a ratio over 1 means better than what the row names."""
    began = time.process_time()
    from companion.ui.camera import NoCamera
    from companion.ui.desk import Desk
    from companion.ui.stage import Stage

    with tempfile.TemporaryDirectory() as home:
        stage = Stage(Desk(Path(home), NoCamera()))
        started = time.process_time() - began
        fps, longest = _drag(stage)
        tap = _tap(stage)
        stage.close()
    return [
        _row("start to usable, processor time against 3 s", started, "s", START_SECONDS / started),
        _row("map of 101 tracks dragged, by processor time against 30 frames a second", fps, "fps", fps / FRAMES),
        _row("longest frame of it, processor time against 100 ms", longest * 1000, "ms", LONGEST_FRAME / longest),
        _row(
            "route tapped until verdict, processor time against 100 ms",
            tap * 1000,
            "ms",
            LONGEST_FRAME / tap,
        ),
    ]


def _row(name: str, value: float, unit: str, ratio: float) -> dict[str, Any]:
    return {"name": name, "value": round(value, 3), "unit": unit, "ratio": round(ratio, 2)}


def _drag(stage: Any) -> tuple[float, float]:
    """Frames a second, and the longest frame, of a full board moved under a finger."""
    from companion.ui.models.new_game import NewGame

    game = NewGame(stage.desk).begin()
    colors = [p.color for p in game.position.players]
    board = game.position.board
    stage.app.home()
    stage.app.go("table", stage.app.table_model())
    stage.settle()
    view = stage.app.page.map
    from companion.ui.layers import Pieces

    view.show(board.id, Pieces({r: colors[i % len(colors)] for i, r in enumerate(board.routes)}))
    view.look_at(0.5, 0.3, 2.5)
    stage.settle()
    frames = []
    for i in range(_DRAGS):
        began = time.process_time()
        view.move(3 if i % 20 < 10 else -3, 1)
        stage.frames(1)
        frames.append(time.process_time() - began)
    return len(frames) / sum(frames), max(frames)


def _tap(stage: Any) -> float:
    """Seconds from a tap on a route to the first frame with its verdict, the best of some taps."""
    # The board is painted anew once it rests: that work is not the tap's.
    time.sleep(0.3)
    stage.settle()
    page = stage.app.page
    taken = []
    for route in list(page.model.board.routes)[:5]:
        began = time.process_time()
        page.model.offer([route])
        page.fill()
        stage.frames(1)
        taken.append(time.process_time() - began)
    return min(taken)


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']}: {row['value']} {row['unit']} ({row['ratio']} x)")

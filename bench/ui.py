"""The app on this machine: start against 3 seconds, the map while it is dragged against 30 frames a second, and the
longest time that the screen stands still against 100 milliseconds (33 while dragging).

`python -m bench ui` prints the rows. The window is drawn where nobody sees it, without a graphics card.
Counted is processor time, so that whoever else works on the machine does not count: of all threads for the start and
the map, of the screen's own thread for how long it stands still.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any  # Any: JSON, and what a .kv file lays has no types

if TYPE_CHECKING:
    from companion.table.history import PastGame
    from companion.ui.stage import Stage

# What the project promises.
START_SECONDS = 3.0
FRAMES = 30.0
LONGEST_FRAME = 0.1
DRAGGED_FRAME = 1 / 30
_DRAGS = 90
_GAMES = 200
# What somebody hurries through, and how long a new screen takes no tap in the app.
_HURRIED = ("table", "history", "boards", "variant", "settings", "guide")
_GUARD = 0.3
# Long enough for a screen that went to be taken apart.
_LOOK_SECONDS = 2.5


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and ratio; a ratio over 1 means better than what the row names."""
    began = time.process_time()
    from companion.ui.camera import NoCamera
    from companion.ui.desk import Desk
    from companion.ui.stage import Stage

    with tempfile.TemporaryDirectory() as home:
        stage = Stage(Desk(Path(home), NoCamera()))
        started = time.process_time() - began
        fps, longest, own = _drag(stage)
        tap = _tap(stage)
        stage.close()
    rows = [
        _row("start to usable, processor time against 3 s", started, "s", START_SECONDS / started),
        _row("map of 101 tracks dragged, by processor time against 30 frames a second", fps, "fps", fps / FRAMES),
        _row("longest frame of it, processor time against 33 ms", longest * 1000, "ms", DRAGGED_FRAME / longest),
        _row("the same, the screen's thread against 33 ms", own * 1000, "ms", DRAGGED_FRAME / own),
        _still("route tapped until verdict, processor time", tap),
    ]
    with tempfile.TemporaryDirectory() as home:
        rows += _stands_still(Path(home))
    return rows


def _row(name: str, value: float, unit: str, ratio: float) -> dict[str, Any]:
    return {"name": name, "value": round(value, 3), "unit": unit, "ratio": round(ratio, 2)}


def _still(name: str, seconds: float) -> dict[str, Any]:
    return _row(f"{name} against 100 ms", seconds * 1000, "ms", LONGEST_FRAME / seconds)


def _page(stage: Stage) -> Any:
    """The page on the screen, with what its .kv file put there."""
    return stage.app.page


def _drag(stage: Stage) -> tuple[float, float, float]:
    """Frames a second, and the longest frame, of a full board moved under a finger; the screen's own thread last.

    Without a graphics card other threads of this process paint.
    """
    from companion.ui.models.new_game import NewGame

    game = NewGame(stage.desk).begin()
    colors = [p.color for p in game.position.players]
    board = game.position.board
    stage.app.home()
    stage.app.go("table", stage.app.table_model())
    stage.settle()
    view = _page(stage).map
    from companion.ui.layers import Pieces

    view.show(board.id, Pieces({r: colors[i % len(colors)] for i, r in enumerate(board.routes)}))
    view.look_at(0.5, 0.3, 2.5)
    stage.settle()
    frames, own = [], []
    for i in range(_DRAGS):
        began, its = time.process_time(), time.thread_time()
        view.move(3 if i % 20 < 10 else -3, 1)
        stage.frames(1)
        frames.append(time.process_time() - began)
        own.append(time.thread_time() - its)
    return len(frames) / sum(frames), max(frames), max(own)


def _tap(stage: Stage) -> float:
    """Seconds from a tap on a route to the first frame with its verdict, the best of some taps."""
    # The board is painted anew once it rests: that work is not the tap's.
    time.sleep(0.3)
    stage.settle()
    page = _page(stage)
    taken = []
    for route in list(page.model.board.routes)[:5]:
        began = time.process_time()
        page.model.offer([route])
        page.fill()
        stage.frames(1)
        taken.append(time.process_time() - began)
    return min(taken)


def _stands_still(home: Path) -> Iterator[dict[str, Any]]:
    """How long the screen's thread is busy at a stretch, in a game that was played for a while."""
    from companion.ui import demo
    from companion.ui.showcase import screens
    from companion.ui.stage import Stage

    desk = demo.desk(home, "en")
    kept = desk.history.games()[0]
    for day in range(_GAMES):
        desk.history.keep(_again(kept, day))
    stage = Stage(desk)
    # The app is up, and has settled down.
    _frames(stage, lambda: stage.desk.work.busy, least=200)
    shows = dict(screens(home / "photos"))
    looks = _Looks()
    times = {name: _longest(stage, show) for name, show in shows.items()}
    slowest = max(times, key=lambda name: times[name])
    yield _still(f"opening each of {len(times)} screens, at worst ({slowest}), the screen's thread", times[slowest])
    yield _still("looking at a screen after another went, the screen's thread", _looking(stage, shows["table"]))
    yield _still("hurrying from screen to screen, the screen's thread", _hurrying(stage))
    yield _still(f"opening {_GAMES} past games, the screen's thread", _history(stage))
    yield _still("wagons rolling onto the map, the screen's thread", _rolling(stage, shows["table"]))
    yield _still("a sheet revealed with everything moving, the screen's thread", _revealing(stage))
    yield _still("while a photo is read, the screen's thread", _reading(stage, home / "photos" / "evening.jpg"))
    yield _still("while a game is scored, the screen's thread", _scoring(stage))
    yield _still(f"memory looked through, the longest of all that ({looks.whole} through everything)", looks.longest)
    looks.end()
    stage.close()


class _Looks:
    """Python's looks through memory for what is not used: they stop the screen."""

    def __init__(self) -> None:
        self.longest, self.whole, self._began = 0.0, 0, 0.0
        gc.callbacks.append(self._looked)

    def _looked(self, phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.thread_time()
        else:
            self.longest = max(self.longest, time.thread_time() - self._began)
            self.whole += about["generation"] == 2

    def end(self) -> None:
        gc.callbacks.remove(self._looked)


def _again(game: PastGame, day: int) -> PastGame:
    from dataclasses import replace

    from companion.ui.demo import WHEN

    when = WHEN - timedelta(days=100 + day)
    return replace(game, id=when.strftime("%Y%m%d-%H%M%S-000"), date=when.strftime("%Y-%m-%d %H:%M"))


def _longest(stage: Stage, show: Callable[[Stage], object]) -> float:
    """The longest step from a tap to the screen that it opens: laying it out, or one of the first frames."""
    stage.app.answer()
    stage.app.home()
    stage.settle()
    steps: list[float] = []
    made = stage.app.show

    def timed() -> None:
        began = time.thread_time()
        made()
        steps.append(time.thread_time() - began)

    stage.app.show = timed  # type: ignore[method-assign]
    show(stage)
    stage.app.show = made  # type: ignore[method-assign]
    end = time.monotonic() + _LOOK_SECONDS
    still: Callable[[], bool] = lambda: _page(stage).laying_out or stage.desk.work.busy  # noqa: E731
    return max(*steps, *_frames(stage, lambda: still() and time.monotonic() < end, least=6))


def _looking(stage: Stage, show: Callable[[Stage], object]) -> float:
    """The longest frame while a player looks at a screen after having come from another."""
    stage.app.home()
    stage.settle()
    _look(stage)
    show(stage)
    stage.settle()
    return max(_look(stage))


def _hurrying(stage: Any) -> float:
    """The longest frame of somebody who never rests, so that old screens are taken apart between two taps."""
    stage.app.guard = _GUARD
    taken: list[float] = []
    for name in (*_HURRIED, *_HURRIED):
        for step in (stage.app.home, partial(stage.app.go, name, _model(stage, name))):
            began = time.thread_time()
            step()
            taken.append(time.thread_time() - began)
            until = time.monotonic() + _GUARD + 0.1
            taken += _frames(stage, partial(_before, until))
            stage.app._touched()
    stage.app.guard = 0.0
    return max(taken)


def _before(end: float) -> bool:
    return time.monotonic() < end


def _model(stage: Any, name: str) -> Any:
    """What a screen shows that is opened from Home."""
    from companion.ui.models.new_game import NewGame

    return {"table": stage.app.table_model, "variant": lambda: NewGame(stage.desk)}.get(name, lambda: None)()


def _look(stage: Stage) -> list[float]:
    """The frames while a player looks at a screen and the last one is taken apart."""
    until = time.monotonic() + _LOOK_SECONDS
    return _frames(stage, lambda: time.monotonic() < until, least=12)


def _frames(stage: Stage, goes_on: Callable[[], bool], least: int = 3) -> list[float]:
    """The screen's thread per frame, as long as something goes on."""
    taken: list[float] = []
    while len(taken) < least or goes_on():
        began = time.thread_time()
        stage.frames(1)
        stage.desk.work.deliver()
        taken.append(time.thread_time() - began)
        time.sleep(0.01)
    return taken


def _history(stage: Stage) -> float:
    """Until every picture and the list are there: games are read and counted beside the screen."""
    stage.app.home()
    stage.settle()
    stage.app.go("history")
    page, end = _page(stage), time.monotonic() + 60
    there: Callable[[], bool] = lambda: bool(page.ids.panel.children) and not page.laying_out  # noqa: E731
    return max(_frames(stage, lambda: not there() and time.monotonic() < end))


def _rolling(stage: Stage, show: Callable[[Stage], object]) -> float:
    from companion.ui.layers import Pieces

    stage.app.home()
    show(stage)
    stage.settle()
    view, feel = _page(stage).map, stage.app.feel
    pieces = view.pieces
    fresh = [r for r in _page(stage).model.board.routes if r not in pieces.owners][:2]
    feel.still = False
    began = time.thread_time()
    view.show(view.board, Pieces({**pieces.owners, **dict.fromkeys(fresh, "red")}), feel)
    first = time.thread_time() - began
    longest = max(first, *_frames(stage, lambda: bool(view.moving.children)))
    feel.still = True
    return longest


def _revealing(stage: Stage) -> float:
    """Every line of a sheet, and the winner."""
    from companion.rules import score
    from companion.ui import demo
    from companion.ui.models.sheet import SheetModel

    position = demo.position()
    stage.app.home()
    stage.app.go("sheet", SheetModel(stage.desk, position, score(position)))
    stage.settle()
    stage.desk.change(sound=False, vibration=False)
    stage.app.feel.still = False
    taken: list[float] = []
    while not _page(stage).model.complete:
        began = time.thread_time()
        _page(stage)._reveal()
        taken.append(time.thread_time() - began)
        taken += _frames(stage, lambda: stage.app.feel.moving)
    stage.app.feel.still = True
    return max(taken)


def _reading(stage: Stage, picture: Path) -> float:
    from companion.ui.models.snap import SnapModel

    model = SnapModel(stage.desk, "board", board="europe")
    stage.app.home()
    stage.app.go("snap", model)
    stage.settle()
    model.load(picture)
    return max(_frames(stage, lambda: model.state == "working"))


def _scoring(stage: Stage) -> float:
    from companion.ui import demo
    from companion.ui.models.finish import FinishModel

    ready: list[object] = []
    model = FinishModel(stage.desk)
    model.position = demo.position  # type: ignore[method-assign]
    model.count(ready.append, ready.append)
    return max(_frames(stage, lambda: not ready))


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']}: {row['value']} {row['unit']} ({row['ratio']} x)")

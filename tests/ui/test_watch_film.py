"""A film through the camera of the app: from "Watch the table" to the score sheet, with the program's own eyes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from companion.table.settings import Seat
from companion.ui.camera import Camera, Frame
from maps import Trouble, load
from tests.ui.conftest import Start
from vision.event import Event, Expected
from vision.film import open_film
from vision.fingerprints import Fingerprint, fingerprint_of
from vision.studio import film, write_film
from vision.studio.surfaces import printed
from vision.watcher import Watcher

# Of the given film this much is played: seven claims, a hand that passes and a knock.
_SECONDS = 40.0


class FilmCamera(Camera):
    """A film instead of a phone, each frame once, however long a look takes; `seconds` is the film's own time."""

    def __init__(self, path: Path, until: float) -> None:
        self._frames: Iterator[tuple[float, Frame]] = open_film(path).frames()
        self._until = until
        self.seconds, self.over = 0.0, False

    def frame(self) -> Frame | None:
        found = None if self.over else next(self._frames, None)
        if found is None or found[0] > self._until:
            self.over = True
            return None
        self.seconds = found[0]
        return found[1]

    def still(self, done: Callable[[Path | Trouble], None]) -> None:
        done(Trouble("no-camera"))


class OnTime(Watcher):
    """The program's own, with the film's clock instead of the wall's."""

    camera: FilmCamera

    def update(self, frame: Frame, _seconds: float) -> list[Event]:
        return super().update(frame, self.camera.seconds)


@cache
def drawn_print(board_id: str) -> Fingerprint:
    board = load(board_id)
    art = printed(board, 1200)
    height, width = art.shape[:2]
    return fingerprint_of(art, [(0, 0), (width, 0), (width, height), (0, height)], board)


def drawn(folder: Path) -> tuple[Path, list[Fingerprint]]:
    """A film of our own; its print is not among those that the program knows."""
    made = film("usa", 3, claims=3, start=2, colors=("red", "blue"), tricks=("knock",))
    return write_film(folder, "drawn", made), [drawn_print("usa")]


@pytest.mark.parametrize("name", ["drawn", "usa-film-0011"])
def test_a_film_becomes_a_score_sheet(start: Start, shared: Path, tmp_path: Path, name: str) -> None:
    path, prints = shared / "films" / f"{name}.mp4", None
    if name == "drawn":
        path, prints = drawn(tmp_path)
    elif not path.is_file():
        pytest.skip("needs the films of the shared material")
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    wanted = dict(truth["start"]) | {e["route"]: e["color"] for e in truth["events"] if e["seconds"] < _SECONDS - 4}
    # The same people as last time.
    seats = tuple(Seat(n, color) for n, color in zip(("Ann", "Ben"), truth["players"], strict=True))
    pilot = start(variant="usa", seats=seats, watch_sound=False)
    pilot.desk.camera = camera = FilmCamera(path, _SECONDS)

    def watches(board: str, known: Mapping[str, str] | None, expected: Expected) -> Watcher:
        watcher = OnTime(board, known, expected, prints=prints)
        watcher.camera = camera
        return watcher

    pilot.desk.watches = watches
    taps = 0

    def tap(*texts: str) -> None:
        nonlocal taps
        for text in texts:
            taps += 1
            pilot.tap(text)

    tap(pilot.say("home.watch"), pilot.say("new.next"), pilot.say("new.begin"))
    pilot.until(lambda: camera.over, 600)
    position = pilot.game.position
    assert {r: p.color for p in position.players for r in p.routes} == wanted
    tap(pilot.say("watch.over"), pilot.say("table.count"))
    while not pilot.offers(pilot.say("sheet.all")):
        taps += 1
        pilot.next_player()
    tap(pilot.say("sheet.all"))
    assert pilot.sees(pilot.say("sheet.timeline"))
    tap(pilot.say("sheet.home"))
    assert taps < 15
    board, kept = load("usa"), pilot.desk.history.games()[0]
    for player in kept.players:
        mine = sum(board.routes[r].points for r, color in wanted.items() if color == player.color)
        assert player.breakdown["routes"] == mine

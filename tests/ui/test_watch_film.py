"""A film through the camera of the app: from "Watch the table" to the score sheet, with the program's own eyes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from companion.table.settings import Seat
from companion.table.watched import Watched
from companion.ui.camera import Camera, Frame
from companion.ui.models.new_game import NewGame
from companion.ui.models.watch import RebuildModel
from companion.ui.services import Maker
from companion.words import spot
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

    def play_on(self, until: float) -> None:
        self._until, self.over = until, False

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


def watching(camera: FilmCamera, prints: list[Fingerprint] | None) -> Maker:
    """Makes the program's own eyes, on the film's clock."""

    def watches(board: str, known: Mapping[str, str] | None, expected: Expected) -> Watcher:
        watcher = OnTime(board, known, expected, prints=prints)
        watcher.camera = camera
        return watcher

    return watches


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

    pilot.desk.watches = watching(camera, prints)
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


def test_a_packed_game_is_laid_out_again_before_the_camera(start: Start, tmp_path: Path) -> None:
    """One route is laid as it was, one in another colour, one never; one does not belong there, and is taken away."""
    made = film("usa", 5, claims=3, start=0, colors=("red", "blue"), tricks=(), taken_back=True)
    path = write_film(tmp_path, "again", made)
    right, wrong, extra, _ = made.truth["events"]
    other = {"red": "blue", "blue": "red"}
    missing = next(r for r in load("usa").routes if r not in [e["route"] for e in made.truth["events"]])
    packed = {right["route"]: right["color"], wrong["route"]: other[wrong["color"]], missing: "red"}
    seats = tuple(Seat(n, color) for n, color in (("Ann", "red"), ("Ben", "blue")))
    pilot = start(variant="usa", seats=seats, watch_sound=False, keeping="watched")
    Watched(NewGame(pilot.desk).begin()).begin(packed)
    pilot.desk.camera = camera = FilmCamera(path, extra["seconds"] + 3)
    pilot.desk.watches = watching(camera, [drawn_print("usa")])
    pilot.tap(pilot.say("home.watch"), pilot.say("rebuild.title"))
    model: RebuildModel = pilot.page.model

    def states() -> dict[str, str]:
        return {lay.place: lay.state for color in other for lay in model.of(color)}

    pilot.until(lambda: camera.over, 600)
    assert states() == {right["route"]: "done", wrong["route"]: "wrong", missing: "missing"}
    assert model.too_much == [extra["route"]]
    name = spot(load("usa"), wrong["route"], "en")
    assert pilot.sees(pilot.say("rebuild.lies", place=name, color=pilot.desk.word(wrong["color"]).lower()))
    assert model.next in other
    camera.play_on(made.seconds)
    pilot.until(lambda: camera.over, 600)
    assert model.too_much == []
    assert not model.done
    pilot.tap(pilot.say("rebuild.on"))
    assert pilot.app.stack[-1][0] == "watch"
    assert set(pilot.game.position.owners) == set(packed)

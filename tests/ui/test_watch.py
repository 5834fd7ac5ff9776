"""A game that is watched, from "Watch the table" to the score sheet: the camera plays a drawn film."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.ui.camera import Camera, Frame
from companion.ui.voice import Voice
from companion.words import spot
from maps import Trouble, load
from tests.ui.conftest import Pilot, Start
from vision.event import Event, Expected


class FilmCamera(Camera):
    """Frames by number: the stand-in below knows what happens at each."""

    def __init__(self, frames: int) -> None:
        import numpy as np

        self.left = frames
        self._frame = np.full((90, 120, 3), 120, np.uint8)

    def frame(self) -> Frame | None:
        if not self.left:
            return None
        self.left -= 1
        return self._frame

    def still(self, done: Callable[[Path | Trouble], None]) -> None:
        done(Trouble("no-camera"))


@dataclass
class Script:
    """Watches nothing and tells what is written: events by the number of the frame."""

    script: Mapping[int, Event]
    start_lies: dict[str, str]
    n: int = -1
    known: dict[str, str] = field(default_factory=dict)
    corrected: list[tuple[str, str | None]] = field(default_factory=list)
    expected: Expected | None = None
    state: str = "steady"
    corners: tuple[tuple[float, float], ...] = ((10, 10), (110, 10), (110, 80), (10, 80))

    @property
    def start(self) -> dict[str, str] | None:
        return None if self.n < 2 else self.start_lies

    def update(self, _frame: Frame, _seconds: float) -> list[Event]:
        self.n += 1
        event = self.script.get(self.n)
        return [] if event is None else [event]

    def expect(self, expected: Expected) -> None:
        self.expected = expected

    def correct(self, place: str, color: str | None) -> None:
        self.corrected.append((place, color))

    def close(self) -> None:
        self.n = -1


class Heard(Voice):
    """Writes down what is said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str, _language: str) -> None:
        self.said.append(text)


def claim(route: str, color: str) -> Event:
    return Event(1.0, "claim", route, color, 0.99)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.ui.pages.watch._FRAMES", 1000)


def watch(
    pilot: Pilot, script: Mapping[int, Event], frames: int, start: dict[str, str] | None = None
) -> tuple[Script, Heard]:
    told, voice = Script(script, start or {}), Heard()
    pilot.desk.watches = lambda *_: told
    pilot.desk.voice = voice
    pilot.desk.camera = FilmCamera(frames)
    return told, voice


def played(pilot: Pilot) -> None:
    camera = pilot.desk.camera
    assert isinstance(camera, FilmCamera)
    pilot.until(lambda: camera.left == 0)


LAID = {5: claim("denver-omaha-pink", "red"), 9: claim("denver-salt-lake-city-red", "blue")}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_from_the_stand_to_the_sheet_in_few_taps(start: Start, language: str) -> None:
    pilot = start(language, variant="usa")
    told, voice = watch(pilot, LAID, 14, {"atlanta-charleston-gray": "red"})
    taps = 0

    def tap(*texts: str) -> None:
        nonlocal taps
        for text in texts:
            taps += 1
            pilot.tap(text)

    tap(pilot.say("home.watch"), pilot.say("new.next"))
    colors = [s.color for s in pilot.page.model.seats]
    told.start_lies = {"atlanta-charleston-gray": colors[0]}
    told.script = {5: claim("denver-omaha-pink", colors[0]), 9: claim("denver-salt-lake-city-red", colors[1])}
    tap(pilot.say("new.begin"))
    assert pilot.app.stack[-1][0] == "watch"
    played(pilot)
    game = pilot.game
    assert game.position.keeping == "watched"
    assert [len(p.routes) for p in game.position.players[:2]] == [2, 1]
    assert len(voice.said) == 2
    points = load("usa").routes["denver-salt-lake-city-red"].points
    assert str(points) in voice.said[-1]
    assert pilot.sees("Denver")
    assert told.expected is not None
    tap(pilot.say("watch.over"), pilot.say("table.count"))
    # Nobody has tickets here: those are told as after any game.
    while not pilot.offers(pilot.say("sheet.all")):
        pilot.next_player()
    tap(pilot.say("sheet.all"))
    assert pilot.sees(pilot.say("sheet.timeline"))
    tap(pilot.say("sheet.home"))
    assert taps < 15
    kept = pilot.desk.history.games()[0]
    routes = load("usa").routes
    mine = routes["atlanta-charleston-gray"].points + routes["denver-omaha-pink"].points
    assert next(p for p in kept.players if p.color == colors[0]).breakdown["routes"] == mine


def begun(pilot: Pilot, script: Mapping[int, tuple[str, int]], frames: int = 14) -> tuple[Script, Heard, list[str]]:
    """A watched game of two on the USA board; claims by the frame: route, and whose turn in the order of seats."""
    told, voice = watch(pilot, {}, frames)
    pilot.tap(pilot.say("home.watch"), pilot.say("new.next"))
    colors = [s.color for s in pilot.page.model.seats]
    told.script = {n: claim(route, colors[who]) for n, (route, who) in script.items()}
    pilot.tap(pilot.say("new.begin"))
    played(pilot)
    return told, voice, colors


def test_an_illegal_claim_is_named_and_stays(start: Start) -> None:
    pilot = start(variant="usa")
    _, voice, _ = begun(pilot, {4: ("denver-salt-lake-city-red", 0), 8: ("denver-salt-lake-city-yellow", 0)})
    game = pilot.game
    entry = game.entries[-1]
    assert not entry.verdict.legal
    assert entry.accepted
    assert "denver-salt-lake-city-yellow" in game.position.owners
    assert "not allowed" in voice.said[-1]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rule_that_a_watched_claim_breaks_opens(start: Start, language: str) -> None:
    pilot = start(language, variant="usa")
    both = {4: ("denver-salt-lake-city-red", 0), 8: ("denver-salt-lake-city-yellow", 0)}
    begun(pilot, both)
    (quoted,) = pilot.page.model.rules(pilot.page.model.latest)
    assert quoted.rule == "groups"
    opens = pilot.say("rules.this", title=quoted.title)
    pilot.tap(opens)
    assert (pilot.app.stack[-1][0], pilot.page.model.rule) == ("rules", "groups")
    pilot.tap("back")
    assert pilot.app.stack[-1][0] == "watch"
    # Of an event that is not the newest any more, and from the log, too.
    pilot.game.undo()
    assert not pilot.page.model.rules(pilot.page.model.latest)
    pilot.game.redo()
    pilot.tap(pilot.say("table.log"), opens)
    assert pilot.page.model.rule == "groups"


def test_one_tap_says_that_it_is_wrong(start: Start) -> None:
    pilot = start(variant="usa")
    told, _, colors = begun(pilot, {4: ("denver-omaha-pink", 0)})
    pilot.tap(pilot.say("watch.wrong"), pilot.desk.word(colors[1]))
    position = pilot.game.position
    assert [p.color for p in position.players if p.routes] == [colors[1]]
    first = told.corrected[-1]
    pilot.tap(pilot.say("watch.wrong"), pilot.say("watch.nothing"))
    assert not pilot.game.position.owners
    assert (first, told.corrected[-1]) == (("denver-omaha-pink", colors[1]), ("denver-omaha-pink", None))


def test_a_killed_app_watches_on(start: Start) -> None:
    pilot = start(variant="usa")
    _, _, colors = begun(pilot, {4: ("denver-omaha-pink", 0)})
    pilot = start(variant="usa")
    assert pilot.app.stack[-1][0] == "watch"
    assert pilot.game.position.owners
    made: list[tuple[object, ...]] = []

    def watches(*asked: object) -> Script:
        made.append(asked)
        return Script({}, {})

    pilot.desk.watches, pilot.desk.camera = watches, FilmCamera(4)
    played(pilot)
    assert made[0][1] == {"denver-omaha-pink": colors[0]}


def test_a_packed_game_is_laid_out_again(start: Start) -> None:
    pilot = start(variant="usa")
    _, _, colors = begun(pilot, {4: ("denver-omaha-pink", 0), 8: ("calgary-helena-gray", 1)})
    pilot.tap(pilot.say("watch.pack"), pilot.say("ok"))
    told, _ = watch(pilot, {}, 8)
    told.known = {"denver-omaha-pink": colors[0], "calgary-seattle-gray": colors[1], "calgary-helena-gray": colors[0]}
    pilot.tap(pilot.say("home.watch"), pilot.say("rebuild.title"))
    played(pilot)
    assert pilot.sees("✔")
    helena = spot(load("usa"), "calgary-helena-gray", "en")
    assert pilot.sees(pilot.say("rebuild.lies", place=helena, color=pilot.desk.word(colors[0]).lower()))
    assert pilot.sees("Calgary – Seattle")
    assert not pilot.page.model.done


def test_an_older_event_is_put_right_too(start: Start) -> None:
    pilot = start(variant="usa")
    _, _, colors = begun(pilot, {4: ("denver-omaha-pink", 0), 8: ("calgary-helena-gray", 1)})
    pilot.tap(pilot.page.model.sentence(pilot.page.model.older[0]), pilot.desk.word(colors[1]))
    players = {p.color: p for p in pilot.game.position.players}
    assert set(players[colors[1]].routes) == {"denver-omaha-pink", "calgary-helena-gray"}


def test_the_other_track_of_a_pair_is_a_choice(start: Start) -> None:
    pilot = start(variant="usa")
    told, _, colors = begun(pilot, {4: ("denver-salt-lake-city-red", 0)})
    pilot.tap(pilot.say("watch.wrong"))
    (other,) = pilot.page.model.tracks()
    assert other == "denver-salt-lake-city-yellow"
    pilot.tap(pilot.say("watch.track", track=spot(load("usa"), other, "en")))
    assert set(pilot.game.position.owners) == {other}
    assert set(told.corrected) == {("denver-salt-lake-city-red", None), (other, colors[0])}


def test_what_was_never_gone_lies_there_again(start: Start) -> None:
    pilot = start(variant="usa")
    told, voice = watch(pilot, {}, 16)
    pilot.tap(pilot.say("home.watch"), pilot.say("new.next"))
    color = pilot.page.model.seats[0].color
    told.script = {4: claim("denver-omaha-pink", color), 8: Event(2.0, "gone", "denver-omaha-pink", color)}
    pilot.tap(pilot.say("new.begin"))
    played(pilot)
    assert len(voice.said) == 2
    assert not pilot.game.position.owners
    pilot.tap(pilot.say("watch.wrong"), pilot.say("watch.still-there"))
    assert set(pilot.game.position.owners) == {"denver-omaha-pink"}
    assert told.corrected[-1] == ("denver-omaha-pink", color)


def test_the_way_of_keeping_changes_at_any_time(start: Start) -> None:
    pilot = start(variant="usa")
    begun(pilot, {4: ("denver-omaha-pink", 0)})
    game = pilot.game
    name = game.position.players[1].name
    pilot.tap(pilot.say("keeping.change"), pilot.say("keeping.turns"), name)
    assert (game.position.keeping, game.position.turn, pilot.app.stack[-1][0]) == ("refereed", name, "table")
    pilot.tap("menu", pilot.say("keeping.change"), pilot.say("keeping.claims"))
    assert (game.position.keeping, game.position.turn) == ("claims", "")
    watch(pilot, {}, 4)
    pilot.tap("menu", pilot.say("keeping.change"), pilot.say("keeping.watched"))
    assert (game.position.keeping, pilot.app.stack[-1][0]) == ("watched", "watch")
    assert set(game.position.owners) == {"denver-omaha-pink"}


@pytest.mark.parametrize("large", [True, False])
def test_large_letters_can_be_switched_off(start: Start, large: bool) -> None:
    pilot = start(variant="usa")
    begun(pilot, {4: ("denver-omaha-pink", 0)})
    if not large:
        pilot.tap(pilot.say("watch.picture"))
    from companion.ui.widgets.base import Huge

    assert any(isinstance(w, Huge) for w in pilot.page.walk()) is large
    assert pilot.sees("Denver")

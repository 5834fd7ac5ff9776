"""A game that is watched, from "Watch the table" to the score sheet: the camera plays a drawn film."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.ui.camera import Camera, Frame
from companion.ui.models.watch import Glimpse
from companion.ui.voice import Mute, Voice
from companion.words import spot
from maps import Trouble, load
from tests.ui.conftest import Pilot, Start
from tests.vision.test_cards import quad, table
from vision.cards import CardSeen
from vision.event import Event, Expected
from vision.photo import Photo
from vision.photo import load as load_photo
from vision.shown import Shown


class FilmCamera(Camera):
    """Frames by number: the stand-in below knows what happens at each."""

    def __init__(self, frames: int) -> None:
        import numpy as np

        self.left = frames
        self.stopped = 0
        self._frame = np.full((90, 120, 3), 120, np.uint8)

    def frame(self) -> Frame | None:
        if not self.left:
            return None
        self.left -= 1
        return self._frame

    def still(self, done: Callable[[Path | Trouble], None]) -> None:
        done(Trouble("no-camera"))

    def stop(self) -> None:
        self.stopped += 1


@dataclass
class Script:
    """Watches nothing and tells what is written: events by the number of the frame."""

    script: Mapping[int, Event]
    start_lies: dict[str, str]
    n: int = -1
    known: dict[str, str] = field(default_factory=dict)
    unsure: dict[str, str] = field(default_factory=dict)
    corrected: list[tuple[str, str | None]] = field(default_factory=list)
    expected: Expected | None = None
    state: str = "steady"
    corners: tuple[tuple[float, float], ...] = ((10, 10), (910, 10), (910, 600), (10, 600))

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
        self.hushed = 0

    def say(self, text: str, _language: str) -> None:
        self.said.append(text)

    def hush(self) -> None:
        self.hushed += 1


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
    assert pilot.sees("✓")
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


def test_voice_that_is_switched_off_is_silent_at_once(start: Start) -> None:
    pilot = start(variant="usa")
    _, voice, _ = begun(pilot, {4: ("denver-omaha-pink", 0)})
    before = voice.hushed
    pilot.tap(pilot.say("watch.voice"))
    assert voice.hushed == before + 1
    pilot.page.model.speak("Nobody hears this.")
    assert len(voice.said) == 1


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_system_without_a_voice_says_so_in_one_line(start: Start, language: str) -> None:
    pilot = start(language, variant="usa")
    _, _, _ = begun(pilot, {4: ("denver-omaha-pink", 0)})
    pilot.desk.voice = Mute()
    pilot.app.refresh()
    pilot.settle()
    assert pilot.sees(pilot.tell("app.watch.no-voice"))
    assert not pilot.offers(pilot.say("watch.voice"))


class Still(Camera):
    """One picture after the other, each for as long as it is looked at."""

    def __init__(self) -> None:
        self.picture: Frame = table([])
        self.seen = 0

    def frame(self) -> Frame:
        self.seen += 1
        return self.picture

    def still(self, done: Callable[[Path | Trouble], None]) -> None:
        done(Trouble("no-camera"))


def tunnelling(pilot: Pilot) -> Heard:
    """A watched game of Europe: the first player has just laid a tunnel."""
    told, voice = watch(pilot, {}, 0)
    pilot.desk.camera = Still()
    pilot.tap(pilot.say("home.watch"), pilot.say("new.next"))
    told.script = {6: claim("paris-zurich-gray", pilot.page.model.seats[0].color)}
    pilot.tap(pilot.say("new.begin"))
    pilot.until(lambda: bool(voice.said))
    return voice


# Where three cards are held up.
HELD = (quad(250, 300, 4), quad(600, 320, -8), quad(930, 560, 91))
TURNED = ("blue", "green", "blue")


def sees_held(photo: Photo, _colors: tuple[str, ...]) -> list[CardSeen]:
    """Knows the drawn picture, and whether cards are held up in it."""
    held = photo.image[300, 250].max() > 200 or photo.image[320, 600].max() > 150
    return [CardSeen(c, 0.99, tuple(map(tuple, q.tolist()))) for c, q in zip(TURNED, HELD, strict=True) if held]


def shown(pilot: Pilot, name: str, shared: Path) -> tuple[Frame, list[str]]:
    """A picture of three cards, and which: drawn ones, which the reader does not know, or a given one."""
    if name == "drawn":
        pilot.desk.shows = lambda before, count, colors: Shown(before, count, colors, sees_held)
        return table(list(zip(TURNED, HELD, strict=True))), list(TURNED)
    path = shared / "renders" / "cards" / f"{name}.jpg"
    if not path.is_file():
        pytest.skip("needs the card pictures of the shared material")
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return load_photo(path).image, [c["color"] for c in truth["cards"]]


@pytest.mark.parametrize(("language", "name"), [("en", "drawn"), ("fr", "drawn"), ("en", "tunnel-classic-0036")])
def test_cards_shown_while_a_tunnel_is_open_are_read_without_a_tap(
    start: Start, shared: Path, language: str, name: str
) -> None:
    pilot = start(language, variant="europe")
    picture, cards = shown(pilot, name, shared)
    voice = tunnelling(pilot)
    page = pilot.page
    assert pilot.sees(pilot.say("watch.tunnel", n=3))
    camera = pilot.desk.camera
    assert isinstance(camera, Still)
    seen = camera.seen
    pilot.until(lambda: camera.seen > seen + 3)
    assert not page.model.turned
    camera.picture = picture
    pilot.until(lambda: len(voice.said) == 2)
    assert sorted(page.model.turned) == sorted(cards)
    first = pilot.desk.word(cards[0]).lower()
    assert pilot.sees(pilot.say("watch.tunnel-paid", color=first, n=cards.count(cards[0])))
    assert first in voice.said[1]
    # One tap says that it is wrong; then they are told by hand.
    wrong = pilot.say("watch.wrong")
    taps = [w for w in page.walk() if getattr(w, "text", "") == wrong and hasattr(w, "on_release")]
    assert len(taps) == 2
    taps[0].dispatch("on_release")
    pilot.settle()
    for card in ("red", "locomotive", "red"):
        pilot.tap(pilot.say("loco") if card == "locomotive" else pilot.desk.word(card))
    assert page.model.turned == ("red", "locomotive", "red")
    assert pilot.sees(pilot.say("watch.tunnel-paid", color=pilot.desk.word("red").lower(), n=3))
    assert len(voice.said) == 3


def test_a_tunnel_closes_with_the_next_event(start: Start) -> None:
    pilot = start(variant="europe")
    tunnelling(pilot)
    model = pilot.page.model
    assert model.tunnel is not None
    model.hear(Glimpse((), True, True, (claim("berlin-wien-green", model.position.players[1].color),)))
    assert model.tunnel is None
    assert not model.hear(Glimpse((), True, True, (), ("red", "red", "red")))
    assert not model.turned


def test_a_call_a_turned_phone_and_a_kill_leave_the_game_as_it_was(start: Start) -> None:
    pilot = start(variant="usa")
    laid = {4: ("denver-omaha-pink", 0), 20: ("calgary-helena-gray", 1), 40: ("boston-montreal-gray", 0)}
    told, voice, colors = begun(pilot, laid, frames=10)
    camera, model = pilot.desk.camera, pilot.page.model
    assert isinstance(camera, FilmCamera)
    assert set(pilot.game.position.owners) == {"denver-omaha-pink"}
    # Somebody calls: the camera is let go, nobody speaks, and afterwards it goes on.
    stopped = camera.stopped
    assert pilot.app.dispatch("on_pause")
    assert (camera.stopped, voice.hushed) == (stopped + 1, 1)
    pilot.app.dispatch("on_resume")
    camera.left = 15
    played(pilot)
    assert set(pilot.game.position.owners) == {"denver-omaha-pink", "calgary-helena-gray"}
    # The phone is turned: another screen, the same eyes.
    page = pilot.page
    pilot.resize(780, 360)
    assert pilot.page is not page
    assert pilot.page.model is model
    camera.left = 20
    played(pilot)
    owners = pilot.game.position.owners
    assert set(owners) == {"denver-omaha-pink", "calgary-helena-gray", "boston-montreal-gray"}
    assert told.n > 40
    # The system ends the app without a word.
    pilot = start(variant="usa")
    assert pilot.app.stack[-1][0] == "watch"
    assert pilot.game.position.owners == owners
    made: list[Mapping[str, str] | None] = []

    def watches(_board: str, known: Mapping[str, str] | None, _expected: Expected) -> Script:
        made.append(known)
        return Script({5: claim("denver-salt-lake-city-red", colors[1])}, {})

    pilot.desk.watches, pilot.desk.voice, pilot.desk.camera = watches, Heard(), FilmCamera(10)
    played(pilot)
    assert set(made[0] or ()) == set(owners)
    assert "denver-salt-lake-city-red" in pilot.game.position.owners


def test_a_game_that_is_laid_out_again_survives_a_kill(start: Start) -> None:
    pilot = start(variant="usa")
    begun(pilot, {4: ("denver-omaha-pink", 0)})
    pilot.tap(pilot.say("watch.pack"), pilot.say("ok"))
    watch(pilot, {}, 8)
    pilot.tap(pilot.say("home.watch"), pilot.say("rebuild.title"))
    pilot = start(variant="usa")
    assert pilot.app.stack[-1][0] == "rebuild"
    assert set(pilot.page.model.wanted) == {"denver-omaha-pink"}


def tells(pilot: Pilot, *events: Event) -> None:
    """The camera tells this."""
    if pilot.page.model.hear(Glimpse((), True, True, events)):
        pilot.app.refresh()
    pilot.settle()


def test_a_board_that_is_cleared_counts_as_it_lay_before(start: Start) -> None:
    pilot = start(variant="usa")
    _, voice, colors = begun(pilot, {})
    routes = ("denver-omaha-pink", "calgary-helena-gray", "boston-montreal-gray", "atlanta-miami-blue")
    tells(pilot, *(claim(r, colors[n % 2]) for n, r in enumerate(routes)))
    gone = [Event(9.0, "gone", r, colors[n % 2]) for n, r in enumerate(routes)]
    tells(pilot, *gone[:3])
    assert not pilot.page.model.ending
    tells(pilot, gone[3])
    assert pilot.sees(pilot.say("watch.ending-cleared"))
    assert voice.said[-1] == pilot.say("watch.ending")
    assert not pilot.game.position.owners
    pilot.tap(pilot.say("table.count"))
    assert pilot.app.stack[-1][0] == "finish-player"
    assert set(pilot.game.position.owners) == set(routes)


def test_pieces_that_are_really_gone_stay_gone(start: Start) -> None:
    pilot = start(variant="usa")
    _, _, colors = begun(pilot, {})
    routes = ("denver-omaha-pink", "calgary-helena-gray", "boston-montreal-gray", "atlanta-miami-blue")
    tells(pilot, *(claim(r, colors[0]) for r in routes), *(Event(9.0, "gone", r, colors[0]) for r in routes))
    pilot.tap(pilot.say("table.play-on"))
    assert not pilot.page.model.ending
    assert not pilot.game.position.owners
    assert not pilot.sees(pilot.say("watch.ending"))


def last_round(pilot: Pilot, color: str) -> None:
    """The first player lays nearly everything."""
    board, left, groups = load("usa"), 43, set[str]()
    for route in sorted(board.routes.values(), key=lambda r: -r.length):
        if left > 0 and route.length <= left and route.group not in groups:
            groups.add(route.group)
            left -= route.length
            tells(pilot, claim(route.id, color))
    assert left == 0


@pytest.mark.parametrize("how", ["all", "quiet"])
def test_the_end_of_the_game_is_noticed(start: Start, how: str) -> None:
    pilot = start(variant="usa")
    _, voice, colors = begun(pilot, {})
    seats = pilot.game.position.players
    model = pilot.page.model
    last_round(pilot, colors[0])
    assert not model.ending
    if how == "quiet":
        now = model._now()
        model._now = lambda: now + 300
        tells(pilot)
    else:
        free = [r for r in load("usa").routes.values() if r.length == 2 and r.id not in model.position.owners]
        for n, _ in enumerate(seats):
            assert not model.ending
            tells(pilot, claim(free[3 * n].id, colors[n]))
    assert pilot.sees(pilot.say(f"watch.ending-{how}"))
    assert voice.said[-1] == pilot.say("watch.ending")
    pilot.tap(pilot.say("table.play-on"))
    tells(pilot)
    assert not pilot.sees(pilot.say("watch.ending"))


def test_a_camera_that_stands_too_far_away_is_told(start: Start) -> None:
    pilot = start(variant="usa")
    begun(pilot, {4: ("denver-omaha-pink", 0)})
    assert not pilot.sees(pilot.say("watch.far"))
    corners, felt = ((10.0, 10.0), (400.0, 10.0), (400.0, 300.0), (10.0, 300.0)), len(pilot.app.feel.felt)
    model, page = pilot.page.model, pilot.page
    for small, shown in ((corners, True), (tuple((2 * x, 2 * y) for x, y in corners), False)):
        if model.hear(Glimpse(small, True, True)):
            page.news()
            page.fill()
        pilot.settle()
        assert pilot.sees(pilot.say("watch.far")) is shown
    assert len(pilot.app.feel.felt) == felt, "nothing was laid, and a sound was heard"


def test_what_is_not_sure_at_the_start_is_asked(start: Start) -> None:
    pilot = start(variant="usa")
    told, _ = watch(pilot, {}, 8)
    pilot.tap(pilot.say("home.watch"), pilot.say("new.next"))
    one, other = (s.color for s in pilot.page.model.seats[:2])
    red, yellow = "denver-salt-lake-city-red", "denver-salt-lake-city-yellow"
    told.start_lies = {red: one, "denver-omaha-pink": other}
    told.unsure = {red: one, "calgary-helena-gray": other}
    pilot.tap(pilot.say("new.begin"))
    played(pilot)
    names = {r: spot(load("usa"), r, "en") for r in (red, yellow, "calgary-helena-gray")}
    assert pilot.sees(pilot.say("watch.unsure"))
    # It lies on the other track of its pair.
    pilot.tap(pilot.say("watch.unsure-laid", place=names[red], color=pilot.desk.word(one).lower()))
    pilot.tap(pilot.say("watch.track", track=names[yellow]))
    assert pilot.game.position.owners.keys() == {yellow, "denver-omaha-pink"}
    assert set(told.corrected) == {(red, None), (yellow, one)}
    # It was not written down, and lies there.
    pilot.tap(pilot.say("watch.unsure-empty", place=names["calgary-helena-gray"], color=pilot.desk.word(other).lower()))
    pilot.tap(pilot.desk.word(other))
    assert pilot.game.position.owners.keys() == {yellow, "denver-omaha-pink", "calgary-helena-gray"}
    assert not pilot.sees(pilot.say("watch.unsure"))


def test_a_dark_screen_is_dark_all_over_and_the_first_touch_only_brings_it_back(start: Start, tmp_path: Path) -> None:
    pilot = start(variant="usa")
    begun(pilot, {4: ("denver-omaha-pink", 0)})
    page = pilot.page
    pilot.tap(pilot.say("watch.dark"))
    pilot.picture(tmp_path / "dark.png")
    assert load_photo(tmp_path / "dark.png").image.max() == 0
    # Where the way back was.
    pilot.touch(20, pilot.window.height - 20)
    assert not page.dark
    assert pilot.page is page

"""The real app under test: no screen, real touches, a folder of pictures as camera."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar  # Any: what a .kv file lays has no types

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")

from companion.rules import VARIANTS, Action
from companion.table.game import Game
from companion.table.history import PastGame
from companion.ui import layers, services
from companion.ui.camera import FolderCamera
from companion.ui.demo import deal
from companion.ui.desk import Desk, capital
from companion.ui.models.forms import SingleCard
from companion.ui.models.new_game import NewGame
from companion.ui.models.ticket_review import PaperSighting, Sighting
from companion.ui.stage import Stage
from companion.ui.work import Job
from companion.words.dates import day
from maps import LOCOMOTIVES, WildCard, load, message
from maps.drawing import LIGHT, scene, to_image
from vision.reading import Reading, RouteReading, StationReading

if TYPE_CHECKING:
    from kivy.uix.widget import Widget

A = TypeVar("A", bound=Action)


class Memory:
    """Python's memory, tidied by Python alone."""

    def __getattr__(self, name: str) -> object:
        return getattr(gc, name)

    def collect(self, _generation: int = 2) -> int:
        return 0

    def freeze(self, *_: int) -> None:
        """Nothing stays for good here: the next test opens another app."""

    unfreeze = set_threshold = freeze


class Still(Stage):
    """Nobody sees a frame that comes late here, and looking through all that a run of tests holds takes long."""

    def loaded(self) -> None:
        from companion.ui import memory

        vars(memory)["gc"] = Memory()


class Pilot(Still):
    """Taps and types like a player, and reads what the screen says."""

    def __init__(self, desk: Desk, width: int, height: int) -> None:
        from kivy.config import Config

        # Fingers here are as quick as the machine: lists need not wait for a hand.
        Config.set("widgets", "scroll_timeout", 1)
        super().__init__(desk, width, height)
        # What was left is taken apart at once: whoever still needs it is found out.
        self.app.memory.wait = 0.0

    @property
    def page(self) -> Any:
        """The page that is shown. Any: what Kivy puts on it by its .kv file has no types."""
        return self.app.page

    @property
    def game(self) -> Game:
        """The game that goes on; a test that asks for it has begun one."""
        game = self.desk.game
        assert game is not None
        return game

    def last(self, kind: type[A]) -> A:
        """What was done last, which is an action of this kind."""
        action = self.game.entries[-1].action
        assert isinstance(action, kind)
        return action

    def texts(self) -> list[str]:
        return [w.text for w in self._layer() if getattr(w, "text", "") and w.opacity]

    def _layer(self) -> list[Widget]:
        """What can be touched: a question above the screen hides everything else."""
        if self.page.parent is None:
            # It was made just now: nobody is so quick that they touch what was there before.
            self.frames(2)
        question = self.app._question
        return list((question or self.app.shell).walk())

    def sees(self, text: str) -> bool:
        return any(text in shown for shown in self.texts())

    def find(self, text: str) -> Widget:
        """The button with this text or hint: the same words, else words that start so, else that hold it."""
        taps = [w for w in self._layer() if hasattr(w, "on_release") and not w.disabled]
        for fits in (str.__eq__, str.startswith, str.__contains__):
            for w in taps:
                if fits(_plain(getattr(w, "text", "")), text) or (getattr(w, "hint", "") == text):
                    return w
        raise AssertionError(f"no button {text!r} among {[_plain(getattr(w, 'text', '')) for w in taps]}")

    def offers(self, text: str) -> bool:
        """Whether there is such a button."""
        return any(hasattr(w, "on_release") and _plain(getattr(w, "text", "")) == text for w in self._layer())

    def tap(self, *texts: str, settle: bool = True) -> None:
        for text in texts:
            widget = self.find(text)
            self._into_view(widget)
            x, y = widget.to_window(*widget.center)
            self.touch(x, y, settle=settle)

    def _into_view(self, widget: Widget) -> None:
        from kivy.uix.scrollview import ScrollView

        parent = widget.parent
        while parent is not None and parent is not self.window:
            if isinstance(parent, ScrollView):
                parent.scroll_to(widget, animate=False)
                self.frames(2)
            parent = parent.parent if parent is not parent.parent else None

    def touch(self, x: float, y: float, settle: bool = True) -> None:
        from kivy.tests.common import UnitTestTouch

        assert 0 <= x <= self.window.width
        assert 0 <= y <= self.window.height
        finger = UnitTestTouch(x, y)
        finger.touch_down()
        # A list waits some frames before it is sure that a finger taps and does not drag.
        self.frames(5)
        finger.touch_up()
        self.frames(1)
        if settle:
            self.settle()

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 5) -> None:
        from kivy.tests.common import UnitTestTouch

        finger = UnitTestTouch(*start)
        finger.touch_down()
        for i in range(1, steps + 1):
            share = i / steps
            finger.touch_move(start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            self.frames(1)
        finger.touch_up()
        self.frames(1)

    def tap_map(self, name: str) -> None:
        """Touches a route's middle or a city on the map, as near as the map is shown now."""
        from maps.drawing import tracks

        view, board = self.page.map, load(self.page.map.board)
        if name in board.routes:
            frames = tracks.lay(board)[name].frames
            middle = frames[len(frames) // 2]
            x, y = middle.x, middle.y
        else:
            x, y = tracks.spots(board, board.cities[name])[0]
        self.touch(*view.to_window_place(x, y))

    def type(self, text: str, at: int = 0) -> None:
        from kivy.uix.textinput import TextInput

        fields = [w for w in self._layer() if isinstance(w, TextInput)]
        fields.sort(key=lambda w: -w.to_window(*w.pos)[1])
        fields[at].text = text
        self.settle()

    def begin(self, *names: str) -> None:
        """A new game of Europe with these players, as the screens make it; `test_europe` taps through them."""
        new = NewGame(self.desk)
        new.choose(VARIANTS["europe"])
        for i, name in enumerate(names):
            new.name(i, name)
        deal(new.begin())
        self.app.home()
        self.app.go("table", self.app.table_model())
        self.settle()

    def deal(self) -> None:
        """The opening tickets of everybody: as few as may be kept."""
        while self.page.model.form is not None and self.page.model.form.required:
            self.tap(str(self.page.model.form.kept_choices()[0]))

    def photograph(self) -> None:
        """A photo of the finished board, and what was read is right."""
        self.tap(self.say("home.score"), self.say("snap.shoot"), self.say("review.accept"))

    def day(self, game: PastGame) -> str:
        """When a game was, as the history writes it."""
        return capital(day(game.date, self.desk.language, self.desk.clock().date(), clock=True))

    def next_player(self) -> None:
        """On to the next player, or to the sheet; nobody insists on tickets."""
        self.tap(self.page.ids.next.text)
        if self.app._question is not None:
            self.tap(self.say("finish.go-on"))

    def count(self) -> None:
        """The points counted, all lines shown, and everybody has seen them."""
        self.next_player()
        self.tap(self.say("sheet.all"), self.say("sheet.home"))

    def look_at(self, route: str) -> None:
        """Enlarges the map around a route."""
        self.page.map.look_at(*layers.laid(self.page.map.board)[route].middle, 6)
        self.frames(2)

    def until(self, happens: Callable[[], bool], seconds: float = 90.0) -> None:
        """Until something is so: a busy machine reads photos slowly."""
        end = time.monotonic() + seconds
        while not happens() and time.monotonic() < end:
            self.frames(2)
            time.sleep(0.01)
        assert happens(), self.texts()
        self.settle()

    def wait_for(self, page: str) -> None:
        """Until that screen is on top."""
        self.until(lambda: self.app.stack[-1][0] == page)

    def wait_to_see(self, text: str) -> None:
        self.until(lambda: self.sees(text))

    def say(self, key: str, **values: object) -> str:
        return self.desk.say(key, **values)

    def tell(self, key: str, wild: WildCard = LOCOMOTIVES, **values: object) -> str:
        return self.desk.tell(message(key, **values), wild)


def _plain(text: str) -> str:
    """A button's words without marks for bold and size."""
    out, inside = "", False
    for ch in text:
        inside = ch == "[" or (inside and ch != "]")
        if not inside and ch != "]":
            out += ch
    return out


Start = Callable[..., Pilot]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    return folder


@pytest.fixture
def start(tmp_path: Path, photos: Path, request: pytest.FixtureRequest) -> Iterator[Start]:
    """Opens the app; called again it opens it as after a crash, on the same files."""
    open_now: list[Pilot] = []

    def begin(
        language: str = "en", width: int = 360, height: int = 780, home: str = "home", **settings: object
    ) -> Pilot:
        if open_now:
            open_now.pop().close()
        reader = request.getfixturevalue("table") if "table" in request.fixturenames else None
        desk = Desk(tmp_path / home, FolderCamera(photos), reader=reader)
        desk.change(language=language, **settings)
        try:
            pilot = Pilot(desk, width, height)
        except Exception as error:
            if type(error).__name__ == "Trouble":
                pytest.skip("no window can be opened here: Kivy finds no OpenGL")
            raise
        open_now.append(pilot)
        pilot.settle()
        return pilot

    yield begin
    while open_now:
        open_now.pop().close()


def draw_photo(path: Path, board_id: str, owners: Mapping[str, str], stations: Mapping[str, str]) -> None:
    """A picture of a board as the camera would bring it."""
    image = to_image(scene(load(board_id), theme=LIGHT, owners=owners, stations=stations), 900)
    image.convert("RGB").save(path, quality=85)


def reading_of(
    path: Path, board_id: str, owners: Mapping[str, str], stations: Mapping[str, str], doubtful: tuple[str, ...] = ()
) -> Reading:
    """What a perfect reader would say about such a picture."""
    board = load(board_id)
    width, height = 900.0, 900.0 / board.geometry.aspect
    routes = {
        r.id: RouteReading(owners.get(r.id), 0.5 if r.id in doubtful else 0.99, (owners.get(r.id),) * r.length)
        for r in board.routes.values()
    }
    built = {city: StationReading(color, 0.9) for city, color in stations.items()}
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return Reading(path.name, board_id, corners, MappingProxyType(routes), MappingProxyType(built), doubtful)


class Table:
    """Stands in for the camera's reader: pictures that were drawn here, and what lies in them."""

    def __init__(self, photos: Path) -> None:
        self.photos = photos
        self.known: dict[str, Reading | Sequence[SingleCard | Sighting | PaperSighting]] = {}
        self.read_board: Callable[..., Reading] = self.read
        self.read_cards: Callable[..., list[SingleCard]] = self.read
        self.read_tickets: Callable[..., list[Sighting | PaperSighting]] = self.read
        self.follower: Callable[[str | None], services.Follower | None] = lambda _board: None

    def undo(self, name: str) -> None:
        """From now on the real reader reads this kind of picture."""
        setattr(self, name, getattr(services.CameraReader(), name))

    def board(
        self,
        board_id: str,
        owners: Mapping[str, str],
        stations: Mapping[str, str] | None = None,
        doubtful: tuple[str, ...] = (),
    ) -> None:
        path = self.photos / f"{len(self.known):02}.jpg"
        draw_photo(path, board_id, owners, stations or {})
        self.known[path.name] = reading_of(path, board_id, owners, stations or {}, doubtful)

    def read(self, _job: Job, photo: Path, *_: object) -> Any:
        """What lies in a picture. Any: one reader for board, cards and tickets, each test knows which it drew."""
        return self.known[photo.name]

    def cards(self, *cards: str, unsure: Collection[int] = ()) -> None:
        """Cards in a photo; `unsure`: the places of those that the reader doubts."""
        self._sheets([SingleCard(c, 0.6 if i in unsure else 0.99, doubtful=i in unsure) for i, c in enumerate(cards)])

    def tickets(self, *seen: tuple[list[str], bool], board: str = "europe") -> None:
        """Tickets in a photo: for each the ids that it may be, and whether the first is sure."""
        known, quad = load(board).tickets, ((100.0, 100.0), (400.0, 100.0), (400.0, 300.0), (100.0, 300.0))
        self._sheets([Sighting(tuple(known[i] for i in ids), sure, quad) for ids, sure in seen])

    def _sheets(self, found: Sequence[SingleCard | Sighting | PaperSighting]) -> None:
        path = self.photos / f"{len(self.known):02}.jpg"
        draw_photo(path, "san-francisco", {}, {})
        self.known[path.name] = found


@pytest.fixture
def table(photos: Path) -> Table:
    return Table(photos)

"""What all screens share."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar  # Any: JSON, words' gaps, Kivy's properties

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.metrics import dp, sp
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.layout import Layout
from kivy.uix.widget import Widget

from companion.ui import theme
from companion.ui.camera import PICTURES
from companion.ui.layers import Pieces
from companion.ui.widgets import base
from companion.ui.widgets.base import escape
from companion.ui.widgets.map_view import BoardPicture, MapView
from maps import LOCOMOTIVES, Board, Message, Trouble, WildCard

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp
    from companion.ui.models.snap import SnapModel


# How high a board's or photo's small picture is, in dp.
_TILE = 104
# Entries of a long list that are shown at once.
_LISTED = 12
# How wide the column beside a map is at least, in dp; how much two long words take beside each other, in sp.
_BESIDE_MAP = 320
_LONG_WORDS = 240
# How much a line of words takes beside small buttons, in sp.
_A_LINE = 280
Item = TypeVar("Item")
Model = TypeVar("Model")


class BoardTap(base.Tap):
    """A drawn board to tap."""


class Page(BoxLayout, Generic[Model]):
    """One screen. `wide`: there is room for two columns; `ratio`: a board's height against its width."""

    wide = BooleanProperty(False)
    ratio = NumericProperty(0.66)
    title_key: ClassVar[str] = ""

    def __init__(self, app: CompanionApp, model: Model) -> None:
        self.app, self.desk = app, app.desk
        self.model: Model = model
        self._steps: deque[Callable[[], object]] = deque()
        # Once a frame, however often it is asked for.
        self._lay_more = Clock.create_trigger(self._step, 0)
        super().__init__(orientation="vertical", wide=app.wide)
        # What the .kv file names lives as long as the screen: work beside it may have something to tell when it went.
        self._named = [widget.__self__ for widget in self.ids.values()]
        self.fill()

    @property
    def title(self) -> str:
        return self.say(self.title_key)

    @property
    def wild(self) -> WildCard:
        """What the board on this screen calls its locomotives."""
        return LOCOMOTIVES

    def say(self, key: str, **values: Any) -> str:
        return self.desk.say(key, self.wild, **values)

    def tell(self, told: Message | Trouble) -> str:
        return self.desk.tell(told, self.wild)

    def word(self, name: str) -> str:
        return self.desk.word(name, self.wild)

    @property
    def help(self) -> str:
        """The way of using the app that this screen belongs to: its page is behind the question mark."""
        return ""

    def hint(self, into: Layout, name: str) -> None:
        """A gesture that nobody would find, told until somebody has read it."""
        if name in self.desk.settings.hints:
            return
        box = base.Panel(kind="soft", padding=(dp(theme.PAD), dp(4), 0, dp(4)))
        text = base.Text(text=self.say(f"hint.{name}"), ink_of="soft", pos_hint={"center_y": 0.5})
        text.font_size = sp(theme.SMALL)
        box.add_widget(base.Row(text, base.IconTap("✕", f"hint-{name}", lambda: self._read_hint(into, box, name))))
        into.add_widget(box)

    def _read_hint(self, into: Layout, box: Widget, name: str) -> None:
        self.desk.change(hints=(*self.desk.settings.hints, name))
        into.remove_widget(box)

    def fill(self) -> None:
        """Shows the model: called once when the screen is made, and after every change."""

    def left(self) -> bool:
        """Back was tapped: True if the screen used that itself."""
        return False

    @classmethod
    def kept(cls, _model: Model) -> dict[str, Any] | None:
        """What must be there again after a restart, None if this screen holds nothing that is half told."""
        return None

    @classmethod
    def resume(cls, _below: Page[Any], _data: Mapping[str, Any]) -> bool:
        """Lays this screen on the one below it again, as it was left; False if it can't be."""
        return False

    def camera(self, _purpose: str, /) -> SnapModel | None:
        """What the camera is asked from here, None if this screen wants no such picture."""
        return None

    def open_camera(self, purpose: str) -> None:
        """Goes to the camera for something that this screen wants a picture of."""
        model = self.camera(purpose)
        if model is not None:
            self.app.go("snap", model)

    def step(self, _way: int, /) -> bool:
        """Ctrl+Z (-1) or Ctrl+Y (1) was pressed: True if this screen has something to undo or redo."""
        return False

    @property
    def drops(self) -> str:
        """What a picture dropped onto this screen shows, as the camera is asked for it; empty: none is wanted."""
        return ""

    def dropped(self, file: Path, /) -> None:
        """A file was dropped onto this screen: a picture goes the way of one that the camera took."""
        model = self.camera(self.drops) if self.drops and file.suffix.lower() in PICTURES else None
        if model is None:
            self.app.tell(self.say("drop.photo" if self.drops else "drop.nothing", file=file.name))
            return
        self.app.go("snap", model)
        model.load(file)

    def closed(self) -> None:
        """The screen goes: whatever runs for it alone stops."""

    def one_by_one(self, steps: Iterable[Callable[[], object]], anew: bool = False) -> None:
        """Does a step with every frame: much to lay out must not hold up the screen.

        `anew`: what was still to come from before is not wanted any more.
        """
        if anew:
            self._steps.clear()
        self._steps.extend(steps)
        self._lay_more()

    def _step(self, _dt: float) -> None:
        if self._steps:
            self._steps.popleft()()
            self._lay_more()

    @property
    def laying_out(self) -> bool:
        """Whether something is still to come."""
        return bool(self._steps)

    @property
    def tight(self) -> bool:
        """Large words on a narrow phone, or beside a map on one: long ones need the whole width."""
        room = max(dp(_BESIDE_MAP), self.app.width * 0.34) if self.wide else self.app.width
        return bool(room < _LONG_WORDS * sp(1))

    @property
    def slim(self) -> bool:
        """Large words on a narrow phone held upright: little has room beside a line of words."""
        return not self.wide and bool(self.app.width < _A_LINE * sp(1))

    @property
    def map_share(self) -> float:
        """How much of an upright page its map may take: less where it is short or words are large."""
        return 0.25 if self.height < theme.SHORT * sp(1) else 0.36

    def columns(self, most: int) -> int:
        """How many columns there are room for: fewer where words are large, or on a narrow phone."""
        room = 1.0 if self.wide else min(1.0, self.app.width / dp(theme.NARROW))
        return max(1, int(most * room * dp(1) / sp(1) + 0.2))

    def list_some(self, into: Layout, items: Sequence[Item], make: Callable[[Item], Widget]) -> None:
        """The first of a list; the others only when somebody asks, for a long list takes long to lay out."""
        for item in items[:_LISTED]:
            into.add_widget(make(item))
        if items[_LISTED:]:
            more = base.Tap(self.say("more"), kind="soft")
            more.bind(on_release=lambda _: self._list_more(into, more, items[_LISTED:], make))
            into.add_widget(more)

    def _list_more(self, into: Layout, more: Widget, items: Sequence[Item], make: Callable[[Item], Widget]) -> None:
        into.remove_widget(more)
        self.list_some(into, items, make)

    def map_view(self, board: str, pieces: Pieces, **more: Any) -> MapView:
        view = MapView(self.desk.work, self.desk.look, self.desk.language, **more)
        view.show(board, pieces)
        return view

    def board_tap(self, board: Board, do: Callable[[], object], kind: str = "button") -> BoardTap:
        """A board as a tile: drawn in small, with its name, for how many it is, and whether it is still unsure."""
        low, high = min(board.players), max(board.players)
        # Teams of two are four or six players, never five.
        between = len(board.players) > 2 or high - low < 2
        about = self.say("boards.players" if between else "boards.players-or", low=low, high=high)
        if board.stage != "stable":
            about += " · " + self.say("boards.beta")
        text = two_lines(board.name(self.desk.language), about)
        found = BoardTap(text, do, kind=kind, orientation="vertical", halign="center")
        view = BoardPicture(board.id, self.desk.look, size_hint_y=None, height=dp(_TILE))
        found.add_widget(view, index=1)
        return found


def load_kv(module_file: str) -> None:
    """The layout beside a screen's module."""
    Builder.load_file(str(Path(module_file).with_suffix(".kv")))


def tap(text: str, do: Callable[[], object], kind: str = "button", **more: Any) -> base.Tap:
    return base.Tap(text, do, kind=kind, **more)


def in_parts(*parts: str) -> str:
    """Things of one line, each kept whole where the line has to be broken.

    >>> in_parts("3 tickets", "1 station") == "3\u00a0tickets\u00a0· 1\u00a0station"
    True
    """
    return "\u00a0· ".join(part.replace(" ", "\u00a0") for part in parts)


def two_lines(first: str, second: str) -> str:
    """A button's words: what it is, and below it a quieter line."""
    return f"[b]{escape(first)}[/b]\n[size={round(sp(theme.SMALL))}]{escape(second)}[/size]"


__all__ = ["Page", "in_parts", "load_kv", "tap", "two_lines"]

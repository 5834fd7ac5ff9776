"""Watching the table: the phone on a stand, the map that fills by itself, what happened in large letters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar  # Any: JSON

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp, sp
from kivy.properties import BooleanProperty

from companion import words
from companion.table.watched import Told
from companion.ui import theme
from companion.ui.desk import unbroken
from companion.ui.models.finish import FinishModel
from companion.ui.models.table import TableModel
from companion.ui.models.watch import Glimpse, RebuildModel, Standing, WatchModel
from companion.ui.pages.keeping import ask_keeping
from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.pages.rules import rule_taps
from companion.ui.widgets.base import Column, Grid, Heading, Huge, Panel, Quiet, Row, Sign, Text, Toggle
from companion.ui.widgets.photo_view import Pixels, shrunk
from companion.ui.widgets.pieces import ColorTap, Swatch
from companion.ui.widgets.stand import StandPicture
from companion.ui.widgets.zoom import ZoomView, texture_of
from companion.ui.work import Job, Note
from maps import LOCOMOTIVE, Route, WildCard

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp

# Frames a second that are asked for: a table at rest costs next to nothing. The longest side of those that are shown,
# and events that are listed.
_FRAMES = 15
_SIDE = 960
_LISTED = 6

Watched = TypeVar("Watched", bound=WatchModel | RebuildModel)


class _CameraPage(Page[Watched]):
    """A screen that looks through the camera all the time, and keeps the phone awake."""

    def __init__(self, app: CompanionApp, model: Watched) -> None:
        self._asking = False
        self._view: ZoomView | None = None
        super().__init__(app, model)
        Window.allow_screensaver = False
        self._clock = Clock.schedule_interval(self._ask, 1 / _FRAMES)

    @property
    def wild(self) -> WildCard:
        return self.model.board.cards.wild

    def _ask(self, _dt: float) -> None:
        if not self._asking and self.app.page is self:
            self._asking = True
            self.desk.work.start("watch", self._take, self._given)

    def _take(self, _: Job) -> tuple[Pixels | None, Glimpse] | None:
        frame = self.desk.camera.frame()
        if frame is None:
            return None
        glimpse = self.model.look(frame)
        return (None if glimpse.started else shrunk(frame, _SIDE)), glimpse

    def _given(self, note: Note) -> None:
        self._asking = False
        if self.app.page is not self:
            return
        if note.kind == "failed":
            self.app.tell(note.value)
            self.app.leave()
        elif note.kind == "done" and note.value is not None:
            picture, glimpse = note.value
            if self.model.hear(glimpse):
                self.news()
                self.fill()
            elif picture is not None:
                self._show(picture, glimpse)

    def news(self) -> None:
        """Something has happened."""

    def _show(self, picture: Pixels, glimpse: Glimpse) -> None:
        if self._view is None:
            return
        self._view.picture_height = picture.size[1] / picture.size[0]
        self._view.show_texture(texture_of(picture.size, picture.pixels))
        self._view.above.clear()
        if glimpse.corners:
            width = picture.full[0]
            corners = [(x / width, y / width) for x, y in glimpse.corners]
            self._view.show_outline(corners, theme.DARK.good if glimpse.steady else theme.DARK.chosen, dp(3))

    def _camera_view(self) -> None:
        """What the camera sees, until the board is found."""
        if self._view is None:
            self.ids.view.clear_widgets()
            self._view = ZoomView(ground=theme.DARK.paper)
            self.ids.view.add_widget(self._view)

    def _map(self) -> None:
        board = self.model.board
        if self._view is not None or not self.ids.view.children:
            self._view = None
            self.ids.view.clear_widgets()
            self.ratio = 1 / board.geometry.aspect
            self.map = self.map_view(board.id, self.model.pieces(), played=True)
            self.ids.view.add_widget(self.map)
        else:
            self.map.show(board.id, self.model.pieces())

    def closed(self) -> None:
        self._clock.cancel()
        Window.allow_screensaver = True
        self.desk.camera.stop()


class WatchPage(_CameraPage[WatchModel]):
    """`dark`: nothing is shown, the game is kept all the same."""

    title_key = "watch.title"
    dark = BooleanProperty(False)
    # What was last heard as a sound.
    _sounded: Told | None = None

    @property
    def help(self) -> str:
        return "watched"

    @classmethod
    def kept(cls, _model: WatchModel) -> dict[str, Any]:
        return {"watching": True}

    @classmethod
    def resume(cls, below: Page[Any], _data: Mapping[str, Any]) -> bool:
        """The game as it was: what changed on the table meanwhile is told when the camera sees it."""
        if below.desk.game is None:
            return False
        below.app.go("watch", WatchModel(below.desk, below.desk.game))
        return True

    def fill(self) -> None:
        self.app.keep()
        panel, ways = self.ids.panel, self.ids.ways
        panel.clear_widgets()
        ways.clear_widgets()
        if not self.model.locked:
            self._stand(panel)
            return
        self._map()
        if self.model.choosing is not None:
            self._choose(panel, self.model.choosing)
            return
        if self.model.ending:
            self._ending(panel)
        if self.model.far:
            box = Panel(kind="bad")
            box.add_widget(Text(text=self.say("watch.far"), ink_of="bad"))
            panel.add_widget(box)
        if self.model.unsure:
            self._unsure(panel)
        self._happened(panel)
        players = Panel(spacing=0, padding=dp(4))
        for standing in self.model.standings:
            players.add_widget(_StandingLine(self, standing))
        panel.add_widget(players)
        self._before(panel)
        self._switches(panel)
        if not self.model.ending:
            ways.add_widget(tap(self.say("watch.over"), self._ask_over, "primary", bold=True, sign="⚑"))

    def _stand(self, panel: Column) -> None:
        """How to put the phone up, and what the camera sees."""
        self._camera_view()
        panel.add_widget(Heading(text=self.say("watch.stand")))
        picture = StandPicture(self.desk.look)
        if not self.app.low:
            panel.add_widget(picture)
        for key in ("whole", "side", "power"):
            panel.add_widget(Text(text="• " + self.say(f"watch.stand-{key}")))
        if self.desk.camera.problem is not None:
            panel.add_widget(Text(text=self.desk.tell(self.desk.camera.problem)))
        else:
            panel.add_widget(Quiet(text=self.say("watch.looking")))
        # On a phone on its side what has to be read comes first.
        if self.app.low:
            panel.add_widget(picture)

    def _unsure(self, panel: Column) -> None:
        """What lay there at the start and is not sure: a tap opens the choices, another says that all is right."""
        box = Panel()
        box.add_widget(Text(text=self.say("watch.unsure")))
        for told in self.model.unsure:
            name = words.spot(self.model.board, told.event.place, self.desk.language)
            key = "watch.unsure-laid" if told.entry else "watch.unsure-empty"
            line = self.say(key, place=name, color=self.desk.word(told.event.color).lower())
            box.add_widget(tap(line, partial(self._wrong, told), "soft", halign="left"))
        box.add_widget(tap(self.say("watch.unsure-right"), self._all_right, sign="✓"))
        panel.add_widget(box)

    def _all_right(self) -> None:
        self.model.unsure = []
        self.fill()

    def _ending(self, panel: Column) -> None:
        """The game seems to be over: nobody had to say so."""
        box = Panel()
        box.add_widget(Heading(text=self.say("watch.ending")))
        box.add_widget(Text(text=self.say(f"watch.ending-{self.model.ending}")))
        box.add_widget(tap(self.say("table.count"), self._count, "primary", bold=True, sign="⚑"))
        if self.model.ending == "cleared":
            box.add_widget(tap(self.say("watch.pack"), self._pack))
        box.add_widget(tap(self.say("table.play-on"), self._play_on))
        panel.add_widget(box)

    def _play_on(self) -> None:
        self.model.play_on()
        self.fill()

    @property
    def _large_words(self) -> bool:
        """Somebody made all words larger: long sentences need not be huge besides."""
        return bool(sp(1) > 1.3 * dp(1))

    def _happened(self, panel: Column) -> None:
        """The newest event, large; one tap says that it is wrong."""
        told = self.model.latest
        if told is None:
            panel.add_widget(Heading(text=self.say("watch.waiting")))
            panel.add_widget(Quiet(text=self.say("watch.trust")))
            return
        box = Panel(kind="panel" if told.legal else "bad")
        # On a phone on its side, or in large words, a refusal would fill the panel: what corrects it goes first.
        crowded = not told.legal and (self.app.low or self._large_words or self.app.width < dp(theme.NARROW))
        large = Text if not self.desk.settings.watch_picture else Heading if crowded else Huge
        shown = [large(text=unbroken(self.model.sentence(told)), ink_of="" if told.legal else "bad")]
        if told.entry:
            wrong = tap(self.say("watch.wrong"), partial(self._wrong, told), sign="✕")
            shown.insert(0 if crowded else 1, wrong)
        for widget in shown:
            box.add_widget(widget)
        for rule in rule_taps(self, self.model.game, self.model.rules(told)):
            box.add_widget(rule)
        tunnel = self.model.tunnel
        # What was read is newer than the claim.
        newest = bool(self.model.turned) or self.model.telling is not None
        if tunnel is not None and newest:
            self._tunnel(panel, tunnel)
        panel.add_widget(box)
        if tunnel is not None and not newest:
            self._tunnel(panel, tunnel)

    def _tunnel(self, panel: Column, route: Route) -> None:
        """A tunnel that is open: its cards are read when they are shown, or told by hand."""
        model, box = self.model, Panel()
        if model.telling is not None:
            box.add_widget(Text(text=self.say("watch.tunnel-tell", n=route.tunnel_draw - len(model.telling))))
            grid = Grid(cols=2)
            for card in (*model.board.cards.colors, LOCOMOTIVE):
                name = self.say("loco") if card == LOCOMOTIVE else self.word(card)
                grid.add_widget(ColorTap(card, name, partial(self._tell_card, card), card=True))
            box.add_widget(grid)
        elif model.turned:
            large = Text if not self.desk.settings.watch_picture else Heading if self._large_words else Huge
            box.add_widget(large(text=model.asked()))
            box.add_widget(tap(self.say("watch.wrong"), self._tell_cards, sign="✕"))
        else:
            box.add_widget(Text(text=self.say("watch.tunnel", n=route.tunnel_draw)))
            box.add_widget(tap(self.say("watch.tunnel-hand"), self._tell_cards))
        panel.add_widget(box)

    def _tell_cards(self) -> None:
        self.model.tell_cards()
        self.fill()

    def _tell_card(self, card: str) -> None:
        self.model.tell_card(card)
        self.fill()

    def _before(self, panel: Column) -> None:
        """What happened earlier: a tap on it says that it is wrong."""
        for told in self.model.older[:_LISTED]:
            sentence = unbroken(self.model.sentence(told))
            line = (
                tap(sentence, partial(self._wrong, told), "soft", halign="left") if told.entry else Quiet(text=sentence)
            )
            panel.add_widget(line)
            for rule in rule_taps(self, self.model.game, self.model.rules(told)):
                panel.add_widget(rule)
        undo = tap(self.say("table.undo"), self._undo, sign="↶")
        undo.disabled = not self.model.game.can_undo
        panel.add_widget(Row(undo, tap(self.say("table.log"), self._log, sign="☰")))

    def _switches(self, panel: Column) -> None:
        settings = self.desk.settings
        silent = self.desk.voice.problem
        for name in ("voice", "sound", "picture"):
            if name == "voice" and silent is not None:
                panel.add_widget(Quiet(text=self.desk.tell(silent)))
                continue
            on = getattr(settings, f"watch_{name}")
            panel.add_widget(Toggle(self.say(f"watch.{name}"), on, partial(self._switch, f"watch_{name}")))
        panel.add_widget(tap(self.say("watch.dark"), self._darken))
        panel.add_widget(tap(self.say("keeping.change"), self.change_keeping))
        panel.add_widget(tap(self.say("watch.pack"), self._pack))

    def change_keeping(self) -> None:
        ask_keeping(self, self.model.game, self.model.stop)

    def _switch(self, name: str, on: bool) -> None:
        self.desk.change(**{name: on})
        if not self.desk.settings.watch_voice:
            self.desk.hush()
        self.fill()

    def news(self) -> None:
        told, before = self.model.latest, self._sounded
        self._sounded = told
        if told is not None and told is not before and self.desk.settings.watch_sound:
            self.app.feel.give("laid" if told.legal else "wrong")

    def _choose(self, panel: Column, told: Told) -> None:
        """What it really was."""
        panel.add_widget(Heading(text=words.spot(self.model.board, told.event.place, self.desk.language)))
        panel.add_widget(Text(text=self.say("watch.who")))
        grid = Grid(cols=2)
        for color in self.model.choices() if told.event.kind != "gone" else ():
            grid.add_widget(ColorTap(color, self.word(color), partial(self._right, color)))
        panel.add_widget(grid)
        gone = told.event.kind == "gone"
        for track in () if gone else self.model.tracks():
            name = words.spot(self.model.board, track, self.desk.language)
            panel.add_widget(tap(self.say("watch.track", track=name), partial(self._right, told.event.color, track)))
        panel.add_widget(tap(self.say("watch.still-there" if gone else "watch.nothing"), partial(self._right, None)))
        panel.add_widget(tap(self.say("cancel"), self._never_mind, "soft"))

    def _wrong(self, told: Told) -> None:
        self.model.choosing = told
        self.fill()

    def _right(self, color: str | None, place: str = "") -> None:
        self.model.put_right(color, place)
        self.fill()

    def _never_mind(self) -> None:
        self.model.choosing = None
        self.fill()

    def _undo(self) -> None:
        self.model.undo()
        self.fill()

    def _log(self) -> None:
        self.app.go("log", TableModel(self.desk, self.model.game))

    def _darken(self) -> None:
        """A dark screen; the first touch brings everything back."""
        self.dark = True

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if self.dark:
            self.dark = False
            return True
        return bool(super().on_touch_down(touch))

    def left(self) -> bool:
        if self.model.choosing is not None:
            self._never_mind()
            return True
        self.model.stop()
        return False

    def _ask_over(self) -> None:
        answers = [(self.say("table.count"), self._count, "primary"), (self.say("table.play-on"), None, "button")]
        self.app.ask(self.say("watch.over-ask"), answers)

    def _count(self) -> None:
        """The last look is the final board: only tickets are left to tell."""
        self.model.as_it_lay()
        self.model.stop()
        self.app.go("finish-player", FinishModel.of_game(self.desk, self.model.game))

    def _pack(self) -> None:
        self.model.as_it_lay()
        self.model.stop()
        self.app.home()
        self.app.tell(self.say("watch.packed"))


class _StandingLine(Row):
    """A player's colour, name, wagons left, longest path so far and points."""

    def __init__(self, page: Page[WatchModel], standing: Standing) -> None:
        super().__init__(padding=dp(4), spacing=dp(6))
        self.add_widget(Swatch(standing.color))
        column = Column(spacing=0, pos_hint={"center_y": 0.5})
        column.add_widget(Text(text=standing.name))
        column.add_widget(Quiet(text=page.say("watch.standing", n=standing.left, path=standing.path)))
        self.add_widget(column)
        points = Heading(
            text=page.say("table.points", n=standing.points), halign="right", size_hint_x=None, width=sp(68)
        )
        points.pos_hint = {"center_y": 0.5}
        self.add_widget(points)


class RebuildPage(_CameraPage[RebuildModel]):
    """A game laid out again: what goes where, and what the camera still misses."""

    title_key = "rebuild.title"

    @classmethod
    def kept(cls, _model: RebuildModel) -> dict[str, Any]:
        return {"rebuilding": True}

    @classmethod
    def resume(cls, below: Page[Any], _data: Mapping[str, Any]) -> bool:
        """What lies there already is seen anew."""
        if below.desk.game is None:
            return False
        below.app.go("rebuild", RebuildModel(below.desk, below.desk.game))
        return True

    def fill(self) -> None:
        panel = self.ids.panel
        panel.clear_widgets()
        self.ids.ways.clear_widgets()
        self._map()
        model = self.model
        panel.add_widget(Text(text=self.say("rebuild.done" if model.done else "rebuild.how")))
        if model.too_much:
            names = [words.spot(model.board, p, self.desk.language) for p in model.too_much]
            box = Panel(kind="bad")
            box.add_widget(Text(text=self.say("rebuild.too-much", names=names), ink_of="bad"))
            panel.add_widget(box)
        for player in model.game.position.players:
            self._player(panel, player.name, player.color)
        self.ids.ways.add_widget(tap(self.say("rebuild.on"), self._on, "primary", bold=True, sign="▶"))

    def _player(self, panel: Column, name: str, color: str) -> None:
        lays = self.model.of(color)
        if not lays:
            return
        head = Row()
        head.add_widget(Swatch(color))
        done = sum(lay.state == "done" for lay in lays)
        head.add_widget(Heading(text=self.say("rebuild.player", name=name, n=done, of=len(lays))))
        panel.add_widget(head)
        for lay in lays:
            sign = {"done": "✓", "missing": "·", "wrong": "✕"}[lay.state] if self.model.locked else "·"
            line = Row(spacing=dp(6))
            line.add_widget(Sign(text=sign, width=sp(18)))
            name = words.spot(self.model.board, lay.place, self.desk.language)
            if lay.lies:
                name = self.say("rebuild.lies", place=name, color=self.desk.word(lay.lies).lower())
            line.add_widget(Quiet(text=name))
            panel.add_widget(line)

    def left(self) -> bool:
        self.model.stop()
        return False

    def _on(self) -> None:
        self.model.stop()
        self.app.replace("watch", WatchModel(self.desk, self.model.game))


load_kv(__file__)

"""Home: continue, start, score, look back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from kivy.metrics import dp

from companion.table.history import PastGame
from companion.table.parcel import Parcel
from companion.ui import theme
from companion.ui.camera import PICTURES
from companion.ui.layers import Pieces
from companion.ui.models.dispute import Dispute
from companion.ui.models.finish import FinishModel
from companion.ui.models.new_game import NewGame, last_board
from companion.ui.models.passing import Receiving
from companion.ui.models.snap import SnapModel
from companion.ui.models.table import TableModel, pieces_of
from companion.ui.models.watch import RebuildModel, WatchModel
from companion.ui.pages.finish import FinishPage
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.widgets.base import CAMERA, Column, Heading, Panel, Quiet, Tap, Text
from companion.words.dates import day
from maps import Trouble


class HomePage(Page[None]):
    title_key = "title"

    def fill(self) -> None:
        self.ids.going.clear_widgets()
        if self.desk.game is not None:
            self._going()
        scoring = FinishModel.again(self.desk)
        if scoring is not None:
            self._scoring(scoring)
        for box in ("first", "keep", "more", "rest"):
            self.ids[box].clear_widgets()
        idle = self.desk.game is None and scoring is None
        if idle and self.wide and not self.app.low:
            self._welcome()
        else:
            self._way("first", "home.score", CAMERA, self._score, "primary" if idle else "button")
        self._way("keep", "home.watch", "◉", self._watch)
        self._way("keep", "home.claims", "track", partial(self._new, "claims"))
        self._way("keep", "home.new", "whistle", partial(self._new, "turns"))
        self._way("more", "home.dispute", "⚖", lambda: self.app.go("dispute", Dispute(self.desk)))
        self._way("more", "home.try", "✦", lambda: self.app.go("guide"))
        self._rest("home.history", "★", lambda: self.app.go("history"))
        self._rest("home.boards", "▦", lambda: self.app.go("boards"))
        self._rest("home.receive", "⇄", self._receive)
        self._rest("home.settings", "⚙", lambda: self.app.go("settings"))

    def _new(self, keeping: str) -> None:
        model = NewGame(self.desk)
        model.keeping = keeping
        self.app.go("variant", model)

    def _watch(self) -> None:
        """The game that goes on, or a new one that is watched from its first claim."""
        game = self.desk.game
        if game is None:
            self._new("watched")
        elif game.entries:
            self.app.ask(
                self.say("watch.which"),
                [
                    (self.say("watch.go-on"), lambda: self.app.go("watch", WatchModel(self.desk, game)), "primary"),
                    (
                        self.say("rebuild.title"),
                        lambda: self.app.go("rebuild", RebuildModel(self.desk, game)),
                        "button",
                    ),
                    (self.say("watch.anew"), partial(self._new, "watched"), "button"),
                ],
            )
        else:
            self.app.go("watch", WatchModel(self.desk, game))

    def camera(self, purpose: str, /) -> SnapModel | None:
        return self._receiving() if purpose == "game" else None

    def _score(self) -> None:
        """Straight to the camera: the screen behind it explains, for whoever comes back."""
        if FinishModel.again(self.desk) is None:
            self._score_anew()
        else:
            # Answers that were given are not thrown away by a tap.
            self._ask_anew(self._score_anew)

    def _ask_anew(self, anew: Callable[[], object]) -> None:
        answers = [
            (self.say("home.score-anew"), anew, "button"),
            (self.say("home.score-on"), self._score_on, "primary"),
        ]
        self.app.ask(self.say("home.score-ask"), answers)

    def _score_anew(self, photo: Path | None = None) -> None:
        self.desk.keep_scoring(None)
        self.app.go("finish", FinishModel(self.desk))
        page = self.app.page
        if isinstance(page, FinishPage):
            if photo is None:
                page.snap()
            else:
                page.dropped(photo)

    def dropped(self, file: Path, /) -> None:
        """A photo of a finished board, dropped onto the window; answers that were given are not thrown away by it."""
        if file.suffix.lower() not in PICTURES:
            self.app.tell(self.say("drop.photo", file=file.name))
        elif FinishModel.again(self.desk) is None:
            self._score_anew(file)
        else:
            self._ask_anew(partial(self._score_anew, file))

    def _score_on(self) -> None:
        model = FinishModel.again(self.desk)
        if model is not None:
            self.app.go("finish", model)

    def _receive(self) -> None:
        self.open_camera("game")

    def _receiving(self) -> SnapModel:
        """A game from another phone, by its codes."""
        snap, receiving = SnapModel(self.desk, "game"), Receiving(self.desk)

        def seen(texts: list[str]) -> None:
            parcel = receiving.see(texts)
            snap.cancel()
            if parcel is None:
                snap.note = receiving.told
                snap.changed()
            else:
                self._arrived(parcel)

        snap.done = seen
        return snap

    def _arrived(self, parcel: Parcel) -> None:
        self.app.home()
        game = parcel.finished
        if game is None:
            self._take_over(parcel)
        elif game.id in [g.id for g in self.desk.history.games()]:
            self.app.tell(self.say("codes.known", date=self._day(game)))
        else:
            self._keep(game)

    def _keep(self, game: PastGame) -> None:
        try:
            self.desk.history.keep(game)
        except Trouble as trouble:
            self.app.tell(trouble)
        else:
            self.app.tell(self.say("codes.kept", date=self._day(game), names=list(game.names)))

    def _day(self, game: PastGame) -> str:
        return day(game.date, self.desk.language)

    def _take_over(self, parcel: Parcel) -> None:
        """The game that goes on here, if there is one, is put aside: it waits in the history."""
        try:
            self.desk.begin(parcel.write)
        except Trouble as trouble:
            self.app.tell(trouble)
        else:
            self.app.go("table", self.app.table_model())

    def _welcome(self) -> None:
        """There is room, and nothing goes on: the board that was last played, and how a photo gets in."""
        words = Column(pos_hint={"center_y": 0.5})
        words.add_widget(Heading(text=self.say("home.welcome")))
        words.add_widget(self._tap("home.score", CAMERA, self._score, "primary"))
        words.add_widget(Quiet(text=self.say("home.drop")))
        self._beside_map(last_board(self.desk.settings), Pieces(), words)

    def _beside_map(self, board: str, pieces: Pieces, words: Column, played: bool = False) -> None:
        panel = Panel(orientation="horizontal" if self.wide else "vertical", spacing=dp(theme.PAD))
        view = self.map_view(board, pieces, played=played, size_hint_y=None, disabled=True)
        view.height = dp(130 if self.app.low else 200)
        panel.add_widget(view)
        panel.add_widget(words)
        self.ids.going.add_widget(panel)

    def _way(self, box: str, key: str, sign: str, do: Callable[[], object], kind: str = "button") -> None:
        self.ids[box].add_widget(self._tap(key, sign, do, kind))

    def _tap(self, key: str, sign: str, do: Callable[[], object], kind: str) -> Tap:
        return tap(two_lines(self.say(key), self.say(f"{key}-about")), do, kind, sign=sign)

    def _rest(self, key: str, sign: str, do: Callable[[], object]) -> None:
        """What is needed now and then: a word is enough."""
        self.ids.rest.add_widget(tap(self.say(key), do, "panel", sign=sign))

    def _going(self) -> None:
        game = self.desk.game
        if game is None:
            return
        position = game.position
        words = Column(pos_hint={"center_y": 0.5})
        words.add_widget(Text(text=position.variant.name(self.desk.language), bold=True))
        words.add_widget(Text(text=", ".join(p.name for p in position.players)))
        words.add_widget(Quiet(text=TableModel(self.desk, game).headline))
        words.add_widget(tap(self.say("home.continue"), self._continue, "primary", bold=True, sign="▶"))
        self._beside_map(position.board.id, pieces_of(position), words, played=True)

    def _scoring(self, model: FinishModel) -> None:
        """A sheet that is being prepared waits here until it is done, or until somebody drops it."""
        panel = Panel(spacing=dp(theme.GAP))
        names = ", ".join(model.called(d) for d in model.drafts)
        board = model.board.name(self.desk.language) if model.board else ""
        panel.add_widget(Text(text=self.say("home.scoring", board=board), bold=True))
        if names:
            panel.add_widget(Text(text=names))
        panel.add_widget(tap(self.say("home.score-on"), self._score_on, "primary", bold=True, sign="▶"))
        panel.add_widget(tap(self.say("home.score-drop"), self._ask_drop))
        self.ids.going.add_widget(panel)

    def _ask_drop(self) -> None:
        answers = [(self.say("home.score-drop"), self._drop_scoring, "bad"), (self.say("cancel"), None, "primary")]
        self.app.ask(self.say("home.score-drop-ask"), answers)

    def _drop_scoring(self) -> None:
        self.desk.keep_scoring(None)
        self.fill()

    def _continue(self) -> None:
        self.app.go("table", self.app.table_model())


load_kv(__file__)

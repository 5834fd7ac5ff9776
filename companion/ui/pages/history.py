"""Games of the past and what they add up to; and the record of the game at the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from kivy.metrics import dp, sp
from kivy.uix.widget import Widget

from companion.table.game import Game
from companion.table.history import PastGame
from companion.ui import theme
from companion.ui.models.new_game import rules_name
from companion.ui.models.sheet import SheetModel, number, scored, signed
from companion.ui.models.statistics import StatisticsModel
from companion.ui.models.table import LogLine, TableModel
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.pages.player import Who
from companion.ui.pages.rules import rule_taps
from companion.ui.pages.snap import FilesPage, gallery_folder
from companion.ui.pages.tasks import Browsing
from companion.ui.widgets.base import CAMERA, Column, Grid, Heading, IconTap, Panel, PartTitle, Quiet, Row, Sign, Text
from companion.ui.widgets.charts import BarLine, BarTap, Trend
from companion.ui.widgets.pieces import Swatch
from companion.ui.work import Job, Note
from companion.words.dates import day
from maps import Trouble, WildCard

# What other apps call the files of the history.
_KINDS = {"json": "application/json", "csv": "text/csv", "bgsplay": "application/json"}
# More names of damaged files nobody reads.
_NAMED = 4
_MIDDLE = {"center_y": 0.5}
# Players with a bar of their own; others are listed by name.
_PEOPLE = 12


class HistoryPage(Page["str | None"]):
    """`model`: the board whose statistics are shown, None for all."""

    title_key = "home.history"

    def fill(self) -> None:
        """Many games take a moment to read: beside the screen, which shows the old list meanwhile."""
        desk, history = self.desk, self.desk.history

        def read(_: Job) -> tuple[StatisticsModel, list[Game]]:
            stats = StatisticsModel(desk, history.games(), self.model)
            # Counted here: tickets of old games take a moment.
            stats.players  # noqa: B018
            return stats, desk.aside()

        desk.work.start("history", read, self._read)

    def _read(self, note: Note) -> None:
        if note.kind == "failed":
            self.app.tell(note.value)
        if note.kind != "done":
            return
        panel: Column = self.ids.panel
        panel.clear_widgets()
        stats, aside = note.value
        self._stats: StatisticsModel = stats
        if not stats.games:
            panel.add_widget(Text(text=self.say("history.none")))
        pictures = (self._boards, self._wins, self._trend, self._averages, self._games) if stats.games else ()
        parts = [partial(part, panel) for part in pictures]
        self.one_by_one([*parts, partial(self._aside, panel, aside), partial(self._files, panel, bool(stats.games))])

    def _boards(self, panel: Column) -> None:
        panel.add_widget(Heading(text=self.say("history.records")))
        if len(self._stats.boards) > 1:
            every = Grid(cols=3 if self.wide else 2)
            for board in (None, *self._stats.boards):
                name = self._stats.board_name(board) if board else self.say("history.every")
                kind = "chosen" if board == self.model else "button"
                every.add_widget(tap(name, partial(self.app.replace, "history", board), kind))
            panel.add_widget(every)

    def _wins(self, panel: Column) -> None:
        """Everybody, with the share of games that they won; a tap opens their page."""
        box = Panel(spacing=dp(2))
        for row in self._stats.wins[:_PEOPLE]:
            box.add_widget(BarTap(row, partial(self._person, row.open)))
        panel.add_widget(box)
        panel.add_widget(Quiet(text=self.say("stats.tap-a-name")))
        self.list_some(panel, self._stats.wins[_PEOPLE:], lambda row: tap(row.name, partial(self._person, row.open)))

    def _person(self, name: str) -> None:
        self.app.go("player", Who(self._stats, name))

    def _trend(self, panel: Column) -> None:
        curves = self._stats.curves
        if not curves:
            return
        panel.add_widget(PartTitle(text=self.say("stats.trends")))
        box = Panel()
        box.add_widget(Trend(curves, self.desk.look))
        names = Grid(cols=self.columns(4 if self.wide else 2))
        for curve in curves:
            name = Text(text=curve.name, font_size=sp(theme.SMALL), pos_hint={"center_y": 0.5})
            names.add_widget(Row(Swatch(curve.color), name))
        box.add_widget(names)
        panel.add_widget(box)

    def _averages(self, panel: Column) -> None:
        if self.model is None and len(self._stats.averages) > 1:
            panel.add_widget(PartTitle(text=self.say("stats.boards")))
            box = Panel()
            for row in self._stats.averages:
                box.add_widget(BarLine(row))
            panel.add_widget(box)

    def _games(self, panel: Column) -> None:
        games = self._stats.shown
        panel.add_widget(PartTitle(text=self.say("history.games", n=len(games))))
        listed = Column()
        panel.add_widget(listed)
        self.list_some(listed, games, self._game)

    def _game(self, game: PastGame) -> Row:
        language = self.desk.language
        variant = rules_name(game.variant, language)
        ranked = sorted(game.players, key=lambda p: p.rank)
        scores = ", ".join(f"{p.name} {number(p.total)}" for p in ranked)
        row = Row()
        text = two_lines(f"{self._stats.day(game.date, clock=True)} · {variant}", scores)
        row.add_widget(tap(text, lambda: self._open(game), "panel", halign="left"))
        row.add_widget(self._gone(lambda: self._ask_delete(game)))
        return row

    def _gone(self, do: Callable[[], object]) -> Widget:
        """The way to delete what stands beside it."""
        words = self.say("history.delete")
        return IconTap("✕", words, do) if self.slim else tap(words, do, size_hint_x=None, width=sp(96))

    def _open(self, game: PastGame) -> None:
        if not game.position:
            self.app.tell(self.say("history.table-only"))
            return

        def told(note: Note) -> None:
            if note.kind == "done":
                position, sheet = note.value
                model = SheetModel(self.desk, position, sheet, past=game)
                model.reveal_all()
                self.app.go("sheet", model)
            elif note.kind == "failed":
                self.app.tell(note.value)

        self.desk.work.start("score", lambda _: scored(game), told)

    def _aside(self, panel: Column, games: list[Game]) -> None:
        """Games that were left for another one: they can be gone on with."""
        if games:
            panel.add_widget(PartTitle(text=self.say("history.aside")))
        for game in games:
            names = ", ".join(p.name for p in game.position.players)
            begun = self._stats.day(game.journal.path.stem, clock=True)
            text = two_lines(f"{begun} · {game.position.variant.name(self.desk.language)}", names)
            gone = self._gone(partial(self._ask_drop, game, names))
            panel.add_widget(Row(tap(text, partial(self._go_on, game), "panel", halign="left"), gone))

    def _ask_drop(self, game: Game, names: str) -> None:
        answers: list[tuple[str, Callable[[], object] | None, str]] = [
            (self.say("history.delete"), lambda: self._drop(game), "bad"),
            (self.say("cancel"), None, "button"),
        ]
        self.app.ask(self.say("history.drop-ask", names=names), answers)

    def _drop(self, game: Game) -> None:
        self.desk.drop(game)
        self.fill()

    def _go_on(self, game: Game) -> None:
        self.desk.go_on(game)
        self.app.home()
        self.app.go("table", self.app.table_model())

    def _ask_delete(self, game: PastGame) -> None:
        answers: list[tuple[str, Callable[[], object] | None, str]] = [
            (self.say("history.delete"), lambda: self._delete(game), "bad"),
            (self.say("cancel"), None, "button"),
        ]
        self.app.ask(self.say("history.delete-ask", date=day(game.date, self.desk.language, clock=True)), answers)

    def _delete(self, game: PastGame) -> None:
        self.desk.history.delete(game.id)
        self.fill()

    def _files(self, panel: Column, any_games: bool) -> None:
        panel.add_widget(PartTitle(text=self.say("history.files")))
        if any_games:
            taps = [tap(self.say(f"history.{ending}"), partial(self._export, ending)) for ending in _KINDS]
            panel.add_widget(Grid(*taps, cols=1 if self.slim else len(taps)))
        panel.add_widget(tap(self.say("history.import"), self._import, halign="center"))
        panel.add_widget(Quiet(text=self.say("history.private")))
        unread = (*self.desk.history.damaged, *self.desk.damaged)
        if unread:
            panel.add_widget(Quiet(text=self.say("history.damaged", n=len(unread), names=unread[:_NAMED])))

    def _export(self, ending: str) -> None:
        file = self.desk.folder / "shared" / f"companion-history.{ending}"
        try:
            n = self.desk.history.export(file)
        except Trouble as trouble:
            self.app.tell(trouble)
        else:
            if not self.desk.system.share(file, _KINDS[ending], self.say("sheet.share")):
                self.app.tell(self.say("history.exported", n=n, file=str(file)))

    def _import(self) -> None:
        folder = self.desk.folder / "shared"
        start = folder if folder.is_dir() else gallery_folder()
        if not self.desk.system.pick("application/json", self._picked):
            self.app.go("files", Browsing(start, self._chosen))

    def _picked(self, file: Path | Trouble | None) -> None:
        """By the phone's own way to choose files."""
        if isinstance(file, Trouble):
            self.app.tell(file)
        elif file is not None:
            self._take_in(file)

    def _chosen(self, file: Path) -> None:
        self.app.leave()
        self._take_in(file)

    def dropped(self, file: Path, /) -> None:
        """Exported games, dropped onto the window."""
        if file.suffix.lower() in FilesPage.endings:
            self._take_in(file)
        else:
            self.app.tell(self.say("drop.games", file=file.name))

    def _take_in(self, file: Path) -> None:
        try:
            n = self.desk.history.take_in(file)
        except Trouble as trouble:
            self.app.tell(trouble)
        else:
            self.app.refresh()
            self.app.tell(self.say("history.imported", n=n))


class LogPage(Page[TableModel]):
    """Everything that was told in this game, the newest first; a wrong entry can be struck out."""

    title_key = "table.log"

    @property
    def wild(self) -> WildCard:
        return self.model.board.cards.wild

    def fill(self) -> None:
        panel: Column = self.ids.panel
        panel.clear_widgets()
        lines = self.model.log
        if not lines:
            panel.add_widget(Text(text=self.say("log.none")))
        self.list_some(panel, lines, self._line)

    def _line(self, line: LogLine) -> Row:
        row = Row(padding=(0, dp(2)), spacing=dp(8))
        # A photo brought what lies there of everybody.
        row.add_widget(Swatch(line.color) if line.color else Sign(text=CAMERA, size=(dp(34), dp(26))))
        told = Column(spacing=0, pos_hint={"center_y": 0.5})
        told.add_widget(Text(text=line.words))
        points = signed(line.points) if line.points else ""
        below = not self.wide and self.app.width < theme.NARROW * sp(1)
        about = " · ".join(part for part in (points if below else "", line.about) if part)
        if about:
            told.add_widget(Quiet(text=about))
        for rule in rule_taps(self, self.model.game, line.rules):
            told.add_widget(rule)
        row.add_widget(told)
        if not below:
            last = Text(text=points, bold=True, halign="right", size_hint_x=None, width=sp(40), pos_hint=_MIDDLE)
            row.add_widget(last)
        row.add_widget(IconTap("✕", self.say("log.strike"), lambda: self._ask(line)))
        return row

    def _ask(self, line: LogLine) -> None:
        answers: list[tuple[str, Callable[[], object] | None, str]] = [
            (self.say("log.strike"), lambda: self._strike(line), "bad"),
            (self.say("cancel"), None, "button"),
        ]
        self.app.ask(self.say("log.strike-ask"), answers)

    def _strike(self, line: LogLine) -> None:
        self.model.strike(line)
        self.fill()


load_kv(__file__)

"""The score sheet, revealed line by line; every number opens what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any  # Any: JSON, Kivy has no types, and every page has a model of its own

from kivy.clock import Clock
from kivy.graphics import PopMatrix, PushMatrix, Translate
from kivy.metrics import sp

from companion.table.bgstats import play_link
from companion.table.parcel import Parcel
from companion.ui import share, theme
from companion.ui.feel import LONG
from companion.ui.models.finish import FinishModel
from companion.ui.models.passing import Sending
from companion.ui.models.sheet import Evidence, PlayerScore, Proof, SheetModel, number, signed
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.system import on_android
from companion.ui.widgets.base import Column, Grid, Heading, Huge, Icon, Panel, Row, Text
from companion.ui.widgets.confetti import celebrate
from companion.ui.widgets.pieces import Swatch
from companion.ui.widgets.timeline import Timeline
from companion.ui.work import Note
from maps import Trouble

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp

# A player's lines stand in one row as long as each can be read and tapped.
_MOST_COLUMNS = 6
# On a phone that many buttons don't stand side by side.
_MANY_WAYS = 4


class SheetPage(Page[SheetModel]):
    title_key = "sheet.title"

    def __init__(self, app: CompanionApp, model: SheetModel) -> None:
        # Where everybody stood before a line was shown, and with how many points.
        self._stood: dict[str, tuple[float, int]] = {}
        self._totals: dict[str, Heading] = {}
        self._boxes: dict[str, Panel] = {}
        self._run: Any = None
        super().__init__(app, model)

    def fill(self) -> None:
        self.app.keep()
        self._totals, self._boxes = {}, {}
        model, panel = self.model, self.ids.panel
        panel.clear_widgets()
        self.ids.ways.clear_widgets()
        if model.complete:
            panel.add_widget(Icon(text="★", size_hint_y=None, height=sp(36), font_size=sp(theme.HUGE)))
            panel.add_widget(Huge(text=", ".join(model.sheet.winners)))
            panel.add_widget(Text(text=model.verdict, halign="center"))
            self.hint(panel, "sheet")
        elif not model.shown:
            panel.add_widget(Text(text=self.say("sheet.begin"), halign="center"))
        if model.complete and model.warnings:
            # What may be wrong is read before the numbers are believed.
            box = Panel(kind="soft")
            for warning in model.warnings:
                box.add_widget(Text(text="• " + warning, ink_of="soft"))
            panel.add_widget(box)
        players = model.ranking if model.complete else model.leading
        for player in players:
            panel.add_widget(self._player(player))
        if model.complete and model.timeline:
            box = Panel()
            box.add_widget(Text(text=self.say("sheet.timeline")))
            box.add_widget(Timeline(model.timeline, self.desk.look))
            panel.add_widget(box)
        if model.complete:
            if model.refereed is not None:
                self._way("sheet.go-on", self._go_on)
            if model.past is not None:
                self._way("sheet.correct", self._correct)
                self._way("sheet.codes", self._pass_on)
            self._way("sheet.share", self._share)
            self._way("sheet.home", self._done, "primary")
        else:
            following = model.lines[model.shown] if model.shown < len(model.lines) else ""
            text = self.say("sheet.next", line=model.line_name(following)) if following else self.say("sheet.who")
            self.ids.ways.add_widget(tap(text, self._reveal, "primary", bold=True))
            self._way("sheet.all", self._all)
        ways = len(self.ids.ways.children)
        self.ids.ways.cols = ways if self.wide or ways < _MANY_WAYS else 2

    def _way(self, key: str, do: Callable[[], object], kind: str = "button") -> None:
        self.ids.ways.add_widget(tap(self.say(key), do, kind))

    def _player(self, player: PlayerScore) -> Panel:
        model = self.model
        panel = Panel()
        head = Row()
        head.add_widget(Swatch(player.color))
        place = f"{player.rank}. " if model.complete else ""
        head.add_widget(Heading(text=place + player.name, pos_hint={"center_y": 0.5}))
        shown = number(model.running_total(player)) if model.shown else ""
        total = Heading(text=shown, halign="right", size_hint_x=0.35)
        total.pos_hint = {"center_y": 0.5}
        head.add_widget(total)
        self._totals[player.name], self._boxes[player.name] = total, panel
        panel.add_widget(head)
        grid = Grid(cols=min(_MOST_COLUMNS, max(1, model.shown), len(model.lines)) if self.wide else 2)
        for line in model.lines[: model.shown]:
            value = player.breakdown.get(line, 0)
            text = two_lines(signed(value), model.line_name(line))
            grid.add_widget(tap(text, partial(self.app.go, "evidence", Proof(model, line, player))))
        panel.add_widget(grid)
        return panel

    def _reveal(self) -> None:
        self._show(self.model.reveal)

    def _all(self) -> None:
        self._show(self.model.reveal_all)

    def _show(self, reveal: Callable[[], None]) -> None:
        """Shows more lines: points count up, rows overtake each other, and the winner is celebrated."""
        model = self.model
        if self._run is not None:
            self._run.cancel()
        self._stood = {p.name: (float(self._boxes[p.name].top), model.running_total(p)) for p in model.leading}
        reveal()
        self.fill()
        self.app.feel.give("win" if model.complete else "line")
        if self.app.feel.moves:
            # The new rows have their places only in the next frame.
            Clock.schedule_once(self._overtake, 0)

    def _overtake(self, _dt: float) -> None:
        """Every row comes from where it stood. Only its picture moves: a tap meets it where it will be."""
        if self.app.page is not self:
            return
        moves = []
        for player in self.model.leading:
            box, total = self._boxes[player.name], self._totals[player.name]
            top, points = self._stood.get(player.name, (float(box.top), 0))
            shift = Translate(0, 0)
            box.canvas.before.insert(0, shift)
            box.canvas.before.insert(0, PushMatrix())
            box.canvas.after.add(PopMatrix())
            # What was far below the edge comes from the edge.
            far = max(-self.height, min(self.height, top - float(box.top)))
            moves.append((shift, far, total, points, self.model.running_total(player)))

        def step(share: float) -> None:
            for shift, far, total, before, after in moves:
                shift.y = far * (1 - share)
                total.text = number(round(before + (after - before) * share))

        self._run = self.app.feel.run(step, LONG)
        if self.model.complete:
            colors = [p.color for p in self.model.sheet.players if p.name in self.model.sheet.winners]
            celebrate(self.app.shell, colors, self.app.feel)

    def closed(self) -> None:
        if self._run is not None:
            self._run.cancel()

    @classmethod
    def kept(cls, model: SheetModel) -> dict[str, Any] | None:
        return {"shown": model.shown} if model.finish is not None else None

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        if not isinstance(below.model, FinishModel):
            return False
        model = below.model.sheet_now()
        model.shown = int(data["shown"])
        below.app.go("sheet", model)
        return True

    def _correct(self) -> None:
        """Back to who played and what they hold; the sheet is counted again and takes the place of this one."""
        model = self.model
        if model.finish is not None:
            self.app.leave()
        elif model.past is not None:
            self.app.home()
            self.app.go("finish", FinishModel.of_past(self.desk, model.past))

    def _go_on(self) -> None:
        """The game that was counted goes on: it was not over after all."""
        if self.model.refereed is not None:
            self.desk.go_on(self.model.refereed)
            self.app.home()
            self.app.go("table", self.app.table_model())

    def _done(self) -> None:
        """Everybody has seen it: only now it goes into the history."""
        model = self.model
        if model.finish is not None:
            try:
                model.finish.done(model)
            except Trouble as trouble:
                self.app.tell(trouble)
                return
        self.app.home()

    def _share(self) -> None:
        """As a picture or a page, copied as words, or into the app that keeps one's games."""
        answers: list[tuple[str, Callable[[], object] | None, str]] = [
            (self.say("share.picture"), partial(self._save, 0), "primary"),
            (self.say("share.page"), partial(self._save, 1), "button"),
            (self.say("share.copy"), self._copy, "button"),
        ]
        if self.model.past is not None:
            answers.append((self.say("share.bgstats"), self._bgstats, "button"))
        self.app.ask(self.say("share.how"), [*answers, (self.say("cancel"), None, "button")])

    def _save(self, which: int) -> None:
        folder = self.desk.folder / "shared"
        self.desk.work.start("share", lambda _: (which, *share.save(self.model, folder)), self._shared)

    def _copy(self) -> None:
        from kivy.core.clipboard import Clipboard

        Clipboard.copy(share.as_text(self.model))
        self.app.tell(self.say("share.copied"))

    def _bgstats(self) -> None:
        """On a phone the app itself opens; elsewhere its website, which is said before."""
        past = self.model.past
        if past is None:
            return
        if on_android():
            self._open_link(play_link(past, "bgstats"))
            return
        go = partial(self._open_link, play_link(past))
        self.app.ask(
            self.say("share.bgstats-ask"),
            [(self.say("share.bgstats"), go, "primary"), (self.say("cancel"), None, "button")],
        )

    def _open_link(self, address: str) -> None:
        if not self.desk.system.open_link(address):
            self.app.tell(self.say("share.no-app"))

    def _pass_on(self) -> None:
        """The finished game as codes, for another phone's history."""
        try:
            self.app.go("codes", Sending(self.desk, Parcel(finished=self.model.past)))
        except Trouble as trouble:
            self.app.tell(trouble)

    def _shared(self, note: Note) -> None:
        if note.kind == "done":
            which, picture, page = note.value
            file, kind = ((picture, "image/png"), (page, "text/html"))[which]
            if not self.desk.system.share(file, kind, self.say("sheet.share")):
                where = str(picture.parent)
                self.app.tell(self.say("sheet.shared", picture=picture.name, page=page.name, folder=where))
        elif note.kind == "failed":
            self.app.tell(note.value)


class EvidencePage(Page[Proof]):
    """One line of one player on the map: tap an entry to light it up."""

    def __init__(self, app: CompanionApp, model: Proof) -> None:
        self.sheet, self.line, self.player = model.sheet, model.line, model.player
        self.found = self.sheet.evidence(self.line, self.player)
        self.chosen: Evidence | None = self.found[0] if len(self.found) == 1 else None
        super().__init__(app, model)

    @property
    def title(self) -> str:
        return f"{self.player.name} · {self.sheet.line_name(self.line)}"

    def fill(self) -> None:
        marks = self.chosen.marks if self.chosen else tuple(m for e in self.found for m in e.marks)
        if not self.ids.map.children:
            self.ratio = 1 / self.sheet.position.board.geometry.aspect
            self.map = self.map_view(self.sheet.position.board.id, self.sheet.pieces(marks), played=True)
            self.ids.map.add_widget(self.map)
        else:
            self.map.show(self.sheet.position.board.id, self.sheet.pieces(marks))
        self.map.frame(marks if self.chosen else ())
        panel: Column = self.ids.panel
        panel.clear_widgets()
        if not self.found:
            panel.add_widget(Text(text=self.say("sheet.nothing")))
        for evidence in self.found:
            text = evidence.words if evidence.points is None else f"{signed(evidence.points)}  {evidence.words}"
            kind = "chosen" if evidence is self.chosen else "panel"
            panel.add_widget(tap(text, partial(self._choose, evidence), kind, halign="left"))

    def _choose(self, evidence: Evidence) -> None:
        self.chosen = None if self.chosen is evidence else evidence
        self.fill()


load_kv(__file__)

"""The table: the map, whose turn it is, what may be done, and the action being told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any  # Any: JSON, and every page has a model of its own

from kivy.metrics import dp, sp
from kivy.uix.behaviors import ButtonBehavior

from companion.table.game import Entry
from companion.table.parcel import Parcel
from companion.table.take_over import take_over
from companion.ui.models.finish import FinishModel
from companion.ui.models.forms import Form, SingleCard, Verdict
from companion.ui.models.passing import Sending
from companion.ui.models.review import ReviewModel
from companion.ui.models.rules import RulesModel
from companion.ui.models.snap import SnapModel
from companion.ui.models.table import Row as PlayerRow
from companion.ui.models.table import TableModel
from companion.ui.models.tickets import TicketPicker
from companion.ui.pages.keeping import ask_keeping
from companion.ui.pages.page import Page, in_parts, load_kv, tap
from companion.ui.pages.table_form import FormPanel
from companion.ui.pages.tasks import Picking, Reviewing
from companion.ui.widgets.base import CAMERA, Column, Grid, Heading, IconTap, Panel, Quiet, Row, Sign, Text
from companion.ui.widgets.pieces import Swatch
from maps import Trouble, WildCard
from vision.reading import Reading

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp

# The room of what everybody should know, in dp: two lines, so that nothing below it moves.
_HEAD = 52
# How high an upright phone has to be for buttons that stay at the bottom, in sp.
_SHORT = 560
# The same for every row of buttons that is more than usual.
_MORE = 90
# Buttons beside each other on a phone on its side.
_BESIDE = 3


class PlayerLine(ButtonBehavior, Row):
    """A player's colour, name, wagons left and points, and what else they hold. A tap lets them act out of turn."""

    def __init__(self, page: TablePage, row: PlayerRow) -> None:
        super().__init__(padding=(dp(4), dp(3)), spacing=dp(5))
        self.text = row.name
        seat = row.members[0] if row.members else row.name
        self.bind(on_release=lambda _: page.act_as(seat))
        self.add_widget(Swatch(row.color))
        left = in_parts(
            page.say("table.wagons", n=row.left), *(page.say(f"table.{kind}", n=n) for kind, n in row.holds)
        )
        words = Column(spacing=0, pos_hint={"center_y": 0.5})
        name = row.name if not row.members else f"{row.name} ({', '.join(row.members)})"
        points = Heading(text=page.say("table.points", n=row.points), halign="right", size_hint_x=None, width=sp(60))
        points.pos_hint = {"center_y": 0.5}
        named, about = Text(text=name, bold=row.to_move), Quiet(text=left, font_size=sp(12))
        # Colour alone is not enough: whose turn it is has a sign too.
        to_move = row.to_move and not page.model.over
        words.add_widget(Row(named, Sign(text="▶", size=(sp(18), sp(18)), font_size=sp(13))) if to_move else named)
        # Where words are large a long name has the whole line, and the points stand below it.
        words.add_widget(Row(about, points) if page.tight else about)
        if row.owns:
            words.add_widget(Quiet(text=", ".join(row.owns)))
        self.add_widget(words)
        if not page.tight:
            self.add_widget(points)


class TablePage(Page[TableModel]):
    def __init__(self, app: CompanionApp, model: TableModel) -> None:
        self._step_shown: tuple[str, str, str, str] | None = None
        self._told = len(model.game.entries)
        self._refused = ""
        super().__init__(app, model)

    @property
    def title(self) -> str:
        return self.model.position.variant.name(self.desk.language)

    @property
    def wild(self) -> WildCard:
        return self.model.board.cards.wild

    @property
    def short_rows(self) -> bool:
        """A phone on its side: three buttons beside each other where words have their usual size, for the players need
        the height."""
        return self.app.low and self.app.wide and sp(1) < 1.1 * dp(1)

    @property
    def piled(self) -> bool:
        """Words are large for this phone: fixed buttons would leave no room for the players, so they go first and are
        scrolled with them."""
        rows = -(-(len(self.model.slots) + 1) // 2)
        return self.tight or (not self.wide and bool(self.app.height < (_SHORT + _MORE * (rows - 3)) * sp(1)))

    @property
    def help(self) -> str:
        return "turns" if self.model.keeps_turns else "claims"

    @classmethod
    def kept(cls, model: TableModel) -> dict[str, Any] | None:
        return model.to_json()

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        if below.desk.game is None:
            return False
        table = TableModel(below.desk, below.desk.game)
        whole = table.resume(data)
        below.app.go("table", table)
        return whole

    def review_of(self, data: Mapping[str, Any]) -> ReviewModel:
        return ReviewModel.from_json(data, self.model.position)

    def fill(self) -> None:
        self.model.ask_next()
        self.app.keep()
        form = self.model.form
        step = (form.kind, form.player, form.asks, form.need) if form is not None else None
        told, before = len(self.model.game.entries), self._told
        if step != self._step_shown or told > before:
            # What lies under the finger now is something else, or the same for the next player: the next moment is not
            # a tap on it. Undo may be tapped as fast as one likes.
            self.app.hold()
        self._step_shown, self._told = step, told
        self._map()
        panel: Column = self.ids.panel
        panel.clear_widgets()
        self.ids.bottom.clear_widgets()
        self.ids.scroll.to_top()
        if form is None:
            self._table(panel)
            return
        # On a phone on its side the referee's word goes first: below the cards there is no room for it.
        word: Column = Column(taps="center") if self.app.low else self.ids.bottom
        if word is not self.ids.bottom:
            panel.add_widget(word)
        panel.add_widget(FormPanel(self, form, word))

    def _map(self) -> None:
        model = self.model
        if not self.ids.map.children:
            self.ratio = 1 / model.board.geometry.aspect
            self.map = self.map_view(model.board.id, model.pieces(), played=True)
            self.map.bind(on_pick=self._picked)
            self.ids.map.add_widget(self.map)
        else:
            self.map.show(model.board.id, model.pieces(), self.app.feel)
        # The surroundings of what is told, large enough to see whose they are.
        self.map.frame(model.marked)

    def _table(self, panel: Column) -> None:
        """Everything has its place: what is told, then the players; below them the buttons, always the same."""
        model = self.model
        head = Row()
        head.add_widget(self._head())
        undo = IconTap("↶", "undo", lambda: self._do(self.model.undo))
        undo.disabled, undo.opacity = not model.game.can_undo, 1.0 if model.game.can_undo else 0.3
        # A phone on its side has no room for a third row of buttons: the players would be out of sight.
        crowded = self.short_rows and not model.over and len(model.slots) >= 2 * _BESIDE
        if crowded:
            head.add_widget(IconTap(CAMERA, self.say("table.snap"), self.snap))
        head.add_widget(undo)
        head.add_widget(IconTap("☰", "menu", lambda: self.app.go("menu", model)))
        panel.add_widget(head)
        if self.piled:
            self._ways(panel, crowded)
        # On its side a phone has no room for what is not told; the buttons below stay where they are.
        if model.notice or not (self.piled or self.app.low):
            panel.add_widget(Quiet(text=model.notice or " ", max_lines=2))
        self._hints(panel)
        players = Panel(spacing=0, padding=dp(4))
        for row in model.rows:
            players.add_widget(PlayerLine(self, row))
        panel.add_widget(players)
        if not self.piled:
            self._ways(self.ids.bottom, crowded)

    def _ways(self, bottom: Column, crowded: bool) -> None:
        """What can be done now. `crowded`: the camera stands elsewhere."""
        model = self.model
        if model.over:
            bottom.add_widget(tap(self.say("table.count"), self.count, "primary", bold=True))
        shown = 0 if model.over else len(model.slots)
        cols = _BESIDE if self.short_rows else 1 if self.tight else 2
        grid = Grid(cols=min(cols, shown + (not crowded)))
        for slot in model.slots if not model.over else ():
            main = "primary" if slot.kind == "claim" else "button"
            text = self.say("do.deck-more", n=slot.cards) if slot.cards else self.say(f"do.{slot.kind}")
            button = tap(text, partial(self._start, slot.kind), main)
            button.disabled = not slot.lit
            grid.add_widget(button)
        if not crowded:
            # Beside the sign its words would take three lines.
            sign = "" if self.short_rows else CAMERA
            grid.add_widget(tap(self.say("table.snap"), self.snap, sign=sign, halign="center"))
        bottom.add_widget(grid)

    def _head(self) -> Column:
        """Whose turn it is; the last round and the end stand out, in the same room."""
        box = Panel(
            kind="chosen" if self.model.last_round else "paper", padding=(dp(8) if self.model.last_round else 0, 0)
        )
        ink = "chosen" if self.model.last_round else ""
        kind = Text if self.tight else Heading
        text = kind(text=self._headline(), ink_of=ink, bold=True)
        text.bind(texture_size=lambda _, size: setattr(text, "height", max(dp(_HEAD), size[1])))
        box.add_widget(text)
        box.pos_hint = {"center_y": 0.5}
        return box

    def _hints(self, panel: Column) -> None:
        self.hint(panel, "table" if self.model.keeps_turns else "claims")

    def _headline(self) -> str:
        model = self.model
        return self.say("table.out-of-turn", player=model.acting) if model.acting else model.headline

    def _start(self, kind: str) -> None:
        if kind == "deck":
            self._do(self._draw_blind)
            return
        self.model.start(kind)
        if kind == "pass":
            self.confirm()
        self.fill()

    def _draw_blind(self) -> None:
        if self.model.draw_blind():
            self._recorded(None, False)

    def act_as(self, name: str) -> None:
        """A player's row was tapped: they act next, whosever turn it is."""
        self.model.act_as(name)
        self.fill()

    def _picked(self, _view: object, x: float, y: float, reach: float) -> None:
        if self.model.pick(x, y, reach):
            self.fill()

    def _do(self, change: Callable[[], object]) -> None:
        try:
            change()
        except Trouble as trouble:
            self.app.tell(trouble)
        if self.app.page is self:
            self.fill()

    def left(self) -> bool:
        form = self.model.form
        if form is None:
            return False
        if not form.back():
            if form.required:
                # Nothing else can be told before it: Back leads home.
                return False
            self.decline() if form.optional else self.model.cancel()
        self.fill()
        return True

    def step(self, way: int, /) -> bool:
        self._do(self.model.undo if way < 0 else self.model.redo)
        return True

    def decline(self) -> None:
        self.model.decline()
        self.fill()

    def confirm(self, accept: bool = False) -> None:
        """ "Yes" to the form: recorded, or on to what the referee still needs."""
        form = self.model.form
        if form is None:
            return
        verdict = None if accept else self._verdict()
        try:
            recorded = form.go_on(accept)
        except Trouble as trouble:
            self.app.tell(trouble)
            return
        if recorded:
            self._recorded(verdict, accept)
        self.fill()

    def refused(self, form: Form) -> None:
        """The referee says no: heard once for the same thing."""
        told = str(sorted(form.data.items(), key=str))
        if told != self._refused:
            self._refused = told
            self.app.feel.give("wrong")

    def _verdict(self) -> Verdict | None:
        try:
            return self.model.form.verdict() if self.model.form else None
        except Trouble:
            return None

    def _recorded(self, verdict: Verdict | None, accept: bool) -> None:
        self.app.feel.give("laid")
        last: Entry = self.model.game.entries[-1]
        told = self.model.entry_words(last)
        if accept:
            told = self.say("table.accepted", what=told)
        elif verdict is not None and verdict.points:
            told = f"{told} {self.say('table.scored', n=verdict.points)}"
        self.model.done(told)

    def claim_for(self, player: str) -> None:
        """Only what is laid is told: whose wagons or building it is."""
        try:
            verdict = self.model.claim_for(player)
        except Trouble as trouble:
            self.app.tell(trouble)
            return
        if verdict.complete:
            self._recorded(verdict, False)
        self.fill()

    def correct_owner(self, player: str | None) -> None:
        """The record was wrong about who holds this route."""
        form = self.model.form
        if form is not None:
            self._do(lambda: self.model.correct_owner(str(form.data["route"]), player))

    def give_up(self) -> None:
        form = self.model.form
        if form is not None and form.give_up():
            self._recorded(None, False)
        self.fill()

    def cancel(self) -> None:
        self.model.cancel()
        self.fill()

    def camera(self, purpose: str, /) -> SnapModel | None:
        if purpose == "cards":
            return SnapModel(self.desk, "cards", self._cards, colors=self.model.board.cards.colors)
        return self._board_camera() if purpose == "board" else None

    def snap_cards(self) -> None:
        self.open_camera("cards")

    def _cards(self, cards: list[SingleCard]) -> None:
        self.app.leave()
        if self.model.form is not None:
            self.model.form.show_cards(cards)
            self.app.refresh()

    def pick_ticket(self) -> None:
        self.app.go("ticket", self.picking())

    def picking(self, first: str = "") -> Picking:
        return Picking(TicketPicker(self.model.position, first=first), self._ticket)

    def _ticket(self, ticket: Any) -> None:
        if self.model.form is not None:
            self.model.form.data["tickets"].append(ticket)
        self.app.leave()

    def snap(self) -> None:
        """A photo of the board: what is new since last time."""
        self.open_camera("board")

    @property
    def drops(self) -> str:
        """The board, but not in the middle of telling something else."""
        return "board" if self.model.form is None else ""

    def _board_camera(self) -> SnapModel:
        position = self.model.position
        # Every colour is looked for: somebody may have been forgotten.
        known = {r: position.players[i[0]].color for r, i in position.owners.items()}
        board, depots = position.board.id, position.has_depots
        limits = position.variant.group_limits(position.board, position.seats)
        model = SnapModel(self.desk, "board", board=board, known=known, depots=depots, limits=limits)
        model.done = lambda reading: self._seen(reading, model)
        return model

    def _seen(self, reading: Reading, snap: SnapModel) -> None:
        if snap.picture is not None:
            review = ReviewModel(reading, snap.picture, self.model.position)
            self.app.replace("review", self.reviewing(review, snap))

    def reviewing(self, review: ReviewModel, snap: SnapModel | None = None) -> Reviewing:
        again = snap or self._board_camera()
        # A team more would need its partners as well.
        alone = self.model.position.variant.team_size == 1 and not self.desk.is_practice(self.model.game)
        add_player = self._add_player if alone else None
        return Reviewing(review, self._reviewed, lambda: self.app.replace("snap", again), add_player)

    def _add_player(self, review: ReviewModel, color: str) -> None:
        """A colour on the board that nobody plays: somebody was forgotten."""
        try:
            verdict = self.model.game.join(self.word(color), color)
        except Trouble as trouble:
            self.app.tell(trouble)
            return
        if not verdict.legal:
            self.app.tell(verdict.reasons[0].message)
            return
        again = ReviewModel(review.reading, review.picture, self.model.position)
        again.answers.update(review.answers)
        again.at = len(again.items) if review.item is None else 0
        self.app.replace("review", self.reviewing(again))

    def _reviewed(self, review: ReviewModel) -> None:
        self._do(lambda: review.record(self.desk))
        taken = take_over(self.model.game, review.believed(), review.picture.name)
        self.model.done(self.say("table.from-photo", n=taken.changes))
        self.app.leave()

    def count(self) -> None:
        self.app.go("finish-player", FinishModel.of_game(self.desk, self.model.game))


class MenuPage(Page[TableModel]):
    """What is needed now and then: the log, another phone, the end."""

    title_key = "table.menu"

    def fill(self) -> None:
        model, panel = self.model, self.ids.panel
        panel.clear_widgets()
        undo = tap(self.say("table.undo"), partial(self._do, model.undo), sign="↶")
        undo.disabled = not model.game.can_undo
        redo = tap(self.say("table.redo"), partial(self._do, model.redo), sign="↷")
        redo.disabled = not model.game.can_redo
        panel.add_widget(Row(undo, redo))
        panel.add_widget(tap(self.say("table.log"), lambda: self.app.go("log", model), sign="≡"))
        panel.add_widget(tap(self.say("rules.title"), self._rules, sign="⚖"))
        panel.add_widget(tap(self.say("table.pass-on"), self._pass_on, sign="⇄"))
        change = partial(ask_keeping, self, model.game, lambda: None)
        panel.add_widget(tap(self.say("keeping.change"), change, sign="whistle"))
        panel.add_widget(tap(self.say("table.end"), self._ask_end, sign="⚑"))

    @classmethod
    def kept(cls, _model: TableModel) -> dict[str, Any]:
        return {}

    @classmethod
    def resume(cls, below: Page[Any], _data: Mapping[str, Any]) -> bool:
        if not isinstance(below, TablePage):
            return False
        below.app.go("menu", below.model)
        return True

    def _do(self, change: Callable[[], None]) -> None:
        try:
            change()
        except Trouble as trouble:
            self.app.tell(trouble)
        else:
            self.app.leave()

    def _rules(self) -> None:
        self.app.go("rules", RulesModel.of_game(self.desk, self.model.position))

    def _pass_on(self) -> None:
        """The game as codes, for another phone to go on with."""
        try:
            self.app.go("codes", Sending(self.desk, Parcel.of(self.model.game)))
        except Trouble as trouble:
            self.app.tell(trouble)

    def _ask_end(self) -> None:
        if self.model.over:
            self._count()
            return
        answers = [(self.say("table.count"), self._count, "button"), (self.say("table.play-on"), None, "primary")]
        self.app.ask(self.say("table.end-ask"), answers)

    def _count(self) -> None:
        self.app.replace("finish-player", FinishModel.of_game(self.desk, self.model.game))


load_kv(__file__)

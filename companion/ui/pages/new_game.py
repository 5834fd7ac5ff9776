"""A new game: which board and rules, then who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any  # Any: JSON

from kivy.metrics import dp

from companion.ui import services
from companion.ui.models.new_game import KEEPING, NewGame, boards, rules_of
from companion.ui.models.rules import RulesModel
from companion.ui.models.snap import SnapModel
from companion.ui.models.watch import WatchModel
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.scripts import missing
from companion.ui.widgets.base import CAMERA, Column, Entry, Grid, IconTap, Quiet, Row, Tap, Toggle, escape
from companion.ui.widgets.pieces import ColorTap, Swatch
from maps import Trouble

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp


class VariantPage(Page[NewGame]):
    title_key = "new.title"

    @property
    def help(self) -> str:
        return self.model.keeping

    @classmethod
    def kept(cls, model: NewGame) -> dict[str, Any]:
        return model.to_json()

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        model = NewGame(below.desk)
        model.resume(data)
        below.app.go("variant", model)
        return True

    def fill(self) -> None:
        self.app.keep()
        language, model = self.desk.language, self.model
        for box in ("boards", "scan", "variants", "keeping", "remarks", "choices"):
            self.ids[box].clear_widgets()
        for board in boards():
            chosen = board.id == model.board.id
            choose = partial(self._choose, rules_of(board.id)[0])
            self.ids.boards.add_widget(self.board_tap(board, choose, "chosen" if chosen else "button"))
        self.ids.scan.add_widget(tap(self.say("new.scan"), self.scan, sign=CAMERA))
        every = rules_of(model.board.id)
        self.ids.which.text = self.say("new.variant") if len(every) > 1 else ""
        # One set of rules is no question.
        for variant in every if len(every) > 1 else ():
            chosen = variant.id == model.variant.id
            name = variant.name(language)
            self.ids.variants.add_widget(
                tap(name, partial(self._choose, variant), "chosen" if chosen else "button", halign="left")
            )
        for keeping in KEEPING:
            kind = "chosen" if keeping == model.keeping else "button"
            text = two_lines(self.say(f"keeping.{keeping}"), self.say(f"keeping.{keeping}-about"))
            self.ids.keeping.add_widget(tap(text, partial(self._keep_by, keeping), kind, halign="left"))
        self.ids.remarks.add_widget(tap(self.say("rules.title"), self._rules, sign="⚖"))
        for told in (*model.board.unsure, *model.variant.choices):
            self.ids.remarks.add_widget(Quiet(text="• " + told(language)))
        for choice in model.choices:
            text = two_lines(choice.name(language), choice.about(language))
            self.ids.choices.add_widget(Toggle(text, choice.on, partial(self._switch, choice.id)))

    def _rules(self) -> None:
        self.app.go("rules", RulesModel(self.desk, self.model.variant.id, extras=self.model.extras))

    def _keep_by(self, keeping: str) -> None:
        self.model.keeping = keeping
        self.fill()

    def _switch(self, choice: str, on: bool) -> None:
        self.model.switch(choice, on)
        self.app.keep()

    def _choose(self, variant: object) -> None:
        self.model.choose(variant)  # type: ignore[arg-type]
        self.fill()

    def scan(self) -> None:
        self.open_camera("box")

    def camera(self, purpose: str, /) -> SnapModel | None:
        return SnapModel(self.desk, "box", self._scanned) if purpose == "box" else None

    def _scanned(self, seen: tuple[str, str | None]) -> None:
        self.model.barcode, board = seen
        self.app.leave()
        if board is not None:
            self.model.choose(rules_of(board)[0])
            self.app.refresh()
        else:
            self.app.tell(self.say("new.box-unknown"))

    def next(self) -> None:
        """A box that was scanned is remembered as the board that was chosen."""
        untold = None
        if self.model.barcode:
            try:
                services.name_box(self.model.barcode, self.model.board.id)
            except Trouble as trouble:
                untold = trouble
        self.app.go("players", self.model)
        if untold is not None:
            self.app.tell(untold)


class PlayersPage(Page[NewGame]):
    title_key = "new.players"

    @property
    def help(self) -> str:
        return self.model.keeping

    @classmethod
    def kept(cls, model: NewGame) -> dict[str, Any]:
        return model.to_json()

    @classmethod
    def resume(cls, below: Page[Any], _data: Mapping[str, Any]) -> bool:
        if not isinstance(below, VariantPage):
            return False
        below.app.go("players", below.model)
        return True

    def __init__(self, app: CompanionApp, model: NewGame) -> None:
        self._picking = -1
        self._firsts: list[Tap] = []
        super().__init__(app, model)

    def fill(self) -> None:
        self.app.keep()
        for box in ("seats", "number", "first", "empty"):
            self.ids[box].clear_widgets()
        for i in range(len(self.model.seats)):
            self.ids.seats.add_widget(self._seat(i))
        if self.model.can_add:
            self.ids.number.add_widget(tap(self.say("new.add"), lambda: self._do(self.model.add), sign="✚"))
        self._firsts = []
        for i in range(len(self.model.seats) if self.model.keeping == "turns" else 0):
            chosen = i == self.model.first
            self._firsts.append(tap(self.model.told_name(i), partial(self._first, i), "chosen" if chosen else "button"))
            self.ids.first.add_widget(self._firsts[-1])
        if self._firsts:
            self.ids.first.add_widget(tap(self.say("new.draw"), lambda: self._do(self.model.draw_first), "soft"))
        self.ids.empty.add_widget(tap(self.say("new.empty-board-snap"), self.enrol, sign=CAMERA))
        self._problem()

    def _problem(self) -> None:
        unseen = missing("".join(seat.name for seat in self.model.seats))
        self.ids.signs.text = self.say("new.no-font", signs=unseen) if unseen else ""
        problem = self.model.problem
        self.ids.problem.text = self.desk.tell(problem) if problem else ""
        self.ids.begin.disabled = problem is not None

    def _seat(self, i: int) -> Column:
        seat = self.model.seats[i]
        row = Row()
        color = Tap("", lambda: self._pick(i), size_hint_x=None, width=dp(56))
        color.take_words_away()
        color.add_widget(Swatch(seat.color))
        name = Entry(text=seat.name, hint_text=self.model.told_name(i))
        name.bind(text=lambda _, text: self._name(i, text))
        row.add_widget(color)
        row.add_widget(name)
        heads = i % self.model.team_size == 0
        up = IconTap("↑", f"up-{i}", lambda: self._do(lambda: self.model.move_up(i)))
        _only_if(up, heads and i > 0)
        row.add_widget(up)
        if self.model.can_remove:
            gone = IconTap("✕", f"remove-{i}", lambda: self._do(lambda: self.model.remove(i)))
            _only_if(gone, heads)
            row.add_widget(gone)
        column = Column()
        column.add_widget(row)
        if self._picking == i:
            column.add_widget(self._colors(i))
        return column

    def _colors(self, i: int) -> Grid:
        grid = Grid(cols=2 if not self.wide else 5)
        for color in self.model.board.wagon_colors:
            grid.add_widget(ColorTap(color, self.model.word(color), partial(self._color, i, color)))
        return grid

    def _pick(self, i: int) -> None:
        self._picking = -1 if self._picking == i else i
        self.fill()

    def _color(self, i: int, color: str) -> None:
        self._picking = -1
        self._do(lambda: self.model.color(i, color))

    def _name(self, i: int, text: str) -> None:
        self.model.name(i, text)
        # Who begins is chosen by the names that were just typed.
        if self._firsts:
            self._firsts[i].text = escape(self.model.told_name(i))
        self.app.keep()
        self._problem()

    def _first(self, i: int) -> None:
        self.model.first = i
        self.fill()

    def _do(self, change: object) -> None:
        change()  # type: ignore[operator]
        self.fill()

    def enrol(self) -> None:
        self.open_camera("enrol")

    def camera(self, purpose: str, /) -> SnapModel | None:
        if purpose != "enrol":
            return None
        return SnapModel(self.desk, "enrol", self._enrolled, board=self.model.board.id)

    def _enrolled(self, _: object) -> None:
        self.app.leave()
        self.app.tell(self.say("new.enrolled"))

    def begin(self) -> None:
        self.model.begin()
        self.app.home()
        self.app.go("table", self.app.table_model())
        if self.model.keeping == "watched" and self.desk.game is not None:
            self.app.go("watch", WatchModel(self.desk, self.desk.game))


def _only_if(button: IconTap, there: bool) -> None:
    """A button that is not there leaves its room, so that the names stay in line."""
    button.disabled, button.opacity = not there, float(there)


load_kv(__file__)

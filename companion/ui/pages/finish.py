"""Scoring a board: where it comes from, who played, and by which rules. Nothing here is lost on the way back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any  # Any: JSON

from companion.ui.models.finish import Draft, FinishModel
from companion.ui.models.new_game import boards
from companion.ui.models.review import ReviewModel
from companion.ui.models.snap import SnapModel
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.pages.tasks import Editing, Reviewing
from companion.ui.widgets.base import CAMERA, Column, Entry, Grid, Heading, IconTap, PartTitle, Quiet, Row, Text, Toggle
from companion.ui.widgets.pieces import ColorTap, Swatch
from vision.reading import Reading

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp


class FinishPage(Page[FinishModel]):
    """Before the photo it leads to the camera, after it it shows who played."""

    title_key = "home.score"

    @property
    def help(self) -> str:
        return "score"

    def __init__(self, app: CompanionApp, model: FinishModel) -> None:
        self._by_hand = False
        super().__init__(app, model)

    @classmethod
    def kept(cls, model: FinishModel) -> dict[str, Any]:
        return model.to_json()

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        model = FinishModel(below.desk)
        model.resume(data)
        below.app.go("finish", model)
        return True

    def review_of(self, data: Mapping[str, Any]) -> ReviewModel:
        self.model.review = ReviewModel.from_json(data)
        return self.model.review

    def fill(self) -> None:
        self.app.keep()
        self.model.keep()
        panel: Column = self.ids.panel
        panel.clear_widgets()
        self.ids.bottom.clear_widgets()
        if self.model.board is not None:
            self._who(panel)
            return
        panel.add_widget(Text(text=self.say("finish.how")))
        panel.add_widget(tap(self.say("finish.snap"), self.snap, "primary", bold=True, sign=CAMERA))
        if self._by_hand:
            self._boards(panel)
        else:
            panel.add_widget(tap(self.say("finish.by-hand"), self._choose_by_hand))

    def _choose_by_hand(self) -> None:
        self._by_hand = True
        self.fill()

    def _boards(self, panel: Column) -> None:
        panel.add_widget(PartTitle(text=self.say("new.board")))
        grid = Grid(cols=4 if self.wide else 2)
        for board in boards():
            grid.add_widget(self.board_tap(board, partial(self._board, board.id)))
        panel.add_widget(grid)

    def _board(self, board: str) -> None:
        self.model.choose_board(board)
        self.fill()
        self._edit()

    def snap(self) -> None:
        self.open_camera("board")

    @property
    def drops(self) -> str:
        return "board"

    def camera(self, purpose: str, /) -> SnapModel | None:
        if purpose != "board":
            return None
        model = SnapModel(self.desk, "board", depots=self.model.plays_depots)
        model.done = lambda reading: self._seen(reading, model)
        return model

    def _seen(self, reading: Reading, snap: SnapModel) -> None:
        """What was read is always shown before it counts."""
        if snap.picture is not None:
            self.app.replace("review", self.reviewing(self.model.seen(reading, snap.picture), snap))

    def reviewing(self, review: ReviewModel, snap: SnapModel | None = None) -> Reviewing:
        again = snap or self.camera("board")
        return Reviewing(review, self._reviewed, lambda: self.app.replace("snap", again))

    def _reviewed(self, _: ReviewModel) -> None:
        trouble = self.model.reviewed()
        self.app.leave()
        if trouble is not None:
            self.app.tell(trouble)

    def _who(self, panel: Column) -> None:
        model, language = self.model, self.desk.language
        if model.board is None:
            return
        panel.add_widget(Heading(text=model.board.name(language)))
        fitting = model.variants
        for variant in fitting if len(fitting) > 1 else ():
            kind = "chosen" if variant.on else "button"
            panel.add_widget(tap(variant.name, partial(self._variant, variant.id), kind, halign="left"))
        panel.add_widget(PartTitle(text=self.say("new.players")))
        for draft in model.drafts:
            panel.add_widget(self._player(draft))
        for color in model.free_colors:
            name = self.say("finish.add", color=model.word(color))
            panel.add_widget(ColorTap(color, name, partial(self._add, color)))
        panel.add_widget(tap(self.say("finish.edit"), self._edit, sign="✎"))
        if model.past is None:
            panel.add_widget(tap(self.say("review.retake"), self.snap, sign=CAMERA))
        for module in model.extras:
            text = two_lines(module.name, module.about)
            panel.add_widget(Toggle(text, module.on, partial(self._switch, module.id)))
        if model.depots_unseen:
            panel.add_widget(tap(self.say("finish.find-depots"), self._find_depots, "soft", sign=CAMERA))
        go = tap(self.say("new.next"), self._go, "primary", bold=True)
        go.disabled = not model.drafts
        self.ids.bottom.add_widget(go)

    def _player(self, draft: Draft) -> Row:
        row = Row()
        row.add_widget(Swatch(draft.color))
        name = Entry(text=draft.name, hint_text=self.model.word(draft.color))
        name.bind(text=lambda _, text: self._name(draft, text))
        row.add_widget(name)
        told = self.say("finish.seen", n=len(draft.told.get("routes", ())))
        row.add_widget(Quiet(text=told, size_hint_x=0.6, pos_hint={"center_y": 0.5}))
        if not draft.told.get("routes"):
            row.add_widget(IconTap("✕", f"remove-{draft.color}", lambda: self._remove(draft)))
        return row

    def _name(self, draft: Draft, text: str) -> None:
        draft.name = text.strip()
        self.app.keep()
        self.model.keep()

    def _variant(self, variant: str) -> None:
        self.model.choose_variant(variant)
        self.fill()

    def _switch(self, module: str, on: bool) -> None:
        self.model.switch(module, on)
        self.fill()

    def _edit(self) -> None:
        self.app.go("edit", self.editing())

    def editing(self) -> Editing:
        return Editing(self.model.edit(), self.app.keep)

    def _find_depots(self) -> None:
        """Reads the photo once more: depots are looked for only where they are played."""
        snap = self.camera("board")
        self.app.go("snap", snap)
        if snap is not None and self.model.picture is not None:
            snap.load(self.model.picture)

    def _add(self, color: str) -> None:
        self.model.add(color)
        self.fill()

    def _remove(self, draft: Draft) -> None:
        self.model.remove(draft)
        self.fill()

    def _go(self) -> None:
        self.model.at = 0
        self.app.go("finish-player", self.model)


load_kv(__file__)

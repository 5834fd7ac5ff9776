"""The boards: all of them drawn, with what is unsure about each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any  # Any: JSON

from kivy.metrics import dp

from companion import words
from companion.ui import services
from companion.ui.layers import Pieces
from companion.ui.models.new_game import boards, rules_name, rules_of
from companion.ui.models.rules import RulesModel
from companion.ui.models.snap import SnapModel
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.widgets.base import CAMERA, Column, Heading, PartTitle, Quiet, Text
from maps import Board, load


class BoardsPage(Page[None]):
    title_key = "home.boards"

    @classmethod
    def kept(cls, _model: None) -> dict[str, Any]:
        return {}

    @classmethod
    def resume(cls, below: Page[Any], _data: Mapping[str, Any]) -> bool:
        below.app.go("boards")
        return True

    def fill(self) -> None:
        listed = self.ids.listed
        listed.clear_widgets()
        for board in boards():
            listed.add_widget(self.board_tap(board, partial(self.app.go, "board", board), "panel"))


class BoardPage(Page[Board]):
    """One board, large, with its numbers and doubts."""

    @property
    def title(self) -> str:
        board: Board = self.model
        return board.name(self.desk.language)

    def fill(self) -> None:
        board, language = self.model, self.desk.language
        self.ratio = 1 / board.geometry.aspect
        self.ids.map.clear_widgets()
        self.ids.told.clear_widgets()
        self.ids.map.add_widget(self.map_view(board.id, Pieces()))
        told: Column = self.ids.told
        if board.stage != "stable":
            told.add_widget(Heading(text=self.say("stage.beta")))
        told.add_widget(
            Text(
                text=self.say(
                    "boards.numbers", cities=len(board.cities), routes=len(board.routes), tickets=len(board.tickets),
                    wagons=board.wagons, players=", ".join(map(str, board.players)),
                )
            )
        )  # fmt: skip
        played = [v.name(language) for v in rules_of(board.id)]
        if len(played) > 1:
            told.add_widget(Text(text=self.say("boards.variants", names=played)))
        for variant in rules_of(board.id):
            name = two_lines(self.say("rules.title"), rules_name(variant.id, language)) if len(played) > 1 else None
            told.add_widget(tap(name or self.say("rules.title"), partial(self._rules, variant.id), sign="⚖"))
        self._own(told)
        if board.technologies:
            told.add_widget(PartTitle(text=self.say("ask.technologies")))
            for technology in board.technologies.values():
                told.add_widget(Text(text=technology.name(language), bold=True))
                told.add_widget(Quiet(text=technology.about(language)))
        if board.tickets:
            told.add_widget(PartTitle(text=self.say("line.tickets")))
            listed = Column(spacing=dp(2))
            told.add_widget(listed)
            every = sorted(board.tickets.values(), key=lambda t: (-t.points, words.pair(board, (t.a, t.b), language)))
            self.list_some(listed, every, lambda t: Text(text=words.ticket(board, t, language)))
        for doubt in board.unsure:
            told.add_widget(Quiet(text="• " + doubt(language)))

    def _rules(self, variant: str) -> None:
        self.app.go("rules", RulesModel(self.desk, variant))

    def _own(self, told: Column) -> None:
        """The board on one's own table: learnt from a photo of it, and forgotten again."""
        told.add_widget(PartTitle(text=self.say("boards.own")))
        if services.knows_board(self.model.id):
            told.add_widget(Text(text=self.say("boards.known")))
            told.add_widget(tap(self.say("boards.again"), partial(self.open_camera, "enrol"), sign=CAMERA))
            told.add_widget(tap(self.say("boards.forget"), self._ask_forget))
        else:
            told.add_widget(Quiet(text=self.say("new.empty-board-about")))
            told.add_widget(tap(self.say("new.empty-board-snap"), partial(self.open_camera, "enrol"), sign=CAMERA))

    def _ask_forget(self) -> None:
        answers = [(self.say("boards.forget"), self._forget, "bad"), (self.say("cancel"), None, "primary")]
        self.app.ask(self.say("boards.forget-ask"), answers)

    def _forget(self) -> None:
        services.forget_board(self.model.id)
        self.fill()

    @property
    def drops(self) -> str:
        return "enrol"

    def camera(self, purpose: str, /) -> SnapModel | None:
        return SnapModel(self.desk, "enrol", self._enrolled, board=self.model.id) if purpose == "enrol" else None

    def _enrolled(self, _: object) -> None:
        self.app.leave()
        self.app.tell(self.say("new.enrolled"))

    @classmethod
    def kept(cls, model: Board) -> dict[str, Any]:
        return {"board": model.id}

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        below.app.go("board", load(str(data["board"])))
        return True


load_kv(__file__)

"""The boards: all of them drawn, with what is unsure about each."""

from __future__ import annotations

from functools import partial

from companion.ui.layers import Pieces
from companion.ui.models.new_game import boards, rules_of
from companion.ui.pages.page import Page, load_kv
from companion.ui.widgets.base import Column, Heading, Quiet, Text
from maps import Board


class BoardsPage(Page[None]):
    title_key = "home.boards"

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
        told.add_widget(Heading(text=self.say(f"stage.{board.stage}")))
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
        for doubt in board.unsure:
            told.add_widget(Quiet(text="• " + doubt(language)))


load_kv(__file__)

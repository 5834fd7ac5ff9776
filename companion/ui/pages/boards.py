"""The boards: all of them drawn, with what is unsure about each."""

from __future__ import annotations

from functools import partial

from kivy.metrics import dp

from companion.rules.variants import variants_of
from companion.ui.layers import Pieces
from companion.ui.models.new_game import boards
from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.widgets.base import Column, Heading, Panel, Quiet, Text
from maps import Board


class BoardsPage(Page):
    title_key = "home.boards"

    def fill(self) -> None:
        listed = self.ids.listed
        listed.clear_widgets()
        for board in boards():
            panel = Panel()
            view = self.map_view(board.id, Pieces(), size_hint_y=None, disabled=True)
            view.height = dp(170)
            panel.add_widget(view)
            panel.add_widget(Text(text=f"{board.name(self.desk.language)} · {self.say(f'stage.{board.stage}')}"))
            panel.add_widget(tap(self.say("boards.look"), partial(self.app.go, "board", board)))
            listed.add_widget(panel)


class BoardPage(Page):
    """One board, large, with its numbers and doubts."""

    @property
    def title(self) -> str:
        board: Board = self.model
        return board.name(self.desk.language)

    def fill(self) -> None:
        board, language = self.model, self.desk.language
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
        told.add_widget(Text(text=self.say("boards.variants", names=[v.name(language) for v in variants_of(board.id)])))
        for doubt in board.unsure:
            told.add_widget(Quiet(text="• " + doubt(language)))


load_kv(__file__)

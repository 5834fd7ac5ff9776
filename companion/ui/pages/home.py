"""Home: continue, start, score, look back."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp

from companion.ui.models.finish import FinishModel
from companion.ui.models.new_game import NewGame
from companion.ui.models.table import pieces_of
from companion.ui.pages.finish import FinishPage
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.widgets.base import Panel, Text


class HomePage(Page):
    title_key = "title"

    def fill(self) -> None:
        self.ids.going.clear_widgets()
        self.ids.ways.clear_widgets()
        if self.desk.game is not None:
            self._going()
        first = self.desk.game is None
        self._way("home.new", lambda: self.app.go("variant", NewGame(self.desk)), "primary" if first else "button")
        self._way("home.score", self._score, "primary" if first else "button")
        self._way("home.history", lambda: self.app.go("history"))
        self._way("home.boards", lambda: self.app.go("boards"))
        self._way("home.settings", lambda: self.app.go("settings"))

    def _score(self) -> None:
        """Straight to the camera: the screen behind it explains, for whoever comes back."""
        self.app.go("finish", FinishModel(self.desk))
        if isinstance(self.app.page, FinishPage):
            self.app.page.snap()

    def _way(self, key: str, do: Any, kind: str = "button") -> None:
        self.ids.ways.add_widget(tap(two_lines(self.say(key), self.say(f"{key}-about")), do, kind, halign="left"))

    def _going(self) -> None:
        game = self.desk.game
        if game is None:
            return
        position = game.position
        panel = Panel()
        view = self.map_view(position.board.id, pieces_of(position), played=True, size_hint_y=None, disabled=True)
        view.height = dp(120 if self.app.low else 200)
        names = ", ".join(p.name for p in position.players)
        panel.add_widget(view)
        panel.add_widget(Text(text=f"{position.variant.name(self.desk.language)} · {names}"))
        panel.add_widget(tap(self.say("home.continue"), self._continue, "primary", bold=True))
        self.ids.going.add_widget(panel)

    def _continue(self) -> None:
        self.app.go("table", self.app.table_model())


load_kv(__file__)

"""The rules of the variant at hand: the one that a verdict named, or all of them, heading by heading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any  # Any: JSON, and every page has a model of its own

from kivy.metrics import dp

from companion.table.game import Game
from companion.ui.models.rules import Quoted, RulesModel, Told
from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.widgets.base import Column, Heading, Panel, Quiet, Tap, Text
from maps import Trouble, WildCard


class RulesPage(Page[RulesModel]):
    title_key = "rules.title"

    @property
    def wild(self) -> WildCard:
        return self.model.wild

    def fill(self) -> None:
        self.app.keep()
        model, panel = self.model, self.ids.panel
        panel.clear_widgets()
        panel.add_widget(Quiet(text=model.name))
        for told in model.shown():
            if model.alone:
                panel.add_widget(Heading(text=told.title))
                self._sentences(panel, told)
                panel.add_widget(tap(self.say("rules.all"), self._all))
            else:
                self._listed(panel, told)
        if not model.alone:
            panel.add_widget(Quiet(text=self.say("rules.about")))

    def _listed(self, panel: Column, told: Told) -> None:
        opened = told.rule == self.model.rule
        kind = "chosen" if opened else "button"
        panel.add_widget(tap(told.title, partial(self._open, told.rule), kind, halign="left"))
        if opened:
            self._sentences(panel, told)

    def _sentences(self, panel: Column, told: Told) -> None:
        box = Panel(kind="panel", padding=dp(10), spacing=dp(8))
        for sentence in told.sentences:
            box.add_widget(Text(text=sentence))
        panel.add_widget(box)

    def _open(self, rule: str) -> None:
        self.model.open(rule)
        self.fill()

    def _all(self) -> None:
        self.model.show_all()
        self.fill()

    @classmethod
    def kept(cls, model: RulesModel) -> dict[str, Any]:
        return model.to_json()

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        try:
            below.app.go("rules", RulesModel.from_json(below.desk, data))
        except Trouble:
            return False
        return True


def show_rule(page: Page[Any], game: Game, rule: str) -> None:
    """Opens a rule of the game at hand above the screen that asked for it."""
    page.app.go("rules", RulesModel.of_game(page.desk, game.position, rule))


def rule_taps(page: Page[Any], game: Game, rules: Iterable[Quoted]) -> list[Tap]:
    """Rules that were quoted, each of which opens."""
    return [tap(page.say("rules.this", title=r.title), partial(show_rule, page, game, r.rule), "soft") for r in rules]


load_kv(__file__)

"""Settle a dispute: tap the route in question. What it costs, what a tunnel turned up, and which rule says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any  # Any: JSON, and every page has a model of its own

from kivy.metrics import dp, sp

from companion import words
from companion.ui.models.dispute import Dispute
from companion.ui.models.new_game import boards, rules_of
from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.widgets.base import Column, Grid, Heading, Panel, Quiet, Row, Text
from companion.ui.widgets.pieces import CardSlot, ColorTap, Swatch
from maps import LOCOMOTIVE, WildCard

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp


class DisputePage(Page[Dispute]):
    title_key = "home.dispute"

    @property
    def help(self) -> str:
        return "dispute"

    def __init__(self, app: CompanionApp, model: Dispute) -> None:
        self._choosing = False
        super().__init__(app, model)

    @property
    def wild(self) -> WildCard:
        return self.model.board.cards.wild

    @classmethod
    def kept(cls, model: Dispute) -> dict[str, Any]:
        return model.to_json()

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        below.app.go("dispute", Dispute.from_json(below.desk, data))
        return True

    def fill(self) -> None:
        self.app.keep()
        model = self.model
        self.ids.map.clear_widgets() if getattr(self, "_board", "") != model.board.id else None
        if not self.ids.map.children:
            self._board = model.board.id
            self.ratio = 1 / model.board.geometry.aspect
            self.map = self.map_view(model.board.id, model.pieces())
            self.map.bind(on_pick=self._picked)
            self.ids.map.add_widget(self.map)
        else:
            self.map.show(model.board.id, model.pieces())
        self.map.frame(model.pieces().highlight)
        panel: Column = self.ids.panel
        panel.clear_widgets()
        if self._choosing:
            self._boards(panel)
        elif model.candidates:
            panel.add_widget(Text(text=self.say("form.which")))
            for n, route in enumerate(model.candidates, start=1):
                color = model.board.routes[route].color
                name = f"{n}. {words.route(model.board, route, self.desk.language)}"
                panel.add_widget(ColorTap(color, name, partial(self._ask, route), card=True))
        elif model.route:
            self._answer(panel)
        else:
            panel.add_widget(Heading(text=self.say("dispute.how")))
            panel.add_widget(Quiet(text=self.say("dispute.about")))
            name = self.say("dispute.board", board=model.variant.name(self.desk.language))
            panel.add_widget(tap(name, self._choose))

    def _choose(self) -> None:
        self._choosing = True
        self.fill()

    def _boards(self, panel: Column) -> None:
        for board in boards():
            for variant in rules_of(board.id):
                kind = "chosen" if variant.id == self.model.variant.id else "button"
                name = variant.name(self.desk.language)
                panel.add_widget(tap(name, partial(self._chosen, variant.id), kind, halign="left"))

    def _chosen(self, variant: str) -> None:
        self._choosing = False
        self.model.choose(variant)
        self.fill()

    def _ask(self, route: str) -> None:
        self.model.ask(route)
        self.fill()

    def _picked(self, _view: object, x: float, y: float, reach: float) -> None:
        if self.model.pick(x, y, reach):
            self.app.hold()
            self.fill()

    def _answer(self, panel: Column) -> None:
        model = self.model
        panel.add_widget(Heading(text=model.name))
        for i, fact in enumerate(model.facts()):
            panel.add_widget(Text(text=fact, bold=i == 0))
            if i == 0 and model.is_tunnel:
                self._tunnel(panel)

    def _tunnel(self, panel: Column) -> None:
        model = self.model
        if not model.laid:
            panel.add_widget(Quiet(text=self.say("dispute.laid")))
            self._cards(panel, model.colors(), self._lay)
            return
        box = Panel(kind="soft", padding=dp(8))
        told = model.due if len(model.turned) == model.turn_up else self.say("form.turn-up-short", n=model.turn_up)
        box.add_widget(Text(text=told, ink_of="soft", bold=True))
        panel.add_widget(box)
        slots = Grid(cols=model.turn_up, spacing=dp(4))
        for i in range(model.turn_up):
            card = model.turned[i] if i < len(model.turned) else ""
            slots.add_widget(CardSlot(card, partial(self._do, partial(model.unturn, i)) if card else None))
        panel.add_widget(slots)
        self._cards(panel, (*model.board.cards.colors, LOCOMOTIVE), lambda c: self._do(partial(model.turn, c)))
        for turned in model.counted:
            why = Quiet(text=self.tell(turned.why), pos_hint={"center_y": 0.5})
            panel.add_widget(Row(Swatch(turned.card, card=True), why))

    def _cards(self, panel: Column, cards: tuple[str, ...], do: Any) -> None:
        grid = Grid(cols=2 if self.tight else 3)
        for card in cards:
            name = self.say("loco") if card == LOCOMOTIVE else self.word(card)
            button = ColorTap(card, name, partial(do, card), card=True)
            button.inset, button.spacing = 5, dp(5)
            button.label.font_size = sp(13)
            grid.add_widget(button)
        panel.add_widget(grid)

    def _lay(self, card: str) -> None:
        self.model.laid = card
        self.app.hold()
        self.fill()

    def _do(self, change: Callable[[], object]) -> None:
        change()
        self.fill()

    def left(self) -> bool:
        model = self.model
        if self._choosing:
            self._choosing = False
        elif model.turned or model.laid:
            model.laid, model.turned = "", []
        elif model.route or model.candidates:
            model.ask("")
        else:
            return False
        self.fill()
        return True


load_kv(__file__)

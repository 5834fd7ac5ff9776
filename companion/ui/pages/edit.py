"""The board as it counts, to be put right by touch: tap a route or a city, say whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any  # Any: JSON

from companion import words
from companion.ui.desk import capital
from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.pages.tasks import Editing, EditsBoard
from companion.ui.widgets.base import Column, Grid, Heading, Quiet, Text
from companion.ui.widgets.pieces import ColorTap
from maps import message
from vision.reading import DEPOT


class EditPage(Page[Editing]):
    title_key = "finish.edit"

    @classmethod
    def kept(cls, model: Editing) -> dict[str, Any]:
        return {"at": model.edit.at}

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        if not isinstance(below, EditsBoard):
            return False
        model = below.editing()
        model.edit.at = str(data["at"])
        below.app.go("edit", model)
        return True

    def fill(self) -> None:
        self.app.keep()
        edit = self.model.edit
        if not self.ids.map.children:
            self.ratio = 1 / edit.board.geometry.aspect
            self.map = self.map_view(edit.board.id, edit.pieces(), played=True)
            self.map.bind(on_pick=self._picked)
            self.ids.map.add_widget(self.map)
        else:
            self.map.show(edit.board.id, edit.pieces())
        self.map.frame(edit.pieces().highlight)
        panel: Column = self.ids.panel
        panel.clear_widgets()
        self.ids.bottom.clear_widgets()
        if edit.candidates:
            panel.add_widget(Text(text=self.say("form.which")))
            for n, name in enumerate(edit.candidates, start=1):
                color = edit.board.routes[name].color
                panel.add_widget(ColorTap(color, f"{n}. {self._name(name)}", partial(self._ask, name), card=True))
        elif edit.at:
            self._whose(panel)
        else:
            panel.add_widget(Text(text=self.say("edit.how")))
            panel.add_widget(Quiet(text=self.say("edit.zoom")))
        self.ids.bottom.add_widget(tap(self.say("edit.done"), self.app.leave, "primary", bold=True))

    def _name(self, name: str) -> str:
        return words.spot(self.model.edit.board, name, self.desk.language)

    def _ask(self, name: str) -> None:
        self.model.edit.ask(name)
        self.fill()

    def _whose(self, panel: Column) -> None:
        edit = self.model.edit
        panel.add_widget(Heading(text=self._name(edit.at)))
        panel.add_widget(Text(text=self.say("edit.whose")))
        now = edit.now(edit.at)
        grid = Grid(cols=2)
        for told in edit.choices():
            color = told.removeprefix(DEPOT)
            name = message(f"words.{color}")
            if edit.at not in edit.board.routes and len(edit.kinds) > 1:
                key = "app.review.depot-of" if told.startswith(DEPOT) else "app.review.station-of"
                name = message(key, color=name)
            kind = "chosen" if told == now else "button"
            grid.add_widget(ColorTap(color, capital(self.tell(name)), partial(self._set, told), kind=kind))
        kind = "chosen" if now is None else "button"
        grid.add_widget(tap(self.say("review.empty"), partial(self._set, None), kind, halign="left"))
        panel.add_widget(grid)

    def _set(self, told: str | None) -> None:
        self.model.edit.set(told)
        self.model.changed()
        self.fill()

    def _picked(self, _view: object, x: float, y: float, reach: float) -> None:
        if self.model.edit.pick(x, y, reach):
            self.fill()

    def left(self) -> bool:
        if self.model.edit.leave():
            self.fill()
            return True
        return False


load_kv(__file__)

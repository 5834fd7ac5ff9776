"""A player over all games: pictures of what their games add up to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from kivy.metrics import dp
from kivy.properties import ListProperty
from kivy.uix.widget import Widget

from companion.ui import theme
from companion.ui.models.statistics import BarRow, PlayerModel, StatisticsModel
from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.widgets.base import Column, Grid, Panel, PartTitle, Quiet, Row, Text
from companion.ui.widgets.charts import AgainstLine, BarLine, FactBox, Parts, Span, Trend
from companion.ui.widgets.pieces import Swatch


@dataclass(frozen=True)
class Who:
    """Whose page it is, among which games."""

    every: StatisticsModel
    name: str


class PlayerPage(Page[Who]):
    @property
    def title(self) -> str:
        found = self.model.every.player(self.model.name)
        return found.stats.name if found is not None else self.model.name

    def fill(self) -> None:
        panel: Column = self.ids.panel
        panel.clear_widgets()
        player = self.model.every.player(self.model.name)
        if player is None:
            panel.add_widget(Text(text=self.say("history.none")))
            return
        panel.add_widget(Row(Swatch(player.stats.color), Text(text=player.since, pos_hint={"center_y": 0.5})))
        facts = Grid(cols=len(player.facts) if self.wide else 2)
        for fact in player.facts:
            facts.add_widget(FactBox(fact))
        panel.add_widget(facts)
        parts = (self._trend, self._tickets, self._sources, self._boards, self._rivals, self._colors)
        self.one_by_one([partial(part, panel, player) for part in parts])

    def _part(self, panel: Column, key: str) -> Panel:
        panel.add_widget(PartTitle(text=self.say(key)))
        box = Panel()
        panel.add_widget(box)
        return box

    def _trend(self, panel: Column, player: PlayerModel) -> None:
        curve = player.curve
        if curve is not None:
            box = self._part(panel, "stats.trend")
            box.add_widget(Trend([curve], self.desk.look, dots=True))
            box.add_widget(Quiet(text=player.range))

    def _tickets(self, panel: Column, player: PlayerModel) -> None:
        if player.tickets is not None:
            box = self._part(panel, "stats.tickets")
            share, told = player.tickets
            box.add_widget(Span(share=share, tint=self.desk.look.good))
            box.add_widget(Text(text=told))

    def _sources(self, panel: Column, player: PlayerModel) -> None:
        slices = player.sources
        if not slices:
            return
        box = self._part(panel, "stats.sources")
        inks = [self.desk.look.part(s.tint) for s in slices]
        box.add_widget(Parts([(s.share, ink) for s, ink in zip(slices, inks, strict=True)]))
        for each, ink in zip(slices, inks, strict=True):
            row = Row(Dot(ink))
            row.add_widget(Text(text=each.name, pos_hint={"center_y": 0.5}))
            row.add_widget(Text(text=each.told, halign="right", pos_hint={"center_y": 0.5}))
            box.add_widget(row)

    def _boards(self, panel: Column, player: PlayerModel) -> None:
        self._bars(self._part(panel, "stats.boards"), player.boards)

    def _rivals(self, panel: Column, player: PlayerModel) -> None:
        if player.rivals:
            box = self._part(panel, "stats.rivals")
            box.add_widget(Quiet(text=self.say("stats.rivals-how")))
            for rival in player.rivals:
                box.add_widget(AgainstLine(rival, self.desk.look, partial(self._open, rival.name)))

    def _colors(self, panel: Column, player: PlayerModel) -> None:
        self._bars(self._part(panel, "stats.colors"), player.colors)
        if player.seats:
            self._bars(self._part(panel, "stats.seats"), player.seats)
        panel.add_widget(tap(self.say("stats.all-players"), self.app.leave))

    def _bars(self, box: Panel, rows: list[BarRow]) -> None:
        for row in rows:
            box.add_widget(BarLine(row))

    def _open(self, name: str) -> None:
        """Another player in place of this one: Back leads to everybody."""
        self.app.replace("player", Who(self.model.every, name))


class Dot(Widget):
    """The colour of a part, before its name."""

    ink = ListProperty([0, 0, 0, 1])

    def __init__(self, ink: theme.Rgba) -> None:
        super().__init__(ink=ink, size_hint=(None, None), size=(dp(14), dp(14)), pos_hint={"center_y": 0.5})


load_kv(__file__)

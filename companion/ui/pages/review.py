"""The result over the photo: what is doubtful or doesn't fit, one after the other and enlarged; then all of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any  # Any: JSON

from companion import words
from companion.ui import hits
from companion.ui.desk import capital
from companion.ui.layers import Pieces
from companion.ui.models.review import Item
from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.pages.tasks import Reviewing, TakesReviews
from companion.ui.widgets.base import CAMERA, Column, Grid, Heading, Panel, Quiet, Row, Text
from companion.ui.widgets.photo_view import PhotoView
from companion.ui.widgets.pieces import ColorTap, Swatch
from maps import Message, message
from vision.reading import DEPOT

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp


class ReviewPage(Page[Reviewing]):
    title_key = "review.title"

    def __init__(self, app: CompanionApp, model: Reviewing) -> None:
        self._changing = ""
        self.review = model.review
        super().__init__(app, model)

    @classmethod
    def kept(cls, model: Reviewing) -> dict[str, Any]:
        return model.review.to_json()

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        if not isinstance(below, TakesReviews):
            return False
        below.app.go("review", below.reviewing(below.review_of(data)))
        return True

    def fill(self) -> None:
        self.app.keep()
        review = self.review
        if not self.ids.photo.children:
            self.photo = PhotoView(self.desk.work)
            self.photo.load(review.picture, review.board, review.reading.corners)
            self.photo.bind(on_pick=self._picked)
            self.ids.photo.add_widget(self.photo)
        panel: Column = self.ids.panel
        panel.clear_widgets()
        self.ids.bottom.clear_widgets()
        item = review.item
        if not self._changing:
            for color in review.believed().strangers:
                self._stranger(panel, color)
        if self._changing:
            self._ask(panel, Item(self._changing, "change", None, self._now(self._changing)))
        elif item is not None:
            self._ask(panel, item)
        else:
            self._summary(panel)

    def _now(self, name: str) -> str | None:
        routes, stations = self.review.state()
        if name in self.review.depots:
            return DEPOT + self.review.depots[name]
        return routes.get(name, stations.get(name))

    def _name(self, name: str) -> str:
        board = self.review.board
        if name in board.routes:
            return words.route(board, name, self.desk.language)
        city = board.cities[name].label(self.desk.language)
        return self.say("review.depot" if self.review.is_depot(name) else "review.station", city=city)

    def _what(self, name: str, told: str | None) -> Message:
        """What lies somewhere, in words: a colour; where there are two kinds of buildings, which one of them."""
        if told is None:
            return message("app.review.nothing")
        color = message(f"words.{told.removeprefix(DEPOT)}")
        if name in self.review.board.routes or not self.review.has_depots:
            return color
        return message("app.review.depot-of" if told.startswith(DEPOT) else "app.review.station-of", color=color)

    def _place(self, name: str) -> str:
        """Where to look: a city alone where more than one kind of building may stand there."""
        city = self.review.board.cities.get(name)
        return city.label(self.desk.language) if city and self.review.has_depots else self._name(name)

    def _ask(self, panel: Column, item: Item) -> None:
        review = self.review
        self.photo.lay(Pieces(ringed=(item.id,)))
        self.photo.look_at_piece(item.id)
        if item.why != "change":
            panel.add_widget(Quiet(text=self.say("review.nth", n=review.at + 1, all=len(review.items))))
        panel.add_widget(Heading(text=self._place(item.id)))
        known, seen = (self._what(item.id, told) for told in (item.known, item.seen))
        panel.add_widget(Text(text=self.say(f"review.{item.why}", known=known, seen=seen)))
        grid = Grid(cols=2)
        for i, choice in enumerate(review.choices(item)):
            kind = "soft" if i == 0 else "button"
            if choice is None:
                grid.add_widget(tap(self.say("review.empty"), lambda: self._answer(None), kind, halign="left"))
            else:
                text = capital(self.tell(self._what(item.id, choice)))
                color = choice.removeprefix(DEPOT)
                grid.add_widget(ColorTap(color, text, partial(self._answer, choice), kind=kind))
        panel.add_widget(grid)
        self._retake(panel)

    def _answer(self, color: str | None) -> None:
        if self._changing:
            self.review.change(self._changing, color)
            self._changing = ""
        else:
            self.review.answer(color)
        self.fill()

    def _summary(self, panel: Column) -> None:
        review = self.review
        routes, stations = review.state()
        self.photo.lay(Pieces({r: c for r, c in routes.items() if c}, stations, review.depots))
        self.photo.show_whole()
        believed = review.believed()
        panel.add_widget(Heading(text=self.say("review.change-how")))
        if review.position is None:
            for color, n in review.counts():
                text = self.say("finish.seen", n=n)
                panel.add_widget(Row(Swatch(color), Text(text=text, pos_hint={"center_y": 0.5})))
            if "" in review.building_kinds:
                panel.add_widget(Text(text=self.say("review.stations", n=len(stations))))
            if review.has_depots:
                panel.add_widget(Text(text=self.say("review.depots", n=len(review.depots))))
        else:
            new = (*believed.new, *believed.new_stations)
            panel.add_widget(Heading(text=self.say("review.new", n=len(new))))
            for sight in new:
                color = (sight.seen or "").removeprefix(DEPOT)
                panel.add_widget(ColorTap(color, self._name(sight.id), partial(self._change, sight.id)))
            for sight in believed.gone:
                panel.add_widget(Text(text=self.say("review.gone", route=self._name(sight.id))))
        self.ids.bottom.add_widget(tap(self.say("review.accept"), self._accept, "primary", bold=True))
        self._retake(panel)

    def _accept(self) -> None:
        self.model.done(self.review)

    def _stranger(self, panel: Column, color: str) -> None:
        """A colour that nobody plays: said before anything else, with what can be done about it."""
        box = Panel(kind="bad")
        text = self.say("review.stranger", color=message(f"words.{color}"))
        box.add_widget(Text(text=text, ink_of="bad", bold=True))
        if self.model.add_player is not None:
            add = partial(self.model.add_player, self.review, color)
            box.add_widget(
                ColorTap(
                    color, self.say("review.add-player", color=self.desk.word(color, self.review.board.cards.wild)), add
                )
            )
        panel.add_widget(box)

    def _retake(self, panel: Column) -> None:
        if self.model.again is not None:
            panel.add_widget(tap(self.say("review.retake"), self.model.again, sign=CAMERA))

    def _picked(self, _view: object, x: float, y: float, reach: float) -> None:
        """Any route, and any city where something may be built, can be changed by a tap on the photo."""
        if self.review.item is not None or self._changing:
            return
        board, at = self.review.board, self.photo.board_place(x, y)
        if at is None:
            return
        builds = bool(self.review.building_kinds)
        city = hits.city_at(board, *at, min(reach, board.geometry.space_width)) if builds else None
        found = [city] if city else hits.routes_at(board, *at, reach)
        if found:
            self._change(found[0])

    def _change(self, name: str) -> None:
        """Asks about something that was read."""
        self._changing = name
        self.fill()

    def left(self) -> bool:
        if self._changing:
            self._changing = ""
            self.fill()
            return True
        if self.review.back():
            self.fill()
            return True
        answers = [(self.say("review.drop"), self.app.leave, "bad"), (self.say("review.stay"), None, "primary")]
        self.app.ask(self.say("review.drop-ask"), answers)
        return True


load_kv(__file__)

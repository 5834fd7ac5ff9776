"""Showing the board's corners and some cities on a photo of the empty board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.graphics import Color, Ellipse, Line

from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.pages.tasks import Learning
from companion.ui.widgets.base import Column, Quiet, Text
from companion.ui.widgets.photo_view import PhotoView
from maps import Trouble

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp

# The dot of a tap, as a share of the photo's width.
_DOT = 0.008


class EnrolPage(Page[Learning]):
    """The taps so far."""

    title_key = "enrol.title"

    def __init__(self, app: CompanionApp, model: Learning) -> None:
        self.enrolment = model.enrolment
        super().__init__(app, model)

    def fill(self) -> None:
        model = self.enrolment
        if not self.ids.photo.children:
            self.photo = PhotoView(self.desk.work)
            self.photo.load(model.picture, model.board)
            self.photo.bind(on_pick=self._picked)
            self.ids.photo.add_widget(self.photo)
        self._dots()
        panel: Column = self.ids.panel
        panel.clear_widgets()
        panel.add_widget(Text(text=self.say("snap.working") if model.complete else model.asks))
        panel.add_widget(Quiet(text=self.say("enrol.zoom")))
        if model.taps and not model.working:
            panel.add_widget(tap(self.say("enrol.undo"), self._undo))

    def _dots(self) -> None:
        above, width = self.photo.above, max(1, self.photo.full_width)
        above.clear()
        above.add(Color(*self.desk.look.doubt))
        places = [(x / width, y / width) for x, y in self.enrolment.taps]
        for x, y in places:
            above.add(Ellipse(pos=(x - _DOT, y - _DOT), size=(2 * _DOT, 2 * _DOT)))
        if len(places) > 1:
            above.add(Line(points=[c for p in places[:4] for c in p], close=len(places) >= 4, width=_DOT / 4))

    def _picked(self, _view: object, x: float, y: float, _reach: float) -> None:
        model = self.enrolment
        if model.working or not self.photo.full_width:
            return
        model.tap(x * self.photo.full_width, y * self.photo.full_width)
        if model.complete:
            model.learn(self.model.done, self._failed)
        self.fill()

    def _failed(self, trouble: Trouble) -> None:
        self.fill()
        self.app.tell(trouble)

    def _undo(self) -> None:
        self.enrolment.undo()
        self.fill()

    def left(self) -> bool:
        if self.enrolment.undo():
            self.fill()
            return True
        return False


load_kv(__file__)

"""A game's codes, one after the other, for another phone to scan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.clock import Clock, ClockEvent

from companion.ui import services
from companion.ui.models.passing import Sending
from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.widgets.base import Row
from companion.ui.widgets.zoom import texture_of

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp

# Each code is shown as long as another phone needs to catch it.
_SECONDS = 1.2


class CodesPage(Page[Sending]):
    """The codes go round by themselves; a tap holds one, or shows the next."""

    title_key = "codes.title"

    def __init__(self, app: CompanionApp, model: Sending) -> None:
        self._clock: ClockEvent = None
        super().__init__(app, model)
        if len(model.codes) > 1:
            self._clock = Clock.schedule_interval(self._next, _SECONDS)

    def fill(self) -> None:
        picture = services.code_picture(self.model.codes[self.model.at])
        texture = texture_of((picture.shape[1], picture.shape[0]), picture.tobytes(), "luminance")
        texture.mag_filter = "nearest"
        # Kivy's pictures stand on their heads; a code is read from any side, but not mirrored.
        texture.flip_vertical()
        self.ids.code.texture = texture
        self.ids.number.text = self.model.number
        self.ids.ways.clear_widgets()
        if len(self.model.codes) > 1:
            self.ids.ways.add_widget(
                Row(tap(self.say("codes.before"), lambda: self._turn(-1)), tap(self.say("codes.after"), self._turn))
            )

    def _next(self, _dt: float) -> None:
        self.model.turn()
        self.fill()

    def _turn(self, step: int = 1) -> None:
        """By hand: from now on nothing moves by itself."""
        self.closed()
        self.model.turn(step)
        self.fill()

    def closed(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None


load_kv(__file__)

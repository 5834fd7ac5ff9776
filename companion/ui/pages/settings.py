"""Settings: language, look, size of words, what moves and sounds, and record mode for testers."""

from __future__ import annotations

from functools import partial

from companion.table.settings import TEXT_SIZES
from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.theme import LOOKS
from companion.ui.widgets.base import Quiet, Toggle

_LANGUAGES = {"en": "English", "fr": "Français"}


class SettingsPage(Page[None]):
    title_key = "home.settings"

    def fill(self) -> None:
        for box in (self.ids.languages, self.ids.looks, self.ids.sizes, self.ids.life, self.ids.testers):
            box.clear_widgets()
        for code, name in _LANGUAGES.items():
            chosen = code == self.desk.language
            self.ids.languages.add_widget(
                tap(name, partial(self._change, language=code), "chosen" if chosen else "button")
            )
        for look in ("system", *LOOKS):
            chosen = look == self.desk.settings.look
            self.ids.looks.add_widget(
                tap(
                    self.say(f"settings.{look}"),
                    partial(self._change, look=look),
                    "chosen" if chosen else "button",
                )
            )
        for size in TEXT_SIZES:
            kind = "chosen" if size == self.desk.settings.text else "button"
            words = self.say("settings.percent", n=round(100 * size))
            self.ids.sizes.add_widget(tap(words, partial(self._change, text=size), kind))
        for name in ("motion", "sound", *(("vibration",) if self.desk.system.shakes else ())):
            on = getattr(self.desk.settings, name)
            self.ids.life.add_widget(Toggle(self.say(f"settings.{name}"), on, partial(self._switch, name)))
        record = self.desk.settings.record
        self.ids.testers.add_widget(Toggle(self.say("settings.record"), record, lambda on: self.desk.change(record=on)))
        self.ids.testers.add_widget(Quiet(text=self.say("settings.record-about")))

    def _switch(self, name: str, on: bool) -> None:
        self.desk.change(**{name: on})

    def _change(self, **changes: str | float) -> None:
        self.desk.change(**changes)
        self.app.restyle()


load_kv(__file__)

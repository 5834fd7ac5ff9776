"""What all screens share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from kivy.lang import Builder
from kivy.metrics import sp
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui import theme
from companion.ui.layers import Pieces
from companion.ui.widgets import base
from companion.ui.widgets.base import escape
from companion.ui.widgets.map_view import MapView

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp


class Page(BoxLayout):
    """One screen. `wide`: there is room for two columns."""

    wide = BooleanProperty(False)
    title_key: ClassVar[str] = ""

    def __init__(self, app: CompanionApp, model: Any) -> None:
        self.app, self.desk, self.model = app, app.desk, model
        super().__init__(orientation="vertical", wide=app.wide)
        self.fill()

    @property
    def title(self) -> str:
        return self.say(self.title_key)

    def say(self, key: str, **values: Any) -> str:
        return self.desk.say(key, **values)

    def fill(self) -> None:
        """Shows the model: called once when the screen is made, and after every change."""

    def left(self) -> bool:
        """Back was tapped: True if the screen used that itself."""
        return False

    def closed(self) -> None:
        """The screen goes: whatever runs for it alone stops."""

    def map_view(self, board: str, pieces: Pieces, **more: Any) -> MapView:
        view = MapView(self.desk.work, self.desk.look, self.desk.language, **more)
        view.show(board, pieces)
        return view


def load_kv(module_file: str) -> None:
    """The layout beside a screen's module."""
    Builder.load_file(str(Path(module_file).with_suffix(".kv")))


def tap(text: str, do: Callable[[], Any], kind: str = "button", **more: Any) -> base.Tap:
    return base.Tap(text, do, kind=kind, **more)


def two_lines(first: str, second: str) -> str:
    """A button's words: what it is, and below it a quieter line."""
    return f"[b]{escape(first)}[/b]\n[size={round(sp(theme.SMALL))}]{escape(second)}[/size]"


__all__ = ["Page", "load_kv", "tap", "two_lines"]

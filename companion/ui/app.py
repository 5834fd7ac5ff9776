"""Opens the app: one window, a pile of screens, and a clock that hands over what the work beside it has to tell."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.app import App
from kivy.base import ExceptionHandler, ExceptionManager
from kivy.clock import Clock
from kivy.lang import Builder
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout

from companion.table.settings import write_whole
from companion.ui import theme
from companion.ui.desk import Desk
from companion.ui.pages.page import Page
from companion.ui.theme import Look
from companion.ui.widgets.base import Tap, Text
from maps import Message, Trouble

_ESCAPE = 27


class Shell(FloatLayout):
    """The frame around every screen: the way back, the title, and the screen itself."""

    title = StringProperty("")
    can_go_back = BooleanProperty(False)
    bar = ObjectProperty(None)
    body = ObjectProperty(None)


class Question(ButtonBehavior, FloatLayout):
    """Something said or asked above the screen; the screen below waits."""


class _Net(ExceptionHandler):
    """Catches what no screen caught: the app goes on, the game on disk is whole in any case."""

    def handle_exception(self, inst: Exception) -> int:
        app = App.get_running_app()
        if not isinstance(inst, Exception) or not isinstance(app, CompanionApp):
            return int(ExceptionManager.RAISE)
        app.unexpected(inst)
        return int(ExceptionManager.PASS)


class CompanionApp(App):
    """The pile of screens. `stack` holds names and models: screens are made from them, and can be made again."""

    title = "Companion"

    def __init__(self, desk: Desk, **more: Any) -> None:
        self.desk = desk
        self.stack: list[tuple[str, Any]] = []
        self.page: Page | None = None
        self.wide = False
        self._question: Question | None = None
        super().__init__(**more)

    @property
    def look(self) -> Look:
        return self.desk.look

    def build(self) -> Shell:
        # The screens need a window that is there: they are loaded only now.
        from kivy.core.window import Window

        self._window = Window
        Window.softinput_mode = "below_target"
        Window.clearcolor = self.look.paper
        Window.bind(on_resize=self._resized, on_keyboard=self._key)
        self.wide = self._is_wide()
        self.shell = Shell()
        self.stack = [("home", None)]
        if self.desk.game is not None:
            self.stack.append(("table", self.table_model()))
        self.show()
        self._clock = Clock.schedule_interval(self._deliver, 1 / 30)
        return self.shell

    def table_model(self) -> Any:
        from companion.ui.models.table import TableModel

        if self.desk.game is None:
            raise Trouble("no-game")
        return TableModel(self.desk, self.desk.game)

    @property
    def low(self) -> bool:
        """A phone on its side: what matters goes first, there is no room below."""
        return bool(self.wide and self._window.height < dp(theme.LOW))

    def _is_wide(self) -> bool:
        return bool(self._window.width >= dp(theme.WIDE) and self._window.width > self._window.height)

    def _resized(self, *_: Any) -> None:
        if self._is_wide() != self.wide:
            self.wide = not self.wide
            self.show()

    def _key(self, _window: Any, key: int, *_: Any) -> bool:
        if key != _ESCAPE:
            return False
        if len(self.stack) > 1 or self._question:
            self.back()
            return True
        return False

    def _deliver(self, _dt: float) -> None:
        self.desk.work.deliver()

    def go(self, name: str, model: Any = None) -> None:
        """Lays a screen on the pile."""
        self.stack.append((name, model))
        self.show()

    def replace(self, name: str, model: Any = None) -> None:
        """Puts a screen in the place of this one."""
        self.stack[-1] = (name, model)
        self.show()

    def back(self) -> None:
        if self._question is not None:
            self.answer()
        elif self.page is not None and self.page.left():
            return
        else:
            self.leave()

    def leave(self) -> None:
        """Takes this screen off the pile."""
        if len(self.stack) > 1:
            self.stack.pop()
            self.show()

    def home(self) -> None:
        del self.stack[1:]
        self.show()

    def show(self) -> None:
        """Makes the screen on top of the pile: after a move, a turn of the phone, another language or look."""
        from companion.ui.pages.register import PAGES

        if self.page is not None:
            self.page.closed()
        self.shell.body.clear_widgets()
        name, model = self.stack[-1]
        self._window.clearcolor = self.look.paper
        self.page = PAGES[name](self, model)
        self.shell.title = self.page.title
        self.shell.can_go_back = len(self.stack) > 1
        self.shell.body.add_widget(self.page)

    def restyle(self) -> None:
        """After a change of look or language everything is made anew, the frame too."""
        parent = self.shell.parent
        self.shell.body.clear_widgets()
        fresh = Shell()
        if parent is not None:
            parent.remove_widget(self.shell)
            parent.add_widget(fresh)
        self.shell = self.root = fresh
        self.show()

    def refresh(self) -> None:
        """Shows the model's newest state."""
        if self.page is not None:
            self.page.fill()
            self.shell.title = self.page.title

    def ask(self, text: str, answers: Sequence[tuple[str, Callable[[], Any] | None, str]]) -> None:
        """A question above the screen: each answer with what it does and the kind of its button."""
        self.answer()
        question = Question()
        box = question.ids.box
        box.add_widget(Text(text=text))
        for label, do, kind in answers:
            box.add_widget(Tap(label, partial(self.answer, do), kind=kind))
        self._question = question
        self.shell.add_widget(question)

    def answer(self, do: Callable[[], Any] | None = None) -> None:
        """Takes the question away and does what was chosen."""
        if self._question is not None:
            self.shell.remove_widget(self._question)
            self._question = None
        if do is not None:
            do()

    def tell(self, told: Message | Trouble | str) -> None:
        """Something to read, with one button."""
        text = told if isinstance(told, str) else self.desk.tell(told)
        self.ask(text, [(self.desk.say("ok"), None, "primary")])

    def unexpected(self, error: Exception) -> None:
        """Something that should not have happened: one sentence for the player, the details in a file."""
        file = self.desk.folder / "last-error.txt"
        try:
            write_whole(file, "".join(traceback.format_exception(error)))
        except OSError:
            file = Path("-")
        self.tell(Trouble("unexpected", what=f"{type(error).__name__}: {error}", file=str(file)))

    def on_pause(self) -> bool:
        self.desk.camera.stop()
        return True

    def on_stop(self) -> None:
        if self.page is not None:
            self.page.closed()
        self._clock.cancel()
        self.desk.close()


def open_app(desk: Desk) -> None:
    """Runs the app until it is closed."""
    ExceptionManager.add_handler(_Net())
    CompanionApp(desk).run()


Builder.load_file(str(Path(__file__).with_name("app.kv")))

"""Opens the app: one window, a pile of screens, and a clock that hands over what the work beside it has to tell."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any  # Any: every page has a model of its own

from kivy.app import App
from kivy.base import ExceptionHandler, ExceptionManager
from kivy.clock import Clock
from kivy.lang import Builder
from kivy.metrics import Metrics, dp
from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout

from companion.table.unfinished import Screen
from companion.ui import layers, sound, theme
from companion.ui.desk import Desk
from companion.ui.feel import Feel
from companion.ui.keys import Keys
from companion.ui.memory import Memory
from companion.ui.models.new_game import boards
from companion.ui.pages.page import Page
from companion.ui.pointer import Pointer
from companion.ui.system import on_android
from companion.ui.theme import Look
from companion.ui.widgets.base import Entry, Tap, from_the_top, hold_back
from companion.ui.work import Note
from maps import Message, Trouble
from maps.disk import write_whole

_ESCAPE, _ENTER = 27, 13
# Ctrl with these letters steps back or forth.
_UNDO = {ord("z"): -1, ord("y"): 1}


# When the app has started up; how often it looks whether much is new in its memory.
_UP_SECONDS = 1.5
_TIDY_SECONDS = 0.5
# So many answers have room below each other on a phone on its side.
_PILED = 3
# The second tap of a double tap comes within this time.
_GUARD_SECONDS = 0.3


# How large the system wants words, before anybody asked for larger ones.
_SYSTEM_SCALE = Metrics.fontscale


class Shell(FloatLayout):
    """The frame around every screen: the way back, the title, and the screen itself.

    For a moment after something else lies under the finger, a tap is the second half of a double tap: it counts not.
    """

    title = StringProperty("")
    can_go_back = BooleanProperty(False)
    help = StringProperty("")
    bar = ObjectProperty(None)
    body = ObjectProperty(None)

    def on_touch_down(self, touch: object) -> bool:
        app = App.get_running_app()
        if isinstance(app, CompanionApp) and app.holding and not getattr(touch, "is_mouse_scrolling", False):
            return True
        return bool(super().on_touch_down(touch))


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
    icon = str(Path(__file__).with_name("icon.png"))
    # What lies below the system's bars: left, top, right, bottom.
    edges = ListProperty([0.0, 0.0, 0.0, 0.0])

    def __init__(self, desk: Desk, alone: tuple[str, Any] | None = None, **more: object) -> None:
        """`alone`: a single screen to open instead of all, for a command that needs it."""
        self.desk, self.alone = desk, alone
        self.stack: list[tuple[str, Any]] = []
        self.page: Page[Any] | None = None
        self.wide = False
        self._question: Question | None = None
        self._bring_up = Clock.create_trigger(self._change_pages, 0)
        # Whether a finger is on the glass.
        self._touching = False
        self.memory = Memory()
        # Seconds in which a screen that is new takes no tap, and until when.
        self.guard = _GUARD_SECONDS
        self._held_until = 0.0
        self.feel = Feel(desk)
        desk.plays = sound.opened
        self.keys = Keys(self._top, lambda: self.look)
        super().__init__(**more)

    def _top(self) -> FloatLayout:
        """What can be reached now: a question above the screen hides everything else."""
        return self._question or self.shell

    def hold(self) -> None:
        """Something else lies under the finger now."""
        self._held_until = Clock.get_time() + self.guard

    @property
    def holding(self) -> bool:
        return bool(Clock.get_time() < self._held_until)

    @property
    def look(self) -> Look:
        return self.desk.look

    def build(self) -> Shell:
        # The screens need a window that is there: they are loaded only now.
        from kivy.core.window import Window

        self._window = Window
        self._size_words()
        Window.softinput_mode = "below_target"
        Window.clearcolor = self.look.paper
        Window.bind(on_resize=self._resized, on_keyboard=self._key, on_memorywarning=self._low_memory)
        Window.bind(on_drop_file=self._dropped, focus=self._focused)
        self.wide = self._is_wide()
        # A finger is on the glass or it is not: only a mouse can be over something.
        self.pointer = None if on_android() else Pointer(Window, self._top, lambda: self.look)
        self.memory.begin()
        self.shell = Shell()
        left = [] if self.alone else self.desk.unfinished.screens()
        self.stack = [self.alone or ("home", None)]
        self.show()
        if not self.alone:
            self._reopen(left)
        self._clock = Clock.schedule_interval(self._deliver, 1 / 30)
        self._fit()
        # A phone knows its bars only when the window is up.
        Clock.schedule_once(self._fit, 1)
        Clock.schedule_once(self._settle_down, _UP_SECONDS)
        self._tidy = Clock.schedule_interval(self._tidy_up, _TIDY_SECONDS)
        Window.bind(on_touch_down=self._finger, on_touch_up=self._touched)
        return self.shell

    def _size_words(self) -> None:
        Metrics.fontscale = _SYSTEM_SCALE * self.desk.settings.text

    def _fit(self, *_: object) -> None:
        self.edges = list(self.desk.system.edges())

    def _settle_down(self, _dt: float) -> None:
        """Loads boards and sounds beside the screen; they stay for good."""
        self.feel.prepare()
        self.desk.work.start("boards", lambda _: [layers.laid(board.id) for board in boards()], self._stay)

    def _stay(self, _: Note) -> None:
        """What was loaded stays: it is never looked through for what is not used."""
        self.memory.stays()

    def _finger(self, *_: object) -> None:
        self._touching = True

    def _touched(self, *_: object) -> None:
        self._touching = False
        self.keys.leave()

    def _tidy_up(self, _dt: float) -> None:
        """A screen that was laid out stays until it is taken apart; not while something moves or is touched."""
        laying_out = self.page is not None and self.page.laying_out
        if self.memory.grown and not (laying_out or self.feel.moving or self._touching):
            self.memory.stays()

    def _low_memory(self, *_: object) -> None:
        """The phone runs short: what can be painted again goes, what was told is on disk."""
        from companion.ui.widgets import map_view

        self.keep()
        layers.forget()
        map_view.forget()
        self.memory.everything()

    def _reopen(self, left: Sequence[Screen]) -> None:
        """Opens what was being told when the app was last seen; else the game that goes on."""
        from companion.ui.pages.register import PAGES

        for name, data in left:
            try:
                if self.page is None or not PAGES[name].resume(self.page, data):
                    break
            except (Trouble, KeyError, ValueError, TypeError, AttributeError, IndexError):
                # Written by another version, or the photo is gone: everything below it is there.
                break
        # A picture that nobody waits for any more must not turn up later.
        self.desk.camera.left_over()
        if len(self.stack) == 1 and self.desk.game is not None:
            self.go("table", self.table_model())

    def keep(self) -> None:
        """Writes down what is being told on the pile of screens."""
        from companion.ui.pages.register import PAGES

        if self.alone:
            return
        kept: list[Screen] = []
        for name, model in self.stack[1:]:
            data = PAGES[name].kept(model)
            if data is None:
                break
            kept.append((name, data))
        self.desk.unfinished.keep(kept)

    def table_model(self) -> Any:
        from companion.ui.models.table import TableModel

        self.desk.look_again()
        if self.desk.game is None:
            raise Trouble("no-game")
        return TableModel(self.desk, self.desk.game)

    @property
    def low(self) -> bool:
        """A phone on its side: what matters goes first, there is no room below."""
        return bool(self.wide and self._window.height < dp(theme.LOW))

    @property
    def width(self) -> float:
        """How wide the window is."""
        return float(self._window.width)

    @property
    def height(self) -> float:
        """How high the window is."""
        return float(self._window.height)

    def _is_wide(self) -> bool:
        return bool(self._window.width >= dp(theme.WIDE) and self._window.width > self._window.height)

    def _resized(self, *_: object) -> None:
        self._fit()
        if self._is_wide() != self.wide:
            self.wide = not self.wide
            self.show()

    def _key(self, _window: object, key: int, _scan: int = 0, _text: str = "", modifiers: Sequence[str] = ()) -> bool:
        """Escape goes back, Enter does what the main button would unless the keyboard is on another, Ctrl+Z and Ctrl+Y
        undo and redo; all other keys walk about."""
        if key in _UNDO and {"ctrl", "meta"} & set(modifiers) and self.page is not None and self._question is None:
            return self.page.step(_UNDO[key])
        if key == _ENTER and self.keys.at is None:
            return self._enter()
        if key != _ESCAPE:
            return not self.holding and self.keys.press(key, modifiers)
        if len(self.stack) > 1 or self._question:
            self.back()
            return True
        return False

    def _enter(self) -> bool:
        """The main button of a question, or of the screen; never while somebody writes."""
        if self.holding or any(isinstance(w, Entry) and w.focus for w in self.shell.walk()):
            return False
        layer = self._question or self.shell
        main = [w for w in layer.walk() if isinstance(w, Tap) and w.kind == "primary" and not w.disabled]
        if len(main) == 1:
            main[0].dispatch("on_release")
            return True
        return False

    def _dropped(self, _window: object, name: bytes | str, *_: object) -> None:
        """A file dropped onto the window: the screen that waits for a picture takes it."""
        path = Path(name.decode(errors="replace") if isinstance(name, bytes) else name)
        if self.page is not None and self._question is None:
            self.page.dropped(path)

    def _deliver(self, _dt: float) -> None:
        self.desk.work.deliver()
        if self.desk.unsaved is not None and self._question is None:
            told, self.desk.unsaved = self.desk.unsaved, None
            self.tell(told)

    def go(self, name: str, model: object = None) -> None:
        """Lays a screen on the pile."""
        self.stack.append((name, model))
        self.show()

    def replace(self, name: str, model: object = None) -> None:
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
            if self.page.parent is None:
                # Another one came before this one was on the screen.
                self.memory.leave([self.page])
        self.keys.leave()
        if self.pointer is not None:
            self.pointer.leave()
        self.desk.mouse = self.wide and not self.low and not on_android()
        name, model = self.stack[-1]
        self._window.clearcolor = self.look.paper
        self.page = PAGES[name](self, model)
        self.shell.title = self.page.title
        self.shell.can_go_back = len(self.stack) > 1
        self.shell.help = "" if self.alone else self.page.help
        if self.shell.body.children:
            # Making it and laying it out take a frame each; the one before is seen until then, and takes no tap.
            hold_back(self.page)
            self._bring_up()
        else:
            self._change_pages()
        self.hold()
        self.keep()

    def _change_pages(self, *_: object) -> None:
        """The screen that was made takes the place of the one before."""
        if self.page is None or self.page.parent is not None:
            return
        gone = list(self.shell.body.children)
        self.shell.body.clear_widgets()
        self.memory.leave(gone)
        self.shell.body.add_widget(self.page)
        self.shell.body.do_layout()
        from_the_top(self.page)

    def restyle(self) -> None:
        """After a change of look or language everything is made anew, the frame too."""
        parent = self.shell.parent
        self.shell.body.clear_widgets()
        self._size_words()
        fresh = Shell()
        if parent is not None:
            parent.remove_widget(self.shell)
            parent.add_widget(fresh)
            self.memory.leave([self.shell])
        if self._question is not None:
            # The system turned dark while something was asked: it is still asked.
            self.shell.remove_widget(self._question)
            fresh.add_widget(self._question)
        self.shell = self.root = fresh
        self.show()

    def refresh(self) -> None:
        """Shows the model's newest state."""
        if self.page is not None:
            self.page.fill()
            self.shell.title = self.page.title

    def ask(self, text: str, answers: Sequence[tuple[str, Callable[[], object] | None, str]]) -> None:
        """A question above the screen: each answer with what it does and the kind of its button."""
        self.answer()
        question = Question()
        question.ids.said.text = text
        # On a phone on its side a pile of answers would leave no room for the question.
        question.ids.answers.cols = 2 if self.low and len(answers) > _PILED else 1
        for label, do, kind in answers:
            question.ids.answers.add_widget(Tap(label, partial(self.answer, do), kind=kind))
        self._question = question
        self.shell.add_widget(question)
        self.hold()

    def answer(self, do: Callable[[], object] | None = None) -> None:
        """Takes the question away and does what was chosen."""
        if self._question is not None:
            self.shell.remove_widget(self._question)
            self.memory.leave([self._question])
            self._question = None
        if do is not None:
            do()

    def tell(self, told: Message | Trouble | str) -> None:
        """Something to read, with one button."""
        text = told if isinstance(told, str) else self.desk.tell(told)
        self.ask(text, [(self.desk.say("ok"), None, "primary")])

    def unexpected(self, error: Exception) -> None:
        """Something that should not have happened: one sentence for the player, the details in a file.

        Trouble that no screen expected (a full disk) has its own sentence.
        """
        if isinstance(error, Trouble):
            self.tell(error)
            return
        file = self.desk.folder / "last-error.txt"
        try:
            write_whole(file, "".join(traceback.format_exception(error)))
        except OSError:
            file = Path("-")
        self.tell(Trouble("unexpected", what=f"{type(error).__name__}: {error}", file=str(file)))

    def on_pause(self) -> bool:
        """Android may end the app from now on without another word."""
        self.keep()
        self.desk.hush()
        self.desk.camera.stop()
        self.memory.unseen()
        return True

    def on_resume(self) -> None:
        self._fit()
        self._look_as(self.desk.system.look())

    def _focused(self, _window: object, focus: bool) -> None:
        """Whoever comes back from the system's settings may have made it dark; a desktop is asked beside the screen."""
        if not focus:
            self.memory.unseen()
        elif not on_android():
            self.desk.work.start("look", lambda _: self.desk.system.look(), self._heard_look)

    def _heard_look(self, note: Note) -> None:
        if note.kind == "done":
            self._look_as(note.value)

    def _look_as(self, look: str) -> None:
        if self.desk.system_looks(look):
            self.restyle()

    def on_stop(self) -> None:
        if self.page is not None:
            self.page.closed()
        if self.pointer is not None:
            self.pointer.close()
        self._clock.cancel()
        self._tidy.cancel()
        self._bring_up.cancel()
        self.memory.end()
        self.desk.close()


def open_app(desk: Desk, alone: tuple[str, Any] | None = None) -> None:
    """Runs the app, or a single screen of it, until it is closed."""
    ExceptionManager.add_handler(_Net())
    CompanionApp(desk, alone).run()


Builder.load_file(str(Path(__file__).with_name("app.kv")))

"""The real app without a screen: frame by frame, in any size. Pictures of the screens and tests are made with it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any  # Any: Kivy has no types

from companion.ui.desk import Desk

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp


class Stage:
    """Opens the app in a window that nobody sees. One process has one window: only one stage at a time."""

    def __init__(self, desk: Desk, width: int = 360, height: int = 780) -> None:
        os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
        from companion.ui.window import prepare, require

        prepare(width, height)
        require()
        from kivy.base import EventLoop, runTouchApp
        from kivy.clock import Clock
        from kivy.core.window import Window

        from companion.ui.app import CompanionApp

        self.loaded()
        self._loop, self.window = EventLoop, Window
        # Nobody watches: no frame has to wait for the next.
        Clock._max_fps = 0
        for child in list(Window.children):
            Window.remove_widget(child)
        Window.size = (width, height)
        self.desk = desk
        self.app: CompanionApp = CompanionApp(desk)
        # Whoever taps here waits for nothing.
        self.app.guard = 0.0
        self.app.feel.still = True
        if hasattr(desk.system, "still"):
            desk.system.still = True
        self.app._run_prepare()
        if EventLoop.status != "started":
            runTouchApp(embedded=True)
        self.frames()

    def loaded(self) -> None:
        """The app is loaded and not yet opened: what a kind of stage has to see to before."""

    def frames(self, n: int = 2) -> None:
        """Lets the app draw."""
        for _ in range(n):
            self._loop.idle()

    def settle(self) -> None:
        """Until nothing runs beside the screen any more and everything is drawn."""
        self.frames(3)
        self.desk.work.finish()
        self.frames(3)
        self.desk.work.finish()
        self.lay_out()

    def lay_out(self) -> None:
        """Until everything on the screen has its place."""
        self.frames(3)
        while self.app.page is not None and self.app.page.laying_out:
            self.frames(1)
        self.frames(2)

    def resize(self, width: int, height: int) -> None:
        self.window.size = (width, height)
        self.settle()

    def picture(self, path: Path) -> None:
        """What the screen shows now, as a file."""
        self.app.shell.export_to_png(str(path))

    def widgets(self) -> list[Any]:
        """Everything on the screen, what lies on top last."""
        if self.app.page is not None and self.app.page.parent is None:
            # It was made just now.
            self.frames(2)
        return list(self.app.shell.walk())

    def close(self) -> None:
        self.app.dispatch("on_stop")
        for child in list(self.window.children):
            self.window.remove_widget(child)
        self.window.unbind(
            on_resize=self.app._resized, on_keyboard=self.app._key, on_touch_up=self.app._touched,
            on_memorywarning=self.app._low_memory, on_drop_file=self.app._dropped,
            focus=self.app._focused, on_touch_down=self.app._finger,
        )  # fmt: skip

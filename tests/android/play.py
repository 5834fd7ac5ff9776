"""Plays in the packed app, started as Android starts it: a claim refereed, then the practice photo read and scored.

`play.py APP EMPTY CORNERS TRUTH OUT`: the empty practice board and its corners are enrolled first; pictures go to OUT.
The camera is a folder with the finished practice board, named by COMPANION_CAMERA.
"""

import json
import runpy
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any  # Any: Kivy has no types

app_folder, empty, corners, truth, out = (Path(a) for a in sys.argv[1:])

from vision.classify import engine  # noqa: E402
from vision.enrol import enrol  # noqa: E402

enrol(empty, "europe", json.loads(corners.read_text(encoding="utf-8"))["corners"])

from companion.ui.window import prepare, require  # noqa: E402

prepare()
require()
from kivy.clock import Clock  # noqa: E402
from kivy.uix.textinput import TextInput  # noqa: E402

from companion.ui.app import CompanionApp  # noqa: E402

PATIENCE = 300
Steps = Iterator[Callable[[], object]]
told: dict[str, Any] = {"engine": engine()}
right = json.loads(truth.read_text(encoding="utf-8"))["routes"]


def memory() -> int:
    """The most memory so far, in megabytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


class Pilot:
    """Taps by name; each step waits until there is something to tap."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.steps = self.play()
        self.until = time.monotonic() + PATIENCE
        self.wanted: Callable[[], object] | None = None
        Clock.schedule_interval(self.go_on, 0.02)

    def go_on(self, _dt: float) -> None:
        if time.monotonic() > self.until:
            print(self.shown(), file=sys.stderr)
            raise SystemExit(f"waited for {self.wanted} in vain")
        # A screen that is made and not yet shown takes no tap.
        if self.app.desk.work.busy or self.app.page.parent is None:
            return
        if self.wanted is not None and not self.wanted():
            return
        try:
            self.wanted = next(self.steps)
        except StopIteration:
            self.app.stop()
        except Exception as error:  # the app would show it to a player and go on
            raise SystemExit(f"{error!r} while {self.shown()} was shown") from error

    def widgets(self) -> list[Any]:
        return list((self.app._question or self.app.shell).walk())

    def shown(self) -> list[str]:
        return [w.text for w in self.widgets() if getattr(w, "text", "")]

    def button(self, text: str) -> Any:
        taps = [w for w in self.widgets() if hasattr(w, "on_release") and not w.disabled]
        return next((w for w in taps if text in getattr(w, "text", "")), None)

    def tap(self, text: str) -> Steps:
        """Waits for a button, then taps it."""
        yield lambda: self.button(text)
        self.button(text).dispatch("on_release")

    def say(self, key: str) -> str:
        return str(self.app.desk.say(key))

    def picture(self, name: str) -> Steps:
        yield lambda: True
        self.app.shell.export_to_png(str(out / f"{name}.png"))
        told.setdefault("memory", {})[name] = memory()

    def page(self, name: str) -> Steps:
        yield lambda: self.app.stack[-1][0] == name

    def play(self) -> Steps:
        yield from self.picture("home")
        yield from self.claim()
        self.app.home()
        yield from self.score()

    def claim(self) -> Steps:
        """A claim that the referee accepts, then the same again, which it doesn't."""
        for text in (self.say("home.new"), "Europe", self.say("new.next"), self.say("new.begin")):
            yield from self.tap(text)
        yield from self.page("table")
        # The opening tickets of everybody: as few as may be kept.
        while (form := self.app.page.model.form) is not None and form.required:
            yield from self.tap(str(form.kept_choices()[0]))
            yield lambda: True
        for told_as in ("legal", "illegal"):
            yield from self.tap(self.say("do.claim"))
            yield lambda: any(isinstance(w, TextInput) for w in self.widgets())
            next(w for w in self.widgets() if isinstance(w, TextInput)).text = "amsterdam essen"
            yield from self.tap("Amsterdam – Essen")
            yield from self.picture(f"claim-{told_as}")
            told[told_as] = self.button(self.say("confirm.claim")) is not None
            yield from self.tap(self.say("confirm.claim") if told[told_as] else self.say("cancel"))
        told["claimed"] = list(self.app.desk.game.position.players[0].routes)

    def score(self) -> Steps:
        yield from self.tap(self.say("home.score"))
        yield from self.tap(self.say("snap.shoot"))
        yield lambda: self.app.stack[-1][0] in ("review", "finish")
        yield from self.picture("review")
        told["asked"] = 0
        while self.app.stack[-1][0] == "review" and self.app.page.review.item is not None:
            told["asked"] += 1
            yield from self.answer()
        if self.app.stack[-1][0] == "review":
            yield from self.tap(self.say("review.accept"))
        yield from self.tap(self.say("new.next"))
        while self.app.stack[-1][0] != "sheet":
            self.app.page.ids.next.dispatch("on_release")
            yield lambda: True
            # Nobody has tickets here: the app asks whether that is so.
            if self.app._question is not None:
                yield from self.tap(self.say("finish.go-on"))
        yield from self.tap(self.say("sheet.all"))
        yield from self.picture("sheet")
        # A sheet is kept once everybody has seen it.
        yield from self.tap(self.say("sheet.home"))
        yield from self.page("home")
        kept = self.app.desk.history.games()[0]
        told["points"] = {p.color: p.breakdown["routes"] for p in kept.players}

    def answer(self) -> Steps:
        """As a player would who looks at the board."""
        item = self.app.page.review.item
        color = right.get(item.id)
        yield from self.tap(self.app.desk.word(color) if color else self.say("review.empty"))


CompanionApp.on_start = lambda app: setattr(app, "pilot", Pilot(app))
runpy.run_path(str(app_folder / "main.pyc"), run_name="__main__")
print(json.dumps(told))

"""Kivy's settings for our window. They must be made before anything that opens it is loaded."""

from __future__ import annotations

from pathlib import Path

from kivy.config import Config

from companion.ui.system import settle_in
from maps import Trouble
from vision.reading import Reading


def prepare(width: int = 1080, height: int = 720) -> None:
    """The window's size on a desktop, as a small laptop has room for it; a phone gives its own."""
    Config.set("graphics", "width", width)
    Config.set("graphics", "height", height)
    Config.set("graphics", "minimum_width", 320)
    Config.set("graphics", "minimum_height", 320)
    Config.set("graphics", "multisamples", 0)
    Config.set("kivy", "exit_on_escape", 0)
    # A mouse is one finger: no red dots for a second one.
    Config.set("input", "mouse", "mouse,disable_multitouch")


def require() -> None:
    """Opens the window; Trouble where there can be none."""
    from kivy.core.window import Window

    if Window is None:
        raise Trouble("no-window")


def correct(reading: Reading, picture: Path) -> dict[str, str | None] | None:
    """Shows a photo with what was read; every answer of a person, None if they closed the window instead."""
    prepare()
    require()
    from kivy.app import App

    from companion.ui.app import open_app
    from companion.ui.desk import Desk
    from companion.ui.models.review import ReviewModel
    from companion.ui.pages.tasks import Reviewing

    answers: list[dict[str, str | None]] = []

    def accepted(review: ReviewModel) -> None:
        answers.append(review.answers)
        App.get_running_app().stop()

    open_app(Desk(), ("review", Reviewing(ReviewModel(reading, picture), accepted)))
    return answers[0] if answers else None


def run() -> None:
    """Opens the app and comes back when it is closed."""
    settle_in()
    prepare()
    require()
    from companion.ui.app import open_app
    from companion.ui.desk import Desk

    open_app(Desk())

"""The question how a game is kept from now on, asked wherever a game is played."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any  # Any: every page has a model of its own

from companion.table.game import Game
from companion.ui.models.keeping import asks_turn, keep, others, seats
from companion.ui.models.watch import WatchModel
from companion.ui.pages.page import Page


def ask_keeping(page: Page[Any], game: Game, leave: Callable[[], None]) -> None:
    """Asks for another way. `leave` ends what the screen does in this one."""
    ways = [
        (page.say(f"keeping.{name}"), partial(_chosen, page, game, so, leave), "button") for so, name in others(game)
    ]
    page.app.ask(page.say("keeping.ask"), [*ways, (page.say("cancel"), None, "soft")])


def _chosen(page: Page[Any], game: Game, so: str, leave: Callable[[], None]) -> None:
    if not asks_turn(so):
        _kept(page, game, so, leave)
        return
    turns = [(name, partial(_kept, page, game, so, leave, name), "button") for name in seats(game)]
    page.app.ask(page.say("keeping.turn-of"), [*turns, (page.say("cancel"), None, "soft")])


def _kept(page: Page[Any], game: Game, so: str, leave: Callable[[], None], player: str = "") -> None:
    leave()
    keep(game, so, player)
    app = page.app
    app.home()
    app.go("table", app.table_model())
    if so == "watched":
        app.go("watch", WatchModel(page.desk, game))

"""How a game is kept: the other ways there are, and the change to one of them."""

from __future__ import annotations

from companion.rules import KEEPINGS, Keep
from companion.table.game import Game

# The names under which players choose them.
_NAMES = {"refereed": "turns"}


def others(game: Game) -> list[tuple[str, str]]:
    """The ways in which the game is not kept now, each with the name of its words."""
    return [(so, _NAMES.get(so, so)) for so in reversed(KEEPINGS) if so != game.position.keeping]


def asks_turn(so: str) -> bool:
    """Whether somebody has to say who is to move."""
    return so == "refereed"


def keep(game: Game, so: str, player: str = "") -> None:
    """From now on the game is kept so; `player` is to move, where that counts."""
    if so != game.position.keeping:
        game.do(Keep(player or seats(game)[0], so), accept=True)


def seats(game: Game) -> list[str]:
    """Everybody who may be to move."""
    return list(game.position.order)

"""A practice game that is begun already, and a coach who says what to try next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any  # Any: JSON

from companion.rules import Claim, DrawCards, Player, Setup, offers
from companion.table.game import Game
from companion.table.take_over import plainest
from companion.ui.desk import Desk
from companion.ui.layers import Pieces
from companion.ui.models.table import TableModel
from maps import load

_BOARD = "europe"
_PLAYERS = (("Ada", "blue"), ("Bo", "red"))
# What lies on the board when it is opened, in the order of turns.
_LAID = ("barcelona-marseille-gray", "amsterdam-essen-yellow", "brest-paris-black", "berlin-wien-green")


@dataclass(frozen=True)
class Lesson:
    """Something to try: `app.coach.KEY` says how, `look` is the route that it is about, `done` whether it was done."""

    key: str
    done: Callable[[Coach], bool]
    look: str = ""


class Coach(TableModel):
    """The table of a practice game. A lesson that was done stays done, whatever is undone later."""

    def __init__(self, desk: Desk, game: Game) -> None:
        super().__init__(desk, game)
        self._begun = len(game.entries)
        self.at = 0

    @classmethod
    def new(cls, desk: Desk) -> Coach:
        """Begun anew each time, beside the games of this table."""
        players = [Player(name, color) for name, color in _PLAYERS]
        setup = Setup(first=_PLAYERS[0][0], opening=True)
        game = desk.practise(lambda path: Game.new(path, _BOARD, players, setup=setup))
        _deal(game)
        for route in _LAID:
            told: Mapping[str, object] = {"route": route}
            game.do(plainest(game.position, game.position.turn, "claim", told))
        return cls(desk, game)

    @property
    def lesson(self) -> Lesson | None:
        """What to try now, None when all was tried."""
        while self.at < len(LESSONS) and LESSONS[self.at].done(self):
            self.at += 1
        return LESSONS[self.at] if self.at < len(LESSONS) else None

    @property
    def told(self) -> str:
        """What the coach says."""
        lesson = self.lesson
        return self.desk.say(f"coach.{lesson.key}" if lesson else "coach.end", self.board.cards.wild)

    def since(self) -> list[Any]:
        """The actions of the one who learns."""
        return [entry.action for entry in self.game.entries[self._begun :]]

    def pieces(self) -> Pieces:
        """The map, with the route that the lesson is about."""
        found, lesson = super().pieces(), self.lesson
        if self.form is None and lesson is not None and lesson.look:
            return replace(found, highlight=(lesson.look,))
        return found


def _deal(game: Game) -> None:
    """The opening tickets, as few as may be kept."""
    while (offer := next((o for o in offers(game.position) if o.required), None)) is not None:
        told: dict[str, object] = {}
        while (question := offer.question(told)) is not None:
            told[question.field] = question.choices[0] if question.choices else None
        game.do(offer.complete(told))


def _drew(coach: Coach) -> bool:
    return any(isinstance(action, DrawCards) for action in coach.since())


def _claimed(coach: Coach, kind: str) -> bool:
    routes = load(_BOARD).routes
    return any(isinstance(a, Claim) and routes[a.route].kind == kind for a in coach.since())


LESSONS = (
    Lesson("deck", _drew),
    Lesson("claim", lambda coach: _claimed(coach, "normal"), "marseille-pamplona-red"),
    Lesson("tunnel", lambda coach: _claimed(coach, "tunnel"), "marseille-zurich-pink"),
    Lesson("undo", lambda coach: coach.game.can_redo),
    Lesson("turn", lambda coach: bool(coach.acting)),
)

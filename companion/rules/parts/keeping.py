"""How a game is kept: everything refereed, claims only, or watched by a camera. It can change at any time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.rules.table.action import Action, When
from companion.rules.table.fields import ActionReader
from companion.rules.table.offer import Ask
from companion.rules.table.outcome import Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import KEEPINGS, Position
from companion.rules.table.verdict import Findings, Rule


@dataclass(frozen=True)
class Keep(Action):
    """From now on the game is kept `so`. What nobody tells any more (hands, deck, whose turn it is) is unknown."""

    kind: ClassVar[str] = "keeping"
    # No matter of anybody's turn.
    when: ClassVar[When] = "end"
    so: str = "refereed"

    @classmethod
    def read(cls, f: ActionReader) -> Keep:
        return cls(f.player(), f.known("so", "keeping", KEEPINGS))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        """It is chosen with the game, not offered in a turn."""
        return None

    def judge(self, position: Position, found: Findings) -> None:
        if self.so == position.keeping:
            found.no(Rule.TURN, "keeping.same")

    def play(self, position: Position, outcome: Outcome) -> Position:
        if self.so == "refereed":
            # Whoever says so is to move.
            return replace(position, keeping=self.so, turn=self.player)
        players = tuple(replace(p, hand=None, rack=None) for p in position.players)
        position = replace(position, keeping=self.so, turn="", players=players, deck=None, discard=None, face_up=None)
        return position.go_on(hands={}, opening=(), placing=())


@dataclass(frozen=True)
class Keeping(Part):
    """How the game is kept."""

    actions: ClassVar[tuple[type[Action], ...]] = (Keep,)

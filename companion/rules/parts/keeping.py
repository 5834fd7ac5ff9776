"""How a game is kept: everything refereed, claims only, or watched by a camera; and who was forgotten at its start."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.rules.table.action import Action, When
from companion.rules.table.fields import ActionReader
from companion.rules.table.offer import Ask
from companion.rules.table.outcome import Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import KEEPINGS, Player, Position
from companion.rules.table.setup import check_people
from companion.rules.table.verdict import Findings, Reason, Rule
from maps import Trouble


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
class Join(Action):
    """Somebody who was forgotten sits down last. What was told so far stays as it was judged.

    `opening`: the opening tickets and depots that the others chose are asked of them now.
    """

    kind: ClassVar[str] = "join"
    when: ClassVar[When] = "end"
    name: str = ""
    color: str = ""
    opening: bool = False

    @classmethod
    def read(cls, f: ActionReader) -> Join:
        return cls(f.player(), f.required_text("name"), f.required_text("color"), f.flag("opening"))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        """A photo shows it, or somebody says so; it is not offered in a turn."""
        return None

    def judge(self, position: Position, found: Findings) -> None:
        """There is a seat, a name and a colour left. A partner more would make no team."""
        try:
            if position.variant.team_size > 1:
                raise Trouble("team-members", n=position.variant.team_size)
            check_people(self._seated(position))
        except Trouble as trouble:
            found.add(Reason(Rule.TURN, trouble.message))

    def _seated(self, position: Position) -> Position:
        return replace(position, players=(*position.players, Player(self.name, self.color)))

    def play(self, position: Position, outcome: Outcome) -> Position:
        if position.player(self.name) is not None:
            return position
        # Cards were dealt to them too: nobody has counted the deck rightly.
        position = replace(self._seated(position), deck=None, discard=None)
        if position.run.last_turns is not None:
            position = position.go_on(last_turns=(*position.run.last_turns, self.name))
        for part in position.parts:
            position = part.joined(position, self.name, self.opening)
        return position


@dataclass(frozen=True)
class Keeping(Part):
    """How the game is kept, and by whom it is played."""

    actions: ClassVar[tuple[type[Action], ...]] = (Keep, Join)

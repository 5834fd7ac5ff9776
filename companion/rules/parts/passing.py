"""Doing nothing: for a claim that is forgone, or where nothing else can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from companion.rules.table.action import Action
from companion.rules.table.book import Section, line, section
from companion.rules.table.offer import Ask
from companion.rules.table.outcome import Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import Position
from companion.rules.table.supply import refilled
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Rule
from maps import Board


@dataclass(frozen=True)
class Pass(Action):
    """Nothing, where nothing can be done or a second claim is forgone."""

    kind: ClassVar[str] = "pass"
    second: ClassVar[bool] = True
    last: ClassVar[bool] = True

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        return () if position.run.claims or not can_act(position, name) else None

    def judge(self, position: Position, found: Findings) -> None:
        if position.run.claims:
            return
        if can_act(position, self.player):
            found.no(Rule.TURN, "turn.must-act")
        elif position.seat(self.player).cards is None:
            found.believe("stuck", player=self.player)

    def play(self, position: Position, outcome: Outcome) -> Position:
        return refilled(position, outcome)


def can_act(position: Position, name: str) -> bool:
    """Whether some action is surely possible."""
    return any(part.surely_possible(position, name) for part in position.parts)


@dataclass(frozen=True)
class Passing(Part):
    """Passing."""

    actions: ClassVar[tuple[type[Action], ...]] = (Pass,)

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        return (section("turn", line("turn.pass")),)

"""The score sheet: lines that add up, with the evidence for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any  # Any: JSON

from companion.rules.scoring.trails import NO_TRAIL, Trail
from companion.rules.table.variant import Bonus
from maps import Message


@dataclass(frozen=True)
class TicketScore:
    """A ticket at the end: its points, whether it is done, and the tracks that join its cities, in order."""

    id: str
    a: str
    b: str
    points: int
    via: tuple[str, ...] | None

    @property
    def done(self) -> bool:
        return self.via is not None

    @property
    def counts(self) -> int:
        """What it adds: its points, or takes them."""
        return self.points if self.done else -self.points

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "points": self.points, "done": self.done, "via": list(self.via or ())}


@dataclass(frozen=True)
class PlayerScore:
    """One player's or team's lines. `longest_path` is empty where nothing depends on it; `evidence` says the rest."""

    name: str
    color: str
    rank: int
    breakdown: Mapping[Bonus, int]
    tickets: tuple[TicketScore, ...] = ()
    station_choices: Mapping[str, str] = field(default_factory=dict)
    longest_path: Trail = NO_TRAIL
    evidence: tuple[Message, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.breakdown.values())

    @property
    def tickets_done(self) -> int:
        return sum(t.done for t in self.tickets)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "rank": self.rank,
            "total": self.total,
            "breakdown": dict(self.breakdown),
            "tickets": [t.to_json() for t in self.tickets],
            "station_choices": dict(self.station_choices),
            "longest_path": {"length": self.longest_path.length, "routes": list(self.longest_path.routes)},
        }


@dataclass(frozen=True)
class ScoreSheet:
    """Final scores, in the order of the players. `decided_by` is the rule that found the winner, or `shared`."""

    variant: str
    board: str
    players: tuple[PlayerScore, ...]
    winners: tuple[str, ...]
    decided_by: str
    warnings: tuple[Message, ...] = ()

    def to_json(self, tell: Callable[[Message], str] = str) -> dict[str, Any]:
        """`score` of the contract; `tell` finds the words of the warnings."""
        return {
            "players": [p.to_json() for p in self.players],
            "winners": list(self.winners),
            "decided_by": self.decided_by,
            "warnings": [tell(w) for w in self.warnings],
        }

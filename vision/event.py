"""What happens at a table, as a camera on a stand tells it, and what it may expect there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Kind = Literal["claim", "station", "gone", "moved", "camera", "lost", "found"]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that has settled. `place`: a route or city; `origin`: where moved wagons lay before.

    A `color` is a player's; that of a depot reads `depot-red`.
    """

    seconds: float
    kind: Kind
    place: str = ""
    color: str = ""
    confidence: float = 1.0
    origin: str = ""


@dataclass(frozen=True)
class Expected:
    """What the game knows: colours and number of players, if depots stand, what it hardly allows (place and colour)."""

    colors: Collection[str] | None = None
    players: int | None = None
    depots: bool = False
    unlikely: frozenset[tuple[str, str]] = frozenset()

"""What the camera saw against what is known: what is new, what contradicts, what somebody should look at."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any  # Any: JSON

from companion.rules import Position
from vision.reading import DEPOT, Reading


@dataclass(frozen=True)
class Sight:
    """One route or city: what the record says (None: nobody's) and what the camera saw, with how sure it was."""

    id: str
    known: str | None
    seen: str | None
    confidence: float


@dataclass(frozen=True)
class Merged:
    """What a reading adds. `new`: tracks taken since; `conflicts`: the record says otherwise; `doubtful`: look there.

    `vanished`: taken in the record, empty in the picture. Stations and depots (as `depot-red`) likewise, by city.
    Nothing is changed by this.
    """

    new: tuple[Sight, ...] = ()
    conflicts: tuple[Sight, ...] = ()
    vanished: tuple[Sight, ...] = ()
    doubtful: tuple[Sight, ...] = ()
    new_stations: tuple[Sight, ...] = ()
    station_conflicts: tuple[Sight, ...] = ()
    strangers: tuple[str, ...] = ()
    # Everything taken in the picture, in short, as a journal keeps it.
    seen: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def gone(self) -> tuple[Sight, ...]:
        """What the record says is not so: it lies there in another colour, or not at all."""
        return (*self.conflicts, *self.vanished, *self.station_conflicts)

    @property
    def buildings(self) -> tuple[Sight, ...]:
        """Stations and depots that stand there and that the record does not know."""
        return (*self.new_stations, *(s for s in self.station_conflicts if s.seen))

    @property
    def plain(self) -> Merged:
        """Only what is new: nothing that contradicts the record, and that somebody would have to decide."""
        return Merged(new=self.new, new_stations=self.new_stations, strangers=self.strangers, seen=self.seen)

    @property
    def agrees(self) -> bool:
        """The picture shows what the record says, nothing more and nothing else."""
        return not (self.new or self.conflicts or self.vanished or self.new_stations or self.station_conflicts)


def merge(position: Position, reading: Reading, empty: Collection[str] = ()) -> Merged:
    """Compares a reading with a position by the colours of the players. `empty`: cities that a person calls empty."""
    routes = {
        r: Sight(r, _owner(position, r, seen.color), seen.color, seen.confidence)
        for r, seen in reading.routes.items()
        if r in position.board.routes
    }
    stations = _buildings(position, reading, empty)
    doubtful = set(reading.doubtful)
    sure = [s for r, s in routes.items() if r not in doubtful]
    sure_stations = [s for s in stations if s.id not in doubtful]
    return Merged(
        new=tuple(s for s in sure if s.seen and not s.known),
        conflicts=tuple(s for s in sure if s.seen and s.known and s.seen != s.known),
        vanished=tuple(s for s in sure if s.known and not s.seen),
        # A building that record and camera agree on needs no look: where depots are played, each one is doubtful.
        doubtful=tuple(s for s in (*routes.values(), *(b for b in stations if b.known != b.seen)) if s.id in doubtful),
        new_stations=tuple(s for s in sure_stations if s.seen and not s.known),
        station_conflicts=tuple(s for s in sure_stations if s.known and s.seen != s.known),
        strangers=tuple(sorted(_strangers(position, reading))),
        seen=_short(position, reading),
    )


def _short(position: Position, reading: Reading) -> dict[str, Any]:
    kinds = {"stations": reading.stations} | ({"depots": reading.depots} if position.has_depots else {})
    built = {kind: {city: b.color for city, b in there.items()} for kind, there in kinds.items()}
    return {"routes": dict(reading.taken), **built}


def _buildings(position: Position, reading: Reading, empty: Collection[str]) -> list[Sight]:
    """What stands in each city. A depot that is placed stays: not seeing it means nothing, unless somebody looked."""
    known = {city: p.color for p in position.players for city in p.stations}
    placed = {city: f"{DEPOT}{p.color}" for p in position.players for city in p.depots}
    sure = {**reading.stations, **reading.depots}
    seen = [Sight(c, (known | placed).get(c), name, sure[c].confidence) for c, name in reading.buildings.items()]
    seen += [Sight(c, color, None, 1.0) for c, color in placed.items() if c in empty and c not in sure]
    return seen + [Sight(c, color, None, 0.0) for c, color in known.items() if c not in sure]


def _owner(position: Position, route: str, seen: str | None) -> str | None:
    """The colour that holds a track; of several (Right of Way) the one that was seen."""
    colors = [position.players[i].color for i in position.owners.get(route, ())]
    return seen if seen in colors else (colors[0] if colors else None)


def _strangers(position: Position, reading: Reading) -> set[str]:
    """Colours that nobody at this table plays."""
    seen = {r.color for r in reading.routes.values()}
    seen |= {b.color for b in (*reading.stations.values(), *reading.depots.values())}
    return {c for c in seen if c is not None} - {p.color for p in position.players}

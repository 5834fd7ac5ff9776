"""A reading on trial: what is doubtful or doesn't fit is asked one after the other, then taken over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any  # Any: JSON

from companion.rules import Position, variants_of
from companion.table.merge import Merged, merge
from companion.ui import services
from companion.ui.desk import Desk
from maps import Board, Trouble, load
from vision.reading import DEPOT, Reading, RouteReading, StationReading


@dataclass(frozen=True)
class Item:
    """A route or city to look at: why, what the record says and what was seen; a depot is told as `depot-red`."""

    id: str
    why: str
    known: str | None
    seen: str | None


class ReviewModel:
    """Asks about each item; `choices` are the answers, None standing for "empty". `has_depots`: they are played."""

    def __init__(
        self, reading: Reading, picture: Path, position: Position | None = None, has_depots: bool = False
    ) -> None:
        self.reading, self.picture, self.position = reading, picture, position
        self.has_depots = position.has_depots if position is not None else has_depots or bool(reading.depots)
        self.board: Board = load(reading.board)
        self.merged: Merged | None = merge(position, reading) if position is not None else None
        self.items = self._items()
        self.answers: dict[str, str | None] = {}
        self.at = 0

    def to_json(self) -> dict[str, Any]:
        """What was read and answered so far."""
        told = {"answers": self.answers, "at": self.at, "has_depots": self.has_depots}
        return {"picture": str(self.picture), "reading": self.reading.to_json(), **told}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], position: Position | None = None) -> ReviewModel:
        """A review as it was left; Trouble if its photo is gone."""
        picture = Path(data["picture"])
        if not picture.is_file():
            raise Trouble("no-file", file=picture.name)
        review = cls(Reading.from_json(data["reading"]), picture, position, data["has_depots"])
        review.answers, review.at = dict(data["answers"]), int(data["at"])
        return review

    def _items(self) -> list[Item]:
        if self.merged is None:
            return [Item(i, "doubtful", None, self._seen(i)) for i in self.reading.doubtful]
        odd = (*self.merged.conflicts, *self.merged.vanished, *self.merged.station_conflicts)
        found = [Item(s.id, "conflict" if s.seen else "vanished", s.known, s.seen) for s in odd]
        return found + [Item(s.id, "doubtful", s.known, s.seen) for s in self.merged.doubtful]

    def _seen(self, name: str) -> str | None:
        if name in self.reading.routes:
            return self.reading.routes[name].color
        return self.reading.buildings.get(name)

    @property
    def building_kinds(self) -> list[str]:
        """What stands before a colour, for each kind of building that may stand in a city."""
        stations = any(variant.stations for variant in variants_of(self.board.id))
        return [""] * stations + [DEPOT] * self.has_depots

    @property
    def item(self) -> Item | None:
        """The one to look at now, None when all are answered."""
        return self.items[self.at] if self.at < len(self.items) else None

    def choices(self, item: Item) -> list[str | None]:
        """Answers: what was seen first, then what is known, the other colours, and empty."""
        first = [c for c in (item.seen, item.known) if c]
        colors = [p.color for p in self.position.players] if self.position else list(self.board.wagon_colors)
        every = [*sorted(self._playing(colors)), *colors]
        if item.id in self.board.cities:
            # The kind that was seen comes first.
            kinds = sorted(self.building_kinds, reverse=(item.seen or "").startswith(DEPOT))
            every = [kind + color for kind in kinds for color in every]
        order: list[str | None] = list(dict.fromkeys([*first, *every]))
        if item.seen is None:
            return [None, *order]
        return [*order, None]

    def _playing(self, colors: Sequence[str]) -> set[str]:
        return {c for c in self.reading.taken.values() if c in colors}

    def answer(self, color: str | None) -> None:
        if self.item is not None:
            self.answers[self.item.id] = color
            self.at += 1

    def back(self) -> bool:
        """To the item before; False if this is the first."""
        if self.at == 0:
            return False
        self.at -= 1
        return True

    def change(self, name: str, color: str | None) -> None:
        """Somebody taps a route on the result and says what lies there."""
        self.answers[name] = color

    def state(self) -> tuple[dict[str, str | None], dict[str, str]]:
        """Routes and stations as they are after all answers."""
        routes = {r: self.answers.get(r, seen.color) for r, seen in self.reading.routes.items()}
        return routes, {city: name for city, name in self._buildings().items() if not name.startswith(DEPOT)}

    def counts(self) -> list[tuple[str, int]]:
        """Each colour on the board, and how many routes it holds."""
        routes, stations = self.state()
        held = [c for c in routes.values() if c]
        every = {*held, *stations.values(), *self.depots.values()}
        return [(c, held.count(c)) for c in self.board.wagon_colors if c in every]

    @property
    def depots(self) -> dict[str, str]:
        """Whose depot stands in which city, after all answers."""
        built = self._buildings().items()
        return {city: name.removeprefix(DEPOT) for city, name in built if name.startswith(DEPOT)}

    def _buildings(self) -> dict[str, str]:
        told = {**self.reading.buildings, **{c: a for c, a in self.answers.items() if c in self.board.cities}}
        return {city: name for city, name in told.items() if name}

    def corrected(self) -> Reading:
        """The reading with everything that a person said."""
        routes, stations = self.state()
        told = {
            r: seen
            if routes[r] == seen.color and r not in self.answers
            else RouteReading(routes[r], 1.0, (routes[r],) * len(seen.spaces))
            for r, seen in self.reading.routes.items()
        }
        built, placed = (
            MappingProxyType({city: StationReading(color, 1.0) for city, color in kind.items()})
            for kind in (stations, self.depots)
        )
        return replace(self.reading, routes=MappingProxyType(told), stations=built, depots=placed, doubtful=())

    def believed(self) -> Merged:
        """What is to be taken over, now that somebody has looked; nothing without a game."""
        if self.position is None:
            return Merged()
        return merge(self.position, self.corrected(), [c for c, told in self.answers.items() if told is None])

    def is_depot(self, city: str) -> bool:
        """Whether it is a depot that stands there, or that the record has there where nothing stands."""
        known = {c for p in self.position.players for c in p.depots} if self.position else set()
        return city in self.depots or (city in known and city not in self.state()[1])

    def record(self, desk: Desk) -> Path | None:
        """In record mode: keeps the picture with its corrected truth, in the form that `companion eval` reads."""
        if not desk.settings.record:
            return None
        session = f"{self.board.id}-{desk.clock():%Y-%m-%d}"
        return services.record(self.picture, self.reading, self.answers, desk.folder / "recordings", session)

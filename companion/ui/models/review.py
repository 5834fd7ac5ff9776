"""A reading on trial: what is doubtful or doesn't fit is asked one after the other, then taken over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.rules import (
    Action,
    BuildStation,
    Claim,
    PlaceDepot,
    Position,
    claim_price,
    station_price,
    variants_of,
    ways_in_principle,
)
from companion.table.game import Game
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

    @property
    def new(self) -> list[tuple[str, str]]:
        """Routes taken since last time, with their colour."""
        routes, _ = self.state()
        known = self.position.owners if self.position else {}
        return [(r, c) for r, c in routes.items() if c and r not in known]

    @property
    def new_stations(self) -> list[tuple[str, str]]:
        """Stations built since last time, with their colour."""
        return self.new_stations_on(self.position) if self.position else list(self.state()[1].items())

    @property
    def new_depots(self) -> list[tuple[str, str]]:
        """Depots placed since last time, with their colour."""
        return self.new_depots_on(self.position) if self.position else list(self.depots.items())

    @property
    def gone(self) -> list[str]:
        """Routes and buildings that the record has and the board, as it was looked at, has not."""
        if self.position is None:
            return []
        routes, stations = self.state()
        players = self.position.players
        taken = [
            r for r, holders in self.position.owners.items()
            if r in routes and all(players[i].color != routes[r] for i in holders)
        ]  # fmt: skip
        # A depot stays where it was placed: it is gone only where somebody or the camera says something else.
        looked_at = {*self.reading.buildings, *self.answers}
        taken += [c for p in players for c in p.depots if c in looked_at and self.depots.get(c) != p.color]
        return taken + [city for p in players for city in p.stations if stations.get(city) != p.color]

    def is_depot(self, city: str) -> bool:
        """Whether it is a depot that stands there, or that the record has there where nothing stands."""
        known = {c for p in self.position.players for c in p.depots} if self.position else set()
        return city in self.depots or (city in known and city not in self.state()[1])

    def new_claims_on(self, position: Position) -> list[tuple[str, str]]:
        """Routes of the board that nobody holds in a position."""
        routes, _ = self.state()
        return [(r, c) for r, c in routes.items() if c and r not in position.owners]

    def new_stations_on(self, position: Position) -> list[tuple[str, str]]:
        """Stations of the board that nobody has built in a position."""
        built = {city for p in position.players for city in p.stations}
        return [(city, color) for city, color in self.state()[1].items() if city not in built]

    def new_depots_on(self, position: Position) -> list[tuple[str, str]]:
        """Depots of the board that nobody has placed in a position."""
        placed = {city for p in position.players for city in p.depots}
        return [(city, color) for city, color in self.depots.items() if city not in placed]

    def record(self, desk: Desk) -> Path | None:
        """In record mode: keeps the picture with its corrected truth, in the form that `companion eval` reads."""
        if not desk.settings.record:
            return None
        session = f"{self.board.id}-{desk.clock():%Y-%m-%d}"
        return services.record(self.picture, self.reading, self.answers, desk.folder / "recordings", session)


def take_over(game: Game, review: ReviewModel) -> int:
    """Writes what the board shows into the game: claims that were made, entries that were wrong. How many changed."""
    changed = 0
    game.see({"photo": review.picture.name, **_short(review)})
    for name in review.gone:
        for entry in game.entries:
            if _brought(entry.action, name):
                game.correct(entry.id, None)
                changed += 1
    for route, color in _in_turn(game, review.new_claims_on(game.position)):
        changed += _claim(game, route, color)
    for city, color in review.new_stations_on(game.position):
        changed += _build(game, city, color)
    for city, color in review.new_depots_on(game.position):
        changed += _place(game, city, color)
    return changed


def _brought(action: Action | None, name: str) -> bool:
    """Whether an action laid these wagons, or put up this building."""
    if isinstance(action, Claim):
        return action.route == name and not action.give_up
    return isinstance(action, BuildStation | PlaceDepot) and action.city == name


def _short(review: ReviewModel) -> dict[str, object]:
    routes, stations = review.state()
    depots = {"depots": review.depots} if review.has_depots else {}
    return {"routes": {r: c for r, c in routes.items() if c}, "stations": stations, **depots}


def _in_turn(game: Game, new: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """New claims in the order in which they must have been made: from the player to move on."""
    colors = [p.color for p in game.position.players]
    turn = game.position.player(game.position.turn)
    at = colors.index(turn.color) if turn else 0
    order = {c: (i - at) % len(colors) for i, c in enumerate(colors)}
    return sorted((n for n in new if n[1] in order), key=lambda n: order[n[1]])


def _claim(game: Game, route_id: str, color: str) -> int:
    """A claim that the camera saw: paid in the plainest way, accepted where the order of turns is unknown."""
    position = game.position
    player = next(p for p in position.players if p.color == color)
    route = position.board.routes[route_id]
    cards = next(ways_in_principle(claim_price(position, player, route)), {})
    seat = position.turn if position.turn in player.members else (player.members or (player.name,))[0]
    return _record(game, Claim(seat, route_id, cards, () if route.kind == "tunnel" else None))


def _place(game: Game, city: str, color: str) -> int:
    """A depot that the camera saw."""
    player = next((p for p in game.position.players if p.color == color), None)
    return _record(game, PlaceDepot(player.name, city)) if player else 0


def _build(game: Game, city: str, color: str) -> int:
    """A station that the camera saw."""
    position = game.position
    player = next((p for p in position.players if p.color == color), None)
    if player is None:
        return 0
    cards = next(ways_in_principle(station_price(position, player)), {})
    return _record(game, BuildStation(player.name, city, cards))


def _record(game: Game, action: Action) -> int:
    verdict = game.judge(action)
    game.do(action, accept=not verdict.complete)
    return 1

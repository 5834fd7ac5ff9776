"""A reading on trial: what is doubtful or doesn't fit is asked one after the other, then taken over."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from companion.rules.actions import Action, BuildStation, Claim
from companion.rules.claims import claim_price
from companion.rules.payments import ways_in_principle
from companion.rules.position import Position
from companion.rules.stations import station_price
from companion.table.game import Game
from companion.table.merge import Merged, merge
from companion.table.settings import write_whole
from maps import Board, load
from vision.reading import Reading, RouteReading, StationReading


@dataclass(frozen=True)
class Item:
    """A route or city to look at: why, what the record says and what was seen."""

    id: str
    why: str
    known: str | None
    seen: str | None


class ReviewModel:
    """Asks about each item; `choices` are the answers, None standing for "empty"."""

    def __init__(self, reading: Reading, picture: Path, position: Position | None = None) -> None:
        self.reading, self.picture, self.position = reading, picture, position
        self.board: Board = load(reading.board)
        self.merged: Merged | None = merge(position, reading) if position is not None else None
        self.items = self._items()
        self.answers: dict[str, str | None] = {}
        self.at = 0

    def _items(self) -> list[Item]:
        if self.merged is None:
            return [Item(i, "doubtful", None, self._seen(i)) for i in self.reading.doubtful]
        found = [Item(s.id, "conflict", s.known, s.seen) for s in self.merged.conflicts]
        found += [Item(s.id, "conflict", s.known, s.seen) for s in self.merged.station_conflicts]
        found += [Item(s.id, "vanished", s.known, s.seen) for s in self.merged.vanished]
        return found + [Item(s.id, "doubtful", s.known, s.seen) for s in self.merged.doubtful]

    def _seen(self, name: str) -> str | None:
        if name in self.reading.routes:
            return self.reading.routes[name].color
        station = self.reading.stations.get(name)
        return station.color if station else None

    @property
    def item(self) -> Item | None:
        """The one to look at now, None when all are answered."""
        return self.items[self.at] if self.at < len(self.items) else None

    def choices(self, item: Item) -> list[str | None]:
        """Answers: what was seen first, then what is known, the other colours, and empty."""
        first = [c for c in (item.seen, item.known) if c]
        colors = [p.color for p in self.position.players] if self.position else list(self.board.wagon_colors)
        order: list[str | None] = list(dict.fromkeys([*first, *sorted(self._playing(colors)), *colors]))
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
        routes = {r: seen.color for r, seen in self.reading.routes.items()}
        stations = {c: s.color for c, s in self.reading.stations.items()}
        for name, color in self.answers.items():
            if name in self.board.routes:
                routes[name] = color
            elif color is None:
                stations.pop(name, None)
            else:
                stations[name] = color
        return routes, stations

    def corrected(self) -> Reading:
        """The reading with everything that a person said."""
        routes, stations = self.state()
        told = {
            r: seen
            if routes[r] == seen.color and r not in self.answers
            else RouteReading(routes[r], 1.0, (routes[r],) * len(seen.spaces))
            for r, seen in self.reading.routes.items()
        }
        built = {c: StationReading(color, 1.0) for c, color in stations.items()}
        return replace(self.reading, routes=MappingProxyType(told), stations=MappingProxyType(built), doubtful=())

    @property
    def new(self) -> list[tuple[str, str]]:
        """Routes taken since last time, with their colour."""
        routes, _ = self.state()
        known = self.position.owners if self.position else {}
        return [(r, c) for r, c in routes.items() if c and r not in known]

    @property
    def new_stations(self) -> list[tuple[str, str]]:
        _, stations = self.state()
        known = {c for p in self.position.players for c in p.stations} if self.position else set()
        return [(city, color) for city, color in stations.items() if city not in known]

    @property
    def gone(self) -> list[str]:
        """Routes that the record has and the board, as it was looked at, has not."""
        if self.position is None:
            return []
        routes, _ = self.state()
        players = self.position.players
        return [
            r for r, holders in self.position.owners.items()
            if r in routes and all(players[i].color != routes[r] for i in holders)
        ]  # fmt: skip

    def new_claims_on(self, position: Position) -> list[tuple[str, str]]:
        """Routes of the board that nobody holds in a position."""
        routes, _ = self.state()
        return [(r, c) for r, c in routes.items() if c and r not in position.owners]

    def record(self, folder: Path) -> Path:
        """Keeps the picture with its corrected truth, in the form that `companion eval` reads."""
        folder.mkdir(parents=True, exist_ok=True)
        name = self.picture.stem
        target = folder / f"{name}{self.picture.suffix.lower()}"
        if target.resolve() != self.picture.resolve():
            shutil.copyfile(self.picture, target)
        routes, stations = self.state()
        truth = {
            "photo": target.name,
            "board": self.reading.board,
            "corners": [list(c) for c in self.reading.corners],
            "routes": routes,
            "stations": stations,
        }
        write_whole(folder / f"{name}.json", json.dumps(truth, ensure_ascii=False, indent=1))
        return target


def take_over(game: Game, review: ReviewModel) -> int:
    """Writes what the board shows into the game: claims that were made, entries that were wrong. How many changed."""
    changed = 0
    game.see({"photo": review.picture.name, **_short(review)})
    for route in review.gone:
        for entry in game.entries:
            if isinstance(entry.action, Claim) and entry.action.route == route and not entry.action.give_up:
                game.correct(entry.id, None)
                changed += 1
    for route, color in _in_turn(game, review.new_claims_on(game.position)):
        changed += _claim(game, route, color)
    for city, color in review.new_stations:
        changed += _build(game, city, color)
    return changed


def _short(review: ReviewModel) -> dict[str, object]:
    routes, stations = review.state()
    return {"routes": {r: c for r, c in routes.items() if c}, "stations": stations}


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

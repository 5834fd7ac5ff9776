"""A position that could stand on a table: one colour per route, one track of a group each, wagons enough for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from maps import Board, Route, Trouble, nearest

# With this many colours or fewer only one track of a group is taken: that is legal whatever the variant says.
_GROUPS_CLOSE_AT = 3
_STATIONS_EACH = 3
# Warehouses and depots are played by five owners at most, with five depots each.
_DEPOTS_EACH, _DEPOT_OWNERS = 5, 5
# From this length on a route with one wagon missing still shows whose it is.
_UNTIDY_FROM = 3


@dataclass(frozen=True)
class Game:
    """Who owns what; `spaces` tells single spaces, only of routes where they differ from the rest."""

    routes: Mapping[str, str | None]
    stations: Mapping[str, str]
    spaces: Mapping[str, tuple[str | None, ...]]
    depots: Mapping[str, str] = field(default_factory=dict)

    def wagons(self, route: Route) -> tuple[str | None, ...]:
        """What lies on each space of a route, from a to b."""
        return self.spaces.get(route.id, (self.routes[route.id],) * route.length)


def deal(
    board: Board,
    rng: np.random.Generator,
    taken: float,
    colors: Sequence[str] | None = None,
    stations: bool = True,
    untidy: float = 0.0,
    depots: bool = False,
) -> Game:
    """A position with about that share of the board's tracks taken, as far as wagons and groups allow."""
    # Depots have chance of their own: the same seed lays the same trains with and without them.
    (depot_rng,) = rng.spawn(1)
    playing = _players(board, rng, colors)
    left = dict.fromkeys(playing, board.wagons)
    networks: dict[str, set[str]] = {color: set() for color in playing}
    owners: dict[str, str] = {}
    wanted = round(taken * len(board.routes))
    routes = list(board.routes.values())
    for i in rng.permutation(len(routes)):
        if len(owners) >= wanted:
            break
        route = routes[int(i)]
        beside = [owners[r.id] for r in board.groups[route.group] if r.id in owners]
        if beside and len(playing) <= _GROUPS_CLOSE_AT:
            continue
        free = [c for c in playing if c not in beside and left[c] >= route.length]
        if free:
            color = _claimant(free, networks, route, rng)
            owners[route.id] = color
            left[color] -= route.length
            networks[color].update(route.ends)
    spaces = {
        route_id: _gap(board.routes[route_id], color, rng)
        for route_id, color in sorted(owners.items())
        if board.routes[route_id].length >= _UNTIDY_FROM and rng.random() < untidy
    }
    built = _build(networks, rng) if stations else {}
    placed = _place_depots(board, playing, built, depot_rng) if depots else {}
    return Game({route: owners.get(route) for route in board.routes}, built, spaces, placed)


def _players(board: Board, rng: np.random.Generator, colors: Sequence[str] | None) -> tuple[str, ...]:
    known = board.wagon_colors
    if colors is not None:
        for color in colors:
            if color not in known:
                meant = nearest(color, known)
                raise Trouble(
                    "unknown-color" if meant else "no-such-color", value=color, meant=meant or "", known=known
                )
        return tuple(dict.fromkeys(colors))
    count = int(rng.integers(2, min(len(known), max(board.players)) + 1))
    return tuple(known[int(i)] for i in sorted(rng.choice(len(known), count, replace=False)))


def _claimant(free: Sequence[str], networks: Mapping[str, set[str]], route: Route, rng: np.random.Generator) -> str:
    """Players mostly build on where they are already."""
    weights = np.array([1 + 3 * len(networks[color].intersection(route.ends)) for color in free], float)
    return free[int(rng.choice(len(free), p=weights / weights.sum()))]


def _gap(route: Route, color: str, rng: np.random.Generator) -> tuple[str | None, ...]:
    missing = int(rng.integers(route.length))
    return tuple(None if i == missing else color for i in range(route.length))


def _build(networks: Mapping[str, set[str]], rng: np.random.Generator) -> dict[str, str]:
    """Up to three stations for each colour, at most one in a city."""
    built: dict[str, str] = {}
    for color, reached in networks.items():
        free = sorted(reached - set(built))
        count = min(int(rng.integers(0, _STATIONS_EACH + 1)), len(free))
        for i in rng.choice(len(free), count, replace=False) if count else ():
            built[free[int(i)]] = color
    return built


def _place_depots(
    board: Board, playing: Sequence[str], built: Mapping[str, str], rng: np.random.Generator
) -> dict[str, str]:
    """One to five depots for each colour, anywhere on the board, one building in a city."""
    free = sorted(city.id for city in board.cities.values() if city.id not in built and not city.junction)
    order = [free[int(i)] for i in rng.permutation(len(free))]
    placed: dict[str, str] = {}
    for color in playing[:_DEPOT_OWNERS]:
        for _ in range(min(int(rng.integers(1, _DEPOTS_EACH + 1)), len(order))):
            placed[order.pop()] = color
    return placed

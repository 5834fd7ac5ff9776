"""What lies on the spaces of a board, and what the game allows, put together: who holds what, and how sure that is.

`decided` is the one end of seeing: a photo and a live camera bring it the same evidence and get the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from maps import Board, Route
from vision import groups
from vision.arrays import Floats, Logs, Points, Rows, shaped
from vision.config import DECIDE, LANES
from vision.groups import less_sure
from vision.lanes import Lanes, Side, lanes
from vision.reading import RouteReading, StationReading, Stray
from vision.spaces import Layout, layout

Building = Literal["station", "depot"]


@dataclass(frozen=True)
class Knowledge:
    """What is known besides the photo.

    The `colors` that play, how many `players` there are, who held which route before (`known`), whether `depots` are
    played, and how many tracks of a group may be held in all (`limits`, by group id; a group that is not named: any).
    """

    colors: Collection[str] | None = None
    players: int | None = None
    known: Mapping[str, str] | None = None
    depots: bool = False
    limits: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, eq=False)
class Seen:
    """What was seen of some spots, a row each, in the order of the board's routes (their spaces) or of its cities.

    `logs`: log-probabilities, empty first, then each wagon colour; `inside`: how much of a spot was in the picture;
    `covered`: how likely something lies over it that is no piece of the game; `fits`: how well what lies there looks
    like this photo's wagons of each colour, as logs, NaN where that says nothing. None: nobody asked.
    """

    logs: Logs
    inside: Floats
    covered: Floats | None = None
    fits: Logs | None = None

    def __post_init__(self) -> None:
        shaped("inside", self.inside, len(self.logs))
        if self.covered is not None:
            shaped("covered", self.covered, len(self.logs))
        if self.fits is not None:
            shaped("fits", self.fits, len(self.logs), self.logs.shape[1] - 1)

    def of(self, rows: Rows) -> Seen:
        """Some of the rows."""
        covered = None if self.covered is None else self.covered[rows]
        return Seen(self.logs[rows], self.inside[rows], covered, None if self.fits is None else self.fits[rows])

    def renewed(self, rows: Rows, part: Seen) -> Seen:
        """The same with some rows seen anew."""
        logs, inside = self.logs.copy(), self.inside.copy()
        logs[rows], inside[rows] = part.logs, part.inside
        if self.covered is None or part.covered is None:
            return Seen(logs, inside)
        covered = self.covered.copy()
        covered[rows] = part.covered
        return Seen(logs, inside, covered)

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Which spots something lies over."""
        if self.covered is None:
            return np.zeros(len(self.inside), np.bool_)
        return np.asarray(self.covered > DECIDE.hidden)

    @property
    def shown(self) -> NDArray[np.bool_]:
        """Which spots can be judged: in the picture, and nothing over them."""
        return np.asarray((self.inside > DECIDE.in_sight) & ~self.hidden)


def mean(looks: Sequence[Seen]) -> Seen:
    """What several looks at the same spots tell together."""
    covered = [look.covered for look in looks if look.covered is not None]
    together = np.mean(covered, axis=0).astype(np.float32) if len(covered) == len(looks) else None
    return Seen(np.mean([look.logs for look in looks], axis=0), looks[0].inside, together)


def weighed(one: Seen, other: Seen, part: Floats) -> Seen:
    """What two looks tell together, when the first counts for some part of both at each spot."""
    covered = None
    if one.covered is not None and other.covered is not None:
        covered = (part * one.covered + (1 - part) * other.covered).astype(np.float32)
    return Seen(part[:, None] * one.logs + (1 - part[:, None]) * other.logs, one.inside, covered)


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that the nets saw of a board: its spaces, its cities where something may stand, places outside tracks."""

    spaces: Seen
    cities: Seen | None = None
    outside: Mapping[Side, Logs] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, eq=False)
class Decided:
    """Who holds what. `strays`: wagons counted on a track that they lie beside; `covered`: routes and cities that
    nobody can see; `borrowed`: stations that stand on a track; `doubtful`: all that a person should look at."""

    routes: Mapping[str, RouteReading]
    buildings: Mapping[Building, Mapping[str, StationReading]]
    strays: tuple[Stray, ...] = ()
    covered: tuple[str, ...] = ()
    borrowed: Mapping[str, StationReading] = field(default_factory=lambda: MappingProxyType({}))
    doubtful: tuple[str, ...] = ()


def buildings_of(board: Board, knowledge: Knowledge | None = None) -> tuple[Building, ...]:
    """What may stand in the cities of this board in this game."""
    kinds: list[Building] = ["station"] if board.stations else []
    return (*kinds, "depot") if knowledge is not None and knowledge.depots else tuple(kinds)


def decided(
    board: Board, evidence: Evidence, knowledge: Knowledge | None = None, spots: Layout | None = None
) -> Decided:
    """The state of a board from all that was seen of it, with what the game knows.

    `evidence.spaces` has a row for every space, in the order of `board.routes`; `evidence.cities` one for every city,
    with the columns of `building_names`. `spots`: the layout of the spaces, where it is at hand already.
    """
    knowledge = knowledge or Knowledge()
    spots = layout(board) if spots is None else spots
    weighed = _weighed(board, evidence, knowledge, spots)
    found, doubtful = _told(board, weighed.chances, evidence.spaces)
    doubtful += _between(board, evidence.spaces, found, doubtful)
    doubtful += [r for r in _astride(board, evidence.outside, found, spots) if r not in doubtful]
    if knowledge.colors is not None:
        # However clearly it is seen: somebody forgot a player, or took another box's wagons.
        strangers = [r for r, told in found.items() if told.color not in (None, *knowledge.colors)]
        doubtful += [r for r in strangers if r not in doubtful]
    elif not knowledge.known:
        # Of a board that is all but bare nobody told a thing: a lone track is as likely print that looks like wagons.
        taken = [r for r, told in found.items() if told.color is not None]
        doubtful += [r for r in taken if len(taken) <= DECIDE.all_but_bare and r not in doubtful]
    strays = tuple(_strays(board, weighed.moves, found, spots))
    doubtful += [s.route for s in strays if s.route not in doubtful]
    hidden = _hidden_routes(board, evidence.spaces)
    doubtful += [route for route in hidden if route not in doubtful]
    borrowed = _borrowed(board, found, evidence.spaces) if "station" in buildings_of(board, knowledge) else {}
    kinds = buildings_of(board, knowledge)
    if not kinds or evidence.cities is None:
        return Decided(found, {}, strays, tuple(hidden), borrowed, tuple(doubtful))
    standing, unsure = buildings(board, evidence.cities, kinds, knowledge, found)
    under = _hidden_cities(board, evidence.spaces, evidence.cities)
    unsure += [city for city in under if city not in unsure]
    return Decided(found, standing, strays, (*hidden, *under), borrowed, (*doubtful, *unsure))


def routes(board: Board, seen: Seen, knowledge: Knowledge | None = None) -> tuple[dict[str, RouteReading], list[str]]:
    """Every route's reading, and the ids of those that a person should look at."""
    found = decided(board, Evidence(seen), knowledge)
    return dict(found.routes), list(found.doubtful)


@dataclass(frozen=True, eq=False)
class _Weighed:
    """Chances per route (empty, each colour, a mixture), and how far wagons lie beside their track, in half lanes."""

    chances: Logs
    moves: Mapping[str, int]


def _weighed(board: Board, evidence: Evidence, knowledge: Knowledge, spots: Layout) -> _Weighed:
    every = list(board.routes.values())
    seen = evidence.spaces
    fits = _fits(seen.logs, seen.shown, np.array([r.length for r in every]))
    prior = np.stack([_prior(route, board, knowledge) for route in every])
    playing = _playing(_normal(fits[:, :-1] + prior), board, knowledge)
    beside = {side: _normal(_fit(logs)[:-1] + playing) for side, logs in evidence.outside.items()}
    chances, moves = groups.together(board, _normal(fits[:, :-1] + prior + playing), beside, knowledge.limits, spots)
    if knowledge.players is None and not knowledge.known:
        # Where players or owners are told the game says how many tracks of a group may be held.
        chances = groups.second_owners(board, chances, moves)
    chances = _with_mixed(chances, fits, {list(board.routes).index(r) for r in moves})
    chances = _within_wagons(board, every, chances)
    chances = _print_or_wagons(board, every, chances, seen, knowledge)
    chances = _like_others(every, chances, seen)
    return _Weighed(_held_twice(board, every, chances), moves)


def _fits(logs: Logs, sight: NDArray[np.bool_], lengths: NDArray[np.int64]) -> Logs:
    """How well the spaces in sight fit an empty route, one of each colour, and (last) a mixture of anything.

    A row for each route; `lengths`: how many of the spaces, in their order, belong to each.
    """
    logs = np.log((1 - DECIDE.slip) * np.exp(logs) + DECIDE.slip / logs.shape[1]) - _usual(logs.shape[1])
    told = np.where(sight[:, None], np.column_stack([logs, logs.max(1)]), 0.0)
    starts = np.cumsum(lengths) - lengths
    seen = np.add.reduceat(sight.astype(np.int64), starts)
    # Spaces of one route share their light and their faults: they count for less than independent witnesses.
    weight = np.maximum(seen, 1) ** (DECIDE.witness - 1)
    return np.asarray(np.add.reduceat(told, starts) * weight[:, None])


def _fit(logs: Logs) -> Logs:
    """The same for one route, all of which is in sight."""
    return np.asarray(_fits(logs, np.ones(len(logs), np.bool_), np.array([len(logs)]))[0])


@lru_cache(maxsize=16)
def _usual(outcomes: int) -> Logs:
    """What a net expects before it looks, as far as every space of a route repeats it."""
    usual = np.full(outcomes, DECIDE.taken / (outcomes - 1))
    usual[0] = 1 - DECIDE.taken
    return np.asarray(DECIDE.repeated * np.log(usual))


def _prior(route: Route, board: Board, knowledge: Knowledge) -> Logs:
    colors = board.wagon_colors
    prior: Logs = _usual(1 + len(colors)).copy()
    for i, color in enumerate(colors, 1):
        if knowledge.colors is not None and color not in knowledge.colors:
            prior[i] += DECIDE.not_playing
    before = (knowledge.known or {}).get(route.id)
    if before in colors:
        # Nobody takes a claimed route back: what was known stays, unless the photo says otherwise clearly.
        prior[1 + colors.index(before)] += DECIDE.known_before
    return prior


def _normal(scores: Logs) -> Logs:
    chances = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(chances / chances.sum(-1, keepdims=True))


def _playing(chances: Logs, board: Board, knowledge: Knowledge) -> Logs:
    """A colour of which no route is seen for certain hardly plays, nor one more than there are players."""
    penalty = np.zeros(chances.shape[1])
    if knowledge.colors is not None:
        return penalty
    sure = chances[:, 1:].max(0)
    for i in range(len(board.wagon_colors)):
        if sure[i] < DECIDE.surely_playing:
            penalty[1 + i] = DECIDE.perhaps_not_playing
    if knowledge.players is not None:
        held = (chances[:, 1:] * (chances[:, 1:] > DECIDE.surely_playing)).sum(0)
        for i in np.argsort(-held)[knowledge.players :]:
            penalty[1 + i] = DECIDE.not_playing
    return penalty


def _with_mixed(chances: Logs, fits: Logs, moved: Collection[int]) -> Logs:
    """A last column: the chance that the route is neither empty nor held by one colour."""
    pure = fits[:, :-1].max(1)
    odds = np.exp(np.minimum(fits[:, -1] - pure + DECIDE.mixed, 50))
    mixed = odds / (1 + odds)
    mixed[list(moved)] = 0
    return np.concatenate([chances * (1 - mixed)[:, None], mixed[:, None]], axis=1)


def _within_wagons(board: Board, every: Sequence[Route], chances: Logs) -> Logs:
    """Nobody lays more wagons than there are: the least sure routes of such a colour get doubtful."""
    chances = chances.copy()
    lengths = np.array([route.length for route in every])
    for i in range(1, 1 + len(board.wagon_colors)):
        held = np.flatnonzero(chances[:, :-1].argmax(1) == i)
        excess = lengths[held].sum() - board.wagons - DECIDE.spare_wagons
        for row in held[chances[held, i].argsort()]:
            if excess <= 0:
                break
            chances[row] = less_sure(chances[row], i, DECIDE.too_many)
            excess -= lengths[row]
    return chances


def _print_or_wagons(board: Board, every: Sequence[Route], chances: Logs, seen: Seen, knowledge: Knowledge) -> Logs:
    """Wagons on print of their own colour may be that print: with a space among them that looks bare, or that nobody
    can see, they are asked about, and on the board's only track of that kind and colour, which nothing can be compared
    with; not if they lay there before."""
    chances = chances.copy()
    names = (None, *board.wagon_colors)
    bare = np.where(seen.hidden, 1.0, np.exp(seen.logs[:, 0]) * seen.shown)
    starts = np.cumsum([0, *(route.length for route in every)])[:-1]
    alike = Counter((route.kind, route.color) for route in every)
    alone = np.array([alike[route.kind, route.color] == 1 for route in every])
    doubted = np.maximum.reduceat(bare, starts) >= DECIDE.bare_space
    for row in np.flatnonzero(doubted | alone):
        best, route = int(chances[row, :-1].argmax()), every[row]
        if best and names[best] == route.color != (knowledge.known or {}).get(route.id):
            chances[row] = less_sure(chances[row], best, DECIDE.perhaps_print if doubted[row] else DECIDE.only_print)
    return chances


def _like_others(every: Sequence[Route], chances: Logs, seen: Seen) -> Logs:
    """Wagons that look as much like those of another colour that plays as like those they are told for get doubtful."""
    if seen.fits is None:
        return chances
    chances = chances.copy()
    best = chances[:, :-1].argmax(1)
    sure = {int(i) for row, i in zip(chances, best, strict=True) if row[i] >= DECIDE.doubt}
    plays = np.array([i in sure for i in range(1, chances.shape[1] - 1)])
    told = np.asarray(~np.isnan(seen.fits).any(1))
    starts = np.cumsum([0, *(route.length for route in every)])[:-1]
    count = np.add.reduceat(told.astype(np.int64), starts)
    fits = np.add.reduceat(np.where(told[:, None], seen.fits, 0.0), starts) / np.maximum(count, 1)[:, None]
    for row in np.flatnonzero((best > 0) & (count > 0)):
        others = plays & (np.arange(len(plays)) != best[row] - 1)
        if others.any() and fits[row, others].max() - fits[row, best[row] - 1] > DECIDE.looks_alike:
            chances[row] = less_sure(chances[row], int(best[row]), DECIDE.like_others)
    return chances


def _held_twice(board: Board, every: Sequence[Route], chances: Logs) -> Logs:
    """Nobody holds two tracks of a group: where it looks so, by a shadow or a leaning wagon, both get doubtful."""
    chances = chances.copy()
    index = {route.id: i for i, route in enumerate(every)}
    for tracks in board.groups.values():
        rows = [index[t.id] for t in tracks]
        held = chances[rows, :-1].argmax(1)
        for row, i in zip(rows, held, strict=True):
            if i and (held == i).sum() > 1:
                chances[row] = less_sure(chances[row], int(i), DECIDE.held_twice)
    return chances


def _told(board: Board, chances: Logs, seen: Seen) -> tuple[dict[str, RouteReading], list[str]]:
    names = (None, *board.wagon_colors)
    found: dict[str, RouteReading] = {}
    doubtful = []
    every = list(board.routes.values())
    lengths = np.array([r.length for r in every])
    ends = np.cumsum(lengths)
    best = chances[:, :-1].argmax(1)
    lying, shown = seen.logs.argmax(1), seen.shown
    # A space that is not clearly something else is told as the route it belongs to.
    clear = shown & (seen.logs.max(1) >= np.log(DECIDE.clear_space)) & (lying != best.repeat(lengths))
    spaces = np.where(clear, lying, best.repeat(lengths)).tolist()
    confidences = np.clip(chances[np.arange(len(every)), best], 0.01, 0.999)
    otherwise, in_sight = (np.add.reduceat(part.astype(np.int64), ends - lengths) for part in (clear, shown))
    look = (confidences < DECIDE.doubt) | (otherwise > 0) | (in_sight < DECIDE.sight_part * lengths)
    for i, route in enumerate(every):
        own = slice(int(ends[i] - lengths[i]), int(ends[i]))
        told = tuple(names[space] for space in spaces[own])
        found[route.id] = RouteReading(names[best[i]], float(confidences[i]), told)
        if look[i]:
            doubtful.append(route.id)
    return found, doubtful


def _between(board: Board, seen: Seen, found: Mapping[str, RouteReading], doubtful: Collection[str]) -> list[str]:
    """Tracks to look at because the wagons told there may belong to the doubtful empty track beside them.

    Or because they are bare, and the doubtful wagons beside them may lie there.
    """
    ends = np.cumsum([route.length for route in board.routes.values()])
    logs = dict(zip(board.routes, np.split(seen.logs, ends[:-1]), strict=True))
    told: list[str] = []
    for tracks in board.groups.values():
        for track in tracks:
            if len(tracks) > 1 and track.id in doubtful:
                likely = board.wagon_colors[int(logs[track.id][:, 1:].sum(0).argmax())]
                instead = likely if found[track.id].color is None else None
                told += [t.id for t in tracks if found[t.id].color == instead and t.id not in (*doubtful, *told)]
    return told


def _astride(board: Board, outside: Mapping[Side, Logs], found: Mapping[str, RouteReading], spots: Layout) -> list[str]:
    """Two tracks whose wagons lie between them: told on one, they may as well be the other's."""
    either: dict[str, None] = {}
    for part in lanes(board, spots):
        for i, pair in enumerate(pairwise(part.tracks)):
            seen = outside.get((part.tracks[0], 2 * i + 1))
            if seen is None:
                continue
            held, bare = sorted((found[track] for track in pair), key=lambda told: told.color is None)
            if held.color is None or bare.color is not None:
                continue
            lying = float(np.exp(seen[:, 1 + board.wagon_colors.index(held.color)]).mean())
            if lying >= LANES.astride and bare.confidence < LANES.surely_bare:
                either |= dict.fromkeys(pair)
    return list(either)


def _strays(board: Board, moves: Mapping[str, int], found: dict[str, RouteReading], spots: Layout) -> Iterator[Stray]:
    """Wagons that lie beside the track they are counted on; what lies on it then is theirs, not what is seen there."""
    aspect = board.geometry.aspect
    for part in lanes(board, spots):
        for i, track in enumerate(part.tracks):
            color = found[track].color
            if track not in moves or color is None:
                continue
            at = _lane(part, 2 * i + moves[track], spots)
            found[track] = RouteReading(color, found[track].confidence, (color,) * len(found[track].spaces))
            yield Stray(track, color, tuple((float(x), float(y * aspect)) for x, y in at))
        # What lies on a track may belong to the next one.
        for track in part.tracks:
            if found[track].color is None and any(t in moves for t in part.tracks):
                found[track] = RouteReading(None, found[track].confidence, (None,) * len(found[track].spaces))


def _lane(part: Lanes, place: int, spots: Layout) -> Points:
    return part.beside[place].centres if place in part.beside else np.asarray(spots.centres[part.rows[place // 2]])


def _hidden_routes(board: Board, seen: Seen) -> list[str]:
    """Routes of which something hides too much to judge them."""
    lengths = np.array([r.length for r in board.routes.values()])
    hidden = np.add.reduceat(seen.hidden.astype(np.int64), np.cumsum(lengths) - lengths)
    return [route for route, much in zip(board.routes, hidden > DECIDE.hidden_part * lengths, strict=True) if much]


def _hidden_cities(board: Board, seen: Seen, cities: Seen) -> list[str]:
    """Cities under something, or it lies over most of the spaces at which tracks begin there, two at least."""
    ends: dict[str, list[bool]] = {city: [] for city in board.cities}
    last, hidden = np.cumsum([r.length for r in board.routes.values()]) - 1, seen.hidden
    for route, end in zip(board.routes.values(), last, strict=True):
        for city, row in zip(route.ends, (end - route.length + 1, end), strict=True):
            ends[city].append(bool(hidden[row]))
    about = [sum(over) >= 2 and sum(over) >= DECIDE.hidden_city * len(over) for over in ends.values()]
    return [c for c, under, near in zip(board.cities, cities.hidden, about, strict=True) if under or near]


def _borrowed(board: Board, found: Mapping[str, RouteReading], seen: Seen) -> dict[str, StationReading]:
    """Stations laid on the track that their owner uses: one spot of a colour among the wagons of somebody else."""
    told: dict[str, StationReading] = {}
    cuts = np.cumsum([r.length for r in board.routes.values()])[:-1]
    for (route, reading), logs in zip(found.items(), np.split(seen.logs, cuts), strict=True):
        odd = [i for i, lying in enumerate(reading.spaces) if lying not in (None, reading.color)]
        if reading.color is None or len(reading.spaces) < 2 or len(odd) != 1:
            continue
        told[route] = StationReading(str(reading.spaces[odd[0]]), float(np.exp(logs[odd[0]].max())))
    return told


def building_names(board: Board, kinds: Sequence[Building]) -> tuple[str, ...]:
    """What may stand in a city, in the order of the columns that `buildings` takes."""
    return tuple(color if kind == "station" else f"depot-{color}" for kind in kinds for color in board.wagon_colors)


def buildings(
    board: Board,
    seen: Seen,
    kinds: Sequence[Building],
    knowledge: Knowledge | None = None,
    held: Mapping[str, RouteReading] | None = None,
) -> tuple[dict[Building, dict[str, StationReading]], list[str]]:
    """The cities where something of each kind stands, and the cities that a person should look at.

    `held`: the routes as they were read. Who holds none hardly builds, and nobody has more than the box holds.
    """
    found: dict[Building, dict[str, StationReading]] = {kind: {} for kind in kinds}
    doubtful = []
    chances = _normal(seen.logs + _builders(board, kinds, knowledge or Knowledge(), held))
    for kind_at, kind in enumerate(kinds):
        if kind == "station":
            chances = _within_stations(board, chances, 1 + kind_at * len(board.wagon_colors))
    for city, chance, shown in zip(board.cities, chances, seen.shown, strict=True):
        best = int(chance.argmax())
        confidence = float(np.clip(chance[best], 0.01, 0.999))
        if best:
            which, color = divmod(best - 1, len(board.wagon_colors))
            found[kinds[which]][city] = StationReading(board.wagon_colors[color], confidence)
        # The net knows depots from drawings only: where they are played a person looks at each building.
        unsure = confidence < DECIDE.station_doubt or (best > 0 and "depot" in kinds)
        if shown and unsure:
            doubtful.append(city)
    return found, doubtful


def _builders(
    board: Board, kinds: Sequence[Building], knowledge: Knowledge, held: Mapping[str, RouteReading] | None
) -> Logs:
    """The penalty of each column: colours that do not play build nothing, and most cities have no station."""
    colors = board.wagon_colors
    penalty = np.zeros(len(colors))
    for i, color in enumerate(colors):
        if knowledge.colors is not None:
            penalty[i] = 0 if color in knowledge.colors else DECIDE.not_playing
        elif held is not None and not any(r.color == color for r in held.values()):
            penalty[i] = DECIDE.no_route
    return np.concatenate([[0.0], *(penalty + (DECIDE.station if kind == "station" else 0) for kind in kinds)])


def _within_stations(board: Board, chances: Logs, first: int) -> Logs:
    """Nobody has more stations than the box holds: the least sure of too many get doubtful."""
    chances = chances.copy()
    for i in range(first, first + len(board.wagon_colors)):
        standing = np.flatnonzero(chances.argmax(1) == i)
        for row in standing[chances[standing, i].argsort()][: max(len(standing) - board.stations, 0)]:
            chances[row] = less_sure(chances[row], i, DECIDE.too_many)
    return chances

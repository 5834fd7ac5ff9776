"""What lies on the spaces of a route, and what the game allows, put together: who holds it, and how sure that is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from maps import Board, Route
from vision.config import DECIDE
from vision.reading import RouteReading, StationReading

Logs = NDArray[np.float64]
Building = Literal["station", "depot"]


@dataclass(frozen=True)
class Knowledge:
    """What is known besides the photo: colours that play, how many players, who held which route, if depots stand."""

    colors: Collection[str] | None = None
    players: int | None = None
    known: Mapping[str, str] | None = None
    depots: bool = False


@dataclass(frozen=True, eq=False)
class Seen:
    """Log-probabilities per space (empty, then each wagon colour) in the order of the routes, and what was in sight."""

    logs: Logs
    inside: NDArray[np.float32]


def routes(board: Board, seen: Seen, knowledge: Knowledge | None = None) -> tuple[dict[str, RouteReading], list[str]]:
    """Every route's reading, and the ids of those that a person should look at."""
    knowledge = knowledge or Knowledge()
    every = list(board.routes.values())
    parts = np.split(seen.logs, np.cumsum([r.length for r in every])[:-1])
    sights = np.split(seen.inside > DECIDE.in_sight, np.cumsum([r.length for r in every])[:-1])
    evidence = np.stack([_evidence(logs, sight) for logs, sight in zip(parts, sights, strict=True)])
    prior = np.stack([_prior(route, board, knowledge) for route in every])
    playing = _playing(_normal(evidence[:, :-1] + prior), board, knowledge)
    chances = _groups(board, every, evidence[:, :-1] + prior + playing, knowledge)
    chances = _with_mixed(chances, evidence)
    chances = _within_wagons(board, every, chances)
    chances = _held_twice(board, every, chances)
    return _told(board, every, chances, parts, sights)


def _evidence(logs: Logs, sight: NDArray[np.bool_]) -> Logs:
    """How well the spaces in sight fit an empty route, one of each colour, and (last) a mixture of anything."""
    if not sight.any():
        return np.zeros(logs.shape[1] + 1)
    chance = np.exp(logs[sight])
    logs = np.log((1 - DECIDE.slip) * chance + DECIDE.slip / logs.shape[1]) - _usual(logs.shape[1])
    # Spaces of one route share their light and their faults: they count for less than independent witnesses.
    weight = len(logs) ** (DECIDE.witness - 1)
    return np.asarray(np.append(logs.sum(0), logs.max(1).sum()) * weight)


def _usual(outcomes: int) -> Logs:
    """What a net expects before it looks, as far as every space of a route repeats it."""
    usual = np.full(outcomes, DECIDE.taken / (outcomes - 1))
    usual[0] = 1 - DECIDE.taken
    return np.asarray(DECIDE.repeated * np.log(usual))


def _prior(route: Route, board: Board, knowledge: Knowledge) -> Logs:
    colors = board.wagon_colors
    prior = _usual(1 + len(colors))
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
    """A colour of which no route is seen for certain hardly plays; each colour's penalty."""
    penalty = np.zeros(chances.shape[1])
    if knowledge.colors is not None:
        return penalty
    for i in range(1, 1 + len(board.wagon_colors)):
        if chances[:, i].max() < DECIDE.surely_playing:
            penalty[i] = DECIDE.perhaps_not_playing
    return penalty


def _groups(board: Board, every: Sequence[Route], scores: Logs, knowledge: Knowledge) -> Logs:
    """Chances per track when the tracks of a group are weighed together: nobody holds two of them."""
    chances = _normal(scores)
    index = {route.id: i for i, route in enumerate(every)}
    single = knowledge.players is not None and knowledge.players <= DECIDE.single_track_players
    for tracks in board.groups.values():
        rows = [index[t.id] for t in tracks]
        if len(rows) < 2:
            continue
        joint = np.zeros((scores.shape[1],) * len(rows))
        for choice in product(range(scores.shape[1]), repeat=len(rows)):
            owners = [c for c in choice if c]
            value = sum(np.log(chances[r, c] + 1e-300) for r, c in zip(rows, choice, strict=True))
            value += DECIDE.both_tracks * (len(owners) - len(set(owners)))
            value += DECIDE.second_track * max(len(owners) - 1, 0) if single else 0
            joint[choice] = value
        joint = np.exp(joint - joint.max())
        for axis, row in enumerate(rows):
            others = tuple(a for a in range(len(rows)) if a != axis)
            chances[row] = joint.sum(others) / joint.sum()
    return chances


def _with_mixed(chances: Logs, evidence: Logs) -> Logs:
    """A last column: the chance that the route is neither empty nor held by one colour."""
    pure = evidence[:, :-1].max(1)
    odds = np.exp(np.minimum(evidence[:, -1] - pure + DECIDE.mixed, 50))
    mixed = odds / (1 + odds)
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
            chances[row] = _less_sure(chances[row], i, DECIDE.too_many)
            excess -= lengths[row]
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
                chances[row] = _less_sure(chances[row], int(i), DECIDE.held_twice)
    return chances


def _less_sure(chances: Logs, i: int, limit: float) -> Logs:
    """A route that loses its certainty, not its colour: which of several is wrong nobody knows."""
    if chances[i] <= limit:
        return chances
    lowered = np.asarray(chances * (1 - limit) / max(1 - float(chances[i]), 1e-9))
    lowered[i] = limit
    return lowered


def _told(
    board: Board, every: Sequence[Route], chances: Logs, parts: Sequence[Logs], sights: Sequence[NDArray[np.bool_]]
) -> tuple[dict[str, RouteReading], list[str]]:
    names = (None, *board.wagon_colors)
    found: dict[str, RouteReading] = {}
    doubtful = []
    for route, chance, logs, sight in zip(every, chances, parts, sights, strict=True):
        best = int(chance[:-1].argmax())
        single = np.exp(logs)
        lying = single.argmax(1)
        # A space that is not clearly something else is told as the route it belongs to.
        clear = sight & (single.max(1) >= DECIDE.clear_space) & (lying != best)
        spaces = tuple(names[lie if odd else best] for lie, odd in zip(lying, clear, strict=True))
        confidence = float(np.clip(chance[best], 0.01, 0.999))
        found[route.id] = RouteReading(names[best], confidence, spaces)
        if confidence < DECIDE.doubt or clear.any() or sight.mean() < DECIDE.sight_part:
            doubtful.append(route.id)
    return found, doubtful


def building_names(board: Board, kinds: Sequence[Building]) -> tuple[str, ...]:
    """What may stand in a city, in the order of the columns that `buildings` takes."""
    return tuple(color if kind == "station" else f"depot-{color}" for kind in kinds for color in board.wagon_colors)


def buildings(
    board: Board, seen: Seen, kinds: Sequence[Building]
) -> tuple[dict[Building, dict[str, StationReading]], list[str]]:
    """The cities where something of each kind stands, and the cities that a person should look at."""
    found: dict[Building, dict[str, StationReading]] = {kind: {} for kind in kinds}
    doubtful = []
    for city, logs, inside in zip(board.cities, seen.logs, seen.inside, strict=True):
        chance = np.exp(logs)
        best = int(chance.argmax())
        confidence = float(np.clip(chance[best], 0.01, 0.999))
        if best:
            which, color = divmod(best - 1, len(board.wagon_colors))
            found[kinds[which]][city] = StationReading(board.wagon_colors[color], confidence)
        # The net knows depots from drawings only: where they are played a person looks at each building.
        unsure = confidence < DECIDE.station_doubt or (best > 0 and "depot" in kinds)
        if inside > DECIDE.in_sight and unsure:
            doubtful.append(city)
    return found, doubtful

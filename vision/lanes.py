"""Tracks side by side, and the places just outside them: where wagons lie that were knocked off their track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from maps import Board
from vision.arrays import Points
from vision.config import LANES
from vision.spaces import Layout, layout


@dataclass(frozen=True, eq=False)
class Outside:
    """Places in a row along a track, in board widths, each beside one of its spaces.

    Near cities, where other tracks come close, there are none.
    """

    centres: Points
    angles: Points


@dataclass(frozen=True, eq=False)
class Lanes:
    """The tracks of a group in their order across, the rows of each all running the same way.

    Across them places are counted in halves of a lane: the first track is 0, the next 2. `beside`: places that are no
    track, between them and outside (-2 and -1 before the first), but where other tracks lie or the board ends.
    """

    tracks: tuple[str, ...]
    rows: tuple[NDArray[np.int64], ...]
    beside: Mapping[int, Outside]


# A place beside some tracks: the first of them, and where it lies across.
Side = tuple[str, int]


@lru_cache(maxsize=16)
def _lanes(spots: Layout) -> tuple[Lanes, ...]:
    board = spots.board
    number = {route: i for i, route in enumerate(board.routes)}
    found = []
    for tracks in board.groups.values():
        together = len({t.length for t in tracks}) == 1
        for part in [tracks] if together else [(t,) for t in tracks]:
            rows = [spots.rows(number[t.id]) for t in part]
            found.append(_side_by_side(spots, [t.id for t in part], rows))
    return tuple(found)


def lanes(board: Board, spots: Layout | None = None) -> tuple[Lanes, ...]:
    """Every group of the board; tracks of different lengths are taken one by one."""
    return _lanes(layout(board) if spots is None else spots)


def _side_by_side(spots: Layout, tracks: list[str], rows: list[NDArray[np.int64]]) -> Lanes:
    at = spots.centres
    first = rows[0]
    for i in range(1, len(rows)):
        if np.linalg.norm(at[rows[i][0]] - at[first[0]]) > np.linalg.norm(at[rows[i][-1]] - at[first[0]]):
            rows[i] = rows[i][::-1]
    normal = np.stack([-np.sin(spots.angles[first]), np.cos(spots.angles[first])], axis=1)
    if len(rows) > 1:
        # Angles may be told either way round: across means from the first track to the others.
        across = at[rows[1]] - at[first]
        normal *= np.where((normal * across).sum(1) < 0, -1, 1)[:, None]
        order = np.argsort([float(((at[r] - at[first]) * normal).sum(1).mean()) for r in rows])
        rows, tracks = [rows[i] for i in order], [tracks[i] for i in order]
    else:
        normal = _one_way(normal)
    others = np.delete(at, np.concatenate(rows), axis=0)
    pitch = LANES.pitch * spots.unit
    if len(rows) > 1:
        pitch = max(pitch, float(np.linalg.norm(at[rows[0]] - at[rows[1]], axis=1).mean()))
    beside = {
        2 * i + 1: Outside((at[one] + at[two]) / 2, spots.angles[one]) for i, (one, two) in enumerate(pairwise(rows))
    }
    for outer, edge, sign in ((rows[0], 0, -1), (rows[-1], 2 * len(rows) - 2, 1)):
        for halves, clear_of in ((1, LANES.clear_half), (2, LANES.clear)):
            places = at[outer] + sign * halves / 2 * pitch * normal
            away = np.linalg.norm(places[:, None] - others, axis=-1).min(1, initial=np.inf)
            clear = (away > clear_of * spots.unit) & (places > 0).all(1)
            clear &= (places < (1, 1 / spots.board.geometry.aspect)).all(1)
            if clear.mean() >= LANES.clear_part:
                beside[edge + sign * halves] = Outside(places[clear], spots.angles[outer][clear])
    return Lanes(tuple(tracks), tuple(rows), beside)


def _one_way(normal: Points) -> Points:
    """Normals of one bent track, all on the same side of it."""
    turned: Points = normal.copy()
    for i in range(1, len(turned)):
        if turned[i] @ turned[i - 1] < 0:
            turned[i] *= -1
    return turned


def nearest(part: Lanes, at: int) -> tuple[str, ...]:
    """The tracks half a lane from a place between or beside them."""
    return tuple(track for i, track in enumerate(part.tracks) if abs(2 * i - at) == 1)


def sides(found: Sequence[Lanes], half: bool = False) -> Mapping[Side, Outside]:
    """Every place outside that can be looked at a whole lane away, or those `half` a lane off any track."""
    return {(part.tracks[0], at): place for part in found for at, place in part.beside.items() if bool(at % 2) == half}

"""Wagons knocked off their track: what lies just outside a pair of tracks belongs to it, and is shown to a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maps import Board
from vision.config import SHIFTED
from vision.decide import Logs, Seen
from vision.reading import RouteReading
from vision.spaces import Layout, Points


@dataclass(frozen=True, eq=False)
class Beyond:
    """Places in a row outside a pair of tracks, and the tracks (id and rows) that move up to them, outermost first.

    Beyond the empty track lies what belongs on it; beyond the taken one everything was pushed over by one track.
    """

    centres: Points
    angles: Points
    tracks: tuple[tuple[str, NDArray[np.int64]], ...]
    # The column of the colour that the pair's taken track has: nobody holds both.
    taken: int


def beyond(board: Board, layout: Layout, routes: Mapping[str, RouteReading]) -> Iterator[Beyond]:
    """Where to look: both outer sides of pairs of tracks of which one is empty, away from other tracks."""
    number = {route: i for i, route in enumerate(board.routes)}
    for tracks in board.groups.values():
        empty = [t for t in tracks if routes[t.id].color is None]
        taken = [t for t in tracks if routes[t.id].color is not None]
        if len(empty) != 1 or len(taken) != 1 or empty[0].length != taken[0].length:
            continue
        free, held = layout.rows(number[empty[0].id]), layout.rows(number[taken[0].id])
        at = layout.centres
        if np.linalg.norm(at[free[0]] - at[held[0]]) > np.linalg.norm(at[free[0]] - at[held[-1]]):
            held = held[::-1]
        others = np.delete(at, np.concatenate([free, held]), axis=0)
        color = 1 + board.wagon_colors.index(str(routes[taken[0].id].color))
        both = (taken[0].id, held), (empty[0].id, free)
        for inner, outer, moving in ((held, free, both[1:]), (free, held, both)):
            places = 2 * at[outer] - at[inner]
            if np.linalg.norm(places[:, None] - others, axis=-1).min(initial=np.inf) > SHIFTED.clear * layout.unit:
                yield Beyond(places, layout.angles[outer], moving, color)


def moved_back(seen: Seen, looks: Iterable[tuple[Beyond, Logs]]) -> tuple[Seen, tuple[str, ...]]:
    """What was seen, with every wagon that lies outside counted on its track; and the tracks concerned."""
    logs, concerned = seen.logs.copy(), []
    for place, outside in looks:
        lying = outside.argmax(1)
        sure = np.exp(outside.max(1)).min() >= SHIFTED.sure
        if not sure or lying[0] in (0, place.taken) or (lying != lying[0]).any():
            continue
        for route, rows in place.tracks:
            logs[rows], outside = outside, logs[rows]
            concerned.append(route)
    return Seen(logs, seen.inside), tuple(concerned)

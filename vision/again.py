"""One table looked at again and again: all of it at first, then only the places that have changed.

What was seen of the other places stays, and so does what a whole look found out about the photo: the camera's tint and
how bare print looks here. A new look is whole when these can't be trusted any more.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from maps import Board
from vision import decide, patches, spaces
from vision.arrays import Floats, Points
from vision.classify import Nets
from vision.config import AGAIN
from vision.decide import Decided, Evidence, Knowledge, buildings_of
from vision.locate import Located
from vision.photo import Photo
from vision.read import View, evidence, unsure


@dataclass(frozen=True, eq=False)
class _Kept:
    """What the last looks leave: how many there were since a whole one, where the board lay, its light, and what was
    seen."""

    looks: int
    board: Board
    corners: Points
    gains: Floats
    tint: Floats
    twin: Floats
    evidence: Evidence


class Again:
    """Looks at one board after the other, or at the same one. `places`: routes and cities that have changed."""

    def __init__(self, nets: Nets | None = None) -> None:
        self._nets = nets or Nets()
        self._kept: _Kept | None = None

    def look(
        self,
        picture: Photo,
        located: Located,
        board: Board,
        knowledge: Knowledge | None = None,
        places: Collection[str] = (),
    ) -> Decided:
        """What lies on a board whose place is known. Without places all of it is looked at."""
        view = View(picture, located, board, self._nets)
        corners = np.asarray(located.corners, np.float64)
        tracks = _concerned(board, places)
        kept = self._kept
        if kept is None or not tracks or not _fits(kept, view, corners, tracks):
            found = evidence(view, knowledge)
            twin, tint = view.spaces.twin, view.scene.tint
            if twin is not None and tint is not None:
                self._kept = _Kept(0, board, corners, view.scene.gains, tint, twin, found)
        else:
            found = _part(view, kept, tracks, places, knowledge)
            self._kept = replace(kept, looks=kept.looks + 1, evidence=found)
        return decide.decided(board, found, knowledge, view.scene.layout)


def _concerned(board: Board, places: Collection[str]) -> frozenset[str]:
    """The routes among some places with all tracks beside them, and those of the cities among them."""
    groups = {route.group for route in board.routes.values() if {route.id, *route.ends} & set(places)}
    return frozenset(t.id for group in groups for t in board.groups[group])


def _fits(kept: _Kept, view: View, corners: Points, tracks: Collection[str]) -> bool:
    """Whether the camera stands where it stood, the light is the same, and little has changed."""
    if kept.board is not view.board or kept.looks >= AGAIN.looks or kept.gains.shape != view.scene.gains.shape:
        return False
    wide = float(np.linalg.norm(kept.corners[1] - kept.corners[0]))
    if float(np.linalg.norm(corners - kept.corners, axis=1).max()) > AGAIN.moved * wide:
        return False
    gain = np.median((view.scene.gains / kept.gains).reshape(-1, 3), axis=0)
    if float(np.abs(np.log(gain)).max()) > AGAIN.light:
        return False
    return sum(view.board.routes[t].length for t in tracks) <= AGAIN.most * len(view.scene.layout.centres)


def _part(
    view: View, kept: _Kept, tracks: Collection[str], places: Collection[str], knowledge: Knowledge | None
) -> Evidence:
    """The evidence with some tracks seen anew."""
    board, spots, before = view.board, view.scene.layout, kept.evidence
    view.scene = replace(view.scene, tint=kept.tint)
    rows = np.array([r in tracks for r in board.routes])[spots.route]
    found = replace(patches.on_spaces(view.scene, rows), twin=kept.twin[rows])
    seen = before.spaces.renewed(rows, view.seen_on(found, spaces.part(spots, rows)))
    first = decide.decided(board, Evidence(seen), knowledge, spots)
    again = unsure(board, first, spots) & rows
    if again.any():
        seen = view.surer(seen, again, found.of(again[rows]))
    kinds, cities = buildings_of(board, knowledge), before.cities
    if kinds and (cities is None or any(city in places for city in board.cities)):
        cities = view.in_cities(kinds)
    outside = {side: logs for side, logs in before.outside.items() if side[0] not in tracks}
    return Evidence(seen, cities, outside | view.outside(first, tracks))

"""One photo in, the state of the board out: find, even out the light, look at every space and city, decide."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any  # Any: arrays of any kind of number

import numpy as np
from numpy.typing import NDArray

import maps
from maps import Board
from vision import classify, decide, lanes, light, patches, plastics, spaces, tables
from vision.arrays import Floats, Logs, Rows
from vision.classify import Nets
from vision.config import CLASSIFIER, DECIDE, LANES
from vision.decide import Decided, Evidence, Knowledge, Seen, buildings_of, mean, weighed
from vision.locate import Located, locate
from vision.photo import Photo, load
from vision.reading import Reading
from vision.spaces import Layout

__all__ = ["View", "buildings_of", "evidence", "look", "read", "unsure"]

# What is left of a chance that counts no more: nothing is told for certain.
_NEVER = 1e-6


def read(
    photo: Photo | Path | str,
    board_id: str | None = None,
    colors: Collection[str] | None = None,
    known: Mapping[str, str] | None = None,
    players: int | None = None,
    depots: bool = False,
    limits: Callable[[Board], Mapping[str, int]] | None = None,
    nets: Nets | None = None,
) -> Reading:
    """Reads the board in a photo. Trouble says why there is nothing to read.

    What is known besides: `colors` of the players, `known` owners of routes from before, how many `players` there are,
    whether warehouses and `depots` are played, and how many tracks of a board's groups may be held (`limits`).
    """
    began = time.perf_counter()
    picture = photo if isinstance(photo, Photo) else load(photo)
    # A photo that was decoded before brings its time along.
    before = picture.seconds if picture is photo else 0.0
    decoded = time.perf_counter()
    located = locate(picture, board_id)
    found = time.perf_counter()
    board = maps.load(located.board_id)
    board = tables.laid_out(board) if located.enrolled else board
    told = look(
        picture, located, board, Knowledge(colors, players, known, depots, limits(board) if limits else {}), nets
    )
    done = time.perf_counter()
    seconds = {
        "decode": picture.seconds,
        "locate": found - decoded,
        "read": done - found,
        "total": done - began + before,
    }
    name = picture.path.name if picture.path else ""
    corners = tuple((float(x), float(y)) for x, y in located.corners)
    return Reading(
        name, board.id, corners, told.routes, told.buildings.get("station", {}), told.doubtful, seconds,
        told.buildings.get("depot", {}), located.by, told.strays, told.covered, told.borrowed, located.other_print,
    )  # fmt: skip


def look(
    picture: Photo,
    located: Located,
    board: Board,
    knowledge: Knowledge | None = None,
    nets: Nets | None = None,
    reference: light.Reference | None = None,
) -> Decided:
    """What lies on a board whose place is known: routes, buildings in cities, and what should be looked at.

    `reference`: how this very print looks empty, where it is not the one at hand for the board.
    """
    view = View(picture, located, board, nets, reference)
    return decide.decided(board, evidence(view, knowledge), knowledge, view.scene.layout)


def evidence(view: View, knowledge: Knowledge | None) -> Evidence:
    """All that can be seen of a board: what is not sure at first is looked at twice."""
    board, seen = view.board, view.on_spaces()
    first = decide.decided(board, Evidence(seen), knowledge, view.scene.layout)
    again = unsure(board, first, view.scene.layout)
    if again.any():
        seen = view.second_look(seen, again)
    seen = view.by_plastics(seen)
    kinds = buildings_of(board, knowledge)
    cities = view.in_cities(kinds) if kinds else None
    return Evidence(seen, cities, view.outside(first))


def unsure(board: Board, first: Decided, spots: Layout) -> Rows:
    """The spaces of routes that deserve a second look."""
    return np.array([first.routes[r].confidence < CLASSIFIER.look_again for r in board.routes])[spots.route]


def _told(seen: Seen, spots: Layout) -> Rows:
    """The spaces of which a glance told enough: in sight, and for sure.

    Wagons on print of their own colour are never told by a glance alone.
    """
    lying = np.array(("", *spots.board.wagon_colors))[seen.logs.argmax(1)]
    sure = (seen.logs.max(1) > np.log(CLASSIFIER.glance)) & seen.shown & (seen.inside > CLASSIFIER.whole)
    return np.asarray(sure & (lying != np.array(spots.colors)))


def _surely(seen: Seen, spots: Layout) -> Rows:
    """The spaces of routes of which a glance told enough: all of them, and all alike."""
    lying = seen.logs.argmax(1)
    _, first, own = np.unique(spots.route, return_index=True, return_inverse=True)
    sure = _told(seen, spots) & (lying == lying[first][own])
    # Tracks side by side are weighed against each other, so all of them are seen by the same net.
    group = np.unique([r.group for r in spots.board.routes.values()], return_inverse=True)[1][spots.route]
    return np.asarray(np.bincount(group, ~sure)[group] == 0)


def _softer(logs: Logs, exponent: float, printed: Sequence[bool]) -> Logs:
    """What was seen, told less surely, with some colours taken for bare print."""
    chances = np.exp(exponent * logs)
    chances /= chances.sum(1, keepdims=True)
    chances[:, 0] += chances[:, printed].sum(1)
    chances[:, printed] = _NEVER
    return np.asarray(np.log(chances))


def _hides(scores: Floats, names: tuple[str, ...], glare: Floats) -> Floats:
    """How likely something lies over each spot. Glare is white all over, and hides less than it seems to."""
    return (classify.chance_covered(scores, names) * (glare < DECIDE.glare)).astype(np.float32)


class View:
    """One board in one photo: its light, and what the nets say to whatever is asked for."""

    def __init__(
        self,
        picture: Photo,
        located: Located,
        board: Board,
        nets: Nets | None = None,
        reference: light.Reference | None = None,
    ) -> None:
        self.board, self._nets = board, nets or Nets()
        homography = picture.shrink @ located.homography
        reference = reference or light.reference(board, located.enrolled)
        self.scene = patches.scene(picture.image, homography, board, reference, located.warp)

    def on_spaces(self, rows: Rows | None = None) -> Seen:
        """What lies on every space, or on those of some rows."""
        spots = self.scene.layout
        if rows is None:
            return self._closer(self._glance(), self.spaces, spots)
        return self.seen_on(self.spaces.of(rows), spaces.part(spots, rows))

    def seen_on(self, found: patches.Patches, spots: Layout) -> Seen:
        """What lies on some spaces: a glance at all, a closer look at routes that it does not tell surely."""
        return self._closer(self._by("board/glance", found), found, spots)

    def _glance(self) -> Seen:
        """A glance at every space. Where the first one told enough, only the rest of the route is looked at again."""
        (found, rows, first), spots = self._calibrated, self.scene.layout
        # A route is told with its twins, too: one of a single space has to be looked at again.
        long = np.bincount(spots.route)[spots.route[rows]] > 1
        known = np.zeros(len(found), np.bool_)
        known[rows] = _told(first, spaces.part(spots, rows)) & long
        nothing = Seen(np.zeros((len(found), first.logs.shape[1])), found.inside, np.zeros(len(found), np.float32))
        glance = nothing.renewed(rows, first).renewed(~known, self._by("board/glance", found, ~known))
        # What a closer look counts with is seen with its twin.
        open_still = known & ~_surely(glance, spots)
        if not open_still.any():
            return glance
        return glance.renewed(open_still, self._by("board/glance", found, open_still))

    def _closer(self, glance: Seen, found: patches.Patches, spots: Layout) -> Seen:
        """A closer look at routes that a glance does not tell surely.

        There both count: on boards never seen each net misses what the other sees.
        """
        again = ~_surely(glance, spots)
        if not again.any():
            return glance
        on_print = np.isin(np.array(spots.colors), self.board.wagon_colors)[again]
        part = np.where(on_print, CLASSIFIER.glance_on_print, CLASSIFIER.glance_counts).astype(np.float32)
        return glance.renewed(again, weighed(glance.of(again), self._by("board/spaces", found, again), part))

    def second_look(self, seen: Seen, rows: Rows) -> Seen:
        """Some spaces looked at mirrored too, which count as much as the first looks: what is not sure gets surer."""
        return self.surer(seen, rows, self.spaces.of(rows))

    def surer(self, seen: Seen, rows: Rows, part: patches.Patches) -> Seen:
        """The same, of patches that are at hand for these rows."""
        told, n = self._by("board/spaces", part.each_way()), len(part)
        turned = [told.of(np.arange(3 * n) // n == turn) for turn in range(3)]
        return seen.renewed(rows, mean([seen.of(rows), mean(turned)]))

    def by_plastics(self, seen: Seen, rows: Rows | None = None) -> Seen:
        """Which colours lie on all spaces, or on those of some rows, told anew by how this photo's wagons look."""
        return plastics.told_apart(seen, self.spaces if rows is None else self.spaces.of(rows), self._looks)

    @cached_property
    def _looks(self) -> plastics.Looks | None:
        """How this photo's wagons look. The first glance tells it as well as all looks together."""
        found, some, first = self._calibrated
        before = plastics.known(self._nets.folder / "board" / "plastics.npz")
        return plastics.measured(first, found, before.of(self.board.wagon_colors), some)

    def outside(self, first: Decided, tracks: Collection[str] | None = None) -> dict[lanes.Side, Logs]:
        """What lies just outside tracks of which one looks empty, wherever a glance shows that something does, and half
        a lane beside tracks that are not sure; only beside some `tracks` where those are told."""
        empty = {r for r, told in first.routes.items() if told.color is None or told.confidence < DECIDE.doubt}
        asked = [part for part in self._lanes if tracks is None or any(t in tracks for t in part.tracks)]
        bare = [part for part in asked if any(t in empty for t in part.tracks)]
        # Of a pair that was pushed over one track is hidden by the other's wagons: such are worth a look much sooner.
        half = {part.tracks[0] for part in bare if any(first.routes[t].color for t in part.tracks)}
        places = lanes.sides(bare)
        glance = self._at(places, lambda at: patches.unlike(self.scene, at.centres, at.angles))
        worth = {s: LANES.differs_half if s[0] in half else LANES.differs for s in places}
        chosen = {s: p for s, p in places.items() if glance[s].min() > worth[s]}
        return self._at(chosen, self._outside) | self._between(asked, first)

    def _between(self, asked: Sequence[lanes.Lanes], first: Decided) -> dict[lanes.Side, Logs]:
        """What lies half a lane beside tracks that are not sure, and is more than the print of those tracks."""
        not_sure = [p for p in asked if any(first.routes[t].confidence < LANES.look_half for t in p.tracks)]
        places = lanes.sides(not_sure, half=True)
        glance = self._at(places, lambda at: patches.unlike(self.scene, at.centres, at.angles))
        differs = {side: float(much.max()) for side, much in glance.items()}
        found = self._at({s: p for s, p in places.items() if differs[s] > LANES.half_differs}, self._outside)
        groups = {p.tracks[0]: p for p in not_sure}
        for side, logs in found.items():
            near = {self.board.routes[t].color for t in lanes.nearest(groups[side[0]], side[1])}
            printed = [differs[side] < LANES.beyond_print and c in near for c in ("", *self.board.wagon_colors)]
            found[side] = _softer(logs, LANES.half_sure, printed)
        return found

    def _outside(self, at: lanes.Outside) -> Logs:
        return self._by("board/spaces", patches.at_places(self.scene, at.centres, at.angles)).logs

    @staticmethod
    def _at(
        places: Mapping[lanes.Side, lanes.Outside], look: Callable[[lanes.Outside], NDArray[Any]]
    ) -> dict[lanes.Side, NDArray[Any]]:
        """All places looked at in one go, the answers told apart."""
        if not places:
            return {}
        every = list(places.values())
        joined = lanes.Outside(np.concatenate([p.centres for p in every]), np.concatenate([p.angles for p in every]))
        return dict(zip(places, np.split(look(joined), np.cumsum([len(p.centres) for p in every])[:-1]), strict=True))

    def in_cities(self, kinds: Sequence[decide.Building], rows: Rows | None = None) -> Seen:
        """What stands on every city, or on those of some rows."""
        found = patches.in_cities(self.scene, rows)
        # Stations were learnt from photos, depots from drawings: the net that knows both is asked for depots only.
        name, classes = (
            ("buildings", classify.CITY_CLASSES) if "depot" in kinds else ("stations", classify.SPACE_CLASSES)
        )
        names = decide.building_names(self.board, kinds)
        scores = self._scores(f"board/{name}", found)
        logs = classify.log_probabilities(scores, names, CLASSIFIER.station_temperature, classes)
        logs[:, 0] += CLASSIFIER.city_alike * patches.like_bare_cities(found, np.exp(logs[:, 0]).astype(np.float32))
        logs -= np.log(np.exp(logs).sum(1, keepdims=True))
        if "depot" not in kinds:
            # How near stations of this box are to its wagons was measured, of depots nobody has a photo.
            logs = plastics.standing(logs, found, self._looks)
        covered = _hides(scores, names, found.glare) if "covered" in classes else None
        return Seen(logs, found.inside, covered)

    @cached_property
    def _lanes(self) -> tuple[lanes.Lanes, ...]:
        return lanes.lanes(self.board, self.scene.layout)

    @property
    def spaces(self) -> patches.Patches:
        """Every space with its twin."""
        return self._calibrated[0]

    @cached_property
    def _calibrated(self) -> tuple[patches.Patches, Rows, Seen]:
        """Every space with its twin, and the first glance: at which spaces, and what it told.

        It is at one or two spaces of each route, and tells which prints are bare in this photo.
        """
        spots, found = self.scene.layout, patches.on_spaces(self.scene)
        # The middle of each route alone would do for most, but cost two boards of 31 in warm, soft photos.
        along = np.concatenate([np.arange(r.length) for r in self.board.routes.values()])
        some = (along == 0) | (along == 2)
        # A closer look here takes as long as all other closer looks together, and no board was read better by it.
        first = self._by("board/glance", found, some)
        # A route is bare as a whole or not at all.
        count = np.bincount(spots.route[some], minlength=len(self.board.routes))
        bare = np.bincount(spots.route[some], first.logs[:, 0], len(self.board.routes)) / np.maximum(count, 1)
        looks_empty = (np.exp(bare)[spots.route] * (found.inside > CLASSIFIER.whole)).astype(np.float32)
        tint = patches.tint(self.scene, found, looks_empty)
        self.scene, found = replace(self.scene, tint=tint), found.untinted(tint)
        found = replace(found, twin=patches.twins(found.foot, spots, looks_empty, found.printed))
        return found, some, first

    def _by(self, net: str, found: patches.Patches, rows: Rows | None = None) -> Seen:
        """What one net says of the patches, or of some of them, and whether they look like bare print elsewhere."""
        some = slice(None) if rows is None else np.flatnonzero(rows)
        colors, scores = self.board.wagon_colors, self._scores(net, found, rows)
        logs = classify.log_probabilities(scores, colors, CLASSIFIER.temperature)
        logs[:, 0] += CLASSIFIER.alike * patches.alike(found, some)
        logs -= np.log(np.exp(logs).sum(1, keepdims=True))
        return Seen(logs, found.inside[some], _hides(scores, colors, found.glare[some]))

    def _scores(self, name: str, found: patches.Patches, rows: Rows | None = None) -> Floats:
        net, numbered = self._nets(name), None if rows is None else np.flatnonzero(rows)
        return np.concatenate([net(*batch) for batch in found.batches(rows=numbered)])

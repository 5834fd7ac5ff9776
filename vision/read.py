"""One photo in, the state of the board out: find, even out the light, look at every space and city, decide."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import maps
from maps import Board
from vision import classify, decide, light, shifted, spaces, tables
from vision.config import CLASSIFIER, PATCH
from vision.locate import Located, locate
from vision.photo import Photo, load
from vision.reading import Reading, RouteReading, StationReading


def read(
    photo: Photo | Path | str,
    board_id: str | None = None,
    colors: Collection[str] | None = None,
    known: Mapping[str, str] | None = None,
    players: int | None = None,
    depots: bool = False,
) -> Reading:
    """Reads the board in a photo. Trouble says why there is nothing to read.

    What is known besides: `colors` of the players, `known` owners of routes from before, how many `players` there are,
    and whether warehouses and `depots` are played.
    """
    began = time.perf_counter()
    picture = photo if isinstance(photo, Photo) else load(photo)
    located = locate(picture, board_id)
    found = time.perf_counter()
    board = maps.load(located.board_id)
    board = tables.laid_out(board) if located.enrolled else board
    knowledge = decide.Knowledge(colors, players, known, depots)
    routes, buildings, doubtful = look(picture, located, board, knowledge)
    done = time.perf_counter()
    decoding = picture.seconds if isinstance(photo, Photo) else found - began
    seconds = {
        "decode": picture.seconds,
        "locate": found - began - (0 if isinstance(photo, Photo) else picture.seconds),
        "read": done - found,
        "total": done - began + (decoding if isinstance(photo, Photo) else 0),
    }
    name = picture.path.name if picture.path else ""
    corners = tuple((float(x), float(y)) for x, y in located.corners)
    stations, houses = buildings.get("station", {}), buildings.get("depot", {})
    return Reading(name, board.id, corners, routes, stations, doubtful, seconds, houses, located.by)


def look(
    picture: Photo, located: Located, board: Board, knowledge: decide.Knowledge | None = None
) -> tuple[dict[str, RouteReading], dict[decide.Building, dict[str, StationReading]], tuple[str, ...]]:
    """What lies on a board whose place is known: routes, buildings in cities, and what should be looked at."""
    view = View(picture, located, board)
    seen = view.on_spaces()
    routes, unsure = decide.routes(board, seen, knowledge)
    again = np.array([routes[r.id].confidence < CLASSIFIER.look_again for r in board.routes.values() for _ in r.spaces])
    if again.any():
        seen = view.second_look(seen, again)
        routes, unsure = decide.routes(board, seen, knowledge)
    seen, astray = shifted.moved_back(seen, view.outside(routes))
    if astray:
        routes, unsure = decide.routes(board, seen, knowledge)
        unsure += [route for route in astray if route not in unsure]
    kinds = buildings_of(board, knowledge)
    if not kinds:
        return routes, {}, tuple(unsure)
    buildings, unsure_cities = decide.buildings(board, view.in_cities(kinds), kinds)
    return routes, buildings, (*unsure, *unsure_cities)


def buildings_of(board: Board, knowledge: decide.Knowledge | None = None) -> tuple[decide.Building, ...]:
    """What may stand in the cities of this board in this game."""
    kinds: list[decide.Building] = ["station"] if board.id in CLASSIFIER.station_boards else []
    return (*kinds, "depot") if knowledge is not None and knowledge.depots else tuple(kinds)


class View:
    """One board in one photo: its light, and patches of whatever is asked for."""

    def __init__(self, picture: Photo, located: Located, board: Board) -> None:
        self.board, self.image, self.warp = board, picture.image, located.warp
        homography = picture.shrink @ located.homography
        height, width = picture.image.shape[:2]
        self._place = spaces.camera(homography, width, height, board.geometry.aspect)
        self._to_picture = spaces.by_homography(homography)
        self._layout = spaces.layout(board)
        self._reference = light.reference(board, located.enrolled)
        away = spaces.lean(self._layout.centres, self._place, self._layout.unit)
        self._gains = light.gain(*light.measure(self.image, self._to_picture, self._layout, away), self._reference)

    def on_spaces(self, rows: NDArray[np.bool_] | None = None) -> decide.Seen:
        """What lies on every space, or on those of some rows."""
        rows = np.ones(len(self._layout.centres), bool) if rows is None else rows
        printed = light.printed(self._layout, self._reference)
        beside = light.beside(self._layout, printed)[rows]
        part = spaces.part(self._layout, rows)
        scores, inside = self._scores("spaces", part, printed[rows], PATCH.size, PATCH.span, beside)
        logs = classify.log_probabilities(scores, self.board.wagon_colors, CLASSIFIER.temperature)
        return decide.Seen(logs, inside)

    def second_look(self, seen: decide.Seen, rows: NDArray[np.bool_]) -> decide.Seen:
        """Some spaces looked at mirrored too, the mean of all looks taken: what is not sure gets surer."""
        scores = classify.net("spaces")(classify.mirrored(self._batch[rows]))
        logs = classify.log_probabilities(scores, self.board.wagon_colors, CLASSIFIER.temperature)
        mean = seen.logs.copy()
        mean[rows] = (seen.logs[rows] + logs.reshape(3, -1, logs.shape[1]).sum(0)) / 4
        return decide.Seen(mean, seen.inside)

    def outside(self, routes: Mapping[str, RouteReading]) -> list[tuple[shifted.Beyond, decide.Logs]]:
        """What lies just outside pairs of tracks of which one looks empty."""
        places = list(shifted.beyond(self.board, self._layout, routes))
        if not places:
            return []
        centres, angles = (np.concatenate([getattr(p, name) for p in places]) for name in ("centres", "angles"))
        n = len(centres)
        spots = replace(self._layout, centres=centres, angles=angles, route=np.zeros(n, np.int32), colors=("gray",) * n)
        unknown = np.zeros((n, 3), np.float32)
        scores, _ = self._scores("spaces", spots, unknown, PATCH.size, PATCH.span, np.zeros((n, 6), np.float32))
        logs = classify.log_probabilities(scores, self.board.wagon_colors, CLASSIFIER.temperature)
        return list(zip(places, np.split(logs, np.cumsum([len(p.centres) for p in places])[:-1]), strict=True))

    def in_cities(self, kinds: Sequence[decide.Building], rows: NDArray[np.bool_] | None = None) -> decide.Seen:
        """What stands on every city, or on those of some rows."""
        spots = spaces.cities(self.board)
        spots = spots if rows is None else spaces.part(spots, rows)
        unknown = np.zeros((len(spots.centres), 3), np.float32)
        # Stations were learnt from photos, depots from drawings: the net that knows both is asked for depots only.
        net, classes = ("buildings", classify.CITY_CLASSES) if "depot" in kinds else ("stations", classify.CLASSES)
        scores, inside = self._scores(net, spots, unknown, PATCH.city_size, PATCH.city_span)
        names = decide.building_names(self.board, kinds)
        return decide.Seen(classify.log_probabilities(scores, names, CLASSIFIER.station_temperature, classes), inside)

    def _scores(
        self,
        net: str,
        spots: spaces.Layout,
        printed: spaces.Floats,
        size: tuple[int, int],
        span: float,
        beside: spaces.Floats | None = None,
    ) -> tuple[spaces.Floats, spaces.Floats]:
        """What a net says to the patches of some spots, and how much of each is in sight."""
        aspect = np.array([1, self.board.geometry.aspect])
        # One shift per patch: the local refinement hardly changes over the size of a space.
        shift = None if self.warp is None else self.warp.at(spots.centres * aspect) / aspect
        away = spaces.lean(spots.centres, self._place, spots.unit)
        foot, middle = (
            spaces.sample(self.image, self._to_picture, spots, away, size, span, shift, rise) for rise in (0, 0.5)
        )
        pictures = [light.even(p.pictures, p.points, self._gains) for p in (foot, middle)]
        self._batch = classify.inputs(pictures[0], pictures[1], printed, foot.lean, beside)
        return classify.net(net)(self._batch), np.minimum(foot.inside, middle.inside)

"""One photo in, the state of the board out: find, even out the light, look at every space and city, decide."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import maps
from maps import Board
from vision import classify, decide, light, spaces, tables
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
) -> Reading:
    """Reads the board in a photo. Trouble says why there is nothing to read.

    What is known besides: `colors` of the players, `known` owners of routes from before, how many `players` there are.
    """
    began = time.perf_counter()
    picture = photo if isinstance(photo, Photo) else load(photo)
    located = locate(picture, board_id)
    found = time.perf_counter()
    board = maps.load(located.board_id)
    board = tables.laid_out(board) if located.enrolled else board
    knowledge = decide.Knowledge(colors, players, known)
    routes, stations, doubtful = look(picture, located, board, knowledge)
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
    return Reading(name, board.id, corners, routes, stations, doubtful, seconds)


def look(
    picture: Photo, located: Located, board: Board, knowledge: decide.Knowledge | None = None
) -> tuple[dict[str, RouteReading], dict[str, StationReading], tuple[str, ...]]:
    """What lies on a board whose place is known: routes, stations, and what should be looked at."""
    view = View(picture, located, board)
    seen = view.on_spaces()
    routes, unsure = decide.routes(board, seen, knowledge)
    again = np.array([routes[r.id].confidence < CLASSIFIER.look_again for r in board.routes.values() for _ in r.spaces])
    if again.any():
        routes, unsure = decide.routes(board, view.second_look(seen, again), knowledge)
    if board.id not in CLASSIFIER.station_boards:
        return routes, {}, tuple(unsure)
    stations, unsure_cities = decide.stations(board, view.in_cities())
    return routes, stations, (*unsure, *unsure_cities)


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

    def on_spaces(self) -> decide.Seen:
        """What lies on every space."""
        printed = light.printed(self._layout, self._reference)
        return self.seen("spaces", self._layout, printed, PATCH.size, PATCH.span, CLASSIFIER.temperature)

    def second_look(self, seen: decide.Seen, rows: NDArray[np.bool_]) -> decide.Seen:
        """Some spaces looked at mirrored too, the mean of all looks taken: what is not sure gets surer."""
        scores = classify.net("spaces")(classify.mirrored(self._batch[rows]))
        logs = classify.log_probabilities(scores, self.board.wagon_colors, CLASSIFIER.temperature)
        mean = seen.logs.copy()
        mean[rows] = (seen.logs[rows] + logs.reshape(3, -1, logs.shape[1]).sum(0)) / 4
        return decide.Seen(mean, seen.inside)

    def in_cities(self) -> decide.Seen:
        """What stands on every city."""
        spots = spaces.cities(self.board)
        unknown = np.zeros((len(spots.centres), 3), np.float32)
        temperature = CLASSIFIER.station_temperature
        return self.seen("stations", spots, unknown, PATCH.city_size, PATCH.city_span, temperature)

    def seen(
        self,
        net: str,
        spots: spaces.Layout,
        printed: spaces.Floats,
        size: tuple[int, int],
        span: float,
        temperature: float,
    ) -> decide.Seen:
        """What a net sees in the patches of some spots."""
        aspect = np.array([1, self.board.geometry.aspect])
        # One shift per patch: the local refinement hardly changes over the size of a space.
        shift = None if self.warp is None else self.warp.at(spots.centres * aspect) / aspect
        away = spaces.lean(spots.centres, self._place, spots.unit)
        foot, middle = (
            spaces.sample(self.image, self._to_picture, spots, away, size, span, shift, rise) for rise in (0, 0.5)
        )
        pictures = [light.even(p.pictures, p.points, self._gains) for p in (foot, middle)]
        self._batch = classify.inputs(pictures[0], pictures[1], printed, foot.lean)
        logs = classify.log_probabilities(classify.net(net)(self._batch), self.board.wagon_colors, temperature)
        return decide.Seen(logs, np.minimum(foot.inside, middle.inside))

"""What was enrolled at this table: the fingerprint of the player's own board, and where its cities lie."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from maps import Board, City, Route, Space, Trouble, user_folder
from maps.board import Point
from maps.layout import spaces_between
from vision.fingerprints import Fingerprint, read
from vision.light import load_reference, own_file

Points = NDArray[np.float64]


def folder() -> Path:
    """Where enrolled boards are kept."""
    return user_folder().parent / "tables"


def print_file(board: str) -> Path:
    """The fingerprint of the player's own copy of a board."""
    return folder() / f"{board}.npz"


def cities_file(board: str) -> Path:
    """Where somebody tapped the cities of a board that nobody measured."""
    return folder() / f"{board}.json"


def enrolled() -> tuple[Fingerprint, ...]:
    """The fingerprints of this table, none where nothing was enrolled; a damaged one is left out."""
    found = []
    for path in _files():
        with suppress(Trouble, OSError):
            found.append(_print(path, path.stat().st_mtime_ns))
    return tuple(found)


def damaged() -> tuple[str, ...]:
    """What was enrolled here and can't be read any more: those boards have to be enrolled again."""
    found = []
    for path in _files():
        try:
            _print(path, path.stat().st_mtime_ns)
            if own_file(path.stem).is_file():
                load_reference(own_file(path.stem))
        except (Trouble, OSError):
            found.append(path.stem)
    return tuple(found)


def _files() -> list[Path]:
    return sorted(folder().glob("*.npz")) if folder().is_dir() else []


@lru_cache(maxsize=16)
def _print(path: Path, _stamp: int) -> Fingerprint:
    return read(path, enrolled=True)


@dataclass(frozen=True)
class Learnt:
    """A board that this table has enrolled: when, by how many features it is found, how many cities were tapped."""

    board: str
    when: datetime
    features: int
    cities: int


def learnt() -> tuple[Learnt, ...]:
    """Every board that was enrolled here. One whose file is broken has no features."""
    found = []
    for path in _files():
        stamp = path.stat()
        try:
            features, cities = len(_print(path, stamp.st_mtime_ns).points), len(_tapped(path.stem))
        except Trouble:
            features, cities = 0, 0
        found.append(Learnt(path.stem, datetime.fromtimestamp(stamp.st_mtime).astimezone(), features, cities))
    return tuple(found)


def forget(board: str) -> bool:
    """Drops what was enrolled for a board; whether there was anything."""
    files = [f for f in (print_file(board), cities_file(board), own_file(board)) if f.exists()]
    for file in files:
        file.unlink()
    return bool(files)


def laid_out(board: Board) -> Board:
    """The board as it lies here: with cities and spaces where they were tapped, if they were."""
    return place_spaces(board, _tapped(board.id))


def _tapped(board: str) -> dict[str, Point]:
    """Where somebody tapped the cities of a board, nothing where nobody did."""
    try:
        told = json.loads(cities_file(board).read_text(encoding="utf-8"))
        return {str(city): (float(x), float(y)) for city, (x, y) in told.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def place_spaces(board: Board, tapped: Mapping[str, Point]) -> Board:
    """The board with its cities where they were tapped (0..1 over the print) and its spaces between them.

    Cities that nobody tapped follow their neighbours, as a rubber sheet would.
    """
    known = [c for c in board.cities.values() if c.id in tapped]
    if len(known) < 3:
        return board
    drawn = np.array([(c.x, c.y) for c in known])
    real = np.array([tapped[c.id] for c in known])
    every = list(board.cities.values())
    moved = rubber_sheet(drawn, real, np.array([(c.x, c.y) for c in every]))
    cities = {c.id: _moved(c, tapped.get(c.id, (float(x), float(y)))) for c, (x, y) in zip(every, moved, strict=True)}
    routes = {r.id: replace(r, spaces=_between(board, r, cities)) for r in board.routes.values()}
    return replace(board, cities=MappingProxyType(cities), routes=MappingProxyType(routes))


def _moved(city: City, at: Point) -> City:
    return replace(city, x=min(1.0, max(0.0, at[0])), y=min(1.0, max(0.0, at[1])))


def _between(board: Board, route: Route, cities: Mapping[str, City]) -> tuple[Space, ...]:
    # Parallel tracks keep their sides: seen from a to b, those that the sketch has on the left stay there.
    tracks = sorted(board.groups[route.group], key=lambda t: _side(board, t, route.ends))
    ends = [(cities[c].x, cities[c].y) for c in route.ends]
    lane = [t.id for t in tracks].index(route.id)
    shape = board.geometry
    return spaces_between(
        ends[0], ends[1], route.length, lane, len(tracks), shape.aspect, shape.space_length, shape.space_width
    )


def _side(board: Board, track: Route, ends: tuple[str, str]) -> float:
    """How far a track lies beside the straight line between two cities, in the direction in which lanes count."""
    a, b = (np.array([board.cities[c].x, board.cities[c].y / board.geometry.aspect]) for c in ends)
    middle = np.mean([(s.x, s.y / board.geometry.aspect) for s in track.spaces], axis=0)
    along, away = b - a, middle - a
    return float(along[0] * away[1] - along[1] * away[0])


def rubber_sheet(drawn: Points, real: Points, points: Points) -> Points:
    """Points moved by the smoothest sheet that takes the drawn positions to the real ones (a thin-plate spline)."""

    def bent(a: Points, b: Points) -> Points:
        squared = ((a[:, None] - b[None]) ** 2).sum(2)
        return np.asarray(squared * np.log(squared + 1e-12))

    n = len(drawn)
    flat = np.c_[np.ones(n), drawn]
    system = np.zeros((n + 3, n + 3))
    # A little give, so that one sloppy tap does not tear its neighbours along.
    system[:n, :n] = bent(drawn, drawn) + 1e-4 * np.eye(n)
    system[:n, n:], system[n:, :n] = flat, flat.T
    weights = np.linalg.lstsq(system, np.r_[real, np.zeros((3, 2))], rcond=None)[0]
    return np.asarray(bent(points, drawn) @ weights[:n] + np.c_[np.ones(len(points)), points] @ weights[n:])

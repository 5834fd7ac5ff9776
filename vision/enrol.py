"""Teaches the program a table's own board: a photo of it, empty, becomes its fingerprint and its colours."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from maps import Board, Trouble, nearest
from maps.board import Point
from maps.disk import write_whole
from vision import light, spaces, tables
from vision.config import ENROL
from vision.fingerprints import SQUARE, Matrix, fingerprint_of
from vision.locate import Located, fingerprints, locate, problems
from vision.photo import Photo, load
from vision.read import look
from vision.stickers import stickers_in

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Enrolment:
    """What was learnt: which board, where its corners are in the photo, how many features hold on to it."""

    board_id: str
    corners: tuple[Point, ...]
    features: int
    cities: int = 0
    # Printed colours as this photo shows them, by their names: the mean over all spaces of that print, RGB.
    colors: Mapping[str, tuple[int, int, int]] = field(default_factory=lambda: MappingProxyType({}))


def enrol(
    photo: Photo | Path | str,
    board_id: str,
    corners: Sequence[Sequence[float]] | None = None,
    cities: Mapping[str, Sequence[float]] | None = None,
    looked: bool = False,
) -> Enrolment:
    """Makes a photo of the empty board this table's reference, in place of an earlier one.

    `corners` and `cities` are in pixels of the photo as displayed; corners from the board's own top left, clockwise.
    A board that comes without a fingerprint needs corners or corner stickers around it, one whose spaces nobody
    measured needs cities too. A board on which wagons seem to lie is refused, unless somebody has `looked`.
    """
    picture = photo if isinstance(photo, Photo) else load(photo)
    board = maps.load(board_id)
    full = _given(picture, board, corners) if corners is not None else _found(picture, board)
    tapped = _tapped(board, cities or {}, full)
    if board.geometry.kind == "schematic" and len(tapped) < 3:
        raise Trouble("enrol-needs-cities", board=board.name)
    here = tables.place_spaces(board, tapped)
    small = picture.shrink @ full
    shown = cv2.perspectiveTransform(SQUARE[None], small)[0]
    if not looked:
        _empty(picture, here, full)
    fingerprint = fingerprint_of(picture.image, shown, here, enrolled=True)
    reference = light.reference_of(picture.image, spaces.by_homography(small), spaces.layout(here))
    try:
        fingerprint.save(tables.print_file(board.id))
        reference.save(light.own_file(board.id))
        if tapped:
            write_whole(tables.cities_file(board.id), json.dumps(tapped))
    except OSError as error:
        raise Trouble("enrol-not-saved", file=str(tables.folder()), reason=error.strerror or str(error)) from None
    corners_found = cv2.perspectiveTransform(SQUARE[None], full)[0]
    return Enrolment(
        board.id, tuple((float(x), float(y)) for x, y in corners_found), len(fingerprint.points), len(tapped),
        _prints(reference, here),
    )  # fmt: skip


def _prints(reference: light.Reference, board: Board) -> dict[str, tuple[int, int, int]]:
    names = np.array(spaces.layout(board).colors)
    means = {name: reference.spaces[names == name].mean(0) for name in dict.fromkeys(names.tolist())}
    return {name: (round(float(r)), round(float(g)), round(float(b))) for name, (b, g, r) in means.items()}


def _empty(picture: Photo, board: Board, homography: Matrix) -> None:
    """Trouble where wagons lie on the board: they would be learnt as its print, and never be seen again."""
    found = look(picture, Located(board.id, homography, ()), board)
    sure = [r for r, told in found.routes.items() if told.color is not None and told.confidence >= ENROL.sure]
    # A print that nobody has seen may look like a wagon here and there, but not all over the board.
    known = light.built_in(board.id) is not None
    if len(sure) >= max(ENROL.least_routes, 0 if known else ENROL.least_part * len(board.routes)):
        first = board.routes[sure[0]]
        ends = " - ".join(board.cities[city].label() for city in first.ends)
        raise Trouble("enrol-taken", board=board.name, n=len(sure), route=ends)


def _given(picture: Photo, board: Board, corners: Sequence[Sequence[float]] | Points) -> Matrix:
    """The pose that given corners tell; Trouble where no board lies like that."""
    told = np.array(corners, np.float32)
    if told.shape != (4, 2) or not np.isfinite(told).all():
        raise Trouble("impossible-corners")
    homography = np.asarray(cv2.getPerspectiveTransform(SQUARE.astype(np.float32), told), np.float64)
    if problems(homography, board.geometry.aspect, (picture.width, picture.height)):
        raise Trouble("impossible-corners")
    return homography


def _found(picture: Photo, board: Board) -> Matrix:
    """The pose by the print that comes with the program or, for a board without one, by corner stickers."""
    if any(p.board_id == board.id for p in fingerprints()):
        return locate(picture, board.id).homography
    seen = stickers_in(np.asarray(cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY), np.uint8), [board.id])
    if seen is None:
        raise Trouble("enrol-needs-corners", board=board.name)
    return _given(picture, board, cv2.perspectiveTransform(seen.corners[None], np.linalg.inv(picture.shrink))[0])


def _tapped(board: Board, cities: Mapping[str, Sequence[float]], homography: Matrix) -> dict[str, Point]:
    """Tapped cities as board coordinates; Trouble for a city that the board does not have."""
    back = np.linalg.inv(homography)
    found: dict[str, Point] = {}
    for city, at in cities.items():
        if city not in board.cities:
            meant = nearest(city, tuple(board.cities))
            if meant:
                raise Trouble("unknown-city", value=city, board=board.id, meant=meant)
            raise Trouble("no-such-city", value=city, board=board.id, known=", ".join(board.cities))
        x, y = cv2.perspectiveTransform(np.array([[at]], np.float64), back)[0, 0]
        if not (-0.02 <= x <= 1.02 and -0.02 <= y <= 1.02):
            raise Trouble("city-off-board", city=board.cities[city].label())
        found[city] = (round(float(x), 5), round(float(y), 5))
    return found

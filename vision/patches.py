"""From a photo and a board's pose to what a net sees: one way for reading and for training, with named channels."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Board
from vision import light, spaces
from vision.arrays import Floats, Matrix, Picture, Points, Rows, shaped
from vision.config import PATCH
from vision.refine import Warp
from vision.spaces import Layout

# What the nets are given. Pictures: `foot`, the patch over the print; `middle`, over the middle of a piece as it leans
# away from the camera; `twin`, how the same print looks elsewhere in this photo where nothing lies on it. Numbers:
# `printed`, the colour printed there; `lean` of a piece, along and across the track; `beside`, the colours printed on
# the tracks above and below. A net for cities is given neither twin nor beside.
SEEN = {"foot": slice(0, 3), "middle": slice(3, 6), "twin": slice(6, 9)}
TOLD = {"printed": slice(0, 3), "lean": slice(3, 5), "beside": slice(5, 11)}
# Numbers are told as planes this many pixels wide and high: as many as a net's first convolution needs to have seen all
# there is to see. All over a patch they took a third of its time.
TOLD_SIDE = 4
# In training all are channels of one array: pictures and numbers of cities, then what spaces have besides.
CITY_CHANNELS, SPACE_CHANNELS = 11, 20
TOLD_CHANNELS = range(6, 17)


class Input(NamedTuple):
    """What a net is given: the pictures (n, channels, height, width), and what is told of each (n, told, 4, 4)."""

    patches: Floats
    told: Floats


@dataclass(frozen=True)
class Look:
    """How a net looks at a spot: pixels (width, height), and the space widths that the width covers."""

    size: tuple[int, int]
    span: float


AT_SPACE = Look(PATCH.size, PATCH.span)
AT_CITY = Look(PATCH.city_size, PATCH.city_span)


@dataclass(frozen=True, eq=False)
class Scene:
    """A board as one photo shows it: pose, where the camera stood, the light, and the camera's tint once known."""

    board: Board
    image: Picture
    to_picture: spaces.ToPicture
    camera: tuple[float, float, float]
    layout: Layout
    reference: light.Reference | None
    gains: Floats
    warp: Warp | None = None
    tint: Floats | None = None

    @property
    def printed(self) -> Floats:
        """The colour that each space has when empty."""
        return light.printed(self.layout, self.reference)


def scene(
    image: Picture,
    homography: Matrix,
    board: Board,
    reference: light.Reference | None,
    warp: Warp | None = None,
    camera: tuple[float, float, float] | None = None,
) -> Scene:
    """A board whose pose is known: `homography` takes board coordinates to pixels of this very image."""
    height, width = image.shape[:2]
    place = camera or spaces.camera(homography, width, height, board.geometry.aspect)
    to_picture, layout = spaces.by_homography(homography), spaces.layout(board)
    away = spaces.lean(layout.centres, place, layout.unit)
    gains = light.gain(*light.measure(image, to_picture, layout, away), reference)
    return Scene(board, image, to_picture, place, layout, reference, gains, warp)


@dataclass(frozen=True, eq=False)
class Patches:
    """What is seen and told of some spots, a row each: pictures 0..255 with the light evened out, BGR.

    `inside`: what part of each spot lies in the picture; `glare`: what part is white in the photo. Cities have nothing
    printed beside them, and no twin.
    """

    foot: Floats
    middle: Floats
    printed: Floats
    lean: Floats
    inside: Floats
    glare: Floats
    beside: Floats | None = None
    twin: Floats | None = None

    def __post_init__(self) -> None:
        n, high, wide, _ = self.foot.shape
        for name, array in (("foot", self.foot), ("middle", self.middle), ("twin", self.twin)):
            if array is not None:
                shaped(name, array, n, high, wide, 3)
        shaped("printed", self.printed, n, 3)
        shaped("lean", self.lean, n, 2)
        shaped("inside", self.inside, n)
        shaped("glare", self.glare, n)
        if self.beside is not None:
            shaped("beside", self.beside, n, 6)

    def __len__(self) -> int:
        return len(self.foot)

    def of(self, rows: Rows | NDArray[np.intp] | Sequence[int] | slice) -> Patches:
        """Some of the rows."""
        beside = None if self.beside is None else self.beside[rows]
        twin = None if self.twin is None else self.twin[rows]
        return Patches(
            self.foot[rows], self.middle[rows], self.printed[rows], self.lean[rows], self.inside[rows],
            self.glare[rows], beside, twin,
        )  # fmt: skip

    def untinted(self, tint: Floats) -> Patches:
        """The same spots without what the camera did to all colours alike; in the same room, so these are gone then."""
        return replace(self, foot=light.untinted(self.foot, tint), middle=light.untinted(self.middle, tint))

    def mirrored(self, along: bool, across: bool) -> Patches:
        """The same spots mirrored along the track, across it or both: what lay above the track lies below it then."""
        x, y = slice(None, None, -1 if along else 1), slice(None, None, -1 if across else 1)
        sign = np.array([-1 if along else 1, -1 if across else 1], np.float32)
        beside = self.beside
        if beside is not None and across:
            beside = np.roll(beside, 3, axis=1)
        twin = None if self.twin is None else self.twin[:, y, x]
        return replace(
            self, foot=self.foot[:, y, x], middle=self.middle[:, y, x], lean=self.lean * sign, beside=beside, twin=twin
        )

    def each_way(self) -> Patches:
        """The same spots mirrored along the track, across it and both, one after the other."""
        ways = [self.mirrored(*way) for way in ((True, False), (False, True), (True, True))]
        beside, twin = [w.beside for w in ways if w.beside is not None], [w.twin for w in ways if w.twin is not None]
        return Patches(
            np.concatenate([w.foot for w in ways]), np.concatenate([w.middle for w in ways]),
            np.concatenate([w.printed for w in ways]), np.concatenate([w.lean for w in ways]),
            np.concatenate([w.inside for w in ways]), np.concatenate([w.glare for w in ways]),
            np.concatenate(beside) if beside else None, np.concatenate(twin) if twin else None,
        )  # fmt: skip

    def batches(self, most: int = PATCH.at_once, rows: NDArray[np.intp] | None = None) -> Iterator[Input]:
        """The input of a net in parts, each good until the next: a whole board at once would take too much memory.

        Some of the `rows`, numbered, or all of them.
        """
        n = len(self) if rows is None else len(rows)
        room = self._room(min(most, n))
        for start in range(0, n, most):
            part = self.of(slice(start, start + most) if rows is None else rows[start : start + most])
            # The same room for each part: asking for fresh memory took as long as filling it.
            yield part.batch(room[: len(part)])

    def _room(self, n: int) -> Floats:
        channels = SEEN["middle" if self.beside is None else "twin"].stop
        return np.empty((n, channels, *self.foot.shape[1:3]), np.float32)

    def batch(self, into: Floats | None = None) -> Input:
        """The input of a net: the channels in their order."""
        batch = self._room(len(self)) if into is None else into
        _shown(self.foot, batch[:, SEEN["foot"]])
        _shown(self.middle, batch[:, SEEN["middle"]])
        told = [self.printed * _UNIT, self.lean]
        if self.beside is not None:
            told.append(self.beside * _UNIT)
            if self.twin is None:
                batch[:, SEEN["twin"]] = 0
            else:
                _shown(self.twin, batch[:, SEEN["twin"]])
                batch[~_has_twin(self.twin), SEEN["twin"]] = 0
        numbers = np.concatenate(told, axis=1, dtype=np.float32)[:, :, None, None]
        return Input(batch, np.tile(numbers, (1, 1, TOLD_SIDE, TOLD_SIDE)))


def _shown(pictures: Floats, channels: Floats) -> None:
    """Pictures 0..255 written to channels of a batch, -0.5..0.5."""
    n, pixels = len(pictures), pictures.shape[1] * pictures.shape[2]
    # Scaled first, then taken apart: by numpy, or both in one go, it took twice as long.
    scaled = cv2.transform(np.ascontiguousarray(pictures).reshape(n, pixels, 3), _SCALED)
    planes = [channels[:, i].reshape(n, pixels) for i in range(3)]
    for plane, found in zip(planes, cv2.split(scaled, planes), strict=True):
        if not np.may_share_memory(plane, found):
            plane[:] = found


_UNIT = np.float32(1 / 255)
_SCALED = np.hstack([np.eye(3) / 255, np.full((3, 1), -0.5)]).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Jitter:
    """How far training looks beside the mark: each spot turned and shifted (in board widths), all of them zoomed."""

    turn: Points
    shift: Points
    zoom: float


def on_spaces(seen: Scene, rows: Rows | None = None, jitter: Jitter | None = None) -> Patches:
    """The spaces of a board, or some of them, as the net for spaces sees them; no twins yet."""
    spots = seen.layout if jitter is None else replace(seen.layout, angles=seen.layout.angles + jitter.turn)
    told = seen.printed
    found = _patches(seen, spots, AT_SPACE, told, rows, jitter)
    beside = _beside(seen) if jitter is None else light.beside(spots, told)
    return replace(found, beside=beside if rows is None else beside[rows])


def _beside(seen: Scene) -> Floats:
    """What is printed beside each space: the same in every photo of a board."""
    for layout, printed, found in tuple(_kept_beside):
        if layout is seen.layout and printed is seen.reference:
            return found
    _kept_beside.append((seen.layout, seen.reference, light.beside(seen.layout, seen.printed)))
    return _kept_beside[-1][2]


_kept_beside: deque[tuple[Layout, light.Reference | None, Floats]] = deque(maxlen=8)


def in_cities(seen: Scene, rows: Rows | None = None, jitter: Jitter | None = None) -> Patches:
    """The cities of a board, or some of them, as a net for cities sees them."""
    spots = spaces.cities(seen.board)
    spots = spots if jitter is None else replace(spots, angles=spots.angles + jitter.turn)
    return _patches(seen, spots, AT_CITY, np.zeros((len(spots.centres), 3), np.float32), rows, jitter)


def at_places(seen: Scene, centres: Points, angles: Points) -> Patches:
    """Any places on the board (in board widths) as the net for spaces sees them, of which nothing is known."""
    n = len(centres)
    spots = replace(seen.layout, centres=centres, angles=angles, route=np.zeros(n, np.int32), colors=("gray",) * n)
    found = _patches(seen, spots, AT_SPACE, np.zeros((n, 3), np.float32), None, None)
    return replace(found, beside=np.zeros((n, 6), np.float32))


def unlike(seen: Scene, centres: Points, angles: Points) -> Floats:
    """How far the colour at some places (in board widths) is from what the empty board has there, of 441."""
    if seen.reference is None or not len(centres):
        return np.zeros(len(centres), np.float32)
    n = len(centres)
    spots = replace(seen.layout, centres=centres, angles=angles, route=np.zeros(n, np.int32), colors=("gray",) * n)
    away = spaces.lean(centres, seen.camera, spots.unit)
    found = spaces.sample(seen.image, seen.to_picture, spots, away, PATCH.glance, PATCH.glance_span, rise=0.5)
    colors = light.even(found.pictures, found.points, seen.gains).mean((1, 2))
    aspect = np.array([1, seen.board.geometry.aspect])
    return np.asarray(np.linalg.norm(colors - light.expected(seen.reference, centres * aspect), axis=1), np.float32)


def _patches(
    seen: Scene, spots: Layout, look: Look, printed: Floats, rows: Rows | None, jitter: Jitter | None
) -> Patches:
    if rows is not None:
        spots, printed = spaces.part(spots, rows), printed[rows]
    aspect = np.array([1, seen.board.geometry.aspect])
    # One shift per patch: the local refinement hardly changes over the size of a space.
    shift = np.zeros_like(spots.centres) if seen.warp is None else seen.warp.at(spots.centres * aspect) / aspect
    span = look.span
    if jitter is not None:
        shift, span = shift + (jitter.shift if rows is None else jitter.shift[rows]), span * jitter.zoom
    away = spaces.lean(spots.centres, seen.camera, spots.unit)
    foot, middle = (
        spaces.sample(seen.image, seen.to_picture, spots, away, look.size, span, shift, rise) for rise in (0, 0.5)
    )
    below, above = (light.even(p.pictures, p.points, seen.gains) for p in (foot, middle))
    middle_rows = np.ascontiguousarray(foot.pictures[:, look.size[1] // 3 : -look.size[1] // 3])
    white = cv2.inRange(middle_rows.reshape(-1, look.size[0], 3), (PATCH.white,) * 3, (255,) * 3)
    glare = (white.reshape(len(middle_rows), -1).mean(1) / 255).astype(np.float32)
    found = Patches(below, above, printed, foot.lean, np.minimum(foot.inside, middle.inside), glare)
    return found if seen.tint is None else found.untinted(seen.tint)


def _has_twin(twin: Floats) -> NDArray[np.bool_]:
    """Which spaces have a twin: where there is one, no pixel of it is black."""
    return np.asarray(twin[:, 0, 0].max(-1) > 0)


def _core(pictures: Floats, rows: NDArray[np.intp] | slice = slice(None)) -> Floats:
    """The mean colour in the middle of each patch, or of each of some `rows`."""
    high, wide = pictures.shape[1:3]
    core = pictures[rows, high * 5 // 12 : high * 7 // 12, wide // 4 : wide * 3 // 4]
    # Rows first, then a product of matrices: three numbers at a time took five times as long.
    flat = core.sum(1).reshape(len(core), -1)
    each = np.tile(np.eye(3, dtype=np.float32), (core.shape[2], 1))
    return np.asarray(flat @ each / np.float32(core.shape[1] * core.shape[2]))


def alike(found: Patches, rows: NDArray[np.intp] | slice = slice(None)) -> Floats:
    """How much each space, or each of some, looks like the same print elsewhere: 1 for the same colour, 0 for another
    or no twin."""
    if found.twin is None:
        return np.zeros_like(found.inside[rows])
    off = np.linalg.norm(_core(found.foot, rows) - _core(found.twin, rows), axis=1)
    same, other = PATCH.alike
    return np.asarray(np.clip((other - off) / (other - same), 0, 1) * _has_twin(found.twin[rows, :1, :1]))


def like_bare_cities(found: Patches, empty: Floats) -> Floats:
    """How much each city looks like the others of this photo that seem `empty`: 1 for the same colour, 0 if not."""
    high, wide = found.foot.shape[1:3]
    core = found.foot[:, high * 3 // 8 : high * 5 // 8, wide * 3 // 8 : wide * 5 // 8].mean((1, 2))
    bare = (empty > PATCH.bare) & (found.inside > PATCH.city_whole)
    if bare.sum() < PATCH.least_bare_cities:
        return np.zeros(len(found), np.float32)
    off = np.linalg.norm(core - np.median(core[bare], axis=0), axis=1)
    same, other = PATCH.city_alike
    return np.asarray(np.clip((other - off) / (other - same), 0, 1), np.float32)


def tint(seen: Scene, found: Patches, empty: Floats) -> Floats:
    """What the camera did to all colours, told by the spaces that look `empty`: the photo calibrates itself."""
    sure = np.where(empty > PATCH.bare, empty, PATCH.twin_floor).astype(np.float32)
    return light.tint(_core(found.foot), seen.printed, sure)


def twins(foot: Floats | Picture, layout: Layout, empty: Floats, printed: Floats) -> Floats:
    """For every space the mean of the same print elsewhere in this photo, weighed by how `empty` each space looks.

    Spaces of its own route are left out; where the print is a little lighter or darker here (`printed`), so is the
    twin. Where too few others look empty it is black, which says nothing.
    """
    kinds = np.array([route.kind for route in layout.board.routes.values()])
    # Even where the first look takes every track of a print for taken, what they have in common tells something.
    weights = np.maximum(empty, PATCH.twin_floor).astype(np.float32)
    flat, found = foot.reshape(len(foot), foot.shape[1], -1), np.zeros(foot.shape, np.float32)
    into = found.reshape(flat.shape)
    first = np.flatnonzero(np.diff(layout.route, prepend=-1))
    rows = [slice(*ends) for ends in pairwise([*first.tolist(), len(foot)])]
    names, kinds = np.array(layout.colors)[first], kinds[layout.route[first]]
    for name in np.unique(names):
        routes = np.flatnonzero(names == name)
        # Each route's spaces together, as much as each counts.
        sums = np.stack([weights[rows[r]] @ flat[rows[r]].reshape(-1, flat[0].size) for r in routes])
        colors = np.stack([weights[rows[r]] @ printed[rows[r]] for r in routes])
        count, weight = np.array([(len(weights[rows[r]]), weights[rows[r]].sum()) for r in routes], np.float32).T
        # How much every route of the print counts for each: its own not at all. Tunnels and ferries are printed in
        # another way: they tell less of plain tracks, and plain ones of them.
        counted = np.where(kinds[routes][:, None] == kinds[routes], 1, PATCH.other_kind).astype(np.float32)
        np.fill_diagonal(counted, 0)
        left = (counted * weight).sum(1)
        told = (left >= PATCH.least_twins * PATCH.twin_floor) & (count.sum() - count >= PATCH.least_twins)
        share = counted[told] / left[told, None]
        for route, usual, color in zip(routes[told], share @ sums, share @ colors, strict=True):
            twin, here = into[rows[route]], np.tile(printed[rows[route]] - color, (1, foot.shape[2]))
            np.add(usual.reshape(flat.shape[1:]), here[:, None], out=twin)
            np.clip(twin, 1, 255, out=twin)
    return found

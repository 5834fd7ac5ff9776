"""A small flat picture of the board from frame to frame: what hides the print, what moves, what looks different.

The print between the spaces is the witness: under a hand or a paper it is gone, in a shadow or another light it stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any  # Any: arrays of any kind of number

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Board
from vision.fingerprints import Matrix, Picture, flattened, frame_size
from vision.locate import Located
from vision.photo import Photo
from vision.refine import project
from vision.spaces import camera, lean

Field = NDArray[np.float32]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class GroundConfig:
    """Lengths in pixels of the flat picture, in which a space is about 8 wide; levels of 255 in even light."""

    side: int = 480
    # Where pieces lie or lean over, in space lengths and widths: the print there says nothing.
    along: float = 1.2
    across: float = 1.9
    # A piece stands in front of a spot when it hides this share of it, or throws its shadow there.
    beside: float = 0.15
    # The longest shadow of a piece, from its middle, in lengths of a space.
    close: float = 1.6
    # A camera that moved by this much of its height sees pieces lean otherwise.
    stands: float = 0.05
    # A city's place, in space widths, and the strip along the frame's edge where nothing is compared, in its widths.
    city: float = 2.0
    edge: float = 0.012
    # Windows in which the print is compared with itself: its pattern is the same under any light from here on.
    window: int = 17
    alike: float = 0.55
    # Deviation that makes a pattern; plain print is compared by its colour (a share of all three channels) and by a
    # pattern that comes up on it.
    pattern: float = 5.0
    tint: float = 0.045
    # Hands and papers hide at least this share of the board; less is a wagon, a marker, or a shadow of one.
    least: float = 0.004
    # A spot is covered when this much of the print around it is hidden.
    around: int = 25
    hidden: float = 0.3
    # So wide a square around a spot is near: a hand there may not be done yet.
    near: int = 51
    # The light's own field is at least this smooth; shadows of hands are sharper, and wait until the hand is gone.
    light: float = 24.0
    # Gray level to which a frame is scaled before levels are compared.
    level: float = 110.0
    # A spot moves from this mean difference on.
    moves: float = 9.0
    # A spot has changed when it differs by more than it does untouched: so many times that and so much on top, within
    # these bounds. In films untouched spots differ by 1 to 3, yellow wagons on yellow print in the evening by 9, all
    # others by 20 and more. What differs by less than `untouched` may be noise, and is learnt at this pace.
    times: float = 2.5
    above: float = 3.0
    differs: tuple[float, float] = (6.0, 13.0)
    untouched: float = 5.0
    newest: float = 0.1
    # A lamp was switched when the print's colour has changed by this share; below that it is followed slowly.
    switched: float = 0.1
    # How fast the picture of the print follows slow changes of the light, well away from anything that hides it.
    follow: float = 0.15
    apart: int = 121


GROUND = GroundConfig()


@dataclass(frozen=True, eq=False)
class Glance:
    """One frame: where the print is hidden; places that are covered, near to that, moving, in the frame."""

    flat: Picture
    hidden: Flags
    covered: frozenset[str]
    near: frozenset[str]
    restless: frozenset[str]
    sight: frozenset[str]


class Ground:
    """The places of one board (its routes, and its cities where something may stand) on the small flat picture."""

    def __init__(self, board: Board, cities: bool) -> None:
        self.ids = (*board.routes, *(board.cities if cities else ()))
        self._aspect = board.geometry.aspect
        self._size = frame_size(self._aspect, GROUND.side)
        width, height = self._size
        geometry = board.geometry
        length, across = geometry.space_length * width, geometry.space_width * width
        spots = [(n, s.x, s.y, length, across, s.angle) for n, r in enumerate(board.routes.values()) for s in r.spaces]
        side = GROUND.city * across
        spots += [
            (n, city.x, city.y, side, side, 0.0)
            for n, city in enumerate(board.cities.values() if cities else (), len(board.routes))
        ]
        self._spots = [((x * width, y * height), (long, wide), turn) for _, x, y, long, wide, turn in spots]
        self._owner = np.array([spot[0] for spot in spots])
        self._centres = np.array([spot[1:3] for spot in spots], np.float64)
        self._unit, self._length = geometry.space_width, geometry.space_length
        labels = np.full((height, width), -1, np.int32)
        for n, spot in enumerate(self._spots):
            cv2.fillConvexPoly(labels, np.round(cv2.boxPoints(spot)).astype(np.int32), n)
        self._labels = labels.ravel()
        self._on = np.flatnonzero(self._labels >= 0)
        self._counts = np.maximum(np.bincount(self._labels[self._on], minlength=len(spots)), 1)
        row, column = np.divmod(self._on, width)
        wide, high = width // 4, height // 4
        self._on_small = np.minimum(row // 4, high - 1) * wide + np.minimum(column // 4, wide - 1)
        self._camera: NDArray[np.float64] = np.full(3, np.inf)
        self._reach: list[NDArray[np.int32]] = []
        self._beside: list[NDArray[np.intp]] = []
        self._usual = np.full(len(spots), 1.5)
        self._print: Picture | None = None
        self._last: Picture | None = None

    def _stand(self, camera: tuple[float, float, float]) -> None:
        """Where pieces may lie and lean over, as seen from where the camera stands: there the print says nothing."""
        place = np.array(camera)
        if np.linalg.norm(place - self._camera) < GROUND.stands * place[2]:
            return
        self._camera = place
        width, height = self._size
        away = lean(self._centres * [1, 1 / self._aspect], camera, self._unit) * width
        taken = np.zeros((height, width), np.uint8)
        self._reach = []
        for (at, (long, wide), turn), top in zip(self._spots, away, strict=True):
            box = cv2.boxPoints((at, (long * GROUND.along, wide * GROUND.across), turn))
            hull = np.asarray(cv2.convexHull(np.round(np.concatenate([box, box + top])).astype(np.int32)), np.int32)
            self._reach.append(hull)
            cv2.fillConvexPoly(taken, hull, 1)
        self._beside = [self._under(hull) for hull in self._reach]
        self._free_mask = 1 - taken
        self._free = self._free_mask.astype(np.float32)
        half = cv2.resize(self._free_mask, (width // 2, height // 2), interpolation=cv2.INTER_NEAREST)
        self._free_half = half.astype(np.float32)

    def _under(self, hull: NDArray[np.int32]) -> NDArray[np.intp]:
        """The spots over which a piece leans, or its shadow falls."""
        x, y, wide, high = cv2.boundingRect(hull)
        left, top = max(x, 0), max(y, 0)
        labels = self._labels.reshape(self._size[::-1])[top : y + high, left : x + wide]
        if not labels.size:
            return np.zeros(0, np.intp)
        inside = np.zeros(labels.shape, np.uint8)
        cv2.fillConvexPoly(inside, hull - np.array([left, top], np.int32), 1)
        found = labels[(inside > 0) & (labels >= 0)]
        share = np.bincount(found, minlength=len(self._counts)) / self._counts
        return np.flatnonzero(share >= GROUND.beside)

    def beside(self, places: frozenset[str]) -> Mapping[str, Flags]:
        """Which spots of every place may look different only because of pieces on these places."""
        under = np.zeros(len(self._owner), bool)
        for n, spots in zip(self._owner, self._beside, strict=True):
            if self.ids[n] in places:
                under[spots] = True
        return self._by_place(under)

    def close(self, one: str, other: str) -> bool:
        """Whether pieces on these places lie so close that the shadow of one may fall on the other."""
        near, far = (self._centres[self._owner == self.ids.index(p)] * [1, 1 / self._aspect] for p in (one, other))
        apart = np.linalg.norm(near[:, None] - far[None], axis=2)
        return bool(apart.min() < GROUND.close * self._length)

    def glance(self, picture: Photo, located: Located) -> Glance:
        """Looks at a frame in which the board's place is known."""
        homography = picture.shrink @ located.homography
        self._stand(camera(homography, picture.image.shape[1], picture.image.shape[0], self._aspect))
        flat = self._flat(picture.image, homography)
        last, self._last = self._last, flat
        self._print = flat if self._print is None else self._in_light(self._print, flat)
        hidden = self._hidden(flat, self._print)
        density = _share(hidden.astype(np.float32) * self._free, self._free, GROUND.around)
        at = np.round(self._centres * np.array(self._size) - 0.5).astype(int)
        x, y = (np.clip(at[:, i], 0, self._size[i] - 1) for i in (0, 1))
        spots = density[y, x] > GROUND.hidden
        reach = np.ones((GROUND.near, GROUND.near), np.uint8)
        near = cv2.dilate(hidden.astype(np.uint8), reach)[y, x] > 0 if hidden.any() else np.zeros(len(spots), bool)
        moving = (
            np.ones(len(self._owner), bool) if last is None else self._difference(flat, last, hidden) > GROUND.moves
        )
        sight = self._in_sight(picture.image, homography)
        covered, close, restless = (self._places(p) for p in (spots, near | spots, moving & sight))
        return Glance(flat, hidden, covered, close, restless, frozenset(self.ids) - self._places(~sight))

    def _in_light(self, printed: Picture, flat: Picture) -> Picture:
        """The picture of the print in the light of this frame: a lamp that is switched changes all of it at once."""
        few = (slice(None, None, 4), slice(None, None, 4))
        seen = (self._free_mask[few] > 0) & (_shown(flat[few], printed[few]) > 0)
        if not seen.any():
            return printed
        now, then = (np.median(p[few][seen], axis=0).astype(np.float32) for p in (flat, printed))
        gain = now / np.maximum(then, 1.0)
        if np.abs(gain - 1).max() < GROUND.switched:
            return printed
        return np.asarray(np.clip(printed * gain, 1, 255), np.uint8)

    def forget(self) -> None:
        """The camera stands elsewhere: what moves is known from the next frame on."""
        self._last = None

    def settle(self, glance: Glance) -> None:
        """Lets the picture of the print follow the light, where the print is seen."""
        if self._print is None:
            return
        hidden = cv2.dilate(glance.hidden.astype(np.uint8), np.ones((GROUND.apart, GROUND.apart), np.uint8))
        seen = cv2.bitwise_and(_shown(glance.flat, glance.flat), 1 - hidden)
        mixed = cv2.addWeighted(glance.flat, GROUND.follow, self._print, 1 - GROUND.follow, 0)
        self._print = np.asarray(cv2.copyTo(mixed, seen, self._print.copy()), np.uint8)

    def accept(self, glance: Glance, places: frozenset[str]) -> None:
        """What lies on these places is known: what it hides of the print around it hides nothing new."""
        if self._print is None:
            return
        near = np.zeros(self._size[::-1], np.uint8)
        for n, hull in zip(self._owner, self._reach, strict=True):
            if self.ids[n] in places:
                cv2.fillConvexPoly(near, hull, 1)
        near = cv2.dilate(near, np.ones((GROUND.window, GROUND.window), np.uint8))
        self._print = np.where(near[..., None] > 0, glance.flat, self._print)

    def change(self, glance: Glance, before: Picture) -> Mapping[str, NDArray[np.float64]]:
        """By how much the spots of each place differ from an earlier picture, apart from the light."""
        return self._by_place(self._difference(glance.flat, before, glance.hidden))

    def learn(self, change: Mapping[str, NDArray[np.float64]], places: frozenset[str]) -> None:
        """Nothing touches these places: by how much they differ all the same is noise, or the light."""
        spots = np.concatenate([change[i] for i in self.ids])
        quiet = np.array([i in places for i in self.ids])[self._owner] & (spots < GROUND.untouched)
        self._usual[quiet] += GROUND.newest * (spots - self._usual)[quiet]

    @property
    def bounds(self) -> Mapping[str, NDArray[np.float64]]:
        """By how much each spot of each place has to differ to have changed."""
        return self._by_place(np.clip(GROUND.times * self._usual + GROUND.above, *GROUND.differs))

    def pasted(self, before: Picture, glance: Glance, places: frozenset[str]) -> Picture:
        """The earlier picture, renewed where these places lie."""
        chosen = np.array([self.ids[i] in places for i in self._owner])
        renewed = self._on[chosen[self._labels[self._on]]]
        pasted: Picture = before.copy()
        pasted.reshape(-1, 3)[renewed] = glance.flat.reshape(-1, 3)[renewed]
        return pasted

    def _flat(self, image: Picture, homography: Matrix) -> Picture:
        """A little blurred: a pose half a pixel off shall make no difference."""
        half = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        shrink = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
        return np.asarray(cv2.blur(flattened(half, shrink @ homography, self._size), (3, 3)), np.uint8)

    def _in_sight(self, image: Picture, homography: Matrix) -> Flags:
        pixels = project(self._centres, homography)
        size = np.array(image.shape[1::-1])
        return np.asarray(((pixels > GROUND.edge * size[0]) & (pixels < size - GROUND.edge * size[0])).all(1))

    def _by_place(self, spots: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """A value per spot, put together place by place."""
        return dict(zip(self.ids, np.split(spots, np.flatnonzero(np.diff(self._owner)) + 1), strict=True))

    def _places(self, spots: Flags) -> frozenset[str]:
        return frozenset(self.ids[i] for i in np.unique(self._owner[spots]))

    def _hidden(self, flat: Picture, printed: Picture) -> Flags:
        """Where something lies between the camera and the print, as far as the print around tells."""
        small = (self._size[0] // 2, self._size[1] // 2)
        now, then = (np.asarray(cv2.resize(p, small, interpolation=cv2.INTER_AREA), np.uint8) for p in (flat, printed))
        free = self._free_half * (_shown(now, then) > 0)
        size = GROUND.window // 2 | 1
        weight = np.maximum(_box(free, size), 1e-3)
        gray_now, gray_then = (np.asarray(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), np.float32) for p in (now, then))
        mean_now, mean_then = (_box(free * p, size) / weight for p in (gray_now, gray_then))
        spread_now = np.maximum(_box(free * gray_now * gray_now, size) / weight - mean_now**2, 0)
        spread_then = np.maximum(_box(free * gray_then * gray_then, size) / weight - mean_then**2, 0)
        both = _box(free * gray_now * gray_then, size) / weight - mean_now * mean_then
        alike = both / np.sqrt(np.maximum(spread_now * spread_then, 1e-6))
        # Deviations of a dark picture are small: they count against the picture's own brightness.
        mask = (free > 0).astype(np.uint8)
        scale_now, scale_then = (GROUND.level / max(cv2.mean(p, mask)[0], 8.0) for p in (gray_now, gray_then))
        patterned = np.sqrt(spread_then) * scale_then > GROUND.pattern
        rough = np.sqrt(spread_now) * scale_now > 2 * GROUND.pattern
        tint = _tint(now, free, size) - _tint(then, free, size)
        tint -= np.median(tint[mask > 0], axis=0) if mask.any() else 0
        plain = ~patterned & (rough | (np.abs(tint).max(2) > GROUND.tint))
        found = (((patterned & (alike < GROUND.alike)) | plain) & (weight > 0.05)).astype(np.uint8)
        found = cv2.resize(_large(found, GROUND.least * found.size), self._size, interpolation=cv2.INTER_NEAREST)
        return np.asarray(found > 0)

    def _difference(self, flat: Picture, before: Picture, hidden: Flags) -> NDArray[np.float64]:
        """Each spot's mean difference in levels of even light."""
        shown = cv2.bitwise_and(self._free_mask, _shown(flat, before), mask=(~hidden).astype(np.uint8))
        small = (self._size[0] // 4, self._size[1] // 4)
        parts = [cv2.bitwise_and(p, p, mask=shown) for p in (flat, before)]
        now, then, weight = (
            cv2.GaussianBlur(
                cv2.resize(p, small, interpolation=cv2.INTER_AREA).astype(np.float32), (0, 0), GROUND.light / 4
            )
            for p in (*parts, shown * 255)
        )
        # Far from any print in sight the light of the whole board speaks.
        usual = float(now.sum()) / max(float(then.sum()), 1.0)
        gain = np.asarray((now + usual) / (then + 1), np.float32)
        bright = max(float(now.sum()) / max(3 * float(weight.sum()) / 255, 1e-3), 8.0)
        local = gain.reshape(-1, 3)[self._on_small]
        on = before.reshape(-1, 3)[self._on] * local
        off = np.abs(flat.reshape(-1, 3)[self._on] - on).sum(1) * (GROUND.level / bright / 3)
        return np.asarray(np.bincount(self._labels[self._on], off, len(self._counts)) / self._counts)


def _shown(one: Picture, other: Picture) -> Picture:
    """1 where both pictures reach: outside they are black."""
    return np.asarray(cv2.inRange(cv2.min(one, other), (1, 1, 1), (255, 255, 255)) > 0, np.uint8)


def _box(field: Field, size: int) -> Field:
    return np.asarray(cv2.boxFilter(field, cv2.CV_32F, (size, size), borderType=cv2.BORDER_CONSTANT), np.float32)


def _share(part: Field, whole: Field, size: int) -> Field:
    """What part of the whole around each pixel; where there is little of it, of a wider neighbourhood."""
    near, far = _box(whole, size), _box(whole, 2 * size + 1)
    thin = near < 0.12
    share = np.where(thin, _box(part, 2 * size + 1) / np.maximum(far, 1e-3), _box(part, size) / np.maximum(near, 1e-3))
    return np.asarray(share, np.float32)


def _tint(flat: Picture, free: Field, size: int) -> Field:
    """Each channel's share of all light around a pixel."""
    means = _box(flat * free[..., None], size)
    return np.asarray(means / np.maximum(means.sum(2, keepdims=True), 0.1), np.float32)


def _large(found: Picture, least: float) -> Picture:
    """Without specks: wagons, and the shadows that they throw beside their track."""
    opened = cv2.morphologyEx(found, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    kept = np.asarray(stats)[:, cv2.CC_STAT_AREA] >= least
    kept[0] = False
    return np.asarray(kept[np.asarray(labels)], np.uint8)

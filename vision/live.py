"""Follows a board through the frames of a camera, and keeps a reading of it that settles over several frames.

Search, follow, wait for a steady and sharp view, read a slice per frame, then only what changed since it was read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal  # Any: OpenCV gives None where its types say an array

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from maps import Board, Trouble
from vision import decide, spaces, tables
from vision.config import DECIDE, LIVE, LOCATE
from vision.decide import Knowledge, Seen
from vision.fingerprints import (
    SQUARE,
    Fingerprint,
    Matrix,
    Picture,
    flattened,
    frame_size,
    spaces_mask,
    spread,
    to_frame,
)
from vision.locate import Located, fingerprints, locate, problems, spread_out
from vision.photo import Photo, of_image
from vision.read import View, buildings_of
from vision.reading import Corner, Reading, StationReading
from vision.refine import Refined, project, refine
from vision.spaces import Layout

State = Literal["searching", "moving", "blurred", "steady"]
# Looks at some places of a board (ids of routes and cities): what lies on each of their spaces.
Reader = Callable[[Photo, Located, Board, Sequence[str]], Mapping[str, Seen]]


@dataclass(frozen=True, eq=False)
class Live:
    """What is known after a frame. Corners in pixels of the frame; `settled`: the reading has stopped changing."""

    state: State
    located: Located | None
    corners: tuple[Corner, ...]
    reading: Reading | None
    settled: bool
    seconds: float

    @property
    def steady(self) -> bool:
        """Whether the board is found, held still and sharp."""
        return self.state == "steady"


class Tracker:
    """Follows one board from frame to frame and reads it: `update` for every frame, BGR, in order.

    Looks for `board_id` or any known board by `prints` (else those at hand); `reader` replaces the nets, and
    `knowledge` tells what the game knows, as for a photo.
    """

    def __init__(
        self,
        board_id: str | None = None,
        reader: Reader | None = None,
        prints: Sequence[Fingerprint] | None = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        known = fingerprints() if prints is None else prints
        self._prints = tuple(p for p in known if board_id in (None, p.board_id))
        if board_id is not None and not self._prints:
            raise Trouble("no-fingerprint", board=maps.load(board_id).name)
        self._reader = Slices() if reader is None else reader
        self._knowledge = knowledge
        self._follower: _Follower | None = None
        self._notes: _Notes | None = None
        self._searches = 0
        self._wait = 0

    def update(self, frame: Picture) -> Live:
        """Follows the board into this frame and, once it lies steady, reads a slice of what is new."""
        began = time.perf_counter()
        picture = shrunk(of_image(frame), LIVE.side)
        live, busy = self._follow(picture)
        located = live.located
        if located is None:
            return replace(live, seconds=time.perf_counter() - began)
        if self._notes is None or self._notes.board.id != located.board_id:
            board = maps.load(located.board_id)
            self._notes = _Notes(tables.laid_out(board) if located.enrolled else board, self._knowledge)
        self._notes.watch(of_image(frame), picture, located, live.steady)
        if not busy:
            self._notes.read_slice(self._reader, LIVE.budget - (time.perf_counter() - began))
        settled = live.steady and self._notes.settled
        return replace(live, reading=self._notes.reading, settled=settled, seconds=time.perf_counter() - began)

    def look(self, frame: Picture) -> Live:
        """Follows the board into this frame without reading it."""
        began = time.perf_counter()
        live, _ = self._follow(shrunk(of_image(frame), LIVE.side))
        return replace(live, seconds=time.perf_counter() - began)

    def _follow(self, picture: Photo) -> tuple[Live, bool]:
        """The board's place and the state of the view; and whether that took all the time a frame has."""
        gray = np.asarray(cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY), np.uint8)
        follower, state, busy = self._follower, None, False
        if follower is None:
            follower, busy = self._search(picture, gray), True
        else:
            state = follower.step(picture, gray)
            busy = state == "steady" and follower.stale
            if state is None or (busy and not follower.correct(picture, gray)):
                # It was there a moment ago: the next frame is searched, at first in a small picture.
                follower, self._searches, self._wait = None, 0, 0
        self._follower = follower
        if follower is None:
            return Live("searching", None, (), None, False, 0.0), True
        return Live(state or "moving", follower.located, follower.located.corners, None, False, 0.0), busy

    def _search(self, picture: Photo, gray: Picture) -> _Follower | None:
        """Looks for the board, not in every frame, and mostly in a small picture only."""
        self._wait -= 1
        if self._wait >= 0 or not self._prints:
            return None
        self._searches += 1
        self._wait = LIVE.search_every
        small = picture if self._searches % LIVE.thorough_every == 0 else shrunk(picture, LIVE.search_side)
        try:
            rough = locate(small, prints=self._prints)
        except Trouble:
            return None
        start = picture.shrink @ rough.homography
        mine = [p for p in self._prints if (p.board_id, p.enrolled) == (rough.board_id, rough.enrolled)]
        found = [(p, better) for p in mine if (better := _checked(gray, start, p)) is not None]
        if not found:
            return None
        fingerprint, best = max(found, key=lambda f: f[1].quality)
        return _Follower(picture, gray, rough, fingerprint, best)


def sharpness(gray: Picture, corners: NDArray[np.float64]) -> float:
    """How much detail the board shows: the Laplacian's variance inside it, over its brightness squared."""
    small = cv2.resize(gray, None, fx=LIVE.sharp_scale, fy=LIVE.sharp_scale, interpolation=cv2.INTER_AREA)
    inside = np.zeros(small.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners * LIVE.sharp_scale).astype(np.int32), 255)
    _, deviation = cv2.meanStdDev(cv2.Laplacian(small, cv2.CV_16S), mask=inside)
    bright = cv2.mean(small, mask=inside)[0]
    return float(deviation[0, 0] ** 2 / max(bright, 1.0) ** 2)


def _checked(gray: Picture, homography: Matrix, fingerprint: Fingerprint) -> Refined | None:
    """The pose made exact, None where the print is not recognised or the pose makes no sense."""
    better = refine(gray, homography, fingerprint)
    if better is None or better.quality < LOCATE.least_quality:
        return None
    return None if problems(better.homography, fingerprint.aspect, (gray.shape[1], gray.shape[0])) else better


def _within(pixels: NDArray[np.float32], gray: Picture) -> NDArray[np.bool_]:
    return np.asarray(((pixels >= 0) & (pixels < [gray.shape[1], gray.shape[0]])).all(1))


def _inverse(matrix: Matrix) -> Matrix:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def shrunk(picture: Photo, side: int) -> Photo:
    scale = side / max(picture.image.shape[:2])
    if scale >= 1:
        return picture
    small = cv2.resize(picture.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Photo(np.asarray(small, np.uint8), picture.width, picture.height, scale * picture.scale)


class _Follower:
    """A board that was found, and corners of its print: board positions that keep, pixels that move with the frames."""

    def __init__(self, picture: Photo, gray: Picture, rough: Located, fingerprint: Fingerprint, best: Refined) -> None:
        board = maps.load(rough.board_id)
        self._print = fingerprint
        self._size = frame_size(fingerprint.aspect, LIVE.flat_side)
        measured = board.geometry.kind != "schematic"
        width, height = self._size
        self._spaces = spaces_mask(board, self._size, LIVE.clear) if measured else np.zeros((height, width), np.bool_)
        self._calm = self._since = self._missed = self._visible = 0
        self._sharpest = 0.0
        self._pixels: NDArray[np.float32] = np.zeros((0, 2), np.float32)
        self._board: NDArray[np.float64] = np.zeros((0, 2), np.float64)
        self.located = rough
        self._gray, self._pose = gray, best.homography
        self._seed()
        self._refined(picture, best)

    @property
    def stale(self) -> bool:
        """Whether the pose may have drifted."""
        return self._since >= LIVE.refine_every

    def step(self, picture: Photo, gray: Picture) -> State | None:
        """Follows the corners into the next frame; None where the board is lost."""
        before = project(SQUARE, self._pose)
        pose = self._followed(gray)
        if pose is None or problems(pose, self._print.aspect, (gray.shape[1], gray.shape[0])):
            return None
        self._place(picture, pose)
        after = project(SQUARE, pose)
        moved = float(np.linalg.norm(after - before, axis=1).max() / np.linalg.norm(after[1] - after[0]))
        self._since += 1
        self._calm += 1
        if moved > LIVE.still:
            # After a journey the pose is made exact before anything is read.
            self._calm, self._since = 0, LIVE.refine_every
        if self._calm < LIVE.calm_frames:
            return "moving"
        sharp = sharpness(gray, after)
        self._sharpest = max(LIVE.forget * self._sharpest, sharp)
        if sharp < LIVE.least_sharp * self._sharpest:
            return "blurred"
        if self._visible < LIVE.points // 2:
            self._seed()
        return "steady"

    def correct(self, picture: Photo, gray: Picture) -> bool:
        """Undoes the drift by the print itself. False: it was not recognised several times over, the board is lost."""
        better = _checked(gray, self._pose, self._print)
        if better is None:
            self._missed += 1
            self._since = LIVE.refine_every - LIVE.retry_after
            return self._missed < LIVE.most_missed
        self._refined(picture, better)
        return True

    def _followed(self, gray: Picture) -> Matrix | None:
        """The pose that most corners agree on, None where too few do."""
        if len(self._pixels) < LIVE.least_points or gray.shape != self._gray.shape:
            return None
        moved, status, _ = cv2.calcOpticalFlowPyrLK(
            self._gray, gray, self._pixels[:, None], np.zeros_like(self._pixels[:, None]),
            winSize=(LIVE.window, LIVE.window), maxLevel=LIVE.levels,
        )  # fmt: skip
        pixels = np.asarray(moved, np.float32)[:, 0]
        kept = np.flatnonzero((status.ravel() == 1) & _within(self._pixels, gray) & _within(pixels, gray))
        if len(kept) < LIVE.least_points:
            return None
        found: Any = cv2.findHomography(
            self._board[kept], pixels[kept].astype(np.float64), cv2.USAC_MAGSAC, LIVE.agree, maxIters=LIVE.rounds
        )
        pose, mask = found
        if pose is None:
            return None
        agree = kept[mask.ravel() > 0]
        enough = max(LIVE.least_points, LIVE.least_share * len(kept))
        if len(agree) < enough or not spread_out(self._board[agree].astype(np.float32)):
            return None
        # A corner under a hand or a blur is not given up: it waits where the others say that it is.
        expected = project(self._board, pose).astype(np.float32)
        expected[agree] = pixels[agree]
        self._gray, self._pixels, self._visible = gray, expected, len(kept)
        return np.asarray(pose, np.float64)

    def _place(self, picture: Photo, pose: Matrix) -> None:
        """Keeps a pose in the working picture, and tells it in pixels of the whole frame."""
        self._pose = pose
        full = _inverse(picture.shrink) @ pose
        located = replace(self.located, homography=full / full[2, 2], inliers=self._visible, seconds=0.0)
        self.located = replace(located, corners=tuple((float(x), float(y)) for x, y in located.to_photo(SQUARE)))

    def _refined(self, picture: Photo, better: Refined) -> None:
        # The corners stay where they are seen; where that is on the board is told anew.
        self._board = project(self._pixels.astype(np.float64), _inverse(better.homography))
        self._since = self._missed = 0
        self.located = replace(self.located, warp=better.warp, quality=better.quality)
        self._place(picture, better.homography)

    def _seed(self) -> None:
        """Picks corners all over the board, off the spaces: wagons come and go, and lean with the view."""
        inside = np.zeros(self._gray.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(project(SQUARE, self._pose)).astype(np.int32), 255)
        found = cv2.goodFeaturesToTrack(
            self._gray, 4 * LIVE.points, LIVE.corner_quality, LIVE.corner_distance, mask=inside
        )
        pixels = np.zeros((0, 2), np.float32) if found is None else np.asarray(found, np.float32)[:, 0]
        board = project(pixels.astype(np.float64), _inverse(self._pose))
        flat = project(board, to_frame(self._size)).astype(np.float32)
        best = spread(flat, np.linspace(1, 0.5, len(flat), dtype=np.float64), self._size, LIVE.points, self._spaces)
        self._pixels, self._board, self._visible = pixels[best], board[best], len(best)


@dataclass(eq=False)
class _Note:
    """What was seen on a place, over its last few readings."""

    seen: Seen
    reads: int = 1

    def add(self, seen: Seen) -> None:
        """Readings of a place that nothing changed on are averaged, the newest counting most."""
        share = max(1 / (self.reads + 1), LIVE.newest)
        # What has left the picture stays as it was.
        rows = (seen.inside > DECIDE.in_sight) | (self.seen.inside <= DECIDE.in_sight)
        logs = np.where(rows[:, None], (1 - share) * self.seen.logs + share * seen.logs, self.seen.logs)
        self.seen = Seen(logs, np.maximum(seen.inside, self.seen.inside))
        self.reads += 1


@dataclass(eq=False)
class _Round:
    """One frame being read, a slice at a time."""

    photo: Photo
    located: Located
    flat: Picture
    places: list[str]
    seen: dict[str, Seen]
    prepared: bool = False


class _Notes:
    """The reading of one board as it builds up, and which places have to be looked at again."""

    def __init__(self, board: Board, knowledge: Knowledge | None) -> None:
        self.board = board
        self.reading: Reading | None = None
        self._knowledge = knowledge
        self._places = _Places(board)
        self._notes: dict[str, _Note] = {}
        self._round: _Round | None = None
        self._read: Picture | None = None
        self._last: Picture | None = None
        self._quiet = 0
        self._seconds_a_space = LIVE.budget / LIVE.slice

    @property
    def settled(self) -> bool:
        """Whether everything is read and nothing changed for some frames."""
        return self.reading is not None and self._quiet >= LIVE.settle_frames

    def watch(self, frame: Photo, picture: Photo, located: Located, steady: bool) -> None:
        """Compares a steady frame with what was read, and starts to read what is due."""
        if not steady:
            self._last, self._quiet = None, 0
            return
        homography = picture.shrink @ located.homography
        flat = self._places.flat(picture.image, homography)
        last, self._last = self._last, flat
        if last is None:
            self._quiet = 0
            return
        sight = self._places.in_sight(picture.image, homography)
        restless = self._places.differing(flat, last, sight)
        changed = set() if self._read is None else self._places.differing(flat, self._read, sight)
        # A change is looked at when the hand that made it is gone.
        for place in changed - restless:
            if not self._underway(place):
                self._notes[place].reads = 0
        due = [p for p in self._places.ids if self._due(p) and (p not in restless or p not in self._notes)]
        self._quiet = 0 if restless or changed or due or self._round else self._quiet + 1
        if due and self._round is None:
            # A camera may use the frame's memory for its next one.
            self._round = _Round(replace(frame, image=frame.image.copy()), located, flat, due, {})

    def read_slice(self, reader: Reader, spare: float) -> None:
        """Reads as many places of the frame at hand as the spare seconds allow; after the last the reading is decided.

        Measuring a frame's light and deciding take a frame each: none shall take much longer than the others.
        """
        current = self._round
        if current is None:
            return
        if not current.prepared:
            current.prepared = True
            reader(current.photo, current.located, self.board, ())
            return
        if not current.places:
            self._round = None
            self._keep(current)
            return
        part: list[str] = []
        taken = 0
        most = min(LIVE.slice, max(LIVE.least_slice, int(spare / self._seconds_a_space)))
        while current.places and taken < most:
            part.append(current.places.pop(0))
            taken += self._places.counts[part[-1]]
        began = time.perf_counter()
        current.seen.update(reader(current.photo, current.located, self.board, part))
        took = (time.perf_counter() - began) / taken
        self._seconds_a_space += LIVE.newest * (took - self._seconds_a_space)

    def _due(self, place: str) -> bool:
        note = self._notes.get(place)
        if note is None or note.reads < LIVE.reads:
            return True
        return self.reading is not None and place in self.reading.doubtful and note.reads < LIVE.most_reads

    def _underway(self, place: str) -> bool:
        return self._round is not None and (place in self._round.places or place in self._round.seen)

    def _keep(self, done: _Round) -> None:
        for place, seen in done.seen.items():
            note = self._notes.get(place)
            if note is None or note.reads == 0:
                self._notes[place] = _Note(seen)
            else:
                note.add(seen)
        self._read = self._places.pasted(self._read, done.flat, set(done.seen))
        self.reading = self._decided(done.located)

    def _decided(self, located: Located) -> Reading:
        board = self.board
        routes, doubtful = decide.routes(board, self._all(list(board.routes)), self._knowledge)
        stations: dict[str, StationReading] = {}
        if self._places.cities:
            kinds = buildings_of(board)
            buildings, unsure = decide.buildings(board, self._all(list(board.cities)), kinds)
            stations, doubtful = buildings["station"], [*doubtful, *unsure]
        return Reading("", board.id, located.corners, routes, stations, tuple(doubtful))

    def _all(self, places: Sequence[str]) -> Seen:
        found = [self._notes[place].seen for place in places]
        return Seen(np.concatenate([s.logs for s in found]), np.concatenate([s.inside for s in found]))


class _Places:
    """The places of a board on a small flat picture of it: which of them look different from before?"""

    def __init__(self, board: Board) -> None:
        self.cities = bool(buildings_of(board))
        self.ids = (*board.routes, *(board.cities if self.cities else ()))
        self._size = frame_size(board.geometry.aspect, LIVE.flat_side)
        width, height = self._size
        geometry = board.geometry
        spots: list[tuple[str, float, float, NDArray[np.float32]]] = []
        for route in board.routes.values():
            for s in route.spaces:
                lengths = (geometry.space_length * width, geometry.space_width * width)
                box = cv2.boxPoints(((s.x * width, s.y * height), lengths, s.angle))
                spots.append((route.id, s.x, s.y, np.asarray(box, np.float32)))
        for city in board.cities.values() if self.cities else ():
            side = LIVE.city * geometry.space_width * width
            box = cv2.boxPoints(((city.x * width, city.y * height), (side, side), 0.0))
            spots.append((city.id, city.x, city.y, np.asarray(box, np.float32)))
        labels = np.full((height, width), -1, np.int32)
        for n, spot in enumerate(spots):
            cv2.fillConvexPoly(labels, np.round(spot[3]).astype(np.int32), n)
        index = {place: i for i, place in enumerate(self.ids)}
        self._owner = np.array([index[spot[0]] for spot in spots])
        self.counts = dict(zip(self.ids, np.bincount(self._owner).tolist(), strict=True))
        self._centres = np.array([spot[1:3] for spot in spots], np.float64)
        self._free = (labels < 0).astype(np.uint8)
        self._labels = labels.ravel()
        self._taken = np.flatnonzero(self._labels >= 0)
        self._pixels = np.maximum(np.bincount(self._labels[self._taken], minlength=len(spots)), 1)

    def flat(self, image: Picture, homography: Matrix) -> Picture:
        """The small flat picture, a little blurred: a pose half a pixel off shall make no difference."""
        half = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        shrink = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
        return np.asarray(cv2.blur(flattened(half, shrink @ homography, self._size), (3, 3)), np.uint8)

    def in_sight(self, image: Picture, homography: Matrix) -> NDArray[np.bool_]:
        """Which spaces lie wholly in the picture."""
        pixels = project(self._centres, homography)
        size = np.array(image.shape[1::-1])
        return np.asarray(((pixels > LIVE.edge * size[0]) & (pixels < size - LIVE.edge * size[0])).all(1))

    def differing(self, flat: Picture, before: Picture, sight: NDArray[np.bool_]) -> set[str]:
        """The places of which a space looks different, apart from the light on the whole board."""
        both = cv2.inRange(cv2.min(flat, before), (1, 1, 1), (255, 255, 255))
        shown = cv2.bitwise_and(both, both, mask=self._free)
        now, then = cv2.mean(flat, mask=shown), cv2.mean(before, mask=shown)
        gain = [n / t if t > 1 else 1.0 for n, t in zip(now[:3], then[:3], strict=True)]
        off = cv2.absdiff(flat, cv2.transform(before, np.diag(gain)))
        mean = off.reshape(-1, 3)[self._taken].sum(1, dtype=np.float32) / 3
        means = np.bincount(self._labels[self._taken], mean, len(self._pixels)) / self._pixels
        return {self.ids[i] for i in np.unique(self._owner[(means > LIVE.differs) & sight])}

    def pasted(self, read: Picture | None, flat: Picture, places: set[str]) -> Picture:
        """The picture of what was read, renewed where these places lie."""
        if read is None:
            return flat
        chosen = np.array([self.ids[i] in places for i in self._owner])
        renewed = self._taken[chosen[self._labels[self._taken]]]
        pasted: Picture = read.copy()
        pasted.reshape(-1, 3)[renewed] = flat.reshape(-1, 3)[renewed]
        return pasted


class Slices:
    """Reads places with the nets; several calls with the same frame share what is measured of its light."""

    def __init__(self) -> None:
        self._photo: Photo | None = None
        self._view: View | None = None

    def __call__(self, photo: Photo, located: Located, board: Board, places: Sequence[str]) -> Mapping[str, Seen]:
        if self._view is None or self._photo is not photo:
            self._photo, self._view = photo, View(photo, located, board)
        found: dict[str, Seen] = {}
        routes, cities = (np.array([i in places for i in ids]) for ids in (board.routes, board.cities))
        if routes.any():
            every = spaces.layout(board)
            rows = routes[every.route]
            seen = self._view.by_plastics(self._view.on_spaces(rows), rows)
            found |= _by_place(tuple(board.routes), spaces.part(every, rows), seen)
        if cities.any():
            part = spaces.part(spaces.cities(board), cities)
            found |= _by_place(tuple(board.cities), part, self._view.in_cities(buildings_of(board), cities))
        return found


def _by_place(ids: Sequence[str], spots: Layout, seen: Seen) -> dict[str, Seen]:
    found = {}
    for place in np.unique(spots.route):
        rows = spots.rows(int(place))
        found[ids[place]] = Seen(seen.logs[rows], seen.inside[rows])
    return found

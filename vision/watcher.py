"""Turns the frames of a camera on a stand into events: what was laid, taken away or moved, told once it has settled.

A place is looked at again only when it looks different from when it was last known, when nothing moves on it, and when
the print around it is in sight. Whoever knows the game hands in what it expects as data: a route keeps its owner, and
what the game hardly allows has to be seen for longer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from maps import Board
from vision import tables
from vision.again import Again
from vision.config import LIVE
from vision.decide import Knowledge
from vision.event import Event, Expected, Kind
from vision.fingerprints import Fingerprint, Picture
from vision.ground import GROUND, Glance, Ground
from vision.live import Live, State, Tracker, shrunk
from vision.locate import Located
from vision.photo import Photo, of_image
from vision.read import buildings_of
from vision.reading import DEPOT, Corner, Reading, RouteReading, StationReading


@dataclass(frozen=True)
class WatcherConfig:
    """Times in seconds."""

    # Longer side of the frame that is read: a photo's.
    side: int = 1920

    # A place is looked at when it was calm for so long, and again after this; longer and longer while nothing is clear.
    calm: float = 0.3
    again: float = 0.35
    slower: float = 1.5
    most_looks: int = 9
    # How sure each look has to be, how many there are at least, and over what time: what is clear, what is less so.
    sure: float = 0.9
    sure_looks: int = 2
    sure_hold: float = 0.7
    likely: float = 0.6
    likely_looks: int = 4
    likely_hold: float = 1.6
    # What the game hardly allows, several places at once, and what is seen to be gone: a hand is not the reason.
    unlikely: float = 0.93
    unlikely_looks: int = 4
    unlikely_hold: float = 2.0
    at_once: int = 3
    gone_looks: int = 4
    gone_hold: float = 1.6
    # Half-laid routes wait; all but one of so many spaces, so sure and calm for so long, are told.
    almost_spaces: int = 3
    almost_looks: int = 5
    almost_hold: float = 2.6
    # Where the print around is not seen a look waits, and has to be very sure.
    covered: float = 1.2
    hidden: float = 0.97
    hidden_looks: int = 3
    hidden_hold: float = 1.4
    # Where only the print around a place seems hidden for this long, nothing lies there.
    uncovered: float = 2.0
    # A route does not change its owner: another colour means that the first one was misread.
    other_looks: int = 6
    other_hold: float = 3.0
    # Empty print that looks different: how sure the looks have to be, for how long, that nothing lies there; where they
    # are less sure than this and every space has changed, wagons of the print's own colour do.
    bare: float = 0.97
    bare_looks: int = 5
    bare_hold: float = 4.0
    # The first reading: how long the whole view is calm, and how many looks.
    start_calm: float = 0.6
    start_looks: int = 3
    # What the first looks saw there, and were neither sure of nor sure against.
    perhaps: float = 0.4
    # Empty print is taken for wagons of its own colour: at the start such a route has to be this sure.
    own_print: float = 0.97
    own_claim: float = 0.9
    # The view is lost after this long; the camera stands elsewhere when a corner moved by this much of the board.
    lost: float = 2.5
    elsewhere: float = 0.06
    # A view at rest: its thumbnail differs nowhere by more than this; now and then it is looked at all the same.
    thumb: int = 8
    rest: float = 7.0
    rest_most: float = 10.0


WATCHER = WatcherConfig()


# By how much the spots of each place look different from when it was last known.
Change = Mapping[str, NDArray[np.float64]]
# Looks at some places of a board in a frame, all of them where none are named: the reader of photos, or a stand-in.
Looker = Callable[[Photo, Located, Board, Knowledge, frozenset[str]], Reading]


def looker() -> Looker:
    """The same look as at a photo, at first; then at the places that have changed."""
    return partial(_look, Again())


def _look(
    again: Again, picture: Photo, located: Located, board: Board, knowledge: Knowledge, places: frozenset[str]
) -> Reading:
    told = again.look(picture, located, board, knowledge, places)
    return Reading(
        "", board.id, located.corners, told.routes, told.buildings.get("station", {}), told.doubtful,
        depots=told.buildings.get("depot", {}), found_by=located.by, strays=told.strays, covered=told.covered,
        borrowed=told.borrowed,
    )  # fmt: skip


@dataclass(eq=False)
class _Pending:
    """A place that looks different: since when it is calm, and what the looks at it said since."""

    since: float
    due: float
    pause: float = WATCHER.again
    color: str | None = None
    seen: list[float] = field(default_factory=list)
    whole: bool = True
    # All but one of at least three spaces are so: a wagon has tipped over, or shines like glass.
    almost: bool = False
    # A hand or a paper seems to lie there as well.
    hidden: bool = False
    # Every look since it is calm, however they waver, and since when that is.
    every: list[tuple[str | None, float]] = field(default_factory=list)
    begun: float = field(init=False)

    def __post_init__(self) -> None:
        self.begun = self.since

    def add(self, color: str | None, confidence: float, whole: bool, at: float) -> None:
        if color != self.color or whole != self.whole:
            self.seen, self.since = [], at if self.seen else self.since
        self.color, self.whole = color, whole
        self.seen.append(confidence)
        self.every.append((color, confidence))
        if len(self.seen) > WATCHER.unlikely_looks:
            self.pause *= WATCHER.slower
        # What is still not clear waits until it looks different again.
        self.due = at + self.pause if len(self.seen) < WATCHER.most_looks else np.inf

    @property
    def sure(self) -> bool:
        """Whether the looks are sure of something whole."""
        return self.whole and float(np.mean(self.seen)) >= WATCHER.sure

    def strength(self, change: NDArray[np.float64]) -> float:
        """How sure the looks are, and by how much of all levels even the least changed spot differs."""
        return float(np.mean(self.seen)) + float(change.min()) / 255

    def held(self, at: float, sure: float, looks: int, hold: float) -> bool:
        return len(self.seen) >= looks and at - self.since >= hold and float(np.mean(self.seen)) >= sure


class Looks:
    """Takes looks at frames, one at a time: at once, or on another thread while frames go on."""

    def __init__(self, looker: Looker, background: bool) -> None:
        self._looker = looker
        self._pool = ThreadPoolExecutor(1) if background else None
        self._asked: tuple[Future[Reading] | Reading, Glance, float, frozenset[str]] | None = None

    @property
    def busy(self) -> bool:
        return self._asked is not None

    def ask(
        self, view: tuple[Photo, Located, Board, Knowledge], glance: Glance, seconds: float, places: frozenset[str]
    ) -> None:
        """Starts a look at some places of a frame; at everything where none are named."""
        picture, located, board, knowledge = view
        if self._pool is None:
            self._asked = (self._looker(picture, located, board, knowledge, places), glance, seconds, places)
            return
        # A camera may use the frame's memory for its next one.
        frame = replace(picture, image=picture.image.copy())
        answer = self._pool.submit(self._looker, frame, located, board, knowledge, places)
        self._asked = (answer, glance, seconds, places)

    def answer(self) -> tuple[Reading, Glance, float, frozenset[str]] | None:
        """The look that was asked for, once it is there."""
        if self._asked is None:
            return None
        answer, glance, seconds, places = self._asked
        if isinstance(answer, Future):
            if not answer.done():
                return None
            answer = answer.result()
        self._asked = None
        return answer, glance, seconds, places

    def close(self) -> None:
        self._asked = None
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


class Watcher:
    """Watches one table: `update` for every frame, BGR, in order, with its time; gives what has happened.

    `known`: what lies there (places to colours) as the game knows it; without it the first settled view tells.
    `background`: looks are taken on another thread, and frames are followed meanwhile.
    """

    def __init__(
        self,
        board_id: str | None = None,
        known: Mapping[str, str] | None = None,
        expected: Expected | None = None,
        prints: Sequence[Fingerprint] | None = None,
        look: Looker | None = None,
        background: bool = False,
    ) -> None:
        self._tracker = Tracker(board_id, prints=prints)
        self._looks = Looks(look or looker(), background)
        self._expected = expected or Expected()
        self._known = None if known is None else dict(known)
        self._table: _Table | None = None
        self.state: State = "searching"
        self.corners: tuple[Corner, ...] = ()
        self._unseen_since: float | None = None
        self._lost = False
        self._thumb: NDArray[np.int16] | None = None
        self._thumb_at = 0.0

    @property
    def board(self) -> Board | None:
        return None if self._table is None else self._table.board

    @property
    def start(self) -> dict[str, str] | None:
        """What lay there when the view first settled (or was handed in), None before."""
        return None if self._table is None else self._table.start

    @property
    def unsure(self) -> dict[str, str]:
        """What may have lain there when the view first settled, place by place: somebody should look."""
        return {} if self._table is None else dict(self._table.unsure)

    @property
    def known(self) -> dict[str, str]:
        """What lies there now, places to colours."""
        return {} if self._table is None else dict(self._table.known)

    @property
    def covered(self) -> frozenset[str]:
        """Places that something hides at the moment."""
        last = None if self._table is None else self._table.last
        return frozenset() if last is None else last.covered

    @property
    def waiting(self) -> frozenset[str]:
        """Places that look different and are not told yet: half-laid routes, or what the camera is not sure of."""
        return frozenset() if self._table is None else frozenset(self._table.pending)

    @property
    def settled(self) -> bool:
        """Whether what lies there is known and nothing waits to be told."""
        return self.start is not None and self.reading is not None and not self.waiting

    @property
    def reading(self) -> Reading | None:
        """The board as it is known now, with how sure the last look at each place was."""
        return None if self._table is None else self._table.as_known(self.corners)

    def expect(self, expected: Expected) -> None:
        """What the game knows now."""
        self._expected = expected
        if self._table is not None:
            self._table.expected = expected

    def correct(self, place: str, color: str | None) -> None:
        """Somebody says what lies on a place: that is what is known from now on, until it looks different again."""
        if self._table is not None:
            self._table.correct(place, color)

    def close(self) -> None:
        """Ends the other thread, if there is one."""
        self._looks.close()

    def update(self, frame: Picture, seconds: float) -> list[Event]:
        """Follows the table into this frame, and tells what has settled since."""
        if self._rests(frame, seconds):
            return []
        whole = of_image(frame)
        live = self._tracker.look(frame)
        self.state, self.corners = live.state, live.corners
        events = self._in_view(live, seconds)
        if live.located is None or not live.steady:
            if self._table is not None:
                self._table.unsteady()
            return events
        if self._table is None or self._table.board.id != live.located.board_id:
            self._table = _Table(live.located, self._known, self._expected, self._looks)
        return events + self._table.see(whole, live.located, seconds)

    def _rests(self, frame: Picture, seconds: float) -> bool:
        """Whether nothing moved since a frame after which nothing was left to do."""
        step = WATCHER.thumb
        few = frame[step // 4 :: step // 2, step // 4 :: step // 2]
        small = cv2.resize(few, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        thumb = cv2.blur(small, (3, 3)).astype(np.int16)
        last, table = self._thumb, self._table
        still = last is not None and last.shape == thumb.shape and int(np.abs(thumb - last).max()) < WATCHER.rest
        idle = table is not None and table.idle and seconds < table.due
        if idle and still and seconds - self._thumb_at < WATCHER.rest_most:
            return True
        self._thumb, self._thumb_at = thumb, seconds
        return False

    def _in_view(self, live: Live, seconds: float) -> list[Event]:
        """The view lost for some time, and found again."""
        if live.located is None:
            if self._unseen_since is None:
                self._unseen_since = seconds
            if not self._lost and self.start is not None and seconds - self._unseen_since >= WATCHER.lost:
                self._lost = True
                if self._table is not None:
                    self._table.stood = None
                return [Event(seconds, "lost")]
            return []
        self._unseen_since = None
        if self._lost and live.steady:
            self._lost = False
            return [Event(seconds, "found")]
        return []


class _Table:
    """A board that was found: what is known to lie there, and what looks different."""

    def __init__(self, located: Located, known: Mapping[str, str] | None, expected: Expected, looks: Looks) -> None:
        board = maps.load(located.board_id)
        self.board = tables.laid_out(board) if located.enrolled else board
        self.expected = expected
        self._looks = looks
        self._given = known is not None
        self.known: dict[str, str] = dict(known or {})
        self.start: dict[str, str] | None = None if known is None else dict(known)
        self.unsure: dict[str, str] = {}
        self.pending: dict[str, _Pending] = {}
        self.last: Glance | None = None
        self.idle = False
        self.stood: NDArray[np.float64] | None = None
        self._ground = Ground(self.board, bool(buildings_of(self.board, self._knowledge)))
        self._before: Picture | None = None
        self._looked: Picture | None = None
        # The board as each place looked when nothing lay there, and the places that were seen so.
        self._empty: Picture | None = None
        self._seen_empty: frozenset[str] = frozenset()
        # When each thing was told.
        self._told_at: dict[str, float] = {}
        self._first: list[Reading] = []
        self._reading: Reading | None = None
        self._calm_since: float | None = None
        # Places that seem covered and look as they did, with since when.
        self._bare: dict[str, float] = {}

    @property
    def due(self) -> float:
        """When the next look is due."""
        return min((p.due for p in self.pending.values()), default=np.inf)

    @property
    def _knowledge(self) -> Knowledge:
        game = self.expected
        routes = {place: color for place, color in self.known.items() if place in self.board.routes}
        return Knowledge(game.colors, game.players, routes, game.depots)

    def unsteady(self) -> None:
        """The view moves, or the board is out of sight."""
        self._ground.forget()
        self._calm_since, self.idle = None, False

    def correct(self, place: str, color: str | None) -> None:
        """What somebody says."""
        if color is None:
            self.known.pop(place, None)
        else:
            self.known[place] = color
        self.pending.pop(place, None)
        if self._before is not None and self.last is not None:
            self._before = self._ground.pasted(self._before, self.last, frozenset({place}))
            self._remember(self.last, frozenset({place}))

    def see(self, whole: Photo, located: Located, seconds: float) -> list[Event]:
        """A steady frame."""
        events = self._stands(located, seconds)
        glance = self.last = self._ground.glance(shrunk(whole, LIVE.side), located)
        if glance.restless:
            self._calm_since = None
        elif self._calm_since is None:
            self._calm_since = seconds
        calm = 0.0 if self._calm_since is None else seconds - self._calm_since
        if calm >= WATCHER.start_calm:
            self._ground.settle(glance)
        view = (shrunk(whole, WATCHER.side), located, self.board, self._knowledge)
        if self._before is None:
            self.idle = False
            self._read_first(view, glance, seconds, calm)
            return events
        return events + self._compare(view, glance, self._before, seconds)

    def _stands(self, located: Located, seconds: float) -> list[Event]:
        """A camera that stands clearly elsewhere; a knock is no event."""
        corners = np.array(located.corners)
        stood = self.stood
        if stood is None:
            self.stood = corners
            return []
        wide = float(np.linalg.norm(stood[1] - stood[0]))
        if np.linalg.norm(corners - stood, axis=1).max() < WATCHER.elsewhere * wide:
            return []
        self.stood = corners
        return [Event(seconds, "camera")] if self.start is not None else []

    def _read_first(
        self, view: tuple[Photo, Located, Board, Knowledge], glance: Glance, seconds: float, calm: float
    ) -> None:
        """What lies there when the view first settles."""
        if calm >= WATCHER.start_calm and not self._looks.busy:
            self._looks.ask(view, glance, seconds, frozenset())
        answered = self._looks.answer()
        if answered is None:
            return
        self._first.append(answered[0])
        if len(self._first) < WATCHER.start_looks:
            return
        self._reading, self._before = self._first[-1], answered[1].flat
        lying = {p: color for p in self._ground.ids if (color := self._mean(p)) is not None}
        self._empty = answered[1].flat
        self._seen_empty = frozenset(p for p in self._ground.ids if p not in {*lying, *self.known})
        if self.start is None:
            self.start, self.known = lying, dict(lying)
            self.unsure = self._doubts(answered[1])
            return
        # The game goes on: what has changed meanwhile is told like anything else.
        other = [p for p in self._ground.ids if lying.get(p) != self.known.get(p)]
        self.pending |= {p: _Pending(seconds, seconds) for p in other}

    def _mean(self, place: str) -> str | None:
        """What the first looks say together, and not the place's own print."""
        best, sure, taken = self._vote(place)
        route = self.board.routes.get(place)
        if route is None:
            return best if sure >= WATCHER.sure else None
        if route.color == best:
            return best if sure >= WATCHER.own_print else None
        # That something lies there may be surer than whose it is: then it is the likeliest one's, and is asked about.
        return best if taken >= WATCHER.likely else None

    def _vote(self, place: str) -> tuple[str | None, float, float]:
        """What most of the first looks see on a place, how sure they are of it together, and that it is taken."""
        votes: dict[str | None, float] = {}
        for reading in self._first:
            color, confidence, _ = _seen(reading, place)
            votes[color] = votes.get(color, 0.0) + confidence
        best, looks = max(votes, key=lambda c: votes[c]), len(self._first)
        return best, votes[best] / looks, sum(v for c, v in votes.items() if c is not None) / looks

    def _doubts(self, glance: Glance) -> dict[str, str]:
        """Routes in sight of which the first looks are not sure, with the colour that they may have."""
        found = {}
        for place, route in self.board.routes.items():
            color, sure, taken = self._vote(place)
            if color is None or place not in glance.sight - glance.covered:
                continue
            own = color == route.color and WATCHER.likely <= sure < WATCHER.own_print
            other = color != route.color and taken >= WATCHER.perhaps and sure < WATCHER.sure
            if own or other:
                found[place] = color
        return found

    def _compare(
        self, view: tuple[Photo, Located, Board, Knowledge], glance: Glance, before: Picture, seconds: float
    ) -> list[Event]:
        """Notes the places that look different, looks at those that are due, and tells what is clear."""
        change = self._ground.change(glance, before)
        stuck = frozenset(p for p, w in self.pending.items() if w.due == np.inf and w.seen)
        since = self._ground.change(glance, self._looked) if stuck and self._looked is not None else {}
        bounds = self._ground.bounds
        again = frozenset(p for p in stuck if (since[p] > bounds[p]).any())
        for place, spots in change.items():
            differs = bool((spots > bounds[place]).any()) and place in glance.sight
            self._wait(place, differs, place in again, glance, seconds)
        self._uncover(glance, change, bounds, seconds)
        if not glance.restless and not glance.hidden.any():
            self._ground.learn(change, glance.sight - self.pending.keys())
        if not self._looks.busy:
            due = frozenset(p for p, w in self.pending.items() if w.due <= seconds and p not in glance.restless)
            if due:
                self._looks.ask(view, glance, seconds, due)
        answered = self._looks.answer()
        self.idle = not glance.restless and not self._looks.busy
        if answered is None:
            return []
        reading, seen, at, places = answered
        self._reading = reading
        self._looked = self._ground.pasted(before if self._looked is None else self._looked, seen, places)
        for place in (places & self.pending.keys()) - set(reading.covered):
            self._note(place, reading, change[place], at)
        return self._told(seen, before, change, seconds)

    def _uncover(self, glance: Glance, change: Change, bounds: Change, seconds: float) -> None:
        """Where the print around a place seems hidden and the place itself is as it was, nothing lies over it."""
        bare = {p for p in glance.covered - glance.restless if not (change[p] > bounds[p]).any()}
        self._bare = {p: self._bare.get(p, seconds) for p in bare}
        shown = frozenset(p for p, since in self._bare.items() if seconds - since >= WATCHER.uncovered)
        if shown:
            self._ground.accept(glance, shown)

    def _wait(self, place: str, differs: bool, again: bool, glance: Glance, seconds: float) -> None:
        """Whether a place waits to be looked at, and since when."""
        waiting, hidden = self.pending.get(place), place in glance.near
        if waiting is None:
            if differs and place not in glance.restless:
                self.pending[place] = self._begun(place, seconds, hidden)
        elif waiting.hidden and not hidden and self._laid_in_sight(place, waiting) and place not in glance.restless:
            # What seemed to hide the print around it was no hand, or went without touching it: the looks count.
            waiting.hidden, waiting.due = False, min(waiting.due, seconds)
        elif place in glance.restless or waiting.hidden != hidden or again:
            # A hand is or was there: what it leaves is looked at anew.
            self.pending[place] = self._begun(place, seconds, hidden)
        elif not differs and not self._doubted(place, waiting):
            del self.pending[place]

    def _begun(self, place: str, seconds: float, hidden: bool) -> _Pending:
        """A place that looks different from now on. Under a hand nothing is gone: there is nothing to look for."""
        if not hidden:
            return _Pending(seconds, seconds + WATCHER.calm)
        return _Pending(seconds, np.inf if place in self.known else seconds + WATCHER.covered, hidden=True)

    def _laid_in_sight(self, place: str, waiting: _Pending) -> bool:
        """Whether the looks saw something new there, whole and surely, although the print around it seemed hidden."""
        return place not in self.known and waiting.color is not None and bool(waiting.seen) and waiting.sure

    def _doubted(self, place: str, waiting: _Pending) -> bool:
        """A place that differs from what was handed in, not from what was seen before."""
        return self._given and (not waiting.seen or waiting.color != self.known.get(place))

    def _note(self, place: str, reading: Reading, change: NDArray[np.float64], at: float) -> None:
        color, confidence, whole = _seen(reading, place)
        self.pending[place].almost = self._almost(place, reading, change)
        if color is not None and place not in self.known and not self._given:
            # Every wagon that is laid changes its space.
            whole = whole and float(change.min()) >= GROUND.untouched
        self.pending[place].add(color, confidence, whole, at)

    def _almost(self, place: str, reading: Reading, change: NDArray[np.float64]) -> bool:
        """Whether all but one of a route's spaces are laid in one colour."""
        route = reading.routes.get(place)
        if route is None or route.color is None or len(route.spaces) < WATCHER.almost_spaces:
            return False
        laid = np.array([space == route.color for space in route.spaces]) & (change >= GROUND.untouched)
        return bool((~laid).sum() <= 1)

    def _told(self, glance: Glance, before: Picture, change: Change, seconds: float) -> list[Event]:
        """The pending places that are clear now, as events; what turned out to be nothing new is forgotten."""
        looked = {p: w for p, w in self.pending.items() if w.seen}
        new = sum(w.color is not None and w.color != self.known.get(p) for p, w in looked.items())
        as_known = {p: w for p, w in looked.items() if w.color == self.known.get(p)}
        explained = [p for p, w in as_known.items() if self._as_it_was(p, w, seconds)]
        bare = self._bare_again(looked, glance)
        ready = {p: w for p, w in looked.items() if p not in as_known and self._clear(p, w, seconds, new, change, bare)}
        for place, waiting in ((p, w) for p, w in looked.items() if p not in ready):
            if (own := self._own_color(place, waiting, change, seconds)) is not None:
                ready[place] = replace(waiting, color=own, seen=[WATCHER.likely])
        events = self._events(self._one_of_a_group(ready, change), seconds)
        told = frozenset(p for e in events for p in (e.place, e.origin) if p)
        done = told | frozenset({*explained, *self._beside(told, change)})
        for place in done:
            self.pending.pop(place, None)
        if done:
            self._before = self._ground.pasted(before, glance, done)
            self._ground.accept(glance, done)
            self._remember(glance, done)
        return events

    def _remember(self, glance: Glance, places: frozenset[str]) -> None:
        """How those of these places look on which nothing lies."""
        empty = frozenset(p for p in places if p not in self.known)
        if empty and self._empty is not None:
            self._empty = self._ground.pasted(self._empty, glance, empty)
            self._seen_empty |= empty

    def _bare_again(self, looked: Mapping[str, _Pending], glance: Glance) -> frozenset[str]:
        """Places on which something lay, and which look as they did before it was laid."""
        asked = [p for p, w in looked.items() if w.color is None and p in self.known and p in self._seen_empty]
        if not asked or self._empty is None:
            return frozenset()
        since, bounds = self._ground.change(glance, self._empty), self._ground.bounds
        return frozenset(p for p in asked if not (since[p] > bounds[p]).any())

    def _as_it_was(self, place: str, waiting: _Pending, seconds: float) -> bool:
        """Whether the looks explain a change: what is known still lies there. Empty print has to be seen for long, so
        that the first wagons of a route, taken for print of their colour, do not become what is known."""
        if not waiting.whole:
            return False
        if place in self.known or place not in self.board.routes:
            return waiting.held(seconds, WATCHER.likely, WATCHER.sure_looks, 0)
        sure = WATCHER.likely if self._shaded(place, waiting) else WATCHER.sure
        return waiting.held(seconds, sure, WATCHER.bare_looks, WATCHER.bare_hold)

    def _own_color(self, place: str, waiting: _Pending, change: Change, seconds: float) -> str | None:
        """The colour of a track on which every space has changed for good while the looks, not quite sure, see empty
        print: wagons of just that colour. Not where the looks see wagons on a track beside it that were never told:
        those lean over it; nor close to what was laid at the same time: one claim a turn is usual."""
        route, game = self.board.routes.get(place), self.expected
        if route is None or place in self.known or waiting.hidden or route.color not in self.board.wagon_colors:
            return None
        looked = {} if self._reading is None else self._reading.routes
        if any(t not in self.known and t in looked and looked[t].color is not None for t in self._twins(place)):
            return None
        if game.colors is not None and route.color not in game.colors:
            return None
        if (place, route.color) in game.unlikely or not self._may_lie(place, route.color):
            return None
        if self._shaded(place, waiting):
            return None
        changed = bool((change[place] > self._ground.bounds[place]).all())
        bare = [sure if color is None else 1 - sure for color, sure in waiting.every]
        wavers = all(color in (None, route.color) for color, _ in waiting.every)
        held = len(bare) >= WATCHER.unlikely_looks and seconds - waiting.begun >= WATCHER.unlikely_hold
        doubted = held and wavers and float(np.mean(bare)) < WATCHER.bare
        return route.color if changed and doubted and not self._outshone(place, 0.0, change) else None

    def _shaded(self, place: str, waiting: _Pending) -> bool:
        """Whether something was told close by since a place looks different: its shadow or shine may be the reason."""
        return any(at >= waiting.begun and self._ground.close(place, p) for p, at in self._told_at.items())

    def _beside(self, told: frozenset[str], change: Change) -> list[str]:
        """Places that look different only because of what was just told: its wagons lean over them."""
        if not told:
            return []
        found = []
        for place, under in self._ground.beside(told).items():
            differs = change[place] > GROUND.untouched
            if place in told or not differs.any() or (differs & ~under).any():
                continue
            waiting = self.pending.get(place)
            if waiting is None or (waiting.seen and not (waiting.sure and self._may_lie(place, waiting.color))):
                found.append(place)
        return found

    def _outshone(self, place: str, mine: float, change: Change) -> bool:
        """Whether what looks different here may be wagons of a place beside it, where they are seen better."""
        differs = change[place] > self._ground.bounds[place]
        rivals = [
            p for p, w in self.pending.items()
            if p != place and w.seen and w.color is not None and p not in self.known and w.strength(change[p]) > mine
        ]  # fmt: skip
        return any(not (differs & ~self._ground.beside(frozenset({p}))[place]).any() for p in rivals)

    def _twins(self, place: str) -> list[str]:
        """The other tracks of a route's group: nobody holds two of one."""
        route = self.board.routes.get(place)
        return [] if route is None else [t.id for t in self.board.groups[route.group] if t.id != place]

    def _may_lie(self, place: str, color: str | None) -> bool:
        return color is None or all(self.known.get(t) != color for t in self._twins(place))

    def _one_of_a_group(self, ready: Mapping[str, _Pending], change: Change) -> dict[str, _Pending]:
        """Where one colour seems to lie on several tracks of a group at once, the track on which it is seen best."""
        best: dict[str, _Pending] = {}
        for place in sorted(ready, key=lambda p: -ready[p].strength(change[p])):
            color = ready[place].color
            if color is None or all(t not in best or best[t].color != color for t in self._twins(place)):
                best[place] = ready[place]
        return {place: w for place, w in ready.items() if place in best}

    def _clear(
        self, place: str, waiting: _Pending, seconds: float, new: int, change: Change, bare: Collection[str]
    ) -> bool:
        """Whether what was seen on a place has been seen surely and long enough. `bare`: it looks so, too."""
        known, color = self.known.get(place), waiting.color
        if not waiting.whole:
            return known is None and color is not None and self._all_but_one(place, waiting, color, seconds, change)
        if waiting.hidden:
            # A hand that keeps still, or a shadow taken for one: nothing is gone there, and what is laid is told when
            # the looks see it for long, and nothing over it.
            laid = color is not None and known is None
            return laid and waiting.held(seconds, WATCHER.hidden, WATCHER.hidden_looks, WATCHER.hidden_hold)
        if color is None:
            # A look still expects what was known; print that looks as it did before is bare.
            sure = WATCHER.likely if place in bare else WATCHER.sure
            return waiting.held(seconds, sure, WATCHER.gone_looks, WATCHER.gone_hold)
        if known is not None:
            return waiting.held(seconds, WATCHER.unlikely, WATCHER.other_looks, WATCHER.other_hold)
        game = self.expected
        strange = game.colors is not None and color.removeprefix(DEPOT) not in game.colors
        refused = (place, color) in game.unlikely or not self._may_lie(place, color)
        if strange or refused or new > WATCHER.at_once:
            return waiting.held(seconds, WATCHER.unlikely, WATCHER.unlikely_looks, WATCHER.unlikely_hold)
        route = self.board.routes.get(place)
        if route is not None and route.color == color:
            # Empty print is taken for wagons of its own colour.
            return waiting.held(seconds, WATCHER.own_claim, WATCHER.sure_looks, WATCHER.sure_hold)
        if waiting.held(seconds, WATCHER.sure, WATCHER.sure_looks, WATCHER.sure_hold):
            return True
        likely = waiting.held(seconds, WATCHER.likely, WATCHER.likely_looks, WATCHER.likely_hold)
        return likely and not self._outshone(place, waiting.strength(change[place]), change)

    def _all_but_one(self, place: str, waiting: _Pending, color: str, seconds: float, change: Change) -> bool:
        """A route of which one space does not look laid, calm for so long that nobody is still laying it."""
        game, route = self.expected, self.board.routes.get(place)
        strange = game.colors is not None and color not in game.colors
        if not waiting.almost or waiting.hidden or strange or route is None or route.color == color:
            return False
        if (place, color) in game.unlikely or not self._may_lie(place, color):
            return False
        held = waiting.held(seconds, WATCHER.sure, WATCHER.almost_looks, WATCHER.almost_hold)
        return held and not self._outshone(place, waiting.strength(change[place]), change)

    def _events(self, ready: Mapping[str, _Pending], seconds: float) -> list[Event]:
        events: list[Event] = []
        emptied = [p for p, w in ready.items() if w.color is None]
        for place, waiting in ready.items():
            color, sure = waiting.color, float(np.mean(waiting.seen))
            if color is None:
                continue
            origin = next((p for p in emptied if self._same_wagons(p, place, color)), "")
            bare = [p for p, w in self.pending.items() if w.seen and w.color is None]
            leaving = any(self._same_wagons(p, place, color) for p in bare)
            if leaving and not origin:
                # The same wagons seem to be gone elsewhere: when that is sure, they have moved.
                continue
            if place in self.known:
                events.append(Event(seconds, "gone", place, self.known.pop(place), sure))
            if origin:
                emptied.remove(origin)
                del self.known[origin]
            kind: Kind = "moved" if origin else "claim" if place in self.board.routes else "station"
            self.known[place], self._told_at[place] = color, seconds
            events.append(Event(seconds, kind, place, color, sure, origin))
        gone = [Event(seconds, "gone", p, self.known.pop(p), float(np.mean(ready[p].seen))) for p in emptied]
        return events + gone

    def _same_wagons(self, origin: str, place: str, color: str) -> bool:
        """Whether what lies on a place can be what lay on another."""
        routes = self.board.routes
        if self.known.get(origin) != color or origin == place or (origin in routes) != (place in routes):
            return False
        return place not in routes or routes[origin].length == routes[place].length

    def as_known(self, corners: tuple[Corner, ...]) -> Reading | None:
        """The last look, with what is known where it says otherwise."""
        last = self._reading
        if last is None:
            return None
        routes, doubtful = dict(last.routes), {*last.doubtful, *self.pending}
        for route, seen in last.routes.items():
            color = self.known.get(route)
            if seen.color != color:
                routes[route] = RouteReading(color, WATCHER.likely, (color,) * len(seen.spaces))
                doubtful.add(route)
        built = {p: color for p, color in self.known.items() if p not in routes}
        doubtful |= {p for p in {*built, *last.buildings} if built.get(p) != last.buildings.get(p)}
        stations, depots = (
            {
                place: found.get(place) or StationReading(color.removeprefix(DEPOT), WATCHER.likely)
                for place, color in built.items()
                if color.startswith(DEPOT) == depot
            }
            for depot, found in ((False, last.stations), (True, last.depots))
        )
        order = tuple(p for p in (*self.board.routes, *self.board.cities) if p in doubtful)
        return replace(
            last, corners=corners or last.corners, routes=routes, stations=stations, depots=depots, doubtful=order
        )


def _seen(reading: Reading, place: str) -> tuple[str | None, float, bool]:
    """What a look says of a place, how sure, and whether all of it is so."""
    route = reading.routes.get(place)
    if route is not None:
        return route.color, route.confidence, all(s == route.color for s in route.spaces)
    color = reading.buildings.get(place)
    if color is None:
        return None, 0.5 if place in reading.doubtful else 0.95, True
    station = reading.stations.get(place) or reading.depots[place]
    return color, station.confidence, True

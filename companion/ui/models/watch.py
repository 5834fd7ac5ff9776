"""The table being watched: frames in, the game goes on by itself; what is said aloud, shown large, and put right."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import TYPE_CHECKING

from companion import words
from companion.rules import Keep, Position, longest_trail, turned_cards
from companion.table.game import Game
from companion.table.watched import Told, Watched, lying
from companion.ui.desk import Desk
from companion.ui.layers import Pieces
from companion.ui.models.rules import Quoted, quoted
from companion.ui.models.table import pieces_of, points_so_far
from companion.ui.services import Showing, Watching
from companion.words.names import pile
from maps import GRAY, LOCOMOTIVE, Board, Route
from vision.event import Event, Expected
from vision.reading import DEPOT

if TYPE_CHECKING:
    from companion.ui.services import Picture
    from vision.reading import Corner

# Seconds after which nobody shows the cards of a tunnel any more.
_OPEN = 90.0
# So many things gone within so many seconds: the board is being cleared. After the last round was called the game seems
# to be over when nothing was laid for so long.
_SWEPT, _SWEEP = 4, 60.0
_QUIET = 240.0
# Pixels of the board's longer side in the frame: with fewer a space has less than 12, and claims were told late.
_FAR = 640.0


@dataclass(frozen=True)
class Glimpse:
    """What one frame gave: the outline of the board, whether the view is steady, and what happened."""

    corners: tuple[Corner, ...]
    steady: bool
    started: bool
    events: tuple[Event, ...] = ()
    cards: tuple[str, ...] = ()

    @property
    def far(self) -> bool:
        """Whether the board is so small in the picture that its spaces are hard to tell."""
        if not self.steady or len(self.corners) != 4:
            return False
        a, b, c, d = self.corners
        return max(dist(a, b) + dist(d, c), dist(a, d) + dist(b, c)) / 2 < _FAR


@dataclass(frozen=True)
class Standing:
    """One player: points so far, wagons left, and the longest path as it lies."""

    name: str
    color: str
    points: int
    left: int
    path: int


class WatchModel:
    """A game that a camera keeps. It outlives its screen: a turned phone goes on where it was."""

    def __init__(self, desk: Desk, game: Game, now: Callable[[], float] = time.monotonic) -> None:
        self.desk, self.game = desk, game
        self.watched = Watched(game)
        self.told: list[Told] = []
        self.notice = ""
        self.locked = False
        self.choosing: Told | None = None
        # What lay there at the start and was not seen for sure.
        self.unsure: list[Told] = []
        # Cards turned up for the newest tunnel, and those that are being told by hand instead.
        self.turned: tuple[str, ...] = ()
        self.telling: list[str] | None = None
        self._open: Told | None = None
        self._open_until = 0.0
        self._shown: tuple[Told, Showing] | None = None
        # Why the game seems to be over, empty while it goes on; and what was cleared off the board since.
        self.ending = ""
        # The camera should stand nearer.
        self.far = False
        self._gone: list[tuple[float, Told]] = []
        self._plays_on: set[str] = set()
        self._now = now
        self._heard = now()
        self._watching: Watching | None = None
        self._begun = bool(game.entries)
        if game.position.keeping != "watched":
            game.do(Keep(game.position.players[0].name, "watched"), accept=True)

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def board(self) -> Board:
        return self.position.board

    @property
    def latest(self) -> Told | None:
        """What happened last and still stands."""
        return next(iter(self._standing), None)

    @property
    def _standing(self) -> list[Told]:
        """What happened and was not taken back, newest first. Of what is gone the entry is struck."""
        entries = {e.id for e in self.game.entries}
        return [t for t in reversed(self.told) if not t.entry or (t.entry in entries) != (t.event.kind == "gone")]

    @property
    def standings(self) -> list[Standing]:
        position = self.position
        return [
            Standing(
                p.name, p.color, points_so_far(position, p), position.wagons_left(p),
                longest_trail(position.tracks(p)).length,
            )
            for p in position.players
        ]  # fmt: skip

    def pieces(self) -> Pieces:
        """What lies there; the newest piece shines."""
        pieces = pieces_of(self.position)
        latest = self.latest
        shines = latest is not None and latest.event.place
        return replace(pieces, highlight=(latest.event.place,)) if latest is not None and shines else pieces

    def look(self, frame: Picture, /) -> Glimpse:
        """One frame, beside the screen."""
        if self._watching is None:
            known = lying(self.position) if self._begun else None
            self._watching = self.desk.watches(self.board.id, known, self.watched.expected)
        now = self._now()
        events = self._watching.update(frame, now)
        started = self._watching.start is not None
        cards = self._cards(frame, now)
        return Glimpse(self._watching.corners, self._watching.state == "steady", started, tuple(events), cards)

    @property
    def tunnel(self) -> Route | None:
        """The tunnel that is open: it was just laid, and its cards may be shown."""
        told, latest = self._open, self.latest
        if told is None or latest is None or latest.event is not told.event or self._now() > self._open_until:
            return None
        return self.board.routes[told.event.place]

    def _cards(self, frame: Picture, now: float) -> tuple[str, ...]:
        """What somebody shows while a tunnel is open."""
        told, route = self._open, self.tunnel
        if told is None or route is None:
            self._shown = None
            return ()
        if self._shown is None or self._shown[0] is not told:
            self._shown = told, self.desk.shows(frame, route.tunnel_draw, self.board.cards.colors)
        return self._shown[1].look(frame, now)

    def hear(self, glimpse: Glimpse) -> bool:
        """Takes over what a frame gave, on the screen's own thread; whether there is anything new to show."""
        news = False
        if glimpse.started and not self.locked:
            self.locked = news = True
            if not self._begun and self._watching is not None:
                self.watched.begin(self._watching.start or {})
                self.unsure = [self.watched.perhaps(p, color) for p, color in self._watching.unsure.items()]
                self._begun = True
                self._expect()
        for event in glimpse.events:
            for told in self.watched.take(event):
                self.told.append(told)
                self.speak(self.sentence(told))
                self._opens(told)
                self._clears(told)
            self._heard = self._now()
            self._expect()
            news = True
        if glimpse.cards and self.tunnel is not None:
            self.turn_up(glimpse.cards)
            news = True
        if glimpse.steady and glimpse.far != self.far:
            self.far, news = glimpse.far, True
        return self._ends() or news

    def _clears(self, told: Told) -> None:
        """Whether the board is being cleared: then this is not the game."""
        now = self._now()
        self._gone = [(at, t) for at, t in self._gone if now - at < _SWEEP]
        if told.kind == "gone" and told.entry:
            self._gone.append((now, told))

    def _ends(self) -> bool:
        """Notices by itself that the game is over; whether it has just done so."""
        why = self._over()
        if why == self.ending or why in self._plays_on:
            return False
        self.ending = why
        if why:
            self.speak(self.desk.say("watch.ending"))
        return True

    def _over(self) -> str:
        if self.ending == "cleared" or len(self._gone) >= _SWEPT:
            return "cleared"
        position = self.position
        if not any(position.wagons_left(p) <= position.variant.end_trigger for p in position.players):
            return ""
        called = [n for n, told in enumerate(self.told) if told.last_round]
        since = self.told[called[-1] + 1 :] if called else []
        laid = {told.player for told in since if told.kind in ("claim", "station")}
        if called and {m for p in position.players for m in p.members or (p.name,)} <= laid:
            return "all"
        return "quiet" if self.ending == "quiet" or self._now() - self._heard >= _QUIET else ""

    def play_on(self) -> None:
        """It is not over: nobody asks for that reason again."""
        self._plays_on.add(self.ending)
        self.ending = ""
        self._gone = []

    def as_it_lay(self) -> None:
        """What was cleared off the board lies there again: the board before that is the final one."""
        for _, told in self._gone if self.ending == "cleared" else ():
            self._back(told.event.place, told.event.color)
        self._gone = []

    def _expect(self) -> None:
        if self._watching is not None:
            self._watching.expect(self.watched.expected)

    def sentence(self, told: Told) -> str:
        return words.event_text(self.board, told, self.desk.language)

    def rules(self, told: Told) -> tuple[Quoted, ...]:
        """What the referee has against it."""
        return quoted(self.desk, self.position, told.verdict)

    def speak(self, text: str) -> None:
        """Aloud, if anybody wants that."""
        if self.desk.settings.watch_voice:
            self.desk.voice.say(text.replace(" – ", ", ").replace(" × ", " "), self.desk.language)

    def _opens(self, told: Told) -> None:
        """A tunnel that was laid is open for a while."""
        route = self.board.routes.get(told.event.place)
        if told.kind == "claim" and route is not None and route.kind == "tunnel":
            self._open, self._open_until = told, self._now() + _OPEN
            self.turned, self.telling = (), None

    def turn_up(self, cards: Sequence[str]) -> None:
        """These cards were turned up for the newest tunnel."""
        self.turned, self.telling = tuple(cards), None
        self.speak(self.asked())

    def asked(self) -> str:
        """What was turned up, and what it asks for; on a grey route, for each colour that may have been paid with."""
        wild, route = self.board.cards.wild, self.tunnel
        text = self.desk.say("watch.turned", cards=pile(Counter(self.turned), self.desk.language, wild))
        if route is None:
            return text
        due = {c: sum(t.counts for t in turned_cards(c, self.turned)) for c in {*self.turned} - {LOCOMOTIVE}}
        least = sum(t.counts for t in turned_cards(None, self.turned))
        if route.color != GRAY:
            return f"{text} {self.desk.say('watch.tunnel-due', n=due.get(route.color, least))}"
        paid = [self.desk.say("watch.tunnel-paid", n=n, color=self.desk.word(c).lower()) for c, n in due.items()]
        other = self.desk.say("watch.tunnel-other" if paid else "watch.tunnel-due", n=least)
        return " ".join([text, *sorted(paid), other])

    def tell_cards(self) -> None:
        """What was read is wrong: the cards are told by hand, one tap each."""
        self.telling = []

    def tell_card(self, color: str) -> None:
        """One more of them."""
        if self.telling is None or self.tunnel is None:
            self.telling = None
            return
        self.telling.append(color)
        if len(self.telling) >= self.tunnel.tunnel_draw:
            self.turn_up(self.telling)

    @property
    def older(self) -> list[Told]:
        """What happened before the newest, newest first."""
        return self._standing[1:]

    def choices(self) -> list[str]:
        """Who else may have laid it."""
        told = self.choosing
        # What is not in the record may well be what it seems to be.
        sure = told is not None and bool(told.entry)
        return [p.color for p in self.position.players if told and not (sure and p.color == told.event.color)]

    def tracks(self) -> list[str]:
        """On which free track of the same pair it may lie instead."""
        route = None if self.choosing is None else self.board.routes.get(self.choosing.event.place)
        group = () if route is None else self.board.groups[route.group]
        return [t.id for t in group if t.id not in self.position.owners]

    def put_right(self, color: str | None, place: str = "") -> None:
        """What was told wrong is put right: another player's, on another place, or nothing at all."""
        told, self.choosing = self.choosing, None
        if told is None:
            return
        before = lying(self.position)
        if told in self.unsure:
            self.unsure.remove(told)
            self._at_the_start(told, color, place)
            self._correct(before)
            return
        at, again = self.told.index(told), None
        if told.event.kind == "gone":
            self._back(told.event.place, told.event.color)
        else:
            again = self.watched.corrected(told.entry, place or told.event.place, color)
        self.told[at : at + 1] = [] if again is None else [again]
        self._correct(before)

    def _at_the_start(self, told: Told, color: str | None, place: str) -> None:
        """What really lay there: somebody has looked."""
        if told.entry:
            self.watched.corrected(told.entry, place or told.event.place, color)
        elif color is not None:
            self._back(place or told.event.place, color)

    def _back(self, place: str, color: str) -> None:
        """It was never gone."""
        if place not in lying(self.position):
            self.watched.take(Event(0.0, "claim" if place in self.board.routes else "station", place, color))

    def _correct(self, before: Mapping[str, str]) -> None:
        """The camera hears what is known instead."""
        after = lying(self.position)
        for place in {*before, *after}:
            if self._watching is not None and before.get(place) != after.get(place):
                self._watching.correct(place, after.get(place))
        self._expect()

    def undo(self) -> None:
        """One event back."""
        before = lying(self.position)
        if self.game.undo():
            self._correct(before)

    def stop(self) -> None:
        """Nobody watches any more; what is known is in the game."""
        self.desk.hush()
        if self._watching is not None:
            self._watching.close()
            self._watching = None
        self.locked = False


@dataclass(frozen=True)
class Lay:
    """A place in a game that is laid out again: done, missing, or wrong, and then what colour `lies` there."""

    place: str
    color: str
    state: str
    lies: str = ""


class RebuildModel:
    """A game that was packed away: what goes where, colour by colour, and what the camera still misses."""

    def __init__(self, desk: Desk, game: Game, now: Callable[[], float] = time.monotonic) -> None:
        self.desk, self.game = desk, game
        self.wanted = lying(game.position)
        self.seen: dict[str, str] = {}
        self.locked = False
        self._now = now
        self._watching: Watching | None = None

    @property
    def board(self) -> Board:
        return self.game.position.board

    def look(self, frame: Picture, /) -> Glimpse:
        if self._watching is None:
            colors = [p.color for p in self.game.position.players]
            self._watching = self.desk.watches(self.board.id, None, Expected(colors))
        self._watching.update(frame, self._now())
        started = self._watching.start is not None
        return Glimpse(self._watching.corners, self._watching.state == "steady", started)

    def hear(self, glimpse: Glimpse) -> bool:
        if self._watching is None or not glimpse.started:
            return False
        known = self._watching.known
        news = not self.locked or known != self.seen
        self.locked, self.seen = True, known
        return news

    def of(self, color: str) -> list[Lay]:
        """What one colour has, missing pieces first."""
        mine = [p for p, c in self.wanted.items() if c.removeprefix(DEPOT) == color]
        found = [Lay(p, self.wanted[p], self._state(p), self._instead(p)) for p in mine]
        return sorted(found, key=lambda lay: lay.state == "done")

    def _instead(self, place: str) -> str:
        seen = self.seen.get(place, "")
        return "" if seen == self.wanted[place] else seen.removeprefix(DEPOT)

    def _state(self, place: str) -> str:
        seen = self.seen.get(place)
        if seen is None:
            return "missing"
        return "done" if seen == self.wanted[place] else "wrong"

    @property
    def too_much(self) -> list[str]:
        """What lies there and does not belong to the game."""
        return [p for p in self.seen if p not in self.wanted]

    @property
    def done(self) -> bool:
        return self.locked and self.seen == self.wanted

    @property
    def next(self) -> str:
        """The colour that is laid out now: the first of which something is missing."""
        colors = [p.color for p in self.game.position.players]
        return next((c for c in colors if any(lay.state != "done" for lay in self.of(c))), "")

    def pieces(self) -> Pieces:
        """Where everything goes; what is missing of one colour shines."""
        shines = tuple(lay.place for lay in self.of(self.next) if lay.state != "done")
        return replace(pieces_of(self.game.position), highlight=shines)

    def stop(self) -> None:
        if self._watching is not None:
            self._watching.close()
            self._watching = None

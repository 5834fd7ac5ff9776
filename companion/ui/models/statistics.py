"""What the games add up to, in the words and bars that the screens show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from companion.lang import catalogue
from companion.table.history import PastGame
from companion.table.statistics import PlayerStats, Share, person, statistics
from companion.ui.desk import Desk, capital
from companion.ui.models.new_game import boards
from companion.ui.models.sheet import number
from companion.words.dates import day
from maps import load

# More curves than this nobody can follow.
_MOST_CURVES = 6
# Of long lists the first tell enough.
_MOST_RIVALS, _MOST_BOARDS = 8, 10


@dataclass(frozen=True)
class BarRow:
    """A bar with its words: `share` of the whole width, `told` at its end, `more` in small below its name.

    `color`: a wagon's colour, empty for none. `open`: the player whose page it leads to.
    """

    name: str
    share: float
    told: str
    more: str = ""
    color: str = ""
    open: str = ""


@dataclass(frozen=True)
class Slice:
    """A part of a whole: points of one line of the sheets."""

    name: str
    share: float
    told: str
    tint: int


@dataclass(frozen=True)
class Against:
    """Two players: how often the one was ahead, level and behind, as numbers and as shares of all."""

    name: str
    ahead: int
    level: int
    behind: int
    told: str


@dataclass(frozen=True)
class Curve:
    """A player's points over games, oldest first."""

    name: str
    color: str
    points: tuple[float, ...]


@dataclass(frozen=True)
class Fact:
    """A number that stands alone, and what it counts."""

    number: str
    what: str


class StatisticsModel:
    """All games, or those of one board. `games` newest first, as the history gives them."""

    def __init__(self, desk: Desk, games: Sequence[PastGame], board: str | None = None) -> None:
        self.desk, self.games, self.board = desk, games, board

    @cached_property
    def players(self) -> list[PlayerStats]:
        return statistics(self.games, self.board)

    @property
    def shown(self) -> list[PastGame]:
        return [g for g in self.games if self.board in (None, g.board)]

    @property
    def boards(self) -> list[str]:
        """The boards that were played and are known, the newest first."""
        known = {board.id for board in boards()}
        return list(dict.fromkeys(g.board for g in self.games if g.board in known))

    def board_name(self, board: str) -> str:
        known = {b.id for b in boards()}
        return load(board).name(self.desk.language) if board in known else board

    def decimal(self, value: float) -> str:
        """One digit after the point, or comma, and a real minus."""
        told = f"{value:.1f}".replace("-", "−")
        return told.replace(".", ",") if self.desk.language == "fr" else told

    def percent(self, share: float) -> str:
        return self.desk.say("stats.percent", n=round(100 * share))

    def day(self, kept: str, clock: bool = False) -> str:
        return capital(day(kept, self.desk.language, self.desk.clock().date(), clock))

    @property
    def wins(self) -> list[BarRow]:
        """Everybody, by games won: the bar is the share of their games."""
        return [
            BarRow(
                s.name,
                s.wins / len(s.games),
                self.percent(s.wins / len(s.games)),
                self.desk.say("stats.won-of", wins=s.wins, games=len(s.games))
                + " · "
                + self.desk.say("stats.average-best", average=self.decimal(s.average), best=number(s.best)),
                s.color,
                s.name,
            )
            for s in self.players
        ]

    @property
    def curves(self) -> list[Curve]:
        """The trends of those who played most; a curve needs two games."""
        often = sorted(self.players, key=lambda s: -len(s.games))[:_MOST_CURVES]
        return [Curve(s.name, s.color, s.trend) for s in often if len(s.games) > 1]

    @property
    def averages(self) -> list[BarRow]:
        """What is made on each board on average, by whoever wins there and by everybody."""
        rows: dict[str, list[int]] = {}
        for game in self.shown:
            rows.setdefault(game.board, []).extend(p.total for p in game.players)
        means = {board: sum(t) / len(t) for board, t in rows.items() if t}
        most = max((m for m in means.values()), default=0.0)
        ordered = sorted(means, key=lambda b: -means[b])[:_MOST_BOARDS]
        return [_bar(self.board_name(b), means[b], most, self.decimal(means[b])) for b in ordered]

    def player(self, name: str) -> PlayerModel | None:
        found = next((s for s in self.players if person(s.name) == person(name)), None)
        return None if found is None else PlayerModel(self, found)


class PlayerModel:
    """One player's page."""

    def __init__(self, every: StatisticsModel, stats: PlayerStats) -> None:
        self.every, self.stats, self.desk = every, stats, every.desk

    @property
    def facts(self) -> list[Fact]:
        say, s = self.desk.say, self.stats
        facts = [
            Fact(str(len(s.games)), say("stats.games", n=len(s.games))),
            Fact(str(s.wins), say("stats.wins", n=s.wins)),
            Fact(self.every.decimal(s.average), say("stats.average")),
            Fact(number(s.best), say("stats.best")),
        ]
        if s.longest_streak > 1:
            facts.append(Fact(str(s.longest_streak), say("stats.streak", n=s.longest_streak)))
        if s.streak > 1:
            facts.append(Fact(str(s.streak), say("stats.streak-now", n=s.streak)))
        return facts

    @property
    def since(self) -> str:
        """The first and the last game."""
        first, last = self.stats.games[0], self.stats.games[-1]
        if first.date[:10] == last.date[:10]:
            return self.every.day(last.date)
        days = [day(g.date, self.desk.language) for g in (first, last)]
        return self.desk.say("stats.since", first=days[0], last=days[1])

    @property
    def curve(self) -> Curve | None:
        """Every game of theirs, None where there is only one."""
        s = self.stats
        return Curve(s.name, s.color, tuple(float(t) for t in s.totals)) if len(s.games) > 1 else None

    @property
    def range(self) -> str:
        """The least and the most points of a game."""
        return self.desk.say("stats.range", least=number(self.stats.worst), most=number(self.stats.best))

    @property
    def boards(self) -> list[BarRow]:
        return self._bars(self.stats.boards[:_MOST_BOARDS], [self.every.board_name(b.what) for b in self.stats.boards])

    @property
    def colors(self) -> list[BarRow]:
        found = self.stats.colors
        return self._bars(found, [self.desk.word(c.what) for c in found], [c.what for c in found])

    @property
    def seats(self) -> list[BarRow]:
        found = self.stats.seats
        return self._bars(found, [self.desk.say(f"stats.seat-{min(int(s.what), 5)}") for s in found])

    def _bars(self, shares: Sequence[Share], names: Iterable[str], colors: Sequence[str] = ()) -> list[BarRow]:
        most = max((s.average for s in shares), default=0.0)
        told = [self.desk.say("stats.won-of", wins=s.wins, games=s.games) for s in shares]
        every = zip(shares, names, told, strict=False)
        return [
            _bar(name, s.average, most, self.every.decimal(s.average), more, colors[i] if colors else "")
            for i, (s, name, more) in enumerate(every)
        ]

    @property
    def tickets(self) -> tuple[float, str] | None:
        """The share of tickets that were done, and that in words."""
        t = self.stats.tickets
        if t is None or not t.kept:
            return None
        told = self.desk.say(
            "stats.tickets-told",
            done=t.done,
            kept=t.kept,
            percent=self.every.percent(t.rate),
            points=t.points,
            sum=number(t.points),
        )
        return t.rate, told

    @property
    def sources(self) -> list[Slice]:
        """Where the points come from; what takes points on the whole has no share of them."""
        gained = {line: points for line, points in self.stats.sources.items() if points > 0}
        whole = sum(gained.values())
        ordered = sorted(gained, key=lambda line: -gained[line])
        return [
            Slice(
                self._line(line),
                gained[line] / whole,
                self.desk.say(
                    "stats.per-game",
                    points=self.every.decimal(gained[line]),
                    percent=self.every.percent(gained[line] / whole),
                ),
                i,
            )
            for i, line in enumerate(ordered)
        ]

    def _line(self, line: str) -> str:
        """A line of a sheet by its name; one from elsewhere that nobody knows stays as it is."""
        known = f"app.line.{line}" in catalogue(self.desk.language)
        return self.desk.say(f"line.{line}") if known else capital(line)

    @property
    def rivals(self) -> list[Against]:
        return [
            Against(r.name, r.ahead, r.level, r.behind, self.desk.say("stats.together", n=r.games))
            for r in self.stats.rivals[:_MOST_RIVALS]
        ]


def _bar(name: str, value: float, most: float, told: str, more: str = "", color: str = "") -> BarRow:
    """Below zero there is no bar."""
    return BarRow(name, max(0.0, value / most) if most > 0 else 0.0, told, more, color)

"""What many finished games add up to, for everybody and for one player. Numbers only: screens draw them."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.lang import catalogue, say
from companion.rules import Position, score
from companion.table.history import PastGame, PastPlayer
from maps import LANGUAGES

# A trend is read from the average of so many games.
_SMOOTH = 5
# Games whose tickets were looked up stay known: that many.
_KNOWN = 2048


def person(name: str) -> str:
    """What tells one person from another: not capitals, nor spaces, nor how a letter with its accent is typed.

    >>> person(" Ada  Byron ") == person("ADA byron")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def nameless(player: PastPlayer) -> bool:
    """Whether nobody gave a name: the colour stands there for it, and colours are not people."""
    return person(player.name) in {person(say(f"words.{c}", lang)) for lang in LANGUAGES for c in _spelt(player.color)}


def _spelt(color: str) -> tuple[str, ...]:
    return (color,) if f"words.{color}" in catalogue("en") else ()


@dataclass(frozen=True)
class Share:
    """Something counted over games: on a board, with a colour, in a seat."""

    what: str
    games: int
    wins: int
    average: float
    best: int


@dataclass(frozen=True)
class Rival:
    """Two players in the same games: how often the one was ahead, behind, or level."""

    name: str
    games: int
    ahead: int
    behind: int
    level: int


@dataclass(frozen=True)
class Tickets:
    """Tickets kept at the end of games, and how many of them were done; their points, the missed ones against."""

    kept: int
    done: int
    points: int

    @property
    def rate(self) -> float:
        return self.done / self.kept if self.kept else 0.0


@dataclass(frozen=True)
class Played:
    """One game of a player."""

    game: str
    date: str
    board: str
    total: int
    rank: int
    won: bool


@dataclass(frozen=True)
class PlayerStats:
    """Everything about one player, games oldest first.

    `sources`: how many points each line of the sheets brought per game. `streak`: wins in a row up to the last game;
    `longest_streak` the most ever. `seats`: only of games whose turns were kept, where the order is known.
    """

    name: str
    color: str
    games: tuple[Played, ...]
    wins: int
    boards: tuple[Share, ...]
    colors: tuple[Share, ...]
    seats: tuple[Share, ...]
    sources: Mapping[str, float]
    tickets: Tickets | None
    rivals: tuple[Rival, ...]
    streak: int
    longest_streak: int

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(g.total for g in self.games)

    @property
    def average(self) -> float:
        return sum(self.totals) / len(self.games)

    @property
    def best(self) -> int:
        return max(self.totals)

    @property
    def worst(self) -> int:
        return min(self.totals)

    @property
    def trend(self) -> tuple[float, ...]:
        return smooth(self.totals)


def smooth(totals: Sequence[int]) -> tuple[float, ...]:
    """After each game the average of the last five.

    >>> smooth([10, 20, 30, 40, 50, 60])
    (10.0, 15.0, 20.0, 25.0, 30.0, 40.0)
    """
    latest = (totals[max(0, n - _SMOOTH) : n] for n in range(1, len(totals) + 1))
    return tuple(sum(last) / len(last) for last in latest)


def drawn(game: PastGame) -> bool:
    """Where everybody shares the first place, nobody has beaten anybody."""
    return len(game.players) > 1 and len(game.winners) == len(game.players)


def statistics(games: Iterable[PastGame], board: str | None = None) -> list[PlayerStats]:
    """Everybody who played, on one board or on all: those with most wins first, then by average."""
    played = sorted((g for g in games if board in (None, g.board)), key=lambda g: (g.date, g.id))
    mine: dict[str, list[tuple[PastGame, int]]] = defaultdict(list)
    for game in played:
        for seat, player in enumerate(game.players):
            if not nameless(player):
                mine[person(player.name)].append((game, seat))
    found = [_player(key, rows) for key, rows in mine.items() if key]
    return sorted(found, key=lambda s: (-s.wins, -s.average, s.name))


def player_statistics(games: Iterable[PastGame], name: str, board: str | None = None) -> PlayerStats | None:
    """One player, however the name is written; None if nobody of that name played."""
    return next((s for s in statistics(games, board) if person(s.name) == person(name)), None)


def _player(key: str, rows: list[tuple[PastGame, int]]) -> PlayerStats:
    games = tuple(_played(game, game.players[seat]) for game, seat in rows)
    colors = Counter(game.players[seat].color for game, seat in rows)
    won = [g.won for g in games]
    streak, longest = _streaks(won)
    return PlayerStats(
        # The newest way to write a name counts.
        name=rows[-1][0].players[rows[-1][1]].name.strip(),
        color=colors.most_common(1)[0][0],
        games=games,
        wins=sum(won),
        boards=_shares((g.board, g) for g in games),
        colors=_shares(zip((game.players[seat].color for game, seat in rows), games, strict=True)),
        seats=_seats(rows, games),
        sources=_sources([game.players[seat] for game, seat in rows]),
        tickets=_tickets(rows),
        rivals=_rivals(key, rows),
        streak=streak,
        longest_streak=longest,
    )


def _played(game: PastGame, player: PastPlayer) -> Played:
    won = player.name in game.winners and not drawn(game)
    return Played(game.id, game.date, game.board, player.total, player.rank, won)


def _shares(rows: Iterable[tuple[str, Played]]) -> tuple[Share, ...]:
    """Games grouped, the most played first."""
    groups: dict[str, list[Played]] = defaultdict(list)
    for what, game in rows:
        groups[what].append(game)
    found = (
        Share(what, len(g), sum(x.won for x in g), sum(x.total for x in g) / len(g), max(x.total for x in g))
        for what, g in groups.items()
    )
    return tuple(sorted(found, key=lambda s: (-s.games, -s.average, s.what)))


def _seats(rows: list[tuple[PastGame, int]], games: Sequence[Played]) -> tuple[Share, ...]:
    """By the place in the order of turns, from the first: known only where turns were kept."""
    known = ((place, played) for (game, seat), played in zip(rows, games, strict=True) if (place := _place(game, seat)))
    return tuple(sorted(_shares(known), key=lambda s: int(s.what)))


def _place(game: PastGame, seat: int) -> str:
    """How many turns after the first player somebody sits; empty where nobody told who began."""
    names = game.names
    return str((seat - names.index(game.first)) % len(names) + 1) if game.first in names else ""


def _sources(players: Sequence[PastPlayer]) -> dict[str, float]:
    lines: dict[str, int] = defaultdict(int)
    for player in players:
        for line, points in player.breakdown.items():
            lines[line] += points
    return {line: points / len(players) for line, points in lines.items() if points}


def _streaks(won: Sequence[bool]) -> tuple[int, int]:
    """Wins in a row up to the last game, and the most ever.

    >>> _streaks([True, True, False, True])
    (1, 2)
    """
    now = longest = 0
    for each in won:
        now = now + 1 if each else 0
        longest = max(longest, now)
    return now, longest


def _rivals(key: str, rows: list[tuple[PastGame, int]]) -> tuple[Rival, ...]:
    """Everybody else at the same tables, the most met first."""
    names: dict[str, str] = {}
    met: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for game, seat in rows:
        mine = game.players[seat]
        for other in game.players:
            their = person(other.name)
            if their == key or not their:
                continue
            names[their] = other.name.strip()
            met[their][0 if mine.rank < other.rank else 1 if mine.rank > other.rank else 2] += 1
    found = (Rival(names[k], sum(n), *n) for k, n in met.items())
    return tuple(sorted(found, key=lambda r: (-r.games, r.name)))


def _tickets(rows: list[tuple[PastGame, int]]) -> Tickets | None:
    """Over all games whose tickets are known; None if there is none."""
    known = [found for game, seat in rows if (found := tickets_of(game).get(seat)) is not None]
    if not known:
        return None
    return Tickets(sum(t.kept for t in known), sum(t.done for t in known), sum(t.points for t in known))


_looked_up: dict[str, Mapping[int, Tickets]] = {}


def tickets_of(game: PastGame) -> Mapping[int, Tickets]:
    """By seat, of those who told their tickets; the position is counted once and remembered."""
    known = _looked_up.get(game.id)
    if known is None:
        if len(_looked_up) >= _KNOWN:
            _looked_up.clear()
        known = _looked_up[game.id] = _count_tickets(game)
    return known


def _count_tickets(game: PastGame) -> Mapping[int, Tickets]:
    if not game.position:
        return {}
    try:
        sheet = score(Position.from_json(dict(game.position)))
    except Exception:
        # Written by another version, or by hand: the points stand, its tickets are not known.
        return {}
    seats = {name: seat for seat, name in enumerate(game.names)}
    return {
        seats[p.name]: Tickets(len(p.tickets), sum(t.done for t in p.tickets), sum(t.counts for t in p.tickets))
        for p in sheet.players
        if p.tickets and p.name in seats
    }

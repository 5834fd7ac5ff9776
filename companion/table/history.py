"""Finished games: kept as one JSON file each, counted, exported, imported and deleted."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from companion.rules import VARIANTS, Position, ScoreSheet
from companion.table.settings import home
from maps import Trouble
from maps.disk import write_whole

# Letters with which a formula begins.
_FORMULAS = ("=", "+", "-", "@")
_MOMENT = "%Y%m%d-%H%M%S-%f"
# A name of later than that was not given by a clock.
_LAST_YEAR = 3000
_COLUMNS = ("game", "date", "variant", "player", "color", "rank", "total")


@dataclass(frozen=True)
class PastPlayer:
    name: str
    color: str
    rank: int
    total: int
    breakdown: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class PastGame:
    """A finished game: when, what was played, who made what, and the position to open its sheet again."""

    id: str
    date: str
    variant: str
    board: str
    players: tuple[PastPlayer, ...]
    winners: tuple[str, ...]
    position: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.players)


@dataclass(frozen=True)
class Record:
    """What one player did over many games, on one board or on all."""

    name: str
    games: int
    wins: int
    average: float
    best: int


def next_name(now: datetime, names: Iterable[str]) -> str:
    """A name by the clock that sorts after all others of its kind, though the clock was put back since.

    >>> next_name(datetime(2001, 1, 1), ["20260501-203000-000000", "from elsewhere"])
    '20260501-203000-000001'
    """
    last = max((when for when in map(_moment, names) if when is not None), default=None)
    if last is not None and now <= last:
        now = last + timedelta(microseconds=1)
    return now.strftime(_MOMENT)


def _moment(name: str) -> datetime | None:
    # Older versions told milliseconds: read as the fraction of a second that they are.
    try:
        when = datetime.strptime(name, _MOMENT)  # noqa: DTZ007 the clock on the wall of whoever plays
    except ValueError:
        return None
    return when if when.year < _LAST_YEAR else None


def past_game(position: Position, sheet: ScoreSheet, when: datetime, known: Iterable[str] = ()) -> PastGame:
    """A finished game as it is kept; its id sorts after those known, whatever the clock says."""
    players = tuple(
        PastPlayer(p.name, p.color, p.rank, p.total, {str(line): n for line, n in p.breakdown.items()})
        for p in sheet.players
    )
    return PastGame(
        next_name(when, known), when.strftime("%Y-%m-%d %H:%M"), sheet.variant, sheet.board,
        players, sheet.winners, position.to_json(),
    )  # fmt: skip


class History:
    """The folder of finished games."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or home() / "history"

    def keep(self, game: PastGame) -> None:
        """Trouble if it can't be written."""
        file = self.folder / f"{game.id}.json"
        try:
            write_whole(file, json.dumps(asdict(game), ensure_ascii=False))
        except OSError as error:
            raise Trouble("history-not-written", file=str(file), reason=error.strerror or str(error)) from error

    def games(self) -> list[PastGame]:
        """All games that can be read, the newest first."""
        found = []
        for file in sorted(self.folder.glob("*.json"), reverse=True):
            try:
                found.append(read_game(json.loads(file.read_text(encoding="utf-8"))))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return found

    def ids(self) -> list[str]:
        """The ids of all games, whether they can be read or not."""
        return [file.stem for file in self.folder.glob("*.json")]

    def delete(self, game_id: str) -> None:
        """Trouble if it can't be deleted."""
        file = self.folder / f"{game_id}.json"
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise Trouble("file-not-deleted", file=str(file), reason=error.strerror or str(error)) from error

    def export(self, file: Path) -> int:
        """Writes all games into one file, .json or .csv; how many."""
        games = self.games()
        text = as_csv(games) if file.suffix.lower() == ".csv" else as_json(games)
        try:
            write_whole(file, text)
        except OSError as error:
            raise Trouble("history-not-written", file=str(file), reason=error.strerror or str(error)) from error
        return len(games)

    def take_in(self, file: Path) -> int:
        """Adds the games of an exported file, .json or .csv; how many were new. All of them, or none."""
        try:
            text = file.read_text(encoding="utf-8-sig")
            games = from_csv(text) if file.suffix.lower() == ".csv" else from_json(text)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Trouble("not-a-history", file=file.name) from error
        known = {g.id for g in self.games()}
        new = [g for g in games if g.id not in known]
        try:
            for game in new:
                self.keep(game)
        except Trouble:
            for game in new:
                self.delete(game.id)
            raise
        return len(new)


def as_json(games: Iterable[PastGame]) -> str:
    return json.dumps({"games": [asdict(g) for g in games]}, ensure_ascii=False, indent=1)


def from_json(text: str) -> list[PastGame]:
    """The games of an export; ValueError, KeyError or TypeError if it is none."""
    return [read_game(row) for row in json.loads(text)["games"]]


def from_csv(text: str) -> list[PastGame]:
    """Games of a table that was exported: who made what. Their boards can't be opened again."""
    rows = csv.DictReader(io.StringIO(text))
    if not rows.fieldnames or not set(_COLUMNS) <= set(rows.fieldnames):
        raise ValueError("no table of games")
    found: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for row in rows:
        found[row["game"]].append(row)
    return [read_game(_from_rows(told)) for told in found.values()]


def _from_rows(rows: list[Mapping[str, str]]) -> dict[str, Any]:
    first = rows[0]
    players: list[dict[str, Any]] = [
        {
            "name": _unplain(row["player"]),
            **{key: row[key] for key in ("color", "rank", "total")},
            "breakdown": {line: int(n) for line, n in row.items() if line not in _COLUMNS and n},
        }
        for row in rows
    ]
    return {
        "id": first["game"],
        "date": first["date"],
        "variant": first["variant"],
        "board": VARIANTS[first["variant"]].board,
        "players": players,
        "winners": [p["name"] for p in players if int(p["rank"]) == 1],
        "position": {},
    }


def as_csv(games: Iterable[PastGame]) -> str:
    """One row per player and game, the lines of the score sheet after the common columns."""
    games = list(games)
    lines = list(dict.fromkeys(line for g in games for p in g.players for line in p.breakdown))
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow((*_COLUMNS, *lines))
    for g in games:
        for p in g.players:
            told = (g.id, g.date, g.variant, _plain(p.name), p.color, p.rank, p.total)
            rows.writerow((*told, *(p.breakdown.get(line, "") for line in lines)))
    return out.getvalue()


def _plain(name: str) -> str:
    """A name that no table program takes for a formula."""
    return f"'{name}" if name[:1] in _FORMULAS else name


def _unplain(name: str) -> str:
    return name[1:] if name[:1] == "'" and name[1:2] in _FORMULAS else name


def records(games: Iterable[PastGame], board: str | None = None) -> list[Record]:
    """Games, wins, average and best of everybody, those with most wins first."""
    points: dict[str, list[int]] = defaultdict(list)
    wins: dict[str, int] = defaultdict(int)
    for game in games:
        if board is None or game.board == board:
            for player in game.players:
                points[player.name].append(player.total)
                wins[player.name] += player.name in game.winners
    found = [Record(n, len(p), wins[n], sum(p) / len(p), max(p)) for n, p in points.items()]
    return sorted(found, key=lambda r: (-r.wins, -r.average, r.name))


def read_game(row: Mapping[str, Any]) -> PastGame:
    """A finished game as it is kept; ValueError, KeyError or TypeError if it is none."""
    game_id = str(row["id"])
    if not game_id or not all(c.isalnum() or c == "-" for c in game_id):
        raise ValueError(game_id)
    players = tuple(
        PastPlayer(str(p["name"]), str(p["color"]), int(p["rank"]), int(p["total"]), dict(p["breakdown"]))
        for p in row["players"]
    )
    winners = tuple(str(w) for w in row["winners"])
    texts = (str(row["date"]), str(row["variant"]), str(row["board"]))
    return PastGame(game_id, *texts, players, winners, dict(row["position"]))

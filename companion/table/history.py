"""Finished games: kept as one JSON file each, counted, exported, imported and deleted."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any  # Any: JSON

from companion.rules import VARIANTS, Position, ScoreSheet
from companion.table.settings import home
from maps import Trouble
from maps.disk import write_whole
from maps.given import cell, from_cell, read_file, read_json

# Larger than anything that was ever played.
_MOST_GAMES, _MOST_PLAYERS, _MOST_LINES, _MOST_LETTERS, _MOST_POINTS = 10_000, 20, 50, 200, 1_000_000
_MOST_BYTES = 1_000_000
# Names that mean a device to Windows.
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)
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
    """A finished game: when, what was played, who made what, and the position to open its sheet again.

    `first`: who began, where somebody told; then the players' order is that of their turns.
    """

    id: str
    date: str
    variant: str
    board: str
    players: tuple[PastPlayer, ...]
    winners: tuple[str, ...]
    position: Mapping[str, Any] = field(default_factory=dict)
    first: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.players)


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


def past_game(
    position: Position, sheet: ScoreSheet, when: datetime, known: Iterable[str] = (), first: str = ""
) -> PastGame:
    """A finished game as it is kept; its id sorts after those known, whatever the clock says."""
    players = tuple(
        PastPlayer(p.name, p.color, p.rank, p.total, {str(line): n for line, n in p.breakdown.items()})
        for p in sheet.players
    )
    return PastGame(
        next_name(when, known), when.strftime("%Y-%m-%d %H:%M"), sheet.variant, sheet.board,
        players, sheet.winners, position.to_json(), first,
    )  # fmt: skip


class History:
    """The folder of finished games."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or home() / "history"
        self.damaged: tuple[str, ...] = ()

    def keep(self, game: PastGame) -> None:
        """Trouble if it can't be written."""
        file = self.folder / f"{game.id}.json"
        try:
            write_whole(file, json.dumps(asdict(game), ensure_ascii=False))
        except OSError as error:
            raise Trouble("history-not-written", file=str(file), reason=error.strerror or str(error)) from error

    def games(self) -> list[PastGame]:
        """All games that can be read, the newest first; `damaged` names the files of the others."""
        found, damaged = [], []
        for file in sorted(self.folder.glob("*.json"), reverse=True):
            try:
                found.append(read_game(read_json(read_file(file, _MOST_BYTES))))
            except (OSError, ValueError, KeyError, TypeError, AttributeError):
                damaged.append(file.name)
        self.damaged = tuple(damaged)
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
        """Writes all games into one file, .json, .csv or .bgsplay (for BG Stats); how many."""
        from companion.table.bgstats import as_bgstats

        games = self.games()
        text = {".csv": as_csv, ".bgsplay": as_bgstats}.get(file.suffix.lower(), as_json)(games)
        if file.suffix.lower() == ".csv":
            # Without this mark Excel takes accents and other scripts for something else.
            text = "\ufeff" + text
        try:
            write_whole(file, text)
        except OSError as error:
            raise Trouble("history-not-written", file=str(file), reason=error.strerror or str(error)) from error
        return len(games)

    def take_in(self, file: Path) -> int:
        """Adds the games of an exported file, .json or .csv; how many were new. All of them, or none."""
        try:
            text = read_file(file).decode("utf-8-sig")
            games = from_csv(text) if file.suffix.lower() == ".csv" else from_json(text)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, csv.Error) as error:
            raise Trouble("not-a-history", file=file.name) from error
        known = {_same(stem) for stem in self.ids()}
        # Some disks take small and capital letters for the same: so do we.
        new = {_same(g.id): g for g in reversed(games) if _same(g.id) not in known}
        kept: list[PastGame] = []
        try:
            for game in new.values():
                self.keep(game)
                kept.append(game)
        except BaseException:
            for game in kept:
                with suppress(Trouble):
                    self.delete(game.id)
            raise
        return len(kept)


def _same(game_id: str) -> str:
    return unicodedata.normalize("NFKC", game_id).casefold()


def as_json(games: Iterable[PastGame]) -> str:
    return json.dumps({"games": [asdict(g) for g in games]}, ensure_ascii=False, indent=1)


def from_json(text: str) -> list[PastGame]:
    """The games of an export; ValueError, KeyError or TypeError if it is none."""
    rows = read_json(text)["games"]
    if not isinstance(rows, list) or len(rows) > _MOST_GAMES:
        raise ValueError("no list of games")
    return [read_game(row) for row in rows]


def from_csv(text: str) -> list[PastGame]:
    """Games of a table that was exported: who made what. Their boards can't be opened again."""
    rows = csv.DictReader(io.StringIO(text))
    if not rows.fieldnames or not set(_COLUMNS) <= set(rows.fieldnames):
        raise ValueError("no table of games")
    found: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for row in rows:
        if None in row or None in row.values():
            raise ValueError("a row of another length")
        told = {from_cell(column): from_cell(value) for column, value in row.items()}
        found[told["game"]].append(told)
    return [read_game(_from_rows(told)) for told in found.values()]


def _from_rows(rows: list[Mapping[str, str]]) -> dict[str, Any]:
    first = rows[0]
    players: list[dict[str, Any]] = [
        {
            "name": row["player"],
            "color": row["color"],
            **{key: _number(row[key]) for key in ("rank", "total")},
            "breakdown": {line: _number(n) for line, n in row.items() if line not in _COLUMNS and n},
        }
        for row in rows
    ]
    return {
        "id": first["game"],
        "date": first["date"],
        "variant": first["variant"],
        "board": VARIANTS[first["variant"]].board,
        "players": players,
        "winners": [p["name"] for p in players if p["rank"] == 1],
        "position": {},
    }


def as_csv(games: Iterable[PastGame]) -> str:
    """One row per player and game, the lines of the score sheet after the common columns."""
    games = list(games)
    lines = list(dict.fromkeys(line for g in games for p in g.players for line in p.breakdown))
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow((*_COLUMNS, *map(cell, lines)))
    for g in games:
        for p in g.players:
            texts = map(cell, (g.id, g.date, g.variant, p.name, p.color))
            rows.writerow((*texts, p.rank, p.total, *(p.breakdown.get(line, "") for line in lines)))
    return out.getvalue()


def _number(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,7}", text):
        raise ValueError(text)
    return int(text)


def read_game(row: Mapping[str, object]) -> PastGame:
    """A finished game as it is kept; ValueError, KeyError or TypeError if it is none."""
    game_id, players, position = _text(row["id"]), row["players"], row["position"]
    # An id is a file's name.
    if not all(c.isalnum() or c == "-" for c in game_id) or not 0 < len(game_id.encode()) <= _MOST_LETTERS:
        raise ValueError(game_id)
    if _DEVICES.fullmatch(game_id) or not isinstance(players, list) or len(players) > _MOST_PLAYERS:
        raise ValueError(game_id)
    if not isinstance(position, dict) or not isinstance(row["winners"], list):
        raise TypeError(game_id)
    winners = tuple(_text(w) for w in row["winners"])
    texts = (_text(row["date"]), _text(row["variant"]), _text(row["board"]))
    first = _text(row.get("first", ""))
    return PastGame(game_id, *texts, tuple(_read_player(p) for p in players), winners, position, first)


def _read_player(row: Mapping[str, object]) -> PastPlayer:
    lines = row["breakdown"]
    if not isinstance(lines, dict) or len(lines) > _MOST_LINES:
        raise ValueError("no breakdown")
    breakdown = {_text(line): _points(n) for line, n in lines.items()}
    return PastPlayer(_text(row["name"]), _text(row["color"]), _points(row["rank"]), _points(row["total"]), breakdown)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _MOST_LETTERS:
        raise ValueError("no text")
    return value


def _points(value: object) -> int:
    if type(value) is not int or abs(value) > _MOST_POINTS:
        raise ValueError("no number")
    return value

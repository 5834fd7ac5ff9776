"""A game on its way from one phone to another: everything that the other one needs, as bytes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any  # Any: JSON

from companion.table.game import Game
from companion.table.history import PastGame, read_game
from companion.table.journal import Line
from maps import Trouble
from maps.disk import write_whole
from maps.given import read_json

# What another phone does not need.
_LEFT = ("seen", "at")
# The longest game that was ever simulated has 400 lines.
_MOST_LINES, _MOST_THINGS = 5_000, 100_000


@dataclass(frozen=True)
class Parcel:
    """Either a game that goes on, as the lines of its journal, or a finished one."""

    lines: tuple[Line, ...] = ()
    finished: PastGame | None = None

    def pack(self) -> bytes:
        told: dict[str, Any] = {"finished": asdict(self.finished)} if self.finished else {"lines": self.lines}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def of(cls, game: Game) -> Parcel:
        """A game that goes on. Times stay behind, and what the camera saw: it is in the actions already."""
        lines = (line for line in game.journal.lines if "seen" not in line or "actions" in line)
        return cls((game.journal.header, *({k: v for k, v in line.items() if k not in _LEFT} for line in lines)))

    @classmethod
    def unpack(cls, data: bytes) -> Parcel:
        """Trouble if these are no bytes of ours."""
        try:
            told = read_json(data, things=_MOST_THINGS)
            if "finished" in told:
                return cls(finished=read_game(told["finished"]))
            lines = told["lines"]
            if not isinstance(lines, list) or len(lines) > _MOST_LINES:
                raise ValueError("too many lines")
            return cls(tuple(dict(line) for line in lines))
        except (ValueError, KeyError, TypeError) as error:
            raise Trouble("code-damaged") from error

    def write(self, path: Path) -> Game:
        """Makes a running game's journal here; Trouble, and no file, if it can't be played on."""
        rows = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in self.lines)
        try:
            write_whole(path, "".join(rows))
        except OSError as error:
            raise Trouble("journal-not-written", file=str(path), reason=error.strerror or str(error)) from error
        try:
            return Game.open(path)
        except BaseException:
            path.unlink(missing_ok=True)
            raise

"""A game on disk: one JSON line for each thing that happened, flushed to the disk before anybody goes on.

The first line says what is played and who wrote it; every other line has an `id` and is never changed. A line that
can't be written (a full disk) leaves the file as it was. A last line that was cut off (a dead battery, a killed app) is
set aside with a word. A damaged line in the middle is named and skipped: it stays in the file, and so does everything
after it. Whoever opened a game first writes it; a second window may look.

`FORMAT` goes up when the shape of a line changes; `STEPS` then says how a line of each older format becomes one of the
next. A journal of a newer format is refused with a sentence, never guessed at.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeGuard  # Any: JSON

from maps import Message, Trouble, message
from maps.disk import Lock, sync_folder
from maps.given import read_file, read_json

FORMAT = 2

Line = dict[str, Any]

# Longer than any evening: a game of 10,000 actions has 2 MB.
_MOST_BYTES = 64_000_000
# New lines are numbered on from the highest id up to this one.
_MOST_ID = 10**12

# From a format to the next one: each step takes a line and its place (0: the header) and gives the newer line.
# Format 2 knows lines of photos, which change many things at once; older lines stay as they are.
STEPS: dict[int, Callable[[Line, int], Line]] = {1: lambda line, _: line}


@dataclass
class Journal:
    """The lines of one game. `told`: what somebody has to hear about the file."""

    path: Path
    header: Line
    lines: list[Line] = field(default_factory=list)
    told: list[Message] = field(default_factory=list)
    next_id: int = 1
    # The trouble of whoever wants to write: the game is only looked at, or another window has it.
    closed: str = ""
    _lock: Lock | None = field(default=None, repr=False)
    # The end of the last whole line, where something torn follows it.
    _torn_at: int | None = field(default=None, repr=False)

    @classmethod
    def create(cls, path: Path, header: Mapping[str, object]) -> Journal:
        """A new journal; Trouble if there is a file of that name already."""
        journal = cls(path, {"format": FORMAT, **header})
        if path.exists():
            raise Trouble("journal-exists", file=str(path))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                try:
                    _write(file.fileno(), _packed(journal.header))
                except BaseException:
                    file.close()
                    path.unlink(missing_ok=True)
                    raise
            sync_folder(path.parent)
            journal._lock = Lock(path)
        except OSError as e:
            raise journal._not_written(e) from e
        return journal

    @classmethod
    def read(cls, path: Path) -> Journal:
        """What a file holds, without touching it."""
        journal, _ = _read(path)
        journal.closed = "journal-only-read"
        return journal

    @classmethod
    def open(cls, path: Path) -> Journal:
        """A journal to go on with; only to look at if another window has it, and `told` says so.

        A torn last line is set aside first, so that new lines start on their own.
        """
        try:
            lock = Lock(path)
        except BlockingIOError:
            journal = cls.read(path)
            journal.closed = "journal-in-use"
            journal.told.append(message("table.in-use"))
            return journal
        except OSError:
            # Reading says what is wrong with it.
            lock = None
        journal, torn = _read(path)
        journal._lock = lock
        if torn is not None:
            # On a disk that can't be written it is set aside with the next line that can.
            with suppress(Trouble):
                journal.append({"torn": torn})
        return journal

    def append(self, line: Mapping[str, object]) -> Line:
        """Writes one line and waits until it is on the disk. Trouble leaves the file, and the game, as they were."""
        if self.closed:
            raise Trouble(self.closed, file=self.path.name)
        whole = {"id": self.next_id, **line}
        try:
            self._add(_packed(whole))
        except OSError as e:
            raise self._not_written(e) from e
        self._take(whole)
        return whole

    def close(self) -> None:
        """Lets another window write; this one doesn't any more."""
        self.closed = self.closed or "journal-only-read"
        if self._lock is not None:
            self._lock.release()

    def delete(self) -> None:
        """Takes the file away; Trouble if another window has it, or it can't be deleted."""
        try:
            lock = self._lock or Lock(self.path)
            lock.release()
            self.path.unlink(missing_ok=True)
        except FileNotFoundError:
            return
        except BlockingIOError:
            raise Trouble("journal-in-use", file=self.path.name) from None
        except OSError as e:
            raise Trouble("file-not-deleted", file=str(self.path), reason=e.strerror or str(e)) from e

    def _take(self, line: Line) -> None:
        self.lines.append(line)
        if line["id"] <= _MOST_ID:
            self.next_id = max(self.next_id, line["id"] + 1)

    def _add(self, data: bytes) -> None:
        # Never made anew: a line without the header before it would be no game.
        file = os.open(self.path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            if self._torn_at is not None:
                os.ftruncate(file, self._torn_at)
                self._torn_at = None
            end = os.lseek(file, 0, os.SEEK_END)
            os.lseek(file, max(0, end - 1), os.SEEK_SET)
            if os.read(file, 1) != b"\n":
                data = b"\n" + data
            try:
                _write(file, data)
            except BaseException:
                self._torn_at = end
                os.ftruncate(file, end)
                self._torn_at = None
                raise
        finally:
            os.close(file)

    def _not_written(self, error: OSError) -> Trouble:
        return Trouble("journal-not-written", file=str(self.path), reason=error.strerror or str(error))


def _packed(line: Mapping[str, object]) -> bytes:
    # Half of a letter that needs two (a damaged name) is kept as JSON's own escape.
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode(errors="backslashreplace") + b"\n"


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
    os.fsync(file)


def _read(path: Path) -> tuple[Journal, str | None]:
    """The journal, and the torn end of its file if there is one."""
    try:
        data = read_file(path, _MOST_BYTES)
    except FileNotFoundError:
        raise Trouble("no-file", file=str(path)) from None
    except OSError as e:
        raise Trouble("journal-not-read", file=str(path), reason=e.strerror or str(e)) from e
    rows = data.split(b"\n")
    end = rows.pop()
    torn = end.decode(errors="replace") if end and _parsed(end) is None else None
    if end and torn is None:
        rows.append(end)
    journal = Journal(path, _header(rows, path))
    steps = _steps(journal.header, path)
    for number, row in enumerate(rows[1:], start=2):
        line = _parsed(row)
        if line is not None and is_id(line.get("id")):
            journal._take(steps(line, number - 1))
        elif row.strip(b"\r "):
            journal.told.append(message("table.damaged-line", file=path.name, line=number))
    journal.header = steps(journal.header, 0)
    if torn is not None:
        journal.told.append(message("table.torn-line", file=path.name, line=len(rows) + 1))
        journal._torn_at = len(data) - len(end)
    return journal, torn


def is_id(value: object) -> TypeGuard[int]:
    """Whether something read from a file numbers a line or an action."""
    # A thousand times more than is ever counted up to: whatever id comes next can be read again.
    return type(value) is int and 0 <= value <= 1000 * _MOST_ID


def _parsed(row: bytes) -> Line | None:
    try:
        line = read_json(row)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def _header(rows: list[bytes], path: Path) -> Line:
    header = _parsed(rows[0]) if rows else None
    if header is None or not isinstance(header.get("format"), int):
        raise Trouble("not-a-journal", file=path.name)
    return header


def _steps(header: Line, path: Path) -> Callable[[Line, int], Line]:
    """All steps from the format of a file to today's."""
    written = header["format"]
    if not 1 <= written <= FORMAT:
        raise Trouble("newer-journal", file=path.name, format=written, known=FORMAT)

    def migrated(line: Line, place: int) -> Line:
        for older in range(written, FORMAT):
            line = STEPS[older](line, place)
        return {**line, "format": FORMAT} if place == 0 else line

    return migrated

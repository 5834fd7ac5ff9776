"""A game on disk: one JSON line for each thing that happened, flushed to the disk before anybody goes on.

The first line says what is played and who wrote it; every other line has an `id` and is never changed. A last line that
was cut off (a dead battery, a killed app) is set aside with a word. A damaged line in the middle is named and skipped:
it stays in the file, and so does everything after it.

`FORMAT` goes up when the shape of a line changes; `STEPS` then says how a line of each older format becomes one of the
next. A journal of a newer format is refused with a sentence, never guessed at.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from maps import Message, Trouble, message

FORMAT = 2

Line = dict[str, Any]

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

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any]) -> Journal:
        """A new journal; Trouble if there is a file of that name already."""
        journal = cls(path, {"format": FORMAT, **header})
        if path.exists():
            raise Trouble("journal-exists", file=str(path))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                _write(file.fileno(), journal.header)
            _sync_folder(path.parent)
        except OSError as e:
            raise Trouble("journal-not-written", file=str(path), reason=e.strerror or str(e)) from e
        return journal

    @classmethod
    def read(cls, path: Path) -> Journal:
        """What a file holds, without touching it."""
        journal, _, _ = _read(path)
        return journal

    @classmethod
    def open(cls, path: Path) -> Journal:
        """A journal to go on with: a torn last line is set aside first, so that new lines start on their own."""
        journal, good, torn = _read(path)
        try:
            if torn is not None:
                os.truncate(path, good)
                journal.append({"torn": torn})
            elif not path.read_bytes().endswith(b"\n"):
                with path.open("ab") as file:
                    _write_bytes(file.fileno(), b"\n")
        except OSError as e:
            raise Trouble("journal-not-written", file=str(path), reason=e.strerror or str(e)) from e
        return journal

    def append(self, line: Mapping[str, Any]) -> Line:
        """Writes one line and waits until it is on the disk."""
        whole = {"id": self.next_id, **line}
        try:
            with self.path.open("ab") as file:
                _write(file.fileno(), whole)
        except OSError as e:
            raise Trouble("journal-not-written", file=str(self.path), reason=e.strerror or str(e)) from e
        self.lines.append(whole)
        return whole

    @property
    def next_id(self) -> int:
        return max((line["id"] for line in self.lines), default=0) + 1


def _write(file: int, line: Mapping[str, Any]) -> None:
    _write_bytes(file, json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


def _write_bytes(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
    os.fsync(file)


def _sync_folder(folder: Path) -> None:
    """Makes the new name in a folder last as well; not every system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _read(path: Path) -> tuple[Journal, int, str | None]:
    """The journal, how many bytes of the file are good, and the torn end if there is one."""
    try:
        data = path.read_bytes()
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
        if line is not None and isinstance(line.get("id"), int):
            journal.lines.append(steps(line, number - 1))
        elif row.strip(b"\r "):
            journal.told.append(message("table.damaged-line", file=path.name, line=number))
    journal.header = steps(journal.header, 0)
    if torn is not None:
        journal.told.append(message("table.torn-line", file=path.name, line=len(rows) + 1))
    return journal, len(data) - len(end), torn


def _parsed(row: bytes) -> Line | None:
    try:
        line = json.loads(row.decode())
    except (ValueError, RecursionError):
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

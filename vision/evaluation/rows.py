"""Reads all recordings of some folders, here or wherever a pool reads them, and judges each: one row per photo."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from maps import Message, Trouble, message
from vision import recordings
from vision.evaluation.pools import HERE, Interrupted, Outcome, Pool, Progress, failed, silence
from vision.evaluation.readers import PAPERS, Ask, Reader, Sheets, ask_program
from vision.evaluation.sheets import board_of_sheets, compare_sheets, unread_sheets
from vision.reading import Reading
from vision.recordings import UNREAD, Comparison, Recording

# Real photos are never added up with rendered or drawn ones.
Source = Literal["photo", "render", "drawn", "broken"]


@dataclass(frozen=True)
class Row:
    """One recording, judged, with what it can be counted by."""

    recording: Recording
    judged: Comparison
    source: Source
    light: str
    session: str

    @property
    def kind(self) -> str:
        return kind_of(self.recording.truth)

    @property
    def corpus(self) -> str:
        """What it is added up with: pictures of the same source, boards apart from cards and tickets."""
        return self.source if self.kind in ("", "board") else f"{self.source}-cards"


def gather(folders: Sequence[Path | str]) -> list[Recording]:
    """The recordings of folders, none twice; names begin with the folder's own, so that they stay apart."""
    found, seen = [], set()
    for folder, label in zip(folders, _labels(folders), strict=True):
        for recording in recordings.recordings(folder):
            place = Path(folder).resolve() / recording.name
            if place not in seen:
                seen.add(place)
                found.append(replace(recording, name=f"{label}/{recording.name}"))
    return found


def _labels(folders: Sequence[Path | str]) -> list[str]:
    """As many last parts of each folder's path as it takes to tell all of them apart."""
    paths = [Path(folder).resolve() for folder in folders]
    most = max((len(path.parts) for path in paths), default=1)
    for parts in range(1, most + 1):
        labels = ["/".join(path.parts[-parts:]).lstrip("/") for path in paths]
        if len(set(labels)) == len(set(paths)):
            break
    return labels


def evaluate(
    folders: Sequence[Path | str],
    *,
    pool: Pool = HERE,
    blind: bool = False,
    reader: Reader = ask_program,
    progress: Progress | None = None,
) -> list[Row]:
    """A row for every recording, in order. `blind`: no truth is opened before the last photo was read.

    Ctrl-C ends it as `Stopped`, with the rows of what was read by then.
    """
    if blind:
        with _hidden(folders) as copies:
            questions = [(copy, Ask("any")) for copy in copies.values()]
            read, stopped = _read(questions, pool, reader, progress)
        by_photo = dict(zip(copies, read, strict=True))
        found = gather(folders)
        outcomes = [by_photo.get(r.photo.resolve(), Outcome()) for r in found]
    else:
        found = gather(folders)
        whole = [(r.photo, Ask.about(r.truth)) for r in found if r.problem is None]
        read, stopped = _read(whole, pool, reader, progress)
        each = iter(read)
        outcomes = [Outcome() if r.problem else next(each) for r in found]
    rows = [row(r, outcome) for r, outcome in zip(found, outcomes, strict=True) if outcome is not None]
    if stopped:
        raise Stopped(rows, len(found))
    return rows


class Stopped(KeyboardInterrupt):
    """Somebody pressed Ctrl-C: the rows of what was read by then, of so many."""

    def __init__(self, rows: Sequence[Row], of: int) -> None:
        super().__init__()
        self.rows, self.of = list(rows), of


def _read(
    questions: Sequence[tuple[Path, Ask]], pool: Pool, reader: Reader, progress: Progress | None
) -> tuple[Sequence[Outcome | None], bool]:
    """The answer to each question; and whether somebody stopped it: what was not read by then is None."""
    try:
        return read_all(questions, pool, reader, progress), False
    except Interrupted as interrupted:
        return interrupted.outcomes, True


@contextmanager
def _hidden(folders: Sequence[Path | str]) -> Iterator[dict[Path, Path]]:
    """Copies of all photos under numbers, by their own paths: no truth beside them, nothing in their names."""
    with tempfile.TemporaryDirectory() as hidden:
        copies: dict[Path, Path] = {}
        for folder in folders:
            if not Path(folder).is_dir():
                raise Trouble("no-folder", folder=str(folder))
            for photo in recordings.pictures(folder):
                copy = Path(hidden) / f"{len(copies):05d}{photo.suffix}"
                shutil.copyfile(photo, copies.setdefault(photo.resolve(), copy))
        yield copies


def read_all(
    questions: Sequence[tuple[Path, Ask]], pool: Pool, reader: Reader = ask_program, progress: Progress | None = None
) -> list[Outcome]:
    """The answer to each question, in order. Where the pool has other processes, the reader is a module's function."""
    return pool(outcome_of, [(photo, ask, reader) for photo, ask in questions], progress or silence)


def outcome_of(photo: Path, ask: Ask, reader: Reader) -> Outcome:
    """One photo read. Whatever happens, the others are read as well."""
    try:
        read = reader(photo, ask)
    except Trouble as trouble:
        return Outcome(problem=trouble.message)
    except Exception as error:
        return failed(error)
    return Outcome(sheets=read) if isinstance(read, Sheets) else Outcome(reading=read.to_json())


def row(recording: Recording, outcome: Outcome) -> Row:
    """A recording with what was read of it, judged."""
    truth = recording.truth
    judged = replace(_judged(recording, outcome), name=recording.name)
    return Row(recording, judged, source_of(truth), light_of(truth), session_of(recording))


def _judged(recording: Recording, outcome: Outcome) -> Comparison:
    truth, problem = recording.truth, recording.problem or outcome.problem
    if recording.of_board:

        def answer(_: Path) -> Reading:
            if outcome.problem is not None:
                raise _again(outcome.problem)
            if outcome.reading is None:
                raise Trouble("no-board", nothing_seen=True)
            return Reading.from_json(outcome.reading)

        return recordings.judged(recording, answer)
    if problem is None and outcome.sheets is not None:
        return compare_sheets(recording.name, outcome.sheets, truth)
    if recording.problem is None and problem is None:
        # Asked blindly, the program saw a board where cards lie.
        problem = message("error.sheets-not-seen")
    answers = unread_sheets(truth, UNREAD) if recording.problem is None else ()
    return Comparison(recording.name, board_of_sheets(truth), answers=answers, problem=problem)


def _again(problem: Message) -> Trouble:
    return Trouble(problem.key.removeprefix("error."), **problem.values)


def kind_of(truth: Mapping[str, object]) -> str:
    """What a recording shows: board, cards, tickets, or neither of these."""
    if not truth:
        return ""
    if "routes" in truth:
        return "board"
    papers = any(truth.get(kind) for kind in PAPERS)
    return "tickets" if papers else "cards" if truth.get("cards") else "none"


def source_of(truth: Mapping[str, object]) -> Source:
    """Where a picture comes from: whoever makes pictures writes down a seed, and our studio its table, too."""
    if not truth:
        return "broken"
    return "photo" if "seed" not in truth else "drawn" if "surface" in truth else "render"


def light_of(truth: Mapping[str, object]) -> str:
    told = truth.get("light")
    return str((told.get("kind") if isinstance(told, Mapping) else told) or "")


def session_of(recording: Recording) -> str:
    """The session a photo was taken in: as told, else one state of the table in one light, else its folder."""
    truth = recording.truth
    if truth.get("session"):
        return str(truth["session"])
    if truth.get("state"):
        return ", ".join(filter(None, (str(truth["state"]), light_of(truth))))
    return recording.name.rpartition("/")[0]

"""One game at one table: the journal on disk, folded into a position. Undo, redo and corrections are lines too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any  # Any: JSON of a journal's line

import companion
from companion.rules import (
    NOTHING,
    RULES,
    Action,
    Join,
    Outcome,
    Player,
    Position,
    ScoreSheet,
    Setup,
    Verdict,
    action_json,
    judge,
    outcome_json,
    play,
    read_action,
    read_outcome,
    score,
    start,
)
from companion.table.header import header_json, read_header
from companion.table.journal import Journal, Line, is_id
from maps import Message, Trouble, message

# How many positions are kept from the latest back, and every how many of those before: the rest is played again.
_LATEST, _EVERY = 32, 64
# Under which name a line of the journal keeps its time.
_TIME = "at"


@dataclass(frozen=True)
class Entry:
    """One action of the record as it stands now. `action` None: the line can't be read, `problem` says why.

    `accepted`: the table let it pass although the rules say no. `corrected`: a later line replaced what was first told.
    `photo`: the line of the photo that brought it, 0 where a person told it.
    """

    id: int
    action: Action | None
    outcome: Outcome
    verdict: Verdict
    accepted: bool = False
    corrected: bool = False
    problem: Message | None = None
    photo: int = 0

    @property
    def fine(self) -> bool:
        """Legal, or accepted by the table."""
        return self.problem is None and (self.verdict.legal or self.accepted)


@dataclass(frozen=True)
class Proposal:
    """An action as a journal keeps it. `accepted`: it stands although the rules say no, or it is incomplete."""

    action: Mapping[str, Any]
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class _Told:
    """What a line tells of one action, before it is read."""

    id: int
    action: Any
    outcome: Any
    accepted: bool
    corrected: bool = False
    photo: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class _Step:
    """The actions at one moment: those of the step before, with some struck out, one told anew, and some added."""

    before: _Step | None = None
    struck: tuple[int, ...] = ()
    anew: _Told | None = None
    added: tuple[_Told, ...] = ()

    def actions(self) -> list[_Told]:
        """All of them, in order."""
        steps: list[_Step] = []
        step: _Step | None = self
        while step is not None:
            steps.append(step)
            step = step.before
        # Several actions share an id only where a file was tampered with.
        places: dict[int, list[int]] = {}
        found: list[_Told] = []
        for step in reversed(steps):
            for entry in step.struck:
                places.pop(entry, None)
            if step.anew is not None:
                for place in places.get(step.anew.id, ()):
                    found[place] = replace(step.anew, photo=found[place].photo)
            for told in step.added:
                places.setdefault(told.id, []).append(len(found))
                found.append(told)
        return [found[place] for place in sorted(place for same in places.values() for place in same)]


class Game:
    """A running or finished game; every change is on disk before the call returns."""

    def __init__(self, journal: Journal, begin: Position) -> None:
        self.journal = journal
        self.begin = begin
        # What the clock on the wall says, where somebody wants to know later when something was told.
        self.clock: Callable[[], datetime] | None = None
        # Undo and redo walk along the steps.
        self._steps = [_Step()]
        self._at = 0
        self._folded: list[tuple[_Told, Entry]] = []
        # Positions after so many actions: all of the last ones, of the older ones some.
        self._positions = {0: begin}
        for line in journal.lines:
            self._take(line)
        self._fold()

    @classmethod
    def new(
        cls,
        path: Path,
        variant: str,
        players: Sequence[Player],
        modules: Sequence[str] = (),
        options: Mapping[str, object] | None = None,
        setup: Setup | None = None,
    ) -> Game:
        """Starts a game and its journal; Trouble if it can't be played or the file is there already."""
        begin = start(variant, players, modules, options, setup)
        header = header_json(variant, players, modules, options or {}, setup or Setup())
        return cls(Journal.create(path, {"rules": RULES, "app": companion.__version__, **header}), begin)

    @classmethod
    def open(cls, path: Path) -> Game:
        """A game to go on with. `told` says what was found wrong with its file."""
        return cls._of(Journal.open(path))

    @classmethod
    def read(cls, path: Path) -> Game:
        """A game to look at: its file is not touched."""
        return cls._of(Journal.read(path))

    @classmethod
    def _of(cls, journal: Journal) -> Game:
        return cls(journal, read_header(journal.header, journal.path.name))

    def close(self) -> None:
        """Lets another window play on."""
        self.journal.close()

    @property
    def told(self) -> tuple[Message, ...]:
        """What somebody has to hear: lines that were lost or damaged, rules that changed since."""
        told = list(self.journal.told)
        written = self.journal.header.get("rules")
        if written != RULES:
            told.append(message("table.other-rules", written=str(written), now=str(RULES)))
        return tuple(told)

    @property
    def position(self) -> Position:
        return self._positions[len(self._folded)]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(entry for _, entry in self._folded)

    @property
    def problems(self) -> tuple[Entry, ...]:
        """Entries that the rules forbid and nobody accepted, or that can't be read."""
        return tuple(e for e in self.entries if not e.fine)

    @property
    def seen(self) -> tuple[Mapping[str, Any], ...]:
        """What the camera saw, oldest first."""
        return tuple(line["seen"] for line in self.journal.lines if isinstance(line.get("seen"), dict))

    @property
    def over(self) -> bool:
        return self.position.running is not None and self.position.running.over

    @property
    def can_undo(self) -> bool:
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        return self._at < len(self._steps) - 1

    def judge(self, action: Action) -> Verdict:
        """The referee's word on an action now."""
        return judge(self.position, action)

    def do(self, action: Action, outcome: Outcome = NOTHING, accept: bool = False) -> Verdict:
        """Plays and records an action if the verdict is complete, or in any case where the table accepts it."""
        verdict = self.judge(action)
        if verdict.complete or accept:
            self._write(self._told(action, outcome, accept and not verdict.legal))
        return verdict

    def join(self, name: str, color: str) -> Verdict:
        """Somebody who was forgotten at the start sits down; what was told so far stays, whosever turn it was."""
        setup = self.journal.header.get("setup")
        opening = self.position.refereed and isinstance(setup, dict) and setup.get("opening") is True
        return self.do(Join(self.position.turn or self.position.order[0], name, color, opening))

    def undo(self) -> bool:
        """Takes back the last action or correction; False if there is none."""
        if self.can_undo:
            self._write({"undo": True})
            return True
        return False

    def redo(self) -> bool:
        """Brings back what was last taken back; False if there is nothing."""
        if self.can_redo:
            self._write({"redo": True})
            return True
        return False

    def correct(
        self, entry: int, action: Action | None, outcome: Outcome = NOTHING, accept: bool = False
    ) -> Verdict | None:
        """Replaces what an entry told, or strikes it out (None): always allowed, and written down.

        The verdict is that on the new action at its place; `problems` names later entries that no longer fit.
        """
        if entry not in [told.id for told, _ in self._folded]:
            raise Trouble("no-such-entry", value=entry)
        told = {"do": None} if action is None else self._told(action, outcome, accept)
        self._write({"correct": entry, **told})
        return next((e.verdict for e in self.entries if e.id == entry), None)

    def strike(self, entries: Collection[int]) -> None:
        """Strikes several entries out at once: one step to undo."""
        self._write({"struck": sorted(entries), "actions": []})

    def see(self, reading: Mapping[str, object]) -> None:
        """Keeps what the camera saw."""
        self._write({"seen": dict(reading)})

    def without(self, entries: Collection[int]) -> Position:
        """The position as it would be if these entries had not been told."""
        first = next((i for i, (told, _) in enumerate(self._folded) if told.id in entries), len(self._folded))
        position = self._position_after(first)
        for told, _ in self._folded[first:]:
            if told.id not in entries:
                position = _played(position, told)[1]
        return position

    def photograph(self, seen: Mapping[str, object], struck: Sequence[int], actions: Sequence[Proposal]) -> None:
        """Keeps what the camera saw and all that it changed as one line, and so as one step to undo."""
        if not struck and not actions:
            self.see(seen)
            return
        first = self.journal.next_id
        told = [
            {"id": first + i, "do": dict(a.action), **({"accepted": True} if a.accepted else {})}
            for i, a in enumerate(actions)
        ]
        # The line's own id comes after those of its actions: ids never go back.
        self._write({"id": first + len(told), "seen": dict(seen), "struck": list(struck), "actions": told})

    def score(self) -> ScoreSheet:
        """The scores if the game ended now."""
        return score(self.position)

    def _told(self, action: Action, outcome: Outcome, accepted: bool) -> Line:
        line: Line = {"do": action_json(action, self.position)}
        told = outcome_json(outcome)
        if told:
            line["outcome"] = told
        if accepted:
            line["accepted"] = True
        return line

    def when(self, entry: Entry) -> datetime | None:
        """When an entry was told, None where nobody kept the time."""
        told = next((line.get(_TIME) for line in self.journal.lines if line["id"] == (entry.photo or entry.id)), None)
        try:
            return datetime.fromisoformat(told) if isinstance(told, str) else None
        except ValueError:
            return None

    def _write(self, line: Line) -> None:
        now = {} if self.clock is None else {_TIME: self.clock().isoformat(timespec="seconds")}
        self._take(self.journal.append({**line, **now}))
        self._fold()

    def _take(self, line: Line) -> None:
        """Follows one line of the journal."""
        now = self._steps[self._at]
        told = _Told(line["id"], line.get("do"), line.get("outcome"), line.get("accepted") is True)
        if line.get("undo") is True:
            self._at = max(0, self._at - 1)
        elif line.get("redo") is True:
            self._at = min(len(self._steps) - 1, self._at + 1)
        elif "correct" in line:
            self._step(_corrected(now, line["correct"], told))
        elif "actions" in line:
            self._step(_photographed(now, line))
        elif "do" in line:
            self._step(_Step(now, added=(told,)))

    def _step(self, step: _Step) -> None:
        del self._steps[self._at + 1 :]
        self._steps.append(step)
        self._at += 1

    def _fold(self) -> None:
        """Plays the actions that stand now; those before the first change are not played again."""
        actions = self._steps[self._at].actions()
        same = 0
        while same < min(len(actions), len(self._folded)) and actions[same] == self._folded[same][0]:
            same += 1
        position = self._position_after(same)
        del self._folded[same:]
        self._positions = {n: known for n, known in self._positions.items() if n <= same}
        for told in actions[same:]:
            entry, position = _played(position, told)
            self._folded.append((told, entry))
            self._keep(len(self._folded), position)

    def _position_after(self, actions: int) -> Position:
        """The position after the first actions; where it was not kept, they are played again from one that was."""
        at = max(n for n in self._positions if n <= actions)
        position = self._positions[at]
        for n, (_, entry) in enumerate(self._folded[at:actions], at + 1):
            position = _after(position, entry)
            self._keep(n, position)
        return position

    def _keep(self, at: int, position: Position) -> None:
        self._positions[at] = position
        if (at - _LATEST) % _EVERY:
            self._positions.pop(at - _LATEST, None)


def _corrected(now: _Step, entry: object, told: _Told) -> _Step:
    """The actions with one of them told anew, or struck out where nothing is told instead."""
    if not is_id(entry):
        return _Step(now)
    return _Step(now, (entry,)) if told.action is None else _Step(now, anew=replace(told, id=entry, corrected=True))


def _photographed(now: _Step, line: Line) -> _Step:
    """The actions without those that a photo struck out, and with those that it brought."""
    struck, rows = line.get("struck"), line["actions"]
    new = (
        _Told(row["id"], row.get("do"), None, row.get("accepted") is True, photo=line["id"])
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict) and is_id(row.get("id"))
    )
    return _Step(now, tuple(n for n in struck if is_id(n)) if isinstance(struck, list) else (), added=tuple(new))


def _after(position: Position, entry: Entry) -> Position:
    return position if entry.action is None else play(position, entry.action, entry.outcome)


def _played(position: Position, told: _Told) -> tuple[Entry, Position]:
    try:
        action = read_action(told.action, position)
        outcome = read_outcome(told.outcome, position)
    except Trouble as trouble:
        broken = Entry(told.id, None, NOTHING, Verdict(), told.accepted, told.corrected, trouble.message, told.photo)
        return broken, position
    verdict = judge(position, action)
    entry = Entry(told.id, action, outcome, verdict, told.accepted, told.corrected, photo=told.photo)
    return entry, _after(position, entry)

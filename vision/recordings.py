"""Photos with their truth beside them: found in folders, compared with a reading, counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any  # Any: JSON

import numpy as np

import maps
from maps import Message, Trouble, message
from vision.reading import DEPOT, Reading
from vision.truth import wrong_with

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
# What a film may be called.
FILMS = (".mp4", ".avi", ".mov", ".mkv", ".webm", ".m4v")


# What stands for a colour where no board, or another one, was found.
UNREAD, OTHER_BOARD = "unread", "other-board"


@dataclass(frozen=True)
class Recording:
    """A photo and the truth about it, or the reason why there is none. `name`: its path below the folder."""

    name: str
    photo: Path
    truth: Mapping[str, Any] = field(default_factory=dict)
    problem: Message | None = None

    @property
    def of_board(self) -> bool:
        """Whether it shows a board; otherwise it shows cards, tickets, or none of these."""
        return "routes" in self.truth


# What answers are about, and the column in which they are counted.
COLUMNS: Mapping[str, str] = {
    "route": "routes",
    "station": "stations",
    "card": "cards",
    "ticket": "tickets",
    "technology": "technologies",
    "share": "shares",
}
# Those that lie on the table wherever they like, and not on a board.
SHEETS = ("card", "ticket", "technology", "share")


@dataclass(frozen=True)
class Answer:
    """What was read of one route, city, card, ticket, technology or share, and what is true (None: nothing there).

    `flagged`: the reading said itself that it should be looked at. `place`: where it lies, if that is no matter of the
    board: corners in photo pixels.
    """

    kind: str
    id: str
    expected: str | None
    got: str | None
    confidence: float
    flagged: bool
    place: tuple[tuple[float, float], ...] = ()

    @property
    def right(self) -> bool:
        return self.expected == self.got


@dataclass(frozen=True)
class Comparison:
    """One recording against its reading; `problem` says why there was nothing to compare."""

    name: str
    board: str = ""
    board_right: bool = False
    corner_error: float | None = None
    spaces: int = 0
    spaces_wrong: int = 0
    doubtful: int = 0
    answers: tuple[Answer, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    problem: Message | None = None
    corners: tuple[tuple[float, float], ...] = ()

    def judged(self, kind: str) -> int:
        return sum(a.kind == kind for a in self.answers)

    def wrong(self, kind: str) -> int:
        return sum(m.kind == kind for m in self.mistakes)

    @property
    def mistakes(self) -> tuple[Answer, ...]:
        return tuple(a for a in self.answers if not a.right)

    @property
    def routes(self) -> int:
        return self.judged("route")

    @property
    def stations(self) -> int:
        return self.judged("station")

    @property
    def silent(self) -> int:
        """Mistakes that the reading did not flag."""
        return sum(not m.flagged for m in self.mistakes)

    @property
    def perfect(self) -> bool:
        return self.problem is None and self.board_right and not self.mistakes

    @property
    def nearly(self) -> bool:
        """At most one mistake."""
        return self.problem is None and self.board_right and len(self.mistakes) <= 1


@dataclass(frozen=True)
class Totals:
    """What many comparisons add up to. A photo that failed counts as a board that is not perfect."""

    boards: int
    perfect: int
    one_mistake_at_most: int
    failed: int
    routes: int
    routes_wrong: int
    stations: int
    stations_wrong: int
    spaces: int
    spaces_wrong: int
    cards: int
    cards_wrong: int
    tickets: int
    tickets_wrong: int
    technologies: int
    technologies_wrong: int
    shares: int
    shares_wrong: int
    silent: int
    doubtful: int
    corner_error: float | None
    seconds: float | None

    @classmethod
    def of(cls, rows: Sequence[Comparison]) -> Totals:
        errors = [r.corner_error for r in rows if r.corner_error is not None]
        times = [r.seconds["total"] for r in rows if "total" in r.seconds]
        return cls(
            len(rows),
            sum(r.perfect for r in rows),
            sum(r.nearly for r in rows),
            sum(r.problem is not None for r in rows),
            *_judged(rows, "route"),
            *_judged(rows, "station"),
            sum(r.spaces for r in rows),
            sum(r.spaces_wrong for r in rows),
            *_judged(rows, "card"),
            *_judged(rows, "ticket"),
            *_judged(rows, "technology"),
            *_judged(rows, "share"),
            sum(r.silent for r in rows),
            sum(r.doubtful for r in rows),
            round(float(np.mean(errors)), 3) if errors else None,
            round(float(np.mean(times)), 3) if times else None,
        )

    def to_json(self) -> dict[str, Any]:
        """The counts, and what they mean as shares; None where nothing was judged."""
        return {
            **vars(self),
            "perfect_part": _part(self.boards, self.boards - self.perfect),
            "one_mistake_part": _part(self.boards, self.boards - self.one_mistake_at_most),
            "routes_right": _part(self.routes, self.routes_wrong),
            "stations_right": _part(self.stations, self.stations_wrong),
            "spaces_right": _part(self.spaces, self.spaces_wrong),
            "cards_right": _part(self.cards, self.cards_wrong),
            "tickets_right": _part(self.tickets, self.tickets_wrong),
            "technologies_right": _part(self.technologies, self.technologies_wrong),
            "shares_right": _part(self.shares, self.shares_wrong),
        }


def _judged(rows: Sequence[Comparison], kind: str) -> tuple[int, int]:
    return sum(r.judged(kind) for r in rows), sum(r.wrong(kind) for r in rows)


def _part(of: int, wrong: int) -> float | None:
    return round(1 - wrong / of, 5) if of else None


def pictures(folder: Path | str) -> list[Path]:
    """Every picture below a folder, in order."""
    return [p for p in sorted(Path(folder).rglob("*")) if p.suffix.lower() in SUFFIXES and p.is_file()]


def recordings(folder: Path | str) -> list[Recording]:
    """Every recording below a folder, in order. What is broken, or a photo without its truth, is told, not raised."""
    folder = Path(folder)
    if not folder.is_dir():
        raise Trouble("no-folder", folder=str(folder))
    found = [
        _recording(path, folder) for path in sorted(folder.rglob("*.json")) if path.is_file() and not _of_film(path)
    ]
    told = {r.photo for r in found}
    alone = [p for p in pictures(folder) if p not in told and not p.with_suffix(".json").is_file()]
    found += [Recording(_name(p, folder), p, problem=message("error.no-truth", file=p.name)) for p in alone]
    return sorted(found, key=lambda r: r.name)


def _of_film(truth: Path) -> bool:
    """Whether this is the truth about a film: those are watched, not read."""
    return any(truth.with_suffix(ending).is_file() for ending in FILMS)


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).with_suffix("").as_posix()


def _recording(path: Path, folder: Path) -> Recording:
    name = _name(path, folder)
    beside = next((p for s in SUFFIXES if (p := path.with_suffix(s)).is_file()), path.with_suffix(".jpg"))
    try:
        truth = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        reason: Message | None = message("truth.not-json")
    else:
        reason = wrong_with(truth)
    if reason is not None:
        return Recording(name, beside, problem=message("error.bad-truth", file=path.name, reason=reason))
    photo = _named(path, truth["photo"]) or beside
    problem = None if photo.is_file() else message("error.no-file", file=truth["photo"])
    return Recording(name, photo, truth, problem)


def _named(path: Path, photo: str) -> Path | None:
    """The photo that a truth names; None if there is none of that name beside it."""
    try:
        named = path.with_name(photo)
        return named if named.is_file() else None
    except (OSError, ValueError):
        return None


def compare(name: str, reading: Reading, truth: Mapping[str, Any]) -> Comparison:
    """A reading against the truth. Routes that a hand covers or the picture's edge cuts off are not judged."""
    board = maps.load(str(truth["board"]))
    if reading.board != board.id:
        return _nothing_right(name, truth, OTHER_BOARD, flagged=False, seconds=reading.seconds)
    answers, spaces, spaces_wrong = [], 0, 0
    for route, color in _visible(truth).items():
        got = reading.routes[route]
        answers.append(Answer("route", route, color, got.color, got.confidence, route in reading.doubtful))
        lying = (truth.get("spaces") or {}).get(route) or [color] * len(got.spaces)
        spaces += len(lying)
        spaces_wrong += sum(a != b for a, b in zip(lying, got.spaces, strict=True))
    stands, seen = _buildings(truth.get("stations"), truth.get("depots")), _read_buildings(reading)
    for city in sorted({*stands, *seen}):
        own, confidence = seen.get(city, (None, 0.0))
        answers.append(Answer("station", city, stands.get(city), own, confidence, city in reading.doubtful))
    return Comparison(
        name, board.id, True, corner_error(reading, truth), spaces, spaces_wrong, len(reading.doubtful),
        tuple(answers), reading.seconds, None, reading.corners,
    )  # fmt: skip


def _buildings(stations: Mapping[str, str] | None, depots: Mapping[str, str] | None) -> dict[str, str]:
    """What stands in each city: a station by its colour, a depot as `depot-red`; a city holds one building."""
    return {**(stations or {}), **{city: f"{DEPOT}{color}" for city, color in (depots or {}).items()}}


def _read_buildings(reading: Reading) -> dict[str, tuple[str, float]]:
    sure = {**reading.stations, **reading.depots}
    return {city: (name, sure[city].confidence) for city, name in reading.buildings.items()}


def _visible(truth: Mapping[str, Any]) -> dict[str, str | None]:
    """The routes that somebody looking at the photo could judge."""
    unseen = set(truth.get("covered") or ()) | set((truth.get("cut") or {}).get("routes") or ())
    return {route: color for route, color in truth["routes"].items() if route not in unseen}


def _nothing_right(
    name: str,
    truth: Mapping[str, Any],
    why: str,
    *,
    flagged: bool,
    seconds: Mapping[str, float] | None = None,
    problem: Message | None = None,
) -> Comparison:
    """No board, or another one, was found: nothing on it counts as read."""
    board = maps.load(str(truth["board"]))
    answers = tuple(Answer("route", route, color, why, 0.0, flagged) for route, color in _visible(truth).items())
    stands = _buildings(truth.get("stations"), truth.get("depots"))
    answers += tuple(Answer("station", city, color, why, 0.0, flagged) for city, color in stands.items())
    spaces = sum(board.routes[a.id].length for a in answers if a.kind == "route")
    return Comparison(name, board.id, False, None, spaces, spaces, 0, answers, seconds or {}, problem)


def corner_error(reading: Reading, truth: Mapping[str, Any]) -> float | None:
    """How far the worst corner is off, in per cent of the board's width; None where the truth has no corners."""
    found = np.array(reading.corners, np.float32)
    if len(truth.get("corners") or ()) != 4 or found.shape != (4, 2):
        return None
    real = np.array(truth["corners"], np.float32)
    width = (np.linalg.norm(real[1] - real[0]) + np.linalg.norm(real[2] - real[3])) / 2
    return float(np.linalg.norm(found - real, axis=1).max() / width * 100)


def judged(recording: Recording, read: Callable[[Path], Reading]) -> Comparison:
    """The row of one recording of a board."""
    if recording.problem is not None:
        return Comparison(recording.name, str(recording.truth.get("board", "")), problem=recording.problem)
    try:
        return compare(recording.name, read(recording.photo), recording.truth)
    except Trouble as trouble:
        # The program has said itself that it read nothing: such mistakes are not silent.
        return _nothing_right(recording.name, recording.truth, UNREAD, flagged=True, problem=trouble.message)

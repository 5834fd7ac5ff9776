"""Films with truth: what was told, what was missed or made up, and how many seconds late."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any  # Any: JSON

import numpy as np

from maps import Trouble
from vision.event import Event, Expected
from vision.film import open_film
from vision.fingerprints import Fingerprint
from vision.recordings import FILMS
from vision.watcher import Watcher

# A thing that is told later than this counts as missed, and what is told so much before it happened as made up.
LATEST, SOONEST = 15.0, -3.0


@dataclass(frozen=True)
class FilmRow:
    """One film, judged. `late`: seconds from when the hand was gone, for everything that was told."""

    name: str
    board: str
    claims: int
    told: int
    missed: tuple[str, ...]
    made_up: tuple[str, ...]
    start_wrong: tuple[str, ...]
    late: tuple[float, ...]
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """As `companion eval --json` prints it."""
        late = (
            {"most": round(max(self.late), 2), "median": round(float(np.median(self.late)), 2)} if self.late else None
        )
        return {
            "name": self.name, "board": self.board, "claims": self.claims, "told": self.told,
            "missed": list(self.missed), "made_up": list(self.made_up), "start_wrong": list(self.start_wrong),
            "late": late, **({"problem": self.problem} if self.problem else {}),
        }  # fmt: skip


def films(folder: Path | str) -> list[Path]:
    """The films below a folder that have their truth beside them."""
    found = (p for p in sorted(Path(folder).rglob("*")) if p.suffix.lower() in FILMS and p.is_file())
    return [p for p in found if p.with_suffix(".json").is_file()]


def judge(
    path: Path,
    watcher: Callable[[Sequence[str] | None], Watcher] | None = None,
    progress: Callable[[int, int], None] | None = None,
    drawn: Callable[[str], Fingerprint] | None = None,
) -> FilmRow:
    """Watches one film and compares. `watcher` replaces the program's own; `drawn` gives the print of drawn boards."""
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8-sig"))
    name, board = path.stem, str(truth.get("board", ""))
    claims = truth["events"]
    watch = _own(truth, drawn) if watcher is None else watcher(truth.get("players"))
    told: list[Event] = []
    try:
        source = open_film(path)
        for seconds, frame in source.frames():
            told += watch.update(frame, seconds)
            if progress is not None:
                progress(round(seconds), round(source.length))
    except Trouble as trouble:
        every = tuple(str(e["route"]) for e in claims)
        return FilmRow(name, board, len(claims), 0, every, (), (), (), trouble.code)
    finally:
        watch.close()
    return compared(name, truth, watch.start, told)


def _own(truth: Mapping[str, Any], drawn: Callable[[str], Fingerprint] | None) -> Watcher:
    """The program's own eyes. A film of our studio shows a drawn board, which is none of the prints that they know."""
    colors = truth.get("players")
    prints = (drawn(str(truth["board"])),) if drawn is not None and "surface" in truth else None
    return Watcher(expected=Expected(colors, len(colors)) if colors else None, prints=prints)


def compared(name: str, truth: Mapping[str, Any], start: Mapping[str, str] | None, told: Sequence[Event]) -> FilmRow:
    """What was told against what is true. The view lost or found, or a camera moved, is neither right nor wrong."""
    left = [e for e in told if e.kind in ("claim", "station", "gone", "moved")]
    missed, late = [], []
    for true in truth["events"]:
        kind, place = true.get("kind", "claim"), true.get("route") or true.get("city")
        fits = [
            e for e in left
            if (e.kind, e.place, e.color) == (kind, place, true["color"])
            and SOONEST <= e.seconds - true["seconds"] <= LATEST
        ]  # fmt: skip
        if fits:
            left.remove(fits[0])
            late.append(fits[0].seconds - true["seconds"])
        else:
            missed.append(f"{kind} {place} {true['color']}")
    lay, saw = truth.get("start") or {}, start or {}
    wrong = tuple(sorted(p for p in {*lay, *saw} if lay.get(p) != saw.get(p)))
    made_up = tuple(f"{e.kind} {e.place} {e.color}" for e in left)
    count = len(truth["events"])
    return FilmRow(name, str(truth["board"]), count, count - len(missed), tuple(missed), made_up, wrong, tuple(late))

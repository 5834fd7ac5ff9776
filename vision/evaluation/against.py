"""Two evaluations of the same recordings: what got better and what got worse."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any  # Any: JSON

from maps import Trouble
from vision.recordings import COLUMNS

FIGURES = (
    "perfect_part", "one_mistake_part", "routes_right", "spaces_right", "stations_right", "cards_right",
    "tickets_right", "technologies_right", "shares_right", "silent", "failed", "corner_error", "seconds",
)  # fmt: skip


@dataclass(frozen=True)
class Change:
    """Mistakes of one photo before and now (None: it was not read), those that went and those that came."""

    name: str
    before: int | None
    now: int | None
    mended: tuple[str, ...]
    broken: tuple[str, ...]


@dataclass(frozen=True)
class Changes:
    """Photos that are read better or worse than before, photos that only one side has, and figures by source."""

    better: tuple[Change, ...]
    worse: tuple[Change, ...]
    added: tuple[str, ...]
    gone: tuple[str, ...]
    figures: Mapping[str, Mapping[str, tuple[float | None, float | None]]]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def against(old: object, new: Mapping[str, Any]) -> Changes:
    """The document of an evaluation against an older one. Trouble, if that is none."""
    before, now = rows_of(old), rows_of(new)
    changes = [_change(name, before[name], now[name]) for name in now if name in before]
    return Changes(
        tuple(c for c in changes if _mistakes(now[c.name]) < _mistakes(before[c.name])),
        tuple(c for c in changes if _mistakes(now[c.name]) > _mistakes(before[c.name])),
        tuple(name for name in now if name not in before),
        tuple(name for name in before if name not in now),
        _figures(old, new),
    )


def rows_of(document: object) -> dict[str, Mapping[str, Any]]:
    """The rows of an evaluation's document by name. Trouble, if it is none."""
    rows = document.get("rows") if isinstance(document, Mapping) else None
    if not isinstance(rows, list) or not all(_is_row(row) for row in rows):
        raise Trouble("not-an-evaluation")
    return {row["name"]: row for row in rows}


def _is_row(row: object) -> bool:
    """Whether somebody's file says of a photo what ours say."""
    if not isinstance(row, Mapping) or not isinstance(row.get("name"), str):
        return False
    mistakes = row.get("mistakes", [])
    told = isinstance(mistakes, list) and all(isinstance(m, Mapping) and isinstance(m.get("id"), str) for m in mistakes)
    return told and all(type(row.get(f"{column}_wrong", 0)) is int for column in COLUMNS.values())


def _mistakes(row: Mapping[str, Any]) -> int:
    return sum(int(row.get(f"{column}_wrong", 0)) for column in COLUMNS.values())


def _change(name: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> Change:
    was = {m["id"] for m in before.get("mistakes", ())}
    are = {m["id"] for m in now.get("mistakes", ())}
    return Change(
        name,
        None if before.get("problem") else _mistakes(before),
        None if now.get("problem") else _mistakes(now),
        tuple(sorted(was - are)),
        tuple(sorted(are - was)),
    )


def _figures(old: Any, new: Any) -> dict[str, dict[str, tuple[float | None, float | None]]]:
    found: dict[str, dict[str, tuple[float | None, float | None]]] = {}
    was, are = _at(_at(old, "totals"), "source"), new["totals"]["source"]
    for source in are:
        before = _at(was, source)
        pairs = {f: (_number(before.get(f)), are[source].get(f)) for f in FIGURES}
        found[source] = {f: pair for f, pair in pairs.items() if pair != (None, None)}
    return found


def _at(told: Any, key: str) -> Mapping[str, Any]:
    found = told.get(key) if isinstance(told, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _number(value: object) -> float | None:
    # Of a file that somebody changed by hand, whatever is no number counts as not told.
    return value if type(value) in (int, float) and math.isfinite(value) and abs(value) < 1e12 else None  # type: ignore[arg-type, return-value]

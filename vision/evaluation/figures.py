"""What the rows add up to: totals by group, confusion of colours, and whether confidences can be trusted."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any  # Any: JSON

from maps import LOCOMOTIVE, Message
from maps.files import COLORS
from maps.given import cell
from vision.evaluation.rows import Row
from vision.recordings import COLUMNS, OTHER_BOARD, UNREAD, Answer, Totals

# Groups of rows that are added up; real photos, renders and drawn ones stay apart in each.
GROUPS: Mapping[str, Callable[[Row], str]] = {
    "source": lambda row: row.corpus,
    "board": lambda row: f"{row.corpus} {row.judged.board or row.kind}".strip(),
    "light": lambda row: f"{row.corpus} {row.light}".strip(),
    "session": lambda row: f"{row.corpus} {row.session}".strip(),
}
# Confidences are told apart more finely where it matters whether a person is asked.
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
# What has a colour; a ticket has a name.
COLORED = ("route", "station", "card")
STAGES = ("decode", "locate", "read", "total")
_COLUMNS = (
    "name", "photo", "kind", "source", "board", "light", "session", "found", "perfect", "corner_error", "routes",
    "routes_wrong", "stations", "stations_wrong", "spaces", "spaces_wrong", "cards", "cards_wrong", "tickets",
    "tickets_wrong", "technologies", "technologies_wrong", "shares", "shares_wrong", "mistakes",
    "flagged", "silent", "doubtful",
)  # fmt: skip


def document(rows: Sequence[Row], tell: Callable[[Message], str] = str) -> dict[str, Any]:
    """Everything about an evaluation as JSON; `tell` finds the words for reasons."""
    by_group = totals(rows)
    return {
        "format": 1,
        "rows": [row_json(row, tell) for row in rows],
        "totals": by_group,
        "confusion": {source: total["confusion"] for source, total in by_group["source"].items()},
        "reliability": {source: total["reliability"] for source, total in by_group["source"].items()},
        "seconds": stage_seconds(rows),
    }


def row_json(row: Row, tell: Callable[[Message], str] = str) -> dict[str, Any]:
    judged = row.judged
    mistakes = judged.mistakes
    return {
        "name": judged.name,
        "photo": row.recording.photo.name,
        "kind": row.kind,
        "source": row.source,
        "board": judged.board,
        "light": row.light,
        "session": row.session,
        "found": judged.problem is None and judged.board_right,
        "perfect": judged.perfect,
        "corner_error": None if judged.corner_error is None else round(judged.corner_error, 3),
        **{column: judged.judged(kind) for kind, column in COLUMNS.items()},
        **{f"{column}_wrong": judged.wrong(kind) for kind, column in COLUMNS.items()},
        "spaces": judged.spaces,
        "spaces_wrong": judged.spaces_wrong,
        "flagged": len(mistakes) - judged.silent,
        "silent": judged.silent,
        "doubtful": judged.doubtful,
        "mistakes": [] if judged.problem else [_mistake_json(m) for m in mistakes],
        "seconds": {stage: round(value, 3) for stage, value in judged.seconds.items()},
        "problem": None if judged.problem is None else tell(judged.problem),
    }


def _mistake_json(mistake: Answer) -> dict[str, Any]:
    told = {k: v for k, v in vars(mistake).items() if k != "place"}
    return {**told, "confidence": round(mistake.confidence, 4)}


def totals(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Totals of every group, by the group's kind and name."""
    return {group: {name: _total(mine) for name, mine in _by(rows, group).items()} for group in GROUPS}


def _total(rows: Sequence[Row]) -> dict[str, Any]:
    answers = [a for r in rows for a in r.judged.answers]
    return {
        **Totals.of([r.judged for r in rows]).to_json(),
        "colors": colors(answers),
        "confusion": confusion(answers),
        "reliability": reliability(answers),
    }


def colors(answers: Iterable[Answer]) -> dict[str, dict[str, Any]]:
    """Each colour of each kind by itself: how many lie there, how many were read, and the share of both that agrees.

    One colour read as another leaves the figures of all colours nearly as they are; here both colours fall.
    """
    lying: Counter[str] = Counter()
    read: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for a in answers:
        for color, counts in ((a.expected, lying), (a.got, read)):
            name = color_figure(a.kind, color)
            if name is not None:
                counts[name] += 1
                right[name] += counts is lying and a.right
    return {
        name: {
            "lying": lying[name],
            "read": read[name],
            "right": round(right[name] / (lying[name] + read[name] - right[name]), 5),
        }
        for name in sorted({*lying, *read})
    }


def color_figure(kind: str, color: str | None) -> str | None:
    """What one colour's figure is called, as `red route`; None for what has no colour."""
    if kind == "route" and color is None:
        return "empty route"
    known = kind in COLORED and color in (*COLORS, LOCOMOTIVE)
    return f"{color} {kind}" if known else None


def _by(rows: Sequence[Row], group: str) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(GROUPS[group](row), []).append(row)
    return dict(sorted(found.items()))


def confusion(answers: Iterable[Answer]) -> dict[str, dict[str, dict[str, int]]]:
    """How often each colour was read as which one, by kind; what was not read at all is left out."""
    counts: dict[str, Counter[tuple[str, str]]] = {}
    for answer in answers:
        # What has a name and no colour is not laid out: there are too many.
        if answer.got not in (UNREAD, OTHER_BOARD) and answer.kind in COLORED:
            pair = (answer.expected or "empty", answer.got or "empty")
            counts.setdefault(answer.kind, Counter())[pair] += 1
    table: dict[str, dict[str, dict[str, int]]] = {}
    for kind, pairs in sorted(counts.items()):
        for (true, got), n in sorted(pairs.items()):
            table.setdefault(kind, {}).setdefault(true, {})[got] = n
    return table


def reliability(answers: Iterable[Answer]) -> dict[str, Any]:
    """Of the answers given with about some confidence, how many are right; `error` is the mean gap between the two."""
    given = [a for a in answers if a.got not in (UNREAD, OTHER_BOARD) and a.confidence > 0]
    bins = []
    for low, high in pairwise(BINS):
        mine = [a for a in given if low <= a.confidence < high or (high == 1 and a.confidence == 1)]
        if mine:
            mean = sum(a.confidence for a in mine) / len(mine)
            right = sum(a.right for a in mine) / len(mine)
            bins.append(
                {"from": low, "to": high, "answers": len(mine), "confidence": round(mean, 4), "right": round(right, 4)}
            )
    gap = sum(b["answers"] * abs(b["confidence"] - b["right"]) for b in bins)
    return {"bins": bins, "error": round(gap / len(given), 4) if given else None}


def stage_seconds(rows: Sequence[Row]) -> dict[str, float]:
    """The mean time of each stage over the photos that were read."""
    found = {}
    for stage in STAGES:
        taken = [r.judged.seconds[stage] for r in rows if stage in r.judged.seconds]
        if taken:
            found[stage] = round(sum(taken) / len(taken), 3)
    return found


def to_csv(rows: Sequence[Row], tell: Callable[[Message], str] = str) -> str:
    """One line per photo, for a spreadsheet."""
    out = io.StringIO()
    columns = [*_COLUMNS, *(f"seconds_{stage}" for stage in STAGES), "problem"]
    writer = csv.DictWriter(out, columns, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        told = row_json(row, tell)
        flat = {**told, "mistakes": " ".join(f"{m['id']}:{m['got'] or 'empty'}" for m in told["mistakes"])}
        flat |= {f"seconds_{stage}": told["seconds"].get(stage, "") for stage in STAGES}
        writer.writerow({column: cell(v) if isinstance(v, str) else v for column, v in flat.items()})
    return out.getvalue()

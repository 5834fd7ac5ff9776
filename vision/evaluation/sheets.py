"""Cards, tickets, technologies and shares against their truth: what lies in the same place is compared.

The rest is missed or made up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evaluation.readers import PAPERS, Quad, Sheets, SheetSeen
from vision.reading import share_name, technology_name
from vision.recordings import COLUMNS, SHEETS, Answer, Comparison

# Two outlines that share less than this don't lie in the same place; neighbours in a fan share up to 0.45.
_SAME_PLACE = 0.5
# Of a sheet this much has to show before somebody could read it.
_READABLE = 0.15


def compare_sheets(name: str, sheets: Sheets, truth: Mapping[str, Any]) -> Comparison:
    """What was read in a photo of sheets against what lies there, each kind by itself."""
    answers: list[Answer] = []
    errors: list[float] = []
    for kind in SHEETS:
        lying = [(name, _quad(s["quad"]), float(s.get("visible", 1))) for name, s in _lying(kind, truth)]
        found, off = _matched(kind, lying, [s for s in sheets.found if s.kind == kind])
        answers += found
        errors += off
    return Comparison(
        name, board_of_sheets(truth), True, max(errors) if errors else None,
        doubtful=sum(s.flagged for s in sheets.found), answers=tuple(answers), seconds=sheets.seconds,
    )  # fmt: skip


_NAMES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "card": lambda told: str(told["color"]),
    "ticket": lambda told: str(told["id"]),
    "technology": lambda told: technology_name(told["id"]),
    "share": lambda told: share_name(told["company"], told.get("number")),
}


def _lying(kind: str, truth: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """All sheets of a kind that lie there, named as their reader names them."""
    return [(_NAMES[kind](told), told) for told in truth.get(COLUMNS[kind]) or ()]


def board_of_sheets(truth: Mapping[str, Any]) -> str:
    """The board whose tickets lie there, if any do."""
    boards = [str(p["board"]) for kind in PAPERS for p in truth.get(kind) or () if p.get("board")]
    return boards[0] if boards else str(truth.get("board") or "")


def unread_sheets(truth: Mapping[str, Any], why: str) -> tuple[Answer, ...]:
    """Every sheet of a photo in which nothing was read."""
    told = [(kind, name, sheet["quad"]) for kind in SHEETS for name, sheet in _lying(kind, truth)]
    return tuple(
        Answer(kind, f"{i + 1}", name, why, 0.0, True, _quad(quad)) for i, (kind, name, quad) in enumerate(told)
    )


def _matched(
    kind: str, lying: list[tuple[str, Quad, float]], seen: list[SheetSeen]
) -> tuple[list[Answer], list[float]]:
    """Pairs by common area, the best first; each sheet is used once."""
    pairs = sorted(
        ((overlap(quad, s.quad), i, j) for i, (_, quad, _) in enumerate(lying) for j, s in enumerate(seen)),
        reverse=True,
    )
    of_truth: dict[int, int] = {}
    for common, i, j in pairs:
        if common >= _SAME_PLACE and i not in of_truth and j not in of_truth.values():
            of_truth[i] = j
    answers, errors = [], []
    for i, (name, quad, visible) in enumerate(lying):
        if i in of_truth:
            match = seen[of_truth[i]]
            answers.append(Answer(kind, f"{i + 1}", name, match.name, match.confidence, match.flagged, quad))
            errors.append(_corners_off(quad, match.quad))
        elif visible >= _READABLE:
            answers.append(Answer(kind, f"{i + 1}", name, None, 0.0, False, quad))
    extra = [s for j, s in enumerate(seen) if j not in of_truth.values()]
    answers += [Answer(kind, f"+{n + 1}", None, s.name, s.confidence, s.flagged, s.quad) for n, s in enumerate(extra)]
    return answers, errors


def overlap(a: Quad, b: Quad) -> float:
    """How much of two outlines together is common to both."""
    one, other = _hull(a), _hull(b)
    common = cv2.intersectConvexConvex(one, other)[0]
    return float(common / max(cv2.contourArea(one) + cv2.contourArea(other) - common, 1e-6))


def _hull(quad: Quad) -> NDArray[np.float32]:
    return np.asarray(cv2.convexHull(np.array(quad, np.float32)), np.float32)


def _corners_off(true: Quad, read: Quad) -> float:
    """The worst corner in per cent of the longer side, whichever corner was named first."""
    a, b = np.array(true), np.array(read)
    long = float(np.linalg.norm(a - np.roll(a, -1, 0), axis=1).max())
    ways = [np.roll(way, turn, 0) for way in (b, b[::-1]) for turn in range(4)]
    return min(float(np.linalg.norm(a - way, axis=1).max()) for way in ways) / long * 100


def _quad(told: Any) -> Quad:
    return tuple((float(x), float(y)) for x, y in told)

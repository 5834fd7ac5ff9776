"""Floors: figures that an evaluation may not fall below. A file of them is kept with the tests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any  # Any: JSON

from maps import Trouble
from vision.evaluation.figures import GROUPS, color_figure

# Shares, where more is better, and counts or sizes, where less is; the room that recorded floors leave to each.
SHARES = (
    "perfect_part",
    "one_mistake_part",
    "routes_right",
    "stations_right",
    "spaces_right",
    "cards_right",
    "tickets_right",
    "technologies_right",
    "shares_right",
)
LIMITS = ("failed", "silent", "corner_error")
_ROOM = {"routes_right": 0.005, "spaces_right": 0.005, "cards_right": 0.01, "tickets_right": 0.01, "corner_error": 0.15}
_ROOM_OF_PARTS = 0.1
# Of one colour this share may be lost, or two pieces where there are few; a handful of pieces says nothing.
_ROOM_OF_COLORS, _PIECES = 0.02, 2
_FEW = 10


@dataclass(frozen=True)
class Floor:
    """One figure of one group against its floor; `measured` is None where nothing was measured."""

    group: str
    name: str
    figure: str
    floor: float
    measured: float | None

    @property
    def held(self) -> bool:
        if self.measured is None:
            return True
        return self.measured <= self.floor if self.figure in LIMITS else self.measured >= self.floor

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "held": self.held}


def against_floors(totals: Mapping[str, Mapping[str, Mapping[str, Any]]], floors: object) -> list[Floor]:
    """Every floor of a file against the totals. Trouble, if the file is none, or nothing in it was measured."""
    found = []
    for group, name, figure, floor in entries_of(floors):
        total = totals.get(group, {}).get(name, {})
        measured = total["colors"].get(figure, {}).get("right") if _of_color(figure) and total else total.get(figure)
        found.append(Floor(group, name, figure, floor, measured))
    if all(f.measured is None for f in found):
        # A floor that nobody stands on proves nothing.
        raise Trouble("floors-not-measured", names=sorted({f.name for f in found}))
    return found


def entries_of(floors: object) -> list[tuple[str, str, str, float]]:
    """Group, name, figure and number of each floor. Trouble, if a file holds none."""
    try:
        entries = [
            (str(group), str(name), str(figure), float(floor))
            for group, names in dict(floors).items()  # type: ignore[call-overload]
            for name, figures in names.items()
            for figure, floor in figures.items()
        ]
    except (TypeError, ValueError, AttributeError):
        raise Trouble("bad-floors") from None
    unknown = [e for e in entries if e[0] not in GROUPS or not (e[2] in (*SHARES, *LIMITS) or _of_color(e[2]))]
    if not entries or unknown:
        raise Trouble("bad-floors")
    return entries


def _of_color(figure: str) -> bool:
    """Whether a floor is that of one colour, as `red route`."""
    color, _, kind = figure.partition(" ")
    return color_figure(kind, None if color == "empty" else color) is not None


def recorded(
    totals: Mapping[str, Mapping[str, Mapping[str, Any]]], before: object = None
) -> dict[str, dict[str, dict[str, float]]]:
    """Floors a little below what was measured now, for sources and boards; others keep those of before."""
    floors: dict[str, dict[str, dict[str, float]]] = {}
    for group, name, figure, floor in entries_of(before) if before is not None else ():
        if name not in totals.get(group, {}):
            floors.setdefault(group, {}).setdefault(name, {})[figure] = floor
    for group in ("source", "board"):
        for name, total in totals[group].items():
            mine = {f: _lowered(f, total[f]) for f in (*SHARES, *LIMITS) if total.get(f) is not None}
            floors.setdefault(group, {})[name] = {**mine, **_colors_lowered(total["colors"])}
    return {group: dict(sorted(names.items())) for group, names in floors.items()}


def _colors_lowered(colors: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    found = {}
    for name, told in colors.items():
        if told["lying"] >= _FEW:
            room = max(_ROOM_OF_COLORS, _PIECES / told["lying"])
            found[name] = max(0.0, math.floor((told["right"] - room) * 1000) / 1000)
    return found


def _lowered(figure: str, measured: float) -> float:
    room = _ROOM.get(figure, _ROOM_OF_PARTS)
    if figure in LIMITS:
        # What fails today may fail tomorrow, but nothing more.
        more = {"corner_error": round(measured + room, 2), "failed": measured}
        return more.get(figure, math.ceil(measured * 1.25) + 1)
    return max(0.0, math.floor((measured - room) * 1000) / 1000)

"""Readers that answer from truth files, with mistakes planted where a test wants them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any  # Any: JSON

import maps
from maps import Trouble
from vision.evaluation import Ask, Sheets, SheetSeen
from vision.reading import Reading, RouteReading, StationReading, share_name, technology_name

SECONDS = {"decode": 0.1, "locate": 0.3, "read": 0.2, "total": 0.6}


def truth_beside(photo: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    return told


def right_reading(truth: dict[str, Any], **wrong: str | None) -> Reading:
    """What the truth says, but for some routes."""
    board = maps.load(truth["board"])
    routes = {}
    for route in board.routes.values():
        color = wrong.get(route.id, truth["routes"][route.id])
        routes[route.id] = RouteReading(color, 0.6 if route.id in wrong else 0.97, (color,) * route.length)
    stations = {city: StationReading(color, 0.95) for city, color in (truth.get("stations") or {}).items()}
    corners = tuple((float(x), float(y)) for x, y in truth["corners"])
    return Reading("photo.jpg", board.id, corners, routes, stations, (), SECONDS)


def perfect(photo: Path, ask: Ask) -> Reading | Sheets:
    """Reads everything right."""
    truth = truth_beside(photo)
    if "routes" in truth:
        return right_reading(truth)
    found = [SheetSeen("card", c["color"], 0.9, _quad(c)) for c in truth.get("cards") or ()]
    found += [SheetSeen("ticket", t["id"], 0.9, _quad(t)) for t in truth.get("tickets") or ()]
    found += [SheetSeen("technology", technology_name(t["id"]), 0.9, _quad(t)) for t in truth.get("technologies") or ()]
    found += [
        SheetSeen("share", share_name(s["company"], s.get("number")), 0.9, _quad(s)) for s in truth.get("shares") or ()
    ]
    return Sheets(tuple(found), {"decode": 0.1, "read": 0.1, "total": 0.2})


def careless(photo: Path, ask: Ask) -> Reading | Sheets:
    """Says without doubt that the first two taken routes are empty."""
    read = perfect(photo, ask)
    if isinstance(read, Sheets):
        return Sheets(read.found[1:], read.seconds)
    truth = truth_beside(photo)
    taken = [route for route, color in truth["routes"].items() if color][:2]
    return right_reading(truth, **dict.fromkeys(taken))


def one_red_as_black(photo: Path, ask: Ask) -> Reading | Sheets:
    """Takes one red route of each board for a black one, and says that it is not sure."""
    truth = truth_beside(photo)
    red = next((route for route, color in truth["routes"].items() if color == "red"), None)
    if red is None:
        return right_reading(truth)
    return replace(right_reading(truth, **{red: "black"}), doubtful=(red,))


def clumsy(photo: Path, ask: Ask) -> Reading | Sheets:
    """Falls over photos whose name says so."""
    if "bug" in photo.stem:
        raise ZeroDivisionError("planted")
    if "nothing" in photo.stem:
        raise Trouble("no-folder", nothing_seen=True, folder="-")
    return perfect(photo, ask)


def _quad(sheet: dict[str, Any]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in sheet["quad"])

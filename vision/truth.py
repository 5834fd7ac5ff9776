"""What is wrong with the truth about a photo, if anything: whoever writes one by hand is told what to mend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any  # Any: JSON

import cv2
import numpy as np

import maps
from maps import LOCOMOTIVE, Board, Message, Trouble, message
from maps.files import COLORS

# What may lie on a table beside a board, and by what each is called.
_SHEETS = {"cards": "color", "tickets": "id", "technologies": "id", "shares": "company"}


def wrong_with(truth: object) -> Message | None:
    """The first reason why a truth file can't be used."""
    if not isinstance(truth, dict):
        return message("truth.no-object")
    if not isinstance(truth.get("photo"), str):
        return _missing("photo")
    return _of_sheets(truth) if any(field in truth for field in _SHEETS) else _of_board(truth)


def _board(name: str) -> Board | None:
    try:
        return maps.load(name)
    except Trouble:
        return None


def _missing(field: str) -> Message:
    return message("truth.missing", field=field)


def _of_board(truth: Mapping[str, Any]) -> Message | None:
    if not isinstance(truth.get("board"), str):
        return _missing("board")
    if not isinstance(truth.get("routes"), dict) or not truth["routes"]:
        return _missing("routes")
    for field, kind in (("stations", dict), ("depots", dict), ("spaces", dict), ("cut", dict), ("covered", list)):
        if not isinstance(truth.get(field) or kind(), kind):
            return message("truth.bad-field", field=field)
    cut = truth.get("cut") or {}
    for field, names in (("covered", truth.get("covered") or []), ("cut", cut.get("routes") or [])):
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            return message("truth.bad-field", field=field)
    if truth.get("corners") and not _is_quad(truth["corners"]):
        return message("truth.corners", field="corners")
    board = _board(truth["board"])
    if board is None:
        return message("truth.board", value=truth["board"])
    return _unknown(truth, board) or _spaces_off(truth, board)


def _unknown(truth: Mapping[str, Any], board: Board) -> Message | None:
    """An id or a colour that this board has not."""
    buildings = [*(truth.get("stations") or {}).items(), *(truth.get("depots") or {}).items()]
    for name in truth["routes"]:
        if name not in board.routes:
            return message("truth.id", value=name)
    for name, _ in buildings:
        if name not in board.cities:
            return message("truth.id", value=name)
    spaces = [c for told in (truth.get("spaces") or {}).values() if isinstance(told, list) for c in told]
    return _strange([*truth["routes"].values(), *(color for _, color in buildings), *spaces], board.wagon_colors)


def _strange(colors: Iterable[object], known: Iterable[str]) -> Message | None:
    strange = [c for c in colors if c is not None and c not in tuple(known)]
    return message("truth.color", value=str(strange[0])) if strange else None


def _spaces_off(truth: Mapping[str, Any], board: Board) -> Message | None:
    for name, told in (truth.get("spaces") or {}).items():
        if name not in board.routes or not isinstance(told, list) or len(told) != board.routes[name].length:
            return message("truth.spaces", value=name)
    return None


def _of_sheets(truth: Mapping[str, Any]) -> Message | None:
    for field, name in _SHEETS.items():
        sheets = truth.get(field) or []
        if not isinstance(sheets, list):
            return message("truth.bad-field", field=field)
        for sheet in sheets:
            if not isinstance(sheet, dict) or not isinstance(sheet.get(name), str):
                return _missing(f"{field}.{name}")
            if not _is_quad(sheet.get("quad")):
                return message("truth.corners", field=f"{field}.quad")
            if not isinstance(sheet.get("visible", 1), int | float):
                return message("truth.bad-field", field=f"{field}.visible")
    strange = _strange((card["color"] for card in truth.get("cards") or ()), (*COLORS, LOCOMOTIVE))
    return strange or _papers_off(truth)


def _papers_off(truth: Mapping[str, Any]) -> Message | None:
    """A ticket, a technology or a share that its board has not."""
    for field in ("tickets", "technologies", "shares"):
        for paper in truth.get(field) or ():
            of = paper.get("board") or truth.get("board")
            if not isinstance(of, str):
                return _missing(f"{field}.board")
            board = _board(of)
            if board is None:
                return message("truth.board", value=of)
            if not _on_board(paper, field, board):
                return message("truth.id", value=paper[_SHEETS[field]])
            if not isinstance(paper.get("number") or 0, int):
                return message("truth.bad-field", field=f"{field}.number")
    return None


def _on_board(paper: Mapping[str, Any], field: str, board: Board) -> bool:
    name = str(paper[_SHEETS[field]])
    if field == "tickets":
        return all(city in board.cities or city in board.places for city in name.split("--")[:2])
    return name in (board.technologies if field == "technologies" else board.companies)


def _is_quad(told: object) -> bool:
    """Whether this is four points with something between them."""
    try:
        points = np.array(told, np.float32)
    except (TypeError, ValueError):
        return False
    return points.shape == (4, 2) and bool(np.isfinite(points).all()) and cv2.contourArea(cv2.convexHull(points)) > 1

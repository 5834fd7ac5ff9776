"""What the screens ask of the camera's reader. It is loaded when it is first needed: the app opens without it."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.ui.work import Job
from maps import LOCOMOTIVE, Trouble, load

if TYPE_CHECKING:
    from vision.reading import Reading


Place = tuple[float, float]


def _vision(module: str) -> Any:
    try:
        return importlib.import_module(f"vision.{module}")
    except ImportError as error:
        raise Trouble("no-reader", reason=str(error)) from error


def read_board(
    job: Job,
    photo: Path,
    board: str | None = None,
    colors: Collection[str] | None = None,
    known: Mapping[str, str] | None = None,
) -> Reading:
    """The state of the board in a photo, with the steps told as progress."""
    job.progress(0.1)
    loader, reader = _vision("photo"), _vision("read")
    job.progress(0.2)
    picture = loader.load(photo)
    job.progress(0.4)
    reading: Reading = reader.read(picture, board_id=board, colors=colors, known=known)
    job.progress(1.0)
    return reading


def read_cards(job: Job, photo: Path, colors: Collection[str]) -> list[str]:
    """The train cards in a photo, left to right; only those this game has."""
    job.progress(0.1)
    reader, loader = _vision("cards"), _vision("photo")
    job.progress(0.3)
    found = reader.read_cards(loader.load(photo), (*colors, LOCOMOTIVE))
    job.progress(1.0)
    if not found:
        raise Trouble("no-cards", nothing_seen=True, file=photo.name)
    return [card.color for card in found]


def read_tickets(job: Job, photo: Path, board: str) -> list[str]:
    """Ids of the tickets in a photo."""
    job.progress(0.1)
    reader, loader = _vision("tickets"), _vision("photo")
    job.progress(0.3)
    found = reader.read_tickets(loader.load(photo), load(board))
    job.progress(1.0)
    if not found:
        raise Trouble("no-tickets", nothing_seen=True, file=photo.name)
    return [ticket.id for ticket in found]


def enrol(
    job: Job,
    photo: Path,
    board: str,
    corners: Sequence[Place] | None = None,
    cities: Mapping[str, Place] | None = None,
) -> None:
    """Makes a photo of the empty board this table's reference; corners and cities where a person showed them."""
    job.progress(0.2)
    _vision("enrol").enrol(photo, board, corners, cities)
    job.progress(1.0)


def scan_box(job: Job, photo: Path) -> tuple[str, str | None]:
    """The barcode of a box in a photo, and the board that it was named as before."""
    job.progress(0.2)
    codes = _vision("codes")
    found = [c.text for c in codes.decode(_vision("photo").load(photo).image) if c.kind == "barcode"]
    if not found:
        raise Trouble("no-barcode", nothing_seen=True, file=photo.name)
    return found[0], codes.board_of_box(found[0])


def name_box(barcode: str, board: str) -> None:
    """From now on this box opens that board."""
    _vision("codes").remember_box(barcode, board)


@dataclass(frozen=True)
class Seen:
    """The board in a frame of the live view: its corners in the frame's pixels, and whether it is held still."""

    corners: tuple[tuple[float, float], ...]
    steady: bool


def outline(tracker: Any, frame: Any) -> Seen | None:
    """Where the board is in a frame, None if it is not seen."""
    if tracker is None:
        return None
    try:
        found = tracker.look(frame)
    except Trouble:
        return None
    if found is None or not found.corners:
        return None
    return Seen(tuple((float(x), float(y)) for x, y in found.corners), bool(found.steady))


def tracker(board: str | None = None) -> Any:
    """Follows the board through frames, None where that can't be. Takes a moment: not for the screen's thread."""
    try:
        return _vision("live").Tracker(board)
    except Trouble:
        return None

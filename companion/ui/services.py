"""What the screens ask of the camera's reader. It is loaded when it is first needed: the app opens without it."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.ui.models.forms import SingleCard
from companion.ui.models.ticket_review import Sighting
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
    depots: bool = False,
) -> Reading:
    """The state of the board in a photo, with the steps told as progress. `depots`: whether they are played."""
    job.progress(0.1)
    loader, reader = _vision("photo"), _vision("read")
    job.progress(0.2)
    picture = loader.load(photo)
    job.progress(0.4)
    reading: Reading = reader.read(picture, board_id=board, colors=colors, known=known, depots=depots)
    job.progress(1.0)
    return reading


def read_cards(job: Job, photo: Path, colors: Collection[str]) -> list[SingleCard]:
    """The train cards in a photo, left to right, each with how sure it is; only those this game has."""
    job.progress(0.1)
    reader, loader = _vision("cards"), _vision("photo")
    job.progress(0.3)
    found = reader.read_cards(loader.load(photo), (*colors, LOCOMOTIVE))
    job.progress(1.0)
    if not found:
        raise Trouble("no-cards", nothing_seen=True, file=photo.name)
    return [SingleCard(card.color, card.confidence) for card in found]


def read_tickets(job: Job, photo: Path, board: str) -> list[Sighting]:
    """The tickets in a photo: each with what it may be, and whether that is sure."""
    job.progress(0.1)
    reader, loader = _vision("tickets"), _vision("photo")
    job.progress(0.3)
    found = reader.read_tickets(loader.load(photo), load(board))
    job.progress(1.0)
    if not found:
        raise Trouble("no-tickets", nothing_seen=True, file=photo.name)
    return [Sighting((seen.ticket, *seen.alternatives), seen.sure, seen.quad) for seen in found]


def record(picture: Path, reading: Reading, told: Mapping[str, str | None], folder: Path, session: str) -> Path:
    """Keeps a photo, without anything about its owner, with what people said lies in it."""
    writer = _vision("record")
    truth = writer.board_truth(reading, load(reading.board), told, checked=True) | {"session": session}
    try:
        data = writer.anonymous(picture.read_bytes(), picture.name)
    except OSError as error:
        raise Trouble("unreadable-file", file=picture.name, reason=error.strerror or str(error)) from error
    written: Path = writer.write_recording(folder, writer.free_name(folder, session), data, truth)
    return written


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
    found = box_in(photo)
    if found is None:
        raise Trouble("no-barcode", nothing_seen=True, file=photo.name)
    return found


def codes_in(picture: Any) -> list[Any]:
    """The codes in a photo's file or a frame of the live view."""
    image = _vision("photo").load(picture).image if isinstance(picture, Path) else picture
    found: list[Any] = _vision("codes").decode(image)
    return found


def box_in(picture: Any) -> tuple[str, str | None] | None:
    """The barcode of a box, and the board that it was named as before."""
    found = [c.text for c in codes_in(picture) if c.kind == "barcode"]
    return (found[0], _vision("codes").board_of_box(found[0])) if found else None


def game_codes_in(picture: Any) -> list[str]:
    """The texts of all QR codes."""
    return [c.text for c in codes_in(picture) if c.kind == "qr"]


def scan_game(job: Job, photo: Path) -> list[str]:
    """The QR codes in a photo; Trouble if there are none."""
    job.progress(0.2)
    found = game_codes_in(photo)
    if not found:
        raise Trouble("code-not-a-game", nothing_seen=True)
    return found


def pack(data: bytes) -> list[str]:
    """The texts of the QR codes that hold these bytes."""
    texts: list[str] = _vision("codes").pack(data)
    return texts


def unpack(texts: Sequence[str]) -> bytes:
    """What scanned codes hold; Trouble says what is wrong."""
    data: bytes = _vision("codes").unpack(texts)
    return data


def missing_codes(texts: Sequence[str]) -> list[int]:
    """Numbers of the codes still to be scanned."""
    numbers: list[int] = _vision("codes").missing(texts)
    return numbers


def code_part(text: str) -> Any:
    """What a code says about the game that it is a part of, None if it is no such code."""
    return _vision("codes").part(text)


def code_picture(text: str) -> Any:
    """A QR code in grey, one pixel per module, with its white margin."""
    return _vision("codes").qr(text)


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

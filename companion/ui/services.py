"""What the screens ask of the camera's reader. It is loaded when it is first needed: the app opens without it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion.ui.models.forms import SingleCard
from companion.ui.models.ticket_review import PaperSighting, Sighting
from companion.ui.work import Job
from maps import LOCOMOTIVE, Trouble, load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.codes import Code, Part
    from vision.event import Event, Expected
    from vision.live import Tracker
    from vision.photo import Photo
    from vision.reading import Corner, Reading

    Picture = NDArray[np.uint8]


Place = tuple[float, float]
# Routes that may be misread on an empty board.
_STRAY = 5


@dataclass(frozen=True)
class Seen:
    """The board in a frame of the live view: its corners in the frame's pixels, and whether it is held still."""

    corners: tuple[tuple[float, float], ...]
    steady: bool


class Follower(Protocol):
    """Finds the board in one frame of the live view after the other."""

    def look(self, frame: Picture, /) -> Seen | None:
        """Where the board is, None if it is not seen."""


class Reader(Protocol):
    """Reads photos. The program's own is `CameraReader`; tests and demonstrations bring another."""

    def read_board(
        self,
        job: Job,
        photo: Path,
        board: str | None = None,
        colors: Collection[str] | None = None,
        known: Mapping[str, str] | None = None,
        depots: bool = False,
        limits: Mapping[str, int] | None = None,
    ) -> Reading:
        """The state of the board in a photo, with the steps told as progress. `depots`: whether they are played;
        `limits`: how many tracks of a group may be held."""

    def read_cards(self, job: Job, photo: Path, colors: Collection[str]) -> list[SingleCard]:
        """The train cards in a photo, left to right, each with how sure it is; only those this game has."""

    def read_tickets(self, job: Job, photo: Path, board: str) -> list[Sighting | PaperSighting]:
        """The tickets, technologies and shares in a photo: each with what it may be, and whether that is sure."""

    def follower(self, board: str | None = None) -> Follower | None:
        """Follows the board, None where that can't be. Takes a moment: not for the screen's thread."""


@contextmanager
def _at_hand() -> Iterator[None]:
    """Where OpenCV or a part of the reader is missing, that is told in a sentence."""
    try:
        yield
    except ImportError as error:
        raise Trouble("no-reader", reason=str(error)) from error


class CameraReader:
    """The program's own reader."""

    def read_board(
        self,
        job: Job,
        photo: Path,
        board: str | None = None,
        colors: Collection[str] | None = None,
        known: Mapping[str, str] | None = None,
        depots: bool = False,
        limits: Mapping[str, int] | None = None,
    ) -> Reading:
        job.progress(0.1)
        with _at_hand():
            from vision.photo import load as load_photo
            from vision.read import read
        job.progress(0.2)
        picture = load_photo(photo)
        job.progress(0.4)
        reading = read(picture, board, colors, known, depots=depots, limits=lambda _: limits or {})
        job.progress(1.0)
        return reading

    def read_cards(self, job: Job, photo: Path, colors: Collection[str]) -> list[SingleCard]:
        job.progress(0.1)
        with _at_hand():
            from vision.cards import read_cards
            from vision.photo import load as load_photo
        job.progress(0.3)
        found = read_cards(load_photo(photo), (*colors, LOCOMOTIVE))
        job.progress(1.0)
        if not found:
            raise Trouble("no-cards", nothing_seen=True, file=photo.name)
        return [SingleCard(card.color, card.confidence, doubtful=card.doubtful) for card in found]

    def read_tickets(self, job: Job, photo: Path, board: str) -> list[Sighting | PaperSighting]:
        job.progress(0.1)
        with _at_hand():
            from vision.papers import read_papers
            from vision.photo import load as load_photo
        job.progress(0.3)
        found = read_papers(load_photo(photo), load(board))
        job.progress(1.0)
        if not found:
            raise Trouble("no-tickets", nothing_seen=True, file=photo.name)
        tickets = [Sighting(seen.choices, seen.sure, seen.quad) for seen in found.tickets]
        technologies = [PaperSighting("technology", t.choices, 0, t.sure, t.quad) for t in found.technologies]
        # A company that is sure needs no tap: only the number is asked.
        shares = [PaperSighting("share", s.choices, s.number or 0, s.sure_company, s.quad) for s in found.shares]
        return [*tickets, *technologies, *shares]

    def follower(self, board: str | None = None) -> Follower | None:
        try:
            with _at_hand():
                from vision.live import Tracker
            return _Follower(Tracker(board))
        except Trouble:
            return None


class _Follower:
    """The board through the frames of the live view."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker

    def look(self, frame: Picture, /) -> Seen | None:
        try:
            found = self._tracker.look(frame)
        except Trouble:
            return None
        if found is None or not found.corners:
            return None
        return Seen(tuple((float(x), float(y)) for x, y in found.corners), bool(found.steady))


@dataclass(frozen=True)
class Practice:
    """The practice game: its photo, what was read in it, and what its players hold by colour."""

    picture: Path
    reading: Reading
    told: Mapping[str, Mapping[str, object]]


def practice_photo() -> Path:
    """The photo of a finished board that comes with the program."""
    from companion.practice import FINAL

    return FINAL


def read_practice(job: Job) -> Practice:
    """Reads that photo, at a table of its own."""
    job.progress(0.1)
    with _at_hand():
        from companion.practice import FINAL, read_final, told
    held = {str(p["color"]): {k: v for k, v in p.items() if k in ("name", "tickets")} for p in told()["players"]}
    job.progress(0.3)
    reading = read_final()
    job.progress(1.0)
    return Practice(FINAL, reading, held)


class Watching(Protocol):
    """Follows a table through frames: the program's own is `vision.watcher.Watcher`."""

    @property
    def start(self) -> dict[str, str] | None: ...

    @property
    def unsure(self) -> dict[str, str]: ...

    @property
    def known(self) -> dict[str, str]: ...

    @property
    def state(self) -> str: ...

    @property
    def corners(self) -> tuple[Corner, ...]: ...

    def update(self, frame: Picture, seconds: float) -> list[Event]: ...

    def expect(self, expected: Expected) -> None: ...

    def correct(self, place: str, color: str | None) -> None: ...

    def close(self) -> None: ...


class Showing(Protocol):
    """Waits for cards that somebody shows: the program's own is `vision.shown.Shown`."""

    def look(self, frame: Picture, seconds: float) -> tuple[str, ...]: ...


# Waits for so many cards of some colours; the view without them.
Shower = Callable[["Picture", int, Sequence[str]], Showing]


def showing(before: Picture, count: int, colors: Sequence[str]) -> Showing:
    """The program's own."""
    with _at_hand():
        from vision.shown import Shown
    return Shown(before, count, (*colors, LOCOMOTIVE))


# Makes one for a board, with what is known to lie there and what the game expects.
Maker = Callable[[str, Mapping[str, str] | None, "Expected"], Watching]


def watching(board: str, known: Mapping[str, str] | None, expected: Expected) -> Watching:
    """The program's own: looks are taken on a thread of their own, so that frames go on."""
    with _at_hand():
        from vision.watcher import Watcher
    return Watcher(board, known, expected, background=True)


def record(picture: Path, reading: Reading, told: Mapping[str, str | None], folder: Path, session: str) -> Path:
    """Keeps a photo, without anything about its owner, with what people said lies in it."""
    with _at_hand():
        from vision.record import anonymous, board_truth, free_name, write_recording
    truth = board_truth(reading, load(reading.board), told, checked=True) | {"session": session}
    try:
        data = anonymous(picture.read_bytes(), picture.name)
    except OSError as error:
        raise Trouble("unreadable-file", file=picture.name, reason=error.strerror or str(error)) from error
    return write_recording(folder, free_name(folder, session), data, truth)


def enrol(
    job: Job,
    photo: Path,
    board: str,
    corners: Sequence[Place] | None = None,
    cities: Mapping[str, Place] | None = None,
) -> None:
    """Makes a photo of the empty board this table's reference; corners and cities where a person showed them."""
    job.progress(0.2)
    with _at_hand():
        from vision.enrol import enrol as learn
        from vision.read import read
    try:
        lying = len(read(photo, board).taken)
    except Trouble:
        # A board that nobody knows can't be read yet.
        lying = 0
    if lying > _STRAY:
        # Whatever lies there would be taken for its print.
        raise Trouble("enrol-not-empty", n=lying)
    job.progress(0.6)
    learn(photo, board, corners, cities, looked=True)
    job.progress(1.0)


def photo(picture: Path) -> Photo:
    """A picture to be shown: decoded as for reading, so nothing else is ever opened."""
    from vision.photo import load

    return load(picture)


def knows_board(board: str) -> bool:
    """Whether this table's own print of a board was learnt."""
    with _at_hand():
        from vision.tables import print_file
    return print_file(board).is_file()


def forget_board(board: str) -> None:
    """The board is as unknown as on the first day."""
    with _at_hand():
        from vision.tables import forget
    forget(board)


def scan_box(job: Job, photo: Path) -> tuple[str, str | None]:
    """The barcode of a box in a photo, and the board that it was named as before."""
    job.progress(0.2)
    found = box_in(photo)
    if found is None:
        raise Trouble("no-barcode", nothing_seen=True, file=photo.name)
    return found


def codes_in(picture: Path | Picture) -> list[Code]:
    """The codes in a photo's file or a frame of the live view."""
    with _at_hand():
        from vision.codes import decode
        from vision.photo import load as load_photo
    return decode(load_photo(picture).image if isinstance(picture, Path) else picture)


def box_in(picture: Path | Picture) -> tuple[str, str | None] | None:
    """The barcode of a box, and the board that it was named as before."""
    found = [c.text for c in codes_in(picture) if c.kind == "barcode"]
    with _at_hand():
        from vision.codes import board_of_box
    return (found[0], board_of_box(found[0])) if found else None


def game_codes_in(picture: Path | Picture) -> list[str]:
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
    with _at_hand():
        from vision.codes import pack as packed
    return packed(data)


def unpack(texts: Sequence[str]) -> bytes:
    """What scanned codes hold; Trouble says what is wrong."""
    with _at_hand():
        from vision.codes import unpack as unpacked
    return unpacked(texts)


def missing_codes(texts: Sequence[str]) -> list[int]:
    """Numbers of the codes still to be scanned."""
    with _at_hand():
        from vision.codes import missing
    return missing(texts)


def code_part(text: str) -> Part | None:
    """What a code says about the game that it is a part of, None if it is no such code."""
    with _at_hand():
        from vision.codes import part
    return part(text)


def code_picture(text: str) -> Picture:
    """A QR code in grey, one pixel per module, with its white margin."""
    with _at_hand():
        from vision.codes import qr
    return qr(text)


def name_box(barcode: str, board: str) -> None:
    """From now on this box opens that board."""
    with _at_hand():
        from vision.codes import remember_box
    remember_box(barcode, board)

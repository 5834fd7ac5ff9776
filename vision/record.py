"""Makes a recording: a photo without anything about its owner, and the truth about it as people told it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
from PIL import Image

from maps import LOCOMOTIVE, Board, Trouble, nearest, plain
from maps.files import COLORS
from vision.evaluation.readers import Sheets
from vision.photo import decode, kind_of, opened, orientation
from vision.reading import DEPOT, Reading
from vision.recordings import COLUMNS

# JPEG segments that change how the picture looks: JFIF, Adobe's colours, the colour profile.
_KEPT = {0xE0: b"", 0xEE: b"", 0xE2: b"ICC_PROFILE"}
_ORIENTATION = 0x0112
NOTHING = ("none", "empty", "null", "nobody", "-")


def anonymous(data: bytes, name: str = "photo") -> bytes:
    """The same picture without EXIF, position, names, thumbnails or films; only how it is turned is kept.

    A JPEG keeps its pixels exactly as they are; anything else becomes a PNG.
    """
    if kind_of(data) == "JPEG":
        with opened(data, name) as picture:
            turned = orientation(picture)
        try:
            return _stripped(data, turned)
        except ValueError:
            raise Trouble("not-a-picture", file=name) from None
    return cv2.imencode(".png", decode(data, name, full=True).image)[1].tobytes()


def _stripped(data: bytes, turned: int) -> bytes:
    """A JPEG's segments that make the picture, a small EXIF block with its orientation, and nothing after its end."""
    exif = Image.Exif()
    exif[_ORIENTATION] = turned
    block = exif.tobytes()
    parts = [b"\xff\xd8"]
    if turned != 1:
        parts.append(b"\xff\xe1" + (len(block) + 2).to_bytes(2, "big") + block)
    for marker, segment in _segments(data):
        kept = _KEPT.get(marker)
        if not (0xE0 <= marker <= 0xEF or marker == 0xFE) or (kept is not None and segment[4:].startswith(kept)):
            parts.append(segment)
    return b"".join(parts)


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Marker and bytes of each segment; the scans, up to the end of the picture, as one."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xDA:
            end = _end(data, at)
            yield marker, data[at:end]
            return
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        yield marker, data[at:end]
        at = end
    raise ValueError("no scan")


def _end(data: bytes, at: int) -> int:
    """Where the picture ends: the first end marker after its scan; inside a scan 0xFF is always escaped."""
    end = data.find(b"\xff\xd9", at)
    return len(data) if end < 0 else end + 2


def corrections(told: Sequence[str], board: Board) -> dict[str, str | None]:
    """`route=colour`, `city=colour` for a station and `city=depot-colour` as people typed them.

    Trouble names what is unknown and what may be meant.
    """
    known = (*board.routes, *board.cities)
    found: dict[str, str | None] = {}
    for one in told:
        name, value = _parts(one)
        if name not in known:
            meant = nearest(name, known)
            code = "unknown-route-or-city" if meant else "no-such-route-or-city"
            raise Trouble(code, value=name, board=board.name, meant=meant or "")
        if value in NOTHING:
            found[name] = None
            continue
        known_color(value.removeprefix(DEPOT) if name in board.cities else value, board.wagon_colors)
        found[name] = value
    return found


def known_color(value: str, known: Sequence[str]) -> str:
    """The colour, if it is one of these. Trouble names the one that may be meant."""
    if value not in known:
        meant = nearest(value, known)
        code = "unknown-color" if meant else "no-such-color"
        raise Trouble(code, value=value, meant=meant or "", known=", ".join(known))
    return value


def _parts(one: str) -> tuple[str, str]:
    name, sign, value = one.partition("=")
    if not sign or not name.strip() or not value.strip():
        raise Trouble("bad-correction", value=one)
    return name.strip(), value.strip().lower()


def board_truth(reading: Reading, board: Board, corrected: Mapping[str, str | None], checked: bool) -> dict[str, Any]:
    """What a reading says, put right. `unchecked` are doubtful places that nobody has looked at."""
    routes = {route: told.color for route, told in reading.routes.items()}
    stations = {city: told.color for city, told in reading.stations.items()}
    depots = {city: told.color for city, told in reading.depots.items()}
    for name, color in corrected.items():
        if name in board.routes:
            routes[name] = color
            continue
        # A city holds one building: whatever was read there goes.
        stations.pop(name, None)
        depots.pop(name, None)
        if color is not None:
            (depots if color.startswith(DEPOT) else stations)[name] = color.removeprefix(DEPOT)
    mixed = {
        route: list(told.spaces)
        for route, told in reading.routes.items()
        if route not in corrected and any(space != told.color for space in told.spaces)
    }
    truth: dict[str, Any] = {
        "board": board.id,
        "corners": [[round(x, 1), round(y, 1)] for x, y in reading.corners],
        "routes": routes,
        "stations": stations,
        **({"depots": depots} if depots else {}),
        "spaces": mixed,
    }
    unchecked = [] if checked else [name for name in reading.doubtful if name not in corrected]
    return {**truth, "unchecked": unchecked} if unchecked else truth


def empty_reading(board: Board, corners: Sequence[tuple[float, float]] = ()) -> Reading:
    """A first guess for a photo that could not be read: nothing lies there, and everything wants a look."""
    from vision.reading import RouteReading

    routes = {r.id: RouteReading(None, 0.0, (None,) * r.length) for r in board.routes.values()}
    return Reading("", board.id, tuple(corners), routes, doubtful=tuple(board.routes))


def sheet_truth(sheets: Sheets, told: Sequence[str], board: Board | None) -> dict[str, Any]:
    """Sheets as they were read, numbered from 1 and put right by `number=colour`, `number=ticket`, `number=technology`,
    or, for a share, `number=company` or `number=company 2`."""
    named: dict[int, str | None] = {}
    for one in told:
        number, value = _parts(one)
        if not number.isdigit() or not 1 <= int(number) <= len(sheets.found):
            raise Trouble("no-such-sheet", value=number, n=len(sheets.found))
        name = None if value in NOTHING else value
        if name is not None:
            _known_sheet(sheets.found[int(number) - 1].kind, name, board)
        named[int(number)] = name
    truth: dict[str, Any] = {"cards": [], "tickets": []}
    for i, sheet in enumerate(sheets.found, 1):
        name = named.get(i, sheet.name.removeprefix(f"{sheet.kind} "))
        if name is None:
            continue
        row: dict[str, Any] = {"quad": [[round(x, 1), round(y, 1)] for x, y in sheet.quad]}
        if sheet.kind == "card":
            row = {"color": name, **row}
        elif sheet.kind == "share":
            company, _, number = name.partition(" ")
            row = {"company": company, **({"number": int(number)} if number.isdigit() else {}), **row}
        else:
            row = {"id": name, **row}
        if sheet.kind != "card":
            row = {"board": board.id if board else None, **row}
        truth.setdefault(COLUMNS[sheet.kind], []).append(row)
    return truth


def _known_sheet(kind: str, name: str, board: Board | None) -> None:
    """Trouble, if there is no card of that colour, or nothing of that name where the names of a board are known."""
    if kind == "card":
        known_color(name, (*COLORS, LOCOMOTIVE))
        return
    if board is None:
        return
    known = {"ticket": board.tickets, "technology": board.technologies, "share": board.companies}[kind]
    if known and (name.partition(" ")[0] if kind == "share" else name) not in known:
        meant = nearest(name, tuple(known)) or next(iter(known))
        raise Trouble(f"no-such-{kind}-there", value=name, board=board.name, meant=meant)


def free_name(folder: Path, session: str) -> str:
    """The session's name with the next free number: a photo's own name may tell whose it is."""
    base = re.sub(r"\s+", "-", plain(session)) or "session"
    taken = {p.stem for p in folder.glob(f"{base}-*")} if folder.is_dir() else set()
    return next(name for n in range(1, 10_000) if (name := f"{base}-{n:02d}") not in taken)


def write_recording(folder: Path, name: str, picture: bytes, truth: Mapping[str, object]) -> Path:
    """Writes NAME.jpg (or .png) and NAME.json; gives the picture's path. Nothing is ever overwritten."""
    photo = folder / f"{name}{'.jpg' if picture.startswith(bytes([0xFF, 0xD8])) else '.png'}"
    told = folder / f"{name}.json"
    if photo.exists() or told.exists():
        raise Trouble("recording-exists", file=str(told))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        photo.write_bytes(picture)
        told.write_text(
            json.dumps({"photo": photo.name, **truth}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
    except OSError as error:
        raise Trouble("file-not-written", file=str(told), reason=error.strerror or str(error)) from error
    return photo

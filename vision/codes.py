"""QR codes and barcodes: a game from phone to phone, the barcode on a box.

zbar reads best; where it is missing OpenCV's own readers take its place, and `reader()` says so.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal  # Any: zbar and OpenCV's encoder have no types

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Trouble, user_folder
from maps.disk import write_whole
from vision.config import CODES

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]
Reader = Literal["zbar", "opencv"]

# Letters that a QR code stores densely; the order is that of base45.
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
MARK, VERSION = "COMPANION", 1
_PART = re.compile(rf"{MARK}:([0-9]{{1,4}}):([^:]{{1,40}}):([0-9]{{1,4}}):([0-9]{{1,4}}):(.{{0,8000}})", re.DOTALL)


@dataclass(frozen=True, eq=False)
class Code:
    """A code in a picture: what it says, and its corners."""

    text: str
    kind: Literal["qr", "barcode"]
    corners: Points


@lru_cache(maxsize=1)
def _zbar() -> Any:
    # zbar is a system library: missing, it shows as an ImportError or, on some systems, as an OSError.
    try:
        from pyzbar import pyzbar
    except (ImportError, OSError):
        return None
    return pyzbar


def reader() -> Reader:
    """Which reader is used here."""
    return "zbar" if _zbar() is not None else "opencv"


def decode(image: Picture, by: Reader | None = None) -> list[Code]:
    """All codes in a picture, from left to right."""
    gray = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    found = _by_zbar(gray) if (by or reader()) == "zbar" else _by_opencv(gray)
    return sorted(found, key=lambda code: tuple(code.corners.mean(0)))


def _by_zbar(gray: Picture) -> list[Code]:
    zbar = _zbar()
    wanted = [zbar.ZBarSymbol.QRCODE, zbar.ZBarSymbol.EAN13, zbar.ZBarSymbol.EAN8, zbar.ZBarSymbol.UPCA]
    found = []
    for symbol in zbar.decode(gray, symbols=wanted):
        corners = np.array([(p.x, p.y) for p in symbol.polygon], np.float64).reshape(-1, 2)
        if len(corners):
            kind: Literal["qr", "barcode"] = "qr" if symbol.type == "QRCODE" else "barcode"
            found.append(Code(symbol.data.decode("utf-8", "replace"), kind, corners))
    return found


def _by_opencv(gray: Picture) -> list[Code]:
    # Small codes are found at twice the size only, large ones sometimes at the first size only.
    twice = max(gray.shape) <= CODES.enlarge_below
    views = [(gray, 1.0)] + ([(np.asarray(cv2.resize(gray, None, fx=2, fy=2), np.uint8), 2.0)] if twice else [])
    found: dict[str, Code] = {}
    for view, scale in views:
        for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
            for text, corners in _detected(detector.detectAndDecodeMulti, view, 1, 2):
                found.setdefault(text, Code(text, "qr", corners / scale))
        # Bars drawn razor-sharp are missed as they are.
        for bars in (view, np.asarray(cv2.GaussianBlur(view, (0, 0), 1), np.uint8)):
            for text, corners in _detected(cv2.barcode.BarcodeDetector().detectAndDecodeWithType, bars, 1, 3):
                found.setdefault(text, Code(text, "barcode", corners / scale))
    return list(found.values())


def _detected(
    detect: Callable[[Picture], Sequence[Any]], view: Picture, text: int, corner: int
) -> list[tuple[str, Points]]:
    """What one of OpenCV's detectors read; `text` and `corner` are where its answer has them."""
    # A broken code makes these detectors raise instead of finding nothing.
    try:
        answer = detect(view)
    except (cv2.error, UnicodeDecodeError):
        return []
    if answer[corner] is None:
        return []
    return [(t, np.asarray(c, np.float64)) for t, c in zip(answer[text], answer[corner], strict=False) if t]


def qr(text: str) -> Picture:
    """A QR code of a text, one pixel per module, with its white margin."""
    # The type stubs of OpenCV leave the encoder out.
    encoder: Any = cv2
    params = encoder.QRCodeEncoder_Params()
    params.mode = cv2.QRCodeEncoder_MODE_ALPHANUMERIC if set(text) <= set(LETTERS) else cv2.QRCodeEncoder_MODE_BYTE
    params.correction_level = cv2.QRCodeEncoder_CORRECT_LEVEL_L
    modules = np.asarray(encoder.QRCodeEncoder_create(params).encode(text), np.uint8)
    dark = np.argwhere(modules < 128)
    (top, left), (bottom, right) = dark.min(0), dark.max(0) + 1
    return np.pad(modules[top:bottom, left:right], CODES.margin, constant_values=255)


def pack(data: bytes) -> list[str]:
    """A game as the texts of one or more QR codes: compressed, numbered, with a check of the whole.

    >>> unpack(reversed(pack(b"a game"))) == b"a game"
    True
    """
    letters = base45(zlib.compress(data, 9))
    parts = [letters[i : i + CODES.letters] for i in range(0, len(letters), CODES.letters)]
    check = f"{zlib.crc32(data):08X}"
    return [f"{MARK}:{VERSION}:{check}:{n}:{len(parts)}:{part}" for n, part in enumerate(parts, 1)]


@dataclass(frozen=True)
class Part:
    """One of the codes of a game: the `n`th of `of`; `check` is the same on all of them."""

    version: int
    check: str
    n: int
    of: int
    letters: str


def part(text: str) -> Part | None:
    """What a scanned text says if it is part of a game, else None."""
    told = _PART.fullmatch(text)
    if told is None:
        return None
    found = Part(int(told[1]), told[2], int(told[3]), int(told[4]), told[5])
    return found if 1 <= found.n <= found.of <= CODES.most_parts else None


def missing(texts: Iterable[str]) -> list[int]:
    """Numbers of the codes that are still to be scanned, of the game whose code was scanned last."""
    parts = [p for p in map(part, texts) if p is not None]
    if not parts:
        return []
    last = parts[-1]
    return sorted(set(range(1, last.of + 1)) - {p.n for p in parts if p.check == last.check})


def unpack(texts: Iterable[str]) -> bytes:
    """The game that these codes hold, in any order, some perhaps scanned twice. Trouble says what is wrong."""
    parts = [p for p in map(part, texts) if p is not None]
    if not parts:
        raise Trouble("code-not-a-game", nothing_seen=True)
    last = parts[-1]
    if last.version > VERSION:
        raise Trouble("code-too-new", version=last.version)
    mine = {p.n: p.letters for p in parts if p.check == last.check}
    lost = [n for n in range(1, last.of + 1) if n not in mine]
    if lost:
        raise Trouble("code-parts-missing", n=len(lost), parts=[str(n) for n in lost], of=last.of)
    try:
        data = _inflated(from_base45("".join(mine[n] for n in range(1, last.of + 1))))
    except (ValueError, zlib.error):
        raise Trouble("code-damaged") from None
    if f"{zlib.crc32(data):08X}" != last.check:
        raise Trouble("code-damaged")
    return data


def _inflated(data: bytes) -> bytes:
    """Unpacked data; no code of ours grows to more than a long game."""
    worker = zlib.decompressobj()
    found = worker.decompress(data, CODES.most_bytes)
    if worker.unconsumed_tail or not worker.eof:
        raise ValueError("too long or cut")
    return found


def base45(data: bytes) -> str:
    """Bytes in the letters that QR codes store densely: two bytes in three letters (RFC 9285).

    >>> base45(b"Hello!!")
    '%69 VD92EX0'
    """
    letters = []
    for i in range(0, len(data), 2):
        pair = data[i : i + 2]
        value = int.from_bytes(pair, "big")
        for _ in range(len(pair) + 1):
            value, rest = divmod(value, 45)
            letters.append(LETTERS[rest])
    return "".join(letters)


def from_base45(text: str) -> bytes:
    """The bytes of a base45 text; ValueError if it is none.

    >>> from_base45("%69 VD92EX0")
    b'Hello!!'
    """
    data = bytearray()
    for i in range(0, len(text), 3):
        group = text[i : i + 3]
        value = sum(LETTERS.index(letter) * 45**n for n, letter in enumerate(group))
        size = len(group) - 1
        if size == 0 or value >= 256**size:
            raise ValueError("not base45")
        data += value.to_bytes(size, "big")
    return bytes(data)


def _boxes_file() -> Path:
    return user_folder().parent / "boxes.json"


def boxes() -> dict[str, str]:
    """The barcodes that were named so far, and the board that each stands for."""
    try:
        known = json.loads(_boxes_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in known.items()} if isinstance(known, dict) else {}


def remember_box(barcode: str, board: str) -> None:
    """From now on the barcode of this box opens that board; Trouble if that can't be kept."""
    file = _boxes_file()
    try:
        write_whole(file, json.dumps({**boxes(), barcode: board}, indent=1, sort_keys=True))
    except OSError as error:
        raise Trouble("settings-not-written", file=str(file), reason=error.strerror or str(error)) from error


def board_of_box(barcode: str) -> str | None:
    """The board that this barcode was named as, if it ever was."""
    return boxes().get(barcode)

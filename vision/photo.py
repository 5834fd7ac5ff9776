"""Decodes a photo as it is displayed: the only place where the bytes of a stranger's picture reach a decoder.

Only the formats named here do, and only from files. Sizes are known before anything is decoded. Large JPEGs are decoded
at a reduced scale: faster, and sharp enough to read. A picture that is cut off or damaged is refused: half a board
would be read as an empty one.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: arrays of any kind of number, and what Pillow says of a file

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import BmpImagePlugin, GifImagePlugin, ImageOps, JpegImagePlugin, PngImagePlugin, TiffImagePlugin
from PIL.Image import Image

from maps import Trouble
from maps.given import read_file
from vision.config import PHOTO

Picture = NDArray[np.uint8]
_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
# Bytes: no picture with the usual tables has a tenth of that.
_HOLE = 128
# Bytes of a scan that are looked through together.
_AT_ONCE = 1 << 18
_TURNED = (5, 6, 7, 8)  # EXIF orientations that swap width and height
_ORIENTATION = 0x0112

# How each format begins. What begins otherwise never reaches a decoder, whatever its name.
_BEGINNINGS = (
    (re.compile(rb"\xff\xd8\xff"), "JPEG"),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "PNG"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "WEBP"),
    (re.compile(rb"GIF8[79]a"), "GIF"),
    (re.compile(rb"BM"), "BMP"),
    (re.compile(rb"II\*\0|MM\0\*"), "TIFF"),
)
_AVIF = {b"avif", b"avis"}
_HEIC = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"}

# What libjpeg says of harm to the picture. A few stray bytes before the end marker do none: some phones write them.
_HARM = re.compile(
    r"premature end|bad Huffman code|instead of RST|Premature end of JPEG|([2-9]|[0-9]{2,})[0-9] extraneous"
)


@dataclass(frozen=True, eq=False)
class Photo:
    """A picture as displayed (EXIF applied), BGR. `width`, `height`: its full size; `scale`: what `image` has of it.

    Positions are told in full pixels everywhere; `shrink` takes them to pixels of `image`.
    """

    image: Picture
    width: int
    height: int
    scale: float = 1.0
    seconds: float = 0.0
    path: Path | None = None

    @property
    def shrink(self) -> NDArray[np.float64]:
        """3x3: full displayed pixels to pixels of `image`, from pixel centre to pixel centre."""
        sx, sy = self.image.shape[1] / self.width, self.image.shape[0] / self.height
        return np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1]])

    def sharper(self) -> Photo:
        """The same photo at its full size, for a board that fills little of it."""
        if self.scale == 1 or self.path is None:
            return self
        return load(self.path, full=True)


def load(path: Path | str, *, full: bool = False) -> Photo:
    """Reads a picture file, at full size or as small as reading needs. Trouble says what is wrong with the file."""
    began = time.perf_counter()
    path = Path(path)
    photo = decode(picture_bytes(path), path.name, full=full)
    return Photo(photo.image, photo.width, photo.height, photo.scale, time.perf_counter() - began, path)


def picture_bytes(path: Path) -> bytes:
    """The bytes of a picture's file. Trouble if there is none, or it is a device, a pipe, or too large."""
    try:
        data = read_file(path, PHOTO.most_bytes)
    except FileNotFoundError:
        raise Trouble("no-file", file=str(path)) from None
    except IsADirectoryError:
        raise Trouble("is-folder", file=str(path)) from None
    except (OSError, ValueError) as error:
        number = getattr(error, "errno", None)
        if number == errno.EINVAL:
            raise Trouble("not-a-file", file=str(path)) from None
        if number == errno.EFBIG:
            raise Trouble("picture-too-heavy", file=str(path), megabytes=PHOTO.most_bytes // 10**6) from None
        raise Trouble("unreadable-file", file=str(path), reason=getattr(error, "strerror", "") or str(error)) from None
    if not data:
        raise Trouble("empty-file", file=str(path))
    return data


def decode(data: bytes, name: str = "photo", *, full: bool = False) -> Photo:
    """A picture from the bytes of its file."""
    began = time.perf_counter()
    kind = kind_of(data)
    if kind == "HEIC":
        return _heic(data, name, full, began)
    with opened(data, name, kind) as header:
        width, height = header.size
        if orientation(header) in _TURNED:
            width, height = height, width
    _check_size(width, height, name)
    step = _step(width, height, full)
    if kind == "JPEG":
        _check_jpeg(data, name)
        image = _pixels(data, name, kind, _REDUCED[step])
    else:
        if width * height > PHOTO.most_pixels:
            raise _too_large(width, height, name)
        image = _reduced(_pixels(data, name, kind, _REDUCED[1]), step)
    return Photo(image, width, height, 1 / step, time.perf_counter() - began)


def _step(width: int, height: int, full: bool) -> int:
    """By how much a picture is reduced: what is left has more pixels than a reading needs, and fits into memory."""
    step = 1
    while not full and step < 8 and max(width, height) / (2 * step) >= PHOTO.reduced_side:
        step *= 2
    while step < 8 and width * height > PHOTO.most_kept * step * step:
        step *= 2
    return step


def _reduced(image: Picture, step: int) -> Picture:
    """Only the JPEG decoder reduces by itself."""
    if step == 1:
        return image
    size = (-(-image.shape[1] // step), -(-image.shape[0] // step))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def of_image(image: Picture) -> Photo:
    """A picture that is in memory already: a camera frame or one that was drawn."""
    if image.ndim == 2:
        image = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    return Photo(image, image.shape[1], image.shape[0])


def kind_of(data: bytes) -> str:
    """The format of a picture by its first bytes; empty for everything that we do not open."""
    if data[4:8] == b"ftyp":
        length = min(int.from_bytes(data[:4], "big"), 256)
        brands = {data[8:12], *(data[i : i + 4] for i in range(16, length, 4))}
        return "AVIF" if brands & _AVIF else "HEIC" if brands & _HEIC else ""
    return next((kind for begin, kind in _BEGINNINGS if begin.match(data)), "")


@lru_cache(maxsize=1)
def _openers() -> dict[str, Callable[[io.BytesIO], Image]]:
    """Pillow's reader of each format, asked directly: nothing is guessed, and no other reader is ever tried."""
    found: dict[str, Any] = {
        "JPEG": JpegImagePlugin.JpegImageFile,
        "PNG": PngImagePlugin.PngImageFile,
        "GIF": GifImagePlugin.GifImageFile,
        "BMP": BmpImagePlugin.BmpImageFile,
        "TIFF": TiffImagePlugin.TiffImageFile,
    }
    try:
        from PIL import WebPImagePlugin

        found["WEBP"] = WebPImagePlugin.WebPImageFile
        from PIL import AvifImagePlugin

        # Missing codecs show when the first picture is opened.
        found["AVIF"] = AvifImagePlugin.AvifImageFile
    except ImportError:
        pass
    return found


@contextmanager
def opened(data: bytes, name: str, kind: str | None = None) -> Iterator[Image]:
    """A picture with its header read and nothing decoded yet; Trouble for whatever goes wrong with it."""
    kind = kind_of(data) if kind is None else kind
    opener = _openers().get(kind)
    if opener is None:
        raise Trouble("picture-heic" if kind in ("AVIF", "HEIC") else "not-a-picture", file=name)
    with _quiet(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            picture = opener(io.BytesIO(data))
        except Exception:
            raise Trouble("not-a-picture", file=name) from None
        try:
            with picture:
                yield picture
        except Trouble:
            raise
        except MemoryError:
            raise _too_large(*picture.size, name) from None
        except Exception:
            # Decoders raise whatever they like over what is damaged.
            raise Trouble("picture-cut", file=name) from None


def orientation(picture: Image) -> int:
    """How the camera was held, as EXIF counts it; 1 where nothing is told."""
    try:
        return int(picture.getexif().get(_ORIENTATION, 1))
    except Exception:
        # Damaged notes about a picture do it no harm.
        return 1


def upright(picture: Image) -> Image:
    """All of a picture as it is displayed, in RGB."""
    try:
        # In place: a copy of a large picture is a hundred megabytes.
        ImageOps.exif_transpose(picture, in_place=True)
    except Exception as error:
        # Damaged notes about a picture do it no harm.
        if isinstance(error, (OSError, MemoryError)):
            raise
    return picture if picture.mode == "RGB" else picture.convert("RGB")


def _check_size(width: int, height: int, name: str) -> None:
    if min(width, height) < PHOTO.least_side:
        raise Trouble("picture-too-small", nothing_seen=True, file=name, width=width, height=height)
    if width * height > PHOTO.most_in_file:
        raise _too_large(width, height, name)


def _too_large(width: int, height: int, name: str) -> Trouble:
    return Trouble("picture-too-large", file=name, megapixels=round(width * height / 1e6))


@dataclass
class _Jpeg:
    """What the segments of a JPEG say before its first scan, which begins at `scan` (0: nowhere)."""

    scan: int = 0
    progressive: bool = False
    pixels: int = 0
    # The first symbol of each Huffman table, by class (0 for DC, 1 for AC) and number: what zero bits mean.
    zeros: dict[int, int] = field(default_factory=dict)


def _check_jpeg(data: bytes, name: str) -> None:
    """Trouble if a JPEG is cut off, has a hole, or would take too long or too much memory."""
    told = _segments(data)
    end, scans = _scanned(data, told.scan) if told.scan else (-1, 0)
    if end < 0 or _hole(data, told, end):
        raise Trouble("picture-cut", file=name)
    if scans > PHOTO.most_scans:
        raise Trouble("picture-many-scans", file=name, n=scans)
    if told.progressive and told.pixels > PHOTO.most_progressive:
        raise Trouble("picture-too-large", file=name, megapixels=round(told.pixels / 1e6))


def _scanned(data: bytes, start: int) -> tuple[int, int]:
    """Where the picture ends (-1: nowhere), and how many scans begin before that.

    Within a scan 0xFF is always followed by 0 or by the number of a restart. Searching the bytes for each marker took
    a tenth of the decoding; a part at a time, since a stranger's file may be nothing but markers.
    """
    packed, scans = np.frombuffer(data, np.uint8), 0
    for first in range(start, len(data), _AT_ONCE):
        part = packed[first : first + _AT_ONCE + 1]
        at = np.flatnonzero(part[:-1] == 0xFF)
        markers = part[at + 1]
        ends = np.flatnonzero(markers == 0xD9)
        scans += int(np.count_nonzero(markers[: ends[0]] == 0xDA if len(ends) else markers == 0xDA))
        if len(ends):
            return first + int(at[ends[0]]), scans
    return -1, scans


def _segments(data: bytes) -> _Jpeg:
    told, at = _Jpeg(), 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xDA:
            told.scan = at
            return told
        if marker == 0xFF or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
            continue
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0xC4:
            table = at + 4
            while table + 17 < min(end, len(data)):
                told.zeros[data[table]] = data[table + 17]
                table += 17 + sum(data[table + 1 : table + 17])
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC8, 0xCC):
            told.progressive = marker not in (0xC0, 0xC1)
            told.pixels = int.from_bytes(data[at + 5 : at + 7], "big") * int.from_bytes(data[at + 7 : at + 9], "big")
        at = end
    return told


def _hole(data: bytes, told: _Jpeg, end: int) -> bool:
    """Whether a stretch of zeros lies in the scan, as a disk leaves where it lost something: libjpeg may not notice."""
    if told.progressive or told.scan + 8 > len(data):
        return False
    tables = data[told.scan + 6]
    flat = told.zeros.get(tables >> 4) == 0 and told.zeros.get(0x10 | tables & 15) == 0
    # With tables of its own a plain surface may well be all zeros.
    return not flat and data.find(bytes(_HOLE), told.scan, end) >= 0


def _pixels(data: bytes, name: str, kind: str, flags: int) -> Picture:
    image = None
    # GIF and AVIF are left to Pillow: not every OpenCV has them.
    if kind not in ("GIF", "AVIF"):
        with _quiet() as heard:
            try:
                image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
            except (cv2.error, MemoryError):
                image = None
        if (
            kind == "JPEG"
            and image is not None
            and (_HARM.search(heard.text) or _grey_end(np.asarray(image, np.uint8)))
        ):
            raise Trouble("picture-cut", file=name)
    if image is not None:
        return np.asarray(image, np.uint8)
    with opened(data, name, kind) as picture:
        found = np.array(upright(picture), np.uint8)
        return np.asarray(cv2.cvtColor(found, cv2.COLOR_RGB2BGR, dst=found), np.uint8)


def _grey_end(image: NDArray[Any]) -> bool:
    """Where the decoder's word can't be heard (Windows): whether the last rows are the grey of missing data."""
    return not _HEARS and bool((np.abs(image[-8:].astype(np.int16) - 128) <= 1).all())


def _heic(data: bytes, name: str, full: bool, began: float) -> Photo:
    """A picture as iPhones take it; the library turns it upright itself."""
    try:
        import pillow_heif
    except ImportError:
        raise Trouble("picture-heic", file=name) from None
    try:
        with _quiet():
            held = pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True, bgr_mode=True)
            width, height = held.size
            _check_size(width, height, name)
            if width * height > PHOTO.most_heic:
                raise _too_large(width, height, name)
            image = np.asarray(held)
    except Trouble:
        raise
    except MemoryError:
        raise Trouble("picture-too-large", file=name, megapixels=round(len(data) / 1e6)) from None
    except Exception:
        raise Trouble("picture-cut", file=name) from None
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    step = _step(width, height, full)
    whole = _reduced(np.ascontiguousarray(image[..., :3], np.uint8), step)
    return Photo(whole, width, height, 1 / step, time.perf_counter() - began)


@dataclass
class _Heard:
    text: str = ""


# One listener at a time: the terminal belongs to the whole program.
_LISTENING = threading.RLock()
_HEARS = os.name != "nt"


@contextmanager
def _quiet() -> Iterator[_Heard]:
    """Keeps what the decoders mutter off the terminal, and gives it to whoever wants to know.

    libjpeg tells of damage in no other way: OpenCV decodes on and returns a picture.
    """
    heard = _Heard()
    with _LISTENING:
        try:
            if not _HEARS:
                raise OSError
            terminal = os.dup(2)
        except OSError:
            # No terminal, nobody to disturb.
            yield heard
            return
        source, sink = os.pipe()
        # More than a pipe holds is dropped: the decoder never waits.
        os.set_blocking(source, False)
        os.set_blocking(sink, False)
        if sys.stderr is not None:
            sys.stderr.flush()
        os.dup2(sink, 2)
        os.close(sink)
        try:
            yield heard
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)
            with suppress(BlockingIOError):
                heard.text = os.read(source, 1 << 16).decode(errors="replace")
            os.close(source)

"""Decodes a photo as it is displayed. Large JPEGs are decoded at a reduced scale: faster, and sharp enough to read."""

from __future__ import annotations

import io
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from maps import Trouble
from vision.config import PHOTO

Picture = NDArray[np.uint8]
_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
_TURNED = (5, 6, 7, 8)  # EXIF orientations that swap width and height


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
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise Trouble("no-file", file=str(path)) from None
    except IsADirectoryError:
        raise Trouble("is-folder", file=str(path)) from None
    except OSError as error:
        raise Trouble("unreadable-file", file=str(path), reason=error.strerror or str(error)) from None
    if not data:
        raise Trouble("empty-file", file=str(path))
    photo = decode(data, path.name, full=full)
    return Photo(photo.image, photo.width, photo.height, photo.scale, time.perf_counter() - began, path)


def decode(data: bytes, name: str = "photo", *, full: bool = False) -> Photo:
    """A picture from the bytes of its file."""
    began = time.perf_counter()
    width, height, kind = _header(data, name)
    if min(width, height) < PHOTO.least_side:
        raise Trouble("picture-too-small", nothing_seen=True, file=name, width=width, height=height)
    if kind == "JPEG" and not _complete_jpeg(data):
        raise Trouble("picture-cut", file=name)
    step = 1
    # Only the JPEG decoder gains time by reducing; what it leaves still has more pixels than a reading needs.
    while kind == "JPEG" and not full and step < 8 and max(width, height) / (2 * step) >= PHOTO.reduced_side:
        step *= 2
    if width * height > PHOTO.most_pixels * step * step:
        raise Trouble("picture-too-large", file=name, megapixels=round(width * height / 1e6))
    image = _pixels(data, name, _REDUCED[step])
    return Photo(image, width, height, 1 / step, time.perf_counter() - began)


def of_image(image: Picture) -> Photo:
    """A picture that is in memory already: a camera frame or one that was drawn."""
    if image.ndim == 2:
        image = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    return Photo(image, image.shape[1], image.shape[0])


def _header(data: bytes, name: str) -> tuple[int, int, str]:
    """Displayed width and height and the format, without decoding."""
    if data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"hevc", b"mif1", b"msf1"):
        raise Trouble("picture-heic", file=name)
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data)) as header:
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            width, height = header.size
            if header.getexif().get(0x0112, 1) in _TURNED:
                width, height = height, width
            return width, height, header.format or ""
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise Trouble("not-a-picture", file=name) from None


def _complete_jpeg(data: bytes) -> bool:
    """Whether the picture's end marker is there: the thumbnail inside the header has one of its own."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xDA:
            return data.find(b"\xff\xd9", at) >= 0
        at += 2 if marker == 0xFF or 0xD0 <= marker <= 0xD8 else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return False


def _pixels(data: bytes, name: str, flags: int) -> Picture:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        image = None
    if image is not None:
        return np.asarray(image, np.uint8)
    # GIF and other formats that OpenCV was built without.
    try:
        with Image.open(io.BytesIO(data)) as picture:
            upright = ImageOps.exif_transpose(picture).convert("RGB")
            return np.ascontiguousarray(np.asarray(upright, np.uint8)[..., ::-1])
    except (OSError, ValueError, SyntaxError, EOFError):
        raise Trouble("picture-cut", file=name) from None

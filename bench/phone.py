"""What one photo of 12 megapixels costs a phone: one thread, no onnxruntime, and the memory of the whole process.

`python -m bench.phone [PHOTO]` prints the rows: the practice photo, enlarged, and a phone's photo of the USA board
where one is beside the checkout.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import cv2

from bench import Row, text
from bench.alone import Alone, alone
from companion import practice
from vision.classify import Engine

# What a small phone may be asked for.
MOST_MEGABYTES = 280
WANTED_DECODINGS = 5
PIXELS = 12_200_000
ENGINE: Engine = "opencv"
PHOTO = Path(__file__).resolve().parents[2] / "shared" / "photos" / "usa" / "IMG_4165.jpg"


def large_photo(folder: Path) -> Path:
    """The practice photo in the size of a phone's camera."""
    image = cv2.imread(str(practice.FINAL))
    assert image is not None
    high, wide = image.shape[:2]
    scale = (PIXELS / (high * wide)) ** 0.5
    file = folder / "photo.jpg"
    cv2.imwrite(str(file), cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC))
    return file


def practice_read(times: int = 9) -> Alone:
    """The enlarged practice photo, read at its own table."""
    with tempfile.TemporaryDirectory() as folder, practice.practice_table():
        return alone(large_photo(Path(folder)), practice.BOARD, ENGINE, times)


def run(photo: Path = PHOTO) -> list[Row]:
    """Rows of name, value, unit and ratio; a ratio over 1 means better than what the row names."""
    name = "12 megapixels on one thread, by cv2.dnn"
    rows = practice_read().rows(f"{name}, practice photo", WANTED_DECODINGS, MOST_MEGABYTES)
    if photo.is_file():
        rows += alone(photo, "usa", ENGINE).rows(f"{name}, a phone's photo", WANTED_DECODINGS, MOST_MEGABYTES)
    return rows


if __name__ == "__main__":
    print(text({"rows": [{"part": "phone", **r} for r in run(*map(Path, sys.argv[1:]))]}))

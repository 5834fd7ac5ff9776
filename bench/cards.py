"""How fast cards and tickets are read: a tunnel draw to its cards, against a second on the same machine.

`python -m bench.cards` prints the rows. The yardstick is one pass of a fixed blur over the same picture.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import cards, codes, photo, sheets

# What the project promises: a photo of a tunnel draw to its answer in under a second.
MOST_SECONDS = 1.0


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and ratio; a ratio over 1 means faster than what the row names."""
    picture = _table()
    seen = photo.of_image(picture)
    blur = _best(lambda: cv2.GaussianBlur(picture, (0, 0), 12))
    finding, reading = _best(lambda: sheets.find(picture)), _best(lambda: cards.read_cards(seen))
    text = codes.pack(bytes(range(200)))[0]
    code = np.asarray(cv2.resize(codes.qr(text), None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST), np.uint8)
    return [
        _row("cards: three cards read, against one second", reading, MOST_SECONDS / reading),
        _row("cards: finding alone, against the whole reading", finding, reading / finding),
        _row("cards: the whole reading, against a wide blur of the photo", reading, blur / reading),
        _row(
            "codes: one QR code decoded, against one second", (t := _best(lambda: codes.decode(code))), MOST_SECONDS / t
        ),
    ]


def _table() -> NDArray[np.uint8]:
    """A drawn table with three cards, as large as a phone's photo after decoding."""
    picture = np.full((1200, 1600, 3), (60, 95, 130), np.uint8)
    for n, color in enumerate([(40, 40, 200), (60, 160, 60), (190, 120, 40)]):
        x, y = 250 + 400 * n, 450
        cv2.rectangle(picture, (x, y), (x + 330, y + 212), (245, 245, 245), -1)
        cv2.rectangle(picture, (x + 12, y + 12), (x + 318, y + 200), color, -1)
        cv2.rectangle(picture, (x + 60, y + 80), (x + 270, y + 150), (30, 30, 30), 4)
    return picture


def _best(work: Callable[[], object], tries: int = 3) -> float:
    times = []
    for _ in range(tries):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def _row(name: str, seconds: float, ratio: float) -> dict[str, Any]:
    return {"name": name, "value": round(1000 * seconds, 1), "unit": "ms", "ratio": round(ratio, 2)}


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']}: {row['value']} {row['unit']}, ratio {row['ratio']}")

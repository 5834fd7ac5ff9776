"""How fast cards and tickets are read: a tunnel draw to its cards, a photo of tickets to their names.

`python -m bench.cards` prints the rows. Cards are measured against a second and against a fixed blur of their picture;
tickets against what a table waits for: processor time of one thread, from a file of 12 megapixels on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

import maps
from vision import cards, codes, photo, sheets

# What the project promises: a photo of a tunnel draw to its answer in under a second.
MOST_SECONDS = 1.0
# And photos of so many tickets in so many seconds, with all that has to be loaded.
MOST_FOR_TICKETS = {5: 1.5, 10: 2.5}
_READ = """
import json, sys, time
import cv2
cv2.setNumThreads(1)
import maps
from vision.papers import read_papers
from vision.photo import load
times = []
for _ in range(3):
    began = time.process_time()
    seen = read_papers(load(sys.argv[1]), maps.load("usa"))
    times.append(time.process_time() - began)
print(json.dumps({"cold": times[0], "warm": min(times[1:]), "sure": sum(t.sure for t in seen.tickets)}))
"""


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
        *(row for count, most in MOST_FOR_TICKETS.items() for row in _tickets(count, most)),
    ]


def _tickets(count: int, most: float) -> list[dict[str, Any]]:
    """Drawn tickets read by a process of their own, the first time and again."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tickets.jpg"
        cv2.imwrite(str(file), _laid_out(count))
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        ran = subprocess.run(
            [sys.executable, "-c", _READ, str(file)],
            env={**os.environ, **one},
            cwd=Path(__file__).parent.parent,
            capture_output=True,
            text=True,
            check=True,
        )
    told = json.loads(ran.stdout)
    if told["sure"] != count:
        raise RuntimeError(f"{told['sure']} of {count} drawn tickets were read: their time says nothing")
    return [
        _row(f"tickets: {count} with loading, one thread, against {most} s", told["cold"], most / told["cold"]),
        _row(f"tickets: {count} once all is loaded, one thread, against {most} s", told["warm"], most / told["warm"]),
    ]


def _laid_out(count: int) -> NDArray[np.uint8]:
    """As many tickets of the USA as a photo of 12 megapixels shows, drawn plainly."""
    board = maps.load("usa")
    page = Image.new("RGB", (4032, 3024), (84, 62, 44))
    draw = ImageDraw.Draw(page)
    columns = 2 if count <= 5 else 3
    rows = -(-count // columns)
    wide = min(4032 // columns, int(3024 / rows * 1.5)) - 90
    high = int(wide / 1.55)
    for n, ticket in enumerate(list(board.tickets.values())[:count]):
        x, y = 60 + (n % columns) * (4032 // columns), 50 + (n // columns) * (3024 // rows)
        draw.rectangle((x, y, x + wide, y + high), fill=(236, 226, 205), outline=(120, 70, 30), width=12)
        names = " - ".join(board.place_name(end, "en").upper() for end in (ticket.a, ticket.b))
        draw.text((x + wide / 2, y + 0.08 * high), names, fill=(90, 20, 20), font_size=wide // 20, anchor="mt")
        draw.line((x + 0.3 * wide, y + 0.7 * high, x + 0.6 * wide, y + 0.4 * high), fill=(30, 60, 160), width=16)
        draw.text(
            (x + 0.88 * wide, y + 0.8 * high), str(ticket.points), fill=(20, 20, 60), font_size=wide // 9, anchor="mm"
        )
    return np.ascontiguousarray(np.asarray(page, np.uint8)[..., ::-1])


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

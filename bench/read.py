"""How fast a 12-megapixel photo is read, against the time that OpenCV takes to decode it whole in the same run.

`python -m bench.read [PHOTO]` prints the rows; without a photo it reads one of the shared ones, or where there are none
a drawn one at the practice table.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np

import maps
from bench import text
from bench.alone import alone
from bench.start import peak
from companion.practice import BOARD, practice_table
from vision import classify, decide, patches
from vision.locate import locate
from vision.photo import load
from vision.read import View, read
from vision.studio import Pose, practice, write

# What is wanted of a photo of a board that is told: three decodings on one thread and 350 MB; of one that is not, on
# all of them: five decodings by the clock, two seconds from a cold start, 600 MB.
WANTED_DECODINGS = 3
WANTED_MEGABYTES = 350
MOST_DECODINGS = 5
COLD_SECONDS = 2
MOST_MEGABYTES = 600
PHOTO = Path(__file__).resolve().parents[2] / "shared" / "photos" / "usa" / "IMG_4165.jpg"
_BOARD = "usa"
_COLD = "from vision.read import read; import sys; read(sys.argv[1])"


def run(photo: Path = PHOTO) -> list[dict[str, Any]]:
    """Rows of name, value, unit and ratio; a ratio over 1 means better than what the row names."""
    if photo.is_file():
        told = alone(photo, _BOARD, "onnxruntime")
        rows = told.rows("one photo on one thread, board told", WANTED_DECODINGS, WANTED_MEGABYTES)
        return rows + _measured(photo)
    with practice_table(), tempfile.TemporaryDirectory() as folder:
        image, truth = practice(BOARD, 1, size=(4000, 3000), pose=Pose(15, 0, 0.9), light="neutral")
        return _measured(write(Path(folder), "drawn", image, truth))


def _measured(photo: Path) -> list[dict[str, Any]]:
    data = np.frombuffer(photo.read_bytes(), np.uint8)
    read(photo)
    # By turns, so that whatever else the machine does falls on both alike.
    turns = [(_seconds(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR)), _seconds(lambda: read(photo))) for _ in range(7)]
    decoding, whole = min(t[0] for t in turns), min(t[1] for t in turns)
    start = [sys.executable, "-c", _COLD, str(photo)]
    cold = min(_seconds(lambda: subprocess.run(start, check=True)) for _ in range(3))
    rows = [
        *(
            _row(f"one photo, any board, by the clock, against {n} decodings", whole, n * decoding / whole)
            for n in (MOST_DECODINGS, WANTED_DECODINGS)
        ),
        _row(f"from a cold start, against {COLD_SECONDS} s", cold, COLD_SECONDS / cold),
        *(_row(f"  of it: {name}, against one decoding", value, decoding / value) for name, value in _stages(photo)),
    ]
    memory = peak(f"from vision.read import read; read({str(photo)!r})")
    rows.append({"name": f"memory, against {MOST_MEGABYTES} MB", "value": round(memory), "unit": "MB",
                 "ratio": round(MOST_MEGABYTES / memory, 1)})  # fmt: skip
    return rows


def _stages(photo: Path) -> list[tuple[str, float]]:
    """The steps of a reading, each timed alone."""
    picture = load(photo)
    located = locate(picture)
    board = maps.load(located.board_id)
    view = View(picture, located, board)
    scene, nets = view.scene, classify.Nets()
    homography = picture.shrink @ located.homography
    found = patches.on_spaces(scene)
    seen = decide.Evidence(view.on_spaces())
    bare = np.ones(len(found), np.float32)
    steps: list[tuple[str, Callable[[], object]]] = [
        ("decode", lambda: load(photo)),
        ("locate", lambda: locate(picture)),
        (
            "measure the light",
            lambda: patches.scene(picture.image, homography, board, scene.reference, located.warp),
        ),
        ("sample patches, light evened", lambda: patches.on_spaces(scene)),
        ("what bare prints look like", lambda: patches.twins(found.foot, scene.layout, bare, found.printed)),
        ("a glance at every space", lambda: [nets("board/glance")(*batch) for batch in found.batches()]),
        ("a closer look at every space", lambda: [nets("board/spaces")(*batch) for batch in found.batches()]),
        ("decide", lambda: decide.decided(board, seen, None, scene.layout)),
    ]
    return [(name, min(_seconds(step) for _ in range(5))) for name, step in steps]


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _row(name: str, seconds: float, ratio: float) -> dict[str, Any]:
    return {"name": name, "value": round(1000 * seconds, 1), "unit": "ms", "ratio": round(ratio, 2)}


if __name__ == "__main__":
    print(text({"rows": [{"part": "read", **r} for r in run(*map(Path, sys.argv[1:]))]}))

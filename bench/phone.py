"""What one photo of 12 megapixels costs a phone: one thread, no onnxruntime, and the memory of the whole process.

`python -m bench.phone [PHOTO]` prints the rows; without a photo it reads the practice photo, enlarged.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any  # Any: JSON

import cv2

from companion import practice

# What a small phone may be asked for.
MOST_MEGABYTES = 280
WANTED_DECODINGS = 5
PIXELS = 12_200_000
# VmHWM, not ru_maxrss: that one starts with the memory of whoever started the process.
_READ = """
import json, sys, time
import cv2
cv2.setNumThreads(1)
import numpy as np
from vision.read import read
began = time.process_time()
read(sys.argv[1], "europe")
cold = time.process_time() - began
status = open("/proc/self/status", encoding="ascii").read()
peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
data = np.frombuffer(open(sys.argv[1], "rb").read(), np.uint8)
def best(work):
    times = []
    for _ in range(int(sys.argv[2])):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times, default=0)
warm = best(lambda: read(sys.argv[1], "europe"))
decoding = best(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR))
print(json.dumps({"megabytes": peak, "cold": cold, "warm": warm, "decoding": decoding}))
"""


def large_photo(folder: Path) -> Path:
    """The practice photo in the size of a phone's camera."""
    image = cv2.imread(str(practice.FINAL))
    assert image is not None
    high, wide = image.shape[:2]
    scale = (PIXELS / (high * wide)) ** 0.5
    file = folder / "photo.jpg"
    cv2.imwrite(str(file), cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC))
    return file


def alone(photo: Path, times: int = 5) -> dict[str, float]:
    """Processor seconds and megabytes of reading a photo in a process of its own, with what a phone has.

    `times`: how often it is read again with the models loaded; the best one counts.
    """
    one = {"COMPANION_ENGINE": "opencv", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", _READ, str(photo), str(times)]
    done = subprocess.run(command, env={**os.environ, **one}, capture_output=True, text=True, check=True)
    told: dict[str, float] = json.loads(done.stdout)
    return told


def practice_read(times: int = 5) -> dict[str, float]:
    """The enlarged practice photo, read at its own table."""
    with tempfile.TemporaryDirectory() as folder, practice.practice_table():
        return alone(large_photo(Path(folder)), times)


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and ratio; a ratio over 1 means better than what the row names."""
    told = practice_read()
    warm, decoding, memory = told["warm"], told["decoding"], told["megabytes"]
    return [
        {"name": f"12 megapixels on one thread, by cv2.dnn, against {WANTED_DECODINGS} decodings",
         "value": round(1000 * warm, 1), "unit": "ms", "ratio": round(WANTED_DECODINGS * decoding / warm, 2)},
        {"name": f"memory of that, against {MOST_MEGABYTES} MB",
         "value": round(memory), "unit": "MB", "ratio": round(MOST_MEGABYTES / memory, 2)},
    ]  # fmt: skip


if __name__ == "__main__":
    print(alone(Path(sys.argv[1])) if len(sys.argv) > 1 else practice_read())

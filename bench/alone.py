"""A photo read in a process of its own on one thread, against decoding it there by turns, in processor time."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench import Row, row
from vision.classify import Engine

# VmHWM, not ru_maxrss: that one starts with the memory of whoever started the process.
_READ = """
import json, os, sys, time
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import cv2
cv2.setNumThreads(1)
import numpy as np
from vision.read import read
photo, board, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
def seconds(work):
    began = time.process_time()
    work()
    return time.process_time() - began
cold = seconds(lambda: read(photo, board))
status = open("/proc/self/status", encoding="ascii").read()
peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
data = np.frombuffer(open(photo, "rb").read(), np.uint8)
turns = [
    (seconds(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR)), seconds(lambda: read(photo, board))) for _ in range(times)
]
print(json.dumps({"megabytes": peak, "cold": cold, "turns": turns}))
"""
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Alone:
    """Megabytes, and processor seconds: of the first reading with loading, of later turns (decoding, reading)."""

    megabytes: float
    cold: float
    turns: tuple[tuple[float, float], ...]

    @property
    def decodings(self) -> list[float]:
        """How many decodings a reading took, turn by turn, the fewest first."""
        return sorted(reading / decoding for decoding, reading in self.turns)

    def rows(self, name: str, wanted: int, most_megabytes: int) -> list[Row]:
        """The median against what is wanted, its spread, the first reading, and the memory."""
        taken = self.decodings
        median = statistics.median(taken)
        reading = statistics.median(reading for _, reading in self.turns)
        return [
            row(f"{name}, against {wanted} decodings", 1000 * reading, "ms", wanted / median),
            row("  decodings that it took, the median", median, f"({taken[0]:.1f} to {taken[-1]:.1f})"),
            row("  the first one, with loading and checking the models", 1000 * self.cold, "ms"),
            row(f"  memory, against {most_megabytes} MB", self.megabytes, "MB", most_megabytes / self.megabytes),
        ]


def alone(photo: Path, board: str, engine: Engine, times: int = 9) -> Alone:
    """Reads a photo of a board that is told, with all but one thread switched off."""
    command = [sys.executable, "-c", _READ, str(photo), board, str(times)]
    environment = {**os.environ, **_ONE_THREAD, "COMPANION_ENGINE": engine}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    return Alone(told["megabytes"], told["cold"], tuple((d, r) for d, r in told["turns"]))

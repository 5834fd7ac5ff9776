"""A photo read in a process of its own on one thread, against decoding it in another by turns, in processor time."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench import Row, row
from vision.classify import Engine

_BEGIN = """
import os, sys, time
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import cv2
cv2.setNumThreads(1)
def seconds(work):
    began = time.process_time()
    work()
    return time.process_time() - began
"""
# VmHWM, not ru_maxrss: that one starts with the memory of whoever started the process.
_READ = """
from vision.read import read
print(seconds(lambda: read(*sys.argv[1:])))
status = open("/proc/self/status", encoding="ascii").read()
print(int(status.split("VmHWM:")[1].split()[0]) / 1024, flush=True)
for _ in sys.stdin:
    print(seconds(lambda: read(*sys.argv[1:])), flush=True)
"""
# In a process of its own, as any program decodes: what a reading keeps of its memory would serve it, too.
_DECODE = """
import numpy as np
data = np.fromfile(sys.argv[1], np.uint8)
print(seconds(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR)), flush=True)
for _ in sys.stdin:
    print(seconds(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR)), flush=True)
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
    environment = {**os.environ, **_ONE_THREAD, "COMPANION_ENGINE": engine}
    with (
        _started(_READ, environment, str(photo), board) as reader,
        _started(_DECODE, environment, str(photo)) as decoder,
    ):
        cold, megabytes = _told(reader), _told(reader)
        _told(decoder)
        turns = tuple((_turn(decoder), _turn(reader)) for _ in range(times))
        for process in (reader, decoder):
            assert process.stdin is not None
            process.stdin.close()
    return Alone(megabytes, cold, turns)


def _started(code: str, environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _BEGIN + code, *arguments]
    return subprocess.Popen(command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _turn(process: subprocess.Popen[str]) -> float:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return _told(process)


def _told(process: subprocess.Popen[str]) -> float:
    assert process.stdout is not None
    return float(process.stdout.readline())

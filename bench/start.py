"""How long the program takes to start and how much memory it needs, each against plain Python in the same run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import Row, row
from vision.studio import practice, write

# What the project promises to stay below while it reads a 12-megapixel photo.
MOST_MB = 600
# What Linux tells of a process itself; the figure of `resource` includes whoever started it.
_PEAK = """
import pathlib, sys
status = pathlib.Path('/proc/self/status')
if status.exists():
    kilobytes = int(status.read_text().split('VmHWM:')[1].split()[0])
else:
    import resource
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == 'darwin' else 1)
sys.stderr.write(f'PEAK {kilobytes}')
"""
_READ = """
import json, pathlib
from bench.growth import read_drawn
from vision.photo import load
file = pathlib.Path({file!r})
read_drawn(load(file), json.loads(file.with_suffix('.json').read_text()))
"""


def run() -> list[Row]:
    return [*_starts(), *_memory()]


def _starts() -> list[Row]:
    plain = _seconds("pass")
    rows = []
    for name, code in (
        ("--help", "from companion.cli import main; main(['--help'])"),
        ("maps", "from companion.cli import main; main(['maps'])"),
        ("loading the camera reader", "import vision.read"),
    ):
        seconds = _seconds(code)
        rows.append(row(f"cold start: {name}, against plain Python", 1000 * seconds, "ms", plain / seconds))
    return rows


def _memory() -> list[Row]:
    plain = peak("pass")
    with tempfile.TemporaryDirectory() as folder:
        image, truth = practice("usa", 1, size=(4000, 3000))
        photo = write(Path(folder), "large", image, truth)
        most = peak(_READ.format(file=str(photo)))
    return [
        row("memory: plain Python", plain, "MB"),
        row(f"memory: reading a photo of 12 megapixels, against {MOST_MB} MB", most, "MB", MOST_MB / most),
    ]


def _seconds(code: str, times: int = 5) -> float:
    """The quickest start of a fresh Python that runs some code, in seconds of processor time."""
    found = []
    for _ in range(times):
        began = _children()
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        found.append(_children() - began)
    return min(found)


def _children() -> float:
    """Processor time that processes started from here have taken."""
    now = os.times()
    return now.children_user + now.children_system


def peak(code: str) -> float:
    """The most memory that a fresh Python held while it ran some code, in megabytes."""
    done = subprocess.run([sys.executable, "-c", f"{code}\n{_PEAK}"], capture_output=True, text=True, check=True)
    told = re.search(r"PEAK (\d+)", done.stderr)
    assert told is not None
    return int(told[1]) / 1024

"""Speed, as ratios measured in one run: `python3 run.py bench` runs every part and keeps what it finds.

A part is a module of this folder with `run() -> list[dict]`: rows of name, value, unit and ratio: how many times as
fast as the yardstick that the name tells.
"""

from __future__ import annotations

import datetime
import importlib
import json
import os
import pkgutil
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any  # Any: JSON

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "results"
DOCUMENT = FOLDER.parent / "docs" / "performance.md"
Row = dict[str, Any]
# What people ask first comes first in the table; parts that are not named here follow.
_ORDER = ("read", "locate", "cards", "frames", "live", "score", "growth", "start", "ui")
# A part that takes longer hangs: a whole run has to end.
MOST_SECONDS = 900


def parts() -> list[str]:
    """The parts there are, in order: every module here that can be run."""
    names = [m.name for m in pkgutil.iter_modules([str(FOLDER)]) if not m.name.startswith("_")]
    names.sort(key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    return [name for name in names if hasattr(importlib.import_module(f"bench.{name}"), "run")]


def measure(wanted: Sequence[str], started: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Rows of each part, with the machine and the date. A part that can't run is told with its reason."""
    rows: list[Row] = []
    for part in wanted:
        started(part)
        rows += [{"part": part, **row} for row in _alone(part)]
    return {"date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(), "machine": machine(), "rows": rows}


def _alone(part: str) -> list[Row]:
    """A part's rows, measured in a process of its own: no part warms up or weighs down another."""
    code = f"import json, bench.{part}; print(json.dumps(bench.{part}.run()))"
    command = [sys.executable, "-c", code]
    try:
        done = subprocess.run(
            command, cwd=FOLDER.parent, capture_output=True, text=True, check=False, timeout=MOST_SECONDS
        )
    except subprocess.TimeoutExpired:
        return [_did_not_run(f"it took more than {MOST_SECONDS} s")]
    if done.returncode:
        return [_did_not_run((done.stderr.strip().splitlines() or ["?"])[-1])]
    rows: list[Row] = json.loads(done.stdout.splitlines()[-1])
    return rows or [_did_not_run("the photos that it needs are not here")]


def _did_not_run(reason: str) -> Row:
    """A row that says why there is none; where things lie on this machine is nobody's business."""
    for place, told in ((FOLDER.parent, "."), (Path(tempfile.gettempdir()), "<temp>"), (Path.home(), "~")):
        reason = reason.replace(str(place), told)
    return {"name": f"did not run: {reason}", "value": None, "unit": "", "ratio": None}


def machine() -> dict[str, Any]:
    """What the figures depend on, and nothing by which somebody could be known."""
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def keep(results: dict[str, Any]) -> Path:
    """Writes results under their date and shows them in docs/performance.md."""
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{results['date']}.json"
    file.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    DOCUMENT.write_text(document(results), encoding="utf-8")
    return file


def latest() -> dict[str, Any] | None:
    """The results that were kept last."""
    kept = sorted(RESULTS.glob("*.json"))
    found: dict[str, Any] | None = json.loads(kept[-1].read_text(encoding="utf-8")) if kept else None
    return found


def document(results: dict[str, Any]) -> str:
    """docs/performance.md for some results."""
    m = results["machine"]
    about = ", ".join(
        [f"{m['processor'] or m['architecture']}", f"{m['cores']} cores", m["system"], f"Python {m['python']}"]
        + ([f"load {m['load']} when it began"] if m["load"] is not None else [])
    )
    lines = [
        "# How fast it is",
        "",
        "Written by `python3 run.py bench`; change nothing here by hand. Earlier runs are in `bench/results/`;",
        "`python3 run.py bench --document` writes this page again from the latest of them.",
        "",
        f"Measured on {results['date']}: {about}.",
        "",
        "A ratio tells how many times as fast (or as small) something is as the yardstick that its row names, both",
        "measured in the same run, so it means the same on another machine. Times alone say little: other programs",
        "ran beside these. Growth, frames and start count processor time.",
        "",
        "| part | what | measured | ratio |",
        "|---|---|---:|---:|",
    ]
    # A row that begins with spaces is a part of the one above it, and stays set in.
    rows = [(r, r["name"].replace("  ", "&nbsp;&nbsp;&nbsp;")) for r in results["rows"]]
    lines += [f"| {r['part']} | {name} | {_value(r)} | {_ratio(r)} |" for r, name in rows]
    return "\n".join(lines) + "\n"


def text(results: dict[str, Any]) -> str:
    """The same for a terminal."""
    rows = [(_value(r), _ratio(r), f"{r['part']}: {r['name']}") for r in results["rows"]]
    wide = max((len(v) for v, _, _ in rows), default=0)
    return "\n".join(f"{value:>{wide}}  {ratio:>10}  {name}" for value, ratio, name in rows)


def _value(row: Row) -> str:
    return "-" if row["value"] is None else f"{row['value']:g} {row['unit']}".strip()


def _ratio(row: Row) -> str:
    return "-" if row["ratio"] is None else f"{row['ratio']:g} x"


def row(name: str, value: float, unit: str, ratio: float | None = None) -> Row:
    return {"name": name, "value": _short(value), "unit": unit, "ratio": None if ratio is None else _short(ratio)}


def _short(value: float) -> float:
    return float(f"{value:.3g}")


def best(work: Callable[[], object], times: int = 5) -> float:
    """The least of a few runs, in seconds of processor time: what others do on the machine hardly counts."""
    seconds = []
    for _ in range(times):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)

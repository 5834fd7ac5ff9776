"""How fast final scores are: the hardest positions found by search, 1,000 ordinary ones, and two plain scorers.

`python -m bench score` prints the rows. All times are processor time: what else the machine does is not in them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any  # Any: JSON

from bench import Row, row
from bench.worst import FILE
from companion.rules import Position, longest_trail, score
from companion.rules.scoring.networks import connected
from maps import Route
from tests.play.naive import recount
from tests.play.tables import some_position

# What the project promises: any reachable position within 50 ms, 1,000 ordinary ones in one call within 5 s.
MOST_MS = 50
MOST_SECONDS = 5
ORDINARY = 1000


def run() -> list[Row]:
    """Whole tables, single paths, whole positions and one long call, each against what its name tells."""
    return [*_hardest(), *_plain_paths(), _plain_scores(), _many()]


def _hardest() -> list[Row]:
    rows = []
    for variant, data in _worst().items():
        position = Position.from_json(data)
        milliseconds = 1000 * _seconds(partial(score, position))
        rows.append(
            row(f"hardest {variant}: whole table, against {MOST_MS} ms", milliseconds, "ms", MOST_MS / milliseconds)
        )
    return rows


def _plain_paths() -> list[Row]:
    """The hardest network of each variant, against the plain way: walk from odd cities, remember (city, used)."""
    rows = []
    for variant, data in _worst().items():
        position = Position.from_json(data)
        tracks = max((tuple(group) for group in connected(position.tracks(position.players[0]))), key=len)
        ours = _seconds(partial(longest_trail, tracks))
        plain = _seconds(partial(plain_longest, tracks), 1)
        assert plain_longest(tracks) == longest_trail(tracks).length, variant
        rows.append(row(f"hardest path {variant}, against a plain walk", 1000 * ours, "ms", plain / ours))
    return rows


def _plain_scores() -> Row:
    """Small positions, scored whole, against the plain recount of the tests."""
    data = [some_position(seed, wagons=18) for seed in range(60)]
    positions = [Position.from_json(d) for d in data]
    ours = _seconds(lambda: [score(p) for p in positions]) / len(data)
    plain = _seconds(lambda: [recount(d) for d in data], 1) / len(data)
    return row("positions of at most 18 wagons each, against a plain recount", 1000 * ours, "ms", plain / ours)


def _many() -> Row:
    """1,000 ordinary positions in one call of the program, its start included."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for seed in range(ORDINARY):
            file = Path(folder) / f"{seed}.json"
            file.write_text(json.dumps(some_position(seed)), encoding="utf-8")
            files.append(str(file))
        start = os.times()
        command = [sys.executable, "-m", "companion", "score", "--json", *files]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
        end = os.times()
        seconds = end.children_user + end.children_system - start.children_user - start.children_system
    assert len(json.loads(done.stdout)) == ORDINARY
    return row(
        f"{ORDINARY} ordinary positions in one call, against {MOST_SECONDS} s", seconds, "s", MOST_SECONDS / seconds
    )


def plain_longest(tracks: tuple[Route, ...]) -> int:
    """The longest trail of one network by walking: from odd cities if there are any, each (city, used) once."""
    at: dict[str, list[tuple[int, Route]]] = {}
    for i, track in enumerate(tracks):
        for end in track.ends:
            at.setdefault(end, []).append((i, track))
    odd = [city for city, ends in at.items() if len(ends) % 2]
    longest, seen = 0, set()
    walks = [(city, 0, 0) for city in odd or at]
    while walks:
        city, used, length = walks.pop()
        longest = max(longest, length)
        for i, track in at[city]:
            step = (track.other(city), used | 1 << i)
            if not used >> i & 1 and step not in seen:
                seen.add(step)
                walks.append((*step, length + track.length))
    return longest


def _seconds(work: Callable[[], object], times: int = 5) -> float:
    """Processor time of the fastest of a few runs."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def _worst() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found

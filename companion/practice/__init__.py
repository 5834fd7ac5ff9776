"""The practice game that comes with the program: drawn photos of an empty and a finished board, and who held what.

`python -m companion.practice` draws the photos again.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any  # Any: JSON

from vision.reading import Reading

FOLDER = Path(__file__).parent
BOARD = VARIANT = "europe"
EMPTY, FINAL = FOLDER / "empty.jpg", FOLDER / "final.jpg"


def told() -> dict[str, Any]:
    """What the players of the practice game hold: names, colours and tickets."""
    held: dict[str, Any] = json.loads((FOLDER / "told.json").read_text(encoding="utf-8"))
    return held


@contextmanager
def practice_table() -> Iterator[None]:
    """The practice board enrolled at a table of its own, so that the player's own boards are left alone."""
    from vision.enrol import enrol

    before = os.environ.get("COMPANION_HOME")
    with tempfile.TemporaryDirectory() as home:
        os.environ["COMPANION_HOME"] = home
        try:
            corners = json.loads((FOLDER / "empty.json").read_text(encoding="utf-8"))["corners"]
            enrol(EMPTY, BOARD, corners)
            yield
        finally:
            if before is None:
                del os.environ["COMPANION_HOME"]
            else:
                os.environ["COMPANION_HOME"] = before


def read_final() -> Reading:
    """The finished practice board as the camera sees it."""
    from vision.read import read

    with practice_table():
        return read(FINAL, BOARD)

"""What was being told when the app was last seen: killed at any moment, it opens exactly there again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any  # Any: JSON

from maps.disk import write_whole

# A screen by its name, and what is told on it so far.
Screen = tuple[str, Mapping[str, Any]]


class Unfinished:
    """One small file with the screens that hold something half told, from the bottom of the pile to its top."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._kept = ""

    def screens(self) -> list[Screen]:
        """The screens as they were left; none if the file can't be read."""
        try:
            rows = json.loads(self._file.read_text(encoding="utf-8"))
            return [(str(name), dict(data)) for name, data in rows]
        except (OSError, ValueError, TypeError):
            return []

    def keep(self, screens: Sequence[Screen]) -> None:
        """Keeps them, if they have changed. A full disk must not stop the game: its journal is elsewhere."""
        told = json.dumps(screens, ensure_ascii=False)
        if told == self._kept:
            return
        try:
            # Every tap and letter is kept: the screen can't wait for the disk.
            write_whole(self._file, told, lasting=False)
        except OSError:
            return
        self._kept = told

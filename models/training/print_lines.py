"""Lines of real prints, to train on beside drawn ones: where they are, and what they say.

`print_lines.json` holds places and texts only; the pictures are other people's and not part of the project.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import strips
from models.training.card_art import SHARED
from models.training.ticket_sheets import Lettered

Floats = NDArray[np.float32]
MARKS = Path(__file__).with_suffix(".json")


@lru_cache(maxsize=1)
def marks() -> dict[str, list[tuple[Floats, str]]]:
    """For every print, the corners of its lines and what they say."""
    told = json.loads(MARKS.read_text(encoding="utf-8"))
    return {name: [(np.array(box, np.float32), text) for box, text in lines] for name, lines in told.items()}


# Technology cards and shares are few: each counts as often as so many tickets.
FEW = 5
# What else lies in the box of a print and is set in its letters: it is left out with it.
SAME_BOX = {"technologies": "united-kingdom", "shares": "pennsylvania"}


def print_of(name: str) -> str:
    """The print that a marked picture belongs to."""
    kind, which = name.split("/")[:2]
    return SAME_BOX.get(kind, which)


def sheets(without: str = "", only: str = "") -> list[Lettered]:
    """Real prints with their names marked, but for one that is left to judge, or one alone.

    Unmarked letters may be anywhere.
    """
    found = []
    for name, lines in marks().items():
        kept = print_of(name) != without and only in ("", print_of(name))
        image = cv2.imread(str(SHARED / "prints" / name)) if kept else None
        if image is not None and any(len(text) > 3 for _, text in lines):
            unknown = np.full(image.shape[:2], 255, np.uint8)
            one = Lettered(np.asarray(image, np.uint8), [box for box, _ in lines], unknown)
            found += [one] if name.startswith("tickets/") else [one] * FEW
    return found


def examples(count: int, rng: np.random.Generator, without: str = "") -> list[strips.Row]:
    """Strips of real prints as a phone may see them."""
    rows: list[strips.Row] = []
    kept = [(name, box, text) for name, lines in marks().items() if print_of(name) != without for box, text in lines]
    pictures = {name: cv2.imread(str(SHARED / "prints" / name)) for name in {name for name, *_ in kept}}
    while len(rows) < count:
        name, box, text = kept[rng.integers(len(kept))]
        image = pictures[name]
        if image is not None:
            strip, _ = strips.seen(np.asarray(image, np.uint8), box, np.zeros(0, np.float32), rng)
            rows.append((strip, text, np.zeros(0, np.float32)))
    return rows

"""Reads names in strips of a photo. A closed list decodes: how well does each name fit what the net saw?

Letters have no case and no accents here; blanks and marks between names are nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import classify
from vision.config import NAMES

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Scores = NDArray[np.float64]
Ints = NDArray[np.int64]
# The net's order of outputs; the first one, before these, is nothing.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
NET = "../tickets/names"
# Pixels that one column of scores stands for.
STRIDE = 4
_SPELT = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "đ": "d", "Đ": "D"}
)
_NEVER = -1e9


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """The letters and digits of a text, in capitals, without accents, blanks and marks."""
    parts = unicodedata.normalize("NFKD", text.translate(_SPELT)).upper()
    return "".join(c for c in parts if c in LETTERS)


@dataclass(frozen=True, eq=False)
class Lattice:
    """What the net saw in a strip: for every column, log-probabilities of nothing and of each letter."""

    logs: Scores

    @property
    def free(self) -> float:
        """The score of the likeliest reading, whatever it says."""
        return float(self.logs.max(1).sum())

    @cached_property
    def text(self) -> str:
        """The likeliest reading."""
        best = self.logs.argmax(1)
        return "".join(LETTERS[c - 1] for n, c in enumerate(best) if c and (n == 0 or best[n - 1] != c))

    @cached_property
    def clear(self) -> float:
        """How sure the likeliest letters are, on average: from 0 to 1."""
        best = self.logs.argmax(1)
        return float(np.exp(self.logs.max(1)[best > 0].mean())) if best.any() else 0.0


def net_input(strip: Picture, wide: int) -> Floats:
    """A grey strip as the net sees it: 32 rows, mean zero, spread one; on the right nothing."""
    values = strip.astype(np.float32)
    values = (values - values.mean()) / (values.std() + 8)
    page = np.zeros((1, NAMES.high, wide), np.float32)
    page[0, :, : strip.shape[1]] = values
    return page


def read(strips: Sequence[Picture]) -> list[Lattice]:
    """What the net sees in each strip; strips of one width go together, so that none is wider for another's sake."""
    told: dict[int, Lattice] = {}
    widths = [-(-strip.shape[1] // 32) * 32 for strip in strips]
    for wide in sorted(set(widths)):
        every = [n for n, width in enumerate(widths) if width == wide]
        for first in range(0, len(every), NAMES.together):
            some = every[first : first + NAMES.together]
            scores = classify.net(NET)(np.stack([net_input(strips[n], wide) for n in some]))
            scores = scores.reshape(len(some), len(LETTERS) + 1, -1).astype(np.float64)
            for n, rows in zip(some, scores, strict=True):
                rows = rows[:, : -(-strips[n].shape[1] // STRIDE)].T
                rows = rows - np.logaddexp.reduce(rows, axis=1, keepdims=True)
                told[n] = Lattice(np.maximum(rows, NAMES.least_log))
    return [told[n] for n in range(len(strips))]


@dataclass(frozen=True, eq=False)
class Words:
    """Names to look for. Their letters stand in one row: all words, then all of them from end to beginning."""

    texts: tuple[str, ...]

    @cached_property
    def codes(self) -> Ints:
        """The row of letters, as columns of the net."""
        rows = (*self.texts, *(text[::-1] for text in self.texts))
        return np.array([LETTERS.index(c) + 1 for text in rows for c in text], np.int64)

    @cached_property
    def last(self) -> Ints:
        """Where in the row each word has its last letter."""
        lengths = np.array([len(text) for text in self.texts], np.int64)
        return np.cumsum(np.tile(lengths, 2)) - 1

    @cached_property
    def first(self) -> Ints:
        return np.concatenate([[0], self.last[:-1] + 1]) if self.texts else self.last


@dataclass(frozen=True, eq=False)
class Fits:
    """How well each word fits into a lattice, against the free reading: 0 is as well as anything could.

    `until[w, t]`: the word ends before column t, junk may stand before it. `since[w, t]`: it begins at t or later, junk
    may stand behind it.
    """

    until: Scores
    since: Scores
    junk: Scores

    @property
    def alone(self) -> Scores:
        """Each word by itself, with junk on both sides."""
        return np.asarray((self.until + (self.junk[-1] - self.junk)[None]).max(1))

    def pairs(self, first: Ints, second: Ints) -> Scores:
        """Words one behind the other."""
        return np.asarray((self.until[first] + self.since[second]).max(1))


def fits(lattice: Lattice, words: Words, junk_costs: float = NAMES.junk) -> Fits:
    """Every word against every place of a lattice."""
    return all_fits([lattice], words, junk_costs)[0]


def all_fits(lattices: Sequence[Lattice], words: Words, junk_costs: float = NAMES.junk) -> list[Fits]:
    """Every word against every place of each lattice; those of about one length are aligned together."""
    told: dict[int, Fits] = {}
    order = sorted(range(len(lattices)), key=lambda n: len(lattices[n].logs))
    for begin in range(0, len(order), NAMES.aligned):
        some = order[begin : begin + NAMES.aligned]
        told |= zip(some, _fits([lattices[n] for n in some], words, junk_costs), strict=True)
    return [told[n] for n in range(len(lattices))]


def _fits(lattices: Sequence[Lattice], words: Words, junk_costs: float) -> list[Fits]:
    columns, count, half = max(len(one.logs) for one in lattices), len(words.texts), len(words.codes) // 2
    seen = np.zeros((columns, len(lattices), 2 * half), np.float32)
    nothing = np.zeros_like(seen)
    before = np.zeros((columns, len(lattices), 2 * count), np.float32)
    junks = []
    for n, one in enumerate(lattices):
        long = len(one.logs)
        logs = (one.logs - one.logs.max(1, keepdims=True)).astype(np.float32)
        # Junk is read freely, but each column of letters costs.
        junk = np.concatenate([[0.0], np.cumsum(np.where(one.logs.argmax(1) > 0, -junk_costs, 0.0))])
        junks.append(junk)
        # Both directions go through the columns together; behind a shorter lattice nothing counts.
        sides = (
            (logs, junk, slice(half), slice(count)),
            (logs[::-1], junk[-1] - junk[::-1], slice(half, None), slice(count, None)),
        )
        for there, beside, letters, ends in sides:
            seen[:long, n, letters] = there[:, words.codes[letters]]
            nothing[:long, n, letters] = there[:, :1]
            before[:long, n, ends] = beside[:-1, None]
    ended = _aligned(seen, nothing, before, words).astype(np.float64)
    rows = [ended[: len(one.logs) + 1, n] for n, one in enumerate(lattices)]
    return [Fits(row[:, :count].T, row[::-1, count:].T, junk) for row, junk in zip(rows, junks, strict=True)]


def _aligned(seen: Floats, nothing: Floats, junk: Floats, words: Words) -> Floats:
    """The best path of every word that ends before each column: nothing and letters in turn, as CTC has it.

    For every column and lattice, `seen` has the scores of the words' letters, `nothing` of none; `junk` stands before
    each word.
    """
    columns, lattices, states = seen.shape
    # One row for all lattices: few steps over long rows take less time than many over short ones.
    offsets = states * np.arange(lattices)[:, None]
    first, last = (offsets + words.first).ravel(), (offsets + words.last).ravel()
    # A letter that follows the same letter needs nothing in between.
    doubled = np.where(words.codes == np.roll(words.codes, 1), np.float32(_NEVER), np.float32(0))
    doubled = np.tile(doubled, lattices)[1:]
    # States: letter 1, nothing, letter 2, nothing ...
    letters = np.full(lattices * states, _NEVER, np.float32)
    gaps, entered, either = letters.copy(), letters.copy(), letters.copy()
    ended = np.full((columns + 1, lattices * len(words.last)), _NEVER, np.float32)
    shape = (columns, -1)
    for t, (heard, silent, begun) in enumerate(
        zip(seen.reshape(shape), nothing.reshape(shape), junk.reshape(shape), strict=True)
    ):
        np.add(letters[:-1], doubled, out=entered[1:])
        np.maximum(entered[1:], gaps[:-1], out=entered[1:])
        # What would come from the word before begins here.
        entered[first] = begun
        np.maximum(gaps, letters, out=gaps)
        gaps += silent
        np.maximum(letters, entered, out=letters)
        letters += heard
        np.maximum(letters, gaps, out=either)
        ended[t + 1] = either[last]
    return ended.reshape(columns + 1, lattices, -1)


def cut(gray: Picture, left: Floats, right: Floats, high: float) -> Picture:
    """The strip between two points of a picture, `high` pixels of it across, as the net wants it."""
    along = right - left
    long = float(np.linalg.norm(along))
    wide = int(np.clip(round(long * NAMES.high / high), NAMES.least_wide, NAMES.widest))
    way = along / max(long, 1e-6)
    down = np.array([-way[1], way[0]]) * high / 2
    corners = np.array([left - down, right - down, right + down, left + down], np.float32)
    return straightened(gray, corners, (wide, NAMES.high))


def evened(strip: Picture) -> Picture:
    """The strip with shadows and glare taken out along it: every part as bright, and of as much contrast, as others."""
    values = strip.astype(np.float32)
    around = (NAMES.around, 1)
    mean = cv2.blur(values.mean(0)[None], around)
    spread = np.sqrt(np.maximum(cv2.blur((values**2).mean(0)[None], around) - mean**2, 0))
    return np.asarray(np.clip(128 + NAMES.contrast * (values - mean) / (spread + NAMES.grain), 0, 255), np.uint8)


def straightened(gray: Picture, corners: Floats, size: tuple[int, int]) -> Picture:
    """What lies between four corners as a rectangle; averaged first where it shrinks."""
    wide, high = size
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 4, 0)
    top = np.maximum(np.ceil(corners.max(0)).astype(int) + 5, low + 1)
    part = gray[low[1] : top[1], low[0] : top[0]]
    if not part.size:
        return np.zeros((high, wide, *gray.shape[2:]), np.uint8)
    places = corners - low
    shrink = high / max(float(np.linalg.norm(corners[3] - corners[0])), 1e-6)
    if shrink < 0.7:
        tall, broad = (max(round(side * shrink * 1.2), 1) for side in part.shape[:2])
        part = np.asarray(cv2.resize(part, (broad, tall), interpolation=cv2.INTER_AREA), np.uint8)
        places = (places + 0.5) * shrink * 1.2 - 0.5
    box = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    place = cv2.getPerspectiveTransform(places.astype(np.float32), box)
    # Small letters keep their edges when they grow.
    way = cv2.INTER_CUBIC if shrink > 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.warpPerspective(part, place, size, flags=way, borderMode=cv2.BORDER_REPLICATE))

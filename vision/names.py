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

    @property
    def text(self) -> str:
        """The likeliest reading."""
        best = self.logs.argmax(1)
        return "".join(LETTERS[c - 1] for n, c in enumerate(best) if c and (n == 0 or best[n - 1] != c))

    @property
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
    """What the net sees in each strip; strips of about one width go together."""
    told: dict[int, Lattice] = {}
    order = sorted(range(len(strips)), key=lambda n: strips[n].shape[1])
    for first in range(0, len(order), NAMES.together):
        some = order[first : first + NAMES.together]
        wide = -(-strips[some[-1]].shape[1] // 32) * 32
        scores = classify.net(NET)(np.stack([net_input(strips[n], wide) for n in some]))
        scores = scores.reshape(len(some), len(LETTERS) + 1, -1).astype(np.float64)
        for n, rows in zip(some, scores, strict=True):
            rows = rows[:, : -(-strips[n].shape[1] // STRIDE)].T
            rows = rows - np.logaddexp.reduce(rows, axis=1, keepdims=True)
            told[n] = Lattice(np.maximum(rows, NAMES.least_log))
    return [told[n] for n in range(len(strips))]


@dataclass(frozen=True, eq=False)
class Words:
    """Names to look for: their letters as columns of the net, padded with -1."""

    texts: tuple[str, ...]

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        longest = max((len(t) for t in self.texts), default=1)
        rows = np.full((len(self.texts), longest), -1, np.int64)
        for n, text in enumerate(self.texts):
            rows[n, : len(text)] = [LETTERS.index(c) + 1 for c in text]
        return rows

    @cached_property
    def turned(self) -> NDArray[np.int64]:
        """The same, each word from its end to its beginning."""
        rows = np.full_like(self.codes, -1)
        for n, text in enumerate(self.texts):
            rows[n, : len(text)] = self.codes[n, : len(text)][::-1]
        return rows


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

    def pairs(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> Scores:
        """Words one behind the other."""
        return np.asarray((self.until[first] + self.since[second]).max(1))


def fits(lattice: Lattice, words: Words, junk_costs: float = NAMES.junk) -> Fits:
    """Every word against every place of a lattice."""
    logs = lattice.logs - lattice.logs.max(1, keepdims=True)
    # Junk is read freely, but each column of letters costs.
    junk = np.concatenate([[0.0], np.cumsum(np.where(lattice.logs.argmax(1) > 0, -junk_costs, 0.0))])
    codes = np.concatenate([words.codes, words.turned]).T
    count = len(words.texts)
    back = junk[-1] - junk[::-1]
    # Both directions go through the columns together.
    there, again = logs.astype(np.float32), logs[::-1].astype(np.float32)
    letters = np.maximum(codes, 0)
    seen = np.concatenate([there[:, letters[:, :count]], again[:, letters[:, count:]]], axis=2)
    nothing = np.repeat(np.stack([there[:, 0], again[:, 0]], axis=1), count, axis=1)
    before = np.repeat(np.stack([junk, back], axis=1).astype(np.float32), count, axis=1)
    ended = _aligned(seen, nothing, before, codes).astype(np.float64)
    return Fits(ended[:, :count].T, ended[::-1, count:].T, junk)


def _aligned(seen: Floats, nothing: Floats, junk: Floats, codes: NDArray[np.int64]) -> Floats:
    """The best path of every word that ends before each column: nothing and letters in turn, as CTC has it.

    For every column, `seen` has the scores of each word's letters, `nothing` of none; `junk` stands before the first.
    """
    columns, longest, words = seen.shape
    # States: letter 1, nothing, letter 2, nothing ...
    letters = np.full((longest, words), _NEVER, np.float32)
    gaps = letters.copy()
    entered = letters.copy()
    # A letter that follows the same letter needs nothing in between.
    doubled = np.where(codes[1:] == codes[:-1], np.float32(_NEVER), np.float32(0))
    ended = np.full((columns + 1, words), _NEVER, np.float32)
    last = ((codes >= 0).sum(0) - 1) * words + np.arange(words)
    for t in range(columns):
        entered[0] = junk[t]
        np.add(letters[:-1], doubled, out=entered[1:])
        np.maximum(entered[1:], gaps[:-1], out=entered[1:])
        np.maximum(gaps, letters, out=gaps)
        gaps += nothing[t]
        np.maximum(letters, entered, out=letters)
        letters += seen[t]
        ended[t + 1] = np.maximum(letters.take(last), gaps.take(last))
    return ended


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

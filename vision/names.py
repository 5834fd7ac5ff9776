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
    codes = words.codes
    lengths = (codes >= 0).sum(1)
    turned = np.full_like(codes, -1)
    for n, length in enumerate(lengths):
        turned[n, :length] = codes[n, :length][::-1]
    until = _aligned(logs, codes, lengths, junk)
    back = junk[-1] - junk[::-1]
    since = _aligned(logs[::-1], turned, lengths, back)[:, ::-1]
    return Fits(until, since, junk)


def _aligned(logs: Scores, codes: NDArray[np.int64], lengths: NDArray[np.int64], junk: Scores) -> Scores:
    """The best path of every word that ends before each column: nothing and letters in turn, as CTC has it."""
    words, longest = codes.shape
    columns = len(logs)
    # States: letter 1, nothing, letter 2, nothing ...; before the first letter stands junk.
    letters = np.full((words, longest), _NEVER)
    gaps = np.full((words, longest), _NEVER)
    doubled = np.zeros((words, longest), bool)
    doubled[:, 1:] = codes[:, 1:] == codes[:, :-1]
    ended = np.full((words, columns + 1), _NEVER)
    rows = np.arange(words)
    last = lengths - 1
    padded = np.maximum(codes, 0)
    for t in range(columns):
        seen = logs[t]
        before_letter = np.empty_like(letters)
        before_letter[:, 0] = junk[t]
        before_letter[:, 1:] = np.maximum(gaps[:, :-1], np.where(doubled[:, 1:], _NEVER, letters[:, :-1]))
        gaps = np.maximum(gaps, letters) + seen[0]
        letters = np.maximum(letters, before_letter) + seen[padded]
        ended[:, t + 1] = np.maximum(letters[rows, last], gaps[rows, last])
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
        part = np.asarray(
            cv2.resize(part, None, fx=shrink * 1.2, fy=shrink * 1.2, interpolation=cv2.INTER_AREA), np.uint8
        )
        places = (places + 0.5) * shrink * 1.2 - 0.5
    box = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    place = cv2.getPerspectiveTransform(places.astype(np.float32), box)
    # Small letters keep their edges when they grow.
    way = cv2.INTER_CUBIC if shrink > 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.warpPerspective(part, place, size, flags=way, borderMode=cv2.BORDER_REPLICATE))

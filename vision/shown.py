"""Cards that somebody shows to a camera on a stand: those that were not there before, told when two looks agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.cards import CardSeen, read_cards
from vision.config import SHOWN
from vision.fingerprints import Picture
from vision.photo import Photo, of_image

Cards = tuple[str, ...]


class Shown:
    """Waits for `count` cards of some `colors`; `before`: the view without them. `look` for every frame, BGR.

    A hand that holds the cards still for a moment is enough. Cards that lay there already are not meant.
    """

    def __init__(
        self,
        before: Picture,
        count: int,
        colors: Sequence[str],
        read: Callable[[Photo, tuple[str, ...]], list[CardSeen]] = read_cards,
    ) -> None:
        self._before, self._count, self._colors, self._read = before.copy(), count, tuple(colors), read
        self._empty = _thumb(before)
        self._last = self._empty
        self._calm_since: float | None = None
        self._due = 0.0
        self._agreed: Cards = ()
        self._told: Cards = ()

    def look(self, frame: Picture, seconds: float) -> Cards:
        """The cards in this frame, from left to right, once they are sure; nothing otherwise, nor twice."""
        thumb, last = _thumb(frame), self._last
        self._last = thumb
        if last.shape != thumb.shape or float(np.abs(thumb - last).max()) > SHOWN.moves:
            self._calm_since = None
            return ()
        if self._calm_since is None:
            self._calm_since = seconds
        if self._same(thumb):
            # Whoever showed them has taken them back: the same ones may be shown again.
            self._agreed = self._told = ()
            return ()
        if seconds - self._calm_since < SHOWN.calm or seconds < self._due:
            return ()
        self._due = seconds + SHOWN.again
        found = self._new(frame)
        if len(found) != self._count or any(card.doubtful for card in found):
            self._agreed = ()
            return ()
        cards = tuple(card.color for card in found)
        before, self._agreed = self._agreed, cards
        if cards == self._told or sorted(cards) != sorted(before):
            return ()
        self._told = cards
        return cards

    def _same(self, thumb: Picture) -> bool:
        same = thumb.shape == self._empty.shape
        return same and float(np.abs(thumb - self._empty).max()) < SHOWN.moves

    def _new(self, frame: Picture) -> list[CardSeen]:
        """The cards where the view looked otherwise before."""
        found = self._read(of_image(frame), self._colors)
        if frame.shape != self._before.shape:
            return found
        off = cv2.absdiff(frame, self._before).max(2)
        return [card for card in found if _inside(off, card.quad) > SHOWN.differs]


def _thumb(frame: Picture) -> Picture:
    """Small, and blurred against a camera's noise."""
    small = cv2.resize(frame, (SHOWN.thumb, SHOWN.thumb * 3 // 4), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)).astype(np.int16), np.int16)


def _inside(off: Picture, quad: tuple[tuple[float, float], ...]) -> float:
    """The mean of a picture inside some corners."""
    mask = np.zeros(off.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.array(quad)).astype(np.int32), 1)
    return float(cv2.mean(off, mask)[0])

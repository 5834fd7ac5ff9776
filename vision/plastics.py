"""This photo's own wagons: what is surely read tells how each colour looks here, and that tells the others apart.

A lamp, a camera and a box change all colours together: black wagons may look as red here as red ones do elsewhere, but
not as red as this photo's own red ones. Only which colour lies there is told anew, never whether something does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from maps import Trouble
from vision import shipped
from vision.arrays import Floats, Logs, Rows
from vision.config import PATCH, PLASTICS
from vision.decide import Seen
from vision.patches import Patches

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Plastics:
    """How wagons of some colours look before a photo was seen: all means of one photo together, one after the other.

    `mean` (3 a colour) and `spread` (3 by 3 for each two) are of photos, `within` (3 by 3 a colour) of spaces in one.
    """

    names: tuple[str, ...]
    mean: Numbers
    spread: Numbers
    within: Numbers

    def of(self, names: Sequence[str]) -> Plastics | None:
        """Those of some colours; None where one of them is unknown."""
        if not {*names} <= {*self.names}:
            return None
        at = [self.names.index(name) for name in names]
        every = np.concatenate([np.arange(3 * i, 3 * i + 3) for i in at])
        return Plastics(tuple(names), self.mean[every], self.spread[np.ix_(every, every)], self.within[at])

    def save(self, path: Path) -> None:
        """Writes them to an .npz file."""
        np.savez(path, names=np.array(self.names), mean=self.mean, spread=self.spread, within=self.within)


@dataclass(frozen=True, eq=False)
class Looks:
    """How the wagons of each colour look in one photo: means (n, 3), and how far a wagon may be from them (n, 3, 3)."""

    means: Numbers
    spread: Numbers


@lru_cache(maxsize=4)
def known(path: Path) -> Plastics:
    """What was learnt of wagons in many photos."""
    try:
        told = shipped.arrays(shipped.contents(path))
        return Plastics(tuple(str(n) for n in told["names"]), told["mean"], told["spread"], told["within"])
    except (ValueError, KeyError) as error:
        raise error if isinstance(error, Trouble) else Trouble("model-damaged", file=path.name) from None


def colors_of(found: Patches, rows: Rows) -> Numbers:
    """The colour of what lies on some spaces: of their pixels, those that are unlike their print count most.

    As square roots: what a light does to a colour is more alike in dark and bright ones then.
    """
    high, wide = found.foot.shape[1:3]
    top, left = (high - PLASTICS.part[1]) // 2, (wide - PLASTICS.part[0]) // 2
    # Every other pixel each way tells as much.
    down, across = slice(top, high - top, 2), slice(left, wide - left, 2)
    at = np.flatnonzero(rows)
    seen = found.middle[:, down, across][at]
    bare = np.broadcast_to(found.printed[at, None, None], seen.shape).copy()
    if found.twin is not None:
        twin = found.twin[:, down, across][at]
        there = twin[:, 0, 0].max(1) > 0
        bare[there] = twin[there]
    return _lying(seen, bare)


def _lying(seen: Floats, bare: Floats) -> Numbers:
    """The mean colour of some patches' pixels, those that are unlike what is bare counting most."""
    apart = seen - bare
    off = np.sqrt(np.einsum("nhwc,nhwc->nhw", apart, apart))
    low, span = PLASTICS.unlike
    weights = np.asarray(PLASTICS.floor + np.clip((off - low) / span, 0, 1))
    mean = np.einsum("nhw,nhwc->nc", weights, seen) / weights.sum((1, 2))[:, None]
    return np.asarray(16 * np.sqrt(np.maximum(mean, 0)), np.float64)


def measured(seen: Seen, found: Patches, plastics: Plastics | None, some: Rows | None = None) -> Looks | None:
    """How this photo's wagons look, by what was seen of all or `some` spaces; None where nobody learnt their colours.

    What each colour looks like and which wagons have it are worked out by turns.
    """
    rows = _taken(seen)
    if plastics is None or not rows.any():
        return None
    lying = rows
    if some is not None:
        # Patches are large: those that are asked for are taken out once.
        lying = np.zeros(len(found), np.bool_)
        lying[some] = rows
    own, told, taken = colors_of(found, lying), _apart(seen, rows), np.exp(seen.logs[rows, 1:]).sum(1)
    inner, within = np.linalg.inv(plastics.spread), np.linalg.inv(plastics.within)
    now, looks = told, Looks(plastics.mean.reshape(-1, 3), plastics.within)
    for _ in range(PLASTICS.rounds):
        # Wagons of a photo share its light and its faults: they count for less than independent witnesses.
        share = PLASTICS.share * np.exp(now) * taken[:, None]
        sure, right = inner.copy(), inner @ plastics.mean
        for i, (much, pull) in enumerate(zip(share.sum(0), share.T @ own, strict=True)):
            part = slice(3 * i, 3 * i + 3)
            sure[part, part] += much * within[i]
            right[part] += within[i] @ pull
        looks = _looks(plastics, np.linalg.inv(sure), right)
        now = _normal(told + PLASTICS.counts * _fits(own, looks))
    return looks


def told_apart(seen: Seen, found: Patches, looks: Looks | None) -> Seen:
    """What was seen of some spaces, their wagons' colours told anew by how this photo's wagons look."""
    rows = _taken(seen)
    if looks is None or not rows.any():
        return seen
    logs, fits = seen.logs.copy(), np.full((len(seen.logs), len(looks.means)), np.nan)
    whole = np.log(np.exp(logs[rows, 1:]).sum(1, keepdims=True))
    fits[rows] = _fits(colors_of(found, rows), looks)
    logs[rows, 1:] = _normal(_apart(seen, rows) + PLASTICS.counts * fits[rows]) + whole
    return Seen(logs, seen.inside, seen.covered, fits)


def standing(logs: Logs, found: Patches, looks: Looks | None) -> Logs:
    """What was seen in cities, less likely a station where nothing has the colour of this photo's wagons of its owner.

    Gold on the print, a lamp's mirror and a wagon's end look like stations, but not like this box's plastic.
    """
    told = np.exp(logs[:, 0])
    bare = (told > PATCH.bare) & (found.inside > PATCH.city_whole)
    rows = (1 - told > PLASTICS.perhaps) & (found.inside > PATCH.city_whole)
    if looks is None or not rows.any() or bare.sum() < PATCH.least_bare_cities:
        return logs
    high, wide = found.foot.shape[1:3]
    part = slice(high * 3 // 10, high * 7 // 10), slice(wide * 3 // 10, wide * 7 // 10)
    ground = np.median(found.middle[:, part[0], part[1]][bare].mean((1, 2)), axis=0)
    seen = found.middle[:, part[0], part[1]][rows]
    own = _lying(seen, np.broadcast_to(ground, seen.shape))
    off = np.minimum(PLASTICS.counts * (_nearness(own, looks) - PLASTICS.near), 0)
    # What the nets ask about stays a question.
    odds = np.log((1 - told[rows]) / np.maximum(told[rows], PLASTICS.least))
    least = np.where(odds > PLASTICS.asked, PLASTICS.asked - odds, -np.inf)
    anew = logs.copy()
    anew[rows, 1:] += np.maximum(off, least[:, None])
    anew[rows] = _normal(anew[rows])
    return anew


def _taken(seen: Seen) -> Rows:
    """The spaces on which something lies, in full sight."""
    return np.asarray((1 - np.exp(seen.logs[:, 0]) > PLASTICS.taken) & (seen.inside > PLASTICS.whole))


def _apart(seen: Seen, rows: Rows) -> Logs:
    """What the nets say of the colours where something lies."""
    return np.asarray(np.maximum(_normal(seen.logs[rows, 1:]), np.log(PLASTICS.least)))


def _looks(plastics: Plastics, spread: Numbers, right: Numbers) -> Looks:
    n = len(plastics.names)
    own = spread.reshape(n, 3, n, 3)[np.arange(n), :, np.arange(n)]
    return Looks((spread @ right).reshape(n, 3), plastics.within + own)


def _fits(own: Numbers, looks: Looks) -> Logs:
    """How well each wagon's colour fits each plastic."""
    return np.asarray(_nearness(own, looks) - np.linalg.slogdet(looks.spread)[1] / 2)


def _nearness(own: Numbers, looks: Looks) -> Logs:
    """How near each colour is to each plastic, 0 at its mean: Student's t, so that glare and shadow tell little."""
    off = own[:, None] - looks.means
    far = np.einsum("nci,cij,ncj->nc", off, np.linalg.inv(looks.spread), off)
    tail = PLASTICS.tail
    return np.asarray(-(tail + 3) / 2 * np.log1p(far / tail))


def _normal(logs: Logs) -> Logs:
    top = logs.max(1, keepdims=True)
    return np.asarray(logs - top - np.log(np.exp(logs - top).sum(1, keepdims=True)))

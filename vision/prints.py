"""Which ticket it is by its print: each sheet is compared with the prints of its board that are known by their edges.

A print is known block by block (HOG); nothing of the picture itself is kept. The names are one witness, points and map
another: names in another language say nothing, and witnesses that disagree make a question.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Trouble
from vision import align, hidden, sheets, shipped
from vision.align import Edges, Picture
from vision.config import ALIGN, TICKET
from vision.sheets import Quad, Sheet

Floats = NDArray[np.float32]
Scores = NDArray[np.float64]
PRINTS = Path(__file__).resolve().parent.parent / "models" / "tickets" / "prints.npz"


@dataclass(frozen=True, eq=False)
class Design:
    """Tickets that are printed alike: the edges of each block by block, and where their corners should have been.

    `noise` tells how much a block differs from photo to photo, `title` which blocks show the names; `aligners` are
    steps that turn edges into moves of the corners.
    """

    ids: tuple[str, ...]
    prints: Floats
    noise: Floats
    title: NDArray[np.bool_]
    aligners: tuple[Floats, ...]

    @cached_property
    def sizes(self) -> Floats:
        """Squared lengths of the blocks, for each ticket."""
        return np.asarray((self.prints**2).sum(2).T, np.float32)

    @cached_property
    def usual(self) -> Floats:
        """The edges of a ticket of this design, whichever it is."""
        return np.asarray(self.prints.mean(0), np.float32)

    @cached_property
    def spread(self) -> Floats:
        """How far a ticket of this design, whichever it is, may be from the usual one."""
        few = 1 / len(self.prints)
        return np.asarray(self.prints.var(0) / (1 - few) + self.noise[:, None] * (1 + few), np.float32)


@dataclass(frozen=True, eq=False)
class Prints:
    """The printed tickets of one board: how their edges are told, and its designs."""

    edges: Edges
    designs: tuple[Design, ...]

    def seen(self, gray: Picture, quad: Quad) -> Floats:
        """The edges at a place: a row of numbers for every block."""
        edges = self.edges.all(align.rectified(gray, quad)) - self.edges.mean
        return edges.reshape(-1, self.edges.basis.shape[1])


@dataclass(frozen=True, eq=False)
class Fit:
    """A design laid over a place. In log-odds: that it is this design at all, and for each of its tickets, what the
    names and what points and map say."""

    design: Design
    quad: Quad
    at_all: float
    names: Scores
    rest: Scores

    @property
    def scores(self) -> Scores:
        return self.at_all + self.names + self.rest

    @property
    def named(self) -> bool:
        """False if names are in sight that don't fit the likeliest ticket."""
        return float(self.names[np.argmax(self.scores)]) > -TICKET.foreign / 2

    @property
    def dissent(self) -> float:
        """How much one of the witnesses would have liked another ticket better."""
        best = int(np.argmax(self.scores))
        return float(max(self.names.max() - self.names[best], self.rest.max() - self.rest[best]))


@lru_cache(maxsize=8)
def prints(board: str) -> Prints | None:
    """What is known of a board's printed tickets; None where no print was at hand."""
    if not PRINTS.is_file():
        raise Trouble("model-missing", file=PRINTS.name)
    with np.load(io.BytesIO(shipped.contents(PRINTS))) as stored:
        designs = np.flatnonzero(stored["boards"] == board)
        if not len(designs):
            return None
        edges = Edges(stored["basis"].astype(np.float32), stored["mean"].astype(np.float32))
        every = stored["prints"].astype(np.float32) * stored["prints_step"]
        blocks = every.reshape(len(every), -1, edges.basis.shape[1])
        steps = align.unpacked(stored, "aligners")
        told = []
        for design in designs:
            mine = stored["designs"] == design
            ids = tuple(str(i) for i in stored["ids"][mine])
            noise = stored["noise"][design].astype(np.float32)
            told.append(Design(ids, blocks[mine], noise, stored["titles"][design], tuple(steps[design])))
        return Prints(edges, tuple(told))


@dataclass(frozen=True, eq=False)
class Known:
    """A ticket that a print knows: how likely each pair of cities is, the likeliest first, how sure that is, where."""

    odds: tuple[tuple[str, float], ...]
    confidence: float
    quad: Quad


def find(image: Picture, found: list[Sheet], known: Prints, wanted: list[bool]) -> list[Known | None]:
    """What the print says of each sheet that is wanted; the others only cover what lies under them."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    taken = _taken(gray, found) if any(wanted) else []

    def told(n: int, places: list[Sheet]) -> Known | None:
        mask = _free(gray, n, taken)
        seen = [t for place in places if (t := read(gray, place, mask, known))]
        return max(seen, key=lambda t: t.confidence, default=None)

    first: list[Known | None] = [None] * len(found)
    tried: list[Known | None] = []
    for n, sheet in enumerate(found):
        if wanted[n]:
            # One photo shows one print: where some say nothing the others won't.
            strange = len(tried) >= TICKET.strangers and all(t is None or t.confidence < TICKET.no_guess for t in tried)
            first[n] = Known((), 0.0, sheet.quad) if strange else told(n, [sheet])
            tried.append(first[n])
    alike = _as_large(found, first)
    seen = list(first)
    if alike is found:
        return seen
    for n, places in enumerate(hidden.candidates(alike)):
        if wanted[n] and alike[n] is not found[n] and not _sure(first[n]):
            again = told(n, places)
            seen[n] = max((t for t in (first[n], again) if t), key=lambda t: t.confidence, default=None)
    return seen


def _sure(seen: Known | None) -> bool:
    return seen is not None and seen.confidence >= TICKET.sure


def _as_large(found: list[Sheet], seen: list[Known | None]) -> list[Sheet]:
    """The sheets again: sure tickets where they were read, and doubtful ones as large as the nearest sure one.

    The finder may take what shows of a half-hidden ticket for the whole of it.
    """
    sure = [t.quad for t in seen if t is not None and _sure(t)]
    if not sure:
        return found
    again = []
    for sheet, told in zip(found, seen, strict=True):
        if told is not None and _sure(told):
            again.append(replace(sheet, quad=told.quad))
        elif sheet.kind == "ticket":
            near = min(sure, key=lambda quad: float(np.linalg.norm(quad.mean(0) - sheet.quad.mean(0))))
            again.append(replace(sheet, quad=_sized(sheet.quad, near)))
        else:
            again.append(sheet)
    return again


def _sized(quad: Quad, like: Quad) -> Quad:
    """The quad around its middle with the sides of another; in both, the first side is a long one."""
    along, across = np.array(sheets.sides(like)) / sheets.sides(quad)
    corners = np.array([(-along, -across), (along, -across), (along, across), (-along, across)])
    return align.moved(quad, (corners - np.sign(corners)) / 2)


def _taken(gray: Picture, found: list[Sheet]) -> list[NDArray[np.bool_]]:
    """For every sheet where it was seen."""
    return [np.asarray(align.visible(sheet.spots, sheet.spot_size, gray.shape) > 0) for sheet in found]


def _free(gray: Picture, mine: int, taken: list[NDArray[np.bool_]]) -> Picture:
    """255 where no other sheet was seen: what the finder missed of a ticket is not covered by anything."""
    others = [cells.view(np.uint8) for n, cells in enumerate(taken) if n != mine]
    covered = np.zeros(gray.shape[:2], np.uint8)
    for cells in others:
        cv2.bitwise_or(covered, cells, dst=covered)
    return np.asarray(255 * (1 - covered), np.uint8)


def read(gray: Picture, sheet: Sheet, mask: Picture, known: Prints) -> Known | None:
    """What the print says of a sheet; None where it isn't like any ticket."""
    view = align.smoothed(gray, sheet.quad)
    turned = [np.roll(sheet.quad, turn, 0) for turn in (0, 2)]
    placed = [_placed(view, mask, way, design, known) for way in turned for design in known.designs]
    likely = sorted(placed, key=lambda fit: -float(fit.scores.max()))[: TICKET.looked_at]
    fits = [_fitted(view, mask, fit, known) for fit in likely]
    best = max(fits, key=lambda fit: float(fit.scores.max()))
    score = float(best.scores.max())
    # Like no print at all: worth a question only if it surely is a ticket.
    asked = np.exp(sheet.kinds[2]) >= TICKET.surely_ticket and score >= TICKET.least
    if not asked and score < TICKET.clear:
        return None
    odds = _odds(fits, TICKET.sharpness if best.named else TICKET.unnamed)
    order = sorted(odds, key=lambda pair: -odds[pair])
    agreed = _step((TICKET.dissent - best.dissent) * TICKET.dissent_steep)
    confidence = odds[order[0]] * agreed * _step((score - TICKET.middling) * TICKET.steep)
    return Known(tuple((pair, odds[pair]) for pair in order), confidence, best.quad)


def _odds(fits: list[Fit], sharpness: float) -> dict[str, float]:
    """How likely each pair of cities is; several designs may print the same."""
    best: dict[str, float] = {}
    for fit in fits:
        for pair, score in zip(fit.design.ids, fit.scores, strict=True):
            best[pair] = max(float(score), best.get(pair, -np.inf))
    top = max(best.values())
    powers = {pair: float(np.exp((score - top) * sharpness)) for pair, score in best.items()}
    total = sum(powers.values())
    return {pair: power / total for pair, power in powers.items()}


def _step(x: float) -> float:
    """A soft step from 0 to 1."""
    return float(1 / (1 + np.exp(-np.clip(x, -50, 50))))


def _placed(gray: Picture, mask: Picture, quad: Quad, design: Design, known: Prints) -> Fit:
    """The design where its edges put it: twice from far, then from near and nearer."""
    far = design.aligners[0]
    for aligner in (far, *design.aligners):
        shown = align.shown(align.rectified(mask, quad))
        seen = known.seen(gray, quad)[:, : (len(aligner) - 1) // len(shown)]
        quad = align.aligned(quad, (seen * shown[:, None]).ravel(), aligner)
    return _compared(known.seen(gray, quad), mask, quad, design)


def _fitted(gray: Picture, mask: Picture, fit: Fit, known: Prints) -> Fit:
    """The corners shifted while the fit gets better; then each part of the print where it fits best: paper bends."""
    for change in _changes(TICKET.step):
        for sign in (1, -1):
            quad = align.moved(fit.quad, change * sign)
            tried = _compared(known.seen(gray, quad), mask, quad, fit.design)
            if tried.scores.max() > fit.scores.max():
                fit = tried
                break
    shown = align.shown(align.rectified(mask, fit.quad))
    told = [_told(known.seen(gray, align.moved(fit.quad, move)), fit.design) for move in _shifts(TICKET.bend)]
    names = np.max([_parts(t, shown * fit.design.title) for t in told], axis=0).sum(0)
    rest = np.max([_parts(t, shown * ~fit.design.title) for t in told], axis=0).sum(0)
    return Fit(fit.design, fit.quad, fit.at_all, _perhaps_foreign(names), rest)


def _compared(seen: Floats, mask: Picture, quad: Quad, design: Design) -> Fit:
    """The design just where it lies."""
    shown = align.shown(align.rectified(mask, quad))
    told = _told(seen, design)
    names, rest = (shown * design.title) @ told, (shown * ~design.title) @ told
    return Fit(design, quad, float(_design_odds(seen, design) @ shown), _perhaps_foreign(names), rest)


def _perhaps_foreign(names: Scores) -> Scores:
    """Names that fit none may be in another language: that rules no ticket out by more than this."""
    return np.asarray(np.logaddexp(names, -TICKET.foreign))


def _design_odds(seen: Floats, design: Design) -> Scores:
    """For every block, whether it is of this design, whichever the ticket, or of anything else."""
    return _usual(seen, design) - _anything(seen)


def _told(seen: Floats, design: Design) -> Scores:
    """For every block and ticket, whether it is of this ticket or of any of the design."""
    off = (seen**2).sum(1)[:, None] - 2 * np.einsum("bn,tbn->bt", seen, design.prints) + design.sizes
    like = -off / (2 * design.noise[:, None]) - seen.shape[1] / 2 * np.log(design.noise)[:, None]
    return np.asarray(np.logaddexp(like, _spoilt(seen)[:, None]) - _usual(seen, design)[:, None])


def _usual(seen: Floats, design: Design) -> Scores:
    """Log-likelihood of every block, if it is of this design; glare and shadow spoil single blocks."""
    off = (seen - design.usual) ** 2 / design.spread + np.log(design.spread)
    return np.asarray(np.logaddexp(-off.sum(1) / 2, _spoilt(seen)))


def _spoilt(seen: Floats) -> Scores:
    return _anything(seen) - TICKET.spoilt


def _anything(seen: Floats) -> Scores:
    """Log-likelihood of every block, if it shows just anything."""
    off = (seen**2).sum(1) / TICKET.anything + seen.shape[1] * np.log(TICKET.anything)
    return np.asarray(-off / 2, np.float64)


def _parts(told: Scores, shown: Floats) -> Scores:
    """Six parts of the print, three along and two across: what their blocks in sight say for each ticket together."""
    wide, high = (side // (2 * ALIGN.cell) for side in ALIGN.size)
    parts = (told * shown[:, None]).reshape(3, wide // 3, 2, high // 2, -1).sum((1, 3))
    return np.asarray(parts.reshape(6, -1))


def _changes(step: float) -> list[NDArray[np.float64]]:
    """Shift along and across, stretch along and across, turn, keystone: as moves of the four corners."""
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    zero = np.zeros(4)
    x, y = signs[:, 0], signs[:, 1]
    alone = (zero + 1, x, y, x * y)
    shapes = [(way, zero) for way in alone] + [(zero, way) for way in alone]
    return [np.stack(shape, axis=1) * step for shape in shapes]


def _shifts(step: float) -> list[NDArray[np.float64]]:
    """Nine places: here, and a step to every side; across, the same length is a larger part."""
    steps = np.array([-1, 0, 1]) * step
    return [np.tile((x, y * 1.5), (4, 1)) for x in steps for y in steps]

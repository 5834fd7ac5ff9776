"""Which tickets lie in a photo: each is compared with the prints of its board, by names, points and map together.

A print is known by its edges (HOG) and a linear score per ticket; nothing of the picture itself is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Board, Ticket, Trouble
from vision import align, hidden, sheets
from vision.align import Edges
from vision.config import SHEET, TICKET
from vision.photo import Photo
from vision.sheets import Quad, Sheet

Floats = NDArray[np.float32]
PRINTS = Path(__file__).resolve().parent.parent / "models" / "tickets" / "prints.npz"


@dataclass(frozen=True)
class TicketSeen:
    """A ticket on the table: the likeliest first, then what else it may be. Not `sure`: a person is asked."""

    ticket: Ticket
    confidence: float
    sure: bool
    alternatives: tuple[Ticket, ...]
    quad: tuple[tuple[float, float], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.ticket.id,
            "points": self.ticket.points,
            "confidence": round(self.confidence, 4),
            "quad": [[round(x, 1), round(y, 1)] for x, y in self.quad],
            "doubtful": not self.sure,
            "alternatives": [t.id for t in self.alternatives],
        }


@dataclass(frozen=True, eq=False)
class Prints:
    """The printed tickets of one board: how their edges are told, and one column of weights for each.

    `aligners` has, for each of its designs, steps that turn edges into where the corners should have been.
    """

    edges: Edges
    weights: Floats
    ids: tuple[str, ...]
    aligners: tuple[tuple[Floats, ...], ...]


@lru_cache(maxsize=8)
def prints(board: str) -> Prints | None:
    """What is known of a board's printed tickets; None where no print was at hand."""
    if not PRINTS.is_file():
        raise Trouble("model-missing", file=PRINTS.name)
    with np.load(PRINTS) as stored:
        mine = np.flatnonzero(stored["boards"] == board)
        if not len(mine):
            return None
        ids = tuple(str(i) for i in stored["ids"][mine])
        designs = np.flatnonzero(stored["design_boards"] == board)
        steps = align.unpacked(stored, "aligners")
        edges = Edges(stored["basis"].astype(np.float32), stored["mean"].astype(np.float32))
        return Prints(edges, align.unpacked(stored, "weights")[:, mine], ids, tuple(tuple(steps[d]) for d in designs))


def read_tickets(photo: Photo, board: Board) -> list[TicketSeen]:
    """The tickets of this board in a photo, left to right, then top to bottom."""
    known = prints(board.id)
    if known is None:
        raise Trouble("tickets-not-known", board=board.name)
    gray = np.asarray(cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY), np.uint8)
    found = sheets.find(photo)
    seen = []
    for sheet, places in zip(found, hidden.candidates(found), strict=True):
        mask = _free(gray, photo.shrink, sheet, found)
        told = [_read(gray, photo.shrink, place, mask, known, board) for place in places]
        seen += sorted((t for t in told if t is not None), key=lambda t: -t.confidence)[:1]
    return in_order(_single(seen))


def _free(gray: NDArray[np.uint8], shrink: NDArray[np.float64], sheet: Sheet, found: list[Sheet]) -> NDArray[np.uint8]:
    """255 where no other sheet was seen: what the finder missed of a ticket is not covered by anything."""
    mask = np.full(gray.shape[:2], 255, np.uint8)
    for other in found:
        if other is not sheet:
            spots = cv2.perspectiveTransform(other.spots[None], shrink)[0]
            mask[align.visible(spots, other.spot_size * shrink[0, 0], gray.shape) > 0] = 0
    return mask


def _single(seen: list[TicketSeen]) -> list[TicketSeen]:
    """Each ticket once: of several finds in one place the surest."""
    kept: list[TicketSeen] = []
    for ticket in sorted(seen, key=lambda t: -t.confidence):
        places = [np.array(other.quad) for other in kept]
        if all(sheets.overlap(np.array(ticket.quad), place) < SHEET.same for place in places):
            kept.append(ticket)
    return kept


def in_order(seen: list[TicketSeen]) -> list[TicketSeen]:
    return sorted(seen, key=lambda t: tuple(np.mean(t.quad, axis=0)))


def _read(
    gray: NDArray[np.uint8],
    shrink: NDArray[np.float64],
    sheet: Sheet,
    mask: NDArray[np.uint8],
    known: Prints,
    board: Board,
) -> TicketSeen | None:
    quad = cv2.perspectiveTransform(sheet.quad[None], shrink)[0]
    view = align.smoothed(gray, quad)
    turned = [np.roll(quad, turn, 0) for turn in (0, 2)]
    ways = [_best_fit(view, mask, way, design, known) for way in turned for design in known.aligners]
    scores, fitted = max(ways, key=lambda way: float(way[0].max()))
    order = np.argsort(-scores)
    powers = np.exp((scores - scores.max()) * TICKET.sharpness)
    # Something that is no known print scores low against all of them.
    fit = 1 / (1 + np.exp(-(float(scores.max()) - TICKET.middling) * TICKET.steep))
    confidence = float(powers[order[0]] / powers.sum() * fit)
    # Like no print at all: worth a question only if it surely is a ticket.
    asked = sheet.kind == "ticket" and sheet.score >= TICKET.surely_ticket and scores.max() >= TICKET.least
    if not asked and scores.max() < TICKET.clear:
        return None
    tickets = [_ticket(board, known.ids[i]) for i in order[: 1 + TICKET.alternatives]]
    corners = cv2.perspectiveTransform(fitted[None], np.linalg.inv(shrink))[0]
    place = tuple((float(x), float(y)) for x, y in corners)
    return TicketSeen(tickets[0], confidence, confidence >= TICKET.sure, tuple(tickets[1:]), place)


def _ticket(board: Board, pair: str) -> Ticket:
    """The board's ticket of that pair of cities."""
    return next(t for t in board.tickets.values() if f"{t.a}--{t.b}" == pair)


def _best_fit(
    gray: NDArray[np.uint8], mask: NDArray[np.uint8], quad: Quad, design: tuple[Floats, ...], known: Prints
) -> tuple[NDArray[np.float64], Quad]:
    """Scores of all tickets, once the corners are where a ticket of this design has them."""
    far = design[0]
    for aligner in (far, *design):
        seen = known.edges.seen(align.rectified(gray, quad), align.rectified(mask, quad))
        quad = align.aligned(quad, seen, aligner)
    shown = align.rectified(mask, quad)

    def scores(corners: Quad) -> NDArray[np.float64]:
        return np.asarray(known.edges.seen(align.rectified(gray, corners), shown) @ known.weights, np.float64)

    best = scores(quad)
    if best.max() < TICKET.least:
        return best, quad
    for change in _changes(TICKET.step):
        for sign in (1, -1):
            moved = align.moved(quad, change * sign)
            tried = scores(moved)
            if tried.max() > best.max():
                best, quad = tried, moved
                break
    return best, quad


def _changes(step: float) -> list[NDArray[np.float64]]:
    """Shift along and across, stretch along and across, turn, keystone: as moves of the four corners."""
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    zero = np.zeros(4)
    x, y = signs[:, 0], signs[:, 1]
    alone = (zero + 1, x, y, x * y)
    shapes = [(way, zero) for way in alone] + [(zero, way) for way in alone]
    return [np.stack(shape, axis=1) * step for shape in shapes]

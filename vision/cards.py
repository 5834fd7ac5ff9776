"""Which train cards lie in a photo. Witnesses: the finder's glance, the card's colours, the symbols in its corners."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Trouble
from vision import align, classify, hidden, sheets
from vision.align import Edges
from vision.config import CARD
from vision.photo import Photo
from vision.sheets import COLORS, Quad, Sheet

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
COLOR_NET, SYMBOL_NET = "../cards/color", "../cards/symbol"
ALIGNER = Path(__file__).resolve().parent.parent / "models" / "cards" / "aligner.npz"


@dataclass(frozen=True)
class CardSeen:
    """A train card on the table: its colour or `locomotive`, how sure that is, and its corners in the photo."""

    color: str
    confidence: float
    quad: tuple[tuple[float, float], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "color": self.color,
            "confidence": round(self.confidence, 4),
            "quad": [[round(x, 1), round(y, 1)] for x, y in self.quad],
        }


def read_cards(photo: Photo, allowed: tuple[str, ...] = COLORS) -> list[CardSeen]:
    """The train cards in a photo, left to right, then top to bottom. `allowed`: the cards that this game has."""
    gray = np.asarray(cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY), np.uint8)
    # What the finder takes for a ticket may be a pale card: the witnesses tell.
    places = [
        [fitted(gray, photo.shrink, place) for place in places] for places in hidden.candidates(sheets.find(photo))
    ]
    every = [place for several in places for place in several]
    if not every:
        return []
    odds = witnesses(every, [view(photo.image, photo.shrink, place) for place in every])
    found, odds = _best_places(places, odds)
    seen = [_card(sheet, row, allowed) for sheet, row in zip(found, odds, strict=True)]
    return in_order([card for card in seen if card is not None])


def _best_places(places: list[list[Sheet]], odds: NDArray[np.float64]) -> tuple[list[Sheet], NDArray[np.float64]]:
    """Of the places where each card may lie, the one that makes most sense as a card; each place once."""
    chosen: list[tuple[Sheet, NDArray[np.float64]]] = []
    first = 0
    for several in places:
        rows = odds[first : first + len(several)]
        first += len(several)
        best = int((rows[:, :-1].max(1) - rows[:, -1]).argmax())
        chosen.append((several[best], rows[best]))
    kept = sheets.merged([sheet for sheet, _ in chosen])
    return kept, np.array([next(row for sheet, row in chosen if np.array_equal(sheet.quad, k.quad)) for k in kept])


def in_order(cards: list[CardSeen]) -> list[CardSeen]:
    """Left to right; cards above one another from top to bottom."""
    return sorted(cards, key=lambda card: tuple(np.mean(card.quad, axis=0)))


@lru_cache(maxsize=1)
def _aligner() -> tuple[Edges, tuple[Floats, ...]]:
    if not ALIGNER.is_file():
        raise Trouble("model-missing", file=ALIGNER.name)
    with np.load(ALIGNER) as stored:
        edges = Edges(stored["basis"].astype(np.float32), stored["mean"].astype(np.float32))
        far, near = align.unpacked(stored, "steps")
        return edges, (far, far, near)


def fitted(gray: Picture, shrink: NDArray[np.float64], sheet: Sheet) -> Sheet:
    """The card with its corners where its edges say that they are."""
    edges, steps = _aligner()
    quad = cv2.perspectiveTransform(sheet.quad[None], shrink)[0]
    start = quad
    for step in steps:
        crop, mask = view(gray, shrink, replace(sheet, quad=_back(quad, shrink)))
        quad = align.aligned(quad, edges.seen(crop, mask), step)
    # Edges of something else can lead astray: the card stays about where it was seen.
    if sheets.overlap(quad, start) < CARD.least_kept:
        quad = start
    return replace(sheet, quad=_back(quad, shrink))


def _back(quad: Quad, shrink: NDArray[np.float64]) -> Quad:
    return np.asarray(cv2.perspectiveTransform(quad[None], np.linalg.inv(shrink))[0])


def view(image: Picture, shrink: NDArray[np.float64], sheet: Sheet) -> tuple[Picture, Picture]:
    """The card seen from straight above, and 255 where this card is what one sees."""
    quad = cv2.perspectiveTransform(sheet.quad[None], shrink)[0]
    part, corners = _close_up(image, quad)
    wide, high = CARD.size
    box = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    place = cv2.getPerspectiveTransform(corners.astype(np.float32), box)
    crop = cv2.warpPerspective(part, place, CARD.size, borderMode=cv2.BORDER_REPLICATE)
    straight = cv2.getPerspectiveTransform(quad.astype(np.float32), box)
    spots = cv2.perspectiveTransform(sheet.spots[None], straight @ shrink)[0]
    # A spot is a square of the picture; on the card it is about as large as the scale between them says.
    spot = sheet.spot_size * shrink[0, 0] * wide / max(max(sheets.sides(quad)), 1)
    mask = np.zeros((high, wide), np.uint8)
    for x, y in spots:
        a, b = (round(x - spot / 2), round(y - spot / 2)), (round(x + spot / 2), round(y + spot / 2))
        cv2.rectangle(mask, a, b, 255, -1)
    return np.asarray(crop, np.uint8), mask


def _close_up(image: Picture, quad: Quad) -> tuple[Picture, Quad]:
    """The picture around a card, averaged down to about the size that is looked at, and the card's corners there."""
    low = np.clip(np.floor(quad.min(0)).astype(int) - 4, 0, np.array(image.shape[1::-1]) - 8)
    high = np.maximum(np.ceil(quad.max(0)).astype(int) + 5, low + 8)
    part = image[low[1] : high[1], low[0] : high[0]]
    scale = min(CARD.size[0] / max(max(sheets.sides(quad)), 1.0), 1.0)
    if scale < 1:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return part, (quad - low + 0.5) * scale - 0.5


def color_input(crop: Picture, mask: Picture) -> Floats:
    """What the colour net sees: the card small, so that symbols are no more than dots, and what of it is in sight."""
    wide, high = CARD.color_size
    small = cv2.resize(crop, (wide, high), interpolation=cv2.INTER_AREA).astype(np.float32) / 255 - 0.5
    seen = cv2.resize(mask, (wide, high), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return np.concatenate([(small * seen[..., None]).transpose(2, 0, 1), seen[None] - 0.5])


def symbol_input(crop: Picture, mask: Picture) -> Floats:
    """What the symbol net sees: the four corners in grey, evened out, nothing where a corner is covered."""
    gray = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    side, size = CARD.corner, CARD.symbol_size
    batch = np.zeros((4, size, size), np.float32)
    for n, (rows, columns) in enumerate(_corners(side)):
        if mask[rows, columns].mean() < 255 * CARD.corner_seen:
            continue
        patch = cv2.resize(gray[rows, columns], (size, size), interpolation=cv2.INTER_AREA).astype(np.float32)
        batch[n] = (patch - patch.mean()) / (patch.std() + 12)
    return batch


def _corners(side: int) -> list[tuple[slice, slice]]:
    first, last = slice(0, side), slice(-side, None)
    return [(first, first), (first, last), (last, last), (last, first)]


def upside_down(crop: Picture, mask: Picture) -> tuple[Picture, Picture]:
    return np.ascontiguousarray(crop[::-1, ::-1]), np.ascontiguousarray(mask[::-1, ::-1])


def witnesses(found: list[Sheet], views: list[tuple[Picture, Picture]]) -> NDArray[np.float64]:
    """Log-probabilities of each card's colours, and last of being no card, from all three witnesses."""
    both = [turned for v in views for turned in (v, upside_down(*v))]
    color = _averaged(classify.net(COLOR_NET)(np.stack([color_input(*v) for v in both])))
    symbol = _averaged(classify.net(SYMBOL_NET)(np.stack([symbol_input(*v) for v in both])))
    glance = np.stack([sheet.colors for sheet in found])
    odds = color[:, :-1] * CARD.color_weight + symbol[:, :-1] * CARD.symbol_weight + glance * CARD.glance_weight
    best = odds.argmax(1)[:, None]
    by_color = (np.take_along_axis(color, best, 1) - color[:, -1:]) * CARD.card_by_color
    # Covered or blurred symbols look like none.
    by_symbol = np.maximum(np.take_along_axis(symbol, best, 1) - symbol[:, -1:], CARD.least_symbol)
    by_glance = np.array([[_glance(sheet)] for sheet in found]) * CARD.card_by_glance
    card = by_color + by_symbol * CARD.card_by_symbol + by_glance + CARD.card_at_all
    colors = odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)
    return np.hstack([colors - np.logaddexp(0, -card), -np.logaddexp(0, card)])


def _glance(sheet: Sheet) -> float:
    """How much the finder takes this for a card, as log-odds."""
    score = min(max(sheet.score, 0.02), CARD.most_glance)
    return float(np.log(score / (1 - score))) * (1 if sheet.kind == "card" else -1)


def _averaged(scores: Floats) -> NDArray[np.float64]:
    """Log-probabilities, the mean of both ways round."""
    shifted = scores.astype(np.float64) - scores.max(1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    return np.asarray(np.maximum(logs.reshape(-1, 2, logs.shape[1]).mean(1), CARD.least_log))


def _card(sheet: Sheet, odds: NDArray[np.float64], allowed: tuple[str, ...]) -> CardSeen | None:
    playing = np.array([color in allowed for color in COLORS] + [True])
    odds = np.where(playing, odds, -1e9)
    powers = np.exp(odds - odds.max())
    powers /= powers.sum()
    best = int(powers.argmax())
    if best == len(COLORS) or powers[best] < CARD.least_sure:
        return None
    quad: Quad = upright(sheet.quad)
    return CardSeen(COLORS[best], float(powers[best]), tuple((float(x), float(y)) for x, y in quad))


def upright(quad: Quad) -> Quad:
    """The corner that comes first in reading direction first."""
    return np.roll(quad, -int(quad.sum(1).argmin()), axis=0)

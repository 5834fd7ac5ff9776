"""Which train cards lie in a photo. Witnesses: the finder's glance, the card's colours, the symbols in its corners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import classify, closer, sheets
from vision.config import CARD, SHEET
from vision.photo import Photo
from vision.sheets import COLORS, Floats, Picture, Quad, Sheet

COLOR_NET, SYMBOL_NET = "../cards/color", "../cards/symbol"


@dataclass(frozen=True)
class CardSeen:
    """A train card on the table: its colour or `locomotive`, how sure that is, and its corners in the photo."""

    color: str
    confidence: float
    quad: tuple[tuple[float, float], ...]

    @property
    def doubtful(self) -> bool:
        """Whether a person should look at it."""
        return self.confidence < CARD.doubt

    def to_json(self) -> dict[str, Any]:
        return {
            "color": self.color,
            "confidence": round(self.confidence, 4),
            "quad": [[round(x, 1), round(y, 1)] for x, y in self.quad],
        }


def read_cards(photo: Photo, allowed: tuple[str, ...] = COLORS) -> list[CardSeen]:
    """The train cards in a photo, left to right, then top to bottom. `allowed`: the cards that this game has."""
    up = np.asarray(np.linalg.inv(photo.shrink), np.float64)
    first = sheets.looks(photo.image)
    best = sheets.find(photo.image, first)
    seen = _told(photo.image, best, up, allowed)
    # Seen from too near, bits of a card pass for cards, but for doubtful ones.
    if all(card.doubtful for card in seen):
        around, back = sheets.framed(photo.image)
        one = _told(around, sheets.filling(around), up @ back, allowed)
        seen = one if not seen or _fills(photo, one, seen) else seen
    lengths = [sheets.seen_as(photo.image, _length(card) * photo.scale) for card in seen]
    if all(card.doubtful for card in seen) or 0 < float(np.median(lengths)) < SHEET.tiny:
        small = _small(photo.image, up, allowed)
        if _number_sure(small) > _number_sure(seen):
            seen = _with(small, seen)
        elif not _number_sure(seen):
            # Marks on a board: smaller than the first looks can see, and the last one does not tell them.
            seen = [card for card, length in zip(seen, lengths, strict=True) if not 0 < length < SHEET.lengths[0]]
    if all(card.doubtful for card in seen):
        others = [_told(photo.image, look, up, allowed) for look in first if look is not best]
        seen = _with(certain, seen) if (certain := _certain(others)) else seen
    return in_order(seen)


def _with(some: list[CardSeen], others: list[CardSeen]) -> list[CardSeen]:
    """Cards with the likely ones of others that lie elsewhere."""
    likely = [card for card in others if card.confidence > CARD.perhaps]
    apart = [c for c in likely if all(sheets.overlap(_quad(c), _quad(s)) < CARD.elsewhere for s in some)]
    return [*some, *apart]


def _small(image: Picture, up: NDArray[np.float64], allowed: tuple[str, ...]) -> list[CardSeen]:
    """Tiny cards: those of the last look if some are sure from nearer too, as marks on boards are not."""
    found = _surely(_told(image, sheets.small(image), up, allowed))
    if not found:
        return []
    back = np.asarray(np.linalg.inv(up), np.float64)
    places = [cv2.perspectiveTransform(_quad(card)[None], back)[0] for card in found]
    again = _surely(_told(image, sheets.near(image, places), up, allowed))
    certain = any(card.confidence > CARD.certain for card in [*found, *again])
    return max(found, again, key=_number_sure) if again and certain else []


def _certain(looks: list[list[CardSeen]]) -> list[CardSeen]:
    """Cards of the look that makes most sure, one very sure: another may have seemed to show more."""
    sure = [_surely(seen) for seen in looks]
    return max((s for s in sure if any(c.confidence > CARD.certain for c in s)), key=_number_sure, default=[])


def _number_sure(seen: list[CardSeen]) -> int:
    return sum(not card.doubtful for card in seen)


def _length(card: CardSeen) -> float:
    return max(sheets.sides(_quad(card)))


def _quad(card: CardSeen) -> Quad:
    return np.array(card.quad, np.float64)


def _fills(photo: Photo, one: list[CardSeen], others: list[CardSeen]) -> bool:
    """Whether a single card is most of the photo, and surer than any of those seen in it."""
    if len(one) != 1 or one[0].confidence <= max(card.confidence for card in others):
        return False
    part = cv2.contourArea(np.array(one[0].quad, np.float32)) / (photo.width * photo.height)
    return bool(part > CARD.fills)


def _surely(seen: list[CardSeen]) -> list[CardSeen]:
    """Cards of a last look, which marks on boards may pass for: if enough are sure, those and what lies beside them."""
    likely = [c for c in seen if c.confidence > CARD.perhaps]
    sure = [c for c in likely if not c.doubtful]
    if len(sure) < max(CARD.sure_part * len(likely), 1):
        return []
    return [c for c in likely if any(c is s or _beside(c, s) for s in sure)]


def _beside(one: CardSeen, other: CardSeen) -> bool:
    """Whether two cards lie near one another and are about as long."""
    apart = float(np.linalg.norm(np.mean(one.quad, axis=0) - np.mean(other.quad, axis=0)))
    lengths = _length(one), _length(other)
    return apart < CARD.beside * max(lengths) and max(lengths) < CARD.beside_as_long * min(lengths)


def _told(image: Picture, there: list[Sheet], up: NDArray[np.float64], allowed: tuple[str, ...]) -> list[CardSeen]:
    """The cards among some sheets of a picture; `up` takes its pixels to those of the photo."""
    found = closer.looked(image, there)
    if not found:
        return []
    odds = witnesses(found, [view(image, sheet) for sheet in found])
    likely = [sheet for sheet, row in zip(found, odds, strict=True) if row[-1] <= np.log(0.5)]
    seen = [
        _card(sheets.moved(sheet, up), row, allowed, CARD.among if _among(sheet, likely) else 0.5)
        for sheet, row in zip(found, odds, strict=True)
    ]
    return [card for card in seen if card is not None]


def _among(sheet: Sheet, others: list[Sheet]) -> bool:
    """Whether a sheet lies over or under cards of its size: half-covered cards of a hand hardly look like cards."""
    alike = [o for o in others if 1 / CARD.as_long < sheet.length / o.length < CARD.as_long]
    return len(others) > 1 and any(sheets.overlap(sheet.quad, o.quad) > CARD.touching for o in alike if o is not sheet)


def in_order(cards: list[CardSeen]) -> list[CardSeen]:
    """Left to right; cards above one another from top to bottom."""
    return sorted(cards, key=lambda card: tuple(np.mean(card.quad, axis=0)))


def view(image: Picture, sheet: Sheet) -> tuple[Picture, Picture]:
    """The card seen from straight above, and 255 where this card is what one sees."""
    wide, high = CARD.size
    box = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    seen = closer.straight(image, sheet.quad, sheet.spots, sheet.spot_size, box, CARD.size)
    return np.ascontiguousarray(seen[..., :3]), np.ascontiguousarray(seen[..., 3])


def color_input(crop: Picture, mask: Picture) -> Floats:
    """What the colour net sees: the card small, so that symbols are no more than dots, and what of it is in sight.

    Once as it is, once in the light that makes its edge white.
    """
    wide, high = CARD.color_size
    small = cv2.resize(crop, (wide, high), interpolation=cv2.INTER_AREA).astype(np.float32)
    seen = cv2.resize(mask, (wide, high), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    white = np.clip(small * (CARD.white / edge_color(crop, mask)), 0, 255)
    both = np.concatenate([small, white], axis=2) / 255 - 0.5
    return np.concatenate([(both * seen[..., None]).transpose(2, 0, 1), seen[None] - 0.5])


def edge_color(crop: Picture, mask: Picture) -> Floats:
    """The colour of a card's white edge in this light: what is brightest along its sides, where it is in sight."""
    rim = np.zeros(mask.shape, bool)
    rim[: CARD.rim], rim[-CARD.rim :], rim[:, : CARD.rim], rim[:, -CARD.rim :] = (True,) * 4
    mine = crop[rim & (mask > 127)]
    if len(mine) < CARD.least_rim:
        mine = crop[rim]
    return np.asarray(np.maximum(np.quantile(mine, CARD.edge_part, axis=0), 20), np.float32)


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
    by_color = np.take_along_axis(color, best, 1) - color[:, -1:]
    # Covered or blurred symbols look like none.
    by_symbol = np.maximum(np.take_along_axis(symbol, best, 1) - symbol[:, -1:], CARD.least_symbol)
    by_look = np.array([[_card_odds(sheet)] for sheet in found])
    card = by_color * CARD.card_by_color + by_symbol * CARD.card_by_symbol + by_look * CARD.card_by_look
    card += CARD.card_at_all
    colors = odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)
    return np.hstack([colors - np.logaddexp(0, -card), -np.logaddexp(0, card)])


def _card_odds(sheet: Sheet) -> float:
    """How much the closer look takes this for a card, as log-odds."""
    none, card, ticket = sheet.kinds
    return float(np.clip(card - np.logaddexp(none, ticket), -CARD.most_look, CARD.most_look))


def _averaged(scores: Floats) -> NDArray[np.float64]:
    """Log-probabilities, the mean of both ways round."""
    shifted = scores.astype(np.float64) - scores.max(1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    return np.asarray(np.maximum(logs.reshape(-1, 2, logs.shape[1]).mean(1), CARD.least_log))


def _card(sheet: Sheet, odds: NDArray[np.float64], allowed: tuple[str, ...], most: float = 0.5) -> CardSeen | None:
    """The likeliest card, however unsure: a person sees that mark. None: no card, by odds over `most`."""
    if odds[-1] > np.log(most):
        return None
    colors = np.array([odd if color in allowed else -np.inf for color, odd in zip(COLORS, odds[:-1], strict=True)])
    best = int(colors.argmax())
    confidence = float(np.exp(colors[best] - np.logaddexp.reduce([*colors, odds[-1]])))
    quad: Quad = upright(sheet.quad)
    return CardSeen(COLORS[best], confidence, tuple((float(x), float(y)) for x, y in quad))


def upright(quad: Quad) -> Quad:
    """The corner that comes first in reading direction first."""
    return np.roll(quad, -int(quad.sum(1).argmin()), axis=0)

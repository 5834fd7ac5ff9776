"""Finds cards and tickets on a table: every visible spot of a card votes for where the whole card lies.

Votes of one card agree however little of it shows, so that fanned cards come apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import classify
from vision.config import SHEET

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]
Quad = NDArray[np.float64]
Kind = Literal["card", "ticket"]
KINDS: tuple[Kind, ...] = ("card", "ticket")
# The net's order of card colours.
COLORS = ("locomotive", "pink", "white", "blue", "yellow", "orange", "black", "red", "green")
NET = "../cards/finder"
STRIDE = 8
# The net tells places in these pixels.
UNIT = 64.0


@dataclass(frozen=True, eq=False)
class Sheet:
    """A card or ticket: its corners in pixels of the picture, in the order that shows it upright or upside down.

    `colors` are the log-probabilities of `COLORS` over its visible spots; `spots` are those spots, in pixels.
    `kinds` are the log-probabilities of no sheet, card and ticket after a closer look.
    """

    kind: Kind
    quad: Quad
    score: float
    colors: NDArray[np.float64]
    spots: Quad
    spot_size: float
    kinds: NDArray[np.float64] = field(default_factory=lambda: np.zeros(1 + len(KINDS)))

    @property
    def length(self) -> float:
        """The mean of the two long sides, in pixels."""
        return max(sides(self.quad))


@dataclass(frozen=True, eq=False)
class _Votes:
    """The cells that see something: where they are, what they see, and the corners that they vote for."""

    at: Quad
    kind: NDArray[np.int64]
    sure: Quad
    colors: Quad
    quads: Quad
    centres: Quad
    long: Quad


def find(image: Picture, first: list[list[Sheet]] | None = None) -> list[Sheet]:
    """All cards and tickets in a picture; `first`: its looks, where they were taken already.

    The net knows cards of one size only: the picture is looked at in several sizes, and the one counts that shows most.
    """
    found = next(iter(looks(image) if first is None else first), [])
    if found:
        closer = _look(image, *_closer(image, [s.quad for s in found]))
        found = max(found, closer, key=_evidence)
    return found


def looks(image: Picture) -> list[list[Sheet]]:
    """What the picture shows in each of several sizes, if anything; the one that shows most comes first."""
    found = [_look(image, *_whole(image, side)) for side in _sizes(image)]
    return sorted(filter(None, found), key=_evidence, reverse=True)


def framed(image: Picture) -> tuple[Picture, NDArray[np.float64]]:
    """The picture laid on a table, as the net knows cards, and the way back to its own pixels."""
    rim = round(max(image.shape[:2]) * SHEET.rim)
    around = cv2.copyMakeBorder(image, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=SHEET.table)
    return np.asarray(around, np.uint8), np.array([[1.0, 0, -rim], [0, 1, -rim], [0, 0, 1]])


def filling(image: Picture) -> list[Sheet]:
    """A card that fills a framed picture but for its rim; where the net sees none, all that is there may be one."""
    lengths = [round(length * (1 + 2 * SHEET.rim)) for length in SHEET.filling]
    found = max((_look(image, *_whole(image, side)) for side in lengths), key=_evidence)
    return found or [_all_of(image)]


def _all_of(image: Picture) -> Sheet:
    """What lies within the rim of a framed picture, as one sheet."""
    high, wide = image.shape[:2]
    rim = round(max(high, wide) * SHEET.rim / (1 + 2 * SHEET.rim))
    x, y = wide - 2 * rim, high - 2 * rim
    corners = np.array([(0, 0), (x, 0), (x, y), (0, y)], np.float64) + rim - 0.5
    spot = max(x, y) / 16
    at = np.stack(np.meshgrid(np.arange(spot / 2, x, spot), np.arange(spot / 2, y, spot)), axis=-1).reshape(-1, 2) + rim
    upright = corners if x >= y else np.roll(corners, -1, axis=0)
    return Sheet(KINDS[0], upright, SHEET.sure, np.full(len(COLORS), -np.log(len(COLORS))), at, float(spot))


def small(image: Picture) -> list[Sheet]:
    """Cards that are tiny beside a board: what they may be, and much of the board's print too."""
    side = _last_look(image)
    return _look(image, *_whole(image, side)) if side else []


def near(image: Picture, quads: list[Quad]) -> list[Sheet]:
    """The sheets about some places where cards lie, at the size that suits those."""
    return _look(image, *_closer(image, quads))


def seen_as(image: Picture, length: float) -> float:
    """How long a card of so many pixels is in the largest of the first looks; 0 if there was none."""
    return length * max(_sizes(image), default=0) / max(image.shape[:2])


def _sizes(image: Picture) -> list[int]:
    """Longer sides of the first looks at a picture."""
    return [side for side in SHEET.looks if side <= max(image.shape[:2]) * SHEET.enlarged]


def _last_look(image: Picture) -> int:
    """The longer side of the last look: more than all before, or 0 where the picture is too small for that."""
    side = min(SHEET.last_look, round(max(image.shape[:2]) * SHEET.last_enlarged))
    first = max(_sizes(image), default=side)
    return side if side > SHEET.last_step * first else 0


def merged(found: list[Sheet]) -> list[Sheet]:
    """Sheets that turned out to lie in the same place as one; the one seen best tells what it is."""
    kept: list[Sheet] = []
    for sheet in sorted(found, key=lambda s: -len(s.spots) * s.score):
        for n, other in enumerate(kept):
            if overlap(sheet.quad, other.quad) > SHEET.same:
                kept[n] = replace(other, spots=np.concatenate([other.spots, sheet.spots]))
                break
        else:
            kept.append(sheet)
    return kept


def _evidence(found: list[Sheet]) -> float:
    """How much of the photo is surely cards; cards of the size that the net knows best count most."""
    return sum(len(s.spots) * s.spot_size**2 * (s.score - 0.5) * _familiar(s) for s in found)


def _familiar(sheet: Sheet) -> float:
    """1 for a card of the size that the net knows best, less for smaller and larger ones."""
    length = sheet.length * STRIDE / sheet.spot_size
    return float(np.exp(-((np.log(length / SHEET.length) / SHEET.spread) ** 2) / 2))


def sides(quad: Quad) -> tuple[float, float]:
    """Mean lengths of the sides from the first corner on, and of the other two."""
    lengths = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    return float(lengths[[0, 2]].mean()), float(lengths[[1, 3]].mean())


def overlap(a: Quad, b: Quad) -> float:
    """How much of two quadrilaterals together is common to both."""
    common = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))[0]
    return float(common / max(_area(a) + _area(b) - common, 1e-6))


def _area(quad: Quad) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def _whole(image: Picture, side: int) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """The whole picture with its longer side as told."""
    scale = side / max(image.shape[:2])
    return np.diag([scale, scale, 1.0]), (round(image.shape[1] * scale), round(image.shape[0] * scale))


def _closer(image: Picture, places: list[Quad]) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """The part of the picture with cards in it, at the size that the net knows best."""
    length = float(np.median([max(sides(quad)) for quad in places]))
    quads = np.concatenate(places)
    margin = 0.5 * length
    low = np.floor(np.maximum(quads.min(0) - margin, 0))
    high = np.minimum(quads.max(0) + margin, np.array(image.shape[1::-1]))
    scale = min(SHEET.length / length, SHEET.second_side / float((high - low).max()))
    move = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
    wide, tall = np.ceil((high - low) * scale).astype(int)
    return move, (max(int(wide), 1), max(int(tall), 1))


def seen(image: Picture) -> list[Sheet]:
    """Sheets seen in the picture as it is."""
    return _look(image, np.eye(3), (image.shape[1], image.shape[0]))


def _look(image: Picture, move: NDArray[np.float64], size: tuple[int, int]) -> list[Sheet]:
    """Sheets seen in the picture as `move` brings it into a frame of `size`, in pixels of the picture."""
    # The net halves six times: sides are multiples of 64, what is added repeats the picture's edge.
    wide, high = -(-size[0] // 64) * 64, -(-size[1] // 64) * 64
    frame = _resized(image, move, size)
    padded = np.asarray(cv2.copyMakeBorder(frame, 0, high - size[1], 0, wide - size[0], cv2.BORDER_REPLICATE), np.uint8)
    batch = (padded.transpose(2, 0, 1)[None] / np.float32(127.5) - 1).astype(np.float32)
    scores: Floats = classify.net(NET)(batch).reshape(-1, high // STRIDE, wide // STRIDE)
    scores = scores[:, : -(-size[1] // STRIDE), : -(-size[0] // STRIDE)]
    back = np.asarray(np.linalg.inv(move), np.float64)
    known = [s for s in _sheets(scores) if SHEET.lengths[0] <= s.length <= SHEET.lengths[1]]
    return [moved(s, back) for s in known]


def _resized(image: Picture, move: NDArray[np.float64], size: tuple[int, int]) -> Picture:
    """A part of the picture at another size; averaged, not skipped, where it shrinks."""
    scale = move[0, 0]
    x, y = (round(-move[0, 2] / scale), round(-move[1, 2] / scale))
    part = image[y : y + max(round(size[1] / scale), 1), x : x + max(round(size[0] / scale), 1)]
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, size, interpolation=way), np.uint8)


def moved(sheet: Sheet, by: NDArray[np.float64]) -> Sheet:
    """The sheet as `by` takes it to other pixels."""

    def there(points: Quad) -> Quad:
        return np.asarray(cv2.perspectiveTransform(points.reshape(1, -1, 2), by)[0], np.float64)

    size = sheet.spot_size * by[0, 0]
    return replace(sheet, quad=there(sheet.quad), spots=there(sheet.spots), spot_size=size)


@dataclass(frozen=True, eq=False)
class _Mode:
    """A place that many cells vote for: the kind, corners and colours that they tell."""

    kind: int
    quad: Quad
    colors: NDArray[np.float64]

    @cached_property
    def centre(self) -> Quad:
        return np.asarray(self.quad.mean(0))

    @cached_property
    def long(self) -> float:
        return max(sides(self.quad))


def _sheets(scores: Floats) -> list[Sheet]:
    """Groups the votes of all cells into sheets, in pixels of the net's picture.

    First the places, then whose each cell is: taken one by one, a card would take cells of its neighbours in a hand.
    """
    votes = _votes(scores)
    # Where a board shows there are thousands of votes: some of them find the places, then all are told apart.
    modes = _modes(_some(votes))
    owners = _owners(votes, modes)
    found: list[Sheet] = []
    for n in sorted(range(len(modes)), key=lambda n: -np.count_nonzero(owners == n)):
        mine = owners == n
        near = mine & _agreeing(votes, modes[n].centre, modes[n].long, SHEET.agree * SHEET.wider)
        if not mine.any():
            continue
        sheet = _sheet(votes, mine, _middle(votes.quads[near if np.count_nonzero(near) >= SHEET.fewest else mine]))
        if sheet is not None and all(overlap(sheet.quad, other.quad) < SHEET.same for other in found):
            found.append(sheet)
    return found


def _modes(votes: _Votes) -> list[_Mode]:
    """The places that cells agree on, those with most votes first; none so near another that it is the same card."""
    found: list[_Mode] = []
    free = np.ones(len(votes.at), bool)
    density = _density(votes)
    for best in np.argsort(-density):
        if not free[best] or density[best] <= 0:
            continue
        near = (votes.kind == votes.kind[best]) & _agreeing(votes, votes.centres[best], votes.long[best], SHEET.agree)
        mine = near & free
        free &= ~(near if np.count_nonzero(mine) >= SHEET.fewest else mine)
        if np.count_nonzero(mine) < SHEET.fewest:
            continue
        mode = _Mode(int(votes.kind[best]), _middle(votes.quads[mine]), votes.colors[mine].mean(0))
        if all(mode.kind != other.kind or _apart(mode, other) >= SHEET.apart for other in found):
            found.append(mode)
    return found


def _apart(one: _Mode, other: _Mode) -> float:
    """How far two places are apart, in long sides of the shorter."""
    return float(np.linalg.norm(one.centre - other.centre)) / max(min(one.long, other.long), 1e-6)


def _owners(votes: _Votes, modes: list[_Mode]) -> NDArray[np.int64]:
    """Which place each cell is of: the nearest that its vote reaches, less near where their colours differ; or -1."""
    if not modes or not len(votes.at):
        return np.full(len(votes.at), -1)
    costs = []
    for mode in modes:
        off = np.linalg.norm(votes.centres - mode.centre, axis=1) / max(mode.long, 1e-6)
        alike = np.exp(votes.colors) @ np.exp(mode.colors)
        reached = (votes.kind == mode.kind) & (off < SHEET.belong)
        costs.append(np.where(reached, off + SHEET.other_color * (1 - alike), np.inf))
    cost = np.stack(costs, axis=1)
    return np.where(np.isfinite(cost.min(1)), cost.argmin(1), -1)


def _votes(scores: Floats) -> _Votes:
    kinds = _softmax(scores[:3])
    sure = 1 - kinds[0]
    rows, columns = np.nonzero(sure > SHEET.least)
    at = np.asarray(np.stack([columns, rows], axis=1) * STRIDE + (STRIDE / 2 - 0.5), np.float64)
    seen = scores[:, rows, columns].astype(np.float64)
    places = seen[12:].T * UNIT
    centres = places[:, :2] + at
    quads = _quads(centres, _half(places[:, 2:4]), _half(places[:, 4:]))
    longest = 2 * np.linalg.norm(places[:, 2:4], axis=1)
    colors = np.log(_softmax(seen[3:12]).T + 1e-6)
    return _Votes(at, kinds[1:, rows, columns].argmax(0), sure[rows, columns], colors, quads, centres, longest)


def _some(votes: _Votes) -> _Votes:
    """At most so many of the votes, evenly taken."""
    if len(votes.at) <= SHEET.voters:
        return votes
    few = np.linspace(0, len(votes.at) - 1, SHEET.voters).astype(int)
    return _Votes(*(getattr(votes, part.name)[few] for part in fields(votes)))


def _half(doubled: Quad) -> Quad:
    """A side of a card from the vector of twice its angle; which of its two ends comes first is not told."""
    angle = np.arctan2(doubled[:, 1], doubled[:, 0]) / 2
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.linalg.norm(doubled, axis=1, keepdims=True))


def _quads(centres: Quad, long: Quad, short: Quad) -> Quad:
    """The corners of cards from their half sides: clockwise, the first long side first."""
    turn = long[:, 0] * short[:, 1] - long[:, 1] * short[:, 0]
    short = np.where(turn[:, None] < 0, -short, short)
    corners = [centres - long - short, centres + long - short, centres + long + short, centres - long + short]
    return np.stack(corners, axis=1)


def _softmax(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    powers = np.exp(scores.astype(np.float64) - scores.max(0))
    return np.asarray(powers / powers.sum(0))


def _density(votes: _Votes) -> Quad:
    """How many cells vote for about the same centre as each cell does."""
    if not len(votes.at):
        return np.zeros(0)
    apart = np.linalg.norm(votes.centres[:, None] - votes.centres[None], axis=2)
    same = (votes.kind[:, None] == votes.kind[None]) & (apart < SHEET.agree * votes.long[:, None])
    return np.asarray((same * votes.sure[None]).sum(1) / np.maximum(votes.long, 8))


def _agreeing(votes: _Votes, centre: Quad, long: float, part: float) -> NDArray[np.bool_]:
    return np.asarray(np.linalg.norm(votes.centres - centre, axis=1) < part * long)


def _middle(quads: Quad) -> Quad:
    """The median of votes for corners, after turning round those that call the card upside down."""
    first = quads[0]
    turned = np.roll(quads, 2, axis=1)
    other = np.abs(turned - first).sum((1, 2)) < np.abs(quads - first).sum((1, 2))
    straight = np.where(other[:, None, None], turned, quads)
    middle = np.median(straight, axis=0)
    return np.asarray(middle if other.mean() < 0.5 else np.roll(middle, 2, axis=0))


def _sheet(votes: _Votes, mine: NDArray[np.bool_], quad: Quad) -> Sheet | None:
    """A sheet if enough of it shows and it has a card's shape."""
    area = _area(quad)
    along, across = sides(quad)
    convex = cv2.isContourConvex(quad.astype(np.float32))
    ratio = max(along, across) / max(min(along, across), 1e-6)
    if not convex or not SHEET.shape[0] <= ratio <= SHEET.shape[1]:
        return None
    score = float(votes.sure[mine].mean())
    shown = np.count_nonzero(mine) * STRIDE * STRIDE / max(area, 1)
    if score < SHEET.sure or shown < SHEET.visible:
        return None
    kind = KINDS[int(np.bincount(votes.kind[mine]).argmax())]
    return Sheet(kind, quad, score, votes.colors[mine].mean(0), votes.at[mine], float(STRIDE))

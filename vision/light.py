"""Evens out the light of a photo by the board itself: what a lamp, a shadow or glare did to the print is undone."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import GRAY, Board, Trouble, user_folder
from maps.disk import write_whole
from vision import shipped
from vision.arrays import shrunk
from vision.config import LIGHT, PATCH
from vision.spaces import EVERY, Floats, Layout, Points, ToPicture, sample

FOLDER = Path(__file__).resolve().parent.parent / "models" / "board"

# BGR of printed spaces in even light, medians over the empty boards at hand; for boards without a reference.
PRINT: dict[str, tuple[int, int, int]] = {
    "red": (70, 75, 190),
    "blue": (190, 140, 75),
    "green": (75, 160, 140),
    "yellow": (90, 190, 215),
    "orange": (75, 130, 205),
    "pink": (165, 130, 190),
    "black": (80, 78, 78),
    "white": (205, 212, 215),
    "purple": (150, 95, 130),
    GRAY: (165, 165, 168),
}


@dataclass(frozen=True, eq=False)
class Reference:
    """How an empty board looks in even light: a coarse field of colours between the spaces, and each space's own."""

    field: Floats
    spaces: Floats

    def save(self, path: Path) -> None:
        packed = io.BytesIO()
        np.savez_compressed(
            packed, field=np.round(self.field).astype(np.uint8), spaces=np.round(self.spaces).astype(np.uint8)
        )
        write_whole(path, packed.getvalue())


def load_reference(path: Path) -> Reference:
    """A reference from its file; Trouble if it is damaged."""
    data = shipped.contents(path)
    try:
        stored = shipped.arrays(data)
        found = Reference(stored["field"].astype(np.float32), stored["spaces"].astype(np.float32))
        if found.field.ndim != 3 or found.spaces.ndim != 2:
            raise ValueError("of another shape")
    except (KeyError, ValueError, TypeError):
        raise Trouble("bad-fingerprint", file=str(path)) from None
    return found


@lru_cache(maxsize=16)
def built_in(board: str) -> Reference | None:
    """The reference that comes with the program, if this board has one."""
    path = FOLDER / f"{board}.npz"
    return load_reference(path) if path.is_file() else None


def own_file(board: str) -> Path:
    """Where the reference of the player's own board is kept, once it was enrolled."""
    return user_folder().parent / "references" / f"{board}.npz"


def reference(board: Board, enrolled: bool = False) -> Reference | None:
    """The player's own board where it was enrolled, else what comes with the program."""
    if enrolled and own_file(board.id).is_file():
        # A damaged one is no better than none; `tables.damaged` names it.
        with suppress(Trouble):
            own = load_reference(own_file(board.id))
            if own.field.shape[1::-1] == _grid(board):
                return own
    return built_in(board.id)


def reference_of(image: NDArray[np.uint8], to_picture: ToPicture, spots: Layout) -> Reference:
    """The reference that a photo of an empty board gives: its colours, scaled so that printed white is white."""
    flat = np.zeros_like(spots.centres)
    field, _ = measure(image, to_picture, spots, flat)
    found = sample(image, to_picture, spots, flat, PATCH.size, PATCH.span)
    high, wide = found.pictures.shape[1:3]
    core = found.pictures[:, high * 3 // 8 : high * 5 // 8, wide // 4 : wide * 3 // 4]
    colors = core.mean((1, 2))
    return _balanced(field, colors, spots)


def mean_reference(found: Sequence[Reference], spots: Layout) -> Reference:
    """The mean of several photos of one empty board."""
    return _balanced(np.mean([r.field for r in found], axis=0), np.mean([r.spaces for r in found], axis=0), spots)


def _balanced(field: Floats, colors: Floats, spots: Layout) -> Reference:
    white = [color == "white" for color in spots.colors]
    # A board without white tracks is balanced by its brightest spaces.
    level = np.median(colors[white], axis=0) if any(white) else np.percentile(colors, 90, axis=0)
    scale = np.array(LIGHT.white, np.float32) / np.maximum(level, 1)
    return Reference(
        np.clip(field * scale, 0, 255).astype(np.float32), np.clip(colors * scale, 0, 255).astype(np.float32)
    )


def tint(seen: Floats, printed: Floats, weights: Floats) -> Floats:
    """What a camera did to all colours alike: a mixing of the three, 3x3, that takes them back to the print's own.

    `seen` and `printed` are colours of spaces, 0..255, `weights` how surely each is bare. Spaces that don't fit are
    left out step by step: something lies on them after all.
    """
    colors, wanted = (seen / 255).astype(np.float64), (printed / 255).astype(np.float64)
    # With few bare spaces nothing is changed. Black stays black: a constant beside the mixing made it green in dusk.
    stiff, plain = LIGHT.tint_stiff * np.eye(3), np.eye(3)
    mixing, trust = plain, np.asarray(weights, np.float64)
    for _ in range(LIGHT.tint_rounds):
        weighed = colors * trust[:, None]
        right = weighed.T @ wanted + stiff @ plain
        mixing = np.asarray(np.linalg.solve(weighed.T @ colors + stiff, right), np.float64)
        off = np.abs(colors @ mixing - wanted).max(1) / LIGHT.tint_fits
        trust = weights / (1 + off**2)
    return mixing.astype(np.float32)


def untinted(pictures: Floats, mixing: Floats) -> Floats:
    """Colours (n, height, width, 3), 0..255, as they were before the camera tinted them; in place."""
    for first in range(0, len(pictures), LIGHT.at_once):
        some = pictures[first : first + LIGHT.at_once]
        back = cv2.transform(some.reshape(-1, 1, 3), mixing.T)
        np.clip(back.reshape(some.shape), 0, 255, out=some)
    return pictures


def expected(reference: Reference, points: Points) -> Floats:
    """What the empty board has at some points (board coordinates), as coarse as the field is."""
    high, wide = reference.field.shape[:2]
    x, y = (points * (wide, high) - 0.5).astype(np.float32).T
    found = cv2.remap(reference.field, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found.reshape(-1, 3), np.float32)


def printed(spots: Layout, reference: Reference | None) -> Floats:
    """The colour that each space has when empty, as far as it is known."""
    if reference is not None and len(reference.spaces) == len(spots.colors):
        return reference.spaces
    return np.array([PRINT.get(color, PRINT[GRAY]) for color in spots.colors], np.float32).reshape(-1, 3)


def beside(spots: Layout, printed: Floats) -> Floats:
    """The colours printed on the tracks along each space, above and below it as it lies in its patch; 0 without one.

    Tracks of a group may touch, and a piece that leans is looked for over its neighbour.
    """
    found = np.zeros((len(spots.centres), 2, 3), np.float32)
    x, y = spots.centres.T / spots.unit
    one, other = np.nonzero(np.hypot(x[None] - x[:, None], y[None] - y[:, None]) < sum(LIGHT.beside_reach))
    turn = spots.angles[one]
    right, down = x[other] - x[one], y[other] - y[one]
    ahead, aside = right * np.cos(turn) + down * np.sin(turn), down * np.cos(turn) - right * np.sin(turn)
    parallel = np.abs(np.cos(spots.angles[other] - turn)) > LIGHT.parallel
    fits = parallel & (np.abs(ahead) < LIGHT.beside_reach[0]) & (np.abs(aside) < LIGHT.beside_reach[1])
    # The nearest comes last and stays.
    for pair in np.argsort(-np.abs(aside), kind="stable"):
        if fits[pair] and abs(aside[pair]) > LIGHT.beside_least:
            found[one[pair], int(aside[pair] > 0)] = printed[other[pair]]
    return found.reshape(-1, 6)


def measure(image: NDArray[np.uint8], to_picture: ToPicture, spots: Layout, away: Points) -> tuple[Floats, Floats]:
    """The board's colours as this photo shows them, blurred, spaces left out; and how much of it each cell saw."""
    board = spots.board
    wide, high = _grid(board)
    fine = LIGHT.fine
    pixels: Floats = (
        to_picture(_points(wide * fine, high * fine)).astype(np.float32).reshape(high * fine, wide * fine, 2)
    )
    shrunk, pixels = _shrink(image, pixels)
    x, y = cv2.split(pixels)
    colors = cv2.remap(shrunk, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = (x >= 0) & (x <= shrunk.shape[1] - 1) & (y >= 0) & (y <= shrunk.shape[0] - 1)
    weight = inside * _between(spots, away, wide * fine, high * fine)
    narrow = _blurred(colors.astype(np.float32) * weight[..., None], weight, LIGHT.blur * fine)
    near, at_hand = (
        np.asarray(cv2.resize(part, (wide, high), interpolation=cv2.INTER_AREA), np.float32) for part in narrow
    )
    far, seen = _blurred(near, at_hand, LIGHT.blur * 4)
    # Where everything near is covered by spaces, the wider surroundings speak.
    field = (near + LIGHT.wider * far) / np.maximum(at_hand + LIGHT.wider * seen, 1e-6)[..., None]
    return np.asarray(field, np.float32), np.asarray(seen, np.float32)


def gain(field: Floats, seen: Floats, reference: Reference | None) -> Floats:
    """By how much the light raised each colour, cell by cell; without a reference the board's mean is taken as grey."""
    if reference is None:
        sigma = LIGHT.blur * 8
        total = cv2.GaussianBlur(seen, (0, 0), sigma)[..., None]
        level = cv2.GaussianBlur(field * seen[..., None], (0, 0), sigma) / np.maximum(total, 1e-6)
        return np.asarray(np.clip(level / LIGHT.grey, *LIGHT.limits), np.float32)
    ratio = np.clip(field / np.maximum(reference.field, 8), *LIGHT.limits)
    # How bright a light is changes within a hand's width, its colour hardly: a camera that saturates makes colours of
    # the print look like colours of the light, and a green wagon on orange land blue.
    level = np.exp(np.log(ratio).mean(2, keepdims=True))
    cast, at_hand = _blurred(np.log(ratio / level) * seen[..., None], seen, LIGHT.cast)
    ratio = level * np.exp(cast / np.maximum(at_hand, 1e-6)[..., None])
    return np.asarray(cv2.GaussianBlur(ratio, (0, 0), LIGHT.smooth), np.float32)


def even(pictures: NDArray[np.uint8], points: Floats, gains: Floats) -> Floats:
    """Patches with the light of their place taken out; `points` are where on the board (0..1) some pixels lie.

    They tell the light of the square of `EVERY` pixels around each.
    """
    high, wide = gains.shape[:2]
    n, down, across = points.shape[:3]
    x = (points[..., 0] * wide - 0.5).astype(np.float32).reshape(-1, across)
    y = (points[..., 1] * high - 0.5).astype(np.float32).reshape(-1, across)
    local = cv2.remap(gains, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    # Each square as wide as it is in the patch: all its columns have the same light.
    wider = cv2.resize(1 / local, (across * EVERY, n * down), interpolation=cv2.INTER_NEAREST)
    dimmed = np.asarray(wider, np.float32).reshape(n, down, 1, across * EVERY * 3)
    # Whole rows at a time, and few patches: three numbers at a time took four times as long, all patches a third more.
    rows = pictures.reshape(n, down, EVERY, across * EVERY * 3)
    evened = np.empty(rows.shape, np.float32)
    for first in range(0, n, LIGHT.at_once):
        some = slice(first, first + LIGHT.at_once)
        part = evened[some]
        part[:] = rows[some]
        part *= dimmed[some]
        np.minimum(part, 255, out=part)
    return evened.reshape(pictures.shape)


def _grid(board: Board) -> tuple[int, int]:
    """Cells of the colour field, the longer side first fixed."""
    aspect = board.geometry.aspect
    return (LIGHT.cells, round(LIGHT.cells / aspect)) if aspect >= 1 else (round(LIGHT.cells * aspect), LIGHT.cells)


@lru_cache(maxsize=8)
def _points(wide: int, high: int) -> Points:
    """The middles of so many cells all over the board, row by row."""
    x, y = np.meshgrid((np.arange(wide) + 0.5) / wide, (np.arange(high) + 0.5) / high)
    return np.stack([x, y], axis=-1).reshape(-1, 2)


def _shrink(image: NDArray[np.uint8], pixels: Floats) -> tuple[NDArray[np.uint8], Floats]:
    """The picture averaged down to about one pixel per point asked for."""
    across, down = cv2.split(np.diff(pixels, axis=1))
    step = float(np.median(np.hypot(across, down)))
    if step < 1.5:
        return image, pixels
    size = (max(int(image.shape[1] / step), 8), max(int(image.shape[0] / step), 8))
    small = shrunk(image, size)
    scale = np.array([size[0] / image.shape[1], size[1] / image.shape[0]], np.float32)
    return small, np.asarray((pixels + 0.5) * scale - 0.5, np.float32)


def _between(spots: Layout, away: Points, wide: int, high: int) -> Floats:
    """1 between the spaces, 0 where a piece may lie or lean over."""
    mask = np.ones((high, wide), np.uint8)
    geometry = spots.board.geometry
    length, width = geometry.space_length * LIGHT.margin_along, geometry.space_width * LIGHT.margin_across
    scale = np.array([wide, wide])
    along = np.stack([np.cos(spots.angles), np.sin(spots.angles)], axis=1) * length / 2
    side = np.stack([-np.sin(spots.angles), np.cos(spots.angles)], axis=1) * width / 2
    corners = np.stack([along + side, along - side, -along - side, side - along], axis=1) + spots.centres[:, None]
    reach = np.concatenate([corners, corners + away[:, None]], axis=1) * scale
    for piece in np.round(reach).astype(np.int32):
        cv2.fillConvexPoly(mask, cv2.convexHull(piece), 0)
    return mask.astype(np.float32)


def _blurred(colors: Floats, weight: Floats, sigma: float) -> tuple[Floats, Floats]:
    """Sums of colours (weighted already) and of weights around each point."""
    blurred = (cv2.GaussianBlur(part, (0, 0), sigma) for part in (colors, weight))
    total, weights = (np.asarray(part, np.float32) for part in blurred)
    return total, weights

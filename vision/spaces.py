"""A located board -> one small upright patch per space and per city, ready for the classifier."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Board
from vision.config import PATCH

Floats = NDArray[np.float32]
Points = NDArray[np.float64]
# Points of the printed board (0..1, 0..1) -> pixels of the picture that is sampled.
ToPicture = Callable[[Points], Points]
# Pixels of a patch from one place that is told to the next.
EVERY = 4


@dataclass(frozen=True, eq=False)
class Layout:
    """The spaces of a board in one row each, in the order of its routes. Positions in board widths, y downwards."""

    board: Board
    centres: Points
    angles: Points
    route: NDArray[np.int32]
    colors: tuple[str, ...]
    unit: float

    def rows(self, route: int) -> NDArray[np.int64]:
        """The rows that belong to one route, from a to b."""
        return np.flatnonzero(self.route == route)


@dataclass(frozen=True, eq=False)
class Patches:
    """Pictures (n, height, width, 3) in BGR, what of each lies inside the photo, and how far a piece leans in it.

    `points`: where on the board every `EVERY`th pixel lies; light changes too slowly to ask for more.
    """

    pictures: NDArray[np.uint8]
    inside: Floats
    lean: Floats
    points: Floats


def part(spots: Layout, rows: NDArray[np.bool_]) -> Layout:
    """Some of the spots."""
    colors = tuple(color for color, wanted in zip(spots.colors, rows, strict=True) if wanted)
    return replace(
        spots, centres=spots.centres[rows], angles=spots.angles[rows], route=spots.route[rows], colors=colors
    )


_laid: deque[Layout] = deque(maxlen=8)


def layout(board: Board) -> Layout:
    """Every space of the board. The same board gives the same layout: what is worked out from one is kept with it."""
    for kept in tuple(_laid):
        if kept.board is board:
            return kept
    _laid.append(_layout(board))
    return _laid[-1]


def _layout(board: Board) -> Layout:
    spaces = [(i, route.color, s) for i, route in enumerate(board.routes.values()) for s in route.spaces]
    aspect = board.geometry.aspect
    return Layout(
        board,
        np.array([(s.x, s.y / aspect) for _, _, s in spaces], np.float64).reshape(-1, 2),
        np.radians([s.angle for _, _, s in spaces]),
        np.array([i for i, _, _ in spaces], np.int32),
        tuple(color for _, color, _ in spaces),
        board.geometry.space_width,
    )


def cities(board: Board) -> Layout:
    """Every city of the board, as places where a station can stand."""
    aspect = board.geometry.aspect
    found = list(board.cities.values())
    return Layout(
        board,
        np.array([(c.x, c.y / aspect) for c in found], np.float64).reshape(-1, 2),
        np.zeros(len(found)),
        np.arange(len(found), dtype=np.int32),
        tuple("gray" for _ in found),
        board.geometry.space_width,
    )


def by_homography(homography: NDArray[np.float64]) -> ToPicture:
    """Board points to pixels through a plain homography."""

    def to_picture(points: Points) -> Points:
        flat = np.ascontiguousarray(points, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(flat, homography), np.float64).reshape(points.shape)

    return to_picture


def camera(homography: NDArray[np.float64], width: int, height: int, aspect: float) -> tuple[float, float, float]:
    """Where the camera stood over the board, in board widths: x, y and height, for a phone's usual lens."""
    focal = PATCH.focal * float(np.hypot(width, height))
    inner = np.array([[1 / focal, 0, -width / 2 / focal], [0, 1 / focal, -height / 2 / focal], [0, 0, 1]])
    pose = inner @ homography @ np.diag([1, aspect, 1])
    if pose[2, 2] < 0:
        pose = -pose
    size = np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1]))
    first, second, shift = (pose / max(size, 1e-12)).T
    u, _, v = np.linalg.svd(np.stack([first, second, np.cross(first, second)], axis=1))
    place = -(u @ v).T @ shift
    return float(place[0]), float(place[1]), float(abs(place[2]))


def lean(centres: Points, place: tuple[float, float, float], unit: float) -> Points:
    """How far the top of a piece lies from its foot as the camera sees it, in board widths."""
    tall = PATCH.piece_height * unit
    away = (centres - np.array(place[:2])) * tall / max(place[2] - tall, 4 * tall)
    longest = np.linalg.norm(away, axis=1, keepdims=True)
    return np.asarray(away * np.minimum(1, PATCH.most_lean * tall / np.maximum(longest, 1e-9)))


def sample(
    image: NDArray[np.uint8],
    to_picture: ToPicture,
    spots: Layout,
    away: Points,
    size: tuple[int, int],
    span: float,
    shift: Points | None = None,
    rise: float = 0.0,
) -> Patches:
    """Patches of `size` (width, height) whose width covers `span` space widths, along the track of each space.

    `rise` is the height of what the patch is centred on: 0 for the print, 1 for the top of a piece that stands there.
    `shift` moves single patches.
    """
    wide, high = size
    step = span * spots.unit / wide
    along = np.stack([np.cos(spots.angles), np.sin(spots.angles)], axis=1)
    side = np.stack([-along[:, 1], along[:, 0]], axis=1)
    middle = spots.centres + away * rise + (0 if shift is None else shift)
    aspect = np.array([1, spots.board.geometry.aspect])
    # Over one patch the view is as good as affine: three points of each tell where all its pixels lie.
    frame = np.stack(
        [middle * aspect, (middle + along * step * wide / 2) * aspect, (middle + side * step * wide / 2) * aspect]
    )
    at = to_picture(frame.reshape(-1, 2)).reshape(frame.shape)
    pictures = _cut(image, at, size)
    x, y = (((np.arange(n) - (n - 1) / 2) / (wide / 2)).astype(np.float32) for n in (wide, high))
    within = _inside(at, x[wide // 4 : wide - wide // 4 : 4], y[high // 3 : high - high // 3 : 2], image.shape)
    own = np.stack([(away * along).sum(1), (away * side).sum(1)], axis=1) / spots.unit
    points = _spread(frame, x[EVERY // 2 :: EVERY], y[EVERY // 2 :: EVERY])
    return Patches(pictures, within, own.astype(np.float32), points)


def _spread(frame: Points, x: Floats, y: Floats) -> Floats:
    """The positions of pixels of each patch, from its middle and points half a width to the right and down."""
    middle, right, down = frame.astype(np.float32)
    spread = np.empty((len(middle), len(y), len(x), 2), np.float32)
    # One axis after the other: both at once took four times as long.
    for axis in (0, 1):
        start = middle[:, None, axis]
        across = start + x * (right[:, None, axis] - start)
        np.add(across[:, None], (y * (down[:, None, axis] - start))[:, :, None], out=spread[..., axis])
    return spread


def _inside(frame: Points, x: Floats, y: Floats, shape: tuple[int, ...]) -> Floats:
    """What part of some pixels of each patch lies in a picture of that shape; `frame`, `x` and `y` as in `_spread`."""
    middle, right, down = frame
    edge = np.array([shape[1] - 1, shape[0] - 1], np.float32)
    reach = np.abs(right - middle) * np.abs(x).max() + np.abs(down - middle) * np.abs(y).max()
    found = np.ones(len(middle), np.float32)
    # Nearly all lie inside as a whole: only those that may not are looked at pixel by pixel.
    partly = ~((middle - reach > 1) & (middle + reach < edge - 1)).all(1)
    if partly.any():
        pixels = _spread(frame[:, partly], x, y)
        found[partly] = ((pixels >= 0) & (pixels <= edge)).all(-1).mean((1, 2))
    return found


def _cut(image: NDArray[np.uint8], frame: Points, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Pictures cut out of the image, each from its middle and points half a width to the right and down."""
    wide, high = size
    middle, right, down = frame
    turn = np.stack([right - middle, down - middle], axis=-1) / (wide / 2)
    first = middle - turn @ np.array([(wide - 1) / 2, (high - 1) / 2])
    pictures = np.empty((len(middle), high, wide, 3), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for into, matrix in zip(pictures, np.concatenate([turn, first[..., None]], axis=-1), strict=True):
        cv2.warpAffine(image, matrix, size, dst=into, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return pictures

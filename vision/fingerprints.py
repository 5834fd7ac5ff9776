"""What a board's print looks like to a camera: two kinds of features, without any picture of it.

`points` with `descriptors` (SIFT, any scale and rotation) tell which board it is and roughly where. `marks` with
`patterns` (binary, upright, at one scale) lie on corners of the print and say exactly where, once it is roughly known.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Any  # Any: OpenCV gives None where its types say an array

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Board, Trouble, load
from maps.disk import write_whole
from vision import shipped
from vision.arrays import Points, shrunk
from vision.config import LOCATE, REFINE

Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]
Picture = NDArray[np.uint8]
FOLDER = Path(__file__).resolve().parent.parent / "models" / "fingerprints"
SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """The features of one board, positions from 0 to 1 over the whole printed board, the most telling ones first."""

    board_id: str
    aspect: float
    points: Floats
    descriptors: Picture
    marks: Floats
    patterns: Picture
    enrolled: bool = False

    @property
    def floats(self) -> Floats:
        """The descriptors as unit vectors."""
        return _unit(self.descriptors)

    def save(self, path: Path) -> None:
        """Writes the fingerprint; positions keep a 65 000th of the board's width."""
        packed = io.BytesIO()
        np.savez_compressed(
            packed,
            board=np.array(self.board_id),
            aspect=np.array(self.aspect),
            points=_packed(self.points),
            descriptors=self.descriptors,
            marks=_packed(self.marks),
            patterns=self.patterns,
        )
        write_whole(path, packed.getvalue())


@dataclass(frozen=True, eq=False)
class Features:
    """What was found in a photo: positions in its pixels, unit descriptors."""

    points: Floats
    descriptors: Floats


def read(path: Path, *, enrolled: bool = False) -> Fingerprint:
    """A fingerprint from its file."""
    data = shipped.contents(path)
    try:
        file = shipped.arrays(data)
        points, marks = _unpacked(file["points"]), _unpacked(file["marks"])
        descriptors, patterns = file["descriptors"].astype(np.uint8), file["patterns"].astype(np.uint8)
        if not len(points) == len(descriptors) or not len(marks) == len(patterns) or descriptors.shape[1:] != (128,):
            raise ValueError("of another shape")
        return Fingerprint(str(file["board"]), float(file["aspect"]), points, descriptors, marks, patterns, enrolled)
    except (KeyError, ValueError, TypeError, IndexError):
        raise Trouble("bad-fingerprint", file=str(path)) from None


@lru_cache(maxsize=1)
def built_in() -> tuple[Fingerprint, ...]:
    """The fingerprints that come with the program."""
    return tuple(read(path) for path in sorted(FOLDER.glob("*.npz")))


def describe(gray: Picture, limit: int) -> Features:
    """The strongest features of a gray picture."""
    found, raw = _sift(gray, limit)
    if raw is None:
        return Features(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
    return Features(np.array([k.pt for k in found], np.float32), _rooted(raw))


def _sift(gray: Picture, limit: int) -> tuple[Sequence[cv2.KeyPoint], Any]:
    """Keypoints and raw descriptors; None for the latter where there is nothing."""
    return cv2.SIFT.create(limit, contrastThreshold=LOCATE.contrast).detectAndCompute(gray, None)


def corners_of_print(flat: Picture, limit: int) -> tuple[Floats, Picture]:
    """Corners of the print on a flat board with its margin, in pixels of the board, with their binary patterns."""
    smooth = cv2.GaussianBlur(flat, (0, 0), REFINE.blur)
    found: Any = cv2.goodFeaturesToTrack(smooth, limit, REFINE.corner_quality, REFINE.corner_distance, blockSize=3)
    if found is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8)
    # Their size, angle, strength and octave: all alike.
    keys = list(map(cv2.KeyPoint, *found[:, 0].T.tolist(), *map(repeat, (31.0, 0.0, 1.0, 0))))
    patterns: Any
    kept, patterns = cv2.ORB.create(limit, nlevels=1, edgeThreshold=REFINE.margin).compute(flat, keys)
    if patterns is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8)
    return np.array([k.pt for k in kept], np.float32) - REFINE.margin, np.asarray(patterns, np.uint8)


def frame_size(aspect: float, longer: int) -> tuple[int, int]:
    """Width and height of a flat board whose longer side has that many pixels."""
    return (longer, round(longer / aspect)) if aspect >= 1 else (round(longer * aspect), longer)


def to_frame(size: tuple[int, int]) -> Matrix:
    """3x3: board coordinates (0..1) to pixels of a flat board, whose outer edges are 0 and 1."""
    w, h = size
    return np.array([[w, 0, -0.5], [0, h, -0.5], [0, 0, 1]], np.float64)


def flattened(gray: Picture, homography: Matrix, size: tuple[int, int], margin: int = 0) -> Picture:
    """The board as seen from straight above, with a margin of what lies around it.

    `homography` takes board coordinates to pixels of `gray`.
    """
    back = np.array([[1, 0, margin], [0, 1, margin], [0, 0, 1]]) @ to_frame(size) @ np.linalg.inv(homography)
    corners = cv2.perspectiveTransform(SQUARE[None], homography)[0]
    longest = max(float(np.linalg.norm(corners[i] - corners[i - 1])) for i in range(4))
    # Shrinking without averaging first would alias; halving is the fastest way, and a tenth too few pixels do no harm.
    shrink = max(size) / max(longest, 1.0)
    while shrink <= LOCATE.halve_first:
        small = shrunk(gray, (gray.shape[1] // 2, gray.shape[0] // 2))
        back = back @ np.linalg.inv(scaling(gray, small))
        gray, shrink = small, 2 * shrink
    if shrink < LOCATE.shrink_first:
        small = shrunk(gray, (round(gray.shape[1] * shrink), round(gray.shape[0] * shrink)))
        back = back @ np.linalg.inv(scaling(gray, small))
        gray = small
    whole = (size[0] + 2 * margin, size[1] + 2 * margin)
    return np.asarray(cv2.warpPerspective(gray, back, whole, flags=cv2.INTER_LINEAR), np.uint8)


def scaling(whole: Picture, small: Picture) -> Matrix:
    """3x3: pixels of a picture to pixels of the same one at another size, from pixel centre to pixel centre."""
    sx, sy = small.shape[1] / whole.shape[1], small.shape[0] / whole.shape[0]
    return np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1]])


def spaces_mask(board: Board, size: tuple[int, int], grow: float = 1.3) -> NDArray[np.bool_]:
    """Where wagons may lie on a flat board: features there come and go with the game."""
    w, h = size
    mask = np.zeros((h, w), np.uint8)
    geometry = board.geometry
    for route in board.routes.values():
        for space in route.spaces:
            box = (
                (space.x * w, space.y * h),
                (geometry.space_length * w, geometry.space_width * w * grow),
                space.angle,
            )
            cv2.fillPoly(mask, [cv2.boxPoints(box).astype(np.int32)], 1)
    return mask.astype(bool)


def fingerprint_of(
    image: Picture, corners: Sequence[Sequence[float]], board: Board | str, *, enrolled: bool = False
) -> Fingerprint:
    """A fingerprint from one picture of an empty board; `corners` from the board's own top left, clockwise."""
    board = load(board) if isinstance(board, str) else board
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) if image.ndim == 3 else image
    into = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), np.array(corners, np.float32))
    homography = np.asarray(into, np.float64)
    aspect = board.geometry.aspect
    # A board that nobody has measured may lie anywhere: nothing of its print can be told apart from spaces.
    measured = board.geometry.kind != "schematic"
    size = frame_size(aspect, LOCATE.print_side)
    flat = flattened(gray, homography, size)
    mask = spaces_mask(board, size) if measured else np.zeros((size[1], size[0]), bool)
    found, raw = _sift(flat, 6000)
    if raw is None or len(found) < LOCATE.least_print:
        raise Trouble("plain-board", board=board.name)
    pixels = np.array([k.pt for k in found], np.float32)
    strength = np.array([k.response for k in found])
    strength[[k.size < LOCATE.least_size for k in found]] *= 0.1
    chosen = spread(pixels, strength, size, LOCATE.points, mask)
    side = frame_size(aspect, REFINE.side)
    marks, patterns = corners_of_print(flattened(gray, homography, side, REFINE.margin), 3 * LOCATE.marks)
    mark_mask = spaces_mask(board, side) if measured else np.zeros((side[1], side[0]), bool)
    falling = np.linspace(1, 0.5, len(marks), dtype=np.float64)
    best = spread(marks, falling, side, LOCATE.marks, mark_mask)
    return Fingerprint(
        board.id, aspect, on_board(pixels[chosen], size), quantised(_rooted(raw[chosen])), on_board(marks[best], side),
        patterns[best], enrolled,
    )  # fmt: skip


def spread(
    pixels: Floats | Points, strength: NDArray[np.float64], size: tuple[int, int], limit: int, mask: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """The strongest features that keep off the mask, from all over the board: each cell gives its best in turn."""
    if not len(pixels):
        return np.zeros(0, np.intp)
    at = np.clip(pixels.astype(int), 0, [size[0] - 1, size[1] - 1])
    free = np.flatnonzero(~mask[at[:, 1], at[:, 0]])
    order = free[np.argsort(-strength[free], kind="stable")]
    cells = (at[:, 0] * 12 // size[0]) * 12 + at[:, 1] * 12 // size[1]
    seen: dict[int, int] = {}
    turn = np.zeros(len(order))
    for n, i in enumerate(order):
        turn[n] = seen.get(int(cells[i]), 0)
        seen[int(cells[i])] = int(turn[n]) + 1
    # A crowded cell may give up to four times its share before others give what is left.
    share = 4 * limit / 144
    late = turn // share
    return np.asarray(order[np.lexsort((np.arange(len(order)), late))][:limit], np.intp)


def on_board(pixels: Floats | Points, size: tuple[int, int]) -> Floats:
    """Pixels of a flat board as board coordinates."""
    return np.asarray((pixels + 0.5) / np.array(size, np.float32), np.float32)


def quantised(unit: Floats) -> Picture:
    """Unit descriptors in six bits a number: finer ones took twice the room for 2 % more matches."""
    return np.asarray(np.clip(np.round(unit * 64), 0, 255), np.uint8)


def _unit(descriptors: Picture) -> Floats:
    floats = descriptors.astype(np.float32)
    return np.asarray(floats / np.maximum(np.linalg.norm(floats, axis=1, keepdims=True), 1e-6), np.float32)


def _rooted(raw: Floats) -> Floats:
    # RootSIFT: the square root of the L1-normed histogram tells features apart better than the raw one.
    return np.asarray(np.sqrt(raw / np.maximum(raw.sum(1, keepdims=True), 1e-6)), np.float32)


def _packed(points: Floats) -> NDArray[np.uint16]:
    # Room for a little beyond the board's edges.
    return np.asarray(np.clip(np.round((points + 0.1) / 1.2 * 65535), 0, 65535), np.uint16)


def _unpacked(packed: NDArray[np.uint16]) -> Floats:
    return np.asarray(packed.astype(np.float32) / 65535 * 1.2 - 0.1, np.float32)

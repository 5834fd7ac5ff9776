"""Which board is it, and where: fingerprint, homography, check, refinement. Nothing unchecked leaves this room.

Where the print alone is not recognised, corner stickers around the board tell its place.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal  # Any: OpenCV gives None where its types say an array

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Trouble, load
from vision import edges
from vision.arrays import shrunk
from vision.config import LOCATE
from vision.fingerprints import SQUARE, Features, Fingerprint, Floats, Matrix, Picture, built_in, describe, scaling
from vision.photo import Photo
from vision.refine import Warp, project, refine
from vision.stickers import stickers_in
from vision.tables import enrolled

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Located:
    """Where a board lies. Positions in full pixels of the photo; board coordinates go from 0 to 1 over the whole print.

    `homography` takes board coordinates to photo pixels; `warp` says where print or cardboard differ from that.
    `quality` is the share of the print's visible corners that were found where they should be; `by` tells what the
    board was found by.
    """

    board_id: str
    homography: Matrix
    corners: tuple[tuple[float, float], ...]
    warp: Warp | None = None
    quality: float = 1.0
    inliers: int = 0
    seconds: float = 0.0
    enrolled: bool = False
    by: Literal["print", "stickers"] = "print"

    @property
    def other_print(self) -> bool:
        """Whether so little of the print is recognised that this is another edition of the board, or a poor photo."""
        return self.by == "print" and not self.enrolled and self.quality < LOCATE.other_print

    def to_photo(self, points: Points) -> Points:
        """Board points (n, 2) as full photo pixels, through the local refinement."""
        flat: Points = np.ascontiguousarray(points, np.float64).reshape(-1, 2)
        if self.warp is not None:
            flat = flat + self.warp.at(flat)
        return project(flat, self.homography).reshape(points.shape)


def locate(photo: Photo, board_id: str | None = None, prints: Sequence[Fingerprint] | None = None) -> Located:
    """Finds the board in a photo: the one told, or whichever is known. Trouble `no-board` if there is none.

    `prints` replaces the fingerprints at hand (enrolled ones first, then those that come with the program).
    """
    began = time.perf_counter()
    known = [p for p in (fingerprints() if prints is None else prints) if board_id in (None, p.board_id)]
    if board_id is not None and not known:
        raise Trouble("no-fingerprint", board=load(board_id).name)
    gray = np.asarray(cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY), np.uint8)
    index = _index(tuple(known))
    glance = _search(gray, index, *LOCATE.glance)
    if glance is not None and glance.quality >= LOCATE.other_print:
        return _told(photo, glance, began)
    for n, (side, limit) in enumerate(LOCATE.tries):
        found = _search(gray, index, side, limit)
        if found is None and n == 0:
            # Stickers are looked for as soon as the print is hard to recognise: other photos pay nothing for them.
            found = _between_stickers(gray, known)
        if found is not None:
            return _told(photo, found, began)
    if board_id is not None:
        raise Trouble("no-such-board-here", nothing_seen=True, board=load(board_id).name)
    raise Trouble("no-board", nothing_seen=True)


def fingerprints() -> tuple[Fingerprint, ...]:
    """Every fingerprint at hand, those of this table first."""
    return (*enrolled(), *built_in())


@dataclass(frozen=True, eq=False)
class Found:
    """A pose in pixels of the picture that was searched, checked."""

    fingerprint: Fingerprint
    homography: Matrix
    warp: Warp | None
    inliers: int
    quality: float
    by: Literal["print", "stickers"] = "print"


def _told(photo: Photo, found: Found, began: float) -> Located:
    full = np.linalg.inv(photo.shrink) @ found.homography
    located = Located(
        found.fingerprint.board_id, full / full[2, 2], (), found.warp, found.quality, found.inliers, 0.0,
        found.fingerprint.enrolled, found.by,
    )  # fmt: skip
    corners = located.to_photo(_corners(photo, located, found.fingerprint))
    return replace(
        located, corners=tuple((float(x), float(y)) for x, y in corners), seconds=time.perf_counter() - began
    )


def _corners(photo: Photo, located: Located, fingerprint: Fingerprint) -> Points:
    """The cardboard's corners in board coordinates: 0 and 1, but for boards whose rim was only estimated."""
    geometry = load(fingerprint.board_id).geometry
    if fingerprint.enrolled or geometry.kind != "estimated":
        return SQUARE

    def to_image(points: Points) -> Points:
        return project(located.to_photo(points), photo.shrink)

    return edges.corners(photo.image, to_image, np.array(geometry.map_area), fingerprint.aspect)


def _search(gray: Picture, index: Index, side: int, limit: int) -> Found | None:
    """The best checked pose of any board in the picture, searched at that size."""
    scale = min(1.0, side / max(gray.shape))
    small = gray if scale == 1 else shrunk(gray, (round(gray.shape[1] * scale), round(gray.shape[0] * scale)))
    features = describe(_lit(small), limit)
    if len(features.points) < LOCATE.least_inliers:
        return None
    grow = np.linalg.inv(scaling(gray, small))
    best: Found | None = None
    for fingerprint, at, of in index.matches(features)[: LOCATE.prints_tried]:
        rough = pose(features.points[at], fingerprint.points[of], fingerprint.aspect, (small.shape[1], small.shape[0]))
        if rough is None:
            continue
        found = _refined(gray, fingerprint, grow @ rough.homography, rough.inliers)
        if found is not None and (best is None or found.quality > best.quality):
            best = found
        if best is not None and best.quality >= LOCATE.sure_quality:
            break
    return best


def _between_stickers(gray: Picture, known: Sequence[Fingerprint]) -> Found | None:
    """The board between four corner stickers: the one that they name, or whose print is recognised there."""
    boards = sorted({p.board_id for p in known})
    seen = stickers_in(_lit(gray), boards)
    if seen is None:
        return None
    into = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), seen.corners.astype(np.float32))
    homography = np.asarray(into, np.float64)
    size = (gray.shape[1], gray.shape[0])
    mine = [p for p in known if seen.board in (None, p.board_id) and not problems(homography, p.aspect, size)]
    exact = [f for p in mine if (f := _refined(gray, p, homography, 0)) is not None]
    if exact:
        return replace(max(exact, key=lambda f: f.quality), by="stickers")
    if not mine:
        return None
    if len({p.board_id for p in mine}) > 1:
        raise Trouble("stickers-which-board", nothing_seen=True)
    return Found(mine[0], homography, None, 0, 0.0, "stickers")


def _lit(gray: Picture) -> Picture:
    """A dark picture made as bright as it can be: features are strong or weak by their contrast."""
    brightest = float(np.percentile(gray, 99))
    return gray if brightest > LOCATE.dark else np.asarray(cv2.convertScaleAbs(gray, alpha=240 / max(brightest, 8)))


def _refined(gray: Picture, fingerprint: Fingerprint, homography: Matrix, inliers: int) -> Found | None:
    """The pose made exact; None where the print that should be there is not."""
    size = (gray.shape[1], gray.shape[0])
    better = refine(gray, homography, fingerprint)
    if better is None or better.quality < LOCATE.least_quality or problems(better.homography, fingerprint.aspect, size):
        return None
    return Found(fingerprint, better.homography, better.warp, inliers, better.quality)


class Index:
    """The features of several fingerprints in one search tree."""

    def __init__(self, prints: Sequence[Fingerprint]) -> None:
        self.prints = tuple(prints)
        self.owner = np.repeat(np.arange(len(prints)), [len(p.points) for p in prints])
        self.first = np.cumsum([0, *(len(p.points) for p in prints)])
        self.descriptors = np.concatenate([p.floats for p in prints])
        # The trees are drawn at random: the same photo shall give the same answer every time.
        cv2.setRNGSeed(1)
        self.tree = cv2.flann.Index(self.descriptors, {"algorithm": 1, "trees": 4})

    def matches(self, features: Features) -> list[tuple[Fingerprint, NDArray[np.intp], NDArray[np.intp]]]:
        """For each fingerprint its one-to-one matches (rows of the photo's and of its features), most matches first."""
        near, away = self.tree.knnSearch(features.descriptors, 4, params={"checks": LOCATE.checks})
        owner = self.owner[near]
        rows = np.arange(len(near))
        # The second best counts within the same print: two prints of one board share much.
        same = owner[:, 1:] == owner[:, :1]
        second = np.where(same.any(1), away[rows, 1 + same.argmax(1)], away[:, -1])
        clear = np.flatnonzero(away[:, 0] < LOCATE.ratio**2 * second)
        clear = clear[np.argsort(away[clear, 0], kind="stable")]
        once = clear[np.sort(np.unique(near[clear, 0], return_index=True)[1])]
        of, whose = near[once, 0], owner[once, 0]
        counts = np.bincount(whose, minlength=len(self.prints))
        found = []
        for i in np.argsort(-counts, kind="stable"):
            mine = whose == i
            found.append((self.prints[i], once[mine], of[mine] - self.first[i]))
        return found


@lru_cache(maxsize=4)
def _index(prints: tuple[Fingerprint, ...]) -> Index:
    return Index(prints)


@dataclass(frozen=True, eq=False)
class Pose:
    """A rough homography that passed the checks, and the matches that agree on it."""

    homography: Matrix
    inliers: int


def pose(pixels: Floats, board: Floats, aspect: float, size: tuple[int, int]) -> Pose | None:
    """The pose that most matches agree on, or None where that makes no sense in a picture of that size."""
    if len(pixels) < LOCATE.least_inliers:
        return None
    fitted: Any
    fitted, mask = cv2.findHomography(
        board, pixels, cv2.USAC_MAGSAC, LOCATE.reprojection, maxIters=3000, confidence=0.9995
    )
    if fitted is None:
        return None
    homography = np.asarray(fitted, np.float64)
    agree = mask.ravel().astype(bool)
    if agree.sum() < LOCATE.least_inliers or not spread_out(board[agree]) or problems(homography, aspect, size):
        return None
    return Pose(homography, int(agree.sum()))


def spread_out(points: Floats) -> bool:
    """Whether matches lie all over the board: a fit to one corner or one line is no pose."""
    cells = {(int(x * 6), int(y * 6)) for x, y in points}
    return len(cells) >= LOCATE.least_cells


def problems(homography: Matrix, aspect: float, size: tuple[int, int]) -> tuple[str, ...]:
    """What speaks against a homography being a board on a table, by name; nothing if it may be one."""
    if not np.isfinite(homography).all() or abs(np.linalg.det(homography)) < 1e-12:
        return ("degenerate",)
    depth = np.c_[SQUARE, np.ones(4)] @ homography[2]
    if not ((depth > 0).all() or (depth < 0).all()):
        return ("behind",)
    corners = cv2.perspectiveTransform(SQUARE[None], homography)[0]
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    found = []
    if (turns < 0).all():
        return ("mirrored",)
    if not (turns > 0).all():
        return ("crossed",)
    lengths = np.linalg.norm(sides, axis=1)
    if (
        max(lengths[0] / lengths[2], lengths[2] / lengths[0], lengths[1] / lengths[3], lengths[3] / lengths[1])
        > LOCATE.most_taper
    ):
        found.append("lopsided")
    area = cv2.contourArea(corners.astype(np.float32))
    if area < LOCATE.least_area * size[0] * size[1]:
        found.append("small")
    if _seen(corners, size) < LOCATE.least_seen * area:
        found.append("outside")
    if _flattened(homography, aspect) < LOCATE.least_height:
        found.append("tilted")
    return tuple(found)


def _seen(corners: Points, size: tuple[int, int]) -> float:
    """Area of the board that lies in the picture."""
    whole = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    return float(cv2.intersectConvexConvex(corners.astype(np.float32), whole)[0])


def _flattened(homography: Matrix, aspect: float) -> float:
    """How much a circle in the middle of the board is squeezed: about the cosine of the tilt."""
    x, y, w = homography @ [0.5, 0.5, 1]
    slope = (homography[:2, :2] - np.outer([x / w, y / w], homography[2, :2])) / w
    values = np.linalg.svd(slope @ np.diag([1, aspect]), compute_uv=False)
    return float(values[1] / max(values[0], 1e-12))

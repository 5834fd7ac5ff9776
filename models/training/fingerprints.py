"""Rebuilds models/fingerprints/*.npz from the shared material: `python -m models.training.fingerprints [--shared DIR]`.

A feature enters a fingerprint if it is found again in other photos, other sessions and other light; its descriptor is
the mean of what all of them saw. Photos are aligned to each other first: a corner clicked 3 px off does no harm.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from models import checksums
from models.training import pictures
from vision.config import LOCATE, REFINE
from vision.fingerprints import (
    FOLDER,
    SQUARE,
    Fingerprint,
    corners_of_print,
    flattened,
    frame_size,
    on_board,
    quantised,
    spaces_mask,
    spread,
)
from vision.refine import near

BOARDS = ("usa", "europe", "united-kingdom", "legendary-asia", "pennsylvania")
# Photos of one evening share their light: features that several evenings saw come first.
SESSIONS = {"usa": ((4132, "floor"), (4151, "warm"), (4164, "glare"), (4181, "empty"))}
# The photo on which Europe's spaces were measured: its frame is the board's frame.
ANCHORS = {"europe": "cropped_blank"}
Points = NDArray[np.float64]
Moves = Callable[[Points], Points]


@dataclass(frozen=True, eq=False)
class View:
    """A picture of a board with its pose. `moves` corrects positions where a print differs from the geometry."""

    name: str
    session: str
    gray: NDArray[np.uint8]
    homography: NDArray[np.float64]
    moves: Moves | None = None


class Tracks:
    """Features that several views share: where they lie, what they look like on average, and who saw them."""

    def __init__(self, reach: float, alike: float) -> None:
        self.reach, self.alike = reach, alike
        self.position = np.zeros((0, 2))
        self.vector = np.zeros((0, 0), np.float32)
        self.shape = np.zeros((0, 2))
        self.seen: list[list[tuple[str, str]]] = []

    def join(self, view: View, pixels: Points, vectors: Points, shapes: Points) -> None:
        """Joins a view's features to the tracks they belong to; the rest begin tracks of their own."""
        fresh = np.ones(len(pixels), bool)
        if self.seen:
            of, at = self.pairs(pixels, vectors, shapes)
            count = np.array([len(self.seen[t]) for t in of])[:, None]
            self.position[of] = (self.position[of] * count + pixels[at]) / (count + 1)
            self.vector[of] += vectors[at]
            for t in of:
                self.seen[t].append((view.name, view.session))
            fresh[at] = False
        else:
            self.vector = np.zeros((0, vectors.shape[1]), np.float32)
        self.position = np.r_[self.position, pixels[fresh]]
        self.vector = np.r_[self.vector, vectors[fresh].astype(np.float32)]
        self.shape = np.r_[self.shape, shapes[fresh]]
        self.seen += [[(view.name, view.session)] for _ in range(int(fresh.sum()))]

    def pairs(self, pixels: Points, vectors: Points, shapes: Points) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Tracks and features at the same place, of like size, angle and look, each the other's best."""
        of, at = near(self.position, pixels, self.reach)
        turned = np.abs((self.shape[of, 1] - shapes[at, 1] + 180) % 360 - 180)
        good = (np.abs(np.log2(self.shape[of, 0] / shapes[at, 0])) < 0.6) & (turned < 25)
        of, at = of[good], at[good]
        same = (self.vector[of] * vectors[at]).sum(1) / np.linalg.norm(self.vector[of], axis=1)
        order = np.argsort(-same)
        order = order[same[order] > self.alike]
        of, at = of[order], at[order]
        first = np.zeros(len(of), bool)
        first[np.unique(of, return_index=True)[1]] = True
        other = np.zeros(len(of), bool)
        other[np.unique(at, return_index=True)[1]] = True
        return of[first & other], at[first & other]

    def score(self) -> NDArray[np.float64]:
        return np.array([3.0 * len({s for _, s in who}) + len(who) for who in self.seen])


def session_of(board: str, name: str) -> str:
    if board == "europe":
        return {"cropped1": "A", "cropped2": "B", "cropped_blank": "blank", "cropped_messy2": "E"}[
            next(k for k in ("cropped1", "cropped2", "cropped_blank", "cropped_messy2") if name.startswith(k))
        ]
    number = int("".join(c for c in name if c.isdigit())[:4])
    return next((s for first, s in reversed(SESSIONS[board]) if number >= first), "rectified")


def photos(shared: Path, board: str) -> list[View]:
    """The real photos of a board."""
    found = []
    for truth in sorted((shared / "photos" / board).glob("*.json")):
        corners = np.array(json.loads(truth.read_text())["corners"], np.float32)
        gray = pictures.picture(truth.with_suffix(".jpg"), cv2.IMREAD_GRAYSCALE)
        homography = np.asarray(cv2.getPerspectiveTransform(SQUARE.astype(np.float32), corners), np.float64)
        found.append(View(truth.stem, session_of(board, truth.stem), gray, homography))
    return found


def art(shared: Path, board: str) -> list[View]:
    """The digital art of the map area, and the printed United Kingdom board, laid into the whole printed board."""
    found = []
    if board == "united-kingdom":
        gray = pictures.picture(shared / "art/boards/united-kingdom-printed.jpg", cv2.IMREAD_GRAYSCALE)
        height, width = gray.shape
        whole = np.array([[width, 0, -0.5], [0, height, -0.5], [0, 0, 1]], np.float64)
        found.append(View("printed", "printed", gray, whole))
    gray = pictures.picture(shared / f"art/boards/{board}.webp", cv2.IMREAD_GRAYSCALE)
    height, width = gray.shape
    area = np.array(maps.load(board).geometry.map_area, np.float32)
    picture = np.array(
        [[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32
    )
    into = np.asarray(cv2.getPerspectiveTransform(area, picture), np.float64)
    found.append(View("art", "art", gray, into, _moves(shared, board, into)))
    return found


def _moves(shared: Path, board: str, into: NDArray[np.float64]) -> Moves | None:
    """Art and print differ by up to 0.7 of a space: what lies between spaces is moved as the spaces around it are."""
    facts = json.loads((shared / "facts" / f"{board}.json").read_text())
    known = {r.id: r.spaces for r in maps.load(board).routes.values()}
    drawn, printed = [], []
    for route in facts["routes"]:
        spaces = known[route["id"]]
        if len(spaces) == len(route["spaces"]):
            drawn += [(s["x"], s["y"]) for s in route["spaces"]]
            printed += [(s.x, s.y) for s in spaces]
    flat = cv2.perspectiveTransform(np.array([drawn], np.float64), np.linalg.inv(into))[0]
    shift = np.array(printed) - flat
    print(f"{board}: art differs from the print by up to {100 * np.abs(shift).max():.2f} % of the board")
    if np.abs(shift).max() < 5e-4:
        return None

    def moves(points: NDArray[np.float64]) -> NDArray[np.float64]:
        away = ((points[:, None] - flat[None]) ** 2).sum(2)
        weight = np.exp(-away / (2 * 0.02**2)) + 1e-9
        return np.asarray(points + (weight @ shift) / weight.sum(1, keepdims=True))

    return moves


def retaken(view: View, count: int, seed: int) -> list[View]:
    """The same print as a phone might see it: tilted, small, blurred, dark. Says which features survive that."""
    rng = np.random.default_rng(seed)
    found = []
    corners = cv2.perspectiveTransform(SQUARE[None], view.homography)[0]
    for n in range(count):
        side = rng.uniform(480, 1100)
        turn, tilt, around = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(0, 40)), rng.uniform(0, 2 * np.pi)
        aspect = float(np.linalg.norm(corners[1] - corners[0]) / np.linalg.norm(corners[3] - corners[0]))
        flat = (SQUARE - 0.5) * [1, 1 / aspect] / max(1, 1 / aspect)
        c, s = np.cos(around), np.sin(around)
        flat = flat @ np.array([[c, -s], [s, c]])
        depth = 1.15 + flat[:, 1] * np.sin(tilt)
        seen = np.c_[flat[:, 0], flat[:, 1] * np.cos(tilt)] / depth[:, None] * 1.15
        c, s = np.cos(turn), np.sin(turn)
        pixels = (seen @ np.array([[c, -s], [s, c]]) * side).astype(np.float32)
        pixels -= pixels.min(0) - 20
        width, height = (int(v) for v in pixels.max(0) + 20)
        homography = np.asarray(cv2.getPerspectiveTransform(SQUARE.astype(np.float32), pixels), np.float64)
        flat_view = flattened(view.gray, view.homography, frame_size(aspect, int(side * 1.3)))
        size = (flat_view.shape[1], flat_view.shape[0])
        onto = homography @ np.linalg.inv(np.array([[size[0], 0, -0.5], [0, size[1], -0.5], [0, 0, 1]]))
        picture = cv2.warpPerspective(flat_view, onto, (width, height), flags=cv2.INTER_AREA, borderValue=90)
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 1.2)).astype(np.float32)
        picture = 255 * (picture / 255) ** rng.uniform(0.6, 1.7) * rng.uniform(0.5, 1.05) + rng.normal(
            0, 4, picture.shape
        )
        gray = np.clip(picture, 0, 255).astype(np.uint8)
        found.append(View(f"{view.name}-{n}", f"{view.session}-retaken", gray, homography, view.moves))
    return found


def features(view: View, aspect: float) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Positions in pixels of the flat print, unit descriptors, sizes and angles."""
    size = frame_size(aspect, LOCATE.print_side)
    flat = flattened(view.gray, view.homography, size)
    found, raw = cv2.SIFT.create(8000, contrastThreshold=LOCATE.contrast).detectAndCompute(flat, None)
    kept = [i for i, k in enumerate(found) if k.size >= LOCATE.least_size * 0.8]
    pixels = np.array([found[i].pt for i in kept])
    if view.moves is not None:
        pixels = view.moves((pixels + 0.5) / size) * size - 0.5
    raw = raw[kept] / np.maximum(raw[kept].sum(1, keepdims=True), 1e-6)
    return pixels, np.sqrt(raw), np.array([(found[i].size, found[i].angle) for i in kept])


def corners(view: View, aspect: float) -> tuple[Points, Points, Points]:
    """The same for corners of the print and their binary patterns."""
    size = frame_size(aspect, REFINE.side)
    found, patterns = corners_of_print(flattened(view.gray, view.homography, size, REFINE.margin), 4000)
    pixels = found.astype(np.float64)
    inside = ((pixels >= 0) & (pixels < size)).all(1)
    pixels, patterns = pixels[inside], patterns[inside]
    if view.moves is not None:
        pixels = view.moves((pixels + 0.5) / size) * size - 0.5
    return pixels, (np.unpackbits(patterns, axis=1) * 2.0 - 1) / 16, np.full((len(pixels), 2), 1.0)


def track(views: Sequence[View], aspect: float, marks: bool = False) -> Tracks:
    """The shared features of views, or with `marks` the shared corners of the print."""
    tracks = Tracks(0.003 * REFINE.side, 0.5) if marks else Tracks(0.004 * LOCATE.print_side, 0.78)
    for view in views:
        tracks.join(view, *(corners if marks else features)(view, aspect))
    return tracks


def aligned(views: Sequence[View], board: str, aspect: float, rounds: int = 2) -> list[View]:
    """The views with poses that agree with each other; with an anchor, with that one photo."""
    size = np.array(frame_size(aspect, LOCATE.print_side), np.float64)
    views = sorted(views, key=lambda v: v.name != ANCHORS.get(board))
    anchored = views[0].name == ANCHORS.get(board)
    for _ in range(rounds):
        tracks = track(views[:1] if anchored else views, aspect)
        better = []
        for view in views:
            pixels, vectors, shapes = features(view, aspect)
            of, at = tracks.pairs(pixels, vectors, shapes)
            good = [n for n, t in enumerate(of) if anchored or len(tracks.seen[t]) >= 3]
            shift, mask = cv2.findHomography(
                (tracks.position[of[good]] + 0.5) / size, (pixels[at[good]] + 0.5) / size, cv2.USAC_MAGSAC, 0.002
            )
            moved = cv2.perspectiveTransform(SQUARE[None], shift)[0] - SQUARE
            print(f"  {view.name}: {int(mask.sum())} features, corners moved {100 * np.abs(moved).max():.2f} %")
            better.append(replace(view, homography=view.homography @ shift))
        views = better
    return views


def build(board_id: str, views: Sequence[View]) -> Fingerprint:
    """One fingerprint from views whose poses agree."""
    board = maps.load(board_id)
    aspect = board.geometry.aspect
    size = frame_size(aspect, LOCATE.print_side)
    tracks = track(views, aspect)
    score = tracks.score() * np.where(tracks.shape[:, 0] < LOCATE.least_size, 0.3, 1)
    best = spread(tracks.position, score, size, LOCATE.points, spaces_mask(board, size))
    best = best[np.argsort(-score[best], kind="stable")]
    means = tracks.vector[best] / np.linalg.norm(tracks.vector[best], axis=1, keepdims=True)
    side = frame_size(aspect, REFINE.side)
    marks = track(views, aspect, marks=True)
    kept = spread(marks.position, marks.score(), side, LOCATE.marks, spaces_mask(board, side))
    for name, found, of in (("features", best, tracks), ("marks", kept, marks)):
        seen = np.median([len(of.seen[t]) for t in found])
        print(f"{board_id}: {len(found)} {name}, seen by {seen:.0f} of {len(views)} views in the middle")
    return Fingerprint(
        board_id, aspect, on_board(tracks.position[best], size), quantised(means), on_board(marks.position[kept], side),
        np.packbits(marks.vector[kept] > 0, axis=1),
    )  # fmt: skip


def prints(shared: Path, board: str, without: Iterable[str] = ()) -> dict[str, list[View]]:
    """The views of each print of a board, aligned; `without` leaves sessions out, for an honest trial."""
    found: dict[str, list[View]] = {}
    real = [v for v in photos(shared, board) if v.session not in set(without)]
    if real:
        found[board] = aligned(real, board, maps.load(board).geometry.aspect)
    for n, view in enumerate(art(shared, board)):
        name = board if view.name == "printed" or (n == 0 and not found) else f"{board}-art"
        found[name] = [view, *retaken(view, 12, n)]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[3] / "shared")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("boards", nargs="*", default=BOARDS)
    options = parser.parse_args()
    for board in options.boards:
        for name, views in prints(options.shared, board).items():
            path = options.out / f"{name}.npz"
            build(board, views).save(path)
            checksums.write()
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()

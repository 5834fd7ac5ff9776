"""Judges how the board is found: `python -m models.training.finding folds` (or `poses`) prints tables for the card.

Folds: a print is built without a session or game, and those photos are searched. Poses: photos are laid anew under a
camera of known tilt, turn and distance, then cut, blurred, darkened, washed out and covered step by step.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from maps import Trouble
from models.training.fingerprints import build, prints, session_of
from vision.fingerprints import FOLDER, Fingerprint, read
from vision.locate import locate
from vision.photo import Photo, load, of_image
from vision.studio.camera import Camera, Pose
from vision.studio.surfaces import table

Image = NDArray[np.uint8]
Corners = NDArray[np.float64]
# What the project promises: corners within this many per cent of the board's width.
EXACT = 0.5
SIZE = (2000, 1500)
SESSIONS = {"usa": ("floor", "warm", "glare", "empty", "rectified"), "europe": ("A", "B", "E", "blank")}


@dataclass(frozen=True)
class Sought:
    """A photo to be searched with some prints; `off` is the worst corner in per cent of the board's width."""

    name: str
    board: str
    found: bool
    off: float


def sought(name: str, board: str, photo: Photo, corners: Corners, known: Sequence[Fingerprint]) -> Sought:
    """Looks for whichever board is there; another board than the true one is not found."""
    try:
        located = locate(photo, prints=known)
    except Trouble:
        return Sought(name, board, False, float("nan"))
    if located.board_id != board:
        return Sought(name, board, False, float("nan"))
    away = np.linalg.norm(np.array(located.corners) - corners, axis=1).max()
    return Sought(name, board, True, float(100 * away / np.linalg.norm(corners[1] - corners[0])))


def line(name: str, rows: Sequence[Sought]) -> str:
    """A row of a table: found, median, worst, share within what is promised."""
    off = np.array([r.off for r in rows if r.found])
    if not len(off):
        return f"| {name} | 0 of {len(rows)} | - | - | - |"
    exact = f"{100 * (off <= EXACT).sum() / len(rows):.0f} %"
    return f"| {name} | {len(off)} of {len(rows)} | {np.median(off):.2f} | {off.max():.2f} | {exact} |"


def shipped(but: Iterable[str] = ()) -> tuple[Fingerprint, ...]:
    """The prints that come with the program, without those named."""
    left_out = set(but)
    return tuple(read(path) for path in sorted(FOLDER.glob("*.npz")) if path.stem not in left_out)


@lru_cache(maxsize=16)
def without(shared: Path, board: str, session: str) -> tuple[Fingerprint, ...]:
    """All prints, that of the board built as if a session had never been photographed."""
    with contextlib.redirect_stdout(io.StringIO()):
        own = build(board, prints(shared, board, [session])[board])
    return (own, *shipped([board]))


def truths(folder: Path, board: str) -> list[tuple[Path, dict[str, Any]]]:
    """Photos of a board with their truth."""
    found = [(f.with_suffix(".jpg"), json.loads(f.read_text(encoding="utf-8"))) for f in sorted(folder.glob("*.json"))]
    return [(photo, truth) for photo, truth in found if truth["board"] == board]


def _searched(photos: Iterable[tuple[Path, dict[str, Any]]], known: Sequence[Fingerprint]) -> list[Sought]:
    return [sought(p.stem, t["board"], load(p), np.array(t["corners"], np.float64), known) for p, t in photos]


def folds(shared: Path, show: Callable[[str], None] = print) -> None:
    """Every session searched with prints that never saw it, then with the art alone, then the renders."""
    show("| searched | found | median | worst | within 0.5 % |\n|---|---|---|---|---|")
    for board, sessions in SESSIONS.items():
        photos = truths(shared / "photos" / board, board)
        for session in sessions:
            mine = [(p, t) for p, t in photos if session_of(board, p.stem) == session]
            show(line(f"real {board}, {session} never seen", _searched(mine, without(shared, board, session))))
        show(line(f"real {board}, by the art alone", _searched(photos, shipped([board]))))
    renders = {board: truths(shared / "renders" / "boards", board) for board in maps.available() if board != "asia"}
    for board, session in (("usa", "empty"), ("europe", "blank")):
        known = without(shared, board, session)
        show(line(f"renders of {board}, their texture's session never seen", _searched(renders[board], known)))
        show(line(f"renders of {board}, by the art alone", _searched(renders[board], shipped([board]))))
    uk = "united-kingdom"
    show(line(f"renders of {uk}, by the art alone", _searched(renders[uk], shipped([uk]))))
    for board in ("legendary-asia", "pennsylvania"):
        show(line(f"renders of {board}, the same art", _searched(renders[board], shipped())))


@dataclass(frozen=True, eq=False)
class Scene:
    """A photo of a board that can be laid anew under a camera."""

    name: str
    board: str
    image: Image
    corners: Corners
    known: tuple[Fingerprint, ...]

    def seen(self, pose: Pose) -> tuple[Image, Corners]:
        """The photo as a camera in that pose would see it, on a drawn cloth, and where the board's corners are."""
        aspect = maps.load(self.board).geometry.aspect
        camera = Camera(1 / aspect, pose, SIZE)
        into = cv2.getPerspectiveTransform(self.corners.astype(np.float32), camera.corners.astype(np.float32))
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        cloth = table(rng, "checked cloth")
        lay = camera.plane() @ np.diag([0.6 / cloth.shape[0], 0.6 / cloth.shape[0], 1.0])
        under = cv2.warpPerspective(cloth, lay, SIZE, borderMode=cv2.BORDER_REFLECT)
        height, width = self.image.shape[:2]
        # Shrinking without averaging first would alias.
        scale = min(1.0, 1.2 * _width(camera.corners) / _width(self.corners))
        small = cv2.resize(self.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        grown = into @ np.diag([width / small.shape[1], height / small.shape[0], 1.0])
        laid = cv2.warpPerspective(small, grown, SIZE, flags=cv2.INTER_LINEAR)
        mask = cv2.warpPerspective(np.full(small.shape[:2], 255, np.uint8), grown, SIZE, flags=cv2.INTER_NEAREST)
        return np.asarray(cv2.copyTo(laid, mask, under), np.uint8), camera.corners


def _width(corners: Corners) -> float:
    return float(max(np.linalg.norm(corners[i] - corners[i - 1]) for i in range(4)))


# A way of making a photo harder: the picture, the board's corners in it, how much; and what became of both.
Harm = Callable[[Image, Corners, float, np.random.Generator], tuple[Image, Corners]]


def _cut(image: Image, corners: Corners, share: float, _rng: np.random.Generator) -> tuple[Image, Corners]:
    """The picture's edge runs through the board: that many per cent of it are lost on the left."""
    left, right = corners[:, 0].min(), corners[:, 0].max()
    at = round(left + share / 100 * (right - left))
    return np.ascontiguousarray(image[:, at:]), corners - [at, 0]


def _blur(image: Image, corners: Corners, pixels: float, _rng: np.random.Generator) -> tuple[Image, Corners]:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), pixels), np.uint8), corners


def _dark(image: Image, corners: Corners, stops: float, rng: np.random.Generator) -> tuple[Image, Corners]:
    """Less light, and the grain that a camera adds to make up for it."""
    light = (image.astype(np.float32) / 255) ** 2.2 * 2.0**-stops
    grain = rng.standard_normal(image.shape, np.float32) * np.float32(1.2 * stops)
    return np.asarray(np.clip(light ** (1 / 2.2) * 255 + grain, 0, 255), np.uint8), corners


def _glare(image: Image, corners: Corners, share: float, rng: np.random.Generator) -> tuple[Image, Corners]:
    """A lamp mirrored in the board: that many per cent of it are bleached, white in the middle."""
    middle = corners.mean(0) + rng.uniform(-0.15, 0.15, 2) * _width(corners)
    reach = np.sqrt(share / 100 * cv2.contourArea(corners.astype(np.float32)) / np.pi)
    y, x = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
    away = np.hypot(x - middle[0], y - middle[1]) / max(reach, 1.0)
    veil = np.clip(1.6 - away, 0, 1)[..., None]
    return np.asarray(image * (1 - veil) + 250 * veil, np.uint8), corners


def _cover(image: Image, corners: Corners, share: float, rng: np.random.Generator) -> tuple[Image, Corners]:
    """Hands, paper and cups over that many per cent of the board."""
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(corners).astype(np.int32), 1)
    whole, covered = int(inside.sum()), image.copy()
    while 100 * (1 - int(inside.sum()) / whole) < share:
        centre = tuple(float(v) for v in rng.uniform(corners.min(0), corners.max(0)))
        sides = tuple(float(v) for v in _width(corners) * rng.uniform(0.1, 0.3, 2))
        box = np.rint(cv2.boxPoints((centre, sides, float(rng.uniform(0, 180))))).astype(np.int32)
        color = tuple(int(v) for v in rng.integers(20, 235, 3))
        cv2.fillConvexPoly(covered, box, color, cv2.LINE_AA)
        cv2.fillConvexPoly(inside, box, 0)
    return covered, corners


def _everything(image: Image, corners: Corners, much: float, rng: np.random.Generator) -> tuple[Image, Corners]:
    """Some of all: `much` from 1 to 3."""
    for harm, step in ((_cover, 6 * much), (_glare, 5 * much), (_blur, much), (_dark, 1.2 * much), (_cut, 4 * much)):
        image, corners = harm(image, corners, step, rng)
    return image, corners


@dataclass(frozen=True)
class Row:
    """Steps of one kind: `pose` tells the camera, `harm` what is done to its picture; up to `limit` all are found."""

    name: str
    unit: str
    steps: tuple[float, ...]
    limit: float
    pose: Callable[[float], Pose]
    harm: Harm | None = None


def _plain(_step: float) -> Pose:
    return Pose(20, 0, 0.85)


ROWS = (
    Row("tilt", "°", (15, 30, 45, 52, 60), 45, lambda step: Pose(step, 0, 0.9)),
    Row("turn", "°", (30, 90, 135, 180, 270), 360, lambda step: Pose(20, step, 0.8)),
    Row("width of the board", "% of the picture's", (58, 45, 33, 25, 18), 33, lambda step: Pose(20, 10, step / 100)),
    Row("tilt, third of the picture", "°", (15, 30, 45, 52, 60), 45, lambda step: Pose(step, 200, 0.58)),
    Row("cut off", "% of the board", (5, 10, 20, 30, 40), 20, _plain, _cut),
    Row("blur", "px", (1.5, 3, 4.5, 6, 8), 4.5, _plain, _blur),
    Row("dark", "stops", (2, 4, 5, 6, 7), 4, _plain, _dark),
    Row("glare", "% of the board", (10, 20, 35, 50, 65), 35, _plain, _glare),
    Row("covered", "% of the board", (10, 25, 40, 55, 70), 40, _plain, _cover),
    Row("all of these", "x", (1, 1.5, 2, 2.5, 3), 1, lambda step: Pose(10 + 10 * step, 15, 0.8), _everything),
)


def tried(scene: Scene, row: Row, step: float) -> Sought:
    """One scene at one step of one kind."""
    image, corners = scene.seen(row.pose(step))
    if row.harm is not None:
        rng = np.random.default_rng(zlib.crc32(f"{scene.name} {row.name} {step}".encode()))
        image, corners = row.harm(image, corners, step, rng)
    return sought(f"{scene.name} {row.name} {step:g}", scene.board, of_image(image), corners, scene.known)


def scenes(shared: Path, picked: Mapping[str, Sequence[str]], fold: bool = True) -> list[Scene]:
    """Photos by board; with `fold`, real ones come with prints that never saw their session."""
    found = []
    for board, names in picked.items():
        for name in names:
            photo = load(shared / f"{name}.jpg")
            truth = json.loads((shared / f"{name}.json").read_text(encoding="utf-8"))
            corners = np.array(truth["corners"], np.float64) * photo.scale
            real = fold and "photos" in name
            known = without(shared, board, session_of(board, Path(name).stem)) if real else shipped()
            found.append(Scene(Path(name).stem, board, photo.image, corners, known))
    return found


PICKED = {
    "usa": [f"photos/usa/IMG_{n}" for n in (4132, 4134, 4135)],
    "europe": [f"photos/europe/{n}" for n in ("cropped_messy2", "cropped_messy2_stations")],
    "united-kingdom": [f"renders/boards/united-kingdom-{n}" for n in (1003,)],
    "legendary-asia": [f"renders/boards/legendary-asia-{n}" for n in (1000,)],
    "pennsylvania": [f"renders/boards/pennsylvania-{n}" for n in (1002,)],
}


def poses(shared: Path, boards: Sequence[str], rows: Sequence[Row] = ROWS, show: Callable[[str], None] = print) -> None:
    """Found and corner error at every step, per board."""
    for board, photos in scenes_by_board(shared, boards).items():
        show(f"\n{board}, {len(photos)} photos: found, median corner in % of the width\n")
        for row in rows:
            cells = []
            for step in row.steps:
                results = [tried(scene, row, step) for scene in photos]
                off = [r.off for r in results if r.found]
                cells.append(f"{step:g}: {len(off)}/{len(results)}" + (f" {np.median(off):.2f}" if off else ""))
            show(f"| {row.name} ({row.unit}) | " + " | ".join(cells) + " |")


def scenes_by_board(shared: Path, boards: Sequence[str]) -> dict[str, list[Scene]]:
    return {board: scenes(shared, {board: PICKED[board]}) for board in boards}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["folds", "poses"])
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[3] / "shared")
    parser.add_argument("boards", nargs="*", default=[*PICKED])
    options = parser.parse_args()
    if options.what == "folds":
        folds(options.shared)
    else:
        poses(options.shared, options.boards)


if __name__ == "__main__":
    main()

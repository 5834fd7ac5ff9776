"""Takes recordings and makes them worse step by step, to see where reading starts to fail."""

from __future__ import annotations

import math
import tempfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from vision.evaluation.places import board_to_photo
from vision.evaluation.pools import HERE, Outcome, Pool, Progress, silence
from vision.evaluation.readers import Ask, Reader, ask_program
from vision.evaluation.rows import Row, outcome_of, row
from vision.photo import load
from vision.recordings import Recording

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
# Every photo is brought to this longer side first, so that steps in pixels mean the same for all.
LONGER_SIDE = 1600
# Reading has started to fail when it loses this much of the routes that it reads in the unchanged photo.
FAILING = 0.02


@dataclass(frozen=True)
class Harmed:
    """A picture made worse: `moved` takes old pixels to new ones, `hidden` is what something lies over."""

    image: Image
    moved: Matrix | None = None
    hidden: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class Harm:
    """One way of making a photo worse, in steps from mild to severe; `unit` says what the numbers are."""

    name: str
    unit: str
    steps: tuple[float, ...]
    apply: Callable[[Image, float, np.random.Generator], Harmed]


def _tilt(image: Image, degrees: float, _rng: np.random.Generator) -> Harmed:
    """Seen from further down: the picture's plane leans back about its middle, and is made to fit again."""
    height, width = image.shape[:2]
    lean, far = math.radians(degrees), 1.2 * width
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64) - (width / 2, height / 2)
    depth = far - corners[:, 1] * math.sin(lean)
    seen = np.stack([corners[:, 0], corners[:, 1] * math.cos(lean)], axis=1) * (far / depth)[:, None]
    seen -= seen.min(0)
    seen *= min(width / seen[:, 0].max(), height / seen[:, 1].max())
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    moved = cv2.getPerspectiveTransform(whole, seen.astype(np.float32))
    size = tuple(int(v) for v in np.ceil(seen.max(0)))
    ground = tuple(float(v) for v in image.reshape(-1, 3).mean(0))
    tilted = cv2.warpPerspective(image, moved, size, flags=cv2.INTER_AREA, borderValue=ground)
    return Harmed(np.asarray(tilted, np.uint8), np.asarray(moved, np.float64))


def _blur(image: Image, pixels: float, _rng: np.random.Generator) -> Harmed:
    return Harmed(np.asarray(cv2.GaussianBlur(image, (0, 0), pixels), np.uint8))


def _dark(image: Image, stops: float, rng: np.random.Generator) -> Harmed:
    """Less light, and the grain that a camera adds to make up for it."""
    light = (image.astype(np.float32) / 255) ** 2.2 * 2.0**-stops
    grain = rng.standard_normal(image.shape, np.float32) * np.float32(1.2 * stops)
    return Harmed(_pixels(light ** (1 / 2.2) * 255 + grain))


def _warm(image: Image, strength: float, _rng: np.random.Generator) -> Harmed:
    """A lamp without its blue, and the camera's white balance left as it was."""
    tint = np.array([1 - 0.75 * strength, 1 - 0.25 * strength, 1 + 0.1 * strength], np.float32)
    return Harmed(_pixels(image.astype(np.float32) * tint))


def _noise(image: Image, deviation: float, rng: np.random.Generator) -> Harmed:
    return Harmed(_pixels(image + rng.standard_normal(image.shape, np.float32) * np.float32(deviation)))


def _jpeg(image: Image, quality: float, _rng: np.random.Generator) -> Harmed:
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])[1]
    return Harmed(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8))


def _size(image: Image, side: float, _rng: np.random.Generator) -> Harmed:
    scale = min(1.0, side / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Harmed(np.asarray(small, np.uint8), np.diag([scale, scale, 1.0]))


def _occlusion(image: Image, share: float, rng: np.random.Generator) -> Harmed:
    """Sheets of paper, sleeves and cups over that share of the picture: plain patches anywhere."""
    height, width = image.shape[:2]
    hidden = np.zeros((height, width), np.uint8)
    covered = image.copy()
    while np.count_nonzero(hidden) < share / 100 * hidden.size:
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes = (int(width * rng.uniform(0.04, 0.12)), int(height * rng.uniform(0.04, 0.12)))
        color = tuple(int(v) for v in rng.integers(20, 230, 3))
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(covered, centre, axes, turn, 0, 360, color, -1)
        cv2.ellipse(hidden, centre, axes, turn, 0, 360, 255, -1)
    return Harmed(covered, None, hidden > 0)


def _pixels(values: NDArray[np.float32]) -> Image:
    return np.asarray(np.clip(values, 0, 255), np.uint8)


HARMS: tuple[Harm, ...] = (
    Harm("tilt", "°", (15, 30, 40, 50, 60), _tilt),
    Harm("blur", "px", (1.5, 3, 5, 7, 10), _blur),
    Harm("dark", "stops", (2, 4, 5, 6, 7), _dark),
    Harm("warm", "", (0.3, 0.6, 0.9, 1.1, 1.3), _warm),
    Harm("noise", "σ", (10, 25, 45, 70, 100), _noise),
    Harm("jpeg", "quality", (40, 20, 10, 5, 2), _jpeg),
    Harm("size", "px", (1000, 700, 500, 350, 250), _size),
    Harm("occlusion", "%", (10, 20, 35, 50, 65), _occlusion),
)


@dataclass(frozen=True)
class Point:
    """How one board is read at one step: shares of boards found, routes right, and routes right or flagged."""

    step: float
    photos: int
    found: float
    right: float
    right_or_flagged: float


@dataclass(frozen=True)
class Curve:
    """One board under one harm, the unchanged photo first. `fails_at`: the first step at which reading suffers."""

    board: str
    harm: str
    unit: str
    points: tuple[Point, ...]

    @property
    def fails_at(self) -> float | None:
        least = self.points[0].right - FAILING
        return next((p.step for p in self.points[1:] if p.right < least), None)

    def to_json(self) -> dict[str, Any]:
        return {
            "board": self.board,
            "harm": self.harm,
            "unit": self.unit,
            "fails_at": self.fails_at,
            "points": [{k: round(v, 4) for k, v in vars(p).items()} for p in self.points],
        }


def harmed(image: Image, truth: Mapping[str, Any], harm: Harm, step: float) -> tuple[Image, dict[str, Any]]:
    """A picture made worse and the truth about it: corners follow, routes under something are not judged."""
    rng = np.random.default_rng(zlib.crc32(f"{truth.get('photo')} {harm.name} {step}".encode()))
    made = harm.apply(image, step, rng)
    changed = dict(truth)
    if made.moved is not None:
        for key in ("corners", "art_corners"):
            if len(truth.get(key) or ()) == 4:
                changed[key] = cv2.perspectiveTransform(np.array([truth[key]], np.float64), made.moved)[0].tolist()
    if made.hidden is not None:
        covered = _under(made.hidden, truth)
        changed["covered"] = sorted({*(truth.get("covered") or ()), *(c for c in covered if c in truth["routes"])})
        changed["stations"] = {c: v for c, v in (truth.get("stations") or {}).items() if c not in covered}
    return made.image, changed


def _under(hidden: NDArray[np.bool_], truth: Mapping[str, Any]) -> set[str]:
    """Routes of which a space is hidden, and cities that are."""
    board = maps.load(str(truth["board"]))
    found = board_to_photo(board, truth)
    if found is None:
        return set()
    place, width = found
    reach = math.ceil(width * board.geometry.space_width)
    wide = cv2.dilate(hidden.astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))

    def is_hidden(spots: Sequence[tuple[float, float]]) -> bool:
        pixels = np.rint(cv2.perspectiveTransform(np.array([spots], np.float64), place)[0]).astype(int)
        inside = (pixels >= 0).all(1) & (pixels < (hidden.shape[1], hidden.shape[0])).all(1)
        return bool(wide[pixels[inside, 1], pixels[inside, 0]].any())

    routes = {r.id for r in board.routes.values() if is_hidden([(s.x, s.y) for s in r.spaces])}
    return routes | {c.id for c in board.cities.values() if is_hidden([(c.x, c.y)])}


def sweep(
    found: Sequence[Recording],
    *,
    pool: Pool = HERE,
    harms: Sequence[Harm] = HARMS,
    reader: Reader = ask_program,
    progress: Progress | None = None,
) -> list[Curve]:
    """Reads every recording of a board at every step of every harm: one curve per board and harm."""
    boards = [r for r in found if r.of_board and r.problem is None and len(r.truth.get("corners") or ()) == 4]
    steps: list[tuple[Harm | None, float]] = [(None, 0.0), *((h, step) for h in harms for step in h.steps)]
    tasks = [(r, None if h is None else h.name, step, reader) for r in boards for h, step in steps]
    outcomes = pool(_read_harmed, tasks, progress or silence)
    rows: dict[tuple[str, str, float], list[Row]] = {}
    for (recording, harm_name, step, _), outcome in zip(tasks, outcomes, strict=True):
        truth = recording.truth if outcome.truth is None else outcome.truth
        judged = row(replace(recording, truth=truth), outcome)
        rows.setdefault((str(truth["board"]), harm_name or "", step), []).append(judged)
    curves = []
    for board in sorted({str(r.truth["board"]) for r in boards}):
        plain = _point(0.0, rows[board, "", 0.0])
        for harm in harms:
            points = [_point(step, rows[board, harm.name, step]) for step in harm.steps]
            curves.append(Curve(board, harm.name, harm.unit, (plain, *points)))
    return curves


def _read_harmed(recording: Recording, name: str | None, step: float, reader: Reader) -> Outcome:
    """Makes one photo worse and reads it from a file, as any photo is."""
    try:
        photo = load(recording.photo)
    except maps.Trouble as trouble:
        return Outcome(problem=trouble.message)
    scale = min(1.0, LONGER_SIDE / max(photo.width, photo.height))
    size = (round(photo.width * scale), round(photo.height * scale))
    image = np.asarray(cv2.resize(photo.image, size, interpolation=cv2.INTER_AREA), np.uint8)
    truth: dict[str, Any] = dict(recording.truth)
    for key in ("corners", "art_corners"):
        if truth.get(key):
            truth[key] = (np.array(truth[key], np.float64) * scale).tolist()
    harm = next((h for h in HARMS if h.name == name), None)
    if harm is not None:
        image, truth = harmed(image, truth, harm, step)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "photo.png"
        file.write_bytes(cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes())
        read = outcome_of(file, Ask.about(truth), reader)
    return replace(read, truth=truth)


def _point(step: float, rows: Sequence[Row]) -> Point:
    answers = [a for r in rows for a in r.judged.answers if a.kind == "route"]
    many = max(len(answers), 1)
    found = sum(r.judged.board_right for r in rows) / len(rows)
    right = sum(a.right for a in answers)
    # A photo in which no board was found says so itself: nothing in it was told wrongly.
    return Point(step, len(rows), found, right / many, sum(a.right or a.flagged for a in answers) / many)

"""Photos with their truth, as the trainers use them: picture, homography and what lies on every space."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from maps import Board
from models.training.art_prints import art_print
from vision import classify, light, photo, spaces
from vision.studio import Pose, practice

CLASSES = classify.CLASSES
UNKNOWN = -1


@dataclass(frozen=True)
class Summary:
    """What a truth file says about its photo, without the photo."""

    path: Path
    board: str
    fold: str
    depots: bool = False

    @property
    def kind(self) -> str:
        """Real photos, renders, renders of prints made up and photos drawn by us are told apart everywhere."""
        if self.fold.startswith("render-drawn"):
            return "drawn"
        if self.fold.startswith("render-made"):
            return "made"
        return "render" if self.fold.startswith("render") else "real"


@dataclass(frozen=True, eq=False)
class Example:
    """One photo. `labels` has a class for every space, `stations` for every city; -1 where nobody can tell."""

    name: str
    fold: str
    board: Board
    image: NDArray[np.uint8]
    homography: NDArray[np.float64]
    labels: NDArray[np.int64]
    stations: NDArray[np.int64]
    reference: light.Reference | None = None

    @property
    def real(self) -> bool:
        return not self.fold.startswith("render")


def summary(path: Path) -> Summary:
    """What kind of photo lies beside a truth file."""
    truth = json.loads(path.read_text(encoding="utf-8"))
    return Summary(path, truth["board"], _fold(path, truth), bool(truth.get("depots")))


def load(path: Path, board: Board | None = None) -> Example:
    """The photo beside a truth file."""
    truth = json.loads(path.read_text(encoding="utf-8"))
    board = board or board_of(truth)
    picture = photo.load(path.with_name(truth["photo"]))
    pose = picture.shrink @ homography(truth, board)
    return Example(
        path.stem, _fold(path, truth), board, picture.image, pose, _labels(truth, board), _stations(truth, board),
        reference_of(path, truth) or (_drawn_reference(board.id) if _is_drawn(truth) else None),
    )  # fmt: skip


def board_of(truth: Mapping[str, Any]) -> Board:
    """The board of a truth, with its spaces where the print that it shows has them and in that print's colours."""
    art = _shows_art(truth)
    if "print" in truth:
        return _colored(truth["board"], art, tuple(truth["print"].items()))
    return art_print(truth["board"]).board if art else maps.load(truth["board"])


@lru_cache(maxsize=256)
def _colored(board_id: str, art: bool, colors: tuple[tuple[str, str], ...]) -> Board:
    board, own = art_print(board_id).board if art else maps.load(board_id), dict(colors)
    routes = {name: replace(route, color=own[name]) for name, route in board.routes.items()}
    return replace(board, routes=MappingProxyType(routes))


def reference_of(path: Path, truth: Mapping[str, Any]) -> light.Reference | None:
    """The colours of a print other than the one whose colours come with the program, as enrolling would learn them."""
    if "print" in truth:
        return light.load_reference(path.with_suffix(".print.npz"))
    return art_print(truth["board"]).reference if _shows_art(truth) else None


def _shows_art(truth: Mapping[str, Any]) -> bool:
    """Whether a render has the art on it of a board whose print was measured."""
    return truth.get("texture") == "art" and maps.load(truth["board"]).geometry.kind == "measured"


def _is_drawn(truth: Mapping[str, Any]) -> bool:
    """Whether this is a practice photo of ours: its print is drawn, so it has colours of its own."""
    return "surface" in truth


@lru_cache(maxsize=16)
def _drawn_reference(board_id: str) -> light.Reference:
    board = maps.load(board_id)
    image, truth = practice(board_id, 0, taken=0, stations=False, light="neutral", surface="wood", pose=Pose(0, 0))
    to_picture = spaces.by_homography(homography(truth, board))
    return light.reference_of(image, to_picture, spaces.layout(board))


def art_to_picture(board: Board, wide: int, high: int) -> NDArray[np.float64]:
    """Board coordinates to pixels of a flat picture of the map's art."""
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    own = board.geometry.map_area if board.geometry.kind == "estimated" else art_print(board.id).corners
    return np.asarray(cv2.getPerspectiveTransform(np.array(own, np.float32), corners), np.float64)


def homography(truth: Mapping[str, Any], board: Board) -> NDArray[np.float64]:
    """Board coordinates to pixels of the whole photo, as a truth tells them."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    corners = np.array(truth["corners"], np.float32)
    if _shows_art(truth):
        # The score track around the art is none of any box.
        square, corners = art_print(board.id).corners.astype(np.float32), np.array(truth["art_corners"], np.float32)
    elif board.geometry.kind == "estimated" and not _is_drawn(truth):
        # The score track around such a board is a guess: the map inside it is what counts.
        square, corners = np.array(board.geometry.map_area, np.float32), np.array(truth["art_corners"], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(square, corners), np.float64)


def _fold(path: Path, truth: Mapping[str, Any]) -> str:
    """Photos that belong together in training or in judging: a session or game of real photos, a board of renders."""
    if _is_drawn(truth):
        return f"render-drawn-{truth['board']}"
    if "print" in truth:
        return f"render-made-{truth['board']}"
    if "pose" in truth:
        return f"render-{'art-' if _shows_art(truth) else ''}{truth['board']}"
    if "state" not in truth:
        return f"other-{truth['board']}"
    if truth["board"] != "usa":
        return f"{truth['board']}-{truth['state'].split('+')[0].rstrip('0123456789').lower()}"
    number = int(path.stem.split("_")[1])
    for last, session in ((4100, "rectified"), (4140, "floor"), (4160, "warm"), (4170, "glare")):
        if number < last:
            return f"usa-{session}"
    return "usa-empty"


def _labels(truth: Mapping[str, Any], board: Board) -> NDArray[np.int64]:
    hidden = {r for r, part in truth.get("covered_part", {}).items() if part > 0} | set(truth.get("covered", ()))
    hidden_wagons = {(w["route"], w["i"]) for w in truth.get("wagons", ()) if w.get("hidden")}
    found = []
    for route in board.routes.values():
        color = truth["routes"].get(route.id)
        single = truth.get("spaces", {}).get(route.id)
        for i in range(route.length):
            own = single[i] if single else color
            unseen = route.id in hidden or (route.id, i) in hidden_wagons
            found.append(UNKNOWN if unseen else CLASSES.index(own) if own else 0)
    return np.array(found, np.int64)


def _stations(truth: Mapping[str, Any], board: Board) -> NDArray[np.int64]:
    own = truth.get("stations", {}) | {city: f"depot-{color}" for city, color in truth.get("depots", {}).items()}
    # A truth tells which routes a hand lies over, not which cities: those at their ends may be under it.
    hidden = {r for r, part in truth.get("covered_part", {}).items() if part > 0} | set(truth.get("covered", ()))
    unseen = {city for route in hidden for city in board.routes[route].ends}
    labels = [
        UNKNOWN if city in unseen else classify.CITY_CLASSES.index(own.get(city, "empty")) for city in board.cities
    ]
    return np.array(labels, np.int64)


def every(folders: list[Path]) -> list[Path]:
    """The truth files below some folders that have their photo, in order."""
    return [p for folder in folders for p in sorted(folder.rglob("*.json")) if p.with_suffix(".jpg").is_file()]


def boards(folders: list[Path]) -> list[Path]:
    """Those of them that tell what lies on a board."""
    return [p for p in every(folders) if "routes" in json.loads(p.read_text(encoding="utf-8"))]

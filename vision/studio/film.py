"""Draws practice films: a camera on a stand over our own drawn board, routes claimed one after the other, with truth.

Hands reach in and lay half a route, then the rest; now and then somebody knocks the stand, switches the light, lays a
paper over the board or leans over it. The same seed gives the same film. No outside pictures are used.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from maps import Board, Trouble
from vision.reading import DEPOT
from vision.studio.camera import Camera, Pose
from vision.studio.game import Game, deal
from vision.studio.light import LIGHTS, lit
from vision.studio.photo import laid_out, pieces_of
from vision.studio.pieces import Piece, darkened, depot, paint, shadows, station, wagon
from vision.studio.surfaces import SURFACES

Image = NDArray[np.uint8]
Array = NDArray[np.float64]
Trick = Literal["knock", "light", "paper", "shadow", "pass", "spares"]
TRICKS: tuple[Trick, ...] = ("knock", "light", "paper", "shadow", "pass")
# How many wagons somebody puts down on the map, and how far they lie from every space and city, in widths of a space.
_SPARES, _CLEAR = 6, 2.6

# Blue, green, red of skin and sleeve.
_SKIN, _SLEEVE = (118, 148, 205), (92, 62, 44)
_LAMP = np.array([0.35, -0.3, 0.89])


@dataclass
class Film:
    """Pictures with how many frames each lasts, and the truth that belongs to them."""

    fps: float
    size: tuple[int, int]
    truth: dict[str, Any]
    shots: list[tuple[Image, int, Array]] = field(default_factory=list)
    seed: int = 0

    def frames(self) -> Iterator[Image]:
        """Every frame, with a camera's noise and the trembling of its stand."""
        rng = np.random.default_rng(self.seed)
        noise = rng.normal(0, 1.8, (self.size[1], self.size[0], 3)).round().astype(np.int16)
        for picture, count, view in self.shots:
            for _ in range(count):
                shift = np.array([[0, 0, v] for v in rng.normal(0, 0.2, 2)])
                seen = cv2.warpAffine(picture, view + shift, self.size, borderMode=cv2.BORDER_REPLICATE)
                grain = np.roll(noise, tuple(rng.integers(0, 200, 2)), (0, 1))
                yield np.asarray(cv2.add(seen, grain, dtype=cv2.CV_8U), np.uint8)

    @property
    def seconds(self) -> float:
        return sum(count for _, count, _ in self.shots) / self.fps


def film(
    board_id: str,
    seed: int,
    *,
    claims: int = 4,
    start: int = 3,
    colors: Sequence[str] | None = None,
    tricks: Sequence[Trick] = TRICKS,
    taken_back: bool = False,
    buildings: int = 0,
    size: tuple[int, int] = (960, 720),
    fps: float = 6.0,
    pose: Pose | None = None,
    light: str = "neutral",
    surface: str = "wood",
) -> Film:
    """A film of that many claims, one trick after each in turn; then stations are built, depots where a board has none;
    `taken_back`: at the end the last claim goes again."""
    for name, known, what in ((light, tuple(LIGHTS), "light"), (surface, SURFACES, "surface")):
        if name not in known:
            raise Trouble(f"no-such-{what}", value=name, known=known)
    board = maps.load(board_id)
    rng = np.random.default_rng((seed, zlib.crc32(board_id.encode())))
    game = deal(board, rng, 1.0, colors, stations=False)
    order = [r for r, color in game.routes.items() if color]
    order = [order[int(i)] for i in rng.permutation(len(order))][: start + claims]
    if len(order) < start + claims:
        raise Trouble("bad-count", value=claims)
    camera = Camera(1 / board.geometry.aspect, pose or Pose(28, 4, 0.86), size)
    scene = _Scene(board, game, camera, light, surface, seed)
    owners = {r: str(game.routes[r]) for r in order}
    truth: dict[str, Any] = {
        "board": board_id,
        "fps": fps,
        "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in scene.camera.corners],
        "players": sorted(set(owners.values())),
        "start": {r: owners[r] for r in order[:start]},
        "events": [],
        "hands": [],
        "bumps": [],
        "seed": seed,
        "surface": surface,
        "light": light,
    }
    made = Film(fps, size, truth, seed=seed)
    director = _Director(made, scene, rng)
    director.play(order[:start], order[start:], owners, tricks)
    director.build(buildings)
    if taken_back:
        director.take_back(order[-1], owners[order[-1]])
    return made


def write_film(folder: Path | str, name: str, made: Film) -> Path:
    """Writes NAME.avi (motion JPEG: read everywhere) and NAME.json; gives the film's path."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), made.fps, made.size)
    if not writer.isOpened():
        raise Trouble("picture-not-written", file=str(path), reason="MJPG")
    for frame in made.frames():
        writer.write(frame)
    writer.release()
    told = {"film": path.name, **made.truth}
    (folder / f"{name}.json").write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


class _Scene:
    """The table: what lies on the board, in a light, with or without a hand."""

    def __init__(self, board: Board, game: Game, camera: Camera, light: str, surface: str, seed: int) -> None:
        self.board, self.camera, self.light, self._seed = board, camera, light, seed
        self._bare = laid_out(board, camera, surface, np.random.default_rng(seed))
        # Wagons that lie on the map and on no track, and what stands on cities.
        self.spares: list[Piece] = []
        # Each route's wagons lie the same in every picture.
        self._pieces = {
            r: pieces_of(board, Game({q: color if q == r else None for q in game.routes}, {}, {}), _rng(seed, r))
            for r, color in game.routes.items()
            if color
        }

    def picture(self, lying: dict[str, int], light: str | None = None) -> Image:
        """So many wagons of each route."""
        pieces = [*self.spares, *(p for route, n in lying.items() for p in self._pieces[route][:n])]
        image = shadows(self._bare, pieces, self.camera, _LAMP, strength=0.45)
        paint(image, pieces, self.camera, _LAMP, np.random.default_rng(self._seed))
        return lit(image, LIGHTS[light or self.light], np.random.default_rng(self._seed + len(light or "")))

    def put_down(self, color: str) -> Array:
        """Somebody puts wagons down on the map, where no track is near; the middle of the heap in the picture."""
        board, rng = self.board, _rng(self._seed, color)
        geometry, high = board.geometry, 1 / board.geometry.aspect
        taken = [(s.x, s.y * high) for r in board.routes.values() for s in r.spaces]
        taken += [(c.x, c.y * high) for c in board.cities.values()]
        places = rng.uniform((0.06, 0.06 * high), (0.94, 0.94 * high), (4000, 2))
        room = np.linalg.norm(places[:, None] - np.array(taken)[None], axis=2).min(1) / geometry.space_width
        free = places[room > _CLEAR]
        near = free[np.argsort(np.linalg.norm(free - free[0], axis=1))][: 40 * _SPARES : 40]
        size = (geometry.space_length, geometry.space_width)
        self.spares += [wagon(float(x), float(y), float(rng.uniform(0, math.pi)), *size, color) for x, y in near]
        return np.asarray(self.camera.project(np.array([[*near.mean(0), 0.0]]))[0], np.float64)

    def build(self, city: str, color: str) -> Array:
        """Puts a station on a city, a depot where the board has no stations; where that is in the picture."""
        at, build = self.board.cities[city], station if self.board.stations else depot
        x, y = at.x, at.y / self.board.geometry.aspect
        self.spares.append(
            build(x, y, _rng(self._seed, city).uniform(0, math.pi), self.board.geometry.space_width, color)
        )
        return np.asarray(self.camera.project(np.array([[x, y, 0.0]]))[0], np.float64)

    def middle(self, route: str) -> Array:
        """Where a route lies in the picture."""
        at = np.array([[s.x, s.y / self.board.geometry.aspect, 0.0] for s in self.board.routes[route].spaces])
        return np.asarray(self.camera.project(at).mean(0), np.float64)

    def hand(self, image: Image, tip: Array) -> Image:
        """An arm that reaches in from below, its fingers at the tip."""
        height, width = image.shape[:2]
        unit = float(np.linalg.norm(self.camera.corners[1] - self.camera.corners[0])) / 10
        mask, sleeve = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
        palm = tip + np.array([0, 0.8 * unit])
        elbow = palm + np.array([0.5 * unit, 6 * unit])
        _limb(mask, palm, elbow, unit)
        cv2.ellipse(mask, (_point(palm), (1.5 * unit, 1.9 * unit), 0), (255,), -1)
        for spread in (-0.45, -0.15, 0.15, 0.45):
            _limb(mask, palm, tip + np.array([spread * unit, 0.1 * unit * abs(spread)]), 0.32 * unit)
        _limb(sleeve, palm + (elbow - palm) * 0.45, elbow, 1.5 * unit)
        cast = cv2.GaussianBlur(np.roll(np.maximum(mask, sleeve), int(0.3 * unit), axis=1), (0, 0), unit / 6)
        image = darkened(image, np.asarray(cast, np.uint8), 0.4)
        for shape, color in ((mask, _SKIN), (sleeve, _SLEEVE)):
            tone = cv2.GaussianBlur(shape, (0, 0), unit / 4)[..., None] / 255
            image[shape > 0] = (np.array(color) * (0.6 + 0.4 * tone[shape > 0])).astype(np.uint8)
        return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.5), np.uint8)

    def paper(self, image: Image, at: Array) -> Image:
        """A written sheet on the board."""
        sheet = np.array([[-0.11, -0.08, 0], [0.11, -0.09, 0], [0.12, 0.07, 0], [-0.1, 0.09, 0]])
        corners = sheet + np.array([at[0], at[1], 0.0])
        outline = np.rint(self.camera.project(corners)).astype(np.int32)
        cast = np.zeros(image.shape[:2], np.uint8)
        cv2.fillConvexPoly(cast, outline + 4, (255,))
        image = darkened(image, np.asarray(cv2.GaussianBlur(cast, (0, 0), 3), np.uint8), 0.3)
        cv2.fillConvexPoly(image, outline, (224, 230, 232), cv2.LINE_AA)
        for part in np.linspace(0.2, 0.8, 5):
            a, b = (outline[i] + (outline[j] - outline[i]) * part for i, j in ((0, 3), (1, 2)))
            inner = a + (b - a) * 0.1, a + (b - a) * 0.8
            cv2.line(image, _point(inner[0]), _point(inner[1]), (120, 100, 90), 1, cv2.LINE_AA)
        return image


class _Director:
    """Puts the shots of a film in order, and writes down what is true when."""

    def __init__(self, made: Film, scene: _Scene, rng: np.random.Generator) -> None:
        self._film, self._scene, self._rng = made, scene, rng
        self._view: Array = np.eye(2, 3)
        self._light: str | None = None
        self._lying: dict[str, int] = {}

    def play(
        self,
        start: Sequence[str],
        claims: Sequence[str],
        owners: dict[str, str],
        tricks: Sequence[Trick],
    ) -> None:
        whole = {r: self._scene.board.routes[r].length for r in (*start, *claims)}
        self._lying = {r: whole[r] for r in start}
        self._still(3.0)
        for n, route in enumerate(claims):
            self._reach(route, {**self._lying}, self._rng.uniform(0.4, 0.7))
            self._reach(route, {**self._lying, route: whole[route] // 2}, self._rng.uniform(0.6, 1.2))
            self._lying[route] = whole[route]
            self._event("claim", route, owners[route])
            self._still(3.2)
            if tricks:
                self._trick(tricks[n % len(tricks)])

    def take_back(self, route: str, color: str) -> None:
        self._reach(route, self._lying, 0.8)
        del self._lying[route]
        self._event("gone", route, color)
        self._still(4.0)

    def build(self, buildings: int) -> None:
        """Players put stations or depots on cities in the middle of the board, in turn."""
        board, colors = self._scene.board, self._film.truth["players"]
        for n, city in enumerate(sorted(board.cities.values(), key=lambda c: math.hypot(c.x - 0.5, c.y - 0.5))):
            if n >= buildings:
                return
            before, color = self._picture(), colors[n % len(colors)]
            self._hand(before, self._scene.build(city.id, color), 1.0)
            told = color if board.stations else f"{DEPOT}{color}"
            self._film.truth["events"].append({"seconds": self._now, "kind": "station", "city": city.id, "color": told})
            self._still(4.0)

    @property
    def _now(self) -> float:
        return round(self._film.seconds, 2)

    def _picture(self) -> Image:
        return self._scene.picture(self._lying, self._light)

    def _shoot(self, picture: Image, seconds: float) -> None:
        self._film.shots.append((picture, max(1, round(seconds * self._film.fps)), self._view.copy()))

    def _still(self, seconds: float) -> None:
        self._shoot(self._picture(), seconds)

    def _event(self, kind: str, route: str, color: str) -> None:
        told = {"seconds": self._now, "route": route, "color": color}
        self._film.truth["events"].append(told if kind == "claim" else {**told, "kind": kind})

    def _reach(self, route: str, lying: dict[str, int], seconds: float) -> None:
        self._hand(self._scene.picture(lying, self._light), self._scene.middle(route), seconds)

    def _hand(self, picture: Image, at: Array, seconds: float) -> None:
        began = self._now
        for _ in range(max(1, round(seconds * self._film.fps))):
            self._shoot(self._scene.hand(picture.copy(), at + self._rng.normal(0, 5, 2)), 1 / self._film.fps)
        self._film.truth["hands"].append([began, self._now])

    def _trick(self, trick: Trick) -> None:
        width, height = self._film.size
        if trick == "knock":
            turn = math.radians(self._rng.uniform(0.5, 1.2))
            turned = cv2.getRotationMatrix2D((width / 2, height / 2), math.degrees(turn), 1.0)
            self._view = turned + np.array([[0, 0, self._rng.uniform(-9, 9)], [0, 0, self._rng.uniform(-7, 7)]])
            self._film.truth["bumps"].append(self._now)
            self._still(2.0)
        elif trick == "light":
            self._light = "warm" if self._light is None else None
            self._film.truth.setdefault("light_switched", []).append(self._now)
            self._still(3.0)
        elif trick == "paper":
            high = 1 / self._scene.board.geometry.aspect
            sheet = self._scene.paper(self._picture(), np.array([0.3, high * 0.45]))
            self._film.truth.setdefault("papers", []).append([self._now, round(self._now + 4.0, 2)])
            self._shoot(sheet, 4.0)
            self._still(1.5)
        elif trick == "spares":
            before = self._picture()
            at = self._scene.put_down(self._film.truth["players"][0])
            self._hand(before, at, 0.8)
            self._film.truth.setdefault("spares", []).append(self._now)
            self._still(6.0)
        elif trick == "shadow":
            dark = np.zeros((height, width), np.uint8)
            cv2.ellipse(dark, ((width * 0.6, height * 0.9), (width * 0.7, height * 0.9), 20), (255,), -1)
            soft = np.asarray(cv2.GaussianBlur(dark, (0, 0), width / 25), np.uint8)
            self._shoot(darkened(self._picture(), soft, 0.45), 2.0)
            self._still(1.5)
        else:
            self._hand(self._picture(), np.array([width * 0.4, height * 0.4]), 0.9)
            self._still(1.5)


def _rng(seed: int, name: str) -> np.random.Generator:
    return np.random.default_rng((seed, zlib.crc32(name.encode())))


def _point(at: Array) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))


def _limb(mask: Image, a: Array, b: Array, width: float) -> None:
    cv2.line(mask, _point(a), _point(b), (255,), max(1, round(width)), cv2.LINE_AA)

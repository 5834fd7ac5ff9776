"""Puts a practice photo together: table, board, pieces, light; and writes it down with its truth."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from maps import Board, Trouble
from vision.studio.camera import Camera, Pose
from vision.studio.game import Game, deal
from vision.studio.light import LIGHTS, lit
from vision.studio.pieces import Piece, darkened, depot, paint, shadows, station, wagon
from vision.studio.surfaces import SURFACES, printed, table

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

# The cardboard's thickness over its width.
_THICK = 0.004
# Most spare wagons that lie around beside the board.
_SPARE = 10


def practice(
    board_id: str,
    seed: int,
    *,
    taken: float = 0.5,
    colors: Sequence[str] | None = None,
    stations: bool = True,
    untidy: float = 0.0,
    depots: bool = False,
    size: tuple[int, int] = (1600, 1200),
    pose: Pose | None = None,
    light: str | None = None,
    surface: str | None = None,
) -> tuple[Image, dict[str, Any]]:
    """A practice photo (blue, green, red) and its truth in the form of a recording; the seed decides what isn't given.

    `taken`: share of tracks taken. `untidy`: share of longer taken routes that miss a wagon. `light`: one of LIGHTS.
    `depots`: those of the module "warehouses and depots", told apart from stations under `depots`.
    """
    board = maps.load(board_id)
    rng = np.random.default_rng((seed, zlib.crc32(board_id.encode())))
    light = _one_of(light, tuple(LIGHTS), rng, "light")
    surface = _one_of(surface, SURFACES, rng, "surface")
    game = deal(board, rng, taken, colors, stations, untidy, depots)
    pose = pose or Pose.any(rng, sideways=(board.geometry.aspect > 1) != (size[0] > size[1]))
    camera = Camera(1 / board.geometry.aspect, pose, size)
    image = laid_out(board, camera, surface, rng)
    lamp = _lamp(rng)
    pieces = [*pieces_of(board, game, rng), *_spare(board, game, rng)]
    image = shadows(image, pieces, camera, lamp, strength=0.45)
    paint(image, pieces, camera, lamp, rng)
    truth: dict[str, Any] = {
        "photo": f"{board_id}-{seed:04d}.jpg",
        "board": board_id,
        "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in camera.corners],
        "routes": dict(game.routes),
        "stations": dict(game.stations),
        **({"depots": dict(game.depots)} if depots else {}),
        "spaces": {route: list(spaces) for route, spaces in game.spaces.items()},
        "light": light,
        "surface": surface,
        "tilt": round(pose.tilt, 1),
        "turn": round(pose.turn, 1),
        "seed": seed,
    }
    return lit(image, LIGHTS[light], rng), truth


def write(folder: Path | str, name: str, image: Image, truth: dict[str, Any]) -> Path:
    """Writes NAME.jpg and NAME.json into a folder, making it if need be; gives the picture's path."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    photo = folder / f"{name}.jpg"
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    if not done:
        raise Trouble("picture-not-written", file=str(photo), reason="JPEG")
    photo.write_bytes(data.tobytes())
    told = {**truth, "photo": photo.name}
    (folder / f"{name}.json").write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return photo


def _one_of(wanted: str | None, known: Sequence[str], rng: np.random.Generator, what: str) -> str:
    drawn = known[int(rng.integers(len(known)))]
    if wanted is not None and wanted not in known:
        raise Trouble(f"no-such-{what}", value=wanted, known=known)
    return wanted or drawn


def _lamp(rng: np.random.Generator) -> Array:
    """The direction towards the light: from any side, fairly high."""
    turn, high = rng.uniform(0, 2 * math.pi), rng.uniform(0.8, 1.25)
    return np.array([math.cos(turn) * math.cos(high), math.sin(turn) * math.cos(high), math.sin(high)])


def laid_out(board: Board, camera: Camera, surface: str, rng: np.random.Generator) -> Image:
    """The empty board lying on its table, as seen by the camera."""
    width, height = camera.size
    ground = table(rng, surface)
    # A piece of table is about 60 % of the board's width, turned at random.
    scale, turn = 0.6 / ground.shape[0], rng.uniform(0, 2 * math.pi)
    cos, sin = scale * math.cos(turn), scale * math.sin(turn)
    lay = np.array([[cos, -sin, 0.5], [sin, cos, 0.3], [0, 0, 1]])
    image = cv2.warpPerspective(
        ground, camera.plane(-_THICK) @ lay, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    high = 1 / board.geometry.aspect
    corners = np.array([[0, 0], [1, 0], [1, high], [0, high]])
    below = camera.project(np.column_stack([corners, np.full(4, -_THICK)]))
    shade = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(shade, np.rint(below).astype(np.int32), 255)
    # The shade around the board is soft: made small, then stretched.
    soft = cv2.GaussianBlur(cv2.resize(shade, None, fx=0.25, fy=0.25), (0, 0), width / 520)
    image = darkened(np.asarray(image, np.uint8), np.asarray(cv2.resize(soft, (width, height)), np.uint8), 0.5)
    cv2.fillConvexPoly(image, np.rint(below).astype(np.int32), (70, 80, 88), cv2.LINE_AA)
    sides = [float(np.linalg.norm(camera.corners[i] - camera.corners[i - 1])) for i in range(4)]
    art = printed(board, max(sides[1], sides[3]) * 1.05)
    to_plane = np.diag([1 / art.shape[1], high / art.shape[0], 1.0])
    seen = cv2.warpPerspective(art, camera.plane() @ to_plane, (width, height), borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(camera.corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return np.asarray(cv2.copyTo(seen, mask, image), np.uint8)


def pieces_of(board: Board, game: Game, rng: np.random.Generator) -> list[Piece]:
    """The wagons and buildings of a position, laid as hands lay them."""
    geometry = board.geometry
    length, width = geometry.space_length, geometry.space_width
    found = []
    for route in board.routes.values():
        for space, color in zip(route.spaces, game.wagons(route), strict=True):
            if color is None:
                continue
            # Hands lay trains down a little skew; now and then somebody bumps one.
            loose = 2.5 if rng.random() < 0.05 else 1.0
            dx, dy, turn = rng.normal(0, 1, 3) * (0.07 * width, 0.07 * width, 2.2) * loose
            angle = math.radians(space.angle + turn)
            found.append(wagon(space.x + dx, space.y / geometry.aspect + dy, angle, length, width, color))
    for build, cities in ((station, game.stations), (depot, game.depots)):
        for city_id, color in cities.items():
            city = board.cities[city_id]
            dx, dy = rng.normal(0, 0.12 * width, 2)
            found.append(build(city.x + dx, city.y / geometry.aspect + dy, rng.uniform(0, math.pi), width, color))
    return found


def _spare(board: Board, game: Game, rng: np.random.Generator) -> list[Piece]:
    """Wagons that players have put down beside the board."""
    playing = sorted({c for c in game.routes.values() if c}) or list(board.wagon_colors)
    high, geometry = 1 / board.geometry.aspect, board.geometry
    found: list[Piece] = []
    for _ in range(int(rng.integers(0, _SPARE + 1))):
        x, y = rng.uniform(-0.3, 1.3), rng.uniform(-0.3, high + 0.3)
        if -0.04 < x < 1.04 and -0.04 < y < high + 0.04:
            continue
        color = playing[int(rng.integers(len(playing)))]
        found.append(wagon(x, y, rng.uniform(0, math.pi), geometry.space_length, geometry.space_width, color))
    return found

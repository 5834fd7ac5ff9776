"""Wagons, stations and depots as solid pieces: prisms with shaded sides and a lighter top, and their shadows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.studio.camera import Camera

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# The plastic of the pieces in daylight: red, green, blue.
PLASTIC: dict[str, tuple[int, int, int]] = {
    "blue": (18, 92, 190),
    "red": (200, 28, 36),
    "green": (14, 112, 66),
    "yellow": (244, 202, 20),
    "black": (38, 38, 42),
    "purple": (112, 54, 150),
    "white": (232, 230, 224),
    "pink": (232, 112, 164),
    "orange": (236, 124, 26),
}
# Fractions of a pixel that OpenCV draws with, as bits.
_BITS = 4


@dataclass(frozen=True)
class Layer:
    """A prism: its outline at the bottom and at the top (both seen from above, in the same order), and its heights."""

    bottom: Array
    top: Array
    low: float
    high: float
    shade: float


@dataclass(frozen=True)
class Piece:
    """One plastic piece: where it stands, its colour, its prisms from bottom to top."""

    x: float
    y: float
    color: str
    layers: tuple[Layer, ...]

    @property
    def height(self) -> float:
        return self.layers[-1].high


def _placed(outline: Iterable[tuple[float, float]], x: float, y: float, angle: float) -> Array:
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in outline])


def _rectangle(length: float, width: float) -> list[tuple[float, float]]:
    a, b = length / 2, width / 2
    return [(-a, -b), (a, -b), (a, b), (-a, b)]


def wagon(x: float, y: float, angle: float, length: float, width: float, color: str) -> Piece:
    """A wagon: a box with a narrower roof. Sizes are those of the space it lies on."""
    body = _placed(_rectangle(0.9 * length, 0.82 * width), x, y, angle)
    eaves = _placed(_rectangle(0.9 * length, 0.74 * width), x, y, angle)
    roof = _placed(_rectangle(0.84 * length, 0.4 * width), x, y, angle)
    buffers = _placed(_rectangle(1.0 * length, 0.3 * width), x, y, angle)
    return Piece(
        x, y, color,
        (
            Layer(buffers, buffers, 0, 0.25 * width, 0.7),
            Layer(body, eaves, 0, 0.62 * width, 0.92),
            Layer(eaves, roof, 0.62 * width, 0.86 * width, 1.08),
        ),
    )  # fmt: skip


def station(x: float, y: float, angle: float, width: float, color: str) -> Piece:
    """A station: a round little house with a domed top."""
    ring = [(math.cos(t), math.sin(t)) for t in np.linspace(0, 2 * math.pi, 14, endpoint=False)]

    def disc(radius: float) -> Array:
        return _placed([(a * radius * width, b * radius * width) for a, b in ring], x, y, angle)

    steps = ((0.95, 0.95, 0.0, 0.95, 0.95), (0.95, 0.78, 0.95, 1.2, 1.05), (0.78, 0.42, 1.2, 1.38, 1.12))
    layers = tuple(Layer(disc(r0), disc(r1), low * width, high * width, s) for r0, r1, low, high, s in steps)
    return Piece(x, y, color, layers)


def depot(x: float, y: float, angle: float, width: float, color: str) -> Piece:
    """A depot: a square-built little house with a gabled roof and a chimney; a station is round."""

    def box(length: float, across: float, off: float = 0.0) -> Array:
        outline = [(a + off * width, b) for a, b in _rectangle(length * width, across * width)]
        return _placed(outline, x, y, angle)

    return Piece(
        x, y, color,
        (
            Layer(box(1.7, 1.25), box(1.7, 1.25), 0, 0.8 * width, 1.05),
            Layer(box(1.95, 1.55), box(1.95, 0.06), 0.75 * width, 1.4 * width, 0.95),
            Layer(box(0.3, 0.3, 0.5), box(0.3, 0.3, 0.5), 1.2 * width, 1.8 * width, 1.1),
        ),
    )  # fmt: skip


def darkened(image: Image, mask: Image, strength: float) -> Image:
    """The picture made darker where the mask (0..255) says so."""
    keep = cv2.convertScaleAbs(mask, alpha=-strength, beta=255)
    return np.asarray(cv2.multiply(image, cv2.merge([keep, keep, keep]), scale=1 / 255), np.uint8)


def shadows(image: Image, pieces: Sequence[Piece], camera: Camera, light: Array, strength: float) -> Image:
    """The picture with the soft shadows that pieces cast on the board, away from the light."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for piece in pieces:
        away = -light[:2] / light[2] * piece.height
        ground = np.concatenate([piece.layers[0].bottom, piece.layers[-1].bottom + away])
        _fill(mask, np.asarray(cv2.convexHull(_pixels(camera, ground, 0.0)), np.int32), 255)
    blur = max(0.8, image.shape[1] / 900)
    return darkened(image, np.asarray(cv2.GaussianBlur(mask, (0, 0), blur), np.uint8), strength)


def paint(image: Image, pieces: Sequence[Piece], camera: Camera, light: Array, rng: np.random.Generator) -> None:
    """Draws the pieces onto the picture, the farthest first."""
    away = camera.depth(np.array([(p.x, p.y, 0.0) for p in pieces]).reshape(-1, 3))
    for i in np.argsort(-away, kind="stable"):
        _paint_piece(image, pieces[int(i)], camera, light, float(rng.uniform(0.93, 1.07)))


def _paint_piece(image: Image, piece: Piece, camera: Camera, light: Array, batch: float) -> None:
    base = np.array(PLASTIC[piece.color][::-1], float) * batch
    for layer in piece.layers:
        below, above = _pixels(camera, layer.bottom, layer.low), _pixels(camera, layer.top, layer.high)
        count = len(below)
        for k in range(count):
            after = (k + 1) % count
            side = np.array([below[k], below[after], above[after], above[k]])
            if _turned_away(side):
                continue
            _fill(image, side, _shaded(base, layer.shade * (0.65 + 0.38 * max(0.0, _facing(layer, k, light)))))
        _fill(image, above, _shaded(base, layer.shade * 1.02, gloss=10 * layer.shade))
    _gleam(image, _pixels(camera, piece.layers[-1].top, piece.height), _shaded(base, 1.25, gloss=34))


def _facing(layer: Layer, k: int, light: Array) -> float:
    """How squarely the light falls on one side of a prism: 1 straight on, 0 along it."""
    edge = layer.bottom[(k + 1) % len(layer.bottom)] - layer.bottom[k]
    rise = layer.top[k] - layer.bottom[k]
    high = layer.high - layer.low
    outward = np.array([edge[1] * high, -edge[0] * high, edge[0] * rise[1] - edge[1] * rise[0]])
    return float(outward @ light) / (float(np.linalg.norm(outward)) or 1.0)


def _gleam(image: Image, top: NDArray[np.int32], color: tuple[float, float, float]) -> None:
    """A bright line along one edge of the top."""
    ends = (top[0] * 0.75 + top[-1] * 0.25, top[1] * 0.75 + top[2] * 0.25)
    start, end = ((int(x), int(y)) for x, y in ends)
    cv2.line(image, start, end, color, 1, cv2.LINE_AA, _BITS)


def _pixels(camera: Camera, outline: Array, z: float) -> NDArray[np.int32]:
    points = np.column_stack([outline, np.full(len(outline), z)])
    return np.asarray(np.rint(camera.project(points) * (1 << _BITS)), np.int32)


def _fill(image: Image, outline: NDArray[np.int32], color: int | tuple[float, float, float]) -> None:
    cv2.fillConvexPoly(image, outline, color, cv2.LINE_AA, _BITS)


def _turned_away(side: NDArray[np.int32]) -> bool:
    """Sides that the camera sees run one way round in the picture, hidden ones the other."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = side.tolist()
    return bool((x2 - x0) * (y3 - y1) <= (y2 - y0) * (x3 - x1))


def _shaded(base: Array, shade: float, gloss: float = 0.0) -> tuple[float, float, float]:
    blue, green, red = (float(min(255.0, v * shade + gloss)) for v in base)
    return blue, green, red

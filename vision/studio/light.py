"""The light of a practice photo: colour and fall-off of the lamp, glare, shadows, and what the camera adds."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.studio.surfaces import noise

Field = NDArray[np.float32]
Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Light:
    """How a scene is lit. `tint` is the lamp's colour (blue, green, red); strengths go from 0 to 1."""

    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 0.88
    falloff: float = 0.15
    glare: float = 0.0
    shadow: float = 0.0
    grain: float = 3.0
    blur: float = 0.5


LIGHTS: dict[str, Light] = {
    "neutral": Light(),
    "warm": Light(tint=(0.68, 0.92, 1.1), falloff=0.35, grain=4.0),
    "cool": Light(tint=(1.1, 1.0, 0.86), falloff=0.2),
    "dim": Light(tint=(0.8, 0.95, 1.04), exposure=0.5, falloff=0.4, grain=9.0, blur=0.9),
    "glare": Light(glare=0.85, falloff=0.25),
    "shadowed": Light(tint=(0.95, 0.98, 1.02), shadow=0.55, grain=4.0, blur=0.6),
}


def lit(image: Image, light: Light, rng: np.random.Generator) -> Image:
    """The picture under a light, as a camera records it."""
    height, width = image.shape[:2]
    gain = _gain(light, rng, (height, width))
    seen = cv2.multiply(image.astype(np.float32), gain)
    if light.glare:
        seen = cv2.add(seen, _glare(light, rng, (height, width)))
    sigma = light.blur * float(rng.uniform(0.7, 1.5)) * width / 1600
    if sigma > 0.2:
        seen = cv2.GaussianBlur(seen, (0, 0), sigma)
    grain = rng.standard_normal((height, width), dtype=np.float32) * np.float32(light.grain)
    grained = np.asarray(seen, np.float32) + cv2.GaussianBlur(grain, (0, 0), 0.6)[..., None]
    return np.asarray(cv2.convertScaleAbs(np.maximum(grained, 0)), np.uint8)


# Fields of light are smooth: made small, then stretched over the picture.
_SMALL = (75, 100)


def _grid() -> tuple[Field, Field]:
    y, x = np.mgrid[0 : _SMALL[0], 0 : _SMALL[1]].astype(np.float32)
    return x / _SMALL[1] - 0.5, y / _SMALL[1] - 0.5 * _SMALL[0] / _SMALL[1]


def _stretched(field: Field, shape: tuple[int, int]) -> Field:
    return np.asarray(cv2.resize(field, shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _gain(light: Light, rng: np.random.Generator, shape: tuple[int, int]) -> Field:
    x, y = _grid()
    lamp = rng.uniform(-0.7, 0.7, 2)
    bright = 1 - light.falloff * 1.4 * np.hypot(x - lamp[0], y - lamp[1]) + light.falloff * 0.7
    bright *= 1 + 0.03 * noise(rng, _SMALL, 25)
    if light.shadow:
        bright *= _cast(light, rng, x, y)
    bright = np.clip(bright, 0.2, 1.12) * light.exposure * rng.uniform(0.92, 1.08)
    tint = np.array(light.tint) * rng.uniform(0.97, 1.03, 3)
    # Far from the lamp daylight is left: the tint fades a little.
    fade = np.clip(np.hypot(x - lamp[0], y - lamp[1]), 0, 1)[..., None] * 0.3
    return _stretched(np.asarray(bright[..., None] * (tint * (1 - fade) + fade), np.float32), shape)


def _cast(light: Light, rng: np.random.Generator, x: Field, y: Field) -> Field:
    """The photographer's shadow: head and shoulders reaching in from one side."""
    turn = rng.uniform(0, 2 * np.pi)
    along = x * np.cos(turn) + y * np.sin(turn)
    aside = -x * np.sin(turn) + y * np.cos(turn)
    off = rng.uniform(-0.25, 0.25)
    shoulders = np.where((along > rng.uniform(0.0, 0.25)) & (np.abs(aside - off) < 0.28), 1.0, 0.0)
    head = np.where(np.hypot(along - rng.uniform(-0.1, 0.1), aside - off) < 0.13, 1.0, 0.0)
    soft = cv2.GaussianBlur(np.maximum(shoulders, head).astype(np.float32), (0, 0), float(rng.uniform(0.8, 2.5)))
    return np.asarray(1 - light.shadow * soft, np.float32)


def _glare(light: Light, rng: np.random.Generator, shape: tuple[int, int]) -> Field:
    """A lamp or a window mirrored in the varnish: a bright band or spot that washes colours out."""
    x, y = _grid()
    turn, long = rng.uniform(0, np.pi), rng.uniform(1.0, 4.0)
    cx, cy = rng.uniform(-0.3, 0.3), rng.uniform(-0.22, 0.22)
    along = (x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)
    aside = -(x - cx) * np.sin(turn) + (y - cy) * np.cos(turn)
    size = rng.uniform(0.05, 0.1)
    spot = np.exp(-((along / (size * long)) ** 2 + (aside / size) ** 2))
    strength = 200 * light.glare * rng.uniform(0.7, 1.1)
    color = np.array([0.95, 1.0, 1.0]) * strength
    return _stretched(np.asarray(spot[..., None] * color, np.float32), shape)

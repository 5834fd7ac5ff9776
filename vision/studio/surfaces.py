"""What lies under the board: wood, cloth and floor, made of noise; and the printed board itself."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from maps.drawing import scene, to_image

Image = NDArray[np.uint8]
Field = NDArray[np.float32]

SURFACES = ("wood", "checked cloth", "plain cloth", "floor")
_TILE = 768
_PRINT_WIDTHS = (1200, 1800, 2600)


def printed(board: maps.Board, pixels: float) -> Image:
    """The drawn board with its decoration, at least that many pixels wide where there is such a size."""
    width = next((w for w in _PRINT_WIDTHS if w >= pixels), _PRINT_WIDTHS[-1])
    return _printed(board.id, width)


@lru_cache(maxsize=8)
def _printed(board_id: str, width: int) -> Image:
    picture = to_image(scene(maps.load(board_id), decorated=True), width)
    image = cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR)
    height = image.shape[0]
    rng = np.random.default_rng(7)
    paper = 1 + 0.02 * noise(rng, (height, width), 3)
    folded = image.astype(np.float32) * paper[..., None]
    # Boards fold: a thin dark line across the middle each way.
    line = max(1, width // 900)
    folded[:, width // 2 - line : width // 2] *= 0.72
    folded[height // 2 - line : height // 2] *= 0.72
    return np.asarray(cv2.convertScaleAbs(folded), np.uint8)


def noise(rng: np.random.Generator, shape: tuple[int, int], grain: float) -> Field:
    """Smooth noise around 0, about as strong as 1; `grain` is the size of its spots in pixels."""
    small = (max(2, int(shape[0] / grain)), max(2, int(shape[1] / grain)))
    spots = rng.standard_normal(small, dtype=np.float32)
    return np.asarray(cv2.resize(spots, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def table(rng: np.random.Generator, surface: str) -> Image:
    """A square piece of table that can be repeated by mirroring."""
    make = {"wood": _wood, "checked cloth": _checked, "plain cloth": _plain, "floor": _floor}[surface]
    return np.asarray(cv2.convertScaleAbs(make(rng)), np.uint8)


def _wood(rng: np.random.Generator) -> Field:
    warp = noise(rng, (_TILE, _TILE), 240) * 22 + noise(rng, (_TILE, _TILE), 60) * 3
    across = np.arange(_TILE, dtype=np.float32)[:, None] + warp
    rings = np.sin(across / rng.uniform(5, 12)) * 0.5 + np.sin(across / rng.uniform(17, 40)) * 0.5
    stretched = cv2.resize(rng.standard_normal((_TILE, 24), dtype=np.float32), (_TILE, _TILE))
    tone = 1 + 0.09 * rings + 0.06 * stretched
    planks = int(rng.integers(2, 5))
    for i in range(planks):
        start, end = i * _TILE // planks, (i + 1) * _TILE // planks
        tone[start:end] *= rng.uniform(0.88, 1.08)
        tone[start : start + 2] *= 0.55
    base = np.array(rng.choice([[62, 98, 142], [96, 140, 178], [38, 58, 84], [120, 158, 190]]), np.float32)
    return np.asarray(tone[..., None] * base, np.float32)


def _weave(rng: np.random.Generator) -> Field:
    steps = np.arange(_TILE, dtype=np.float32)
    threads = np.sin(steps[:, None] * 1.9) * np.sin(steps[None, :] * 1.9)
    return np.asarray(1 + 0.06 * threads + 0.05 * noise(rng, (_TILE, _TILE), 2) + 0.04 * noise(rng, (_TILE, _TILE), 90))


def _checked(rng: np.random.Generator) -> Field:
    cell = int(rng.choice([48, 64, 96]))
    stripe = (np.arange(_TILE) // cell) % 2
    level = (stripe[:, None] + stripe[None, :]).astype(np.float32) / 2
    dark = np.array(rng.choice([[38, 36, 36], [60, 40, 140], [120, 70, 30], [60, 110, 50]]), np.float32)
    light = np.array([222, 228, 232], np.float32)
    cloth = light + (dark - light) * level[..., None]
    return np.asarray(cloth * _weave(rng)[..., None], np.float32)


def _plain(rng: np.random.Generator) -> Field:
    base = np.array(
        rng.choice([[60, 36, 28], [52, 92, 48], [58, 44, 128], [150, 148, 140], [196, 206, 214]]), np.float32
    )
    return np.asarray(base * _weave(rng)[..., None], np.float32)


def _floor(rng: np.random.Generator) -> Field:
    base = np.array(rng.choice([[120, 128, 136], [70, 76, 84], [168, 184, 198]]), np.float32)
    tone = 1 + 0.05 * noise(rng, (_TILE, _TILE), 3) + 0.06 * noise(rng, (_TILE, _TILE), 50)
    tile = _TILE // int(rng.integers(2, 5))
    tone[::tile] = tone[1::tile] = 0.6
    tone[:, ::tile] = tone[:, 1::tile] = 0.6
    return np.asarray(tone[..., None] * base, np.float32)

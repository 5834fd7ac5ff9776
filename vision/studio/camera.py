"""A camera over the table: where points of the board and of pieces standing on it come out in the picture.

The board lies in the plane z = 0, x from 0 to 1 and y down as it is printed; z points up, in the same unit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# The focal length of a phone's main camera, in widths of its picture.
_FOCAL = 0.78


@dataclass(frozen=True)
class Pose:
    """How the photo is taken: degrees off the vertical, degrees turned in the picture (180: upside down).

    `fill` is how much of the picture the board takes; `shift` moves it off the middle, in shares of the free margin.
    """

    tilt: float = 0.0
    turn: float = 0.0
    fill: float = 0.9
    shift: tuple[float, float] = (0.0, 0.0)

    @staticmethod
    def any(rng: np.random.Generator, sideways: bool = False) -> Pose:
        """As people hold phones: leaning a little, mostly with the board along the picture (`sideways`: across)."""
        tilt = float(45 * rng.beta(1.3, 2.0))
        turn = float(rng.choice([0, 180], p=[0.65, 0.35]) + 90 * sideways + rng.normal(0, 9))
        if rng.random() < 0.2:
            turn = float(rng.uniform(0, 360))
        dx, dy = rng.uniform(-0.8, 0.8, 2)
        return Pose(tilt, turn % 360, float(rng.uniform(0.76, 0.97)), (float(dx), float(dy)))


class Camera:
    """Projects points of the table into a picture of a size, seen in a pose."""

    def __init__(self, height: float, pose: Pose, size: tuple[int, int]) -> None:
        self.size = size
        self._middle = np.array([0.5, height / 2, 0.0])
        turn, tilt = math.radians(pose.turn), math.radians(pose.tilt)
        around = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
        # Leaning back lifts what stands up, and moves the upper edge of the picture away.
        lean = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
        self.turned: Array = lean @ around
        self._focal = _FOCAL * max(size)
        corners = np.array([[0, 0, 0], [1, 0, 0], [1, height, 0], [0, height, 0]], float)
        self._distance, self._offset = 1.0, np.array(size) / 2
        self._distance = self._fitting(corners, pose.fill)
        seen = self.project(corners)
        low, high = seen.min(axis=0), seen.max(axis=0)
        free = (np.array(size) - (high - low)) / 2
        self._offset = self._offset + np.array(size) / 2 - (low + high) / 2 + free * 0.9 * np.array(pose.shift)
        self.corners: Array = self.project(corners)

    def _fitting(self, corners: Array, fill: float) -> float:
        """The distance from which the board takes that share of the picture's width or height."""
        near, far = 0.6, 30.0
        for _ in range(40):
            self._distance = (near + far) / 2
            seen = self.project(corners)
            share = ((seen.max(axis=0) - seen.min(axis=0)) / np.array(self.size)).max()
            near, far = (self._distance, far) if share > fill else (near, self._distance)
        return far

    def project(self, points: Array) -> Array:
        """Pixels of points (..., 3)."""
        seen = (points - self._middle) @ self.turned.T
        depth = self._distance - seen[..., 2]
        pixels: Array = seen[..., :2] * (self._focal / depth)[..., None] + self._offset
        return pixels

    def depth(self, points: Array) -> Array:
        """How far points (..., 3) are away."""
        away: Array = self._distance - ((points - self._middle) @ self.turned.T)[..., 2]
        return away

    def plane(self, z: float = 0.0) -> Array:
        """The homography from (x, y) at a height z to pixels."""
        a = self.turned
        shift = -a @ self._middle
        columns = np.stack([a[:, 0], a[:, 1], a[:, 2] * z + shift], axis=1)
        depth = np.array([0, 0, self._distance]) - columns[2]
        rows = [self._focal * columns[i] + self._offset[i] * depth for i in (0, 1)]
        return np.stack([*rows, depth])

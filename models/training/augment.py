"""What light, lenses, hands and other homes do to a patch: everything a net must not rely on is changed at random."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as functional
from torch import Tensor

from vision.config import PATCH

# A space in pixels of its patch.
_LENGTH, _WIDTH = PATCH.size[0] / PATCH.span * 3.08, PATCH.size[0] / PATCH.span


def paste(
    base: Tensor, piece: Tensor, rng: np.random.Generator, part: float, what: str = "spaces"
) -> tuple[Tensor, Tensor]:
    """The middle of another patch laid over some patches: piece and print move to a place they never were.

    Returns the patches and which got a new middle. Empty spaces travel as wagons do, so an edge tells nothing.
    """
    n, _, high, wide = base.shape
    moved = torch.from_numpy(rng.random(n) < part)
    mask = _window(n, high, wide, rng) if what == "spaces" else _disc(n, high, wide, rng)
    mask = mask * moved[:, None, None, None]
    return base * (1 - mask) + piece * mask, moved


def neighbour(base: Tensor, piece: Tensor, rng: np.random.Generator, part: float) -> Tensor:
    """The middle of another patch laid beside the space, as on the parallel track."""
    n, _, high, wide = base.shape
    side = rng.choice([-1, 1], n) * rng.uniform(1.1, 1.3, n) * _WIDTH
    along = rng.uniform(-0.5, 0.5, n) * _LENGTH
    shift = torch.eye(2, 3).repeat(n, 1, 1)
    shift[:, 0, 2] = torch.from_numpy(-2 * along / wide).float()
    shift[:, 1, 2] = torch.from_numpy(-2 * side / high).float()
    grid = functional.affine_grid(shift, [n, 1, high, wide], align_corners=False)
    mask = _window(n, high, wide, rng, spread=0.1)
    moved = functional.grid_sample(torch.cat([piece, mask], 1), grid, padding_mode="zeros", align_corners=False)
    chosen = torch.from_numpy(rng.random(n) < part)[:, None, None, None]
    mask = moved[:, -1:] * chosen
    return base * (1 - mask) + moved[:, :-1] * mask


def _window(n: int, high: int, wide: int, rng: np.random.Generator, spread: float = 0.25) -> Tensor:
    """A soft-edged window about the size of a space in the middle of each patch."""
    half_x = torch.from_numpy(_LENGTH / 2 * rng.uniform(1.0, 1.0 + spread, n)).float()[:, None, None, None]
    half_y = torch.from_numpy(_WIDTH / 2 * rng.uniform(1.05, 1.15 + spread, n)).float()[:, None, None, None]
    x = torch.arange(wide).float()[None, None, None, :] - (wide - 1) / 2
    y = torch.arange(high).float()[None, None, :, None] - (high - 1) / 2
    soft = torch.from_numpy(rng.uniform(0.7, 2.5, n)).float()[:, None, None, None]
    return torch.sigmoid((half_x - x.abs()) / soft) * torch.sigmoid((half_y - y.abs()) / soft)


def _disc(n: int, high: int, wide: int, rng: np.random.Generator) -> Tensor:
    """A soft-edged disc about the size of a station in the middle of each patch."""
    x = torch.arange(wide).float()[None, None, None, :] - (wide - 1) / 2
    y = torch.arange(high).float()[None, None, :, None] - (high - 1) / 2
    size = torch.from_numpy(rng.uniform(0.3, 0.42, n)).float()[:, None, None, None] * wide
    return torch.sigmoid((size - torch.sqrt(x**2 + y**2)) / 1.5)


def photographed(x: Tensor, rng: np.random.Generator) -> Tensor:
    """Patches (0..1, BGR twice) as other cameras in other rooms would have given them."""
    n, _, high, wide = x.shape

    def some(low: float, top: float, *shape: int) -> Tensor:
        return torch.from_numpy(rng.uniform(low, top, (n, *shape))).float()

    def when(part: float) -> Tensor:
        return torch.from_numpy(rng.random(n) < part).float()[:, None, None, None]

    # What evening out the light left over: brightness, cast, contrast, saturation.
    x = x * torch.exp(torch.from_numpy(rng.normal(0, 0.11, (n, 1, 1, 1))).float())
    x = x * torch.exp(torch.from_numpy(rng.normal(0, 0.06, (n, 3, 1, 1))).float()).repeat(1, 2, 1, 1)
    x = x.clamp(1e-3, 1) ** torch.exp(torch.from_numpy(rng.normal(0, 0.18, (n, 1, 1, 1))).float())
    grey = x.unflatten(1, (2, 3)).mean(2).repeat_interleave(3, 1)
    x = grey + (x - grey) * some(0.65, 1.3, 1, 1, 1)
    across, down = (
        torch.linspace(-1, 1, wide)[None, None, None, :],
        torch.linspace(-1, 1, high)[None, None, :, None] / 2,
    )
    turn = some(0, 2 * np.pi, 1, 1, 1)
    ramp = torch.cos(turn) * across + torch.sin(turn) * down
    # A shadow's edge.
    edge = torch.sigmoid((ramp - some(-0.8, 0.8, 1, 1, 1)) / some(0.02, 0.3, 1, 1, 1))
    x = x * (1 - when(0.15) * edge * some(0.2, 0.6, 1, 1, 1))
    # Glare: a veil of light over all or a side of the patch; what evening out left of it is darker all over.
    veil = (some(0, 0.45, 1, 1, 1) * torch.sigmoid((ramp - some(-1.5, 0.8, 1, 1, 1)) / some(0.2, 1.0, 1, 1, 1))) * when(
        0.3
    )
    x = (x * (1 - veil) + veil * some(0.7, 1.0, 1, 1, 1)) * (1 - veil * some(0, 0.5, 1, 1, 1))
    x = _blur(x, rng)
    x = x + torch.randn(n, 6, high, wide) * some(0, 0.035, 1, 1, 1) * when(0.6)
    return x.clamp(0, 1)


def _blur(x: Tensor, rng: np.random.Generator) -> Tensor:
    """A third of the patches loses detail, by defocus or by few pixels."""
    n = len(x)
    chosen = np.flatnonzero(rng.random(n) < 0.35)
    if len(chosen) == 0:
        return x
    x = x.clone()
    for part, sigma in zip(np.array_split(chosen, 3), (0.6, 1.1, 1.8), strict=True):
        if len(part):
            index = torch.from_numpy(part)
            reach = int(np.ceil(2 * sigma))
            kernel = torch.exp(-(torch.arange(-reach, reach + 1).float() ** 2) / (2 * sigma**2))
            kernel = (kernel / kernel.sum()).repeat(6, 1)
            y = functional.pad(x[index], [reach] * 4, mode="replicate")
            y = functional.conv2d(y, kernel[:, None, None, :], groups=6)
            x[index] = functional.conv2d(y, kernel[:, None, :, None], groups=6)
    return x


def flipped(x: Tensor, lean: Tensor, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Half of the patches mirrored along the track, half across it: no side of a space is special."""
    for axis, column in ((3, 0), (2, 1)):
        chosen = torch.from_numpy(rng.random(len(x)) < 0.5)
        x = torch.where(chosen[:, None, None, None], x.flip(axis), x)
        sign = torch.ones(len(x))
        sign[chosen] = -1
        lean = lean.clone()
        lean[:, column] = lean[:, column] * sign
    return x, lean

"""What light, lenses, hands and other homes do to a patch: everything a net must not rely on is changed at random."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
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


def neighbour(
    base: Tensor, piece: Tensor, rng: np.random.Generator, part: float
) -> tuple[Tensor, NDArray[np.bool_], NDArray[np.int64]]:
    """The middle of another patch laid beside some spaces, as on a parallel track; which, and above or below (0, 1)."""
    n, _, high, wide = base.shape
    side = rng.choice([-1, 1], n) * rng.uniform(1.0, 1.3, n) * _WIDTH
    along = rng.uniform(-0.5, 0.5, n) * _LENGTH
    shift = torch.eye(2, 3).repeat(n, 1, 1)
    shift[:, 0, 2] = torch.from_numpy(-2 * along / wide).float()
    shift[:, 1, 2] = torch.from_numpy(-2 * side / high).float()
    grid = functional.affine_grid(shift, [n, 1, high, wide], align_corners=False)
    mask = _window(n, high, wide, rng, spread=0.1)
    moved = functional.grid_sample(torch.cat([piece, mask], 1), grid, padding_mode="zeros", align_corners=False)
    chosen = rng.random(n) < part
    mask = moved[:, -1:] * torch.from_numpy(chosen)[:, None, None, None]
    return base * (1 - mask) + moved[:, :-1] * mask, chosen, (side > 0).astype(np.int64)


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


# Wagons that can be given another colour (green ones are too grey), and colours that no photo or render shows; as RGB.
HUES = {"blue": (-0.5, -0.2, 0.7), "red": (0.8, -0.4, -0.4), "yellow": (0.4, 0.3, -0.7)}
RARE = {"purple": (0.42, 0.2, 0.52), "white": (0.9, 0.92, 0.9), "pink": (0.88, 0.5, 0.68)}


def recolored(
    x: Tensor,
    told: Tensor,
    hue: NDArray[np.int64],
    new: NDArray[np.int64],
    chosen: NDArray[np.bool_],
    rng: np.random.Generator,
) -> tuple[Tensor, Tensor]:
    """Chosen patches and the colours told with them, where all of one hue (an index of HUES) becomes one of RARE.

    Shading and highlights stay. The whole patch changes: the next wagon of the route has the same colour.
    """
    rows = torch.from_numpy(np.flatnonzero(chosen))
    if len(rows) == 0:
        return x, told
    wanted = torch.tensor([tuple(reversed(c)) for c in HUES.values()])[hue[chosen]]
    target = torch.tensor([tuple(reversed(c)) for c in RARE.values()])[new[chosen]]
    target = (target + torch.from_numpy(rng.normal(0, 0.05, target.shape)).float()).clamp(0, 1)
    views = x[rows].unflatten(1, (2, 3))
    x, told = x.clone(), told.clone()
    x[rows] = _dyed(views, wanted[:, None, :, None, None], target[:, None, :, None, None], 2).flatten(1, 2)
    told[rows] = _dyed(told[rows].unflatten(1, (-1, 3)), wanted[:, None], target[:, None], 2).flatten(1, 2)
    return x, told


def _dyed(x: Tensor, wanted: Tensor, target: Tensor, axis: int) -> Tensor:
    tone = x - x.mean(axis, keepdim=True)
    strength = tone.norm(dim=axis, keepdim=True)
    like = (tone * wanted).sum(axis, keepdim=True) / (strength * wanted.norm(dim=axis, keepdim=True)).clamp_min(1e-3)
    mask = torch.sigmoid((like - 0.8) / 0.06) * torch.sigmoid((strength - 0.12) / 0.03)
    bright = x.amax(axis, keepdim=True)
    return x * (1 - mask) + (target * (0.25 + bright) + 0.3 * x.amin(axis, keepdim=True)).clamp(0, 1) * mask


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


def flipped(x: Tensor, lean: Tensor, beside: Tensor, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Half of the patches mirrored along the track, half across it: no side of a space is special."""
    for axis, column in ((3, 0), (2, 1)):
        chosen = torch.from_numpy(rng.random(len(x)) < 0.5)
        if column == 1:
            beside = torch.where(chosen[:, None], beside.roll(3, 1), beside)
        x = torch.where(chosen[:, None, None, None], x.flip(axis), x)
        sign = torch.ones(len(x))
        sign[chosen] = -1
        lean = lean.clone()
        lean[:, column] = lean[:, column] * sign
    return x, lean, beside

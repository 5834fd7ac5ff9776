"""What light, lenses, hands and other homes do to a patch: everything a net must not rely on is changed at random."""

from __future__ import annotations

import cv2
import numpy as np
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
from torch import Tensor

from vision.arrays import Matrix, Picture
from vision.config import PATCH

# A space in pixels of its patch.
_LENGTH, _WIDTH = PATCH.size[0] / PATCH.span * 3.08, PATCH.size[0] / PATCH.span
# Pixels up and aside from the middle of a patch that a piece fills, wherever it stands.
WAGON, STATION = (int(_WIDTH / 4), 12), (3, 3)


def phone(image: Picture, rng: np.random.Generator) -> tuple[Picture, Matrix]:
    """A photo as another phone in another room would have given it, and the scaling of its pixels.

    Few pixels, noise smeared away, colours more than detail, edges sharpened again, a cast, a curve, more colour.
    """
    side = float(np.exp(rng.uniform(np.log(850), np.log(2100))))
    scale = min(1.0, side / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    for _ in range(rng.integers(0, 4)):
        small = _smeared(small, rng)
    x = small.astype(np.float32) / 255
    if rng.random() < 0.7:
        wide = float(rng.uniform(0.8, 3.0))
        soft = np.asarray(cv2.GaussianBlur(x, (0, 0), float(rng.uniform(0.3, 1.2))), np.float32)
        softer = np.asarray(cv2.GaussianBlur(soft, (0, 0), wide), np.float32)
        x = soft + float(rng.uniform(0, 1.2)) * (soft - softer)
    x = np.clip(x, 1e-4, None) ** float(np.exp(rng.normal(0, 0.16))) * float(rng.uniform(0.8, 1.2))
    # Lamps that a phone makes warmer still: the blue of such photos is nearly gone.
    warm = float(np.exp(rng.uniform(0.35, 0.85) if rng.random() < 0.3 else rng.normal(0.15, 0.3)))
    x = x * np.array([1 / warm, 1, warm ** float(rng.uniform(0.3, 0.9))], np.float32)
    grey = (x * rng.dirichlet((4, 6, 5)).astype(np.float32)).sum(2, keepdims=True)
    x = grey + (x - grey) * float(rng.uniform(0.75, 1.75))
    if rng.random() < 0.4:
        x = np.clip(x, 0, 1)
        x = x + float(rng.uniform(-0.5, 0.8)) * x * (1 - x) * (x - 0.5)
    done = (np.clip(x, 0, 1) * 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 95))])
    size = done.shape[1] / image.shape[1], done.shape[0] / image.shape[0]
    moved = np.array([[size[0], 0, (size[0] - 1) / 2], [0, size[1], (size[1] - 1) / 2], [0, 0, 1]])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), moved


def _smeared(image: Picture, rng: np.random.Generator) -> Picture:
    """Noise reduction as phones do it: flat parts get flatter, edges stay; at times colours alone."""
    dice = rng.random()
    if dice < 0.5:
        return np.asarray(cv2.bilateralFilter(image, 7, rng.uniform(12, 40), rng.uniform(2, 6)), np.uint8)
    if dice < 0.75:
        return np.asarray(cv2.medianBlur(image, 3), np.uint8)
    parts = cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb)
    parts[..., 1:] = cv2.blur(parts[..., 1:], (int(rng.integers(2, 7)),) * 2)
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.uint8)


def paste(
    base: Tensor, piece: Tensor, rng: np.random.Generator, chosen: NDArray[np.bool_], push: NDArray[np.float64]
) -> Tensor:
    """The middle of another patch laid over chosen patches: piece and print move to a place they never were.

    Empty spaces travel as wagons do, so an edge tells nothing. `push`: how many space widths beside the track a piece
    lies.
    """
    rows = np.flatnonzero(chosen)
    high, wide = base.shape[2:]
    mask = _window(len(rows), high, wide, rng)
    return _laid(base, piece, rows, mask, np.zeros(len(rows)), push[rows] * _WIDTH)


def paste_city(
    base: Tensor, piece: Tensor, rng: np.random.Generator, chosen: NDArray[np.bool_], push: NDArray[np.float64]
) -> Tensor:
    """The same for patches of cities: a disc moves, up to so many space widths off the middle in any direction."""
    rows = np.flatnonzero(chosen)
    high, wide = base.shape[2:]
    turn, far = rng.uniform(0, 2 * np.pi, len(rows)), push[rows] * wide / PATCH.city_span
    return _laid(base, piece, rows, _disc(len(rows), high, wide, rng), far * np.cos(turn), far * np.sin(turn))


def _laid(
    base: Tensor,
    piece: Tensor,
    rows: NDArray[np.int64],
    mask: Tensor,
    along: NDArray[np.float64],
    aside: NDArray[np.float64],
) -> Tensor:
    """Some patches with what the mask shows of others over them, moved by so many pixels."""
    base, piece = base.clone(), piece[rows]
    pushed = np.flatnonzero((along != 0) | (aside != 0))
    if len(pushed):
        piece[pushed], mask[pushed] = _moved(piece[pushed], mask[pushed], along[pushed], aside[pushed])
    base[rows] += (piece - base[rows]) * mask
    return base


def neighbour(
    base: Tensor,
    piece: Tensor,
    rng: np.random.Generator,
    chosen: NDArray[np.bool_],
    side: NDArray[np.int64],
    push: NDArray[np.float64],
) -> Tensor:
    """The middle of another patch laid beside chosen spaces, above or below (side 0, 1), as on a parallel track.

    `push`: how many space widths it lies beside that track, and with it both wagons of a pair that was knocked.
    """
    rows = np.flatnonzero(chosen)
    (n, (high, wide)), base = (len(rows), base.shape[2:]), base.clone()
    aside = np.where(side[rows] > 0, 1, -1) * rng.uniform(1.0, 1.3, n) + push[rows]
    window = _window(n, high, wide, rng, spread=0.1)
    moved, mask = _moved(piece[rows], window, rng.uniform(-0.5, 0.5, n) * _LENGTH, aside * _WIDTH)
    base[rows] += (moved - base[rows]) * mask
    return base


def in_shadow(x: Tensor, rng: np.random.Generator, chosen: NDArray[np.bool_], side: NDArray[np.int64]) -> Tensor:
    """Chosen patches with the shadow that wagons on the track above or below (side 0, 1) throw over their space."""
    rows = np.flatnonzero(chosen)
    (n, high), x = (len(rows), x.shape[2]), x.clone()
    # From the foot of those wagons towards the space, in pixels: up to its far edge.
    down = (torch.arange(high).float() - (high - 1) / 2)[None, None, :, None]
    towards = down * torch.from_numpy(np.where(side[rows] > 0, 1.0, -1.0)).float()[:, None, None, None]
    begins, long = _some(n, rng, 0.5, 0.8), _some(n, rng, 0.25, 1.2)
    soft = _some(n, rng, 0.3, 2.0)
    band = torch.sigmoid((begins * _WIDTH - towards) / soft) * torch.sigmoid(
        (towards - (begins - long) * _WIDTH) / soft
    )
    x[rows] *= 1 - band * _shade(n, rng, 0.35, 0.85).repeat(1, 2, 1, 1)
    return x


def backlit(x: Tensor, rng: np.random.Generator, chosen: NDArray[np.bool_]) -> Tensor:
    """Chosen wagons in hard light: the side away from the lamp is dark, and so is the ground that they shade.

    A shadow as long and as wide as a wagon was taken for a black one, and the blue wagon for one of the next track.
    """
    rows = np.flatnonzero(chosen)
    n, x = len(rows), x.clone()
    turn, far = rng.uniform(0, 2 * np.pi, n), rng.uniform(0.25, 1.1, n) * _WIDTH
    along, aside = far * np.cos(turn) * 0.8, far * np.sin(turn)
    plastic = _plastic(x[rows])
    dark, side_dark = _shade(n, rng, 0.4, 0.92), _some(n, rng, 0.0, 0.92)
    # Seen from where the shadow falls, the dark side is most of a wagon.
    low = rng.uniform(0.15, 0.6, n) * _WIDTH / far
    for view in (slice(0, 3), slice(3, 6)):
        seen = x[rows, view]
        # All of the wagon's colour, a little smoothed: its own form and that of the next wagons of the route.
        form = torch.exp(-((seen - plastic) ** 2).sum(1, keepdim=True) / (2 * 0.15**2))
        form = functional.avg_pool2d(functional.pad(form, [1] * 4, mode="replicate"), 3, 1)
        form = torch.sigmoid((form - 0.45) / 0.08)
        shade = torch.zeros_like(form)
        for part in (0.25, 0.5, 0.75, 1.0):
            shade = torch.maximum(shade, _moved(form, form, along * part, aside * part)[0])
        # What of the form has no wagon a little further away from the lamp is the side that it does not reach.
        side = form * (1 - _moved(form, form, -along * low, -aside * low)[0])
        x[rows, view] = seen * (1 - (1 - form) * shade * dark) * (1 - side * side_dark)
    return x


# Wagons as they look in even light, BGR 0..1, in the order of the classes.
_PLASTIC = np.array(
    [(0.62, 0.3, 0.1), (0.15, 0.12, 0.72), (0.2, 0.38, 0.16), (0.12, 0.75, 0.9), (0.13, 0.13, 0.13)], np.float32
)


def wagons_about(x: Tensor, rng: np.random.Generator, part: float, standing: NDArray[np.int64] | None = None) -> Tensor:
    """Patches of cities with wagons drawn on the tracks that end there, leaning in over the city at times.

    Tall wagons beside a city are taken for a station, and a station beside wagons of its colour for one of them:
    where stations are `standing` (their colour, one of `_PLASTIC` from 1 on), half of the wagons are of that colour.
    """
    n, _, high, wide = x.shape
    x = x.clone()
    width = wide / PATCH.city_span
    for row in np.flatnonzero(rng.random(n) < part):
        own = 0 if standing is None or standing[row] > len(_PLASTIC) or rng.random() < 0.5 else int(standing[row])
        color = _PLASTIC[own - 1 if own else rng.integers(len(_PLASTIC))]
        color = color * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
        # A wagon ends where a station stands; on a bare city it may reach in.
        near = 0.95 if standing is None or not standing[row] else 1.1
        for _ in range(rng.integers(1, 4)):
            turn = rng.uniform(0, 2 * np.pi)
            away = rng.uniform(near, 1.5) * width + 3.08 * width / 2
            lean = rng.normal(0, 0.25, 2) * width
            centre = np.array([wide, high]) / 2 + away * np.array([np.cos(turn), np.sin(turn)])
            for view, rise in ((0, 0.6), (1, 0.2)):
                box = (tuple((centre + lean * rise).tolist()), (2.9 * width, 0.86 * width), float(np.degrees(turn)))
                mask = np.zeros((high * 4, wide * 4), np.float32)
                corners = np.round(cv2.boxPoints(box) * 4).astype(np.int32)
                cv2.fillConvexPoly(mask, corners, 1.0)
                soft = torch.from_numpy(cv2.resize(mask, (wide, high), interpolation=cv2.INTER_AREA))
                tone = torch.from_numpy(color * float(rng.uniform(0.8, 1.15))).clamp(0, 1)[:, None, None]
                part_of = x[row, 3 * view : 3 * view + 3]
                part_of += (tone - part_of) * soft * 0.95
    return x


def covered(
    x: Tensor, things: Tensor, rng: np.random.Generator, part: float, city: bool = False
) -> tuple[Tensor, NDArray[np.bool_], NDArray[np.bool_]]:
    """Some patches with a hand, a paper or a thing from the table over them: all or a side of each.

    Returns the patches, those whose space or `city` is hidden, and those of which nobody could say.
    """
    n, _, high, wide = x.shape
    rows = np.flatnonzero(rng.random(n) < part)
    m, x = len(rows), x.clone()
    thing = things[torch.from_numpy(rng.integers(len(things), size=m))][..., :high, :wide]
    plain = torch.from_numpy(_plain(m, rng))[:, :, None, None]
    noise = functional.interpolate(torch.randn(m, 1, 6, 8) * 0.05, size=(high, wide), mode="bilinear")
    light = 1 + noise + 0.25 * _some(m, rng, -1, 1) * _ramp(m, high, wide, rng)
    use = torch.from_numpy(rng.random(m) < 0.6)[:, None, None, None]
    thing = torch.where(use, plain * light, thing).clamp(0, 1)
    edge = _some(m, rng, -1.2, 0.7)
    mask = torch.sigmoid((_ramp(m, high, wide, rng) - edge) / _some(m, rng, 0.02, 0.08))
    x[rows] += (thing.repeat(1, 2, 1, 1) - x[rows]) * mask
    same = np.random.default_rng(0)
    place = _disc(1, high, wide, same) if city else _window(1, high, wide, same, spread=0.0)
    share = ((mask * place).sum((1, 2, 3)) / place.sum()).numpy()
    hidden, unclear = np.zeros(n, bool), np.zeros(n, bool)
    hidden[rows] = share > 0.7
    unclear[rows] = (share > 0.25) & (share <= 0.7)
    return x, hidden, unclear


def _plain(n: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Colours of skin, sleeves, paper and glasses, BGR 0..1: more gray than any wagon."""
    tone = rng.uniform(0, 1, (n, 1))
    skin = (1 - tone) * np.array([0.2, 0.28, 0.42]) + tone * np.array([0.66, 0.76, 0.93])
    gray = rng.uniform(0.15, 1.0, (n, 1)) * np.exp(rng.normal(0, 0.07, (n, 3)))
    cloth = rng.uniform(0.1, 0.9, (n, 3))
    dice = rng.random((n, 1))
    found = np.where(dice < 0.55, skin, np.where(dice < 0.85, gray, 0.5 * cloth + 0.5 * cloth.mean(1, keepdims=True)))
    return np.asarray(found * np.exp(rng.normal(0, 0.06, (n, 3))), np.float32)


def _moved(
    piece: Tensor, mask: Tensor, along: NDArray[np.float64], aside: NDArray[np.float64]
) -> tuple[Tensor, Tensor]:
    """Patches and their masks moved by so many pixels."""
    n, _, high, wide = piece.shape
    shift = torch.eye(2, 3).repeat(n, 1, 1)
    shift[:, 0, 2] = torch.from_numpy(-2 * along / wide).float()
    shift[:, 1, 2] = torch.from_numpy(-2 * aside / high).float()
    grid = functional.affine_grid(shift, [n, 1, high, wide], align_corners=False)
    moved = functional.grid_sample(torch.cat([piece, mask], 1), grid, padding_mode="zeros", align_corners=False)
    return moved[:, :-1], moved[:, -1:]


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


def like_print(x: Tensor, twin: Tensor, rng: np.random.Generator, chosen: NDArray[np.bool_]) -> Tensor:
    """Chosen wagons in the very colour of the print they lie on, or part of the way to it.

    Warm light and saturated cameras do so: then only form, edges and shadow tell a wagon from bare print.
    """
    rows = np.flatnonzero(chosen)
    n, x = len(rows), x.clone()
    plastic, print_ = _plastic(x[rows]), _plastic(twin[rows].repeat(1, 2, 1, 1))
    shift = (print_ - plastic) * _some(n, rng, 0.2, 0.9)
    # No light makes plastic that differs more from a print look like it.
    shift = shift * (0.3 / shift.norm(dim=1, keepdim=True).clamp_min(0.3))
    return _shifted(x, rows, plastic, shift)


def other_plastic(
    x: Tensor, rng: np.random.Generator, chosen: NDArray[np.bool_], core: tuple[int, int] | None = None
) -> Tensor:
    """Chosen pieces of another box: paler or stronger, lighter or darker plastic, of nearly the same hue.

    `core`: pixels up and aside from the middle that surely show the piece; a wagon's if none are told.
    """
    rows = np.flatnonzero(chosen)
    n, x = len(rows), x.clone()
    plastic = _plastic(x[rows], core or WAGON)
    grey = plastic.mean(1, keepdim=True)
    tone = torch.exp(torch.from_numpy(rng.normal(0, 0.14, (n, 1, 1, 1)) + rng.normal(0, 0.04, (n, 3, 1, 1))).float())
    target = (grey + (plastic - grey) * _some(n, rng, 0.5, 1.3)) * tone + _some(n, rng, 0, 0.07)
    return _shifted(x, rows, plastic, target - plastic)


def _plastic(x: Tensor, core: tuple[int, int] = WAGON) -> Tensor:
    """The colour in the middle of each patch, as it leans: a piece's, if one is there."""
    high, wide = x.shape[2] // 2, x.shape[3] // 2
    reach = slice(high - core[0], high + core[0] + 1), slice(wide - core[1], wide + core[1])
    return x[:, 3:6, reach[0], reach[1]].mean((2, 3))[:, :, None, None]


def _shifted(x: Tensor, rows: NDArray[np.int64], plastic: Tensor, shift: Tensor) -> Tensor:
    """Some patches, both views, with all that is near the colour of their plastic moved by a shift; in place."""
    for view in (slice(0, 3), slice(3, 6)):
        seen = x[rows, view]
        near = torch.exp(-((seen - plastic) ** 2).sum(1, keepdim=True) / (2 * 0.15**2))
        x[rows, view] = (seen + near * shift).clamp(0, 1)
    return x


def unlike_twin(x: Tensor, rng: np.random.Generator, chosen: NDArray[np.bool_]) -> Tensor:
    """Chosen patches in a little other light than the same print elsewhere: a bare track need not match its twin."""
    rows = np.flatnonzero(chosen)
    tone = np.exp(rng.normal(0, 0.12, (len(rows), 1, 1, 1)) + rng.normal(0, 0.05, (len(rows), 3, 1, 1)))
    x = x.clone()
    x[rows] = (x[rows] * torch.from_numpy(np.tile(tone, (1, 2, 1, 1))).float()).clamp(0, 1)
    return x


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
    views = x[rows].unflatten(1, (-1, 3))
    x, told = x.clone(), told.clone()
    x[rows] = _dyed(views, wanted[:, None, :, None, None], target[:, None, :, None, None], 2).flatten(1, 2)
    told[rows] = _dyed(told[rows].unflatten(1, (-1, 3)), wanted[:, None], target[:, None], 2).flatten(1, 2)
    return x, told


def blackened(x: Tensor, hue: NDArray[np.int64], chosen: NDArray[np.bool_], rng: np.random.Generator) -> Tensor:
    """Chosen patches where all of one hue (an index of HUES) is as dark as black plastic, its highlights left."""
    rows = torch.from_numpy(np.flatnonzero(chosen))
    if len(rows) == 0:
        return x
    wanted = torch.tensor([tuple(reversed(c)) for c in HUES.values()])[hue[chosen]]
    dark = rng.uniform(0.03, 0.16, (len(rows), 1)) * np.exp(rng.normal(0, 0.06, (len(rows), 3)))
    target = torch.from_numpy(dark).float()
    x = x.clone()
    views = x[rows].unflatten(1, (-1, 3))
    x[rows] = _dyed(views, wanted[:, None, :, None, None], target[:, None, :, None, None], 2).flatten(1, 2)
    return x


def _dyed(x: Tensor, wanted: Tensor, target: Tensor, axis: int) -> Tensor:
    tone = x - x.mean(axis, keepdim=True)
    strength = tone.norm(dim=axis, keepdim=True)
    like = (tone * wanted).sum(axis, keepdim=True) / (strength * wanted.norm(dim=axis, keepdim=True)).clamp_min(1e-3)
    mask = torch.sigmoid((like - 0.8) / 0.06) * torch.sigmoid((strength - 0.12) / 0.03)
    bright = x.amax(axis, keepdim=True)
    return x * (1 - mask) + (target * (0.25 + bright) + 0.3 * x.amin(axis, keepdim=True)).clamp(0, 1) * mask


def photographed(x: Tensor, rng: np.random.Generator) -> Tensor:
    """Patches (0..1; BGR twice or, with a twin, three times) as other cameras in other rooms would have given them."""
    n, channels, high, wide = x.shape

    def bell(spread: float, *shape: int) -> Tensor:
        return torch.exp(torch.from_numpy(rng.normal(0, spread, (n, *shape))).float())

    # What evening out the light left over: brightness, cast, contrast, saturation.
    x = x * (bell(0.11, 1, 1, 1) * bell(0.06, 3, 1, 1)).repeat(1, channels // 3, 1, 1)
    x = x.clamp_(1e-3, 1) ** bell(0.18, 1, 1, 1)
    grey = x.unflatten(1, (-1, 3)).mean(2).repeat_interleave(3, 1)
    x = grey + (x - grey) * torch.from_numpy(rng.uniform(0.65, 1.3, (n, 1, 1, 1))).float()
    hot = torch.from_numpy(np.flatnonzero(rng.random(n) < 0.25))
    x[hot] = _hot(x[hot], rng)
    # The twin is the mean of other spaces: it shows what the camera does to all, but no shadow or glare.
    own = x[:, :6]
    shadowed, glaring = (torch.from_numpy(np.flatnonzero(rng.random(n) < part)) for part in (0.15, 0.3))
    own[shadowed] = _shadowed(own[shadowed], rng)
    own[glaring] = _glaring(own[glaring], rng)
    x = _blur(x, rng)
    noisy = torch.from_numpy(np.flatnonzero(rng.random(n) < 0.6))
    strength = torch.from_numpy(rng.uniform(0, 0.035, (len(noisy), 1, 1, 1))).float()
    x[noisy, :6] += torch.randn(len(noisy), 6, high, wide) * strength
    return x.clamp_(0, 1)


def _hot(x: Tensor, rng: np.random.Generator) -> Tensor:
    """Patches of a phone that warms, colours strongly and sharpens: colours clip, print and plastic come closer."""
    n, channels = x.shape[:2]
    warm = torch.exp(torch.from_numpy(rng.normal(0.08, 0.12, (n, 1))).float())
    cast = torch.cat([1 / warm, torch.ones(n, 1), warm**0.7], 1).repeat(1, channels // 3)
    x = (x * cast[:, :, None, None]).clamp(0, 1)
    grey = x.unflatten(1, (-1, 3)).mean(2).repeat_interleave(3, 1)
    x = (grey + (x - grey) * _some(n, rng, 1.2, 1.9)).clamp(0, 1)
    soft = functional.avg_pool2d(functional.pad(x, [1] * 4, mode="replicate"), 3, 1)
    return x + (x - soft) * _some(n, rng, -0.8, 1.2)


def _ramp(n: int, high: int, wide: int, rng: np.random.Generator) -> Tensor:
    """A slope over each patch, in any direction."""
    across = torch.linspace(-1, 1, wide)[None, None, None, :]
    down = torch.linspace(-1, 1, high)[None, None, :, None] * high / wide
    turn = torch.from_numpy(rng.uniform(0, 2 * np.pi, (n, 1, 1, 1))).float()
    return torch.cos(turn) * across + torch.sin(turn) * down


def _some(n: int, rng: np.random.Generator, low: float, top: float) -> Tensor:
    return torch.from_numpy(rng.uniform(low, top, (n, 1, 1, 1))).float()


def _shadowed(x: Tensor, rng: np.random.Generator) -> Tensor:
    """Patches with a shadow's edge across them."""
    n, _, high, wide = x.shape
    ramp = _ramp(n, high, wide, rng)
    edge = torch.sigmoid((ramp - _some(n, rng, -0.8, 0.8)) / _some(n, rng, 0.02, 0.3))
    return x * (1 - edge * _shade(n, rng, 0.2, 0.6).repeat(1, 2, 1, 1))


def _shade(n: int, rng: np.random.Generator, low: float, top: float) -> Tensor:
    """How much of each colour (BGR) a shadow takes: what another light than the lamp fills it with gives it its cast.

    Where a lamp is warm and a window cold, the shadow of a yellow wagon on grey print was taken for a blue wagon.
    """
    cast = rng.normal(0.12, 0.22, (n, 1, 1, 1)) * np.array([-1.0, -0.15, 0.6])[None, :, None, None]
    return (_some(n, rng, low, top) * torch.from_numpy(1 + cast).float()).clamp(0, 0.95)


def _glaring(x: Tensor, rng: np.random.Generator) -> Tensor:
    """A veil of light over all or a side of each patch; what evening out left of it is darker all over."""
    n, _, high, wide = x.shape
    ramp = _ramp(n, high, wide, rng)
    slope = torch.sigmoid((ramp - _some(n, rng, -1.5, 0.8)) / _some(n, rng, 0.2, 1.0))
    veil = _some(n, rng, 0, 1) ** 1.5 * 0.6 * slope
    return (x * (1 - veil) + veil * _some(n, rng, 0.7, 1.0)) * (1 - veil * _some(n, rng, 0, 0.5))


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
            kernel = (kernel / kernel.sum()).repeat(x.shape[1], 1)
            y = functional.pad(x[index], [reach] * 4, mode="replicate")
            y = functional.conv2d(y, kernel[:, None, None, :], groups=x.shape[1])
            x[index] = functional.conv2d(y, kernel[:, None, :, None], groups=x.shape[1])
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

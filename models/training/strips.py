"""Strips of lettering as a phone sees them: coloured, textured, bent, lit, blurred, shrunk; grey and 32 pixels high."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import lettering
from models.training.card_art import SHARED
from models.training.lettering import Font

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
# A strip, what it says, and where the middles of its letters are, if anybody knows.
Row = tuple[Picture, str, Floats]
HIGH = 32
WIDEST = 640
# How often letters are small, and then from how many pixels of the photo to how many they are high.
SMALL = 0.5
LOW = (5.0, 11.5)
# How much blur and shake of the hand is worth learning, in heights of letters, and at most in pixels of the photo.
BLUR, BLUR_MOST = 0.18, 1.8
SHAKE, SHAKE_MOST = 0.65, 6.0


@lru_cache(maxsize=1)
def _textures() -> list[Picture]:
    """Grounds to write on: pictures of boards and cards where they are at hand."""
    found: list[Picture] = []
    for pattern in ("art/boards/*", "art/cards/*.jpg", "prints/cards/*/*.jpg"):
        for path in sorted(SHARED.glob(pattern)):
            image = cv2.imread(str(path))
            if image is not None:
                scale = min(1.0, 1200 / max(image.shape[:2]))
                small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                found.append(np.asarray(small, np.uint8))
    return found


def _noise(rng: np.random.Generator, high: int, wide: int, rough: int) -> Floats:
    small = rng.normal(0, 1, (max(high // rough, 1) + 1, max(wide // rough, 1) + 1)).astype(np.float32)
    return np.asarray(cv2.resize(small, (wide, high), interpolation=cv2.INTER_CUBIC), np.float32)


def ground(rng: np.random.Generator, high: int, wide: int, color: Floats) -> Floats:
    """What a name is printed on."""
    page = np.empty((high, wide, 3), np.float32)
    page[:] = color
    kind = rng.random()
    textures = _textures()
    if kind < 0.3 and textures:
        image = textures[rng.integers(len(textures))]
        scale = float(np.exp(rng.uniform(np.log(0.3), np.log(2.5))))
        h, w = min(int(high / scale) + 2, image.shape[0]), min(int(wide / scale) + 2, image.shape[1])
        y, x = rng.integers(image.shape[0] - h + 1), rng.integers(image.shape[1] - w + 1)
        patch = cv2.resize(image[y : y + h, x : x + w], (wide, high), interpolation=cv2.INTER_LINEAR).astype(np.float32)
        page += (patch - patch.mean((0, 1))) * rng.uniform(0.05, 0.75)
    elif kind < 0.75:
        for rough in (2, 6, 20):
            page += _noise(rng, high, wide, rough)[..., None] * rng.uniform(0, 9)
    if rng.random() < 0.3:
        page += (np.linspace(-1, 1, wide, dtype=np.float32) * rng.normal(0, 25))[None, :, None]
        page += (np.linspace(-1, 1, high, dtype=np.float32) * rng.normal(0, 20))[:, None, None]
    return page


def _plate(page: Floats, top: int, bottom: int, ink: Floats, rng: np.random.Generator) -> None:
    """Lines, dots or another ground above and below the name, and at its ends."""
    high, wide = page.shape[:2]
    for edge, sign in ((top, -1), (bottom, 1)):
        if rng.random() < 0.45:
            continue
        y = int(edge + sign * rng.integers(2, 14))
        thick = int(rng.integers(1, 4))
        color = ink if rng.random() < 0.5 else rng.uniform(0, 255, 3).astype(np.float32)
        if rng.random() < 0.5:
            rows = slice(0, max(y, 0)) if sign < 0 else slice(min(y, high), high)
            if rng.random() < 0.5:
                page[rows] = ground(rng, max(len(range(*rows.indices(high))), 1), wide, color)[: len(page[rows])]
        if rng.random() < 0.4:
            step = int(rng.integers(3, 9))
            for x in range(int(rng.integers(step)), wide, step):
                cv2.circle(page, (x, y), thick, [float(c) for c in color], -1)
        elif rng.random() < 0.8:
            cv2.line(page, (0, y), (wide, y + int(rng.integers(-2, 3))), [float(c) for c in color], thick)
    if rng.random() < 0.25:
        x = int(rng.integers(2, 10)) if rng.random() < 0.5 else wide - int(rng.integers(2, 10))
        kind = rng.random()
        any_color = [float(c) for c in rng.uniform(0, 255, 3)]
        if kind < 0.5:
            cv2.line(page, (x, 0), (x, high), any_color, int(rng.integers(1, 4)))
        else:
            cv2.circle(page, (x, high // 2), int(rng.integers(4, 16)), any_color, -1 if kind < 0.75 else 2)


def colors(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Ground and ink: dark on light mostly, light on dark at times, always far enough apart to be read."""
    while True:
        kind = rng.random()
        if kind < 0.5:
            page = rng.uniform(140, 255) + rng.normal(0, 14, 3)
            ink = rng.uniform(0, 110) + rng.normal(0, 35, 3)
        elif kind < 0.72:
            page = rng.uniform(0, 110) + rng.normal(0, 30, 3)
            ink = rng.uniform(150, 255) + rng.normal(0, 20, 3)
        else:
            page, ink = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
        page, ink = np.clip(page, 0, 255), np.clip(ink, 0, 255)
        weights = np.array([0.114, 0.587, 0.299])
        if abs(float((page - ink) @ weights)) > 38:
            return page.astype(np.float32), ink.astype(np.float32)


def written(ink: Picture, rng: np.random.Generator) -> tuple[Picture, Floats]:
    """A line of ink on its ground in colours, and its corners: left top, right top, right bottom, left bottom."""
    high, wide = ink.shape
    around = rng.uniform(0.15, 0.9) * high
    left, right = (int(rng.uniform(0.1, 1.2) * high) for _ in range(2))
    top, bottom = int(around), int(around * rng.uniform(0.7, 1.3))
    color, dye = colors(rng)
    page = ground(rng, high + top + bottom, wide + left + right, color)
    _plate(page, top, top + high, dye, rng)
    mask = np.zeros(page.shape[:2], np.float32)
    mask[top : top + high, left : left + wide] = ink.astype(np.float32) / 255
    if rng.random() < 0.3:
        # A shadow or a rim makes letters stand out.
        other = np.clip(color + (color - dye) * rng.uniform(0.2, 1), 0, 255) if rng.random() < 0.5 else dye * 0.3
        shift = np.array([[1, 0, rng.integers(-3, 4)], [0, 1, rng.integers(-3, 4)]], np.float32)
        under = cv2.warpAffine(mask, shift, mask.shape[::-1])
        if rng.random() < 0.5:
            under = cv2.dilate(mask, np.ones((5, 5), np.uint8))
        page += (other.astype(np.float32) - page) * np.asarray(under, np.float32)[..., None] * rng.uniform(0.3, 1)
    fill = np.broadcast_to(dye, page.shape)
    if rng.random() < 0.2:
        fill = fill + (np.linspace(-1, 1, page.shape[0], dtype=np.float32) * rng.normal(0, 45))[:, None, None]
    if rng.random() < 0.06:
        mask = np.clip(cv2.dilate(mask, np.ones((3, 3), np.uint8)) - cv2.erode(mask, np.ones((2, 2), np.uint8)), 0, 1)
    page += (fill - page) * mask[..., None] * rng.uniform(0.8, 1)
    box = np.array([(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)], np.float32)
    return np.clip(page, 0, 255).astype(np.uint8), box


def seen(page: Picture, box: Floats, parts: Floats, rng: np.random.Generator) -> tuple[Picture, Floats]:
    """The line as the detector would cut it out of a photo, 32 high, grey; and where the middles of its letters lie."""
    high = box[3, 1] - box[0, 1]
    wide = box[1, 0] - box[0, 0]
    # The cut: how much of its height is ink, and how much room is left at its ends.
    part = rng.uniform(0.42, 0.88)
    tall = high / part
    up = (tall - high) * rng.uniform(0.25, 0.75)
    ends = rng.uniform(-0.03, 0.8, 2) * high
    turn = rng.normal(0, 0.012) if rng.random() < 0.7 else 0.0
    corners = np.array(
        [
            (box[0, 0] - ends[0], box[0, 1] - up),
            (box[1, 0] + ends[1], box[0, 1] - up),
            (box[1, 0] + ends[1], box[0, 1] - up + tall),
            (box[0, 0] - ends[0], box[0, 1] - up + tall),
        ],
        np.float32,
    )
    middle = corners.mean(0)
    lean = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)
    corners = (corners - middle) @ lean.T + middle
    corners += rng.normal(0, 0.025, (4, 2)).astype(np.float32) * high
    stretch = float(np.exp(rng.normal(0, 0.1)))
    w = int(np.clip(HIGH / tall * (wide + ends.sum()) * stretch, 16, WIDEST))
    # First the photo's own pixels, then the strip's.
    kind = rng.random()
    if kind < SMALL:
        sharp = float(rng.uniform(*LOW)) / part
    else:
        sharp = float(np.exp(rng.uniform(np.log(11), np.log(40)))) if kind < 0.85 else 40.0
    first = (max(round(w * sharp / HIGH * np.exp(rng.normal(0, 0.12))), 8), max(round(sharp), 8))
    to = np.array([(0, 0), (first[0], 0), first, (0, first[1])], np.float32) - 0.5
    shrink = float(first[1] / tall)
    if shrink < 0.8:
        page = np.asarray(cv2.GaussianBlur(page, (0, 0), 0.45 / shrink), np.uint8)
    place = cv2.getPerspectiveTransform(corners, to)
    if rng.random() < 0.25:
        page = _bent(page, box, rng)
    strip = cv2.warpPerspective(page, place, first, borderMode=cv2.BORDER_REFLECT).astype(np.float32)
    strip = _lit(strip, rng, first[1] * part)
    if rng.random() < 0.5:
        quality = int(rng.integers(25, 95))
        packed = cv2.imencode(".jpg", strip.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        strip = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.float32)
    gray = cv2.cvtColor(np.clip(strip, 0, 255).astype(np.uint8), cv2.COLOR_BGR2GRAY)
    across = (box[0] + box[3]) / 2 + parts[:, None] * (box[1] - box[0])
    places = cv2.perspectiveTransform(across[None].astype(np.float32), place)[0, :, 0] if len(parts) else parts
    ways = (cv2.INTER_LINEAR, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LANCZOS4)
    way = cv2.INTER_AREA if sharp > HIGH else ways[rng.integers(len(ways))]
    return np.asarray(cv2.resize(gray, (w, HIGH), interpolation=way)), (places + 0.5) * (w / first[0])


def _bent(page: Picture, box: Floats, rng: np.random.Generator) -> Picture:
    """A line on an arc or on curled paper."""
    high, wide = page.shape[:2]
    x, y = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
    along = 2 * x / wide - 1
    tall = float(box[3, 1] - box[0, 1])
    sag = np.float32(rng.normal(0, 0.12) * tall)
    return np.asarray(cv2.remap(page, x, y + sag * (along**2 - 0.4), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))


def _lit(strip: Floats, rng: np.random.Generator, letters: float) -> Floats:
    """Light, lamp, shadow, blur and grain of a phone's photo; `letters` are so high in its pixels."""
    high, wide = strip.shape[:2]
    if rng.random() < 0.6:
        strip = strip * rng.uniform(0.4, 1.15) * (1 + rng.normal(0, 0.08, 3)).astype(np.float32)
    if rng.random() < 0.3:
        ramp = np.linspace(0, 1, wide, dtype=np.float32)[None, :, None]
        strip = strip * (1 - rng.uniform(0, 0.6) * (ramp if rng.random() < 0.5 else 1 - ramp))
    if rng.random() < 0.2:
        x, y = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
        far = ((x - rng.uniform(0, wide)) / (wide * rng.uniform(0.05, 0.5))) ** 2 + (
            (y - rng.uniform(0, high)) / high
        ) ** 2
        strip = strip + (np.exp(-far) * rng.uniform(30, 190)).astype(np.float32)[..., None]
    if rng.random() < 0.2:
        # The edge of a hard shadow.
        at, lean = rng.uniform(0, wide), rng.normal(0, 1)
        x, y = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
        dark = 1 / (1 + np.exp(np.clip(-(x - at + lean * y) / rng.uniform(0.5, 4), -30, 30)))
        strip = strip * (1 - dark * rng.uniform(0.2, 0.8)).astype(np.float32)[..., None]
    strip = np.clip(strip, 0, 255).astype(np.float32)
    kind = rng.random()
    if kind < 0.42:
        most = min(BLUR * letters + 0.2, BLUR_MOST)
        strip = np.asarray(cv2.GaussianBlur(strip, (0, 0), rng.uniform(0.3, most)), np.float32)
    elif kind < 0.56:
        soft = np.asarray(cv2.GaussianBlur(strip, (0, 0), 1.0), np.float32)
        strip = strip + (strip - soft) * rng.uniform(0.3, 1.5)
    if rng.random() < 0.16:
        strip = _shaken(strip, rng, rng.uniform(2, max(min(SHAKE * letters, SHAKE_MOST), 2.5)))
    if rng.random() < 0.08:
        # Nearly black: few steps of brightness are left.
        strip = strip * np.float32(np.exp(rng.uniform(np.log(0.06), np.log(0.4))))
        strip = strip + rng.uniform(0, 14) + rng.normal(0, rng.uniform(0.2, 3.5), strip.shape).astype(np.float32)
    elif rng.random() < 0.5:
        strip = strip + rng.normal(0, rng.uniform(1, 12), strip.shape).astype(np.float32)
    return np.clip(strip, 0, 255).astype(np.float32)


def _shaken(strip: Floats, rng: np.random.Generator, length: float) -> Floats:
    """Moved by so many pixels, any way, while the picture was taken."""
    side = 2 * int(np.ceil(length / 2)) + 1
    angle = rng.uniform(0, np.pi)
    kernel = np.zeros((side, side), np.float32)
    for at in np.linspace(-0.5, 0.5, 4 * side) * length:
        x, y = side // 2 + at * np.cos(angle), side // 2 + at * np.sin(angle)
        kernel[min(round(y), side - 1), min(round(x), side - 1)] += 1
    return np.asarray(cv2.filter2D(strip, -1, kernel / kernel.sum()), np.float32)


def examples(groups: list[list[Font]], rng: np.random.Generator, views: int) -> list[Row]:
    """Strips of one line as it is seen so often, what it says, and where the middle of each letter is."""
    while True:
        text = lettering.line(rng)
        try:
            ink, parts = lettering.drawn(text, lettering.pick(groups, rng), rng)
        except OSError:
            continue
        said = lettering.label(text)
        if ink.shape[1] < 6 or ink.shape[0] < 6 or not said or len(said) != len(parts):
            continue
        page, box = written(ink, rng)
        rows: list[Row] = []
        for _ in range(2 * views):
            strip, places = seen(page, box, parts, rng)
            # Squeezed beyond reading: a letter needs two columns of the net, four pixels each.
            if strip.shape[1] >= 7 * len(said):
                rows.append((strip, said, places))
            if len(rows) == views:
                return rows

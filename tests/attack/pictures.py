"""Attacks by pictures: bytes of every format bent, and sizes that no memory holds."""

from __future__ import annotations

import io
import random
from functools import lru_cache

import numpy as np
from PIL import Image, features

from maps import Trouble
from tests.attack.tally import Tally, bent
from vision.photo import decode

SIZE = (360, 260)


def noisy(size: tuple[int, int] = SIZE, seed: int = 1) -> Image.Image:
    """A picture with something to lose everywhere."""
    rng = np.random.default_rng(seed)
    small = rng.integers(0, 255, (size[1] // 8 + 1, size[0] // 8 + 1, 3), np.uint8)
    return Image.fromarray(small).resize(size, Image.Resampling.BICUBIC)


def packed(kind: str, picture: Image.Image | None = None, **how: object) -> bytes:
    out = io.BytesIO()
    (picture or noisy()).save(out, kind, **how)
    return out.getvalue()


@lru_cache(maxsize=1)
def samples() -> dict[str, bytes]:
    """One picture of each format and of its usual flavours."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "x" * 300
    found = {
        "jpeg": packed("JPEG", quality=85, exif=exif),
        "jpeg progressive": packed("JPEG", progressive=True),
        "jpeg restart": packed("JPEG", restart_marker_rows=2),
        "jpeg gray": packed("JPEG", noisy().convert("L")),
        "jpeg cmyk": packed("JPEG", noisy().convert("CMYK")),
        "png": packed("PNG"),
        "png palette": packed("PNG", noisy().convert("P")),
        "png alpha": packed("PNG", noisy().convert("RGBA")),
        "webp": packed("WEBP", quality=60),
        "webp lossless": packed("WEBP", lossless=True),
        "gif": packed("GIF"),
        "bmp": packed("BMP"),
        "tiff": packed("TIFF"),
        "tiff lzw": packed("TIFF", compression="tiff_lzw"),
        "mpo": packed("MPO", save_all=True, append_images=[noisy(seed=2)]),
    }
    if features.check("avif"):
        found["avif"] = packed("AVIF", speed=10)
    try:
        import pillow_heif
    except ImportError:
        return found
    out = io.BytesIO()
    pillow_heif.from_pillow(noisy()).save(out, quality=50)
    return {**found, "heic": out.getvalue()}


def mutated(tries: int, seed: int) -> Tally:
    """Bytes of pictures bent in every way: a picture of the size it says, or a sentence."""
    tally, rng = Tally("mutated pictures"), random.Random(seed)
    kinds = list(samples().items())
    for n in range(tries):
        kind, data = kinds[n % len(kinds)]
        with tally.attempt(f"picture {n} ({kind})", fine=(Trouble,)):
            photo = decode(bent(data, rng), "x")
            tally.expect(photo.image.ndim == 3 and photo.image.shape[2] == 3, f"picture {n}: {photo.image.shape}")
    return tally


def harmed(data: bytes, rng: random.Random) -> bytes:
    """A JPEG with a real hole in its scan, as a bad copy leaves it, and its end marker in place."""
    at = rng.randrange(len(data) // 3, len(data) * 9 // 10)
    way = rng.randrange(4)
    if way == 0:
        return data[:at] + b"\xff\xd9"
    if way == 1:
        return data[:at] + bytes(1024) + data[at + 1024 :]
    if way == 2:
        return data[:at] + data[at + 1024 :]
    return data[:at] + bytes(rng.randrange(1, 255) for _ in range(1024)) + data[at + 1024 :]

"""Decoding: every kind of picture as it is displayed, and a sentence for everything that is none."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from maps import Trouble
from vision import photo as photos
from vision.photo import decode, load, of_image


def picture(size: tuple[int, int] = (400, 300), mode: str = "RGB") -> Image.Image:
    """Red above, blue below, so that every turn shows."""
    image = Image.new("RGB", size, (200, 30, 30))
    image.paste((30, 30, 200), (0, size[1] // 2, size[0], size[1]))
    return image.convert(mode)


def data(image: Image.Image, kind: str, **how: object) -> bytes:
    held = io.BytesIO()
    image.save(held, kind, **how)
    return held.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"])
def test_common_kinds(kind: str) -> None:
    photo = decode(data(picture(), kind))
    assert photo.image.shape == (300, 400, 3)
    blue, _, red = (int(v) for v in photo.image[20, 200])
    assert red > 150 > blue


@pytest.mark.parametrize(
    ("kind", "mode"), [("JPEG", "L"), ("JPEG", "CMYK"), ("PNG", "RGBA"), ("PNG", "I;16"), ("PNG", "P")]
)
def test_odd_colours_come_out_as_bgr(kind: str, mode: str) -> None:
    photo = decode(data(picture(mode="L").convert("I;16") if mode == "I;16" else picture(mode=mode), kind))
    assert photo.image.shape == (300, 400, 3)
    assert photo.image.dtype == np.uint8


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photo_is_turned_as_it_is_displayed(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = decode(data(picture(), "JPEG", exif=exif, quality=95))
    across = orientation >= 5
    assert (photo.width, photo.height) == ((300, 400) if across else (400, 300))
    # Where the red half ends up.
    red_side = {1: "top", 2: "top", 3: "bottom", 4: "bottom", 5: "left", 6: "right", 7: "right", 8: "left"}[orientation]
    high, wide = photo.image.shape[:2]
    at = {
        "top": (10, wide // 2),
        "bottom": (high - 10, wide // 2),
        "left": (high // 2, 10),
        "right": (high // 2, wide - 10),
    }
    assert photo.image[at[red_side]][2] > 150


def test_a_large_jpeg_is_decoded_smaller_but_told_in_full_pixels() -> None:
    photo = decode(data(picture((4000, 3000)), "JPEG"))
    assert (photo.width, photo.height) == (4000, 3000)
    assert photo.image.shape[1] < 4000
    corner = photo.shrink @ [4000 - 0.5, 3000 - 0.5, 1]
    assert corner[:2] == pytest.approx([photo.image.shape[1] - 0.5, photo.image.shape[0] - 0.5], abs=1)
    assert decode(data(picture((4000, 3000)), "JPEG"), full=True).image.shape == (3000, 4000, 3)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not-a-picture"),
        (b"this is text", "not-a-picture"),
        (b"\xff\xd8\xff\xe0 broken", "not-a-picture"),
        (b"\x89PNG\r\n\x1a\n", "not-a-picture"),
        (data(picture(), "JPEG")[:-200], "picture-cut"),
        (data(picture((40, 30)), "PNG"), "picture-too-small"),
    ],
)
def test_what_is_no_photo_is_told(content: bytes, code: str) -> None:
    with pytest.raises(Trouble) as caught:
        decode(content, "photo.jpg")
    assert caught.value.code == code


@pytest.mark.parametrize("at_once", [1, 2, 3, 5, 1 << 18])
def test_markers_are_found_wherever_a_part_ends(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photos, "_AT_ONCE", at_once)
    scan = b"\xff\xda\x01\xff\x00\xff\xff\xda\x02\xff\xd0\xff\xd9\xff\xda"
    assert photos._scanned(b"\xff\xd9" + scan, 2) == (2 + scan.index(b"\xff\xd9"), 2)
    assert photos._scanned(scan[:-4], 0)[0] == -1


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(Trouble) as caught:
        load(tmp_path / "none.jpg")
    assert caught.value.code == "no-file"
    with pytest.raises(Trouble):
        load(tmp_path)


def test_a_frame_in_memory() -> None:
    frame = np.zeros((720, 1280, 3), np.uint8)
    assert of_image(frame).width == 1280
    assert of_image(frame[..., 0]).image.ndim == 3

"""Pictures of strangers: only what is named is opened, damage is said, nothing takes all memory, nobody mutters."""

from __future__ import annotations

import io
import os
import random
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.lang import tell
from maps import Trouble
from tests.attack import pictures
from tests.attack.pictures import noisy, packed, samples
from vision.photo import decode, load
from vision.record import anonymous

unix = pytest.mark.skipif(os.name == "nt", reason="pipes and devices as Unix has them")


def code_of(data: bytes, **how: bool) -> str:
    with pytest.raises(Trouble) as trouble:
        decode(data, "x.jpg", **how)
    assert tell(trouble.value.message, "fr") != tell(trouble.value.message)
    return trouble.value.code


@pytest.mark.parametrize("kind", sorted(samples()))
def test_every_named_format_is_opened(kind: str) -> None:
    photo = decode(samples()[kind], kind)
    assert photo.image.shape[:2] in ((260, 360), (360, 260))
    shown = np.asarray(noisy().convert("L").convert("RGB") if "gray" in kind else noisy(), np.int16)[..., ::-1]
    if photo.image.shape[0] == 260:
        assert np.abs(photo.image.astype(np.int16) - shown).mean() < 25


def test_mutated_pictures() -> None:
    pictures.mutated(340, 1).held()


@pytest.mark.parametrize(
    "data",
    [
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 400 400\n{} loop\n",
        b"P6 400 300 255\n" + bytes(400 * 300 * 3),
        b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 300 +X 400\n",
        b"\x00\x00\x00\x0cjP  \r\n\x87\n",
        b"v/1\x01" + bytes(400),
        b"8BPS\0\1" + bytes(60),
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\x00\x00\x00\x18ftypmp42" + bytes(40),
    ],
)
def test_no_other_format_reaches_a_decoder(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def reached(*_: object, **__: object) -> None:
        raise AssertionError("a decoder was asked")

    monkeypatch.setattr("vision.photo.cv2.imdecode", reached)
    monkeypatch.setattr("PIL.Image.open", reached)
    monkeypatch.setattr("subprocess.Popen", reached)
    assert code_of(data) == "not-a-picture"
    with pytest.raises(Trouble, match="not-a-picture"):
        anonymous(data)


@unix
@pytest.mark.parametrize("kind", ["jpeg", "jpeg restart", "jpeg gray"])
def test_a_damaged_jpeg_is_said_to_be_damaged(kind: str) -> None:
    rng = random.Random(3)
    data = packed("JPEG", noisy((640, 480)), quality=92, **({"restart_marker_rows": 2} if "restart" in kind else {}))
    told = []
    for _ in range(24):
        try:
            decode(pictures.harmed(data, rng), "x")
            told.append("")
        except Trouble as trouble:
            told.append(trouble.code)
    assert set(told) == {"picture-cut"}


def test_a_jpeg_that_only_ends_too_early_is_cut() -> None:
    data = samples()["jpeg"]
    assert code_of(data[: len(data) // 2]) == "picture-cut"
    assert code_of(data[:-2]) == "picture-cut"


def test_stray_bytes_before_the_end_do_no_harm() -> None:
    data = samples()["jpeg gray"]
    assert decode(data[:-2] + bytes(6) + data[-2:], "x").width == 360


def test_a_plain_surface_is_no_hole() -> None:
    plain = Image.new("RGB", (1600, 1200), (255, 255, 255))
    for how in ({}, {"optimize": True}, {"progressive": True}):
        assert decode(packed("JPEG", plain, **how), "x").width == 1600


def test_no_library_speaks_on_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(5)
    pictures.mutated(150, 5)
    for _ in range(10):
        with pytest.raises(Trouble):
            decode(pictures.harmed(samples()["jpeg"], rng), "x")
    heard = capfd.readouterr()
    assert heard.err == "" if os.name != "nt" else True
    assert heard.out == ""
    os.write(2, b"afterwards\n")
    assert capfd.readouterr().err == "afterwards\n"


@unix
def test_only_files_are_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jpg"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), Path("/dev/urandom")):
        with pytest.raises(Trouble, match="not-a-file"):
            load(path)
    (tmp_path / "huge.jpg").touch()
    os.truncate(tmp_path / "huge.jpg", 200_000_000)
    with pytest.raises(Trouble, match="picture-too-heavy"):
        load(tmp_path / "huge.jpg")
    with pytest.raises(Trouble, match="unreadable-file"):
        load("x" * 300 + ".jpg")


def _png(width: int, height: int) -> bytes:
    """A PNG that only says how large it is."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def _said_larger(data: bytes, width: int, height: int) -> bytes:
    at = data.find(b"\xff\xc0" if b"\xff\xc0" in data else b"\xff\xc2")
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (_png(10_000, 10_000), "picture-too-large"),
        (_png(30_000, 30_000), "picture-too-large"),
        (_said_larger(samples()["jpeg"], 65_000, 65_000), "picture-too-large"),
        (_said_larger(samples()["jpeg progressive"], 12_000, 12_000), "picture-too-large"),
    ],
)
def test_what_is_too_large_is_said_before_it_is_decoded(
    data: bytes, code: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert code_of(data) == code
    assert capfd.readouterr().err == ""


def test_a_jpeg_of_many_scans_is_refused() -> None:
    data = samples()["jpeg progressive"]
    last = data.rfind(b"\xff\xda")
    assert code_of(data[:-2] + data[last:-2] * 300 + data[-2:]) == "picture-many-scans"


LARGE = """
import io, resource, sys
import numpy as np
from PIL import Image
from vision.photo import decode
Image.MAX_IMAGE_PIXELS = None
data = open(sys.argv[1], "rb").read()
for full in (False, True):
    photo = decode(data, "x", full=full)
    assert (photo.width, photo.height) == (16320, 12240)
    assert 1900 <= photo.image.shape[1] < 8200
# Not getrusage: that begins with what the parent held when it forked.
print(int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="the system tells no peak memory here")
def test_a_photo_of_200_megapixels_is_decoded_smaller(tmp_path: Path) -> None:
    file = tmp_path / "large.jpg"
    Image.new("L", (16320, 12240), 90).save(file, "JPEG", quality=40)
    run = subprocess.run(
        [sys.executable, "-c", LARGE, str(file)], capture_output=True, text=True, check=True, timeout=120
    )
    assert int(run.stdout) < 700
    assert run.stderr == ""


def test_heic_is_upright() -> None:
    heif = pytest.importorskip("pillow_heif")
    exif = Image.Exif()
    exif[0x0112] = 6
    out = io.BytesIO()
    heif.from_pillow(noisy()).save(out, quality=60, exif=exif.tobytes())
    photo = decode(out.getvalue(), "x.heic")
    assert (photo.width, photo.height) == (photo.image.shape[1], photo.image.shape[0])
    assert anonymous(out.getvalue()).startswith(b"\x89PNG")


@pytest.mark.parametrize("brand", [b"hevx", b"heim", b"heic", b"mif1"])
def test_a_heic_without_its_library_is_named(brand: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    assert code_of(b"\0\0\0\x18ftyp" + brand + bytes(20)) == "picture-heic"

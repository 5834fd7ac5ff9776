"""How long finding the board takes, against decoding the same photo from JPEG in the same run, in processor time.

`python -m bench.locate` prints the rows: a phone's photo where one is beside the checkout, and photos drawn by us.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from bench import Row, best, row, text
from maps import Trouble
from vision.fingerprints import Fingerprint, fingerprint_of
from vision.locate import locate
from vision.photo import Photo, Picture, load, of_image
from vision.studio import Pose, practice

PHOTO = Path(__file__).resolve().parents[2] / "shared" / "photos" / "usa" / "IMG_4165.jpg"
# What a photo of a phone has: the drawn ones are made as large, so that decoding weighs the same.
SIZE = (4032, 3024)


def run() -> list[Row]:
    rows = []
    if PHOTO.is_file():
        photo = load(PHOTO)
        rows.append(_row("any of the boards known, a phone's photo", PHOTO.read_bytes(), lambda: locate(photo)))
    own = _own_print()
    poses = {"an enrolled board": Pose(20, 30, 0.85), "upside down, tilted 40 degrees": Pose(40, 180, 0.6)}
    for name, pose in poses.items():
        drawn, _ = practice("usa", 3, pose=pose, light="neutral")
        data = _jpeg(drawn)
        picture = of_image(drawn)
        rows.append(_row(f"{name}, drawn", data, partial(locate, picture, None, [own])))
    table = np.random.default_rng(1).integers(0, 255, (378, 504, 3), np.uint8)
    cloth = np.asarray(cv2.resize(table, (2016, 1512), interpolation=cv2.INTER_CUBIC), np.uint8)
    rows.append(_row("no board at all, every try in vain", _jpeg(cloth), lambda: _in_vain(of_image(cloth))))
    return rows


def _own_print() -> Fingerprint:
    empty, truth = practice("usa", 1, taken=0, stations=False, pose=Pose(5, 0), light="neutral")
    return fingerprint_of(empty, truth["corners"], "usa", enrolled=True)


def _in_vain(photo: Photo) -> None:
    try:
        locate(photo)
    except Trouble:
        return


def _jpeg(image: Picture) -> bytes:
    large = cv2.resize(image, SIZE, interpolation=cv2.INTER_CUBIC)
    return bytes(cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 90])[1])


def _row(name: str, data: bytes, work: Callable[[], object]) -> Row:
    packed = np.frombuffer(data, np.uint8)
    work()
    took, decoding = best(work), best(lambda: cv2.imdecode(packed, cv2.IMREAD_COLOR))
    return row(f"{name}, against decoding 12 megapixels", 1000 * took, "ms", decoding / took)


if __name__ == "__main__":
    print(text({"rows": [{"part": "locate", **r} for r in run()]}))

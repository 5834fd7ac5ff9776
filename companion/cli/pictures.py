"""Writes pictures where people asked for them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Trouble

ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


def write_picture(path: str, image: NDArray[np.uint8]) -> None:
    """Writes a BGR picture; the file's ending says as what."""
    file = Path(path)
    if file.suffix.lower() not in ENDINGS:
        raise Trouble("unknown-photo-ending", file=path)
    try:
        file.write_bytes(cv2.imencode(file.suffix.lower(), image)[1].tobytes())
    except OSError as error:
        raise Trouble("picture-not-written", file=path, reason=error.strerror or str(error)) from error

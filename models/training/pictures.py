"""Pictures from files that have to be there."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Picture


def picture(path: Path, how: int = cv2.IMREAD_COLOR) -> Picture:
    """The picture in a file; training without it would be training on something else."""
    found = cv2.imread(str(path), how)
    if found is None:
        raise FileNotFoundError(path)
    return np.asarray(found, np.uint8)

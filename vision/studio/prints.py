"""The print of a drawn board, as the program would know it: films and photos of the studio are found by it."""

from __future__ import annotations

from functools import lru_cache

from vision.fingerprints import Fingerprint, fingerprint_of
from vision.studio.camera import Pose
from vision.studio.photo import practice


@lru_cache(maxsize=8)
def drawn_print(board: str) -> Fingerprint:
    """The fingerprint of a board as the studio draws it."""
    image, truth = practice(board, 0, taken=0, stations=False, pose=Pose(0, 0), light="neutral", surface="wood")
    return fingerprint_of(image, truth["corners"], board)

"""Files that come with the program, and files of its kind that a table made: whole, or named as damaged."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: arrays of any kind of number

import numpy as np
from numpy.typing import NDArray

from maps import Trouble
from maps.given import read_file

MODELS = Path(__file__).resolve().parent.parent / "models"
# Unpacked, the largest of ours has a fifth of that.
_MOST_BYTES = 64_000_000


@lru_cache(maxsize=1)
def checksums() -> Mapping[str, str]:
    """What the package says of its own files; written by `python -m models.checksums`."""
    try:
        told = json.loads((MODELS / "checksums.json").read_text(encoding="utf-8"))
        return {str(name): str(told[name]) for name in told}
    except (OSError, ValueError, TypeError):
        raise Trouble("model-missing", file="checksums.json") from None


def contents(path: Path) -> bytes:
    """The bytes of a model; Trouble names it if it is missing, or not the one that was packed."""
    try:
        data = read_file(path, _MOST_BYTES)
    except OSError:
        raise Trouble("model-missing", file=path.name) from None
    if path.is_relative_to(MODELS):
        wanted = checksums().get(path.relative_to(MODELS).as_posix())
        if wanted is not None and hashlib.sha256(data).hexdigest() != wanted:
            raise Trouble("model-damaged", file=path.relative_to(MODELS).as_posix())
    return data


def arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of an .npz file; ValueError if it is none, or unpacks to more than anything of ours."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(member.file_size for member in packed.infolist()) > _MOST_BYTES:
                raise ValueError("too large")
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except MemoryError:
        raise
    except Exception as error:
        # Damaged archives make zip, zlib and numpy raise whatever they like.
        raise ValueError(str(error)) from None

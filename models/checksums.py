"""The checksum of every model, fingerprint and reference: a damaged one is named when it is loaded.

python -m models.checksums      writes them anew, after training; the training programs do it themselves
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
FILE = FOLDER / "checksums.json"
KINDS = (".npz", ".onnx")


def found() -> dict[str, str]:
    """The checksums of the files as they are."""
    files = sorted(p for p in FOLDER.rglob("*") if p.suffix in KINDS and "training" not in p.parts)
    return {p.relative_to(FOLDER).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def write() -> None:
    FILE.write_text(json.dumps(found(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()

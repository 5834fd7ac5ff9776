"""Small systems are solved by one thread, unless somebody wants it otherwise; told before OpenCV is loaded."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_LOADED = """
import importlib, os, sys
importlib.import_module(sys.argv[1])
assert "cv2" not in sys.modules
importlib.import_module(sys.argv[2])
print(os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.parametrize(("wanted", "told"), [(None, "1"), ("3", "3")])
@pytest.mark.parametrize(
    ("first", "then"), [("vision", "vision.read"), ("companion.ui", "vision.read"), ("companion.cli", "vision.read")]
)
def test_one_thread_is_told_before_opencv_is_loaded(first: str, then: str, wanted: str | None, told: str) -> None:
    own = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    own |= {"OPENBLAS_NUM_THREADS": wanted} if wanted else {}
    assert subprocess.check_output([sys.executable, "-c", _LOADED, first, then], env=own, text=True).strip() == told

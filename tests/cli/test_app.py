"""`companion app` and `companion screens` where there is no window: one sentence, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("arguments", [["app"], ["screens", "out"]])
def test_without_a_screen_one_sentence_is_told(tmp_path: Path, arguments: list[str]) -> None:
    # A display that is not there, whatever the machine has.
    env = {**os.environ, "SDL_VIDEODRIVER": "x11", "DISPLAY": ":987", "COMPANION_HOME": str(tmp_path)}
    call = [sys.executable, "-m", "companion", *arguments]
    done = subprocess.run(call, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2, done.stderr
    assert "OpenGL" in done.stderr
    assert "Traceback" not in done.stderr

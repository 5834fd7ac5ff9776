"""The app started from the packed folder, as Android starts it, with nothing but the packages of a phone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any  # Any: a phone that answers in JSON

from PIL import Image

from companion import practice
from maps import load


def test_the_packed_app_opens_referees_reads_and_scores(display: str, phone: Any, tmp_path: Path) -> None:
    camera, out = tmp_path / "camera", tmp_path / "out"
    camera.mkdir()
    out.mkdir()
    (camera / "final.jpg").symlink_to(practice.FINAL)
    corners, truth_file = practice.FOLDER / "empty.json", practice.FOLDER / "final.json"
    told = phone(
        "play.py", str(practice.EMPTY), str(corners), str(truth_file), str(out),
        DISPLAY=display, COMPANION_CAMERA=str(camera), COMPANION_HOME=str(tmp_path / "home"), COMPANION_LANG="en",
        SDL_VIDEODRIVER="x11", LIBGL_ALWAYS_SOFTWARE="1",
    )  # fmt: skip
    assert told["engine"] == "opencv"
    assert told["legal"]
    assert not told["illegal"]
    assert told["claimed"] == ["amsterdam-essen-yellow"]
    truth = json.loads(truth_file.read_text(encoding="utf-8"))["routes"]
    board = load(practice.BOARD)
    expected: dict[str, int] = {}
    for route, color in truth.items():
        if color:
            expected[color] = expected.get(color, 0) + board.routes[route].points
    assert told["points"] == expected
    for name in ("home", "claim-legal", "claim-illegal", "review", "sheet"):
        with Image.open(out / f"{name}.png") as picture:
            # Not one colour only: something was drawn.
            assert len(picture.convert("RGB").quantize(32).getcolors() or []) > 8, name

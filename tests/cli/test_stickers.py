"""`companion stickers`: a page to print, for any board or for one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main


@pytest.mark.parametrize("board", [[], ["--board", "europe"]])
def test_a_page_of_stickers_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path, board: list[str]) -> None:
    page = tmp_path / "stickers.pdf"
    assert main(["stickers", str(page), *board, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"stickers": str(page)}
    assert page.read_bytes().startswith(b"%PDF")


def test_stickers_of_an_unknown_board(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["stickers", str(tmp_path / "x.pdf"), "--board", "eurpoe", "--json"]) == 2
    assert "europe" in json.loads(capsys.readouterr().out)["error"]["message"]

"""What is half told, kept from one start of the app to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.unfinished import Screen, Unfinished

LEFT: list[Screen] = [("table", {"line": 3, "form": {"kind": "claim"}}), ("review", {"at": 1})]


def test_screens_are_there_again(tmp_path: Path) -> None:
    Unfinished(tmp_path / "unfinished.json").keep(LEFT)
    again = Unfinished(tmp_path / "unfinished.json")
    assert again.screens() == LEFT
    again.keep([])
    assert again.screens() == []


def test_nothing_is_written_as_long_as_nothing_changes(tmp_path: Path) -> None:
    file = tmp_path / "unfinished.json"
    unfinished = Unfinished(file)
    unfinished.keep(LEFT)
    file.unlink()
    unfinished.keep(LEFT)
    assert not file.exists()


@pytest.mark.parametrize("text", ["", "{", "3", '[["table"]]', '[["table", 3]]'])
def test_a_damaged_file_holds_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "unfinished.json").write_text(text, encoding="utf-8")
    assert Unfinished(tmp_path / "unfinished.json").screens() == []


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    Unfinished(tmp_path / "file" / "unfinished.json").keep(LEFT)

"""`companion studio`: practice photos that are recordings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from vision import recordings


def test_photos_are_recordings_and_seeds_repeat(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    options = ["--count", "2", "--seed", "7", "--size", "320x240", "--light", "dim", "--colors", "red,blue"]
    assert main(["studio", "europe", str(tmp_path / "a"), *options]) == 0
    assert "2 photos" in capsys.readouterr().out
    assert main(["studio", "europe", str(tmp_path / "b"), *options, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["photos"]) == 2
    found = recordings.recordings(tmp_path / "a")
    assert [r.name for r in found] == ["europe-0007", "europe-0008"]
    assert all(r.problem is None and r.truth["light"] == "dim" for r in found)
    assert {c for r in found for c in r.truth["routes"].values() if c} == {"red", "blue"}
    for r in found:
        assert r.photo.read_bytes() == (tmp_path / "b" / r.photo.name).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "some"), [(["europe"], True), (["europe", "--no-stations"], False), (["usa"], False)]
)
def test_stations_stand_where_they_are_played(tmp_path: Path, arguments: list[str], some: bool) -> None:
    assert main(["studio", arguments[0], str(tmp_path), "--count", "1", "--size", "320x240", *arguments[1:]]) == 0
    (recording,) = recordings.recordings(tmp_path)
    assert bool(recording.truth["stations"]) == some


@pytest.mark.parametrize("board", ["san-francisco", "europe"])
def test_depots_stand_on_any_board(tmp_path: Path, board: str) -> None:
    assert main(["studio", board, str(tmp_path), "--count", "1", "--size", "320x240", "--depots"]) == 0
    (recording,) = recordings.recordings(tmp_path)
    assert recording.problem is None
    assert recording.truth["depots"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["erope", "x"], "unknown-board"),
        (["europe", "x", "--light", "disco"], "no-such-light"),
        (["europe", "x", "--size", "huge"], "bad-size"),
        (["europe", "x", "--size", "99999x10"], "bad-size"),
        (["europe", "x", "--taken", "2"], "bad-share"),
        (["europe", "x", "--count", "0"], "usage"),
        (["europe", "x", "--colors", "mauve"], "no-such-color"),
    ],
)
def test_wrong_wishes_are_told(capsys: pytest.CaptureFixture[str], arguments: list[str], code: str) -> None:
    assert main(["studio", *arguments, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_a_folder_that_cannot_be_written_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert main(["studio", "europe", str(file / "x"), "--count", "1", "--size", "320x240"]) == 2
    assert "can't be written" in capsys.readouterr().err

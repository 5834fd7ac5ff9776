"""`companion read`, `snap`, `enrol` and the practice run, on photos drawn by us."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import practice
from companion.cli import main
from vision.recordings import compare


@pytest.fixture(scope="module")
def truth() -> dict[str, object]:
    told: dict[str, object] = json.loads((practice.FOLDER / "final.json").read_text(encoding="utf-8"))
    return told


def test_the_practice_photo_is_read_right(truth: dict[str, object]) -> None:
    row = compare("practice", practice.read_final(), truth)
    assert row.corner_error is not None
    assert row.corner_error < 0.5
    assert [m.id for m in row.mistakes] == []


def test_score_without_anything_given(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["score"]) == 0
    captured = capsys.readouterr()
    assert "Winner: " in captured.out
    assert "practice game" in captured.err
    picture = cv2.imread(str(tmp_path / "practice-annotated.jpg"))
    assert picture is not None
    assert picture.shape[1] > 1000


def test_read_tells_people_and_programs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    photo, picture = str(practice.FINAL), str(tmp_path / "seen.png")
    with practice.practice_table():
        assert main(["read", photo, "--board", "europe", "--annotate", picture]) == 0
        text = capsys.readouterr().out
        assert "Europe: " in text
        assert main(["read", photo, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
    assert (found["board"], len(found["routes"]), len(found["corners"])) == ("europe", 101, 4)
    assert set(found["seconds"]) >= {"decode", "locate", "read", "total"}
    assert cv2.imread(picture) is not None


def test_snap_scores_a_photo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tickets = tmp_path / "tickets.json"
    tickets.write_text(json.dumps(practice.told()), encoding="utf-8")
    with practice.practice_table():
        assert main(["snap", str(practice.FINAL), "--variant", "europe", "--tickets", str(tickets), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [p["name"] for p in found["players"]] == ["Ada", "Bo", "Chidi", "Dora"]
    assert found["reading"]["board"] == "europe"


def test_several_photos_make_an_array_with_the_highest_exit_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    plain = tmp_path / "plain.png"
    cv2.imwrite(str(plain), np.full((600, 800, 3), 120, np.uint8))
    with practice.practice_table():
        code = main(["read", str(practice.FINAL), str(plain), str(tmp_path / "none.jpg"), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert code == 3
    assert [f.get("error", {}).get("code") for f in found] == [None, "no-board", "no-file"]


def test_a_picture_without_a_board_is_exit_code_3(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plain = tmp_path / "plain.png"
    cv2.imwrite(str(plain), np.random.default_rng(1).integers(0, 255, (700, 900, 3), np.uint8))
    assert main(["read", str(plain), "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "no-board"


@pytest.mark.parametrize("content", [b"", b"this is text, not a picture", b"\xff\xd8\xff\xe0 broken"])
def test_a_file_that_is_no_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "text.jpg"
    file.write_bytes(content)
    assert main(["read", str(file), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["message"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--colors", "rde"], "unknown-color"),
        (["--board", "erope"], "unknown-board"),
        (["--annotate", "out.xyz"], "unknown-photo-ending"),
    ],
)
def test_bad_arguments_of_read(capsys: pytest.CaptureFixture[str], arguments: list[str], error: str) -> None:
    with practice.practice_table():
        assert main(["read", str(practice.FINAL), *arguments, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == error


def test_enrol_by_command(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    corners = json.loads((practice.FOLDER / "empty.json").read_text(encoding="utf-8"))["corners"]
    told = ",".join(str(v) for corner in corners for v in corner)
    assert main(["enrol", str(practice.EMPTY), "--board", "europe", "--corners", told]) == 0
    assert "Learnt" in capsys.readouterr().out
    assert main(["enrol", "--list"]) == 0
    assert "europe" in capsys.readouterr().out
    assert main(["enrol", "--list", "--json"]) == 0
    assert [row["board"] for row in json.loads(capsys.readouterr().out)["enrolled"]] == ["europe"]
    assert main(["enrol", "--forget"]) == 2
    assert "--board" in capsys.readouterr().err
    assert main(["enrol", "--board", "europe", "--forget", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["forgotten"] is True
    assert main(["enrol", str(practice.EMPTY), "--board", "europe", "--corners", "1,2,3", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "bad-corners"

"""The command line: every command known, exit codes and JSON errors as in the contract, one clear sentence each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import COMMANDS, command_parser, main

CONTRACT = ("read", "cards", "tickets", "tunnel", "check", "score", "snap", "replay", "eval", "app", "maps")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return code, captured.out, captured.err


@pytest.mark.parametrize("language", ["en", "fr"])
def test_help_lists_every_command(capsys: pytest.CaptureFixture[str], language: str) -> None:
    code, out, _ = run(capsys, "--lang", language, "--help")
    assert code == 0
    assert all(f"  {name}" in out for name in CONTRACT)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_and_examples(capsys: pytest.CaptureFixture[str], name: str, language: str) -> None:
    code, out, _ = run(capsys, name, "--help", "--lang", language)
    assert code == 0
    assert ("Examples:" if language == "en" else "Exemples :") in out
    assert f"companion {name}" in out


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_parse(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What the help shows as an example is understood."""
    _, out, _ = run(capsys, name, "--help")
    examples = [line.split() for line in out.split("Examples:")[1].splitlines() if line.startswith("  companion")]
    assert examples
    for example in examples:
        command_parser(name, "en").parse_args(example[2:])


def test_no_command_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys)
    assert code == 0
    assert "score" in out


@pytest.mark.parametrize(
    ("arguments", "code", "error", "says"),
    [
        (["scor"], 2, "unknown-command", "'score'"),
        (["xyzzy"], 2, "no-such-command", "Commands: "),
        (["read"], 2, "usage", "required: PHOTO"),
        (["read", "nothing.jpg"], 2, "no-file", "nothing.jpg"),
        (["read", "nothing.jpg", "--bord", "usa"], 2, "usage", "--bord"),
        (["tickets", "nothing.jpg"], 2, "usage", "--board"),
        (["tickets", "nothing.jpg", "--board", "erope"], 2, "unknown-board", "'europe'"),
        (["maps", "erope"], 2, "unknown-board", "'europe'"),
        (["maps", "--draw", "nowhere", "x.png"], 2, "no-such-board", "Boards: "),
        (["score", "nothing.json"], 2, "no-file", "nothing.json"),
        (["check", "nothing.json", "nothing.json"], 2, "no-file", "nothing.json"),
    ],
)
def test_bad_input_is_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, error: str, says: str
) -> None:
    found, out, err = run(capsys, *arguments)
    assert (found, out) == (code, "")
    assert says in err
    assert len(err.strip().splitlines()) == 1
    found, out, err = run(capsys, *arguments, "--json")
    assert (found, err) == (code, "")
    answer = json.loads(out)
    assert answer["error"]["code"] == error
    assert says in answer["error"]["message"]


def test_errors_come_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capsys, "read", "--lang", "fr")
    assert "il manque : PHOTO" in err
    _, _, err = run(capsys, "read", "rien.jpg", "--lang=fr")
    assert err.startswith("Il n'y a pas de fichier « rien.jpg ».")


@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2", b"\xff\xfe", b"[" * 50_000])
def test_broken_json_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "position.json"
    file.write_bytes(content)
    code, out, _ = run(capsys, "score", str(file), "--json")
    assert code == 2
    assert json.loads(out)["error"]["code"] in ("empty-file", "bad-json", "not-json")


def test_a_folder_is_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "score", str(tmp_path))
    assert code == 2
    assert "is a folder" in err


def test_a_bug_is_one_sentence_and_leaves_its_traceback_aside(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setattr("companion.cli.maps.available", lambda: 1 / 0)
    code, _, err = run(capsys, "maps")
    assert code == 2
    assert "ZeroDivisionError" in err
    assert "Traceback" in (tmp_path / "last-error.txt").read_text(encoding="utf-8")

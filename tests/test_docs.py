"""What the documents show works: the worked example of a board, links between files, commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from companion.cli import COMMANDS, command_parser, main
from maps import load, validate

ROOT = Path(__file__).resolve().parent.parent
FRONT = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
DOCUMENTS = sorted([*FRONT, *(ROOT / "docs").rglob("*.md"), *(ROOT / "models").rglob("*.md")])


def test_the_worked_example_of_a_board_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    text = (ROOT / "docs" / "adding-a-board.md").read_text(encoding="utf-8")
    folder = tmp_path / "maps" / "my-island"
    folder.mkdir(parents=True)
    files = re.findall(r"`(\w+\.json)`(?:(?!```).)*?```json\n(.*?)```", text, re.DOTALL)
    assert {name for name, _ in files} == {"meta.json", "cities.json", "routes.json", "tickets.json"}
    for name, content in files:
        (folder / name).write_text(content, encoding="utf-8")
    assert validate(folder) == []
    assert load("my-island").routes["east-west-gray"].locomotives == 2


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", document.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (document.parent / target).exists(), target


def _shown(document: Path) -> list[list[str]]:
    """Commands of the program as a document shows them, on lines of their own or among words, without remarks."""
    text = document.read_text(encoding="utf-8")
    lines = re.findall(r"^(?:\$ )?(?:companion|python3 run\.py) ([a-z]+.*)$", text, re.MULTILINE)
    among = re.findall(r"`(?:companion|python3 run\.py) ([a-z]+[^`]*)`", text)
    return [shlex.split(command, comments=True) for command in (*lines, *among)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_and_their_options_exist(document: Path) -> None:
    for name, *arguments in _shown(document):
        if name in ("test", "attack", "lock"):
            continue
        assert name in COMMANDS
        known = command_parser(name, "en").format_help()
        for option in (word for word in arguments if word.startswith("--")):
            assert re.search(rf"{re.escape(option)}\b", known), f"companion {name} {option}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_that_are_started_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for module in re.findall(r"python3? -m ((?:bench|companion|maps|models|package|tests|vision)[\w.]*)", text):
        path = ROOT.joinpath(*module.split("."))
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module
    for script in re.findall(r"python3? ((?:bench|models|package|tests)/[\w/.]+\.py)", text):
        assert (ROOT / script).is_file(), script


@pytest.mark.parametrize("document", FRONT, ids=lambda p: p.name)
def test_parts_of_the_tests_exist(document: Path) -> None:
    for name, *arguments in _shown(document):
        if name == "test":
            options = {word for word in arguments if word.startswith("--")}
            assert options <= {"--fast", "--checks", "--tests", "--no-screen"}
            assert all((ROOT / word).exists() for word in arguments if "/" in word)


# What needs no photo, no file of somebody's and no screen is really run; an option named among words is no command.
CHEAP = [c for c in _shown(ROOT / "README.md") if c[0] in ("maps", "rules", "tunnel") and c != ["maps", "--draw"]]


@pytest.mark.parametrize("command", CHEAP, ids=" ".join)
def test_what_the_readme_shows_really_runs(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(command) == 0, capsys.readouterr()


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [int(file.name[:3]) for file in (ROOT / "docs" / "decisions").glob("*.md")]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))


def test_the_tests_that_hold_an_evening_exist() -> None:
    """What became of a new user's findings is told by the names of tests."""
    text = (ROOT / "docs" / "first-evening.md").read_text(encoding="utf-8")
    files = list((ROOT / "tests").rglob("test_*.py"))
    written = {name for path in files for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))}
    named = set(re.findall(r"`(test_\w+)(?:\.py)?`", text))
    assert named - written - {path.stem for path in files} == set()

"""What the documents show works: the worked example of a board, links between files, commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli import COMMANDS
from maps import load, validate

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "models").rglob("*.md")])


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


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    shown = re.findall(r"^(?:\$ )?(?:companion|python3 run\.py) ([a-z]+)", text, re.MULTILINE)
    assert set(shown) <= {*COMMANDS, "test"}


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

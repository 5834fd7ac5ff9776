"""Any switches a type checker off: every module that needs it says on the line of its import why."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("bench", "companion", "maps", "models", "package", "tests", "vision", "main.py", "run.py")


def _files() -> Iterator[Path]:
    for room in ROOMS:
        yield from [ROOT / room] if room.endswith(".py") else sorted((ROOT / room).rglob("*.py"))


def unexplained(source: str) -> list[str]:
    """Ways to Any without a word why: the import's line, or the name taken from the module."""
    lines, found = source.splitlines(), []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "typing":
            at = [lines[name.lineno - 1] for name in node.names if name.name == "Any"]
        elif isinstance(node, ast.Attribute) and node.attr == "Any":
            at = [lines[node.lineno - 1]]
        else:
            continue
        found += [line for line in at if not line.partition("# Any: ")[2].strip()]
    return found


def test_every_any_has_a_word_why() -> None:
    silent = [str(file.relative_to(ROOT)) for file in _files() if unexplained(file.read_text(encoding="utf-8"))]
    assert silent == []


@pytest.mark.parametrize(
    ("source", "silent"),
    [
        ("from typing import Any", True),
        ("from typing import Any, ClassVar  # noqa", True),
        ("from typing import Any  # Any: ", True),
        ("import typing\nx: typing.Any", True),
        ("from typing import Any, ClassVar  # Any: JSON", False),
        ("from typing import ClassVar", False),
    ],
)
def test_a_silent_one_is_found(source: str, silent: bool) -> None:
    assert bool(unexplained(source)) is silent

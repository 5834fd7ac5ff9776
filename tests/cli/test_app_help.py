"""`companion app --help` names every setting that the program takes from its environment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli import command_parser

_USED = re.compile(r"""environ(?:\.get\(|\.setdefault\(|\[)\s*["'](COMPANION_\w+)""")
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_setting_is_told(language: str) -> None:
    told = command_parser("app", language).format_help()
    used = {
        name
        for folder in ("companion", "maps", "vision")
        for file in (ROOT / folder).rglob("*.py")
        for name in re.findall(
            r"""environ(?:\.get\(|\.setdefault\(|\[)\s*["'](COMPANION_\w+)""", file.read_text("utf-8")
        )
    }
    assert len(used) >= 5
    assert {name for name in used if name not in told} == set()

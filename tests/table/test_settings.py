"""Settings: kept and found again, and never a reason not to start."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.settings import Seat, Settings, load_settings, save_settings


def test_settings_come_back_as_they_were(tmp_path: Path) -> None:
    settings = Settings("fr", "dark", True, (Seat("Ada", "blue"),), "usa", ("warehouses-depots",), (), "game.jsonl")
    save_settings(settings, tmp_path)
    assert load_settings(tmp_path) == settings


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, Settings()),
        ("", Settings()),
        ("[1, 2]", Settings()),
        ('{"language": 7, "look": "dark"}', Settings(look="dark")),
        ('{"language": "de"}', Settings()),
        ('{"seats": [{"name": "Ada"}, 3], "record": "yes"}', Settings(seats=(Seat("Ada"),))),
        ('{"unheard-of": 1, "record": true}', Settings(record=True)),
    ],
)
def test_what_cannot_be_read_is_as_on_the_first_day(tmp_path: Path, content: str | None, expected: Settings) -> None:
    if content is not None:
        (tmp_path / "settings.json").write_text(content, encoding="utf-8")
    assert load_settings(tmp_path) == expected

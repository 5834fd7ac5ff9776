"""`companion maps`: the list with its stages, the check, the drawings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from companion.cli import main
from maps import available


def test_list_shows_the_stage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["maps"]) == 0
    out = capsys.readouterr().out
    assert "asia: Asia (teams), beta - 46 cities, 126 routes, 0 tickets" in out
    assert "usa: USA, stable" in out
    assert "We don't know its 60 tickets yet" in out


def test_list_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["maps", "asia", "--lang", "fr"]) == 0
    out = capsys.readouterr().out
    assert "bêta" in out
    assert "Nous ne connaissons pas encore ses 60 destinations" in out


def test_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["maps", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [b["id"] for b in told] == list(available())
    assert next(b for b in told if b["id"] == "san-francisco")["stage"] == "beta"


def test_check_passes_on_all_boards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["maps", "--check"]) == 0
    assert capsys.readouterr().out.count("0 problems") == len(available())


def test_check_of_a_folder_names_what_is_wrong(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "meta.json").write_text("{}", encoding="utf-8")
    assert main(["maps", "--check", str(folder)]) == 2
    out = capsys.readouterr().out
    assert "cities.json: the file is missing" in out


def test_a_broken_board_of_ones_own_does_not_hide_the_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    (tmp_path / "maps" / "mine").mkdir(parents=True)
    (tmp_path / "maps" / "mine" / "meta.json").write_text("{", encoding="utf-8")
    assert main(["maps"]) == 0
    captured = capsys.readouterr()
    assert "usa: USA" in captured.out
    assert "'mine' can't be used" in captured.err


@pytest.mark.parametrize("dark", [False, True])
def test_draw_png(tmp_path: Path, dark: bool) -> None:
    picture = tmp_path / "san-francisco.png"
    assert main(["maps", "--draw", "san-francisco", str(picture), "--width", "400", *(["--dark"] if dark else [])]) == 0
    with Image.open(picture) as image:
        assert image.width == 400
        assert len(image.convert("RGB").getcolors(1_000_000) or []) > 100


def test_draw_svg(tmp_path: Path) -> None:
    picture = tmp_path / "usa.svg"
    assert main(["maps", "--draw", "usa", str(picture)]) == 0
    assert "Atlanta" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize(("picture", "code"), [("usa.bmpx", 2), ("no/such/folder/usa.png", 2)])
def test_draw_where_it_cannot(capsys: pytest.CaptureFixture[str], tmp_path: Path, picture: str, code: int) -> None:
    assert main(["maps", "--draw", "usa", str(tmp_path / picture)]) == code
    assert len(capsys.readouterr().err.strip().splitlines()) == 1

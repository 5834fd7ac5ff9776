"""What strangers hand over: nothing of it ends the program, hides what is there, or leaves something behind."""

from __future__ import annotations

import csv
import io
import json
import os
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

import maps
from companion.lang import tell
from companion.rules import Position, score
from companion.table.game import Game
from companion.table.history import History, as_csv, as_json, from_csv
from companion.table.parcel import Parcel
from companion.ui.desk import Desk
from companion.ui.models.new_game import boards as boards_to_play
from companion.ui.models.table import pieces_of
from maps import Trouble
from maps.drawing import scene
from maps.given import cell, from_cell, read_file, read_json
from tests.attack import strangers
from tests.attack.strangers import past
from vision import codes


@pytest.mark.parametrize("of", ["501", "50000000", "999999999", "9" * 5000, "٣", "0"])
def test_one_code_takes_no_memory(of: str) -> None:
    text = f"COMPANION:1:AAAAAAAA:1:{of}:00"
    assert codes.part(text) is None
    assert codes.missing([text]) == []
    with pytest.raises(Trouble, match="code-not-a-game"):
        codes.unpack([text])


def test_bent_parcels() -> None:
    strangers.parcels(400, 1).held()


def test_bent_histories() -> None:
    strangers.histories(60, 1).held()


def test_malformed_json() -> None:
    strangers.malformed_json(900, 1).held()


def test_hostile_boards() -> None:
    strangers.boards(60, 1).held()


def test_a_parcel_of_too_many_lines_leaves_nothing(tmp_path: Path) -> None:
    lines = [{"format": 1}, *({"id": n} for n in range(190_000))]
    data = json.dumps({"lines": lines}).encode()
    with pytest.raises(Trouble, match="code-damaged"):
        Parcel.unpack(data)


def test_a_parcel_that_can_not_be_played_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def short(_: Path) -> Game:
        raise MemoryError

    monkeypatch.setattr(Game, "open", short)
    with pytest.raises(MemoryError):
        Parcel(({"format": 1},)).write(tmp_path / "arrived.jsonl")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    ["[" * 2000, '{"a": 1e999}', "9" * 5000, '{"a": NaN}', "[" * 41 + "]" * 41, "\ufeff", '"' + "\\" * 9, b"\xff\xfe"],
)
def test_json_beyond_the_limits_is_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 any of them
        read_json(text)


def test_json_with_too_many_things_is_refused_before_it_is_built() -> None:
    assert read_json("[1,2,3]", things=5) == [1, 2, 3]
    with pytest.raises(ValueError, match="too many"):
        read_json("[1,2,3]", things=3)
    with pytest.raises(ValueError, match="too long"):
        read_json("[1,2,3]", most=3)
    assert read_json('["[[[,,,", "\\"[[["]', things=4) == ["[[[,,,", '"[[[']


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices as Unix has them")
def test_pipes_and_devices_are_no_files(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), Path("/dev/urandom"), tmp_path):
        with pytest.raises(OSError, match=r"device|directory"):
            read_file(path)
    (tmp_path / "large").write_bytes(b"x" * 11)
    with pytest.raises(OSError, match="too large"):
        read_file(tmp_path / "large", 10)
    with pytest.raises(Trouble, match="journal-not-read"):
        Game.read(pipe)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rank": "1e999"}, "not-a-history"),
        ({"total": 10**40}, "not-a-history"),
        ({"name": ["x"]}, "not-a-history"),
        ({"breakdown": {"=2+5": "=cmd()"}}, "not-a-history"),
    ],
)
def test_an_import_is_all_or_nothing(tmp_path: Path, change: dict[str, Any], code: str) -> None:
    games = json.loads(as_json([past(n) for n in range(3)]))["games"]
    games[2]["players"][0] |= change
    file = tmp_path / "games.json"
    file.write_text(json.dumps({"games": games}).replace('"1e999"', "1e999"))
    history = History(tmp_path / "history")
    with pytest.raises(Trouble, match=code):
        history.take_in(file)
    assert not history.folder.exists() or list(history.folder.iterdir()) == []


def test_the_same_game_twice_counts_once_and_any_script_is_fine(tmp_path: Path) -> None:
    rows = [asdict(past()), asdict(past()), {**asdict(past(2)), "id": "партия-١"}, {**asdict(past(3)), "id": "nul"}]
    file = tmp_path / "games.json"
    file.write_text(json.dumps({"games": rows[:3]}))
    history = History(tmp_path / "history")
    assert history.take_in(file) == 2
    assert len(history.games()) == 2
    file.write_text(json.dumps({"games": rows[3:]}))
    with pytest.raises(Trouble):
        history.take_in(file)


@pytest.mark.parametrize("damage", ["[" * 9000, "{", '{"id": "x"}', "\x00", '{"players": 1e999}'])
def test_a_damaged_file_hides_no_game_and_is_named(tmp_path: Path, damage: str) -> None:
    history = History(tmp_path)
    history.keep(past())
    (tmp_path / "zzz.json").write_text(damage)
    assert history.games() == [past()]
    assert history.damaged == ("zzz.json",)


def test_a_damaged_journal_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path)
    (tmp_path / "games").mkdir()
    strangers.running(tmp_path / "games")
    for n, text in enumerate(("", "{}", '{"format": 2, "variant": "usa", "players": [{"name": []}]}\n')):
        (tmp_path / "games" / f"bad{n}.jsonl").write_text(text)
    assert [g.journal.path.name for g in desk.aside()] == ["game.jsonl"]
    assert sorted(desk.damaged) == ["bad0.jsonl", "bad1.jsonl", "bad2.jsonl"]
    desk.close()


def test_no_cell_is_a_formula_and_all_come_back() -> None:
    for told in strangers.cells():
        assert told.startswith("'")
        assert cell(from_cell(told)) == told
    wild = "\t=cmd()"
    game = past()
    players = tuple(type(p)(wild, "=x", p.rank, -5, {"=2+5": -3}) for p in game.players)
    odd = type(game)(game.id, "=1+1", "usa", "usa", players, (wild,))
    table = as_csv([odd])
    for row in csv.reader(io.StringIO(table)):
        assert all(not c.startswith(("=", "+", "@", "\t", "\r")) for c in row)
        assert all(not c.startswith("-") or c[1:].isdigit() for c in row)
    (again,) = from_csv(table)
    assert (again.date, again.players) == (odd.date, odd.players)


@pytest.mark.parametrize("folder", ["-dash", "UPPER", "a b", "ok"])
def test_a_bad_board_of_ones_own_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.cli import main

    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    place = tmp_path / "maps" / folder
    place.mkdir(parents=True)
    (place / "meta.json").write_text("{}")
    assert {b.id for b in boards_to_play()} >= {"usa", "europe"}
    assert main(["maps", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) >= 7
    assert main(["read", "none.jpg", "--colors", "red"]) == 2
    assert "none.jpg" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="pipes as Unix has them")
def test_a_pipe_in_a_board_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    place = tmp_path / "maps" / "mine"
    place.mkdir(parents=True)
    (place / "meta.json").write_text("{}")
    for part in ("cities", "routes", "tickets"):
        os.mkfifo(place / f"{part}.json")
    problems: list[str] = []
    reading = threading.Thread(target=lambda: problems.extend(map(str, maps.validate(place))), daemon=True)
    reading.start()
    reading.join(5)
    assert any("device or a pipe" in p for p in problems)


def test_a_game_in_a_colour_of_no_box_is_drawn() -> None:
    players = [
        {"name": "Ada", "color": "chartreuse", "routes": ["atlanta-charleston-gray"], "tickets": []},
        {"name": "محمد", "color": "red"},
    ]
    position = Position.from_json({"variant": "usa", "players": players})
    score(position)
    pieces = pieces_of(position)
    assert scene(position.board, owners=pieces.owners).shapes


@pytest.mark.parametrize("name", ["x" * 300, "x\x00y", "é" * 200])
def test_a_name_too_long_for_any_disk_is_no_file(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from companion.cli import main

    assert main(["score", name]) == 2
    assert "There is no file" in capsys.readouterr().err


def test_what_is_refused_is_told_in_a_sentence() -> None:
    with pytest.raises(Trouble) as trouble:
        Parcel.unpack(b"[[[[")
    assert "damaged" in tell(trouble.value.message)


@pytest.mark.parametrize(
    "more",
    [
        {"routes": [f"x{i}" for i in range(10_000)]},
        {"tickets": [f"x{i}--y" for i in range(10_000)]},
        {"stations": [f"x{i}" for i in range(10_000)]},
    ],
)
def test_thousands_of_unknown_names_take_no_time(more: dict[str, Any]) -> None:
    began = time.process_time()
    score(Position.from_json({"variant": "europe", "players": [{"name": "Ada", "color": "red", **more}]}))
    assert time.process_time() - began < 3


def test_thousands_of_players_are_no_table() -> None:
    players = [{"name": f"P{i}", "color": "red"} for i in range(10_000)]
    with pytest.raises(Trouble, match="bad-position"):
        Position.from_json({"variant": "usa", "players": players})

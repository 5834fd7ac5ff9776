"""What is on disk stays there: full disks, kills, two windows, clocks that jump, folders that can't be written."""

from __future__ import annotations

import json
import os
import resource
import time
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from companion.lang import tell
from companion.rules import DrawCards, Player, action_json
from companion.table.game import Game
from companion.table.history import History, next_name
from companion.table.settings import Settings, load_settings, save_settings
from companion.ui.desk import Desk
from maps import Trouble
from maps.disk import write_whole
from tests.attack import files
from tests.attack.files import PLAYERS, draw, full_after
from vision import codes

unix = pytest.mark.skipif(os.name == "nt", reason="kills and limits as Unix has them")


@unix
def test_a_full_disk_loses_nothing_that_was_acknowledged() -> None:
    files.full_disk(20, 1).held()


@unix
def test_a_kill_leaves_the_old_or_the_new() -> None:
    files.kills(12, 1).held()


def test_a_torn_or_flipped_journal_opens_and_goes_on() -> None:
    files.torn_and_flipped(200, 1).held()


@unix
def test_a_file_that_is_replaced_is_whole_or_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    write_whole(file, "old")
    with full_after(1000), pytest.raises(OSError, match="too large"):
        write_whole(file, "x" * 5000)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_what_a_killed_program_left_is_swept_away(tmp_path: Path) -> None:
    left, fresh = tmp_path / "boxes.json.77-1.part", tmp_path / "boxes.json.78-1.part"
    for part in (left, fresh):
        part.write_text("half")
    os.utime(left, (0, 0))
    write_whole(tmp_path / "boxes.json", "{}")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["boxes.json", fresh.name]


@unix
def test_a_full_disk_is_one_sentence_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    desk = Desk(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with full_after(0):
        for work in (
            lambda: save_settings(Settings(), tmp_path),
            lambda: codes.remember_box("4005556", "usa"),
            lambda: History(tmp_path / "history").keep(files._past(1)),
            lambda: desk.begin(lambda path: Game.new(path, "usa", PLAYERS)),
        ):
            with pytest.raises(Trouble) as trouble:
                work()
            assert "File too large" in tell(trouble.value.message)
        desk.change(language="fr")
    assert desk.unsaved is not None
    assert desk.language == "fr"
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == before
    desk.close()


def test_a_second_window_says_so_and_looks_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    first = Game.new(path, "usa", PLAYERS)
    draw(first)
    second = Game.open(path)
    assert [m.key for m in second.told] == ["table.in-use"]
    assert second.position == first.position
    with pytest.raises(Trouble, match="journal-in-use"):
        draw(second)
    with pytest.raises(Trouble, match="journal-in-use"):
        second.journal.delete()
    draw(first)
    first.close()
    third = Game.open(path)
    assert third.told == ()
    assert len(third.entries) == 2
    draw(third)
    third.close()


@unix
def test_a_killed_window_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    Game.new(path, "usa", PLAYERS).close()

    def hold(told: object) -> None:
        game = Game.open(path)
        game.undo()
        time.sleep(60)

    files._killed(hold, 0.2)
    game = Game.open(path)
    assert not game.told
    draw(game)
    game.close()


def test_a_game_that_was_deleted_is_not_made_anew_without_its_header(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = Game.new(path, "usa", PLAYERS)
    path.unlink()
    with pytest.raises(Trouble, match="journal-not-written"):
        draw(game)
    assert not path.exists()
    game.close()


def test_a_read_only_game_with_a_torn_line_can_be_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    game = Game.new(path, "usa", PLAYERS)
    draw(game)
    game.close()
    with path.open("ab") as file:
        file.write(b'{"id":2,"do":{"acti')

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr("companion.table.journal.os.ftruncate", refused)
        game = Game.open(path)
        assert len(game.entries) == 1
        with pytest.raises(Trouble, match="Permission denied"):
            draw(game)
    draw(game)
    game.close()
    assert len(Game.read(path).entries) == 2
    assert Game.read(path).told == ()


def test_a_journal_costs_as_much_as_it_is_long(tmp_path: Path) -> None:
    seconds = {}
    for n in (2_500, 10_000):
        path = tmp_path / f"{n}.jsonl"
        game = Game.new(path, "usa", PLAYERS)
        told = [action_json(DrawCards(p.name, files.BLIND), game.position) for p in PLAYERS]
        game.close()
        with path.open("a") as file:
            file.writelines(json.dumps({"id": i, "do": told[(i - 1) % 2]}) + "\n" for i in range(1, n + 1))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.process_time()
        game = Game.open(path)
        seconds[n] = time.process_time() - began
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        assert len(game.entries) == n
        assert grown < 50
        game.close()
    assert seconds[10_000] < 8 * seconds[2_500]


def test_undo_far_back_gives_the_position_of_that_moment(tmp_path: Path) -> None:
    game = Game.new(tmp_path / "game.jsonl", "usa", PLAYERS)
    positions = [game.position]
    for _ in range(150):
        draw(game)
        positions.append(game.position)
    for n in range(149, 20, -1):
        game.undo()
        assert game.position == positions[n]
    for n in range(22, 60):
        game.redo()
        assert game.position == positions[n]
    game.close()


def test_a_clock_that_jumps_changes_no_order(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    names = []
    for year in (2026, 1970, 2026, 2001):
        desk.clock = partial(datetime, year, 5, 1, 20, 30)
        names.append(desk.begin(lambda path: Game.new(path, "usa", PLAYERS)).journal.path.name)
    assert names == sorted(names)
    assert [g.journal.path.name for g in desk.aside()] == list(reversed(names[:-1]))
    desk.close()
    assert next_name(datetime(2001, 1, 1), ["99990101-000000-000"]).startswith("2001")  # noqa: DTZ001


@pytest.mark.parametrize("text", ["[" * 100_000, '{"language": 1e999, "seats": [{}, 3]}', "\x00", '"\\ud800"'])
def test_settings_of_any_kind_are_those_of_the_first_day(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.json").write_text(text)
    assert load_settings(tmp_path).language == ""


def test_a_name_with_half_a_letter_is_kept(tmp_path: Path) -> None:
    save_settings(Settings(variant="\ud800"), tmp_path)
    assert load_settings(tmp_path).variant == "\ud800"
    game = Game.new(tmp_path / "game.jsonl", "usa", (Player("\ud83d", "red"), Player("B", "blue")))
    game.close()
    assert Game.read(tmp_path / "game.jsonl").position.players[0].name == "\ufffd"


def test_a_game_that_another_window_has_can_be_played_once_it_is_free(tmp_path: Path) -> None:
    first, second = Desk(tmp_path), Desk(tmp_path)
    game = first.begin(lambda path: Game.new(path, "usa", PLAYERS))
    second.change(game=game.journal.path.name)
    assert second.game is not None
    assert second.game.journal.closed
    first.close()
    second.look_again()
    assert second.game is not None
    draw(second.game)
    second.close()

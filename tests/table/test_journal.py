"""The journal: nothing but the line being written is ever lost, and whatever is wrong with a file is said."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

from companion.lang import tell
from companion.rules import DEPOTS
from companion.table import journal as files
from companion.table.game import Game
from companion.table.journal import Journal
from maps import Trouble
from tests.play.bots import open_game, take_turn
from tests.play.simulate import Simulation

FORMAT_1 = Path(__file__).with_name("format-1.jsonl")


def recorded(path: Path, variant: str = "europe", turns: int = 60) -> Game:
    """A game in full swing, with an undo, a redo and a correction in its journal."""
    simulation = Simulation(variant, 3, 5, (DEPOTS,))
    game = Game.new(path, variant, simulation.players, (DEPOTS,), {}, simulation.setup)
    simulation.on_disk = game.do
    open_game(simulation)
    for i in range(turns):
        take_turn(simulation)
        if i % 20 == 10:
            game.undo()
            game.redo()
    last = game.entries[-1]
    assert last.action is not None
    game.correct(last.id, last.action, last.outcome)
    assert game.position == simulation.position
    return game


def test_cut_at_200_points_only_the_line_being_written_is_lost(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    recorded(whole)
    data = whole.read_bytes()
    lines = data.splitlines(keepends=True)
    rng = random.Random(11)
    header = len(lines[0])
    cuts = [header, header + 1, len(data), len(data) - 1, *(rng.randrange(header, len(data)) for _ in range(196))]
    for cut in cuts:
        path = tmp_path / "cut.jsonl"
        path.write_bytes(data[:cut])
        finished = data[:cut].count(b"\n") - 1
        torn = not data[:cut].endswith(b"\n") and cut + 1 != sum(len(x) for x in lines[: finished + 2])
        found = Journal.read(path)
        kept = [json.loads(x) for x in lines[1:] if data.index(x) + len(x) - 1 <= cut]
        assert found.lines == kept
        assert len(kept) >= finished
        assert bool(found.told) is torn
        opened = Journal.open(path)
        assert opened.lines[: len(kept)] == kept
        if torn:
            assert "cut off" in tell(opened.told[0])
            assert opened.lines[-1]["torn"] == data[:cut].split(b"\n")[-1].decode(errors="replace")
        opened.append({"undo": True})
        opened.close()
        again = Journal.open(path)
        assert not again.told
        assert again.lines == opened.lines
        again.close()


def test_a_cut_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    before = recorded(path, turns=12)
    before.close()
    path.write_bytes(path.read_bytes()[:-25])
    game = Game.open(path)
    # The correction was the line being written: the action stands as it was first told.
    assert [e.id for e in game.entries] == [e.id for e in before.entries]
    assert not game.problems
    assert [m.key for m in game.told] == ["table.torn-line"]
    game.close()
    assert Game.open(path).told == ()


def test_a_header_cut_in_two_is_no_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    for data in (b"", b"\n", b'{"format":1,"variant":"us', b'{"variant":"usa"}\n', b"[]\n", b"\xff\xfe\x00"):
        path.write_bytes(data)
        with pytest.raises(Trouble) as trouble:
            Game.open(path)
        assert trouble.value.code == "not-a-journal"
    with pytest.raises(Trouble) as trouble:
        Game.open(tmp_path / "none.jsonl")
    assert trouble.value.code == "no-file"


@pytest.mark.parametrize("junk", [b"\x00" * 40, b"{]", b'{"do":{}}', b"\xff\xfe", b"7"])
def test_a_damaged_line_is_named_and_the_rest_is_there(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "game.jsonl"
    recorded(path, turns=12)
    lines = path.read_bytes().splitlines()
    good = [json.loads(x) for i, x in enumerate(lines[1:]) if i != 9]
    lines[10] = junk
    path.write_bytes(b"\n".join(lines) + b"\n")
    game = Game.open(path)
    assert game.journal.lines == good
    assert [(m.key, m.values["line"]) for m in game.told] == [("table.damaged-line", 11)]
    # The file keeps it: somebody may still read it.
    assert junk in path.read_bytes()
    game.undo()
    assert len(Game.read(path).journal.lines) == len(good) + 1


def test_a_file_with_windows_line_ends_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = recorded(path, turns=5)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert Game.read(path).position == game.position


def test_a_new_game_never_replaces_another(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    recorded(path, turns=1)
    before = path.read_bytes()
    with pytest.raises(Trouble) as trouble:
        recorded(path)
    assert trouble.value.code == "journal-exists"
    assert path.read_bytes() == before


def test_a_folder_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(Trouble) as trouble:
        recorded(tmp_path / "file" / "game.jsonl")
    assert trouble.value.code == "journal-not-written"


def test_a_journal_of_the_first_format_reads_as_it_always_did() -> None:
    game = Game.read(FORMAT_1)
    assert not game.problems
    assert game.over
    # Rulings have changed since; what was recorded stands.
    assert [m.key for m in game.told] == ["table.other-rules"]
    totals = {p.name: p.total for p in game.score().players}
    assert totals == json.loads(FORMAT_1.with_suffix(".expected.json").read_text("utf-8"))


def test_a_newer_journal_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(FORMAT_1.read_text("utf-8").replace('"format":1', '"format":99'), "utf-8")
    with pytest.raises(Trouble) as trouble:
        Game.open(path)
    assert trouble.value.code == "newer-journal"
    assert "99" in tell(trouble.value.message)


def test_older_lines_take_every_step_to_the_format_of_today(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def second(line: dict[str, Any], place: int) -> dict[str, Any]:
        return {**line, "place": place}

    def third(line: dict[str, Any], place: int) -> dict[str, Any]:
        return {**line, "place": [line["place"], place]}

    path = tmp_path / "game.jsonl"
    path.write_text(FORMAT_1.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(files, "FORMAT", 3)
    monkeypatch.setattr(files, "STEPS", {1: second, 2: third})
    journal = Journal.read(path)
    assert journal.header["format"] == 3
    assert journal.header["place"] == [0, 0]
    assert journal.lines[0]["place"] == [1, 1]


def test_there_is_a_step_from_every_older_format() -> None:
    assert sorted(files.STEPS) == list(range(1, files.FORMAT))


def test_other_rules_are_told(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(FORMAT_1.read_text("utf-8").replace('"rules":1', '"rules":0'), "utf-8")
    assert [m.key for m in Game.read(path).told] == ["table.other-rules"]


WRITER = """
import sys
from pathlib import Path
from companion.rules import DrawCards, DrawnCard
from companion.table.game import Game
game = Game.open(Path(sys.argv[1]))
while True:
    game.do(DrawCards(game.position.turn, (DrawnCard("deck"), DrawnCard("deck"))))
    print(len(game.entries), flush=True)
"""


def test_killed_while_writing_nothing_that_was_said_to_be_written_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    Game.new(path, "usa", Simulation("usa", 2, 1).players)
    for wanted in (5, 9, 20):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            said = 0
            while said < wanted:
                said = int(writer.stdout.readline())
            writer.kill()
            rest = writer.stdout.read().split()
        said = max([said, *(int(n) for n in rest)])
        assert said <= len(Game.open(path).entries) <= said + 1

"""Finished games: kept, counted, exported, taken in again."""

from __future__ import annotations

import csv
import io
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion.rules import Position, score
from companion.table.history import History, PastGame, PastPlayer, as_csv, past_game
from maps import Trouble

WHEN = datetime(2026, 5, 1, 20, 30)  # noqa: DTZ001


def _game(i: int, totals: dict[str, int], board: str = "usa") -> PastGame:
    players = tuple(PastPlayer(n, "red", 1, t, {"routes": t}) for n, t in totals.items())
    best = max(totals.values())
    return PastGame(f"g{i}", "2026", board, board, players, tuple(n for n, t in totals.items() if t == best))


def test_a_game_is_kept_with_its_position(tmp_path: Path) -> None:
    players = [{"name": "Ada", "color": "red", "routes": ["atlanta-charleston-gray"], "tickets": []}]
    position = Position.from_json({"variant": "usa", "players": players})
    history = History(tmp_path)
    history.keep(past_game(position, score(position), WHEN))
    (kept,) = history.games()
    assert kept.names == ("Ada",)
    again = Position.from_json(dict(kept.position))
    assert score(again) == score(position)


def test_the_newest_comes_first_and_a_broken_file_is_left_out(tmp_path: Path) -> None:
    position = Position.from_json({"variant": "usa", "players": [{"name": "A", "color": "red"}]})
    history = History(tmp_path)
    for days in (0, 2, 1):
        history.keep(past_game(position, score(position), WHEN + timedelta(days=days)))
    (tmp_path / "99999999.json").write_text("{", encoding="utf-8")
    assert [g.date[:10] for g in history.games()] == ["2026-05-03", "2026-05-02", "2026-05-01"]


def test_export_and_import_bring_every_game_once(tmp_path: Path) -> None:
    one, other = History(tmp_path / "one"), History(tmp_path / "other")
    for i in (1, 2):
        one.keep(_game(i, {"Ada": 10 * i}))
    other.keep(_game(2, {"Ada": 20}))
    file = tmp_path / "games.json"
    assert one.export(file) == 2
    assert other.take_in(file) == 1
    assert other.take_in(file) == 0
    assert {g.id for g in other.games()} == {"g1", "g2"}


@pytest.mark.parametrize("content", ["", "[]", '{"games": 3}', '{"games": [{"id": "../evil"}]}', '{"games": [{}]}'])
def test_a_file_without_games_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(Trouble):
        History(tmp_path / "h").take_in(file)
    assert not (tmp_path / "evil.json").exists()


def test_a_name_is_never_a_formula_in_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv([_game(1, {"=1+1": 5})]))))
    assert rows[0]["player"] == "'=1+1"
    assert rows[0]["total"] == "5"


def test_export_as_csv_has_a_row_per_player(tmp_path: Path) -> None:
    history = History(tmp_path / "h")
    history.keep(_game(1, {"Ada": 1, "Bo": 2}))
    file = tmp_path / "games.csv"
    history.export(file)
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3
    # Excel wants to be told that this is UTF-8.
    assert file.read_bytes().startswith(b"\xef\xbb\xbf")


def test_deleting_is_for_ever(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.keep(_game(1, {"Ada": 1}))
    history.delete("g1")
    history.delete("g1")
    assert history.games() == []
    assert list(tmp_path.iterdir()) == []


def test_a_table_is_taken_in_with_names_that_look_like_formulas(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    game = _game(1, {"=Ada": 90})
    history.keep(game)
    file = tmp_path / "games.csv"
    history.export(file)
    history.delete(game.id)
    assert history.take_in(file) == 1
    (again,) = history.games()
    assert (again.players, again.winners, again.board) == (game.players, game.winners, game.board)
    assert history.take_in(file) == 0


@pytest.mark.parametrize(
    "text", ["", "a,b\n1,2\n", "game,date,variant,player,color,rank,total\nx,d,nowhere,A,red,1,5\n"]
)
def test_a_table_of_something_else_adds_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "games.csv"
    file.write_text(text, encoding="utf-8")
    history = History(tmp_path / "history")
    with pytest.raises(Trouble):
        history.take_in(file)
    assert history.games() == []


def test_a_full_disk_leaves_the_history_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = History(tmp_path / "history")
    for i in range(2):
        history.keep(_game(i, {"Ada": 90}))
    file = tmp_path / "games.json"
    history.export(file)
    other = History(tmp_path / "other")
    keep = other.keep
    kept: list[PastGame] = []

    def full(game: PastGame) -> None:
        if kept:
            raise Trouble("history-not-written", file="-", reason="no space")
        kept.append(game)
        keep(game)

    monkeypatch.setattr(other, "keep", full)
    with pytest.raises(Trouble):
        other.take_in(file)
    assert other.games() == []

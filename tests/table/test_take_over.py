"""What a photo adds to a game: one line of the journal, one undo; what contradicts is for a person."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli import snap as command
from companion.rules import Player
from companion.table.game import Game
from companion.table.merge import merge
from companion.table.parcel import Parcel
from companion.table.take_over import take_over
from maps import load
from vision.reading import Reading, RouteReading, StationReading

PLAYERS = (Player("Ann", "red"), Player("Ben", "blue"))
FIRST = {"brest-paris-black": "red", "paris-zurich-gray": "blue", "berlin-essen-blue": "red"}


def reading(routes: dict[str, str], stations: dict[str, str] | None = None, doubtful: tuple[str, ...] = ()) -> Reading:
    board = load("europe")
    seen = {r: RouteReading(routes.get(r), 0.9, (routes.get(r),) * board.routes[r].length) for r in board.routes}
    built = {c: StationReading(color, 0.8) for c, color in (stations or {}).items()}
    return Reading("photo.jpg", "europe", (), seen, built, doubtful)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game.new(tmp_path / "game.jsonl", "europe", PLAYERS)


def held(game: Game) -> dict[str, str]:
    return {r: game.position.players[i[0]].color for r, i in game.position.owners.items()}


def test_a_photo_is_one_line_and_one_undo(game: Game) -> None:
    lines = len(game.journal.lines)
    taken = take_over(game, merge(game.position, reading(FIRST, {"roma": "blue"})), "photo.jpg")
    assert taken.changes == 4
    assert len(game.journal.lines) == lines + 1
    assert held(game) == FIRST
    assert len({e.photo for e in game.entries}) == 1
    assert len({e.id for e in game.entries}) == 4
    assert game.seen[-1]["routes"] == FIRST
    # A file read again, and one passed to another phone, tell the same.
    assert Game.read(game.journal.path).position == game.position
    assert Parcel.unpack(Parcel.of(game).pack()).write(game.journal.path.with_name("b.jsonl")).position == game.position
    assert game.undo()
    assert not held(game)
    assert not game.can_undo
    assert game.redo()
    assert held(game) == FIRST


def test_what_was_wrong_is_put_right_in_the_same_step(game: Game) -> None:
    take_over(game, merge(game.position, reading(FIRST)), "a.jpg")
    now = {"brest-paris-black": "blue", "paris-zurich-gray": "blue", "berlin-wien-green": "red"}
    taken = take_over(game, merge(game.position, reading(now)), "b.jpg")
    assert (len(taken.added), len(taken.struck)) == (2, 2)
    assert held(game) == now
    game.undo()
    assert held(game) == FIRST


def test_one_entry_of_a_photo_can_be_corrected_and_all_can_be_struck_out(game: Game) -> None:
    take_over(game, merge(game.position, reading(FIRST)), "a.jpg")
    first = game.entries[0]
    assert first.action is not None
    game.correct(first.id, replace(first.action, player="Ben"), accept=True)
    assert sorted(held(game).values()) == ["blue", "blue", "red"]
    game.strike([e.id for e in game.entries])
    assert not held(game)
    game.undo()
    assert len(held(game)) == 3


def test_a_photo_that_shows_nothing_new_is_no_step(game: Game) -> None:
    assert take_over(game, merge(game.position, reading({})), "a.jpg").changes == 0
    assert not game.can_undo
    assert game.seen


def test_a_colour_that_nobody_plays_is_left_out(game: Game) -> None:
    found = merge(game.position, reading({"brest-paris-black": "green", "berlin-essen-blue": "red"}))
    assert found.strangers == ("green",)
    take_over(game, found, "a.jpg")
    assert held(game) == {"berlin-essen-blue": "red"}


@pytest.mark.parametrize("actions", ["nothing", 7, [3, {}, {"id": "x"}, {"id": 9, "do": {"action": "fly"}}]])
def test_a_damaged_line_of_a_photo_hurts_nothing_else(game: Game, actions: object) -> None:
    game.journal.append({"struck": "all", "actions": actions})
    game.close()
    again = Game.open(game.journal.path)
    assert not again.position.owners
    assert len(again.problems) == (1 if isinstance(actions, list) else 0)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_snap_into_a_game(
    game: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    take_over(game, merge(game.position, reading({"brest-paris-black": "red"})), "a.jpg")
    seen = reading(
        {"brest-paris-black": "blue", **FIRST} | {"brest-paris-black": "blue"}, doubtful=("berlin-essen-blue",)
    )
    monkeypatch.setattr(command, "read_photo", lambda *_: seen)
    record = str(game.journal.path)
    game.close()
    assert main(["snap", "now.jpg", "--into", record, "--lang", language]) == 0
    told = capsys.readouterr().out
    assert "Paris – Zürich" in told
    assert "Berlin – Essen" in told
    # The contradiction is told, never decided here.
    assert held(Game.read(game.journal.path)) == {"brest-paris-black": "red", "paris-zurich-gray": "blue"}
    assert main(["snap", "now.jpg", "--into", record, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["new"] == {}
    assert answer["contradicts"] == [{"id": "brest-paris-black", "known": "red", "seen": "blue"}]
    assert answer["doubtful"] == ["berlin-essen-blue"]


def test_snap_wants_a_game_or_rules_and_tickets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["snap", "now.jpg"]) == 2
    assert "--into" in capsys.readouterr().err
    assert main(["snap", "now.jpg", "--into", "g.jsonl", "--variant", "usa"]) == 2
    assert "--variant" in capsys.readouterr().err

"""A game on its way to another phone: whole when it arrives, or refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.rules import Player, read_action
from companion.table.game import Game
from companion.table.history import PastGame, PastPlayer
from companion.table.parcel import Parcel
from maps import Trouble


def _game(folder: Path) -> Game:
    game = Game.new(folder / "one.jsonl", "europe", [Player("Ada", "red"), Player("Bo", "blue")])
    told = {"action": "claim", "player": "Ada", "route": "amsterdam-essen-yellow", "cards": {"yellow": 3}}
    game.do(read_action(told, game.position))
    game.see({"photo": "a.jpg", "routes": {}})
    game.undo()
    game.redo()
    return game


def test_a_running_game_arrives_with_its_undo(tmp_path: Path) -> None:
    game = _game(tmp_path)
    arrived = Parcel.unpack(Parcel.of(game).pack()).write(tmp_path / "other.jsonl")
    assert arrived.position == game.position
    assert (arrived.can_undo, arrived.can_redo) == (True, False)
    assert arrived.seen == ()
    assert arrived.undo()
    assert arrived.position == game.begin


def test_a_finished_game_arrives_as_it_was() -> None:
    game = PastGame("g1", "2026", "usa", "usa", (PastPlayer("Ada", "red", 1, 90, {"routes": 90}),), ("Ada",))
    assert Parcel.unpack(Parcel(finished=game).pack()).finished == game


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b'{"lines": 3}', b'{"finished": {"id": "g"}}', b'{"else": 1}'])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(Trouble) as told:
        Parcel.unpack(data)
    assert told.value.code == "code-damaged"


def test_a_game_that_cannot_be_played_on_leaves_no_file(tmp_path: Path) -> None:
    lines = list(Parcel.of(_game(tmp_path)).lines)
    lines[0] = {**lines[0], "variant": "nowhere"}
    with pytest.raises(Trouble):
        Parcel.unpack(json.dumps({"lines": lines}).encode()).write(tmp_path / "other.jsonl")
    assert not (tmp_path / "other.jsonl").exists()

"""Finished games, replayed to exact scores. Dropping a journal and its score into a variant's folder adds a test."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from companion.cli.replay import answer
from companion.rules import VARIANTS, Position, score
from companion.table.game import Game
from tests.play import naive
from tests.play.features import demanded, shown

FOLDER = Path(__file__).parent
GAMES = sorted(FOLDER.glob("*/*.jsonl"))


@cache
def replayed(path: Path) -> Game:
    return Game.read(path)


@pytest.mark.parametrize("path", GAMES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_finished_game(path: Path) -> None:
    game = replayed(path)
    assert game.position.variant.id == path.parent.name
    # Games recorded under older rulings stand under the new ones too.
    assert {m.key for m in game.told} <= {"table.other-rules"}
    assert [(e.id, [str(r.message) for r in e.verdict.reasons]) for e in game.problems] == []
    assert game.over
    expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
    sheet = game.score()
    assert [{"name": p.name, "total": p.total, "breakdown": p.breakdown} for p in sheet.players] == expected["players"]
    assert list(sheet.winners) == expected["winners"]
    assert sheet.decided_by == expected["decided_by"]
    assert len(sheet.warnings) == expected["warnings"]


@pytest.mark.parametrize("path", GAMES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_the_second_scorer_agrees_and_so_does_the_position_on_its_own(path: Path) -> None:
    game = replayed(path)
    told = game.position.to_json()
    counted = naive.recount(told)
    sheet = game.score()
    assert [p["total"] for p in counted["players"]] == [p.total for p in sheet.players]
    assert counted["winners"] == list(sheet.winners)
    assert score(Position.from_json(json.loads(json.dumps(told)))).to_json() == sheet.to_json()


@pytest.mark.parametrize("path", GAMES[::5], ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_the_replay_command_tells_the_same(path: Path) -> None:
    told = answer(replayed(path))
    assert told["over"]
    assert told["problems"] == []
    assert told["score"] == json.loads(json.dumps(replayed(path).score().to_json()))


def test_every_variant_has_two_finished_games() -> None:
    few = {v for v in VARIANTS if sum(p.parent.name == v for p in GAMES) < 2}
    assert not few


def test_nothing_that_the_rules_know_is_missing() -> None:
    """Every bonus, tie-break, end trigger, module, option, technology and kind of action is in some game."""
    found: set[str] = set()
    for path in GAMES:
        found |= shown(replayed(path))
    assert not demanded() - found, sorted(demanded() - found)

"""Positions of every variant, scored twice: by the rules and by a plain recount that shares no code with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any  # Any: JSON

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import VARIANTS, Position, ScoreSheet, score
from tests.play.naive import recount
from tests.play.tables import some_position


def compared(position: dict[str, Any]) -> ScoreSheet:
    sheet = score(Position.from_json(position))
    naive = recount(position)
    for player, expected in zip(sheet.players, naive["players"], strict=True):
        assert dict(player.breakdown) == expected["lines"]
        assert (player.total, player.tickets_done) == (expected["total"], expected["done"])
        # The path is only looked for where something depends on it.
        assert player.longest_path.length in (0, expected["trail"])
        assert "longest_path" not in expected["lines"] or player.longest_path.length == expected["trail"]
    assert list(sheet.winners) == naive["winners"]
    return sheet


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9), wagons=st.integers(1, 20))
def test_every_variant_scores_as_a_plain_recount(variant: str, seed: int, wagons: int) -> None:
    compared(some_position(seed, variant, wagons))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_the_evidence_proves_the_tickets(seed: int) -> None:
    """Every way runs over tracks that the player holds or that a station lends, from one end to the other."""
    position = Position.from_json(some_position(seed, "europe"))
    sheet = score(position)
    for player, scored in zip(position.players, sheet.players, strict=True):
        for city, track in scored.station_choices.items():
            assert city in player.stations
            assert city in position.board.routes[track].ends
            assert track not in player.routes
            assert any(track in other.routes for other in position.players)
        for ticket in scored.tickets:
            at = ticket.a
            for track in ticket.via or ():
                assert track in player.routes or track in scored.station_choices.values()
                assert at in position.board.routes[track].ends
                at = position.board.routes[track].other(at)
            assert (at == ticket.b) == ticket.done


def test_all_examples_that_were_scored_elsewhere(shared: Path) -> None:
    files = sorted((shared / "examples").glob("*.json"))
    assert len(files) >= 30
    for file in files:
        position = json.loads(file.read_text(encoding="utf-8"))
        expected = json.loads(file.with_suffix(".expected").read_text(encoding="utf-8"))
        sheet = score(Position.from_json(position))
        found = [
            {**p.breakdown, "total": p.total, "name": p.name, "trail": p.longest_path.length, "done": p.tickets_done}
            for p in sheet.players
        ]
        # Their sheet has no line for technologies, which nobody holds in these positions.
        assert [{k: v for k, v in p.items() if k != "technologies"} for p in found] == expected["players"], file.name
        assert not any(p.get("technologies") for p in found)

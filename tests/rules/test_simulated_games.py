"""Full games by chance, every variant with and without the module: nothing gets lost, and a second scorer agrees."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

import maps
from companion.rules import DEPOTS, VARIANTS, Position, score
from tests.play import naive
from tests.play.bots import play_out
from tests.play.simulate import Simulation, conserved


def games() -> list[tuple[str, int, int, tuple[str, ...], dict[str, Any]]]:
    """Every variant at every number of players, the module on every second game, each option once."""
    found: list[tuple[str, int, int, tuple[str, ...], dict[str, Any]]] = []
    for variant in VARIANTS.values():
        for i, n in enumerate(maps.load(variant.board).players):
            found.append((variant.id, n, 100 + i, (DEPOTS,) if i % 2 else (), {}))
        found += [(variant.id, maps.load(variant.board).players[0], 9, (DEPOTS,), {o: True}) for o in variant.options]
    return found


@pytest.mark.parametrize(("variant", "n", "seed", "modules", "options"), games())
def test_a_whole_game(variant: str, n: int, seed: int, modules: tuple[str, ...], options: dict[str, Any]) -> None:
    game = Simulation(variant, n, seed, modules, options)
    game.watch = conserved
    play_out(game)
    sheet = score(game.position)
    assert not sheet.warnings
    told = game.position.to_json()
    again = naive.recount(told)
    for mine, second in zip(sheet.players, again["players"], strict=True):
        assert mine.total == second["total"], (mine.breakdown, second)
        assert mine.tickets_done == second["done"]
    assert list(sheet.winners) == again["winners"]
    assert score(Position.from_json(told)).to_json() == sheet.to_json()

"""A mechanism that no book has, in the app: its offer is asked after the claim, with its words from the catalogues."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

import companion.lang
from companion.rules import Claim, Player
from companion.table.game import Game
from maps import LOCOMOTIVE
from tests.rules.test_new_part import PayToll, tolls
from tests.ui.conftest import Start

__all__ = ["tolls"]

WORDS = {
    "en": {"app.do.toll": "Pay the toll", "app.no.toll": "No toll now", "words.did.toll": "{player} pays a toll."},
    "fr": {"app.do.toll": "Payer le péage", "app.no.toll": "Pas de péage", "words.did.toll": "{player} paie."},
}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_a_part_from_outside_asks_is_a_tap(
    start: Start, tolls: str, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    read: Callable[[str], Mapping[str, str]] = companion.lang.catalogue
    monkeypatch.setattr(companion.lang, "catalogue", lambda tongue: {**read(tongue), **WORDS[tongue]})
    pilot = start(language=language)
    game = pilot.desk.begin(lambda path: Game.new(path, tolls, [Player("Ada", "blue"), Player("Bo", "red")]))
    ferry = next(r for r in game.position.board.routes.values() if r.kind == "ferry" and r.length == 2)
    game.do(Claim("Ada", ferry.id, {LOCOMOTIVE: 2}))
    pilot.app.home()
    pilot.app.go("table", pilot.app.table_model())
    pilot.settle()
    assert pilot.sees(f"{WORDS[language]['app.do.toll']} · Ada")
    assert pilot.offers(WORDS[language]["app.no.toll"])
    pilot.tap(pilot.desk.word("red"))
    assert pilot.last(PayToll) == PayToll("Ada", "red")
    # The next player's turn, with nothing left to ask.
    assert not pilot.sees(WORDS[language]["app.do.toll"])
    assert pilot.game.position.turn == "Bo"

"""Every verdict's rule opens, and the rules of a variant can be read from its board, a new game and a running one."""

from __future__ import annotations

import pytest

from maps import LANGUAGES
from tests.ui.conftest import Start


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rule_of_a_refusal_opens_and_the_action_waits(start: Start, language: str) -> None:
    pilot = start(language)
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.draw-cards"), pilot.desk.word("blue"), pilot.say("loco"), pilot.say("verdict.rule"))
    assert pilot.app.stack[-1][0] == "rules"
    assert (pilot.page.model.rule, pilot.page.model.alone) == ("drawing", True)
    (told,) = pilot.page.model.shown()
    assert all(pilot.sees(sentence) for sentence in (told.title, *told.sentences))
    pilot.tap("back")
    assert pilot.offers(pilot.say("verdict.rule"))


def test_all_rules_of_a_game_with_one_open(start: Start) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.tap("menu", pilot.say("rules.title"), "Tunnels")
    assert pilot.sees("turn up 3 cards")
    # After a crash it is there again, open as it was.
    again = start()
    assert again.sees("turn up 3 cards")
    again.tap("Tunnels")
    assert not again.sees("turn up 3 cards")


def test_the_rules_of_a_board_and_of_a_new_game(start: Start) -> None:
    pilot = start()
    pilot.tap(pilot.say("home.boards"), "Pennsylvania", pilot.say("rules.title"), "Company shares")
    assert pilot.sees("Baltimore & Ohio Railroad: 10 shares")
    pilot.tap("back", "back", "back", pilot.say("home.new"), "Pennsylvania", pilot.say("rules.title"))
    assert pilot.offers("Company shares")

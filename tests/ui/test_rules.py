"""Every verdict's rule opens, and the rules of a variant can be read from its board, a new game and a running one."""

from __future__ import annotations

import pytest

from companion.rules import Claim
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rule_of_what_was_accepted_opens_from_the_log(start: Start, language: str) -> None:
    pilot = start(language)
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.deck"))
    pilot.game.do(Claim("Bo", "amsterdam-essen-yellow", {"red": 1}), accept=True)
    pilot.tap("menu", pilot.say("table.log"))
    assert pilot.sees(pilot.say("log.accepted"))
    (line, *others) = pilot.page.model.log
    assert not any(other.rules for other in others)
    (quoted,) = line.rules
    pilot.tap(pilot.say("rules.this", title=quoted.title))
    assert pilot.app.stack[-1][0] == "rules"
    assert (pilot.page.model.rule, pilot.page.model.alone) == (quoted.rule, True)
    assert pilot.sees(pilot.page.model.shown()[0].sentences[0])
    pilot.tap("back")
    assert pilot.app.stack[-1][0] == "log"


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

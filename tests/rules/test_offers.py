"""What the referee offers and what it allows are the same thing, in thousands of moments of simulated games."""

from __future__ import annotations

import random
from typing import Any

import pytest

import maps
from companion.rules import DEPOTS, NOTHING, VARIANTS, Action, Offer, Outcome, Position, Question, judge, offers
from maps import LOCOMOTIVE
from tests.play.bots import play_out
from tests.play.simulate import Simulation

CASES = [
    (variant.id, n, modules)
    for variant in VARIANTS.values()
    for n, modules in zip(
        (maps.load(variant.board).players[0], maps.load(variant.board).players[-1]), ((), (DEPOTS,)), strict=True
    )
]
# Every so many actions all offers of the moment are completed.
EVERY = 9


class Watched(Simulation):
    """A game in which every action must have been offered, and what is offered must be legal."""

    states = completed = 0

    def do(self, action: Action, outcome: Outcome = NOTHING) -> None:
        found = offers(self.position)
        assert any(covers(offer, action) for offer in found), (action, [(o.kind, o.player) for o in found])
        self.states += 1
        if self.states % EVERY == 0:
            for offer in found:
                complete(self.position, offer, self.rng)
                self.completed += 1
        super().do(action, outcome)


def covers(offer: Offer, action: Action) -> bool:
    """Whether the questions of an offer lead to this action."""
    if type(action) is not offer.action or action.player != offer.player:
        return False
    told: dict[str, Any] = {}
    while question := offer.question(told):
        value = getattr(action, question.field)
        if not question.free and question.choices is not None and not is_among(value, question.choices):
            return False
        told[question.field] = value
    return True


def is_among(value: Any, choices: tuple[Any, ...]) -> bool:
    """Several tickets are the same in any order."""
    if isinstance(value, tuple):
        return set(value) in [set(choice) for choice in choices]
    return value in choices


def complete(position: Position, offer: Offer, rng: random.Random) -> Action:
    """Answers every question by chance; the action must be legal and complete then."""
    told: dict[str, Any] = {}
    while question := offer.question(told):
        told[question.field] = answer(position, question, rng)
    action = offer.complete(told)
    verdict = judge(position, action)
    assert verdict.complete, (action, [str(r.message) for r in verdict.reasons], verdict.needs)
    return action


def answer(position: Position, question: Question, rng: random.Random) -> Any:
    if question.choices is not None:
        return rng.choice(question.choices)
    if question.field == "revealed":
        cards = (*position.board.cards.colors, LOCOMOTIVE)
        return tuple(rng.choice(cards) for _ in range(question.number or 0))
    if question.field == "tickets":
        return tuple(position.tickets.values())[: question.number]
    raise AssertionError(question)


@pytest.mark.parametrize(("variant", "n", "modules"), CASES)
def test_offers_and_verdicts_agree_through_a_game(variant: str, n: int, modules: tuple[str, ...]) -> None:
    game = Watched(variant, n, seed=n, modules=modules)
    play_out(game)
    assert game.states > 40
    assert game.completed > game.states // EVERY
    for offer in offers(game.position):
        complete(game.position, offer, game.rng)

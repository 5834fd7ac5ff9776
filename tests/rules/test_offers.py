"""What the referee offers and what it allows are the same thing, in thousands of moments of simulated games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any  # Any: JSON

import pytest

import maps
from companion import rules as a
from companion.rules import DEPOTS, NOTHING, VARIANTS, Action, Offer, Outcome, Position, Question, judge, offers
from maps import LOCOMOTIVE
from tests.play.bots import play_out
from tests.play.simulate import Simulation, TokensLaid

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

    states = completed = tried = strays = 0

    def do(self, action: Action, outcome: Outcome = NOTHING) -> None:
        found = offers(self.position)
        assert any(covers(self.position, offer, action) for offer in found), (action, found)
        self.states += 1
        if self.states % EVERY == 0:
            for offer in found:
                # A form walks the offer: what it shows first are the offer's own questions, in their order.
                assert [f for f in offer.fields if f in offer.action.tells] == [*offer.action.tells]
                complete(self.position, offer, self.rng)
                self.completed += 1
            for stray in by_chance(self.position, self.rng):
                self.tried += 1
                if judge(self.position, stray).complete:
                    self.strays += 1
                    assert any(covers(self.position, offer, stray) for offer in found), (stray, found)
        super().do(action, outcome)


class Laying(TokensLaid, Watched):
    """The same with the tokens that have no printed place laid in the record."""


def by_chance(position: Position, rng: random.Random) -> Iterator[Action]:
    """Actions of every kind and seat, made up without asking the offers; most of them are nonsense."""
    board = position.board
    routes, cities = sorted(board.routes), sorted(board.cities)
    colors = (*board.cards.colors, LOCOMOTIVE)
    claim = position.run.last_claim
    ends = board.routes[claim.route].ends if claim else cities[:2]
    for seat in position.order:
        for _ in range(3):
            route, color, city = rng.choice(routes), rng.choice(colors), rng.choice(cities)
            cards = [a.DrawnCard("deck"), a.DrawnCard("table", color), a.DrawnCard("table", rng.choice(colors))]
            tickets = tuple(rng.sample(sorted(position.tickets.values(), key=str), min(2, len(position.tickets))))
            yield a.Claim(seat, route, {color: board.routes[route].length})
            mixed = Counter({color: board.routes[route].length - 1}) + Counter({LOCOMOTIVE: 1})
            yield a.Claim(seat, route, dict(mixed))
            yield a.DrawCards(seat, tuple(rng.choices(cards, k=rng.choice((1, 2)))))
            yield a.DrawTickets(seat, rng.randrange(1, 5), rng.randrange(0, 3))
            yield a.BuildStation(seat, city, {color: rng.choice((1, 2, 3))})
            yield a.PlaceDepot(seat, city)
            yield a.LayTokens(seat, city)
            yield a.RevealTickets(seat, tickets)
            if board.technologies:
                yield a.BuyTechnology(seat, rng.choice(sorted(board.technologies)), {LOCOMOTIVE: rng.randrange(1, 5)})
            yield a.EmptyWarehouse(seat, rng.choice(position.players).name)
            yield a.TakeTourist(seat, f"kind-{rng.randrange(7)}", rng.choice(ends))
            yield a.TakeTourist(seat, str(rng.randrange(1, 8)), rng.choice(ends))
            if board.companies:
                yield a.TakeShare(seat, rng.choice(sorted(board.companies)), claim.route if claim else route)
        yield a.Pass(seat)


def covers(position: Position, offer: Offer, action: Action) -> bool:
    """Whether the questions of an offer lead to this action."""
    if type(action) is not offer.action or not position.seat(action.player).is_one_with(offer.player):
        return False
    told: dict[str, Any] = {}
    while question := offer.question(told):
        value = getattr(action, question.field)
        if not question.free and question.choices is not None and not is_among(value, question.choices):
            return False
        told[question.field] = value
    return True


def is_among(value: object, choices: tuple[Any, ...]) -> bool:
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
    agree(Watched(variant, n, seed=n, modules=modules))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_tokens_laid_in_the_record(n: int) -> None:
    game = Laying("san-francisco", n, seed=n)
    agree(game)
    assert len(game.position.run.tokens or {}) == 7


def agree(game: Watched) -> None:
    """Plays a game to its end, looking at every moment."""
    play_out(game)
    assert game.strays
    assert game.states > 40
    assert game.completed > game.states // EVERY
    for offer in offers(game.position):
        complete(game.position, offer, game.rng)

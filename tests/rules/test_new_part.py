"""A mechanism that no book has, added from outside: one part, one line of a variant, two catalogues, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal  # Any: a part as somebody from outside writes it

import pytest

import companion.lang
from companion import rules
from companion.rules import VARIANTS, Action, Ask, Part, Player, Position, judge, offers, play, score, start
from companion.words import sheet_text, verdict_text
from maps import LOCOMOTIVE as L
from maps import Trouble

# The part: each ferry brings a toll that its player pays with one card; unpaid tolls cost points at the end.


@dataclass(frozen=True)
class PayToll(Action):
    """One card for a ferry claimed."""

    kind: ClassVar[str] = "toll"
    when: ClassVar[Literal["claim"]] = "claim"
    card: str = ""

    @classmethod
    def read(cls, f: Any) -> PayToll:
        return cls(f.player(), f.known("card", "card", f.cards))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        if not due(position, name):
            return None
        held = position.seat(name).cards
        cards = (*position.board.cards.colors, L) if held is None else [c for c, n in held.items() if n]
        return (Ask("card", lambda _: cards),)

    def judge(self, position: Position, found: Any) -> None:
        if not due(position, self.player):
            found.no(rules.Rule.FERRY, "toll.none", player=self.player)
        position.seat(self.player).must_hold({self.card: 1}, found)

    def play(self, position: Position, outcome: Any) -> Position:  # noqa: ARG002
        position = position.seat(self.player).pay({self.card: 1})
        paid = position.run.kept.get("tolls", {})
        return position.go_on(kept={**position.run.kept, "tolls": {**paid, self.player: paid.get(self.player, 0) + 1}})


def due(position: Position, name: str) -> int:
    ferries = sum(t.kind == "ferry" for t in position.tracks(position.entry(name)))
    return ferries - int(position.run.kept.get("tolls", {}).get(name, 0))


@dataclass(frozen=True)
class Tolls(Part):
    line: ClassVar[str] = "tolls"
    actions: ClassVar[tuple[type[Action], ...]] = (PayToll,)
    points: int = 2

    def count(self, counting: Any) -> Sequence[int]:
        return counting.each(lambda _, player: -self.points * due(counting.position, player.name))  # type: ignore[no-any-return]


# The words, in both catalogues.
WORDS = {
    "en": {"score.tolls": "Tolls", "verdict.toll.none": "{player} owes no toll.", "verdict.do.toll": "pay a toll"},
    "fr": {"score.tolls": "Péages", "verdict.toll.none": "{player} ne doit aucun péage.", "verdict.do.toll": "payer"},
}


@pytest.fixture
def tolls(monkeypatch: pytest.MonkeyPatch) -> str:
    europe = VARIANTS["europe"]
    # The variant's line.
    monkeypatch.setitem(VARIANTS, "toll", replace(europe, id="toll", parts=(*europe.parts, Tolls(2)), own=True))
    read: Callable[[str], Mapping[str, str]] = companion.lang.catalogue
    monkeypatch.setattr(companion.lang, "catalogue", lambda language: {**read(language), **WORDS[language]})
    return "toll"


def test_a_made_up_mechanism_is_offered_judged_played_and_scored(tolls: str) -> None:
    position = start(tolls, [Player("Anna", "red"), Player("Bruno", "blue")])
    ferry = next(r for r in position.board.routes.values() if r.kind == "ferry" and r.length == 2)
    assert "toll" not in [o.kind for o in offers(position)]
    position = play(position, rules.Claim("Anna", ferry.id, {L: 2}))
    offer = next(o for o in offers(position) if o.kind == "toll")
    assert (offer.player, offer.follow_up, offer.fields) == ("Anna", True, ("card",))
    assert score(position).players[0].breakdown["tolls"] == -2
    action = rules.read_action({"player": "Anna", "action": "toll", "card": "red"}, position)
    assert action == offer.complete({"card": "red"})
    assert judge(position, action).complete
    paid = play(position, action)
    assert score(paid).players[0].breakdown["tolls"] == 0
    again = judge(paid, action)
    assert not again.legal
    assert "Anna ne doit aucun péage." in verdict_text(again, (), "fr")
    assert "Tolls" in sheet_text(score(position))
    assert rules.action_json(action, position) == {"player": "Anna", "action": "toll", "card": "red"}


def test_nobody_else_has_it() -> None:
    position = start("europe", [Player("Anna", "red"), Player("Bruno", "blue")])
    assert "tolls" not in position.lines
    with pytest.raises(Trouble, match="bad-action"):
        rules.read_action({"player": "Anna", "action": "toll", "card": "red"}, position)

"""Whether somebody holds the cards laid: judged where the hand is known, believed where it is not."""

from __future__ import annotations

from companion.rules.payments import Pile, lacking, plus
from companion.rules.position import Position
from companion.rules.running import hand_of, rack_of
from companion.rules.verdict import Findings, Rule, cards_told


def must_hold(position: Position, name: str, cards: Pile, found: Findings, from_rack: Pile | None = None) -> None:
    """Notes cards that the player does not hold. `from_rack`: which of them were said to lie on the team's rack."""
    rack = rack_of(position, name)
    if from_rack is not None:
        missing = lacking(rack, from_rack) | lacking(cards, from_rack)
        if missing:
            found.no(Rule.TEAM_CARDS, "hand.not-on-rack", cards=cards_told(missing))
    hand = hand_of(position, name)
    if hand is None:
        if lacking(rack, cards):
            found.believe("hand", player=name)
        return
    missing = lacking(plus(hand, rack), cards)
    if missing:
        key = "hand.lacks-with-rack" if position.variant.team_size > 1 else "hand.lacks"
        found.no(Rule.CLAIMING, key, player=name, cards=cards_told(missing))

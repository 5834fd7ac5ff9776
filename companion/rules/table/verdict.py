"""What the referee answers: legal or not, every reason with its rule, what must still be told, what rests on trust."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from maps import LOCOMOTIVE, Message, message


class Rule:
    """Headings of the rules, as reasons name them."""

    TURN = "2. Common rules"
    DRAWING = "2. Common rules: Drawing cards"
    CLAIMING = "2. Common rules: Claiming"
    GROUPS = "2. Common rules: Claiming"
    TICKETS = "2. Common rules: Tickets"
    END = "2. Common rules: End"
    FERRY = "4. Europe: Ferry"
    TUNNEL = "4. Europe: Tunnel"
    STATION = "4. Europe: Station"
    DEPOTS = "5. Warehouses and depots"
    TOURISTS = "6. San Francisco: Tourist tokens"
    TEAM_CARDS = "7. Asia: Cards"
    TEAM_TICKETS = "7. Asia: Tickets"
    TEAM_GROUPS = "7. Asia: Groups"
    MOUNTAIN = "8. Legendary Asia: Mountain"
    STAND_INS = "9. United Kingdom"
    TECHNOLOGIES = "9. United Kingdom: What a player may claim"
    BUYING = "9. United Kingdom: Buying"
    TECHNOLOGY_AT_ONCE = "9. United Kingdom: Buying"
    SHARES = "10. Pennsylvania: Shares"


@dataclass(frozen=True)
class Reason:
    """One reason why an action is not legal: the rule's heading and a sentence."""

    rule: str
    message: Message


def reason(rule: str, key: str, **values: Any) -> Reason:
    """A reason against an action; `verdict.` goes before the key."""
    return Reason(rule, message(f"verdict.{key}", **values))


@dataclass(frozen=True)
class Verdict:
    """The answer to "may I?". `needs`: what must still be told; `trust`: what nobody showed and was believed."""

    reasons: tuple[Reason, ...] = ()
    needs: Mapping[str, Any] = field(default_factory=dict)
    trust: tuple[Message, ...] = ()
    points: int = 0

    @property
    def legal(self) -> bool:
        return not self.reasons

    @property
    def complete(self) -> bool:
        """Legal, and nothing more has to be told."""
        return self.legal and not self.needs


class Findings:
    """Collects what a verdict is made of."""

    def __init__(self) -> None:
        self.reasons: list[Reason] = []
        self.needs: dict[str, Any] = {}
        self.trust: list[Message] = []
        self.points = 0

    def no(self, rule: str, key: str, **values: Any) -> None:
        """Notes a reason against the action; `verdict.` goes before the key."""
        self.add(reason(rule, key, **values))

    def add(self, *reasons: Reason) -> None:
        self.reasons += [r for r in reasons if r not in self.reasons]

    def believe(self, key: str, **values: Any) -> None:
        """Notes what was taken on trust."""
        told = message(f"verdict.trust.{key}", **values)
        if told not in self.trust:
            self.trust.append(told)

    def verdict(self) -> Verdict:
        needs = {} if self.reasons else self.needs
        return Verdict(tuple(self.reasons), needs, tuple(self.trust), 0 if self.reasons else self.points)


def colors_told(colors: Iterable[str]) -> list[Message]:
    """Card colours in the player's words."""
    return [message(f"words.{c}") for c in colors]


def cards_told(cards: Mapping[str, int]) -> list[Message]:
    """Cards with their numbers in the player's words."""
    return [
        message("verdict.locomotives", n=n)
        if c == LOCOMOTIVE
        else message("verdict.cards-of", n=n, color=message(f"words.{c}"))
        for c, n in cards.items()
    ]

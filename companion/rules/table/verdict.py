"""What the referee answers: legal or not, every reason with its rule, what must still be told, what rests on trust."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any  # Any: JSON

from maps import LOCOMOTIVE, Message, message


class Heading(str):
    """A rule as reasons name it: its heading for programs; `id` finds its name and text in the catalogues."""

    __slots__ = ("id",)
    id: str

    def __new__(cls, id_: str, heading: str) -> Heading:
        made = super().__new__(cls, heading)
        made.id = id_
        return made


class Rule:
    """Headings of the rules."""

    TURN = Heading("turn", "2. Common rules")
    DRAWING = Heading("drawing", "2. Common rules: Drawing cards")
    CLAIMING = Heading("claiming", "2. Common rules: Claiming")
    GROUPS = Heading("groups", "2. Common rules: Claiming")
    TICKETS = Heading("tickets", "2. Common rules: Tickets")
    END = Heading("end", "2. Common rules: End")
    FERRY = Heading("ferry", "4. Europe: Ferry")
    TUNNEL = Heading("tunnel", "4. Europe: Tunnel")
    STATION = Heading("station", "4. Europe: Station")
    DEPOTS = Heading("depots", "5. Warehouses and depots")
    TOURISTS = Heading("tourists", "6. San Francisco: Tourist tokens")
    TEAM_CARDS = Heading("team-cards", "7. Asia: Cards")
    TEAM_TICKETS = Heading("team-tickets", "7. Asia: Tickets")
    TEAM_GROUPS = Heading("team-groups", "7. Asia: Groups")
    MOUNTAIN = Heading("mountain", "8. Legendary Asia: Mountain")
    STAND_INS = Heading("stand-ins", "9. United Kingdom")
    TECHNOLOGIES = Heading("technologies", "9. United Kingdom: What a player may claim")
    BUYING = Heading("buying", "9. United Kingdom: Buying")
    SHARES = Heading("shares", "10. Pennsylvania: Shares")


@dataclass(frozen=True)
class Reason:
    """One reason why an action is not legal: the rule's heading and a sentence."""

    rule: Heading
    message: Message


def reason(rule: Heading, key: str, **values: object) -> Reason:
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

    def no(self, rule: Heading, key: str, **values: object) -> None:
        """Notes a reason against the action; `verdict.` goes before the key."""
        self.add(reason(rule, key, **values))

    def add(self, *reasons: Reason) -> None:
        self.reasons += [r for r in reasons if r not in self.reasons]

    def believe(self, key: str, **values: object) -> None:
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

"""Company shares, and the neutral player of two-player games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import Any, ClassVar  # Any: JSON

from companion.rules.scoring.counting import Counting
from companion.rules.table.action import Action, When
from companion.rules.table.book import Section, line, section
from companion.rules.table.fields import ActionReader
from companion.rules.table.names import here_told, route_told
from companion.rules.table.offer import Ask
from companion.rules.table.outcome import Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import Player, Position
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Rule
from maps import Board, Message, message

# Halves of the neutral pile that an offer lists; there may be thousands.
_LISTED = 50


def shares_taken(position: Position) -> Mapping[str, tuple[int, ...]]:
    """The numbers of each company's shares that somebody holds, the neutral player included."""
    neutral = position.run.neutral_pile or position.neutral_shares
    piles = [p.shares for p in position.players] + [neutral]
    return {c: tuple(sorted(n for pile in piles for n in pile.get(c, ()))) for c in position.board.companies}


def next_share(position: Position, company: str) -> int | None:
    """The number of the share on top of the pile, None if all are taken."""
    taken = set(shares_taken(position)[company])
    return next((n for n in range(1, position.board.companies[company].shares + 1) if n not in taken), None)


def has_neutral(position: Position) -> bool:
    """With two players a neutral one takes shares too."""
    return position.variant.shares and len(position.players) == 2


def neutral_choices(position: Position, route: str, company: str) -> list[str]:
    """Companies beside the track that still have a share once the player has taken one."""
    left = {
        c: position.board.companies[c].shares - len(taken) - (c == company)
        for c, taken in shares_taken(position).items()
    }
    return [c for c in position.board.routes[route].companies if left[c] > 0]


@dataclass(frozen=True)
class TakeShare(Action):
    """The top share of a company beside the track just claimed; `neutral`: the company of the neutral player's."""

    kind: ClassVar[str] = "share"
    tells: ClassVar[tuple[str, ...]] = ("company",)
    when: ClassVar[When] = "claim"
    company: str = ""
    route: str = ""
    neutral: str | None = None

    @classmethod
    def read(cls, f: ActionReader) -> TakeShare:
        board = f.position.board
        neutral = f.known("neutral", "company", board.companies) if f.fields.data.get("neutral") is not None else None
        return cls(
            f.player(), f.known("company", "company", board.companies), f.known("route", "route", board.routes), neutral
        )

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        claim = position.run.last_claim
        if claim is None or claim.share:
            return None
        there = [c for c in position.board.routes[claim.route].companies if next_share(position, c) is not None]
        asked = Ask("company", lambda _: there)
        if not has_neutral(position):
            return (asked,)
        return asked, Ask("neutral", lambda told: neutral_choices(position, claim.route, told.get("company", "")))

    @classmethod
    def fixed(cls, position: Position, name: str) -> Mapping[str, Any]:
        claim = position.run.last_claim
        return {"route": claim.route} if claim else {}

    def judge(self, position: Position, found: Findings) -> None:
        """The top share of one company printed beside the track just claimed."""
        if position.part(Shares) is None:
            found.no(Rule.SHARES, "share.none-here", here=here_told(position.variant))
            return
        board, claim = position.board, position.run.last_claim
        route, name = board.routes[self.route], board.companies[self.company].name
        if position.running is not None and (claim is None or claim.route != self.route):
            found.no(Rule.SHARES, "share.not-just-claimed", route=route_told(position, route))
        elif self.route not in position.entry(self.player).routes:
            found.no(Rule.SHARES, "share.not-yours", route=route_told(position, route))
        elif claim and claim.share:
            found.no(Rule.SHARES, "share.one-a-claim")
        elif position.running is None:
            found.believe("just-claimed", route=route_told(position, route))
        if self.company not in route.companies:
            found.no(Rule.SHARES, "share.not-beside", route=route_told(position, route), company=name)
        elif next_share(position, self.company) is None:
            found.no(Rule.SHARES, "share.sold-out", company=name)
        self._neutral(position, found)

    def _neutral(self, position: Position, found: Findings) -> None:
        """Whoever takes a share of two players also takes one for the neutral player, of the same track."""
        if not has_neutral(position):
            if self.neutral is not None:
                found.no(Rule.SHARES, "share.no-neutral")
            return
        choices = neutral_choices(position, self.route, self.company)
        if self.neutral is None:
            if choices:
                found.needs["neutral"] = choices
        elif self.neutral not in choices:
            company = position.board.companies[self.neutral].name
            found.no(Rule.SHARES, "share.neutral-not-there", company=company)

    def play(self, position: Position, outcome: Outcome) -> Position:
        player = position.entry(self.player)
        shares = _added(player.shares, self.company, next_share(position, self.company))
        position = position.changed(replace(player, shares=shares))
        if self.neutral:
            pile = _added(position.run.neutral_pile, self.neutral, next_share(position, self.neutral))
            position = position.go_on(neutral_pile=pile)
        claim = position.run.last_claim
        return position.go_on(last_claim=claim and replace(claim, share=True))


def _added(shares: Mapping[str, tuple[int, ...]], company: str, number: int | None) -> Mapping[str, tuple[int, ...]]:
    return shares if number is None else {**shares, company: (*shares.get(company, ()), number)}


@dataclass(frozen=True)
class ShowNeutral(Action):
    """The half of the neutral player's shares that is turned up at the end."""

    kind: ClassVar[str] = "neutral-shares"
    when: ClassVar[When] = "end"
    shares: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, f: ActionReader) -> ShowNeutral:
        return cls(f.player(), f.shares("shares"))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        pile = neutral_pile(position)
        if not (has_neutral(position) and position.run.over and pile):
            return None
        halves = [_by_company(half) for half in islice(combinations(pile, half_of(pile)), _LISTED)]
        return (Ask("shares", lambda _: halves, free=True, number=lambda _: half_of(pile)),)

    def judge(self, position: Position, found: Findings) -> None:
        """At the end half of the neutral player's shares, rounded up, are turned up."""
        if not has_neutral(position):
            found.no(Rule.SHARES, "share.no-neutral")
            return
        if position.running is not None and not position.running.over and position.turn:
            found.no(Rule.SHARES, "share.neutral-at-end")
        pile = Counter(neutral_pile(position))
        shown = Counter((c, n) for c, numbers in self.shares.items() for n in numbers)
        half = half_of(neutral_pile(position))
        if shown.total() != half:
            found.no(Rule.SHARES, "share.neutral-half", n=shown.total(), wanted=half)
        if shown - pile:
            found.no(Rule.SHARES, "share.neutral-not-in-pile")

    def play(self, position: Position, outcome: Outcome) -> Position:
        return replace(position, neutral_shares={c: tuple(n) for c, n in self.shares.items() if n})


def neutral_pile(position: Position) -> list[tuple[str, int]]:
    """The neutral player's shares: company and number of each."""
    return [(c, n) for c, numbers in position.run.neutral_pile.items() for n in numbers]


def half_of(pile: Sequence[object]) -> int:
    """How many of the neutral player's shares are turned up: half, rounded up."""
    return (len(pile) + 1) // 2


def _by_company(shares: Sequence[tuple[str, int]]) -> Mapping[str, tuple[int, ...]]:
    return {c: tuple(n for company, n in shares if company == c) for c in dict.fromkeys(c for c, _ in shares)}


@dataclass(frozen=True)
class Shares(Part):
    """Company shares."""

    line: ClassVar[str] = "shares"
    actions: ClassVar[tuple[type[Action], ...]] = (TakeShare, ShowNeutral)
    entries: ClassVar[Mapping[str, tuple[str, ...]]] = {"shares": ("shares",)}

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        companies = [
            line("shares.company", name=c.name, n=c.shares, points=list(c.points_by_rank))
            for c in board.companies.values()
        ]
        return (section("shares", line("shares.take"), *companies, line("shares.rank"), line("shares.neutral")),)

    def numbers(self) -> Mapping[str, Any]:
        return {"shares": True}

    def count(self, counting: Counting) -> Sequence[int]:
        points = [0 for _ in counting.everyone]
        neutral = len(points)
        for company in counting.board.companies.values():
            held = {i: p.shares.get(company.id, ()) for i, p in enumerate(counting.position.players)}
            held[neutral] = counting.position.neutral_shares.get(company.id, ())
            # Most shares first; of equal numbers the lowest share was taken first.
            holders = sorted((i for i in held if held[i]), key=lambda i: (-len(set(held[i])), min(held[i])))
            for place, i in enumerate(holders, start=1):
                if i != neutral:
                    worth = company.points_by_rank[place - 1] if place <= len(company.points_by_rank) else 0
                    points[i] += worth
                    counting.tell(i, "share", company=company.name, held=len(set(held[i])), place=place, n=worth)
        return points

    def problems(self, position: Position) -> Iterator[Message]:
        for company in position.board.companies.values():
            held = [n for p in position.players for n in p.shares.get(company.id, ())]
            held += position.neutral_shares.get(company.id, ())
            for number in dict.fromkeys(n for n in held if not 1 <= n <= company.shares):
                yield message("position.no-such-share", company=company.name, n=number, shares=company.shares)
            for number in (n for n, times in Counter(held).items() if times > 1):
                yield message("position.share-twice", company=company.name, n=number)
            missing = [n for n in range(1, min(max(held, default=0), company.shares)) if n not in held]
            # With a neutral player some shares are never revealed.
            if missing and len(position.players) != 2:
                yield message("position.share-missing", company=company.name, numbers=missing, n=max(held))
        if position.neutral_shares and len(position.players) != 2:
            yield message("position.neutral-player")
        elif len(position.players) == 2 and not position.neutral_shares and any(p.shares for p in position.players):
            yield message("position.no-neutral-shares")
        elif len(position.players) == 2:
            yield from self._half(position)

    def _half(self, position: Position) -> Iterator[Message]:
        """Half of the neutral pile is revealed; it got at most one share for each that a player took."""
        shown = sum(len(set(numbers)) for numbers in position.neutral_shares.values())
        pile = neutral_pile(position)
        taken = [n for p in position.players for numbers in p.shares.values() for n in set(numbers)]
        half = half_of(pile or taken)
        if shown > half or (pile and shown != half):
            yield message("position.neutral-half", n=shown, wanted=half)

    def problems_of(self, position: Position, player: Player) -> Iterator[Message]:
        """A share comes with a track that prints its company."""
        printed = Counter(company for t in position.tracks(player) for company in t.companies)
        more = [c for c, numbers in player.shares.items() if len(set(numbers)) > printed[c]]
        if more:
            names = [position.board.companies[c].name for c in more]
            yield message("position.share-source", name=player.name, companies=names)

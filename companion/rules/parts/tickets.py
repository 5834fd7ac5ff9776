"""Tickets: drawing and keeping them, showing them at the end, and what they are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar  # Any: JSON

from companion.rules.scoring.counting import Counting
from companion.rules.table.action import Action, When
from companion.rules.table.book import Section, line, section
from companion.rules.table.fields import ActionReader
from companion.rules.table.names import pair_told, ticket_told
from companion.rules.table.offer import Ask, Told
from companion.rules.table.outcome import Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import Player, Position
from companion.rules.table.setup import Setup
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Reason, Rule, reason
from maps import Board, Message, Ticket, message


@dataclass(frozen=True)
class DrawTickets(Action):
    """Tickets drawn and kept; a number where they stay secret. `rack`: those kept that the team may see, or how many.

    `opening`: those dealt at the start; None: the position tells.
    """

    kind: ClassVar[str] = "draw-tickets"
    tells: ClassVar[tuple[str, ...]] = ("kept",)
    drawn: tuple[Ticket, ...] | int = ()
    kept: tuple[Ticket, ...] | int = ()
    rack: tuple[Ticket, ...] | int | None = None
    opening: bool | None = None

    @property
    def numbers(self) -> tuple[int, int]:
        """How many were drawn and kept."""
        drawn, kept = self.drawn, self.kept
        return drawn if isinstance(drawn, int) else len(drawn), kept if isinstance(kept, int) else len(kept)

    @classmethod
    def read(cls, f: ActionReader) -> DrawTickets:
        opening = f.flag("opening") if "opening" in f.fields.data else None
        drawn, kept = f.tickets_or_number("drawn"), f.tickets_or_number("kept")
        rack = None if f.fields.data.get("rack") is None else f.tickets_or_number("rack")
        return cls(f.player(), drawn, kept, rack, opening)

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        if not position.refereed:
            return None
        variant, left = position.variant, position.run.tickets_left
        opening = name in position.run.opening
        wanted = _dealt(position) if opening else variant.drawn_tickets
        if left is not None and not opening:
            wanted = min(wanted, left)
        least = variant.keep_opening if opening else variant.keep_drawn

        def kept(told: Told) -> list[Any]:
            drawn = told["drawn"]
            if isinstance(drawn, int):
                return [*range(min(least, drawn), drawn + 1)]
            return [some for n in range(min(least, len(drawn)), len(drawn) + 1) for some in combinations(drawn, n)]

        # Tickets may be named instead of counted.
        return (
            Ask("drawn", lambda _: (wanted,) if wanted else (), free=True, number=lambda _: wanted),
            Ask("kept", kept, free=True),
        )

    @classmethod
    def fixed(cls, position: Position, name: str) -> Mapping[str, Any]:
        return {"opening": True} if name in position.run.opening else {}

    @classmethod
    def required(cls, position: Position, name: str) -> bool:
        return name in position.run.opening

    def opens(self, position: Position) -> bool:
        """Whether these are the tickets dealt at the start: as told, else if their number fits nothing else."""
        if self.opening is not None:
            return self.opening
        if position.running is not None:
            return self.player in position.running.opening
        player, drawn = position.entry(self.player), self.numbers[0]
        fits_only = drawn == _dealt(position) > position.variant.drawn_tickets
        return fits_only and not player.tickets and not player.routes

    def judge(self, position: Position, found: Findings) -> None:
        """So many drawn, so many kept at least; those drawn are of this game and nobody else's."""
        variant, opening = position.variant, self.opens(position)
        if position.running and self.opening and self.player not in position.run.opening:
            found.no(Rule.TICKETS, "turn.opening-done")
        wanted = _dealt(position) if opening else variant.drawn_tickets
        keep = variant.keep_opening if opening else variant.keep_drawn
        drawn, kept = self.numbers
        _numbers(position, drawn, wanted, opening, found)
        if kept < min(keep, drawn):
            found.no(Rule.TICKETS, "tickets.keep-opening" if opening else "tickets.keep", n=kept, least=keep)
        if kept > drawn:
            found.no(Rule.TICKETS, "tickets.kept-more", n=kept, drawn=drawn)
        if isinstance(self.drawn, tuple):
            _which(position, self.drawn, opening, found)
            if isinstance(self.kept, tuple):
                must_be_among(position, self.kept, self.drawn, "tickets.not-drawn", found)

    def play(self, position: Position, outcome: Outcome) -> Position:
        run, opening = position.run, self.opens(position)
        player = position.entry(self.player)
        if run.tickets_left is not None:
            position = position.go_on(tickets_left=max(0, run.tickets_left - self._gone(position, opening)))
        if opening:
            position = position.go_on(opening=tuple(s for s in run.opening if s != self.player))
        if isinstance(self.kept, int):
            secret = {**run.secret_tickets, self.player: run.secret_tickets.get(self.player, 0) + self.kept}
            return position.go_on(secret_tickets=secret)
        return position.changed(replace(player, tickets=(*player.tickets, *self.kept)))

    def _gone(self, position: Position, opening: bool) -> int:
        """Tickets that leave the deck: those kept, and refused opening ones where they go into the box."""
        drawn, kept = self.numbers
        if opening and position.variant.refused_opening == "box":
            return drawn - position.variant.opening_long_tickets
        return kept


@dataclass(frozen=True)
class ShowTickets(Action):
    """All tickets of a player, laid open at the end."""

    kind: ClassVar[str] = "show-tickets"
    tells: ClassVar[tuple[str, ...]] = ("tickets",)
    when: ClassVar[When] = "end"
    tickets: tuple[Ticket, ...] = ()

    @classmethod
    def read(cls, f: ActionReader) -> ShowTickets:
        return cls(f.player(), f.tickets("tickets"))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        if not position.run.over:
            return None
        return (Ask("tickets", lambda _: None, number=lambda _: position.run.secret_tickets.get(name, 0)),)

    def judge(self, position: Position, found: Findings) -> None:
        """All tickets are laid open when the game is over."""
        if position.running is not None and not position.running.over and position.turn:
            found.no(Rule.TICKETS, "tickets.show-at-end")
        for ticket in dict.fromkeys(self.tickets):
            if position.tickets and ticket.id not in position.tickets:
                found.no(Rule.TICKETS, "tickets.not-in-game", ticket=ticket_told(position, ticket))

    def play(self, position: Position, outcome: Outcome) -> Position:
        run, player = position.run, position.entry(self.player)
        members = {self.player, *player.members} if self.player == player.name else {self.player}
        others = () if self.player == player.name else tuple(t for t in player.tickets if t not in self.tickets)
        position = position.changed(replace(player, tickets=(*others, *self.tickets)))
        return position.go_on(secret_tickets={s: n for s, n in run.secret_tickets.items() if s not in members})


def _dealt(position: Position) -> int:
    """Tickets dealt to each at the start."""
    return position.variant.opening_tickets + position.variant.opening_long_tickets


def _numbers(position: Position, drawn: int, wanted: int, opening: bool, found: Findings) -> None:
    """So many as the variant says, or all that are left."""
    left = position.run.tickets_left
    due = wanted if left is None or opening else min(left, wanted)
    if left == 0 and not opening:
        found.no(Rule.TICKETS, "tickets.none-left")
    elif drawn > due:
        found.no(Rule.TICKETS, "tickets.too-many", n=drawn, wanted=due)
    elif drawn < wanted:
        if opening or (left is not None and drawn < due):
            found.no(Rule.TICKETS, "tickets.too-few", n=drawn, wanted=due)
        elif drawn == 0:
            found.no(Rule.TICKETS, "tickets.none-drawn")
        elif left is None:
            found.believe("short-tickets", n=drawn)


def _which(position: Position, drawn: tuple[Ticket, ...], opening: bool, found: Findings) -> None:
    """No ticket twice, none that somebody holds, long ones only at the start."""
    held = Counter(_key(t) for p in position.players for t in p.tickets)
    copies = Counter(_key(t) for t in position.tickets.values())
    for ticket in dict.fromkeys(drawn):
        n = drawn.count(ticket) + held[_key(ticket)]
        # The tickets of some boards are not known: then nobody can tell how many there are of one kind.
        if position.tickets and n > max(1, copies[_key(ticket)]):
            key = "tickets.held" if held[_key(ticket)] else "tickets.twice"
            found.no(Rule.TICKETS, key, ticket=ticket_told(position, ticket))
        if position.tickets and not copies[_key(ticket)]:
            found.no(Rule.TICKETS, "tickets.not-in-game", ticket=ticket_told(position, ticket))
    long = sum(t.long for t in drawn)
    dealt = position.variant.opening_long_tickets if opening else 0
    has_long = position.variant.opening_long_tickets > 0
    if has_long and opening and long != dealt:
        found.no(Rule.TICKETS, "tickets.long-opening", n=long, wanted=dealt)
    elif has_long and long > dealt:
        found.no(Rule.TICKETS, "tickets.long-later")


def must_be_among(
    position: Position, part: Iterable[Ticket], whole: Iterable[Ticket], key: str, found: Findings
) -> None:
    """Notes tickets that are not among these."""
    for ticket in Counter(part) - Counter(whole):
        found.no(Rule.TICKETS, key, ticket=ticket_told(position, ticket))


def _key(ticket: Ticket) -> tuple[str, str, int]:
    return ticket.a, ticket.b, ticket.points


@dataclass(frozen=True)
class Tickets(Part):
    """Tickets."""

    line: ClassVar[str] = "tickets"
    actions: ClassVar[tuple[type[Action], ...]] = (DrawTickets, ShowTickets)

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        drawn = line("tickets.draw", n=variant.drawn_tickets, least=variant.keep_drawn)
        return section("tickets", drawn, line("tickets.keep")), section("scoring", line("score.tickets"))

    def begin(self, position: Position, setup: Setup) -> Position:
        """The deck that players draw from: long tickets are dealt apart, where there are such."""
        apart = position.variant.opening_long_tickets > 0
        known = sum(not (apart and t.long) for t in position.tickets.values())
        left = known or position.board.tickets_unknown or None
        return position.go_on(tickets_left=left, opening=position.order if setup.opening else ())

    def joined(self, position: Position, name: str, opening: bool) -> Position:
        return position.go_on(opening=(*position.run.opening, name)) if opening else position

    def waiting(self, position: Position) -> Callable[[Action], Reason | None] | None:
        """Everybody chooses opening tickets before the first turn."""
        seats = position.run.opening

        def why(action: Action) -> Reason | None:
            if not isinstance(action, DrawTickets):
                return reason(Rule.TICKETS, "turn.opening-first", players=list(seats))
            return None if action.player in seats else reason(Rule.TICKETS, "turn.opening-done")

        return why if seats else None

    def surely_possible(self, position: Position, name: str) -> bool:
        return position.run.tickets_left != 0

    def count(self, counting: Counting) -> Sequence[int]:
        return counting.each(lambda i, player: self._points(counting, i, player))

    def _points(self, counting: Counting, i: int, player: Player) -> int:
        """What the tickets bring; a sum that the table added up by itself goes before."""
        listed = sum(t.counts for t in counting.ticket_scores[i])
        told = player.ticket_points
        if told is None:
            return listed
        if player.tickets and told != listed:
            counting.warn("tickets-differ", name=player.name, told=told, n=listed)
        counting.tell(i, "tickets-added-up", n=told)
        return told

    def problems(self, position: Position) -> Iterator[Message]:
        known = [t.id for p in position.players for t in dict.fromkeys(p.tickets) if position.tickets.get(t.id) == t]
        for ticket in (t for t, n in Counter(known).items() if n > 1):
            names = [p.name for p in position.players if position.tickets[ticket] in p.tickets]
            yield message("position.ticket-twice", ticket=pair_told(position, position.tickets[ticket]), names=names)

    def problems_of(self, position: Position, player: Player) -> Iterator[Message]:
        """Tickets told twice or of another deck, and more long ones than a player is dealt."""
        for ticket, n in Counter(player.tickets).items():
            if n > 1:
                told = pair_told(position, ticket)
                yield message("position.ticket-listed-twice", name=player.name, ticket=told)
        if not position.tickets:
            return
        for ticket in dict.fromkeys(player.tickets):
            if position.tickets.get(ticket.id) != ticket:
                told = pair_told(position, ticket)
                yield message("position.other-deck", name=player.name, ticket=told, n=ticket.points)
        long = sum(t.long for t in dict.fromkeys(player.tickets))
        dealt = position.variant.opening_long_tickets
        if dealt and long > dealt:
            yield message("position.long-tickets", name=player.name, n=dealt, there=long)

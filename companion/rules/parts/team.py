"""Teams: partners share wagons and a rack of cards and tickets that both may see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar  # Any: JSON

from companion.rules.parts.draw import DrawCards, is_open_locomotive, second_card
from companion.rules.parts.tickets import DrawTickets, must_be_among
from companion.rules.table.action import Action, DrawnCard
from companion.rules.table.book import Section, either, line, section
from companion.rules.table.fields import ActionReader
from companion.rules.table.names import ticket_told
from companion.rules.table.offer import Ask, Told
from companion.rules.table.outcome import Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import Position
from companion.rules.table.setup import Setup
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Rule
from maps import Board, Message, Ticket, Trouble, message

# Hand tickets that may be revealed at once.
_REVEALED = 2


@dataclass(frozen=True)
class RevealTickets(Action):
    """Hand tickets put on the team's rack, instead of any other action."""

    kind: ClassVar[str] = "reveal-tickets"
    tells: ClassVar[tuple[str, ...]] = ("tickets",)
    tickets: tuple[Ticket, ...] = ()

    @classmethod
    def read(cls, f: ActionReader) -> RevealTickets:
        return cls(f.player(), f.tickets("tickets"))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        player, run = position.entry(name), position.run
        if not player.tickets and not run.tickets:
            return (Ask("tickets", lambda _: None, number=lambda _: _REVEALED),)
        own = run.tickets.get(name)
        shown = run.rack_tickets.get(player.name, ())
        mine = [t for t in player.tickets if t not in shown] if own is None else [*own]
        sets = [s for n in range(1, _REVEALED + 1) for s in combinations(mine, n)]
        return (Ask("tickets", lambda _: sets),)

    def judge(self, position: Position, found: Findings) -> None:
        """Up to two hand tickets to the team's rack, instead of any other action."""
        if position.part(Teams) is None:
            found.no(Rule.TEAM_TICKETS, "tickets.no-team")
            return
        if not 1 <= len(self.tickets) <= _REVEALED:
            found.no(Rule.TEAM_TICKETS, "tickets.reveal-number", n=len(self.tickets))
        player, run = position.entry(self.player), position.run
        shown = run.rack_tickets.get(player.name, ())
        if not player.tickets and not run.tickets:
            found.believe("tickets", player=self.player)
            return
        own = run.tickets.get(self.player)
        must_be_among(position, self.tickets, player.tickets if own is None else own, "tickets.not-held", found)
        for ticket in dict.fromkeys(self.tickets):
            if ticket in shown and own is None:
                found.no(Rule.TEAM_TICKETS, "tickets.on-rack", ticket=ticket_told(position, ticket))

    def play(self, position: Position, outcome: Outcome) -> Position:
        run, player = position.run, position.entry(self.player)
        own = tuple(t for t in run.tickets.get(self.player, ()) if t not in self.tickets)
        shown = (*run.rack_tickets.get(player.name, ()), *self.tickets)
        return position.go_on(
            tickets={**run.tickets, self.player: own}, rack_tickets={**run.rack_tickets, player.name: shown}
        )


@dataclass(frozen=True)
class Teams(Part):
    """So many players of one colour; each holds wagons and a hand, the rack is common."""

    actions: ClassVar[tuple[type[Action], ...]] = (RevealTickets,)
    entries: ClassVar[Mapping[str, tuple[str, ...]]] = {"members": ("members",), "rack": ("rack",)}
    size: int

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        gave_up = line("team-cards.give-up-rack" if variant.give_up_to_rack else "team-cards.give-up")
        open_tracks = [board.groups[g][0] for g in variant.never_closed]
        names = [line("pair", a=board.cities[r.a].label(), b=board.cities[r.b].label()) for r in open_tracks]
        triple = variant.triple_when_closed or variant.closed_group
        closed = line("team-groups.closed", counts=either(variant.groups_close_at), n=triple.in_all or 0, names=names)
        return (
            section("team-cards", line("team-cards"), gave_up),
            section("team-tickets", line("team-tickets")),
            section("team-groups", closed, line("team-groups.open"), line("team-groups.own")),
        )

    def numbers(self) -> Mapping[str, Any]:
        return {"team_size": self.size}

    def begin(self, position: Position, setup: Setup) -> Position:
        if any(len(p.members) != self.size for p in position.players):
            raise Trouble("team-members", n=self.size)
        return position.go_on(wagons=dict.fromkeys(position.order, position.board.wagons))

    def asks(self, position: Position, action: type[Action], name: str) -> tuple[Ask, ...]:
        if action is not DrawTickets:
            return ()

        def one_of_those_kept(told: Told) -> Sequence[tuple[Ticket, ...] | int]:
            kept = told.get("kept")
            return [(t,) for t in kept] if isinstance(kept, tuple) else [1]

        return (Ask("rack", one_of_those_kept),)

    def judged(self, position: Position, action: Action, found: Findings) -> None:
        if isinstance(action, DrawCards):
            self._cards(position, action.cards, found)
        elif isinstance(action, DrawTickets):
            self._tickets(position, action, found)

    def _cards(self, position: Position, cards: tuple[DrawnCard, ...], found: Findings) -> None:
        """One of two drawn cards goes to the rack, one to the hand; a face-up locomotive goes to the rack."""
        if not cards or found.reasons:
            return
        if is_open_locomotive(cards[0]):
            if cards[0].to == "hand":
                found.no(Rule.TEAM_CARDS, "draw.locomotive-to-rack")
            return
        if len(cards) == 1 and second_card(position):
            found.no(Rule.TEAM_CARDS, "draw.team-takes-two")
            return
        told = [c.to for c in cards]
        if told.count("rack") > 1 or told.count("hand") > 1:
            found.no(Rule.TEAM_CARDS, "draw.one-each")
        elif None in told:
            found.needs["to"] = ["hand", "rack"]

    def _tickets(self, position: Position, action: DrawTickets, found: Findings) -> None:
        """One of those kept goes to the team's rack, of the opening ones too."""
        if action.rack is None:
            found.needs["rack"] = 1
            return
        n = action.rack if isinstance(action.rack, int) else len(action.rack)
        if n != 1:
            found.no(Rule.TEAM_TICKETS, "tickets.one-to-rack", n=n)
        if isinstance(action.kept, tuple) and isinstance(action.rack, tuple):
            must_be_among(position, action.rack, action.kept, "tickets.not-kept", found)

    def played(self, position: Position, action: Action, outcome: Outcome) -> Position:
        """What a member keeps is a hand ticket, but for the one on the rack."""
        if not isinstance(action, DrawTickets) or isinstance(action.kept, int):
            return position
        run, team = position.run, position.entry(action.player).name
        rack = action.rack if isinstance(action.rack, tuple) else ()
        own = (*run.tickets.get(action.player, ()), *(t for t in action.kept if t not in rack))
        shown = (*run.rack_tickets.get(team, ()), *rack)
        return position.go_on(
            tickets={**run.tickets, action.player: own}, rack_tickets={**run.rack_tickets, team: shown}
        )

    def problems(self, position: Position) -> Iterator[Message]:
        for player in position.players:
            if player.members and len(player.members) != self.size:
                there = len(player.members)
                yield message("position.team-size", name=player.name, n=self.size, there=there)

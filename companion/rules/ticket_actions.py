"""Drawing, keeping and showing tickets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.rules.actions import DrawTickets, RevealTickets, ShowTickets
from companion.rules.claims import place_told
from companion.rules.position import Position
from companion.rules.running import entry, running
from companion.rules.verdict import Findings, Rule
from maps import Message, Ticket, message


def is_opening(position: Position, action: DrawTickets) -> bool:
    """Whether these are the tickets dealt at the start: as told, else of somebody without a ticket or a track."""
    if action.opening is not None:
        return action.opening
    if position.running is not None:
        return action.player in position.running.opening
    player = entry(position, action.player)
    return not player.tickets and not player.routes


def judge_draw_tickets(position: Position, action: DrawTickets, found: Findings) -> None:
    """So many drawn, so many kept at least; those drawn are of this game and nobody else's."""
    variant, opening = position.variant, is_opening(position, action)
    wanted = variant.opening_tickets + variant.opening_long_tickets if opening else variant.drawn_tickets
    keep = variant.keep_opening if opening else variant.keep_drawn
    drawn, kept = action.numbers
    _numbers(position, drawn, wanted, opening, found)
    if kept < min(keep, drawn):
        found.no(Rule.TICKETS, "tickets.keep-opening" if opening else "tickets.keep", n=kept, least=keep)
    if kept > drawn:
        found.no(Rule.TICKETS, "tickets.kept-more", n=kept, drawn=drawn)
    if isinstance(action.drawn, tuple):
        _which(position, action.drawn, opening, found)
        if isinstance(action.kept, tuple):
            _subset(position, action.kept, action.drawn, "tickets.not-drawn", found)
    if variant.team_size > 1:
        _rack(position, action, opening, found)


def _numbers(position: Position, drawn: int, wanted: int, opening: bool, found: Findings) -> None:
    left = running(position).tickets_left
    if left == 0 and not opening:
        found.no(Rule.TICKETS, "tickets.none-left")
    elif drawn > wanted:
        found.no(Rule.TICKETS, "tickets.too-many", n=drawn, wanted=wanted)
    elif drawn < wanted:
        if opening or (left is not None and drawn < min(left, wanted)):
            due = wanted if left is None or opening else min(left, wanted)
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


def _rack(position: Position, action: DrawTickets, opening: bool, found: Findings) -> None:
    """One of those kept goes to the team's rack."""
    if action.rack is None:
        if isinstance(action.kept, tuple) and not opening:
            found.needs["rack"] = 1
        return
    if len(action.rack) != 1:
        found.no(Rule.TEAM_TICKETS, "tickets.one-to-rack", n=len(action.rack))
    if isinstance(action.kept, tuple):
        _subset(position, action.rack, action.kept, "tickets.not-kept", found)


def judge_reveal(position: Position, action: RevealTickets, found: Findings) -> None:
    """Up to two hand tickets to the team's rack, instead of any other action."""
    if position.variant.team_size == 1:
        found.no(Rule.TEAM_TICKETS, "tickets.no-team")
        return
    if not 1 <= len(action.tickets) <= 2:
        found.no(Rule.TEAM_TICKETS, "tickets.reveal-number", n=len(action.tickets))
    player, run = entry(position, action.player), running(position)
    shown = run.rack_tickets.get(player.name, ())
    if not player.tickets and not run.tickets:
        found.believe("tickets", player=action.player)
        return
    own = run.tickets.get(action.player)
    _subset(position, action.tickets, player.tickets if own is None else own, "tickets.not-held", found)
    for ticket in dict.fromkeys(action.tickets):
        if ticket in shown and own is None:
            found.no(Rule.TEAM_TICKETS, "tickets.on-rack", ticket=ticket_told(position, ticket))


def judge_show(position: Position, action: ShowTickets, found: Findings) -> None:
    """All tickets are laid open when the game is over."""
    if position.running is not None and not position.running.over and position.turn:
        found.no(Rule.TICKETS, "tickets.show-at-end")
    for ticket in dict.fromkeys(action.tickets):
        if position.tickets and ticket.id not in position.tickets:
            found.no(Rule.TICKETS, "tickets.not-in-game", ticket=ticket_told(position, ticket))


def _subset(position: Position, part: Iterable[Ticket], whole: Iterable[Ticket], key: str, found: Findings) -> None:
    for ticket in Counter(part) - Counter(whole):
        found.no(Rule.TICKETS, key, ticket=ticket_told(position, ticket))


def _key(ticket: Ticket) -> tuple[str, str, int]:
    return ticket.a, ticket.b, ticket.points


def ticket_told(position: Position, ticket: Ticket) -> Message:
    """A ticket as players say it."""
    a, b = place_told(position, ticket.a), place_told(position, ticket.b)
    return message("verdict.ticket", a=a, b=b, n=ticket.points)

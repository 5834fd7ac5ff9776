"""Tickets at the end of a game: which are done, by which tracks, and what each station should borrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from companion.rules.scoring.networks import networks, shortest_way
from companion.rules.scoring.sheet import TicketScore
from companion.rules.table.position import Player, Position
from maps import Board, Route, Ticket

# A network's number, or the name of a city that no own track touches.
_Net = int | str


def score_tickets(position: Position, index: int) -> tuple[tuple[TicketScore, ...], Mapping[str, str]]:
    """A player's tickets, each once, and the track that each station borrows for them."""
    player, board = position.players[index], position.board
    own = position.tracks(player)
    tickets = held_tickets(player)
    choices = _best_choices(position, index, own, tickets)
    borrowed = tuple(board.routes[track] for track in dict.fromkeys(choices.values()))
    network = networks((*own, *borrowed))
    scored = tuple(_scored(t, board, network, own, borrowed) for t in tickets)
    used = {track for t in scored for track in t.via or ()}
    # One station for each track that helps; two at both its ends would borrow the same.
    needed = {track: city for city, track in reversed(choices.items()) if track in used}
    return scored, {city: track for city, track in choices.items() if needed.get(track) == city}


def held_tickets(player: Player) -> list[Ticket]:
    """The player's tickets; one that is listed twice counts once."""
    return list({(t.id, t.points): t for t in player.tickets}.values())


def _scored(
    ticket: Ticket, board: Board, network: Mapping[str, int], own: Sequence[Route], borrowed: Sequence[Route]
) -> TicketScore:
    via = None
    if not _nets(ticket.a, board, network).isdisjoint(_nets(ticket.b, board, network)):
        way = shortest_way(own, borrowed, board.reach(ticket.a), board.reach(ticket.b))
        via = tuple(track.id for track in way)
    return TicketScore(ticket.id, ticket.a, ticket.b, ticket.points, via)


def _best_choices(position: Position, index: int, own: Sequence[Route], tickets: Sequence[Ticket]) -> dict[str, str]:
    """One opponent's track per station, together worth the most ticket points; among equals the most tickets."""
    stations = list(dict.fromkeys(position.players[index].stations))[: position.variant.stations]
    if not stations:
        return {}
    network = networks(own)
    offers = {city: _offers(position, index, city, network) for city in stations}
    offers = {city: joins for city, joins in offers.items() if joins}
    within_reach = {net for joins in offers.values() for pair in joins for net in pair}
    wanted = []
    for ticket in tickets:
        here, there = (_nets(end, position.board, network) for end in (ticket.a, ticket.b))
        if here.isdisjoint(there) and here & within_reach and there & within_reach:
            wanted.append((ticket.points, here, there))
    best = (0, 0)
    chosen: tuple[tuple[_Net, _Net], ...] = ()
    for choice in product(*offers.values()) if wanted else ():
        worth = _worth(wanted, choice)
        if worth > best:
            best, chosen = worth, choice
    return {city: offers[city][pair] for city, pair in zip(offers, chosen, strict=False)}


def _nets(end: str, board: Board, network: Mapping[str, int]) -> frozenset[_Net]:
    return frozenset(network.get(city, city) for city in board.reach(end))


def _offers(position: Position, index: int, city: str, network: Mapping[str, int]) -> dict[tuple[_Net, _Net], str]:
    """What a station may join, each by the shortest track that one opponent has at its city."""
    offers: dict[tuple[_Net, _Net], str] = {}
    for track in sorted(position.board.touching[city], key=lambda t: (t.length, t.id)):
        owners = position.owners.get(track.id, ())
        far = track.other(city)
        here, there = network.get(city, city), network.get(far, far)
        if owners and index not in owners and here != there:
            offers.setdefault((here, there), track.id)
    return offers


def _worth(
    wanted: Iterable[tuple[int, frozenset[_Net], frozenset[_Net]]], joins: Iterable[tuple[_Net, _Net]]
) -> tuple[int, int]:
    """Points and number of the tickets that these joins complete."""
    joined: dict[_Net, _Net] = {}
    for a, b in joins:
        a, b = joined.get(a, a), joined.get(b, b)
        joined = {net: a if other == b else other for net, other in joined.items()}
        joined[a] = joined[b] = a
    points = done = 0
    for value, here, there in wanted:
        if not {joined.get(net, net) for net in here}.isdisjoint(joined.get(net, net) for net in there):
            points += value
            done += 1
    return points, done

"""Looks into a position with or without a running game: seats, hands, racks, wagons and decks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.rules.payments import Pile, plus
from companion.rules.position import Player, Position
from companion.rules.state import Running
from maps import Trouble

NOT_RUNNING = Running()


def running(position: Position) -> Running:
    """The running state, or one that knows nothing."""
    return position.running or NOT_RUNNING


def seats(position: Position) -> tuple[str, ...]:
    """Everybody who takes turns, in order: partners play one after the other."""
    if position.variant.team_size > 1:
        return tuple(m for p in position.players for m in (p.members or (p.name,)))
    return tuple(p.name for p in position.players)


def entry(position: Position, name: str) -> Player:
    """The player of that name, or the team of that member."""
    found = position.player(name)
    if found is None:
        raise Trouble("unknown-player", value=name, known=[p.name for p in position.players])
    return found


def hand_of(position: Position, name: str) -> Pile | None:
    """The cards in a seat's own hand, None if nobody knows them."""
    return running(position).hands.get(name, entry(position, name).hand)


def rack_of(position: Position, name: str) -> Pile:
    """The team's shared cards; a rack nobody told of is empty."""
    return (entry(position, name).rack or {}) if position.variant.team_size > 1 else {}


def cards_of(position: Position, name: str) -> Pile | None:
    """All cards a seat may pay with, None if its hand is not known."""
    hand = hand_of(position, name)
    return None if hand is None else plus(hand, rack_of(position, name))


def wagons_of(position: Position, name: str) -> int:
    """The most wagons a seat can still have; of a team that nobody counts apart, what one member can hold."""
    known = running(position).wagons.get(name)
    player = entry(position, name)
    left = position.wagons_left(player)
    if known is not None:
        return min(known, left) if player.wagons is None else known
    return left if player.wagons is not None else min(left, position.board.wagons)


def cards_left(position: Position) -> tuple[int, int | None]:
    """Cards that can still be drawn blind, deck and discard together: at least, and at most if anybody counts them."""
    if position.deck is None:
        return 0, None
    if position.discard is None:
        return position.deck, None
    left = position.deck + position.discard
    # With both empty and somebody out of depots, the warehouses become the new deck.
    if not left and any(p.depots_left == 0 for p in position.players):
        left = sum(running(position).warehouses.values())
    return left, left


def buildings(position: Position) -> Mapping[str, Player]:
    """Cities with a station or depot, and whose it is."""
    return {city: p for p in position.players for city in (*p.stations, *p.depots)}


def changed(position: Position, player: Player) -> Position:
    """The position with this player's entry replaced."""
    return replace(position, players=tuple(player if p.name == player.name else p for p in position.players))

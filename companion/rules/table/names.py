"""Tracks, cities and tickets as players say them."""

from __future__ import annotations

from companion.rules.table.position import Position
from companion.rules.table.variant import Variant
from maps import Message, Route, Text, Ticket, message


def route_told(position: Position, route: Route) -> Message:
    """A track as players say it: its cities and colour."""
    a, b = (place_told(position, c) for c in route.ends)
    return message("verdict.route", a=a, b=b, color=message(f"words.{route.color}"))


def place_told(position: Position, place: str) -> Text:
    """A city's name as printed; a junction's in the player's language."""
    return Text(position.board.place_name(place, "en"), position.board.place_name(place, "fr"))


def here_told(variant: Variant) -> Message:
    """Where a game is played, as players say it: in the USA, aux États-Unis."""
    return message("words.in.own", name=variant.name) if variant.own else message(f"words.in.{variant.id}")


def ticket_told(position: Position, ticket: Ticket) -> Message:
    """A ticket as players say it."""
    a, b = place_told(position, ticket.a), place_told(position, ticket.b)
    return message("verdict.ticket", a=a, b=b, n=ticket.points)


def pair_told(position: Position, pair: Route | Ticket) -> Message:
    """Both ends of a track or ticket."""
    return message("position.pair", a=place_told(position, pair.a), b=place_told(position, pair.b))

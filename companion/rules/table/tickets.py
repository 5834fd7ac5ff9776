"""Tickets as people write them: an id in either order, with or without points, or cities and points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeGuard  # Any: JSON

from maps import Board, Ticket

if TYPE_CHECKING:
    from companion.rules.table.variant import Variant

# More than any table could need; it keeps a slip of the finger from becoming work for hours.
MOST = 100_000


def find_ticket(value: object, board: Board, variant: Variant, deck: Mapping[str, Ticket]) -> Ticket | str | None:
    """The ticket that is meant: of the variant's deck, else of the board, else as told by cities and points.

    An end that no board knows is given back by its name; None means that the value is no ticket at all.
    """
    if isinstance(value, str):
        return (
            deck.get(value) or _by_pair(value, deck.values()) or _by_pair(value, variant.valued(board.tickets.values()))
        )
    ticket = _by_cities(value, board)
    # Told by its cities it may still be one that the lists know.
    known = _by_pair(f"{ticket.id}--{ticket.points}", deck.values()) if isinstance(ticket, Ticket) else None
    return known or ticket


def _by_pair(value: str, among: Iterable[Ticket]) -> Ticket | None:
    """A ticket by its pair in either order, and by its points where they are told."""
    parts = value.split("--")
    pair, points = sorted(parts[:2]), parts[2:]
    found = [t for t in among if sorted((t.a, t.b)) == pair and (not points or [str(t.points)] == points)]
    return found[0] if len(found) == 1 else None


def _by_cities(value: object, board: Board) -> Ticket | str | None:
    if not isinstance(value, dict):
        return None
    a, b, points = value.get("a"), value.get("b"), value.get("points")
    if not isinstance(a, str) or not isinstance(b, str) or a == b or not is_whole(points):
        return None
    for end in (a, b):
        if end not in board.cities and end not in board.places:
            return end
    a, b = sorted((a, b))
    return Ticket(f"{a}--{b}", a, b, points)


def ticket_json(ticket: Ticket, deck: Mapping[str, Ticket]) -> Any:
    """The ticket's id where the variant knows it at these points, else its cities and points."""
    if deck.get(ticket.id) == ticket:
        return ticket.id
    return {"a": ticket.a, "b": ticket.b, "points": ticket.points}


def is_whole(value: object, low: int = 0) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= MOST

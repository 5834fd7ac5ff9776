"""Choosing a ticket in two taps: a city, then the city it joins; the lists narrow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any  # Any: JSON

from companion.rules import Position
from maps import Ticket, plain

# Where nobody knows the tickets, these are the points that such tickets print.
_POINTS = tuple(range(2, 31))


class TicketPicker:
    """Tickets of a variant that nobody holds yet. Where the list is unknown any two cities will do."""

    def __init__(self, position: Position, taken: Iterable[object] = (), first: str = "") -> None:
        self.position = position
        self.board = position.board
        self.taken = [t for t in taken if isinstance(t, str)]
        self.first = first if first in (*self.board.cities, *self.board.places) else ""
        self.second = ""
        self.text = ""

    @property
    def known(self) -> bool:
        """Whether this variant's tickets are known."""
        return bool(self.position.tickets)

    def left(self) -> list[Ticket]:
        return [t for t in self.position.tickets.values() if t.id not in self.taken]

    def _places(self) -> list[str]:
        if not self.known:
            return [c.id for c in self.board.cities.values() if not c.junction and c.id != self.first]
        if not self.first:
            return list({p: None for t in self.left() for p in (t.a, t.b)})
        return list({t.b if t.a == self.first else t.a: None for t in self.left() if self.first in (t.a, t.b)})

    def places(self, language: str) -> list[tuple[str, str]]:
        """Cities to tap now, by name; what was typed narrows them."""
        wanted = plain(self.text)
        named = [(p, self.board.place_name(p, language)) for p in self._places()]
        kept = [(p, name) for p, name in named if f" {wanted}" in f" {plain(name)}"]
        return sorted(kept, key=lambda n: plain(n[1]))

    def points_to(self, place: str) -> list[int]:
        """What the tickets to a second city are worth; nothing before the first one is chosen."""
        if not self.first or not self.known:
            return []
        return sorted(t.points for t in self.left() if {t.a, t.b} == {self.first, place})

    def tap(self, place: str) -> list[Ticket]:
        """A city tapped; after the second one the tickets between both, mostly a single one.

        A city with a single ticket needs no second tap.
        """
        self.text = ""
        if not self.first:
            self.first = place
            mine = [t for t in self.left() if place in (t.a, t.b)]
            return mine if len(mine) == 1 else []
        self.second = place
        return [t for t in self.left() if {t.a, t.b} == {self.first, place}]

    def points(self) -> tuple[int, ...]:
        return _POINTS

    def told(self, points: int) -> dict[str, Any]:
        """A ticket that no list knows."""
        return {"a": self.first, "b": self.second, "points": points}

    def reset(self) -> None:
        self.first = self.second = self.text = ""

"""Tickets that the camera saw: the sure ones are taken, each of the others is asked about with what it may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.rules import Position
from maps import Ticket

Quad = tuple[tuple[float, float], ...]
# Tickets whose middles are less than this part of a ticket's height apart lie in one row.
ROW_GAP = 0.6


@dataclass(frozen=True)
class Sighting:
    """A ticket in the photo: what it may be, the likeliest first, and its corners. `sure`: nobody need be asked."""

    choices: tuple[Ticket, ...]
    sure: bool
    quad: Quad


@dataclass(frozen=True)
class Asked:
    """A ticket to ask about: ids that it may be, and its corners in the photo."""

    choices: tuple[str, ...]
    quad: Quad


class TicketReview:
    """`kept` are ids of this variant's tickets; `item` is the next one to ask about."""

    def __init__(self, picture: Path, kept: Sequence[str], items: Sequence[Asked], at: int = 0) -> None:
        self.picture, self.kept, self.items, self.at = picture, list(kept), list(items), at

    @classmethod
    def of(
        cls, picture: Path, seen: Iterable[Sighting], position: Position, mine: Sequence[Any], others: Sequence[Any]
    ) -> TicketReview:
        """What lies in a photo of one player's tickets. What others hold can't be it, unless somebody erred."""
        kept: list[str] = []
        items: list[Asked] = []
        for one in seen:
            every = [_ids(position, ticket) for ticket in one.choices]
            first = every[0] if every else []
            choices = tuple(dict.fromkeys(i for ids in every for i in ids if i not in others))
            if one.sure and len(first) == 1 and first[0] not in others:
                kept += [i for i in first if i not in (*kept, *mine)]
            else:
                items.append(Asked(choices, one.quad))
        return cls(picture, kept, items)

    @classmethod
    def of_all(
        cls, picture: Path, seen: Iterable[Sighting], position: Position, held: Sequence[Sequence[Any]]
    ) -> list[TicketReview]:
        """One photo of all players' tickets, a row for each: the reviews in the players' order, the top row first.

        Rows that nobody is left for go to the last player, whose tickets may fill several.
        """
        rows = rows_of(seen)
        most = max(len(held), 1)
        rows = [*rows[: most - 1], [one for row in rows[most - 1 :] for one in row]]
        reviews: list[TicketReview] = []
        for n, mine in enumerate(held):
            others = [t for k, tickets in enumerate(held) if k != n for t in tickets]
            others += [t for review in reviews for t in review.kept]
            reviews.append(cls.of(picture, rows[n] if n < len(rows) else (), position, mine, others))
        return reviews

    def drop(self, ticket: str) -> None:
        """A ticket that was taken isn't there after all."""
        self.kept = [kept for kept in self.kept if kept != ticket]

    @property
    def item(self) -> Asked | None:
        return self.items[self.at] if self.at < len(self.items) else None

    def answer(self, ticket: str | None) -> None:
        """What it is; None: no ticket at all."""
        if ticket is not None and ticket not in self.kept:
            self.kept.append(ticket)
        self.at += 1

    def to_json(self) -> dict[str, Any]:
        return {
            "picture": str(self.picture),
            "kept": self.kept,
            "items": [asdict(item) for item in self.items],
            "at": self.at,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TicketReview:
        items = [Asked(tuple(i["choices"]), tuple((float(x), float(y)) for x, y in i["quad"])) for i in data["items"]]
        return cls(Path(data["picture"]), data["kept"], items, int(data["at"]))


def rows_of(seen: Iterable[Sighting]) -> list[list[Sighting]]:
    """What lies in rows across a photo, the top row first, each from left to right."""
    rows: list[list[Sighting]] = []
    for one in sorted(seen, key=_height):
        near = rows[-1] if rows else []
        if near and _height(one) - max(map(_height, near)) < ROW_GAP * min(_tall(one), _tall(near[-1])):
            near.append(one)
        else:
            rows.append([one])
    return [sorted(row, key=lambda one: sum(x for x, _ in one.quad)) for row in rows]


def _height(one: Sighting) -> float:
    return sum(y for _, y in one.quad) / max(len(one.quad), 1)


def _tall(one: Sighting) -> float:
    return max(y for _, y in one.quad) - min(y for _, y in one.quad)


def _ids(position: Position, ticket: Ticket) -> list[str]:
    """This variant's tickets between the same cities; where one prints the same points, that one."""
    same = [t for t in position.tickets.values() if {t.a, t.b} == {ticket.a, ticket.b}]
    exact = [t.id for t in same if t.points == ticket.points]
    return exact or [t.id for t in same]

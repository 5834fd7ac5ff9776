"""Tickets that the camera saw: the sure ones are taken, each of the others is asked about with what it may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar  # Any: JSON of tickets, and tickets

from companion.rules import Position
from maps import Ticket

Quad = tuple[tuple[float, float], ...]
Kind = Literal["ticket", "technology", "share"]
# Tickets whose middles are less than this part of a ticket's height apart lie in one row.
ROW_GAP = 0.6


@dataclass(frozen=True)
class Sighting:
    """A ticket in the photo: what it may be, the likeliest first, and its corners. `sure`: nobody need be asked."""

    choices: tuple[Ticket, ...]
    sure: bool
    quad: Quad


@dataclass(frozen=True)
class PaperSighting:
    """A technology card or a share in the photo: what it may be, the likeliest first; a share's number, 0 if unread."""

    kind: Kind
    choices: tuple[str, ...]
    number: int
    sure: bool
    quad: Quad


@dataclass(frozen=True)
class Taken:
    """A ticket, a technology or a share that somebody holds; `whose`: that player's place, None: the one at hand."""

    id: str
    kind: Kind = "ticket"
    number: int = 0
    whose: int | None = None


@dataclass(frozen=True)
class Asked:
    """To ask about: ids that it may be, its corners in the photo; `sure`: a share's company needs no asking."""

    choices: tuple[str, ...]
    quad: Quad
    kind: Kind = "ticket"
    whose: int | None = None
    sure: bool = False


class TicketReview:
    """What a photo of tickets shows: `taken` is sure or was told; `item` is the next one to ask about."""

    def __init__(self, picture: Path, taken: Sequence[Taken], items: Sequence[Asked], at: int = 0) -> None:
        self.picture, self.taken, self.items, self.at = picture, list(taken), list(items), at

    @classmethod
    def of(
        cls,
        picture: Path,
        seen: Iterable[Sighting | PaperSighting],
        position: Position,
        mine: Sequence[Any],
        others: Sequence[Any],
        whose: int | None = None,
    ) -> TicketReview:
        """What lies in a photo of one player's tickets. What others hold can't be it, unless somebody erred."""
        review = cls(picture, (), ())
        for one in seen:
            if isinstance(one, PaperSighting):
                review._paper(one, position, whose)
                continue
            every = [_ids(position, ticket) for ticket in one.choices]
            first = every[0] if every else []
            choices = tuple(dict.fromkeys(i for ids in every for i in ids if i not in others))
            if one.sure and len(first) == 1 and first[0] not in others:
                review.taken += [Taken(i, whose=whose) for i in first if i not in (*review.kept, *mine)]
            else:
                review.items.append(Asked(choices, one.quad, whose=whose))
        return review

    def _paper(self, one: PaperSighting, position: Position, whose: int | None) -> None:
        """A technology that can be bought under these rules, or a share of this board."""
        board = position.board
        known = position.variant.technology_ids(board) if one.kind == "technology" else board.companies
        choices = tuple(c for c in one.choices if c in known)
        if not choices:
            return
        taken = Taken(choices[0], one.kind, one.number, whose)
        if one.sure and (one.kind == "technology" or one.number):
            self.taken += [taken] if taken not in self.taken else []
        else:
            self.items.append(Asked(choices, one.quad, one.kind, whose, one.sure))

    @classmethod
    def of_all(
        cls,
        picture: Path,
        seen: Iterable[Sighting | PaperSighting],
        position: Position,
        held: Sequence[Sequence[Any]],
    ) -> TicketReview:
        """One photo of all players' tickets, a row for each in the players' order, the top row first.

        Rows that nobody is left for go to the last player, whose tickets may fill several.
        """
        rows = rows_of(seen)
        most = max(len(held), 1)
        rows = [*rows[: most - 1], [one for row in rows[most - 1 :] for one in row]]
        whole = cls(picture, (), ())
        for n, mine in enumerate(held):
            others = [t for k, tickets in enumerate(held) if k != n for t in tickets]
            review = cls.of(picture, rows[n] if n < len(rows) else (), position, mine, [*others, *whole.kept], n)
            whole.taken += review.taken
            whole.items += review.items
        return whole

    @property
    def kept(self) -> list[str]:
        """Ids of this variant's tickets that are taken."""
        return [one.id for one in self.taken if one.kind == "ticket"]

    def drop(self, ticket: str) -> None:
        """A ticket that was taken isn't there after all."""
        self.taken = [one for one in self.taken if one.kind != "ticket" or one.id != ticket]

    @property
    def item(self) -> Asked | None:
        return self.items[self.at] if self.at < len(self.items) else None

    def answer(self, told: str | None, number: int = 0) -> None:
        """What it is, a share with its number; None: nothing of the kind."""
        item = self.item
        if item is not None and told is not None:
            taken = Taken(told, item.kind, number, item.whose)
            if taken not in self.taken and not (item.kind == "ticket" and told in self.kept):
                self.taken.append(taken)
        self.at += 1

    def to_json(self) -> dict[str, Any]:
        return {
            "picture": str(self.picture),
            "taken": [asdict(one) for one in self.taken],
            "items": [asdict(item) for item in self.items],
            "at": self.at,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TicketReview:
        items = [
            Asked(
                tuple(i["choices"]),
                tuple((float(x), float(y)) for x, y in i["quad"]),
                i["kind"],
                i["whose"],
                bool(i["sure"]),
            )
            for i in data["items"]
        ]
        taken = [Taken(t["id"], t["kind"], int(t["number"]), t["whose"]) for t in data["taken"]]
        return cls(Path(data["picture"]), taken, items, int(data["at"]))


S = TypeVar("S", bound=Sighting | PaperSighting)


def rows_of(seen: Iterable[S]) -> list[list[S]]:
    """What lies in rows across a photo, the top row first, each from left to right."""
    rows: list[list[S]] = []
    for one in sorted(seen, key=_height):
        near = rows[-1] if rows else []
        if near and _height(one) - max(map(_height, near)) < ROW_GAP * min(_tall(one), _tall(near[-1])):
            near.append(one)
        else:
            rows.append([one])
    return [sorted(row, key=lambda one: sum(x for x, _ in one.quad)) for row in rows]


def _height(one: Sighting | PaperSighting) -> float:
    return sum(y for _, y in one.quad) / max(len(one.quad), 1)


def _tall(one: Sighting | PaperSighting) -> float:
    return max(y for _, y in one.quad) - min(y for _, y in one.quad)


def _ids(position: Position, ticket: Ticket) -> list[str]:
    """This variant's tickets between the same cities; where one prints the same points, that one."""
    same = [t for t in position.tickets.values() if {t.a, t.b} == {ticket.a, ticket.b}]
    exact = [t.id for t in same if t.points == ticket.points]
    return exact or [t.id for t in same]

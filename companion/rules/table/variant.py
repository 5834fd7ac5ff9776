"""What a variant is: the base rules as documented numbers. A variant states what differs, and lists its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal  # Any: JSON

from companion.rules.table.part import Part
from maps import Board, Route, Text, Ticket

# A line of the score sheet, by its part's name for it.
Bonus = str
TieBreak = Literal["tickets", "stations", "longest_path", "mountain"]


@dataclass(frozen=True)
class GroupRule:
    """How many tracks of one group can be taken in all, and by one owner. None: no limit but the group's size."""

    in_all: int | None = None
    per_owner: int | None = 1


@dataclass(frozen=True)
class Variant:
    """The base: the rules of the first game. A variant states only what differs."""

    id: str
    name: Text
    board: str
    parts: tuple[Part, ...] = ()
    # A board of one's own, played by the base rules.
    own: bool = False

    # Tickets: the decks in play (none named: all); long ones are dealt apart where `opening_long_tickets` says so.
    decks: tuple[str, ...] = ("regular",)
    revised_values: bool = False
    opening_tickets: int = 3
    opening_long_tickets: int = 0
    keep_opening: int = 2
    refused_opening: Literal["bottom", "box"] = "bottom"
    drawn_tickets: int = 3
    keep_drawn: int = 1

    # Cards: what a player starts with, and how many face-up locomotives sweep the five away (0: never).
    opening_cards: int = 4
    opening_locomotives: int = 0
    drawn_cards: int = 2
    face_up: int = 5
    sweep_at: int = 3

    # Groups: at these player counts a double closes after one track; exceptions by group size and by group id.
    groups_close_at: tuple[int, ...] = (2, 3)
    closed_group: GroupRule = GroupRule(in_all=1)
    open_group: GroupRule = GroupRule()
    triple_when_closed: GroupRule | None = None
    triple_when_open: GroupRule | None = None
    never_closed: tuple[str, ...] = ()

    # The end: wagons left after a turn that call the last round; a team counts together.
    end_trigger: int = 2

    # What the parts say of themselves, for those who only read; 0, none or False: this variant has no such part.
    longest_path: int = field(init=False, default=0)
    globetrotter: int = field(init=False, default=0)
    explorer: int = field(init=False, default=0)
    mountain_points: int = field(init=False, default=0)
    stations: int = field(init=False, default=0)
    station_points: int = field(init=False, default=0)
    technologies: Literal["none", "basic", "advanced"] = field(init=False, default="none")
    cards_per_locomotive: int = field(init=False, default=0)
    marked_points_count: bool = field(init=False, default=False)
    shares: bool = field(init=False, default=False)
    tourists: bool = field(init=False, default=False)
    team_size: int = field(init=False, default=1)

    # Teams: whether rack cards return to the rack when a tunnel is given up.
    give_up_to_rack: bool = False

    ties: tuple[TieBreak, ...] = ("tickets", "longest_path")

    # What players are told of rulings of ours: the variant's own, then those of its parts.
    rulings: tuple[Text, ...] = ()
    choices: tuple[Text, ...] = field(init=False, default=())
    options: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for part in self.parts:
            for name, value in part.numbers().items():
                object.__setattr__(self, name, value)
        of_parts = (choice for part in self.parts for choice in part.choices())
        object.__setattr__(self, "choices", (*self.rulings, *of_parts))

    def group_rule(self, tracks: int, group: str, players: int) -> GroupRule:
        """What may be taken of a group with that many tracks, at that many players."""
        if tracks < 2:
            return GroupRule(in_all=1)
        closed = players in self.groups_close_at and group not in self.never_closed
        if tracks > 2:
            special = self.triple_when_closed if closed else self.triple_when_open
            if special is not None:
                return special
        return self.closed_group if closed else self.open_group

    def group_limits(self, board: Board, players: int) -> dict[str, int]:
        """How many tracks of each group can be held at that many players, for the groups that have a limit."""
        limits = {g: self.group_rule(len(tracks), g, players).in_all for g, tracks in board.groups.items()}
        return {group: limit for group, limit in limits.items() if limit is not None and len(board.groups[group]) > 1}

    def lines(self, board: Board) -> tuple[Bonus, ...]:
        """The lines of this variant's score sheet, in the order in which they are counted."""
        return tuple(part.line for part in self.parts if part.has_line(board))

    def tickets(self, board: Board) -> dict[str, Ticket]:
        """The tickets of this variant's decks by id, with the values that count in it; no deck named: all tickets."""
        found = self.valued(board.deck(*self.decks) if self.decks else board.tickets.values())
        # An id tells the points only where this variant's own tickets hold the same pair twice.
        pairs = Counter((t.a, t.b) for t in found)
        named = (
            t if pairs[t.a, t.b] > 1 else replace(t, id=f"{t.a}--{t.b}") if t.id.count("--") > 1 else t for t in found
        )
        return {t.id: t for t in named}

    def valued(self, tickets: Iterable[Ticket]) -> tuple[Ticket, ...]:
        """Tickets with the points that count in this variant."""
        if not self.revised_values:
            return tuple(tickets)
        return tuple(t if t.revised is None else replace(t, points=t.revised) for t in tickets)

    def technology_ids(self, board: Board) -> tuple[str, ...]:
        """Technologies on sale in this variant."""
        if self.technologies == "none":
            return ()
        return tuple(t.id for t in board.technologies.values() if self.technologies == "advanced" or not t.advanced)

    def wagons(self, board: Board) -> int:
        """Wagons of one colour: a team's players have theirs together."""
        return board.wagons * self.team_size

    def with_parts(self, parts: Iterable[Part]) -> Variant:
        """This variant with more parts: those of a module."""
        return replace(self, parts=(*self.parts, *(p for p in parts if p not in self.parts)))

    def with_changes(self, changes: Mapping[str, Any]) -> Variant:
        """This variant as a group plays it: what a house option changes."""
        return replace(self, **changes)


def needed_locomotives(route: Route) -> int:
    """Locomotive symbols of a ferry."""
    return route.locomotives if route.kind == "ferry" else 0

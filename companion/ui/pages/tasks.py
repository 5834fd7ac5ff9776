"""What screens are given besides their model: whom to tell, and how to go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable  # Any: what comes back depends on what is asked

from companion.ui.models.edit import BoardEdit
from companion.ui.models.enrol import EnrolModel
from companion.ui.models.finish import FinishModel
from companion.ui.models.review import ReviewModel
from companion.ui.models.ticket_review import TicketReview
from companion.ui.models.tickets import TicketPicker


@dataclass(frozen=True)
class Reviewing:
    """A photo to look at. `done`: it is right; `again`: another photo is wanted, None where there can be none."""

    review: ReviewModel
    done: Callable[[ReviewModel], object]
    again: Callable[[], object] | None = None
    # Where a colour that nobody plays lies on the board: a player more.
    add_player: Callable[[ReviewModel, str], object] | None = None


@dataclass(frozen=True)
class Picking:
    """A ticket to choose. `done` gets its id, or what a ticket says that no list knows.

    `finish`: whose tickets they are, with those chosen before; `dropped` takes one of them away; `next` goes straight
    on to the next player, where nothing else is asked.
    """

    picker: TicketPicker
    done: Callable[[Any], object]
    finish: FinishModel | None = None
    dropped: Callable[[int], object] = lambda _: None
    next: Callable[[], object] | None = None


@dataclass(frozen=True)
class Checking:
    """Tickets in a photo that are not sure."""

    review: TicketReview
    finish: FinishModel
    done: Callable[[TicketReview], object]


@dataclass(frozen=True)
class Browsing:
    """A folder to choose a file from."""

    folder: Path
    chosen: Callable[[Path], object]


@dataclass(frozen=True)
class Learning:
    """A board being shown by touch; `done` when it is learnt."""

    enrolment: EnrolModel
    done: Callable[[Any], object]


@dataclass(frozen=True)
class Editing:
    """What lies on the board, to be put right by hand."""

    edit: BoardEdit
    changed: Callable[[], object]


@runtime_checkable
class TakesReviews(Protocol):
    """A screen that has photos of the board looked at."""

    def reviewing(self, review: ReviewModel) -> Reviewing: ...

    def review_of(self, data: Any) -> ReviewModel: ...


@runtime_checkable
class TakesTickets(Protocol):
    """A screen that has tickets chosen."""

    def picking(self, first: str = "") -> Picking: ...


@runtime_checkable
class ChecksTickets(Protocol):
    """A screen that has tickets in a photo looked at."""

    def checking(self, review: TicketReview) -> Checking: ...


@runtime_checkable
class EditsBoard(Protocol):
    """A screen whose board can be put right by hand."""

    def editing(self) -> Editing: ...

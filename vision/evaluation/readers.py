"""What is asked of a photo, and who answers: the program itself, or a stand-in for tests."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal  # Any: JSON, and pictures as their reader wants them

import maps
from maps import Trouble
from vision.config import CARD
from vision.reading import Reading

# `any`: nothing is told beforehand, not even whether the photo shows a board, cards or tickets.
Question = Literal["board", "cards", "tickets", "any"]
SheetKind = Literal["card", "ticket", "technology", "share"]
Quad = tuple[tuple[float, float], ...]
# What is read by its names.
PAPERS = ("tickets", "technologies", "shares")


@dataclass(frozen=True)
class Ask:
    """A question about a photo. What a player would tell is told: the board of tickets, and that depots are played."""

    what: Question
    board: str | None = None
    depots: bool = False

    @classmethod
    def about(cls, truth: Mapping[str, Any]) -> Ask:
        """The command that a player would call for such a photo."""
        if "routes" in truth:
            return cls("board", depots="depots" in truth)
        papers = [p for kind in PAPERS for p in truth.get(kind) or ()]
        return cls("tickets", papers[0].get("board") or truth.get("board")) if papers else cls("cards")


@dataclass(frozen=True)
class SheetSeen:
    """A card (`name` is its colour), or what has a name: a ticket by its id, a technology, a share."""

    kind: SheetKind
    name: str
    confidence: float
    quad: Quad
    flagged: bool = False


@dataclass(frozen=True)
class Sheets:
    """The cards, tickets, technologies and shares of one photo."""

    found: tuple[SheetSeen, ...]
    seconds: Mapping[str, float] = field(default_factory=dict)


Reader = Callable[[Path, Ask], Reading | Sheets]


def ask_program(photo: Path, ask: Ask) -> Reading | Sheets:
    """What the program reads in a photo. Trouble, if that is nothing."""
    if ask.what == "board":
        # The models load with the first photo, in the process that reads it.
        from vision.read import read

        return read(photo, depots=ask.depots)
    if ask.what == "cards":
        return _sheets(photo, cards=True, boards=())
    if ask.what == "tickets":
        if ask.board is None:
            raise Trouble("tickets-need-board")
        return _sheets(photo, cards=False, boards=(ask.board,))
    try:
        return ask_program(photo, Ask("board"))
    except Trouble as trouble:
        if not trouble.nothing_seen:
            raise
        return _sheets(photo, cards=True, boards=maps.available())


def _sheets(photo: Path, cards: bool, boards: Sequence[str]) -> Sheets:
    """The cards of a photo, and its tickets: those of the board that they fit best."""
    from vision.photo import load

    picture = load(photo)
    began = time.perf_counter()
    found: list[SheetSeen] = []
    if cards:
        from vision.cards import read_cards

        found += [_seen("card", c.to_json()) for c in read_cards(picture)]
    told = [_tickets(picture, board) for board in boards]
    if told:
        found += max(told, key=lambda tickets: sum(t.confidence for t in tickets))
    took = time.perf_counter() - began
    return Sheets(tuple(found), {"decode": picture.seconds, "read": took, "total": picture.seconds + took})


def _tickets(picture: Any, board: str) -> list[SheetSeen]:
    from vision.papers import read_papers

    papers = read_papers(picture, maps.load(board))
    found = [_seen("ticket", t.to_json()) for t in papers.tickets]
    found += [SheetSeen("technology", t.name, t.confidence, t.quad, not t.sure) for t in papers.technologies]
    found += [SheetSeen("share", s.name, s.confidence, s.quad, not s.sure) for s in papers.shares]
    return found


def _seen(kind: Literal["card", "ticket"], told: Mapping[str, Any]) -> SheetSeen:
    quad = tuple((float(x), float(y)) for x, y in told["quad"])
    # A ticket that was seen but not recognised has no id.
    name = str(told["color" if kind == "card" else "id"] or "unread")
    # Cards tell only how sure they are.
    flagged = bool(told.get("doubtful", told["confidence"] < CARD.doubt))
    return SheetSeen(kind, name, float(told["confidence"]), quad, flagged)

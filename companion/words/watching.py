"""What a camera on a stand saw happen, said to the table: for its voice, the screen and the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.lang import say, tell
from companion.rules import Reason, Verdict
from companion.words.names import pair, place
from maps import Board
from vision.event import Event
from vision.reading import DEPOT


class Told(Protocol):
    """An event with who did it and what the referee says to it."""

    @property
    def event(self) -> Event: ...

    @property
    def kind(self) -> str: ...

    @property
    def player(self) -> str: ...

    @property
    def verdict(self) -> Verdict | None: ...

    @property
    def wagons(self) -> int: ...


def event_text(board: Board, told: Told, language: str) -> str:
    """One sentence of what happened; a second one of what is wrong with it.

    >>> from maps import load
    >>> from types import SimpleNamespace
    >>> event = Event(3.0, "gone", "paris-zurich-gray", "red")
    >>> event_text(load("europe"), SimpleNamespace(event=event, kind="gone", player="Ann", wagons=0), "en")
    'Ann: Paris – Zürich is empty again.'
    """
    event = told.event
    who = told.player or say(f"words.{event.color.removeprefix(DEPOT) or 'nobody'}", language).capitalize()
    spots = {"place": _spot(board, event.place, language), "origin": _spot(board, event.origin, language)}
    if told.kind in ("lost", "found", "camera"):
        return say(f"watch.{told.kind}", language)
    if told.kind == "last-round":
        return say("watch.last-round", language, player=who, n=told.wagons)
    if told.kind == "gone":
        return say("watch.gone", language, player=who, **spots)
    verdict = told.verdict
    if verdict is not None and not verdict.legal:
        wrong = say(f"watch.{told.kind}-wrong", language, player=who, **spots)
        return f"{wrong} {why(board, verdict.reasons, language)}"
    return say(f"watch.{told.kind}", language, n=verdict.points if verdict else 0, player=who, **spots)


def why(board: Board, reasons: Sequence[Reason], language: str) -> str:
    """What the referee says against something."""
    return " ".join(tell(r.message, language, board.cards.wild) for r in reasons)


def _spot(board: Board, name: str, language: str) -> str:
    if name in board.routes:
        return pair(board, board.routes[name].ends, language)
    return place(board, name, language) if name in board.cities else ""

"""What players call the things on the board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from companion.lang import say
from companion.rules import Action, Claim, DrawCards, DrawTickets
from maps import Board, WildCard, message


class Joins(Protocol):
    """Two places and what joining them is worth: a ticket, counted or not."""

    @property
    def a(self) -> str: ...

    @property
    def b(self) -> str: ...

    @property
    def points(self) -> int: ...


def place(board: Board, name: str, language: str) -> str:
    """A city, country or junction."""
    return board.place_name(name, language)


def pair(board: Board, ends: Iterable[str], language: str) -> str:
    """Two places that something joins.

    >>> from maps import load
    >>> pair(load("europe"), ("brest", "dieppe"), "en")
    'Brest – Dieppe'
    """
    return " – ".join(place(board, end, language) for end in ends)


# A walk is said in the same way, with every stop.
way = pair


def route(board: Board, name: str, language: str) -> str:
    """A track: its cities, colour, length, and what is special about it.

    >>> from maps import load
    >>> route(load("europe"), "paris-zurich-gray", "en")
    'Paris – Zürich (grey, 3), tunnel'
    """
    track = board.routes[name]
    told = say(
        "words.route",
        language,
        ends=pair(board, track.ends, language),
        color=message(f"words.{track.color}"),
        n=track.length,
    )
    return told if track.kind == "normal" else f"{told}, {say(f'words.kind.{track.kind}', language)}"


def spot(board: Board, name: str, language: str) -> str:
    """A route by its cities, colour and length; a city by its name."""
    return route(board, name, language) if name in board.routes else place(board, name, language)


def ticket(board: Board, told: Joins, language: str) -> str:
    """A ticket: its two places and its points."""
    return say("words.ticket", language, ends=pair(board, (told.a, told.b), language), n=told.points)


def action(board: Board, told: Action, language: str) -> str:
    """What somebody did, in one line."""
    names: dict[str, Mapping[str, str]] = {
        "route": {r.id: pair(board, r.ends, language) for r in board.routes.values()},
        "city": {c: place(board, c, language) for c in board.cities},
        "place": {c: place(board, c, language) for c in board.cities},
        "technology": {t.id: t.name(language) for t in board.technologies.values()},
        "company": {c.id: c.name for c in board.companies.values()},
        "owner": {},
        "name": {},
    }
    values = {field: str(getattr(told, field, "")) for field in names}
    values = {field: names[field].get(value, value) for field, value in values.items()}
    gave_up = isinstance(told, Claim) and told.give_up
    return say("words.did.give-up" if gave_up else f"words.did.{told.kind}", language, player=told.player, **values)


def details(board: Board, told: Action, language: str) -> str:
    """What was paid, drawn or kept; empty where nobody told it."""
    wild = board.cards.wild
    if isinstance(told, DrawTickets):
        return say("words.kept", language, n=told.numbers[1], drawn=told.numbers[0])
    if isinstance(told, DrawCards):
        blind = sum(card.source == "deck" for card in told.cards)
        seen = [say(f"words.{card.card}", language, wild) for card in told.cards if card.source != "deck"]
        return ", ".join([*seen, *([say("words.blind", language, n=blind)] if blind else [])])
    paid = dict(getattr(told, "cards", None) or {})
    for color, n in dict(getattr(told, "extra", None) or {}).items():
        paid[color] = paid.get(color, 0) + n
    return pile(paid, language, wild)


def pile(cards: Mapping[str, int], language: str, wild: WildCard) -> str:
    """Cards by number and colour.

    >>> from maps import LOCOMOTIVES
    >>> pile({"red": 2, "locomotive": 1}, "en", LOCOMOTIVES)
    '2 × red, 1 × locomotive'
    """
    return ", ".join(f"{n} × {say(f'words.{color}', language, wild)}" for color, n in cards.items() if n)

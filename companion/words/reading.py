"""What the camera saw, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.lang import say
from companion.words.names import pair, place, route, spot
from maps import LOCOMOTIVES, Board, Ticket, WildCard, load
from vision.reading import Reading


class Card(Protocol):
    """A train card in a photo."""

    @property
    def color(self) -> str: ...

    @property
    def confidence(self) -> float: ...

    @property
    def doubtful(self) -> bool: ...


class TicketInPhoto(Protocol):
    """A ticket in a photo: what it may be, the likeliest first, and whether nobody need be asked."""

    @property
    def choices(self) -> Sequence[Ticket]: ...

    @property
    def confidence(self) -> float: ...

    @property
    def sure(self) -> bool: ...


class TechnologyInPhoto(Protocol):
    """A technology card in a photo: the likeliest, and whether nobody need be asked."""

    @property
    def id(self) -> str: ...

    @property
    def alternatives(self) -> Sequence[str]: ...

    @property
    def confidence(self) -> float: ...

    @property
    def sure(self) -> bool: ...


class ShareInPhoto(Protocol):
    """A share in a photo: its company, its number if that could be read, and whether nobody need be asked."""

    @property
    def company(self) -> str: ...

    @property
    def number(self) -> int | None: ...

    @property
    def alternatives(self) -> Sequence[str]: ...

    @property
    def confidence(self) -> float: ...

    @property
    def sure(self) -> bool: ...


def reading_text(reading: Reading, language: str) -> str:
    """The board, each colour's routes and buildings, and what to look at."""
    board = load(reading.board)
    sure = len(board.routes) - sum(name in board.routes for name in reading.doubtful)
    lines = [say("cli.read.board-line", language, board=board.name, sure=sure, routes=len(board.routes))]
    if reading.other_print:
        lines.append(say("cli.read.other-print", language, board=board.name, id=board.id))
    for color in board.wagon_colors:
        lines += _color(reading, board, color, language)
    if reading.doubtful:
        lines.append(say("cli.read.doubtful", language))
        lines += [f"    {_doubt(reading, board, name, language)}" for name in reading.doubtful]
    lines.append(say("cli.read.seconds", language, seconds=f"{reading.seconds.get('total', 0):.1f}"))
    return "\n".join(lines)


def _color(reading: Reading, board: Board, color: str, language: str) -> list[str]:
    """What lies there of one colour; nothing if nothing does."""
    mine = [board.routes[r] for r, told in reading.taken.items() if told == color]
    kinds = {"station": reading.stations, "depot": reading.depots}
    buildings = [
        say(f"cli.read.{kind}", language, city=place(board, city, language))
        for kind, built in kinds.items()
        for city, told in built.items()
        if told.color == color
    ]
    if not mine and not buildings:
        return []
    wagons = sum(r.length for r in mine)
    head = say("cli.read.color", language, color=say(f"words.{color}", language), n=len(mine), wagons=wagons)
    return [head, *(f"    {route(board, r.id, language)}" for r in mine), *(f"    {built}" for built in buildings)]


def _doubt(reading: Reading, board: Board, name: str, language: str) -> str:
    told = reading.routes.get(name) or reading.stations.get(name) or reading.depots.get(name)
    who = say(f"words.{(told.color if told else None) or 'nobody'}", language)
    sure = round(100 * told.confidence) if told else 0
    why = _why(reading, name)
    if why:
        color = reading.borrowed[name].color if why == "borrowed" else (told.color if told else None) or "nobody"
        words = say(f"words.{color}", language)
        return say(f"cli.read.{why}", language, name=spot(board, name, language), who=words)
    return say("cli.read.doubt", language, name=spot(board, name, language), who=who, sure=sure)


def _why(reading: Reading, name: str) -> str:
    """What is special about a doubtful place, nothing if it is just not sure."""
    if name in reading.covered:
        return "covered" if name in reading.routes else "covered-city"
    if any(stray.route == name for stray in reading.strays):
        return "moved"
    return "borrowed" if name in reading.borrowed else ""


def cards_text(cards: Sequence[Card], language: str, wild: WildCard = LOCOMOTIVES) -> str:
    """One line for each card, in the order of the table; what isn't sure is told so."""
    return "\n".join(
        say(
            "cards.card-unsure" if card.doubtful else "cards.card",
            language,
            n=n,
            color=say(f"words.{card.color}", language, wild),
            percent=round(card.confidence * 100),
        )
        for n, card in enumerate(cards, 1)
    )


def tickets_text(tickets: Sequence[TicketInPhoto], board: Board, language: str) -> str:
    """One line for each ticket; one that isn't sure is a question."""
    return "\n".join(_ticket(n, told, board, language) for n, told in enumerate(tickets, 1))


def _ticket(n: int, told: TicketInPhoto, board: Board, language: str) -> str:
    names = [pair(board, (t.a, t.b), language) for t in told.choices]
    if not names:
        return say("cards.ticket-unknown", language, n=n)
    if told.sure:
        return say("cards.ticket", language, n=n, ticket=names[0], points=told.choices[0].points)
    return say("cards.ticket-asked", language, n=n, guesses="; ".join(names))


def technologies_text(technologies: Sequence[TechnologyInPhoto], board: Board, language: str) -> str:
    """One line for each technology card; one that isn't sure is a question."""

    def line(told: TechnologyInPhoto) -> str:
        names = [board.technologies[t].name(language) for t in (told.id, *told.alternatives)]
        if told.sure:
            return say("cards.technology", language, technology=names[0])
        return say("cards.technology-asked", language, guesses="; ".join(names))

    return "\n".join(line(told) for told in technologies)


def shares_text(shares: Sequence[ShareInPhoto], board: Board, language: str) -> str:
    """One line for each share; a company or a number that isn't sure is a question."""

    def line(told: ShareInPhoto) -> str:
        names = [board.companies[c].name for c in (told.company, *told.alternatives)]
        if told.sure:
            return say("cards.share", language, company=names[0], number=told.number)
        if told.number is None and not told.alternatives:
            return say("cards.share-number-asked", language, company=names[0])
        return say("cards.share-asked", language, guesses="; ".join(names))

    return "\n".join(line(told) for told in shares)


def card_mark(n: int, card: Card, language: str, wild: WildCard = LOCOMOTIVES) -> str:
    """What is written on a card in its photo: short, since many lie side by side."""
    return _mark(say(f"words.{card.color}", language, wild), not card.doubtful, card.confidence, language, n)


def ticket_mark(n: int, told: TicketInPhoto, board: Board, language: str) -> str:
    """What is written on a ticket in its photo."""
    if not told.choices:
        return say("cards.mark-unknown", language, n=n)
    first = told.choices[0]
    return _mark(pair(board, (first.a, first.b), language), told.sure, told.confidence, language, n)


def technology_mark(told: TechnologyInPhoto, board: Board, language: str) -> str:
    """What is written on a technology card in its photo."""
    return _mark(board.technologies[told.id].name(language), told.sure, told.confidence, language)


def share_mark(told: ShareInPhoto, board: Board, language: str) -> str:
    """What is written on a share in its photo: its company, and its number where that was read."""
    name = board.companies[told.company].name
    named = name if told.number is None else say("cards.mark-share", language, company=name, number=told.number)
    return _mark(named, told.sure, told.confidence, language)


def _mark(name: str, sure: bool, confidence: float, language: str, n: int | None = None) -> str:
    text = name if sure else say("cards.mark-unsure", language, name=name, percent=round(confidence * 100))
    return text if n is None else f"{n}. {text}"

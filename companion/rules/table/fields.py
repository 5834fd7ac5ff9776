"""Reads JSON that people or programs hand over, a position's fields or an action's; all that is wrong is collected."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any  # Any: JSON

from companion.rules.table.tickets import find_ticket, is_whole
from maps import LOCOMOTIVE, Message, Ticket, message, nearest

if TYPE_CHECKING:
    from companion.rules.table.position import Position


class Fields:
    """One JSON object: reads its fields, notes what is missing or of the wrong type, tells unknown ones at the end."""

    def __init__(self, data: object, where: str, wrong: list[Message]) -> None:
        self.where, self.wrong = where, wrong
        self.data: Mapping[str, Any] = data if isinstance(data, dict) else {}
        self.there = isinstance(data, dict)
        self.used: list[str] = []
        if not self.there:
            self._not("object", data)

    def path(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def _not(self, what: str, value: object, where: str = "") -> None:
        self.wrong.append(message(f"position.not-{what}", where=where or self.where, value=shown(value)))

    def _get(self, key: str, required: bool = False) -> Any:
        self.used.append(key)
        if required and self.there and self.data.get(key) is None:
            self.wrong.append(message("position.missing", where=self.path(key)))
        return self.data.get(key)

    def text(self, key: str, required: bool = False) -> str:
        value = self._get(key, required)
        if value is None or isinstance(value, str):
            return value or ""
        self._not("text", value, self.path(key))
        return ""

    def whole(self, key: str, low: int = 0) -> int | None:
        """A whole number, None where nothing is told."""
        value = self._get(key)
        if is_whole(value, low):
            return value
        if value is not None:
            self._not("whole", value, self.path(key))
        return None

    def items(self, key: str, required: bool = False) -> Sequence[Any]:
        value = self._get(key, required)
        if value is None or isinstance(value, list):
            return value or ()
        self._not("list", value, self.path(key))
        return ()

    def texts(self, key: str) -> tuple[str, ...]:
        found = []
        for i, value in enumerate(self.items(key)):
            if isinstance(value, str):
                found.append(value)
            else:
                self._not("text", value, f"{self.path(key)}[{i}]")
        return tuple(found)

    def objects(self, key: str, required: bool = False) -> Iterator[Fields]:
        for i, value in enumerate(self.items(key, required)):
            yield Fields(value, f"{self.path(key)}[{i}]", self.wrong)

    def mapping(self, key: str) -> Mapping[str, Any]:
        value = self._get(key)
        if value is None or isinstance(value, dict):
            return value or {}
        self._not("object", value, self.path(key))
        return {}

    def counts(self, key: str) -> Mapping[str, int] | None:
        """How many of each, None where nothing is told."""
        if self.data.get(key) is None:
            self.used.append(key)
            return None
        found = {}
        for name, value in self.mapping(key).items():
            if is_whole(value):
                found[name] = value
            else:
                self._not("whole", value, short(f"{self.path(key)}.{name}"))
        return found

    def numbers(self, key: str) -> Mapping[str, tuple[int, ...]]:
        """Lists of whole numbers by name."""
        found = {}
        for name, values in self.mapping(key).items():
            where = short(f"{self.path(key)}.{name}")
            if not isinstance(values, list):
                self._not("list", values, where)
                continue
            for value in values:
                if not is_whole(value):
                    self._not("whole", value, where)
            found[name] = tuple(v for v in values if is_whole(v))
        return found

    def end(self, remarks: list[Message]) -> None:
        """Tells fields that nobody asked for: most often a slip of the pen."""
        for key in self.data:
            if key in self.used or key.startswith("_"):
                continue
            near = nearest(key, self.used)
            where = short(self.path(key))
            remarks.append(message("position.field-near" if near else "position.field", where=where, meant=near or ""))


def shown(value: object) -> str:
    """A value as it was written; only the brackets of lists and objects."""
    if isinstance(value, list | dict):
        return "[...]" if isinstance(value, list) else "{...}"
    return short(json.dumps(value, ensure_ascii=False, default=str))


def short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def meant(value: str, known: Iterable[str]) -> str | None:
    """The known id that comes nearest, its words in whatever order: `paris-dieppe` means `dieppe-paris-pink`.

    >>> meant("paris-dieppe", ["dieppe-paris-pink", "dieppe-london-gray"])
    'dieppe-paris-pink'
    """
    by_words = {_words(name): name for name in known}
    near = nearest(_words(value), tuple(by_words))
    return by_words[near] if near else None


def _words(name: str) -> str:
    return "-".join(sorted(name.lower().replace("_", "-").replace(" ", "-").split("-"))).strip("-")


def sentence(problems: Sequence[Message], most: int = 20) -> Message:
    """Several problems as one message; a long list ends with the number of the others."""
    if len(problems) > most:
        problems = [*problems[:most], message("position.more", n=len(problems) - most)]
    told = problems[-1]
    for problem in reversed(problems[:-1]):
        told = message("position.also", first=problem, rest=told)
    return told


class ActionReader:
    """Reads one action: all that is wrong with it is collected."""

    def __init__(self, data: object, position: Position, where: str = "action") -> None:
        self.fields = Fields(data, where, [])
        self.position = position

    @property
    def cards(self) -> tuple[str, ...]:
        return (*self.position.board.cards.colors, LOCOMOTIVE)

    def unknown(self, key: str, what: str, value: str, known: Collection[str]) -> None:
        # Names of people have capitals, ids have none.
        small = {k.lower(): k for k in known}
        meant = small.get(nearest(value, tuple(small)) or "")
        told = "position.unknown-near" if meant else "position.unknown"
        where, kind = self.fields.path(key), message(f"verdict.what.{what}")
        self.fields.wrong.append(message(told, what=kind, value=value, where=where, meant=meant or ""))

    def required_text(self, key: str) -> str:
        value = self.fields.text(key, required=True)
        if self.fields.data.get(key) == "":
            self.fields.wrong.append(message("position.missing", where=self.fields.path(key)))
        return value

    def known(self, key: str, what: str, among: Collection[str]) -> str:
        """An id that the board knows; a board without any of the kind leaves it to the verdict to say so."""
        value = self.required_text(key)
        if value and among and value not in among:
            self.unknown(key, what, value, among)
        return value

    def player(self) -> str:
        """Who acts; where nobody says, the one whose turn it is."""
        if self.fields.data.get("player") is None and self.position.turn:
            return self.position.turn
        names = [n for p in self.position.players for n in (p.name, *p.members)]
        return self.known("player", "player", names)

    def owner(self, key: str, required: bool = False) -> str | None:
        """Whose warehouse: a player, or the team of a member."""
        if not required and self.fields.data.get(key) is None:
            return None
        value = self.required_text(key)
        owner = self.position.player(value)
        if value and owner is None:
            self.unknown(key, "player", value, [p.name for p in self.position.players])
        return owner.name if owner else value

    def flag(self, key: str) -> bool:
        value = self.fields.data.get(key)
        if value is not None and not isinstance(value, bool):
            self.fields.wrong.append(message("verdict.not-flag", where=self.fields.path(key)))
        return value is True

    def pile(self, key: str) -> Mapping[str, int]:
        if self.fields.data.get(key) is None and self.position.refereed:
            self.fields.wrong.append(message("position.missing", where=self.fields.path(key)))
        return self.optional_pile(key) or {}

    def optional_pile(self, key: str) -> Mapping[str, int] | None:
        counts = self.fields.counts(key)
        for card in counts or ():
            if card not in self.cards:
                self.unknown(key, "card", card, self.cards)
        return None if counts is None else {c: n for c, n in counts.items() if n}

    def card_list(self, key: str, also: tuple[str, ...] = ()) -> tuple[str, ...] | None:
        if self.fields.data.get(key) is None:
            return None
        cards = self.fields.texts(key)
        for card in cards:
            if card not in (*self.cards, *also):
                self.unknown(key, "card", card, self.cards)
        return cards

    def drawn_cards(self, key: str) -> list[tuple[str, str | None, str | None]]:
        """Where each card came from, which it was, and where it goes."""
        found = []
        for i, f in enumerate(self.fields.objects(key, required=True)):
            source, card, to = f.text("from", required=True), f.text("card"), f.text("to")
            where = f"{key}[{i}]"
            if source and source not in ("deck", "table"):
                self.unknown(f"{where}.from", "source", source, ("deck", "table"))
            if to and to not in ("hand", "rack"):
                self.unknown(f"{where}.to", "stack", to, ("hand", "rack"))
            if card and card not in self.cards:
                self.unknown(f"{where}.card", "card", card, self.cards)
            if source == "table" and not card:
                self.fields.wrong.append(message("position.missing", where=f.path("card")))
            found.append((source, card or None, to or None))
        return found

    def tickets(self, key: str) -> tuple[Ticket, ...]:
        found = []
        for i, value in enumerate(self.fields.items(key, required=True)):
            where, p = f"{key}[{i}]", self.position
            ticket = find_ticket(value, p.board, p.variant, p.tickets)
            if isinstance(ticket, Ticket):
                found.append(ticket)
            elif isinstance(value, str):
                self.unknown(where, "ticket", value, tuple(p.tickets))
            elif ticket is None:
                self.fields.wrong.append(message("position.bad-ticket", where=self.fields.path(where)))
            else:
                self.unknown(where, "city", ticket, (*p.board.cities, *p.board.places))
        return tuple(found)

    def tickets_or_number(self, key: str) -> tuple[Ticket, ...] | int:
        value = self.fields.data.get(key)
        return value if is_whole(value) else self.tickets(key)

    def shares(self, key: str) -> Mapping[str, tuple[int, ...]]:
        found = self.fields.numbers(key)
        for company in found:
            if company not in self.position.board.companies:
                self.unknown(key, "company", company, self.position.board.companies)
        return found

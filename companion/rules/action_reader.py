"""Reads the fields of one action: all that is wrong with it is collected."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.rules.fields import Fields, is_whole
from companion.rules.position import Position
from companion.rules.tickets import find_ticket
from maps import LOCOMOTIVE, Ticket, message, nearest

Pile = Mapping[str, int]


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

    def pile(self, key: str) -> Pile:
        if self.fields.data.get(key) is None:
            self.fields.wrong.append(message("position.missing", where=self.fields.path(key)))
        return self.optional_pile(key) or {}

    def optional_pile(self, key: str) -> Pile | None:
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

    def optional_tickets(self, key: str) -> tuple[Ticket, ...] | None:
        return None if self.fields.data.get(key) is None else self.tickets(key)

    def tickets_or_number(self, key: str) -> tuple[Ticket, ...] | int:
        value = self.fields.data.get(key)
        return value if is_whole(value) else self.tickets(key)

    def shares(self, key: str) -> Mapping[str, tuple[int, ...]]:
        found = self.fields.numbers(key)
        for company in found:
            if company not in self.position.board.companies:
                self.unknown(key, "company", company, self.position.board.companies)
        return found

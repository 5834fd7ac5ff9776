"""A quarrel settled without a game: what a route asks and gives, and what a tunnel costs more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any  # Any: JSON

from companion import words
from companion.rules import (
    VARIANTS,
    Player,
    Price,
    TurnedCard,
    Variant,
    claim_price,
    find_variant,
    rule_section,
    start,
    turned_cards,
)
from companion.ui import hits
from companion.ui.desk import Desk
from companion.ui.layers import Pieces
from maps import LOCOMOTIVE, Board, Route, message


class Dispute:
    """The rules in question, the route that was tapped, and for a tunnel what was laid and turned up."""

    def __init__(self, desk: Desk, variant: str = "") -> None:
        self.desk = desk
        known = variant or desk.settings.variant
        self.variant: Variant = find_variant(known if known in VARIANTS else "europe")[0]
        self.board: Board = find_variant(self.variant.id)[1]
        self.route = ""
        self.candidates: list[str] = []
        self.laid = ""
        self.turned: list[str] = []

    def to_json(self) -> dict[str, Any]:
        told = {"route": self.route, "laid": self.laid, "turned": self.turned}
        return {"variant": self.variant.id, **told}

    @classmethod
    def from_json(cls, desk: Desk, data: Mapping[str, Any]) -> Dispute:
        """As it was left."""
        found = cls(desk, str(data["variant"]))
        found.ask(str(data["route"]))
        found.laid, found.turned = str(data["laid"]), [str(card) for card in data["turned"]]
        return found

    def choose(self, variant: str) -> None:
        """Other rules: the question starts afresh."""
        self.__init__(self.desk, variant)  # type: ignore[misc]

    def pick(self, x: float, y: float, reach: float) -> bool:
        """A tap on the map. True if it meant something."""
        found = hits.routes_at(self.board, x, y, reach)
        if len(found) == 1:
            self.ask(found[0])
        else:
            self.route, self.candidates = "", found
        return bool(found)

    def ask(self, route: str) -> None:
        self.route = route if route in self.board.routes else ""
        self.candidates, self.laid, self.turned = [], "", []

    @property
    def asked(self) -> Route | None:
        return self.board.routes.get(self.route)

    @property
    def name(self) -> str:
        return words.route(self.board, self.route, self.desk.language)

    @property
    def price(self) -> Price | None:
        """What the route costs somebody without any technology."""
        if self.asked is None:
            return None
        players = [Player(color, color) for color in self.board.wagon_colors[: max(2, min(self.board.players))]]
        if self.variant.team_size > 1:
            size, counts = self.variant.team_size, min(self.board.players)
            players = [
                Player(c, c, members=tuple(f"{c} {i}" for i in range(size)))
                for c in self.board.wagon_colors[: counts // size]
            ]
        position = start(self.variant.id, players)
        return claim_price(position, position.players[0], self.asked)

    def facts(self) -> list[str]:
        """What there is to know about the route, in sentences."""
        route, price = self.asked, self.price
        if route is None or price is None:
            return []
        say, wild = self.desk.say, self.board.cards.wild
        color = message(f"words.{price.colors[0]}") if len(price.colors) == 1 else None
        key = "dispute.price" if color else "dispute.price-any"
        told = [say(key, wild, n=price.cards, color=color or ""), say("dispute.points", n=route.points)]
        if price.locomotives:
            told.append(say("dispute.locomotives", wild, n=price.locomotives))
        if len(self.board.groups[route.group]) > 1:
            told += self._rule("team-groups" if self.variant.team_size > 1 else "groups")
        if route.kind in ("ferry", "mountain", "tunnel"):
            told += self._rule(route.kind)
        if self.variant.technologies != "none":
            told += self._rule("technologies")[:1]
        return told

    def _rule(self, rule: str) -> list[str]:
        section = rule_section(rule, self.variant, self.board)
        return words.rule_told(section, self.desk.language, self.board.cards.wild)

    @property
    def is_tunnel(self) -> bool:
        return self.asked is not None and self.asked.kind == "tunnel"

    @property
    def turn_up(self) -> int:
        """How many cards a tunnel wants turned up."""
        return self.asked.tunnel_draw if self.asked is not None else 0

    def colors(self) -> tuple[str, ...]:
        """What may have been laid."""
        price = self.price
        return (*(price.colors if price else ()), LOCOMOTIVE)

    def turn(self, card: str) -> None:
        if len(self.turned) < self.turn_up:
            self.turned.append(card)

    def unturn(self, at: int) -> None:
        del self.turned[at]

    @property
    def counted(self) -> tuple[TurnedCard, ...]:
        """Each turned-up card with whether it asks for one more, and why."""
        return turned_cards(None if self.laid == LOCOMOTIVE else self.laid, self.turned)

    @property
    def due(self) -> str:
        """What the turned-up cards ask for, in words."""
        say, wild = self.desk.say, self.board.cards.wild
        n = sum(card.counts for card in self.counted)
        if not n:
            return say("form.no-extra")
        if self.laid == LOCOMOTIVE:
            return say("form.more-locomotives", wild, n=n)
        return say("form.more-of", wild, n=n, color=message(f"words.{self.laid}"))

    def pieces(self) -> Pieces:
        marked = (self.route,) if self.route else tuple(self.candidates)
        return Pieces(highlight=marked, numbered=tuple(self.candidates))

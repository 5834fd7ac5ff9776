"""An action while it is told: which field is asked next, what is laid so far, and the referee's word on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any  # Any: JSON of the action being told

from companion.rules import (
    ACTIONS,
    Action,
    Ask,
    Offer,
    Position,
    Price,
    TurnedCard,
    claim_price,
    extra_price,
    find_ticket,
    most_cards,
    on_sale,
    pile_of,
    read_action,
    size,
    station_price,
    technology_price,
    tokens_per_kind,
    turned_cards,
    ways_in_principle,
)
from companion.rules import Verdict as Verdict
from companion.table.game import Game
from maps import LOCOMOTIVE, Ticket, Trouble

# Fields that are filled from the start and may be changed: the referee speaks at once.
_OPEN = ("cards", "kept", "tickets")
# What makes a form that was left and is opened again.
_KEPT = ("data", "need", "turned", "candidates", "first_city")


@dataclass(frozen=True)
class SingleCard:
    """A card that lies there by itself. `confidence`: how sure the camera was, 1 once a person said what it is.

    `seen`: what the camera took it for, where somebody changed it. `doubtful`: a person should look.
    """

    color: str
    confidence: float = 1.0
    seen: str = ""
    doubtful: bool = False


@dataclass(frozen=True)
class Ware:
    """A technology on sale."""

    id: str
    name: str
    price: int
    left: int
    about: str


class Form:
    """One action of one player. `asks` is the field shown; `need` what the referee asks for after the first word.

    `offer`: what the rules offer here, with the answers that are legal; None for something that they don't.
    """

    def __init__(self, game: Game, kind: str, player: str, offer: Offer | None = None) -> None:
        self.game, self.kind, self.offer = game, kind, offer
        self.data: dict[str, Any] = {"action": kind, "player": player}
        if offer is not None:
            self.data.update(offer.fixed)
        self.need = ""
        self.turned: list[str] = []
        # Cards that are turned up now, or that a photo showed, one by one.
        self.singles: list[SingleCard] = []
        # Routes or cities that a tap may have meant.
        self.candidates: list[str] = []
        self.first_city = ""
        # Whether the referee has said no to whoever was named.
        self.refused = False
        if kind == "draw-cards":
            self.data["cards"] = []
        elif kind == "draw-tickets":
            self.data["drawn"] = next(iter(self.options("drawn")), self.position.variant.drawn_tickets)
            self.data["kept"] = next(iter(self.kept_choices()), 1)
        elif kind == "reveal-tickets":
            self.data["tickets"] = []
        elif kind in ("share", "tourist", "warehouse"):
            claim = self.position.run.last_claim
            self.data["route"] = claim.route if claim else ""

    def _ask_of(self, field: str) -> Ask | None:
        return next((ask for ask in (self.offer.asks if self.offer else ()) if ask.field == field), None)

    def options(self, field: str, **told: Any) -> list[Any]:
        """The answers that are legal, after others were told; nothing where only the table can say."""
        ask = self._ask_of(field)
        question = ask.question(told) if ask is not None else None
        return list(question.choices or ()) if question is not None else []

    @property
    def optional(self) -> bool:
        """Whether it may be left alone: what a claim brings and nobody has to take."""
        return self.offer is not None and self.offer.follow_up and not self.offer.required

    @property
    def required(self) -> bool:
        """Whether nothing else can be done before it."""
        return self.offer is not None and self.offer.required

    def kept_choices(self) -> list[int]:
        """How many of the tickets drawn may be kept."""
        found = [n for n in self.options("kept", drawn=self.data["drawn"]) if isinstance(n, int)]
        return found or list(range(1, int(self.data["drawn"]) + 1))

    def tokens(self) -> dict[str, list[str]]:
        """Kinds of tokens at each end of the route that may be taken; all of them where nobody counts them."""
        board = self.position.board
        every = [str(k) for k in range(1, (board.tourist_tokens.kinds if board.tourist_tokens else 0) + 1)]
        places = self.options("place") or list(board.routes[self.data["route"]].ends)
        return {place: [str(k) for k in self.options("token", place=place)] or every for place in places}

    def pile_of(self, kind: str) -> str:
        """The place where the tokens of a kind were laid, empty if nobody told."""
        return pile_of(self.position, kind)

    @property
    def pile_to_lay(self) -> int:
        """How many tokens lie in the pile that is laid now."""
        return tokens_per_kind(self.position)[len(self.position.run.tokens or {})]

    def wares(self, language: str) -> list[Ware]:
        """The technologies that may be bought now."""
        position = self.position
        offered = self.options("technology") or position.variant.technology_ids(position.board)
        every = position.board.technologies
        return [
            Ware(t, every[t].name(language), every[t].locomotives, on_sale(position, t), every[t].about(language))
            for t in offered
        ]

    def revealed_tickets(self) -> list[Ticket]:
        """Tickets told so far, as the rules know them."""
        position = self.position
        found = (find_ticket(t, position.board, position.variant, position.tickets) for t in self.data["tickets"])
        return [ticket for ticket in found if isinstance(ticket, Ticket)]

    @property
    def taken_by(self) -> str:
        """Who holds the route that is told, empty if nobody does: space can't be shared."""
        holders = self.position.owners.get(str(self.data.get("route", "")), ()) if self.kind == "claim" else ()
        return self.position.players[holders[0]].name if holders else ""

    @property
    def held(self) -> bool:
        """Whether somebody holds the route, and it can't be taken all the same (as a right of way)."""
        return bool(self.taken_by) and not self.need and self.data["route"] not in self.options("route")

    @property
    def slots(self) -> int:
        """How many cards have their place on the screen."""
        if self.asks == "draw":
            return most_cards(self.position, self.player, all(c["from"] == "deck" for c in self.data["cards"]))
        if self.asks == "revealed":
            return self.turn_up
        price = self.price()
        return max(price.cards if price else 0, size(self.pile))

    def draw(self, card: str | None) -> None:
        """A card taken: face up by its colour, or None from the deck."""
        told = {"from": "deck"} if card is None else {"from": "table", "card": card}
        if len(self.data["cards"]) < self.slots:
            self.data["cards"] = [*self.data["cards"], told]

    def undraw(self, at: int) -> None:
        self.data["cards"] = [c for i, c in enumerate(self.data["cards"]) if i != at]

    @property
    def draw_done(self) -> bool:
        """Whether no more cards may be taken: as many as a turn gives, or a locomotive that lay face up."""
        cards = self.data["cards"]
        alone = any(c.get("card") == LOCOMOTIVE and c["from"] == "table" for c in cards)
        return bool(cards) and (alone or len(cards) == self.slots)

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def player(self) -> str:
        return str(self.data["player"])

    @property
    def asks(self) -> str:
        """The field to show: the first that is empty, else the last; then what the referee still needs."""
        if self.need:
            return self.need
        for field in self.fields:
            if field not in _OPEN and not self._filled(field):
                return field
        if self.kind == "draw-cards":
            return "draw"
        return self.fields[-1] if self.fields else "ready"

    @property
    def _action(self) -> type[Action]:
        return self.offer.action if self.offer is not None else ACTIONS[self.kind]

    @property
    def fields(self) -> tuple[str, ...]:
        """What has to be told, in order: as the action says, or whatever its offer asks."""
        return self._action.tells or (self.offer.fields if self.offer is not None else ())

    @property
    def choices(self) -> list[object]:
        """The answers to the question that is shown, after what was told so far."""
        told = {field: self.data[self.json_name(field)] for field in self.fields if self._filled(field)}
        return self.options(self.asks, **told)

    def json_name(self, field: str) -> str:
        """What a field of the action is called in what is told."""
        return self._action.json_names.get(field, field)

    def _filled(self, field: str) -> bool:
        return bool(self.data.get(self.json_name(field)))

    @property
    def judged(self) -> bool:
        """Whether enough is told for a verdict."""
        whole = (*_OPEN, "draw", "ready", "extra", "warehouse", "to", "neutral", "rack")
        return self.asks in whole or not self._missing()

    def _missing(self) -> bool:
        return any(field not in _OPEN and not self._filled(field) for field in self.fields)

    def verdict(self) -> Verdict:
        """The referee's word on what is told so far; Trouble if it can't be read."""
        return self.game.judge(read_action(self.data, self.position))

    def before_paying(self) -> Verdict | None:
        """What stands against it whatever is paid, None if nothing does."""
        price = self.price()
        way = next(ways_in_principle(price), None) if price else None
        told = {**self.data, "cards": way or {}}
        verdict = self.game.judge(read_action(told, self.position))
        return None if verdict.legal else verdict

    def set(self, field: str, value: Any) -> None:
        """Tells one field; what hangs on it starts afresh."""
        self.data[field] = value
        self.candidates, self.singles = [], []
        if field in ("route", "city", "technology") and "cards" in self.fields:
            self.data["cards"] = self._first_offer()

    def price(self) -> Price | None:
        """What is to be paid at this point."""
        player = self.position.entry(self.player)
        if self.need == "extra":
            return extra_price(self.paid_color, int(self.verdict_before_extra().needs.get("extra", 0)))
        if self.kind == "claim" and self._filled("route"):
            return claim_price(self.position, player, self.position.board.routes[self.data["route"]])
        if self.kind == "station":
            return station_price(self.position, player)
        if self.kind == "technology" and self._filled("technology"):
            return technology_price(self.position, player, self.data["technology"])
        return None

    def verdict_before_extra(self) -> Verdict:
        told = {k: v for k, v in self.data.items() if k != "extra"}
        return self.game.judge(read_action(told, self.position))

    @property
    def paid_color(self) -> str | None:
        """The colour laid for a tunnel; None: locomotives only."""
        return next((c for c, n in self.data.get("cards", {}).items() if n and c != LOCOMOTIVE), None)

    @property
    def pile_key(self) -> str:
        return "extra" if self.need == "extra" else "cards"

    @property
    def pile(self) -> dict[str, int]:
        """The cards laid at this point."""
        return dict(self.data.get(self.pile_key) or {})

    def payable(self) -> tuple[str, ...]:
        """Cards to offer: those the price takes; with stand-ins, any."""
        price = self.price()
        every = (*self.position.board.cards.colors, LOCOMOTIVE)
        if price is None or price.stand_in or self.need != "extra":
            return every
        return (*price.colors, LOCOMOTIVE)

    def _first_offer(self) -> dict[str, int]:
        """The plainest payment where there is no choice of colour; else nothing yet."""
        price = self.price()
        if price is None or len(price.colors) > 1:
            return {}
        return _plain(price, price.colors[0] if price.colors else LOCOMOTIVE)

    def lay(self, card: str) -> None:
        """A card tapped. The first of a colour lays the whole price; a locomotive then takes the place of a card."""
        pile, price = self.pile, self.price()
        if price is None:
            return
        if self.singles:
            self._show([*self.singles, SingleCard(card)])
            return
        others = [c for c in pile if c not in (card, LOCOMOTIVE)]
        full = size(pile) >= price.cards and not price.stand_in
        if card == LOCOMOTIVE and full:
            if others:
                _take(pile, others[0])
                pile[card] = pile.get(card, 0) + 1
        elif card != LOCOMOTIVE and (not pile or (full and not price.stand_in)) and card not in pile:
            pile = _plain(price, card)
        elif not full:
            pile[card] = pile.get(card, 0) + 1
        self.data[self.pile_key] = pile

    def unlay(self, card: str) -> None:
        """Takes one card back."""
        pile = self.pile
        _take(pile, card)
        self.data[self.pile_key] = pile

    def show_cards(self, cards: Sequence[SingleCard]) -> None:
        """Cards told by a photo: laid, turned up or paid, whatever is asked now."""
        if self.asks in ("revealed", "cards", "extra"):
            self._show(cards)

    @property
    def shows(self) -> list[str]:
        """What lies there one by one."""
        return [card.color for card in self.singles]

    @property
    def doubts(self) -> int:
        """How many cards the camera was not sure of, and nobody has looked at."""
        return sum(card.doubtful for card in self.singles)

    def _show(self, cards: Sequence[SingleCard]) -> None:
        self.singles = list(cards)
        if self.asks == "revealed":
            self.turned = self.shows
        else:
            self.data[self.pile_key] = dict(Counter(self.shows))

    def change(self, at: int) -> None:
        """A card that was read wrongly: the next likely one takes its place, at last the one seen again."""
        card = self.singles[at]
        seen = card.seen or card.color
        order = [seen, *(c for c in self.likely() if c != seen)]
        following = order[(order.index(card.color) + 1) % len(order)]
        self._show([*self.singles[:at], SingleCard(following, seen=seen), *self.singles[at + 1 :]])

    def drop(self, at: int) -> None:
        """A card that does not belong here."""
        self._show([*self.singles[:at], *self.singles[at + 1 :]])

    def agree(self) -> None:
        """Somebody looked: all cards are what they are shown as."""
        self._show([replace(card, confidence=1.0, doubtful=False) for card in self.singles])

    def likely(self) -> list[str]:
        """Every card of this game, those that make sense here first."""
        price = self.price()
        colors = list(price.colors) if price and self.asks != "revealed" else [c for c in (self.paid_color,) if c]
        most = [c for c, _ in Counter(self.shows).most_common() if c in colors]
        return list(dict.fromkeys([*(most or colors)[:1], LOCOMOTIVE, *self.position.board.cards.colors]))

    @property
    def turn_up(self) -> int:
        """How many cards a tunnel wants turned up."""
        told = {k: v for k, v in self.data.items() if k not in ("revealed", "extra", "give_up")}
        needs = self.game.judge(read_action(told, self.position)).needs
        return int(needs.get("revealed", 0))

    def turn(self, card: str) -> None:
        if len(self.turned) < self.turn_up:
            self._show([*self.singles, SingleCard(card)])

    @property
    def counted(self) -> tuple[TurnedCard, ...]:
        """Each turned-up card with whether it asks for one more, and why."""
        return turned_cards(self.paid_color, self.turned)

    @property
    def due(self) -> int:
        """How many more cards the turned-up ones ask for."""
        return sum(card.counts for card in self.counted)

    def go_on(self, accept: bool = False) -> bool:
        """The player says "yes": records the action, or moves on to what is still needed. True: it is recorded."""
        if self.need == "revealed":
            self.data["revealed"] = list(self.turned)
            self.need, self.singles = "", []
        action = read_action(self.data, self.position)
        verdict = self.game.judge(action)
        if verdict.needs and not accept:
            self._ask(verdict)
            return False
        if verdict.complete or accept:
            self.game.do(action, accept=accept)
            return True
        return False

    def _ask(self, verdict: Verdict) -> None:
        self.need = next(iter(verdict.needs))
        self.singles = []
        if self.need == "extra":
            color = self.paid_color
            self.data["extra"] = {color or LOCOMOTIVE: int(verdict.needs["extra"])}

    def give_up(self) -> bool:
        """The tunnel is given up."""
        self.data.pop("extra", None)
        self.data["give_up"] = True
        return self.go_on()

    def answer_need(self, value: Any) -> None:
        """One of the choices that the referee asked for."""
        if self.need == "to":
            other = "rack" if value == "hand" else "hand"
            self.data["cards"] = [
                {**card, "to": to} for card, to in zip(self.data["cards"], (value, other), strict=False)
            ]
        else:
            self.data[self.need] = value
        self.need = ""

    def back(self) -> bool:
        """One step back within the form; False if there is none."""
        if self.need:
            for key in ("revealed", "extra", "warehouse", "neutral", "rack"):
                self.data.pop(key, None)
            self.need, self.turned, self.singles = "", [], []
            return True
        if self.candidates:
            self.candidates = []
            return True
        first = self.fields[0] if self.fields else ""
        if first and first not in _OPEN and self._filled(first) and len(self.fields) > 1:
            self.data.pop(first, None)
            self.data.pop("cards", None)
            self.singles = []
            return True
        return False

    def to_json(self) -> dict[str, Any]:
        """What is told so far, to go on with after a restart."""
        told = {key: getattr(self, key) for key in _KEPT}
        return {"kind": self.kind, "player": self.player, **told, "singles": [astuple(card) for card in self.singles]}

    @classmethod
    def from_json(cls, game: Game, data: Mapping[str, Any], offer: Offer | None = None) -> Form:
        """A form as it was left."""
        form = cls(game, data["kind"], data["player"], offer)
        for key in _KEPT:
            if type(data[key]) is not type(getattr(form, key)):
                raise ValueError(key)
            setattr(form, key, data[key])
        form.singles = [
            SingleCard(str(color), float(sure), str(seen), bool(doubtful))
            for color, sure, seen, doubtful in data["singles"]
        ]
        return form


def _plain(price: Price, card: str) -> dict[str, int]:
    """The whole price in one colour, with the locomotives that are due in any case."""
    if card == LOCOMOTIVE:
        return {LOCOMOTIVE: price.cards}
    found = {card: price.cards - price.locomotives, LOCOMOTIVE: price.locomotives}
    return {c: n for c, n in found.items() if n}


def _take(pile: dict[str, int], card: str) -> None:
    left = pile.get(card, 0) - 1
    if left > 0:
        pile[card] = left
    else:
        pile.pop(card, None)


def try_verdict(form: Form) -> Verdict | Trouble | None:
    """The verdict, what is wrong with what was told, or None while too little is told."""
    if not form.judged or form.asks == "revealed" or (form.asks == "tickets" and not form.data["tickets"]):
        return None
    if form.asks == "draw" and not form.data["cards"]:
        return None
    try:
        if form.asks == "cards" and not form.pile:
            return form.before_paying()
        return form.verdict()
    except Trouble as trouble:
        return trouble

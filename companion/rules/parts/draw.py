"""Drawing train cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar

from companion.rules.table.action import Action, DrawnCard, Stack
from companion.rules.table.book import Section, line, section
from companion.rules.table.fields import ActionReader
from companion.rules.table.offer import Ask
from companion.rules.table.outcome import NOTHING, Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import Position
from companion.rules.table.supply import Supply
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Rule, colors_told
from maps import LOCOMOTIVE, Board


@dataclass(frozen=True)
class DrawCards(Action):
    """Cards taken in order. `warehouse`: whose warehouse got the first card of the deck, with that module."""

    kind: ClassVar[str] = "draw-cards"
    tells: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[DrawnCard, ...] = ()
    warehouse: str | None = None

    @classmethod
    def read(cls, f: ActionReader) -> DrawCards:
        cards = tuple(DrawnCard(*c) for c in f.drawn_cards("cards"))  # type: ignore[arg-type]
        return cls(f.player(), cards, f.owner("warehouse"))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        if not position.refereed:
            return None
        # What is turned up after the first card may be taken too.
        return (Ask("cards", lambda _: _choices(position, name), free=True),)

    def judge(self, position: Position, found: Findings) -> None:
        """Up to two cards, from the table or blind; a face-up locomotive only alone."""
        if not self.cards:
            found.no(Rule.DRAWING, "draw.none")
        blind = all(c.source == "deck" for c in self.cards)
        most = most_cards(position, self.player, blind)
        if len(self.cards) > most:
            found.no(Rule.DRAWING, "draw.too-many", n=len(self.cards), most=most)
        _locomotives(self.cards, found)
        _table(position, self.cards, found)
        if any(c.source == "table" for c in self.cards):
            _sweep(position, found)
        _supply(position, self, found)
        if self.warehouse and not position.has_depots:
            found.no(Rule.DEPOTS, "depot.no-module")

    def play(self, position: Position, outcome: Outcome) -> Position:
        supply, drawn = Supply.of(position, outcome), list(outcome.drawn or ())
        if self.warehouse:
            supply.store(self.warehouse)
        for card in self.cards:
            if card.source == "table":
                supply.take(card.card or "")
                known = card.card
            else:
                supply.draw()
                known = card.card or (drawn.pop(0) if drawn else None)
            pile = {known: 1} if known else None
            if card.to == "rack" and pile:
                position = position.seat(self.player).give_rack(pile)
            elif card.to != "rack":
                position = position.seat(self.player).give(pile)
        supply.refill()
        return supply.put(position)


def most_cards(position: Position, name: str, blind: bool) -> int:
    """How many cards a draw may take, blind or not."""
    player, usual = position.entry(name), position.variant.drawn_cards
    return max([usual, *(part.blind_draw(position, player) for part in position.parts if blind)])


def _choices(position: Position, name: str) -> Iterator[tuple[DrawnCard, ...]]:
    """Every legal draw of cards that lie open now and of blind ones."""
    store = position.players[0].name if position.has_depots and position.cards_left[1] != 0 else None
    for cards in _draws(position, name):
        found, action = Findings(), DrawCards(name, cards, store)
        action.judge(position, found)
        for part in position.parts:
            part.judged(position, action, found)
        if not found.reasons and not found.needs:
            yield cards


def _draws(position: Position, name: str) -> Iterator[tuple[DrawnCard, ...]]:
    """Draws that may be legal, the usual ones first; in a team with where each card goes."""
    usual, most = position.variant.drawn_cards, most_cards(position, name, blind=True)
    known = position.face_up if position.face_up is not None else (*position.board.cards.colors, LOCOMOTIVE)
    one = [DrawnCard("deck"), *(DrawnCard("table", c) for c in dict.fromkeys(known))]
    draws: list[tuple[DrawnCard, ...]] = [(one[0],) * n for n in range(most, usual, -1)]
    for n in range(usual, 0, -1):
        draws += product(one, repeat=n)
    if position.variant.team_size == 1:
        yield from draws
        return
    for cards in draws:
        ways: tuple[tuple[Stack, ...], ...] = (("hand", "rack"), ("rack", "hand"))
        if len(cards) == 1:
            ways = (("rack",), ("hand",))
        yield from (tuple(replace(c, to=to) for c, to in zip(cards, way, strict=True)) for way in ways)


def is_open_locomotive(card: DrawnCard) -> bool:
    return card.source == "table" and card.card == LOCOMOTIVE


def _locomotives(cards: tuple[DrawnCard, ...], found: Findings) -> None:
    if cards and is_open_locomotive(cards[0]) and len(cards) > 1:
        found.no(Rule.DRAWING, "draw.locomotive-ends")
    if any(is_open_locomotive(c) for c in cards[1:]):
        found.no(Rule.DRAWING, "draw.locomotive-first")


def _table(position: Position, cards: tuple[DrawnCard, ...], found: Findings) -> None:
    """Cards taken from the table lie there, or were turned up in between, while there are cards to turn up."""
    if position.face_up is None:
        return
    left, turned, unseen = list(position.face_up), 0, position.cards_left[1]
    for card in cards:
        if card.source == "table" and card.card is not None:
            if card.card in left:
                left.remove(card.card)
            elif turned:
                found.believe("replacement", color=colors_told([card.card]))
            else:
                found.no(Rule.DRAWING, "draw.not-on-table", color=colors_told([card.card]))
            turned += unseen != 0
        unseen = unseen and unseen - 1


def _sweep(position: Position, found: Findings) -> None:
    """Three open locomotives are swept away with the others before anybody takes one, if five better can be had."""
    variant, shown = position.variant, position.face_up or ()
    if not variant.sweep_at or len(shown) < variant.face_up or shown.count(LOCOMOTIVE) < variant.sweep_at:
        return
    least, most = position.cards_left
    others = _other_cards_left(position)
    # Not all cards of deck and discard can be locomotives: some lie open.
    surely = least - (position.board.cards.locomotives - shown.count(LOCOMOTIVE)) if others is None else others
    wanted = variant.face_up - variant.sweep_at + 1
    if most is None or (least >= variant.face_up and surely >= wanted):
        found.no(Rule.DRAWING, "draw.sweep-first", n=shown.count(LOCOMOTIVE))
    elif least >= variant.face_up and others is None:
        found.believe("no-sweep")


def _other_cards_left(position: Position) -> int | None:
    """Cards in deck and discard that are no locomotives, None if some hand or warehouse hides that."""
    hands = [position.seat(seat).hand for seat in position.order]
    if any(h is None for h in hands) or any(position.run.warehouses.values()):
        return None
    held = [h for h in hands if h is not None] + [position.seat(p.name).rack for p in position.players]
    cards = position.board.cards
    seen = sum(n for pile in held for c, n in pile.items() if c != LOCOMOTIVE)
    return len(cards.colors) * cards.per_color - seen - sum(c != LOCOMOTIVE for c in position.face_up or ())


def _supply(position: Position, action: DrawCards, found: Findings) -> None:
    """Deck and discard must hold the cards drawn blind; taking an open card turns up the next one."""
    if position.deck is None or position.discard is None:
        return
    supply = Supply.of(position, NOTHING)
    if position.has_depots and action.warehouse:
        supply.store(action.warehouse)
    on_table = position.face_up is None or bool(position.face_up)
    if not supply.left and not (on_table and any(c.source == "table" for c in action.cards)):
        found.no(Rule.DRAWING, "draw.no-cards")
        return
    for card in action.cards:
        if card.source == "deck" and not supply.left:
            found.no(Rule.DRAWING, "draw.deck-empty")
        supply.draw()


def second_card(position: Position) -> bool:
    """Whether there is a second card to take: one of the deck, or an open one that is no locomotive."""
    _, most = position.cards_left
    return most is None or most + sum(c != LOCOMOTIVE for c in position.face_up or ()) > 1


@dataclass(frozen=True)
class Draws(Part):
    """Drawing train cards."""

    actions: ClassVar[tuple[type[Action], ...]] = (DrawCards,)

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        sweep = line("draw.sweep", n=variant.sweep_at) if variant.sweep_at else line("draw.no-sweep")
        number = line("draw.number", n=variant.drawn_cards, up=variant.face_up)
        return (section("drawing", number, line("draw.locomotive"), sweep, line("draw.empty")),)

    def surely_possible(self, position: Position, name: str) -> bool:
        _, most = position.cards_left
        return most is None or most > 0 or bool(position.face_up)

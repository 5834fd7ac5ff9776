"""Drawing train cards."""

from __future__ import annotations

from companion.rules.actions import DrawCards, DrawnCard
from companion.rules.outcome import NOTHING
from companion.rules.position import Position
from companion.rules.running import cards_left, entry, hand_of, rack_of, running, seats
from companion.rules.supply import Supply
from companion.rules.technologies import effects
from companion.rules.verdict import Findings, Rule, colors_told
from maps import LOCOMOTIVE


def most_cards(position: Position, name: str, blind: bool) -> int:
    """How many cards a draw may take; Water Tenders let a player draw more of them blind."""
    more = effects(position, entry(position, name), "blind_draw") if blind else []
    return max([position.variant.drawn_cards, *more])


def judge_draw(position: Position, action: DrawCards, found: Findings) -> None:
    """Up to two cards, from the table or blind; a face-up locomotive only alone."""
    if not action.cards:
        found.no(Rule.DRAWING, "draw.none")
    blind = all(c.source == "deck" for c in action.cards)
    most = most_cards(position, action.player, blind)
    if len(action.cards) > most:
        found.no(Rule.DRAWING, "draw.too-many", n=len(action.cards), most=most)
    _locomotives(action.cards, found)
    _table(position, action.cards, found)
    if any(c.source == "table" for c in action.cards):
        _sweep(position, found)
    _supply(position, action, found)
    _warehouse(position, action, found)
    if position.variant.team_size > 1:
        _rack(position, action.cards, found)


def _is_open_locomotive(card: DrawnCard) -> bool:
    return card.source == "table" and card.card == LOCOMOTIVE


def _locomotives(cards: tuple[DrawnCard, ...], found: Findings) -> None:
    if cards and _is_open_locomotive(cards[0]) and len(cards) > 1:
        found.no(Rule.DRAWING, "draw.locomotive-ends")
    if any(_is_open_locomotive(c) for c in cards[1:]):
        found.no(Rule.DRAWING, "draw.locomotive-first")


def _table(position: Position, cards: tuple[DrawnCard, ...], found: Findings) -> None:
    """Cards taken from the table lie there, or were turned up in between."""
    if position.face_up is None:
        return
    left, turned = list(position.face_up), 0
    for card in cards:
        if card.source == "deck" or card.card is None:
            continue
        if card.card in left:
            left.remove(card.card)
        elif turned:
            found.believe("replacement", color=colors_told([card.card]))
        else:
            found.no(Rule.DRAWING, "draw.not-on-table", color=colors_told([card.card]))
        turned += 1


def _sweep(position: Position, found: Findings) -> None:
    """Three open locomotives are swept away with the others before anybody takes one, if five better can be had."""
    variant, shown = position.variant, position.face_up or ()
    if not variant.sweep_at or len(shown) < variant.face_up or shown.count(LOCOMOTIVE) < variant.sweep_at:
        return
    least, most = cards_left(position)
    others = _other_cards_left(position)
    wanted = variant.face_up - variant.sweep_at + 1
    if most is None or (least >= variant.face_up and others is not None and others >= wanted):
        found.no(Rule.DRAWING, "draw.sweep-first", n=shown.count(LOCOMOTIVE))
    elif least >= variant.face_up and others is None:
        found.believe("no-sweep")


def _other_cards_left(position: Position) -> int | None:
    """Cards in deck and discard that are no locomotives, None if some hand or warehouse hides that."""
    hands = [hand_of(position, seat) for seat in seats(position)]
    if any(h is None for h in hands) or any(running(position).warehouses.values()):
        return None
    held = [h for h in hands if h is not None] + [rack_of(position, p.name) for p in position.players]
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


def _warehouse(position: Position, action: DrawCards, found: Findings) -> None:
    if not position.has_depots:
        if action.warehouse:
            found.no(Rule.DEPOTS, "depot.no-module")
        return
    _, most = cards_left(position)
    # With no card to be had none is stored.
    if action.warehouse is None and most != 0:
        found.needs["warehouse"] = [p.name for p in position.players]


def _rack(position: Position, cards: tuple[DrawnCard, ...], found: Findings) -> None:
    """In a team one of two drawn cards goes to the rack, one to the hand; a face-up locomotive goes to the rack."""
    if not cards or found.reasons:
        return
    if _is_open_locomotive(cards[0]):
        if cards[0].to == "hand":
            found.no(Rule.TEAM_CARDS, "draw.locomotive-to-rack")
        return
    if len(cards) == 1 and _second_card(position):
        found.no(Rule.TEAM_CARDS, "draw.team-takes-two")
        return
    told = [c.to for c in cards]
    if told.count("rack") > 1 or told.count("hand") > 1:
        found.no(Rule.TEAM_CARDS, "draw.one-each")
    elif None in told:
        found.needs["to"] = ["hand", "rack"]


def _second_card(position: Position) -> bool:
    """Whether there is a second card to take: one of the deck, or an open one that is no locomotive."""
    _, most = cards_left(position)
    return most is None or most + sum(c != LOCOMOTIVE for c in position.face_up or ()) > 1

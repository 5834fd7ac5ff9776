"""Prices in cards, and every way to pay them.

Any cards may stand in for a locomotive where a variant says so: then a payment is good if some assignment makes it so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice

from companion.rules.table.verdict import Heading, Reason, Rule, colors_told
from maps import LOCOMOTIVE, Message, message

Pile = Mapping[str, int]


@dataclass(frozen=True)
class Price:
    """Cards due: all of one of `colors` or locomotives, `locomotives` of them at least.

    `stand_in`: so many cards of any kind may stand for one locomotive; 0 means none may.
    """

    cards: int
    colors: tuple[str, ...]
    locomotives: int = 0
    stand_in: int = 0
    rule: Heading = Rule.CLAIMING


@dataclass(frozen=True)
class Payment:
    """How laid cards count: the colour they pay with (None: locomotives only) and locomotives made of stand-ins."""

    color: str | None
    stand_ins: int = 0


def size(pile: Pile) -> int:
    return sum(pile.values())


def plus(a: Pile, b: Pile) -> dict[str, int]:
    """Two piles together."""
    return {c: a.get(c, 0) + b.get(c, 0) for c in dict.fromkeys((*a, *b)) if a.get(c, 0) + b.get(c, 0)}


def minus(a: Pile, b: Pile) -> dict[str, int]:
    """What is left of a pile; cards that were not there are not missed."""
    return {c: n - b.get(c, 0) for c, n in a.items() if n > b.get(c, 0)}


def lacking(pile: Pile, wanted: Pile) -> dict[str, int]:
    """The wanted cards that a pile does not hold."""
    return {c: n - pile.get(c, 0) for c, n in wanted.items() if n > pile.get(c, 0)}


def pay(price: Price, cards: Pile) -> Payment | None:
    """How these cards pay exactly this price, or None if no assignment does."""
    stand_ins = _stand_ins(price, size(cards))
    if stand_ins is None:
        return None
    laid = price.cards - stand_ins
    locomotives = cards.get(LOCOMOTIVE, 0)
    most = min(locomotives, laid)
    due = max(0, price.locomotives - stand_ins)
    for color in price.colors:
        # The cards that are not laid themselves are the stand-ins, whatever they are.
        if max(due, laid - cards.get(color, 0)) <= most:
            return Payment(color if cards.get(color, 0) and laid else None, stand_ins)
    return Payment(None, stand_ins) if max(due, laid) <= most else None


def _stand_ins(price: Price, laid: int) -> int | None:
    """How many locomotives must be made of stand-ins for that many cards to be exactly the price."""
    over = laid - price.cards
    if over == 0:
        return 0
    if over < 0 or not price.stand_in:
        return None
    made, rest = divmod(over, price.stand_in - 1)
    return made if rest == 0 and made <= price.cards else None


def why_not(price: Price, cards: Pile) -> list[Reason]:
    """Every reason why these cards don't pay this price, each with what would; none if they do."""
    if pay(price, cards) is not None:
        return []
    told, laid = price_told(price), size(cards)
    no = partial(Reason, price.rule)
    reasons: list[Reason] = []
    if laid < price.cards:
        reasons.append(no(message("verdict.pay.too-few", n=price.cards - laid, price=told)))
    elif laid > price.cards and not price.stand_in:
        reasons.append(no(message("verdict.pay.too-many", n=laid - price.cards, price=told)))
    elif _stand_ins(price, laid) is None:
        # The nearest number of cards below that would do.
        over = (laid - price.cards) % (price.stand_in - 1) if laid <= price.cards * price.stand_in else 0
        over = over or laid - price.cards * price.stand_in
        reasons.append(Reason(Rule.STAND_INS, message("verdict.pay.no-stand-in", n=over, price=told)))
    reasons += _wrong_colors(price, cards)
    locomotives = cards.get(LOCOMOTIVE, 0)
    if locomotives + (_stand_ins(price, laid) or 0) < price.locomotives and price.colors:
        due = message("verdict.pay.locomotives", due=price.locomotives, n=locomotives)
        reasons.append(Reason(Rule.FERRY if price.rule == Rule.CLAIMING else price.rule, due))
    if not reasons:
        reasons.append(Reason(Rule.STAND_INS, message("verdict.pay.no-assignment", price=told)))
    return reasons


def price_told(price: Price) -> Message:
    """A price in the player's words: what would be right."""
    n, due = price.cards, price.locomotives
    color = message(f"words.{price.colors[0]}") if len(price.colors) == 1 else None
    if not price.colors or due >= n:
        told = message("verdict.price.locomotives", n=n)
    elif due:
        rest = {"due": due, "n": n - due}
        told = message("verdict.price.ferry", **rest)
        if color:
            told = message("verdict.price.ferry-color", color=color, **rest)
    else:
        told = message("verdict.price.color", n=n, color=color) if color else message("verdict.price.any", n=n)
    return message("verdict.price.stand-ins", price=told, each=price.stand_in) if price.stand_in else told


def _wrong_colors(price: Price, cards: Pile) -> list[Reason]:
    used = [c for c in cards if c != LOCOMOTIVE]
    # With stand-ins any colour can be right: only what is left of the price tells.
    if price.stand_in and size(cards) > price.cards:
        return []
    told, wrong = price_told(price), [c for c in used if c not in price.colors]
    if wrong and not price.colors:
        return [Reason(price.rule, message("verdict.pay.locomotives-only", colors=colors_told(wrong)))]
    reasons = []
    if wrong and len(price.colors) == 1:
        reasons.append(Reason(price.rule, message("verdict.pay.wrong-color", colors=colors_told(wrong), price=told)))
    elif len(used) > 1:
        reasons.append(Reason(price.rule, message("verdict.pay.mixed", colors=colors_told(used))))
    return reasons


def ways(price: Price, hand: Pile) -> Iterator[dict[str, int]]:
    """Every different set of cards of this hand that pays the price, plain ones before those with stand-ins."""
    yield from _plain_ways(price, hand)
    if price.stand_in:
        for made in range(1, price.cards + 1):
            for cards in _picks(hand, price.cards + made * (price.stand_in - 1)):
                if pay(price, cards) is not None:
                    yield cards


def affordable(price: Price, hand: Pile | None) -> bool:
    """Whether some cards of this hand pay the price; a hand nobody knows may."""
    if hand is None:
        return True
    locomotives, held = hand.get(LOCOMOTIVE, 0), size(hand)
    for made in range(price.cards + 1 if price.stand_in else 1):
        laid = price.cards - made
        colored = max((hand.get(c, 0) for c in price.colors), default=0)
        can_lay = max(price.locomotives - made, laid - colored) <= min(locomotives, laid)
        # Whatever is not laid itself may stand in.
        if can_lay and held - laid >= made * price.stand_in:
            return True
    return False


def ways_of(price: Price, hand: Pile | None, most: int = 200) -> list[dict[str, int]]:
    """Ways to pay from a hand, or in principle where nobody knows it; stand-ins make very many: at most `most`."""
    return list(islice(ways_in_principle(price) if hand is None else ways(price, hand), most))


def ways_in_principle(price: Price) -> Iterator[dict[str, int]]:
    """The ways to pay of somebody whose cards nobody knows, without stand-ins."""
    endless = dict.fromkeys((*price.colors, LOCOMOTIVE), price.cards)
    yield from _plain_ways(price, endless)


def _plain_ways(price: Price, hand: Pile) -> Iterator[dict[str, int]]:
    most = min(price.cards, hand.get(LOCOMOTIVE, 0))
    for color in price.colors:
        for locomotives in range(price.locomotives, min(most, price.cards - 1) + 1):
            if hand.get(color, 0) >= price.cards - locomotives:
                found = {color: price.cards - locomotives, LOCOMOTIVE: locomotives}
                yield {c: n for c, n in found.items() if n}
    if most >= price.cards > 0:
        yield {LOCOMOTIVE: price.cards}


def _picks(hand: Pile, wanted: int) -> Iterator[dict[str, int]]:
    """Every different way to pick that many cards of a hand."""
    kinds = [(c, n) for c, n in hand.items() if n > 0]

    def pick(i: int, left: int, room: int) -> Iterator[dict[str, int]]:
        if left > room:
            return
        if left == 0:
            yield {}
            return
        card, n = kinds[i]
        for taken in range(min(n, left), -1, -1):
            for rest in pick(i + 1, left - taken, room - n):
                yield {card: taken, **rest} if taken else rest

    yield from pick(0, wanted, sum(n for _, n in kinds))

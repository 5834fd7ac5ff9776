"""Tunnels: which turned-up cards count, how many more cards are due, and who can pay them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules.parts.claim import Claim, claim_price
from companion.rules.table.action import Action
from companion.rules.table.book import Section, line, section
from companion.rules.table.cards import Payment, Pile, Price, minus, pay, size, ways, ways_in_principle, why_not
from companion.rules.table.names import here_told, route_told
from companion.rules.table.offer import Ask, Told
from companion.rules.table.part import Part
from companion.rules.table.position import Position
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Rule
from maps import LOCOMOTIVE, Board, Message, Route, Trouble, message


@dataclass(frozen=True)
class TurnedCard:
    """One card turned up for a tunnel: whether it asks for one more, and why."""

    card: str
    counts: bool
    why: Message


@dataclass(frozen=True)
class TunnelAnswer:
    """What a tunnel costs more. `color` None: only locomotives were laid, so only locomotives pay.

    `can_pay` is None where the hand is not known. Ask "pay or give up?" in any case: not asking tells the hand.
    """

    color: str | None
    due: int
    turned: tuple[TurnedCard, ...]
    ways: tuple[Mapping[str, int], ...] = ()
    can_pay: bool | None = None

    @property
    def payable(self) -> tuple[str, ...]:
        """The cards that may pay."""
        return (self.color, LOCOMOTIVE) if self.color else (LOCOMOTIVE,)


def extra_price(color: str | None, due: int) -> Price:
    """The price of the extra cards."""
    return Price(due, (color,) if color else (), rule=Rule.TUNNEL)


def turned_cards(color: str | None, revealed: Sequence[str]) -> tuple[TurnedCard, ...]:
    """Each turned-up card with whether it counts against the colour that was laid (None: locomotives only)."""
    return tuple(_turned(color, card) for card in revealed)


def _turned(color: str | None, card: str) -> TurnedCard:
    told = message(f"words.{card}")
    if card == LOCOMOTIVE:
        return TurnedCard(card, True, message("verdict.tunnel.locomotive"))
    if color is None:
        return TurnedCard(card, False, message("verdict.tunnel.only-locomotives-count", color=told))
    if card == color:
        return TurnedCard(card, True, message("verdict.tunnel.same-color", color=told))
    return TurnedCard(card, False, message("verdict.tunnel.other-color", color=told, laid=message(f"words.{color}")))


def tunnel(
    variant: Variant, board: Board, played: Sequence[str], revealed: Sequence[str], hand: Sequence[str] | None = None
) -> TunnelAnswer:
    """What a tunnel costs more after these cards were turned up. `hand`: what the player still holds, if known."""
    draws = [r.tunnel_draw for r in board.routes.values() if r.kind == "tunnel"]
    if not draws:
        raise Trouble("no-tunnels", here=here_told(variant))
    if not played:
        raise Trouble("tunnel-nothing-played")
    colors = sorted(set(played) - {LOCOMOTIVE})
    if len(colors) > 1:
        raise Trouble("tunnel-mixed", colors=[message(f"words.{c}") for c in colors])
    if len(revealed) > max(draws):
        raise Trouble("tunnel-too-many", n=len(revealed), most=max(draws))
    color = colors[0] if colors else None
    turned = turned_cards(color, revealed)
    due = sum(t.counts for t in turned)
    if hand is None:
        return TunnelAnswer(color, due, turned)
    found = extra_ways(color, due, Counter(hand))
    return TunnelAnswer(color, due, turned, found, bool(found))


def extra_ways(color: str | None, due: int, hand: Pile | None) -> tuple[Pile, ...]:
    """Every way to pay the extra cards from what is left of a hand, or in principle where nobody knows it."""
    if not due:
        return ({},)
    price = extra_price(color, due)
    return tuple(ways_in_principle(price) if hand is None else ways(price, hand))


@dataclass(frozen=True)
class Tunnels(Part):
    """Cards turned up for a tunnel, and what they ask for."""

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        draws = {r.tunnel_draw for r in board.routes.values() if r.kind == "tunnel"}
        if not draws:
            return ()
        one = line("tunnel.turned", n=max(draws))
        turned = one if len(draws) == 1 else line("tunnel.turned-printed", least=min(draws), most=max(draws))
        return (section("tunnel", turned, line("tunnel.extra"), line("tunnel.give-up")),)

    def judged(self, position: Position, action: Action, found: Findings) -> None:
        if not isinstance(action, Claim):
            return
        route = position.board.routes[action.route]
        if route.kind != "tunnel":
            if action.revealed or action.extra or action.give_up:
                found.no(Rule.TUNNEL, "tunnel.none", route=route_told(position, route))
            return
        payment = pay(claim_price(position, position.entry(action.player), route), action.cards)
        due = None if payment is None else _due(position, action, route, payment, found)
        if payment is not None and due is not None:
            self._paid(action, payment, due, found)

    def _paid(self, action: Claim, payment: Payment, due: int, found: Findings) -> None:
        """Whether what the turned-up cards ask for is paid, or the tunnel given up."""
        if action.give_up:
            if not due:
                found.no(Rule.TUNNEL, "tunnel.nothing-to-give-up")
            elif action.extra:
                found.no(Rule.TUNNEL, "tunnel.pay-or-give-up")
        elif action.extra is None:
            if due:
                found.needs["extra"] = due
        elif due:
            found.add(*why_not(extra_price(payment.color, due), action.extra))
        elif action.extra:
            found.no(Rule.TUNNEL, "tunnel.nothing-due", n=size(action.extra))

    def asks(self, position: Position, action: type[Action], name: str) -> tuple[Ask, ...]:
        if action is not Claim or not position.refereed:
            return ()
        seat = position.seat(name)

        def turned_up(told: Told) -> int:
            route = position.board.routes[told["route"]]
            most = position.cards_left[1]
            return route.tunnel_draw if most is None else min(route.tunnel_draw, most)

        def extra(told: Told) -> tuple[Pile, ...]:
            route = position.board.routes[told["route"]]
            payment = pay(claim_price(position, seat.player, route), told["cards"])
            color = payment.color if payment else None
            due = sum(t.counts for t in turned_cards(color, told.get("revealed", ())))
            return extra_ways(color, due, None if seat.cards is None else minus(seat.cards, told["cards"]))

        def give_up(told: Told) -> tuple[bool, ...]:
            paid = extra(told)
            return () if paid == ({},) else (False, True) if paid else (True,)

        def must_pay(told: Told) -> tuple[Pile, ...]:
            return () if told.get("give_up") or extra(told) == ({},) else extra(told)

        return (
            Ask("revealed", lambda _: None, number=turned_up),
            Ask("give_up", give_up),
            Ask("extra", must_pay),
        )


def _due(position: Position, action: Claim, route: Route, payment: Payment, found: Findings) -> int | None:
    """How many more cards the turned-up ones ask for; None while some are still to be turned up."""
    least, most = position.cards_left
    wanted = route.tunnel_draw if most is None else min(route.tunnel_draw, most)
    shown = action.revealed or ()
    if len(shown) > wanted:
        found.no(Rule.TUNNEL, "tunnel.too-many", n=len(shown), wanted=wanted)
        return None
    if wanted and (action.revealed is None or len(shown) < min(wanted, least)):
        if action.extra or action.give_up:
            found.no(Rule.TUNNEL, "tunnel.turn-up-first", n=wanted)
        found.needs["revealed"] = wanted - len(shown)
        return None
    if len(shown) < wanted:
        found.believe("short-deck", n=len(shown), wanted=wanted)
    return sum(t.counts for t in turned_cards(payment.color, shown))

"""Tunnels: which turned-up cards count, how many more cards are due, and who can pay them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules.payments import Price, size, ways
from companion.rules.variants import Variant
from companion.rules.verdict import Rule
from maps import LOCOMOTIVE, Board, Message, Trouble, message


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
        raise Trouble("no-tunnels", variant=variant.name)
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
    found = tuple(ways(extra_price(color, due), Counter(hand))) if due else ({},)
    return TunnelAnswer(color, due, turned, found, bool(found))


def extra_ways(color: str | None, due: int, hand: Mapping[str, int]) -> tuple[Mapping[str, int], ...]:
    """Every way to pay the extra cards from what is left of a hand."""
    if not due:
        return ({},)
    return tuple(ways(extra_price(color, due), hand)) if size(hand) >= due else ()

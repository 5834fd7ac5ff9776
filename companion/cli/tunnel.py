"""`companion tunnel`: what a tunnel costs more."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any  # Any: JSON

from companion.cli.inputs import known_id, names
from companion.cli.output import DONE, Output
from companion.cli.photos import cards_in
from companion.lang import say, tell
from companion.rules import find_variant, tunnel
from maps import LOCOMOTIVE, LOCOMOTIVES, Board, Trouble, WildCard

if TYPE_CHECKING:
    from vision.cards import CardSeen


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--variant", required=True)
    parser.add_argument("--played", required=True)
    parser.add_argument("--revealed")
    parser.add_argument("--photo", metavar="PHOTO")
    parser.add_argument("--hand")


def run(args: argparse.Namespace, out: Output) -> int:
    hand = None if args.hand is None else names(args.hand)
    board = find_variant(args.variant)[1]
    seen = [] if args.revealed is not None else _photographed(args.photo, board)
    revealed = names(args.revealed) if args.revealed is not None else [card.color for card in seen]
    found = answer(args.variant, names(args.played), revealed, hand, out.language)
    for turned, card in zip(found["revealed"], seen, strict=False):
        turned["doubtful"] = card.doubtful
    if out.as_json:
        out.document(found)
    else:
        out.text(text(found, out.language, board.cards.wild))
    return DONE


def _photographed(photo: str | None, board: Board) -> list[CardSeen]:
    """The cards turned up, from their photo."""
    if photo is None:
        raise Trouble("tunnel-nothing-revealed")
    return cards_in(photo, board)


def answer(
    variant: str,
    played: Sequence[str],
    revealed: Sequence[str],
    hand: Sequence[str] | None = None,
    language: str = "en",
) -> dict[str, Any]:
    """How many cards more, which may pay, and why each card turned up counts or not."""
    rules, board = find_variant(variant)
    for card in (*played, *revealed, *(hand or ())):
        known_id("color", card, (*board.cards.colors, LOCOMOTIVE))
    found = tunnel(rules, board, played, revealed, hand)
    return {
        "extra": found.due,
        "color": found.color,
        "payable": list(found.payable),
        "revealed": [
            {"card": t.card, "counts": t.counts, "why": tell(t.why, language, board.cards.wild)} for t in found.turned
        ],
        "can_pay": found.can_pay,
        "ways": [dict(way) for way in found.ways],
    }


def text(found: dict[str, Any], language: str = "en", wild: WildCard = LOCOMOTIVES) -> str:
    """The same for people: always "pay or give up?", whatever the hand holds."""
    if not found["extra"]:
        lines = [say("verdict.tunnel.costs-nothing", language)]
    else:
        color = say(f"words.{found['color']}", language) if found["color"] else ""
        key = "verdict.tunnel.payable" if color else "verdict.tunnel.payable-locomotives"
        payable = say(key, language, wild, color=color)
        lines = [say("verdict.tunnel.costs", language, n=found["extra"], payable=payable)]
    for turned in found["revealed"]:
        card = say(f"words.{turned['card']}", language, wild)
        key = "verdict.tunnel.turned-unsure" if turned.get("doubtful") else "verdict.tunnel.turned"
        lines.append(say(key, language, card=card, why=turned["why"]))
    if any(turned.get("doubtful") for turned in found["revealed"]):
        lines.append(say("cli.tunnel.unsure", language))
    if found["extra"] and found["can_pay"] is not None:
        lines.append(say("verdict.tunnel.can-pay" if found["can_pay"] else "verdict.tunnel.can-not-pay", language))
    return "\n".join(lines)

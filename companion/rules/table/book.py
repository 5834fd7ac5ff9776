"""The rules as players read them: sentences under the headings that verdicts quote, with a variant's own numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any  # Any: a message or a text, which fills another's gap

from maps import Board, Message, message

if TYPE_CHECKING:
    from companion.rules.table.variant import Variant


@dataclass(frozen=True)
class Section:
    """What stands under one heading: the id of a verdict's heading, or setup, scoring, choices, options, unsure."""

    rule: str
    told: tuple[Message, ...]


def section(rule: str, *told: Message) -> Section:
    return Section(rule, told)


def line(key: str, **values: object) -> Message:
    """A sentence of the rules; `rules.` goes before the key."""
    return message(f"rules.{key}", **values)


def joined(by: str, things: Iterable[object]) -> Any:
    """Things in a row: commas, and "or" or "then" before the last, or before each that comes after another."""
    *first, last = things
    if not first:
        return last
    before = joined("comma" if by == "or" else by, first)
    return line(by, a=before, b=last)


def either(things: Iterable[object]) -> Any:
    """One of these: 2 or 3."""
    return joined("or", things)


def common(variant: Variant, board: Board) -> tuple[Section, ...]:
    """What belongs to no part: the start, a turn, the end and the rulings of ours."""
    actions = [a.kind for part in variant.parts for a in part.actions if a.when == "turn" and not a.last]
    return (
        section("setup", *_setup(variant, board)),
        section("turn", line("turn.one", actions=either(message(f"verdict.do.{kind}") for kind in actions))),
        section("end", line("end-teams" if variant.team_size > 1 else "end", n=variant.end_trigger)),
        section("choices", *(line("text", text=choice) for choice in variant.choices)),
        section("unsure", *(line("text", text=text) for text in board.unsure)),
    )


def ties(variant: Variant) -> Section:
    """Who wins where the points are equal."""
    return section("scoring", line("score.ties", breaks=joined("then", (line(f"tie.{tie}") for tie in variant.ties))))


def _setup(variant: Variant, board: Board) -> Iterable[Message]:
    teams, cards = variant.team_size > 1, board.cards
    if teams:
        yield line("setup.teams", counts=either(board.players), size=variant.team_size)
    else:
        yield line("setup.players", least=min(board.players), most=max(board.players))
    yield line("setup.team-wagons" if teams else "setup.wagons", n=board.wagons)
    kinds = {"each": cards.per_color, "colors": len(cards.colors), "n": cards.locomotives}
    yield line("setup.cards", **kinds, up=variant.face_up)
    wild = variant.opening_locomotives
    yield line("setup.hand-locomotives" if wild else "setup.hand", n=variant.opening_cards, wild=wild)
    if tickets := len(variant.tickets(board)) or board.tickets_unknown:
        yield line("setup.deck-revised" if variant.revised_values else "setup.deck", n=tickets)
    long, dealt = variant.opening_long_tickets, variant.opening_tickets
    least = variant.keep_opening
    yield line("setup.long-tickets" if long else "setup.tickets", long=long, n=dealt, least=least)
    if variant.refused_opening == "box":
        yield line("setup.refused-box")

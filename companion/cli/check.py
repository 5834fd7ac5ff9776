"""`companion check`: is an action legal, and why not."""

from __future__ import annotations

import argparse
from typing import Any  # Any: JSON

from companion.cli.inputs import json_file
from companion.cli.output import DONE, NO, Output
from companion.lang import tell
from companion.rules import Position, Verdict, judge, offers, read_action, sentence
from companion.words import verdict_text
from maps import LOCOMOTIVE, LOCOMOTIVES, Trouble, WildCard


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position")
    parser.add_argument("action")


def run(args: argparse.Namespace, out: Output) -> int:
    table = exact_position(json_file(args.position))
    verdict = judge(table, read_action(json_file(args.action), table))
    wild = table.board.cards.wild
    if out.as_json:
        out.document(verdict_json(verdict, out.language, wild))
    else:
        out.text(verdict_text(verdict, offers(table), out.language, wild))
    return DONE if verdict.legal else NO


def exact_position(data: object) -> Position:
    """A position in which every id is known: a verdict on half a position would be a guess."""
    position = Position.from_json(data)
    if position.unknown:
        raise Trouble("bad-position", problems=sentence(position.unknown))
    cards = (*position.board.cards.colors, LOCOMOTIVE)
    told = [c for p in position.players for pile in (p.hand, p.rack) for c in pile or () if c not in cards]
    told += [c for c in position.face_up or () if c not in cards]
    if told:
        raise Trouble("bad-hand", cards=sorted(set(told)))
    return position


def verdict_json(verdict: Verdict, language: str = "en", wild: WildCard = LOCOMOTIVES) -> dict[str, Any]:
    """A verdict as the contract has it, with what was taken on trust and the points it scores."""
    return {
        "legal": verdict.legal,
        "reasons": [{"rule": r.rule, "message": tell(r.message, language, wild)} for r in verdict.reasons],
        "needs": dict(verdict.needs),
        "trust": [tell(t, language, wild) for t in verdict.trust],
        "points": verdict.points,
    }

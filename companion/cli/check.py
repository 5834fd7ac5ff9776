"""`companion check`: is an action legal, and why not."""

from __future__ import annotations

import argparse
from typing import Any

from companion.cli.inputs import json_file
from companion.cli.output import DONE, NO, Output
from companion.lang import say, tell
from companion.rules import Position, Verdict, judge, read_action, sentence
from maps import LOCOMOTIVE, LOCOMOTIVES, Trouble, WildCard


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position")
    parser.add_argument("action")


def run(args: argparse.Namespace, out: Output) -> int:
    found = answer(json_file(args.position), json_file(args.action), out.language)
    if out.as_json:
        out.document(found)
    else:
        out.text(text(found, out.language))
    return DONE if found["legal"] else NO


def answer(position: object, action: object, language: str = "en") -> dict[str, Any]:
    """The verdict on ACTION in POSITION as JSON; Trouble if either can't be read."""
    table = exact_position(position)
    return verdict_json(judge(table, read_action(action, table)), language, table.board.cards.wild)


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


def text(found: dict[str, Any], language: str = "en") -> str:
    """The verdict for people."""
    lines = [say("verdict.legal" if found["legal"] else "verdict.illegal", language)]
    lines += [say("verdict.reason", language, message=r["message"], rule=r["rule"]) for r in found["reasons"]]
    for key, value in found["needs"].items():
        lines.append(say(f"verdict.needs.{key}", language, **{"choices" if isinstance(value, list) else "n": value}))
    if found["points"]:
        lines.append(say("verdict.points", language, n=found["points"]))
    lines += [say("verdict.on-trust", language, what=told) for told in found["trust"]]
    return "\n".join(lines)

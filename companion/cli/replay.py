"""`companion replay`: a recorded game replayed, checked and scored."""

from __future__ import annotations

import argparse
from typing import Any

from companion.cli.inputs import existing_file
from companion.cli.output import DONE, NO, Output
from companion.lang import say, tell
from companion.rules import action_json
from companion.table.game import Entry, Game


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD")


def run(args: argparse.Namespace, out: Output) -> int:
    found = answer(Game.read(existing_file(args.record)), out.language)
    if out.as_json:
        out.document(found)
    else:
        out.text(text(found, out.language))
    return NO if found["problems"] else DONE


def answer(game: Game, language: str = "en") -> dict[str, Any]:
    """The game as it stands: what is wrong with it, where it got to, and the scores."""
    position, header = game.position, game.journal.header
    return {
        "variant": position.variant.id,
        "rules": header.get("rules"),
        "players": [p.name for p in position.players],
        "actions": len(game.entries),
        "accepted": [e.id for e in game.entries if e.accepted],
        "problems": [_problem(game, e, language) for e in game.problems],
        "messages": [tell(m, language) for m in game.told],
        "over": game.over,
        "position": position.to_json(),
        "score": game.score().to_json(lambda m: tell(m, language)),
    }


def _problem(game: Game, entry: Entry, language: str) -> dict[str, Any]:
    told: dict[str, Any] = {"entry": entry.id}
    if entry.action is not None:
        told["action"] = action_json(entry.action, game.position)
    wild = game.position.board.cards.wild
    if entry.problem is not None:
        return {**told, "reasons": [{"rule": "", "message": tell(entry.problem, language, wild)}]}
    reasons = [{"rule": r.rule, "message": tell(r.message, language, wild)} for r in entry.verdict.reasons]
    return {**told, "reasons": reasons}


def text(found: dict[str, Any], language: str = "en") -> str:
    """The same for people."""
    lines = [
        say("table.replay.head", language, variant=found["variant"], players=found["players"], n=found["actions"]),
        *found["messages"],
    ]
    for problem in found["problems"]:
        lines += _problem_lines(problem, language)
    if not found["problems"]:
        lines.append(say("table.replay.fine", language))
    if found["accepted"]:
        lines.append(say("table.replay.accepted", language, n=len(found["accepted"])))
    lines.append(say("table.replay.over" if found["over"] else "table.replay.not-over", language))
    for player in sorted(found["score"]["players"], key=lambda p: int(p["rank"])):
        told = {key: player[key] for key in ("rank", "name", "total")}
        lines.append(say("table.replay.score", language, **told))
    lines += found["score"]["warnings"]
    if found["over"]:
        lines.append(say("table.replay.winner", language, winners=found["score"]["winners"]))
    return "\n".join(lines)


def _problem_lines(problem: dict[str, Any], language: str) -> list[str]:
    if "action" not in problem:
        return [say("table.replay.unread", language, id=problem["entry"], problem=problem["reasons"][0]["message"])]
    action = problem["action"]
    head = say("table.replay.problem", language, id=problem["entry"], action=action["action"], player=action["player"])
    return [head, *(say("table.replay.reason", language, **reason) for reason in problem["reasons"])]

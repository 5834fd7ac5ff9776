"""`companion replay`: a recorded game replayed, checked and scored."""

from __future__ import annotations

import argparse
from typing import Any  # Any: JSON

from companion import words
from companion.cli.inputs import existing_file
from companion.cli.output import DONE, NO, Output
from companion.lang import say, tell
from companion.rules import action_json
from companion.table.game import Entry, Game


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD")


def run(args: argparse.Namespace, out: Output) -> int:
    game = Game.read(existing_file(args.record))
    if out.as_json:
        out.document(answer(game, out.language))
    else:
        out.text(text(game, out.language))
    return NO if game.problems else DONE


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


def text(game: Game, language: str = "en") -> str:
    """What was recorded, for people: what is wrong with it, how it stands, who won."""
    position, sheet = game.position, game.score()
    wild, names = position.board.cards.wild, [p.name for p in position.players]
    variant = position.variant.name(language)
    lines = [say("table.replay.head", language, variant=variant, players=names, n=len(game.entries))]
    lines += [tell(m, language, wild) for m in game.told]
    for entry in game.problems:
        lines += _problem_lines(game, entry, language)
    accepted = sum(e.accepted and not e.verdict.legal for e in game.entries)
    if accepted:
        lines.append(say("table.replay.accepted", language, n=accepted))
    if not game.problems:
        lines.append(say("table.replay.fine-others" if accepted else "table.replay.fine", language))
    lines.append(say("table.replay.over" if game.over else "table.replay.not-over", language))
    for player in sorted(sheet.players, key=lambda p: p.rank):
        lines.append(say("table.replay.score", language, rank=player.rank, name=player.name, total=player.total))
    lines += [tell(w, language, wild) for w in sheet.warnings]
    if game.over:
        lines.append(say("table.replay.winner", language, winners=sheet.winners))
    return "\n".join(lines)


def _problem_lines(game: Game, entry: Entry, language: str) -> list[str]:
    board = game.position.board
    if entry.action is None:
        problem = tell(entry.problem, language, board.cards.wild) if entry.problem else ""
        return [say("table.replay.unread", language, id=entry.id, problem=problem)]
    head = say("table.replay.problem", language, id=entry.id, did=words.action(board, entry.action, language))
    reasons = (words.reason_told(r, language, board.cards.wild) for r in entry.verdict.reasons)
    return [head, *(say("table.replay.reason", language, **told) for told in reasons)]

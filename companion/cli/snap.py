"""`companion snap`: from a photo to final scores, or into a game that goes on."""

from __future__ import annotations

import argparse
from typing import Any  # Any: JSON

from companion.cli.inputs import existing_file, json_file
from companion.cli.output import DONE, Output
from companion.cli.photos import read_photo
from companion.lang import tell
from companion.rules import find_variant, score
from companion.table.game import Game
from companion.table.merge import Merged, merge
from companion.table.snapshot import plays_depots, snapshot, told_players
from companion.table.take_over import TakenOver, take_over
from companion.words import action, sheet_text, spot
from maps import Trouble, message
from vision.reading import DEPOT


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photo", metavar="PHOTO")
    parser.add_argument("--variant", metavar="ID")
    parser.add_argument("--tickets", metavar="TICKETS.json")
    parser.add_argument("--into", metavar="GAME.jsonl")
    parser.add_argument("--annotate", metavar="OUT.jpg")


def run(args: argparse.Namespace, out: Output) -> int:
    if args.into is not None:
        if args.variant is not None or args.tickets is not None:
            raise Trouble("snap-into-alone")
        _into(args.photo, args.into, args.annotate, out)
        return DONE
    if args.variant is None or args.tickets is None:
        raise Trouble("snap-needs-tickets")
    told = json_file(args.tickets)
    score_photo(args.photo, args.variant, told, args.annotate, out)
    return DONE


def score_photo(photo: str, variant: str, told: object, picture: str | None, out: Output) -> None:
    """Reads, scores and prints; only colours that somebody told about are looked for."""
    board = find_variant(variant)[1]
    colors = [p["color"] for p in told_players(told)]
    # Colours are told only for those who scored: fewer than two of them say nothing about how many play.
    seats = len(colors) if len(colors) > 1 else None
    depots = plays_depots(told)
    reading = read_photo(photo, board, colors or None, picture, out.language, depots, players=seats, variant=variant)
    position, notes = snapshot(reading, variant, told)
    sheet = score(position)
    if out.as_json:
        answer: dict[str, Any] = sheet.to_json(lambda told: tell(told, out.language))
        answer["reading"] = reading.to_json()
        answer["notes"] = [tell(note, out.language) for note in notes]
        out.document(answer)
        return
    out.text(sheet_text(sheet, out.language))
    for note in notes:
        out.text(tell(note, out.language))


def _into(photo: str, record: str, picture: str | None, out: Output) -> None:
    """What is new and sure goes into the game, as one step; what contradicts the record is only told."""
    game = Game.open(existing_file(record))
    position = game.position
    known = {r: position.players[holders[0]].color for r, holders in position.owners.items()}
    reading = read_photo(photo, position.board, None, picture, out.language, position.has_depots, known)
    merged = merge(position, reading)
    taken = take_over(game, merged.plain, reading.photo)
    game.close()
    if out.as_json:
        out.document(_document(game, merged, taken, out))
    else:
        out.text(_text(game, merged, taken, out))


def _document(game: Game, merged: Merged, taken: TakenOver, out: Output) -> dict[str, Any]:
    odd = [{"id": s.id, "known": s.known, "seen": s.seen} for s in merged.gone]
    return {
        "game": str(game.journal.path),
        "added": [action(game.position.board, a, out.language) for a in taken.added],
        "new": {s.id: s.seen for s in (*merged.new, *merged.new_stations)},
        "contradicts": odd,
        "doubtful": [s.id for s in merged.doubtful],
        "strangers": list(merged.strangers),
    }


def _text(game: Game, merged: Merged, taken: TakenOver, out: Output) -> str:
    board, language = game.position.board, out.language
    lines = [out.say("cli.snap.taken", n=len(taken.added))]
    lines += [f"  {action(board, a, language)}" for a in taken.added]
    for sight in merged.gone:
        known, seen = (message(f"words.{(c or 'nobody').removeprefix(DEPOT)}") for c in (sight.known, sight.seen))
        lines.append(out.say("cli.snap.contradicts", name=spot(board, sight.id, language), known=known, seen=seen))
    if merged.doubtful:
        names = [spot(board, s.id, language) for s in merged.doubtful]
        lines.append(tell(message("snapshot.look-at", names=names), language))
    lines += [out.say("cli.snap.stranger", color=message(f"words.{color}")) for color in merged.strangers]
    return "\n".join(lines)

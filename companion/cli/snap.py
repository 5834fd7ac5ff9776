"""`companion snap`: from a photo to final scores."""

from __future__ import annotations

import argparse
from typing import Any

from companion.cli.inputs import json_file
from companion.cli.output import DONE, Output
from companion.cli.read import read_photo
from companion.cli.score import sheet_text
from companion.lang import tell
from companion.rules import find_variant, score
from companion.table.snapshot import plays_depots, snapshot, told_players


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photo", metavar="PHOTO")
    parser.add_argument("--variant", required=True, metavar="ID")
    parser.add_argument("--tickets", required=True, metavar="TICKETS.json")
    parser.add_argument("--annotate", metavar="OUT.jpg")


def run(args: argparse.Namespace, out: Output) -> int:
    told = json_file(args.tickets)
    score_photo(args.photo, args.variant, told, args.annotate, out)
    return DONE


def score_photo(photo: str, variant: str, told: object, picture: str | None, out: Output) -> None:
    """Reads, scores and prints; only colours that somebody told about are looked for."""
    board = find_variant(variant)[1]
    colors = [p["color"] for p in told_players(told)]
    reading = read_photo(photo, board, colors or None, picture, out.language, plays_depots(told))
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

"""`companion score`: final scores with everything that led to them."""

from __future__ import annotations

import argparse
from typing import Any  # Any: JSON

import maps
from companion.cli.inputs import json_file
from companion.cli.output import DONE, Output, answer_each
from companion.lang import tell
from companion.rules import Position, ScoreSheet, problems, score, sentence
from companion.words import sheet_text
from maps import Trouble

PRACTICE_PICTURE = "practice-annotated.jpg"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("positions", nargs="*", metavar="POSITION.json")
    parser.add_argument("--annotate", default=PRACTICE_PICTURE, metavar="OUT.jpg")


def run(args: argparse.Namespace, out: Output) -> int:
    if not args.positions:
        return _practice(args.annotate, out)
    return answer_each(
        out,
        args.positions,
        scored,
        lambda sheet: sheet.to_json(lambda warning: tell(warning, out.language)),
        lambda sheet: sheet_text(sheet, out.language),
    )


def _practice(picture: str, out: Output) -> int:
    """The main job without anything given: the practice photo read, annotated and scored."""
    # OpenCV and the models load only for the commands that look at pictures.
    from companion.cli.pictures import write_picture
    from companion.practice import FINAL, VARIANT, read_final, told
    from companion.table.snapshot import snapshot
    from vision.annotate import annotate
    from vision.photo import load as load_photo

    reading = read_final()
    write_picture(picture, annotate(load_photo(FINAL), reading, maps.load(reading.board), out.language))
    position, notes = snapshot(reading, VARIANT, told())
    sheet = score(position)
    if out.as_json:
        out.document(sheet.to_json(lambda warning: tell(warning, out.language)))
        return DONE
    out.note(out.say("cli.score.practice", board=position.board.name))
    out.text(sheet_text(sheet, out.language))
    for note in notes:
        out.text(tell(note, out.language))
    out.note(out.say("cli.score.annotated", picture=picture))
    return DONE


def scored(path: str) -> ScoreSheet:
    """The score sheet of a position in a file; Trouble if it can't be read or names what nobody knows."""
    position = Position.from_json(json_file(path))
    if position.unknown:
        raise Trouble("bad-position", problems=sentence([*position.unknown, *problems(position)]))
    return score(position)


def answer(path: str, language: str = "en") -> dict[str, Any]:
    """`score` of the contract for a position in a file."""
    return scored(path).to_json(lambda warning: tell(warning, language))

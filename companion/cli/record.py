"""`companion record`: makes a recording from a photo, so that a failure becomes a test."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any  # Any: JSON

from companion.cli.eval_text import thing
from companion.cli.inputs import corners, existing_file
from companion.cli.output import DONE, Output
from companion.lang import say
from companion.rules import DEPOTS, Position, problems, sentence, variants_of
from companion.words import route
from maps import Board, Message, Trouble, load, plain

if TYPE_CHECKING:
    from vision.reading import Reading

# A box holds three spare wagons of each colour, and people lay them down, too.
_SPARE = 3
# What a photo of the board alone can show to be impossible.
_SENSE = (
    "wagons", "group-twice", "stations", "stations-in-city", "depots", "buildings-in-city", "not-here",
    "color-not-here",
)  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photo", metavar="PHOTO")
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.add_argument("--session", required=True, metavar="NAME")
    parser.add_argument("--kind", choices=("board", "cards", "tickets"), default="board")
    parser.add_argument("--board", metavar="ID")
    parser.add_argument("--corners", metavar="X,Y,...")
    parser.add_argument("--set", action="append", default=[], dest="corrections", metavar="NAME=COLOUR")
    parser.add_argument("--light", metavar="WORD")
    parser.add_argument("--notes", metavar="TEXT")
    parser.add_argument("--depots", action="store_true")
    parser.add_argument("--app", action="store_true")
    parser.add_argument("--checked", action="store_true")
    parser.add_argument("--anyway", action="store_true")


def run(args: argparse.Namespace, out: Output) -> int:
    from vision.record import anonymous, free_name, write_recording

    if not plain(args.session):
        raise Trouble("session-unnamed")
    photo = existing_file(args.photo)
    board = load(args.board) if args.board else None
    try:
        picture = anonymous(photo.read_bytes(), photo.name)
    except OSError as error:
        raise Trouble("unreadable-file", file=args.photo, reason=error.strerror or str(error)) from error
    truth = _board(photo, board, args, out) if args.kind == "board" else _sheets(photo, board, args, out)
    told = {"session": args.session, "light": args.light, "notes": args.notes}
    truth |= {key: value for key, value in told.items() if value}
    folder = Path(args.out)
    written = write_recording(folder, free_name(folder, args.session), picture, truth)
    if out.as_json:
        out.document({"photo": str(written), "truth": str(written.with_suffix(".json")), **truth})
    else:
        out.text(out.say("record.written", photo=written, truth=written.with_suffix(".json")))
    return DONE


def _board(photo: Path, board: Board | None, args: argparse.Namespace, out: Output) -> dict[str, Any]:
    from vision.record import board_truth, corrections

    reading = _first_guess(photo, board, args, out)
    board = load(reading.board)
    told = corrections(args.corrections, board)
    if args.app:
        told |= _in_the_app(replace(reading, doubtful=tuple(d for d in reading.doubtful if d not in told)), photo)
    truth = board_truth(reading, board, told, args.checked or args.app)
    senseless = sense(board, truth, out.language)
    if senseless and not args.anyway:
        raise Trouble("recording-senseless", problems=sentence(senseless))
    for problem in senseless:
        out.note(problem)
    if not out.as_json:
        out.text(_told(board, truth, out))
    return truth


def _in_the_app(reading: Reading, photo: Path) -> dict[str, str | None]:
    """What a person says in the app about this photo; Trouble if they closed it without a word."""
    from companion.ui.window import correct

    told = correct(reading, photo)
    if told is None:
        raise Trouble("recording-given-up")
    return told


def _first_guess(photo: Path, board: Board | None, args: argparse.Namespace, out: Output) -> Reading:
    """The program's reading; of a photo in which it finds nothing, an empty board, if it is told which."""
    from vision.read import read
    from vision.record import empty_reading

    told = corners(args.corners) if args.corners else ()
    try:
        reading = read(photo, board.id if board else None, depots=args.depots)
    except Trouble as trouble:
        if not trouble.nothing_seen or board is None:
            raise
        out.note(trouble.message)
        return empty_reading(board, told)
    return replace(reading, corners=told) if told else reading


def sense(board: Board, truth: Mapping[str, Any], language: str = "en") -> list[Message]:
    """What can't lie on this board under any of its rules; empty if all is well."""
    depots = truth.get("depots") or {}
    colors = sorted({*(c for c in truth["routes"].values() if c), *truth["stations"].values(), *depots.values()})
    players = [
        {
            "name": say(f"words.{color}", language),
            "color": color,
            "routes": [r for r, c in truth["routes"].items() if c == color],
            "stations": [city for city, c in truth["stations"].items() if c == color],
            "depots": [city for city, c in depots.items() if c == color],
        }
        for color in colors
    ]
    if not players:
        return []
    found = []
    for variant in variants_of(board.id):
        position = Position.from_json(
            {"variant": variant.id, "modules": [DEPOTS] if depots else [], "players": players}
        )
        keys = [f"position.{name}" for name in _SENSE]
        found.append([p for p in problems(position) if p.key in keys and not _by_spares(p)])
    return min(found, key=len)


def _by_spares(problem: Message) -> bool:
    return problem.key == "position.wagons" and problem.values["used"] <= problem.values["n"] + _SPARE


def _sheets(photo: Path, board: Board | None, args: argparse.Namespace, out: Output) -> dict[str, Any]:
    from vision.evaluation import Ask, Sheets, ask_program
    from vision.record import sheet_truth

    if args.kind == "tickets" and board is None:
        raise Trouble("tickets-need-board")
    read = ask_program(photo, Ask(args.kind, board.id if board else None))
    assert isinstance(read, Sheets)  # noqa: S101
    truth = sheet_truth(read, args.corrections, board)
    if not out.as_json:
        # By these numbers --set puts them right.
        lines = [f"  {n}: {thing(s.kind, s.name, out.language)}" for n, s in enumerate(read.found, 1)]
        out.text("\n".join([out.say("record.sheets"), *lines]))
    return truth


def _told(board: Board, truth: Mapping[str, Any], out: Output) -> str:
    """What will count as true, for a last look."""
    lines = [out.say("record.board", board=board.name)]
    for color in board.wagon_colors:
        mine = [r for r, c in truth["routes"].items() if c == color]
        stations, depots = (
            [board.place_name(city, out.language) for city, c in (truth.get(kind) or {}).items() if c == color]
            for kind in ("stations", "depots")
        )
        if mine or stations or depots:
            lines.append(out.say("record.color", color=out.say(f"words.{color}"), n=len(mine)))
            lines += [f"    {r}  ({route(board, r, out.language)})" for r in mine]
            lines += [f"    {out.say('cli.read.station', city=city)}" for city in stations]
            lines += [f"    {out.say('record.depot', city=city)}" for city in depots]
    if truth.get("unchecked"):
        lines.append(out.say("record.unchecked"))
        lines += [
            f"    {name}={truth['routes'].get(name) or truth['stations'].get(name) or 'none'}"
            for name in truth["unchecked"]
        ]
    return "\n".join(lines)

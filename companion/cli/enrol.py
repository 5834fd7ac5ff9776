"""`companion enrol`: makes a photo of an empty board this table's reference."""

from __future__ import annotations

import argparse
from typing import Any

from companion.cli.inputs import existing_file, json_file, names
from companion.cli.output import DONE, Output
from maps import Trouble, load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photo", nargs="?", metavar="PHOTO")
    parser.add_argument("--board", required=True, metavar="ID")
    parser.add_argument("--corners", metavar="X,Y,...")
    parser.add_argument("--cities", metavar="CITIES.json")
    parser.add_argument("--forget", action="store_true")


def run(args: argparse.Namespace, out: Output) -> int:
    board = load(args.board)
    if args.forget:
        return _forget(board.id, out)
    if not args.photo:
        raise Trouble("no-file", file="")
    photo = existing_file(args.photo)
    corners, cities = _corners(args.corners), _cities(args.cities)
    # OpenCV loads only for the commands that look at pictures.
    from vision.enrol import enrol

    found = enrol(photo, board.id, corners, cities)
    if out.as_json:
        told = {"board": found.board_id, "corners": [list(c) for c in found.corners]}
        out.document({**told, "features": found.features, "cities": found.cities})
    else:
        out.text(out.say("cli.enrol.done", board=board.name, n=found.features))
    return DONE


def _forget(board: str, out: Output) -> int:
    from vision.tables import forget

    dropped = forget(board)
    if out.as_json:
        out.document({"board": board, "forgotten": dropped})
    else:
        out.text(out.say("cli.enrol.forgotten" if dropped else "cli.enrol.nothing", board=load(board).name))
    return DONE


def _corners(told: str | None) -> list[list[float]] | None:
    if told is None:
        return None
    try:
        values = [float(part) for part in names(told)]
    except ValueError:
        raise Trouble("bad-corners", value=told) from None
    if len(values) != 8:
        raise Trouble("bad-corners", value=told)
    return [values[i : i + 2] for i in range(0, 8, 2)]


def _cities(path: str | None) -> dict[str, Any] | None:
    if path is None:
        return None
    told = json_file(path)
    pairs = told.values() if isinstance(told, dict) else [None]
    if not all(isinstance(p, list) and len(p) == 2 and all(isinstance(v, int | float) for v in p) for p in pairs):
        raise Trouble("bad-cities-file")
    return dict(told)

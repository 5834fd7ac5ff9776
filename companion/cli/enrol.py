"""`companion enrol`: makes a photo of an empty board this table's reference."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any  # Any: JSON

from companion.cli.inputs import existing_file, json_file, names
from companion.cli.output import DONE, Output
from maps import Trouble, available, load

if TYPE_CHECKING:
    from vision.enrol import Enrolment


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photo", nargs="?", metavar="PHOTO")
    parser.add_argument("--board", metavar="ID")
    parser.add_argument("--corners", metavar="X,Y,...")
    parser.add_argument("--cities", metavar="CITIES.json")
    parser.add_argument("--forget", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--empty", action="store_true")
    parser.add_argument("--annotate", metavar="OUT.jpg")


def run(args: argparse.Namespace, out: Output) -> int:
    if args.list:
        return _list(out)
    if not args.board:
        raise Trouble("enrol-which-board")
    board = load(args.board)
    if args.forget:
        return _forget(board.id, out)
    if not args.photo:
        raise Trouble("no-file", file="")
    photo = existing_file(args.photo)
    corners, cities = _corners(args.corners), _cities(args.cities)
    # OpenCV loads only for the commands that look at pictures.
    from vision.enrol import enrol

    found = enrol(photo, board.id, corners, cities, looked=args.empty)
    if args.annotate:
        _drawn(args.annotate, photo, board.id, found)
    if out.as_json:
        told = {"board": found.board_id, "corners": [list(c) for c in found.corners]}
        colors = {name: list(color) for name, color in found.colors.items()}
        out.document({**told, "features": found.features, "cities": found.cities, "colors": colors})
    else:
        out.text(out.say("cli.enrol.done", board=board.name, n=found.features))
        words = ", ".join(
            f"{out.say(f'words.{name}')} #{r:02x}{g:02x}{b:02x}" for name, (r, g, b) in found.colors.items()
        )
        out.text(out.say("cli.enrol.colors", colors=words))
    return DONE


def _drawn(path: str, photo: Path, board: str, found: Enrolment) -> None:
    """What was learnt, over the photo: every space where it is looked for, in the colour that it has there."""
    from companion.cli.pictures import write_picture
    from vision.annotate import learnt
    from vision.photo import load as load_photo
    from vision.tables import laid_out

    write_picture(path, learnt(load_photo(photo), laid_out(load(board)), found.corners, found.colors))


def _list(out: Output) -> int:
    from vision.tables import learnt

    found = learnt()
    if out.as_json:
        rows = [
            {"board": f.board, "when": f.when.isoformat(timespec="seconds"), "features": f.features, "cities": f.cities}
            for f in found
        ]
        out.document({"enrolled": rows})
    elif not found:
        out.text(out.say("cli.enrol.none"))
    for one in () if out.as_json else found:
        name = load(one.board).name if one.board in available() else one.board
        when = one.when.strftime("%Y-%m-%d %H:%M")
        out.text(out.say("cli.enrol.one", board=name, id=one.board, when=when, n=one.features))
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

"""`companion read`: the state of the board in photos."""

from __future__ import annotations

import argparse
from contextlib import suppress

from companion.cli.inputs import known_id, names
from companion.cli.output import Output, answer_each
from companion.cli.photos import one_picture, read_photo, remarks
from companion.words import reading_text
from maps import Board, BoardError, available, load
from vision.reading import Reading


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--board", metavar="ID")
    parser.add_argument("--colors", metavar="C,C")
    parser.add_argument("--players", type=int, metavar="N")
    parser.add_argument("--depots", action="store_true")
    parser.add_argument("--annotate", metavar="OUT.jpg")


def run(args: argparse.Namespace, out: Output) -> int:
    board = load(args.board) if args.board else None
    colors = players_colors(args.colors, board)
    one_picture(args.annotate, args.photos)
    remarks(out)
    return answer_each(
        out,
        args.photos,
        lambda photo: read_photo(photo, board, colors, args.annotate, out.language, args.depots, players=args.players),
        Reading.to_json,
        lambda reading: reading_text(reading, out.language),
    )


def players_colors(told: str | None, board: Board | None) -> list[str] | None:
    """The colours that play, as told with commas."""
    if told is None:
        return None
    known = board.wagon_colors if board else tuple(_all_colors())
    return [known_id("color", color, known) for color in names(told)]


def _all_colors() -> dict[str, None]:
    found: dict[str, None] = {}
    for board in available():
        # A broken board of a player's own must not hide the others' colours.
        with suppress(BoardError):
            found |= dict.fromkeys(load(board).wagon_colors)
    return found

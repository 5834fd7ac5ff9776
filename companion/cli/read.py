"""`companion read`: the state of the board in photos."""

from __future__ import annotations

import argparse
from typing import Any

from companion.cli.inputs import existing_file, known_id, names
from companion.cli.output import Output, answer_each
from companion.lang import say
from maps import Board, Trouble, available, load
from vision.reading import Reading


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--board", metavar="ID")
    parser.add_argument("--colors", metavar="C,C")
    parser.add_argument("--depots", action="store_true")
    parser.add_argument("--annotate", metavar="OUT.jpg")


def run(args: argparse.Namespace, out: Output) -> int:
    board = load(args.board) if args.board else None
    colors = players_colors(args.colors, board)
    if args.annotate and len(args.photos) > 1:
        raise Trouble("annotate-one")
    return answer_each(
        out,
        args.photos,
        lambda photo: read_photo(photo, board, colors, args.annotate, out.language, args.depots).to_json(),
        lambda found: text(found, out.language),
    )


def players_colors(told: str | None, board: Board | None) -> list[str] | None:
    """The colours that play, as told with commas."""
    if told is None:
        return None
    known = board.wagon_colors if board else tuple(dict.fromkeys(c for b in available() for c in load(b).wagon_colors))
    return [known_id("color", color, known) for color in names(told)]


def read_photo(
    path: str,
    board: Board | None,
    colors: list[str] | None,
    picture: str | None,
    language: str,
    depots: bool = False,
) -> Reading:
    """Reads one photo; with `picture` also writes the photo with everything that was read drawn into it."""
    # OpenCV and the models load only for the commands that look at pictures.
    from companion.cli.pictures import write_picture
    from vision.annotate import annotate
    from vision.photo import load as load_photo
    from vision.read import read

    photo = load_photo(existing_file(path))
    reading = read(photo, board.id if board else None, colors, depots=depots)
    if picture:
        write_picture(picture, annotate(photo, reading, load(reading.board), language))
    return reading


def text(found: dict[str, Any], language: str) -> str:
    """A reading for people: the board, each colour's routes, stations, and what to look at."""
    board = load(found["board"])
    sure = len(board.routes) - sum(name in board.routes for name in found["doubtful"])
    lines = [say("cli.read.board-line", language, board=board.name, sure=sure, routes=len(board.routes))]
    for color in board.wagon_colors:
        mine = [board.routes[r] for r, told in found["routes"].items() if told["color"] == color]
        buildings = [
            say(f"cli.read.{kind}", language, city=board.place_name(city, language))
            for kind in ("station", "depot")
            for city, told in found.get(f"{kind}s", {}).items()
            if told["color"] == color
        ]
        if mine or buildings:
            wagons = sum(r.length for r in mine)
            told = say("cli.read.color", language, color=say(f"words.{color}", language), n=len(mine), wagons=wagons)
            lines.append(told)
            lines += [f"    {route_name(board, r.id, language)}" for r in mine]
            lines += [f"    {building}" for building in buildings]
    if found["doubtful"]:
        lines.append(say("cli.read.doubtful", language))
        lines += [f"    {_doubt(board, name, found, language)}" for name in found["doubtful"]]
    lines.append(say("cli.read.seconds", language, seconds=f"{found['seconds'].get('total', 0):.1f}"))
    return "\n".join(lines)


def route_name(board: Board, route: str, language: str) -> str:
    """A route as players say it: its cities, and its colour."""
    a, b = (board.place_name(city, language) for city in board.routes[route].ends)
    return f"{a} - {b} ({say(f'words.{board.routes[route].color}', language)})"


def _doubt(board: Board, name: str, found: dict[str, Any], language: str) -> str:
    everywhere = found["routes"] | found["stations"] | found.get("depots", {})
    told = everywhere.get(name) or {"color": None, "confidence": 0}
    who = say(f"words.{told['color'] or 'nobody'}", language)
    label = route_name(board, name, language) if name in board.routes else board.place_name(name, language)
    return say("cli.read.doubt", language, name=label, who=who, sure=round(100 * told["confidence"]))

"""`companion maps`: lists the boards, checks them, draws them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any  # Any: JSON

from companion.cli.output import BAD_INPUT, DONE, Output
from companion.lang import tell
from maps import Board, BoardError, available, board_folders, load, user_folder, validate
from maps.drawing import save, scene
from maps.drawing.palette import DARK, LIGHT


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", nargs="?", metavar="BOARD")
    parser.add_argument("--check", nargs="?", const="", metavar="FOLDER")
    parser.add_argument("--draw", nargs=2, metavar=("BOARD", "OUT"))
    parser.add_argument("--width", type=int, default=1800, metavar="PIXELS")
    parser.add_argument("--dark", action="store_true")


def run(args: argparse.Namespace, out: Output) -> int:
    if args.check is not None:
        return _check(args.check or args.board, out)
    if args.draw:
        board, picture = args.draw
        return _draw(board, picture, args.width, args.dark, out)
    chosen = [args.board] if args.board else list(available())
    boards: list[Board] = []
    for board in chosen:
        try:
            boards.append(load(board))
        except BoardError as trouble:
            # One broken board of a player's own must not hide the others.
            if args.board:
                raise
            out.note(trouble.message)
    if out.as_json:
        told = [_told(b) for b in boards]
        out.document(told[0] if args.board else told)
    else:
        out.text("\n\n".join(_text(b, out, args.board is not None) for b in boards))
        if not args.board:
            out.note(out.say("cli.maps.own", folder=user_folder()))
    return DONE


def _told(board: Board) -> dict[str, Any]:
    return {
        "id": board.id,
        "name": {"en": board.name.en, "fr": board.name.fr},
        "stage": board.stage,
        "unsure": [{"en": t.en, "fr": t.fr} for t in board.unsure],
        "players": list(board.players),
        "wagons": board.wagons,
        "cities": len(board.cities),
        "routes": len(board.routes),
        "tickets": len(board.tickets),
        "geometry": {"kind": board.geometry.kind, "edition": board.geometry.edition},
    }


def _text(board: Board, out: Output, whole: bool) -> str:
    first = out.say(
        "cli.maps.line", id=board.id, name=board.name, stage=out.say(f"cli.maps.{board.stage}"),
        cities=len(board.cities), routes=len(board.routes), tickets=len(board.tickets),
    )  # fmt: skip
    lines = [first, *(f"    {t(out.language)}" for t in board.unsure)]
    if whole:
        lines.append("    " + out.say("cli.maps.players", players=", ".join(map(str, board.players)), n=board.wagons))
        lines.append("    " + out.say("cli.maps.positions", edition=board.geometry.edition))
        lines += [f"    - {source}" for source in board.sources]
    return "\n".join(lines)


def _check(board: str | None, out: Output) -> int:
    folders = board_folders()
    if board and Path(board).is_dir():
        folders = {Path(board).name: Path(board)}
    elif board:
        if board not in folders:
            load(board)
        folders = {board: folders[board]}
    problems = {name: validate(folder) for name, folder in folders.items()}
    if out.as_json:
        told = {
            name: [{"file": p.file, "field": p.field, "message": tell(p.message, out.language)} for p in found]
            for name, found in problems.items()
        }
        out.document(told)
    else:
        for name, found in problems.items():
            out.text(f"{name}: " + out.say("cli.maps.problems", n=len(found)))
            for problem in found:
                out.text("    " + tell(problem.told, out.language))
    return BAD_INPUT if any(problems.values()) else DONE


def _draw(board: str, picture: str, width: int, dark: bool, out: Output) -> int:
    drawn = scene(load(board), theme=DARK if dark else LIGHT, language=out.language)
    save(drawn, Path(picture), width)
    if out.as_json:
        out.document({"board": board, "picture": picture})
    else:
        out.text(out.say("cli.maps.drawn", picture=picture))
    return DONE

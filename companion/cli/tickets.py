"""`companion tickets`: tickets lying in a photo."""

from __future__ import annotations

import argparse
from typing import Any

from companion.cli.inputs import existing_file
from companion.cli.output import Output, answer_each
from companion.lang import say
from maps import Board, Trouble, load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--board", required=True, metavar="ID")


def run(args: argparse.Namespace, out: Output) -> int:
    board = load(args.board)
    return answer_each(out, args.photos, lambda path: read(path, board), lambda found: text(found, board, out.language))


def read(path: str, board: Board) -> dict[str, Any]:
    """The tickets of one photo; Trouble if there are none."""
    # OpenCV and the models load only for the commands that look at pictures.
    from vision.photo import load as load_photo
    from vision.tickets import read_tickets

    seen = read_tickets(load_photo(existing_file(path)), board)
    if not seen:
        raise Trouble("no-tickets", nothing_seen=True, file=path)
    return {"tickets": [ticket.to_json() for ticket in seen]}


def text(found: dict[str, Any], board: Board, language: str) -> str:
    """The tickets for people: one line each; a ticket that isn't sure is a question."""
    return "\n".join(_line(n, ticket, board, language) for n, ticket in enumerate(found["tickets"], 1))


def _line(n: int, told: dict[str, Any], board: Board, language: str) -> str:
    if not told["doubtful"]:
        return say("cards.ticket", language, n=n, ticket=_name(told["id"], board, language), points=told["points"])
    guesses = [_name(ticket, board, language) for ticket in (told["id"], *told["alternatives"])]
    return say("cards.ticket-asked", language, n=n, guesses="; ".join(guesses))


def _name(ticket: str, board: Board, language: str) -> str:
    ends = board.tickets[ticket].a, board.tickets[ticket].b
    return " – ".join(board.place_name(end, language) for end in ends)

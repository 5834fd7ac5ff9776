"""`companion tickets`: tickets lying in a photo."""

from __future__ import annotations

import argparse

from companion.cli.output import Output, answer_each
from companion.cli.photos import tickets_in
from companion.words import tickets_text
from maps import load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--board", required=True, metavar="ID")


def run(args: argparse.Namespace, out: Output) -> int:
    board = load(args.board)
    return answer_each(
        out,
        args.photos,
        lambda path: tickets_in(path, board),
        lambda tickets: {"tickets": [ticket.to_json() for ticket in tickets]},
        lambda tickets: tickets_text(tickets, board, out.language),
    )

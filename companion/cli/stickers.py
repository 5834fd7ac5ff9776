"""`companion stickers`: a page of corner stickers to print, which make finding the board certain in bad light."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.output import DONE, Output
from maps import load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", metavar="OUT.pdf")
    parser.add_argument("--board", metavar="ID")


def run(args: argparse.Namespace, out: Output) -> int:
    board = None if args.board is None else load(args.board).id
    from vision.stickers import page

    page(Path(args.page), out.say("cards.stickers-note"), board)
    if out.as_json:
        out.document({"stickers": args.page})
    else:
        out.text(out.say("cards.stickers-written", file=args.page))
    return DONE

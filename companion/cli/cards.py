"""`companion cards`: train cards lying in a photo."""

from __future__ import annotations

import argparse

from companion.cli.output import Output, answer_each
from companion.cli.photos import cards_in, one_picture
from companion.words import cards_text
from maps import LOCOMOTIVES, load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--board", metavar="ID")
    parser.add_argument("--annotate", metavar="OUT.jpg")


def run(args: argparse.Namespace, out: Output) -> int:
    board = load(args.board) if args.board else None
    wild = board.cards.wild if board else LOCOMOTIVES
    one_picture(args.annotate, args.photos)
    return answer_each(
        out,
        args.photos,
        lambda path: cards_in(path, board, args.annotate, out.language),
        lambda cards: {"cards": [card.to_json() for card in cards]},
        lambda cards: cards_text(cards, out.language, wild),
    )

"""`companion tickets`: tickets lying in a photo, and technology cards and shares beside them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from companion.cli.output import Output, answer_each
from companion.cli.photos import one_picture, papers_in
from companion.words import shares_text, technologies_text, tickets_text
from maps import Board, load

if TYPE_CHECKING:
    from vision.papers import Papers


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--board", required=True, metavar="ID")
    parser.add_argument("--annotate", metavar="OUT.jpg")


def run(args: argparse.Namespace, out: Output) -> int:
    board = load(args.board)
    one_picture(args.annotate, args.photos)
    return answer_each(
        out,
        args.photos,
        lambda path: papers_in(path, board, args.annotate, out.language),
        lambda papers: papers.to_json(),
        lambda papers: _text(papers, board, out.language),
    )


def _text(papers: Papers, board: Board, language: str) -> str:
    """Tickets, then technologies and shares, a line each."""
    parts = [
        tickets_text(papers.tickets, board, language),
        technologies_text(papers.technologies, board, language),
        shares_text(papers.shares, board, language),
    ]
    return "\n".join(part for part in parts if part)

"""`companion cards`: train cards lying in a photo."""

from __future__ import annotations

import argparse
from typing import Any

from companion.cli.inputs import existing_file
from companion.cli.output import Output, answer_each
from companion.lang import say
from maps import LOCOMOTIVE, LOCOMOTIVES, Board, Trouble, WildCard, load
from vision.config import CARD


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--board", metavar="ID")


def run(args: argparse.Namespace, out: Output) -> int:
    board = load(args.board) if args.board else None
    wild = board.cards.wild if board else LOCOMOTIVES
    return answer_each(out, args.photos, lambda path: read(path, board), lambda found: text(found, out.language, wild))


def read(path: str, board: Board | None = None) -> dict[str, Any]:
    """The cards of one photo, only those that the board has; Trouble if there are none."""
    # OpenCV and the models load only for the commands that look at pictures.
    from vision.cards import read_cards
    from vision.photo import load as load_photo

    photo = load_photo(existing_file(path))
    seen = read_cards(photo, (*board.cards.colors, LOCOMOTIVE)) if board else read_cards(photo)
    if not seen:
        raise Trouble("no-cards", nothing_seen=True, file=path)
    return {"cards": [card.to_json() for card in seen]}


def doubtful(card: dict[str, Any]) -> bool:
    """Whether a person should look at this card."""
    return bool(card["confidence"] < CARD.doubt)


def text(found: dict[str, Any], language: str, wild: WildCard = LOCOMOTIVES) -> str:
    """The cards for people: one line each, in the order of the table; what isn't sure is told so."""
    return "\n".join(
        say(
            "cards.card-unsure" if doubtful(card) else "cards.card",
            language,
            n=n,
            color=say(f"words.{card['color']}", language, wild),
            percent=round(card["confidence"] * 100),
        )
        for n, card in enumerate(found["cards"], 1)
    )

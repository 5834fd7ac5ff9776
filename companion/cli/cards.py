"""`companion cards`: train cards lying in a photo."""

from __future__ import annotations

import argparse
from typing import Any

from companion.cli.inputs import existing_file
from companion.cli.output import Output, answer_each
from companion.lang import say
from maps import Trouble


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO")


def run(args: argparse.Namespace, out: Output) -> int:
    return answer_each(out, args.photos, read, lambda found: text(found, out.language))


def read(path: str) -> dict[str, Any]:
    """The cards of one photo; Trouble if there are none."""
    # OpenCV and the models load only for the commands that look at pictures.
    from vision.cards import read_cards
    from vision.photo import load

    seen = read_cards(load(existing_file(path)))
    if not seen:
        raise Trouble("no-cards", nothing_seen=True, file=path)
    return {"cards": [card.to_json() for card in seen]}


def text(found: dict[str, Any], language: str) -> str:
    """The cards for people: one line each, in the order of the table."""
    return "\n".join(
        say(
            "cards.card",
            language,
            n=n,
            color=say(f"words.{card['color']}", language),
            percent=round(card["confidence"] * 100),
        )
        for n, card in enumerate(found["cards"], 1)
    )

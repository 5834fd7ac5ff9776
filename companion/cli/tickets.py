"""`companion tickets`: tickets lying in a photo."""

from __future__ import annotations

import argparse

from companion.cli.inputs import existing_file
from companion.cli.output import Output
from maps import Trouble, load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--board", required=True, metavar="ID")


def run(args: argparse.Namespace, out: Output) -> int:
    load(args.board)
    for photo in args.photos:
        existing_file(photo)
    raise Trouble("not-built-yet", command="tickets")

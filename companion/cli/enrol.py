"""`companion enrol`: makes a photo of an empty board this table's reference."""

from __future__ import annotations

import argparse

from companion.cli.inputs import existing_file
from companion.cli.output import Output
from maps import Trouble, load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photo", metavar="PHOTO")
    parser.add_argument("--board", required=True, metavar="ID")
    parser.add_argument("--corners", metavar="X,Y,...")


def run(args: argparse.Namespace, out: Output) -> int:
    load(args.board)
    existing_file(args.photo)
    raise Trouble("not-built-yet", command="enrol")

"""`companion eval`: how well recordings are read."""

from __future__ import annotations

import argparse

from companion.cli.output import Output
from maps import Trouble


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="+", metavar="DIR")
    parser.add_argument("--report", metavar="OUT.html")


def run(args: argparse.Namespace, out: Output) -> int:
    raise Trouble("not-built-yet", command="eval")

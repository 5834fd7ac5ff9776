"""`companion app`: opens the app."""

from __future__ import annotations

import argparse

from companion.cli.output import Output
from maps import Trouble


def arguments(parser: argparse.ArgumentParser) -> None:
    """The app takes none."""


def run(args: argparse.Namespace, out: Output) -> int:
    raise Trouble("not-built-yet", command="app")

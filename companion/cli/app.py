"""`companion app`: opens the app."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, Output


def arguments(parser: argparse.ArgumentParser) -> None:
    """The app takes none."""


def run(args: argparse.Namespace, out: Output) -> int:
    # Kivy opens a window when it is loaded: only this command may do that.
    from companion.ui.window import run as open_app

    open_app()
    return DONE

"""`companion screens`: pictures of every screen, in both languages, both ways round and on a narrow phone."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.output import DONE, Output


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--evening", action="store_true")


def run(args: argparse.Namespace, out: Output) -> int:
    from companion.ui.screenshots import evening, take

    pictures = (evening if args.evening else take)(Path(args.out), lambda name: out.note(name))
    if out.as_json:
        out.document({"pictures": [str(p) for p in pictures]})
    else:
        out.text(out.say("cli.screens.done", n=len(pictures), folder=args.out))
    return DONE

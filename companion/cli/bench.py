"""`companion bench`: how fast the program is, as ratios measured in one run. Needs the project's own folder."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from companion.cli.output import DONE, Output
from maps import Trouble

ROOT = Path(__file__).resolve().parent.parent.parent


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--dry", action="store_true")
    parser.add_argument("--document", action="store_true")


def run(args: argparse.Namespace, out: Output) -> int:
    if not (ROOT / "bench" / "__main__.py").is_file():
        raise Trouble("bench-needs-project")
    wanted = {"--dry": args.dry, "--document": args.document, "--json": out.as_json}
    options = [option for option, asked in wanted.items() if asked]
    # In a process of its own: what this one has loaded would count as start-up and memory.
    done = subprocess.run([sys.executable, "-m", "bench", *options, *args.parts], cwd=ROOT, check=False)
    if done.returncode:
        raise Trouble("bench-failed", parts=", ".join(args.parts) or "-")
    return DONE

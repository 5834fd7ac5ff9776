"""Makes what the camera reader learnt, one thing after the other in the order in which they need each other.

    python -m models.training all                   everything: prints of boards, nets for boards, cards and tickets
    python -m models.training board fingerprints    some of it
    python -m models.training board -- --net spaces what stands after -- goes to each
    python -m models.training all --trial FOLDER    a few steps of each into a folder, to see that everything runs

Needs the [train] extra and ../shared. Recipes stand beside the model cards: models/<folder>/recipe.json.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

# A board is found before it is read, a card before it is told, and a line of letters before it is read.
ORDER = ("fingerprints", "board", "cards", "lines", "names", "tickets")
# As little of each as shows that it runs. From 40 examples on the witnesses of cards look for what is wrongly taken for
# a card, of which a good finder shows one in hundreds of scenes. Tickets take a minute and know one place only: a trial
# judges those at hand.
TRIAL: dict[str, tuple[str, ...]] = {
    "fingerprints": ("usa",),
    "board": ("--steps", "20", "--few", "1"),
    "cards": ("--minutes", "0.1", "--looks", "2", "--examples", "36", "--steps", "2"),
    "lines": ("--shards", "1", "--minutes", "0.1"),
    "names": ("--shards", "1", "--minutes", "0.1"),
    "tickets": ("--judge",),
}


def trial(name: str, folder: Path) -> list[str]:
    """What a trial asks of one of them, and where it writes to."""
    # What they draw first is kept for the next time: a trial's is not worth that.
    drawn = ("--work", str(folder / name / "drawn")) if name in ("lines", "names") else ()
    return [*TRIAL[name], *drawn, *(() if name == "tickets" else ("--out", str(folder / name)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+", choices=("all", *ORDER))
    parser.add_argument("--trial", type=Path, help="a few steps of each, into this folder")
    own, more = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, more = own[:at], own[at + 1 :]
    args = parser.parse_args(own)
    for name in ORDER:
        if name in args.what or "all" in args.what:
            less = trial(name, args.trial.resolve()) if args.trial else []
            # Each in a process of its own: torch gives its memory back only at the end.
            subprocess.run([sys.executable, "-m", f"models.training.{name}", *less, *more], check=True)


if __name__ == "__main__":
    main()

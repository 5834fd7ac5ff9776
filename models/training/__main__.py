"""Makes what the camera reader learnt, one thing after the other in the order in which they need each other.

    python -m models.training all                   everything: prints of boards, nets for boards, cards and tickets
    python -m models.training board fingerprints    some of it
    python -m models.training board -- --net spaces what stands after -- goes to each

Needs the [train] extra and ../shared. Recipes stand beside the model cards: models/<folder>/recipe.json.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

# A board is found before it is read, and a card before it is told.
ORDER = ("fingerprints", "board", "cards", "tickets")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+", choices=("all", *ORDER))
    own, more = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, more = own[:at], own[at + 1 :]
    wanted = parser.parse_args(own).what
    for name in ORDER:
        if name in wanted or "all" in wanted:
            # Each in a process of its own: torch gives its memory back only at the end.
            subprocess.run([sys.executable, "-m", f"models.training.{name}", *more], check=True)


if __name__ == "__main__":
    main()

"""All attacks, long: python3 run.py attack [--minutes N] [--seed N] [NAME...]

Without `--minutes` each runs as often as docs/reliability.md says; with it, all of them in turn until time is over.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from dataclasses import dataclass, field

from tests.attack import files, pictures, strangers
from tests.attack.tally import Attack, Tally


@dataclass
class Plan:
    """An attack with how often it runs, a portion at a time, and how it went so far."""

    attack: Attack
    full: int
    portion: int
    tries: int = 0
    failures: list[str] = field(default_factory=list)
    worst: float = 0.0
    name: str = ""
    seconds: float = 0.0

    def go_on(self, seed: int) -> None:
        began = time.monotonic()
        tally: Tally = self.attack(min(self.portion, max(1, self.full)), seed)
        self.seconds += time.monotonic() - began
        self.name, self.tries = tally.name, self.tries + tally.tries
        self.failures += tally.failures
        self.worst = max(self.worst, tally.worst)


def plans() -> dict[str, Plan]:
    return {
        "kills": Plan(files.kills, 1_000, 50),
        "full-disk": Plan(files.full_disk, 500, 50),
        "torn": Plan(files.torn_and_flipped, 5_000, 250),
        "pictures": Plan(pictures.mutated, 20_000, 500),
        "json": Plan(strangers.malformed_json, 100_000, 5_000),
        "parcels": Plan(strangers.parcels, 50_000, 1_000),
        "histories": Plan(strangers.histories, 2_000, 50),
        "boards": Plan(strangers.boards, 2_000, 50),
    }


def row(plan: Plan) -> str:
    return f"| {plan.name} | {plan.tries:,} | {len(plan.failures)} | {plan.worst:.2f} s | {plan.seconds:.0f} s |"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="attack", description="Attacks the program as a stranger or a bad disk would."
    )
    parser.add_argument("names", nargs="*", help=f"which of {', '.join(plans())}; all if none is named")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    unknown = set(args.names) - set(plans())
    if unknown:
        parser.error(f"no attack {', '.join(sorted(unknown))}; there are {', '.join(plans())}")
    chosen = {name: plan for name, plan in plans().items() if not args.names or name in args.names}
    end = None if args.minutes is None else time.monotonic() + 60 * args.minutes
    seed = args.seed * 1_000_000
    while any(plan.tries < plan.full or end is not None for plan in chosen.values()):
        for name, plan in chosen.items():
            if end is None and plan.tries >= plan.full:
                continue
            seed += 1
            plan.go_on(seed)
            sys.stderr.write(f"{name}: {plan.tries:,} tries, {len(plan.failures)} failures\n")
        if end is not None and time.monotonic() > end:
            break
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print("| attack | tries | failures | worst try | all |\n|---|---|---|---|---|")
    print("\n".join(row(plan) for plan in chosen.values()))
    print(f"\nMost memory of the process that ran them: {peak} MB.")
    failures = [f"{name}: {failure}" for name, plan in chosen.items() for failure in plan.failures]
    for failure in failures[:50]:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

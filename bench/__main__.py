"""`python -m bench [PART...] [--dry] [--json]`: prints the table; a run of all parts is kept.

`python -m bench --document` measures nothing and writes docs/performance.md again from the latest results.
"""

from __future__ import annotations

import argparse
import json
import sys

import bench
from maps import nearest


def main(arguments: list[str]) -> int:
    known = bench.parts()
    parser = argparse.ArgumentParser("bench", description="How fast it is, as ratios within one run.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"all if none is named: {', '.join(known)}")
    parser.add_argument("--dry", action="store_true", help="a run of all parts is not kept")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--document", action="store_true", help="only write docs/performance.md from the latest run")
    told = parser.parse_args(arguments)
    if told.document:
        return _document()
    for part in told.parts:
        if part not in known:
            meant = nearest(part, known)
            hint = f"Did you mean '{meant}'?" if meant else f"Parts: {', '.join(known)}."
            sys.stderr.write(f"There is no part '{part}'. {hint}\n")
            return 2
    results = bench.measure(told.parts or known, lambda part: print(f"{part}...", file=sys.stderr, flush=True))
    if not told.parts and not told.dry:
        file = bench.keep(results)
        print(f"Kept in {file.relative_to(bench.FOLDER.parent)}; see docs/performance.md", file=sys.stderr)
    print(json.dumps(results, ensure_ascii=False) if told.json else bench.text(results))
    return 0


def _document() -> int:
    results = bench.latest()
    if results is None:
        sys.stderr.write("Nothing was measured yet: `python3 run.py bench` does.\n")
        return 2
    bench.DOCUMENT.write_text(bench.document(results), encoding="utf-8")
    print(bench.text(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

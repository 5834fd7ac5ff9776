"""`python -m bench [PART...] [--dry] [--json]`: prints the table; a run of all parts is kept.

`python -m bench --document` measures nothing and writes docs/performance.md again from the latest results.
"""

from __future__ import annotations

import json
import sys

import bench
from maps import nearest


def main(arguments: list[str]) -> int:
    if "--document" in arguments:
        return _document()
    known = bench.parts()
    wanted = [a for a in arguments if not a.startswith("--")]
    for part in wanted:
        if part not in known:
            meant = nearest(part, known)
            hint = f"Did you mean '{meant}'?" if meant else f"Parts: {', '.join(known)}."
            sys.stderr.write(f"There is no part '{part}'. {hint}\n")
            return 2
    results = bench.measure(wanted or known, lambda part: print(f"{part}...", file=sys.stderr, flush=True))
    if not wanted and "--dry" not in arguments:
        file = bench.keep(results)
        print(f"Kept in {file.relative_to(bench.FOLDER.parent)}; see docs/performance.md", file=sys.stderr)
    print(json.dumps(results, ensure_ascii=False) if "--json" in arguments else bench.text(results))
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

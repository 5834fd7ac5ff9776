"""Tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]], below: Sequence[Sequence[str]] | None = None, left: int = 1) -> str:
    """Rows under their headings: the first columns to the left, numbers to the right; `below` adds lines to a row."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for i, row in enumerate(rows):
        cells = [c.ljust(w) if n < left else c.rjust(w) for n, (c, w) in enumerate(zip(row, widths, strict=True))]
        lines.append("  ".join(cells).rstrip())
        lines += below[i] if below else ()
    return "\n".join(lines)


def shown(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The columns in which some row has something to say."""
    kept = [i for i in range(len(rows[0])) if any(row[i] != "-" for row in rows[1:])]
    return [[row[i] for i in kept] for row in rows]


def percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"

"""Who has won, and by which rule: points first, then what the variant says about ties for the first place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from companion.rules.table.variant import TieBreak

Decision = Literal["points", "shared"] | TieBreak


def winners(
    totals: Sequence[int], ties: Sequence[TieBreak], measures: Mapping[TieBreak, Callable[[int], int]]
) -> tuple[list[int], Decision]:
    """The winners' indices and what decided; measures are only taken of those who are still tied."""
    first = _most(range(len(totals)), lambda i: totals[i])
    decided_by: Decision = "points"
    for rule in ties:
        if len(first) == 1:
            break
        first = _most(first, measures[rule])
        decided_by = rule
    return first, decided_by if len(first) == 1 else "shared"


def ranks(totals: Sequence[int], first: Sequence[int]) -> list[int]:
    """Rank of each: the winners share the first; below it equal points share a rank."""
    places = [(i in first, total) for i, total in enumerate(totals)]
    return [1 + sum(other > place for other in places) for place in places]


def _most(among: Sequence[int], measure: Callable[[int], int]) -> list[int]:
    measured = {i: measure(i) for i in among}
    return [i for i, value in measured.items() if value == max(measured.values())]

"""What chance did with an action: the cards that came up. Nobody has to tell it; then nobody counts the decks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any  # Any: JSON

SWEEP = "sweep"


@dataclass(frozen=True)
class Outcome:
    """`drawn`: cards drawn blind, in order. `turned`: cards turned up on the table, in order; `sweep` stands where
    all open cards were swept away. `taken`: what a warehouse held.
    """

    drawn: tuple[str, ...] | None = None
    turned: tuple[str, ...] | None = None
    taken: Mapping[str, int] | None = None


NOTHING = Outcome()


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """What was told, as JSON."""
    told: dict[str, Any] = {}
    if outcome.drawn is not None:
        told["drawn"] = list(outcome.drawn)
    if outcome.turned is not None:
        told["turned"] = list(outcome.turned)
    if outcome.taken is not None:
        told["taken"] = dict(outcome.taken)
    return told

"""What chance did with an action: the cards that came up. Nobody has to tell it; then nobody counts the decks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.action_reader import ActionReader
from companion.rules.fields import sentence
from companion.rules.position import Position
from maps import Trouble

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


def read_outcome(data: object, position: Position) -> Outcome:
    """An outcome from JSON; Trouble names everything that can't be read."""
    if data is None:
        return NOTHING
    reader = ActionReader(data, position, "outcome")
    outcome = Outcome(
        reader.card_list("drawn"), reader.card_list("turned", also=(SWEEP,)), reader.optional_pile("taken")
    )
    if reader.fields.wrong:
        raise Trouble("bad-action", problems=sentence(reader.fields.wrong))
    return outcome


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

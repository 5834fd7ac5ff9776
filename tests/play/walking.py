"""Walks the questions of an offer to its ends: every action that it comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any  # Any: JSON

from companion.rules import Action, Offer, Position, offers


def completions(offer: Offer, told: dict[str, Any] | None = None) -> Iterator[Action]:
    """Every action an offer comes to, where all its questions have choices."""
    told = told or {}
    question = offer.question(told)
    if question is None:
        yield offer.complete(told)
        return
    for choice in question.choices or ():
        yield from completions(offer, {**told, question.field: choice})


def follow_ups(position: Position) -> tuple[Action, ...]:
    """Everything that belongs to the claim just made."""
    return tuple(a for offer in offers(position) if offer.follow_up for a in completions(offer))

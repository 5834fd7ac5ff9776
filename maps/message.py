"""What happened, still without a language: every room makes these, `companion.lang` finds the words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any  # Any: what fills a sentence's gaps


@dataclass(frozen=True)
class Message:
    """A key of the message catalogues and what fills its gaps (numbers, names, texts, other messages)."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        told = ", ".join(f"{k}={v}" for k, v in self.values.items())
        return f"{self.key} ({told})" if told else self.key


def message(key: str, **values: object) -> Message:
    """A message to be told later, in the language of whoever reads it."""
    return Message(key, values)


class Trouble(ValueError):
    """Something a person has to hear about: `code` for programs, a message (`error.<code>`) for people.

    `nothing_seen` tells a picture without a board or card from input that is wrong in itself.
    """

    def __init__(self, code: str, *, nothing_seen: bool = False, **values: object) -> None:
        self.code, self.nothing_seen = code, nothing_seen
        self.message = Message(f"error.{code}", values)
        super().__init__(str(self.message))

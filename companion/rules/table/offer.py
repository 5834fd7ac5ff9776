"""What may be done now, and what it still asks: a screen shows offers and walks their questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any  # Any: choices are names, numbers or piles; JSON later

if TYPE_CHECKING:
    from companion.rules.table.action import Action

# What was answered so far, by field of the action.
Told = Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """One question that is open now. `choices`: every answer that is legal, None where only the table can tell.

    `free`: other answers may be legal too (cards of a hand nobody knows, tickets by name instead of their number).
    `number`: how many things are asked for, where only the table can tell which.
    """

    field: str
    choices: tuple[Any, ...] | None
    free: bool = False
    number: int | None = None


@dataclass(frozen=True)
class Ask:
    """A question of an offer: the field of the action, and its choices once the questions before it are answered.

    Without choices, and without a `number`, the question does not arise.
    """

    field: str
    choices: Callable[[Told], Iterable[Any] | None]
    free: bool = False
    number: Callable[[Told], int] | None = None

    def arises(self, told: Told) -> bool:
        """Whether there is anything to ask after these answers."""
        choices = self.choices(told)
        if choices is None:
            return self.number is None or self.number(told) > 0
        return next(iter(choices), None) is not None

    def question(self, told: Told) -> Question | None:
        """The question as it stands after these answers, None if it does not arise."""
        if not self.arises(told):
            return None
        choices = self.choices(told)
        number = self.number(told) if self.number else None
        if choices is None:
            return Question(self.field, None, True, number)
        return Question(self.field, tuple(choices), self.free, number)


@dataclass(frozen=True)
class Offer:
    """Something that somebody may do now.

    `follow_up`: it belongs to a claim or turn just made, so it is asked before the next player acts.
    `required`: no turn goes on before it. `fixed`: fields of the action that are settled already.
    """

    action: type[Action]
    player: str
    asks: tuple[Ask, ...] = field(default=(), compare=False)
    follow_up: bool = False
    required: bool = False
    fixed: Told = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The action's name in JSON."""
        return self.action.kind

    @property
    def fields(self) -> tuple[str, ...]:
        """Everything that may be asked, in order."""
        return tuple(ask.field for ask in self.asks)

    def question(self, told: Told) -> Question | None:
        """The next question after these answers, None once the action is complete."""
        for ask in self.asks:
            if ask.field not in told:
                found = ask.question(told)
                if found is not None:
                    return found
        return None

    def complete(self, told: Told) -> Action:
        """The action with these answers."""
        return self.action(self.player, **{**self.fixed, **told})

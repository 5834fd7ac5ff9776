"""What somebody does: each action of a part knows what it asks, whether it is legal, and what it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal  # Any: JSON

from companion.rules.table.offer import Ask, Offer
from companion.rules.table.tickets import ticket_json
from maps import Ticket

if TYPE_CHECKING:
    from companion.rules.table.fields import ActionReader
    from companion.rules.table.outcome import Outcome
    from companion.rules.table.position import Position
    from companion.rules.table.verdict import Findings

# turn: the one thing done in a turn, which ends it. before: in one's turn, before that. free: at any moment of one's
# turn or right after it. claim: what a claim brings its player. end: once the game is over.
Stack = Literal["hand", "rack"]
When = Literal["turn", "before", "free", "claim", "end"]


@dataclass(frozen=True)
class Action:
    """Something done by a player; in teams by a member, or by the team where nobody says which."""

    kind: ClassVar[str] = ""
    when: ClassVar[When] = "turn"
    # Whether it may be done after a claim that leaves another one in the same turn.
    second: ClassVar[bool] = False
    # Offered after everything else.
    last: ClassVar[bool] = False
    # Fields that somebody tells, in order, before the referee says what else is needed.
    tells: ClassVar[tuple[str, ...]] = ()
    # Fields whose name in JSON is another.
    json_names: ClassVar[Mapping[str, str]] = {}
    player: str

    @classmethod
    def read(cls, f: ActionReader) -> Action:
        """The action from JSON."""
        return cls(f.player())

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        """What it asks this player now, None if it can't be done at all; whose turn it is was looked at before."""
        return ()

    @classmethod
    def askers(cls, position: Position) -> tuple[str, ...]:
        """Who may be asked: every seat, and the claimer alone for what a claim brings."""
        claim = position.run.last_claim
        return (claim.player,) if cls.when == "claim" and claim else position.order

    @classmethod
    def fixed(cls, position: Position, name: str) -> Mapping[str, Any]:
        """Fields that the position settles."""
        return {}

    @classmethod
    def required(cls, position: Position, name: str) -> bool:
        """Whether nothing else may be done before it."""
        return False

    @classmethod
    def offer(cls, position: Position, name: str) -> Offer | None:
        """The offer to this player, None if there is nothing to do or choose."""
        own = cls.asks(position, name)
        if own is None:
            return None
        asks = (*own, *(ask for part in position.parts for ask in part.asks(position, cls, name)))
        # A first question without an answer is no offer.
        if own and not own[0].arises({}):
            return None
        return Offer(cls, name, asks, cls.when == "claim", cls.required(position, name), cls.fixed(position, name))

    def opens(self, position: Position) -> bool:
        """Whether it belongs to the set-up, before the first turn."""
        return False

    @property
    def goes_on(self) -> bool:
        """Whether the same turn goes on after it, where more may be done."""
        return False

    def judge(self, position: Position, found: Findings) -> None:
        """Every reason against it, and what must still be told."""

    def play(self, position: Position, outcome: Outcome) -> Position:
        """The position after it. It never refuses."""
        return position


@dataclass(frozen=True)
class DrawnCard:
    """One card taken, from the deck or the table; `to`: where it goes in a team; `card` None: drawn blind."""

    source: Literal["deck", "table"]
    card: str | None = None
    to: Stack | None = None


def action_json(action: Action, position: Position) -> dict[str, Any]:
    """ACTION again; what nobody told is left out."""
    told: dict[str, Any] = {"player": action.player, "action": action.kind}
    for f in fields(action):
        value = getattr(action, f.name)
        if f.name != "player" and value is not None and (value is not False or f.default is None):
            told[action.json_names.get(f.name, f.name)] = _json(value, position)
    return told


def _json(value: object, position: Position) -> Any:
    if isinstance(value, Ticket):
        return ticket_json(value, position.tickets)
    if isinstance(value, DrawnCard):
        told = {"from": value.source, "card": value.card, "to": value.to}
        return {key: part for key, part in told.items() if part is not None}
    if isinstance(value, Mapping):
        return {key: _json(part, position) for key, part in value.items()}
    return [_json(part, position) for part in value] if isinstance(value, tuple) else value

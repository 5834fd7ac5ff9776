"""A part: one thing of a rule book, with everything that belongs to it. A variant lists its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar  # Any: JSON

if TYPE_CHECKING:
    from companion.rules.scoring.counting import Counting
    from companion.rules.table.action import Action
    from companion.rules.table.book import Section
    from companion.rules.table.cards import Price
    from companion.rules.table.offer import Ask
    from companion.rules.table.outcome import Outcome
    from companion.rules.table.position import Player, Position
    from companion.rules.table.setup import Setup
    from companion.rules.table.variant import Variant
    from companion.rules.table.verdict import Findings, Reason
    from maps import Board, Message, Route, Text


@dataclass(frozen=True)
class Part:
    """By default a part does nothing; each overrides what it has to say.

    `line`: its line of the score sheet. `entries`: fields of a player's entry that only this part gives a meaning.
    """

    line: ClassVar[str] = ""
    actions: ClassVar[tuple[type[Action], ...]] = ()
    entries: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def choices(self) -> tuple[Text, ...]:
        """Rulings of ours that can change a total, as players are told them."""
        return ()

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        """Its rules as players read them, under the headings that verdicts quote."""
        return ()

    def numbers(self) -> Mapping[str, Any]:
        """What a variant with this part says of itself."""
        return {}

    def has_line(self, board: Board) -> bool:
        """Whether it has a line of the score sheet on this board."""
        return bool(self.line)

    def count(self, counting: Counting) -> Sequence[int]:
        """Its line of the score sheet: the points of every player, with the evidence told to `counting`."""
        raise NotImplementedError(self.line)

    def begin(self, position: Position, setup: Setup) -> Position:
        """What it puts on the table before the first turn; Trouble if this can't be."""
        return position

    def joined(self, position: Position, name: str, opening: bool) -> Position:
        """What it gives somebody who sits down during the game; `opening`: what the others chose at the start too."""
        return position

    def waiting(self, position: Position) -> Callable[[Action], Reason | None] | None:
        """Where something has to happen before anything else: the reason against an action that is not it."""
        return None

    def asks(self, position: Position, action: type[Action], name: str) -> tuple[Ask, ...]:
        """What it asks on top of an action's own questions."""
        return ()

    def judged(self, position: Position, action: Action, found: Findings) -> None:
        """What it has to say on any action, after the action itself was judged."""

    def played(self, position: Position, action: Action, outcome: Outcome) -> Position:
        """What it changes after any action was played."""
        return position

    def turn_over(self, position: Position, name: str) -> Position:
        """What it changes at the end of somebody's turn."""
        return position

    def surely_possible(self, position: Position, name: str) -> bool:
        """Whether one of its actions is possible for certain, so that nobody may pass."""
        return False

    def against_track(self, position: Position, name: str, route: Route, found: Findings) -> None:
        """What stands against claiming a track, whatever is paid."""

    def lets_in(self, position: Position, player: Player, route: Route) -> bool:
        """Whether it lets a player claim a track that somebody else holds."""
        return False

    def price(self, position: Position, player: Player, route: Route, price: Price) -> Price:
        """What a track costs with it."""
        return price

    def claim_points(self, position: Position, player: Player, route: Route) -> int:
        """Points that a claim scores at once, on top of the track's own."""
        return 0

    def claims_a_turn(self, position: Position, player: Player) -> int:
        """How many tracks it lets a player claim in this turn."""
        return 1

    def blind_draw(self, position: Position, player: Player) -> int:
        """How many cards it lets a player draw blind."""
        return 0

    def most_extra_points(self, position: Position, player: Player) -> int:
        """Points that claims may have scored with it, which nobody can recount from the board."""
        return 0

    def problems(self, position: Position) -> Iterator[Message]:
        """What can't be on the table."""
        yield from ()

    def problems_of(self, position: Position, player: Player) -> Iterator[Message]:
        """What one player can't have."""
        yield from ()

"""One position while it is counted: what the parts' lines have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from companion.rules.scoring.connections import score_tickets
from companion.rules.scoring.trails import Trail, longest_trail
from companion.rules.table.position import Player, Position
from maps import Message, message


class Counting:
    """Tickets, paths and evidence of every player; `warnings` are for the whole sheet."""

    def __init__(self, position: Position) -> None:
        self.position, self.board = position, position.board
        self.everyone = range(len(position.players))
        self.warnings: list[Message] = []
        self.evidence: list[list[Message]] = [[] for _ in self.everyone]
        scored = [score_tickets(position, i) for i in self.everyone]
        self.ticket_scores = [tickets for tickets, _ in scored]
        self.station_choices = [choices for _, choices in scored]
        self.done = self.each(self._done)
        self.trails: dict[int, Trail] = {}

    def _done(self, i: int, player: Player) -> int:
        """How many tickets are done, as it was told or as the board shows."""
        told = player.tickets_done if player.ticket_points is not None else None
        return sum(t.done for t in self.ticket_scores[i]) if told is None else told

    def trail(self, i: int) -> Trail:
        """A player's longest path, searched for once."""
        if i not in self.trails:
            player = self.position.players[i]
            self.trails[i] = longest_trail(self.position.tracks(player))
            if not self.trails[i].settled:
                self.warn("path-not-settled", player=player.name, n=self.trails[i].length)
        return self.trails[i]

    @cached_property
    def lengths(self) -> Sequence[int]:
        """How long every player's longest path is."""
        return [self.trail(i).length for i in self.everyone]

    def each(self, count: Callable[[int, Player], int]) -> list[int]:
        """A number for each player."""
        return [count(i, player) for i, player in enumerate(self.position.players)]

    def to_the_most(self, counts: Sequence[int], bonus: int) -> list[int]:
        """The bonus in full for all who have the most; it needs at least one."""
        most = max(counts, default=0)
        return [bonus if most > 0 and n == most else 0 for n in counts]

    def tell(self, i: int, key: str, **values: object) -> None:
        """Evidence for a player's line; `score.` goes before the key."""
        self.evidence[i].append(message(f"score.{key}", **values))

    def warn(self, key: str, **values: object) -> None:
        """A warning on the sheet; `score.` goes before the key."""
        self.warnings.append(message(f"score.{key}", **values))

"""The cards on the table: deck, discard and the open cards, as far as somebody counts them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.rules.table.outcome import SWEEP, Outcome
from companion.rules.table.position import Position


@dataclass
class Supply:
    """Counts through one action. `deck` None: nobody counts; `face_up` None: nobody knows the open cards."""

    deck: int | None
    discard: int
    face_up: list[str] | None
    room: int
    warehouses: dict[str, int]
    reshuffled: bool
    some_without_depot: bool
    turned: list[str] = field(default_factory=list)
    told: bool = True

    @classmethod
    def of(cls, position: Position, outcome: Outcome) -> Supply:
        run = position.run
        return cls(
            deck=position.deck,
            discard=position.discard or 0,
            face_up=None if position.face_up is None else list(position.face_up),
            room=position.variant.face_up,
            warehouses=dict(run.warehouses),
            reshuffled=run.reshuffled,
            some_without_depot=any(p.depots_left == 0 for p in position.players),
            turned=list(outcome.turned or ()),
            told=outcome.turned is not None,
        )

    @property
    def left(self) -> int:
        """Cards that can still be drawn blind, where somebody counts them."""
        left = (self.deck or 0) + self.discard
        return left or (sum(self.warehouses.values()) if self.some_without_depot else 0)

    def draw(self, n: int = 1) -> None:
        """Takes cards off the deck; an empty one is made of the discard, or of the warehouses if that is empty too."""
        for _ in range(n if self.deck is not None else 0):
            if not self.deck:
                self._new_deck()
            self.deck = max(0, (self.deck or 0) - 1)

    def _new_deck(self) -> None:
        if self.discard:
            self.deck, self.discard, self.reshuffled = self.discard, 0, True
        elif self.some_without_depot:
            self.deck = sum(self.warehouses.values())
            self.warehouses = dict.fromkeys(self.warehouses, 0)

    def store(self, owner: str) -> None:
        """The first card of the deck goes into a warehouse, unseen."""
        if self.deck == 0:
            self._new_deck()
        if self.deck == 0:
            return
        self.draw()
        self.warehouses[owner] = self.warehouses.get(owner, 0) + 1

    def take(self, card: str) -> None:
        """An open card is taken and the next one turned up."""
        if self.face_up is None or card not in self.face_up:
            self._lose_count()
            return
        self.face_up.remove(card)
        self.refill()

    def refill(self) -> None:
        """Open cards are turned up as told; where nobody told, nobody knows them any more."""
        if self.face_up is None:
            return
        if not self.told and len(self.face_up) < self.room and self.deck != 0:
            self._lose_count()
            return
        while self.turned and (len(self.face_up) < self.room or self.turned[0] == SWEEP):
            card = self.turned.pop(0)
            if card == SWEEP:
                self.discard += len(self.face_up)
                self.face_up = []
            else:
                self.draw()
                self.face_up.append(card)

    def _lose_count(self) -> None:
        """A sweep may have gone unseen, so the deck's number is lost with the open cards."""
        self.face_up, self.deck = None, None

    def put(self, position: Position) -> Position:
        """The position with these counts."""
        changed = replace(
            position,
            deck=self.deck,
            discard=None if self.deck is None else self.discard,
            face_up=None if self.face_up is None else tuple(self.face_up),
        )
        if position.running is None:
            return changed
        run = replace(position.running, warehouses=self.warehouses, reshuffled=self.reshuffled)
        return replace(changed, running=run)


def refilled(position: Position, outcome: Outcome) -> Position:
    """Open cards that were missing are turned up as soon as there are cards again."""
    supply = Supply.of(position, outcome)
    supply.refill()
    return supply.put(position)

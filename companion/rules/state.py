"""What a running game knows besides who owns what: the turn, the last round, and what each seat holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from maps import Ticket


@dataclass(frozen=True)
class LastClaim:
    """The track claimed last, and what was taken for it so far."""

    player: str
    route: str
    share: bool = False
    tourist: bool = False
    warehouses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Running:
    """The state of a game at the table. A seat is a player, or one member of a team; None: nobody counts it."""

    # Seats that still choose their opening tickets, and owners that still place their first depot, in order.
    opening: tuple[str, ...] = ()
    placing: tuple[str, ...] = ()
    # The seat whose turn has just ended: it may still do what costs no action.
    previous: str = ""
    # This turn: the technology bought and the tracks claimed; the last claim stays open for what it brings.
    bought: str = ""
    claims: int = 0
    last_claim: LastClaim | None = None
    # Seats that still have their last turn, None before the last round is called.
    last_turns: tuple[str, ...] | None = None
    called_by: str = ""
    over: bool = False
    reshuffled: bool = False
    tickets_left: int | None = None
    # Tickets by seat that nobody has seen: only their number is known.
    secret_tickets: Mapping[str, int] = field(default_factory=dict)
    # Teams: what each member holds; tickets that lie on the rack.
    hands: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    wagons: Mapping[str, int] = field(default_factory=dict)
    tickets: Mapping[str, tuple[Ticket, ...]] = field(default_factory=dict)
    rack_tickets: Mapping[str, tuple[Ticket, ...]] = field(default_factory=dict)
    # Tourist tokens by place and kind; the neutral player's shares; cards in each warehouse.
    tokens: Mapping[str, Mapping[str, int]] | None = None
    neutral_pile: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    warehouses: Mapping[str, int] = field(default_factory=dict)

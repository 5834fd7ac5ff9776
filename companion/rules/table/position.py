"""Who owns what: a position, its running game, and the seats of those who play. What reading left out is told."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar  # Any: JSON, and fields by their names

from companion.rules.table.cards import Pile, lacking, minus, plus, size
from companion.rules.table.part import Part
from companion.rules.table.tickets import ticket_json
from companion.rules.table.variant import Bonus, Variant
from companion.rules.table.verdict import Findings, Rule, cards_told
from maps import Board, Message, Route, Ticket, Trouble

_P = TypeVar("_P", bound=Part)
# Everything is told, or only what is claimed and built (by hand, or by a camera that watches): draws, cards and the
# order of turns are then taken on trust.
KEEPINGS = ("refereed", "claims", "watched")


@dataclass(frozen=True)
class Player:
    """One colour at the table: a player, or a team where the variant has teams. None: not told."""

    name: str
    color: str = ""
    routes: tuple[str, ...] = ()
    tickets: tuple[Ticket, ...] = ()
    stations: tuple[str, ...] = ()
    depots: tuple[str, ...] = ()
    depots_left: int | None = None
    technologies: tuple[str, ...] = ()
    shares: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    tourists: tuple[str, ...] = ()
    marked_points: int | None = None
    # The tickets' points added up by the table, instead of the tickets; and how many of those are done.
    ticket_points: int | None = None
    tickets_done: int | None = None
    members: tuple[str, ...] = ()
    hand: Mapping[str, int] | None = None
    rack: Mapping[str, int] | None = None
    wagons: int | None = None


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
    # Teams: what each member holds, who claimed which track; tickets that lie on the rack.
    hands: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    wagons: Mapping[str, int] = field(default_factory=dict)
    laid_by: Mapping[str, str] = field(default_factory=dict)
    tickets: Mapping[str, tuple[Ticket, ...]] = field(default_factory=dict)
    rack_tickets: Mapping[str, tuple[Ticket, ...]] = field(default_factory=dict)
    # Whatever else a part keeps, under its own name.
    kept: Mapping[str, Any] = field(default_factory=dict)
    # Tourist tokens by place and kind; the neutral player's shares; cards in each warehouse.
    tokens: Mapping[str, Mapping[str, int]] | None = None
    neutral_pile: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    warehouses: Mapping[str, int] = field(default_factory=dict)


NOT_RUNNING = Running()


@dataclass(frozen=True)
class Position:
    """A table at one moment. `variant` has its options applied; `players` are in the order of their turns."""

    variant: Variant
    board: Board = field(repr=False)
    players: tuple[Player, ...] = ()
    modules: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    neutral_shares: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    turn: str = ""
    deck: int | None = None
    discard: int | None = None
    face_up: tuple[str, ...] | None = None
    # One of KEEPINGS.
    keeping: str = "refereed"
    running: Running | None = None
    # What reading it left out: ids that nobody knows, and remarks on fields that don't count here.
    unknown: tuple[Message, ...] = ()
    remarks: tuple[Message, ...] = ()

    @classmethod
    def from_json(cls, data: object) -> Position:
        """The position of POSITION in the contract; Trouble names everything that can't be read, at once."""
        # The reader knows every variant, and each variant's parts know positions.
        from companion.rules.reading import read_position

        return read_position(data)

    def to_json(self) -> dict[str, Any]:
        """POSITION again; what equals its default is left out."""
        told = _told(self, ("variant", "board", "players", "running", "unknown", "remarks"))
        return {"variant": self.variant.id, **told, "players": [self._player_json(p) for p in self.players]}

    def _player_json(self, player: Player) -> dict[str, Any]:
        told = _told(player, ("tickets",))
        tickets = [ticket_json(t, self.tickets) for t in player.tickets]
        return {**told, "routes": list(player.routes), "tickets": tickets}

    @cached_property
    def tickets(self) -> Mapping[str, Ticket]:
        """The variant's tickets by id, with the values that count."""
        return self.variant.tickets(self.board)

    @cached_property
    def owners(self) -> Mapping[str, tuple[int, ...]]:
        """Indices of the players who hold each taken track; United Kingdom's Right of Way allows several."""
        found: dict[str, list[int]] = {}
        for i, player in enumerate(self.players):
            for route in dict.fromkeys(player.routes):
                found.setdefault(route, []).append(i)
        return {route: tuple(holders) for route, holders in found.items()}

    @property
    def seats(self) -> int:
        """How many people play: the members of all teams, or the entries."""
        size = self.variant.team_size
        return sum(len(p.members) or size for p in self.players) if size > 1 else len(self.players)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that are played: the variant's, and those of the modules."""
        return self.variant.parts

    def part(self, kind: type[_P]) -> _P | None:
        """The part of that kind, None if it is not played."""
        return next((p for p in self.parts if isinstance(p, kind)), None)

    @property
    def run(self) -> Running:
        """The running game, or one that knows nothing."""
        return self.running or NOT_RUNNING

    def go_on(self, **changes: Any) -> Position:
        """The position with its running game changed."""
        return replace(self, running=replace(self.run, **changes))

    @property
    def has_depots(self) -> bool:
        return "warehouses-depots" in self.modules

    @property
    def lines(self) -> tuple[Bonus, ...]:
        """The lines of this position's score sheet."""
        return self.variant.lines(self.board)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The names of everybody who takes turns, in order: partners play one after the other."""
        if self.variant.team_size > 1:
            return tuple(m for p in self.players for m in (p.members or (p.name,)))
        return tuple(p.name for p in self.players)

    def seat(self, name: str) -> Seat:
        """The place of a player, of a member of a team, or of a team; Trouble if nobody has that name."""
        return Seat(self, name)

    def entry(self, name: str) -> Player:
        """The player of that name, or the team of that member; Trouble if nobody has that name."""
        found = self.player(name)
        if found is None:
            raise Trouble("unknown-player", value=name, known=[p.name for p in self.players])
        return found

    def changed(self, player: Player) -> Position:
        """The position with this player's entry replaced."""
        return replace(self, players=tuple(player if p.name == player.name else p for p in self.players))

    @property
    def refereed(self) -> bool:
        """Whether draws, cards and turns are told."""
        return self.keeping == KEEPINGS[0]

    def on_trust(self, name: str, cards: Pile, found: Findings) -> bool:
        """Whether nobody tells what was paid: that is believed, and said so."""
        if self.refereed or cards:
            return False
        found.believe("cards", player=name)
        return True

    @property
    def cards_left(self) -> tuple[int, int | None]:
        """Cards that can still be drawn blind, deck and discard together: at least, and at most if anybody counts."""
        if self.deck is None:
            return 0, None
        if self.discard is None:
            return self.deck, None
        left = self.deck + self.discard
        # With both empty and somebody out of depots, the warehouses become the new deck.
        if not left and any(p.depots_left == 0 for p in self.players):
            left = sum(self.run.warehouses.values())
        return left, left

    @property
    def buildings(self) -> Mapping[str, Player]:
        """Cities with a station or depot, and whose it is."""
        return {city: p for p in self.players for city in (*p.stations, *p.depots)}

    def player(self, name: str) -> Player | None:
        """The entry of that name, or the team with that member."""
        entries = [p for p in self.players if p.name == name] or [p for p in self.players if name in p.members]
        return entries[0] if entries else None

    def tracks(self, player: Player) -> tuple[Route, ...]:
        """The player's tracks, each once."""
        return self._tracks.get(id(player)) or tuple(self.board.routes[r] for r in dict.fromkeys(player.routes))

    @cached_property
    def _tracks(self) -> Mapping[int, tuple[Route, ...]]:
        return {id(p): tuple(self.board.routes[r] for r in dict.fromkeys(p.routes)) for p in self.players}

    def wagons_used(self, player: Player) -> int:
        """Wagons on the player's tracks, and those that mountains took."""
        return sum(wagons_for(r) for r in self.tracks(player))

    def wagons_left(self, player: Player) -> int:
        """What was told, else the variant's number less what is used."""
        if player.wagons is not None:
            return player.wagons
        return self.variant.wagons(self.board) - self.wagons_used(player)


class Seat:
    """One place at the table: a player, a member of a team, or a team where nobody says which member acts."""

    def __init__(self, position: Position, name: str) -> None:
        self.position, self.name = position, name
        self.player = position.entry(name)

    @property
    def hand(self) -> Pile | None:
        """The cards in the own hand, None if nobody knows them."""
        return self.position.run.hands.get(self.name, self.player.hand)

    @property
    def rack(self) -> Pile:
        """The team's shared cards; a rack nobody told of is empty."""
        return (self.player.rack or {}) if self.position.variant.team_size > 1 else {}

    @property
    def cards(self) -> Pile | None:
        """All cards it may pay with, None if its hand is not known."""
        return None if self.hand is None else plus(self.hand, self.rack)

    @property
    def wagons(self) -> int:
        """The most wagons it can still have; of a team that nobody counts apart, what one member can hold."""
        known, left = self.position.run.wagons.get(self.name), self.position.wagons_left(self.player)
        if known is not None:
            return min(known, left) if self.player.wagons is None else known
        return left if self.player.wagons is not None else min(left, self.position.board.wagons)

    def is_one_with(self, name: str) -> bool:
        """The same person as far as anybody said: a team's name stands for any of its members."""
        if self.name == name:
            return True
        return self.position.entry(name).name == self.player.name and self.player.name in (self.name, name)

    def must_hold(self, cards: Pile, found: Findings, from_rack: Pile | None = None) -> None:
        """Notes cards that it does not hold. `from_rack`: which of them were said to lie on the team's rack."""
        if from_rack is not None:
            missing = lacking(self.rack, from_rack) | lacking(cards, from_rack)
            if missing:
                found.no(Rule.TEAM_CARDS, "hand.not-on-rack", cards=cards_told(missing))
        if self.cards is None:
            if lacking(self.rack, cards):
                found.believe("hand", player=self.name)
            return
        missing = lacking(self.cards, cards)
        if missing:
            key = "hand.lacks-with-rack" if self.position.variant.team_size > 1 else "hand.lacks"
            found.no(Rule.CLAIMING, key, player=self.name, cards=cards_told(missing))

    def give(self, cards: Pile | None) -> Position:
        """Cards into the hand; None: nobody knows which, so nobody knows the hand any more."""
        if self.hand is None:
            return self.position
        return self._with_hand(None if cards is None else plus(self.hand, cards))

    def give_rack(self, cards: Pile) -> Position:
        """Cards onto the team's rack."""
        return self._with_rack(plus(self.rack, cards))

    def pay(self, cards: Pile, from_rack: Pile | None = None) -> Position:
        """Cards out of rack and hand, onto the discard pile."""
        part = self._rack_part(cards, from_rack)
        position = self._with_rack(minus(self.rack, part)) if part else self.position
        if self.hand is not None:
            position = position.seat(self.name)._with_hand(minus(self.hand, minus(cards, part)))
        return discarded(position, size(cards))

    def take_back(self, cards: Pile, from_rack: Pile | None) -> Position:
        """Laid cards go to the hand, those of the rack too, unless the group plays otherwise."""
        part = self._rack_part(cards, from_rack)
        if not part or self.position.variant.give_up_to_rack:
            return self.position
        return self._with_rack(minus(self.rack, part)).seat(self.name).give(part)

    def _rack_part(self, cards: Pile, told: Pile | None) -> Pile:
        """Which of the cards come from the team's rack: as told, else as many as lie there."""
        wanted = cards if told is None else told
        return {c: min(n, self.rack.get(c, 0)) for c, n in wanted.items() if self.rack.get(c, 0)}

    def _with_hand(self, hand: Pile | None) -> Position:
        if self.name == self.player.name:
            return self.position.changed(replace(self.player, hand=hand))
        hands = {n: h for n, h in self.position.run.hands.items() if n != self.name}
        return self.position.go_on(hands=hands if hand is None else {**hands, self.name: hand})

    def _with_rack(self, rack: Pile) -> Position:
        return self.position.changed(replace(self.player, rack=rack))


def discarded(position: Position, n: int) -> Position:
    """Cards onto the discard pile, where somebody counts it."""
    return position if position.discard is None else replace(position, discard=position.discard + n)


def wagons_for(route: Route) -> int:
    """Wagons that a track takes: one a space, and those that mountains take."""
    return route.length + route.mountain_marks


def _told(value: Position | Player, leave_out: tuple[str, ...]) -> dict[str, Any]:
    """The fields that differ from their defaults, as JSON."""
    told = {}
    for f in dataclasses.fields(value):
        held = getattr(value, f.name)
        default = f.default if f.default_factory is dataclasses.MISSING else f.default_factory()
        if f.name not in leave_out and held != default:
            told[f.name] = _json(held)
    return told


def _json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _json(v) for k, v in value.items()}
    return [_json(v) for v in value] if isinstance(value, tuple) else value

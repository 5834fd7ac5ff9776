"""Who owns what: a position read from JSON, with every id known to the board. What could not be used is told."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import maps
from companion.rules.fields import Fields, meant, sentence, short
from companion.rules.state import Running
from companion.rules.tickets import find_ticket, ticket_json
from companion.rules.variants import DEPOTS, MODULES, VARIANTS, Bonus, Variant, variants_of
from maps import Board, Message, Route, Ticket, Trouble, message, nearest


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
    members: tuple[str, ...] = ()
    hand: Mapping[str, int] | None = None
    rack: Mapping[str, int] | None = None
    wagons: int | None = None


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
    running: Running | None = None
    # What reading it left out: ids that nobody knows, and remarks on fields that don't count here.
    unknown: tuple[Message, ...] = ()
    remarks: tuple[Message, ...] = ()

    @classmethod
    def from_json(cls, data: object) -> Position:
        """The position of POSITION in the contract; Trouble names everything that can't be read, at once."""
        return _Reading(data).position()

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
    def has_depots(self) -> bool:
        return DEPOTS in self.modules

    @property
    def lines(self) -> tuple[Bonus, ...]:
        """The lines of this position's score sheet."""
        return self.variant.lines(self.board, self.modules)

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
        return sum(r.length + r.mountain_marks for r in self.tracks(player))

    def wagons_left(self, player: Player) -> int:
        """What was told, else the variant's number less what is used."""
        if player.wagons is not None:
            return player.wagons
        return self.variant.wagons(self.board) - self.wagons_used(player)


def find_variant(wanted: str) -> tuple[Variant, Board]:
    """A variant and its board; a board of one's own plays under its own id. Trouble with the nearest id if unknown."""
    variant = VARIANTS.get(wanted)
    if variant is None:
        known = (*VARIANTS, *(b for b in maps.available() if b not in VARIANTS))
        if wanted not in known:
            near = nearest(wanted, known)
            if near:
                raise Trouble("unknown-variant", value=wanted, meant=near)
            raise Trouble("no-such-variant", value=wanted, known=", ".join(known))
        variant = variants_of(wanted)[0]
    return variant, maps.load(variant.board)


class _Reading:
    """Reads one position: wrong types make it unusable, unknown ids are left out and told."""

    def __init__(self, data: object) -> None:
        self.wrong: list[Message] = []
        self.unknown: list[Message] = []
        self.remarks: list[Message] = []
        if not isinstance(data, dict):
            raise Trouble("bad-position", problems=message("position.not-position"))
        self.fields = Fields(data, "", self.wrong)
        wanted = self.fields.text("variant", required=True)
        if self.wrong:
            raise Trouble("bad-position", problems=sentence(self.wrong))
        variant, self.board = find_variant(wanted)
        self.options = self.fields.mapping("options")
        self.variant = variant.with_options(self.options)
        self.tickets = self.variant.tickets(self.board)

    def position(self) -> Position:
        f = self.fields
        for option in self.options:
            if option not in self.variant.options:
                self._unknown_name("option", str(option), self.variant.options, "options", self.remarks)
        position = Position(
            variant=self.variant,
            board=self.board,
            players=tuple(self._player(p) for p in f.objects("players", required=True)),
            modules=self._ids("module", f, "modules", MODULES),
            options=self.options,
            neutral_shares=self._shares(f, "neutral_shares"),
            turn=f.text("turn"),
            deck=f.whole("deck"),
            discard=f.whole("discard"),
            face_up=f.texts("face_up") if "face_up" in f.data else None,
        )
        f.end(self.remarks)
        if not position.players and not self.wrong:
            self.wrong.append(message("position.no-players"))
        if self.wrong:
            raise Trouble("bad-position", problems=sentence([*self.wrong, *self.unknown]))
        return dataclasses.replace(position, unknown=tuple(self.unknown), remarks=tuple(self.remarks))

    def _player(self, f: Fields) -> Player:
        board = self.board
        player = Player(
            name=f.text("name", required=True),
            color=f.text("color"),
            routes=self._ids("route", f, "routes", board.routes),
            tickets=self._tickets(f),
            stations=self._ids("city", f, "stations", board.cities),
            depots=self._ids("city", f, "depots", board.cities),
            depots_left=f.whole("depots_left"),
            technologies=self._ids("technology", f, "technologies", board.technologies),
            shares=self._shares(f, "shares"),
            tourists=f.texts("tourists"),
            marked_points=f.whole("marked_points", low=-1000),
            members=f.texts("members"),
            hand=f.counts("hand"),
            rack=f.counts("rack"),
            wagons=f.whole("wagons"),
        )
        f.end(self.remarks)
        return player

    def _ids(self, what: str, f: Fields, key: str, known: Collection[str]) -> tuple[str, ...]:
        return tuple(v for v in f.texts(key) if self._is_known(what, v, f, key, known))

    def _is_known(self, what: str, value: str, f: Fields, key: str, known: Collection[str]) -> bool:
        """Whether an id is known; if the board has nothing of the kind, that is told once."""
        if value in known:
            return True
        if known:
            self._unknown_name(what, value, known, f.path(key), self.unknown)
        else:
            kind = message(f"position.{key.removeprefix('neutral_')}-word")
            told = message("position.not-here", name=f.path(key), what=kind, variant=self.variant.name)
            if told not in self.remarks:
                self.remarks.append(told)
        return False

    def _unknown_name(self, what: str, value: str, known: Collection[str], where: str, told: list[Message]) -> None:
        near = meant(value, known)
        kind, value = message(f"position.{what}"), short(value)
        if near:
            told.append(message("position.unknown-near", what=kind, value=value, where=where, meant=near))
        else:
            told.append(message("position.unknown", what=kind, value=value, where=where))

    def _tickets(self, f: Fields) -> tuple[Ticket, ...]:
        found = []
        for i, value in enumerate(f.items("tickets")):
            where = f.path(f"tickets[{i}]")
            ticket = find_ticket(value, self.board, self.variant, self.tickets)
            if isinstance(ticket, Ticket):
                found.append(ticket)
            elif isinstance(value, str):
                self._unknown_name("ticket", value, (*self.tickets, *self.board.tickets), where, self.unknown)
            elif ticket is None:
                self.wrong.append(message("position.bad-ticket", where=where))
            else:
                self._unknown_name("city", ticket, (*self.board.cities, *self.board.places), where, self.unknown)
        return tuple(found)

    def _shares(self, f: Fields, key: str) -> Mapping[str, tuple[int, ...]]:
        known = self.board.companies
        return {c: numbers for c, numbers in f.numbers(key).items() if self._is_known("company", c, f, key, known)}


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

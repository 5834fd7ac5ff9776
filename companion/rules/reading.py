"""Reads positions, actions and outcomes from the JSON of the contract. Wrong types stop it; unknown ids are told."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping

from companion.rules.parts import ACTIONS
from companion.rules.table.action import Action
from companion.rules.table.fields import ActionReader, Fields, meant, sentence, short
from companion.rules.table.outcome import NOTHING, SWEEP, Outcome
from companion.rules.table.position import KEEPINGS, Player, Position
from companion.rules.table.tickets import find_ticket
from companion.rules.variants import MODULES, find_variant, played
from maps import Message, Ticket, Trouble, message

# Twice the largest table; and how many unknown names get a suggestion.
_MOST_PLAYERS, _NAMED = 20, 50


def read_position(data: object) -> Position:
    """The position of POSITION in the contract; Trouble names everything that can't be read, at once."""
    return _PositionReader(data).position()


def read_action(data: object, position: Position) -> Action:
    """The action of ACTION in the contract; Trouble names everything that can't be read, at once."""
    known = {**ACTIONS, **{a.kind: a for part in position.parts for a in part.actions}}
    reader = ActionReader(data, position)
    wanted = reader.required_text("action")
    if wanted and wanted not in known:
        reader.unknown("action", "action", wanted, known)
    if reader.fields.wrong:
        raise Trouble("bad-action", problems=sentence(reader.fields.wrong))
    action = known[wanted].read(reader)
    if reader.fields.wrong:
        raise Trouble("bad-action", problems=sentence(reader.fields.wrong))
    return action


def read_outcome(data: object, position: Position) -> Outcome:
    """An outcome from JSON; Trouble names everything that can't be read."""
    if data is None:
        return NOTHING
    reader = ActionReader(data, position, "outcome")
    outcome = Outcome(
        reader.card_list("drawn"), reader.card_list("turned", also=(SWEEP,)), reader.optional_pile("taken")
    )
    if reader.fields.wrong:
        raise Trouble("bad-action", problems=sentence(reader.fields.wrong))
    return outcome


class _PositionReader:
    """Reads one position: wrong types make it unusable, unknown ids are left out and told."""

    def __init__(self, data: object) -> None:
        self.wrong: list[Message] = []
        self.unknown: list[Message] = []
        self.remarks: list[Message] = []
        if not isinstance(data, dict):
            raise Trouble("bad-position", problems=message("position.not-position"))
        self.fields = Fields(data, "", self.wrong)
        wanted = self.fields.text("variant", required=True)
        players = self.fields.data.get("players")
        if isinstance(players, list) and len(players) > _MOST_PLAYERS:
            self.wrong.append(message("position.too-many-players", n=len(players), most=_MOST_PLAYERS))
        if self.wrong:
            raise Trouble("bad-position", problems=sentence(self.wrong))
        variant, self.board = find_variant(wanted)
        self.options = self.fields.mapping("options")
        self.variant = played(variant, self.options)
        self.tickets = self.variant.tickets(self.board)

    def position(self) -> Position:
        f = self.fields
        for option in self.options:
            if option not in self.variant.options:
                self._unknown_name("option", str(option), self.variant.options, "options", self.remarks)
        modules = self._ids("module", f, "modules", MODULES)
        position = Position(
            variant=played(self.variant, {}, modules),
            board=self.board,
            players=tuple(self._player(p) for p in f.objects("players", required=True)),
            modules=modules,
            options=self.options,
            neutral_shares=self._shares(f, "neutral_shares"),
            turn=f.text("turn"),
            keeping=self._keeping(),
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

    def _keeping(self) -> str:
        told = self.fields.text("keeping") or KEEPINGS[0]
        if told not in KEEPINGS:
            self._unknown_name("keeping", told, KEEPINGS, "keeping", self.remarks)
            return KEEPINGS[0]
        return told

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
            ticket_points=f.whole("ticket_points", low=-1000),
            tickets_done=f.whole("tickets_done"),
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
        # Whoever names so many strange things made no slip of the pen.
        near = meant(value, known) if len(told) < _NAMED else None
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

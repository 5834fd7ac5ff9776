"""What somebody does: one small frozen class per action of the contract, read from JSON and written back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

from companion.rules.action_reader import ActionReader, Pile
from companion.rules.fields import sentence
from companion.rules.position import Position
from companion.rules.tickets import ticket_json
from maps import Ticket, Trouble

Stack = Literal["hand", "rack"]


@dataclass(frozen=True)
class Action:
    """Something done by a player; in teams by a member, or by the team where nobody says which."""

    kind: ClassVar[str] = ""
    player: str

    @classmethod
    def read(cls, f: ActionReader) -> Action:
        return cls(f.player())


@dataclass(frozen=True)
class DrawnCard:
    """One card taken, from the deck or the table; `to`: where it goes in a team; `card` None: drawn blind."""

    source: Literal["deck", "table"]
    card: str | None = None
    to: Stack | None = None


@dataclass(frozen=True)
class DrawCards(Action):
    """Cards taken in order. `warehouse`: whose warehouse got the first card of the deck, with that module."""

    kind: ClassVar[str] = "draw-cards"
    cards: tuple[DrawnCard, ...] = ()
    warehouse: str | None = None

    @classmethod
    def read(cls, f: ActionReader) -> DrawCards:
        cards = tuple(DrawnCard(*c) for c in f.drawn_cards("cards"))  # type: ignore[arg-type]
        return cls(f.player(), cards, f.owner("warehouse"))


@dataclass(frozen=True)
class Claim(Action):
    """A track for these cards. `revealed`: turned up for a tunnel, None before; `extra`: paid for it then.

    `rack`: which of all these cards come from the team's rack; None: as many as the rack holds.
    """

    kind: ClassVar[str] = "claim"
    route: str = ""
    cards: Pile = field(default_factory=dict)
    revealed: tuple[str, ...] | None = None
    extra: Pile | None = None
    give_up: bool = False
    rack: Pile | None = None

    @classmethod
    def read(cls, f: ActionReader) -> Claim:
        return cls(
            f.player(), f.known("route", "route", f.position.board.routes), f.pile("cards"), f.card_list("revealed"),
            f.optional_pile("extra"), f.flag("give_up"), f.optional_pile("rack"),
        )  # fmt: skip


@dataclass(frozen=True)
class BuildStation(Action):
    kind: ClassVar[str] = "station"
    city: str = ""
    cards: Pile = field(default_factory=dict)

    @classmethod
    def read(cls, f: ActionReader) -> BuildStation:
        return cls(f.player(), f.known("city", "city", f.position.board.cities), f.pile("cards"))


@dataclass(frozen=True)
class BuyTechnology(Action):
    kind: ClassVar[str] = "technology"
    technology: str = ""
    cards: Pile = field(default_factory=dict)

    @classmethod
    def read(cls, f: ActionReader) -> BuyTechnology:
        return cls(f.player(), f.known("technology", "technology", f.position.board.technologies), f.pile("cards"))


@dataclass(frozen=True)
class DrawTickets(Action):
    """Tickets drawn and kept; a number where they stay secret. `rack`: those kept that the team may see.

    `opening`: those dealt at the start; None: the position tells.
    """

    kind: ClassVar[str] = "draw-tickets"
    drawn: tuple[Ticket, ...] | int = ()
    kept: tuple[Ticket, ...] | int = ()
    rack: tuple[Ticket, ...] | None = None
    opening: bool | None = None

    @property
    def numbers(self) -> tuple[int, int]:
        """How many were drawn and kept."""
        drawn, kept = self.drawn, self.kept
        return drawn if isinstance(drawn, int) else len(drawn), kept if isinstance(kept, int) else len(kept)

    @classmethod
    def read(cls, f: ActionReader) -> DrawTickets:
        opening = f.flag("opening") if "opening" in f.fields.data else None
        drawn, kept = f.tickets_or_number("drawn"), f.tickets_or_number("kept")
        return cls(f.player(), drawn, kept, f.optional_tickets("rack"), opening)


@dataclass(frozen=True)
class RevealTickets(Action):
    """Hand tickets put on the team's rack, instead of any other action."""

    kind: ClassVar[str] = "reveal-tickets"
    tickets: tuple[Ticket, ...] = ()

    @classmethod
    def read(cls, f: ActionReader) -> RevealTickets:
        return cls(f.player(), f.tickets("tickets"))


@dataclass(frozen=True)
class TakeShare(Action):
    """The top share of a company beside the track just claimed; `neutral`: the company of the neutral player's."""

    kind: ClassVar[str] = "share"
    company: str = ""
    route: str = ""
    neutral: str | None = None

    @classmethod
    def read(cls, f: ActionReader) -> TakeShare:
        board = f.position.board
        neutral = f.known("neutral", "company", board.companies) if f.fields.data.get("neutral") is not None else None
        return cls(
            f.player(), f.known("company", "company", board.companies), f.known("route", "route", board.routes), neutral
        )


@dataclass(frozen=True)
class TakeTourist(Action):
    """A tourist token taken at one end of the track just claimed."""

    kind: ClassVar[str] = "tourist"
    token: str = ""
    place: str = ""

    @classmethod
    def read(cls, f: ActionReader) -> TakeTourist:
        return cls(f.player(), f.required_text("kind"), f.known("place", "city", f.position.board.cities))


@dataclass(frozen=True)
class PlaceDepot(Action):
    kind: ClassVar[str] = "depot"
    city: str = ""

    @classmethod
    def read(cls, f: ActionReader) -> PlaceDepot:
        return cls(f.player(), f.known("city", "city", f.position.board.cities))


@dataclass(frozen=True)
class EmptyWarehouse(Action):
    """All cards of a warehouse, for one own depot, after claiming a track that touches the owner's depot."""

    kind: ClassVar[str] = "warehouse"
    owner: str = ""

    @classmethod
    def read(cls, f: ActionReader) -> EmptyWarehouse:
        return cls(f.player(), f.owner("owner", required=True) or "")


@dataclass(frozen=True)
class Pass(Action):
    """Nothing, where nothing can be done or a second claim is forgone."""

    kind: ClassVar[str] = "pass"


@dataclass(frozen=True)
class ShowTickets(Action):
    """All tickets of a player, laid open at the end."""

    kind: ClassVar[str] = "show-tickets"
    tickets: tuple[Ticket, ...] = ()

    @classmethod
    def read(cls, f: ActionReader) -> ShowTickets:
        return cls(f.player(), f.tickets("tickets"))


@dataclass(frozen=True)
class ShowNeutral(Action):
    """The half of the neutral player's shares that is turned up at the end."""

    kind: ClassVar[str] = "neutral-shares"
    shares: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, f: ActionReader) -> ShowNeutral:
        return cls(f.player(), f.shares("shares"))


ACTIONS: Mapping[str, type[Action]] = {
    a.kind: a
    for a in (
        DrawCards,
        Claim,
        BuildStation,
        BuyTechnology,
        DrawTickets,
        RevealTickets,
        TakeShare,
        TakeTourist,
        PlaceDepot,
        EmptyWarehouse,
        Pass,
        ShowTickets,
        ShowNeutral,
    )
}


def read_action(data: object, position: Position) -> Action:
    """The action of ACTION in the contract; Trouble names everything that can't be read, at once."""
    reader = ActionReader(data, position)
    wanted = reader.required_text("action")
    if wanted and wanted not in ACTIONS:
        reader.unknown("action", "action", wanted, ACTIONS)
    if reader.fields.wrong:
        raise Trouble("bad-action", problems=sentence(reader.fields.wrong))
    action = ACTIONS[wanted].read(reader)
    if reader.fields.wrong:
        raise Trouble("bad-action", problems=sentence(reader.fields.wrong))
    return action


def action_json(action: Action, position: Position) -> dict[str, Any]:
    """ACTION again; what nobody told is left out."""
    told: dict[str, Any] = {"player": action.player, "action": action.kind}
    for f in fields(action):
        value = getattr(action, f.name)
        if f.name != "player" and value is not None and (value is not False or f.default is None):
            # The contract calls a token's kind `kind`.
            told["kind" if f.name == "token" else f.name] = _json(value, position)
    return told


def _json(value: Any, position: Position) -> Any:
    if isinstance(value, Ticket):
        return ticket_json(value, position.tickets)
    if isinstance(value, DrawnCard):
        told = {"from": value.source, "card": value.card, "to": value.to}
        return {key: part for key, part in told.items() if part is not None}
    if isinstance(value, Mapping):
        return {key: _json(part, position) for key, part in value.items()}
    return [_json(part, position) for part in value] if isinstance(value, tuple) else value

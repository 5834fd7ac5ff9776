"""A game that a camera on a stand keeps: each event becomes an entry of the journal, judged and never undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.rules import (
    Action,
    BuildStation,
    Claim,
    PlaceDepot,
    Player,
    Position,
    Reason,
    Rule,
    Verdict,
    action_json,
    claim_price,
    judge,
    legal_claims,
    play,
    station_price,
    ways_in_principle,
)
from companion.table.game import Entry, Game, Proposal
from maps import message
from vision.event import Event, Expected, Kind
from vision.reading import DEPOT


@dataclass(frozen=True)
class Told:
    """An event as the table hears it: who did it, whether it may be and what it scores, and its entry in the record.

    `last_round`: instead of a thing that was seen, this player's wagons run out.
    """

    event: Event
    player: str = ""
    verdict: Verdict | None = None
    entry: int = 0
    last_round: bool = False
    wagons: int = 0

    @property
    def kind(self) -> str:
        return "last-round" if self.last_round else self.event.kind

    @property
    def legal(self) -> bool:
        return self.verdict is None or self.verdict.legal


class Watched:
    """What the camera tells goes into a game; what the game knows goes back to the camera."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def known(self) -> dict[str, str]:
        """What lies where, by colour, as the record says."""
        return lying(self.game.position)

    @property
    def expected(self) -> Expected:
        """What the camera may expect: who plays, and which claims the rules would refuse."""
        position = self.game.position
        free = [r for r in position.board.routes if r not in position.owners]
        unlikely = set()
        for player in position.players:
            seats = player.members or (player.name,)
            legal = {c.route for seat in seats for c in legal_claims(position, seat, stand_ins=False)}
            unlikely |= {(route, player.color) for route in free if route not in legal}
        colors = [p.color for p in position.players]
        return Expected(colors, position.seats, position.has_depots, frozenset(unlikely))

    def begin(self, lies: Mapping[str, str], photo: str = "") -> None:
        """Writes down what lay there when the camera first saw the table, as one step."""
        position = self.game.position
        steps: list[Proposal] = []
        for place, color in lies.items():
            action = laid(position, place, color)
            if action is None or self.known.get(place) == color:
                continue
            steps.append(Proposal(action_json(action, position), not judge(position, action).complete))
            position = play(position, action)
        if steps:
            self.game.photograph({"photo": photo, "start": dict(lies)}, (), steps)

    def perhaps(self, place: str, color: str) -> Told:
        """What may have lain there at the start, with its entry if it was written down."""
        entry = self._entry(place)
        kind: Kind = "claim" if place in self.game.position.board.routes else "station"
        return Told(Event(0.0, kind, place, color), _name(self.game.position, color), entry=entry.id if entry else 0)

    def take(self, event: Event) -> list[Told]:
        """Puts an event into the game, and tells what to say about it."""
        if event.kind in ("claim", "station"):
            return self._laid(event)
        if event.kind == "gone":
            entry = self._entry(event.place)
            if entry is not None:
                self.game.strike([entry.id])
            return [Told(event, _name(self.game.position, event.color), entry=entry.id if entry else 0)]
        if event.kind == "moved":
            return self._moved(event)
        return [Told(event)]

    def corrected(self, entry: int, place: str, color: str | None) -> Told | None:
        """What somebody says instead of what was seen: who laid it, or that nothing was."""
        if entry not in [e.id for e in self.game.entries]:
            return None
        if color is None:
            self.game.strike([entry])
            return None
        action = laid(self.game.without([entry]), place, color)
        if action is None:
            return None
        verdict = self.game.correct(entry, action, accept=True)
        kind: Kind = "claim" if isinstance(action, Claim) else "station"
        return Told(Event(0.0, kind, place, color), action.player, verdict, entry)

    def _laid(self, event: Event) -> list[Told]:
        position = self.game.position
        action = laid(position, event.place, event.color)
        if action is None:
            told = message("watch.stranger", color=message(f"words.{event.color.removeprefix(DEPOT)}"))
            return [Told(event, verdict=Verdict((Reason(Rule.CLAIMING, told),)))]
        verdict = self.game.do(action, accept=True)
        return [Told(event, action.player, verdict, self._last()), *self._last_round(event, position)]

    def _moved(self, event: Event) -> list[Told]:
        entry = self._entry(event.origin)
        if entry is None:
            return self._laid(event)
        before = self.game.position
        action = laid(self.game.without([entry.id]), event.place, event.color)
        verdict = None if action is None else self.game.correct(entry.id, action, accept=True)
        return [Told(event, action.player if action else "", verdict, entry.id), *self._last_round(event, before)]

    def _last(self) -> int:
        return self.game.entries[-1].id

    def _entry(self, place: str) -> Entry | None:
        """The entry that brought what lies on a place."""
        found = [e for e in self.game.entries if _brought(e.action, place)]
        return found[-1] if found else None

    def _last_round(self, event: Event, before: Position) -> list[Told]:
        """Told once, by the claim that leaves so few wagons."""
        position = self.game.position
        few = position.variant.end_trigger
        if any(before.wagons_left(p) <= few for p in before.players):
            return []
        called = [p for p in position.players if position.wagons_left(p) <= few]
        return [Told(event, p.name, last_round=True, wagons=position.wagons_left(p)) for p in called[:1]]


def lying(position: Position) -> dict[str, str]:
    """What lies where in a position, by colour; a depot as `depot-red`."""
    found: dict[str, str] = {}
    for player in position.players:
        found |= dict.fromkeys(player.routes, player.color)
        found |= dict.fromkeys(player.stations, player.color)
        found |= dict.fromkeys(player.depots, f"{DEPOT}{player.color}")
    return found


def laid(position: Position, place: str, color: str) -> Action | None:
    """What its owner must have done; what was paid is taken on trust. None where nobody plays that colour."""
    player = next((p for p in position.players if p.color == color.removeprefix(DEPOT)), None)
    if player is None:
        return None
    seat = _seat(position, player)
    if place not in position.board.routes:
        return PlaceDepot(seat, place) if color.startswith(DEPOT) else _station(position, player, seat, place)
    if not position.refereed:
        return Claim(seat, place)
    route = position.board.routes[place]
    cards = next(ways_in_principle(claim_price(position, player, route)), {})
    return Claim(seat, place, cards, () if route.kind == "tunnel" else None)


def _station(position: Position, player: Player, seat: str, city: str) -> BuildStation:
    paid = {} if not position.refereed else next(ways_in_principle(station_price(position, player)), {})
    return BuildStation(seat, city, paid)


def _seat(position: Position, player: Player) -> str:
    """Who of a team acted nobody sees: the one with most wagons left."""
    if not player.members:
        return player.name
    left = position.run.wagons
    return max(player.members, key=lambda m: left.get(m, 0))


def _name(position: Position, color: str) -> str:
    return next((p.name for p in position.players if p.color == color.removeprefix(DEPOT)), "")


def _brought(action: Action | None, place: str) -> bool:
    if isinstance(action, Claim):
        return action.route == place and not action.give_up
    return isinstance(action, BuildStation | PlaceDepot) and action.city == place

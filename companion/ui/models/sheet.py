"""The score sheet: its lines one after the other, and the evidence for each on the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from companion import words
from companion.rules import PlayerScore as PlayerScore
from companion.rules import Position, ScoreSheet, score
from companion.table.game import Game
from companion.table.history import PastGame
from companion.table.timeline import Curve, timeline
from companion.ui.desk import Desk
from companion.ui.layers import Pieces
from companion.ui.models.table import pieces_of

if TYPE_CHECKING:
    from companion.ui.models.finish import FinishModel

# The line of the sheet that each sentence of a score is about.
_LINE_OF = {
    "score.marked": "routes",
    "score.tickets-added-up": "tickets",
    "score.stations-left": "stations",
    "score.cities-joined": "explorer",
    "score.mountain-wagons": "mountain",
    "score.technology": "technologies",
    "score.share": "shares",
    "score.tourist-kinds": "tourists",
    "score.depots-left": "depots",
}


@dataclass(frozen=True)
class Evidence:
    """One thing that led to points: in words, and what to light up on the map."""

    words: str
    points: int | None
    marks: tuple[str, ...]


@dataclass(frozen=True)
class Proof:
    """What one line of one player rests on."""

    sheet: SheetModel
    line: str
    player: PlayerScore


def number(value: int) -> str:
    """Points as they are printed: with a real minus.

    >>> number(-13), number(7)
    ('−13', '7')
    """
    return str(value).replace("-", "−")


def signed(value: int) -> str:
    """What a line adds or takes.

    >>> signed(6), signed(-13), signed(0)
    ('+6', '−13', '0')
    """
    return f"+{value}" if value > 0 else number(value)


def scored(past: PastGame) -> tuple[Position, ScoreSheet]:
    """A game of the history counted again."""
    position = Position.from_json(dict(past.position))
    return position, score(position)


class SheetModel:
    """`shown` lines are open; the total stands at the end, then who won and what decided.

    `past`: as it is in the history, or will be. `finish`: what it was counted from, while that is not done.
    """

    def __init__(
        self,
        desk: Desk,
        position: Position,
        sheet: ScoreSheet,
        shown: int = 0,
        past: PastGame | None = None,
        finish: FinishModel | None = None,
    ) -> None:
        self.desk, self.position, self.sheet, self.past, self.finish = desk, position, sheet, past, finish
        self.shown = shown

    @cached_property
    def refereed(self) -> Game | None:
        """The game at this table that a sheet of the history was counted from."""
        return self.desk.game_of(self.past.id) if self.past is not None and self.finish is None else None

    @cached_property
    def timeline(self) -> Sequence[Curve]:
        """Who led when, where the game was recorded claim by claim."""
        game = self.refereed or (self.finish.game if self.finish is not None else None)
        return () if game is None else timeline(game)

    @property
    def lines(self) -> list[str]:
        return [*self.position.lines]

    @property
    def complete(self) -> bool:
        return self.shown > len(self.lines)

    def reveal(self) -> None:
        """The next line; after the last one the winner."""
        self.shown = min(self.shown + 1, len(self.lines) + 1)

    def reveal_all(self) -> None:
        self.shown = len(self.lines) + 1

    def line_name(self, line: str) -> str:
        return self.desk.say(f"line.{line}")

    def running_total(self, player: PlayerScore) -> int:
        """The points of the lines that are open."""
        return sum(player.breakdown.get(line, 0) for line in self.lines[: self.shown])

    @property
    def leading(self) -> list[PlayerScore]:
        """Everybody by the points shown so far: with each line rows overtake each other."""
        return sorted(self.sheet.players, key=lambda p: -self.running_total(p))

    @property
    def ranking(self) -> list[PlayerScore]:
        return sorted(self.sheet.players, key=lambda p: p.rank)

    @property
    def verdict(self) -> str:
        """Who won, and what decided."""
        names = list(self.sheet.winners)
        key = "sheet.winner" if len(names) == 1 else "sheet.winners"
        told = self.desk.say(key, names=names)
        # That most points win needs no word; what broke a tie does.
        decided = self.sheet.decided_by
        return told if decided == "points" else f"{told} {self.desk.say(f'decided.{decided}')}"

    @property
    def warnings(self) -> list[str]:
        return [self.desk.tell(w) for w in self.sheet.warnings]

    def evidence(self, line: str, player: PlayerScore) -> list[Evidence]:
        """What a line of a player rests on."""
        if line == "routes":
            return self._routes(player)
        if line == "tickets":
            return self._tickets(player)
        if line == "stations":
            return self._stations(player)
        if line == "longest_path":
            path = player.longest_path
            told = self.desk.say("sheet.path", n=path.length)
            return [Evidence(told, player.breakdown.get("longest_path"), path.routes)]
        if line == "globetrotter":
            done = sum(ticket.done for ticket in player.tickets)
            return [Evidence(self.desk.say("sheet.done", n=done), player.breakdown.get("globetrotter"), ())]
        found = self._told(line, player)
        # One sentence is about all the points of its line; of several each says its own.
        return [replace(found[0], points=player.breakdown.get(line))] if len(found) == 1 else found

    def _told(self, line: str, player: PlayerScore) -> list[Evidence]:
        """What the score itself says about a line."""
        mine = [told for told in player.evidence if _LINE_OF.get(told.key) == line]
        return [Evidence(self.desk.tell(told), None, ()) for told in mine]

    def _routes(self, player: PlayerScore) -> list[Evidence]:
        held = next(p for p in self.position.players if p.name == player.name)
        tracks = sorted(self.position.tracks(held), key=lambda t: -t.points)
        routes = [(words.route(self.position.board, t.id, self.desk.language), t) for t in tracks]
        return [*self._told("routes", player), *(Evidence(name, t.points, (t.id,)) for name, t in routes)]

    def _tickets(self, player: PlayerScore) -> list[Evidence]:
        board = self.position.board
        found = self._told("tickets", player)
        for ticket in sorted(player.tickets, key=lambda t: (-t.done, -t.points)):
            name = words.pair(board, (ticket.a, ticket.b), self.desk.language)
            told = self.desk.say("sheet.ticket-done" if ticket.done else "sheet.ticket-missed", ticket=name)
            ends = tuple(c for place in (ticket.a, ticket.b) for c in board.reach(place))
            found.append(Evidence(told, ticket.counts, (*(ticket.via or ()), *ends)))
        return found

    def _stations(self, player: PlayerScore) -> list[Evidence]:
        board = self.position.board
        held = next(p for p in self.position.players if p.name == player.name)
        left = self.position.variant.stations - len(held.stations)
        found = [Evidence(self.desk.say("sheet.stations-left", n=left), player.breakdown.get("stations"), ())]
        for city in held.stations:
            name = board.cities[city].label(self.desk.language)
            route = player.station_choices.get(city)
            if route:
                uses = words.route(board, route, self.desk.language)
                told = self.desk.say("sheet.station-uses", city=name, route=uses)
                found.append(Evidence(told, None, (city, route)))
            else:
                found.append(Evidence(self.desk.say("sheet.station-idle", city=name), None, (city,)))
        return found

    def pieces(self, marks: tuple[str, ...] = ()) -> Pieces:
        return pieces_of(self.position, tuple(dict.fromkeys(marks)))

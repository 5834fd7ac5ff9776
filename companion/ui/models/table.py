"""The table during a game: whose turn, who has what, what may be done, and the action being told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from companion import words
from companion.rules import Player, Position, running
from companion.table.game import Entry, Game
from companion.ui import hits
from companion.ui.desk import Desk
from companion.ui.layers import Pieces
from companion.ui.models.forms import Form, try_verdict
from maps import Board, Route
from maps.drawing.palette import STRANGE, WAGONS

# A list of routes to choose from is read in one look.
_LISTED = 8


@dataclass(frozen=True)
class Row:
    """One player or team on the table: the seat to move is marked; `left` wagons, `points` so far."""

    name: str
    color: str
    left: int
    points: int
    to_move: bool
    stations: int | None = None
    members: tuple[str, ...] = ()


@dataclass(frozen=True)
class LogLine:
    """A line of the record: what was done, and the entries that it stands for."""

    words: str
    entries: tuple[int, ...]


class TableModel:
    """A game on the screen. `form` is the action being told, None while the table waits."""

    def __init__(self, desk: Desk, game: Game) -> None:
        self.desk, self.game = desk, game
        self.form: Form | None = None
        self.notice = " ".join(desk.tell(m) for m in game.told)

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def board(self) -> Board:
        return self.position.board

    @property
    def rows(self) -> list[Row]:
        position, turn = self.position, self.position.turn
        rows = []
        for p in position.players:
            stations = position.variant.stations - len(p.stations) if position.variant.stations else None
            left = position.wagons_left(p)
            to_move = turn in (p.name, *p.members)
            rows.append(Row(p.name, p.color, left, points_so_far(position, p), to_move, stations, p.members))
        return rows

    @property
    def headline(self) -> str:
        """What everybody should know: whose turn, the last round, or that it is over."""
        run = running(self.position)
        if run.over:
            return self.desk.say("table.over")
        if run.last_turns is not None:
            return self.desk.say("table.last-round", player=self.position.turn, n=len(run.last_turns))
        return self.desk.say("table.turn", player=self.position.turn)

    @property
    def last_round(self) -> bool:
        run = running(self.position)
        return run.last_turns is not None or run.over

    @property
    def over(self) -> bool:
        return running(self.position).over

    def actions(self) -> list[str]:
        """The actions of this variant that make sense now, the usual ones first."""
        position, run = self.position, running(self.position)
        variant = position.variant
        follow = self._follow_ups()
        if run.over:
            return follow
        if run.claims:
            return ["claim", "pass", *follow]
        found = ["claim", "draw-cards", "draw-tickets"]
        if variant.stations:
            found.append("station")
        if variant.technologies != "none" and not run.bought:
            found.append("technology")
        if variant.team_size > 1:
            found.append("reveal-tickets")
        if position.has_depots:
            found.append("depot")
        return follow + found

    def _follow_ups(self) -> list[str]:
        """What the last claim may still bring its player."""
        position, claim = self.position, running(self.position).last_claim
        if claim is None:
            return []
        route = position.board.routes[claim.route]
        found = []
        if position.variant.shares and not claim.share and route.companies:
            found.append("share")
        if position.variant.tourists and not claim.tourist:
            found.append("tourist")
        if position.has_depots and any(set(p.depots) & set(route.ends) for p in position.players):
            found.append("warehouse")
        return found

    def start(self, kind: str) -> Form:
        """Opens an action; what follows a claim belongs to whoever claimed."""
        claim = running(self.position).last_claim
        follows = kind in ("share", "tourist", "warehouse") and claim is not None
        player = claim.player if follows and claim else self.position.turn
        self.form = Form(self.game, kind, player)
        self.notice = ""
        return self.form

    def to_json(self) -> dict[str, Any]:
        """The action being told, and the line of the journal that it would become."""
        return {"line": self.game.journal.next_id, "form": self.form.to_json() if self.form else None}

    def resume(self, data: Mapping[str, Any]) -> bool:
        """Goes on with an action half told; False if the game has gone on since."""
        if data["line"] != self.game.journal.next_id:
            return False
        if data["form"] is not None:
            form = Form.from_json(self.game, data["form"])
            try_verdict(form)
            self.form = form
        return True

    def cancel(self) -> None:
        self.form = None

    def done(self, told: str = "") -> None:
        """The action is recorded."""
        self.form, self.notice = None, told

    def pick(self, x: float, y: float, reach: float) -> bool:
        """A tap on the map: a route, or a city, whatever is asked. True if it meant something."""
        form = self.form
        if form is None or form.asks == "route" or (form.kind == "claim" and not form.need):
            return self._pick_route(x, y, reach)
        if form.asks == "city" or (form.kind in ("station", "depot") and not form.need):
            city = hits.city_at(self.board, x, y, reach)
            if city:
                form.set("city", city)
            return city is not None
        return False

    def _pick_route(self, x: float, y: float, reach: float) -> bool:
        city = hits.city_at(self.board, x, y, min(reach, 1.2 * self.board.geometry.space_width))
        if city is not None:
            return self.pick_city(city)
        return self.offer(hits.routes_at(self.board, x, y, reach))

    def offer(self, routes: Iterable[str]) -> bool:
        """Routes that a tap may have meant: one is taken, several are asked about."""
        found = list(routes)
        if not found or self.over:
            return False
        form = self.form or self.start("claim")
        form.first_city = ""
        if len(found) == 1:
            form.set("route", found[0])
        else:
            form.data.pop("route", None)
            form.candidates = found
        return True

    def pick_city(self, city: str) -> bool:
        """The first city of two lists its routes, the second leaves those between both."""
        if self.over:
            return False
        form = self.form or self.start("claim")
        first = form.first_city
        touching = self.board.touching[city]
        between = [r.id for r in touching if first in r.ends] if first and first != city else []
        if between:
            return self.offer(between)
        form.data.pop("route", None)
        form.first_city = city
        form.candidates = [r.id for r in touching][:_LISTED]
        return True

    def search(self, text: str) -> list[Route]:
        """Routes by the names of their cities: one name, or two with a space or dash between them."""
        words = text.replace("-", " ").split()
        both = [
            (self.board.find_cities(" ".join(words[:i])), self.board.find_cities(" ".join(words[i:])))
            for i in range(1, len(words))
        ]
        pairs = {frozenset((a.id, b.id)) for first, second in both for a in first for b in second if a.id != b.id}
        found = [r for r in self.board.routes.values() if frozenset(r.ends) in pairs]
        if not found:
            cities = [c.id for c in self.board.find_cities(text)[:3]]
            found = [r for c in cities for r in self.board.touching[c]]
        return list(dict.fromkeys(found))[:_LISTED]

    def undo(self) -> None:
        self.form = None
        before = self.game.entries
        if self.game.undo():
            self.notice = self._moved("undone", before)

    def redo(self) -> None:
        self.form = None
        before = self.game.entries
        if self.game.redo():
            self.notice = self._moved("redone", before)

    def _moved(self, how: str, before: Sequence[Entry]) -> str:
        """What a step back or forth changed: a photo may bring many entries at once."""
        now = self.game.entries
        n = len({e.id for e in before} ^ {e.id for e in now})
        photo = any(e.photo for e in (*before, *now)) and n > 1
        return self.desk.say(f"table.{how}-photo", n=n) if photo else self.desk.say(f"table.{how}")

    @property
    def log(self) -> list[LogLine]:
        """The record in words, the newest first; what a photo brought is one line."""
        lines: list[LogLine] = []
        for photo, group in groupby(self.game.entries, key=lambda e: e.photo):
            found = list(group)
            if photo:
                lines.append(LogLine(self.desk.say("log.photo", n=len(found)), tuple(e.id for e in found)))
            else:
                lines += [LogLine(self._logged(e), (e.id,)) for e in found]
        return lines[::-1]

    def _logged(self, entry: Entry) -> str:
        wild = self.board.cards.wild
        reasons = "" if entry.fine else " ".join(self.desk.tell(r.message, wild) for r in entry.verdict.reasons)
        if entry.accepted:
            reasons = self.desk.say("log.accepted")
        return f"{self.entry_words(entry)} {reasons}".strip()

    def strike(self, line: LogLine) -> None:
        """Takes a line out of the record, with all that it brought."""
        if len(line.entries) == 1:
            self.game.correct(line.entries[0], None)
        else:
            self.game.strike(line.entries)

    def route_name(self, route_id: str) -> str:
        return words.route(self.board, route_id, self.desk.language)

    def entry_words(self, told: Entry) -> str:
        """One line of the record in words."""
        if told.action is None:
            return self.desk.tell(told.problem, self.board.cards.wild) if told.problem else ""
        return words.action(self.board, told.action, self.desk.language)

    def pieces(self) -> Pieces:
        """The map now, with what the form points at."""
        marked: list[str] = []
        if self.form is not None:
            data = self.form.data
            marked = [data[k] for k in ("route", "city") if data.get(k)]
            marked += self.form.candidates + ([self.form.first_city] if self.form.first_city else [])
        return pieces_of(self.position, tuple(dict.fromkeys(marked)))


def pieces_of(position: Position, highlight: tuple[str, ...] = ()) -> Pieces:
    """What lies on the board in a position."""
    owners: dict[str, str | list[str | None] | None] = {}
    for route, holders in position.owners.items():
        colors = [_paintable(position.players[i].color) for i in holders]
        length = position.board.routes[route].length
        # Two owners of one track (Right of Way) alternate on its spaces.
        owners[route] = colors[0] if len(colors) == 1 else [colors[i % len(colors)] for i in range(length)]
    return Pieces(
        owners,
        {city: _paintable(p.color) for p in position.players for city in p.stations},
        {city: _paintable(p.color) for p in position.players for city in p.depots},
        highlight=highlight,
    )


def _paintable(color: str) -> str:
    return color if color in WAGONS else STRANGE


def points_so_far(position: Position, player: Player) -> int:
    """Points for routes, as the marker on the score track shows them."""
    if player.marked_points is not None:
        return player.marked_points
    per_mark = position.variant.mountain_points
    return sum(r.points + r.mountain_marks * per_mark for r in position.tracks(player))

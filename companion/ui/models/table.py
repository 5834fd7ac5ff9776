"""The table during a game: whose turn, who has what, what may be done, and the action being told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any  # Any: JSON

from companion import words
from companion.rules import Claim, Join, Offer, Player, Position, Verdict, action_json, most_cards, offers, pile_of
from companion.table.game import Entry, Game
from companion.table.take_over import plainest
from companion.ui import hits
from companion.ui.desk import Desk
from companion.ui.layers import Pieces
from companion.ui.models.forms import Form, try_verdict
from companion.ui.models.rules import Quoted, quoted
from maps import Board, Route, Trouble
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
    members: tuple[str, ...] = ()
    # Numbers worth knowing (stations left, tickets kept, ...), and what is owned by name.
    holds: tuple[tuple[str, int], ...] = ()
    owns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slot:
    """A button with its own place. `lit`: it may be used now; `cards`: how many it draws, where not as usual."""

    kind: str
    lit: bool
    cards: int = 0


@dataclass(frozen=True)
class LogLine:
    """A line of the record: who did what, what it scored, was paid with and when; and the entries it stands for.

    `rules`: what the referee had against it, be it accepted or not.
    """

    words: str
    entries: tuple[int, ...]
    color: str = ""
    points: int = 0
    about: str = ""
    rules: tuple[Quoted, ...] = ()


class TableModel:
    """A game on the screen. `form` is the action being told, None while the table waits."""

    def __init__(self, desk: Desk, game: Game) -> None:
        self.desk, self.game = desk, game
        self.form: Form | None = None
        # Who acts out of turn; what was left alone, and after which line of the journal.
        self.acting = ""
        self._declined: set[tuple[int, str]] = set()
        self._offered: tuple[Position, tuple[Offer, ...]] | None = None
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
            left = max(0, position.wagons_left(p))
            to_move = (self.acting or turn) in (p.name, *p.members)
            holds = tuple((kind, n) for kind, n in self._holds(p).items() if n is not None)
            points = points_so_far(position, p)
            rows.append(Row(p.name, p.color, left, points, to_move, p.members, holds, tuple(self._owns(p))))
        return rows

    def _holds(self, player: Player) -> dict[str, int | None]:
        """What a player has besides wagons, as far as it was told."""
        position, variant = self.position, self.position.variant
        kept = len(player.tickets) + sum(position.run.secret_tickets.get(s, 0) for s in (player.name, *player.members))
        return {
            "stations": variant.stations - len(player.stations) if variant.stations else None,
            "tickets": kept or None,
            "warehouse": position.run.warehouses.get(player.name) if position.has_depots else None,
            "depots": player.depots_left if position.has_depots else None,
        }

    def _owns(self, player: Player) -> list[str]:
        """Technologies, shares and tokens by name."""
        board, language = self.board, self.desk.language
        found = [board.technologies[t].name(language) for t in player.technologies if t in board.technologies]
        found += [f"{board.companies[c].name} {len(n)}" for c, n in player.shares.items() if n and c in board.companies]
        laid = ((kind, pile_of(self.position, kind)) for kind in player.tourists)
        tokens = ", ".join(words.place(board, place, language) if place else kind for kind, place in laid)
        return found + ([self.desk.say("table.tokens", kinds=tokens)] if tokens else [])

    @property
    def headline(self) -> str:
        """What everybody should know: whose turn, the last round, or that it is over."""
        run = self.position.run
        if not self.keeps_turns:
            return self.desk.say("table.claims-only")
        if run.over:
            return self.desk.say("table.over")
        if run.last_turns is not None:
            return self.desk.say("table.last-round", player=self.position.turn, n=len(run.last_turns))
        return self.desk.say("table.turn", player=self.position.turn)

    @property
    def last_round(self) -> bool:
        run = self.position.run
        return run.last_turns is not None or run.over

    @property
    def over(self) -> bool:
        return self.position.run.over

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What the rules say may be done now, and by whom."""
        position = self.position
        if self._offered is None or self._offered[0] is not position:
            self._offered = (position, offers(position))
        return self._offered[1]

    @property
    def keeps_turns(self) -> bool:
        """Whether turns and cards are told now; else only what is laid on the board."""
        return bool(self.position.turn)

    def actions(self) -> list[str]:
        """What may be done now, by anybody."""
        return list(dict.fromkeys(o.kind for o in self.offers))

    @property
    def slots(self) -> list[Slot]:
        """The buttons of this variant: each has its place for the whole game, and is lit when it may be used."""
        offered = set(self.actions())
        kinds = {a.kind for part in self.position.parts for a in part.actions if a.when in ("turn", "before", "free")}
        if not self.keeps_turns:
            return [Slot(k, k in offered) for k in ("claim", "station", "depot") if k in kinds]
        found = [Slot("claim", "claim" in offered), Slot("deck", "draw-cards" in offered, self._more_blind)]
        if "pass" in offered:
            # Where cards can't be drawn: nothing else can be done, or a second claim is forgone.
            found[1] = Slot("pass", True)
        found += [Slot("draw-cards", "draw-cards" in offered), Slot("draw-tickets", "draw-tickets" in offered)]
        rest = ("station", "technology", "depot", "reveal-tickets")
        return found + [Slot(k, k in offered) for k in rest if k in kinds]

    @property
    def _more_blind(self) -> int:
        """How many cards the one who acts draws blind, if a technology makes it more than usual."""
        name = self.acting or self.position.turn
        most = most_cards(self.position, name, blind=True) if name else 0
        return most if most > self.position.variant.drawn_cards else 0

    def ask_next(self) -> None:
        """What must be told first, or what a claim brings, is the next question; nobody has to find a button."""
        if self.form is not None or self.over:
            return
        line = self.game.journal.next_id
        for offer in self.offers:
            waits = offer.required or offer.follow_up
            if waits and (line, offer.kind) not in self._declined and offer.action.when != "end":
                self.form = Form(self.game, offer.kind, offer.player, offer)
                return

    def decline(self) -> None:
        """What a claim brings is left alone."""
        if self.form is not None:
            self._declined.add((self.game.journal.next_id, self.form.kind))
        self.form = None

    def _offer(self, kind: str, player: str = "") -> Offer | None:
        """The offer of that kind, to this player if they are named."""
        found = [o for o in self.offers if o.kind == kind]
        return next((o for o in found if o.player == player), found[0] if found and not player else None)

    def start(self, kind: str) -> Form:
        """Opens an action of whoever is to play, or of who was tapped."""
        player = self.acting or self.position.turn
        offer = self._offer(kind, player)
        if offer is None and not self.acting:
            offer = self._offer(kind)
        if offer is not None:
            player = offer.player
        self.form = Form(self.game, kind, player or self.position.order[0], offer)
        self.notice = ""
        return self.form

    def act_as(self, name: str) -> None:
        """Somebody acts out of turn; a second tap takes that back. Without turns nobody can."""
        if not self.keeps_turns:
            return
        self.acting = "" if self.acting == name or name == self.position.turn else name
        self.form = None

    def draw_blind(self) -> bool:
        """As many cards from the deck as a turn gives, in one tap. False: the referee asks something first."""
        form = self.start("draw-cards")
        for _ in range(form.slots):
            form.draw(None)
        return form.go_on()

    @property
    def claimable(self) -> set[str]:
        """Routes that somebody may claim now."""
        return {r for o in self.offers if o.kind == "claim" for r in (o.asks[0].choices({}) or ())}

    def claim_for(self, player: str) -> Verdict:
        """Whoever laid wagons on the route that is told, paid in the plainest way; recorded if the rules agree."""
        form = self.form
        if form is None:
            raise Trouble("no-game")
        action = plainest(self.position, player, form.kind, form.data)
        verdict = self.game.do(action)
        if not verdict.complete:
            form.data.update(action_json(action, self.position))
            form.refused = True
        return verdict

    def correct_owner(self, route: str, player: str | None) -> None:
        """The record was wrong about who holds a route; None: nobody does."""
        for entry in reversed(self.game.entries):
            action = entry.action
            if isinstance(action, Claim) and action.route == route and not action.give_up:
                told = None if player is None else replace(action, player=player)
                self.game.correct(entry.id, told, accept=told is not None)
                break
        self.form = None
        self.notice = self.desk.say("table.corrected")

    def to_json(self) -> dict[str, Any]:
        """The action being told, and the line of the journal that it would become."""
        return {"line": self.game.journal.next_id, "form": self.form.to_json() if self.form else None}

    def resume(self, data: Mapping[str, Any]) -> bool:
        """Goes on with an action half told; False if the game has gone on since."""
        if data["line"] != self.game.journal.next_id:
            return False
        if data["form"] is not None:
            told = data["form"]
            form = Form.from_json(self.game, told, self._offer(told["kind"], told["player"]))
            try_verdict(form)
            self.form = form
        return True

    def cancel(self) -> None:
        self.form = None

    def done(self, told: str = "") -> None:
        """The action is recorded."""
        self.form, self.notice, self.acting = None, told, ""
        self.ask_next()

    def pick(self, x: float, y: float, reach: float) -> bool:
        """A tap on the map: a route, or a city, whatever is asked. True if it meant something."""
        form = self.form
        if form is None or form.asks == "route" or (form.kind == "claim" and not form.need):
            return self._pick_route(x, y, reach)
        if form.asks == "city" or ("city" in form.fields and not form.need):
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
        if (
            len(found) > 1
            and len(self.claimable & set(found)) == 1
            and len({self.board.routes[r].group for r in found}) == 1
        ):
            # Of a double route only one track is free: nobody is asked which.
            found = [r for r in found if r in self.claimable]
        if len(found) == 1:
            form.set("route", self._free_sister(found[0]))
        else:
            form.data.pop("route", None)
            form.candidates = found
        return True

    def _free_sister(self, route: str) -> str:
        """Where a track is taken and the one beside it is free, that one is meant."""
        if route not in self.position.owners or route in self.claimable:
            return route
        free = [r.id for r in self.board.groups[self.board.routes[route].group] if r.id in self.claimable]
        return free[0] if len(free) == 1 else route

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
        form.candidates = [r.id for r in touching]
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
                told, points = self.desk.say("log.photo", n=len(found)), sum(e.verdict.points for e in found)
                against = quoted(self.desk, self.position, *(e.verdict for e in found))
                lines.append(LogLine(told, tuple(e.id for e in found), "", points, self._when(found[0]), against))
            else:
                lines += [self._line(e) for e in found]
        return lines[::-1]

    def _line(self, entry: Entry) -> LogLine:
        action, points = entry.action, entry.verdict.points
        # Whoever joins is told by their own colour.
        name = action.name if isinstance(action, Join) else action.player if action is not None else ""
        player = self.position.player(name)
        paid = words.details(self.board, action, self.desk.language) if action is not None else ""
        about = " · ".join(told for told in (paid, self._when(entry)) if told)
        against = quoted(self.desk, self.position, entry.verdict)
        return LogLine(self._logged(entry), (entry.id,), player.color if player else "", points, about, against)

    def _when(self, entry: Entry) -> str:
        when = self.game.when(entry)
        return f"{when:%H:%M}" if when is not None else ""

    def _logged(self, entry: Entry) -> str:
        wild = self.board.cards.wild
        reasons = "" if entry.fine else " ".join(self.desk.tell(r.message, wild) for r in entry.verdict.reasons)
        if entry.accepted and not entry.verdict.legal:
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

    @property
    def marked(self) -> tuple[str, ...]:
        """What the form points at."""
        if self.form is None:
            return ()
        data = self.form.data
        found = [data[k] for k in ("route", "city") if data.get(k)]
        found += self.form.candidates + ([self.form.first_city] if self.form.first_city else [])
        return tuple(dict.fromkeys(found))

    def pieces(self) -> Pieces:
        """The map now, with what the form points at."""
        asked = self.form.candidates if self.form is not None and not self.form.need else ()
        return replace(pieces_of(self.position, self.marked), numbered=tuple(asked))


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

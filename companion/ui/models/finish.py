"""A finished board on its way to the score sheet: what the camera saw, who played, and what it can't know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any  # Any: JSON, as the score's position is told

from companion import words
from companion.rules import (
    DEPOTS,
    DEPOTS_EACH,
    MODULES,
    VARIANTS,
    PlayerScore,
    Position,
    ScoreSheet,
    Variant,
    find_variant,
    half_of,
    has_neutral,
    score,
    variants_of,
)
from companion.table.game import Game
from companion.table.history import PastGame, read_game
from companion.ui.desk import Desk
from companion.ui.layers import Pieces
from companion.ui.models.edit import BoardEdit
from companion.ui.models.review import ReviewModel
from companion.ui.models.sheet import SheetModel, signed
from companion.ui.models.table import pieces_of
from companion.ui.models.ticket_review import PaperSighting, Sighting, TicketReview
from companion.ui.models.tickets import TicketPicker
from companion.ui.services import Practice
from companion.ui.work import Note
from maps import Board, Trouble, load
from vision.reading import DEPOT, Reading, RouteReading

# Questions whose answer is a number: nothing told is not the same as nothing there.
_NUMBERS = ("marked_points", "depots_left")
# What may be told instead of tickets: their points in all, and how many are done.
SUMS = ("ticket_points", "tickets_done")
# What lies on the board, in the words of a position.
_ON_THE_BOARD = ("routes", "stations", "depots")


@dataclass(frozen=True)
class Choice:
    """Something to choose or to switch on, with one line on what it changes where that is not plain."""

    id: str
    name: str
    about: str
    on: bool


@dataclass(frozen=True)
class Chip:
    """A ticket that somebody holds. `state`: done, missed, or empty where nobody can say."""

    at: int
    words: str
    points: str
    state: str


@dataclass
class Draft:
    """One player or team while the sheet is prepared, in the words of a position. `name` empty: not told."""

    color: str
    name: str
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def tickets(self) -> list[Any]:
        found: list[Any] = self.told.setdefault("tickets", [])
        return found


class FinishModel:
    """Filled by a photo, by hand, by the game that was played or by one of the past; then asks for each player.

    Nothing here is final: `done` keeps the sheet, and a kept one can be opened again with `of_past`.
    """

    def __init__(self, desk: Desk, game: Game | None = None) -> None:
        self.desk, self.game = desk, game
        # The sheet in the history that this one replaces.
        self.past: PastGame | None = None
        self.board: Board | None = None
        self.variant: Variant | None = None
        self.modules: set[str] = set()
        self.options: dict[str, Any] = {}
        self.drafts: list[Draft] = []
        self.neutral: dict[str, list[int]] = {}
        self.neutral_pile: dict[str, list[int]] = {}
        self.at = 0
        # Something to try: it is counted like any other, and kept nowhere.
        self.practising = game is not None and desk.is_practice(game)
        # The photo of the board, and whether depots were looked for in it.
        self.picture: Path | None = None
        self.looked_for_depots = False
        self.review: ReviewModel | None = None
        self._counting = False
        if game is not None:
            self._from(game.position)

    @classmethod
    def of_past(cls, desk: Desk, past: PastGame) -> FinishModel:
        """A sheet of the history, to be put right; Trouble if only its points are known."""
        if not past.position:
            raise Trouble("past-points-only")
        model = cls(desk)
        model.past = past
        model._from(Position.from_json(dict(past.position)))
        return model

    @classmethod
    def again(cls, desk: Desk) -> FinishModel | None:
        """Scoring that was begun without a game at the table and not done yet; None if there is none."""
        data = desk.scoring
        if data is None or data.get("game"):
            return None
        model = cls(desk)
        try:
            model.resume(data)
        except (Trouble, KeyError, ValueError, TypeError, AttributeError, IndexError):
            return None
        return model if model.board is not None else None

    @classmethod
    def of_game(cls, desk: Desk, game: Game) -> FinishModel:
        """The game at the table as it stands; what was told of its tickets before is there again."""
        model = cls(desk, game)
        data = desk.scoring
        if data is not None and data.get("game") == game.journal.path.name:
            try:
                model._answers(data)
            except (Trouble, KeyError, ValueError, TypeError, AttributeError, IndexError):
                return cls(desk, game)
        return model

    def _answers(self, data: Mapping[str, Any]) -> None:
        """Takes over what people told; what lies on the board comes from the game."""
        told = {d["color"]: d["told"] for d in data["drafts"]}
        for draft in self.drafts:
            kept = {k: v for k, v in dict(told.get(draft.color, {})).items() if k not in _ON_THE_BOARD}
            draft.told.update(kept)
        self.neutral = self.neutral or dict(data["neutral"])
        self.at = min(int(data["at"]), len(self.drafts) - 1)
        self.position()

    def _from(self, position: Position) -> None:
        self.board, self.variant = position.board, position.variant
        self.modules, self.options = set(position.modules), dict(position.options)
        keep = ("turn", "deck", "discard", "face_up")
        told = {k: v for k, v in position.to_json().items() if k not in keep}
        self.drafts = [Draft(p["color"], p["name"], p) for p in told["players"]]
        for draft in self.drafts:
            for key in ("hand", "rack", "wagons"):
                draft.told.pop(key, None)
        # Of the neutral player's pile only the half that is turned up ranks: the players say which.
        self.neutral = {c: list(n) for c, n in told.get("neutral_shares", {}).items()}
        if position.running is not None:
            self.neutral_pile = {c: list(n) for c, n in position.running.neutral_pile.items() if n}

    def to_json(self) -> dict[str, Any]:
        """Everything told so far."""
        return {
            "variant": self.variant.id if self.variant else None,
            "modules": sorted(self.modules),
            "options": self.options,
            "drafts": [{"color": d.color, "name": d.name, "told": d.told} for d in self.drafts],
            "neutral": self.neutral,
            "at": self.at,
            "picture": str(self.picture) if self.picture else None,
            "looked_for_depots": self.looked_for_depots,
            "game": self.game.journal.path.name if self.game is not None else "",
            "practising": self.practising,
            "past": asdict(self.past) if self.past is not None else None,
        }

    def keep(self) -> None:
        """Keeps what was told, to be gone on with from Home whatever happens."""
        if self.board is not None and not self.practising:
            self.desk.keep_scoring(self.to_json())

    def drop(self) -> None:
        """Nobody wants to go on with this."""
        if not self.practising:
            self.desk.keep_scoring(None)

    def resume(self, data: Mapping[str, Any]) -> None:
        """Goes on with what was told before."""
        if data["variant"] is None:
            return
        self.variant, self.board = find_variant(data["variant"])
        self.modules, self.options = set(data["modules"]), dict(data["options"])
        self.drafts = [Draft(d["color"], d["name"], dict(d["told"])) for d in data["drafts"]]
        self.neutral, self.at = dict(data["neutral"]), int(data["at"])
        self.picture = Path(data["picture"]) if data["picture"] else None
        self.looked_for_depots = bool(data["looked_for_depots"])
        self.practising = bool(data.get("practising"))
        self.past = read_game(data["past"]) if data.get("past") else None
        self.position()

    def seen(self, reading: Reading, picture: Path) -> ReviewModel:
        """The photo is read: what is doubtful comes first."""
        reading = self._as_told(reading) if picture == self.picture else reading
        self.review = ReviewModel(reading, picture, has_depots=DEPOTS in self.modules)
        return self.review

    def practice(self, found: Practice) -> None:
        """The practice game: names and tickets are told already."""
        self.practising = True
        self.seen(found.reading, found.picture)
        self.choose_board(found.reading.board)
        for color, held in found.told.items():
            tickets = held.get("tickets")
            told = {"tickets": list(tickets) if isinstance(tickets, list) else []}
            self.drafts.append(Draft(color, str(held.get("name", "")), told))

    def _as_told(self, reading: Reading) -> Reading:
        """A second look at the same photo: its routes are known by now, only buildings are asked about."""
        owners = {route: d.color for d in self.drafts for route in d.told.get("routes", ())}
        routes = {
            r: RouteReading(owners.get(r), 1.0, (owners.get(r),) * len(seen.spaces))
            for r, seen in reading.routes.items()
        }
        doubtful = tuple(name for name in reading.doubtful if name not in routes)
        return replace(reading, routes=MappingProxyType(routes), doubtful=doubtful)

    @property
    def depots_unseen(self) -> bool:
        """Depots are played, but nobody has looked for them in the photo."""
        there = self.picture is not None and self.picture.is_file()
        return there and DEPOTS in self.modules and not self.looked_for_depots

    def reviewed(self) -> Trouble | None:
        """Players by the colours on the board, named as last time; Trouble if the photo could not be recorded."""
        if self.review is None:
            return None
        try:
            self.review.record(self.desk)
        except Trouble as unrecorded:
            trouble: Trouble | None = unrecorded
        else:
            trouble = None
        self.picture, self.looked_for_depots = self.review.picture, self.review.has_depots
        self.choose_board(self.review.reading.board)
        routes, stations = self.review.state()
        depots = self.review.depots
        seen = {c for c in (*routes.values(), *stations.values(), *depots.values()) if c}
        self._lay(seen, routes, stations, depots)
        return trouble

    def choose_board(self, board: str) -> None:
        """The board that was played on; its rules as last time, if they were played on it."""
        known = self.board
        self.board = load(board)
        if known is not None and known.id == board:
            return
        settings = self.desk.settings
        fitting = list(variants_of(board))
        remembered = [v for v in fitting if v.id == (self.variant.id if self.variant else settings.variant)]
        self.variant = (remembered or fitting)[0]
        if remembered and not self.modules:
            self.modules = {m for m in settings.modules if m in MODULES}
        self.drafts = [d for d in self.drafts if d.color in self.board.wagon_colors]

    def _draft(self, color: str) -> Draft:
        names = [s.name for s in self.desk.settings.seats if s.color == color and s.name]
        return Draft(color, names[0] if names else "")

    def called(self, draft: Draft) -> str:
        """A player's name, or the colour where nobody told one."""
        return draft.name or self.word(draft.color)

    def word(self, color: str) -> str:
        """A colour as players of this board call it."""
        return self.desk.word(color, self.board.cards.wild) if self.board is not None else self.desk.word(color)

    def edit(self) -> BoardEdit:
        """What lies on the board, to be put right by hand."""
        if self.board is None:
            raise Trouble("no-game")
        owners, stations, depots = (
            {name: d.color for d in self.drafts for name in d.told.get(kind, ())} for kind in _ON_THE_BOARD
        )
        kinds = [""] * bool(self.variant and self.variant.stations) + [DEPOT] * (DEPOTS in self.modules)
        edit = BoardEdit(self.board, self.board.wagon_colors, owners, stations, depots, kinds)

        def changed() -> None:
            every = {c for kept in (edit.owners, edit.stations, edit.depots) for c in kept.values()}
            self._lay(every, dict(edit.owners), edit.stations, edit.depots)
            self.keep()

        edit.changed = changed
        return edit

    def _lay(
        self, seen: set[str], routes: Mapping[str, str | None], stations: Mapping[str, str], depots: Mapping[str, str]
    ) -> None:
        """Everybody's pieces; a colour that was not there before plays too."""
        known = {d.color: d for d in self.drafts}
        colors = self.board.wagon_colors if self.board else ()
        self.drafts = [
            *self.drafts,
            *(self._draft(c) for c in colors if c in seen and c not in known),
        ]
        if not known:
            self.drafts.sort(key=lambda d: colors.index(d.color))
        for draft in self.drafts:
            draft.told["routes"] = [r for r, c in routes.items() if c == draft.color]
            draft.told["stations"] = [city for city, c in stations.items() if c == draft.color]
            draft.told["depots"] = [city for city, c in depots.items() if c == draft.color]
            if draft.told.get("depots_left", 0) > self.depots_most(draft):
                del draft.told["depots_left"]

    @property
    def free_colors(self) -> list[str]:
        """Colours that nobody plays: somebody may have no wagon on the board."""
        used = {d.color for d in self.drafts}
        return [c for c in (self.board.wagon_colors if self.board else ()) if c not in used]

    def add(self, color: str) -> None:
        self.drafts.append(self._draft(color))

    def remove(self, draft: Draft) -> None:
        if any(draft.told.get(laid) for laid in ("routes", "stations", "depots")):
            return
        self.drafts.remove(draft)

    @property
    def variants(self) -> list[Choice]:
        """The rules that this board is played with."""
        language, chosen = self.desk.language, self.variant.id if self.variant else ""
        found = variants_of(self.board.id) if self.board else ()
        return [Choice(v.id, v.name(language), "", v.id == chosen) for v in found]

    def choose_variant(self, variant: str) -> None:
        self.variant = VARIANTS[variant] if variant in VARIANTS else find_variant(variant)[0]

    @property
    def extras(self) -> list[Choice]:
        """Modules that may have been played."""
        language = self.desk.language
        return [Choice(m.id, m.name(language), m.about(language), m.id in self.modules) for m in MODULES.values()]

    @property
    def plays_depots(self) -> bool:
        return DEPOTS in self.modules

    def switch(self, module: str, on: bool) -> None:
        self.modules.add(module) if on else self.modules.discard(module)

    @property
    def draft(self) -> Draft:
        return self.drafts[self.at]

    def questions(self) -> list[str]:
        """What must be asked of each player besides tickets, because no camera can see it."""
        variant = self.variant
        if variant is None:
            return []
        asked = [
            ("marked_points", variant.marked_points_count),
            ("technologies", variant.technologies != "none"),
            ("shares", variant.shares),
            ("tourists", variant.tourists),
            ("depots_left", DEPOTS in self.modules),
        ]
        return [name for name, there in asked if there]

    def untold(self) -> list[str]:
        """Numbers that only this player knows and that nobody told yet."""
        return [q for q in self.questions() if q in _NUMBERS and q not in self.draft.told]

    @property
    def asks_neutral(self) -> bool:
        return bool(self.drafts) and has_neutral(self.position())

    @property
    def neutral_half(self) -> int:
        """How many of the neutral player's shares are turned up; 0 where nobody knows how many it took."""
        return half_of([n for numbers in self.neutral_pile.values() for n in numbers])

    def stations_left(self, draft: Draft) -> int:
        most = self.variant.stations if self.variant else 0
        return max(0, most - len(draft.told.get("stations", ())))

    def depots_most(self, draft: Draft) -> int:
        """How many depots can be left: those on the board are not."""
        return max(0, DEPOTS_EACH - len(draft.told.get("depots", ())))

    def position(self) -> Position:
        """What is known so far."""
        unplayed = () if DEPOTS in self.modules else ("depots", "depots_left")
        told = [{key: value for key, value in d.told.items() if key not in unplayed} for d in self.drafts]
        names = [{"name": self.called(d), "color": d.color} for d in self.drafts]
        players = [{**about, **name} for about, name in zip(told, names, strict=True)]
        data: dict[str, Any] = {"variant": self.variant.id if self.variant else "", "players": players}
        if self.modules:
            data["modules"] = sorted(self.modules)
        if self.options:
            data["options"] = self.options
        if self.neutral:
            data["neutral_shares"] = self.neutral
        return Position.from_json(data)

    def _scored(self) -> PlayerScore | None:
        """The player at hand on the sheet as it would be now."""
        try:
            found = score(self.position()).players
        except Trouble:
            return None
        return next((p for p in found if p.color == self.draft.color), None)

    def chips(self) -> list[Chip]:
        """The tickets of the player at hand: what each brings, and whether it is done on this board."""
        position, scored = self.position(), self._scored()
        player = next(p for p in position.players if p.color == self.draft.color)
        found = []
        for i, ticket in enumerate(player.tickets):
            result = scored.tickets[i] if scored is not None and i < len(scored.tickets) else None
            state = "" if result is None else ("done" if result.done else "missed")
            points = ticket.points if result is None else result.counts
            found.append(
                Chip(i, words.pair(position.board, (ticket.a, ticket.b), self.desk.language), signed(points), state)
            )
        return found

    def add_tickets(self, *tickets: Any) -> None:
        """More tickets of the player at hand; a sum that was told instead of them goes."""
        self.draft.tickets.extend(tickets)
        for key in SUMS:
            self.draft.told.pop(key, None)

    @property
    def sums(self) -> list[str]:
        """What is asked instead of the tickets: their points in all; where the most done win a bonus, how many."""
        return [*SUMS] if "globetrotter" in self.position().lines else [*SUMS[:1]]

    @property
    def has_tickets(self) -> bool:
        """Whether anything was told about the tickets of the player at hand."""
        return bool(self.draft.tickets) or SUMS[0] in self.draft.told

    @property
    def ticket_sum(self) -> int:
        """What the tickets of the player at hand bring in all."""
        told = self.draft.told.get(SUMS[0])
        if told is not None:
            return int(told)
        scored = self._scored()
        return sum(t.counts for t in scored.tickets) if scored is not None else 0

    @property
    def tickets_told(self) -> str:
        """How many tickets the player at hand has, and what they bring."""
        if not self.has_tickets:
            return self.desk.say("finish.no-tickets-yet")
        if not self.draft.tickets:
            return self.desk.say("finish.tickets-sum", points=signed(self.ticket_sum))
        return self.desk.say("finish.tickets-of", n=len(self.draft.tickets), points=signed(self.ticket_sum))

    @property
    def technologies(self) -> list[Choice]:
        """What can be bought under these rules."""
        position, language = self.position(), self.desk.language
        held = self.draft.told.get("technologies", ())
        every = position.board.technologies
        return [
            Choice(t, every[t].name(language), every[t].about(language), t in held)
            for t in position.variant.technology_ids(position.board)
        ]

    def pieces(self, highlight: tuple[str, ...] = ()) -> Pieces:
        """The board as it counts now."""
        return pieces_of(self.position(), highlight)

    def picker(self, first: str = "") -> TicketPicker:
        """Tickets for the player at hand; what others hold is not offered again."""
        return TicketPicker(self.position(), [t for d in self.drafts for t in d.tickets], first)

    def tickets_seen(self, picture: Path, seen: Iterable[Sighting | PaperSighting]) -> TicketReview:
        """What a photo of this player's tickets shows."""
        others = [t for d in self.drafts if d is not self.draft for t in d.tickets]
        return TicketReview.of(picture, seen, self.position(), self.draft.tickets, others)

    def all_tickets_seen(self, picture: Path, seen: Iterable[Sighting | PaperSighting]) -> TicketReview:
        """What a photo of all players' tickets shows, a row for each in their order."""
        return TicketReview.of_all(picture, seen, self.position(), [d.tickets for d in self.drafts])

    def take(self, review: TicketReview) -> None:
        """Gives everyone what a photo showed."""
        for one in review.taken:
            draft = self.draft if one.whose is None else self.drafts[one.whose]
            if one.kind == "ticket":
                held: list[Any] = draft.tickets
            elif one.kind == "technology":
                held = draft.told.setdefault("technologies", [])
            else:
                held = draft.told.setdefault("shares", {}).setdefault(one.id, [])
            what = one.number if one.kind == "share" else one.id
            if what not in held:
                held.append(what)
            if one.kind == "ticket":
                # A sum that was told instead of them goes.
                for key in SUMS:
                    draft.told.pop(key, None)

    @property
    def is_last(self) -> bool:
        return self.at + 1 == len(self.drafts)

    @property
    def next_told(self) -> str:
        """What comes after the player at hand."""
        if self.is_last:
            return self.desk.say("finish.count")
        return self.desk.say("finish.next", player=self.called(self.drafts[self.at + 1]))

    def next(self) -> bool:
        """To the next player; False when all are asked."""
        if self.at + 1 < len(self.drafts):
            self.at += 1
            return True
        return False

    def back(self) -> bool:
        if self.at == 0:
            return False
        self.at -= 1
        return True

    def count(self, ready: Callable[[SheetModel], object], failed: Callable[[Trouble], object]) -> None:
        """Scores beside the screen, once however often somebody taps; `ready` gets the sheet's model."""
        if self._counting:
            return
        self._counting = True
        position = self.position()

        def told(note: Note) -> None:
            if note.kind == "done":
                self._counted(position, note.value, ready)
            elif note.kind == "failed":
                self._counting = False
                failed(note.value)

        self.desk.work.start("score", lambda _: score(position), told)

    def _counted(self, position: Position, sheet: ScoreSheet, ready: Callable[[SheetModel], object]) -> None:
        self._counting = False
        ready(self.sheet(position, sheet))

    def sheet(self, position: Position, sheet: ScoreSheet) -> SheetModel:
        """The sheet as it would be kept: under the same name and day, where it puts another one right."""
        past = self.desk.past(position, sheet, self.game.begin.turn or "" if self.game is not None else "")
        if self.past is not None:
            past = replace(past, id=self.past.id, date=self.past.date, first=past.first or self.past.first)
        return SheetModel(self.desk, position, sheet, past=past, finish=self)

    def sheet_now(self) -> SheetModel:
        """The sheet at once: a board that was counted before."""
        position = self.position()
        return self.sheet(position, score(position))

    def done(self, sheet: SheetModel) -> None:
        """Everybody has seen it: it goes into the history, a game that was refereed is put away. Trouble: neither."""
        if sheet.past is not None and not self.practising:
            self.desk.history.keep(sheet.past)
            if self.game is not None:
                self.desk.put_away(sheet.past.id)
        self.drop()

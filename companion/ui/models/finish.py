"""A finished board on its way to the score sheet: what the camera saw, who played, and what it can't know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.rules import (
    DEPOTS,
    DEPOTS_EACH,
    MODULES,
    Position,
    ScoreSheet,
    Variant,
    find_variant,
    has_neutral,
    score,
    variants_of,
)
from companion.table.game import Game
from companion.ui.desk import Desk
from companion.ui.models.review import ReviewModel
from companion.ui.models.sheet import SheetModel
from companion.ui.models.ticket_review import Sighting, TicketReview
from companion.ui.models.tickets import TicketPicker
from companion.ui.work import Note
from maps import Board, Trouble, load
from vision.reading import Reading, RouteReading

# Questions whose answer is a number: nothing told is not the same as nothing there.
_NUMBERS = ("marked_points", "depots_left")


@dataclass
class Draft:
    """One player or team while the sheet is prepared, in the words of a position."""

    color: str
    name: str
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def tickets(self) -> list[Any]:
        found: list[Any] = self.told.setdefault("tickets", [])
        return found


class FinishModel:
    """Filled by a photo or by the game that was played; then asks for each player in turn."""

    def __init__(self, desk: Desk, game: Game | None = None) -> None:
        self.desk, self.game = desk, game
        self.board: Board | None = None
        self.variant: Variant | None = None
        # As last time, until somebody says otherwise.
        self.modules = {m for m in desk.settings.modules if m in MODULES}
        self.options: dict[str, Any] = {}
        self.drafts: list[Draft] = []
        self.neutral: dict[str, list[int]] = {}
        self.at = 0
        # The photo of the board, and whether depots were looked for in it.
        self.picture: Path | None = None
        self.looked_for_depots = False
        self.review: ReviewModel | None = None
        self._counting = False
        if game is not None:
            self._from_game(game)

    def _from_game(self, game: Game) -> None:
        position = game.position
        self.board, self.variant = position.board, position.variant
        self.modules, self.options = set(position.modules), dict(position.options)
        keep = ("turn", "deck", "discard", "face_up")
        told = {k: v for k, v in position.to_json().items() if k not in keep}
        self.drafts = [Draft(p["color"], p["name"], p) for p in told["players"]]
        for draft in self.drafts:
            for key in ("hand", "rack", "wagons", "depots"):
                draft.told.pop(key, None)
        run = position.running
        self.neutral = {c: list(n) for c, n in (run.neutral_pile if run else {}).items()}

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
        }

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
        self.position()

    def seen(self, reading: Reading, picture: Path) -> ReviewModel:
        """The photo is read: what is doubtful comes first."""
        reading = self._as_told(reading) if picture == self.picture else reading
        self.review = ReviewModel(reading, picture, has_depots=DEPOTS in self.modules)
        return self.review

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
        self.board = load(self.review.reading.board)
        fitting = variants_of(self.board.id)
        chosen = self.variant.id if self.variant else self.desk.settings.variant
        remembered = [v for v in fitting if v.id == chosen]
        self.variant = (remembered or list(fitting))[0]
        routes, stations = self.review.state()
        depots = self.review.depots
        seen = {c for c in (*routes.values(), *stations.values(), *depots.values()) if c}
        known = {d.color: d for d in self.drafts}
        self.drafts = [known.get(c) or self._draft(c) for c in self.board.wagon_colors if c in {*seen, *known}]
        self._lay(routes, stations, depots)
        return trouble

    def _draft(self, color: str) -> Draft:
        names = [s.name for s in self.desk.settings.seats if s.color == color and s.name]
        return Draft(color, names[0] if names else self.desk.word(color))

    def _lay(self, routes: dict[str, str | None], stations: dict[str, str], depots: dict[str, str]) -> None:
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
    def modules_offered(self) -> list[str]:
        return list(MODULES)

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
        names = [{"name": d.name or self.desk.word(d.color), "color": d.color} for d in self.drafts]
        players = [{**about, **name} for about, name in zip(told, names, strict=True)]
        data: dict[str, Any] = {"variant": self.variant.id if self.variant else "", "players": players}
        if self.modules:
            data["modules"] = sorted(self.modules)
        if self.options:
            data["options"] = self.options
        if self.neutral:
            data["neutral_shares"] = self.neutral
        return Position.from_json(data)

    def picker(self, first: str = "") -> TicketPicker:
        """Tickets for the player at hand; what others hold is not offered again."""
        return TicketPicker(self.position(), [t for d in self.drafts for t in d.tickets], first)

    def tickets_seen(self, picture: Path, seen: Iterable[Sighting]) -> TicketReview:
        """What a photo of this player's tickets shows."""
        others = [t for d in self.drafts if d is not self.draft for t in d.tickets]
        return TicketReview.of(picture, seen, self.position(), self.draft.tickets, others)

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

    def count(self, ready: Callable[[SheetModel], Any], failed: Callable[[Trouble], Any]) -> None:
        """Scores beside the screen, once however often somebody taps; `ready` gets the sheet's model."""
        if self._counting:
            return
        self._counting = True
        position = self.position()

        def told(note: Note) -> None:
            if note.kind == "done":
                self._counted(position, note.value, ready, failed)
            elif note.kind == "failed":
                self._counting = False
                failed(note.value)

        self.desk.work.start("score", lambda _: score(position), told)

    def _counted(
        self,
        position: Position,
        sheet: ScoreSheet,
        ready: Callable[[SheetModel], Any],
        failed: Callable[[Trouble], Any],
    ) -> None:
        """The sheet goes into the history; where that can't be written, it is shown all the same."""
        try:
            past = self.desk.finish(position, sheet)
            if self.game is not None:
                self.desk.put_away()
        except Trouble as unwritten:
            ready(SheetModel(self.desk, position, sheet))
            failed(unwritten)
        else:
            ready(SheetModel(self.desk, position, sheet, past=past))

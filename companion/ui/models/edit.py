"""What lies on the board, put right by hand: tap a route or a city, say whose it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from companion.ui import hits
from companion.ui.layers import Pieces
from maps import Board
from vision.reading import DEPOT


@dataclass
class BoardEdit:
    """`owners`, `stations` and `depots` by colour. `kinds`: what stands before the colour of each building played."""

    board: Board
    colors: Sequence[str]
    owners: dict[str, str]
    stations: dict[str, str]
    depots: dict[str, str]
    kinds: Sequence[str] = ()
    changed: Callable[[], object] = lambda: None
    # What a tap may have meant, and what is being asked about.
    candidates: list[str] = field(default_factory=list)
    at: str = ""

    def pick(self, x: float, y: float, reach: float) -> bool:
        """A tap on the map. True if it meant something."""
        near = min(reach, self.board.geometry.space_width)
        city = hits.city_at(self.board, x, y, near) if self.kinds else None
        found = [city] if city else hits.routes_at(self.board, x, y, reach)
        if found:
            self.ask(*found)
        return bool(found)

    def ask(self, *names: str) -> None:
        """One of several routes or cities is meant."""
        self.at, self.candidates = (names[0], []) if len(names) == 1 else ("", list(names))

    def now(self, name: str) -> str | None:
        """Whose it is: a colour; a depot as `depot-red`."""
        if name in self.depots:
            return DEPOT + self.depots[name]
        return self.owners.get(name) or self.stations.get(name)

    def choices(self) -> list[str]:
        """The answers besides "empty"."""
        if self.at in self.board.routes:
            return list(self.colors)
        return [kind + color for kind in self.kinds for color in self.colors]

    def set(self, told: str | None) -> None:
        """Says whose it is, None: nobody's."""
        for kept in (self.owners, self.stations, self.depots):
            kept.pop(self.at, None)
        if told is not None:
            kind = self.depots if told.startswith(DEPOT) else self.stations
            kept = self.owners if self.at in self.board.routes else kind
            kept[self.at] = told.removeprefix(DEPOT)
        self.leave()
        self.changed()

    def leave(self) -> bool:
        """Back to the whole board; False if nothing was asked."""
        asked = bool(self.at or self.candidates)
        self.at, self.candidates = "", []
        return asked

    def pieces(self) -> Pieces:
        marked = (self.at,) if self.at else tuple(self.candidates)
        return Pieces(
            dict(self.owners), dict(self.stations), dict(self.depots), highlight=marked, numbered=tuple(self.candidates)
        )

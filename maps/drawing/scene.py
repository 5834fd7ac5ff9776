"""Puts a whole board together from shapes: what is printed, what lies on it, and what is to be pointed out."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from maps.board import Board
from maps.drawing import companies, places, tracks
from maps.drawing.decor import border, decoration
from maps.drawing.labels import Name, Placed, Strip, place
from maps.drawing.palette import LIGHT, STRANGE, WAGONS, Theme
from maps.drawing.shapes import Part, Polyline, Shape, Words
from maps.drawing.tracks import Track
from maps.files import nearest
from maps.message import Trouble

# A colour for the whole route, or one per space from a to b; None: empty.
Owner = str | None | Sequence[str | None]
_NOTHING: Mapping[str, str] = MappingProxyType({})

# How high names are, in widths of a space.
LABEL = 1.22


@dataclass(frozen=True)
class Scene:
    """A drawn board: 1 wide and `height` high, its shapes in the order in which they are painted.

    Every shape says which part of the drawing it is and what it depicts (the id of a route or city).
    `background` is None where the shapes are to be laid over something else. `names` tells each id in words.
    """

    board: str
    title: str
    language: str
    height: float
    background: str | None
    shapes: tuple[Shape, ...]
    names: Mapping[str, str]

    def only(self, *parts: Part) -> Scene:
        """The same scene with these parts alone, without paper: to lay over another picture."""
        return replace(self, background=None, shapes=tuple(s for s in self.shapes if s.part in parts))

    def without(self, *parts: Part) -> Scene:
        """The same scene on its paper, without these parts."""
        return replace(self, shapes=tuple(s for s in self.shapes if s.part not in parts))


def scene(
    board: Board,
    *,
    theme: Theme = LIGHT,
    language: str = "en",
    owners: Mapping[str, Owner] = _NOTHING,
    stations: Mapping[str, str] = _NOTHING,
    depots: Mapping[str, str] = _NOTHING,
    doubtful: Collection[str] = (),
    highlight: Collection[str] = (),
    labels: bool = True,
    decorated: bool = False,
) -> Scene:
    """Draws a board from its own geometry.

    `owners`: wagons by route. `stations`, `depots`: their owner's colour by city. `doubtful`, `highlight`: ids of
    routes and cities to mark. `decorated`: with a score track and ornaments, for practice photos.
    """
    _check(board, owners, stations, depots, (*doubtful, *highlight))
    drawing = _Drawing(board, theme, language, tracks.lay(board), labels, decorated)
    shapes = (
        *drawing.ground(highlight),
        *drawing.printed(),
        *drawing.pieces(owners, stations, depots),
        *drawing.doubts(doubtful),
        *drawing.names(),
    )
    names = {c.id: c.label(language) for c in board.cities.values()}
    names |= {r.id: f"{names[r.a]} – {names[r.b]}" for r in board.routes.values()}
    return Scene(board.id, board.name(language), language, drawing.height, theme.paper, shapes, MappingProxyType(names))


def _check(
    board: Board,
    owners: Mapping[str, Owner],
    stations: Mapping[str, str],
    depots: Mapping[str, str],
    marked: Collection[str],
) -> None:
    painted = [
        c for route, owner in owners.items() if route in board.routes for c in _per_space(board, route, owner) if c
    ]
    _known(owners, tuple(board.routes), "route", board)
    _known((*stations, *depots), tuple(board.cities), "city", board)
    _known(marked, (*board.routes, *board.cities), "route-or-city", board)
    _known((*painted, *stations.values(), *depots.values()), (*WAGONS, STRANGE), "color", board)


def _known(ids: Collection[str], known: Sequence[str], what: str, board: Board) -> None:
    for value in ids:
        if value not in known:
            meant = nearest(str(value), known)
            code = f"unknown-{what}" if meant else f"no-such-{what}"
            raise Trouble(code, value=str(value), meant=meant or "", known=known, board=board.name)


def _per_space(board: Board, route: str, owner: Owner) -> Sequence[str | None]:
    length = board.routes[route].length
    if owner is None or isinstance(owner, str):
        return (owner,) * length
    if len(owner) != length:
        raise Trouble("wagons-per-space", route=route, given=len(owner), n=length)
    return owner


class _Drawing:
    """One board while it is drawn: the layers, each as shapes from bottom to top."""

    def __init__(
        self, board: Board, theme: Theme, language: str, laid: Mapping[str, Track], labels: bool, decorated: bool
    ) -> None:
        self.board, self.theme, self.language, self.tracks = board, theme, language, laid
        self.labels, self.decorated = labels, decorated
        self.height = 1 / board.geometry.aspect
        self.margin = border(board) if decorated else 0.004
        self._solid = tuple(s for s in self.printed_tracks() if s.part == "track") + tuple(
            s for c in board.cities.values() for s in places.dot(board, c, theme)
        )
        self._groups = [rs for rs in board.groups.values() if rs[0].companies]
        strips = tuple(companies.strip(board, [laid[r.id] for r in rs]) for rs in self._groups)
        self._names = tuple(self._name_list()) if labels else ()
        self._strips: tuple[Strip, ...] = strips
        self._placed, self._rows = place(
            tuple(n for _, n in self._names), strips, self._solid, tuple(self._lines()), self.height, self.margin
        )

    def _lines(self) -> Iterator[Shape]:
        for t in self.tracks.values():
            yield from (s for s in tracks.bed(t, self.theme) if isinstance(s, Polyline))

    def _name_list(self) -> Iterator[tuple[str, Name]]:
        size = LABEL * self.board.geometry.space_width
        for city in self.board.cities.values():
            dot = places.radius(self.board, city) * (1.55 if city.tokens else 1.0)
            for at in tracks.spots(self.board, city):
                yield (
                    city.id,
                    Name(at, dot, city.label(self.language), size * (0.8 if city.junction else 1.0), "medium"),
                )

    def ground(self, highlight: Collection[str]) -> Iterator[Shape]:
        if self.decorated:
            yield from decoration(self.board, self.theme)
        for t in self.tracks.values():
            yield from tracks.water(t, self.theme)
        for wanted in dict.fromkeys(highlight):
            if wanted in self.tracks:
                yield from tracks.glow(self.tracks[wanted], self.theme)
            else:
                yield from places.glow(self.board, self.board.cities[wanted], self.theme)

    def printed(self) -> Iterator[Shape]:
        for t in self.tracks.values():
            yield from tracks.bed(t, self.theme)
        yield from self.printed_tracks()
        for group, strip, row in zip(self._groups, self._strips, self._rows, strict=True):
            yield from companies.discs(
                self.board, group[0].companies, strip.rows[row], strip.radius, self.theme, group[0].id
            )
        for city in self.board.cities.values():
            yield from places.dot(self.board, city, self.theme)

    def printed_tracks(self) -> Iterator[Shape]:
        draws = {r.tunnel_draw for r in self.board.routes.values() if r.tunnel_draw}
        for t in self.tracks.values():
            yield from tracks.spaces(t, self.theme, tell_draw=len(draws) > 1)

    def pieces(
        self, owners: Mapping[str, Owner], stations: Mapping[str, str], depots: Mapping[str, str]
    ) -> Iterator[Shape]:
        for route, owner in owners.items():
            yield from tracks.wagons(self.tracks[route], _per_space(self.board, route, owner))
        for city, color in depots.items():
            yield from places.building(self.board, self.board.cities[city], "depot", color)
        for city, color in stations.items():
            yield from places.building(self.board, self.board.cities[city], "station", color)

    def doubts(self, doubtful: Collection[str]) -> Iterator[Shape]:
        for wanted in dict.fromkeys(doubtful):
            if wanted in self.tracks:
                yield from tracks.doubt(self.tracks[wanted], self.theme)
            else:
                yield from places.doubt(self.board, self.board.cities[wanted], self.theme)

    def names(self) -> Iterator[Shape]:
        for (city, name), placed in zip(self._names, self._placed, strict=True):
            if placed.leader:
                yield self._leader(city, name, placed)
            ink = places.region_ink(self.board, self.board.cities[city], self.theme)
            for x, baseline, text in placed.lines:
                yield Words(
                    x, baseline, text, placed.size, "label", city, ink, weight=name.weight,
                    halo=self.theme.paper, halo_width=0.12 * placed.size,
                )  # fmt: skip

    def _leader(self, city: str, name: Name, placed: Placed) -> Shape:
        x0, y0, x1, y1 = placed.box
        end = (min(max(name.at[0], x0), x1), min(max(name.at[1], y0), y1))
        share = 1.3 * name.radius / math.dist(name.at, end)
        start = (name.at[0] + (end[0] - name.at[0]) * share, name.at[1] + (end[1] - name.at[1]) * share)
        return Polyline((start, end), "label", city, self.theme.quiet, 0.07 * placed.size)

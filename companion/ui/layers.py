"""The printed board as pixels, painted beside the screen in the size that is looked at, and kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock

from maps import Board, load
from maps.drawing import Shape, Theme, places, scene, to_image, tracks
from maps.drawing.scene import LABEL
from maps.drawing.shapes import Circle, Polygon, Polyline, Words
from maps.drawing.tracks import Track

# Widths in pixels; a picture is shown from the smallest that is wide enough.
WIDTHS = (768, 1536, 3072)
# Bytes of painted boards kept in memory.
_KEPT = 60_000_000
# How wide a route is in a small picture, in widths of its spaces.
_THICK = 1.1


@dataclass(frozen=True)
class Layer:
    """Pixels of a board without any piece, the top row first."""

    key: tuple[str, str, str, int]
    size: tuple[int, int]
    pixels: bytes = field(repr=False)


class _Painted:
    """The painted boards, the oldest first. Two threads paint, the screen's looks: one at a time."""

    def __init__(self) -> None:
        self._layers: OrderedDict[tuple[str, str, str, int], Layer] = OrderedDict()
        self._lock = Lock()

    def get(self, *keys: tuple[str, str, str, int]) -> Layer | None:
        """The first of these that was painted."""
        with self._lock:
            return next((self._layers[key] for key in keys if key in self._layers), None)

    def keep(self, layer: Layer) -> None:
        """Keeps one more; the oldest go where memory is short."""
        with self._lock:
            self._layers[layer.key] = layer
            while len(self._layers) > 1 and sum(len(each.pixels) for each in self._layers.values()) > _KEPT:
                self._layers.popitem(last=False)

    def __len__(self) -> int:
        return len(self._layers)

    def clear(self) -> None:
        with self._lock:
            self._layers.clear()


_painted = _Painted()


def width_for(pixels: float) -> int:
    """The width to paint for a board shown that wide.

    >>> width_for(360), width_for(1600), width_for(9000)
    (768, 3072, 3072)
    """
    return next((w for w in WIDTHS if w >= pixels), WIDTHS[-1])


def known(board: str, theme: Theme, language: str, width: int) -> Layer | None:
    """A layer painted before, the wished one or at least one in other sizes."""
    return _painted.get(*((board, theme.name, language, each) for each in (width, *WIDTHS)))


def forget() -> None:
    """Lets go of everything painted."""
    _painted.clear()


def label_size(board: str) -> float:
    """How high the names of a board are drawn, as a share of its width."""
    return LABEL * load(board).geometry.space_width


def paint(board: str, theme: Theme, language: str, width: int) -> Layer:
    """Paints a board, or takes one painted before. Takes up to half a second: not for the screen's thread.

    Without a language it has no names: where nobody could read them, they are dust.
    """
    key = (board, theme.name, language, width)
    found = _painted.get(key)
    if found is None:
        drawn = scene(load(board), theme=theme, language=language or "en", labels=bool(language))
        image = to_image(drawn, width).convert("RGB")
        found = Layer(key, image.size, image.tobytes())
        _painted.keep(found)
    return found


@dataclass(frozen=True)
class Pieces:
    """What lies on a board, and what is to be pointed out."""

    owners: Mapping[str, str | Sequence[str | None] | None] = field(default_factory=dict)
    stations: Mapping[str, str] = field(default_factory=dict)
    depots: Mapping[str, str] = field(default_factory=dict)
    doubtful: tuple[str, ...] = ()
    highlight: tuple[str, ...] = ()
    # Pointed out by a ring: what lies there keeps its colour.
    ringed: tuple[str, ...] = ()
    # Routes to choose from: each has its number, as in the list beside the map.
    numbered: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def laid(board: str) -> Mapping[str, Track]:
    """The tracks of a board as they are drawn."""
    return tracks.lay(load(board))


def line_shapes(board: str, theme: Theme) -> list[Shape]:
    """Every route as a line of its colour: a board as it is known from afar."""
    wide = _THICK * load(board).geometry.space_width
    return [
        Polyline(track.line, "track", name, theme.tracks[track.route.color].fill, wide)
        for name, track in laid(board).items()
    ]


def box_of(board: str, names: Sequence[str]) -> tuple[float, float, float, float] | None:
    """The part of a drawing (left, top, right, bottom) in which these routes and cities lie; None without any."""
    known, lines = load(board), laid(board)
    points = [point for name in names if name in lines for point in lines[name].line]
    points += [point for name in names if name in known.cities for point in tracks.spots(known, known.cities[name])]
    if not points:
        return None
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def piece_shapes(board: str, theme: Theme, pieces: Pieces) -> list[Shape]:
    """The shapes to lay over a printed board: marks below, then wagons and buildings, then doubts."""
    known, lines = load(board), laid(board)
    shapes: list[Shape] = []
    for name in pieces.highlight:
        glow = tracks.glow(lines[name], theme) if name in lines else places.glow(known, known.cities[name], theme)
        shapes += glow
    for route, owner in pieces.owners.items():
        colors = (owner,) * lines[route].route.length if owner is None or isinstance(owner, str) else owner
        shapes += tracks.wagons(lines[route], colors)
    for city, color in pieces.depots.items():
        shapes += places.building(known, known.cities[city], "depot", color)
    for city, color in pieces.stations.items():
        shapes += places.building(known, known.cities[city], "station", color)
    for name in pieces.doubtful:
        doubt = tracks.doubt(lines[name], theme) if name in lines else places.doubt(known, known.cities[name], theme)
        shapes += doubt
    for name in pieces.ringed:
        shapes += _ring(known, name, theme)
    for i, name in enumerate(pieces.numbered):
        shapes += _number(lines[name], i, len(pieces.numbered), theme)
    return shapes


def _number(track: Track, at: int, of: int, theme: Theme) -> list[Shape]:
    """A badge with a number on a route; each a little further along, so that those of parallel tracks stand apart."""
    along = track.frames[round((at + 1) / (of + 1) * (len(track.frames) - 1))]
    size = 1.5 * track.width
    badge = Circle(along.x, along.y, 0.95 * track.width, "doubt", track.route.id, theme.ink)
    return [badge, Words(along.x, along.y + 0.36 * size, str(at + 1), size, "doubt", track.route.id, theme.paper)]


def wagon_shapes(track: Track, colors: Sequence[str | None]) -> list[Shape]:
    """Wagons of these colours on a track, as they lie."""
    return list(tracks.wagons(track, colors))


def _ring(board: Board, name: str, theme: Theme) -> list[Shape]:
    """A light line on a dark one around every space of a route, or around a city: seen on any photo."""
    track = laid(board.id).get(name)
    width = board.geometry.space_width
    shapes: list[Shape] = []
    for ink, thick in ((theme.ink, 0.5), (theme.highlight, 0.34)):
        if track is None:
            x, y = tracks.spots(board, board.cities[name])[0]
            shapes.append(Circle(x, y, 1.9 * width, "doubt", name, None, ink, thick * width))
        else:
            shapes += (
                Polygon(track.outline(i, 0.6, 1.7), "doubt", name, None, ink, thick * width)
                for i in range(len(track.frames))
            )
    return shapes

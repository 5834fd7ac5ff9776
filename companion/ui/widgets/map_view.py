"""The drawn board: printed layer as one texture, pieces and marks as triangles above it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any  # Any: Kivy's properties have no types

from kivy.graphics import Color, Mesh, PopMatrix, PushMatrix, Translate
from kivy.metrics import dp
from kivy.properties import ObjectProperty, StringProperty

from companion.ui import layers
from companion.ui.feel import Feel
from companion.ui.layers import Layer, Pieces
from companion.ui.theme import Look, rgba
from companion.ui.widgets.meshes import Label, Triangles, triangles
from companion.ui.widgets.zoom import ZoomView, texture_of
from companion.ui.work import Note, Work
from maps import load
from maps.drawing import Shape, Theme
from maps.drawing.palette import blend

_GLOW_SHARE = 0.6
# Names smaller than this, in dp, are not read but only seen.
_LEAST_LABEL = 9
# How strong the print shows where pieces lie on it, so that wagons catch the eye.
_BEHIND = 0.62
# Routes that roll in at once, and how long that takes: a photo that brings many is no procession.
_ROLLING = 3
_ROLL_SECONDS = 0.6


class MapView(ZoomView):
    """A board with what lies on it. Tell it `show(board, pieces)`; taps come as `on_pick`."""

    board = StringProperty("")
    pieces = ObjectProperty(Pieces())

    def __init__(self, work: Work, look: Look, language: str, *, played: bool = False, **more: Any) -> None:
        self.played = played
        self._work, self._look, self._language = work, look, language
        self._shown: tuple[str, str, str, int] | None = None
        self._wanted = (0, "")
        self._framed: tuple[str, ...] = ()
        self._rolling: Any = None
        super().__init__(ground=rgba(look.map.paper), **more)

    def show(self, board: str, pieces: Pieces, feel: Feel | None = None) -> None:
        """Shows a board with these pieces; with `feel`, wagons that are new on it roll onto their track."""
        changed = board != self.board
        if not changed and pieces == self.pieces:
            return
        before = self.pieces.owners
        self.board, self.pieces = board, pieces
        self._stop_rolling()
        if changed:
            self._shown = None
            self.picture_height = 1 / load(board).geometry.aspect
            self._paint()
        fresh = [r for r, owner in pieces.owners.items() if isinstance(owner, str) and r not in before]
        if feel is not None and feel.moves and not changed and 0 < len(fresh) <= _ROLLING:
            self._lay_pieces(replace(pieces, owners={r: o for r, o in pieces.owners.items() if r not in fresh}))
            self._roll(fresh, feel)
        else:
            self._lay_pieces(pieces)

    def _roll(self, fresh: Sequence[str], feel: Feel) -> None:
        """One wagon after the other comes from the city before it. Taps find the route at once all the while."""
        wagons: list[tuple[list[Any], Any, tuple[float, float]]] = []
        lines = layers.laid(self.board)
        for route in fresh:
            track, color = lines[route], self.pieces.owners[route]
            for i, frame in enumerate(track.frames):
                alone = [color if n == i else None for n in range(len(track.frames))]
                back = track.frames[i - 1] if i else None
                way = (back.x - frame.x, back.y - frame.y) if back is not None else (0.0, 0.0)
                wagons.append(self._wagon(layers.wagon_shapes(track, alone), way))

        def step(share: float) -> None:
            if share >= 1:
                self.moving.clear()
                self._lay_pieces(self.pieces)
                return
            for i, (inks, shift, (dx, dy)) in enumerate(wagons):
                come = min(1.0, max(0.0, share * (len(wagons) + 1) - i))
                for ink in inks:
                    ink.a = come
                shift.xy = (dx * (1 - come), dy * (1 - come))

        self._rolling = feel.run(step, _ROLL_SECONDS)

    def _wagon(self, shapes: list[Shape], way: tuple[float, float]) -> tuple[list[Any], Any, tuple[float, float]]:
        """A wagon that can be moved: its colours, its place, and where it comes from."""
        shift, inks = Translate(0, 0), []
        self.moving.add(PushMatrix())
        self.moving.add(shift)
        for part in triangles(shapes)[0]:
            inks.append(Color(*rgba(part.color, 0.0)))
            self.moving.add(inks[-1])
            self.moving.add(Mesh(vertices=part.corners, indices=part.indices, mode="triangles"))
        self.moving.add(PopMatrix())
        return inks, shift, way

    def _stop_rolling(self) -> None:
        if self._rolling is not None:
            rolling, self._rolling = self._rolling, None
            rolling.cancel()
        self.moving.clear()

    def _lay_pieces(self, pieces: Pieces) -> None:
        parts, labels = _laid(self.board, self._look.map, pieces)
        glow, soft = self._look.map.highlight, blend(self._look.map.highlight, self._look.map.paper, 0.45)
        self.show_shapes(parts, labels, {glow: _GLOW_SHARE, soft: _GLOW_SHARE})

    def frame(self, names: Sequence[str]) -> None:
        """Brings these routes and cities into sight, once; without any the whole board again."""
        wanted = tuple(names)
        if wanted == self._framed:
            return
        self._framed = wanted
        box = layers.box_of(self.board, wanted)
        if box is None:
            self.show_whole()
        else:
            self.look_over(box)

    def on_zoomed(self) -> None:
        if self.board and self.width > 1:
            self._paint()

    def _paint(self) -> None:
        width, language = layers.width_for(self.pixels), self._names()
        ready = layers.known(self.board, self._look.map, language, width)
        if ready is not None and ready.key != self._shown:
            self._lay(ready)
        if (ready is None or ready.key[3] != width) and self._wanted != (width, language):
            self._wanted = (width, language)
            board, theme = self.board, self._look.map
            self._work.start("paint", lambda _: layers.paint(board, theme, language, width), self._painted)

    def _names(self) -> str:
        """The language of the names, none where they would be too small to read."""
        return self._language if layers.label_size(self.board) * self.pixels >= dp(_LEAST_LABEL) else ""

    def _painted(self, note: Note) -> None:
        self._wanted = (0, "")
        if note.kind == "done" and note.value.key[0] == self.board:
            self._lay(note.value)

    def _lay(self, layer: Layer) -> None:
        if layer.key[2] != self._names() or (
            self._shown and self._shown[2] == layer.key[2] and self._shown[3] > layer.key[3]
        ):
            return
        self._shown = layer.key
        self.show_texture(texture_of(layer.size, layer.pixels), _BEHIND if self.played else 1.0)


# What was last laid on a board: home and table show the same game again and again.
_last: deque[tuple[tuple[str, Theme, Pieces], tuple[list[Triangles], list[Label]]]] = deque(maxlen=4)


def _laid(board: str, theme: Theme, pieces: Pieces) -> tuple[list[Triangles], list[Label]]:
    key = (board, theme, pieces)
    known = next((laid for laid in _last if laid[0] == key), None)
    if known is None:
        known = (key, triangles(layers.piece_shapes(board, theme, pieces)))
    else:
        _last.remove(known)
    # The newest last: what is asked for again stays.
    _last.append(known)
    return known[1]


def forget() -> None:
    """Gives back the memory of what can be made again."""
    _last.clear()


class BoardPicture(ZoomView):
    """A board in small: its routes as plain lines, without anything that would be dust."""

    def __init__(self, board: str, look: Look, **more: Any) -> None:
        super().__init__(ground=rgba(look.map.paper), disabled=True, **more)
        self.picture_height = 1 / load(board).geometry.aspect
        parts, labels = triangles(layers.line_shapes(board, look.map))
        self.show_shapes(parts, labels, {})

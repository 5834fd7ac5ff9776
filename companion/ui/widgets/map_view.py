"""The drawn board: printed layer as one texture, pieces and marks as triangles above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.properties import ObjectProperty, StringProperty

from companion.ui import layers
from companion.ui.layers import Layer, Pieces
from companion.ui.theme import Look, rgba
from companion.ui.widgets.meshes import triangles
from companion.ui.widgets.zoom import ZoomView, texture_of
from companion.ui.work import Note, Work
from maps import load
from maps.drawing.palette import blend

_GLOW_SHARE = 0.6
# Names smaller than this, in dp, are not read but only seen.
_LEAST_LABEL = 9
# How strong the print shows where pieces lie on it, so that wagons catch the eye.
_BEHIND = 0.62


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
        super().__init__(ground=rgba(look.map.paper), **more)

    def show(self, board: str, pieces: Pieces) -> None:
        changed = board != self.board
        if not changed and pieces == self.pieces:
            return
        self.board, self.pieces = board, pieces
        if changed:
            self._shown = None
            self.picture_height = 1 / load(board).geometry.aspect
            self._paint()
        parts, labels = triangles(layers.piece_shapes(board, self._look.map, pieces))
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


class BoardPicture(ZoomView):
    """A board in small: its routes as plain lines, without anything that would be dust."""

    def __init__(self, board: str, look: Look, **more: Any) -> None:
        super().__init__(ground=rgba(look.map.paper), disabled=True, **more)
        self.picture_height = 1 / load(board).geometry.aspect
        parts, labels = triangles(layers.line_shapes(board, look.map))
        self.show_shapes(parts, labels, {})

"""A photo to move and pinch, with what was read laid over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any  # Any: Kivy's properties have no types

import cv2
import numpy as np
from kivy.graphics import Color, Line
from kivy.metrics import dp, sp

from companion.ui import layers, services
from companion.ui.layers import Pieces
from companion.ui.theme import DARK, LIGHT, SMALL
from companion.ui.widgets.base import Tap, escape
from companion.ui.widgets.meshes import Place, triangles
from companion.ui.widgets.zoom import ZoomView, texture_of
from companion.ui.work import Job, Note, Work
from maps import Board
from maps.board import Point
from maps.drawing import tracks
from maps.drawing.palette import WAGONS, blend

# Larger than this a photo gains nothing on a phone's screen.
_LONGEST = 2200
_SEE_THROUGH = 0.55
# A small picture in a list: how high it stands in dp, and its longest side in pixels.
_SMALL_HIGH = 96
_SMALL_LONG = 360


@dataclass(frozen=True)
class Pixels:
    """A decoded photo for the screen, the top row first; `full` is its size in the file."""

    size: tuple[int, int]
    full: tuple[int, int]
    pixels: bytes = field(repr=False)


def decode(_: Job, picture: Path) -> Pixels:
    """Reads a picture as it is displayed, not larger than a screen can show."""
    return _shown(picture, _LONGEST)


def shrunk(image: Any, longest: int = _LONGEST) -> Pixels:
    """A BGR picture for the screen."""
    height, width = image.shape[:2]
    share = min(1.0, longest / max(height, width))
    if share < 1:
        image = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    rgb = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
    return Pixels((rgb.shape[1], rgb.shape[0]), (width, height), rgb.tobytes())


def on_photo(corners: Sequence[Point], aspect: float, width: float) -> Place:
    """Where a place of the drawn board lies in a photo whose width is 1.

    >>> place = on_photo([(100, 50), (300, 50), (300, 150), (100, 150)], 2.0, 400)
    >>> tuple(round(c, 3) for c in place((0.5, 0.25)))
    (0.5, 0.25)
    """
    source = np.array([[0, 0], [1, 0], [1, 1 / aspect], [0, 1 / aspect]], np.float32)
    target = np.array(corners, np.float32) / width
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    # Thousands of single points: plain numbers are far quicker than small arrays.
    a, b, c, d, e, f, g, h, i = (float(v) for v in matrix.ravel())

    def place(p: Point) -> Point:
        x, y = p
        w = g * x + h * y + i
        return (a * x + b * y + c) / w, (d * x + e * y + f) / w

    return place


class PictureTap(Tap):
    """A picture in small with its name, to choose."""

    def __init__(self, work: Work, picture: Path, do: Callable[[], object]) -> None:
        super().__init__(escape(picture.name), do, kind="panel", orientation="vertical")
        self._view = ZoomView(size_hint_y=None, height=dp(_SMALL_HIGH), disabled=True)
        self.label.font_size = sp(SMALL)
        self.label.shorten = True
        self.add_widget(self._view, index=1)
        work.start("small", lambda _: _small(picture), self._loaded)

    def _loaded(self, note: Note) -> None:
        if note.kind == "done":
            self._view.picture_height = note.value.size[1] / note.value.size[0]
            self._view.show_texture(texture_of(note.value.size, note.value.pixels))


def _small(picture: Path) -> Pixels:
    return _shown(picture, _SMALL_LONG)


def _shown(picture: Path, longest: int) -> Pixels:
    photo = services.photo(picture)
    return replace(shrunk(photo.image, longest), full=(photo.width, photo.height))


class PhotoView(ZoomView):
    """Loads a picture beside the screen, then lays a reading over it.

    A photo is as bright in the dark as in the light look: so are the marks on it.
    """

    def __init__(self, work: Work, **more: Any) -> None:
        self._work = work
        self._to_photo: Place | None = None
        self._later: list[Callable[[], object]] = []
        self.full_width = 0
        super().__init__(ground=DARK.paper, **more)

    def load(self, picture: Path, board: Board, corners: Sequence[Point] = ()) -> None:
        """Shows a picture; with the board's corners in it, places of the board can be shown too."""
        self._board, self._corners = board, corners
        self._work.start("photo", lambda job: decode(job, picture), self._loaded)

    def _loaded(self, note: Note) -> None:
        if note.kind != "done":
            return
        photo: Pixels = note.value
        self.picture_height = photo.size[1] / photo.size[0]
        self.show_texture(texture_of(photo.size, photo.pixels))
        self.full_width = photo.full[0]
        if self._corners:
            self._to_photo = on_photo(self._corners, self._board.geometry.aspect, photo.full[0])
        for call in self._later:
            call()
        self._later.clear()

    def when_loaded(self, call: Callable[[], object]) -> None:
        """Calls at once, or as soon as the photo is there."""
        if self.full_width:
            call()
        else:
            self._later.append(call)

    def lay(self, pieces: Pieces) -> None:
        """What was read, see-through so that the photo still shows."""
        self.when_loaded(lambda: self._lay(pieces))

    def _lay(self, pieces: Pieces) -> None:
        if self._to_photo is None:
            return
        shapes = layers.piece_shapes(self._board.id, LIGHT.map, pieces)
        parts, labels = triangles(shapes, self._to_photo)
        clear = {p.fill: _SEE_THROUGH for p in WAGONS.values()} | {p.edge: _SEE_THROUGH for p in WAGONS.values()}
        theme = LIGHT.map
        clear |= {theme.highlight: 0.35, blend(theme.highlight, theme.paper, 0.45): 0.35}
        self.show_shapes(parts, labels, clear)

    def board_place(self, x: float, y: float) -> Point | None:
        """A place in the photo as a place on the drawn board."""
        if self._to_photo is None:
            return None
        corners = np.array([self._to_photo(p) for p in self._drawn_corners()], np.float32)
        back = cv2.getPerspectiveTransform(corners, np.array(self._drawn_corners(), np.float32))
        px, py, w = back @ np.array([x, y, 1.0])
        return float(px / w), float(py / w)

    def _drawn_corners(self) -> list[Point]:
        height = 1 / self._board.geometry.aspect
        return [(0.0, 0.0), (1.0, 0.0), (1.0, height), (0.0, height)]

    def point_at(self, quad: Sequence[Point], zoom: float) -> None:
        """Outlines something in the photo and enlarges it; corners in pixels of the file."""
        self.when_loaded(lambda: self._point_at(quad, zoom))

    def _point_at(self, quad: Sequence[Point], zoom: float) -> None:
        places = [(x / self.full_width, y / self.full_width) for x, y in quad]
        self.above.clear()
        self.above.add(Color(*LIGHT.doubt))
        self.above.add(Line(points=[c for p in places for c in p], close=True, width=0.004))
        self.look_at(sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places), zoom)

    def look_at_piece(self, name: str, zoom: float = 5.0) -> None:
        """Enlarges a route or city."""
        self.when_loaded(lambda: self._look_at(name, zoom))

    def _look_at(self, name: str, zoom: float) -> None:
        if self._to_photo is None:
            return
        if name in self._board.routes:
            middle = layers.laid(self._board.id)[name].middle
        else:
            middle = tracks.spots(self._board, self._board.cities[name])[0]
        self.look_at(*self._to_photo(middle), zoom)

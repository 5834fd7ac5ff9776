"""Draws a reading over its photo, so that a person checks it in seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from maps import Board, Route
from maps.drawing.fonts import font
from maps.drawing.palette import WAGONS, ink_on
from vision.config import ANNOTATE
from vision.photo import Photo
from vision.reading import Reading, Stray
from vision.spaces import ToPicture, by_homography

Pixel = tuple[float, float]
Box = tuple[float, float, float, float]
_OUTLINE = "#ffffff"
_DOUBT = "#ff2fd0"


@dataclass(frozen=True)
class Mark:
    """A card or paper in a photo: its corners in full pixels, what is written on it, and whether nobody need look."""

    quad: Sequence[Pixel]
    text: str
    sure: bool
    fill: str = "#ffffff"


def annotate(photo: Photo, reading: Reading, board: Board, language: str = "en") -> NDArray[np.uint8]:
    """The photo (BGR) with the board's outline, every taken route in its owner's colour, and doubtful ones marked."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    full = cv2.getPerspectiveTransform(square, np.array(reading.corners, np.float32))
    base, shrink = _faded(photo)
    to_picture = by_homography(shrink @ full)
    pen = ImageDraw.Draw(base)
    corners = [tuple(p) for p in to_picture(square.astype(np.float64))]
    width = (
        float(np.linalg.norm(np.subtract(corners[1], corners[0])) + np.linalg.norm(np.subtract(corners[2], corners[3])))
        / 2
    )
    unit = width * board.geometry.space_width
    pen.line([*corners, corners[0]], fill=_OUTLINE, width=max(2, round(unit / 4)), joint="curve")
    for route in board.routes.values():
        _draw_route(pen, route, reading, to_picture, unit)
    # What stands on the board is never hidden by a name.
    kept: list[Box] = []
    for draw, buildings in ((_draw_station, reading.stations), (_draw_depot, reading.depots)):
        for city, building in buildings.items():
            (at,) = to_picture(np.array([[board.cities[city].x, board.cities[city].y]]))
            draw(pen, at, WAGONS[building.color].fill, unit)
            kept.append(_around(at, unit * 1.1))
    for city in reading.doubtful:
        if city in board.cities:
            (at,) = to_picture(np.array([[board.cities[city].x, board.cities[city].y]]))
            pen.ellipse(_around(at, unit * 1.5), outline=_DOUBT, width=max(2, round(unit / 5)))
            kept.append(_around(at, unit * 1.5))
    for stray in reading.strays:
        _draw_stray(pen, board.routes[stray.route], stray, to_picture, unit)
    for hidden in reading.covered:
        under = board.routes[hidden].spaces if hidden in board.routes else (board.cities[hidden],)
        _draw_covered(pen, to_picture(np.array([(place.x, place.y) for place in under])), unit)
    for on_track, station in reading.borrowed.items():
        spaces = board.routes[on_track].spaces
        odd = [i for i, lying in enumerate(reading.routes[on_track].spaces) if lying == station.color][:1] or [0]
        (at,) = to_picture(np.array([[spaces[odd[0]].x, spaces[odd[0]].y]]))
        _draw_station(pen, at, WAGONS[station.color].fill, unit)
        kept.append(_around(at, unit * 1.1))
    _draw_names(pen, board, reading, to_picture, unit, language, kept)
    _draw_legend(pen, reading, base.size)
    return np.asarray(cv2.cvtColor(np.asarray(base), cv2.COLOR_RGB2BGR), np.uint8)


def learnt(
    photo: Photo, board: Board, corners: Sequence[Pixel], colors: Mapping[str, tuple[int, int, int]]
) -> NDArray[np.uint8]:
    """A photo of an empty board (BGR) with what enrolling learnt: its outline, and each space in its print's colour."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    full = cv2.getPerspectiveTransform(square, np.array(corners, np.float32))
    base, shrink = _faded(photo)
    to_picture = by_homography(shrink @ full)
    pen = ImageDraw.Draw(base)
    outline = [(float(x), float(y)) for x, y in to_picture(square.astype(np.float64))]
    pen.line([*outline, outline[0]], fill=_OUTLINE, width=3, joint="curve")
    shape, aspect = board.geometry, board.geometry.aspect
    for route in board.routes.values():
        for s in route.spaces:
            along = np.array([np.cos(np.radians(s.angle)), np.sin(np.radians(s.angle))]) * shape.space_length / 2
            side = np.array([-along[1], along[0]]) * shape.space_width / shape.space_length
            box = np.array([along + side, along - side, -along - side, -along + side]) * (1, aspect) + (s.x, s.y)
            corners_here = [(float(x), float(y)) for x, y in to_picture(box)]
            pen.polygon(corners_here, fill=colors.get(route.color, (128, 128, 128)), outline="#ffffff")
    return np.asarray(cv2.cvtColor(np.asarray(base), cv2.COLOR_RGB2BGR), np.uint8)


def marked(photo: Photo, marks: Sequence[Mark]) -> NDArray[np.uint8]:
    """The photo (BGR) with everything that lies there outlined and named; what is not sure stands out."""
    base, shrink = _faded(photo)
    to_picture, pen = by_homography(shrink), ImageDraw.Draw(base)
    size = max(ANNOTATE.least_text, ANNOTATE.longer_side / 70)
    face, used = font("bold", round(size)), list[Box]()
    quads = [to_picture(np.array(mark.quad, np.float64)) for mark in marks]
    for mark, quad in zip(marks, quads, strict=True):
        corners = [(float(x), float(y)) for x, y in (*quad, quad[0])]
        for color, thick in (("#202020", size / 4), (mark.fill if mark.sure else _DOUBT, size / 6)):
            pen.line(corners, fill=color, width=max(2, round(thick)), joint="curve")
    for mark, quad in zip(marks, quads, strict=True):
        box = _free_spot(quad.mean(0), face.getlength(mark.text) + size * 0.5, size * 1.25, size, used, on_top=True)
        if box is not None:
            used.append(box)
            _draw_label(pen, box, mark.text, mark.fill, not mark.sure, size)
    return np.asarray(cv2.cvtColor(np.asarray(base), cv2.COLOR_RGB2BGR), np.uint8)


def _faded(photo: Photo) -> tuple[Image.Image, NDArray[np.float64]]:
    """The photo as a picture to draw on, and what takes full pixels of the photo to its pixels."""
    factor = ANNOTATE.longer_side / max(photo.image.shape[:2])
    small = cv2.resize(
        photo.image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    )
    base = Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB))
    # The photo steps back a little, so that what is drawn stands out.
    base = Image.blend(base, Image.new("RGB", base.size, "#808080"), ANNOTATE.veil)
    return base, np.asarray(np.diag([factor, factor, 1.0]) @ photo.shrink, np.float64)


def _draw_stray(pen: ImageDraw.ImageDraw, route: Route, stray: Stray, to_picture: ToPicture, unit: float) -> None:
    """Wagons beside their track: a ring where each lies, and a line to the space that it is counted on."""
    homes = to_picture(np.array([(s.x, s.y) for s in route.spaces]))
    for at in to_picture(np.array(stray.at)):
        home = homes[int(np.argmin(np.linalg.norm(homes - at, axis=1)))]
        pen.line(
            [(float(at[0]), float(at[1])), (float(home[0]), float(home[1]))], fill=_DOUBT, width=max(2, round(unit / 4))
        )
        pen.ellipse(
            _around(at, unit * 0.5), fill=WAGONS[stray.color].fill, outline=_DOUBT, width=max(2, round(unit / 6))
        )


def _draw_covered(pen: ImageDraw.ImageDraw, points: NDArray[np.float64], unit: float) -> None:
    """A cross over every space that nobody can see."""
    for x, y in points:
        for sign in (-1, 1):
            ends = [
                (float(x - unit * 0.5), float(y - sign * unit * 0.5)),
                (float(x + unit * 0.5), float(y + sign * unit * 0.5)),
            ]
            pen.line(ends, fill=_DOUBT, width=max(2, round(unit / 5)))


def _around(at: Sequence[float], radius: float) -> Box:
    return at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius


def _draw_route(pen: ImageDraw.ImageDraw, route: Route, reading: Reading, to_picture: ToPicture, unit: float) -> None:
    told = reading.routes.get(route.id)
    if told is None:
        return
    points = to_picture(np.array([(s.x, s.y) for s in route.spaces]))
    doubtful = route.id in reading.doubtful
    if told.color is not None:
        line = _line(points, route, to_picture)
        thick = max(2, round(unit * 0.42))
        pen.line(line, fill="#ffffff" if told.color != "white" else "#202020", width=thick + max(2, round(unit * 0.22)))
        pen.line(line, fill=WAGONS[told.color].fill, width=thick)
    for point, lying in zip(points, told.spaces, strict=True):
        if lying is not None:
            pen.ellipse(
                _around(point, unit * 0.36), fill=WAGONS[lying].fill, outline="#ffffff", width=max(1, round(unit / 9))
            )
    if doubtful:
        _dashes(pen, _line(points, route, to_picture), unit)


def _line(points: NDArray[np.float64], route: Route, to_picture: ToPicture) -> list[Pixel]:
    """From one end of the route to the other; a route of one space is as long as that space."""
    if len(points) > 1:
        return [(float(x), float(y)) for x, y in points]
    space = route.spaces[0]
    reach = np.array([np.cos(np.radians(space.angle)), np.sin(np.radians(space.angle))]) * 0.011
    ends = to_picture(
        np.array([(space.x - reach[0], space.y - reach[1] * 1.5), (space.x + reach[0], space.y + reach[1] * 1.5)])
    )
    return [(float(x), float(y)) for x, y in ends]


def _dashes(pen: ImageDraw.ImageDraw, line: Sequence[Pixel], unit: float) -> None:
    """A dashed band along a doubtful route, on both sides of it."""
    for (x0, y0), (x1, y1) in pairwise(line):
        length = float(np.hypot(x1 - x0, y1 - y0))
        side = np.array([-(y1 - y0), x1 - x0]) / max(length, 1e-6) * unit * 0.75
        for start in np.arange(0, length, unit * 1.4):
            a, b = start / length, min(start + unit * 0.9, length) / length
            for s in (-side, side):
                begin, end = (
                    (x0 + (x1 - x0) * a + s[0], y0 + (y1 - y0) * a + s[1]),
                    (x0 + (x1 - x0) * b + s[0], y0 + (y1 - y0) * b + s[1]),
                )
                pen.line([begin, end], fill=_DOUBT, width=max(2, round(unit / 4)))


def _draw_station(pen: ImageDraw.ImageDraw, at: Sequence[float], fill: str, unit: float) -> None:
    pen.rectangle(_around(at, unit * 0.8), fill=fill, outline="#ffffff", width=max(1, round(unit / 6)))


def _draw_depot(pen: ImageDraw.ImageDraw, at: Sequence[float], fill: str, unit: float) -> None:
    """A house with a roof, so that it is not taken for a station."""
    outline = ((-0.8, 0.8), (-0.8, -0.3), (0, -1.1), (0.8, -0.3), (0.8, 0.8))
    corners = [(at[0] + x * unit, at[1] + y * unit) for x, y in outline]
    pen.polygon(corners, fill=fill, outline="#ffffff", width=max(1, round(unit / 6)))


def _draw_names(
    pen: ImageDraw.ImageDraw,
    board: Board,
    reading: Reading,
    to_picture: ToPicture,
    unit: float,
    language: str,
    kept: Sequence[Box],
) -> None:
    """Every taken or doubtful route's name beside its middle, where nothing is written yet; `kept` stays in sight."""
    size = max(ANNOTATE.least_text, unit * 0.85)
    face = font("bold", round(size))
    used = list(kept)
    wanted = [r for r in board.routes.values() if r.id in reading.doubtful] + [
        r for r in board.routes.values() if r.id in reading.taken and r.id not in reading.doubtful
    ]
    for route in wanted:
        told = reading.routes[route.id]
        doubtful = route.id in reading.doubtful
        text = "–".join(board.cities[c].label(language) for c in route.ends)
        if doubtful:
            text += f" ? {round(told.confidence * 100)} %"
        fill = WAGONS[told.color].fill if told.color else "#ffffff"
        points = to_picture(np.array([(s.x, s.y) for s in route.spaces]))
        middle = points[len(points) // 2]
        width = face.getlength(text) + size * 0.5
        box = _free_spot(middle, width, size * 1.25, unit, used)
        if box is None:
            continue
        used.append(box)
        _draw_label(pen, box, text, fill, doubtful, size)


def _draw_label(pen: ImageDraw.ImageDraw, box: Box, text: str, fill: str, doubtful: bool, size: float) -> None:
    """A name in a box; a doubtful one is framed."""
    pen.rounded_rectangle(
        box, radius=size * 0.3, fill=fill, outline=_DOUBT if doubtful else "#ffffff", width=2 if doubtful else 1
    )
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    pen.text(middle, text, font=font("bold", round(size)), fill=ink_on(fill), anchor="mm")


def _free_spot(
    at: Sequence[float], width: float, height: float, unit: float, used: Sequence[Box], on_top: bool = False
) -> Box | None:
    """The nearest place for a label where none lies yet."""
    # Beside a route first: what lies on it should stay in sight.
    for away in (0, 1.7, 2.6, 3.5, 4.5) if on_top else (1.7, 2.6, 3.5, 4.5, 0):
        for turn in (-90, 90, -45, 45, -135, 135, 0, 180):
            x = at[0] + np.cos(np.radians(turn)) * (away * unit + (width / 2 if abs(turn) != 90 and away else 0))
            y = at[1] + np.sin(np.radians(turn)) * away * unit
            box = (float(x - width / 2), float(y - height / 2), float(x + width / 2), float(y + height / 2))
            if not any(box[0] < u[2] and u[0] < box[2] and box[1] < u[3] and u[1] < box[3] for u in used):
                return box
    return None


def _draw_legend(pen: ImageDraw.ImageDraw, reading: Reading, size: tuple[int, int]) -> None:
    """Routes per colour in the corner, doubtful ones last."""
    counts: dict[str, int] = {}
    for color in reading.taken.values():
        counts[color] = counts.get(color, 0) + 1
    face = font("bold", max(14, size[1] // 50))
    step = max(14, size[1] // 50) * 1.6
    x = step / 2
    for fill, count in [(WAGONS[c].fill, n) for c, n in sorted(counts.items())] + [(_DOUBT, len(reading.doubtful))]:
        text = f" {count}{' ?' if fill == _DOUBT else ''} "
        width = face.getlength(text)
        pen.rounded_rectangle((x, step / 4, x + width, step * 1.15), radius=5, fill=fill, outline="#ffffff", width=1)
        pen.text((x + width / 2, step * 0.7), text, font=face, fill=ink_on(fill), anchor="mm")
        x += width + step / 3

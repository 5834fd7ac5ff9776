"""The annotated picture, drawn over a plain grey photo: what is told can be seen on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import maps
from maps.drawing.palette import WAGONS
from vision.annotate import Mark, annotate, marked
from vision.arrays import Picture
from vision.config import ANNOTATE
from vision.photo import Photo, of_image
from vision.reading import Reading, RouteReading, StationReading, Stray

BOARD = maps.load("europe")
WIDE, HIGH = 1200, 800
CORNERS = ((100.0, 80.0), (1100.0, 80.0), (1100.0, 740.0), (100.0, 740.0))
DOUBT = (208, 47, 255)


def photo() -> Photo:
    return of_image(np.full((HIGH, WIDE, 3), 120, np.uint8))


def reading(taken: dict[str, str], doubtful: tuple[str, ...] = (), stations: dict[str, str] | None = None) -> Reading:
    routes = {
        r.id: RouteReading(taken.get(r.id), 0.7 if r.id in doubtful else 0.99, (taken.get(r.id),) * r.length)
        for r in BOARD.routes.values()
    }
    stands = {city: StationReading(color, 0.9) for city, color in (stations or {}).items()}
    return Reading("grey.jpg", "europe", CORNERS, routes, stands, doubtful)


def around(picture: Picture, x: float, y: float, reach: int = 14) -> Picture:
    """The pixels around a point of the board."""
    factor = ANNOTATE.longer_side / WIDE
    column = round((CORNERS[0][0] + x * 1000) * factor)
    row = round((CORNERS[0][1] + y * 660) * factor)
    return picture[row - reach : row + reach, column - reach : column + reach].reshape(-1, 3)


def bgr(color: str) -> tuple[int, int, int]:
    fill = WAGONS[color].fill
    return int(fill[5:7], 16), int(fill[3:5], 16), int(fill[1:3], 16)


def has(pixels: Picture, color: tuple[int, int, int]) -> bool:
    return bool((np.abs(pixels.astype(int) - color).max(1) < 12).sum() > 10)


@pytest.mark.parametrize("color", BOARD.wagon_colors)
def test_a_taken_route_shows_its_owners_colour(color: str) -> None:
    route = next(r for r in BOARD.routes.values() if r.length == 4)
    picture = annotate(photo(), reading({route.id: color}), BOARD)
    end = route.spaces[0]
    assert has(around(picture, end.x, end.y), bgr(color))
    assert not has(around(annotate(photo(), reading({}), BOARD), end.x, end.y), bgr(color))


def test_a_doubtful_route_is_marked_whether_taken_or_not() -> None:
    route = next(r for r in BOARD.routes.values() if r.length == 4)
    space = route.spaces[1]
    for taken in ({}, {route.id: "red"}):
        picture = annotate(photo(), reading(taken, (route.id,)), BOARD)
        assert has(around(picture, space.x, space.y, 40), DOUBT)
    assert not has(around(annotate(photo(), reading({route.id: "red"}), BOARD), space.x, space.y, 40), DOUBT)


def test_stations_and_the_outline_are_drawn() -> None:
    city = BOARD.cities["paris"]
    picture = annotate(photo(), reading({}, stations={"paris": "green"}), BOARD)
    assert has(around(picture, city.x, city.y), bgr("green"))
    assert has(around(picture, 0.5, 0.0), (255, 255, 255))


def test_no_name_hides_a_station() -> None:
    """With every route taken names lie everywhere: Venezia's black station was under one."""
    taken = {r.id: "yellow" for r in BOARD.routes.values()}
    picture = annotate(photo(), reading(taken, stations=dict.fromkeys(BOARD.cities, "black")), BOARD)
    for city in BOARD.cities.values():
        seen = around(picture, city.x, city.y, 8)
        assert (np.abs(seen.astype(int) - bgr("black")).max(1) < 12).mean() > 0.9, city.id


def test_the_picture_keeps_its_shape() -> None:
    picture = annotate(photo(), reading({}), BOARD)
    assert picture.shape == (ANNOTATE.longer_side * HIGH // WIDE, ANNOTATE.longer_side, 3)


def test_what_was_moved_or_is_covered_can_be_seen() -> None:
    route = next(r for r in BOARD.routes.values() if r.length == 4)
    other = next(r for r in BOARD.routes.values() if r.length == 3)
    at = tuple((s.x + 0.03, s.y) for s in route.spaces)
    told = replace(
        reading({route.id: "red"}, (route.id, other.id)),
        strays=(Stray(route.id, "red", at),),
        covered=(other.id,),
    )
    plain, drawn = annotate(photo(), reading({}), BOARD), annotate(photo(), told, BOARD)
    for x, y in (at[1], (other.spaces[1].x, other.spaces[1].y)):
        assert not (around(plain, x, y) == DOUBT).all(1).any()
        assert (around(drawn, x, y) == DOUBT).all(1).any()


def test_a_card_in_a_photo_is_outlined_in_its_colour_and_a_doubtful_one_stands_out() -> None:
    boxes = [((x, 200.0), (x + 300.0, 200.0), (x + 300.0, 400.0), (x, 400.0)) for x in (100.0, 700.0)]
    marks = [Mark(boxes[0], "1. red", True, "#e0524c"), Mark(boxes[1], "2. white? (62 %)", False)]
    picture = marked(photo(), marks)
    factor = ANNOTATE.longer_side / WIDE

    def edge(x: float) -> Picture:
        return picture[round(290 * factor) : round(310 * factor), round((x - 6) * factor) : round((x + 6) * factor)]

    assert has(edge(100).reshape(-1, 3), (76, 82, 224))
    assert not has(edge(100).reshape(-1, 3), DOUBT)
    assert has(edge(700).reshape(-1, 3), DOUBT)
    # Names lie on what they name.
    middle = picture[round(300 * factor) - 12 : round(300 * factor) + 12, round(850 * factor) - 60 :][:, :120]
    assert has(middle.reshape(-1, 3), (255, 255, 255))

"""The drawn boards: everything is there, names lie on nothing, and pieces and marks show."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

import maps
from companion.lang import tell
from maps import drawing
from maps.drawing import DARK, PIECES, PRINTED, Scene, save, scene, to_image, to_svg
from maps.drawing.decor import border
from maps.drawing.fonts import extent
from maps.drawing.palette import WAGONS
from maps.drawing.shapes import SIGNS, Circle, Polygon, Polyline, Shape, Words
from maps.drawing.tracks import lay

BOARDS = ("usa", "europe", "asia", "legendary-asia", "united-kingdom", "pennsylvania", "san-francisco")
SVG = "{http://www.w3.org/2000/svg}"

# How many names touch a space or a city's dot; measured, may only go down. Where more than one, the towns crowd.
COVERED = {"asia": 1, "pennsylvania": 1, "united-kingdom": 6}

Box = tuple[float, float, float, float]


def box(words: Words) -> Box:
    width, above, below = (v * words.size for v in extent(words.text, words.weight))
    return words.x - width / 2, words.y - above, words.x + width / 2, words.y + below


def labels(drawn: Scene) -> list[Words]:
    return [s for s in drawn.shapes if isinstance(s, Words) and s.part == "label"]


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def shared_area(points: Sequence[tuple[float, float]], within: Box) -> float:
    """The area of a convex outline inside a box, by cutting it at the box's four sides."""
    points = list(points)
    for axis, sign, limit in ((0, 1, within[0]), (0, -1, within[2]), (1, 1, within[1]), (1, -1, within[3])):
        kept = []
        for p, q in zip(points, points[1:] + points[:1], strict=True):
            if sign * (p[axis] - limit) >= 0:
                kept.append(p)
            if (p[axis] - limit) * (q[axis] - limit) < 0:
                t = (limit - p[axis]) / (q[axis] - p[axis])
                kept.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
        points = kept
        if not points:
            return 0.0
    return abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(points, points[1:] + points[:1], strict=True))) / 2


def outline(shape: Shape) -> list[tuple[float, float]]:
    if isinstance(shape, Circle):
        return [
            (shape.x + shape.radius * math.cos(t), shape.y + shape.radius * math.sin(t))
            for t in (math.tau * i / 24 for i in range(24))
        ]
    assert isinstance(shape, Polygon)
    return list(shape.points)


def extremes(shape: Shape) -> list[tuple[float, float]]:
    if isinstance(shape, Words):
        x0, y0, x1, y1 = box(shape)
        return [(x0, y0), (x1, y1)]
    if isinstance(shape, Circle):
        return [(shape.x - shape.radius, shape.y - shape.radius), (shape.x + shape.radius, shape.y + shape.radius)]
    return list(shape.points)


@pytest.fixture(scope="module", params=BOARDS)
def board(request: pytest.FixtureRequest) -> maps.Board:
    return maps.load(request.param)


@pytest.fixture(scope="module")
def europe() -> maps.Board:
    return maps.load("europe")


def test_every_space_and_city_is_drawn_where_the_board_has_it(board: maps.Board) -> None:
    drawn = scene(board)
    spaces: dict[str, list[Polygon]] = {}
    for shape in drawn.shapes:
        if isinstance(shape, Polygon) and shape.part == "track" and shape.depicts:
            spaces.setdefault(shape.depicts, []).append(shape)
    for route in board.routes.values():
        assert len(spaces[route.id]) == route.length
        for space, polygon in zip(route.spaces, spaces[route.id], strict=True):
            x = sum(x for x, _ in polygon.points) / len(polygon.points)
            y = sum(y for _, y in polygon.points) / len(polygon.points)
            assert (x, y) == pytest.approx((space.x, space.y / board.geometry.aspect), abs=1e-4)
    dots = Counter(s.depicts for s in drawn.shapes if s.part == "city" and isinstance(s, Circle | Polygon))
    assert set(dots) == set(board.cities)


def test_everything_lies_inside_the_picture(board: maps.Board) -> None:
    for decorated in (False, True):
        drawn = scene(board, decorated=decorated)
        assert drawn.height == pytest.approx(1 / board.geometry.aspect)
        for shape in drawn.shapes:
            if shape.part in ("track", "mark", "company", "city", "label"):
                assert all(0 <= x <= 1 and 0 <= y <= drawn.height for x, y in extremes(shape)), shape


@pytest.mark.parametrize("language", maps.LANGUAGES)
def test_no_two_names_overlap(board: maps.Board, language: str) -> None:
    for decorated in (False, True):
        words = [(w, box(w)) for w in labels(scene(board, language=language, decorated=decorated))]
        clashes = [(a.text, b.text) for (a, p), (b, q) in combinations(words, 2) if overlap(p, q)]
        assert clashes == []


def test_names_keep_off_spaces_and_dots(board: maps.Board) -> None:
    drawn = scene(board)
    solid = [s for s in drawn.shapes if isinstance(s, Polygon | Circle) and s.part in ("track", "city", "company")]
    covered = []
    for words in labels(drawn):
        own = box(words)
        area = (own[2] - own[0]) * (own[3] - own[1])
        shares = [shared_area(outline(s), own) / area for s in solid]
        # Where there is no room a name may lap over a track's end, but never so that either can't be read.
        assert max(shares) < 0.12, words.text
        covered += [words.text for share in shares if share > 0]
    assert len(covered) <= COVERED.get(board.id, 0), covered


def test_discs_of_companies_lie_side_by_side() -> None:
    discs = [s for s in scene(maps.load("pennsylvania")).shapes if isinstance(s, Circle) and s.part == "company"]
    assert len(discs) > 100
    assert all(math.dist((a.x, a.y), (b.x, b.y)) > 1.9 * a.radius for a, b in combinations(discs, 2))


def test_every_name_is_written_near_its_city(board: maps.Board) -> None:
    drawn = scene(board, language="fr")
    written: dict[str, list[Words]] = {}
    for words in labels(drawn):
        written.setdefault(str(words.depicts), []).append(words)
    for city in board.cities.values():
        lines = written[city.id]
        text = " ".join(w.text for w in lines)
        assert text == " ".join([city.label("fr")] * (1 + len(city.also_at)))
        x, y = city.x, city.y / board.geometry.aspect
        away = min(math.hypot(max(b[0] - x, x - b[2], 0), max(b[1] - y, y - b[3], 0)) for b in map(box, lines))
        assert away < 4 * board.geometry.space_width, city.id


def test_kinds_of_tracks_differ_without_their_colour() -> None:
    def marks(board_id: str, route: str) -> Counter[tuple[str, str]]:
        shapes = scene(maps.load(board_id)).shapes
        return Counter((s.part, type(s).__name__) for s in shapes if s.depicts == route)

    ferry = marks("europe", "amsterdam-london-gray")
    assert ferry["water", "Polyline"] == 1
    assert ferry["mark", "Circle"] == 3 * 2  # three wheels on each of two locomotives
    tunnel = marks("europe", "marseille-zurich-pink")
    assert tunnel["bed", "Polyline"] > 1
    assert marks("europe", "frankfurt-munchen-pink")["bed", "Polyline"] == 1
    mountain = marks("legendary-asia", "agra-kathmandu-pink")
    assert mountain["mark", "Polyline"] == 2
    assert marks("pennsylvania", "albany-new-york-blue")["company", "Circle"] == 3
    numbers = {s.text for s in scene(maps.load("asia")).shapes if isinstance(s, Words) and s.part == "mark"}
    assert numbers == {"4", "5", "6"}


def test_colours_differ_in_their_signs() -> None:
    assert set(SIGNS) >= set(WAGONS)
    assert len({str(sign) for sign in SIGNS.values()}) == len(SIGNS)


def test_wagons_stations_and_depots_show_their_owner(europe: maps.Board) -> None:
    owners = {"brest-paris-black": "red", "paris-zurich-gray": ["blue", None, "green"], "dieppe-paris-pink": None}
    drawn = scene(europe, owners=owners, stations={"paris": "yellow"}, depots={"brest": "blue"})
    wagons = [(s.depicts, s.fill) for s in drawn.shapes if isinstance(s, Polygon) and s.part == "wagon" and s.stroke]
    red, blue, green = (WAGONS[c].fill for c in ("red", "blue", "green"))
    assert Counter(wagons) == {
        ("brest-paris-black", red): 3,
        ("paris-zurich-gray", blue): 1,
        ("paris-zurich-gray", green): 1,
    }
    assert [s.depicts for s in drawn.shapes if s.part == "station"] == ["paris"] * 2
    assert {s.depicts for s in drawn.shapes if s.part == "depot"} == {"brest"}


def test_doubt_and_highlight_show(europe: maps.Board) -> None:
    drawn = scene(europe, doubtful=["paris-zurich-gray", "wien"], highlight=["dieppe-paris-pink", "roma"])
    asked = [s.depicts for s in drawn.shapes if isinstance(s, Words) and s.part == "doubt" and s.text == "?"]
    assert asked == ["paris-zurich-gray", "wien"]
    assert {s.depicts for s in drawn.shapes if s.part == "glow"} == {"dieppe-paris-pink", "roma"}
    kinds = [s.part for s in drawn.shapes]
    assert kinds.index("glow") < kinds.index("track") < kinds.index("doubt")


def test_pieces_can_be_drawn_apart_from_the_board(europe: maps.Board) -> None:
    game = scene(europe, owners={"brest-paris-black": "red"}, stations={"wien": "blue"}, doubtful=["wien"])
    empty = scene(europe)
    assert tuple(s for s in game.shapes if s.part in PRINTED) == empty.shapes
    pieces = game.only(*PIECES)
    assert {s.part for s in pieces.shapes} == {"wagon", "station"}
    assert pieces.background is None
    assert {s.part for s in game.without("label").shapes} == {s.part for s in game.shapes} - {"label"}
    image = to_image(pieces, 600)
    assert image.mode == "RGBA"
    assert image.getpixel((5, 5)) == (0, 0, 0, 0)
    city = europe.cities["wien"]
    assert image.getpixel((round(city.x * 600), round(city.y * image.height + 7)))[3] == 255  # type: ignore[index]


def test_a_board_without_names(europe: maps.Board) -> None:
    assert labels(scene(europe, labels=False)) == []


def test_decoration_is_the_boards_own(board: maps.Board) -> None:
    drawn = scene(board, decorated=True)
    scores = {s.text for s in drawn.shapes if isinstance(s, Words) and s.part == "decor"}
    assert scores == {str(n) for n in range(1, 101)}
    edge = border(board)
    for shape in drawn.shapes:
        if shape.part in ("track", "city"):
            assert all(edge < x < 1 - edge and edge < y < drawn.height - edge for x, y in extremes(shape))
    other = scene(maps.load("usa" if board.id != "usa" else "europe"), decorated=True)
    assert drawn.only("decor").shapes != other.only("decor").shapes


def test_the_same_board_is_always_drawn_alike(board: maps.Board) -> None:
    first = scene(board, decorated=True)
    drawing.labels.place.cache_clear()
    assert scene(board, decorated=True) == first
    assert to_svg(first) == to_svg(scene(board, decorated=True))


def test_svg_is_whole_and_names_everything(board: maps.Board) -> None:
    root = ET.fromstring(to_svg(scene(board, stations={next(iter(board.cities)): "blue"})))  # noqa: S314
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == board.name.en
    assert root.get("role") == "img"
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert {f"track-{r}" for r in board.routes} <= set(ids)
    titles = {e.get("id"): e.findtext(f"{SVG}title") for e in root.iter(f"{SVG}g")}
    for city in board.cities.values():
        assert titles[f"city-{city.id}"] == city.label("en")
    for route in board.routes.values():
        assert titles[f"track-{route.id}"] == f"{board.cities[route.a].label()} – {board.cities[route.b].label()}"
    outside = [v for e in root.iter() for k, v in e.attrib.items() if "href" in k or "url(" in v]
    assert outside == []


def test_svg_escapes_what_players_write(europe: maps.Board) -> None:
    drawn = scene(europe)
    odd = Words(0.5, 0.5, 'A < B & "C"', 0.02, "label", "wien", "#000000")
    text = to_svg(Scene("x", "<board> & more", "en", 0.5, None, (odd,), drawn.names))
    assert ET.fromstring(text).findtext(f"{SVG}title") == "<board> & more"  # noqa: S314
    assert "A &lt; B &amp;" in text


@pytest.mark.parametrize("width", [200, 1600, 2500])
def test_png_has_the_size_asked_for(europe: maps.Board, width: int) -> None:
    image = to_image(scene(europe), width)
    assert image.size == (width, round(width / 1.5))
    assert image.mode == "RGB"


def test_png_shows_the_wagons(europe: maps.Board) -> None:
    route = europe.routes["edinburgh-london-black"]
    empty, taken = (to_image(scene(europe, owners=o), 1200) for o in ({}, {route.id: "yellow"}))
    for space in route.spaces:
        # Off the sign in the middle, on the wagon's roof.
        turn = math.radians(space.angle)
        x = space.x * 1200 + 10 * math.cos(turn)
        y = space.y * 800 + 10 * math.sin(turn)
        before, after = (image.getpixel((round(x), round(y))) for image in (empty, taken))
        assert sum(before) < 300 < sum(after)  # type: ignore[arg-type]


def test_dark_theme(board: maps.Board) -> None:
    light, dark = scene(board), scene(board, theme=DARK)
    assert dark.background == DARK.paper
    assert [type(s) for s in dark.shapes] == [type(s) for s in light.shapes]
    corner = to_image(dark, 300).getpixel((2, 2))
    assert isinstance(corner, tuple)
    assert sum(corner) < 150


@pytest.mark.parametrize("ending", [".png", ".jpg", ".JPEG", ".webp"])
def test_save_by_ending(europe: maps.Board, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"europe{ending}"
    save(scene(europe), file, 300)
    with Image.open(file) as image:
        assert image.size == (300, 200)


def test_save_svg(europe: maps.Board, tmp_path: Path) -> None:
    save(scene(europe), tmp_path / "europe.svg")
    assert ET.parse(tmp_path / "europe.svg").getroot().tag == f"{SVG}svg"  # noqa: S314


@pytest.mark.parametrize("name", ["europe.docx", "europe", "europe.pngx", ".png"])
def test_save_under_a_strange_name(europe: maps.Board, tmp_path: Path, name: str) -> None:
    with pytest.raises(maps.Trouble) as found:
        save(scene(europe), tmp_path / name)
    assert found.value.code == "unknown-picture-ending"
    assert not (tmp_path / name).exists()


def test_save_where_nothing_can_be_written(europe: maps.Board, tmp_path: Path) -> None:
    with pytest.raises(maps.Trouble) as found:
        save(scene(europe), tmp_path / "nowhere" / "europe.png", 200)
    assert found.value.code == "picture-not-written"


@pytest.mark.parametrize(
    ("asked", "code", "hint"),
    [
        ({"owners": {"paris-zurich-grey": "red"}}, "unknown-route", "paris-zurich-gray"),
        ({"owners": {"#": "red"}}, "no-such-route", ""),
        ({"owners": {"paris-zurich-gray": "redd"}}, "unknown-color", "red"),
        ({"owners": {"paris-zurich-gray": ["red"]}}, "wagons-per-space", ""),
        ({"stations": {"pari": "red"}}, "unknown-city", "paris"),
        ({"stations": {"paris": "mauve"}}, "no-such-color", ""),
        ({"depots": {"xyz": "red"}}, "no-such-city", ""),
        ({"doubtful": ["rom"]}, "unknown-route-or-city", "roma"),
        ({"highlight": ["!"]}, "no-such-route-or-city", ""),
    ],
)
def test_unknown_ids_are_named(europe: maps.Board, asked: dict[str, object], code: str, hint: str) -> None:
    with pytest.raises(maps.Trouble) as found:
        scene(europe, **asked)  # type: ignore[arg-type]
    assert found.value.code == code
    for language in maps.LANGUAGES:
        sentence = tell(found.value.message, language)
        assert hint in sentence
        assert not re.search(r"[{}]", sentence)


def test_a_small_board_of_ones_own() -> None:
    europe = maps.load("europe")
    few = {c: europe.cities[c] for c in ("paris", "dieppe")}
    routes = {"dieppe-paris-pink": europe.routes["dieppe-paris-pink"]}
    small = replace(europe, cities=few, routes=routes)
    drawn = scene(small, decorated=True)
    assert {w.text for w in labels(drawn)} == {"Paris", "Dieppe"}
    assert len(lay(small)) == 1


def test_leaders_join_names_to_their_dots(board: maps.Board) -> None:
    drawn = scene(board)
    for line in drawn.shapes:
        if isinstance(line, Polyline) and line.part == "label":
            start, end = line.points
            assert math.dist(start, end) < 4 * board.geometry.space_width
            boxes = [box(w) for w in labels(drawn) if w.depicts == line.depicts]
            assert any(b[0] - 1e-6 <= end[0] <= b[2] + 1e-6 for b in boxes)

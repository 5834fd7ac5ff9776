"""Finds, reads and checks board folders. Every problem is named with its file and field."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any  # Any: JSON until it is checked

import platformdirs

from maps.board import (
    GEOMETRY_KINDS,
    GRAY,
    KINDS,
    LOCOMOTIVES,
    STAGES,
    Board,
    Cards,
    City,
    Company,
    Geometry,
    Place,
    Route,
    Space,
    Technology,
    Text,
    Ticket,
    TicketDeck,
    TouristTokens,
    WildCard,
    ticket_ids,
)
from maps.given import read_file, read_json
from maps.layout import order_from, spaces_between
from maps.message import Message, Trouble, message

BUILT_IN = Path(__file__).parent
PARTS = ("meta", "cities", "routes", "tickets")
COLORS = ("blue", "pink", "orange", "white", "green", "yellow", "black", "red", "purple")
DEFAULT_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21, 9: 27}
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# Ten times the largest board there is.
_MOST_BYTES, _MOST_ROWS = 2_000_000, 3_000
# A longer word is no slip of the pen, and comparing it takes long.
_LONGEST_WORD = 80


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a board's files: where, and what to do about it."""

    file: str
    field: str
    message: Message

    @property
    def told(self) -> Message:
        """The whole sentence, to be told in the reader's language."""
        where = f"{self.file}: {self.field}" if self.field else self.file
        return message("board.problem", where=where, what=self.message)


def problem(file: str, field: str, what: str, **values: object) -> Problem:
    """A problem in a board's file; `board.` goes before what is wrong."""
    return Problem(file, field, message(f"board.{what}", **values))


class BoardError(Trouble):
    """A board whose files can't be used; `problems` has all that is wrong with them."""

    def __init__(self, board: str, problems: Sequence[Problem]) -> None:
        super().__init__("bad-board", board=board, problem=problems[0].told, more=len(problems) - 1)
        self.problems = tuple(problems)


class UnknownBoard(Trouble):
    """No board of that id; the message has the nearest one there is."""


def user_folder() -> Path:
    """Where players put boards of their own; `COMPANION_HOME` moves it."""
    home = os.environ.get("COMPANION_HOME")
    base = Path(home) if home else Path(platformdirs.user_data_dir("companion", appauthor=False))
    return base / "maps"


def _folders() -> Iterator[Path]:
    # Built-in boards come first: a board of the same name in the user folder never replaces one.
    for base in (BUILT_IN, user_folder()):
        if base.is_dir():
            yield from sorted(p for p in base.iterdir() if _ID.fullmatch(p.name) and (p / "meta.json").is_file())


def board_folders() -> dict[str, Path]:
    """Every board that can be loaded, by id (the folder's name)."""
    found: dict[str, Path] = {}
    for folder in _folders():
        found.setdefault(folder.name, folder)
    return found


def available() -> tuple[str, ...]:
    """Ids of all boards, built-in ones first."""
    return tuple(board_folders())


def nearest(wanted: str, known: Sequence[str]) -> str | None:
    """The known id that somebody most likely meant, if any comes close."""
    if len(wanted) > _LONGEST_WORD:
        return None
    close = difflib.get_close_matches(wanted.lower().replace(" ", "-").replace("_", "-"), known, n=1, cutoff=0.6)
    return close[0] if close else None


def load(board: str) -> Board:
    """The board of that id. Raises UnknownBoard or BoardError, each with a sentence for people.

    >>> load("europe").cities["kobenhavn"].names.en
    'Copenhagen'
    """
    if not isinstance(board, str) or not _ID.fullmatch(board):
        raise _unknown(str(board))
    folder = BUILT_IN / board
    if not (folder / "meta.json").is_file():
        folder = user_folder() / board
        if not (folder / "meta.json").is_file():
            raise _unknown(board)
    return _load(folder, tuple(_stamp(folder / f"{part}.json") for part in PARTS))


def _unknown(board: str) -> UnknownBoard:
    known = available()
    meant = nearest(board, known)
    if meant:
        return UnknownBoard("unknown-board", value=board, meant=meant)
    return UnknownBoard("no-such-board", value=board, known=", ".join(known))


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


# The stamps make a board that was edited on disk load anew.
@lru_cache(maxsize=32)
def _load(folder: Path, _stamps: tuple[int, ...]) -> Board:
    board, problems = read_folder(folder)
    if board is None:
        raise BoardError(folder.name, problems)
    return board


def validate(folder: Path) -> list[Problem]:
    """Everything wrong with a board folder; an empty list means that it loads and plays."""
    return read_folder(folder)[1]


class _Fields:
    """One JSON object of a board file: reads its fields, notes what is missing, of the wrong type or unknown."""

    def __init__(self, data: object, file: str, where: str, problems: list[Problem]) -> None:
        self.file, self.where, self.problems = file, where, problems
        self.used: set[str] = set()
        self.data: Mapping[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.wrong("", "not-object", value=_shown(data))

    def wrong(self, key: str, what: str, **values: object) -> None:
        """Notes a problem of a field; `board.` goes before what is wrong."""
        self.problems.append(problem(self.file, ".".join(p for p in (self.where, key) if p), what, **values))

    def unknown(self, key: str, value: str, known: Sequence[str]) -> None:
        """Notes an id that nothing has, with the nearest one there is."""
        meant = nearest(value, known)
        self.wrong(key, "unknown-near" if meant else "unknown", value=value, meant=meant or "")

    def get(self, key: str, default: object = None, required: bool = False) -> Any:
        self.used.add(key)
        if key not in self.data:
            if required:
                self.wrong(key, "missing")
            return default
        return self.data[key]

    def text(self, key: str, default: str | None = None) -> str:
        value = self.get(key, default, required=default is None)
        if isinstance(value, str) and (value or default is not None or key == "name"):
            return value
        if key in self.data:
            self.wrong(key, "not-text", value=_shown(value))
        return default or ""

    def id(self, key: str = "id") -> str:
        value = self.text(key)
        if value and not _ID.fullmatch(value):
            self.wrong(key, "not-id", value=value)
        return value

    def integer(self, key: str, default: int | None = None, low: int = 0, high: int = 10_000) -> int:
        value = self.get(key, default, required=default is None)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        if key in self.data:
            self.wrong(key, "not-whole-from", low=low, high=high, value=_shown(value))
        return default if default is not None else low

    def number(self, key: str, low: float, high: float, default: float | None = None) -> float:
        value = self.get(key, default, required=default is None)
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        if key in self.data:
            self.wrong(key, "not-number-from", low=f"{low:g}", high=f"{high:g}", value=_shown(value))
        return default if default is not None else low

    def flag(self, key: str) -> bool:
        value = self.get(key, False)
        if not isinstance(value, bool):
            self.wrong(key, "not-flag", value=_shown(value))
            return False
        return value

    def choice(self, key: str, among: Sequence[str], default: str | None = None) -> Any:
        value = self.get(key, default, required=default is None)
        if value in among:
            return value
        if key in self.data:
            self.wrong(key, "not-one-of", value=_shown(value), among=", ".join(among))
        return default or among[0]

    def items(self, key: str, required: bool = False) -> list[Any]:
        value = self.get(key, [], required)
        if isinstance(value, list):
            return value
        self.wrong(key, "not-list", value=_shown(value))
        return []

    def texts(self, key: str, known: Sequence[str] | None = None, required: bool = False) -> tuple[str, ...]:
        found = []
        for i, value in enumerate(self.items(key, required)):
            if not isinstance(value, str):
                self.wrong(f"{key}[{i}]", "not-text", value=_shown(value))
            elif known is not None and value not in known:
                self.unknown(f"{key}[{i}]", value, known)
            else:
                found.append(value)
        return tuple(found)

    def objects(self, key: str) -> Iterator[_Fields]:
        for i, value in enumerate(self.items(key)):
            yield _Fields(value, self.file, f"{self.where}{'.' if self.where else ''}{key}[{i}]", self.problems)

    def child(self, key: str, required: bool = False) -> _Fields:
        value = self.get(key, {}, required)
        return _Fields(value, self.file, f"{self.where}{'.' if self.where else ''}{key}", self.problems)

    def children(self, key: str) -> Iterator[tuple[str, _Fields]]:
        whole = self.child(key)
        for name, value in whole.data.items():
            yield name, _Fields(value, self.file, f"{whole.where}.{name}", self.problems)

    def words(self) -> Text:
        return Text(self.text("en"), self.text("fr", default=str(self.data.get("en", ""))))

    def end(self) -> None:
        for key in self.data:
            if key not in self.used and not key.startswith("_"):
                meant = nearest(key, sorted(self.used))
                self.wrong(key, "field-near" if meant else "field", meant=meant or "")


def _wild(cards: _Fields) -> WildCard:
    """What this board calls its locomotives, wagons and colours, where that is another name."""
    if "wild" not in cards.data:
        return LOCOMOTIVES
    f = cards.child("wild")
    names = [f.child(name, required=True).words() for name in ("one", "many", "short")]
    names += [f.child(name).words() if name in f.data else getattr(LOCOMOTIVES, name) for name in ("wagon", "wagons")]
    colors = f.child("colors")
    one, many, short, wagon, wagons = names
    found = WildCard(one, many, short, wagon, wagons, tuple((color, colors.text(color)) for color in colors.data))
    colors.end()
    f.end()
    return found


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else text[:37] + "..."


def _read_json(path: Path, problems: list[Problem]) -> Any:
    try:
        return read_json(read_file(path, _MOST_BYTES), things=_MOST_ROWS * 20)
    except FileNotFoundError:
        problems.append(problem(path.name, "", "no-file"))
    except json.JSONDecodeError as e:
        problems.append(problem(path.name, f"line {e.lineno}", "not-json", why=e.msg))
    except OSError as e:
        problems.append(problem(path.name, "", "unreadable", why=str(e.strerror or e)))
    except ValueError as e:
        problems.append(problem(path.name, "", "unreadable", why=str(e)))
    return None


def read_folder(folder: Path) -> tuple[Board | None, list[Problem]]:
    """Reads a board folder whole and collects every problem; the board is None if there is any."""
    problems: list[Problem] = []
    parts = {part: _read_json(folder / f"{part}.json", problems) for part in PARTS}
    if problems:
        return None, problems
    meta = _Fields(parts["meta"], "meta.json", "", problems)
    if problems:
        return None, problems
    rows: dict[str, list[_Fields]] = {}
    for part in PARTS[1:]:
        file = f"{part}.json"
        if not isinstance(parts[part], list):
            problems.append(problem(file, "", "not-list", value=_shown(parts[part])))
            parts[part] = []
        if len(parts[part]) > _MOST_ROWS:
            problems.append(problem(file, "", "too-many-rows", n=len(parts[part]), most=_MOST_ROWS))
            return None, problems
        rows[part] = [_Fields(row, file, _row_name(row, i), problems) for i, row in enumerate(parts[part])]
    try:
        board = _Reader(folder, meta, rows, problems).board()
    except (ValueError, TypeError, OverflowError) as e:
        # A value of a kind that no field asks about.
        problems.append(problem("meta.json", "", "unusable", why=str(e)))
        return None, problems
    return (None if problems else board), problems


def _row_name(row: object, i: int) -> str:
    name = row.get("id") if isinstance(row, dict) else None
    return f"[{i}]" + (f" ({name})" if isinstance(name, str) else "")


class _Reader:
    """Builds a board from checked fields; what can't be read leaves a problem behind."""

    def __init__(self, folder: Path, meta: _Fields, rows: Mapping[str, list[_Fields]], problems: list[Problem]) -> None:
        self.folder, self.meta, self.rows, self.problems = folder, meta, rows, problems

    def board(self) -> Board:
        meta = self.meta
        board_id = meta.id()
        if board_id and board_id != self.folder.name:
            meta.wrong("id", "other-folder", value=board_id, folder=self.folder.name)
        name = meta.child("name", required=True).words()
        stage = meta.choice("stage", STAGES, "beta")
        unsure = tuple(f.words() for f in meta.objects("unsure"))
        if stage == "beta" and not unsure:
            meta.wrong("unsure", "beta-unsure")
        sources = meta.texts("sources")
        players = self._players()
        wagons = meta.integer("wagons", low=1, high=500)
        wagon_colors = meta.texts("wagon_colors", COLORS, required=True)
        # A seat or a team needs a colour; teams of two share one.
        if len(set(wagon_colors)) != len(wagon_colors):
            meta.wrong("wagon_colors", "color-twice")
        cards = self._cards()
        points = self._route_points()
        geometry = self._geometry()
        companies = {c.id: c for c in self._companies()}
        technologies = {t.id: t for t in self._technologies()}
        cities = self._cities()
        places = self._places(cities)
        routes = self._routes(cities, cards, points, geometry, companies, technologies)
        decks = {key: TicketDeck(key, f.words(), f.integer("tickets", 0)) for key, f in meta.children("ticket_decks")}
        tickets = self._tickets(cities, places, decks)
        tokens = None
        if "tourist_tokens" in meta.data:
            f = meta.child("tourist_tokens")
            tokens = TouristTokens(f.integer("kinds", low=1, high=50), self._integers(f, "points"))
            if len(tokens.points) != tokens.kinds + 1:
                f.wrong("points", "token-points", n=tokens.kinds + 1, kinds=tokens.kinds)
            f.end()
        big_cities = meta.texts("big_cities", tuple(cities))
        unknown = meta.integer("tickets_unknown", 0)
        stations = meta.integer("stations", 0)
        if not tickets and not unknown:
            self.problems.append(problem("tickets.json", "", "no-tickets"))
        meta.end()
        return Board(
            board_id, name, stage, unsure, sources, players, wagons, wagon_colors, cards, MappingProxyType(points),
            MappingProxyType(cities), MappingProxyType(routes), MappingProxyType(tickets), MappingProxyType(decks),
            geometry, MappingProxyType(companies), MappingProxyType(technologies), MappingProxyType(places),
            tokens, big_cities, unknown, stations,
        )  # fmt: skip

    def _integers(self, fields: _Fields, key: str) -> tuple[int, ...]:
        values = fields.items(key, required=True)
        for i, value in enumerate(values):
            if not isinstance(value, int) or isinstance(value, bool):
                fields.wrong(f"{key}[{i}]", "not-whole", value=_shown(value))
        return tuple(v for v in values if isinstance(v, int) and not isinstance(v, bool))

    def _players(self) -> tuple[int, ...]:
        players = self._integers(self.meta, "players")
        if not players or any(not 1 <= n <= 12 for n in players) or sorted(set(players)) != list(players):
            self.meta.wrong("players", "players")
        return players

    def _cards(self) -> Cards:
        f = self.meta.child("cards", required=True)
        cards = Cards(f.texts("colors", COLORS, required=True), f.integer("per_color", low=1, high=100),
                      f.integer("locomotives", 0, high=100), _wild(f))  # fmt: skip
        if not cards.colors:
            f.wrong("colors", "no-colors")
        f.end()
        return cards

    def _route_points(self) -> dict[int, int]:
        f = self.meta.child("route_points")
        points = dict(DEFAULT_POINTS) if not f.data else {}
        for key in f.data:
            if not re.fullmatch("[0-9]{1,2}", key) or not 1 <= int(key) <= 20:
                f.wrong(key, "route-points")
                f.used.add(key)
            else:
                points[int(key)] = f.integer(key, low=0, high=200)
        return points

    def _geometry(self) -> Geometry:
        f = self.meta.child("geometry", required=True)
        area = f.items("map_area")
        bad = [p for p in area if not _is_point(p)]
        if bad or len(area) not in (0, 4):
            f.wrong("map_area", "map-area")
            area = []
        geometry = Geometry(
            f.choice("kind", GEOMETRY_KINDS, "schematic"), f.text("edition"), f.number("aspect", 0.2, 5),
            f.number("space_length", 0.005, 0.2), f.number("space_width", 0.002, 0.1),
            tuple((float(x), float(y)) for x, y in area),
        )  # fmt: skip
        f.end()
        return geometry

    def _companies(self) -> Iterator[Company]:
        for f in self.meta.objects("companies"):
            yield Company(f.id(), f.text("name"), f.integer("shares", low=1), self._integers(f, "points_by_rank"))
            f.end()

    def _technologies(self) -> Iterator[Technology]:
        for f in self.meta.objects("technologies"):
            effects, about = f.child("effects"), f.child("about")
            told = Text(about.text("en", default=""), about.text("fr", default=""))
            values = {key: effects.integer(key) for key in effects.data}
            yield Technology(
                f.id(), f.words(), f.integer("copies", low=1), f.integer("locomotives"), f.flag("advanced"),
                MappingProxyType(values), told,
            )  # fmt: skip
            f.end()

    def _cities(self) -> dict[str, City]:
        cities: dict[str, City] = {}
        for f in self.rows["cities"]:
            city_id, name = f.id(), f.text("name")
            junction = f.flag("junction")
            if not name and not junction and "name" in f.data:
                f.wrong("name", "no-name")
            names = Text(f.text("en", default=name), f.text("fr", default=name))
            also = [p for p in f.items("also_at") if _is_point(p)]
            if len(also) < len(f.items("also_at")):
                f.wrong("also_at", "also-at")
            city = City(
                city_id, name, names, f.number("x", 0, 1), f.number("y", 0, 1), f.texts("aliases"),
                f.text("region", default="") or None, junction, f.flag("tokens"),
                tuple((float(x), float(y)) for x, y in also),
            )  # fmt: skip
            if city_id in cities:
                f.wrong("id", "city-twice", id=city_id)
            cities[city_id] = city
            f.end()
        if len(cities) < 2:
            self.problems.append(problem("cities.json", "", "too-few-cities"))
        return cities

    def _places(self, cities: Mapping[str, City]) -> dict[str, Place]:
        places: dict[str, Place] = {}
        for key, f in self.meta.children("places"):
            if key in cities:
                f.wrong("", "is-a-city", id=key)
            places[key] = Place(key, f.words(), f.texts("cities", tuple(cities), required=True))
            f.end()
        return places

    def _routes(
        self,
        cities: Mapping[str, City],
        cards: Cards,
        points: Mapping[int, int],
        geometry: Geometry,
        companies: Mapping[str, Company],
        technologies: Mapping[str, Technology],
    ) -> dict[str, Route]:
        colors = (GRAY, *cards.colors)
        known = tuple(cities)
        lanes: dict[str, list[str]] = {}
        for f in self.rows["routes"]:
            group = f.data.get("group", f.data.get("id"))
            if isinstance(group, str):
                lanes.setdefault(group, []).append(str(f.data.get("id")))
        routes: dict[str, Route] = {}
        for f in self.rows["routes"]:
            route_id, a, b = f.id(), f.text("a"), f.text("b")
            for key, end in (("a", a), ("b", b)):
                if end and end not in cities:
                    f.unknown(key, end, known)
            if a and a == b:
                f.wrong("b", "route-ends")
            length = f.integer("length", low=1, high=20)
            group = f.text("group", default=route_id)
            if "points" not in f.data and length not in points:
                f.wrong("length", "no-points", n=length)
            route = Route(
                route_id, a, b, length, f.choice("color", colors), group,
                f.integer("points", points.get(length, 0)), f.choice("kind", KINDS, "normal"),
                f.integer("locomotives", 0, high=20), f.integer("tunnel_draw", 0, high=20),
                f.integer("mountain_marks", 0, high=20), f.texts("companies", tuple(companies)),
                f.texts("technologies", tuple(technologies)),
                self._spaces(f, cities, a, b, length, lanes.get(group, [route_id]), geometry),
            )  # fmt: skip
            self._check_kind(f, route)
            if route_id in routes:
                f.wrong("id", "route-twice", id=route_id)
            routes[route_id] = route
            f.end()
        self._check_groups(routes)
        if not routes:
            self.problems.append(problem("routes.json", "", "no-routes"))
        return routes

    def _check_kind(self, f: _Fields, route: Route) -> None:
        for kind, key, value in (
            ("ferry", "locomotives", route.locomotives),
            ("tunnel", "tunnel_draw", route.tunnel_draw),
            ("mountain", "mountain_marks", route.mountain_marks),
        ):
            if route.kind == kind and not value:
                f.wrong(key, f"no-{key}")
            elif route.kind != kind and value:
                f.wrong(key, f"only-{kind}")
        if route.locomotives > route.length:
            f.wrong("locomotives", "too-many-symbols", n=route.locomotives, spaces=route.length)

    def _check_groups(self, routes: Mapping[str, Route]) -> None:
        first: dict[str, Route] = {}
        for route in routes.values():
            head = first.setdefault(route.group, route)
            if {head.a, head.b} != {route.a, route.b} or head.length != route.length:
                self.problems.append(problem("routes.json", f"{route.id}.group", "group", id=head.id))

    def _spaces(
        self,
        f: _Fields,
        cities: Mapping[str, City],
        a: str,
        b: str,
        length: int,
        lanes: list[str],
        geometry: Geometry,
    ) -> tuple[Space, ...]:
        rows = f.items("spaces")
        if not rows:
            if a not in cities or b not in cities:
                return ()
            ends = ((cities[a].x, cities[a].y), (cities[b].x, cities[b].y))
            lane = lanes.index(str(f.data.get("id"))) if str(f.data.get("id")) in lanes else 0
            return spaces_between(
                *ends, length, lane, len(lanes), geometry.aspect, geometry.space_length, geometry.space_width
            )
        if len(rows) != length:
            f.wrong("spaces", "spaces", n=len(rows), wanted=length)
        found = []
        for i, row in enumerate(rows):
            if not (isinstance(row, list) and len(row) == 3 and all(_is_number(v) for v in row)):
                f.wrong(f"spaces[{i}]", "not-space", value=_shown(row))
            elif not (0 <= row[0] <= 1 and 0 <= row[1] <= 1):
                f.wrong(f"spaces[{i}]", "outside", value=_shown(row))
            else:
                found.append(Space(float(row[0]), float(row[1]), float(row[2])))
        if a in cities and not order_from((cities[a].x, cities[a].y), found, geometry.aspect):
            also = [p for c in (a, b) if c in cities for p in cities[c].also_at]
            # A city drawn in several spots may have its spaces start at another of them.
            if not also:
                f.wrong("spaces", "spaces-order", a=a, b=b)
        return tuple(found)

    def _tickets(
        self, cities: Mapping[str, City], places: Mapping[str, Place], decks: Mapping[str, TicketDeck]
    ) -> dict[str, Ticket]:
        known = (*cities, *places)
        rows: list[tuple[str, str, int]] = []
        for f in self.rows["tickets"]:
            a, b = f.text("a"), f.text("b")
            for key, end in (("a", a), ("b", b)):
                if end and end not in known:
                    f.unknown(key, end, known)
            if a and a == b:
                f.wrong("b", "ticket-ends")
            rows.append((*sorted((a, b)), f.integer("points", low=1, high=100)))  # type: ignore[arg-type]
        tickets: dict[str, Ticket] = {}
        for f, ticket_id, (a, b, points) in zip(self.rows["tickets"], ticket_ids(rows), rows, strict=True):
            revised = f.integer("revised", points, low=1, high=100)
            ticket = Ticket(
                ticket_id, a, b, points, frozenset(f.texts("decks", tuple(decks))), f.flag("long"),
                revised if "revised" in f.data else None,
            )  # fmt: skip
            if ticket_id in tickets:
                f.wrong("", "ticket-twice", id=ticket_id)
            tickets[ticket_id] = ticket
            f.end()
        for deck in decks.values():
            held = sum(deck.id in t.decks for t in tickets.values())
            if held != deck.tickets:
                self.meta.wrong(f"ticket_decks.{deck.id}.tickets", "deck-count", n=deck.tickets, there=held)
        return tickets


def _is_point(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_number(v) for v in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)

"""What a board is: cities, routes, tickets and where they lie. Frozen: a board never changes while it is used."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

Kind = Literal["normal", "ferry", "tunnel", "mountain"]
Stage = Literal["stable", "beta"]
GeometryKind = Literal["measured", "estimated", "schematic"]
Point = tuple[float, float]

KINDS: tuple[Kind, ...] = ("normal", "ferry", "tunnel", "mountain")
STAGES: tuple[Stage, ...] = ("stable", "beta")
GEOMETRY_KINDS: tuple[GeometryKind, ...] = ("measured", "estimated", "schematic")
LANGUAGES = ("en", "fr")
GRAY = "gray"
LOCOMOTIVE = "locomotive"


def plain(text: str) -> str:
    """Letters and digits only, without accents or case, so that `Kobenhavn` finds `København`.

    >>> plain("Zürich"), plain("St. Louis"), plain("København")
    ('zurich', 'st louis', 'kobenhavn')
    """
    text = text.replace("ø", "o").replace("Ø", "O").replace("ł", "l").replace("Ł", "L")
    folded = unicodedata.normalize("NFKD", text).casefold()
    kept = (ch if ch.isalnum() else " " for ch in folded if not unicodedata.combining(ch))
    return " ".join("".join(kept).split())


@dataclass(frozen=True, slots=True)
class Text:
    """A name or sentence in the languages of the app."""

    en: str
    fr: str

    def __call__(self, language: str = "en") -> str:
        return self.fr if language == "fr" else self.en


@dataclass(frozen=True, slots=True)
class Space:
    """One space of a track: its centre over the whole printed board (0..1) and its angle on the table, in degrees."""

    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True)
class City:
    """A place where tracks meet. `name` is what the board prints; a junction prints none."""

    id: str
    name: str
    names: Text
    x: float
    y: float
    aliases: tuple[str, ...] = ()
    region: str | None = None
    junction: bool = False
    tokens: bool = False
    also_at: tuple[Point, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every way somebody may write this city, what is printed first."""
        every = (self.name, self.names.en, self.names.fr, *self.aliases)
        return tuple(dict.fromkeys(s for s in every if s))

    def label(self, language: str = "en") -> str:
        """The printed name; a junction has none and is named in the player's language."""
        return self.name or self.names(language)


@dataclass(frozen=True, slots=True)
class Route:
    """One track between two cities. Tracks of one `group` are parallel: a double or triple route."""

    id: str
    a: str
    b: str
    length: int
    color: str
    group: str
    points: int
    kind: Kind = "normal"
    locomotives: int = 0
    tunnel_draw: int = 0
    mountain_marks: int = 0
    companies: tuple[str, ...] = ()
    technologies: tuple[str, ...] = ()
    spaces: tuple[Space, ...] = ()

    @property
    def ends(self) -> tuple[str, str]:
        return self.a, self.b

    def other(self, city: str) -> str:
        return self.b if city == self.a else self.a


@dataclass(frozen=True, slots=True)
class Ticket:
    """Two places to join. `revised` is the value on a later reprint; `decks` are the sets that hold this ticket."""

    id: str
    a: str
    b: str
    points: int
    decks: frozenset[str] = frozenset()
    long: bool = False
    revised: int | None = None


@dataclass(frozen=True, slots=True)
class TicketDeck:
    id: str
    name: Text
    tickets: int


@dataclass(frozen=True, slots=True)
class Company:
    """A railway company whose shares are numbered from 1; `points_by_rank` score at the end."""

    id: str
    name: str
    shares: int
    points_by_rank: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Technology:
    """A technology card: its price in locomotives and what it changes, in the words that the rules use."""

    id: str
    name: Text
    copies: int
    locomotives: int
    advanced: bool = False
    effects: Mapping[str, int] = field(default_factory=dict)
    # What it is good for, in one line for players.
    about: Text = Text("", "")


@dataclass(frozen=True, slots=True)
class Place:
    """A name on tickets that several cities answer to: reaching any one of them will do."""

    id: str
    name: Text
    cities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TouristTokens:
    """How many kinds there are, and the points for 0, 1, 2, ... different kinds."""

    kinds: int
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WildCard:
    """What a board calls the card that stands for any colour: one of them, several, and in short on a button.

    `wagon`, `wagons`: what it calls the pieces that are laid; `colors`: colours that its book names differently.
    """

    one: Text
    many: Text
    short: Text
    wagon: Text = Text("train", "wagon")
    wagons: Text = Text("trains", "wagons")
    colors: tuple[tuple[str, str], ...] = ()


LOCOMOTIVES = WildCard(Text("locomotive", "locomotive"), Text("locomotives", "locomotives"), Text("Loco", "Loco"))


@dataclass(frozen=True, slots=True)
class Cards:
    """The deck of train cards: its colours, cards of each, and locomotives by the name they have on this board."""

    colors: tuple[str, ...]
    per_color: int
    locomotives: int
    wild: WildCard = LOCOMOTIVES

    @property
    def total(self) -> int:
        return len(self.colors) * self.per_color + self.locomotives


@dataclass(frozen=True, slots=True)
class Geometry:
    """How the positions were found. Sizes are fractions of the board's width; `aspect` is width over height.

    `measured`: on the print. `estimated`: on a picture of the map area, the score track around it guessed.
    `schematic`: a sketch that does not follow the print. `map_area`: the picture's corners on the whole board.
    """

    kind: GeometryKind
    edition: str
    aspect: float
    space_length: float
    space_width: float
    map_area: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Board:
    """A board with everything printed on it. Ids of cities, routes and tickets never change."""

    id: str
    name: Text
    stage: Stage
    unsure: tuple[Text, ...]
    sources: tuple[str, ...]
    players: tuple[int, ...]
    wagons: int
    wagon_colors: tuple[str, ...]
    cards: Cards
    route_points: Mapping[int, int]
    cities: Mapping[str, City]
    routes: Mapping[str, Route]
    tickets: Mapping[str, Ticket]
    ticket_decks: Mapping[str, TicketDeck]
    geometry: Geometry
    companies: Mapping[str, Company]
    technologies: Mapping[str, Technology]
    places: Mapping[str, Place]
    tourist_tokens: TouristTokens | None = None
    big_cities: tuple[str, ...] = ()
    tickets_unknown: int = 0
    # Stations of each colour in the box: 0 where none are played.
    stations: int = 0

    @cached_property
    def groups(self) -> Mapping[str, tuple[Route, ...]]:
        """The tracks of each group; most groups hold one."""
        found: dict[str, list[Route]] = {}
        for route in self.routes.values():
            found.setdefault(route.group, []).append(route)
        return MappingProxyType({g: tuple(rs) for g, rs in found.items()})

    @cached_property
    def touching(self) -> Mapping[str, tuple[Route, ...]]:
        """The tracks that end in each city."""
        found: dict[str, list[Route]] = {c: [] for c in self.cities}
        for route in self.routes.values():
            found[route.a].append(route)
            found[route.b].append(route)
        return MappingProxyType({c: tuple(rs) for c, rs in found.items()})

    def reach(self, place: str) -> tuple[str, ...]:
        """The cities that count as this end of a ticket: the city itself, or all cities of a place."""
        return self.places[place].cities if place in self.places else (place,)

    def place_name(self, place: str, language: str = "en") -> str:
        """What players call a city or place: as printed."""
        return self.places[place].name(language) if place in self.places else self.cities[place].label(language)

    def deck(self, *decks: str) -> tuple[Ticket, ...]:
        """The tickets of one or more decks, in the board's order."""
        return tuple(t for t in self.tickets.values() if not t.decks.isdisjoint(decks))

    def find_cities(self, text: str) -> tuple[City, ...]:
        """Cities whose name in any language starts with the text, exact matches first, then those that contain it."""
        wanted = plain(text)
        if not wanted:
            return ()
        ranked: list[tuple[int, str, City]] = []
        for city in self.cities.values():
            forms = [plain(s) for s in city.spellings]
            rank = min(
                (0 if f == wanted else 1 if f.startswith(wanted) else 2 for f in forms if wanted in f), default=None
            )
            if rank is not None:
                ranked.append((rank, city.id, city))
        return tuple(city for _, _, city in sorted(ranked, key=lambda r: r[:2]))


def ticket_ids(rows: Iterable[tuple[str, str, int]]) -> list[str]:
    """Ids of tickets: both ends in alphabetical order; with the points where the same pair stands there twice.

    >>> ticket_ids([("b", "a", 5), ("c", "a", 7), ("a", "c", 9)])
    ['a--b', 'a--c--7', 'a--c--9']
    """
    rows = list(rows)
    pairs = ["--".join(sorted((a, b))) for a, b, _ in rows]
    points = [p for _, _, p in rows]
    return [pair if pairs.count(pair) == 1 else f"{pair}--{n}" for pair, n in zip(pairs, points, strict=True)]

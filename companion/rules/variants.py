"""Every variant as data: one documented base, each variant only its differences.

What a board prints (wagons, cards, route points, tunnels, companies) comes from the board; what a booklet says is here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from maps import Board, Route, Text, Ticket

Bonus = Literal[
    "routes", "tickets", "stations", "longest_path", "globetrotter", "explorer", "mountain", "technologies", "shares",
    "tourists", "depots",
]  # fmt: skip
TieBreak = Literal["tickets", "stations", "longest_path", "mountain"]

DEPOTS = "warehouses-depots"


@dataclass(frozen=True)
class GroupRule:
    """How many tracks of one group can be taken in all, and by one owner. None: no limit but the group's size."""

    in_all: int | None = None
    per_owner: int | None = 1


@dataclass(frozen=True)
class Variant:
    """The base: the rules of the first game. A variant states only what differs."""

    id: str
    name: Text
    board: str

    # Tickets: the decks in play (none named: all); long ones are dealt apart where `opening_long_tickets` says so.
    decks: tuple[str, ...] = ("regular",)
    revised_values: bool = False
    opening_tickets: int = 3
    opening_long_tickets: int = 0
    keep_opening: int = 2
    refused_opening: Literal["bottom", "box"] = "bottom"
    drawn_tickets: int = 3
    keep_drawn: int = 1

    # Cards: what a player starts with, and how many face-up locomotives sweep the five away (0: never).
    opening_cards: int = 4
    opening_locomotives: int = 0
    drawn_cards: int = 2
    face_up: int = 5
    sweep_at: int = 3
    cards_per_locomotive: int = 0

    # Groups: at these player counts a double closes after one track; exceptions by group size and by group id.
    groups_close_at: tuple[int, ...] = (2, 3)
    closed_group: GroupRule = GroupRule(in_all=1)
    open_group: GroupRule = GroupRule()
    triple_when_closed: GroupRule | None = None
    triple_when_open: GroupRule | None = None
    never_closed: tuple[str, ...] = ()

    # The end: wagons left after a turn that call the last round; a team counts together.
    end_trigger: int = 2

    # Bonuses in points; 0: this variant has none.
    longest_path: int = 0
    globetrotter: int = 0
    explorer: int = 0
    mountain_points: int = 2

    # Stations: how many each player has, and the points for one that was not built.
    stations: int = 0
    station_points: int = 4

    technologies: Literal["none", "basic", "advanced"] = "none"
    shares: bool = False
    tourists: bool = False

    # Teams: players per colour; wagons are then held by each player. Racks hold the team's shared cards and tickets.
    team_size: int = 1
    give_up_to_rack: bool = False

    # Points that the board alone can't tell: what the score track shows replaces the recount.
    marked_points_count: bool = False

    ties: tuple[TieBreak, ...] = ("tickets", "longest_path")

    # What the app says about a variant that rests on a ruling of ours.
    choices: tuple[Text, ...] = ()
    options: tuple[str, ...] = ()

    def group_rule(self, tracks: int, group: str, players: int) -> GroupRule:
        """What may be taken of a group with that many tracks, at that many players."""
        if tracks < 2:
            return GroupRule(in_all=1)
        closed = players in self.groups_close_at and group not in self.never_closed
        if tracks > 2:
            special = self.triple_when_closed if closed else self.triple_when_open
            if special is not None:
                return special
        return self.closed_group if closed else self.open_group

    def lines(self, board: Board, modules: Collection[str] = ()) -> tuple[Bonus, ...]:
        """The lines of this variant's score sheet, in the order in which they are counted."""
        have: list[tuple[Bonus, bool]] = [
            ("routes", True),
            ("mountain", self.mountain_points > 0 and any(r.mountain_marks for r in board.routes.values())),
            ("tickets", True),
            ("stations", self.stations > 0),
            ("longest_path", self.longest_path > 0),
            ("globetrotter", self.globetrotter > 0),
            ("explorer", self.explorer > 0),
            ("technologies", self.technologies != "none"),
            ("shares", self.shares),
            ("tourists", self.tourists),
            ("depots", DEPOTS in modules),
        ]
        return tuple(line for line, there in have if there)

    def tickets(self, board: Board) -> dict[str, Ticket]:
        """The tickets of this variant's decks by id, with the values that count in it; no deck named: all tickets."""
        found = self.valued(board.deck(*self.decks) if self.decks else board.tickets.values())
        # An id tells the points only where this variant's own tickets hold the same pair twice.
        pairs = Counter((t.a, t.b) for t in found)
        named = (
            t if pairs[t.a, t.b] > 1 else replace(t, id=f"{t.a}--{t.b}") if t.id.count("--") > 1 else t for t in found
        )
        return {t.id: t for t in named}

    def valued(self, tickets: Iterable[Ticket]) -> tuple[Ticket, ...]:
        """Tickets with the points that count in this variant."""
        if not self.revised_values:
            return tuple(tickets)
        return tuple(t if t.revised is None else replace(t, points=t.revised) for t in tickets)

    def technology_ids(self, board: Board) -> tuple[str, ...]:
        """Technologies on sale in this variant."""
        if self.technologies == "none":
            return ()
        return tuple(t.id for t in board.technologies.values() if self.technologies == "advanced" or not t.advanced)

    def wagons(self, board: Board) -> int:
        """Wagons of one colour: a team's players have theirs together."""
        return board.wagons * self.team_size

    def with_options(self, options: Mapping[str, Any]) -> Variant:
        """This variant as a group plays it: its house options switched on."""
        changed = self
        for key in self.options:
            if options.get(key):
                changed = replace(changed, **OPTIONS[key].changes)
        return changed


@dataclass(frozen=True)
class Option:
    """A house option: a ruling that a group may switch, with one line on what it changes."""

    id: str
    name: Text
    about: Text
    changes: Mapping[str, Any] = field(default_factory=dict)


OPTIONS: dict[str, Option] = {
    o.id: o
    for o in (
        Option(
            "all-tickets",
            Text("All 69 tickets", "Les 69 cartes Destination"),
            Text(
                "All tickets of the 10th-anniversary box are shuffled together, with their reprinted values.",
                "Toutes les cartes Destination de la boîte du 10e anniversaire, mêlées, à leurs valeurs réimprimées.",
            ),
            {"decks": ("mega",), "revised_values": True},
        ),
        Option(
            "rack-cards-back",
            Text("Rack cards go back to the rack", "Les cartes du porte-cartes y retournent"),
            Text(
                "On giving up a tunnel, cards that came from the rack return to it instead of the player's hand.",
                "Si un tunnel est abandonné, les cartes venues du porte-cartes y retournent au lieu d'aller en main.",
            ),
            {"give_up_to_rack": True},
        ),
    )
}


@dataclass(frozen=True)
class Module:
    """Something that can be added to any variant."""

    id: str
    name: Text
    about: Text


MODULES: dict[str, Module] = {
    DEPOTS: Module(
        DEPOTS,
        Text("Warehouses and depots", "Entrepôts et dépôts"),
        Text(
            "Cards are stored in warehouses and fetched through depots; the most depots left score 10.",
            "Des cartes vont dans les entrepôts et reviennent par les dépôts ; le plus de dépôts restants vaut 10.",
        ),
    )
}
DEPOTS_EACH = 5
DEPOTS_BONUS = 10
DEPOTS_MAX_OWNERS = 5

_NO_LONGEST = Text(
    "No bonus for the longest path here: the booklet names none.",
    "Pas de bonus du chemin le plus long ici : le livret n'en cite aucun.",
)
_TIES = Text(
    "Ties are broken by tickets done, then the longest path: the booklet is silent.",
    "Égalités : destinations réussies puis chemin le plus long ; le livret n'en dit rien.",
)
_USA_1912 = Text(
    "Numbers of tickets dealt as on Board Game Arena: no booklet was at hand.",
    "Nombre de cartes distribuées comme sur Board Game Arena : aucun livret à disposition.",
)

_USA = Variant("usa", Text("USA", "États-Unis"), "usa", decks=("base",), longest_path=10, options=("all-tickets",))
_EUROPE = Variant(
    "europe",
    Text("Europe", "Europe"),
    "europe",
    decks=("regular", "long"),
    opening_long_tickets=1,
    refused_opening="box",
    longest_path=10,
    stations=3,
    ties=("tickets", "stations", "longest_path"),
)
_UNITED_KINGDOM = Variant(
    "united-kingdom",
    Text("United Kingdom", "Royaume-Uni"),
    "united-kingdom",
    opening_tickets=5,
    keep_opening=3,
    opening_locomotives=1,
    sweep_at=0,
    cards_per_locomotive=4,
    groups_close_at=(2,),
    technologies="basic",
    marked_points_count=True,
    choices=(
        _TIES,
        Text(
            "A player buys each technology once.",
            "Un joueur n'achète chaque technologie qu'une fois.",
        ),
        Text(
            "Right of Way and Thermocompressor: every track claimed needs its technologies.",
            "Droit de passage et Thermocompresseurs : chaque voie prise demande ses technologies.",
        ),
    ),
)

_ALL: Iterable[Variant] = (
    _USA,
    replace(
        _USA,
        id="usa-1910",
        name=Text("USA 1910", "USA 1910"),
        decks=("1910",),
        longest_path=0,
        globetrotter=15,
        options=(),
    ),
    replace(
        _USA,
        id="usa-mega",
        name=Text("USA 1910, Mega game", "USA 1910, Méga jeu"),
        decks=("mega",),
        revised_values=True,
        opening_tickets=5,
        keep_opening=3,
        drawn_tickets=4,
        globetrotter=15,
        options=(),
    ),
    replace(
        _USA,
        id="usa-big-cities",
        name=Text("USA 1910, Big Cities", "USA 1910, Grandes villes"),
        decks=("big-cities",),
        revised_values=True,
        opening_tickets=4,
        drawn_tickets=4,
        longest_path=0,
        options=(),
        choices=(
            Text("No bonus card is used: the booklet names none.", "Aucune carte bonus : le livret n'en cite aucune."),
        ),
    ),
    _EUROPE,
    replace(
        _EUROPE,
        id="europe-expanded",
        name=Text("Europa 1912, Expanded", "Europa 1912, Europe étendue"),
        decks=("expanded",),
        choices=(_USA_1912,),
    ),
    replace(
        _EUROPE,
        id="europe-mega",
        name=Text("Europa 1912, Mega Europe", "Europa 1912, Méga Europe"),
        decks=("mega",),
        opening_long_tickets=2,
        opening_tickets=5,
        keep_opening=3,
        choices=(_USA_1912,),
    ),
    replace(
        _EUROPE,
        id="europe-big-cities",
        name=Text("Europa 1912, Big Cities", "Europa 1912, Grandes villes"),
        decks=("big-cities",),
        opening_long_tickets=0,
        opening_tickets=5,
        drawn_tickets=4,
        choices=(_USA_1912,),
    ),
    Variant(
        "asia",
        Text("Asia (teams)", "Asie (en équipes)"),
        "asia",
        opening_tickets=5,
        keep_opening=3,
        drawn_tickets=4,
        groups_close_at=(4,),
        triple_when_closed=GroupRule(in_all=2, per_owner=2),
        triple_when_open=GroupRule(per_owner=None),
        never_closed=("canton-hong-kong",),
        end_trigger=4,
        longest_path=10,
        globetrotter=10,
        team_size=2,
        options=("rack-cards-back",),
        choices=(
            Text(
                "A team takes one track of a double route at most, Hong Kong - Canton included.",
                "Une équipe prend au plus une voie d'une route double, Hong Kong - Canton comprise.",
            ),
            Text(
                "One player alone may take two tracks of a triple route.",
                "Un joueur seul peut prendre deux voies d'une route triple.",
            ),
            Text(
                "Ties are broken by tickets done, then the longest path, as in the English booklet.",
                "Égalités : destinations réussies puis chemin le plus long, comme dans le livret anglais.",
            ),
        ),
    ),
    Variant(
        "legendary-asia",
        Text("Legendary Asia", "Asie légendaire"),
        "legendary-asia",
        decks=("regular", "long"),
        opening_long_tickets=1,
        refused_opening="box",
        explorer=10,
        ties=("tickets", "mountain"),
        choices=(_NO_LONGEST,),
    ),
    _UNITED_KINGDOM,
    replace(
        _UNITED_KINGDOM,
        id="united-kingdom-advanced",
        name=Text("United Kingdom, advanced technologies", "Royaume-Uni, technologies avancées"),
        technologies="advanced",
    ),
    Variant(
        "pennsylvania",
        Text("Pennsylvania", "Pennsylvanie"),
        "pennsylvania",
        opening_tickets=5,
        keep_opening=3,
        drawn_tickets=4,
        globetrotter=15,
        shares=True,
        choices=(
            _NO_LONGEST,
            _TIES,
            Text(
                "Double routes close with 2 or 3 players, as in the first game.",
                "Les routes doubles se ferment à 2 ou 3 joueurs, comme dans le premier jeu.",
            ),
        ),
    ),
    Variant(
        "san-francisco",
        Text("San Francisco", "San Francisco"),
        "san-francisco",
        opening_cards=2,
        opening_tickets=2,
        keep_opening=1,
        drawn_tickets=2,
        groups_close_at=(2,),
        tourists=True,
        ties=("tickets",),
    ),
)

VARIANTS: dict[str, Variant] = {v.id: v for v in _ALL}


def variants_of(board: str) -> tuple[Variant, ...]:
    """The variants played on a board; a board of one's own plays the base rules."""
    found = tuple(v for v in VARIANTS.values() if v.board == board)
    return found or (own_board(board),)


def own_board(board: str) -> Variant:
    """The base rules on a board without a variant of its own, every ticket in play, 10 for the longest path."""
    return Variant(board, Text(board, board), board, decks=(), longest_path=10)


def needed_locomotives(route: Route) -> int:
    """Locomotive symbols of a ferry."""
    return route.locomotives if route.kind == "ferry" else 0

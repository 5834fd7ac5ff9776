"""Every variant as data: one documented base, each variant only its differences and its parts.

What a board prints (wagons, cards, route points, tunnels, companies) comes from the board; what a booklet says is here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any  # Any: JSON

import maps
from companion.rules.parts.claim import Claims
from companion.rules.parts.depot import Depots
from companion.rules.parts.draw import Draws
from companion.rules.parts.explorer import Explorer
from companion.rules.parts.globetrotter import Globetrotter
from companion.rules.parts.keeping import Keeping
from companion.rules.parts.longest_path import LongestPath
from companion.rules.parts.mountain import Mountains
from companion.rules.parts.passing import Passing
from companion.rules.parts.share import Shares
from companion.rules.parts.station import Stations
from companion.rules.parts.team import Teams
from companion.rules.parts.technology import Technologies
from companion.rules.parts.tickets import Tickets
from companion.rules.parts.token import Tokens
from companion.rules.parts.tunnel import Tunnels
from companion.rules.table.part import Part
from companion.rules.table.variant import GroupRule, Variant
from maps import Board, Text, Trouble, nearest

# Which rulings these rules are: every journal says which wrote it. Goes up by one whenever a ruling changes, with a
# line in CHANGELOG.md; older journals are then judged by the new one.
RULES = 4

DEPOTS = "warehouses-depots"

# What every game has, and what any board may print.
BASE: tuple[Part, ...] = (Claims(), Draws(), Tunnels(), Mountains(2), Tickets(), Passing(), Keeping())


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
            "reprinted",
            Text("Reprinted ticket values", "Valeurs réimprimées"),
            Text(
                "The 30 tickets of the first game at the values of their reprint: four are worth less.",
                "Les 30 cartes Destination du premier jeu à leurs valeurs réimprimées : quatre valent moins.",
            ),
            {"revised_values": True},
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
    parts: tuple[Part, ...] = ()


MODULES: dict[str, Module] = {
    DEPOTS: Module(
        DEPOTS,
        Text("Warehouses and depots", "Entrepôts et dépôts"),
        Text(
            "Cards are stored in warehouses and fetched through depots; the most depots left score 10.",
            "Des cartes vont dans les entrepôts et reviennent par les dépôts ; le plus de dépôts restants vaut 10.",
        ),
        (Depots(),),
    )
}

_NO_LONGEST = Text(
    "No bonus for the longest path: the booklet has none.",
    "Pas de bonus pour le chemin le plus long : le livret n'en prévoit pas.",
)
_EUROPA_1912 = Text(
    "Tickets are dealt as on Board Game Arena.",
    "Les destinations sont distribuées comme sur Board Game Arena.",
)

_USA = Variant(
    "usa",
    Text("USA", "États-Unis"),
    "usa",
    (*BASE, LongestPath(10)),
    decks=("base",),
    options=("all-tickets", "reprinted"),
)
_EUROPE = Variant(
    "europe",
    Text("Europe", "Europe"),
    "europe",
    (*BASE, Stations(3), LongestPath(10)),
    decks=("regular", "long"),
    opening_long_tickets=1,
    refused_opening="box",
    ties=("tickets", "stations", "longest_path"),
)
_UNITED_KINGDOM = Variant(
    "united-kingdom",
    Text("United Kingdom", "Royaume-Uni"),
    "united-kingdom",
    (*BASE, Technologies("basic")),
    opening_tickets=5,
    keep_opening=3,
    opening_locomotives=1,
    sweep_at=0,
    groups_close_at=(2,),
    rulings=(
        Text("France is one place for tickets and paths.", "La France est un seul lieu, pour destinations et chemins."),
        Text(
            "Penzance – Plymouth by land and by sea are two routes: one player may take both.",
            "Penzance – Plymouth par terre et par mer sont deux routes : un joueur peut prendre les deux.",
        ),
    ),
)

_ALL: Iterable[Variant] = (
    _USA,
    replace(
        _USA,
        id="usa-1910",
        name=Text("USA 1910", "USA 1910"),
        parts=(*BASE, Globetrotter(15)),
        decks=("1910",),
        options=(),
    ),
    replace(
        _USA,
        id="usa-mega",
        name=Text("USA 1910, Mega game", "USA 1910, Méga jeu"),
        parts=(*BASE, LongestPath(10), Globetrotter(15)),
        decks=("mega",),
        revised_values=True,
        opening_tickets=5,
        keep_opening=3,
        drawn_tickets=4,
        options=(),
    ),
    replace(
        _USA,
        id="usa-big-cities",
        name=Text("USA 1910, Big Cities", "USA 1910, Grandes villes"),
        parts=BASE,
        decks=("big-cities",),
        revised_values=True,
        opening_tickets=4,
        drawn_tickets=4,
        options=(),
        rulings=(
            Text("No bonus card is used: the booklet names none.", "Aucune carte bonus : le livret n'en cite aucune."),
        ),
    ),
    _EUROPE,
    replace(
        _EUROPE,
        id="europe-expanded",
        name=Text("Europa 1912, Expanded", "Europa 1912, Europe étendue"),
        decks=("expanded",),
        rulings=(_EUROPA_1912,),
    ),
    replace(
        _EUROPE,
        id="europe-mega",
        name=Text("Europa 1912, Mega Europe", "Europa 1912, Méga Europe"),
        decks=("mega",),
        opening_long_tickets=2,
        opening_tickets=5,
        keep_opening=3,
        rulings=(
            _EUROPA_1912,
            Text("Both long tickets may be kept.", "Les deux longues destinations peuvent être gardées."),
        ),
    ),
    replace(
        _EUROPE,
        id="europe-big-cities",
        name=Text("Europa 1912, Big Cities", "Europa 1912, Grandes villes"),
        decks=("big-cities",),
        opening_long_tickets=0,
        opening_tickets=5,
        drawn_tickets=4,
        rulings=(_EUROPA_1912,),
    ),
    Variant(
        "asia",
        Text("Asia (teams)", "Asie (en équipes)"),
        "asia",
        (*BASE, LongestPath(10), Globetrotter(10), Teams(2)),
        opening_tickets=5,
        keep_opening=3,
        drawn_tickets=4,
        groups_close_at=(4,),
        triple_when_closed=GroupRule(in_all=2, per_owner=2),
        triple_when_open=GroupRule(per_owner=2),
        never_closed=("canton-hong-kong",),
        end_trigger=4,
        options=("rack-cards-back",),
        rulings=(
            Text(
                "A team takes one track of a double route at most, Hong Kong – Canton included.",
                "Une équipe prend au plus une voie d'une route double, Hong Kong – Canton comprise.",
            ),
            Text(
                "Of a triple route partners may take one track each, with 6 players too; nobody takes two alone.",
                "D'une route triple, les partenaires prennent une voie chacun, à 6 joueurs aussi ; personne deux seul.",
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
        (*BASE, Explorer(10)),
        decks=("regular", "long"),
        opening_long_tickets=1,
        refused_opening="box",
        ties=("tickets", "mountain"),
        rulings=(_NO_LONGEST,),
    ),
    _UNITED_KINGDOM,
    replace(
        _UNITED_KINGDOM,
        id="united-kingdom-advanced",
        name=Text("United Kingdom, advanced technologies", "Royaume-Uni, technologies avancées"),
        parts=(*BASE, Technologies("advanced")),
    ),
    Variant(
        "pennsylvania",
        Text("Pennsylvania", "Pennsylvanie"),
        "pennsylvania",
        (*BASE, Globetrotter(15), Shares()),
        opening_tickets=5,
        keep_opening=3,
        drawn_tickets=4,
        rulings=(_NO_LONGEST,),
    ),
    Variant(
        "san-francisco",
        Text("San Francisco", "San Francisco"),
        "san-francisco",
        (*BASE, Tokens()),
        opening_cards=2,
        opening_tickets=2,
        keep_opening=1,
        drawn_tickets=2,
        groups_close_at=(2,),
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
    name = maps.load(board).name if board in maps.available() else Text(board, board)
    return Variant(board, name, board, (*BASE, LongestPath(10)), own=True, decks=())


def find_variant(wanted: str) -> tuple[Variant, Board]:
    """A variant and its board; a board of one's own plays under its own id. Trouble with the nearest id if unknown."""
    variant = VARIANTS.get(wanted)
    if variant is None:
        known = (*VARIANTS, *(b for b in maps.available() if b not in VARIANTS))
        if wanted not in known:
            near = nearest(wanted, known)
            if near:
                raise Trouble("unknown-variant", value=wanted, meant=near)
            raise Trouble("no-such-variant", value=wanted, known=", ".join(known))
        variant = variants_of(wanted)[0]
    return variant, maps.load(variant.board)


def played(variant: Variant, options: Mapping[str, object], modules: Iterable[str] = ()) -> Variant:
    """A variant as a group plays it: its house options switched on, the parts of the modules added."""
    for key in variant.options:
        if options.get(key):
            variant = variant.with_changes(OPTIONS[key].changes)
    return variant.with_parts(p for m in modules if m in MODULES for p in MODULES[m].parts)

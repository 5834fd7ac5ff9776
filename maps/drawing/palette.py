"""Every colour of the drawn boards: printed tracks, wagons, and the light and dark theme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from maps.board import GRAY

DARK_INK = "#1f2933"
LIGHT_INK = "#ffffff"


@dataclass(frozen=True, slots=True)
class Paint:
    """A fill and the edge around it, so that white and yellow show on paper and black shows in the dark."""

    fill: str
    edge: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours that depend on the background."""

    name: str
    paper: str
    ink: str
    quiet: str
    bed: str
    water: str
    sleepers: str
    city: str
    tourists: str
    highlight: str
    doubt: str
    tracks: Mapping[str, Paint]
    regions: tuple[str, ...]


WAGONS: Mapping[str, Paint] = MappingProxyType(
    {
        "blue": Paint("#1c62c4", "#0b2a5b"),
        "red": Paint("#d01f26", "#5f0a0e"),
        "green": Paint("#1d8f3c", "#0a421a"),
        "yellow": Paint("#ffcf0d", "#6b5200"),
        "black": Paint("#2a2d33", "#000000"),
        "purple": Paint("#7a3aa8", "#36154f"),
        "white": Paint("#ffffff", "#3c4650"),
        "pink": Paint("#e8619f", "#701f45"),
        "orange": Paint("#ee7a14", "#6b3200"),
    }
)

# Wagons of a game that came from elsewhere may have a colour that is in no box.
STRANGE = "strange"
_STRANGE_PAINT = Paint("#c3c8ce", "#3c4650")


def paint_of(color: str) -> Paint:
    return WAGONS.get(color, _STRANGE_PAINT)


COMPANIES = (
    "#8c2f39", "#1f5a94", "#b8641b", "#3b3b3b", "#a03b7c", "#4f6d3a", "#6a4c93", "#1b7f79", "#7d6608",
)  # fmt: skip

_FILLS = {
    "red": "#e0524c",
    "blue": "#4a86cf",
    "green": "#5aa867",
    "yellow": "#f4d03f",
    "orange": "#f0933c",
    "pink": "#dd8fbc",
    "black": "#4a4f57",
    "white": "#ffffff",
    "purple": "#9467bd",
    GRAY: "#c3c8ce",
}

_LIGHT_EDGES = {
    "red": "#a93630",
    "blue": "#2c5d9c",
    "green": "#387a44",
    "yellow": "#a98a12",
    "orange": "#b1641a",
    "pink": "#a85c88",
    "black": "#23272d",
    "white": "#7d8791",
    "purple": "#663f8c",
    GRAY: "#8d959e",
}

_DARK_EDGES = {**_LIGHT_EDGES, "black": "#9aa3ad", "white": "#c9d1d9", GRAY: "#6c757e"}


def _paints(fills: Mapping[str, str], edges: Mapping[str, str]) -> Mapping[str, Paint]:
    return MappingProxyType({color: Paint(fill, edges[color]) for color, fill in fills.items()})


LIGHT = Theme(
    name="light",
    paper="#faf8f3",
    ink=DARK_INK,
    quiet="#6b7680",
    bed="#b4b9bd",
    water="#d6e8f2",
    sleepers="#4d545c",
    city="#ffffff",
    tourists="#c8860a",
    highlight="#ffb52e",
    doubt="#c2188b",
    tracks=_paints(_FILLS, _LIGHT_EDGES),
    regions=("#1c5a8c", "#9c2f2f", "#2b7048", "#6b4796", "#8a5a14", "#4a4f57"),
)

DARK = Theme(
    name="dark",
    paper="#1b2229",
    ink="#eef2f5",
    quiet="#9aa6b1",
    bed="#56616c",
    water="#24394a",
    sleepers="#c5ccd3",
    city="#1b2229",
    tourists="#ffc04d",
    highlight="#ffcf5c",
    doubt="#ff6ec7",
    tracks=_paints({**_FILLS, "black": "#2b3037", GRAY: "#98a1aa"}, _DARK_EDGES),
    regions=("#8cc4f2", "#f2a09a", "#8fd6a8", "#c6a9f0", "#e6c07a", "#d5dbe0"),
)


def ink_on(fill: str) -> str:
    """Dark or light, whichever is easier to read on a fill.

    >>> ink_on("#ffffff") == DARK_INK, ink_on("#2a2d33") == LIGHT_INK
    (True, True)
    """
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return DARK_INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else LIGHT_INK


def blend(color: str, other: str, share: float) -> str:
    """A colour with a share (0..1) of another in it.

    >>> blend("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = ((int(color[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def faded(theme: Theme, share: float = 0.62) -> Theme:
    """The same with tracks that step back: what lies on them catches the eye."""
    pale = {
        color: Paint(*(blend(ink, theme.paper, share) for ink in (paint.fill, paint.edge)))
        for color, paint in theme.tracks.items()
    }
    return replace(theme, tracks=MappingProxyType(pale), sleepers=blend(theme.sleepers, theme.paper, share))

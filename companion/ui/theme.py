"""The look of the app: every colour, font and size. Light and dark, matched to the drawn maps."""

from __future__ import annotations

from dataclasses import dataclass

from maps.drawing.fonts import font_file
from maps.drawing.palette import DARK as MAP_DARK
from maps.drawing.palette import LIGHT as MAP_LIGHT
from maps.drawing.palette import Theme, ink_on

Rgba = tuple[float, float, float, float]

# Sizes in dp and sp. A finger needs 48 dp.
TOUCH = 48
GAP = 8
PAD = 12
ROUND = 10
SMALL, BODY, BIG, HUGE = 14, 16, 20, 30
# Wider than this the map stands beside its panel instead of above it.
WIDE = 640
# Narrower than this an upright phone has less room than most.
NARROW = 360
# Lower than this a wide window is a phone on its side.
LOW = 480
# Lower than this an upright phone has less room for the map: cards and buttons come first.
SHORT = 690
# Words and forms are read best in a column that is not wider; boards and score sheets may take more.
COLUMN = 620
BROAD = 940
# Parts of a whole, told apart by lightness too.
TINTS = ("#22506f", "#d98a3a", "#3f8f5a", "#8c2f39", "#9a7fc0", "#c9b13b", "#1b7f79", "#d284b4", "#7b8794")
NARROW_FONT = str(font_file("bold"))


def rgba(color: str, alpha: float = 1.0) -> Rgba:
    """A hex colour as Kivy wants it.

    >>> rgba("#ff0000")
    (1.0, 0.0, 0.0, 1.0)
    """
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue, alpha


@dataclass(frozen=True)
class Look:
    """One set of colours. Each `..._ink` is readable on the colour it is named after."""

    name: str
    paper: Rgba
    panel: Rgba
    line: Rgba
    ink: Rgba
    quiet: Rgba
    button: Rgba
    button_ink: Rgba
    primary: Rgba
    primary_ink: Rgba
    soft: Rgba
    soft_ink: Rgba
    chosen: Rgba
    chosen_ink: Rgba
    good: Rgba
    good_ink: Rgba
    bad: Rgba
    bad_ink: Rgba
    doubt: Rgba
    map: Theme

    def fill(self, kind: str) -> Rgba:
        """The colour of a button or box of that kind."""
        found: Rgba = getattr(self, kind)
        return found

    def pressed(self, kind: str) -> Rgba:
        """The same under a finger."""
        red, green, blue, alpha = (0.82 * a + 0.18 * b for a, b in zip(self.fill(kind), self.ink, strict=True))
        return red, green, blue, alpha

    def part(self, n: int) -> Rgba:
        """The colour of one of the parts of a whole: lighter on dark ground."""
        red, green, blue, alpha = rgba(TINTS[n % len(TINTS)])
        white = 0.35 if self.name == "dark" else 0.0
        return red + (1 - red) * white, green + (1 - green) * white, blue + (1 - blue) * white, alpha

    def on(self, kind: str) -> Rgba:
        """The colour of words on this ground."""
        found: Rgba = getattr(self, f"{kind}_ink", self.ink)
        return found


LIGHT = Look(
    "light",
    paper=rgba(MAP_LIGHT.paper),
    panel=rgba("#ffffff"),
    line=rgba("#d9d5ca"),
    ink=rgba(MAP_LIGHT.ink),
    quiet=rgba("#5a6570"),
    button=rgba("#e0e6ea"),
    button_ink=rgba(MAP_LIGHT.ink),
    primary=rgba("#22506f"),
    primary_ink=rgba("#ffffff"),
    soft=rgba("#d6e4ee"),
    soft_ink=rgba("#173a52"),
    chosen=rgba("#ffd98a"),
    chosen_ink=rgba("#1f2933"),
    good=rgba("#1f7a3d"),
    good_ink=rgba("#ffffff"),
    bad=rgba("#b3261e"),
    bad_ink=rgba("#ffffff"),
    doubt=rgba(MAP_LIGHT.doubt),
    map=MAP_LIGHT,
)
DARK = Look(
    "dark",
    paper=rgba("#141a20"),
    panel=rgba(MAP_DARK.paper),
    line=rgba("#3a444e"),
    ink=rgba(MAP_DARK.ink),
    quiet=rgba("#a9b4be"),
    button=rgba("#2b353f"),
    button_ink=rgba(MAP_DARK.ink),
    primary=rgba("#7db8dd"),
    primary_ink=rgba("#10202c"),
    soft=rgba("#24465c"),
    soft_ink=rgba("#e6f1f8"),
    chosen=rgba("#d9a63a"),
    chosen_ink=rgba("#1b2229"),
    good=rgba("#58b877"),
    good_ink=rgba("#0c2114"),
    bad=rgba("#f2877f"),
    bad_ink=rgba("#330b08"),
    doubt=rgba(MAP_DARK.doubt),
    map=MAP_DARK,
)
LOOKS = {look.name: look for look in (LIGHT, DARK)}


def readable_on(color: str) -> Rgba:
    """Dark or light ink for a hex colour."""
    return rgba(ink_on(color))

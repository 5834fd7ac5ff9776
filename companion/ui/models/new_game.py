"""A new game being put together: board and variant, modules and options, who sits where."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any  # Any: JSON

import maps
from companion.rules import MODULES, OPTIONS, VARIANTS, Player, Setup, Variant, find_variant, start, variants_of
from companion.table.game import Game
from companion.table.settings import Seat, Settings
from companion.ui.desk import Desk
from maps import Board, Message, Text, Trouble

_USUAL = ("usa", "europe", "united-kingdom", "legendary-asia", "asia", "pennsylvania", "san-francisco")
# How a game can be kept, the least work first.
KEEPING = ("watched", "claims", "turns")


@dataclass(frozen=True)
class Choice:
    """Something to switch on, with one line on what it changes."""

    id: str
    name: Text
    about: Text
    on: bool


@dataclass
class NewGame:
    """Filled with what was played last. Seats are in the order of turns; partners sit side by side."""

    desk: Desk
    variant: Variant = field(init=False)
    board: Board = field(init=False)
    modules: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    seats: list[Seat] = field(default_factory=list)
    first: int = 0
    # "watched": a camera tells what is laid; "claims": somebody does; "turns": every turn, with its cards and tickets.
    keeping: str = "turns"
    # The barcode of a box that was scanned, to be remembered with the board that is chosen.
    barcode: str = ""

    def __post_init__(self) -> None:
        settings = self.desk.settings
        every = {v.id: v for b in boards() for v in variants_of(b.id)}
        self.choose(every.get(settings.variant) or every["europe"])
        # Extras as last time: they belong to the rules that were played then.
        self.modules = {m for m in settings.modules if m in MODULES and self.variant.id == settings.variant}
        self.options = {o for o in settings.options if o in self.variant.options}
        self.seats = list(settings.seats)
        self.keeping = settings.keeping if settings.keeping in KEEPING else "turns"
        self._fill()

    @property
    def extras(self) -> dict[str, Any]:
        """House options and modules that are switched on."""
        return {"options": dict.fromkeys(sorted(self.options), True), "modules": sorted(self.modules)}

    def to_json(self) -> dict[str, Any]:
        """What is chosen so far."""
        seats = [{"name": s.name, "color": s.color} for s in self.seats]
        chosen = {"modules": sorted(self.modules), "options": sorted(self.options)}
        return {
            "variant": self.variant.id,
            **chosen,
            "seats": seats,
            "first": self.first,
            "barcode": self.barcode,
            "keeping": self.keeping,
        }

    def resume(self, data: Mapping[str, Any]) -> None:
        """Goes on with what was chosen before."""
        self.seats = [Seat(str(s["name"]), str(s["color"])) for s in data["seats"]]
        self.choose(find_variant(data["variant"])[0])
        self.modules = {m for m in data["modules"] if m in MODULES}
        self.options = set(data["options"]) & set(self.variant.options)
        self.first, self.barcode = int(data["first"]), str(data["barcode"])
        self.keeping = str(data.get("keeping", "turns"))
        self._fill()

    def choose(self, variant: Variant) -> None:
        """Another variant: what does not belong to it goes; extras belong to one board."""
        if getattr(self, "board", None) is not None and self.board.id != variant.board:
            self.modules = set()
        self.variant, self.board = variant, maps.load(variant.board)
        self.options &= set(variant.options)
        self._fill()

    @property
    def team_size(self) -> int:
        return self.variant.team_size

    @property
    def choices(self) -> list[Choice]:
        """Modules and house options of this variant."""
        modules = [Choice(m.id, m.name, m.about, m.id in self.modules) for m in MODULES.values()]
        known = [OPTIONS[o] for o in self.variant.options]
        return modules + [Choice(o.id, o.name, o.about, o.id in self.options) for o in known]

    def switch(self, choice: str, on: bool) -> None:
        group = self.modules if choice in MODULES else self.options
        group.add(choice) if on else group.discard(choice)

    def _fill(self) -> None:
        """As many seats as the board allows, each colour once (in teams once per team)."""
        counts = self.board.players
        size = self.team_size
        while len(self.seats) > max(counts):
            self.seats.pop()
        wanted = next(n for n in counts if n >= max(len(self.seats), min(counts)))
        if not self.seats and 4 in counts:
            wanted = 4
        while len(self.seats) < wanted:
            self.seats.append(Seat())
        colors: list[str] = []
        for i in range(0, len(self.seats), size):
            color = self.seats[i].color
            if color in colors or color not in self.board.wagon_colors:
                color = next(c for c in self.board.wagon_colors if c not in colors)
            colors.append(color)
            for j in range(i, i + size):
                self.seats[j] = replace(self.seats[j], color=color)
        self.first = min(self.first, len(self.seats) - 1)

    def name(self, i: int, text: str) -> None:
        self.seats[i] = replace(self.seats[i], name=text.strip())

    def color(self, i: int, color: str) -> None:
        """Gives a seat (and its partner) a colour; whoever had it takes the other one."""
        size = self.team_size
        start_of = i - i % size
        old = self.seats[i].color
        for j, seat in enumerate(self.seats):
            if start_of <= j < start_of + size:
                self.seats[j] = replace(seat, color=color)
            elif seat.color == color:
                self.seats[j] = replace(seat, color=old)

    def add(self) -> None:
        """One seat more, or as many as the board's next number of players needs."""
        more = [n for n in self.board.players if n > len(self.seats)]
        if more:
            self.seats += [Seat()] * (more[0] - len(self.seats))
            self._fill()

    def remove(self, i: int) -> None:
        fewer = [n for n in self.board.players if n < len(self.seats)]
        if fewer:
            gone = len(self.seats) - fewer[-1]
            at = i - i % self.team_size
            del self.seats[at : at + gone]
            del self.seats[fewer[-1] :]
            self._fill()

    @property
    def can_add(self) -> bool:
        return len(self.seats) < max(self.board.players)

    @property
    def can_remove(self) -> bool:
        return len(self.seats) > min(self.board.players)

    def move_up(self, i: int) -> None:
        """Changes places with the one before, teams as a whole."""
        size = self.team_size
        at = i - i % size
        if at >= size:
            team = self.seats[at : at + size]
            del self.seats[at : at + size]
            self.seats[at - size : at - size] = team

    def draw_first(self) -> None:
        """The app draws who begins."""
        self.first = random.randrange(len(self.seats))

    def word(self, color: str) -> str:
        """A colour as players of this board call it."""
        return self.desk.word(color, self.board.cards.wild)

    def told_name(self, i: int) -> str:
        """The name as typed, else the colour (and which of the two partners)."""
        seat = self.seats[i]
        if seat.name:
            return seat.name
        word = self.word(seat.color)
        return word if self.team_size == 1 else f"{word} {i % self.team_size + 1}"

    def players(self) -> list[Player]:
        size = self.team_size
        names = [self.told_name(i) for i in range(len(self.seats))]
        if size == 1:
            return [Player(n, s.color) for n, s in zip(names, self.seats, strict=True)]
        teams = range(0, len(self.seats), size)
        return [
            Player(self.word(self.seats[i].color), self.seats[i].color, members=tuple(names[i : i + size]))
            for i in teams
        ]

    @property
    def problem(self) -> Message | None:
        """Why this can't be played yet."""
        try:
            start(self.variant.id, self.players(), sorted(self.modules), dict.fromkeys(self.options, True))
        except Trouble as trouble:
            return trouble.message
        return None

    @property
    def setup(self) -> Setup:
        """How it starts: where turns are kept, everything before the first one is told too."""
        if self.keeping != "turns":
            return Setup(turns=False, keeping=self.keeping)
        return Setup(first=self.told_name(self.first), opening=True, tokens={} if self.variant.tourists else None)

    def begin(self) -> Game:
        """Starts the game and remembers all this for the next time."""
        setup = self.setup

        def make(path: Path) -> Game:
            options = dict.fromkeys(sorted(self.options), True)
            return Game.new(path, self.variant.id, self.players(), sorted(self.modules), options, setup)

        game = self.desk.begin(make)
        self.desk.change(
            seats=tuple(self.seats), variant=self.variant.id, modules=tuple(sorted(self.modules)),
            options=tuple(sorted(self.options)), keeping=self.keeping,
        )  # fmt: skip
        return game


def rules_of(board: str) -> tuple[Variant, ...]:
    """The rules that a board is played with, the usual ones first."""
    return tuple(variants_of(board))


def rules_name(variant: str, language: str) -> str:
    """What the rules of a game are called; those of a board that is not here any more by their id."""
    return VARIANTS[variant].name(language) if variant in VARIANTS else variant


def last_board(settings: Settings) -> str:
    """The board that was played last, or the usual one where its variant is no longer known."""
    return (VARIANTS.get(settings.variant) or VARIANTS[Settings().variant]).board


def boards() -> list[Board]:
    """Every board that can be used; a broken one of the player's own is left out here, `companion maps` names it."""
    found = []
    for board in maps.available():
        try:
            found.append(maps.load(board))
        except Trouble:
            continue
    # In the order in which people own them; boards of one's own come last.
    return sorted(found, key=lambda b: _USUAL.index(b.id) if b.id in _USUAL else len(_USUAL))

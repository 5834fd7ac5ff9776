"""How cards, tickets, backs and papers lie on a table, in millimetres: what rendered photos show."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import numpy as np

from models.training import card_art, card_scenes
from models.training.card_art import KINDS, Picture
from models.training.card_scenes import LONG, SHORT

# Older boxes have smaller cards.
SMALL = 0.786
THICK = 0.35


@dataclass(eq=False)
class Laid:
    """A sheet on the table: its picture, middle, turn and size in mm, what it counts as, and how high it lies."""

    picture: Picture
    x: float
    y: float
    turn: float
    wide: float
    high: float
    kind: str
    name: str | None = None
    z: float = 0.3
    bend: float = 0.0
    rounded: bool = True
    quad: list[list[float]] = field(default_factory=list)

    def corners(self) -> list[tuple[float, float, float]]:
        """Top left first, as printed; x to the right, y away from the viewer."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        box = [(-1, 1), (1, 1), (1, -1), (-1, -1)]
        half = [(u * self.wide / 2, v * self.high / 2) for u, v in box]
        return [(self.x + c * u - s * v, self.y + s * u + c * v, self.z + self.bend) for u, v in half]


class Layout:
    """What lies on the table, undermost first."""

    def __init__(self, rng: random.Random, editions: tuple[str, ...], made_up: float) -> None:
        self.rng = rng
        self.noise = np.random.default_rng(rng.randrange(1 << 30))
        self.art = card_art.MadeUp(editions)
        self.prints = card_art.tickets()
        self.made_up = made_up
        self.size = SMALL if rng.random() < 0.3 else 1.0
        self.bend = rng.choice([0.2, 0.4, 0.6, 1.0, 1.5])
        self.edition = ""
        self.laid: list[Laid] = []
        # What the photo has to show whole.
        self.seen: list[Laid] = []

    def make(self, kind: str) -> None:
        rng = self.rng
        self._clutter(kind)
        if kind == "none":
            return
        # Overlap 0.6 at most: 0.4 of a side shows.
        step = rng.uniform(0.38, 0.62)
        if kind == "tunnel":
            self._row(self._cards(3), rng.uniform(1.03, 1.2), rng.random() < 0.35)
        elif kind == "face-up":
            cards = self._cards(5)
            if rng.random() < 0.25:
                self._grid([cards[:2], cards[2:]], rng.uniform(1.05, 1.2), rng.uniform(1.1, 1.25))
            else:
                self._row(cards, rng.uniform(1.05, 1.3), rng.random() < 0.35)
        elif kind == "claim":
            self._row(self._set(rng.randint(1, 8)), step if rng.random() < 0.8 else 1.08, rng.random() < 0.5)
        elif kind == "hand":
            cards = self._cards(rng.randint(4, 12))
            if len(cards) > 6 and rng.random() < 0.8:
                half = (len(cards) + 1) // 2
                self._grid([cards[:half], cards[half:]], step, rng.choice([rng.uniform(0.6, 0.95), 1.05]))
            else:
                self._row(cards, step, rng.random() < 0.3)
        elif kind == "loose":
            self._loose(self._cards(rng.randint(1, 6)))
        elif kind == "tickets":
            self._row(self._tickets(rng.randint(2, 5)), rng.choice([rng.uniform(0.62, 0.9), 1.1]), rng.random() < 0.5)

    def _deck(self) -> dict[str, Picture]:
        if self.rng.random() < self.made_up:
            self.edition = "made-up"
            return self.art.edition(self.noise, 1.0)
        self.edition = self.rng.choice(self.art.editions)
        return self.art.decks[self.edition]

    def _cards(self, n: int) -> list[Laid]:
        deck = self._deck()
        return [self._card(deck, self.rng.choice(KINDS)) for _ in range(n)]

    def _set(self, n: int) -> list[Laid]:
        """A payment: one colour and some locomotives."""
        deck, color = self._deck(), self.rng.choice(KINDS)
        locomotives = self.rng.choice([0, 0, 1, 2])
        return [self._card(deck, "locomotive" if i >= n - locomotives else color) for i in range(n)]

    def _card(self, deck: dict[str, Picture], name: str) -> Laid:
        return Laid(deck[name], 0, 0, 0, LONG * self.size, SHORT * self.size, "card", name, bend=self.bend)

    def _tickets(self, n: int) -> list[Laid]:
        sheet = self.rng.choice(sorted({p.sheet for p in self.prints}))
        chosen = self.rng.sample([p for p in self.prints if p.sheet == sheet], n)
        self.edition = chosen[0].board
        wide, high = (LONG, SHORT) if chosen[0].picture.shape[1] > chosen[0].picture.shape[0] else (SHORT, LONG)
        size = self.size
        return [Laid(p.picture, 0, 0, 0, wide * size, high * size, "ticket", p.id, bend=self.bend) for p in chosen]

    def _turn(self) -> float:
        """Which way the players sit: mostly the photographer's, at times across or upside down."""
        q = self.rng.random()
        return math.radians(
            self.rng.gauss(0, 9) if q < 0.66 else self.rng.gauss(180, 9) if q < 0.86 else self.rng.choice([90, -90])
        )

    def _row(self, cards: list[Laid], step: float, down: bool, turn: float | None = None, at: float = 0.0) -> None:
        """Side by side, or with less than a card's width between them fanned; `down`: one below the other."""
        rng = self.rng
        turn = self._turn() if turn is None else turn
        arc = rng.gauss(0, 0.09) if step < 1 and rng.random() < 0.5 else 0.0
        jitter = rng.choice([0.5, 1.5, 3.5])
        wobble = rng.choice([0.01, 0.03, 0.08])
        back = rng.random() < 0.4
        for n, card in enumerate(cards):
            k = n - (len(cards) - 1) / 2
            along = k * step * (card.high if down else card.wide)
            u, v = (0.0, -along) if down else (along, 0.0)
            off = abs(k) ** 2 * arc * (card.high if down else card.wide) * 0.4 * (1 if step < 1 else 0)
            u, v = (u + off, v) if down else (u, v - off)
            v += at
            card.x, card.y = u + rng.gauss(0, jitter), v + rng.gauss(0, jitter)
            card.turn = -k * arc + rng.gauss(0, wobble) + (math.pi if rng.random() < 0.05 else 0.0)
            card.x, card.y = (card.x * math.cos(turn) - card.y * math.sin(turn),
                              card.x * math.sin(turn) + card.y * math.cos(turn))  # fmt: skip
            card.turn += turn
        self._lay(cards[::-1] if back else cards)

    def _grid(self, rows: list[list[Laid]], step: float, apart: float) -> None:
        turn = self._turn()
        for n, row in enumerate(rows):
            self._row(row, step, False, turn, (0.5 - n) * apart * row[0].high)

    def _loose(self, cards: list[Laid]) -> None:
        for n, card in enumerate(cards):
            card.x, card.y = self.rng.gauss(0, 25 * math.sqrt(n + 1)), self.rng.gauss(0, 20 * math.sqrt(n + 1))
            card.turn = self.rng.uniform(0, 2 * math.pi)
        self._lay(cards)

    def _lay(self, cards: list[Laid]) -> None:
        for card in cards:
            card.z = 0.4 + len(self.laid) * THICK * 1.1
            self.laid.append(card)
        self.seen += cards

    def _beside(self, picture: Picture, size: float, kind: str = "paper", rounded: bool = False) -> Laid:
        """Something flat that lies about, at times under the cards."""
        rng = self.rng
        wide, high = (LONG, SHORT) if picture.shape[1] > picture.shape[0] else (SHORT, LONG)
        away, way = rng.uniform(60, 190), rng.uniform(0, 2 * math.pi)
        turn = rng.uniform(0, 2 * math.pi)
        place = (away * math.cos(way), away * math.sin(way) * 0.75)
        return Laid(picture, *place, turn, wide * size, high * size, kind, z=0.3 + 0.02 * len(self.laid),
                    rounded=rounded)  # fmt: skip

    def _clutter(self, kind: str) -> None:
        rng, noise = self.rng, self.noise
        if kind == "none":
            for _ in range(rng.randint(2, 9)):
                if rng.random() < 0.7:
                    self.laid.append(self._beside(card_scenes._paper(noise), rng.uniform(0.6, 3)))
                else:
                    back = card_scenes._back(self.art, self.prints, noise)
                    self.laid.append(self._beside(back, self.size, "back", True))
            return
        for _ in range(rng.choice([0, 0, 1, 2])):
            self.laid.append(self._beside(card_scenes._paper(noise), rng.uniform(0.8, 2.5)))
        for _ in range(rng.choice([0, 0, 1, 2])):
            back = card_scenes._back(self.art, self.prints, noise)
            self.laid.append(self._beside(back, self.size, "back", True))

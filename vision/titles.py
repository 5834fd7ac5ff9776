"""Names of cities in lines of letters: which ticket of a closed list a line, or two lines together, can be.

Every spelling of every city is tried at every place of a line; the two cities of a ticket may stand in either order, in
one line or in two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from maps import Board
from vision import lines, names
from vision.config import TITLE
from vision.lines import Line
from vision.names import Lattice, Words

Picture = NDArray[np.uint8]
Scores = NDArray[np.float64]
Ints = NDArray[np.int64]
Pair = tuple[str, str]
# A line as the reader of names wants it.
Cut = Callable[[Line], Picture]


@dataclass(frozen=True, eq=False)
class Gazetteer:
    """The places of a board in all their spellings, and the pairs of them that may stand on a ticket.

    `owner` is the place that each word names; `first`, `second` and `pair` are all ways to write all pairs.
    """

    places: tuple[str, ...]
    words: Words
    owner: Ints
    pairs: tuple[Pair, ...]
    first: Ints
    second: Ints
    pair: Ints

    @cached_property
    def longest(self) -> dict[str, int]:
        """How many letters each place has at most."""
        lengths: dict[str, int] = {}
        for n, text in zip(self.owner, self.words.texts, strict=True):
            lengths[self.places[n]] = max(lengths.get(self.places[n], 0), len(text))
        return lengths

    @cached_property
    def ends(self) -> Ints:
        """The numbers of each pair's two places."""
        number = {place: n for n, place in enumerate(self.places)}
        return np.array([(number[a], number[b]) for a, b in self.pairs], np.int64).reshape(-1, 2)

    @classmethod
    def of(cls, spellings: Mapping[str, Iterable[str]], pairs: Iterable[Pair]) -> Gazetteer:
        rows = [(place, text) for place, every in spellings.items() for text in dict.fromkeys(map(names.folded, every))]
        rows = [(place, text) for place, text in rows if text]
        places = tuple(spellings)
        known = tuple(dict.fromkeys(pairs))
        spelt: dict[str, list[int]] = {place: [] for place in places}
        for n, (place, _) in enumerate(rows):
            spelt[place].append(n)
        ways = [
            (i, j, n)
            for n, (a, b) in enumerate(known)
            for one in spelt[a]
            for other in spelt[b]
            for i, j in ((one, other), (other, one))
        ]
        first, second, pair = np.array(ways, np.int64).reshape(-1, 3).T
        owner = np.array([places.index(place) for place, _ in rows], np.int64)
        return cls(places, Words(tuple(text for _, text in rows)), owner, known, first, second, pair)


def gazetteer(board: Board) -> Gazetteer:
    """The tickets of a board; where no list of them is known, every pair of its cities."""
    spellings = {c.id: c.spellings for c in board.cities.values() if not c.junction}
    spellings |= {p.id: (p.name.en, p.name.fr) for p in board.places.values()}
    pairs: Iterable[Pair] = [(t.a, t.b) for t in board.tickets.values()]
    if not board.tickets:
        pairs = combinations(sorted(spellings), 2)
    return Gazetteer.of(spellings, pairs)


@dataclass(frozen=True, eq=False)
class Read:
    """A line with what the net saw in it: how well every pair of cities fits, and every place alone (0: perfectly)."""

    line: Line
    lattice: Lattice
    pairs: Scores
    alone: Scores

    @property
    def letters(self) -> int:
        return len(self.lattice.text)

    @property
    def may_be_names(self) -> bool:
        return self.line.long > TITLE.least_long * self.line.high

    @property
    def clearly_one(self) -> bool:
        """Whether it is the name of one place and nothing else."""
        return float(self.alone.max(initial=-99.0)) > TITLE.makes_sense * self.letters

    @cached_property
    def fit(self) -> float:
        """How well the best of all fits, per letter that is there."""
        return float(max(self.pairs.max(initial=-99.0), self.alone.max(initial=-99.0))) / max(self.letters, 3)


@dataclass(frozen=True, eq=False)
class Title:
    """Lines that may name a ticket: how likely each pair is, the likeliest first, and how likely none of them."""

    lines: tuple[Line, ...]
    odds: tuple[tuple[Pair, float], ...]
    none: float
    text: str

    @property
    def best(self) -> float:
        return self.odds[0][1] if self.odds else 0.0

    @property
    def line(self) -> Line:
        """The longest of its lines."""
        return max(self.lines, key=lambda one: one.long)


def read(cut: Cut, found: list[Line], known: Gazetteer) -> list[Read]:
    """What stands in each line, cut as it was found."""
    return _fitted(found, names.read([cut(line) for line in found]), known)


def turned(cut: Cut, told: list[Read], known: Gazetteer) -> list[Read]:
    """The same lines; those that make no sense are looked at upside down."""
    return _again(cut, told, known, _turned)


def again(cut: Cut, told: list[Read], known: Gazetteer, most: int = TITLE.doubtful) -> list[Read]:
    """The same lines; those that make no sense are cut otherwise, and looked at in even light, either way up.

    At most so many of them, and fewer after a way in which none comes to make sense: one photo is blurred alike all
    over, so the others won't either.
    """
    for way, otherwise in _ways(cut):
        before = sum(map(_doubtful, told))
        told = _again(way, told, known, otherwise, most)
        if sum(map(_doubtful, told)) == before:
            most = min(most, TITLE.later)
    return told


def _ways(cut: Cut) -> Iterator[tuple[Cut, Callable[[Line], Line]]]:
    yield from ((cut, otherwise) for otherwise in _OTHERWISE)
    yield from ((lambda line: names.evened(cut(line)), otherwise) for otherwise in (_as_it_is, _turned))


def _as_it_is(line: Line) -> Line:
    return line


def _turned(line: Line) -> Line:
    return line.turned


def _doubtful(one: Read) -> bool:
    return one.fit < TITLE.makes_sense and one.may_be_names


def _again(
    cut: Cut, told: list[Read], known: Gazetteer, otherwise: Callable[[Line], Line], most: int = TITLE.doubtful
) -> list[Read]:
    doubtful = [n for n, one in enumerate(told) if _doubtful(one)]
    # Where little can be read most lines are none: those that come nearest to a name are worth the time.
    doubtful = sorted(doubtful, key=lambda n: -told[n].fit)[:most]
    better = list(told)
    for n, other in zip(doubtful, read(cut, [otherwise(told[n].line) for n in doubtful], known), strict=True):
        if other.fit > told[n].fit:
            better[n] = other
    return better


# Other ways to cut a line: its height and place are told roughly only.
_OTHERWISE: tuple[Callable[[Line], Line], ...] = (
    lambda line: line.sized(TITLE.lower),
    lambda line: line.sized(TITLE.higher),
    lambda line: line.moved(-TITLE.moved),
    lambda line: line.moved(TITLE.moved),
)


def _fitted(found: Sequence[Line], seen: Sequence[Lattice], known: Gazetteer) -> list[Read]:
    worth = [n for n, lattice in enumerate(seen) if len(lattice.text) >= TITLE.letters]
    fits = dict(zip(worth, names.all_fits([seen[n] for n in worth], known.words), strict=True))
    told = []
    for n, (line, lattice) in enumerate(zip(found, seen, strict=True)):
        pairs = np.full(len(known.pairs), -99.0)
        alone = np.full(len(known.places), -99.0)
        if n in fits:
            np.maximum.at(pairs, known.pair, fits[n].pairs(known.first, known.second))
            np.maximum.at(alone, known.owner, fits[n].alone)
        told.append(Read(line, lattice, pairs, alone))
    return told


def _anywhere(_a: Line, _b: Line) -> bool:
    return True


def titles(told: list[Read], known: Gazetteer, together: Callable[[Line, Line], bool] = _anywhere) -> list[Title]:
    """Lines that name tickets, the surest first; letters belong to one title only.

    `together`: whether two lines may stand on one ticket.
    """
    guesses = [_title((one,), one.pairs, known) for one in told]
    for i, j in np.argwhere(np.triu(near_one_another([one.line for one in told]), 1)):
        one, other = told[i], told[j]
        if lines.common(one.line, other.line) < TITLE.same and together(one.line, other.line):
            a, b = one.alone[known.ends], other.alone[known.ends]
            scores = np.maximum(a[:, 0] + b[:, 1], a[:, 1] + b[:, 0])
            guesses.append(_title((one, other), scores, known))
    kept: list[Title] = []
    for title in sorted(guesses, key=lambda guess: -guess.best):
        if title.none < TITLE.perhaps and not any(_in_one_place(title, other) for other in kept):
            kept.append(title)
    return kept


def _in_one_place(a: Title, b: Title) -> bool:
    """Whether two titles take the same letters."""
    return any(lines.common(one, other) > TITLE.same for one in a.lines for other in b.lines)


def lift(told: Read, known: Gazetteer) -> float:
    """How much better the best pair fits a line than letters by chance would."""
    scores = told.pairs
    most = sum(_lengths(scores, known))
    return float(scores.max(initial=-99.0)) - _by_chance(told, most)


def _by_chance(told: Read, most: int) -> float:
    """How well letters by chance fit: those that the net isn't sure of are no evidence for other words, nor are more
    than the names have."""
    return -(TITLE.none + TITLE.none_per_letter * min(told.letters, most) * told.lattice.clear)


def _lengths(scores: Scores, known: Gazetteer) -> list[int]:
    """How many letters the two names of the best pair have."""
    best = known.pairs[int(scores.argmax())] if len(scores) else ("", "")
    return [known.longest.get(place, 0) for place in best]


def _title(told: tuple[Read, ...], scores: Scores, known: Gazetteer) -> Title:
    """Odds of all pairs against one another, and of the best against none: then letters would be off a little."""
    ends = _lengths(scores, known)
    most = sum(ends) if len(told) == 1 else max(ends)
    nothing = [_by_chance(one, most) for one in told]
    nulls = [sum(nothing)]
    if len(told) == 2:
        # Of two lines one may name a city, and the other nothing.
        nulls += [float(told[k].alone.max(initial=-99.0)) + nothing[1 - k] for k in (0, 1)]
    against = np.logaddexp.reduce(TITLE.sharpness * (np.array(nulls) - scores.max(initial=-99.0)))
    none = float(1 / (1 + np.exp(-against)))
    logs = scores * TITLE.apart_by
    odds = np.exp(logs - np.logaddexp.reduce(logs)) * (1 - none)
    order = np.argsort(-odds)[: TITLE.kept]
    ranked = tuple((known.pairs[k], float(odds[k])) for k in order)
    text = " ".join(one.lattice.text for one in told)
    return Title(tuple(one.line for one in told), ranked, none, text)


def hints(told: Read, known: Gazetteer) -> Scores:
    """How much a line speaks for each pair, both names or one of them, against letters by chance."""
    scores = np.maximum(told.pairs, told.alone[known.ends].max(1, initial=-99.0) - TITLE.one_name)
    most = np.array([known.longest.get(a, 0) + known.longest.get(b, 0) for a, b in known.pairs])
    chance = TITLE.none + TITLE.none_per_letter * np.minimum(told.letters, most) * told.lattice.clear
    return np.asarray(TITLE.apart_by * (scores + chance))


def near_one_another(rows: Sequence[Line]) -> NDArray[np.bool_]:
    """For every two lines whether they stand as those of one title do.

    One below the other, or in one row with a wide gap or an ornament between them.
    """
    if not rows:
        return np.zeros((0, 0), np.bool_)
    high, long = np.array([one.high for one in rows]), np.array([one.long for one in rows])
    way, middle = np.array([one.way for one in rows]), np.array([one.middle for one in rows])
    tall, small = np.maximum.outer(high, high), np.minimum.outer(high, high)
    step = middle[None] - middle[:, None]
    along = np.abs((step * way[:, None]).sum(2))
    across = np.abs((step * np.stack([-way[:, 1], way[:, 0]], axis=1)[:, None]).sum(2))
    half = np.add.outer(long, long) / 2
    stacked = (0.8 * small < across) & (across < TITLE.apart * tall) & (along < half)
    beside = across < TITLE.off * tall + TITLE.slope * along
    beside &= (-small < along - half) & (along - half < TITLE.gap * tall)
    alike = (np.abs(way @ way.T) >= TITLE.parallel) & (tall <= TITLE.alike * small)
    return np.asarray(alike & (stacked | beside))

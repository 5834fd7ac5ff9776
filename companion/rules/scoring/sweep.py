"""The heaviest part of a network that can be walked in one go: the hard half of the longest path.

The lines of a network are decided one by one, kept or left out, along a line that sweeps over it. Of all choices so far
only what the sweep line sees matters: which of its cities are joined by what was kept, and which are odd.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple  # Any: chains of chains: mypy knows no type that holds itself as this does

from maps import Route


class Part(NamedTuple):
    """Some tracks and their wagons."""

    length: int
    tracks: tuple[Route, ...]

    def plus(self, *others: Part) -> Part:
        parts = (self, *others)
        return Part(sum(p.length for p in parts), tuple(t for p in parts for t in p.tracks))


NOTHING = Part(0, ())

# About a second on a slow laptop, a hundred times what the worst known positions of our boards need. A number of looks
# and no clock: every machine finds the same.
MOST_LOOKS = 25_000


class Line(NamedTuple):
    """Tracks in a row that nothing else joins: a longest trail has all of them or none."""

    a: str
    b: str
    part: Part

    def far(self, city: str) -> str:
        return self.b if self.a == city else self.a


def ending_at(lines: Iterable[Line]) -> dict[str, list[Line]]:
    at: dict[str, list[Line]] = {}
    for line in lines:
        at.setdefault(line.a, []).append(line)
        at.setdefault(line.b, []).append(line)
    return at


# The two longest tails of a city: ways into a branch, each as far as it goes.
Tails = tuple[Part, Part]


_Seen = tuple[int, ...]
# How many ends of the trail lie behind the sweep line, and what it sees.
_State = tuple[int, _Seen]
# Wagons kept so far, and the parts kept, as a chain.
_Kept = tuple[int, Any]


# How many ends of the trail lie in some cities, and the tails that they bring.
_Ends = tuple[int, Part]
_WITHOUT_TAILS: tuple[tuple[_Ends, ...], ...] = tuple(((n, NOTHING),) for n in range(3))


class _Outcome(NamedTuple):
    """What the sweep line sees once cities are left behind, or that the part is closed; and what can end there.

    `odd` is twice the least loss still to come, if no further city may stay odd.
    """

    seen: _Seen
    closed: bool
    ends: tuple[_Ends, ...]
    odd: int


@dataclass(frozen=True)
class _Ahead:
    """Lines still to come: of each city in sight whether their number is odd, and the shortest of them.

    A city that would be odd with all of them loses one at least, and one line can mend two cities. An end of the trail
    saves its city from that and brings a tail; `tails` and `ends` are twice what 2, 1 or 0 ends can bring.
    """

    parity: _Seen
    shortest: _Seen
    out_of_sight: int
    tails: tuple[int, int, int]
    ends: tuple[int, int, int]

    def odd(self, seen: _Seen) -> int:
        """The shortest lines ahead of all cities that would be odd, together."""
        lost = self.out_of_sight
        for code, odd, length in zip(seen, self.parity, self.shortest, strict=True):
            if code & 1 != odd:
                lost += length
        return lost

    def hope(self, ends: int, odd: int) -> int:
        """Twice what ends still to come may add, less what odd cities must lose."""
        return min(self.tails[ends], self.ends[ends] - odd)


@dataclass(frozen=True)
class _Step:
    """One line of the sweep: where its ends stand among the cities seen, and for which of these it is the last line.

    What is seen of a city: 0 no track kept yet, else twice the number of its part, plus 1 if odd.
    """

    line: Line
    a: int
    b: int
    untouched: _Seen
    gone: tuple[int, ...]
    stay: tuple[int, ...]
    tails: tuple[Tails, ...]
    ahead: _Ahead

    def take(self, seen: _Seen) -> _Seen:
        """What is seen once this line is kept: both ends change parity and belong to one part."""
        part_a, part_b = seen[self.a] >> 1, seen[self.b] >> 1
        joined = part_a or part_b or len(seen) + 1
        now = list(seen)
        if part_b and part_b != joined:
            now = [joined * 2 + (code & 1) if code >> 1 == part_b else code for code in now]
        # A line that comes back to its city changes its parity twice.
        for end in (self.a, self.b):
            now[end] = joined * 2 + (1 - (now[end] & 1))
        return tuple(now)

    def leave(self, seen: _Seen) -> _Outcome | None:
        """Leaves cities behind; None if a part would stay alone that others can no longer join."""
        if not self.gone:
            return _Outcome(_renamed(seen), False, _WITHOUT_TAILS[0], self.ahead.odd(seen))
        stay = [seen[i] for i in self.stay]
        gone = {seen[i] >> 1 for i in self.gone if seen[i]}
        alone = gone.difference([code >> 1 for code in stay])
        if alone and (any(stay) or len(gone) > 1):
            return None
        told = _renamed(stay)
        return _Outcome(told, bool(alone), self._ends(seen), self.ahead.odd(told))

    def _ends(self, seen: _Seen) -> tuple[_Ends, ...]:
        if not self.tails:
            return _WITHOUT_TAILS[sum([seen[i] & 1 for i in self.gone])]
        odd = [tails[0] for i, tails in zip(self.gone, self.tails, strict=True) if seen[i] & 1]
        if odd:
            return ((len(odd), odd[0].plus(*odd[1:])),)
        # A trail that comes back to its start may begin and end in the tails there.
        even = [t for i, t in zip(self.gone, self.tails, strict=True) if seen[i] and t[0].length]
        return (*_WITHOUT_TAILS[0], *((2, first.plus(second)) for first, second in even))


def _renamed(seen: Sequence[int]) -> _Seen:
    """The same with its parts numbered in order, so that equal sights are equal."""
    names: dict[int, int] = {}
    return tuple([names.setdefault(c >> 1, len(names) + 1) * 2 + (c & 1) if c else 0 for c in seen])


class Sweep:
    """The search for the heaviest part of one network without dead ends, the most hopeful choices first."""

    def __init__(self, lines: Sequence[Line], tails: Mapping[str, Tails]) -> None:
        ordered = _in_sweep_order(lines)
        core = {city: tails[city] for city in ending_at(lines) if city in tails}
        self.steps = list(_steps(ordered, core))
        # Wagons on the lines after each step.
        self.left = [sum(line.part.length for line in ordered[i + 1 :]) for i in range(len(ordered))]
        self.outcomes: list[dict[_Seen, _Outcome | None]] = [{} for _ in ordered]

    def heaviest(self, floor: int) -> tuple[Part, bool]:
        """The heaviest part, or nothing if none is longer than the floor; and whether that is settled.

        Boards with many tracks between all their cities have more sights than there is time for.
        """
        best: _Kept = (floor, None)
        known: list[dict[_State, int]] = [{} for _ in self.steps]
        # Twice the most that may come of it (negative: the heap gives the least), the step to take, the state.
        queue: list[tuple[int, int, int, _State, _Kept]] = [(-sys.maxsize, 0, 0, (0, ()), (0, None))]
        pushed = looks = 0
        while queue and -queue[0][0] > 2 * best[0]:
            looks += 1
            if looks > MOST_LOOKS:
                return NOTHING.plus(*_chained(best[1])), False
            _, after, _, state, kept = heapq.heappop(queue)
            i = -after
            if kept[0] < known[i].get(state, 0):
                continue
            for ends, outcome, now in self._moves(i, state, kept):
                if outcome.closed:
                    best = now if now[0] > best[0] else best
                    continue
                most = 2 * (now[0] + self.left[i]) + self.steps[i].ahead.hope(ends, outcome.odd)
                seen = (ends, outcome.seen)
                if most > 2 * best[0] and now[0] > known[i + 1].get(seen, -1):
                    known[i + 1][seen] = now[0]
                    pushed += 1
                    heapq.heappush(queue, (-most, -i - 1, pushed, seen, now))
        return NOTHING.plus(*_chained(best[1])), True

    def _moves(self, i: int, state: _State, kept: _Kept) -> Iterator[tuple[int, _Outcome, _Kept]]:
        """All ways to go on over one line: without it or with it, and with the ends that lie where it leads."""
        step, outcomes = self.steps[i], self.outcomes[i]
        ends, seen = state[0], state[1] + step.untouched
        part = step.line.part
        for now, held in ((seen, kept), (step.take(seen), (kept[0] + part.length, (part, kept[1])))):
            if now not in outcomes:
                outcomes[now] = step.leave(now)
            outcome = outcomes[now]
            for more, tail in outcome.ends if outcome else ():
                if outcome and ends + more <= 2:
                    yield ends + more, outcome, (held[0] + tail.length, (tail, held[1])) if more else held


def _chained(chain: Any) -> Iterator[Part]:
    while chain is not None:
        part, chain = chain
        yield part


def _steps(lines: Sequence[Line], tails: Mapping[str, Tails]) -> Iterator[_Step]:
    last = {end: i for i, line in enumerate(lines) for end in (line.a, line.b)}
    ahead = _lines_ahead(lines)
    seen: list[str] = []
    for i, line in enumerate(lines):
        new = [end for end in dict.fromkeys((line.a, line.b)) if end not in seen]
        seen += new
        gone = tuple(k for k, city in enumerate(seen) if last[city] == i)
        stay = tuple(k for k in range(len(seen)) if k not in gone)
        has_tails = any(seen[k] in tails for k in gone)
        left_behind = tuple(tails.get(seen[k], (NOTHING, NOTHING)) for k in gone if has_tails)
        place = seen.index(line.a), seen.index(line.b)
        seen_after = [seen[k] for k in stay]
        yield _Step(line, *place, (0,) * len(new), gone, stay, left_behind, _ahead(ahead[i], seen_after, tails))
        seen = seen_after


def _lines_ahead(lines: Sequence[Line]) -> list[dict[str, tuple[int, int]]]:
    """After each line, of every city ahead: whether the number of lines to come is odd, and the shortest of them."""
    found: list[dict[str, tuple[int, int]]] = [{}]
    for line in reversed(lines[1:]):
        cities = dict(found[-1])
        # Leaving out a line that comes back to its city mends nothing there.
        for end in (line.a, line.b) if line.a != line.b else ():
            odd, shortest = cities.get(end, (0, line.part.length))
            cities[end] = (1 - odd, min(shortest, line.part.length))
        found.append(cities)
    return found[::-1]


def _ahead(cities: Mapping[str, tuple[int, int]], seen: Sequence[str], tails: Mapping[str, Tails]) -> _Ahead:
    in_sight = [cities.get(city, (0, 0)) for city in seen]
    out_of_sight = sum(shortest for city, (odd, shortest) in cities.items() if odd and city not in seen)
    open_cities = dict.fromkeys((*cities, *seen))
    by_tail = sorted((2 * tails[city][0].length for city in open_cities if city in tails), reverse=True)
    by_end = sorted(
        (cities.get(c, (0, 0))[1] + (2 * tails[c][0].length if c in tails else 0) for c in open_cities), reverse=True
    )
    # Both ends in the tails of one city.
    both = max((2 * (tails[c][0].length + tails[c][1].length) for c in open_cities if c in tails), default=0)
    return _Ahead(
        tuple(odd for odd, _ in in_sight),
        tuple(shortest for _, shortest in in_sight),
        out_of_sight,
        (max(both, sum(by_tail[:2])), sum(by_tail[:1]), 0),
        (max(both, sum(by_end[:2])), sum(by_end[:1]), 0),
    )


def _in_sweep_order(lines: Sequence[Line]) -> list[Line]:
    """The lines city by city, the next one always a city in sight that brings the fewest new ones into sight."""
    at: dict[str, list[int]] = {}
    for i, line in enumerate(lines):
        for end in dict.fromkeys((line.a, line.b)):
            at.setdefault(end, []).append(i)
    neighbours = {city: {lines[i].far(city) for i in near} for city, near in at.items()}
    # A city on the rim is a good place to start.
    start = min(at, key=lambda c: (len(at[c]), c))
    order: dict[int, None] = {}
    reached = {start}
    done: set[str] = set()
    in_sight = [start]
    while in_sight:
        city = min(in_sight, key=lambda c: (len(neighbours[c] - reached), len(neighbours[c] - done), c))
        order.update(dict.fromkeys(at[city]))
        in_sight += sorted(neighbours[city] - reached)
        reached |= neighbours[city]
        done.add(city)
        in_sight.remove(city)
    return [lines[i] for i in order]

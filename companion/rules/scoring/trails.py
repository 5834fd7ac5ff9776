"""The longest path, exactly: the longest trail of wagons. Cities may repeat, a track counts once.

A set of tracks can be walked in one go if it is connected and at most two of its cities have an odd number of tracks.
So the search is for the heaviest such set. Tracks are decided one by one, along a line that sweeps over the network;
of all choices so far only what the line sees matters: which of its cities are joined, and which are odd.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.scoring.networks import connected
from maps import Route


@dataclass(frozen=True)
class Trail:
    """A walk over tracks, each once: its length in wagons and the tracks' ids in the order of the walk."""

    length: int
    routes: tuple[str, ...]


NO_TRAIL = Trail(0, ())


@dataclass(frozen=True)
class _Line:
    """Tracks in a row that nothing else joins: a longest trail has all of them or none."""

    a: str
    b: str
    length: int
    tracks: tuple[Route, ...]


def longest_trail(tracks: Iterable[Route]) -> Trail:
    """The longest trail over these tracks; the same one on any machine, in whatever order they are given."""
    best: list[Route] = []
    longest = 0
    networks = connected(sorted(tracks, key=lambda t: t.id))
    for network in sorted(networks, key=_length, reverse=True):
        if _length(network) <= longest:
            break
        part = network if len(_odd_cities(network)) <= 2 else _heaviest_part(network, longest)
        if _length(part) > longest:
            best, longest = part, _length(part)
    return Trail(longest, tuple(t.id for t in _walk(best)))


def _length(tracks: Iterable[Route]) -> int:
    return sum(t.length for t in tracks)


def _odd_cities(tracks: Iterable[Route]) -> list[str]:
    odd: dict[str, None] = {}
    for end in (end for t in tracks for end in t.ends):
        if end in odd:
            del odd[end]
        else:
            odd[end] = None
    return list(odd)


def _walk(tracks: Sequence[Route]) -> list[Route]:
    """The tracks in an order in which they can be walked (Hierholzer): connected, at most two odd cities."""
    if not tracks:
        return []
    left: dict[str, list[Route]] = {}
    for track in reversed(tracks):
        for end in track.ends:
            left.setdefault(end, []).append(track)
    start = min(_odd_cities(tracks), default=tracks[0].a)
    used: set[str] = set()
    stack: list[tuple[str, Route | None]] = [(start, None)]
    walk: list[Route] = []
    while stack:
        city, came_by = stack[-1]
        while left[city] and left[city][-1].id in used:
            left[city].pop()
        if left[city]:
            track = left[city].pop()
            used.add(track.id)
            stack.append((track.other(city), track))
        else:
            stack.pop()
            if came_by is not None:
                walk.append(came_by)
    walk.reverse()
    return walk


def _heaviest_part(network: Sequence[Route], longest: int) -> list[Route]:
    """The heaviest connected part with at most two odd cities, or nothing if none is longer than what is known."""
    lines = _in_sweep_order(_lines(network))
    steps = list(_steps(lines))
    total = _length(network)
    # Each line left out mends two odd cities at best. A guess that is a bit too kind keeps the search small.
    missing = len(_odd_cities(network)) // 2 - 1
    loss = 1 + 3 * sum(sorted(line.length for line in lines)[:missing]) // 2
    while True:
        floor = max(longest, total - loss - 1)
        kept = _search(lines, steps, floor)
        if kept or floor == longest:
            return sorted((t for line in kept for t in line.tracks), key=lambda t: t.id)
        loss += 1 + loss * 2 // 3


def _search(lines: Sequence[_Line], steps: Sequence[_Step], floor: int) -> list[_Line]:
    """The lines to keep, together as long as can be and longer than the floor."""
    # What is known at a state: the wagons kept on the best way there, and the lines kept, as a chain.
    states: dict[_State, _Kept] = {(0, ()): (0, None)}
    best: _Kept = (floor, None)
    left = sum(line.length for line in lines)
    for line, step in zip(lines, steps, strict=True):
        left -= line.length
        after: dict[_State, _Kept] = {}
        for (ends, seen), kept in states.items():
            seen += step.untouched
            with_line = (kept[0] + line.length, (line, kept[1]))
            for now, value in ((seen, kept), (step.take(seen), with_line)):
                if value[0] + left <= best[0]:
                    continue
                state, finished = step.leave(ends, now)
                if finished:
                    best = value if value[0] > best[0] else best
                elif state is not None and (state not in after or after[state][0] < value[0]):
                    after[state] = value
        states = after
    return list(_chained(best[1]))


_State = tuple[int, tuple[int, ...]]
_Kept = tuple[int, Any]


def _chained(chain: Any) -> Iterator[_Line]:
    while chain is not None:
        line, chain = chain
        yield line


@dataclass(frozen=True)
class _Step:
    """One line of the sweep: where its ends stand among the cities seen, and which of these it is the last line of.

    What is seen of a city: 0 no track kept yet, else twice the number of its part, plus 1 if odd.
    """

    a: int
    b: int
    untouched: tuple[int, ...]
    gone: tuple[int, ...]
    stay: tuple[int, ...]

    def take(self, seen: tuple[int, ...]) -> tuple[int, ...]:
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

    def leave(self, ends: int, seen: tuple[int, ...]) -> tuple[_State | None, bool]:
        """The state without the cities that are left behind, None if it can't be walked; and whether all is done."""
        stay = [seen[i] for i in self.stay]
        closed = 0
        for i in self.gone:
            code = seen[i]
            if not code:
                continue
            ends += code & 1
            part = code >> 1
            if part != closed and not any(other >> 1 == part for other in stay):
                # This part can grow no more: it must be the only one.
                if closed or any(stay):
                    return None, False
                closed = part
        if ends > 2:
            return None, False
        if closed:
            return None, not any(seen[i] >> 1 not in (0, closed) for i in self.gone)
        names: dict[int, int] = {}
        told = tuple(names.setdefault(c >> 1, len(names) + 1) * 2 + (c & 1) if c else 0 for c in stay)
        return (ends, told), False


def _steps(lines: Sequence[_Line]) -> Iterator[_Step]:
    last = {end: i for i, line in enumerate(lines) for end in (line.a, line.b)}
    seen: list[str] = []
    for i, line in enumerate(lines):
        new = [end for end in dict.fromkeys((line.a, line.b)) if end not in seen]
        seen += new
        gone = tuple(k for k, city in enumerate(seen) if last[city] == i)
        stay = tuple(k for k in range(len(seen)) if k not in gone)
        yield _Step(seen.index(line.a), seen.index(line.b), (0,) * len(new), gone, stay)
        seen = [seen[k] for k in stay]


def _lines(network: Sequence[Route]) -> list[_Line]:
    """Joins tracks that meet in a city where nothing else ends."""
    lines = [_Line(t.a, t.b, t.length, (t,)) for t in network]
    at: dict[str, list[_Line]] = {}
    for line in lines:
        at.setdefault(line.a, []).append(line)
        at.setdefault(line.b, []).append(line)
    for city, ending in list(at.items()):
        if len(ending) != 2 or ending[0] is ending[1]:
            continue
        first, second = ending
        a, b = _far_end(first, city), _far_end(second, city)
        joined = _Line(a, b, first.length + second.length, first.tracks + second.tracks)
        _replace(at[a], first, joined)
        _replace(at[b], second, joined)
        del at[city]
    found: dict[int, _Line] = {id(line): line for ending in at.values() for line in ending}
    return list(found.values())


def _far_end(line: _Line, city: str) -> str:
    return line.b if line.a == city else line.a


def _replace(lines: list[_Line], old: _Line, new: _Line) -> None:
    lines[next(i for i, line in enumerate(lines) if line is old)] = new


def _in_sweep_order(lines: Sequence[_Line]) -> list[_Line]:
    """The lines city by city, the next one always a city in sight that brings the fewest new ones into sight."""
    at: dict[str, list[int]] = {}
    for i, line in enumerate(lines):
        for end in dict.fromkeys((line.a, line.b)):
            at.setdefault(end, []).append(i)
    neighbours = {city: {_far_end(lines[i], city) for i in near} for city, near in at.items()}
    # A city on the rim is a good place to start.
    city = min(at, key=lambda c: (len(at[c]), c))
    order: dict[int, None] = {}
    reached = {city}
    done: set[str] = set()
    in_sight = [city]
    while in_sight:
        city = min(in_sight, key=lambda c: (len(neighbours[c] - reached), len(neighbours[c] - done), c))
        order.update(dict.fromkeys(at[city]))
        in_sight += sorted(neighbours[city] - reached)
        reached |= neighbours[city]
        done.add(city)
        in_sight.remove(city)
    return [lines[i] for i in order]

"""The longest path, exactly: the longest trail of wagons. Cities may repeat, a track counts once.

A set of tracks can be walked in one go if it is connected and at most two of its cities have an odd number of tracks.
So the search is for the heaviest such set. Branches that lead nowhere are cut off first: a trail can only end in them.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.rules.scoring.networks import connected
from companion.rules.scoring.sweep import NOTHING, Line, Part, Sweep, Tails, ending_at
from maps import Route


@dataclass(frozen=True)
class Trail:
    """A walk over tracks, each once: its length in wagons and the tracks' ids in the order of the walk.

    `settled`: no other is longer; else it is the best that was found in time.
    """

    length: int
    routes: tuple[str, ...]
    settled: bool = True


NO_TRAIL = Trail(0, ())


def longest_trail(tracks: Iterable[Route]) -> Trail:
    """The longest trail over these tracks; the same one on any machine, in whatever order they are given."""
    best, settled = NOTHING, True
    networks = [_part(network) for network in connected(sorted(tracks, key=lambda t: t.id))]
    for network in sorted(networks, key=lambda n: n.length, reverse=True):
        if network.length <= best.length:
            break
        found, sure = network, True
        if len(_odd_cities(network.tracks)) > 2:
            found, sure = _heaviest(network.tracks, best.length)
        settled = settled and sure
        best = found if found.length > best.length else best
    return Trail(best.length, tuple(t.id for t in _walk(best.tracks)), settled)


def _part(tracks: Iterable[Route]) -> Part:
    tracks = tuple(tracks)
    return Part(sum(t.length for t in tracks), tracks)


def _odd_cities(tracks: Iterable[Route]) -> list[str]:
    odd: dict[str, None] = {}
    for end in (end for t in tracks for end in t.ends):
        if end in odd:
            del odd[end]
        else:
            odd[end] = None
    return list(odd)


def _walk(tracks: Iterable[Route]) -> list[Route]:
    """The tracks in an order in which they can be walked (Hierholzer): connected, at most two odd cities."""
    tracks = sorted(tracks, key=lambda t: t.id, reverse=True)
    left: dict[str, list[Route]] = {}
    for track in tracks:
        for end in track.ends:
            left.setdefault(end, []).append(track)
    start = min(_odd_cities(tracks), default=min(left, default=""))
    used: set[str] = set()
    stack: list[tuple[str, Route | None]] = [(start, None)] if tracks else []
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


def _heaviest(network: Sequence[Route], floor: int) -> tuple[Part, bool]:
    """The heaviest connected part with at most two odd cities, or nothing if none is longer than the floor.

    And whether that is settled: if it takes too long, the best that was found.
    """
    lines, tails = _cut_branches([Line(t.a, t.b, _part((t,))) for t in network])
    # A trail within a branch goes up one tail of a city and down another.
    best = max((two[0].plus(two[1]) for two in tails.values()), default=NOTHING, key=lambda p: p.length)
    settled = True
    if lines:
        found, settled = Sweep(_joined(lines, tails), tails).heaviest(max(floor, best.length))
        quick = NOTHING if settled else _quickly(network)
        best = max(best, found, quick, key=lambda p: p.length)
    return best, settled


def _quickly(network: Sequence[Route]) -> Part:
    """A long part with at most two odd cities: of a tree over all cities as little as possible is left out."""
    tree, order = _tree(network)
    odd = set(_odd_cities(network))
    count = {city: city in odd for city in order}
    left_out: dict[str, bool] = {}
    # Below a track that is left out an odd number of odd cities lies: each of them loses one of its tracks.
    for city in reversed(order[1:]):
        track = tree[city]
        left_out[city] = count[city]
        count[track.other(city)] ^= count[city]
    # Two cities may stay odd: those between which most can be kept after all.
    ways: dict[str, tuple[int, list[str]]] = {}
    best: tuple[int, list[str]] = (0, [])
    for city in reversed(order):
        own = ways.get(city)
        if city in odd and (own is None or own[0] < 0):
            ways[city] = own = (0, [])
        if own is None or city == order[0]:
            continue
        gain = tree[city].length if left_out[city] else -tree[city].length
        up, above = (own[0] + gain, [*own[1], city]), tree[city].other(city)
        other = ways.get(above, (0, []) if above in odd else None)
        if other is not None and up[0] + other[0] > best[0]:
            best = (up[0] + other[0], up[1] + other[1])
        if above not in ways or up[0] > ways[above][0]:
            ways[above] = up
    for city in best[1]:
        left_out[city] = not left_out[city]
    gone = {tree[city].id for city, out in left_out.items() if out}
    parts = [_part(part) for part in connected([t for t in network if t.id not in gone])]
    return max((p for p in parts if len(_odd_cities(p.tracks)) <= 2), default=NOTHING, key=lambda p: p.length)


def _tree(network: Sequence[Route]) -> tuple[dict[str, Route], list[str]]:
    """A tree of short tracks over all cities: from each the track towards the first one; and all cities from there."""
    begin = min(t.a for t in network)
    at: dict[str, list[Route]] = {}
    for track in network:
        for end in track.ends:
            at.setdefault(end, []).append(track)
    tree: dict[str, Route] = {}
    order: list[str] = []
    queue = [(0, "", begin)]
    by_id = {t.id: t for t in network}
    while queue:
        _, came_by, city = heapq.heappop(queue)
        if city in tree or city in order[:1]:
            continue
        order.append(city)
        if came_by:
            tree[city] = by_id[came_by]
        for track in at[city]:
            heapq.heappush(queue, (track.length, track.id, track.other(city)))
    return tree, order


def _cut_branches(lines: Sequence[Line]) -> tuple[list[Line], dict[str, Tails]]:
    """The lines without dead ends, and the tails of each city from which dead ends were cut."""
    at = ending_at(lines)
    tails: dict[str, Tails] = {}
    ends = [city for city, ending in at.items() if len(ending) == 1]
    while ends:
        city = ends.pop()
        if not at[city]:
            continue
        (line,) = at.pop(city)
        root = line.far(city)
        at[root].remove(line)
        tail = line.part.plus(tails.get(city, (NOTHING,))[0])
        longest = sorted((tail, *tails.get(root, (NOTHING, NOTHING))), key=lambda p: p.length, reverse=True)
        tails[root] = (longest[0], longest[1])
        if len(at[root]) == 1:
            ends.append(root)
    return _each_once(at), tails


def _joined(lines: Sequence[Line], tails: Collection[str]) -> list[Line]:
    """Joins lines that meet in a city where nothing else is: no other line and no tail."""
    at = ending_at(lines)
    for city, ending in list(at.items()):
        if len(ending) != 2 or ending[0] is ending[1] or city in tails:
            continue
        first, second = ending
        a, b = first.far(city), second.far(city)
        line = Line(a, b, first.part.plus(second.part))
        at[a][_index(at[a], first)] = line
        at[b][_index(at[b], second)] = line
        del at[city]
    return _each_once(at)


def _each_once(at: Mapping[str, Iterable[Line]]) -> list[Line]:
    return list({id(line): line for ending in at.values() for line in ending}.values())


def _index(lines: Sequence[Line], wanted: Line) -> int:
    return next(i for i, line in enumerate(lines) if line is wanted)

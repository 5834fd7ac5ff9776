"""What a player's tracks join: which cities belong together, and the shortest way between two of them."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence

from maps import Route


def networks(tracks: Iterable[Route]) -> dict[str, int]:
    """For each city that is touched the number of its network: in one network all cities reach each other."""
    number: dict[str, int] = {}
    cities: dict[int, list[str]] = {}
    for i, track in enumerate(tracks):
        for city in track.ends:
            if city not in number:
                number[city] = 2 * i + (city == track.b)
                cities[number[city]] = [city]
        kept, joined = number[track.a], number[track.b]
        if kept != joined:
            for city in cities[joined]:
                number[city] = kept
            cities[kept] += cities.pop(joined)
    return number


def connected(tracks: Iterable[Route]) -> list[list[Route]]:
    """The tracks of each network."""
    tracks = list(tracks)
    number = networks(tracks)
    found: dict[int, list[Route]] = {}
    for track in tracks:
        found.setdefault(number[track.a], []).append(track)
    return list(found.values())


def shortest_way(
    own: Sequence[Route], borrowed: Sequence[Route], starts: Collection[str], goals: Collection[str]
) -> tuple[Route, ...]:
    """The way with the fewest borrowed tracks, then the fewest wagons, from one of the starts to one of the goals.

    There must be one: that is what the networks tell.
    """
    at: dict[str, list[tuple[int, Route]]] = {}
    for cost, tracks in ((0, own), (1, borrowed)):
        for track in tracks:
            for end in track.ends:
                at.setdefault(end, []).append((cost, track))
    # The tracks' ids make the choice among equal ways the same everywhere.
    queue: list[tuple[int, int, tuple[str, ...], str, tuple[Route, ...]]] = [(0, 0, (), s, ()) for s in sorted(starts)]
    reached: set[str] = set()
    while True:
        lent, length, ids, city, way = heapq.heappop(queue)
        if city in goals:
            return way
        if city in reached:
            continue
        reached.add(city)
        for cost, track in at.get(city, ()):
            far = track.other(city)
            if far not in reached:
                heapq.heappush(queue, (lent + cost, length + track.length, (*ids, track.id), far, (*way, track)))

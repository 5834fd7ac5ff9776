"""Boards of one's own on which the longest path can't be settled: the best found, with a word on it."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest

from companion.lang import tell
from companion.rules import Position, longest_trail, score
from companion.rules.scoring import trails
from companion.rules.scoring.networks import connected
from maps import Route, load


def tangle(cities: int, tracks: int, seed: int) -> list[Route]:
    """Tracks between any two cities."""
    rng = random.Random(seed)
    some = next(iter(load("usa").routes.values()))
    ends = [rng.sample(range(cities), 2) for _ in range(tracks)]
    return [
        replace(some, id=f"r{i:03d}", a=f"c{a}", b=f"c{b}", length=rng.randint(1, 6), group=f"r{i}")
        for i, (a, b) in enumerate(ends)
    ]


@pytest.mark.parametrize(("cities", "tracks"), [(50, 150), (100, 500)])
def test_a_tangle_gives_the_best_found_in_time(cities: int, tracks: int) -> None:
    network = tangle(cities, tracks, 0)
    began = time.process_time()
    found = longest_trail(network)
    assert time.process_time() - began < 5
    assert not found.settled
    by_id = {t.id: t for t in network}
    assert found.length == sum(by_id[r].length for r in found.routes) > 0.8 * sum(t.length for t in network)
    assert len(set(found.routes)) == len(found.routes)
    at = {by_id[found.routes[0]].a, by_id[found.routes[0]].b}
    for name in found.routes[1:]:
        track = by_id[name]
        assert at & set(track.ends)
        at = {end for near in at & set(track.ends) for end in (track.other(near),)}


def test_what_is_found_quickly_is_close_to_the_longest() -> None:
    shares = []
    for seed in range(60):
        network = max(connected(sorted(tangle(10, 22, seed), key=lambda t: t.id)), key=len)
        quick, longest = trails._quickly(network), longest_trail(network)
        assert longest.settled
        assert quick.length <= longest.length
        assert len(trails._odd_cities(quick.tracks)) <= 2
        shares.append(quick.length / longest.length)
    assert min(shares) > 0.9
    assert sum(shares) / len(shares) > 0.99


def test_the_sheet_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.rules.scoring.sweep.MOST_LOOKS", 1)
    routes = list(load("usa").routes)[:40]
    position = Position.from_json({"variant": "usa", "players": [{"name": "Ada", "color": "red", "routes": routes}]})
    told = [w for w in score(position).warnings if w.key == "score.path-not-settled"]
    assert len(told) == 1
    assert "Ada" in tell(told[0])
    assert "chemin" in tell(told[0], "fr")

"""Searches for the positions that are hardest to score and keeps them in worst_positions.json.

Run by hand, `python -m bench.worst 120` (seconds per variant): it takes a while and needs no repeating.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any  # Any: JSON, and a step of the search, counted from outside

import maps
from companion.rules import VARIANTS, Variant, longest_trail
from companion.rules.scoring import sweep
from maps import Board, Route

FILE = Path(__file__).parent / "worst_positions.json"
SEARCHED = ("usa", "europe-mega", "asia", "legendary-asia", "united-kingdom-advanced", "pennsylvania", "san-francisco")


def work(tracks: Iterable[Route]) -> int:
    """How many states the search for the longest trail looks at: the same on every machine."""
    seen = 0
    leave = sweep._Step.leave

    def counting(step: Any, now: tuple[int, ...]) -> Any:
        nonlocal seen
        seen += 1
        return leave(step, now)

    sweep._Step.leave = counting  # type: ignore[method-assign,assignment]
    try:
        longest_trail(tracks)
    finally:
        sweep._Step.leave = leave  # type: ignore[method-assign]
    return seen


def hardest(rng: random.Random, rules: Variant, board: Board, taken: set[str], seconds: float) -> list[Route]:
    """A network within one player's wagons that costs the most work; climbs by exchanging tracks, from many starts."""
    best: list[Route] = []
    most = -1
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        own = _grown(rng, rules, board, taken, [])
        worth, stuck = work(own), 0
        while stuck < 60 and time.monotonic() < until:
            left = own.copy()
            for _ in range(rng.randint(1, 3)):
                if left:
                    left.remove(rng.choice(left))
            other = _grown(rng, rules, board, taken, left)
            found = work(other)
            if found >= worth:
                stuck = 0 if found > worth else stuck + 1
                own, worth = other, found
            else:
                stuck += 1
        if worth > most:
            best, most = own, worth
    return best


def _grown(rng: random.Random, rules: Variant, board: Board, taken: set[str], own: list[Route]) -> list[Route]:
    """Adds joined tracks, mostly those that close loops and short ones, until no wagon can be placed."""
    own = own.copy()
    wagons = rules.wagons(board) - sum(r.length + r.mountain_marks for r in own)
    seats = board.players[-1]
    while True:
        cities = {c for r in own for c in r.ends}
        free = []
        for route in board.routes.values():
            group = board.groups[route.group]
            rule = rules.group_rule(len(group), route.group, seats)
            mine = sum(r.group == route.group for r in own)
            joined = (route.a in cities) + (route.b in cities) or not cities
            if (
                joined
                and route.id not in taken
                and route not in own
                and route.length + route.mountain_marks <= wagons
                and (rule.per_owner is None or mine < rule.per_owner)
            ):
                free.append((rng.random() * (1 + route.length) / joined, route.id))
        if not free:
            return own
        track = board.routes[min(free)[1]]
        own.append(track)
        wagons -= track.length + track.mountain_marks


def table(rng: random.Random, rules: Variant, seconds: float) -> dict[str, Any]:
    """A full table, each player with the hardest network that the others left."""
    board = maps.load(rules.board)
    entries = board.players[-1] // rules.team_size
    taken: set[str] = set()
    players: list[dict[str, Any]] = []
    tickets = list(rules.tickets(board))
    rng.shuffle(tickets)
    # Where a technology lets others in, all may hold the same hardest network.
    shared = rules.technologies != "none"
    for i in range(entries):
        if not (shared and players):
            network = hardest(rng, rules, board, taken, seconds if shared else seconds / entries)
        taken |= set() if shared else {r.id for r in network}
        player: dict[str, Any] = {"name": board.wagon_colors[i].title(), "color": board.wagon_colors[i]}
        player["routes"] = sorted(r.id for r in network)
        player["tickets"] = sorted(tickets[i::entries])
        players.append(player)
    if shared:
        players[0]["technologies"] = ["equalising-beam"]
    if rules.stations:
        _place_stations(rules, board, players)
    if not tickets:
        for player in players:
            pairs = [sorted(rng.sample(sorted(board.cities), 2)) for _ in range(20)]
            player["tickets"] = [{"a": a, "b": b, "points": 10} for a, b in pairs]
    return {"variant": rules.id, "players": players}


def _place_stations(rules: Variant, board: Board, players: list[dict[str, Any]]) -> None:
    """Each player's stations where the opponents have most tracks."""
    free = set(board.cities)
    for player in players:
        others = [board.routes[r] for p in players if p is not player for r in p["routes"]]
        busy = sorted(free, key=lambda c: (-sum(c in r.ends for r in others), c))
        player["stations"] = busy[: rules.stations]
        free -= set(player["stations"])


def total_work(position: dict[str, Any]) -> int:
    board = maps.load(VARIANTS[position["variant"]].board)
    return sum(work(board.routes[r] for r in p["routes"]) for p in position["players"])


def main(seconds: float) -> None:
    """Searches anew and keeps, for each variant, the harder of what is found and what is there."""
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    for variant in SEARCHED:
        found = table(random.Random(time.time_ns()), VARIANTS[variant], seconds)
        if variant not in kept or total_work(found) > total_work(kept[variant]):
            kept[variant] = found
        print(variant, total_work(found), "found,", total_work(kept[variant]), "kept", flush=True)
        FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)

"""Positions made by chance for every variant, as JSON: legal networks, and what else the variant has."""

from __future__ import annotations

import random
from typing import Any  # Any: JSON

import maps
from companion.rules import DEPOTS, VARIANTS, Variant
from maps import Board, Route


def some_position(seed: int, variant: str = "", wagons: int | None = None) -> dict[str, Any]:
    """A position of a variant (any, if none is named), each player with at most so many wagons on the board."""
    rng = random.Random(seed)
    rules = VARIANTS[variant or rng.choice(list(VARIANTS))]
    board = maps.load(rules.board)
    seats = rng.choice(board.players)
    entries = seats // rules.team_size
    colors = rng.sample(board.wagon_colors, entries)
    networks = _networks(rng, rules, board, seats, entries, wagons or rules.wagons(board))
    position: dict[str, Any] = {"variant": rules.id, "players": []}
    if rng.random() < 0.3:
        position["modules"] = [DEPOTS]
    tickets = list(rules.tickets(board))
    rng.shuffle(tickets)
    cities = rng.sample(list(board.cities), 3 * entries)
    for i in range(entries):
        player: dict[str, Any] = {"name": colors[i].title(), "color": colors[i], "routes": [r.id for r in networks[i]]}
        n = rng.randint(0, 7)
        player["tickets"] = [tickets.pop() for _ in range(min(n, len(tickets)))] or _tickets_told(rng, board, n)
        if rules.stations:
            player["stations"] = [cities.pop() for _ in range(rng.randint(0, rules.stations))]
        if rules.technologies != "none":
            player["technologies"] = [t for t in rules.technology_ids(board) if rng.random() < 0.4]
            if rng.random() < 0.7:
                player["marked_points"] = sum(r.points for r in networks[i]) + rng.randint(0, 9)
        if board.tourist_tokens and rules.tourists:
            player["tourists"] = rng.sample([f"kind-{k}" for k in range(7)], rng.randint(0, 7))
        if rules.team_size > 1:
            player["members"] = [f"{player['name']} {k}" for k in range(1, rules.team_size + 1)]
        if "modules" in position:
            player["depots_left"] = rng.randint(0, 4)
        position["players"].append(player)
    if rules.shares:
        _deal_shares(rng, board, position)
    return position


def _networks(
    rng: random.Random, rules: Variant, board: Board, seats: int, entries: int, wagons: int
) -> list[list[Route]]:
    """Tracks for each player, mostly joined to what is there, by the group rules of the variant."""
    owner: dict[str, int] = {}
    networks: list[list[Route]] = [[] for _ in range(entries)]
    for i, own in enumerate(networks):
        left = rng.randint(0, wagons)
        while True:
            free = [r for r in board.routes.values() if _may_claim(r, i, left, owner, board, rules, seats)]
            near = [r for r in free if any(r.a in t.ends or r.b in t.ends for t in own)]
            if not free:
                break
            track = rng.choice(near if near and rng.random() < 0.9 else free)
            own.append(track)
            owner[track.id] = i
            left -= track.length + track.mountain_marks
    return networks


def _may_claim(
    route: Route, player: int, left: int, owner: dict[str, int], board: Board, rules: Variant, seats: int
) -> bool:
    if route.id in owner or route.length + route.mountain_marks > left:
        return False
    group = board.groups[route.group]
    taken = [owner[t.id] for t in group if t.id in owner]
    rule = rules.group_rule(len(group), route.group, seats)
    return (rule.in_all is None or len(taken) < rule.in_all) and (
        rule.per_owner is None or taken.count(player) < rule.per_owner
    )


def _tickets_told(rng: random.Random, board: Board, n: int) -> list[dict[str, Any]]:
    pairs = [sorted(rng.sample(list(board.cities), 2)) for _ in range(n)]
    return [{"a": a, "b": b, "points": rng.randint(2, 20)} for a, b in pairs]


def _deal_shares(rng: random.Random, board: Board, position: dict[str, Any]) -> None:
    players = position["players"]
    holders = [p.setdefault("shares", {}) for p in players]
    if len(players) == 2:
        holders.append(position.setdefault("neutral_shares", {}))
    for company in board.companies.values():
        for number in range(1, rng.randint(0, company.shares) + 1):
            rng.choice(holders).setdefault(company.id, []).append(number)

"""A second scorer, written plainly and apart from the rules: it reads the board files itself and tries everything.

Slow on purpose: trails by walking every one of them, stations by every product of choices.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any  # Any: JSON

MAPS = Path(__file__).resolve().parents[2] / "maps"
USUAL_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21, 9: 27}

# Per variant: its board, bonuses and how a tie for the first place is broken.
VARIANTS: dict[str, dict[str, Any]] = {
    "usa": {"board": "usa", "longest": 10, "ties": "tickets path"},
    "usa-1910": {"board": "usa", "globetrotter": 15, "ties": "tickets path"},
    "usa-mega": {"board": "usa", "longest": 10, "globetrotter": 15, "reprinted": True, "ties": "tickets path"},
    "usa-big-cities": {"board": "usa", "reprinted": True, "ties": "tickets path"},
    "europe": {"board": "europe", "longest": 10, "stations": 3, "ties": "tickets stations path"},
    "europe-expanded": {"board": "europe", "longest": 10, "stations": 3, "ties": "tickets stations path"},
    "europe-mega": {"board": "europe", "longest": 10, "stations": 3, "ties": "tickets stations path"},
    "europe-big-cities": {"board": "europe", "longest": 10, "stations": 3, "ties": "tickets stations path"},
    "asia": {"board": "asia", "longest": 10, "globetrotter": 10, "ties": "tickets path"},
    "legendary-asia": {"board": "legendary-asia", "explorer": 10, "ties": "tickets mountain"},
    "united-kingdom": {"board": "united-kingdom", "technologies": True, "ties": "tickets path"},
    "united-kingdom-advanced": {"board": "united-kingdom", "technologies": True, "ties": "tickets path"},
    "pennsylvania": {"board": "pennsylvania", "globetrotter": 15, "shares": True, "ties": "tickets path"},
    "san-francisco": {"board": "san-francisco", "tourists": True, "ties": "tickets"},
}


@cache
def files(board: str) -> tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]]:
    meta, routes, tickets = (json.loads((MAPS / board / f"{part}.json").read_text("utf-8")) for part in PARTS)
    for route in routes:
        table = {int(k): v for k, v in meta.get("route_points", {}).items()} or USUAL_POINTS
        route.setdefault("points", table.get(route["length"]))
    return meta, {r["id"]: r for r in routes}, tickets


PARTS = ("meta", "routes", "tickets")


def recount(position: dict[str, Any]) -> dict[str, Any]:
    """Per player the lines, the total, the length of the longest trail and the tickets done; and who has won."""
    rules = dict(VARIANTS[position["variant"]])
    if any(position.get("options", {}).get(option) for option in ("all-tickets", "reprinted")):
        rules["reprinted"] = True
    meta, routes, tickets = files(rules["board"])
    players = position["players"]
    trails = [walk_everything([routes[r] for r in p["routes"]]) for p in players]
    results = [tickets_of(i, players, routes, tickets, rules, meta) for i in range(len(players))]
    done = [d for _, d in results]
    lines = []
    for i, p in enumerate(players):
        line = {"routes": sum(routes[r]["points"] for r in p["routes"]), "tickets": results[i][0]}
        if rules.get("technologies"):
            line["routes"] = line["routes"] if p.get("marked_points") is None else p["marked_points"]
            line["technologies"] = technology_points(p, i, done, trails)
        if rules.get("longest"):
            line["longest_path"] = rules["longest"] if has_most(trails, i) else 0
        if rules.get("globetrotter"):
            line["globetrotter"] = rules["globetrotter"] if has_most(done, i) else 0
        line.update(special_lines(i, position, rules, meta, routes))
        lines.append(line)
    totals = [sum(line.values()) for line in lines]
    found = [{"lines": lines[i], "total": totals[i], "trail": trails[i], "done": done[i]} for i in range(len(players))]
    best = [i for i in range(len(players)) if totals[i] == max(totals)]
    for rule in rules["ties"].split():
        values = {i: tie_value(rule, players[i], done[i], trails[i], routes) for i in best}
        best = [i for i in best if values[i] == max(values.values())]
    return {"players": found, "winners": [players[i]["name"] for i in best]}


def has_most(counts: list[int], i: int) -> bool:
    return counts[i] > 0 and counts[i] == max(counts)


def tie_value(rule: str, player: dict[str, Any], done: int, trail: int, routes: dict[str, Any]) -> int:
    if rule == "stations":
        return -len(player.get("stations", []))
    if rule == "mountain":
        return sum("mountain_marks" in routes[r] for r in player["routes"])
    return done if rule == "tickets" else trail


def technology_points(player: dict[str, Any], i: int, done: list[int], trails: list[int]) -> int:
    held = player.get("technologies", [])
    points = 2 * done[i] if "double-heading" in held else 0
    if "risky-contracts" in held:
        points += 20 if has_most(done, i) else -20
    if "equalising-beam" in held:
        points += 15 if has_most(trails, i) else -15
    return points


def special_lines(
    i: int, position: dict[str, Any], rules: dict[str, Any], meta: dict[str, Any], routes: dict[str, Any]
) -> dict[str, int]:
    """The lines that one variant or module has and no other."""
    line = {}
    players, player = position["players"], position["players"][i]
    if rules.get("stations"):
        line["stations"] = 4 * (3 - len(player.get("stations", [])))
    if rules.get("explorer"):
        line["mountain"] = 2 * sum(routes[r].get("mountain_marks", 0) for r in player["routes"])
        sizes = [max((len(reachable(q, c, routes)) for c in ends(q, routes)), default=0) for q in players]
        line["explorer"] = rules["explorer"] if has_most(sizes, i) else 0
    if rules.get("shares"):
        line["shares"] = sum(share_points(c, i, position) for c in meta["companies"])
    if rules.get("tourists"):
        line["tourists"] = [0, 0, 1, 2, 4, 6, 9, 12][len(set(player.get("tourists", [])))]
    if "warehouses-depots" in position.get("modules", []):
        line["depots"] = 10 if has_most([q["depots_left"] for q in players], i) else 0
    return line


def walk_everything(tracks: list[dict[str, Any]]) -> int:
    """The longest of all walks that use no track twice."""
    at: dict[str, list[int]] = {}
    for i, track in enumerate(tracks):
        at.setdefault(track["a"], []).append(i)
        at.setdefault(track["b"], []).append(i)
    longest = 0
    for start in at:
        walks = [(start, frozenset[int](), 0)]
        while walks:
            city, used, length = walks.pop()
            longest = max(longest, length)
            for i in at[city]:
                if i not in used:
                    far = tracks[i]["b"] if tracks[i]["a"] == city else tracks[i]["a"]
                    walks.append((far, used | {i}, length + tracks[i]["length"]))
    return longest


def ends(player: dict[str, Any], routes: dict[str, Any]) -> set[str]:
    return {routes[r][end] for r in player["routes"] for end in "ab"}


def reachable(player: dict[str, Any], start: str, routes: dict[str, Any], lent: tuple[str, ...] = ()) -> set[str]:
    """All cities that can be reached from one, spreading until nothing changes."""
    cities = {start}
    while True:
        more = set(cities)
        for r in (*player["routes"], *lent):
            pair = {routes[r]["a"], routes[r]["b"]}
            if pair & cities:
                more |= pair
        if more == cities:
            return cities
        cities = more


def tickets_of(
    i: int, players: list[Any], routes: dict[str, Any], tickets: list[Any], rules: dict[str, Any], meta: dict[str, Any]
) -> tuple[int, int]:
    """The best points from tickets, and the tickets done then, over every product of borrowed tracks."""
    player = players[i]
    choices: list[list[str]] = []
    for city in player.get("stations", []) if rules.get("stations") else []:
        others = [r for k, q in enumerate(players) if k != i for r in q["routes"]]
        choices.append([r for r in others if city in (routes[r]["a"], routes[r]["b"])] or [""])
    best = None
    for lent in product(*choices):
        points = done = 0
        for held in player["tickets"]:
            a, b, value = ticket(held, tickets, rules)
            starts = meta.get("places", {}).get(a, {}).get("cities", [a])
            goals = meta.get("places", {}).get(b, {}).get("cities", [b])
            tracks = tuple(r for r in lent if r)
            joined = any(set(goals) & reachable(player, s, routes, tracks) for s in starts)
            points += value if joined else -value
            done += joined
        if best is None or (points, done) > best:
            best = (points, done)
    return best or (0, 0)


def ticket(held: Any, tickets: list[dict[str, Any]], rules: dict[str, Any]) -> tuple[str, str, int]:
    if isinstance(held, dict):
        return held["a"], held["b"], held["points"]
    a, b = held.split("--")
    (found,) = [t for t in tickets if {t["a"], t["b"]} == {a, b}]
    return a, b, found.get("revised", found["points"]) if rules.get("reprinted") else found["points"]


def share_points(company: dict[str, Any], i: int, position: dict[str, Any]) -> int:
    """Points of a rank: one more than the number of those, the neutral player among them, who stand before."""
    piles = [p.get("shares", {}).get(company["id"], []) for p in position["players"]]
    piles.append(position.get("neutral_shares", {}).get(company["id"], []))
    mine = piles[i]
    if not mine:
        return 0
    before = sum(
        1 for pile in piles if pile and (len(pile) > len(mine) or (len(pile) == len(mine) and min(pile) < min(mine)))
    )
    values = company["points_by_rank"]
    return values[before] if before < len(values) else 0

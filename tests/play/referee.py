"""A second referee for claims, written plainly and apart from the rules: it reads the files and tries everything."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any  # Any: JSON

MAPS = Path(__file__).resolve().parents[2] / "maps"
BOARD = {
    "usa": "usa", "usa-1910": "usa", "usa-mega": "usa", "usa-big-cities": "usa", "europe": "europe",
    "europe-expanded": "europe", "europe-mega": "europe", "europe-big-cities": "europe", "asia": "asia",
    "legendary-asia": "legendary-asia", "united-kingdom": "united-kingdom", "united-kingdom-advanced": "united-kingdom",
    "pennsylvania": "pennsylvania", "san-francisco": "san-francisco",
}  # fmt: skip
CLOSES_AT = {"united-kingdom": (2,), "san-francisco": (2,), "asia": (4,)}


@cache
def board_of(variant: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    folder = MAPS / BOARD[variant]
    meta, routes = (json.loads((folder / f"{part}.json").read_text("utf-8")) for part in ("meta", "routes"))
    return meta, {r["id"]: r for r in routes}


def legal(position: dict[str, Any], claim: dict[str, Any]) -> bool:
    """Whether a claim is allowed; a tunnel's extra cards are judged once its cards are turned up."""
    meta, routes = board_of(position["variant"])
    route = routes[claim["route"]]
    players = position["players"]
    me = next(p for p in players if claim["player"] in (p["name"], *p.get("members", ())))
    techs = me.get("technologies", [])
    if position.get("turn") and position["turn"] not in (claim["player"], me["name"]):
        return False
    if not track_is_open(position, me, route, routes):
        return False
    team = 2 if position["variant"] == "asia" else 1
    if wagons_of(position, me) < route["length"] + route.get("mountain_marks", 0):
        return False
    if not set(route.get("technologies", [])) <= set(techs):
        return False
    cards = {c: n for c, n in claim["cards"].items() if n}
    if not pays(route, cards, techs, meta, "united-kingdom" in position["variant"]):
        return False
    return tunnel_paid(route, claim, cards) and holds(me, cards, claim.get("extra") or {}, team)


def wagons_of(position: dict[str, Any], me: dict[str, Any]) -> int:
    """What was told, else what is not on the board; a member of a team never has more than one reserve."""
    meta, routes = board_of(position["variant"])
    used = sum(routes[r]["length"] + routes[r].get("mountain_marks", 0) for r in set(me["routes"]))
    team = 2 if position["variant"] == "asia" else 1
    return int(me.get("wagons", min(meta["wagons"], team * meta["wagons"] - used)))


def track_is_open(position: dict[str, Any], me: dict[str, Any], route: dict[str, Any], routes: dict[str, Any]) -> bool:
    players = position["players"]
    if route["id"] in me["routes"]:
        return False
    taken = any(route["id"] in p["routes"] for p in players)
    # Right of Way opens tracks that others hold, and no free one.
    if taken != ("right-of-way" in me.get("technologies", [])):
        return False
    group = [r for r in routes.values() if r.get("group", r["id"]) == route.get("group", route["id"])]
    if len(group) == 1:
        return True
    mine = sum(r["id"] in me["routes"] for r in group)
    used = sum(any(r["id"] in p["routes"] for p in players) for r in group)
    if position["variant"] == "asia":
        people = 2 * len(players)
        if len(group) == 3:
            return (people == 6 or used < 2) and mine < 2
        if people == 4 and route["group"] != "canton-hong-kong" and used:
            return False
        return mine == 0
    closes = CLOSES_AT.get(BOARD[position["variant"]], (2, 3))
    if len(players) in closes and used and not taken:
        return False
    return mine == 0


def pays(route: dict[str, Any], cards: dict[str, int], techs: list[str], meta: dict[str, Any], stand_ins: bool) -> bool:
    """Some way of counting the cards: each is laid itself, or goes with others to stand for a locomotive."""
    due = route.get("locomotives", 0)
    spaces = route["length"]
    if "diesel-power" in techs and spaces > 1:
        spaces = max(spaces - 1, due)
    each = 3 if "booster" in techs else 4
    colors = meta["cards"]["colors"] if route["color"] == "gray" else [route["color"]]
    kinds = sorted(cards)
    for laid in product(*(range(cards[k] + 1) for k in kinds)):
        rest = sum(cards.values()) - sum(laid)
        if rest and (not stand_ins or rest % each):
            continue
        locomotives = rest // each if rest else 0
        own = dict(zip(kinds, laid, strict=True))
        locomotives += own.pop("locomotive", 0)
        used = [k for k, n in own.items() if n]
        if len(used) > 1 or (used and used[0] not in colors):
            continue
        if locomotives >= due and locomotives + sum(own.values()) == spaces:
            return True
    return False


def tunnel_paid(route: dict[str, Any], claim: dict[str, Any], cards: dict[str, int]) -> bool:
    extra = {c: n for c, n in (claim.get("extra") or {}).items() if n}
    shown = claim.get("revealed")
    if route.get("kind") != "tunnel":
        return not extra and not shown
    if shown is None:
        return not extra
    if len(shown) > route["tunnel_draw"]:
        return False
    colors = [c for c in cards if c != "locomotive"]
    asked = sum(c == "locomotive" or c in colors for c in shown)
    if claim.get("extra") is None:
        return True
    return sum(extra.values()) == asked and all(c == "locomotive" or c in colors for c in extra)


def holds(me: dict[str, Any], cards: dict[str, int], extra: dict[str, int], team: int) -> bool:
    if "hand" not in me:
        return True
    rack = me.get("rack", {}) if team > 1 else {}
    return all(cards.get(c, 0) + extra.get(c, 0) <= me["hand"].get(c, 0) + rack.get(c, 0) for c in {*cards, *extra})

"""Counts legal claims with their payments by trying every set of cards of a hand, with the second referee.

`python -m tests.play.perft` makes the files in tests/rules/perft/ anew: moments of simulated games, counted here and
nowhere else; with ids of variants only theirs.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any  # Any: JSON

from companion.rules import VARIANTS
from tests.play import referee
from tests.play.bots import open_game, take_turn
from tests.play.simulate import Simulation

FOLDER = Path(__file__).resolve().parents[1] / "rules" / "perft"
# Hands stay small where any cards may stand for a locomotive: every set of them is tried.
MOST_CARDS = {"united-kingdom": 9, "united-kingdom-advanced": 9}


def payments(position: dict[str, Any], name: str) -> Counter[str]:
    """How many different sets of cards pay each track that the player may claim."""
    paid = sets_that_pay(position, name)
    return Counter({route: n for route, n in paid.items() if n and may_claim(position, name, route)})


def sets_that_pay(position: dict[str, Any], name: str) -> dict[str, int]:
    """For each track of the board, how many sets of the player's cards are its price."""
    meta, routes = referee.board_of(position["variant"])
    player = player_of(position, name)
    techs, stand_ins = player.get("technologies", []), "united-kingdom" in position["variant"]
    sets = list(_sets(player))
    found = dict.fromkeys(routes, 0)
    for route in routes.values():
        for cards in sets:
            n = sum(cards.values())
            if n == route["length"] or (stand_ins and n >= route["length"] - 1):
                found[route["id"]] += referee.pays(route, cards, techs, meta, stand_ins)
    return found


def _sets(player: dict[str, Any]) -> Iterator[dict[str, int]]:
    held = Counter(player["hand"]) + Counter(player.get("rack", {}))
    for numbers in product(*(range(n + 1) for n in held.values())):
        yield {c: n for c, n in zip(held, numbers, strict=True) if n}


def player_of(position: dict[str, Any], name: str) -> dict[str, Any]:
    return next(p for p in position["players"] if name in (p["name"], *p.get("members", ())))


def may_claim(position: dict[str, Any], name: str, route_id: str) -> bool:
    """Whether the track is open, and wagons and technologies are there."""
    _, routes = referee.board_of(position["variant"])
    player, route = player_of(position, name), routes[route_id]
    if not set(route.get("technologies", [])) <= set(player.get("technologies", [])):
        return False
    if referee.wagons_of(position, player) < route["length"] + route.get("mountain_marks", 0):
        return False
    return referee.track_is_open(position, player, route, routes)


def after(position: dict[str, Any], name: str, route: str) -> dict[str, Any]:
    """The position once this track is taken; hands are left as they are."""
    changed: dict[str, Any] = json.loads(json.dumps(position))
    for player in changed["players"]:
        if name in (player["name"], *player.get("members", ())):
            player["routes"].append(route)
            player.pop("wagons", None)
    return changed


def two_deep(position: dict[str, Any], name: str, other: str) -> int:
    """Claims of a player times the claims of the next one afterwards."""
    answers = {route: n for route, n in sets_that_pay(position, other).items() if n}
    total = 0
    for route, n in payments(position, name).items():
        now = after(position, name, route)
        total += n * sum(ways for answer, ways in answers.items() if may_claim(now, other, answer))
    return total


def moment(variant: str, players: int, seed: int, turns: int) -> dict[str, Any]:
    """A moment of a simulated game, with the hand of whoever is next and of the one after."""
    game = Simulation(variant, players, seed)
    open_game(game)
    for _ in range(turns):
        take_turn(game)
    told = game.position.to_json()
    for key in ("face_up", "deck", "discard", "turn"):
        told.pop(key, None)
    for player in told["players"]:
        seat = next((s for s in (game.position.turn, _next(game)) if s in _members(player)), _members(player)[0])
        hand = Counter(game.position.seat(seat).hand)
        most = MOST_CARDS.get(variant, 14)
        player["hand"] = dict(Counter(dict(hand.most_common(6)) | {"locomotive": min(2, hand["locomotive"])}) & hand)
        while sum(player["hand"].values()) > most:
            player["hand"].popitem()
        player["tickets"] = []
        if player.get("members"):
            player["wagons"] = game.position.run.wagons[seat]
    return {"position": told, "player": game.position.turn, "next": _next(game)}


def _members(player: dict[str, Any]) -> list[str]:
    return player.get("members") or [player["name"]]


def _next(game: Simulation) -> str:
    """The first seat of another player after the one whose turn it is."""
    seats = [(p.name, m) for p in game.position.players for m in (p.members or (p.name,))]
    at = [m for _, m in seats].index(game.position.turn)
    return next(m for owner, m in seats[at:] + seats[:at] if owner != seats[at][0])


def write_all(wanted: Sequence[str] = tuple(VARIANTS)) -> None:
    """Of a few games the moment with most claims, early with four players and late with as few as can be."""
    FOLDER.mkdir(exist_ok=True)
    for variant in wanted:
        half = 11 if variant == "san-francisco" else 20
        for label, players, turns in (("early", 4, half), ("late", 4 if variant == "asia" else 2, 2 * half)):
            moments = [moment(variant, players, seed, turns) for seed in range(5)]
            found = max(moments, key=lambda m: payments(m["position"], m["player"]).total())
            counted = payments(found["position"], found["player"])
            found |= {"claims": counted.total(), "by_route": dict(sorted(counted.items()))}
            found["two_deep"] = two_deep(found["position"], found["player"], found["next"])
            text = json.dumps(found, ensure_ascii=False, indent=1)
            (FOLDER / f"{variant}-{label}.json").write_text(text + "\n", "utf-8")
            print(variant, label, counted.total(), found["two_deep"])


if __name__ == "__main__":
    write_all(sys.argv[1:] or tuple(VARIANTS))

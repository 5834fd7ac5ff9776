"""Thousands of claims made by chance: the referee says the same as a second one that was written apart from it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any  # Any: JSON

import pytest

from companion.rules import VARIANTS, Position, judge, read_action
from tests.play import referee
from tests.play.tables import some_position


def some_claim(rng: random.Random, position: dict[str, Any]) -> dict[str, Any]:
    """A claim that is right or nearly so, and the hand and technologies to go with it."""
    meta, routes = referee.board_of(position["variant"])
    player = rng.choice(position["players"])
    route = routes[rng.choice(sorted(routes))]
    colors = meta["cards"]["colors"]
    color = route["color"] if route["color"] != "gray" and rng.random() < 0.9 else rng.choice(colors)
    n = route["length"] + rng.choice((0, 0, 0, 0, 0, 1, -1, 3, 2))
    locomotives = min(max(n, 0), rng.choice((route.get("locomotives", 0), rng.randint(0, 3), n)))
    cards = Counter({color: n - locomotives, "locomotive": locomotives})
    if rng.random() < 0.15:
        cards.update(rng.choices(colors, k=rng.choice((1, 3, 4, 6))))
    claim: dict[str, Any] = {
        "action": "claim",
        "route": route["id"],
        "cards": {c: k for c, k in cards.items() if k > 0},
    }
    claim["player"] = rng.choice((player["name"], *player.get("members", ())))
    if route.get("kind") == "tunnel" and rng.random() < 0.8:
        claim["revealed"] = rng.choices((color, color, "locomotive", *colors), k=route["tunnel_draw"])
        if rng.random() < 0.8:
            due = sum(c in (color, "locomotive") for c in claim["revealed"])
            claim["extra"] = {rng.choice((color, "locomotive")): max(0, due + rng.choice((0, 0, 0, 1, -1)))}
    if rng.random() < 0.7:
        hand = Counter(claim["cards"]) + Counter(claim.get("extra", {})) + Counter(rng.choices(colors, k=4))
        if rng.random() < 0.2:
            hand -= Counter({color: 2})
        player["hand"] = dict(hand)
        if "members" in player and rng.random() < 0.5:
            player["rack"] = {color: rng.randint(0, 3)}
    if meta.get("technologies") and rng.random() < 0.8:
        known = [t["id"] for t in meta["technologies"] if "advanced" in position["variant"] or not t.get("advanced")]
        # Right of Way is for tracks that somebody holds: most claims are made without it.
        often = {t: 0.9 if t != "right-of-way" else 0.05 for t in known}
        player["technologies"] = [t for t in known if rng.random() < often[t] or t in route.get("technologies", [])]
    if rng.random() < 0.2:
        player["wagons"] = rng.randint(0, 8)
    if rng.random() < 0.1:
        position["turn"] = rng.choice(position["players"])["name"]
    return claim


@pytest.mark.parametrize("variant", VARIANTS)
def test_both_referees_agree(variant: str) -> None:
    said: Counter[bool] = Counter()
    for seed in range(60):
        rng = random.Random(seed)
        told = some_position(seed, variant, wagons=rng.choice((5, 12, 25)))
        for _ in range(10):
            claim = some_claim(rng, told)
            position = Position.from_json(told)
            verdict = judge(position, read_action(claim, position))
            assert verdict.legal == referee.legal(told, claim), (told, claim, [str(r.message) for r in verdict.reasons])
            assert bool(verdict.reasons) != verdict.legal
            said[verdict.legal] += 1
    assert min(said[True], said[False]) > 100, said

"""10,000 positions with something broken in them: an error with a sentence, or a score with warnings; nothing else."""

from __future__ import annotations

import copy
import random
from typing import Any  # Any: JSON

import pytest

from companion.lang import tell
from companion.rules import VARIANTS, Position, score
from maps import Trouble
from tests.play.tables import some_position

JUNK: list[Any] = [
    None, True, False, 0, -1, 1, 7, 10**9, -(10**30), 1.5, float("nan"), "", "x", "paris", "é\ud800", "a--b", "--",
    "a--b--c--d", "x" * 500, [], [[]], [None], ["x"], [1, 2], {}, {"": ""}, {"a": 1},
    {"a": "paris", "b": "paris", "points": 1}, {"a": "paris", "b": "wien", "points": -3},
    {"a": [], "b": {}, "points": ""},
]  # fmt: skip


def break_something(rng: random.Random, value: object) -> Any:
    """The value with one place deep inside changed, dropped, doubled or moved."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        # Without its variant nothing else of a position is looked at: that one is broken less often.
        key = rng.choice(sorted(k for k in value if k != "variant" or rng.random() < 0.1) or ["variant"])
        change = rng.random()
        if change < 0.1:
            del value[key]
        elif change < 0.15:
            value[rng.choice(["", "routes ", "x", key.upper(), key + "s"])] = value.pop(key)
        else:
            value[key] = break_something(rng, value[key])
        return value
    if isinstance(value, list) and value and rng.random() < 0.9:
        i = rng.randrange(len(value))
        change = rng.random()
        if change < 0.15:
            value.append(copy.deepcopy(rng.choice(value)))
        elif change < 0.3:
            value.insert(i, copy.deepcopy(rng.choice(JUNK)))
        else:
            value[i] = break_something(rng, value[i])
        return value
    if isinstance(value, str) and value and rng.random() < 0.5:
        i = rng.randrange(len(value))
        return value[:i] + rng.choice(["", "-", "x", "é"]) + value[i + 1 :]
    return copy.deepcopy(rng.choice(JUNK))


@pytest.mark.parametrize("variant", VARIANTS)
def test_broken_positions_are_told_never_raised(variant: str) -> None:
    rng = random.Random(variant)
    whole = [some_position(seed, variant, 15) for seed in range(12)]
    outcomes = {"error": 0, "warning": 0, "fine": 0}
    for _ in range(10_000 // len(VARIANTS) + 1):
        broken = copy.deepcopy(rng.choice(whole))
        for _ in range(rng.randint(1, 3)):
            broken = break_something(rng, broken)
        try:
            sheet = score(Position.from_json(broken))
        except Trouble as trouble:
            outcomes["error"] += 1
            sentences = [tell(trouble.message, language) for language in ("en", "fr")]
        else:
            outcomes["warning" if sheet.warnings else "fine"] += 1
            sentences = [tell(warning, language) for warning in sheet.warnings for language in ("en", "fr")]
            assert sheet.to_json()["winners"]
        assert all(s.strip() for s in sentences)
    assert min(outcomes["error"], outcomes["warning"]) > 50

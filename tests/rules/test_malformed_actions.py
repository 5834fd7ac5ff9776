"""Ten thousand broken actions: each gives a verdict or an error with a sentence, never anything else."""

from __future__ import annotations

import json
import random
from typing import Any  # Any: JSON

from companion.lang import tell
from companion.rules import DEPOTS, VARIANTS, Position, action_json, judge, play, read_action, read_outcome
from maps import LANGUAGES, Trouble
from tests.play.bots import open_game, take_turn
from tests.play.simulate import Simulation

JUNK: list[Any] = [
    None, True, False, 0, -1, 3, 10**9, 10**30, 1.5, float("nan"), "", "red", "locomotive", "gray", "Zoé", "\u0000",
    "x" * 5000, [], [[]], [None], ["red", 3], {}, {"red": -1}, {"red": 1.5}, {"red": "2"}, {"gray": 1}, {"": 1},
    {"a": 1}, {"from": "deck"}, [{"from": "table"}], [{"from": "sky"}], [{"a": "paris", "b": "paris", "points": 3}],
    {"a": {"b": {"c": []}}},
]  # fmt: skip


def some_games() -> list[tuple[Position, list[dict[str, Any]]]]:
    """A position in the middle of a game of each variant, and the actions that led to it."""
    found = []
    for i, variant in enumerate(VARIANTS.values()):
        game = Simulation(variant.id, 4, i, (DEPOTS,) if i % 2 else ())
        open_game(game)
        for _ in range(40):
            take_turn(game)
        # The same kinds of action over and over teach nothing: a few of each will do.
        kinds: dict[str, list[dict[str, Any]]] = {}
        for action, _ in game.log:
            kinds.setdefault(action.kind, []).append(action_json(action, game.position))
        found.append((game.position, [told for each in kinds.values() for told in each[-4:]]))
    return found


def broken(rng: random.Random, action: dict[str, Any]) -> Any:
    """The action with one to three things changed, left out, added or replaced by junk."""
    told = json.loads(json.dumps(action))
    for _ in range(rng.choice((1, 1, 2, 3))):
        key = rng.choice([*told, "player", "cards", "revealed", "extra", "rack", "neutral", "opening", "turned"])
        kind = rng.randrange(4)
        if kind == 0:
            told.pop(key, None)
        elif kind == 1 and isinstance(told.get(key), dict):
            told[key][rng.choice(["red", "locomotive", "gray", "ruby", ""])] = rng.choice(JUNK)
        elif kind == 2 and isinstance(told.get(key), list):
            told[key].insert(0, rng.choice(JUNK))
        else:
            told[key] = rng.choice(JUNK)
    return rng.choice(JUNK) if rng.random() < 0.01 else told


def test_broken_actions_are_told_in_a_sentence() -> None:
    rng = random.Random(3)
    games = some_games()
    refused = judged = 0
    while refused + judged < 10_000:
        position, actions = rng.choice(games)
        data = broken(rng, rng.choice(actions))
        try:
            action = read_action(data, position)
            verdict = judge(position, action)
            outcome = read_outcome(
                broken(rng, {"drawn": ["red"], "turned": ["blue"]}) if judged % 3 else None, position
            )
            if judged % 5 == 0:
                play(position, action, outcome)
        except Trouble as trouble:
            refused += 1
            told = [tell(trouble.message, language) for language in LANGUAGES]
            assert all(told), data
        else:
            judged += 1
            for reason in verdict.reasons:
                assert reason.rule
                assert tell(reason.message, "fr")
    assert min(refused, judged) > 1000, (refused, judged)

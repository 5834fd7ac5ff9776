"""Who led when: the points for routes after each thing that was laid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import Claim
from companion.table.game import Game


@dataclass(frozen=True)
class Curve:
    """One player's points over a game: before the first claim, and after each claim of anybody."""

    name: str
    color: str
    points: tuple[int, ...]


def timeline(game: Game) -> Sequence[Curve]:
    """A curve for each player; none where hardly anything was recorded one after the other."""
    players = game.position.players
    owner = {n: p.name for p in players for n in (p.name, *p.members)}
    total = {p.name: 0 for p in players}
    curves: dict[str, list[int]] = {p.name: [0] for p in players}
    for entry in game.entries:
        action = entry.action
        if not isinstance(action, Claim) or action.give_up or action.player not in owner:
            continue
        # An illegal claim that the table accepted counts all the same.
        points = entry.verdict.points or game.position.board.routes[action.route].points
        total[owner[action.player]] += points
        for name, curve in curves.items():
            curve.append(total[name])
    if len(next(iter(curves.values()))) < 4:
        return ()
    return [Curve(p.name, p.color, tuple(curves[p.name])) for p in players]

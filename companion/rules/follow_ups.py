"""What the last claim brings and nobody has taken yet: shares, tokens, warehouses. The app asks for it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.actions import Action, EmptyWarehouse, TakeShare, TakeTourist
from companion.rules.judge import judge
from companion.rules.position import Position
from companion.rules.running import running
from companion.rules.shares import has_neutral, neutral_choices
from companion.rules.state import LastClaim


def follow_ups(position: Position) -> tuple[Action, ...]:
    """Every legal action that belongs to the claim just made."""
    claim = running(position).last_claim
    if claim is None:
        return ()
    return tuple(action for action in _choices(position, claim) if judge(position, action).complete)


def _choices(position: Position, claim: LastClaim) -> Iterator[Action]:
    route = position.board.routes[claim.route]
    if position.variant.shares:
        for company in route.companies:
            neutral: list[str | None] = [None]
            if has_neutral(position):
                neutral = [*neutral_choices(position, route.id, company)] or neutral
            yield from (TakeShare(claim.player, company, route.id, other) for other in neutral)
    if position.variant.tourists:
        tokens = running(position).tokens or {}
        yield from (TakeTourist(claim.player, kind, place) for place in route.ends for kind in tokens.get(place, {}))
    if position.has_depots:
        yield from (EmptyWarehouse(claim.player, owner.name) for owner in position.players)

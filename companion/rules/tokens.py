"""Tourist tokens."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.actions import TakeTourist
from companion.rules.claims import place_told, route_told
from companion.rules.position import Position
from companion.rules.running import entry, running
from companion.rules.verdict import Findings, Rule
from maps import Trouble


def judge_tourist(position: Position, action: TakeTourist, found: Findings) -> None:
    """One token of a kind not yet owned, from an end of the track just claimed."""
    if not position.variant.tourists:
        found.no(Rule.TOURISTS, "tourist.none-here", variant=position.variant.name)
        return
    player, run = entry(position, action.player), running(position)
    place = place_told(position, action.place)
    claim = run.last_claim
    if claim:
        route = position.board.routes[claim.route]
        if action.place not in route.ends:
            found.no(Rule.TOURISTS, "tourist.not-an-end", place=place, route=route_told(position, route))
        if claim.tourist:
            found.no(Rule.TOURISTS, "tourist.one-a-claim")
    elif position.running is not None:
        found.no(Rule.TOURISTS, "tourist.after-a-claim")
    elif not any(action.place in r.ends for r in position.tracks(player)):
        found.no(Rule.TOURISTS, "tourist.no-track-there", place=place)
    else:
        found.believe("token-claim", place=place)
    if action.token in player.tourists:
        found.no(Rule.TOURISTS, "tourist.owned", kind=action.token)
    if run.tokens is None:
        found.believe("tokens", place=place)
    elif not run.tokens.get(action.place, {}).get(action.token):
        found.no(Rule.TOURISTS, "tourist.not-there", kind=action.token, place=place)


def tokens_per_kind(position: Position) -> tuple[int, ...]:
    """How many tokens of each kind are in play: fewer players, fewer tokens."""
    kinds = position.board.tourist_tokens.kinds if position.board.tourist_tokens else 0
    if len(position.players) == 2:
        # Of the two kinds that have no place of their own only one token each is used.
        return (2,) * (kinds - 2) + (1, 1)
    return (3 if len(position.players) > 3 else 2,) * kinds


def check_tokens(position: Position, tokens: Mapping[str, Mapping[str, int]]) -> None:
    """Trouble if these piles can't lie there at the start: one kind a place, the printed places taken."""
    printed = {c.id for c in position.board.cities.values() if c.tokens}
    numbers = sorted((n for pile in tokens.values() for n in pile.values()), reverse=True)
    kinds = [kind for pile in tokens.values() for kind in pile]
    wrong = (
        not printed <= set(tokens) <= set(position.board.cities)
        or any(len(pile) != 1 for pile in tokens.values())
        or len(set(kinds)) != len(kinds)
        or tuple(numbers) != tokens_per_kind(position)
    )
    if wrong:
        places = [place_told(position, c) for c in sorted(printed)]
        raise Trouble("bad-tokens", places=places, numbers=", ".join(map(str, tokens_per_kind(position))))

"""Company shares, and the neutral player of two-player games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.rules.actions import ShowNeutral, TakeShare
from companion.rules.claims import route_told
from companion.rules.position import Position
from companion.rules.running import entry, running
from companion.rules.verdict import Findings, Rule


def shares_taken(position: Position) -> Mapping[str, tuple[int, ...]]:
    """The numbers of each company's shares that somebody holds, the neutral player included."""
    neutral = running(position).neutral_pile or position.neutral_shares
    piles = [p.shares for p in position.players] + [neutral]
    return {c: tuple(sorted(n for pile in piles for n in pile.get(c, ()))) for c in position.board.companies}


def next_share(position: Position, company: str) -> int | None:
    """The number of the share on top of the pile, None if all are taken."""
    taken = set(shares_taken(position)[company])
    return next((n for n in range(1, position.board.companies[company].shares + 1) if n not in taken), None)


def has_neutral(position: Position) -> bool:
    """With two players a neutral one takes shares too."""
    return position.variant.shares and len(position.players) == 2


def judge_share(position: Position, action: TakeShare, found: Findings) -> None:
    """The top share of one company printed beside the track just claimed."""
    if not position.variant.shares:
        found.no(Rule.SHARES, "share.none-here", variant=position.variant.name)
        return
    board, claim = position.board, running(position).last_claim
    route, name = board.routes[action.route], board.companies[action.company].name
    if position.running is not None and (claim is None or claim.route != action.route):
        found.no(Rule.SHARES, "share.not-just-claimed", route=route_told(position, route))
    elif action.route not in entry(position, action.player).routes:
        found.no(Rule.SHARES, "share.not-yours", route=route_told(position, route))
    elif claim and claim.share:
        found.no(Rule.SHARES, "share.one-a-claim")
    elif position.running is None:
        found.believe("just-claimed", route=route_told(position, route))
    if action.company not in route.companies:
        found.no(Rule.SHARES, "share.not-beside", route=route_told(position, route), company=name)
    elif next_share(position, action.company) is None:
        found.no(Rule.SHARES, "share.sold-out", company=name)
    _neutral(position, action, found)


def _neutral(position: Position, action: TakeShare, found: Findings) -> None:
    """Whoever takes a share of two players also takes one for the neutral player, of the same track."""
    if not has_neutral(position):
        if action.neutral is not None:
            found.no(Rule.SHARES, "share.no-neutral")
        return
    choices = neutral_choices(position, action.route, action.company)
    if action.neutral is None:
        if choices:
            found.needs["neutral"] = choices
    elif action.neutral not in choices:
        company = position.board.companies[action.neutral].name
        found.no(Rule.SHARES, "share.neutral-not-there", company=company)


def neutral_choices(position: Position, route: str, company: str) -> list[str]:
    """Companies beside the track that still have a share once the player has taken one."""
    left = {
        c: position.board.companies[c].shares - len(taken) - (c == company)
        for c, taken in shares_taken(position).items()
    }
    return [c for c in position.board.routes[route].companies if left[c] > 0]


def judge_neutral(position: Position, action: ShowNeutral, found: Findings) -> None:
    """At the end half of the neutral player's shares, rounded up, are turned up."""
    if not has_neutral(position):
        found.no(Rule.SHARES, "share.no-neutral")
        return
    if position.running is not None and not position.running.over and position.turn:
        found.no(Rule.SHARES, "share.neutral-at-end")
    pile = Counter((c, n) for c, numbers in running(position).neutral_pile.items() for n in numbers)
    shown = Counter((c, n) for c, numbers in action.shares.items() for n in numbers)
    half = (pile.total() + 1) // 2
    if shown.total() != half:
        found.no(Rule.SHARES, "share.neutral-half", n=shown.total(), wanted=half)
    if shown - pile:
        found.no(Rule.SHARES, "share.neutral-not-in-pile")

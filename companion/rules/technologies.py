"""Technologies: what a player's cards change, and buying them."""

from __future__ import annotations

from companion.rules.actions import BuyTechnology
from companion.rules.hands import must_hold
from companion.rules.payments import Price, why_not
from companion.rules.position import Player, Position
from companion.rules.running import entry, running
from companion.rules.verdict import Findings, Rule


def effects(position: Position, player: Player, effect: str) -> list[int]:
    """The values of an effect among the player's technologies, none if no card has it."""
    held = (position.board.technologies[t] for t in dict.fromkeys(player.technologies))
    return [t.effects[effect] for t in held if effect in t.effects]


def stand_in(position: Position, player: Player) -> int:
    """How many cards stand for one locomotive; 0 where none may."""
    usual = position.variant.cards_per_locomotive
    return min([usual, *effects(position, player, "cards_per_locomotive")]) if usual else 0


def technology_price(position: Position, player: Player, technology: str) -> Price:
    """Locomotives, or what stands for them."""
    due = position.board.technologies[technology].locomotives
    return Price(due, (), due, stand_in(position, player), Rule.BUYING)


def on_sale(position: Position, technology: str) -> int:
    """Copies that nobody holds."""
    held = sum(p.technologies.count(technology) for p in position.players)
    return position.board.technologies[technology].copies - held


def judge_technology(position: Position, action: BuyTechnology, found: Findings) -> None:
    """One technology at the start of a turn, before the action."""
    if action.technology not in position.variant.technology_ids(position.board):
        known = position.board.technologies.get(action.technology)
        name = known.name if known else action.technology
        found.no(Rule.BUYING, "technology.not-here", technology=name, variant=position.variant.name)
        return
    player = entry(position, action.player)
    technology = position.board.technologies[action.technology]
    run = running(position)
    if run.bought:
        found.no(Rule.BUYING, "technology.one-a-turn", technology=position.board.technologies[run.bought].name)
    if run.claims:
        found.no(Rule.BUYING, "technology.before-the-action")
    if action.technology in player.technologies:
        found.no(Rule.BUYING, "technology.owned", technology=technology.name)
    elif on_sale(position, action.technology) < 1:
        found.no(Rule.BUYING, "technology.sold-out", technology=technology.name)
    if run.reshuffled and "before_first_reshuffle" in technology.effects:
        found.no(Rule.BUYING, "technology.too-late", technology=technology.name)
    found.add(*why_not(technology_price(position, player, action.technology), action.cards))
    must_hold(position, action.player, action.cards, found)

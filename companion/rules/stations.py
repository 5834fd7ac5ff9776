"""Building a station."""

from __future__ import annotations

from companion.rules.actions import BuildStation
from companion.rules.claims import place_told
from companion.rules.hands import must_hold
from companion.rules.payments import Price, why_not
from companion.rules.position import Player, Position
from companion.rules.running import buildings, entry
from companion.rules.technologies import stand_in
from companion.rules.verdict import Findings, Rule


def station_price(position: Position, player: Player) -> Price:
    """The first costs one card, the second two of one colour, the third three."""
    cards = len(player.stations) + 1
    return Price(cards, position.board.cards.colors, 0, stand_in(position, player), Rule.STATION)


def judge_station(position: Position, action: BuildStation, found: Findings) -> None:
    """A station goes on any city without a building."""
    player = entry(position, action.player)
    if not position.variant.stations:
        found.no(Rule.STATION, "station.none-here", variant=position.variant.name)
        return
    owner = buildings(position).get(action.city)
    if owner:
        found.no(Rule.STATION, "station.occupied", city=place_told(position, action.city), owner=owner.name)
    if len(player.stations) >= position.variant.stations:
        found.no(Rule.STATION, "station.all-built", n=position.variant.stations)
    else:
        found.add(*why_not(station_price(position, player), action.cards))
    must_hold(position, action.player, action.cards, found)

"""Warehouses and depots: a module for any variant."""

from __future__ import annotations

from companion.rules.actions import EmptyWarehouse, PlaceDepot
from companion.rules.claims import place_told, route_told
from companion.rules.position import Position
from companion.rules.running import buildings, entry, running
from companion.rules.verdict import Findings, Rule


def judge_depot(position: Position, action: PlaceDepot, found: Findings) -> None:
    """A depot from in front of the player, on a city without a building, for nothing."""
    if not position.has_depots:
        found.no(Rule.DEPOTS, "depot.no-module")
        return
    player = entry(position, action.player)
    owner = buildings(position).get(action.city)
    if owner:
        found.no(Rule.DEPOTS, "depot.occupied", city=place_told(position, action.city), owner=owner.name)
    if position.board.cities[action.city].junction:
        found.no(Rule.DEPOTS, "depot.junction")
    if player.depots_left == 0:
        found.no(Rule.DEPOTS, "depot.none-left")
    elif player.depots_left is None:
        found.believe("depots", player=player.name)


def judge_warehouse(position: Position, action: EmptyWarehouse, found: Findings) -> None:
    """All cards of a warehouse whose owner has a depot at the track just claimed, for one own depot."""
    if not position.has_depots:
        found.no(Rule.DEPOTS, "depot.no-module")
        return
    player, owner = entry(position, action.player), entry(position, action.owner)
    run = running(position)
    if run.last_claim:
        route = position.board.routes[run.last_claim.route]
        if not set(route.ends) & set(owner.depots):
            found.no(Rule.DEPOTS, "warehouse.no-depot", route=route_told(position, route), owner=owner.name)
        if owner.name in run.last_claim.warehouses:
            found.no(Rule.DEPOTS, "warehouse.once", owner=owner.name)
    elif position.running is not None:
        found.no(Rule.DEPOTS, "warehouse.after-a-claim")
    elif owner.depots and not any(set(r.ends) & set(owner.depots) for r in position.tracks(player)):
        found.no(Rule.DEPOTS, "warehouse.no-track-there", owner=owner.name)
    else:
        found.believe("depot-claim", owner=owner.name)
    if player.depots_left == 0:
        found.no(Rule.DEPOTS, "depot.none-left")
    elif player.depots_left is None:
        found.believe("depots", player=player.name)
    if run.warehouses.get(owner.name) == 0:
        found.no(Rule.DEPOTS, "warehouse.empty", owner=owner.name)

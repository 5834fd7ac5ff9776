"""What a photo adds to a game: claims and buildings that are new, entries that were wrong. One step, one undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from companion.rules import (
    Action,
    BuildStation,
    Claim,
    PlaceDepot,
    Player,
    Position,
    action_json,
    claim_price,
    judge,
    play,
    station_price,
    ways_in_principle,
)
from companion.table.game import Game, Proposal
from companion.table.merge import Merged, Sight
from vision.reading import DEPOT


@dataclass(frozen=True)
class TakenOver:
    """What the photo changed: actions that it added, entries that it struck out."""

    added: tuple[Action, ...] = ()
    struck: tuple[int, ...] = ()

    @property
    def changes(self) -> int:
        return len(self.added) + len(self.struck)


def take_over(game: Game, merged: Merged, photo: str) -> TakenOver:
    """Writes what the board shows into the game, as one line of its journal: one undo takes the photo back.

    `merged` holds what is to be believed: whoever wants to be asked first asks, and merges the answers. What is
    doubtful is left alone. Who laid what when is not seen: claims are paid in the plainest way and accepted by the
    table where they would be out of turn.
    """
    struck = tuple(e.id for sight in merged.gone for e in game.entries if _brought(e.action, sight.id))
    position = game.without(struck)
    steps: list[Proposal] = []
    added: list[Action] = []
    for sight in (*_in_turn(position, (*merged.new, *merged.conflicts)), *merged.buildings):
        action = _action(position, sight)
        if action is None:
            continue
        accepted = not judge(position, action).complete
        steps.append(Proposal(action_json(action, position), accepted))
        added.append(action)
        position = play(position, action)
    game.photograph({"photo": photo, **merged.seen}, struck, steps)
    return TakenOver(tuple(added), struck)


def _brought(action: Action | None, name: str) -> bool:
    """Whether an action laid these wagons, or put up this building."""
    if isinstance(action, Claim):
        return action.route == name and not action.give_up
    return isinstance(action, BuildStation | PlaceDepot) and action.city == name


def _in_turn(position: Position, new: Iterable[Sight]) -> list[Sight]:
    """New claims in the order in which they must have been made: from the player to move on."""
    colors = [p.color for p in position.players]
    turn = position.player(position.turn)
    at = colors.index(turn.color) if turn else 0
    order = {c: (i - at) % len(colors) for i, c in enumerate(colors)}
    return sorted((s for s in new if s.seen in order), key=lambda s: order[s.seen or ""])


def _action(position: Position, sight: Sight) -> Action | None:
    """What its owner must have done; None where nobody plays that colour."""
    seen = sight.seen or ""
    player = next((p for p in position.players if p.color == seen.removeprefix(DEPOT)), None)
    if player is None:
        return None
    if sight.id in position.board.routes:
        return _claim(position, player, sight.id)
    if seen.startswith(DEPOT):
        return PlaceDepot(player.name, sight.id)
    cards = next(ways_in_principle(station_price(position, player)), {})
    return BuildStation(player.name, sight.id, cards)


def plainest(position: Position, player: str, kind: str, told: Mapping[str, object]) -> Action:
    """A claim, station or depot of somebody whose cards nobody told: on trust, or paid in the plainest way."""
    entry = position.entry(player)
    if not position.refereed and kind != "depot":
        return Claim(player, str(told["route"])) if kind == "claim" else BuildStation(player, str(told["city"]))
    if kind == "claim":
        return replace(_claim(position, entry, str(told["route"])), player=player)
    if kind == "depot":
        return PlaceDepot(player, str(told["city"]))
    return BuildStation(player, str(told["city"]), next(ways_in_principle(station_price(position, entry)), {}))


def _claim(position: Position, player: Player, route_id: str) -> Claim:
    route = position.board.routes[route_id]
    cards = next(ways_in_principle(claim_price(position, player, route)), {})
    seat = position.turn if position.turn in player.members else (player.members or (player.name,))[0]
    return Claim(seat, route_id, cards, () if route.kind == "tunnel" else None)

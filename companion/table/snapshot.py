"""From one photo of the finished board to a position: the camera's reading, and what people tell besides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any  # Any: JSON

from companion.rules import DEPOTS, Position, find_variant
from maps import Board, Message, Text, Trouble, message
from vision.reading import Reading


def told_players(told: object) -> list[dict[str, Any]]:
    """What people told about each player: `{"players": [...]}`, a list of players, or tickets by colour."""
    if isinstance(told, Mapping) and "players" in told:
        told = told["players"]
    if isinstance(told, Mapping):
        told = [{"color": color, **_of_color(about)} for color, about in told.items()]
    if not isinstance(told, list) or not all(isinstance(p, Mapping) and isinstance(p.get("color"), str) for p in told):
        raise Trouble("bad-tickets-file")
    return [dict(player) for player in told]


def _of_color(about: object) -> dict[str, Any]:
    if isinstance(about, Mapping):
        return dict(about)
    return {"tickets": about}


def plays_depots(told: object) -> bool:
    """Whether people told that warehouses and depots are played."""
    modules = told.get("modules") if isinstance(told, Mapping) else None
    return isinstance(modules, list) and DEPOTS in modules


def snapshot(reading: Reading, variant: str, told: object) -> tuple[Position, list[Message]]:
    """The position in a photo, and what a person should know about it.

    Routes and buildings come from the reading, everything else (tickets, shares, tokens, points marked) from `told`,
    a POSITION without routes or just tickets by colour. A colour on the board that nobody told plays without tickets.
    """
    board = find_variant(variant)[1]
    if reading.board != board.id:
        raise Trouble("other-board", seen=reading.board, wanted=board.id, variant=variant)
    players = told_players(told)
    notes: list[Message] = []
    buildings = (*reading.stations.values(), *reading.depots.values())
    seen = {*reading.taken.values(), *(b.color for b in buildings)}
    for color in sorted(seen - {p["color"] for p in players}):
        players.append({"color": color})
        notes.append(message("snapshot.color-not-told", color=message(f"words.{color}")))
    for player in players:
        player.setdefault("name", player["color"])
        player["routes"] = [route for route, color in reading.taken.items() if color == player["color"]]
        player["stations"] = [city for city, s in reading.stations.items() if s.color == player["color"]]
        if reading.depots:
            player["depots"] = [city for city, d in reading.depots.items() if d.color == player["color"]]
    if reading.doubtful:
        notes.append(message("snapshot.look-at", names=[_name(board, name) for name in reading.doubtful]))
    whole = dict(told) if isinstance(told, Mapping) and "players" in told else {}
    return Position.from_json({**whole, "variant": variant, "players": players}), notes


def _name(board: Board, name: str) -> Message | Text | str:
    """A route by its two cities, a city by its name, in the language of whoever reads it."""
    if name in board.routes:
        a, b = (_city(board, end) for end in board.routes[name].ends)
        return message("position.pair", a=a, b=b)
    return _city(board, name) if name in board.cities else name


def _city(board: Board, city: str) -> Text:
    return Text(board.place_name(city, "en"), board.place_name(city, "fr"))

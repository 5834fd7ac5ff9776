"""Finished games in the JSON that the app BG Stats imports: games, players and plays, joined by numbers.

Written by what its own exports show (keys `games`, `players`, `plays`, `playerScores`); nothing else is promised.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from typing import Any

from companion.rules import VARIANTS
from companion.table.history import PastGame

# The boards that are games of their own at BoardGameGeek; the others are expansions whose numbers we don't know.
_BGG = {"usa": 9209, "europe": 14996}
_SPACE = uuid.UUID("6f1f4a2e-5b1f-4d4e-9a53-2a0f6a7c9b10")


def as_bgstats(games: Iterable[PastGame]) -> str:
    """One play for each game; a player is known by the name, whatever its capitals."""
    played = list(games)
    variants = list(dict.fromkeys(g.variant for g in played))
    people: dict[str, str] = {}
    for game in played:
        for player in game.players:
            people.setdefault(player.name.casefold(), player.name)
    names = list(people)
    told: dict[str, Any] = {
        "games": [_game(i, variant) for i, variant in enumerate(variants, 1)],
        "players": [
            {"id": i, "uuid": _uuid("player", key), "name": people[key], "isAnonymous": False}
            for i, key in enumerate(names, 1)
        ],
        "locations": [],
        "plays": [_play(game, variants.index(game.variant) + 1, names) for game in played],
        "userInfo": {"meRefId": 0},
    }
    return json.dumps(told, ensure_ascii=False, indent=1)


def _uuid(*parts: str) -> str:
    """The same thing has the same number in every export: importing twice adds nothing."""
    return str(uuid.uuid5(_SPACE, "/".join(parts)))


def _game(number: int, variant: str) -> dict[str, Any]:
    known = VARIANTS.get(variant)
    name = f"Ticket to Ride: {known.name('en')}" if known else variant
    bgg = {"bggId": _BGG[known.board]} if known is not None and known.board in _BGG else {}
    return {"id": number, "uuid": _uuid("game", variant), "name": name, **bgg, "highestWins": True, "noPoints": False}


def _play(game: PastGame, number: int, names: list[str]) -> dict[str, Any]:
    return {
        "uuid": _uuid("play", game.id),
        "gameRefId": number,
        "playDate": f"{game.date}:00",
        "usesTeams": False,
        "ignored": False,
        "playerScores": [
            {
                "playerRefId": names.index(player.name.casefold()) + 1,
                "score": str(player.total),
                "rank": player.rank,
                "winner": player.name in game.winners,
                "seatOrder": seat,
                "role": player.color,
            }
            for seat, player in enumerate(game.players, 1)
        ],
    }

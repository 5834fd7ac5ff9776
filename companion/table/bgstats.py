"""Finished games for the app BG Stats: all of them as a file, or one as a link that fills in a new play there.

The link is the way that BG Stats describes for other apps (`createPlay`, one play as JSON). Its file has the tables of
BG Stats' own export: games, players and plays, joined by numbers. What was checked, and against what, is told in
docs/decisions/014-statistics-and-export.md.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from datetime import datetime, timezone
from typing import Any  # Any: JSON
from urllib.parse import quote

from companion.rules import VARIANTS
from companion.table.history import PastGame, PastPlayer
from companion.table.statistics import person

# The boards that are games of their own at BoardGameGeek; the others are expansions whose numbers we don't know.
_BGG = {"usa": 9209, "europe": 14996}
_SPACE = uuid.UUID("6f1f4a2e-5b1f-4d4e-9a53-2a0f6a7c9b10")
# BG Stats remembers which of its players and games ours are under this name.
_SOURCE = "Companion"
_CREATE = "app.bgstatsapp.com/createPlay.html?data="
_FORMAT = "%Y-%m-%d %H:%M:%S"
# What somebody reads who opens the file with something else.
_ABOUT = "Games of Ticket to Ride, written by Companion. Open or share this file with Board Game Stats to take them in."


def as_bgstats(games: Iterable[PastGame]) -> str:
    """One play for each game; a player is known by the name, whatever its capitals."""
    played = list(games)
    variants = list(dict.fromkeys(g.variant for g in played))
    people: dict[str, str] = {}
    for game in played:
        for player in game.players:
            people.setdefault(person(player.name), player.name.strip())
    names = list(people)
    changed = max((_told(g.date) for g in played), default="")
    told: dict[str, Any] = {
        "about": _ABOUT,
        "games": [_game(i, variant, changed) for i, variant in enumerate(variants, 1)],
        "players": [
            {
                "id": i,
                "uuid": _uuid("player", key),
                "name": people[key],
                "isAnonymous": False,
                "modificationDate": changed,
            }
            for i, key in enumerate(names, 1)
        ],
        "locations": [],
        "plays": [_play(game, variants.index(game.variant) + 1, names) for game in played],
        "userInfo": {"meRefId": 0},
    }
    return json.dumps(told, ensure_ascii=False, indent=1)


def play_link(game: PastGame, scheme: str = "https") -> str:
    """A link that opens BG Stats with this game filled in; `bgstats` as scheme goes to the app without a website."""
    told = {
        "sourceName": _SOURCE,
        "sourcePlayId": game.id,
        "playDate": _told(game.date, universal=True),
        "game": {"sourceGameId": game.variant, **_facts(game.variant)},
        "players": [
            {
                "sourcePlayerId": _uuid("player", person(p.name)),
                "name": p.name.strip(),
                "score": p.total,
                "rank": p.rank,
                "role": p.color,
                **_marks(game, p),
            }
            for p in game.players
        ],
    }
    data = quote(json.dumps(told, ensure_ascii=False, separators=(",", ":")), safe="")
    return f"{scheme}://{_CREATE}{data}"


def _uuid(*parts: str) -> str:
    """The same thing has the same number in every export: importing twice adds nothing."""
    return str(uuid.uuid5(_SPACE, "/".join(parts)))


def _told(date: str, universal: bool = False) -> str:
    """A date as BG Stats writes it: the time on the wall in its files, universal time in links."""
    try:
        when = datetime.strptime(date[:16], "%Y-%m-%d %H:%M")  # noqa: DTZ007 the clock on the wall of whoever plays
    except ValueError:
        return date
    return (when.astimezone(timezone.utc) if universal else when).strftime(_FORMAT)


def _facts(variant: str) -> dict[str, Any]:
    """What is known of a game. BG Stats stops at a number in quotes, and where one of the switches is missing."""
    known = VARIANTS.get(variant)
    name = f"Ticket to Ride: {known.name('en')}" if known else variant
    bgg = {"bggId": _BGG[known.board]} if known is not None and known.board in _BGG else {}
    return {"name": name, **bgg, "highestWins": True, "noPoints": False}


def _game(number: int, variant: str, changed: str) -> dict[str, Any]:
    facts = {**_facts(variant), "cooperative": False, "usesTeams": False, "modificationDate": changed}
    # In its files a game that has no number at BoardGameGeek has the number 0.
    return {"id": number, "uuid": _uuid("game", variant), "bggId": 0, **facts}


def _marks(game: PastGame, player: PastPlayer) -> dict[str, bool]:
    return {"winner": player.name in game.winners, "startPlayer": player.name == game.first}


def _play(game: PastGame, number: int, names: list[str]) -> dict[str, Any]:
    date = _told(game.date)
    return {
        "uuid": _uuid("play", game.id),
        "gameRefId": number,
        "playDate": date,
        "modificationDate": date,
        "entryDate": date,
        "durationMin": 0,
        "usesTeams": False,
        "ignored": False,
        "manualWinner": False,
        "rounds": 0,
        "playerScores": [
            {
                "playerRefId": names.index(person(player.name)) + 1,
                "score": str(player.total),
                "rank": player.rank,
                "newPlayer": False,
                "seatOrder": seat,
                "role": player.color,
                **_marks(game, player),
            }
            for seat, player in enumerate(game.players, 1)
        ],
    }

"""Games for BG Stats: every number in a play leads to a game and to players; a second export is the same."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from companion.table.bgstats import as_bgstats, play_link
from companion.table.history import History, PastGame, PastPlayer


def _game(number: int, variant: str, *scores: tuple[str, int]) -> PastGame:
    ranked = sorted((s for _, s in scores), reverse=True)
    players = tuple(PastPlayer(n, "red", ranked.index(s) + 1, s) for n, s in scores)
    winners = tuple(p.name for p in players if p.rank == 1)
    return PastGame(f"2026050{number}-203000-000", f"2026-05-0{number} 20:30", variant, "usa", players, winners)


GAMES = [_game(1, "usa", ("Ada", 120), ("Bo", 90)), _game(2, "europe", ("ada", 80), ("Chidi", 101))]


def test_every_play_is_joined() -> None:
    told = json.loads(as_bgstats(GAMES))
    games = {g["id"]: g["name"] for g in told["games"]}
    players = {p["id"]: p["name"] for p in told["players"]}
    assert sorted(players.values()) == ["Ada", "Bo", "Chidi"]
    first, second = told["plays"]
    assert games[first["gameRefId"]] == "Ticket to Ride: USA"
    assert first["playDate"] == "2026-05-01 20:30:00"
    found = {players[s["playerRefId"]]: (s["score"], s["winner"]) for s in second["playerScores"]}
    assert found == {"Ada": ("80", False), "Chidi": ("101", True)}
    assert as_bgstats(GAMES) == as_bgstats(GAMES)


# Columns of the files that public programs write for BG Stats, or read from it.
COLUMNS = {
    "games": {"id", "uuid", "name", "modificationDate", "cooperative", "highestWins", "noPoints", "usesTeams", "bggId"},
    "players": {"id", "uuid", "name", "isAnonymous", "modificationDate"},
    "plays": {
        "uuid", "gameRefId", "playDate", "modificationDate", "entryDate", "durationMin", "usesTeams", "ignored",
        "manualWinner", "rounds", "playerScores",
    },
}  # fmt: skip
SCORE = {"playerRefId", "score", "winner", "newPlayer", "startPlayer", "rank", "seatOrder"}


def test_the_file_has_the_tables_and_columns_of_bg_stats_own() -> None:
    told = json.loads(as_bgstats([*GAMES, _game(3, "legendary-asia", ("Bo", 70), ("Chidi", 60))]))
    assert {"about", "games", "players", "locations", "plays", "userInfo"} == set(told)
    for table, columns in COLUMNS.items():
        assert all(columns <= set(row) for row in told[table])
    assert all(set(score) >= SCORE for play in told["plays"] for score in play["playerScores"])
    assert [g["bggId"] for g in told["games"]] == [9209, 14996, 0]


def test_the_ending_says_what_is_written(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    history.keep(GAMES[0])
    assert history.export(tmp_path / "all.bgsplay") == 1
    assert json.loads((tmp_path / "all.bgsplay").read_text("utf-8"))["plays"]


def test_a_link_fills_in_a_play_with_everything_that_bg_stats_insists_on() -> None:
    link = play_link(replace(GAMES[0], first="Bo"))
    address, _, data = link.partition("?data=")
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    # Everything is quoted: a name with & or # must not end the link.
    assert all(c.isalnum() or c in "%-_.~" for c in data)
    told = json.loads(unquote(data))
    assert (told["sourceName"], told["sourcePlayId"]) == ("Companion", GAMES[0].id)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:00", told["playDate"])
    assert told["game"] == {
        "sourceGameId": "usa", "name": "Ticket to Ride: USA", "bggId": 9209, "highestWins": True, "noPoints": False,
    }  # fmt: skip
    found = [(p["name"], p["score"], p["winner"], p["startPlayer"]) for p in told["players"]]
    assert found == [("Ada", 120, True, False), ("Bo", 90, False, True)]
    assert play_link(GAMES[0], "bgstats").startswith("bgstats://app.bgstatsapp.com/")


def test_one_person_has_one_number_in_every_export() -> None:
    told = [json.loads(unquote(play_link(g).partition("?data=")[2])) for g in GAMES]
    (ada, _), (again, _) = ([p["sourcePlayerId"] for p in t["players"]] for t in told)
    assert ada == again

"""Games for BG Stats: every number in a play leads to a game and to players; a second export is the same."""

from __future__ import annotations

import json
from pathlib import Path

from companion.table.bgstats import as_bgstats
from companion.table.history import History, PastGame, PastPlayer, records


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


def test_the_ending_says_what_is_written(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    history.keep(GAMES[0])
    assert history.export(tmp_path / "all.bgsplay") == 1
    assert json.loads((tmp_path / "all.bgsplay").read_text("utf-8"))["plays"]


def test_one_person_however_the_name_is_written_and_no_win_for_everybody() -> None:
    drawn = _game(3, "usa", ("Ada", 0), ("Bo", 0))
    found = {r.name: (r.games, r.wins) for r in records([drawn, *GAMES])}
    assert found == {"Ada": (3, 1), "Bo": (2, 0), "Chidi": (1, 1)}

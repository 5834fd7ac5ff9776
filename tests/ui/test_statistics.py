"""Statistics on the screen: bars and curves from games, names that open a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.history import PastGame
from companion.ui.camera import NoCamera
from companion.ui.desk import Desk
from companion.ui.models.statistics import StatisticsModel
from companion.ui.scripts import shaped, written
from tests.table.test_statistics import GAMES
from tests.ui.conftest import Start


def _model(tmp_path: Path, language: str = "en", games: list[PastGame] | None = None) -> StatisticsModel:
    desk = Desk(tmp_path, NoCamera())
    desk.change(language=language)
    return StatisticsModel(desk, GAMES if games is None else games)


def test_everybody_has_a_bar_and_those_who_played_twice_a_curve(tmp_path: Path) -> None:
    model = _model(tmp_path)
    assert [(r.name, r.share, r.told) for r in model.wins][:2] == [
        ("Ada", 0.6, "60%"),
        ("Bo", 0.2, "20%"),
    ]
    assert [(c.name, len(c.points)) for c in model.curves] == [("Ada", 5), ("Bo", 5)]
    assert [(r.name, r.told) for r in model.averages] == [("USA", "87.5"), ("Europe", "70.0")]
    assert max(r.share for r in model.averages) == 1.0


@pytest.mark.parametrize(
    ("language", "facts"),
    [("en", ["5", "3", "100.0", "140", "2"]), ("fr", ["5", "3", "100,0", "140", "2"])],
)
def test_a_players_page(tmp_path: Path, language: str, facts: list[str]) -> None:
    player = _model(tmp_path, language).player("ADA")
    assert player is not None
    assert [f.number for f in player.facts] == facts
    assert sum(s.share for s in player.sources) == pytest.approx(1.0)
    assert [(a.name, a.ahead, a.level, a.behind) for a in player.rivals] == [("Bo", 3, 1, 1), ("Chidi", 0, 1, 0)]
    assert [r.color for r in player.colors] == ["blue", "yellow"]
    assert len(player.seats) == 2


def test_a_line_that_nobody_knows_keeps_its_name(tmp_path: Path) -> None:
    from dataclasses import replace

    first = GAMES[0]
    strange = replace(first, players=tuple(replace(p, breakdown={"bonus": 7}) for p in first.players))
    player = _model(tmp_path, games=[strange]).player("Ada")
    assert player is not None
    assert [s.name for s in player.sources] == ["Bonus"]


def test_names_open_a_page_and_rivals_the_next(start: Start) -> None:
    pilot = start()
    for game in GAMES:
        pilot.desk.history.keep(game)
    pilot.tap(pilot.say("home.history"))
    pilot.tap("Ada")
    assert pilot.app.stack[-1][0] == "player"
    assert pilot.sees("100.0")
    pilot.tap("Bo")
    assert pilot.app.shell.title == "Bo"
    pilot.app.back()
    pilot.settle()
    assert pilot.app.stack[-1][0] == "history"


def test_dates_are_written_as_people_write_them(start: Start) -> None:
    pilot = start("fr")
    pilot.desk.history.keep(GAMES[0])
    pilot.tap(pilot.say("home.history"))
    assert pilot.sees("1er mai, 20 h 30") or pilot.sees("1er mai 2026, 20 h 30")


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Ada", "Ada"),
        # Read from right to left: the last letter stands at the left.
        ("שרה", "הרש"),
        # Joined, as no letter of an Arabic word stands alone.
        ("محمد", "\ufeaa\ufee4\ufea4\ufee3"),
        ("שרה 12", "12 הרש"),
        # In a line that is read from left to right, a name's points stay behind it.
        ("Ada 54, שרה 40, Bo 34", "Ada 54, הרש 40, Bo 34"),
    ],
)
def test_letters_are_drawn_in_their_order(name: str, drawn: str) -> None:
    assert shaped(name) == drawn


def test_a_sign_that_no_font_has_is_no_box() -> None:
    told = written("Ada \ufffe", marked=False)
    assert told is not None
    assert "◆" in told
    assert "\ufffe" not in told
    assert written("Ada & Bo", marked=False) is None
    assert (written("[b]שרה[/b]", marked=True) or "").startswith("[b][font=")

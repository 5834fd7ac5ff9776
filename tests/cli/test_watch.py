"""`companion watch`: a film in, events out, and a game that replays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

from companion.cli import main
from maps import Board, load
from tests.vision.test_locate import drawn_print
from vision.event import Event, Expected
from vision.fingerprints import Picture
from vision.reading import Reading, RouteReading
from vision.studio import film, write_film

CLAIM, TWIN, AFTER = "denver-omaha-pink", "denver-kansas-city-black", "denver-kansas-city-orange"
HAPPENS = {
    3: Event(0.5, "claim", CLAIM, "red", 0.98),
    5: Event(0.8, "claim", TWIN, "blue", 0.97),
    # The second track of a pair is closed for two players.
    7: Event(1.2, "claim", AFTER, "red", 0.99),
    8: Event(1.3, "camera"),
    9: Event(1.5, "gone", CLAIM, "red", 0.95),
}


@dataclass
class Script:
    """Sees nothing and tells what is written, by the number of the frame."""

    happens: Mapping[int, Event] = field(default_factory=lambda: HAPPENS)
    board: Board | None = None
    start: dict[str, str] | None = None
    unsure: dict[str, str] = field(default_factory=dict)
    reading: Reading | None = None
    expected: list[Expected] = field(default_factory=list)
    n: int = -1

    def update(self, _frame: Picture, _seconds: float) -> list[Event]:
        self.n += 1
        if self.n == 1:
            self.board, self.start = load("usa"), {"atlanta-charleston-gray": "blue"}
            routes = {r.id: RouteReading(None, 0.9, (None,) * r.length) for r in self.board.routes.values()}
            self.reading = Reading("", "usa", ((0, 0), (1, 0), (1, 1), (0, 1)), routes)
        return [self.happens[self.n]] if self.n in self.happens else []

    def expect(self, expected: Expected) -> None:
        self.expected.append(expected)

    def close(self) -> None:
        return


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A film of which nobody looks at the pictures."""
    made = film("usa", 1, claims=1, start=0, tricks=(), size=(160, 120))
    return str(write_film(tmp_path_factory.mktemp("films"), "small", made))


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    told = Script()
    monkeypatch.setattr("vision.watcher.Watcher", lambda *_, **__: told)
    return told


def document(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_film_becomes_one_document(script: Script, small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", small, "--colors", "red,blue", "--json"]) == 0
    told = document(capsys)
    assert set(told) == {"film", "board", "fps", "start", "events", "end", "seconds"}
    assert (told["film"], told["board"], told["fps"]) == ("small.avi", "usa", 6)
    assert told["start"] == {"atlanta-charleston-gray": "blue"}
    assert set(told["seconds"]) == {"total", "per_frame"}
    assert set(told["end"]["routes"]) == set(load("usa").routes)
    first, _, closed, camera, gone = told["events"]
    assert first["seconds"] == 0.5
    assert (first["kind"], first["route"], first["color"]) == ("claim", CLAIM, "red")
    assert (first["confidence"], first["legal"], first["reasons"], first["points"]) == (0.98, True, [], 7)
    assert not closed["legal"]
    assert [set(r) for r in closed["reasons"]] == [{"rule", "message"}]
    assert (camera["kind"], camera["what"]) == ("moved", "camera")
    assert (gone["kind"], gone["route"]) == ("gone", CLAIM)
    # What the rules would refuse is known to the camera before it happens.
    assert any((AFTER, "red") in expected.unlikely for expected in script.expected)


def test_each_event_is_a_line_as_it_happens(script: Script, small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", small, "--follow", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["kind"] for line in lines] == ["claim", "claim", "claim", "moved", "gone"]
    # Whoever plays is not told: with everybody at the table both tracks are open.
    assert all(line["legal"] for line in lines[:3])
    assert script.expected[-1] == Expected()


@pytest.mark.parametrize(
    ("language", "claim", "score"),
    [("en", "Red: Denver – Omaha, 7 points.", "Blue: 9"), ("fr", "Rouge : Denver – Omaha, 7 points.", "Bleu : 9")],
)
@pytest.mark.usefixtures("script")
def test_people_read_sentences(
    small: str, language: str, claim: str, score: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", small, "--colors", "red,blue", "--lang", language]) == 0
    text = capsys.readouterr().out
    assert claim in text
    assert score in text


@pytest.mark.parametrize(
    ("language", "line"),
    [("en", "Boston – Montréal (grey, 2): blue? That is"), ("fr", "Boston – Montréal (gris, 2) : bleu ? Ce n'est")],
)
def test_what_is_not_sure_at_the_start_is_told(
    script: Script, small: str, language: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script.unsure = {"boston-montreal-gray": "blue"}
    assert main(["watch", small, "--json"]) == 0
    assert document(capsys)["start_unsure"] == script.unsure
    script.n = -1
    assert main(["watch", small, "--lang", language]) == 0
    assert line in capsys.readouterr().out


@pytest.mark.usefixtures("script")
def test_the_journal_is_a_game_that_replays(small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = str(tmp_path / "game.jsonl")
    assert main(["watch", small, "--colors", "red,blue", "--journal", journal, "--json"]) == 0
    capsys.readouterr()
    assert main(["replay", journal, "--json"]) == 0
    told = document(capsys)
    held = {p["color"]: p["routes"] for p in told["position"]["players"]}
    assert held == {"red": [AFTER], "blue": ["atlanta-charleston-gray", TWIN]}
    # The table let it stand, and the record says so.
    assert len(told["accepted"]) == 1
    assert told["position"]["keeping"] == "watched"
    assert main(["watch", small, "--journal", journal, "--json"]) == 2
    assert document(capsys)["error"]["code"] == "journal-exists"


@pytest.mark.usefixtures("script")
def test_who_plays_without_being_told_is_who_lays_wagons(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = str(tmp_path / "game.jsonl")
    assert main(["watch", small, "--journal", journal]) == 0
    capsys.readouterr()
    assert main(["replay", journal, "--json"]) == 0
    assert {p["color"] for p in document(capsys)["position"]["players"]} == {"red", "blue"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--colors", "mauve"], "no-such-color"),
        (["--variant", "mars"], "no-such-variant"),
        (["--start", "nowhere.json"], "no-file"),
    ],
)
def test_wrong_wishes_are_told(small: str, arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", small, *arguments, "--json"]) == 2
    assert document(capsys)["error"]["code"] == code


def test_a_film_without_a_board_is_told(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", small, "--json"]) == 3
    assert document(capsys)["error"]["code"] == "no-board-watched"


def test_a_drawn_film_is_told_with_the_programs_own_eyes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its print is not among those that the program knows."""
    monkeypatch.setattr("vision.live.fingerprints", lambda: (drawn_print("usa"),))
    made = film("usa", 3, claims=2, start=2, colors=("red", "blue"), tricks=("knock",))
    path = write_film(tmp_path, "drawn", made)
    assert main(["watch", str(path), "--json"]) == 0
    told = document(capsys)
    assert told["start"] == made.truth["start"]
    laid = [(e["route"], e["color"]) for e in told["events"] if e["kind"] == "claim"]
    assert laid == [(e["route"], e["color"]) for e in made.truth["events"]]

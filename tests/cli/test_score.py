"""`companion score`: JSON as in the contract, a sheet for people, and errors in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

from companion.cli import main
from companion.cli.score import answer, scored
from companion.rules import Position, score
from companion.words import sheet_text
from tests.play.tables import some_position

EUROPE: dict[str, Any] = {
    "variant": "europe",
    "players": [
        {"name": "Ann", "color": "red", "routes": ["paris-zurich-gray", "dieppe-paris-pink"], "stations": ["zurich"],
         "tickets": [{"a": "dieppe", "b": "munchen", "points": 5}, "berlin--roma"]},
        {"name": "Ben", "color": "blue", "routes": ["munchen-zurich-yellow"], "tickets": [], "marked_points": 3},
    ],
}  # fmt: skip


@pytest.fixture
def europe(tmp_path: Path) -> str:
    return written(tmp_path, "europe", EUROPE)


def written(folder: Path, name: str, position: object) -> str:
    file = folder / f"{name}.json"
    file.write_text(json.dumps(position), encoding="utf-8")
    return str(file)


def test_the_sheet_for_people(europe: str) -> None:
    lines = sheet_text(scored(europe)).splitlines()
    assert lines[:8] == [
        "                Ann   Ben",
        "Routes            5     2",
        "Tickets          -4     0",
        "Stations left     8    12",
        "Longest path     10     0",
        "-------------------------",
        "Total            19    14",
        "Rank              1     2",
    ]
    told = "\n".join(lines)
    assert "Winner: Ann (most points)" in told
    assert "+5 Dieppe – München, via Dieppe – Paris – Zürich – München" in told
    assert "−9 Berlin – Roma, missed" in told
    assert "Station in Zürich: borrows München – Zürich" in told
    assert "Longest path, 4 trains: Dieppe – Paris – Zürich" in told
    assert "! Ben's marker shows 3 points for routes, the board 2: the board counts." in told


def test_the_sheet_in_french(europe: str) -> None:
    told = sheet_text(scored(europe), "fr")
    assert "Vainqueur : Ann (le plus de points)" in told
    assert "Chemin le plus long, 4 wagons : Dieppe – Paris – Zürich" in told
    assert "−9 Berlin – Roma, manquée" in told


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_variant_makes_a_sheet(seed: int, language: str) -> None:
    position = some_position(seed)
    told = sheet_text(score(Position.from_json(position)), language)
    assert all(p["name"] in told for p in position["players"])
    assert max(len(line) for line in told.splitlines()) <= 100


def test_json_holds_one_document(europe: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", europe, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == answer(europe)
    assert found["winners"] == ["Ann"]
    assert found["players"][0]["station_choices"] == {"zurich": "munchen-zurich-yellow"}
    assert found["warnings"][1:] == ["Ben's marker shows 3 points for routes, the board 2: the board counts."]


def test_several_files_answer_in_order(europe: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = written(tmp_path, "bad", {"variant": "europe", "players": [{"name": "Ann", "routes": ["paris-berlin"]}]})
    assert main(["score", europe, bad, str(tmp_path / "none.json"), "--json"]) == 2
    good, unknown, missing = json.loads(capsys.readouterr().out)
    assert good["winners"] == ["Ann"]
    assert unknown["error"]["code"] == "bad-position"
    assert "paris-berlin" in unknown["error"]["message"]
    assert missing["error"]["code"] == "no-file"


def test_unknown_ids_are_bad_input_with_all_else_that_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = [{"name": "Ann", "routes": ["nowhere"], "tickets": ["oz--roma"]}, {"name": "Ann", "stations": ["pariss"]}]
    file = written(tmp_path, "bad", {"variant": "europe", "players": players})
    assert main(["score", file]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    for word in ("nowhere", "oz--roma", "'paris'", "The name Ann appears twice"):
        assert word in told.err

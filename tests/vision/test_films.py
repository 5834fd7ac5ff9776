"""Films as recordings: what was told against what is true; and films that the studio draws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

from companion.cli import main
from tests.vision.test_locate import drawn_print
from vision.evaluation.films import compared, films, judge
from vision.event import Event, Expected
from vision.recordings import recordings
from vision.studio import film
from vision.watcher import Watcher

TRUTH: dict[str, Any] = {
    "board": "usa",
    "start": {"atlanta-charleston-gray": "red"},
    "events": [
        {"seconds": 5.0, "route": "denver-omaha-pink", "color": "red"},
        {"seconds": 9.0, "route": "calgary-helena-gray", "color": "blue"},
        {"seconds": 14.0, "kind": "gone", "route": "denver-omaha-pink", "color": "red"},
    ],
}


def test_what_is_told_missed_and_made_up() -> None:
    told = [
        Event(6.0, "claim", "denver-omaha-pink", "red"),
        Event(10.5, "claim", "calgary-helena-gray", "green"),
        Event(12.0, "lost"),
        Event(16.0, "gone", "denver-omaha-pink", "red"),
    ]
    row = compared("x", TRUTH, {"atlanta-charleston-gray": "blue"}, told)
    assert (row.claims, row.told) == (3, 2)
    assert row.missed == ("claim calgary-helena-gray blue",)
    assert row.made_up == ("claim calgary-helena-gray green",)
    assert row.start_wrong == ("atlanta-charleston-gray",)
    assert row.late == pytest.approx((1.0, 2.0))
    assert row.to_json()["late"] == {"most": 2.0, "median": 1.5}


def test_what_comes_far_too_late_is_missed() -> None:
    row = compared("x", TRUTH, TRUTH["start"], [Event(40.0, "claim", "denver-omaha-pink", "red")])
    assert len(row.missed) == 3
    assert len(row.made_up) == 1


def test_the_studio_draws_films_that_eval_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--film", "--count", "1", "--claims", "1", "--size", "320x240", "--seed", "3"]
    assert main(["studio", "usa", str(tmp_path), *options, "--json"]) == 0
    (made,) = json.loads(capsys.readouterr().out)["films"]
    assert [p.name for p in films(tmp_path)] == [Path(made).name] == ["usa-film-0003.avi"]
    truth = json.loads(Path(made).with_suffix(".json").read_text(encoding="utf-8"))
    assert [e.get("kind", "claim") for e in truth["events"]] == ["claim", "gone"]
    # A film's truth is not that of a photo.
    assert recordings(tmp_path) == []


@pytest.mark.parametrize("name", ["usa-film-0011", "europe-film-0014"])
def test_the_given_films_are_told_without_a_mistake(shared: Path, name: str) -> None:
    path = shared / "films" / f"{name}.mp4"
    if not path.is_file():
        pytest.skip("needs the films of the shared material")
    row = judge(path)
    assert (row.missed, row.made_up, row.start_wrong) == ((), (), ())
    assert row.told == row.claims == 12
    assert max(row.late) < 4


@pytest.mark.parametrize(
    ("board", "seed", "more"),
    [
        ("usa", 11, {"claims": 2, "tricks": ("spares",)}),
        ("europe", 21, {"claims": 1, "tricks": (), "buildings": 2}),
        ("usa", 22, {"claims": 1, "tricks": (), "buildings": 2}),
    ],
    ids=["spare wagons", "stations", "depots"],
)
def test_spare_wagons_on_the_map_tell_nothing_and_buildings_are_told(
    board: str, seed: int, more: dict[str, Any]
) -> None:
    """A film of our own, with the program's own eyes; its print is not among those that the program knows."""
    colors = ("red", "blue")
    made = film(board, seed, start=2, colors=colors, size=(1280, 960), **more)
    watcher = Watcher(board, None, Expected(colors, 2, depots=board == "usa"), [drawn_print(board)])
    told = [event for n, frame in enumerate(made.frames()) for event in watcher.update(frame, n / made.fps)]
    row = compared("drawn", made.truth, watcher.start, told)
    assert (row.missed, row.made_up, row.start_wrong) == ((), (), ())
    assert row.told == len(made.truth["events"]) > 1
    assert max(row.late) < 4

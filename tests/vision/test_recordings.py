"""The testers' bench: loading, comparing and counting, without reading any photo."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import maps
from maps import Trouble
from vision import recordings
from vision.reading import Reading, RouteReading, StationReading

BOARD = maps.load("europe")
ROUTES = list(BOARD.routes)
CORNERS = [[0.0, 0.0], [1500.0, 0.0], [1500.0, 1000.0], [0.0, 1000.0]]


def truth(**changes: object) -> dict:
    taken = {ROUTES[0]: "red", ROUTES[5]: "blue"}
    plain = {
        "photo": "game.jpg",
        "board": "europe",
        "corners": CORNERS,
        "routes": {r: taken.get(r) for r in ROUTES},
        "stations": {"paris": "green"},
    }
    return {**plain, **changes}


def reading(doubtful: tuple[str, ...] = (), **changes: str | None) -> Reading:
    """A reading that is right but for some routes."""
    right = truth()["routes"]
    told = {}
    for route in BOARD.routes.values():
        color = changes.get(route.id, right[route.id])
        told[route.id] = RouteReading(color, 0.9, (color,) * route.length)
    corners = tuple((x, y) for x, y in CORNERS)
    return Reading("game.jpg", "europe", corners, told, {"paris": StationReading("green", 0.9)}, doubtful)


def test_a_right_reading_is_perfect() -> None:
    row = recordings.compare("game", reading(), truth())
    assert row.perfect
    assert (row.routes, row.stations, row.silent) == (len(ROUTES), 1, 0)
    assert row.corner_error == pytest.approx(0)


def test_mistakes_are_counted_and_flagged_ones_are_not_silent() -> None:
    row = recordings.compare("game", reading((ROUTES[0],), **{ROUTES[0]: "black", ROUTES[1]: "red"}), truth())
    assert {(m.id, m.expected, m.got, m.flagged) for m in row.mistakes} == {
        (ROUTES[0], "red", "black", True), (ROUTES[1], None, "red", False),
    }  # fmt: skip
    assert (row.wrong("route"), row.silent, row.perfect) == (2, 1, False)
    assert row.spaces_wrong == BOARD.routes[ROUTES[0]].length + BOARD.routes[ROUTES[1]].length


@pytest.mark.parametrize("unseen", [{"covered": [ROUTES[1]]}, {"cut": {"side": "left", "routes": [ROUTES[1]]}}])
def test_what_nobody_can_see_is_not_judged(unseen: dict) -> None:
    row = recordings.compare("game", reading(**{ROUTES[1]: "red"}), truth(**unseen))
    assert row.perfect
    assert row.routes == len(ROUTES) - 1


def test_single_spaces_follow_their_own_truth() -> None:
    long = next(r for r in BOARD.routes.values() if r.length == 4)
    lying = ["red", "red", None, None]
    own = reading()
    told = {**own.routes, long.id: RouteReading(None, 0.5, tuple(lying))}
    row = recordings.compare("game", replace(own, routes=told), truth(spaces={long.id: lying}))
    assert row.spaces_wrong == 0


@pytest.mark.parametrize(
    ("stands", "read", "wrong"),
    [({"paris": "green"}, {}, 1), ({}, {"paris": "green"}, 1), ({"paris": "red"}, {"paris": "green"}, 1), ({}, {}, 0)],
)
def test_stations_are_judged_wherever_one_stands_or_was_read(stands: dict, read: dict, wrong: int) -> None:
    own = replace(reading(), stations={c: StationReading(color, 0.8) for c, color in read.items()})
    row = recordings.compare("game", own, truth(stations=stands))
    assert row.wrong("station") == wrong
    assert row.stations == len({*stands, *read})


def test_another_board_is_wrong_altogether() -> None:
    row = recordings.compare("game", replace(reading(), board="usa"), truth())
    assert not row.board_right
    assert row.wrong("route") == len(ROUTES)


def test_the_worst_corner_counts_in_per_cent_of_the_width() -> None:
    own = replace(reading(), corners=((0, 0), (1500, 0), (1500, 1000), (0, 1015)))
    row = recordings.compare("game", own, truth())
    assert row.corner_error == pytest.approx(1.0)


def test_broken_recordings_are_rows_with_their_reason(tmp_path: Path) -> None:
    picture = np.zeros((20, 20, 3), np.uint8)
    for name in ("good", "torn", "unknown"):
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), picture)
    (tmp_path / "good.json").write_text(json.dumps(truth(photo="good.jpg")))
    (tmp_path / "torn.json").write_text('{"photo": "torn.jpg", ')
    (tmp_path / "unknown.json").write_text(json.dumps(truth(photo="unknown.jpg", routes={"nowhere-red": None})))
    (tmp_path / "lonely.json").write_text(json.dumps(truth(photo="lonely.jpg")))

    def read(path: Path) -> Reading:
        return reading()

    rows = {row.name: row for row in recordings.judge(recordings.recordings(tmp_path), read)}
    assert set(rows) == {"good", "torn", "unknown", "lonely"}
    assert rows["good"].perfect
    assert {name for name, row in rows.items() if row.problem is not None} == {"torn", "unknown", "lonely"}
    totals = recordings.Totals.of(list(rows.values()))
    assert (totals.boards, totals.perfect, totals.failed) == (4, 1, 3)
    assert any("nowhere-red" in line for line in recordings.lines(list(rows.values())))


def test_a_photo_that_cannot_be_read_is_a_row() -> None:
    def read(path: Path) -> Reading:
        raise Trouble("no-board", nothing_seen=True)

    found = [recordings.Recording("game", Path("game.jpg"), truth())]
    (row,) = recordings.judge(found, read)
    assert row.problem is not None
    assert row.problem.key == "error.no-board"
    assert not row.perfect


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(Trouble):
        recordings.recordings(tmp_path / "nowhere")

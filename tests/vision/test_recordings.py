"""The testers' bench: loading, comparing and counting, without reading any photo."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
import pytest

import maps
from maps import Trouble
from vision import recordings
from vision.reading import Reading, RouteReading, StationReading
from vision.truth import wrong_with

BOARD = maps.load("europe")
ROUTES = list(BOARD.routes)
CORNERS = [[0.0, 0.0], [1500.0, 0.0], [1500.0, 1000.0], [0.0, 1000.0]]


def truth(**changes: object) -> dict[str, Any]:
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
def test_what_nobody_can_see_is_not_judged(unseen: dict[str, Any]) -> None:
    row = recordings.compare("game", reading((), **{ROUTES[1]: "red"}), truth(**unseen))
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
def test_stations_are_judged_wherever_one_stands_or_was_read(
    stands: dict[str, str], read: dict[str, str], wrong: int
) -> None:
    own = replace(reading(), stations={c: StationReading(color, 0.8) for c, color in read.items()})
    row = recordings.compare("game", own, truth(stations=stands))
    assert row.wrong("station") == wrong
    assert row.stations == len({*stands, *read})


@pytest.mark.parametrize(
    ("stations", "depots", "mistake"),
    [
        ({}, {"wien": "red"}, None),
        ({"wien": "red"}, {}, ("depot-red", "red")),
        ({}, {}, ("depot-red", None)),
        ({}, {"wien": "blue"}, ("depot-red", "depot-blue")),
    ],
)
def test_a_depot_is_no_station(
    stations: dict[str, str], depots: dict[str, str], mistake: tuple[str, str | None] | None
) -> None:
    read = [{c: StationReading(color, 0.8) for c, color in told.items()} for told in (stations, depots)]
    own = replace(reading(), stations=read[0], depots=read[1])
    row = recordings.compare("game", own, truth(stations={}, depots={"wien": "red"}))
    assert [(m.expected, m.got) for m in row.mistakes] == ([mistake] if mistake else [])


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

    rows = {r.name: recordings.judged(r, read) for r in recordings.recordings(tmp_path)}
    assert set(rows) == {"good", "torn", "unknown", "lonely"}
    assert rows["good"].perfect
    assert {name for name, row in rows.items() if row.problem is not None} == {"torn", "unknown", "lonely"}
    totals = recordings.Totals.of(list(rows.values()))
    assert (totals.boards, totals.perfect, totals.failed) == (4, 1, 3)
    assert "nowhere-red" in str(rows["unknown"].problem)


QUAD = [[0, 0], [10, 0], [10, 6], [0, 6]]


def paper(kind: str, **told: object) -> dict[str, object]:
    """The truth about a photo of one technology card or share."""
    return {"photo": "x.jpg", kind: [{"board": "united-kingdom", "quad": QUAD, **told}]}


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ([1], "no-object"),
        (None, "no-object"),
        ({"board": "europe"}, "missing"),
        (truth(board="eurpe"), "board"),
        (truth(board="../europe"), "board"),
        (truth(board=5), "missing"),
        (truth(routes={}), "missing"),
        (truth(routes={ROUTES[0]: "mauve"}), "color"),
        (truth(routes={ROUTES[0]: ["red"]}), "color"),
        (truth(routes={"x-y": "red"}), "id"),
        (truth(stations={"atlantis": "red"}), "id"),
        (truth(stations=["paris"]), "bad-field"),
        (truth(depots={"paris": "mauve"}), "color"),
        (truth(corners=CORNERS[:3]), "corners"),
        (truth(corners=[[5, 5]] * 4), "corners"),
        (truth(corners=[[float("nan"), 0], *CORNERS[1:]]), "corners"),
        (truth(spaces={ROUTES[0]: 3}), "spaces"),
        (truth(spaces={ROUTES[0]: ["red"] * 99}), "spaces"),
        (truth(covered="all"), "bad-field"),
        (truth(cut=["left"]), "bad-field"),
        ({"photo": "x.jpg", "cards": 5}, "bad-field"),
        ({"photo": "x.jpg", "cards": [{"color": "red"}]}, "corners"),
        ({"photo": "x.jpg", "cards": [{"quad": QUAD}]}, "missing"),
        ({"photo": "x.jpg", "cards": [{"color": "mauve", "quad": QUAD}]}, "color"),
        ({"photo": "x.jpg", "cards": [{"color": "red", "quad": QUAD, "visible": "half"}]}, "bad-field"),
        ({"photo": "x.jpg", "tickets": [{"id": "paris--wien", "quad": QUAD}]}, "missing"),
        ({"photo": "x.jpg", "tickets": [{"board": "eurpe", "id": "paris--wien", "quad": QUAD}]}, "board"),
        ({"photo": "x.jpg", "tickets": [{"board": "europe", "id": "paris--atlantis", "quad": QUAD}]}, "id"),
        ({"photo": "x.jpg", "tickets": [{"board": "europe", "id": "paris--wien", "quad": QUAD}]}, None),
        (paper("technologies", id="booster"), None),
        (paper("technologies", id="teleporter"), "id"),
        (paper("technologies"), "missing"),
        (paper("technologies", id="booster", board="atlantis"), "board"),
        (paper("shares", board="pennsylvania", company="reading", number=2), None),
        (paper("shares", board="pennsylvania", company="reading"), None),
        (paper("shares", board="pennsylvania", company="booster"), "id"),
        (paper("shares", board="pennsylvania", company="reading", number="two"), "bad-field"),
        (truth(depots={"wien": "red"}, corners=None), None),
    ],
)
def test_a_truth_is_checked(told: object, reason: str | None) -> None:
    found = wrong_with(told)
    assert (found.key if found else None) == (f"truth.{reason}" if reason else None)


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, "{}".encode("utf-16"), b"\xff\xfe"])
def test_what_is_no_json_is_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "torn.json").write_bytes(data)
    (found,) = recordings.recordings(tmp_path)
    assert found.problem is not None
    assert found.problem.values["reason"].key == "truth.not-json"


@pytest.mark.parametrize("photo", ["../game.jpg", "/etc/passwd", "x" * 5000, "x\0y", "."])
def test_a_photo_is_looked_for_beside_its_truth_only(tmp_path: Path, photo: str) -> None:
    (tmp_path / "game.json").write_text(json.dumps(truth(photo=photo)))
    (found,) = recordings.recordings(tmp_path)
    assert found.problem is not None
    assert found.problem.key == "error.no-file"


def test_a_photo_without_truth_is_a_row(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "alone.jpg"), np.zeros((20, 20, 3), np.uint8))
    cv2.imwrite(str(tmp_path / "named.png"), np.zeros((20, 20, 3), np.uint8))
    (tmp_path / "game.json").write_text(json.dumps(truth(photo="named.png")))
    (tmp_path / "notes.txt").write_text("none")
    alone, game = recordings.recordings(tmp_path)
    assert (alone.name, game.name, game.problem) == ("alone", "game", None)
    assert alone.problem is not None
    assert alone.problem.key == "error.no-truth"


def test_a_photo_that_cannot_be_read_is_a_row() -> None:
    def read(path: Path) -> Reading:
        raise Trouble("no-board", nothing_seen=True)

    row = recordings.judged(recordings.Recording("game", Path("game.jpg"), truth()), read)
    assert row.problem is not None
    assert row.problem.key == "error.no-board"
    assert not row.perfect


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(Trouble):
        recordings.recordings(tmp_path / "nowhere")

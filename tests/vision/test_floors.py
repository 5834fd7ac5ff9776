"""The reader itself against recorded floors: on drawn photos anywhere, on shared ones where they are.

`companion eval DIR... --write-floor FILE` records new floors; a floor is lowered only with a reason in the commit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
import pytest

import maps
from companion.cli import main
from tests.vision import lettered
from vision import evaluation, light, locate, spaces
from vision.evaluation import Ask, Floor, Reader, Sheets, ask_program
from vision.fingerprints import SQUARE, Fingerprint, fingerprint_of
from vision.light import FOLDER
from vision.reading import Reading, RouteReading
from vision.studio import Pose, practice, write

FLOORS = json.loads((Path(__file__).parent / "floors.json").read_text(encoding="utf-8"))
DRAWN = (("europe", 1), ("europe", 2), ("usa", 1), ("usa", 2))
# A few photos of each session that no training saw whole: all of them take minutes.
SHARED = ("usa/IMG_4132", "usa/IMG_4153", "usa/IMG_4166", "europe/cropped2s_12-12", "europe/cropped_messy2")
# A handful of photos says little about the share of whole boards.
FIGURES = (
    "routes_right",
    "spaces_right",
    "tickets_right",
    "technologies_right",
    "shares_right",
    "failed",
    "silent",
    "corner_error",
)


@pytest.fixture(autouse=True)
def _model() -> None:
    if not (FOLDER / "spaces.onnx").is_file():
        pytest.skip("needs the model of the board reader")


@pytest.fixture(scope="module")
def drawn_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Fingerprint, ...]]:
    """A table with its drawn boards enrolled, and photos of them: no print looks like a drawn board."""
    folder = tmp_path_factory.mktemp("table")
    prints = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_HOME", str(folder / "home"))
        for board_id in sorted({board for board, _ in DRAWN}):
            image, truth = practice(board_id, 0, taken=0, stations=False, pose=Pose(0, 0, 0.95), light="neutral")
            prints.append(fingerprint_of(image, truth["corners"], board_id, enrolled=True))
            place = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), np.array(truth["corners"], np.float32))
            to_picture = spaces.by_homography(np.asarray(place, np.float64))
            file = light.own_file(board_id)
            file.parent.mkdir(parents=True, exist_ok=True)
            light.reference_of(image, to_picture, spaces.layout(maps.load(board_id))).save(file)
    for board_id, seed in DRAWN:
        image, truth = practice(board_id, seed, stations=board_id == "europe")
        write(folder / "drawn", f"{board_id}-{seed}", image, truth)
    return folder, tuple(prints)


@pytest.fixture
def drawn(drawn_once: tuple[Path, tuple[Fingerprint, ...]], monkeypatch: pytest.MonkeyPatch) -> Path:
    folder, prints = drawn_once
    monkeypatch.setenv("COMPANION_HOME", str(folder / "home"))
    monkeypatch.setattr(locate, "fingerprints", lambda: prints)
    return folder / "drawn"


def floors(folders: Sequence[Path], reader: Reader, source: str) -> list[Floor]:
    """The floors of one source, measured."""
    mine: dict[str, Any] = {"source": {source: _own_floors(source)}}
    totals = evaluation.document(evaluation.evaluate(folders, reader=reader))["totals"]
    return evaluation.against_floors(totals, mine)


def _own_floors(source: str) -> dict[str, float]:
    return {f: floor for f, floor in FLOORS["source"][source].items() if f in FIGURES or f.endswith(" route")}


def broken(found: Sequence[Floor]) -> list[str]:
    return [f"{f.figure}: {f.measured} against {f.floor}" for f in found if not f.held]


def test_drawn_photos_are_read_as_well_as_ever(drawn: Path) -> None:
    assert broken(floors([drawn], ask_program, "drawn")) == []


def blind_to_trains(photo: Path, ask: Ask) -> Reading | Sheets:
    """The program, with a failure planted: it takes every taken route for an empty one, and is sure of it."""
    read = ask_program(photo, ask)
    assert isinstance(read, Reading)
    empty = {r: RouteReading(None, 0.99, (None,) * len(t.spaces)) for r, t in read.routes.items() if t.color}
    return replace(read, routes={**read.routes, **empty}, doubtful=tuple(d for d in read.doubtful if d not in empty))


def test_a_planted_failure_falls_through_the_floor(drawn: Path) -> None:
    assert "routes_right" in {f.figure for f in floors([drawn], blind_to_trains, "drawn") if not f.held}


def takes_red_for_black(photo: Path, ask: Ask) -> Reading | Sheets:
    """The program, with one colour planted wrong, and flagged: every other figure stays nearly as it is."""
    read = ask_program(photo, ask)
    assert isinstance(read, Reading)
    red = {r: replace(t, color="black") for r, t in read.routes.items() if t.color == "red"}
    return replace(read, routes={**read.routes, **red}, doubtful=(*read.doubtful, *red))


def test_a_failure_in_one_colour_makes_the_command_fail(
    drawn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As continuous integration calls it: the exit code says that a floor broke, and which."""
    file = tmp_path / "floors.json"
    file.write_text(json.dumps({"source": {"drawn": _own_floors("drawn")}}), encoding="utf-8")
    whole = evaluation.evaluate
    monkeypatch.setattr(evaluation, "evaluate", partial(whole, reader=takes_red_for_black))
    assert main(["eval", str(drawn), "--floor", str(file)]) == 1
    told = capsys.readouterr().out
    assert "red route" in told
    assert "blue route" not in told


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Tickets, a technology and a share of our own design on tables, with their truth."""
    usa = maps.load("usa")
    chosen = list(usa.tickets.values())[:4]
    quads = [
        lettered.at(x, y, 480, turn) for x, y, turn in ((310, 230, 0), (880, 240, 4), (310, 640, -5), (890, 650, 180))
    ]
    names = [" - ".join(usa.place_name(end, "en").upper() for end in (t.a, t.b)) for t in chosen]
    large = lettered.at(600, 450, 760)
    tables: dict[str, tuple[list[tuple[lettered.Picture, Any]], dict[str, Any]]] = {
        "tickets": (
            [(lettered.ticket(text, t.points), q) for text, t, q in zip(names, chosen, quads, strict=True)],
            {"tickets": [{"board": "usa", "id": t.id, "quad": q.tolist()} for t, q in zip(chosen, quads, strict=True)]},
        ),
        "technology": (
            [(lettered.technology("RISKY", "CONTRACTS"), lettered.at(600, 450, 620))],
            {
                "technologies": [
                    {"board": "united-kingdom", "id": "risky-contracts", "quad": lettered.at(600, 450, 620).tolist()}
                ]
            },
        ),
        "share": (
            [(lettered.share("READING RAILROAD", "3/7"), large)],
            {"shares": [{"board": "pennsylvania", "company": "reading", "number": 3, "quad": large.tolist()}]},
        ),
    }
    for name, (rows, truth) in tables.items():
        write(tmp_path / "papers", name, lettered.table(rows), {"seed": 0, "surface": "wood", **truth})
    return tmp_path / "papers"


def test_drawn_papers_are_read_as_well_as_ever(papers: Path) -> None:
    found = floors([papers], ask_program, "drawn-cards")
    assert {f.figure for f in found if f.measured is not None} >= {
        "tickets_right",
        "technologies_right",
        "shares_right",
    }
    assert broken(found) == []


def without_technologies(photo: Path, ask: Ask) -> Reading | Sheets:
    """The program, with a failure planted: it knows no technology."""
    read = ask_program(photo, ask)
    assert isinstance(read, Sheets)
    return replace(read, found=tuple(s for s in read.found if s.kind != "technology"))


def test_technologies_have_a_floor_of_their_own(papers: Path) -> None:
    missed = {f.figure for f in floors([papers], without_technologies, "drawn-cards") if not f.held}
    assert "technologies_right" in missed
    assert "tickets_right" not in missed


def test_tickets_of_a_real_photo_are_read_as_well_as_ever(shared: Path) -> None:
    assert broken(floors([shared / "photos" / "tickets"], ask_program, "photo-cards")) == []


def test_shared_photos_are_read_as_well_as_ever(shared: Path, tmp_path: Path) -> None:
    for name in SHARED:
        for ending in (".json", ".jpg"):
            copy = (tmp_path / name).with_suffix(ending)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.symlink_to((shared / "photos" / name).with_suffix(ending))
    assert broken(floors([tmp_path], ask_program, "photo")) == []

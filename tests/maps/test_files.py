"""Board folders: every problem is named with its file and field, and boards of players' own are found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

import maps
from companion.lang import tell
from maps import BoardError, UnknownBoard, load, validate

Parts = dict[str, Any]

SMALL: Parts = {
    "meta": {
        "id": "my-island",
        "name": {"en": "My island", "fr": "Mon île"},
        "stage": "beta",
        "unsure": [{"en": "Drawn by us.", "fr": "Dessiné par nous."}],
        "players": [2, 3],
        "wagons": 12,
        "wagon_colors": ["blue", "red", "green"],
        "cards": {"colors": ["blue", "red"], "per_color": 12, "locomotives": 6},
        "ticket_decks": {"regular": {"en": "Regular", "fr": "Ordinaires", "tickets": 1}},
        "geometry": {
            "kind": "measured", "edition": "home-made", "aspect": 1.5, "space_length": 0.06, "space_width": 0.02,
        },
    },
    "cities": [
        {"id": "east", "name": "East", "fr": "Est", "x": 0.9, "y": 0.5},
        {"id": "north", "name": "North", "fr": "Nord", "x": 0.5, "y": 0.1},
        {"id": "west", "name": "West", "fr": "Ouest", "x": 0.1, "y": 0.5},
    ],
    "routes": [
        {"id": "east-north-red", "a": "east", "b": "north", "length": 2, "color": "red"},
        {"id": "north-west-blue", "a": "north", "b": "west", "length": 3, "color": "blue", "group": "north-west"},
        {"id": "north-west-gray", "a": "north", "b": "west", "length": 3, "color": "gray", "group": "north-west"},
    ],
    "tickets": [{"a": "east", "b": "west", "points": 5, "decks": ["regular"]}],
}  # fmt: skip


def write(folder: Path, parts: Parts) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for part, data in parts.items():
        (folder / f"{part}.json").write_text(json.dumps(data), encoding="utf-8")
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path / "maps"


def test_a_board_of_ones_own_is_found_like_any_other(home: Path) -> None:
    write(home / "my-island", SMALL)
    assert "my-island" in maps.available()
    board = load("my-island")
    assert board.name("fr") == "Mon île"
    assert board.tickets["east--west"].points == 5
    # Spaces that nobody measured lie between the cities, parallel tracks side by side.
    (blue, gray) = board.groups["north-west"]
    assert [s.x for s in blue.spaces] == sorted((s.x for s in blue.spaces), reverse=True)
    assert all((a.x, a.y) != (b.x, b.y) for a, b in zip(blue.spaces, gray.spaces, strict=True))


def test_an_edited_board_loads_anew(home: Path) -> None:
    folder = write(home / "my-island", SMALL)
    assert load("my-island").wagons == 12
    changed = copy.deepcopy(SMALL)
    changed["meta"]["wagons"] = 1212
    (folder / "meta.json").write_text(json.dumps(changed["meta"]), encoding="utf-8")
    with pytest.raises(BoardError) as caught:
        load("my-island")
    assert "wagons" in tell(caught.value.problems[0].told)


def test_a_built_in_board_is_never_replaced(home: Path) -> None:
    parts = copy.deepcopy(SMALL)
    parts["meta"]["id"] = "usa"
    write(home / "usa", parts)
    assert len(load("usa").cities) == 36


def test_a_folder_without_meta_is_no_board(home: Path) -> None:
    (home / "notes").mkdir(parents=True)
    assert "notes" not in maps.available()
    with pytest.raises(UnknownBoard):
        load("notes")


Change = Callable[[Parts], object]

PROBLEMS: list[tuple[str, Change, str, str, str]] = [
    ("other id than its folder", lambda p: p["meta"].update(id="isle"), "meta.json", "id", "folder's name"),
    ("a field is missing", lambda p: p["meta"].pop("wagons"), "meta.json", "wagons", "missing"),
    ("a mistyped field", lambda p: p["meta"].update(wagon=3), "meta.json", "wagon", "did you mean 'wagons'"),
    ("text for a number", lambda p: p["meta"].update(wagons="12"), "meta.json", "wagons", "whole number"),
    ("true for a number", lambda p: p["meta"].update(wagons=True), "meta.json", "wagons", "whole number"),
    ("unknown stage", lambda p: p["meta"].update(stage="alpha"), "meta.json", "stage", "not one of"),
    ("beta without a word", lambda p: p["meta"].update(unsure=[]), "meta.json", "unsure", "what is unsure"),
    ("half a name for wild cards",
     lambda p: p["meta"]["cards"].update(wild={"one": {"en": "Ship"}, "short": {"en": "Ship"}}),
     "meta.json", "cards.wild.many", "missing"),
    ("players out of order", lambda p: p["meta"].update(players=[3, 2]), "meta.json", "players", "smallest first"),
    ("a colour twice", lambda p: p["meta"]["wagon_colors"].append("red"), "meta.json", "wagon_colors", "twice"),
    ("unknown wagon colour", lambda p: p["meta"]["wagon_colors"].append("rred"), "meta.json",
     "wagon_colors[3]", "'red'"),
    ("deck count", lambda p: p["meta"]["ticket_decks"]["regular"].update(tickets=4), "meta.json",
     "ticket_decks.regular.tickets", "says 4, tickets.json has 1"),
    ("no points for a length", lambda p: p["meta"].update(route_points={"2": 2}), "routes.json",
     "[1] (north-west-blue).length", "no points"),
    ("a city twice", lambda p: p["cities"].append(p["cities"][0]), "cities.json", "[3] (east).id", "twice"),
    ("a city off the board", lambda p: p["cities"][0].update(x=1.5), "cities.json", "[0] (east).x", "from 0 to 1"),
    ("a bad id", lambda p: p["cities"][0].update(id="East Side"), "cities.json", "[0] (East Side).id", "small letters"),
    ("unknown end", lambda p: p["routes"][0].update(a="eats"), "routes.json", "[0] (east-north-red).a", "'east'"),
    ("both ends the same", lambda p: p["routes"][0].update(b="east"), "routes.json",
     "[0] (east-north-red).b", "two different"),
    ("a route twice", lambda p: p["routes"].append(p["routes"][0]), "routes.json", "[3] (east-north-red).id", "twice"),
    ("unknown colour", lambda p: p["routes"][0].update(color="pink"), "routes.json",
     "[0] (east-north-red).color", "not one of"),
    ("a group of unlike tracks", lambda p: p["routes"][1].update(length=2), "routes.json",
     "north-west-gray.group", "does not match"),
    ("ferry without symbols", lambda p: p["routes"][0].update(kind="ferry"), "routes.json",
     "[0] (east-north-red).locomotives", "at least one"),
    ("symbols on no ferry", lambda p: p["routes"][0].update(locomotives=1), "routes.json",
     "[0] (east-north-red).locomotives", "only a ferry"),
    ("too many symbols", lambda p: p["routes"][0].update(kind="ferry", locomotives=3), "routes.json",
     "[0] (east-north-red).locomotives", "don't fit"),
    ("too few spaces", lambda p: p["routes"][0].update(spaces=[[0.8, 0.3, 10]]), "routes.json",
     "[0] (east-north-red).spaces", "1 position for 2"),
    ("spaces the wrong way", lambda p: p["routes"][0].update(spaces=[[0.6, 0.2, 10], [0.8, 0.4, 10]]), "routes.json",
     "[0] (east-north-red).spaces", "run from north to east"),
    ("unknown city of a ticket", lambda p: p["tickets"][0].update(b="wets"), "tickets.json", "[0].b", "'west'"),
    ("unknown deck", lambda p: p["tickets"][0].update(decks=["regula"]), "tickets.json", "[0].decks[0]", "'regular'"),
    ("the same ticket twice", lambda p: p["tickets"].append({"a": "west", "b": "east", "points": 5}), "tickets.json",
     "[1]", "twice"),
    ("no tickets", lambda p: p.update(tickets=[]), "tickets.json", "", "tickets_unknown"),
    ("not a list", lambda p: p.update(cities={}), "cities.json", "", "square brackets"),
    ("a row that is text", lambda p: p["routes"].append("x"), "routes.json", "[3]", "object in braces"),
    ("meta is a list", lambda p: p.update(meta=[]), "meta.json", "", "object in braces"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "file", "field", "says"), [r[1:] for r in PROBLEMS], ids=[r[0] for r in PROBLEMS])
def test_each_problem_is_named(tmp_path: Path, change: Change, file: str, field: str, says: str) -> None:
    parts = copy.deepcopy(SMALL)
    change(parts)
    problems = validate(write(tmp_path / "my-island", parts))
    assert any(p.file == file and p.field == field and says in tell(p.message) for p in problems), [
        tell(p.told) for p in problems
    ]


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    parts = copy.deepcopy(SMALL)
    parts["meta"]["wagons"] = -1
    parts["routes"][0]["a"] = "nowhere"
    parts["tickets"][0]["points"] = "many"
    files = {p.file for p in validate(write(tmp_path / "my-island", parts))}
    assert files == {"meta.json", "routes.json", "tickets.json"}


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "not valid JSON"), (b"{", "not valid JSON"), (b"\xff\xfe\x00", "can't be read"), (b"[" * 100_000, "")],
)
def test_a_broken_file_is_a_problem_not_a_crash(tmp_path: Path, content: bytes, says: str) -> None:
    folder = write(tmp_path / "my-island", SMALL)
    (folder / "routes.json").write_bytes(content)
    (problem,) = validate(folder)
    assert problem.file == "routes.json"
    assert says in tell(problem.message)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "my-island", SMALL)
    (folder / "tickets.json").unlink()
    (problem,) = validate(folder)
    assert tell(problem.told) == "tickets.json: the file is missing"
    assert tell(problem.told, "fr") == "tickets.json : le fichier manque"

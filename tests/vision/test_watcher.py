"""A table that is watched: what has settled is told once; hands, papers, light and knocks tell nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: options by their names

import numpy as np
import pytest
from numpy.typing import NDArray

import maps
from maps import Board
from vision.decide import Knowledge
from vision.event import Event, Expected
from vision.film import open_film
from vision.fingerprints import Fingerprint, fingerprint_of
from vision.locate import Located
from vision.photo import Photo
from vision.reading import Reading, RouteReading
from vision.studio import Film, film, write_film
from vision.studio.surfaces import printed
from vision.watcher import WATCHER, Watcher

Image = NDArray[np.uint8]
BOARD = "usa"
SIZE = (640, 480)


@lru_cache(maxsize=2)
def drawn(seed: int, taken_back: bool = False) -> Film:
    return film(BOARD, seed, claims=5, start=2, colors=("red", "blue"), taken_back=taken_back, size=SIZE)


@lru_cache(maxsize=1)
def drawn_print() -> Fingerprint:
    board = maps.load(BOARD)
    art = printed(board, 1200)
    height, width = art.shape[:2]
    return fingerprint_of(art, [(0, 0), (width, 0), (width, height), (0, height)], board)


@dataclass
class Oracle:
    """Reads what is true at a moment; what is covered it takes for green, or empty, and says so."""

    truth: Mapping[str, Any]
    now: float = 0.0
    asked: int = 0
    half: frozenset[str] = frozenset()
    # Routes of which one wagon has tipped over.
    tipped: frozenset[str] = frozenset()
    # How sure it is that the same wagons lie on the track beside theirs as well: they lean over it.
    leaning: float = 0.0
    # How sure it is that something lies on the track beside what it takes for empty print.
    unsure: float = 0.0
    # What it takes for empty print.
    blind: frozenset[str] = frozenset()
    # What it still half expects to be laid when it is empty.
    expects: frozenset[str] = frozenset()
    covered: frozenset[str] = frozenset()

    def lying(self) -> dict[str, str]:
        lies = dict(self.truth["start"])
        for event in self.truth["events"]:
            if event["seconds"] <= self.now + 1e-6:
                lies[event["route"]] = event["color"]
                if event.get("kind") == "gone":
                    del lies[event["route"]]
        return lies

    def __call__(
        self, _photo: Photo, located: Located, board: Board, _knowledge: Knowledge, _places: frozenset[str]
    ) -> Reading:
        self.asked += 1
        lies = self.lying()
        routes = {}
        for route in board.routes.values():
            color = lies.get(route.id)
            if route.id in self.covered:
                color = None if color else "green"
            spaces = [color] * route.length
            for n in range(-(-route.length // 2) if route.id in self.half else int(route.id in self.tipped)):
                spaces[n] = None
            sure = 0.78 if color is None and route.id in self.expects else 0.99
            routes[route.id] = RouteReading(color, sure, tuple(spaces))
            if route.id in self.blind:
                routes[route.id] = RouteReading(None, 0.85 if color else 0.99, (None,) * route.length)
            if self.unsure and any(t.id in self.blind and t.id != route.id for t in board.groups[route.group]):
                routes[route.id] = RouteReading("green", self.unsure, ("green",) * route.length)
            twins = [lies[t.id] for t in board.groups[route.group] if t.id in lies]
            if self.leaning and color is None and twins:
                routes[route.id] = RouteReading(twins[0], self.leaning, (twins[0],) * route.length)
        return Reading("", board.id, located.corners, routes, covered=tuple(self.covered & routes.keys()))


def told(made: Film, oracle: Oracle, watcher: Watcher) -> Iterator[Event]:
    for n, frame in enumerate(made.frames()):
        oracle.now, oracle.covered = n / made.fps, watcher.covered
        yield from watcher.update(frame, oracle.now)


def watching(oracle: Oracle, known: Mapping[str, str] | None = None, expected: Expected | None = None) -> Watcher:
    return Watcher(BOARD, known, expected, [drawn_print()], oracle)


def test_a_drawn_game_is_told_once_and_nothing_else() -> None:
    """Knocked, in two lights, under a paper and a shadow, with hands that pass; at last a claim is taken back."""
    made = drawn(4, taken_back=True)
    oracle = Oracle(made.truth)
    watcher = watching(oracle)
    events = list(told(made, oracle, watcher))
    true = [(e.get("kind", "claim"), e["route"], e["color"]) for e in made.truth["events"]]
    assert [(e.kind, e.place, e.color) for e in events] == true
    assert watcher.start == made.truth["start"]
    late = [e.seconds - t["seconds"] for e, t in zip(events, made.truth["events"], strict=True)]
    assert min(late) > 0
    assert max(late) < 4
    assert watcher.known == oracle.lying()
    assert watcher.reading is not None
    assert watcher.reading.taken == oracle.lying()


@pytest.mark.parametrize("sure", [0.65, 0.92])
def test_wagons_that_lean_over_the_next_track_do_not_lie_there(sure: float) -> None:
    made = drawn(4)
    oracle = Oracle(made.truth, leaning=sure)
    watcher = watching(oracle)
    events = list(told(made, oracle, watcher))
    assert [e.place for e in events] == [e["route"] for e in made.truth["events"]]
    assert watcher.known == oracle.lying()


def test_wagons_of_a_tracks_own_colour_are_told_by_the_change() -> None:
    """Looks that take them for empty print, and are not quite sure."""
    made = drawn(4)
    true = [e for e in made.truth["events"] if e["color"] == maps.load(BOARD).routes[e["route"]].color]
    assert true
    oracle = Oracle(made.truth, blind=frozenset(e["route"] for e in true))
    watcher = watching(oracle)
    events = list(told(made, oracle, watcher))
    assert [(e.place, e.color) for e in events] == [(e["route"], e["color"]) for e in made.truth["events"]]
    assert min(e.confidence for e in events) <= WATCHER.likely


def test_wagons_beside_a_track_that_were_never_told_explain_its_change() -> None:
    """The looks take the track for empty, not quite surely, and see something beside it that they are unsure of."""
    made = drawn(4)
    board = maps.load(BOARD)
    pairs = {r.id for tracks in board.groups.values() if len(tracks) > 1 for r in tracks}
    own = [e["route"] for e in made.truth["events"] if e["color"] == board.routes[e["route"]].color]
    assert pairs & set(own)
    oracle = Oracle(made.truth, blind=frozenset(own), unsure=0.5)
    events = list(told(made, oracle, watching(oracle)))
    assert not [e for e in events if e.place in pairs & set(own)]
    assert [e.place for e in events] == [e["route"] for e in made.truth["events"] if e["route"] not in pairs & set(own)]


def test_a_shadow_of_wagons_laid_at_the_same_time_is_no_claim_in_the_prints_colour() -> None:
    """All claims of a film at once: of what looks take for print, not quite surely, only what lies apart is told."""
    made = film(BOARD, 16, claims=5, start=2, colors=("red", "blue"), size=SIZE, tricks=())
    board, laid = maps.load(BOARD), [e["route"] for e in made.truth["events"]]
    own = {e["route"] for e in made.truth["events"] if e["color"] == board.routes[e["route"]].color}
    assert own >= {"helena-omaha-red", "miami-new-orleans-red"}
    oracle = Oracle(made.truth, blind=frozenset(own))
    watcher = watching(oracle)
    frames = list(made.frames())
    for n in range(24):
        watcher.update(frames[0], n / 6)
    oracle.now = made.seconds
    events = [e for n in range(24, 72) for e in watcher.update(frames[-1], n / 6)]
    assert {e.place for e in events} == set(laid) - {"helena-omaha-red", "miami-new-orleans-red"}


@pytest.fixture(scope="module")
def still() -> Image:
    return next(drawn(4).frames())


def settled(oracle: Oracle, frame: Image, **options: Any) -> Watcher:
    watcher = watching(oracle, **options)
    for n in range(30):
        watcher.update(frame, n / 6)
        if watcher.settled:
            return watcher
    pytest.fail("the first view did not settle")


def nothing_happens() -> Oracle:
    return Oracle({"start": drawn(4).truth["start"], "events": [], "hands": []})


def test_a_view_at_rest_is_not_looked_at(still: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = nothing_happens()
    watcher = settled(oracle, still)
    for n in range(3):
        watcher.update(still, 6 + n / 6)
    asked, followed = oracle.asked, []
    monkeypatch.setattr(watcher._tracker, "look", lambda frame: followed.append(frame))
    for n in range(20):
        assert watcher.update(still, 7 + n / 6) == []
    assert (oracle.asked, followed) == (asked, [])


def test_a_board_out_of_sight_is_lost_and_found(still: Image) -> None:
    oracle = nothing_happens()
    watcher = settled(oracle, still)
    table = np.full_like(still, 90)
    events = [e for n in range(24) for e in watcher.update(table, 10 + n / 6)]
    assert [e.kind for e in events] == ["lost"]
    assert events[0].seconds == pytest.approx(10 + WATCHER.lost, abs=0.4)
    events = [e for n in range(24) for e in watcher.update(still, 14 + n / 6)]
    assert [e.kind for e in events] == ["found"]
    assert watcher.known == drawn(4).truth["start"]


def test_what_changed_while_nobody_watched_is_told(still: Image) -> None:
    start = drawn(4).truth["start"]
    first, second = start
    other = next(r for r in maps.load(BOARD).routes if r not in start)
    watcher = watching(nothing_happens(), known={first: start[first], other: "blue"})
    events = [e for n in range(60) for e in watcher.update(still, n / 6)]
    assert {(e.kind, e.place, e.color) for e in events} == {
        ("claim", second, start[second]),
        ("gone", other, "blue"),
    } or {e.kind for e in events} == {"moved"}
    assert watcher.known == start


def test_a_half_laid_route_waits() -> None:
    made = drawn(4)
    route = made.truth["events"][0]["route"]
    oracle = Oracle(made.truth, half=frozenset({route}))
    watcher = watching(oracle)
    events = list(told(made, oracle, watcher))
    assert route not in [e.place for e in events]
    assert route in watcher.waiting
    assert len(events) == len(made.truth["events"]) - 1


def test_a_route_with_one_wagon_tipped_over_is_told_in_the_end() -> None:
    made = drawn(4)
    route = next(e["route"] for e in made.truth["events"] if maps.load(BOARD).routes[e["route"]].length > 2)
    oracle = Oracle(made.truth, tipped=frozenset({route}))
    events = list(told(made, oracle, watching(oracle)))
    assert sorted(e.place for e in events) == sorted(e["route"] for e in made.truth["events"])
    late = {e.place: e.seconds - t["seconds"] for e in events for t in made.truth["events"] if t["route"] == e.place}
    assert WATCHER.almost_hold < late[route] < 4


def test_print_that_looks_as_before_is_bare_although_the_looks_hesitate() -> None:
    made = drawn(4, taken_back=True)
    gone = made.truth["events"][-1]
    oracle = Oracle(made.truth, expects=frozenset({gone["route"]}))
    events = list(told(made, oracle, watching(oracle)))
    assert (events[-1].kind, events[-1].place) == ("gone", gone["route"])
    assert events[-1].seconds - gone["seconds"] < 4


def test_a_correction_stands(still: Image) -> None:
    oracle = nothing_happens()
    watcher = settled(oracle, still)
    route = next(iter(drawn(4).truth["start"]))
    watcher.correct(route, "blue")
    assert [e for n in range(30) for e in watcher.update(still, 10 + n / 2)] == []
    assert watcher.known[route] == "blue"
    watcher.correct(route, None)
    assert route not in watcher.known


@pytest.mark.parametrize(
    ("printed_in", "looks", "sure", "start"),
    [("gray", ("black", "green", "black"), 0.62, "black"), ("black", ("black",) * 3, 0.9, None)],
    ids=["looks disagree whose", "print of its own colour"],
)
def test_what_is_not_sure_at_the_start_is_asked(
    still: Image, printed_in: str, looks: tuple[str, ...], sure: float, start: str | None
) -> None:
    """Whose it is, where something surely lies there; and whether it is wagons, or print of their colour."""
    route = next(r.id for r in maps.load(BOARD).routes.values() if r.color == printed_in)

    def wavering(photo: Photo, located: Located, board: Board, knowledge: Knowledge, places: frozenset[str]) -> Reading:
        seen = oracle(photo, located, board, knowledge, places)
        color = looks[(oracle.asked - 1) % 3]
        length = board.routes[route].length
        return replace(seen, routes={**seen.routes, route: RouteReading(color, sure, (color,) * length)})

    oracle = Oracle({"start": {}, "events": [], "hands": []})
    watcher = Watcher(BOARD, None, None, [drawn_print()], wavering)
    for n in range(30):
        watcher.update(still, n / 6)
    assert watcher.start == ({} if start is None else {route: start})
    assert watcher.unsure == {route: "black"}


def test_films_are_written_and_read(tmp_path: Path) -> None:
    made = film(BOARD, 2, claims=1, start=0, tricks=(), size=(320, 240))
    path = write_film(tmp_path, "small", made)
    source = open_film(path)
    frames = list(source.frames())
    assert source.fps == pytest.approx(made.fps)
    assert len(frames) == round(made.seconds * made.fps)
    assert frames[-1][0] == pytest.approx(made.seconds - 1 / made.fps, abs=0.02)
    assert json.loads((tmp_path / "small.json").read_text(encoding="utf-8"))["film"] == "small.avi"


@pytest.mark.parametrize(("name", "code"), [("none.mp4", "no-file"), ("", "is-folder"), ("text.mp4", "not-a-film")])
def test_what_is_no_film_is_told(tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / "text.mp4").write_text("no film", encoding="utf-8")
    with pytest.raises(maps.Trouble) as trouble:
        open_film(tmp_path / name)
    assert trouble.value.code == code

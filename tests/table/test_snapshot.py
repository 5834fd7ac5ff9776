"""From a reading of the finished board to a position: who is told, who is not, and what to look at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.lang import tell
from companion.rules import DEPOTS
from companion.table.snapshot import plays_depots, snapshot
from maps import Trouble, load
from vision.reading import Reading, RouteReading, StationReading


def reading(
    board: str, taken: dict[str, str], stations: dict[str, str] | None = None, doubtful: tuple[str, ...] = ()
) -> Reading:
    routes = {
        r.id: RouteReading(taken.get(r.id), 0.99, (taken.get(r.id),) * r.length) for r in load(board).routes.values()
    }
    stood = {city: StationReading(color, 0.9) for city, color in (stations or {}).items()}
    return Reading("final.jpg", board, ((0, 0), (1, 0), (1, 1), (0, 1)), routes, stood, doubtful)


SEEN = reading(
    "europe", {"paris-zurich-gray": "red", "munchen-zurich-yellow": "red", "berlin-wien-green": "blue"}, {"wien": "red"}
)


@pytest.mark.parametrize(
    "told",
    [
        {"red": ["paris--zurich"], "blue": []},
        {"red": {"tickets": ["paris--zurich"]}, "blue": {}},
        {"players": [{"color": "red", "tickets": ["paris--zurich"]}, {"color": "blue"}]},
        [{"color": "red", "tickets": ["paris--zurich"]}, {"color": "blue"}],
    ],
)
def test_every_form_of_telling_gives_the_same_position(told: object) -> None:
    position, notes = snapshot(SEEN, "europe", told)
    red, blue = position.players
    assert set(red.routes) == {"paris-zurich-gray", "munchen-zurich-yellow"}
    assert (red.stations, blue.routes) == (("wien",), ("berlin-wien-green",))
    assert (red.name, blue.tickets) == ("red", ())
    assert notes == []


def test_names_and_what_the_camera_cannot_see_are_kept() -> None:
    told = {"players": [{"name": "Ada", "color": "red", "marked_points": 12}, {"color": "blue"}], "options": {}}
    position, _ = snapshot(SEEN, "europe", told)
    assert (position.players[0].name, position.players[0].marked_points) == ("Ada", 12)


def test_a_colour_that_nobody_told_plays_without_tickets() -> None:
    position, notes = snapshot(SEEN, "europe", {"red": []})
    assert [p.color for p in position.players] == ["red", "blue"]
    assert [n.key for n in notes] == ["snapshot.color-not-told"]


def test_doubtful_readings_are_named_by_their_cities() -> None:
    seen = reading("europe", {}, doubtful=("paris-zurich-gray", "wien"))
    _, notes = snapshot(seen, "europe", {"red": [], "blue": []})
    assert tell(notes[0]) == "Please look at these on the board: Paris – Zürich and Wien."


def test_a_photo_of_another_board_is_refused() -> None:
    with pytest.raises(Trouble) as caught:
        snapshot(SEEN, "usa", {"red": []})
    assert caught.value.code == "other-board"


@pytest.mark.parametrize("told", [None, 3, "red", [1], [{"name": "Ada"}], {"players": 3}])
def test_a_tickets_file_that_is_none(told: object) -> None:
    with pytest.raises(Trouble) as caught:
        snapshot(SEEN, "europe", told)
    assert caught.value.code in ("bad-tickets-file", "bad-position")


def test_depots_are_taken_over_where_they_are_played() -> None:
    told = {"players": [{"color": "red", "depots_left": 2}], "modules": [DEPOTS]}
    assert plays_depots(told)
    assert not plays_depots({"red": []})
    seen = replace(SEEN, depots={"madrid": StationReading("red", 0.9), "roma": StationReading("green", 0.9)})
    position, notes = snapshot(seen, "europe", told)
    assert {p.color: p.depots for p in position.players} == {"red": ("madrid",), "blue": (), "green": ("roma",)}
    assert position.players[0].depots_left == 2
    assert [n.key for n in notes] == ["snapshot.color-not-told"] * 2

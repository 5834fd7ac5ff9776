"""Wagons that lie outside a pair of tracks."""

from __future__ import annotations

import numpy as np
import pytest

import maps
from vision import decide, shifted, spaces
from vision.reading import RouteReading

BOARD = maps.load("usa")
LAYOUT = spaces.layout(BOARD)
COLORS = ("empty", *BOARD.wagon_colors)
FREE, HELD = "seattle-vancouver-gray", "seattle-vancouver-gray-2"


def routes(**taken: str) -> dict[str, RouteReading]:
    told = {name.replace("_", "-"): color for name, color in taken.items()}
    return {r.id: RouteReading(told.get(r.id), 0.99, (told.get(r.id),) * r.length) for r in BOARD.routes.values()}


def rows(route: str) -> np.ndarray:
    return LAYOUT.rows(list(BOARD.routes).index(route))


def looks(color: str, chance: float, n: int) -> np.ndarray:
    table = np.full((n, len(COLORS)), (1 - chance) / (len(COLORS) - 1))
    table[:, COLORS.index(color)] = chance
    return np.log(table)


def seen(**lying: str) -> decide.Seen:
    logs = looks("empty", 0.99, len(LAYOUT.centres))
    for name, color in lying.items():
        mine = rows(name.replace("_", "-"))
        logs[mine] = looks(color, 0.99, len(mine))
    return decide.Seen(logs, np.ones(len(logs), np.float32))


def places() -> dict[tuple[str, ...], shifted.Beyond]:
    found = shifted.beyond(BOARD, LAYOUT, routes(seattle_vancouver_gray_2="blue"))
    return {tuple(route for route, _ in p.tracks): p for p in found}


def test_both_outer_sides_of_a_pair_with_one_empty_track_are_looked_at() -> None:
    found = places()
    assert set(found) == {(FREE,), (HELD, FREE)}
    free, held = LAYOUT.centres[rows(FREE)], LAYOUT.centres[rows(HELD)]
    assert found[(FREE,)].centres == pytest.approx(free + (free - held))
    assert found[(HELD, FREE)].centres == pytest.approx(held + (held - free))


@pytest.mark.parametrize("taken", [{}, {"seattle_vancouver_gray": "red", "seattle_vancouver_gray_2": "blue"}])
def test_pairs_that_are_both_empty_or_both_taken_are_left_alone(taken: dict[str, str]) -> None:
    assert not list(shifted.beyond(BOARD, LAYOUT, routes(**taken)))


@pytest.mark.parametrize("board_id", maps.available())
def test_no_place_outside_lies_on_another_track(board_id: str) -> None:
    board = maps.load(board_id)
    layout = spaces.layout(board)
    first = {tracks[0].id for tracks in board.groups.values() if len(tracks) == 2}
    color = board.wagon_colors[0]
    told = {r.id: RouteReading(color if r.id in first else None, 0.99, ()) for r in board.routes.values()}
    for place in shifted.beyond(board, layout, told):
        mine = np.concatenate([r for _, r in place.tracks] + [layout.rows(list(board.routes).index(t)) for t in first])
        others = np.delete(layout.centres, mine, axis=0)
        away = np.linalg.norm(place.centres[:, None] - others, axis=-1)
        assert away.min(initial=np.inf) > 1.5 * layout.unit


def test_pushed_over_by_one_track_both_wagons_go_back() -> None:
    place = places()[(HELD, FREE)]
    mended, concerned = shifted.moved_back(seen(seattle_vancouver_gray_2="blue"), [(place, looks("black", 0.95, 1))])
    told, _ = decide.routes(BOARD, mended, decide.Knowledge(colors=("blue", "black")))
    assert (told[FREE].color, told[HELD].color) == ("blue", "black")
    assert set(concerned) == {FREE, HELD}


def test_a_wagon_beside_the_empty_track_is_counted_on_it() -> None:
    place = places()[(FREE,)]
    mended, concerned = shifted.moved_back(seen(seattle_vancouver_gray_2="blue"), [(place, looks("black", 0.95, 1))])
    told, _ = decide.routes(BOARD, mended, decide.Knowledge(colors=("blue", "black")))
    assert (told[FREE].color, told[HELD].color) == ("black", "blue")
    assert concerned == (FREE,)


@pytest.mark.parametrize(("color", "chance"), [("empty", 0.99), ("blue", 0.99), ("black", 0.7)])
def test_bare_board_the_same_colour_or_a_guess_change_nothing(color: str, chance: float) -> None:
    before = seen(seattle_vancouver_gray_2="blue")
    after, concerned = shifted.moved_back(before, [(p, looks(color, chance, 1)) for p in places().values()])
    assert not concerned
    assert (after.logs == before.logs).all()

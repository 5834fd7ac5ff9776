"""A photo's own wagons tell its colours: what a lamp made alike elsewhere stays apart here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from maps import Trouble
from vision import shipped
from vision.decide import Seen
from vision.patches import Patches
from vision.plastics import Numbers, Plastics, colors_of, known, measured, standing, told_apart

LEARNT = known(shipped.MODELS / "board" / "plastics.npz")
NAMES = ("blue", "red", "green", "yellow", "black")
# BGR under a lamp so warm that black looks brick red; red looks redder still.
WARM = {"blue": (180, 100, 100), "red": (35, 40, 215), "green": (60, 110, 110), "black": (72, 95, 150)}
HIGH, WIDE = 48, 64


def patches(colors: list[tuple[float, float, float]], twins: bool = True, print_color: float = 190.0) -> Patches:
    """Spaces with a wagon of each colour in the middle of its patch, on print of one gray."""
    n = len(colors)
    pictures = np.full((n, HIGH, WIDE, 3), print_color, np.float32)
    for picture, color in zip(pictures, colors, strict=True):
        picture[18:30, 12:52] = color
    flat = np.full((n, 3), print_color, np.float32)
    twin = np.full(pictures.shape, print_color if twins else 0.0, np.float32)
    nothing, whole = np.zeros(n, np.float32), np.ones(n, np.float32)
    beside = np.zeros((n, 6), np.float32)
    return Patches(pictures, pictures.copy(), flat, np.zeros((n, 2), np.float32), whole, nothing, beside, twin)


def seen(rows: list[dict[str, float]]) -> Seen:
    """What the nets say of each space, by the colour's name; `empty` for nothing."""
    logs = np.full((len(rows), 1 + len(NAMES)), 1e-4)
    for row, told in zip(logs, rows, strict=True):
        for name, chance in told.items():
            row[("empty", *NAMES).index(name)] = chance
    logs /= logs.sum(1, keepdims=True)
    return Seen(np.log(logs), np.ones(len(rows), np.float32), np.zeros(len(rows), np.float32))


def sure(name: str) -> dict[str, float]:
    return {name: 1.0}


def best(told: Seen) -> list[str]:
    return [("empty", *NAMES)[i] for i in told.logs.argmax(1)]


def warm_table(twins: bool = True) -> tuple[Seen, Patches]:
    """Four colours well told in a warm light, and last a black wagon that the nets take for red."""
    names = [*("blue", "red", "green", "black") * 4]
    told = [*(sure(name) for name in names), {"red": 0.6, "black": 0.4}]
    return seen(told), patches([WARM[name] for name in (*names, "black")], twins)


@pytest.mark.parametrize("twins", [True, False])
def test_the_photos_own_wagons_tell_black_from_red(twins: bool) -> None:
    told, found = warm_table(twins)
    anew = told_apart(told, found, measured(told, found, LEARNT))
    assert best(told)[-1] == "red"
    assert best(anew)[-1] == "black"
    assert best(anew)[:-1] == best(told)[:-1]


def test_whether_something_lies_there_is_not_told_anew() -> None:
    told, found = warm_table()
    anew = told_apart(told, found, measured(told, found, LEARNT))
    np.testing.assert_allclose(anew.logs[:, 0], told.logs[:, 0])
    np.testing.assert_allclose(np.exp(anew.logs).sum(1), 1.0)


def test_bare_spaces_and_those_cut_off_stay_as_they_were() -> None:
    told = seen([*[sure("red")] * 4, {"empty": 0.8, "red": 0.1, "black": 0.1}, {"red": 0.6, "black": 0.4}])
    inside = np.array([1, 1, 1, 1, 1, 0.5], np.float32)
    told, found = Seen(told.logs, inside), patches([*[WARM["red"]] * 4, WARM["black"], WARM["black"]])
    anew = told_apart(told, found, measured(told, found, LEARNT))
    np.testing.assert_array_equal(anew.logs[4:], told.logs[4:])


def test_a_photo_without_wagons_tells_nothing() -> None:
    told, found = seen([sure("empty")] * 3), patches([(190, 190, 190)] * 3)
    assert measured(told, found, LEARNT) is None
    assert told_apart(told, found, None) is told


def test_colours_that_nobody_learnt_are_left_to_the_nets() -> None:
    """San Francisco's purple, white and pink."""
    told, found = warm_table()
    assert measured(told, found, LEARNT.of(("purple", "white", "pink", "blue"))) is None


def test_a_box_with_fewer_colours_has_those_alone() -> None:
    every = LEARNT
    two = every.of(("black", "red"))
    assert two is not None
    at = [NAMES.index("black"), NAMES.index("red")]
    np.testing.assert_array_equal(two.mean.reshape(2, 3), every.mean.reshape(5, 3)[at])
    np.testing.assert_array_equal(two.spread[:3, 3:], every.spread.reshape(5, 3, 5, 3)[at[0], :, at[1]])


def test_what_lies_there_counts_more_than_the_print_around_it() -> None:
    """A wagon that lies half beside its space still has its own colour."""
    found = patches([(30, 30, 200)])
    found.middle[0, 24:] = 190
    lying = (colors_of(found, np.array([True]))[0] / 16) ** 2
    assert np.abs(lying - (30, 30, 200)).max() < 25


@pytest.mark.parametrize("content", [b"", b"no archive"])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "plastics.npz"
    path.write_bytes(content)
    with pytest.raises(Trouble) as caught:
        known(path)
    assert caught.value.code == "model-damaged"


def test_what_is_saved_is_what_is_known(tmp_path: Path) -> None:
    numbers: Numbers = np.arange(6, dtype=np.float64)
    told = Plastics(("red", "black"), numbers, np.eye(6), np.stack([np.eye(3)] * 2))
    told.save(tmp_path / "some.npz")
    again = known(tmp_path / "some.npz")
    assert again.names == told.names
    np.testing.assert_array_equal(again.mean, numbers)


def cities(stations: dict[int, tuple[float, float, float]], n: int = 12) -> Patches:
    """Bare cities, on some of which something of a colour stands."""
    pictures = np.full((n, 48, 48, 3), (120, 150, 190), np.float32)
    for at, color in stations.items():
        pictures[at, 16:32, 16:32] = color
    nothing, whole = np.zeros(n, np.float32), np.ones(n, np.float32)
    return Patches(
        pictures, pictures.copy(), np.zeros((n, 3), np.float32), np.zeros((n, 2), np.float32), whole, nothing
    )


def test_gold_on_the_print_is_no_yellow_station_where_yellow_wagons_look_otherwise() -> None:
    """Two were made up on photos of Europe in a phone's warm, soft look; a true one stays as sure as it was."""
    table, lying = warm_table()
    looks = measured(table, lying, LEARNT)
    found = cities({0: WARM["red"], 1: (30, 70, 120)})
    told = seen([{"red": 0.9, "empty": 0.1}, {"yellow": 0.63, "empty": 0.37}, *[sure("empty")] * 10])
    anew = standing(told.logs, found, looks)
    assert np.exp(anew[0, 1 + NAMES.index("red")]) > 0.85
    assert anew[1].argmax() == 0
    # Somebody should look at it all the same.
    assert np.exp(anew[1, 0]) < 0.75
    np.testing.assert_array_equal(anew[2:], told.logs[2:])


def test_few_bare_cities_tell_nothing_of_the_ground() -> None:
    table, lying = warm_table()
    told = seen([{"yellow": 0.63, "empty": 0.37}, *[sure("empty")] * 3])
    found = cities({0: (30, 70, 120)}, 4)
    np.testing.assert_array_equal(standing(told.logs, found, measured(table, lying, LEARNT)), told.logs)

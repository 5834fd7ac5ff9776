"""Which tickets lines can name."""

from __future__ import annotations

import numpy as np
import pytest

import maps
from tests.vision.test_names import lattice
from vision import names, titles
from vision.config import TITLE
from vision.lines import Line
from vision.names import Lattice
from vision.titles import Gazetteer, Read

KNOWN = Gazetteer.of(
    {"paris": ("Paris",), "wien": ("Wien", "Vienna", "Vienne"), "roma": ("Roma", "Rome"), "brest": ("Brest",)},
    [("paris", "wien"), ("brest", "roma"), ("brest", "wien")],
)


def line(x: float = 0, y: float = 0, long: float = 200, high: float = 20) -> Line:
    return Line(np.array((x, y), float), np.array((x + long, y), float), high, 0.9)


def read(text: str, where: Line | None = None) -> Read:
    return titles._fitted([where or line()], [lattice(text)], KNOWN)[0]


@pytest.mark.parametrize("text", ["PARISWIEN", "WIENPARIS", "PARISVIENNA", "VIENNEPARIS"])
def test_both_orders_and_all_spellings(text: str) -> None:
    (title,) = titles.titles([read(text)], KNOWN)
    assert title.odds[0][0] == ("paris", "wien")
    assert title.best > 0.95


def test_two_lines_name_one_ticket() -> None:
    told = [read("BREST", line(0, 0)), read("ROME", line(10, 30))]
    (title,) = titles.titles(told, KNOWN)
    assert title.odds[0][0] == ("brest", "roma")
    assert len(title.lines) == 2


def test_two_lines_far_apart_name_none() -> None:
    told = [read("BREST", line(0, 0)), read("ROME", line(900, 500))]
    assert not [t for t in titles.titles(told, KNOWN) if t.best > 0.5]


def test_other_words_name_no_ticket() -> None:
    assert all(t.best < 0.3 for t in titles.titles([read("RAILROADCOMPANY")], KNOWN))


def test_a_pair_that_is_no_ticket_is_never_sure() -> None:
    assert all(t.best < 0.85 for t in titles.titles([read("PARISBREST")], KNOWN))


def test_a_board_without_a_list_takes_every_pair() -> None:
    board = maps.load("asia")
    known = titles.gazetteer(board)
    cities = sum(not c.junction for c in board.cities.values())
    assert len(known.pairs) == cities * (cities - 1) // 2


def test_every_ticket_of_every_board_can_be_named() -> None:
    for name in maps.available():
        board = maps.load(name)
        if board.tickets:
            assert set(titles.gazetteer(board).pairs) == {(t.a, t.b) for t in board.tickets.values()}


@pytest.mark.parametrize(
    ("count", "most", "sense", "looks"),
    [
        (30, TITLE.doubtful, False, [24, 12, 12, 12, 12, 12]),
        (30, TITLE.doubtful, True, [24, 6, 0, 0, 0, 0]),
        (30, TITLE.later, False, [12, 12, 12, 12, 12, 12]),
        (5, TITLE.doubtful, False, [5, 5, 5, 5, 5, 5]),
    ],
)
def test_fewer_lines_are_read_again_once_that_helped_none(
    count: int, most: int, sense: bool, looks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def told(strips: list[object]) -> list[Lattice]:
        asked.append(len(strips))
        return [lattice("PARISWIEN" if sense else "XQXQXQXQ")] * len(strips)

    monkeypatch.setattr(names, "read", told)
    every = [read("XQXQXQXQ", line(y=50.0 * n)) for n in range(count)]
    titles.again(lambda _: np.zeros((32, 64), np.uint8), every, KNOWN, most)
    assert asked == looks

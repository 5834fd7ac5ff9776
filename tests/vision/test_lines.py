"""Lines of letters: joined from pieces, found on tickets drawn here."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision import lettered
from vision import lines
from vision.lines import Line


def piece(x: float, y: float, long: float, high: float = 20.0) -> Line:
    return Line(np.array((x, y), float), np.array((x + long, y), float), high, 0.9)


def test_pieces_in_a_row_are_one_line() -> None:
    (one,) = lines.joined([piece(200, 101, 80), piece(0, 100, 90), piece(110, 99, 70)])
    assert one.left.tolist() == [0, 100]
    assert one.right.tolist() == [280, 101]


@pytest.mark.parametrize(
    "other", [piece(300, 100, 80), piece(100, 130, 80), piece(100, 100, 80, 45)], ids=["far", "below", "larger"]
)
def test_other_lines_stay_apart(other: Line) -> None:
    assert len(lines.joined([piece(0, 100, 90), other])) == 2


def test_a_line_counts_once() -> None:
    assert len(lines.single([piece(0, 100, 200), piece(4, 101, 190), piece(0, 300, 50)])) == 2


def test_a_line_upside_down_reads_the_other_way() -> None:
    one = piece(0, 100, 90)
    assert one.turned.way == pytest.approx((-1, 0))
    assert one.turned.turned.left.tolist() == one.left.tolist()


@pytest.mark.parametrize("turn", [0, 20, 90, 180])
def test_names_are_found_whichever_way_they_run(turn: int) -> None:
    quad = lettered.at(600, 450, 520, turn)
    found = lines.find(lettered.table([(lettered.ticket("SEATTLE - NEW YORK"), quad)]))
    # The names stand in the upper part, in the middle.
    true = quad[0] + (quad[1] - quad[0]) / 2 + (quad[3] - quad[0]) * (44 / lettered.HIGH)
    near = [one for one in found if np.linalg.norm(one.middle - true) < 60 and one.long > 150]
    assert near
    way = (quad[1] - quad[0]) / np.linalg.norm(quad[1] - quad[0])
    assert abs(float(near[0].way @ way)) > 0.98

"""Finding cards by votes: what the net says cell by cell is told here by hand, and the cards have to come out of it."""

from __future__ import annotations

import numpy as np
import pytest

from vision import sheets
from vision.arrays import Points
from vision.config import SHEET
from vision.sheets import COLORS, STRIDE, UNIT


def card(x: float, y: float, long: float, degrees: float) -> sheets.Quad:
    turn = np.radians(degrees)
    along = np.array([np.cos(turn), np.sin(turn)]) * long / 2
    across = np.array([-np.sin(turn), np.cos(turn)]) * long * 56 / 87 / 2
    centre = np.array([x, y])
    return np.array(
        [centre - along - across, centre + along - across, centre + along + across, centre - along + across]
    )


def scores(
    laid: list[tuple[sheets.Quad, str, int]], rows: int = 64, columns: int = 80, noise: float = 0.0
) -> sheets.Floats:
    """What a perfect net says of cards laid one over the other: quad, kind, colour."""
    out = np.zeros((18, rows, columns), np.float32)
    out[0] = 4
    down, across = np.mgrid[0:rows, 0:columns] * STRIDE + STRIDE / 2 - 0.5
    for quad, kind, color in laid:
        edges = np.roll(quad, -1, 0) - quad
        sides = [e[0] * (down - c[1]) - e[1] * (across - c[0]) for e, c in zip(edges, quad, strict=True)]
        mine = np.min(sides, axis=0) >= 0
        out[:, mine] = 0
        out[1 + ("card", "ticket").index(kind), mine] = 4
        out[3 + color, mine] = 6
        out[12, mine] = (quad[:, 0].mean() - across[mine]) / UNIT
        out[13, mine] = (quad[:, 1].mean() - down[mine]) / UNIT
        out[14:16, mine] = doubled((quad[1] - quad[0]) / 2)[:, None] / UNIT
        out[16:18, mine] = doubled((quad[3] - quad[0]) / 2)[:, None] / UNIT
    return out + np.random.default_rng(0).normal(0, noise, out.shape).astype(np.float32)


def doubled(side: Points) -> Points:
    size = np.linalg.norm(side)
    return np.asarray(np.array([side[0] ** 2 - side[1] ** 2, 2 * side[0] * side[1]]) / size, np.float64)


@pytest.mark.parametrize("degrees", [0, 17, 45, 90, 133, 179, 271])
def test_a_single_card_is_found_at_any_angle(degrees: float) -> None:
    quad = card(150, 120, 90, degrees)
    (found,) = sheets._sheets(scores([(quad, "card", 3)], noise=0.05))
    assert sheets.overlap(found.quad, quad) > 0.95
    assert found.kind == "card"
    assert COLORS[int(found.colors.argmax())] == "blue"


def test_cards_fanned_by_sixty_percent_come_apart() -> None:
    laid = [(card(70 + 36 * n, 100 + 4 * n, 90, 3 * n), "card", n % 9) for n in range(6)]
    found = sheets._sheets(scores(laid, noise=0.05))
    assert len(found) == 6
    for quad, _, color in laid:
        best = max(found, key=lambda s: sheets.overlap(s.quad, quad))
        assert sheets.overlap(best.quad, quad) > 0.85
        assert int(best.colors.argmax()) == color


def test_among_many_votes_a_card_keeps_all_its_cells() -> None:
    """More cells vote than are needed to find the places: what is in sight of a card is told by all of them."""
    laid = [(card(70 + 110 * (n % 10), 60 + 80 * (n // 10), 90, 0), "card", n % 9) for n in range(60)]
    out = scores(laid, rows=64, columns=144)
    assert np.count_nonzero(out[0] < 4) > 2 * SHEET.voters
    found = sheets._sheets(out)
    assert len(found) == len(laid)
    assert all(len(sheet.spots) * STRIDE**2 > 0.8 * 90 * 90 * 56 / 87 for sheet in found)


@pytest.mark.parametrize(("size", "long", "seen"), [(1600, 100, 72), (576, 60, 73), (150, 90, 0)])
def test_how_long_a_card_is_in_the_first_looks(size: int, long: float, seen: float) -> None:
    assert sheets.seen_as(np.zeros((size * 3 // 4, size, 3), np.uint8), long) == pytest.approx(seen, abs=0.5)


@pytest.mark.parametrize(("size", "side"), [(4000, 2048), (1600, 2048), (800, 1600), (600, 1200), (150, 0)])
def test_the_last_look_is_larger_than_all_before(size: int, side: int) -> None:
    """A picture too small for any first look has none either: a card fills it, or nothing does."""
    assert sheets._last_look(np.zeros((size * 3 // 4, size, 3), np.uint8)) == side


def test_tickets_and_cards_are_told_apart() -> None:
    found = sheets._sheets(scores([(card(80, 80, 80, 10), "card", 1), (card(220, 150, 80, 100), "ticket", 0)]))
    assert sorted(s.kind for s in found) == ["card", "ticket"]


def test_an_empty_table_has_no_cards() -> None:
    assert sheets._sheets(scores([], noise=0.3)) == []


def test_a_few_stray_cells_are_no_card() -> None:
    stray = scores([])
    whole = scores([(card(150, 120, 90, 0), "card", 2)])
    stray[:, 28:31, 36:38] = whole[:, 28:31, 36:38]
    assert sheets._sheets(stray) == []


@pytest.mark.parametrize(("shift", "share"), [(0.0, 1.0), (0.5, 1 / 3), (1.0, 0.0)])
def test_overlap(shift: float, share: float) -> None:
    quad = card(100, 100, 80, 0)
    assert sheets.overlap(quad, quad + np.array([80 * shift, 0])) == pytest.approx(share, abs=1e-6)


def test_moving_to_the_photo_keeps_the_form() -> None:
    sheet = sheets._sheets(scores([(card(150, 120, 90, 30), "card", 0)]))[0]
    by = np.array([[4.0, 0, 100], [0, 4.0, 50], [0, 0, 1]])
    moved = sheets.moved(sheet, by)
    assert moved.quad == pytest.approx(sheet.quad * 4 + (100, 50))
    assert moved.spot_size == sheet.spot_size * 4
    assert moved.length == pytest.approx(360, rel=0.03)

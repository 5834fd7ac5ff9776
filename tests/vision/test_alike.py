"""Names that no finder of lines sees: they stand where the other tickets of the photo have theirs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import maps
from tests.vision import lettered
from tests.vision.test_names import lattice
from vision import alike, lines, outline, photo, sheets, tickets, titles
from vision.alike import Row
from vision.lines import Line

USA = maps.load("usa")
FIRST, SECOND = lettered.at(330, 260, 560), lettered.at(820, 640, 560, 20)
ROW = Row(0.1, 0.9, 0.1, 0.04, lies=True, below=False)


def sheet(quad: sheets.Quad, sure: float = 0.98) -> sheets.Sheet:
    kinds = np.log([(1 - sure) / 2, (1 - sure) / 2, sure])
    return sheets.Sheet("ticket", quad, 0.99, np.zeros(9), quad, 6.0, kinds)


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("below", [False, True])
def test_a_row_is_found_whichever_corner_comes_first(turn: int, below: bool) -> None:
    quad = np.roll(lettered.at(600, 450, 520), turn, axis=0)
    places = replace(ROW, below=below).on(quad)
    middles = sorted(float(line.middle[1]) for line in places)
    high = 336 / 2 - 0.1 * 520
    assert middles == pytest.approx([450 - high, 450 + high], abs=1)
    assert all(line.high == pytest.approx(0.04 * 520, abs=0.1) for line in places)
    assert all(line.long == pytest.approx(0.8 * 520, abs=0.5) for line in places)
    assert places[0].way @ places[1].way == pytest.approx(-1)


def test_corners_may_run_either_way_round() -> None:
    quad = lettered.at(600, 450, 520)
    there, back = ROW.on(quad), ROW.on(quad[::-1])
    assert sorted(tuple(line.middle.round(3)) for line in there) == sorted(tuple(line.middle.round(3)) for line in back)
    assert all((line.down @ (quad.mean(0) - line.middle)) > 0 for line in (*there, *back))


def test_upright_tickets_have_names_along_their_short_side() -> None:
    quad = lettered.at(600, 450, 520, 90)
    assert all(abs(line.way[0]) < 0.01 for line in ROW.on(quad))
    assert all(abs(line.way[1]) < 0.01 for line in replace(ROW, lies=False).on(quad))


def test_a_ticket_that_was_read_tells_the_row_of_others() -> None:
    line = ROW.on(FIRST)[0]
    row = alike.told([(line, FIRST)])
    assert row is not None
    assert (row.lies, row.below) == (True, False)
    assert (row.down, row.high) == pytest.approx((ROW.down, ROW.high), abs=1e-3)
    assert row.begin <= ROW.begin
    assert row.end >= ROW.end
    upright = outline.upright(SECOND, next(one for one in row.on(SECOND) if one.way[0] > 0))
    assert upright[0] == pytest.approx(SECOND[0])


def test_without_a_ticket_that_was_read_nothing_is_told() -> None:
    assert alike.told([]) is None
    assert alike.likeliest([ROW, ROW], [(-3.0, -9.0), (1.0, -2.0)]) is None


def test_the_row_counts_that_gains_most() -> None:
    other = replace(ROW, below=True)
    assert alike.likeliest([ROW, other], [(-3.0, 5.0), (8.0, 4.0)]) is other


def hidden(monkeypatch: pytest.MonkeyPatch, shown: bool, late: bool = False) -> list[tickets.TicketSeen]:
    """Two tickets, of which the finder sees the first one's lines at most; perhaps from near only."""
    rows = [("DENVER - EL PASO", FIRST), ("SEATTLE - NEW YORK", SECOND)]
    taken = photo.of_image(lettered.table([(lettered.ticket(text), quad) for text, quad in rows]))
    seen = tickets.glimpse(taken)
    first = [line for line in seen.lines if shown and tickets._covers(FIRST, line.middle)]
    none: list[Line] = []
    monkeypatch.setattr(lines, "anywhere", lambda *_: none)
    monkeypatch.setattr(lines, "on", lambda *_: first if late else none)
    blind = replace(seen, lines=none if late else first, sheets=[sheet(FIRST), sheet(SECOND)])
    return tickets.tickets_in(blind, taken, USA)


def told_surely(seen: list[tickets.TicketSeen]) -> set[str]:
    return {t.ticket.id for t in seen if t.ticket and t.sure}


def test_names_are_read_where_another_ticket_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told_surely(hidden(monkeypatch, shown=True)) == {"denver--el-paso", "new-york--seattle"}


def test_names_are_looked_for_along_all_edges_where_none_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told_surely(hidden(monkeypatch, shown=False)) == {"denver--el-paso", "new-york--seattle"}


def test_a_ticket_that_is_read_from_near_tells_the_others_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tickets, "_explored", lambda *_: None)
    assert told_surely(hidden(monkeypatch, shown=True, late=True)) == {"denver--el-paso", "new-york--seattle"}


def test_names_on_two_sheets_that_may_be_tickets_are_of_two_tickets() -> None:
    left, right = lettered.at(330, 450, 500), lettered.at(850, 450, 500)
    picture = lettered.table([])
    gray = picture[..., 0]
    one, other = ROW.on(left)[0], ROW.on(right)[0]
    for sure, together in ((0.6, False), (0.3, True)):
        found = [sheet(left, sure), sheet(right, sure)]
        seen = tickets.Glimpse(picture, gray, [one, other], found, gray, 1.0)
        assert seen.together(one, other) is together


def test_what_fits_by_chance_only_tells_nothing() -> None:
    known = titles.gazetteer(USA)
    written = [lattice(text) for text in ("DENVERELPASO", "WANEBBOAPN")]
    clear, chance = titles._fitted([ROW.on(FIRST)[0]] * 2, written, known)
    assert tickets._clear([clear, chance], known) == [clear]

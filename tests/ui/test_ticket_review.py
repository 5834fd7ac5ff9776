"""Tickets that the camera saw: one player's, and all players' in rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.rules import Position
from companion.ui.models.ticket_review import PaperSighting, Sighting, Taken, TicketReview, rows_of
from maps import load

USA = load("usa")
TICKETS = [USA.tickets[t] for t in ("boston--miami", "dallas--new-york", "denver--pittsburgh", "calgary--phoenix")]
POSITION = Position.from_json(
    {"variant": "usa", "players": [{"name": "Ada", "color": "red"}, {"name": "Bo", "color": "blue"}]}
)


def seen(n: int, x: float, y: float, sure: bool = True) -> Sighting:
    return Sighting((TICKETS[n], TICKETS[(n + 1) % 4]), sure, ((x, y), (x + 150, y), (x + 150, y + 96), (x, y + 96)))


def ids(row: list[Sighting]) -> list[str]:
    return [one.choices[0].id for one in row]


def test_rows_are_told_apart_though_they_are_not_straight() -> None:
    rows = rows_of([seen(1, 400, 130), seen(3, 380, 260), seen(0, 100, 100), seen(2, 90, 245)])
    assert [ids(row) for row in rows] == [
        ["boston--miami", "dallas--new-york"],
        ["denver--pittsburgh", "calgary--phoenix"],
    ]


def test_each_player_gets_a_row() -> None:
    one = [seen(0, 100, 100), seen(1, 400, 100), seen(2, 100, 300), seen(3, 400, 300, sure=False)]
    review = TicketReview.of_all(Path("rows.jpg"), one, POSITION, [(), ()])
    assert [(t.id, t.whose) for t in review.taken] == [
        ("boston--miami", 0),
        ("dallas--new-york", 0),
        ("denver--pittsburgh", 1),
    ]
    assert review.item is not None
    # What Ada holds can't be Bo's.
    assert (review.item.choices, review.item.whose) == (("calgary--phoenix",), 1)
    review.answer("calgary--phoenix")
    assert review.taken[-1] == Taken("calgary--phoenix", whose=1)


def test_the_last_player_may_have_several_rows() -> None:
    one = [seen(n, 100, 100 + 200 * n) for n in range(4)]
    review = TicketReview.of_all(Path("rows.jpg"), one, POSITION, [(), ()])
    assert [t.whose for t in review.taken] == [0, 1, 1, 1]


QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
PENNSYLVANIA = Position.from_json({"variant": "pennsylvania", "players": [{"name": "Ada", "color": "red"}]})


@pytest.mark.parametrize(
    ("share", "taken", "asked"),
    [
        pytest.param(PaperSighting("share", ("reading",), 3, True, QUAD), [("reading", 3)], [], id="sure"),
        pytest.param(PaperSighting("share", ("reading",), 0, True, QUAD), [], [True], id="only its number is asked"),
        pytest.param(PaperSighting("share", ("reading",), 3, False, QUAD), [], [False], id="all is asked"),
        pytest.param(PaperSighting("share", ("nobody",), 3, True, QUAD), [], [], id="of no company here"),
        pytest.param(PaperSighting("technology", ("booster",), 0, True, QUAD), [], [], id="not sold here"),
    ],
)
def test_shares_are_taken_with_their_number_or_asked(
    share: PaperSighting, taken: list[tuple[str, int]], asked: list[bool]
) -> None:
    review = TicketReview.of(Path("one.jpg"), [share], PENNSYLVANIA, (), ())
    assert [(t.id, t.number) for t in review.taken] == taken
    assert [item.sure for item in review.items] == asked


def test_a_review_is_the_same_after_it_was_put_away() -> None:
    share = PaperSighting("share", ("reading", "erie-lackawanna"), 0, True, QUAD)
    review = TicketReview.of(Path("one.jpg"), [share, share], PENNSYLVANIA, (), (), 0)
    review.answer("reading", 4)
    again = TicketReview.from_json(json.loads(json.dumps(review.to_json())))
    assert (again.taken, again.items, again.at) == (review.taken, review.items, review.at)
    assert again.taken == [Taken("reading", "share", 4, 0)]


def test_a_ticket_that_was_taken_can_be_dropped() -> None:
    review = TicketReview.of(Path("one.jpg"), [seen(0, 0, 0), seen(1, 300, 0)], POSITION, (), ())
    review.drop("boston--miami")
    assert review.kept == ["dallas--new-york"]


def test_a_ticket_that_nobody_can_read_is_asked_without_suggestions() -> None:
    blank = Sighting((), False, ((0, 0), (1, 0), (1, 1), (0, 1)))
    review = TicketReview.of(Path("one.jpg"), [blank], POSITION, (), ())
    assert review.item is not None
    assert review.item.choices == ()

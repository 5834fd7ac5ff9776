"""Tickets that the camera saw: one player's, and all players' in rows."""

from __future__ import annotations

from pathlib import Path

from companion.rules import Position
from companion.ui.models.ticket_review import Sighting, TicketReview, rows_of
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
    ada, bo = TicketReview.of_all(Path("rows.jpg"), one, POSITION, [(), ()])
    assert ada.kept == ["boston--miami", "dallas--new-york"]
    assert bo.kept == ["denver--pittsburgh"]
    assert bo.item is not None
    # What Ada holds can't be Bo's.
    assert bo.item.choices == ("calgary--phoenix",)


def test_the_last_player_may_have_several_rows() -> None:
    one = [seen(n, 100, 100 + 200 * n) for n in range(4)]
    ada, bo = TicketReview.of_all(Path("rows.jpg"), one, POSITION, [(), ()])
    assert ada.kept == ["boston--miami"]
    assert len(bo.kept) == 3


def test_a_ticket_that_was_taken_can_be_dropped() -> None:
    review = TicketReview.of(Path("one.jpg"), [seen(0, 0, 0), seen(1, 300, 0)], POSITION, (), ())
    review.drop("boston--miami")
    assert review.kept == ["dallas--new-york"]


def test_a_ticket_that_nobody_can_read_is_asked_without_suggestions() -> None:
    blank = Sighting((), False, ((0, 0), (1, 0), (1, 1), (0, 1)))
    review = TicketReview.of(Path("one.jpg"), [blank], POSITION, (), ())
    assert review.item is not None
    assert review.item.choices == ()

"""Tickets in photos, by their names: prints drawn here that no net has seen; real and rendered photos where at hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import maps
from maps import Board
from tests.vision import lettered
from vision import closer, lines, papers, photo, sheets, tickets, titles
from vision import names as names_reader

USA = maps.load("usa")
ASKED = tuple(USA.tickets)[:4]


def names(board: Board, ticket: str, language: str = "en") -> str:
    told = board.tickets[ticket]
    return " - ".join(board.place_name(end, language).upper() for end in (told.a, told.b))


def read(rows: list[tuple[str, sheets.Quad]], board: Board = USA) -> list[tickets.TicketSeen]:
    art = [(lettered.ticket(text), quad) for text, quad in rows]
    return tickets.read_tickets(photo.of_image(lettered.table(art)), board)


@pytest.mark.parametrize("turn", [0, 15, 180])
@pytest.mark.parametrize("ticket", ASKED)
def test_a_print_that_nobody_knows_is_read_by_its_names(ticket: str, turn: int) -> None:
    quad = lettered.at(600, 450, 560, turn)
    seen = read([(names(USA, ticket), quad)])
    best = max(seen, key=lambda t: t.confidence)
    assert best.ticket is not None
    assert best.ticket.id == ticket
    assert sheets.overlap(np.array(best.quad), quad) > 0.4


def test_a_board_without_any_art_is_read() -> None:
    board = maps.load("san-francisco")
    ticket = next(iter(board.tickets))
    seen = read([(names(board, ticket), lettered.at(600, 450, 560))], board)
    assert [t.ticket.id for t in seen if t.ticket and t.confidence > 0.5] == [ticket]


def test_without_a_list_both_cities_are_told_and_the_points_asked() -> None:
    board = maps.load("asia")
    a, b = sorted(c.id for c in board.cities.values() if len(c.label()) > 6 and not c.junction)[:2]
    text = " - ".join(board.cities[c].label().upper() for c in (a, b))
    seen = [t for t in read([(text, lettered.at(600, 450, 560))], board) if t.confidence > 0.4]
    assert [(t.ticket.a, t.ticket.b) for t in seen if t.ticket] == [(a, b)]
    assert not any(t.sure for t in seen)


def test_nothing_is_made_up_on_a_bare_table() -> None:
    assert not [t for t in read([]) if t.sure]


def shaded(table: lettered.Picture, quad: sheets.Quad, part: float, left: float) -> lettered.Picture:
    """The table with a hard shadow over a part of a ticket, from its left edge on."""
    wide = quad[1] - quad[0]
    down = (quad[3] - quad[0]) * 2
    corners = np.array(
        [quad[0] - down - wide, quad[0] - down + wide * part, quad[3] + down + wide * part, quad[3] + down]
    )
    mask = np.zeros(table.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, corners.astype(np.int32), 255)
    soft = cv2.GaussianBlur(mask, (0, 0), 3).astype(np.float32)[..., None] / 255
    return np.asarray(table * (1 - soft * (1 - left)), np.uint8)


@pytest.mark.parametrize("left", [0.3, 0.12])
def test_a_shadow_over_half_a_name_hides_nothing(left: float) -> None:
    quad = lettered.at(600, 450, 620)
    table = shaded(lettered.table([(lettered.ticket("SEATTLE - NEW YORK", points=22), quad)]), quad, 0.42, left)
    (seen,) = tickets.read_tickets(photo.of_image(table), USA)
    assert seen.ticket is not None
    assert seen.ticket.id == "new-york--seattle"
    assert seen.sure


def test_one_name_of_two_makes_suggestions_and_no_answer() -> None:
    art = lettered.ticket("MIAMI - LOS ANGELES", points=20)
    # A sticker over the second name.
    art[20:70, 225:] = (90, 90, 90)
    quad = lettered.at(600, 450, 620)
    taken = photo.of_image(lettered.table([(art, quad)]))
    kinds = np.log([0.01, 0.01, 0.98])
    sheet = sheets.Sheet("ticket", quad, 0.99, np.zeros(9), quad, 6.0, kinds)
    (seen,) = tickets.tickets_in(replace(tickets.glimpse(taken), sheets=[sheet]), taken, USA)
    assert not seen.sure
    assert seen.choices
    assert all("miami" in (ticket.a, ticket.b) for ticket in seen.choices[:3])


@pytest.mark.parametrize(
    ("chance", "length", "asked"),
    [(0.7, 500, True), (0.3, 500, False), (0.7, 330, False)],
    ids=["as large as the told one", "hardly a ticket", "of another size"],
)
def test_a_dark_sheet_among_tickets_is_asked_about(chance: float, length: int, asked: bool) -> None:
    told, dark = lettered.at(330, 450, 500), lettered.at(880, 450, length)
    taken = photo.of_image(lettered.table([(lettered.ticket("SEATTLE - NEW YORK", points=22), told)]))
    kinds = [np.log([0.01, 0.01, 0.98]), np.log([0.98 - chance, 0.02, chance])]
    lying = [
        sheets.Sheet("ticket", quad, 0.99, np.zeros(9), quad, 6.0, odds)
        for quad, odds in zip((told, dark), kinds, strict=True)
    ]
    seen = tickets.tickets_in(replace(tickets.glimpse(taken), sheets=lying), taken, USA)
    assert [t.ticket.id for t in seen if t.sure and t.ticket] == ["new-york--seattle"]
    there = [t for t in seen if sheets.overlap(np.array(t.quad), dark) > 0.5]
    assert [t.sure for t in there] == ([False] if asked else [])


def test_a_sheet_that_is_too_dull_is_looked_at_in_even_light(monkeypatch: pytest.MonkeyPatch) -> None:
    told, dull = lettered.at(330, 450, 500), lettered.at(880, 450, 500)
    image = lettered.table([])
    looks = [np.log([0.01, 0.01, 0.98]), np.log([0.7, 0.02, 0.28])]
    found = [
        sheets.Sheet("ticket", quad, 0.99, np.zeros(9), quad, 6.0, odds)
        for quad, odds in zip((told, dull), looks, strict=True)
    ]
    seen: list[sheets.Sheet] = []

    def looked(_: lettered.Picture, some: list[sheets.Sheet]) -> list[sheets.Sheet]:
        seen.extend(some)
        return [replace(s, kinds=np.log([0.2, 0.1, 0.7])) for s in some]

    monkeypatch.setattr(closer, "looked", looked)
    again = tickets._out_of_shadow(image, found)
    assert [s.quad.tolist() for s in seen] == [dull.tolist()]
    assert [round(float(np.exp(s.kinds[2])), 2) for s in again] == [0.98, 0.7]
    # Nothing dull, no second look.
    seen.clear()
    assert tickets._out_of_shadow(image, found[:1]) == found[:1]
    assert not seen


def test_a_doubtful_ticket_suggests_what_it_may_be() -> None:
    rows = list(USA.tickets.values())
    told = tickets.TicketSeen(rows[0], 0.4, False, (rows[1], rows[2]), ((0, 0), (1, 0), (1, 1), (0, 1))).to_json()
    assert told["doubtful"] is True
    assert told["suggestions"] == [row.id for row in rows[:3]]
    assert (told["id"], told["points"], told["confidence"]) == (rows[0].id, rows[0].points, 0.4)


def test_a_ticket_that_cant_be_read_has_no_id() -> None:
    told = tickets.TicketSeen(None, 0.0, False, (), ((0, 0), (1, 0), (1, 1), (0, 1))).to_json()
    assert (told["id"], told["points"], told["suggestions"]) == (None, None, [])


@pytest.mark.parametrize(
    "name",
    ["tickets-usa-0002", "tickets-europe-1912-0017", "tickets-legendary-asia-0022", "tickets-united-kingdom-0029"],
)
def test_tickets_on_a_rendered_table(shared: Path, name: str) -> None:
    truth = json.loads((shared / "renders" / "cards" / f"{name}.json").read_text(encoding="utf-8"))
    seen = tickets.read_tickets(
        photo.load(shared / "renders" / "cards" / f"{name}.jpg"), maps.load(truth["tickets"][0]["board"])
    )
    right = {t["id"] for t in truth["tickets"]}
    told = {t.ticket.id for t in seen if t.sure and t.ticket}
    assert told <= right
    assert len(told & right) >= len(right) - 1


def test_tickets_of_a_real_photo(shared: Path) -> None:
    truth = json.loads((shared / "photos" / "tickets" / "europe-five.json").read_text(encoding="utf-8"))
    seen = tickets.read_tickets(photo.load(shared / "photos" / "tickets" / "europe-five.jpg"), maps.load("europe"))
    assert {t.ticket.id for t in seen if t.sure and t.ticket} == {t["id"] for t in truth["tickets"]}


@pytest.mark.parametrize(("number", "turn"), [(3, 0), (6, 0), (3, 180)])
def test_a_share_tells_its_company_and_its_number(number: int, turn: int) -> None:
    table = lettered.table([(lettered.share("READING RAILROAD", f"{number}/7"), lettered.at(600, 450, 760, turn))])
    (seen,) = papers.read_papers(photo.of_image(table), maps.load("pennsylvania")).shares
    assert (seen.company, seen.number) == ("reading", number)


@pytest.mark.parametrize(
    ("lines", "technology"),
    [
        (("BOILER", "LAGGING"), "boiler-lagging"),
        (("RISKY", "CONTRACTS"), "risky-contracts"),
        (("PROPELLERS",), "propellers"),
    ],
)
@pytest.mark.parametrize("turn", [0, 180])
def test_a_technology_is_read_in_light_letters_on_a_dark_plate(
    lines: tuple[str, ...], technology: str, turn: int
) -> None:
    table = lettered.table([(lettered.technology(*lines), lettered.at(600, 450, 700, turn))])
    seen = papers.read_papers(photo.of_image(table), maps.load("united-kingdom")).technologies
    assert [t.id for t in seen] == [technology]


def test_a_city_is_no_technology() -> None:
    """Brighton has the right of Right of Way in it."""
    board = maps.load("united-kingdom")
    seen = papers.read_papers(
        photo.of_image(lettered.table([(lettered.ticket("BRIGHTON"), lettered.at(600, 450, 700))])), board
    )
    assert not seen.technologies


def test_the_place_of_a_technology_is_its_card_not_its_plate() -> None:
    quad = lettered.at(600, 450, 700)
    table = lettered.table([(lettered.technology("BOILER", "LAGGING"), quad)])
    (seen,) = papers.read_papers(photo.of_image(table), maps.load("united-kingdom")).technologies
    assert sheets.overlap(np.array(seen.quad), quad) > 0.7


def test_nobody_is_asked_about_tickets_on_a_photo_of_a_board() -> None:
    """Cities far apart, some beside each other as on a ticket, are a board's."""
    board = lettered.map_of([USA.place_name(city.id, "en") for city in USA.cities.values()][:20])
    assert tickets.read_tickets(photo.of_image(board), USA) == []


def test_a_ticket_beside_a_board_is_told() -> None:
    board = lettered.map_of([USA.place_name(city.id, "en") for city in USA.cities.values()][:20])
    row = next(iter(USA.tickets.values()))
    names = " - ".join(USA.place_name(end, "en").upper() for end in (row.a, row.b))
    beside = lettered.table([(lettered.ticket(names, row.points), lettered.at(600, 250, 620))], (1600, 500))
    seen = tickets.read_tickets(photo.of_image(np.concatenate([board, beside])), USA)
    assert row in [t.ticket for t in seen if t.sure]


def test_a_line_beside_a_title_makes_no_other_ticket() -> None:
    """Of two lines one may say nothing: a city that it hardly fits is not taken for the other end."""
    board = maps.load("united-kingdom")
    known = titles.gazetteer(board)
    rows = [[0.0] * len(known.places), [0.0] * len(known.places)]
    for n, (place, score) in enumerate((("southampton", -12.5), ("london", -9.3))):
        rows[n] = [score if p == place else -30.0 for p in known.places]
    unclear = np.full((10, 37), -3.0)
    unclear[:, 1] = -0.8
    unclear[1::2] = np.where(np.arange(37) == 0, 0.0, -9.0)
    told = [
        titles.Read(
            lines.Line(np.array([0.0, 30.0 * n]), np.array([200.0, 30.0 * n]), 20.0, 1.0),
            names_reader.Lattice(unclear),
            np.full(len(known.pairs), -60.0),
            np.array(row),
        )
        for n, row in enumerate(rows)
    ]
    assert all(title.best < 0.5 for title in titles.titles(told, known))


def test_two_tickets_side_by_side_make_no_third_one() -> None:
    """Names of neighbours stand in one row; Boston and New York of two tickets are none."""
    rows = [
        (names(USA, t), lettered.at(310 + 580 * k, 450, 540))
        for k, t in enumerate(("boston--miami", "dallas--new-york"))
    ]
    assert {t.ticket.id for t in read(rows) if t.sure and t.ticket} == {"boston--miami", "dallas--new-york"}

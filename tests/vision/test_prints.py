"""Tickets known by their print: one drawn here."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

import maps
from vision import align, prints, sheets
from vision.arrays import Picture
from vision.config import ALIGN, TICKET
from vision.sheets import Sheet

WIDE, HIGH = 250, 161
BOARD = maps.load("san-francisco")
IDS = tuple(f"{t.a}--{t.b}" for t in BOARD.tickets.values())[:8]


@lru_cache(maxsize=32)
def drawn(n: int, names: str = "") -> align.Picture:
    """A ticket of our own design: frame, two names (or others), two dots and a number."""
    ticket = BOARD.tickets[list(BOARD.tickets)[n]]
    page = Image.new("L", (WIDE, HIGH), 225)
    draw = ImageDraw.Draw(page)
    draw.rectangle((4, 4, WIDE - 5, HIGH - 5), outline=90, width=3)
    draw.line((4, 34, WIDE - 5, 34), fill=90, width=2)
    draw.text((12, 12), (names or f"{ticket.a} - {ticket.b}").upper(), fill=20, font_size=13)
    draw.ellipse((WIDE - 60, HIGH - 60, WIDE - 10, HIGH - 10), outline=60, width=4)
    draw.text((WIDE - 45, HIGH - 50), str(ticket.points), fill=20, font_size=28)
    for city in (ticket.a, ticket.b):
        x, y = 20 + BOARD.cities[city].x * 140, 45 + BOARD.cities[city].y * 100
        draw.ellipse((x - 7, y - 7, x + 7, y + 7), fill=40)
    return np.asarray(page, np.uint8)


@lru_cache(maxsize=1)
def known() -> prints.Prints:
    """What the trainer would know of these tickets, from a few views of each."""
    rng = np.random.default_rng(0)
    views = np.array(
        [
            [align.blocks(align.rectified(drawn(n), CORNERS + rng.normal(0, 1.2, (4, 2)))) for _ in range(8)]
            for n in range(len(IDS))
        ]
    )
    off = ((views - views.mean(1, keepdims=True)) ** 2).mean((0, 1, 3))
    unit = np.sqrt(off.mean())
    every = views.mean(1) / unit
    edges = align.Edges(np.eye(36, dtype=np.float32) / np.float32(unit), every.mean(0).ravel())
    stay = np.zeros((len(edges.mean) + 1, 8), np.float32)
    noise = np.maximum(off / unit**2, 0.2).astype(np.float32)
    design = prints.Design(IDS, every - every.mean(0), noise, TITLE, (stay,))
    return prints.Prints(edges, (design,))


# The names stand in the upper quarter: two of eight blocks in every column.
TITLE = np.tile(np.arange(8) < 2, 12)
CORNERS = np.array([(0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH)], np.float64) - 0.5


def on_a_table(n: int, quad: sheets.Quad, names: str = "") -> tuple[Picture, Sheet]:
    place = cv2.getPerspectiveTransform(CORNERS.astype(np.float32), quad.astype(np.float32))
    table = cv2.warpPerspective(drawn(n, names), place, (640, 480), borderValue=120)
    inside = cv2.warpPerspective(np.full((HIGH, WIDE), 255, np.uint8), place, (640, 480))
    rows, columns = np.nonzero(inside[3::6, 3::6])
    spots = np.asarray(np.stack([columns, rows], axis=1) * 6.0 + 3, np.float64)
    return np.asarray(table, np.uint8), Sheet("ticket", quad, 0.99, np.zeros(9), spots, 6.0)


QUADS = [
    np.array([(100, 80), (400, 90), (410, 280), (95, 270)], np.float64),
    np.array([(500, 380), (180, 400), (170, 190), (510, 200)], np.float64),
    np.array([(300, 60), (480, 300), (330, 410), (150, 170)], np.float64),
]


@pytest.mark.parametrize("quad", QUADS, ids=["straight", "upside down", "turned"])
@pytest.mark.parametrize("n", range(len(IDS)))
def test_a_ticket_is_known_again(n: int, quad: sheets.Quad) -> None:
    table, sheet = on_a_table(n, quad)
    seen = prints.read(table, sheet, np.full_like(table, 255), known())
    assert seen is not None
    assert seen.odds[0][0] == IDS[n]
    assert seen.confidence >= TICKET.sure
    assert sheets.overlap(np.array(seen.quad), quad) > 0.9


@pytest.mark.parametrize("n", range(len(IDS)))
def test_names_in_another_language_leave_it_to_points_and_map(n: int) -> None:
    table, sheet = on_a_table(n, QUADS[0], "Auld Reekie - Lutetia")
    seen = prints.read(table, sheet, np.full_like(table, 255), known())
    assert seen is not None
    assert seen.odds[0][0] == IDS[n]


@pytest.mark.parametrize("n", range(len(IDS)))
def test_names_of_another_ticket_make_a_question(n: int) -> None:
    """Names say one ticket, points and map another: whichever wins, a person is asked."""
    other = BOARD.tickets[list(BOARD.tickets)[(n + 3) % len(IDS)]]
    table, sheet = on_a_table(n, QUADS[0], f"{other.a} - {other.b}")
    seen = prints.read(table, sheet, np.full_like(table, 255), known())
    assert seen is not None
    assert seen.confidence < TICKET.sure


@pytest.mark.parametrize("rows", [slice(0, 55), slice(105, HIGH)], ids=["names covered", "lower third covered"])
@pytest.mark.parametrize("n", range(len(IDS)))
def test_a_covered_part_makes_no_other_ticket(n: int, rows: slice) -> None:
    """Another ticket lies over a part: what is left says the right one, or asks."""
    table, sheet = on_a_table(n, QUADS[0])
    over, _ = on_a_table((n + 1) % len(IDS), QUADS[0])
    part = np.zeros((HIGH, WIDE), np.uint8)
    part[rows] = 255
    place = cv2.getPerspectiveTransform(CORNERS.astype(np.float32), QUADS[0].astype(np.float32))
    covered = cv2.warpPerspective(part, place, (640, 480), flags=cv2.INTER_NEAREST) > 0
    table[covered] = over[covered]
    seen = prints.read(table, sheet, np.where(covered, 0, 255).astype(np.uint8), known())
    assert seen is not None
    assert seen.odds[0][0] == IDS[n] or seen.confidence < TICKET.sure


def test_blank_paper_is_never_sure() -> None:
    table, sheet = on_a_table(0, QUADS[0])
    cv2.fillConvexPoly(table, QUADS[0].astype(np.int32), 220)
    seen = prints.read(table, sheet, np.full_like(table, 255), known())
    assert seen is None or seen.confidence < TICKET.sure


def test_what_is_covered_says_nothing() -> None:
    mask = np.full((ALIGN.size[1], ALIGN.size[0]), 255, np.uint8)
    assert align.shown(mask).all()
    mask[:, : ALIGN.size[0] // 2] = 0
    seen = align.shown(mask)
    assert seen.mean() == pytest.approx(0.5)
    # HOG goes column by column: the left half comes first.
    assert not seen[: len(seen) // 2].any()


def test_every_printed_ticket_is_a_ticket_of_its_board() -> None:
    for board in ("usa", "europe", "legendary-asia", "pennsylvania", "united-kingdom"):
        known = prints.prints(board)
        assert known is not None
        pairs = {f"{t.a}--{t.b}" for t in maps.load(board).tickets.values()}
        assert {i for design in known.designs for i in design.ids} == pairs


def test_what_the_finder_missed_is_not_covered() -> None:
    """Only another sheet covers a ticket: spots that nobody claims still count."""
    gray = np.zeros((480, 640), np.uint8)
    left, right = (np.array([(x, 100), (x + 150, 100), (x + 150, 200), (x, 200)], np.float64) for x in (100, 220))
    mine = Sheet("ticket", left, 0.9, np.zeros(9), np.array([(130.0, 150.0)]), 20.0)
    other = Sheet("ticket", right, 0.9, np.zeros(9), np.array([(240.0, 150.0)]), 20.0)
    mask = prints._free(gray, 0, prints._taken(gray, [mine, other]))
    assert mask[150, 130] == mask[150, 180] == 255
    assert mask[150, 240] == 0


@pytest.mark.parametrize(("known_at", "looks"), [(None, TICKET.strangers), (2, 9), (6, TICKET.strangers)])
def test_a_strange_print_is_not_looked_for_on_every_ticket(
    monkeypatch: pytest.MonkeyPatch, known_at: int | None, looks: int
) -> None:
    """One photo shows one print: after some tickets that no print knows the others are asked about at once."""
    corners = [np.array([(x, 50), (x + 60, 50), (x + 60, 90), (x, 90)], np.float64) for x in range(10, 640, 70)]
    found = [Sheet("ticket", quad, 0.9, np.zeros(9), quad.mean(0)[None], 10.0) for quad in corners]
    looked: list[int] = []

    def read(_: object, sheet: Sheet, *__: object) -> prints.Known | None:
        looked.append(next(n for n, one in enumerate(found) if one is sheet))
        return prints.Known((("one--two", 0.6),), 0.6, sheet.quad) if looked[-1] == known_at else None

    monkeypatch.setattr(prints, "read", read)
    known = prints.prints("usa")
    assert known is not None
    seen = prints.find(np.zeros((120, 660, 3), np.uint8), found, known, [True] * len(found))
    assert len(looked) == looks
    assert all(t is not None and t.confidence == 0 for t in seen[max(looked) + 1 :])


def test_a_doubtful_ticket_is_looked_for_again_as_large_as_a_sure_one() -> None:
    """The finder took the uncovered half of a ticket for the whole of it."""
    whole = np.array([(100, 100), (300, 100), (300, 230), (100, 230)], np.float64)
    half = np.array([(340, 140), (380, 140), (380, 270), (340, 270)], np.float64)
    found = [Sheet("ticket", quad, 0.9, np.zeros(9), quad, 6.0) for quad in (whole + 7, half)]
    found.append(Sheet("card", half + 200, 0.9, np.zeros(9), half, 6.0))
    sure = prints.Known((("one--two", 0.99),), 0.99, whole)
    again = prints._as_large(found, [sure, None, None])
    assert again[0].quad.tolist() == whole.tolist()
    assert sheets.sides(again[1].quad) == pytest.approx((200, 130))
    assert again[1].quad.mean(0) == pytest.approx(half.mean(0))
    assert again[2] is found[2]
    assert prints._as_large(found, [None, None, None]) is found

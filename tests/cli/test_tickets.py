"""`tickets --annotate`: tickets, technologies and shares are named on their photo in the player's language."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

import maps
from companion.cli import main
from companion.words import share_mark, technology_mark, ticket_mark
from vision import annotate, papers
from vision.annotate import Mark
from vision.arrays import Picture
from vision.papers import Papers, ShareSeen, TechnologySeen
from vision.photo import Photo
from vision.tickets import TicketSeen

QUAD = ((0.0, 0.0), (90.0, 0.0), (90.0, 60.0), (0.0, 60.0))
UK = maps.load("united-kingdom")
TICKET = next(iter(UK.tickets.values()))
TECHNOLOGY = next(iter(UK.technologies))


@pytest.mark.parametrize(
    ("language", "which", "asked"), [("en", "2. Which one?", "? (40 %)"), ("fr", "2. Laquelle ?", " ? (40 %)")]
)
def test_what_lies_there_is_named_on_the_photo(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, which: str, asked: str
) -> None:
    sure, unread = TicketSeen(TICKET, 0.99, True, (), QUAD), TicketSeen(None, 0.0, False, (), QUAD)
    technology = TechnologySeen(TECHNOLOGY, 0.4, (), QUAD)
    told = Papers((sure, unread), (technology,), ())
    drawn: list[Mark] = []

    def marked(photo: Photo, marks: list[Mark]) -> Picture:
        drawn.extend(marks)
        return photo.image

    monkeypatch.setattr(papers, "read_papers", lambda _photo, _board: told)
    monkeypatch.setattr(annotate, "marked", marked)
    photo, out = tmp_path / "table.jpg", tmp_path / "checked.png"
    cv2.imwrite(str(photo), np.full((200, 300, 3), 90, np.uint8))
    asking = ["tickets", str(photo), "--board", UK.id, "--annotate", str(out), "--lang", language]
    assert main(asking) == 0
    assert out.is_file()
    first, second, third = drawn
    assert first.text.startswith("1. ")
    assert (first.sure, second.text, second.sure) == (True, which, False)
    assert third.text == UK.technologies[TECHNOLOGY].name(language) + asked


def test_a_share_is_named_with_the_number_that_was_read() -> None:
    board = maps.load("pennsylvania")
    company = next(iter(board.companies.values()))
    assert share_mark(ShareSeen(company.id, 3, 0.99, (), QUAD), board, "en") == f"{company.name}, number 3"
    assert share_mark(ShareSeen(company.id, None, 0.99, (), QUAD), board, "fr") == f"{company.name} ? (99 %)"
    assert ticket_mark(1, TicketSeen(None, 0.0, False, (), QUAD), board, "en") == "1. Which one?"
    assert technology_mark(TechnologySeen(TECHNOLOGY, 0.99, (), QUAD), UK, "en") == UK.technologies[TECHNOLOGY].name.en

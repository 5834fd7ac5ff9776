"""How many pictures a second: cards, tickets, and a board whose place is known, each against decoding the same picture.

Cards and tickets are those of the shared renders, where they are beside the checkout.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

import maps
from bench import Row, best, row
from bench.growth import read_drawn
from vision.cards import read_cards
from vision.photo import load, of_image
from vision.studio import Pose, practice, write
from vision.tickets import read_tickets

SHARED = Path(__file__).resolve().parents[2] / "shared" / "renders" / "cards"


def run() -> list[Row]:
    rows = [_board()]
    cards, tickets = SHARED / "tunnel-classic-0012.jpg", SHARED / "tickets-usa-0002.jpg"
    if cards.is_file() and tickets.is_file():
        board = maps.load("usa")
        rows.append(_row("three cards of a tunnel", cards, lambda: read_cards(load(cards))))
        rows.append(_row("three tickets", tickets, lambda: read_tickets(load(tickets), board)))
    return rows


def _board() -> Row:
    """What following a board that nobody moved takes: no search, only reading."""
    with tempfile.TemporaryDirectory() as folder:
        image, truth = practice("usa", 1, pose=Pose(15, 0, 0.9), light="neutral")
        file = write(Path(folder), "board", image, truth)
        photo = of_image(image)
        return _row("a board whose place is known", file, lambda: read_drawn(photo, truth))


def _row(what: str, file: Path, work: Callable[[], object]) -> Row:
    data = np.frombuffer(file.read_bytes(), np.uint8)
    work()
    decoding = best(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR))
    seconds = best(work)
    return row(f"{what}, against decoding the picture", 1 / seconds, "frames/s", decoding / seconds)

"""Cards shown to a camera that watches: told once, when they are held still, and not those that lay there before."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.vision.test_cards import quad, table
from vision.arrays import Picture
from vision.cards import CardSeen
from vision.photo import Photo, load
from vision.sheets import COLORS, Quad
from vision.shown import Shown

LYING = ("yellow", quad(300, 700, 0))
HELD = [("blue", quad(300, 300, 4)), ("green", quad(640, 320, -8)), ("blue", quad(960, 560, 91))]
Laid = list[tuple[str, Quad]]


class Reader:
    """Knows what was laid in each picture."""

    def __init__(self) -> None:
        self.laid: Laid = []
        self.sure = 0.99
        self.asked = 0

    def __call__(self, _photo: Photo, _colors: tuple[str, ...]) -> list[CardSeen]:
        self.asked += 1
        return [CardSeen(c, self.sure, tuple((float(x), float(y)) for x, y in place)) for c, place in self.laid]


def noisy(picture: Picture, n: int) -> Picture:
    noise = np.random.default_rng(n).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def told(shown: Shown, reader: Reader, laid: Laid, begin: float, seconds: float) -> list[tuple[str, ...]]:
    """What is said while the camera sees this for some time."""
    reader.laid = laid
    picture = table(laid)
    frames = [shown.look(noisy(picture, n), begin + n / 10) for n in range(round(10 * seconds))]
    return [cards for cards in frames if cards]


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def shown(reader: Reader) -> Shown:
    return Shown(table([LYING]), 3, COLORS, reader)


def test_three_cards_are_told_once(shown: Shown, reader: Reader) -> None:
    assert told(shown, reader, [LYING], 0, 1) == []
    assert not reader.asked, "nothing was shown, and the nets were asked"
    assert told(shown, reader, [LYING, *HELD], 1, 3) == [("blue", "green", "blue")]


def test_others_are_told_anew_and_the_same_after_they_were_taken_back(shown: Shown, reader: Reader) -> None:
    told(shown, reader, [LYING, *HELD], 0, 2)
    other = [("red", HELD[0][1]), *HELD[1:]]
    assert told(shown, reader, [LYING, *other], 2, 2) == [("red", "green", "blue")]
    assert told(shown, reader, [LYING], 4, 1) == []
    assert told(shown, reader, [LYING, *other], 5, 2) == [("red", "green", "blue")]


@pytest.mark.parametrize("n", [1, 2])
def test_fewer_cards_than_the_tunnel_asks_for_wait(shown: Shown, reader: Reader, n: int) -> None:
    assert told(shown, reader, [LYING, *HELD[:n]], 0, 2) == []
    assert reader.asked


def test_cards_that_the_reader_doubts_wait(shown: Shown, reader: Reader) -> None:
    reader.sure = 0.6
    assert told(shown, reader, [LYING, *HELD], 0, 2) == []


def test_a_hand_that_moves_is_not_read(shown: Shown, reader: Reader) -> None:
    for n in range(30):
        reader.laid = [("blue", quad(300 + 20 * n, 300, 4)), *HELD[1:]]
        assert shown.look(table(reader.laid), n / 10) == ()
    assert not reader.asked


NAMES = ("tunnel-classic-0012", "tunnel-classic-0036", "tunnel-germany-0052", "tunnel-nordic-0028", "tunnel-uk-0024")


@pytest.mark.parametrize("name", NAMES)
def test_given_pictures_of_turned_up_cards_are_told(shared: Path, name: str) -> None:
    path = shared / "renders" / "cards" / f"{name}.jpg"
    if not path.is_file():
        pytest.skip("needs the card pictures of the shared material")
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    picture = load(path).image
    shown = Shown(np.full_like(picture, 90), 3, COLORS)
    found = [cards for n in range(16) if (cards := shown.look(picture, n / 10))]
    assert [sorted(cards) for cards in found] == [sorted(c["color"] for c in truth["cards"])]

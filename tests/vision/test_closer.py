"""The closer look: what the net says is told here by hand, or cards drawn by us are put back into their places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_cards import found, quad, table
from vision import classify, closer, sheets
from vision.config import CLOSER


class Says:
    """A net that says the same of every picture, and of one upside down what it must."""

    def __init__(self, moves: list[tuple[float, float]], kinds: tuple[float, float, float] = (0.0, 4.0, 0.0)) -> None:
        self.moves = np.array(moves, np.float32)
        self.kinds = np.array(kinds, np.float32)

    def __call__(self, batch: sheets.Floats) -> sheets.Floats:
        turned = -np.roll(self.moves, 2, axis=0)
        rows = [np.append(self.kinds, (m / closer.UNIT).ravel()) for m in (self.moves, turned)]
        return np.array(rows * (len(batch) // 2), np.float32)


def say(monkeypatch: pytest.MonkeyPatch, net: Says) -> None:
    monkeypatch.setattr(classify, "net", lambda _name: net)


def test_a_card_in_its_place_fills_the_middle_of_the_net_s_picture() -> None:
    place = quad(600, 450, 30)
    seen = closer.crop(table([("red", place)]), place, found(place).spots, 20.0)
    left, top = closer.box()[0].astype(int)
    right, low = closer.box()[2].astype(int)
    assert seen.shape == (CLOSER.size[1], CLOSER.size[0], 4)
    assert seen[top + 4 : low - 3, left + 4 : right - 3, 3].mean() > 220
    assert seen[: top - 6, :, 3].mean() < 20
    # Green cloth around, the white edge of the card inside.
    assert seen[top - 8, left + 40, :3].max() < 130
    assert seen[top + 2, left + 40, :3].min() > 180


def test_corners_go_where_the_net_says(monkeypatch: pytest.MonkeyPatch) -> None:
    long = CLOSER.size[0] * CLOSER.inner
    say(monkeypatch, Says([(long / 10, 0)] * 4))
    place = quad(600, 450, 0)
    (seen,) = closer._look(table([]), [found(place)])
    assert seen.quad == pytest.approx(place + np.array([24, 0]), abs=0.1)


def test_both_ways_round_the_mean_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A net that wants every card moved towards its own right says nothing when asked both ways."""

    class Confused(Says):
        def __call__(self, batch: sheets.Floats) -> sheets.Floats:
            return np.array([np.append(self.kinds, (self.moves / closer.UNIT).ravel())] * len(batch), np.float32)

    say(monkeypatch, Confused([(9.0, 0)] * 4))
    place = quad(600, 450, 75)
    (seen,) = closer._look(table([]), [found(place)])
    assert seen.quad == pytest.approx(place, abs=0.1)


def test_corners_that_make_no_card_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    say(monkeypatch, Says([(90, 60), (0, 0), (0, 0), (0, 0)]))
    place = quad(600, 450, 0)
    (seen,) = closer._look(table([]), [found(place)])
    assert seen.quad == pytest.approx(place)


def test_the_kind_is_told_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    say(monkeypatch, Says([(0, 0)] * 4, (0.0, 1.0, 3.0)))
    (seen,) = closer.looked(table([]), [found(quad(600, 450, 0))])
    assert seen.kind == "ticket"
    assert np.exp(seen.kinds).sum() == pytest.approx(1)


def test_two_finds_of_one_card_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    say(monkeypatch, Says([(0, 0)] * 4))
    several = [found(quad(600, 450, 0)), found(quad(604, 452, 1)), found(quad(900, 450, 0))]
    assert len(closer.looked(table([]), several)) == 2


def test_nothing_found_is_not_looked_at() -> None:
    assert closer.looked(table([]), []) == []


@pytest.mark.parametrize("degrees", [0, 40, 160])
def test_a_card_of_an_unseen_design_is_put_into_its_place(degrees: float) -> None:
    """The finder was a tenth of the card off, and took it for a tenth too small."""
    place = quad(600, 450, degrees)
    thought = place.mean(0) + (place - place.mean(0)) * 0.9 + (place[1] - place[0]) * 0.1
    picture = table([("blue", place)])
    (seen,) = closer.looked(picture, [replace(found(place), quad=thought)])
    assert sheets.overlap(thought, place) < 0.75
    assert sheets.overlap(seen.quad, place) > 0.9
    assert np.exp(seen.kinds[1]) > 0.5


def test_even_light_takes_a_shadow_away_and_keeps_colours() -> None:
    image = np.full((300, 400, 3), (60, 90, 150), np.uint8)
    image[:, 200:] //= 5
    even = closer.shadowless(image).astype(float)
    lit, dark = even[150, 60], even[150, 340]
    assert np.abs(lit - dark).max() < 0.1 * lit.max()
    assert dark[2] / dark[0] == pytest.approx(2.5, rel=0.05)

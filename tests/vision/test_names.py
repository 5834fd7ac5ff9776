"""Names against what the net saw: on lattices written here, and on lettering drawn here."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision import lettered
from vision import classify, names
from vision.config import NAMES
from vision.names import LETTERS, Lattice, Words


def lattice(text: str, sure: float = 0.9, junk: str = "") -> Lattice:
    """A net that sees just this text: each letter in one column, nothing in the next."""
    rows = []
    for letter in junk + text:
        for column in (LETTERS.index(letter) + 1, 0):
            row = np.full(len(LETTERS) + 1, (1 - sure) / len(LETTERS))
            row[column] = sure
            rows.append(np.log(row))
    return Lattice(np.array(rows))


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Montréal", "MONTREAL"),
        ("KØBENHAVN", "KOBENHAVN"),
        ("Sault St. Marie", "SAULTSTMARIE"),
        ("Weißenfels–Łódź", "WEISSENFELSLODZ"),
        ("3 / 10", "310"),
    ],
)
def test_names_have_neither_case_nor_accents_nor_blanks(text: str, folded: str) -> None:
    assert names.folded(text) == folded


def test_the_free_reading_is_what_the_net_saw() -> None:
    assert lattice("DALLAS").text == "DALLAS"
    assert lattice("DALLAS").clear == pytest.approx(0.9)
    assert Lattice(np.log(np.eye(37)[[0, 0]] + 1e-9)).clear == 0


def test_the_right_name_fits_best_and_perfectly() -> None:
    fits = names.fits(lattice("DENVER"), Words(("DENVER", "DOVER", "DUNDEE", "VENEZIA")))
    assert np.argmax(fits.alone) == 0
    assert fits.alone[0] == pytest.approx(0)
    assert fits.alone[1:].max() < -2


def test_doubled_letters_need_nothing_between_them() -> None:
    one = lattice("DALAS")
    fits = names.fits(one, Words(("DALLAS", "DALAS")))
    assert fits.alone[1] == pytest.approx(0)
    assert fits.alone[0] < -2


def test_two_names_stand_one_behind_the_other() -> None:
    words = Words(("PARIS", "WIEN", "ROMA"))
    fits = names.fits(lattice("PARISWIEN"), words)
    first, second = np.array([0, 1, 0, 2]), np.array([1, 0, 2, 1])
    scores = fits.pairs(first, second)
    assert np.argmax(scores) == 0
    assert scores[0] == pytest.approx(0)
    assert scores[1] < -5


def test_junk_around_a_name_costs_a_little() -> None:
    words = Words(("PARIS",))
    clean, dirty = (names.fits(lattice("PARIS", junk=junk), words).alone[0] for junk in ("", "XQ"))
    assert clean == pytest.approx(0)
    assert -3.5 < dirty < -1


@pytest.mark.parametrize("count", [1, 3, NAMES.aligned + 1])
def test_lattices_aligned_together_fit_as_each_by_itself(count: int) -> None:
    words = Words(("DALLAS", "SALEM", "MONTREAL"))
    texts = ("DALLAS", "SALEMMONTREAL", "XMONTREAL")
    every = [lattice(texts[n % 3], junk="Q" * n) for n in range(count)]
    for one, together in zip(every, names.all_fits(every, words), strict=True):
        alone = names.fits(one, words)
        assert together.until.tolist() == alone.until.tolist()
        assert together.since.tolist() == alone.since.tolist()


def test_a_strip_reads_the_same_whatever_is_read_with_it() -> None:
    rng = np.random.default_rng(2)
    narrow, wide = (rng.integers(0, 255, (32, long), np.uint8) for long in (90, 400))
    alone, together = names.read([narrow])[0], names.read([wide, narrow])[1]
    assert np.abs(alone.logs - together.logs).max() < 1e-4


def test_a_wrong_letter_costs_no_more_than_one_column() -> None:
    """Fonts in which G looks like C."""
    fits = names.fits(lattice("ANCORA"), Words(("ANGORA", "ANKARA", "ROMA")))
    assert np.argmax(fits.alone) == 0


def test_the_net_reads_what_is_drawn() -> None:
    art = lettered.ticket("CHICAGO - NEW ORLEANS")
    gray = np.asarray(art.mean(2), np.uint8)
    strip = names.cut(gray, np.array((40.0, 42.0), np.float32), np.array((480.0, 42.0), np.float32), 46.0)
    told = names.read([strip])[0]
    fits = names.fits(told, Words(("CHICAGO", "NEWORLEANS", "CALGARY", "BOSTON")))
    assert sorted(np.argsort(-fits.alone)[:2].tolist()) == [0, 1]


@pytest.mark.parametrize("net", [names.NET, "../tickets/lines"])
def test_both_engines_agree(net: str) -> None:
    shape = (2, 1, 32, 224) if net == names.NET else (1, 3, 96, 160)
    batch = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    one, other = (classify.net(net, by)(batch) for by in ("onnxruntime", "opencv"))
    assert np.abs(one.reshape(other.shape) - other).max() < 1e-3


def test_even_light_takes_a_shadow_out_of_a_strip() -> None:
    rng = np.random.default_rng(3)
    strip = rng.uniform(80, 200, (32, 300)).astype(np.float32)
    shaded = strip.copy()
    shaded[:, 150:] *= 0.4
    bright, dark = (
        names.evened(shaded.astype(np.uint8))[:, part].astype(float) for part in (slice(100), slice(200, 300))
    )
    assert abs(bright.mean() - dark.mean()) < 6
    assert bright.std() == pytest.approx(dark.std(), rel=0.3)

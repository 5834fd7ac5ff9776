"""How wagons look from photo to photo, learnt from photos made of numbers: what they were made of comes out again."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the [train] extra")

from models.training.plastics import NAMES, Sample, fitted
from vision.plastics import Numbers


def made(rng: np.random.Generator, mean: Numbers, left: int) -> Sample:
    """One photo: all colours moved together by its light, some colours not there."""
    light = rng.normal(0, 12, 3)
    names = rng.choice(len(NAMES), left, replace=False)
    labels = np.repeat(names, 12)
    return Sample(mean[labels] + light + rng.normal(0, 6, (len(labels), 3)), labels.astype(np.int64))


def test_the_usual_colours_and_that_a_light_moves_them_together_are_learnt() -> None:
    rng = np.random.default_rng(5)
    mean = rng.uniform(80, 230, (len(NAMES), 3))
    told = fitted([made(rng, mean, 4) for _ in range(150)])
    np.testing.assert_allclose(told.mean.reshape(-1, 3), mean, atol=4)
    np.testing.assert_allclose(np.sqrt(np.einsum("nii->ni", told.within)), 6, atol=0.7)
    spread = told.spread.reshape(5, 3, 5, 3)
    apart = [spread[a, c, b, c] for a in range(5) for b in range(5) if a != b for c in range(3)]
    assert np.mean(apart) == pytest.approx(144, rel=0.2)

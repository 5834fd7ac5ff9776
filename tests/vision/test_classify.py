"""The nets give the same answers in both engines, and a broken one is noticed."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from maps import Trouble
from vision import classify
from vision.config import CLASSIFIER, PATCH
from vision.light import FOLDER
from vision.patches import SEEN, TOLD, TOLD_SIDE

NETS = ("glance", "spaces", "stations", "buildings")


@pytest.mark.parametrize("name", NETS)
@pytest.mark.parametrize("engine", ["onnxruntime", "opencv"])
def test_both_engines_give_the_stored_answer(name: str, engine: classify.Engine) -> None:
    assert classify.self_test(classify.net(name, engine), FOLDER / f"{name}.onnx") < 1e-4


def test_a_net_elsewhere_is_named_by_its_whole_path(tmp_path: Path) -> None:
    """One that was just trained is judged before it takes the place of another."""
    for end in ("onnx", "test.npz"):
        shutil.copy(FOLDER / f"glance.{end}", tmp_path / f"mine.{end}")
    batch = np.load(tmp_path / "mine.test.npz")
    told = [batch[name].astype(np.float32) for name in batch.files if name != "scores"]
    mine = classify.net(str(tmp_path / "mine"))(*told)
    assert mine == pytest.approx(batch["scores"], abs=1e-3)


@pytest.mark.parametrize("name", ["glance", "spaces"])
@pytest.mark.parametrize("count", [1, 7, CLASSIFIER.portion + 5])
def test_engines_agree_on_any_batch(name: str, count: int) -> None:
    rng = np.random.default_rng(count)
    wide, high = PATCH.size
    batch = rng.uniform(-0.5, 1, (count, SEEN["twin"].stop, high, wide)).astype(np.float32)
    told = rng.uniform(-0.5, 1, (count, TOLD["beside"].stop, 1, 1)).astype(np.float32).repeat(TOLD_SIDE, 2)
    told = told.repeat(TOLD_SIDE, 3)
    one, other = (classify.net(name, engine)(batch, told) for engine in ("onnxruntime", "opencv"))
    assert one.shape == (count, len(classify.SPACE_CLASSES))
    assert np.abs(one - other).max() < 1e-4


def test_an_engine_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_ENGINE", "opencv")
    assert classify.engine() == "opencv"
    monkeypatch.delenv("COMPANION_ENGINE")
    assert classify.engine() == "onnxruntime"


def test_a_net_that_answers_otherwise_is_refused(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "spaces.onnx", tmp_path / "spaces.onnx")
    with np.load(FOLDER / "spaces.test.npz") as stored:
        np.savez(tmp_path / "spaces.test.npz", **{**stored, "scores": stored["scores"] + 1})
    with pytest.raises(Trouble) as trouble:
        classify._load(tmp_path / "spaces.onnx", "onnxruntime")
    assert trouble.value.code == "model-broken"


def test_a_missing_net_is_told(tmp_path: Path) -> None:
    with pytest.raises(Trouble) as trouble:
        classify._load(tmp_path / "spaces.onnx", "onnxruntime")
    assert trouble.value.code == "model-missing"


def test_only_the_colours_of_the_board_share_the_chances() -> None:
    scores = np.zeros((1, len(classify.CLASSES)), np.float32)
    scores[0, classify.CLASSES.index("purple")] = 9
    logs = classify.log_probabilities(scores, ("red", "blue"), 1.0)
    assert np.exp(logs) == pytest.approx(np.full((1, 3), 1 / 3))

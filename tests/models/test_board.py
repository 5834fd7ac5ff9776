"""How the nets of the board are trained: recipes that can be read, means of weights, patches that stay true."""

from __future__ import annotations

from pathlib import Path
from typing import Any  # Any: torch, which is there for training only

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch", reason="needs the [train] extra")
onnx = pytest.importorskip("onnx", reason="needs the [train] extra")

from models.training import __main__ as rooms  # noqa: E402
from models.training import augment, board, net  # noqa: E402


def test_every_net_has_a_recipe_that_goes_on_from_what_is_there() -> None:
    found = board.recipes()
    assert set(found) == set(board.NETS)
    assert all((board.ROOT / str(recipe.start)).is_file() for recipe in found.values())
    assert all(sum(recipe.shares.values()) == pytest.approx(1) for recipe in found.values())


@pytest.mark.parametrize("name", rooms.ORDER)
def test_a_trial_writes_into_its_folder_or_trains_nothing(name: str, tmp_path: Path) -> None:
    asked = rooms.trial(name, tmp_path)
    assert "--judge" in asked or asked[-2:] == ["--out", str(tmp_path / name)]


def test_a_blend_lies_between_the_two_nets(tmp_path: Path) -> None:
    kind = board.NETS["stations"]
    first, second = kind.new(), kind.new()
    for made, name in ((first, "old"), (second, "new")):
        net.export(made, tmp_path / f"{name}.onnx", kind.channels, kind.size)
    new = onnx.load(str(tmp_path / "new.onnx"))
    net.blend(onnx.load(str(tmp_path / "old.onnx")), tmp_path / "new.onnx", 0.25)

    # onnx says nothing of its types.
    def answer(model: Any) -> NDArray[np.float32]:
        weights = {w.name: onnx.numpy_helper.to_array(w).astype(np.float32) for w in model.graph.initializer}
        return np.asarray(weights["answer.kernel.half"])

    old, mixed = (answer(onnx.load(str(tmp_path / f"{name}.onnx"))) for name in ("old", "new"))
    assert mixed == pytest.approx(0.75 * old + 0.25 * answer(new), abs=1e-3)


def test_a_wagon_takes_the_colour_of_its_print_and_keeps_its_form() -> None:
    print_ = torch.full((1, 3, 48, 64), 0.5)
    patch = torch.full((1, 6, 48, 64), 0.9)
    patch[:, :, 18:30, 12:52] = 0.35
    patch[:, :, 18:20, 12:52] = 0.25
    found = augment.like_print(patch, print_, np.random.default_rng(3), np.array([True]))
    middle, rim, land = (float(found[0, 0, y, 32]) for y in (24, 18, 5))
    assert 0.35 < middle <= 0.51
    assert rim < middle
    assert land == pytest.approx(0.9, abs=0.01)
    untouched = augment.like_print(patch, print_, np.random.default_rng(3), np.array([False]))
    assert torch.equal(untouched, patch)

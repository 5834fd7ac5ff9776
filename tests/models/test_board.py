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
from models.training import augment, board, net, pack  # noqa: E402


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
    pack.pack(tmp_path / "old.onnx")
    net.blend(onnx.load(str(tmp_path / "old.onnx")), tmp_path / "new.onnx", 0.25)

    # onnx says nothing of its types.
    def answer(model: Any) -> NDArray[np.float32]:
        return pack.unpacked(model)["answer.kernel.half"]

    old, mixed = (answer(onnx.load(str(tmp_path / f"{name}.onnx"))) for name in ("old", "new"))
    assert mixed == pytest.approx(0.75 * old + 0.25 * answer(new), abs=1e-3)


def test_a_packed_net_is_gone_on_from(tmp_path: Path) -> None:
    kind, file = board.NETS["stations"], tmp_path / "stations.onnx"
    made = kind.new().eval()
    net.export(made, file, kind.channels, kind.size, kind.told)
    large = file.stat().st_size
    pack.pack(file)
    assert file.stat().st_size < 0.6 * large
    x = torch.randn(4, kind.channels, *kind.size[::-1]) * 0.3
    with torch.no_grad():
        assert kind.of(file)(x).numpy() == pytest.approx(made(x).numpy(), abs=0.05)


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


def _blue_wagon() -> Any:
    patch = torch.full((8, 6, 48, 64), 0.8)
    patch[:, :, 18:30, 12:52] = torch.tensor([0.7, 0.4, 0.1] * 2)[None, :, None, None]
    return patch


def test_a_wagon_of_another_box_keeps_its_hue_and_its_land() -> None:
    patch, chosen = _blue_wagon(), np.array([True] * 7 + [False])
    found = augment.other_plastic(patch, np.random.default_rng(5), chosen)
    colors = found[:, 3:6, 24, 32]
    assert (colors.argmax(1) == 0).all()
    assert (colors[:7] - torch.tensor([0.7, 0.4, 0.1])).abs().max(1).values.min() > 0.01
    assert float((found[:, :, 5] - 0.8).abs().max()) < 0.01
    assert torch.equal(found[7], patch[7])


def test_a_wagon_in_hard_light_shades_the_ground_on_one_side_only() -> None:
    patch, chosen = _blue_wagon(), np.array([True] * 7 + [False])
    found = augment.backlit(patch, np.random.default_rng(5), chosen)
    ground = found[:7, 3] / patch[:7, 3]
    around = [ground[:, 10:17, 20:44], ground[:, 31:38, 20:44], ground[:, 19:29, 3:11], ground[:, 19:29, 53:61]]
    darkest = torch.stack([part.amin((1, 2)) for part in around])
    assert (darkest.amin(0) < 0.7).all()
    assert (darkest.amax(0) > 0.95).all()
    # The wagon keeps its colour, also where no light reaches it.
    assert (found[:7, 3:6, 19:29, 14:50].mean((2, 3)).argmax(1) == 0).all()
    assert torch.equal(found[7], patch[7])


def test_a_station_moves_to_another_city_and_off_its_middle() -> None:
    n = 60
    land, piece = torch.full((n, 6, 48, 48), 0.7), torch.full((n, 6, 48, 48), 0.7)
    piece[:, :, 16:32, 16:32] = 0.1
    chosen, push = np.arange(n) > 0, np.full(n, 0.5)
    found = augment.paste_city(land, piece, np.random.default_rng(2), chosen, push)
    assert torch.equal(found[0], land[0])
    dark = found[1:, 0] < 0.4
    # It keeps its size and goes half a space width, ten pixels to the width, in all directions.
    assert ((dark.sum((1, 2)) - 256).abs() < 40).all()
    down, across = torch.meshgrid(torch.arange(48.0), torch.arange(48.0), indexing="ij")
    middle = torch.stack([(dark * axis).sum((1, 2)) / dark.sum((1, 2)) - 23.5 for axis in (across, down)], 1)
    assert middle.norm(dim=1).numpy() == pytest.approx(np.full(n - 1, 5.0), abs=1)
    assert middle.min() < -4 < 4 < middle.max()


def test_a_city_is_covered_when_its_middle_is() -> None:
    n = 300
    x, things = torch.full((n, 6, 48, 48), 0.3), torch.full((4, 3, 48, 64), 0.9)
    found, hidden, unclear = augment.covered(x, things, np.random.default_rng(6), 0.8, city=True)
    changed = ((found - x).abs() > 0.02).any(1).float()
    middle = changed[:, 16:32, 16:32].mean((1, 2)).numpy()
    assert hidden.any()
    assert unclear.any()
    assert not (hidden & unclear).any()
    assert middle[hidden].min() > 0.5
    assert middle[~hidden & ~unclear].max() < 0.6


def test_wagons_about_a_station_leave_it_in_sight_and_share_its_colour() -> None:
    n, blue = 200, 1
    x = torch.full((n, 6, 48, 48), 0.7)
    found = augment.wagons_about(x, np.random.default_rng(4), 1.0, np.full(n, blue))
    changed = (found != x).any(1)
    assert changed.any((1, 2)).all()
    assert not changed[:, 21:27, 21:27].any()
    seen = torch.stack([p[:, c].mean(1) for p, c in zip(found[:, :3], changed, strict=True)])
    assert 0.5 < float((seen[:, 0] > seen[:, 2] + 0.1).float().mean()) < 0.8


def test_a_shadow_takes_on_the_colour_of_the_other_light() -> None:
    patch = torch.full((400, 6, 48, 64), 0.6)
    shaded = augment.in_shadow(patch, np.random.default_rng(3), np.ones(400, bool), np.ones(400, np.int64))
    taken = (patch - shaded).amax((2, 3))
    assert (shaded <= patch).all()
    assert torch.equal(taken[:, :3], taken[:, 3:])
    # Mostly a warm lamp's, so that blue is left; at times the other way round.
    bluish = (taken[:, 2] > taken[:, 0] + 0.05).float().mean()
    warm = (taken[:, 0] > taken[:, 2] + 0.05).float().mean()
    assert bluish > 2 * warm > 0


def sure_of_nothing_there(x: Any) -> Any:
    """A net that tells every patch for empty, with a chance of some nine tenths."""
    scores = torch.zeros(len(x), len(board.NETS["spaces"].outputs))
    scores[:, 0] = 4.4
    return scores


def test_patches_that_a_net_errs_on_and_crowded_ones_are_drawn_oftener() -> None:
    """Kinds keep their share of a batch: what is drawn less is the easy part of each."""
    kinds = np.array(["real", "real", "render", "render", "render", "made"])
    labels, n = np.array([0, 1, 0, 0, 1, 0]), 6
    every = board.Stock(
        np.full((n, 48, 64, 9), 120, np.uint8), labels, np.zeros((n, 3), np.float32), np.zeros((n, 6), np.float32),
        np.zeros((n, 2), np.float32), np.array(["gray"] * n), np.arange(n), np.array([0.2, 0.2, 0.1, 0.1, 0.1, 0.3]),
        np.full(n, 0.5), kinds, np.array([False, False, False, True, False, True]),
    )  # fmt: skip
    recipe = board.Recipe(1, 0.1, {"real": 0.4, "render": 0.3, "made": 0.3}, {}, hard=8, crowded=2)
    net_like: Any = sure_of_nothing_there
    told = board.harder(every, net_like, recipe)
    assert [told.drawn[kinds == kind].sum() for kind in ("real", "render", "made")] == pytest.approx([0.4, 0.3, 0.3])
    assert told.drawn[1] > 3 * told.drawn[0]
    assert told.drawn[3] == pytest.approx(2 * told.drawn[2])
    assert told.drawn[4] > told.drawn[3]
    # Prints made up are bare: what lies on them is pasted there, as before.
    assert told.pasted.tolist() == [0.5, 0.5, 0.5, 0.25, 0.5, 0.5]

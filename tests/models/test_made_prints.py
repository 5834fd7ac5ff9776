"""Prints that nobody printed: every one looks another way, and its truth tells which track has which colour."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import maps
from models.training import examples, made_prints
from models.training.art_prints import art_print
from vision import light, spaces

# Pixels that differ by so much, of 3 x 255, are of another colour to anybody.
OTHER = 60
# How far the colours that a camera sees follow those of the print, at least: other light, icons, grain.
LIKE = 0.6


def test_two_seeds_are_two_prints_and_one_seed_is_one(shared: Path) -> None:
    one, told = made_prints.repainted("usa", 3)
    again, told_again = made_prints.repainted("usa", 3)
    other, told_otherwise = made_prints.repainted("usa", 4)
    assert (one == again).all()
    assert told == told_again
    assert np.abs(one.astype(int) - other).sum(2).mean() > OTHER
    assert sum(told[name] != told_otherwise[name] for name in told) > len(told) / 2


def test_the_spaces_of_a_print_made_up_are_in_the_colours_that_are_told(shared: Path) -> None:
    art, told = made_prints.repainted("europe", 11)
    board = examples.board_of({"board": "europe", "texture": "art", "print": told})
    assert {name: board.routes[name].color for name in told} == told
    layout, own = spaces.layout(board), made_prints.reference(board, art).spaces
    names = np.array(layout.colors)
    means = {name: own[names == name].mean(0) for name in ("blue", "green", "red")}
    assert means["blue"].argmax() == 0
    assert means["red"].argmax() == 2
    assert means["green"][1] > means["green"][0]


def test_a_tunnel_has_a_dark_frame_and_a_ferry_a_sign() -> None:
    look, ink = made_prints.style(np.random.default_rng(5)), np.array([230.0, 200.0, 60.0])
    look = replace(look, tunnel="ragged")
    drawn = {
        kind: made_prints.space(look, ink, kind, (260, 180), np.random.default_rng(6)).astype(int)
        for kind in ("plain", "tunnel", "ferry")
    }
    assert {picture.shape for picture in drawn.values()} == {(180, 260, 4)}
    off = {kind: np.abs(picture - drawn["plain"])[..., :3].sum(2) > OTHER for kind, picture in drawn.items()}
    middle, rim = (slice(80, 100), slice(120, 140)), (slice(60, 75), slice(120, 140))
    assert {kind for kind, there in off.items() if there[middle].any()} == {"ferry"}
    assert drawn["tunnel"][rim].mean() < drawn["plain"][rim].mean()


def test_the_marks_of_cities_are_alike_all_over_a_print_and_touch_nothing_else() -> None:
    cities: list[dict[str, float | None]] = [{"x": 60.0, "y": 70.0}, {"x": 160.0, "y": 70.0}, {"x": None, "y": None}]
    bare = np.full((140, 220, 3), 120.0)
    one, again, other = (bare.copy() for _ in range(3))
    for sheet, seed in ((one, 5), (again, 5), (other, 6)):
        made_prints._cities(sheet, cities, 40.0, np.random.default_rng(seed))
    assert (one == again).all()
    assert (one != other).any()
    assert one[30:110, 20:100] == pytest.approx(one[30:110, 120:200])
    changed = np.abs(one - bare).sum(2) > OTHER
    assert changed[65:75, 55:65].all()
    assert not changed[:, 105:115].any()


def test_a_print_has_signs_on_its_spaces_and_mouths_at_its_tunnels() -> None:
    plain = replace(made_prints.style(np.random.default_rng(5)), icon=0, line=0, ties=0, grain=0, tie_count=6)
    ink, far = np.array([200.0, 60.0, 50.0]), np.random.default_rng(6)

    def drawn(kind: str, symbol: float, ends: float) -> NDArray[np.int64]:
        look = replace(plain, symbol=symbol, ends=ends)
        return made_prints.space(look, ink, kind, (260, 180), far)[..., :3].astype(int)

    middle, end = (slice(84, 96), slice(124, 136)), (slice(84, 96), slice(38, 44))
    for kind in ("plain", "tunnel"):
        bare, signed, dark = drawn(kind, 0, 0), drawn(kind, 0.6, 0), drawn(kind, 0, 0.6)
        assert np.abs(signed[middle] - bare[middle]).sum(2).min() > OTHER
        assert (signed[end] == bare[end]).all()
        assert (dark[middle] == bare[middle]).all()
        assert (dark[end].mean() < 0.6 * bare[end].mean()) == (kind == "tunnel")


@pytest.mark.parametrize("tunnel", made_prints.TUNNELS)
def test_every_kind_of_tunnel_is_darker_at_its_edge_than_a_plain_space(tunnel: str) -> None:
    look = replace(made_prints.style(np.random.default_rng(5)), tunnel=tunnel, frame=0, rim=0, halo=0, knobs=0)
    pictures = {
        kind: made_prints.space(look, np.array([230.0, 200.0, 60.0]), kind, (260, 180), np.random.default_rng(6))
        for kind in ("plain", "tunnel")
    }
    ground = np.full(3, 200.0)
    # From a fifth of a width inside of the upper edge to as far outside of it.
    edge = {
        kind: (ground + picture[33:66, 60:200, 3:] / 255 * (picture[33:66, 60:200, :3] - ground)).mean()
        for kind, picture in pictures.items()
    }
    assert edge["tunnel"] < edge["plain"] - 5


def test_a_bare_print_is_drawn_flat_with_all_that_training_asks_of_it(shared: Path, tmp_path: Path) -> None:
    made_prints.bare("pennsylvania", 12, tmp_path)
    found = examples.load(tmp_path / "pennsylvania-0012.json")
    assert found.fold == "render-made-pennsylvania"
    assert not found.labels.any()
    centres = spaces.layout(found.board).centres * (1, found.board.geometry.aspect)
    seen = cv2.perspectiveTransform(centres.reshape(-1, 1, 2), found.homography)[:, 0]
    assert (seen > 0).all()
    assert (seen < made_prints.SIZE).all()
    # What the camera sees at a space is the colour that the print has there, but for the light.
    colors = found.image[seen[:, 1].astype(int), seen[:, 0].astype(int)].astype(float)
    assert found.reference is not None
    likeness = [np.corrcoef(colors[:, i], found.reference.spaces[:, i])[0, 1] for i in range(3)]
    assert min(likeness) > LIKE


def test_a_truth_with_a_print_of_its_own_is_a_kind_of_its_own(tmp_path: Path) -> None:
    board = maps.load("pennsylvania")
    colors = dict.fromkeys(board.routes, "blue")
    corners = [[100.0, 100.0], [900.0, 100.0], [900.0, 600.0], [100.0, 600.0]]
    truth = {
        "board": "pennsylvania", "photo": "p.jpg", "texture": "art", "pose": {}, "corners": corners, "print": colors,
        "routes": dict.fromkeys(board.routes),
    }  # fmt: skip
    path = tmp_path / "pennsylvania-7.json"
    path.write_text(json.dumps(truth), encoding="utf-8")
    reference = light.built_in("pennsylvania")
    assert reference is not None
    reference.save(path.with_suffix(".print.npz"))
    found = examples.summary(path)
    assert (found.kind, found.fold) == ("made", "render-made-pennsylvania")
    own = examples.reference_of(path, truth)
    assert own is not None
    assert own.spaces == pytest.approx(reference.spaces, abs=1)
    assert {route.color for route in examples.board_of(truth).routes.values()} == {"blue"}
    # The board that comes with the program stays as it is.
    assert {route.color for route in maps.load("pennsylvania").routes.values()} != {"blue"}


def test_the_spaces_of_a_made_up_print_lie_where_the_art_has_them(shared: Path) -> None:
    told = made_prints.repainted("usa", 3)[1]
    board = examples.board_of({"board": "usa", "texture": "art", "print": told})
    assert (spaces.layout(board).centres == spaces.layout(art_print("usa").board).centres).all()


def test_a_boards_own_print_is_rendered_and_never_drawn_flat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        made_prints.main(["--own-print", "--out", str(tmp_path)])
    assert "--python" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())

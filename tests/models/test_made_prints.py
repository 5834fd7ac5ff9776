"""Prints that nobody printed: every one looks another way, and its truth tells which track has which colour."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import maps
from models.training import examples, made_prints
from models.training.art_prints import art_print
from vision import light, spaces

# Pixels that differ by so much, of 3 x 255, are of another colour to anybody.
OTHER = 60


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
    drawn = {
        kind: made_prints.space(look, ink, kind, (260, 180), np.random.default_rng(6)).astype(int)
        for kind in ("plain", "tunnel", "ferry")
    }
    assert {picture.shape for picture in drawn.values()} == {(180, 260, 4)}
    off = {kind: np.abs(picture - drawn["plain"])[..., :3].sum(2) > OTHER for kind, picture in drawn.items()}
    middle, rim = (slice(80, 100), slice(120, 140)), (slice(60, 75), slice(120, 140))
    assert {kind for kind, there in off.items() if there[middle].any()} == {"ferry"}
    assert drawn["tunnel"][rim].mean() < drawn["plain"][rim].mean()


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

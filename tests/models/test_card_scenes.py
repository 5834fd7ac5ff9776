"""Scenes that card nets are trained on: the labels have to be true, and what is left out has to stay out."""

from __future__ import annotations

import json
import random
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training import card_art, card_renders, card_scenes, card_tables, ticket_tables
from models.training.card_art import KINDS, Picture
from models.training.card_scenes import CARD, NOTHING, SIZE, STRIDE, TICKET
from vision import sheets
from vision.config import SHEET

CARD_AT = np.array([(120, 90), (280, 90), (280, 193), (120, 193)], np.float32)
RED = (30, 30, 220)
Corners = list[list[float]]


def render(folder: Path, name: str, editions: list[str], over: sheets.Quad | None = None) -> None:
    """A photo of one red card on grey cloth, perhaps with a paper on it."""
    picture = np.full((300, 400, 3), 120, np.uint8)
    cv2.fillConvexPoly(picture, CARD_AT.astype(np.int32), RED)
    what = [{"kind": "card", "name": "red", "quad": CARD_AT.tolist(), "visible": 1.0}]
    if over is not None:
        cv2.fillConvexPoly(picture, over.astype(np.int32), (250, 250, 250))
        what.append({"kind": "paper", "name": None, "quad": over.tolist(), "visible": 1.0})
    cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 98])
    (folder / f"{name}.json").write_text(json.dumps({"editions": editions, "sheets": what}), encoding="utf-8")


def test_cells_tell_whose_they_are() -> None:
    quads = [
        np.array(q, np.float32)
        for q in ([(0, 0), (96, 0), (96, 64), (0, 64)], [(48, 0), (144, 0), (144, 64), (48, 64)])
    ]
    owner = card_scenes._owner(quads, (SIZE, SIZE))
    scene = card_scenes.labelled(np.zeros((SIZE, SIZE, 3), np.uint8), owner, [(CARD, 3), (TICKET, 255)], quads)
    assert scene.kind[2, 2] == CARD
    assert scene.color[2, 2] == 3
    assert scene.kind[2, 8] == TICKET
    assert scene.kind[20, 20] == NOTHING
    assert scene.corners[2, 8] == pytest.approx(quads[1].ravel())


def test_what_hardly_shows_is_neither_right_nor_wrong() -> None:
    under = np.array([(0, 0), (96, 0), (96, 64), (0, 64)], np.float32)
    over = under + np.array([8, 4], np.float32)
    owner = card_scenes._owner([under, over], (SIZE, SIZE))
    scene = card_scenes.labelled(np.zeros((SIZE, SIZE, 3), np.uint8), owner, [(CARD, 0), (CARD, 1)], [under, over])
    assert scene.kind[0, 0] == 255
    assert scene.kind[4, 6] == CARD


def test_a_rendered_photo_is_seen_at_a_size_that_the_finder_knows(tmp_path: Path) -> None:
    render(tmp_path, "one", ["classic"])
    renders = card_scenes.Renders(tmp_path)
    assert renders.refresh() == 1
    seen = 0
    for seed in range(30):
        scene = renders.scene(np.random.default_rng(seed))
        mine = scene.kind == CARD
        if not mine.any():
            continue
        seen += 1
        corners = scene.corners[mine][0].reshape(4, 2).astype(np.float64)
        low, high = card_scenes.LENGTHS
        assert low - 1 <= max(sheets.sides(corners)) <= high + 1
        rows, columns = np.nonzero(mine)
        middle = scene.picture[rows * STRIDE + STRIDE // 2, columns * STRIDE + STRIDE // 2].astype(int)
        # The card is the red thing in the picture, whatever the light.
        assert np.mean(middle[:, 2] > middle[:, 1]) > 0.8
        assert (scene.color[mine] == KINDS.index("red")).all()
    assert seen > 15


def test_editions_that_are_left_out_stay_out(tmp_path: Path) -> None:
    render(tmp_path, "one", ["classic", "germany"])
    render(tmp_path, "two", ["nordic", "united-kingdom"])
    renders = card_scenes.Renders(tmp_path, without=("nordic",))
    assert renders.refresh() == 1
    assert [path.stem for path in renders.usable] == ["one"]


def test_how_much_is_in_sight() -> None:
    under: Corners = [[0, 0], [100, 0], [100, 60], [0, 60]]
    over: Corners = [[50, 0], [150, 0], [150, 60], [50, 60]]
    cut_off: Corners = [[-50, 100], [50, 100], [50, 160], [-50, 160]]
    assert card_renders.visible([under, over, cut_off], (300, 200)) == pytest.approx([0.5, 1, 0.5], abs=0.04)


@pytest.mark.parametrize("seed", range(4))
def test_a_phone_shows_cards_neither_black_nor_burnt_out(seed: int) -> None:
    """However bright the lamp: it exposes for what it looks at."""
    light = np.full((60, 80, 3), 0.02 * 10**seed, np.float32)
    light[20:40, 20:60] *= 3
    hull = np.array([(20, 20), (60, 20), (60, 40), (20, 40)], np.float32)
    card = card_renders.develop(light, hull, random.Random(seed))[22:38, 22:58]
    assert 90 < card.mean() < 245


def test_every_edition_is_in_one_half_of_the_rendered_photos() -> None:
    """Else a fold would be judged on what it was trained on."""
    assert sorted(e for half in card_renders.HALVES for e in half) == sorted(card_art.EDITIONS)


@pytest.mark.parametrize(("part", "corner"), [(0.04, 246), (-0.04, 60)])
def test_a_deck_with_another_edge(part: float, corner: int) -> None:
    """Wider and white all round, or cut off with a frame of its own as wide."""
    card = np.full((card_art.HIGH, card_art.WIDE, 3), 60, np.uint8)
    card[:5], card[-5:], card[:, :7], card[:, -7:] = 200, 200, 200, 200
    edged = card_art.edged(card, part)
    assert edged.shape == card.shape
    assert edged[2, 3].mean() == pytest.approx(corner, abs=3)


def test_a_filled_picture_is_labelled_as_what_fills_it(shared: Path) -> None:
    """A card of some edition, any way up, on the table that the reader lays it on; or something that is none."""
    if not (shared / "prints" / "cards").is_dir():
        pytest.skip("needs the prints of the shared material")
    maker = card_scenes.Maker(("classic", "usa-older"), card_art.tickets())
    told = set()
    for seed in range(12):
        scene = maker._filling(np.random.default_rng(seed))
        told.add(scene.kinds[0])
        assert (scene.picture[4, 4] == SHEET.table).all()
        assert set(np.unique(scene.kind)) <= {NOTHING, scene.kinds[0]}
        middle = scene.kind[SIZE // STRIDE // 2, SIZE // STRIDE // 2]
        assert middle == scene.kinds[0]
    assert {CARD, NOTHING} <= told


@pytest.mark.parametrize(("layout", "number"), [("filling", 1), ("two-rows", 8), ("beside", 6)])
def test_laid_out_cards_tell_where_they_lie(layout: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards of one plain colour each, in sight as much as told, and in the picture."""
    monkeypatch.setattr(ticket_tables, "_tables", list)
    monkeypatch.setattr(card_tables, "_boards", lambda: [np.full((795, 1170, 3), 90, np.uint8)])
    deck: dict[str, Picture] = {
        kind: np.full((161, 250, 3), (20 * n, 90, 250 - 20 * n), np.uint8) for n, kind in enumerate(KINDS)
    }
    image, told = card_tables.table(layout, "plain", deck, 4, np.random.default_rng(3))
    laid = told["cards"]
    assert isinstance(laid, list)
    assert len(laid) == number
    for card in laid:
        assert 0.2 < card["visible"] <= 1.01
        quad = np.array(card["quad"])
        assert (quad.mean(0) > 0).all()
        assert (quad.mean(0) < image.shape[1::-1]).all()

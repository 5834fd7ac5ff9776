"""`cards` and `tunnel --photo`: what is not sure is told, cards of the board only, by the names they have there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from vision import cards
from vision.cards import CardSeen
from vision.config import CARD
from vision.sheets import COLORS

Lay = Callable[..., Path]


@pytest.fixture
def lay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lay:
    """Makes a photo in which the reader sees these cards, each with how sure it is."""

    def laid(*seen: tuple[str, float]) -> Path:
        quad = ((0.0, 0.0), (90.0, 0.0), (90.0, 60.0), (0.0, 60.0))

        def read(_photo: object, allowed: tuple[str, ...] = COLORS) -> list[CardSeen]:
            return [CardSeen(color, sure, quad) for color, sure in seen if color in allowed]

        monkeypatch.setattr(cards, "read_cards", read)
        photo = tmp_path / "cards.jpg"
        cv2.imwrite(str(photo), np.full((200, 300, 3), 90, np.uint8))
        return photo

    return laid


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(list(arguments))
    return code, capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "1. red (98 % sure)\n2. Not sure: perhaps white (62 %)\n3. locomotive (90 % sure)\n"),
        ("fr", "1. rouge (sûr à 98 %)\n2. Pas sûr : peut-être blanc (62 %)\n3. locomotive (sûr à 90 %)\n"),
    ],
)
def test_cards_that_are_not_sure_are_told_so(
    capsys: pytest.CaptureFixture[str], lay: Lay, language: str, told: str
) -> None:
    photo = lay(("red", 0.98), ("white", 0.62), ("locomotive", CARD.doubt))
    assert run(capsys, "cards", str(photo), "--lang", language) == (0, told)


def test_the_json_of_cards_is_that_of_the_contract(capsys: pytest.CaptureFixture[str], lay: Lay) -> None:
    code, out = run(capsys, "cards", str(lay(("red", 0.98), ("white", 0.62))), "--json")
    assert code == 0
    assert [set(card) for card in json.loads(out)["cards"]] == [{"color", "confidence", "quad"}] * 2


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "1. orange (98 % sure)\n2. Ferry card"), ("fr", "1. orange (sûr à 98 %)\n2. carte Ferry")],
)
def test_a_board_has_its_own_cards_and_names(
    capsys: pytest.CaptureFixture[str], lay: Lay, language: str, told: str
) -> None:
    photo = str(lay(("orange", 0.98), ("yellow", 0.97), ("locomotive", 0.98), ("white", 0.99)))
    code, out = run(capsys, "cards", photo, "--board", "san-francisco", "--lang", language)
    assert (code, len(out.splitlines())) == (0, 2)
    assert out.startswith(told)


@pytest.mark.parametrize(
    ("language", "told", "how"),
    [
        ("en", "- blue (not sure: look at it): It does not count", "with --revealed"),
        ("fr", "- bleu (pas sûr : regardez-la) : Elle ne compte pas", "avec --revealed"),
    ],
)
def test_a_photographed_tunnel_tells_what_is_not_sure(
    capsys: pytest.CaptureFixture[str], lay: Lay, language: str, told: str, how: str
) -> None:
    photo = str(lay(("red", 0.98), ("blue", 0.55), ("locomotive", 0.97)))
    asked = ("tunnel", "--variant", "europe", "--played", "red,red", "--photo", photo)
    code, out = run(capsys, *asked, "--lang", language)
    assert code == 0
    assert told in out
    assert how in out

    code, out = run(capsys, *asked, "--json")
    found = json.loads(out)
    assert found["extra"] == 2
    assert [(card["card"], card["doubtful"]) for card in found["revealed"]] == [
        ("red", False), ("blue", True), ("locomotive", False),
    ]  # fmt: skip


def test_cards_told_by_hand_are_not_doubted(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "tunnel", "--variant", "europe", "--played", "red", "--revealed", "red,blue,green")
    assert code == 0
    assert "not sure" not in out
    assert "--revealed" not in out


def test_cards_are_drawn_into_their_photo(capsys: pytest.CaptureFixture[str], lay: Lay, tmp_path: Path) -> None:
    photo, drawn = str(lay(("red", 0.98), ("white", 0.62))), tmp_path / "checked.png"
    assert run(capsys, "cards", photo, "--annotate", str(drawn))[0] == 0
    picture = cv2.imread(str(drawn))
    assert picture is not None
    assert picture.shape[:2] == (1600, 2400)
    code, told = run(capsys, "cards", photo, photo, "--annotate", str(drawn), "--json")
    assert (code, json.loads(told)["error"]["code"]) == (2, "annotate-one")

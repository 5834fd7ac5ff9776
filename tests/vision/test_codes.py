"""Codes: a game packed and unpacked, boxes remembered, with and without zbar."""

from __future__ import annotations

import random
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maps import Trouble
from vision import codes
from vision.config import CODES

READERS = ["opencv", *(["zbar"] if codes.reader() == "zbar" else [])]


def picture(text: str, scale: int = 5) -> codes.Picture:
    code = codes.qr(text)
    return np.asarray(cv2.resize(code, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST), np.uint8)


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=3000), seed=st.integers(0, 99))
def test_a_game_survives_any_order_and_double_scans(data: bytes, seed: int) -> None:
    texts = codes.pack(data)
    scanned = texts * 2
    random.Random(seed).shuffle(scanned)
    assert codes.unpack(["https://example.org", *scanned, ""]) == data
    assert codes.missing(scanned) == []


def test_long_games_take_several_codes_that_qr_stores_densely() -> None:
    data = random.Random(1).randbytes(2000)
    texts = codes.pack(data)
    assert len(texts) > 5
    assert all(set(text) <= set(codes.LETTERS) for text in texts)
    assert len(codes.qr(texts[0])) <= 77


@pytest.mark.parametrize("by", READERS)
def test_what_was_drawn_is_read_again(by: codes.Reader) -> None:
    texts = codes.pack(random.Random(2).randbytes(500))
    seen = [code.text for text in texts for code in codes.decode(picture(text), by)]
    assert codes.unpack(seen) == random.Random(2).randbytes(500)


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda _: [], "code-not-a-game"),
        (lambda _: ["COMPANION:TL", "4 005556 012345"], "code-not-a-game"),
        (lambda texts: texts[1:], "code-parts-missing"),
        (lambda texts: [t.replace("COMPANION:1:", "COMPANION:7:") for t in texts], "code-too-new"),
        (lambda texts: [texts[0][:-3] + "000", *texts[1:]], "code-damaged"),
        (lambda texts: [texts[0] + "é", *texts[1:]], "code-damaged"),
        (lambda texts: [t.replace(t.split(":")[2], "00000000") for t in texts], "code-damaged"),
    ],
)
def test_trouble_is_told(spoil: object, code: str) -> None:
    texts = codes.pack(random.Random(3).randbytes(900))
    with pytest.raises(Trouble) as told:
        codes.unpack(spoil(texts))  # type: ignore[operator]
    assert told.value.code == code


def test_missing_codes_are_numbered() -> None:
    texts = codes.pack(random.Random(4).randbytes(1200))
    assert codes.missing([texts[0], texts[2]]) == [n for n in range(1, len(texts) + 1) if n not in (1, 3)]
    assert codes.missing(["nothing of ours"]) == []


def test_of_two_games_the_last_one_scanned_counts() -> None:
    first, second = codes.pack(b"first game"), codes.pack(b"second game")
    assert codes.unpack([*first, *second]) == b"second game"


def test_a_code_that_grows_without_end_is_refused() -> None:
    huge = codes.pack(b"\0" * (CODES.most_bytes + 1))
    with pytest.raises(Trouble, match="code-damaged"):
        codes.unpack(huge)


def test_boxes_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    assert codes.board_of_box("824968717912") is None
    codes.remember_box("824968717912", "europe")
    codes.remember_box("0824968117910", "usa")
    codes.remember_box("824968717912", "united-kingdom")
    assert codes.board_of_box("824968717912") == "united-kingdom"
    assert codes.boxes() == {"0824968117910": "usa", "824968717912": "united-kingdom"}
    (tmp_path / "boxes.json").write_text("{torn", encoding="utf-8")
    assert codes.boxes() == {}


def ean13(digits: str) -> codes.Picture:
    """A drawn barcode: guards, left half by the first digit's pattern, right half."""
    left = [
        "0001101",
        "0011001",
        "0010011",
        "0111101",
        "0100011",
        "0110001",
        "0101111",
        "0111011",
        "0110111",
        "0001011",
    ]
    patterns = ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"]
    right = ["".join("10"[int(b)] for b in code) for code in left]
    both = {"L": left, "G": [code[::-1] for code in right]}
    bits = "101" + "".join(both[p][int(d)] for p, d in zip(patterns[int(digits[0])], digits[1:7], strict=True))
    bits += "01010" + "".join(right[int(d)] for d in digits[7:]) + "101"
    row = np.array([255 - 255 * int(b) for b in bits], np.uint8)
    bars = np.repeat(np.repeat(row[None], 120, axis=0), 3, axis=1)
    return np.pad(bars, 60, constant_values=255)


@pytest.mark.parametrize("by", READERS)
def test_a_barcode_is_read(by: codes.Reader) -> None:
    (code,) = codes.decode(ean13("4005556012343"), by)
    assert (code.text, code.kind) == ("4005556012343", "barcode")


@pytest.mark.parametrize("by", READERS)
def test_nothing_is_read_from_an_empty_table(by: codes.Reader) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (300, 400, 3)).astype(np.uint8)
    assert codes.decode(noise, by) == []


def test_without_zbar_opencv_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "_zbar", lambda: None)
    assert codes.reader() == "opencv"
    (code,) = codes.decode(picture("COMPANION:TL", 8))
    assert (code.text, code.kind) == ("COMPANION:TL", "qr")

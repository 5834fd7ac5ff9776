from __future__ import annotations

import json
from dataclasses import replace
from typing import Any  # Any: JSON

import pytest

from maps import Trouble
from vision.reading import Reading, RouteReading, StationReading, Stray

READING = Reading(
    "game.jpg",
    "europe",
    ((1.5, 2.0), (90.0, 2.0), (90.0, 60.0), (1.0, 61.0)),
    {
        "amsterdam-essen-yellow": RouteReading("red", 0.9876, ("red", "red", None)),
        "angora-smyrna-orange": RouteReading(None, 0.6, (None, None, None)),
    },
    {"paris": StationReading("blue", 0.91)},
    ("amsterdam-essen-yellow",),
    {"decode": 0.1, "locate": 0.2, "read": 0.1, "total": 0.4},
)


def test_a_reading_is_what_its_document_tells() -> None:
    document = json.loads(json.dumps(READING.to_json()))
    assert Reading.from_json(document) == READING


def test_what_was_moved_covered_or_borrowed_is_told_besides() -> None:
    more = replace(
        READING,
        strays=(Stray("amsterdam-essen-yellow", "red", ((0.4, 0.3), (0.42, 0.31))),),
        covered=("angora-smyrna-orange",),
        borrowed={"amsterdam-essen-yellow": StationReading("green", 0.8)},
        other_print=True,
    )
    document = json.loads(json.dumps(more.to_json()))
    assert document["moved"] == {"amsterdam-essen-yellow": {"color": "red", "from": [[0.4, 0.3], [0.42, 0.31]]}}
    assert document["covered"] == ["angora-smyrna-orange"]
    assert document["stations_on_tracks"]["amsterdam-essen-yellow"]["color"] == "green"
    assert Reading.from_json(document) == more


def test_the_document_has_the_fields_of_the_contract() -> None:
    document = READING.to_json()
    assert set(document) == {"photo", "board", "corners", "routes", "stations", "doubtful", "seconds"}
    assert document["routes"]["amsterdam-essen-yellow"] == {
        "color": "red", "confidence": 0.9876, "spaces": ["red", "red", None],
    }  # fmt: skip
    assert document["stations"] == {"paris": {"color": "blue", "confidence": 0.91}}


def test_a_board_found_by_its_stickers_says_so() -> None:
    by_stickers = replace(READING, found_by="stickers")
    assert by_stickers.to_json()["found_by"] == "stickers"
    assert Reading.from_json(by_stickers.to_json()) == by_stickers


def test_taken_lists_what_somebody_holds() -> None:
    assert READING.taken == {"amsterdam-essen-yellow": "red"}


@pytest.mark.parametrize(
    "spoilt", [{}, {"photo": "x", "board": "usa", "corners": 3, "routes": {}}, {**READING.to_json(), "routes": 1}]
)
def test_what_is_no_reading_is_refused(spoilt: dict[str, Any]) -> None:
    with pytest.raises(Trouble) as trouble:
        Reading.from_json(spoilt)
    assert trouble.value.code == "not-a-reading"

"""Counted claims: moments of games with the number of legal claims and payments, as a second referee counted them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

from companion.rules import VARIANTS, Claim, Position, judge, legal_claims
from tests.play import perft

FILES = sorted(perft.FOLDER.glob("*.json"))


def counted(told: dict[str, Any], name: str) -> Counter[str]:
    return Counter({c.route: len(c.ways) for c in legal_claims(Position.from_json(told), name)})


def difference(mine: Counter[str], theirs: dict[str, int]) -> list[str]:
    """One line for each track that was counted otherwise."""
    return [
        f"{r}: {mine[r]} instead of {theirs.get(r, 0)}" for r in sorted({*mine, *theirs}) if mine[r] != theirs.get(r, 0)
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_every_claim_is_found_and_no_other(file: Path) -> None:
    case = json.loads(file.read_text("utf-8"))
    mine = counted(case["position"], case["player"])
    assert not difference(mine, case["by_route"]), "\n".join(difference(mine, case["by_route"]))
    assert mine.total() == case["claims"] > 0


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_two_claims_deep(file: Path) -> None:
    case = json.loads(file.read_text("utf-8"))
    total = 0
    for route, n in counted(case["position"], case["player"]).items():
        then = perft.after(case["position"], case["player"], route)
        total += n * counted(then, case["next"]).total()
    assert total == case["two_deep"]


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_the_referee_allows_each_claim_that_is_listed(file: Path) -> None:
    case = json.loads(file.read_text("utf-8"))
    position = Position.from_json(case["position"])
    for choice in legal_claims(position, case["player"]):
        assert len({tuple(sorted(w.items())) for w in choice.ways}) == len(choice.ways)
        for way in choice.ways:
            assert judge(position, Claim(case["player"], choice.route, way)).legal, (choice.route, way)


@pytest.mark.parametrize("file", FILES[::4], ids=lambda f: f.stem)
def test_the_numbers_are_still_those_of_the_second_referee(file: Path) -> None:
    case = json.loads(file.read_text("utf-8"))
    assert dict(perft.payments(case["position"], case["player"])) == case["by_route"]


def test_every_variant_has_two_files() -> None:
    assert {f.stem for f in FILES} == {f"{v}-{part}" for v in VARIANTS for part in ("early", "late")}

"""Tickets: opening and later draws, how many are kept, long ones, racks and what stays secret."""

from __future__ import annotations

from typing import Any  # Any: JSON

import pytest

import maps
from companion.rules import VARIANTS
from tests.play.asking import ask, believed, table, why


def ids(variant: str, long: bool | None = None) -> list[str]:
    found = VARIANTS[variant].tickets(maps.load(VARIANTS[variant].board))
    return [t.id for t in found.values() if long is None or t.long == long]


def tickets(variant: str, drawn: int, kept: int, long: int = 0, **more: object) -> dict[str, Any]:
    taken = ids(variant, True)[:long] + ids(variant, False)[: drawn - long]
    return {"action": "draw-tickets", "drawn": taken, "kept": taken[:kept], **more}


# Variant, opening tickets (long ones of them), keep at least; later tickets, keep at least.
DEALS = [
    ("usa", 3, 0, 2, 3, 1), ("usa-1910", 3, 0, 2, 3, 1), ("usa-mega", 5, 0, 3, 4, 1), ("usa-big-cities", 4, 0, 2, 4, 1),
    ("europe", 4, 1, 2, 3, 1), ("legendary-asia", 4, 1, 2, 3, 1), ("united-kingdom", 5, 0, 3, 3, 1),
    ("pennsylvania", 5, 0, 3, 4, 1), ("san-francisco", 2, 0, 1, 2, 1),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "dealt", "long", "keep", "later", "keep_later"), DEALS)
def test_how_many_are_drawn_and_kept(
    variant: str, dealt: int, long: int, keep: int, later: int, keep_later: int
) -> None:
    start = table(variant, "Bruno")
    assert why(start, tickets(variant, dealt, keep, long, opening=True)) == set()
    assert why(start, tickets(variant, dealt, dealt, long, opening=True)) == set()
    assert why(start, tickets(variant, dealt, keep - 1, long, opening=True)) == {"tickets.keep-opening"}
    assert why(start, tickets(variant, dealt + 1, keep, long, opening=True)) == {"tickets.too-many"}
    assert why(start, tickets(variant, dealt - 1, keep, long, opening=True)) == {"tickets.too-few"}
    during = table(variant, "Bruno", tickets=[ids(variant, False)[-1]])
    assert why(during, tickets(variant, later, keep_later)) == set()
    assert why(during, tickets(variant, later, keep_later - 1)) == {"tickets.keep"}
    assert why(during, tickets(variant, later + 1, keep_later)) == {"tickets.too-many"}
    assert why(during, tickets(variant, later, later)) == set()


def test_a_long_ticket_is_dealt_at_the_start_only() -> None:
    assert why(table("europe", "Bruno"), tickets("europe", 4, 2, long=0)) == {"tickets.long-opening"}
    assert why(table("europe", "Bruno"), tickets("europe", 4, 2, long=2)) == {"tickets.long-opening"}
    during = table("europe", "Bruno", tickets=[ids("europe", False)[-1]])
    assert why(during, tickets("europe", 3, 1, long=1)) == {"tickets.long-later"}


def test_the_long_ticket_may_be_refused() -> None:
    deal = tickets("europe", 4, 4, long=1)
    assert why(table("europe", "Bruno"), {**deal, "kept": deal["drawn"][1:3]}) == set()


def test_only_drawn_tickets_are_kept() -> None:
    deal = tickets("usa", 3, 2)
    other = ids("usa")[9]
    assert why(table("usa", "Bruno"), {**deal, "kept": [deal["drawn"][0], other]}) == {"tickets.not-drawn"}
    assert why(table("usa", "Bruno"), {**deal, "kept": [*deal["drawn"], other]}) == {
        "tickets.not-drawn",
        "tickets.kept-more",
    }
    twice = {**deal, "drawn": [deal["drawn"][0]] * 3, "kept": [deal["drawn"][0]] * 2}
    assert why(table("usa", "Bruno"), twice) == {"tickets.twice"}


def test_nobody_draws_what_somebody_holds() -> None:
    position = table("usa", "Bruno")
    deal = tickets("usa", 3, 2)
    position["players"][1]["tickets"] = deal["drawn"][:1]
    assert why(position, deal) == {"tickets.held"}


def test_tickets_of_another_deck_are_not_in_this_game() -> None:
    other = next(t for t in ids("usa-1910") if t not in ids("usa"))
    deal = tickets("usa", 3, 2)
    assert why(table("usa", "Bruno"), {**deal, "drawn": [*deal["drawn"][:2], other]}) == {"tickets.not-in-game"}


def test_secret_tickets_are_told_by_their_number() -> None:
    position = table("usa", "Bruno")
    dealt = {"action": "draw-tickets", "drawn": 3, "opening": True}
    assert why(position, {**dealt, "kept": 2}) == set()
    assert why(position, {**dealt, "kept": 1}) == {"tickets.keep-opening"}


def test_fewer_tickets_than_usual_are_believed() -> None:
    during = table("usa", "Bruno", tickets=[ids("usa")[-1]])
    verdict = ask(during, tickets("usa", 2, 1))
    assert verdict.legal
    assert believed(verdict) == {"short-tickets"}
    assert why(during, tickets("usa", 0, 0)) == {"tickets.none-drawn"}


ASIAN = [{"a": "peking", "b": "calcutta", "points": 12}, {"a": "hanoi", "b": "xian", "points": 8},
         {"a": "kabul", "b": "bombay", "points": 15}, {"a": "lhasa", "b": "canton", "points": 9}]  # fmt: skip


def team(**anna: object) -> dict[str, Any]:
    position = table("asia", "Bruno", members=["Ada", "Alf"], **anna)
    position["players"][1]["members"] = ["Bea", "Bo"]
    return position


def test_a_team_puts_one_kept_ticket_on_the_rack() -> None:
    position = team(tickets=[{"a": "peking", "b": "xian", "points": 3}])
    deal = {"player": "Ada", "action": "draw-tickets", "drawn": ASIAN, "kept": ASIAN[:2]}
    assert ask(position, deal).needs == {"rack": 1}
    assert ask(position, {**deal, "rack": ASIAN[:1]}).complete
    assert why(position, {**deal, "rack": ASIAN[:2]}) == {"tickets.one-to-rack"}
    assert why(position, {**deal, "rack": ASIAN[3:]}) == {"tickets.not-kept"}


def test_revealing_tickets() -> None:
    a, b = ({"a": "peking", "b": "xian", "points": 3}, {"a": "canton", "b": "xian", "points": 5})
    c = {"a": "canton", "b": "peking", "points": 7}
    position = team(tickets=[a, b, c])
    show = {"player": "Ada", "action": "reveal-tickets"}
    assert why(position, {**show, "tickets": [a]}) == set()
    assert why(position, {**show, "tickets": [a, b]}) == set()
    assert why(position, {**show, "tickets": [a, b, c]}) == {"tickets.reveal-number"}
    assert why(position, {**show, "tickets": []}) == {"tickets.reveal-number"}
    assert why(position, {**show, "tickets": [{**a, "points": 4}]}) == {"tickets.not-held"}
    assert believed(ask(team(), {**show, "tickets": [a]})) == {"tickets"}
    usa = {"action": "reveal-tickets", "tickets": ids("usa")[:1]}
    assert why(table("usa", "Bruno"), usa) == {"tickets.no-team"}

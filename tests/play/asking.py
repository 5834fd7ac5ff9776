"""Asks the referee in the JSON of the contract, and gives the keys of the reasons."""

from __future__ import annotations

from typing import Any  # Any: JSON

from companion.rules import Position, Verdict, judge, read_action


def ask(position: dict[str, Any], action: dict[str, Any]) -> Verdict:
    table = Position.from_json(position)
    assert not table.unknown, [str(u) for u in table.unknown]
    return judge(table, read_action({"player": "Anna", **action}, table))


def why(position: dict[str, Any], action: dict[str, Any]) -> set[str]:
    """The keys of all reasons, without `verdict.`; an empty set means legal."""
    return {r.message.key.removeprefix("verdict.") for r in ask(position, action).reasons}


def believed(verdict: Verdict) -> set[str]:
    return {t.key.removeprefix("verdict.trust.") for t in verdict.trust}


def table(variant: str, *others: str, **anna: Any) -> dict[str, Any]:
    """Anna's position among others, each named with a colour of the board; `anna` are her fields."""
    colors = (
        ("purple", "white", "pink", "blue")
        if variant == "san-francisco"
        else ("red", "blue", "green", "yellow", "black")
    )
    names = ("Anna", *others)
    players = [{"name": n, "color": c, "routes": [], "tickets": []} for n, c in zip(names, colors, strict=False)]
    players[0] |= anna
    return {"variant": variant, "players": players}

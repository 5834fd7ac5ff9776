"""The referee: `judge(position, action)` tells whether an action is legal, with every reason if it is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.rules import actions as a
from companion.rules.claims import judge_claim
from companion.rules.depots import judge_depot, judge_warehouse
from companion.rules.draws import judge_draw
from companion.rules.position import Position
from companion.rules.running import entry
from companion.rules.shares import judge_neutral, judge_share
from companion.rules.stations import judge_station
from companion.rules.technologies import judge_technology
from companion.rules.ticket_actions import judge_draw_tickets, judge_reveal, judge_show
from companion.rules.tokens import judge_tourist
from companion.rules.turns import judge_pass, judge_turn
from companion.rules.verdict import Findings, Verdict

_JUDGES: Mapping[type[a.Action], Callable[[Position, Any, Findings], None]] = {
    a.DrawCards: judge_draw,
    a.Claim: judge_claim,
    a.BuildStation: judge_station,
    a.BuyTechnology: judge_technology,
    a.DrawTickets: judge_draw_tickets,
    a.RevealTickets: judge_reveal,
    a.TakeShare: judge_share,
    a.TakeTourist: judge_tourist,
    a.PlaceDepot: judge_depot,
    a.EmptyWarehouse: judge_warehouse,
    a.Pass: judge_pass,
    a.ShowTickets: judge_show,
    a.ShowNeutral: judge_neutral,
}


def judge(position: Position, action: a.Action) -> Verdict:
    """All reasons at once, what must still be told, and what was believed because nobody can see it."""
    entry(position, action.player)
    found = Findings()
    judge_turn(position, action, found)
    _JUDGES[type(action)](position, action, found)
    return found.verdict()

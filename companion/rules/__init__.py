"""The referee: variants, positions, verdicts and scores. Pure functions over frozen dataclasses; knows `maps` only."""

from companion.rules.actions import Action, action_json, read_action
from companion.rules.claims import legal_claims
from companion.rules.position import Player, Position
from companion.rules.problems import problems
from companion.rules.scoring import PlayerScore, ScoreSheet, TicketScore, Trail, longest_trail, score
from companion.rules.tunnels import tunnel
from companion.rules.verdict import Reason, Verdict

__all__ = [
    "Action",
    "Player",
    "PlayerScore",
    "Position",
    "Reason",
    "ScoreSheet",
    "TicketScore",
    "Trail",
    "Verdict",
    "action_json",
    "legal_claims",
    "longest_trail",
    "problems",
    "read_action",
    "score",
    "tunnel",
]

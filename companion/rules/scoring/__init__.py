"""Exact final scores, with the evidence for every line."""

from companion.rules.scoring.final import score
from companion.rules.scoring.sheet import PlayerScore, ScoreSheet, TicketScore
from companion.rules.scoring.trails import Trail, longest_trail

__all__ = ["PlayerScore", "ScoreSheet", "TicketScore", "Trail", "longest_trail", "score"]

"""The referee: variants, positions, verdicts and scores. Pure functions over frozen dataclasses; knows `maps` only."""

from companion.rules.position import Player, Position

__all__ = ["Player", "Position"]

"""Final scores: the lines of all parts for every player, from what they hold at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.rules.referee import problems
from companion.rules.scoring.counting import Counting
from companion.rules.scoring.ranking import ranks, winners
from companion.rules.scoring.sheet import PlayerScore, ScoreSheet
from companion.rules.scoring.trails import NO_TRAIL
from companion.rules.table.position import Position
from companion.rules.table.variant import Bonus, TieBreak


def score(position: Position) -> ScoreSheet:
    """The final scores of a position. Impossible ones are scored as they stand, with warnings."""
    counting = Counting(position)
    counting.warnings += [*position.unknown, *position.remarks, *problems(position)]
    lines: dict[Bonus, Sequence[int]] = {
        part.line: part.count(counting) for part in position.parts if part.has_line(position.board)
    }
    totals = [sum(values[i] for values in lines.values()) for i in counting.everyone]
    first, decided_by = winners(totals, position.variant.ties, _measures(counting))
    places = ranks(totals, first)
    players = tuple(
        PlayerScore(
            name=player.name,
            color=player.color,
            rank=places[i],
            breakdown={line: values[i] for line, values in lines.items()},
            tickets=counting.ticket_scores[i],
            station_choices=counting.station_choices[i],
            longest_path=counting.trails.get(i, NO_TRAIL),
            evidence=tuple(counting.evidence[i]),
        )
        for i, player in enumerate(position.players)
    )
    names = tuple(position.players[i].name for i in first)
    return ScoreSheet(position.variant.id, position.board.id, players, names, decided_by, tuple(counting.warnings))


def _measures(counting: Counting) -> Mapping[TieBreak, Callable[[int], int]]:
    position, players = counting.position, counting.position.players
    return {
        "tickets": lambda i: counting.done[i],
        "stations": lambda i: -len(players[i].stations),
        "longest_path": lambda i: counting.trail(i).length,
        "mountain": lambda i: sum(t.mountain_marks > 0 for t in position.tracks(players[i])),
    }

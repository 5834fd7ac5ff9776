"""The score sheet for a terminal: the table, who has won, then what led to each player's lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

import maps
from companion.lang import say, tell
from companion.rules import PlayerScore, ScoreSheet, TicketScore
from companion.words.names import pair, place, way
from maps import Board

WIDTH = 100


def sheet_text(sheet: ScoreSheet, language: str = "en") -> str:
    """The sheet for a terminal: the table, who has won, then what led to each player's lines."""
    board = maps.load(sheet.board)
    blocks = [_table(sheet, language), _outcome(sheet, language)]
    blocks += ["\n".join(_player(p, board, language)) for p in sheet.players]
    if sheet.warnings:
        told = (_wrapped(tell(w, language), "  ! ") for w in sheet.warnings)
        blocks.append("\n".join([say("score.warnings", language, n=len(sheet.warnings)), *told]))
    return "\n\n".join(blocks)


def _table(sheet: ScoreSheet, language: str) -> str:
    lines = sheet.players[0].breakdown
    rows = [("", [p.name for p in sheet.players])]
    rows += [(say(f"score.{line}", language), [str(p.breakdown[line]) for p in sheet.players]) for line in lines]
    total = (say("score.total", language), [str(p.total) for p in sheet.players])
    rank = (say("score.rank", language), [str(p.rank) for p in sheet.players])
    first = max(len(label) for label, _ in (*rows, total, rank))
    widths = [max(len(row[i]) for _, row in (*rows, total)) for i in range(len(sheet.players))]

    def told(label: str, row: Sequence[str]) -> str:
        cells = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        return "   ".join([label.ljust(first), *cells]).rstrip()

    rule = "-" * (first + sum(w + 3 for w in widths))
    return "\n".join([*(told(*row) for row in rows), rule, told(*total), told(*rank)])


def _outcome(sheet: ScoreSheet, language: str) -> str:
    won = say("score.winners", language, n=len(sheet.winners), names=list(sheet.winners))
    return f"{won} ({say(f'score.by-{sheet.decided_by}', language)})"


def _player(player: PlayerScore, board: Board, language: str) -> Iterator[str]:
    yield player.name
    for ticket in player.tickets:
        yield _wrapped(_ticket(ticket, board, language), "  ")
    for city, track in player.station_choices.items():
        track_name = pair(board, board.routes[track].ends, language)
        yield "  " + say("score.borrows", language, city=place(board, city, language), track=track_name)
    if player.longest_path.length:
        stops = way(board, _stops(player.longest_path.routes, board), language)
        yield _wrapped(say("score.trail", language, n=player.longest_path.length, way=stops), "  ")
    for line in player.evidence:
        yield _wrapped(tell(line, language), "  ")


def _ticket(ticket: TicketScore, board: Board, language: str) -> str:
    ends = pair(board, (ticket.a, ticket.b), language)
    if not ticket.done:
        return say("score.ticket-open", language, n=ticket.counts, ticket=ends)
    stops = way(board, _stops(ticket.via or (), board), language)
    return say("score.ticket-done", language, n=ticket.counts, ticket=ends, way=stops)


def _stops(tracks: Sequence[str], board: Board) -> list[str]:
    """The cities of a walk over tracks, in order."""
    walk = [board.routes[t] for t in tracks]
    if not walk:
        return []
    start = walk[0].a
    # The walk starts at the end that the second track does not touch.
    if len(walk) > 1 and (start in walk[1].ends) and walk[0].b not in walk[1].ends:
        start = walk[0].b
    stops = [start]
    for track in walk:
        stops.append(track.other(stops[-1]))
    return stops


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=" " * (len(indent) + 4))

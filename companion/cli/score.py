"""`companion score`: final scores with everything that led to them."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import maps
from companion.cli.inputs import json_file
from companion.cli.output import DONE, Output, answer_each
from companion.lang import say, tell
from companion.rules import PlayerScore, Position, ScoreSheet, TicketScore, problems, score, sentence
from maps import Board, Trouble

WIDTH = 100
PRACTICE_PICTURE = "practice-annotated.jpg"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("positions", nargs="*", metavar="POSITION.json")
    parser.add_argument("--annotate", default=PRACTICE_PICTURE, metavar="OUT.jpg")


def run(args: argparse.Namespace, out: Output) -> int:
    if not args.positions:
        return _practice(args.annotate, out)
    sheets: list[ScoreSheet] = []

    def answer_one(path: str) -> dict[str, Any]:
        sheets.append(scored(path))
        return sheets[-1].to_json(lambda warning: tell(warning, out.language))

    return answer_each(out, args.positions, answer_one, lambda _: sheet_text(sheets[-1], out.language))


def _practice(picture: str, out: Output) -> int:
    """The main job without anything given: the practice photo read, annotated and scored."""
    # OpenCV and the models load only for the commands that look at pictures.
    from companion.cli.pictures import write_picture
    from companion.practice import FINAL, VARIANT, read_final, told
    from companion.table.snapshot import snapshot
    from vision.annotate import annotate
    from vision.photo import load as load_photo

    reading = read_final()
    write_picture(picture, annotate(load_photo(FINAL), reading, maps.load(reading.board), out.language))
    position, notes = snapshot(reading, VARIANT, told())
    sheet = score(position)
    if out.as_json:
        out.document(sheet.to_json(lambda warning: tell(warning, out.language)))
        return DONE
    out.note(out.say("cli.score.practice", board=position.board.name))
    out.text(sheet_text(sheet, out.language))
    for note in notes:
        out.text(tell(note, out.language))
    out.note(out.say("cli.score.annotated", picture=picture))
    return DONE


def scored(path: str) -> ScoreSheet:
    """The score sheet of a position in a file; Trouble if it can't be read or names what nobody knows."""
    position = Position.from_json(json_file(path))
    if position.unknown:
        raise Trouble("bad-position", problems=sentence([*position.unknown, *problems(position)]))
    return score(position)


def answer(path: str, language: str = "en") -> dict[str, Any]:
    """`score` of the contract for a position in a file."""
    return scored(path).to_json(lambda warning: tell(warning, language))


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
        pair = _names(board.routes[track].ends, board, language)
        yield "  " + say("score.borrows", language, city=board.place_name(city, language), track=pair)
    if player.longest_path.length:
        way = _names(_stops(player.longest_path.routes, board), board, language)
        yield _wrapped(say("score.trail", language, n=player.longest_path.length, way=way), "  ")
    for line in player.evidence:
        yield _wrapped(tell(line, language), "  ")


def _ticket(ticket: TicketScore, board: Board, language: str) -> str:
    pair = _names((ticket.a, ticket.b), board, language)
    if not ticket.done:
        return say("score.ticket-open", language, n=ticket.counts, ticket=pair)
    way = _names(_stops(ticket.via or (), board), board, language)
    return say("score.ticket-done", language, n=ticket.counts, ticket=pair, way=way)


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


def _names(places: Iterable[str], board: Board, language: str) -> str:
    return " - ".join(board.place_name(p, language) for p in places)


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=" " * (len(indent) + 4))

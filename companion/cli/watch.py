"""`companion watch`: follows a game through a film or a camera, and judges what happens."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any  # Any: JSON

from companion.cli.inputs import existing_file, json_file, known_id, names
from companion.cli.output import DONE, Output
from companion.cli.progress import Bar
from companion.lang import say, tell
from companion.rules import Player, Position, Setup, find_variant, variants_of
from companion.table.game import Game
from companion.table.watched import Told, Watched, lying
from companion.words import event_text, spot
from maps import Board, Trouble, available, load
from vision.event import Event, Expected

if TYPE_CHECKING:
    from vision.film import Source
    from vision.reading import Reading


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("film", metavar="FILM")
    parser.add_argument("--variant", metavar="ID")
    parser.add_argument("--colors", metavar="C,C")
    parser.add_argument("--start", metavar="POSITION.json")
    parser.add_argument("--journal", metavar="GAME.jsonl")
    parser.add_argument("--follow", action="store_true")


def run(args: argparse.Namespace, out: Output) -> int:
    # OpenCV and the models load only for the commands that look at pictures.
    from vision.film import open_camera, open_film

    known = _known(args)
    if args.journal and Path(args.journal).exists():
        raise Trouble("journal-exists", file=args.journal)
    source = open_camera(int(args.film)) if args.film.isdigit() else open_film(existing_file(args.film))
    with TemporaryDirectory(prefix="companion-watch-") as folder:
        session, seconds = _watched(source, known, Path(folder) / "game.jsonl", args, out)
        if args.journal:
            session.keep(Path(args.journal))
            out.note(out.say("watch.journal", file=args.journal))
        if not out.as_json:
            out.text(session.text(source))
        elif not args.follow:
            out.document({**session.answer(source), "seconds": seconds})
    return DONE


@dataclass(frozen=True)
class _Known:
    """What is known before the film begins. `colors` None: whoever lays wagons plays."""

    variant: str | None = None
    board: str | None = None
    colors: tuple[str, ...] | None = None
    position: Position | None = None


def _known(args: argparse.Namespace) -> _Known:
    if args.start:
        if args.colors:
            raise Trouble("colors-and-start")
        position = Position.from_json(json_file(args.start))
        if args.variant and args.variant != position.variant.id:
            raise Trouble("other-variant", told=args.variant, start=position.variant.id)
        return _Known(position.variant.id, position.board.id, tuple(p.color for p in position.players), position)
    board = find_variant(args.variant)[1] if args.variant else None
    colors = None
    if args.colors:
        every = tuple(dict.fromkeys(c for b in available() for c in load(b).wagon_colors))
        known = board.wagon_colors if board else every
        colors = tuple(dict.fromkeys(known_id("color", color, known) for color in names(args.colors)))
    return _Known(args.variant, board.id if board else None, colors)


def _watched(
    source: Source, known: _Known, journal: Path, args: argparse.Namespace, out: Output
) -> tuple[_Session, dict[str, float]]:
    """Watches to the film's end, or until somebody stops it. Trouble, if no board was seen."""
    from vision.watcher import Watcher

    lies = None if known.position is None else lying(known.position)
    seats = None if known.colors is None else len(known.colors)
    watcher = Watcher(known.board, lies, Expected(known.colors, seats), background=source.live)
    session: _Session | None = None
    began, frames = time.perf_counter(), 0
    shown = source.length and not args.follow
    try:
        with Bar(out.say("watch.watching")) if shown else nullcontext() as bar:
            for seconds, frame in source.frames():
                frames += 1
                found = watcher.update(frame, seconds)
                if session is None and watcher.board is not None and watcher.start is not None:
                    session = _Session(known, watcher.board, watcher.start, watcher.unsure, journal, args, out)
                    watcher.expect(session.expected)
                if session is not None and found:
                    session.hear(found)
                    watcher.expect(session.expected)
                if bar is not None:
                    bar(round(seconds), round(source.length))
    except KeyboardInterrupt:
        out.note("")
    finally:
        watcher.close()
    if session is None:
        raise Trouble("no-board-watched", nothing_seen=True)
    session.reading = watcher.reading
    total = time.perf_counter() - began
    return session, {"total": round(total, 3), "per_frame": round(total / max(frames, 1), 4)}


class _Session:
    """A game being watched, from the moment at which the board is known."""

    def __init__(
        self,
        known: _Known,
        board: Board,
        start: dict[str, str],
        unsure: dict[str, str],
        journal: Path,
        args: argparse.Namespace,
        out: Output,
    ) -> None:
        for color in known.colors or ():
            known_id("color", color, board.wagon_colors)
        self.known, self.board, self.start, self.args, self.out = known, board, dict(start), args, out
        # What may lie there at the start: a person should look.
        self.unsure = dict(unsure)
        self.events: list[Event] = []
        self.told: list[Told] = []
        self.reading: Reading | None = None
        # Whoever is not told may still come: with everybody at the table no double route is closed.
        self.watched = Watched(self._game(journal, known.colors or board.wagon_colors))
        self.watched.begin(self.start, args.film)
        if args.follow and not out.as_json:
            self._print(self._begins)

    @property
    def expected(self) -> Expected:
        """What the camera may expect, where it is known who plays."""
        return Expected() if self.known.colors is None else self.watched.expected

    def hear(self, events: Sequence[Event]) -> None:
        """What has happened."""
        for event in events:
            self.events.append(event)
            told = self.watched.take(event)
            self.told += told
            for one in told if self.args.follow else ():
                self._print(json.dumps(self._json(one), ensure_ascii=False) if self.out.as_json else self._line(one))

    def keep(self, path: Path) -> None:
        """The game as a journal of its own; without told colours those that were seen play."""
        kept = Watched(self._game(path, self.known.colors or self._seen()))
        kept.begin(self.start, self.args.film)
        for event in self.events:
            kept.take(event)
        if self.reading is not None:
            kept.game.see(self.reading.to_json())
        kept.game.close()

    def answer(self, source: Source) -> dict[str, Any]:
        """The document of `watch` in the contract."""
        built = {place: color for place, color in self.start.items() if place not in self.board.routes}
        return {
            "film": source.name,
            "board": self.board.id,
            "fps": round(source.fps, 3),
            "start": {place: color for place, color in self.start.items() if place in self.board.routes},
            **({"start_stations": built} if built else {}),
            **({"start_unsure": self.unsure} if self.unsure else {}),
            "events": [self._json(told) for told in self.told],
            "end": None if self.reading is None else {**self.reading.to_json(), "photo": source.name},
        }

    def text(self, source: Source) -> str:
        """The film for people: every event, then how it stands."""
        lines = [] if self.args.follow else [self._begins, *(self._line(told) for told in self.told)]
        n, length = len(self.told), round(source.length)
        lines.append(self.out.say("watch.end", n=n, seconds=length) if length else self.out.say("watch.end-live", n=n))
        position = self.watched.game.position
        for player in position.players:
            if player.routes or self.known.colors is not None:
                points, left = player.marked_points or 0, position.wagons_left(player)
                lines.append(self.out.say("watch.score", name=player.name, n=points, wagons=left))
        return "\n".join(lines)

    @property
    def _begins(self) -> str:
        n = sum(place in self.board.routes for place in self.start)
        told = self.out.say("watch.start", board=self.board.name, n=n)
        if not self.unsure:
            return told
        lines = [
            self.out.say("watch.unsure", place=spot(self.board, p, self.out.language), color=self.out.say(f"words.{c}"))
            for p, c in self.unsure.items()
        ]
        return "\n".join([told, *lines])

    def _game(self, path: Path, colors: Sequence[str]) -> Game:
        variant = self.known.variant or variants_of(self.board.id)[0].id
        setup, begins = Setup(keeping="watched"), self.known.position
        if begins is None:
            return Game.new(path, variant, _players(variant, self.board, colors, self.out.language), setup=setup)
        players = [Player(p.name, p.color, members=p.members) for p in begins.players]
        return Game.new(path, variant, players, begins.modules, begins.options, setup)

    def _seen(self) -> list[str]:
        """The colours that were laid, in the board's order; as many more as a game needs at least."""
        laid = {c.removeprefix("depot-") for c in (*self.start.values(), *(e.color for e in self.events))}
        colors = [c for c in self.board.wagon_colors if c in laid]
        spare = [c for c in self.board.wagon_colors if c not in laid]
        return [*colors, *spare[: max(0, min(self.board.players) - len(colors))]]

    def _print(self, line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def _line(self, told: Told) -> str:
        minutes, seconds = divmod(told.event.seconds, 60)
        text = event_text(self.board, told, self.out.language)
        return self.out.say("watch.at", time=f"{int(minutes):2d}:{seconds:04.1f}", text=text)

    def _json(self, told: Told) -> dict[str, Any]:
        event = told.event
        answer: dict[str, Any] = {"seconds": round(event.seconds, 2), "kind": told.kind}
        if told.kind == "camera":
            return {**answer, "kind": "moved", "what": "camera", "route": None, "color": None}
        if not event.place:
            return answer
        answer["route" if event.place in self.board.routes else "city"] = event.place
        answer["color"] = event.color
        if told.player:
            answer["player"] = told.player
        if told.last_round:
            return {**answer, "wagons": told.wagons}
        answer["confidence"] = round(event.confidence, 4)
        if event.origin:
            answer["from"] = event.origin
        if told.verdict is not None:
            wild, language = self.board.cards.wild, self.out.language
            reasons = [{"rule": r.rule, "message": tell(r.message, language, wild)} for r in told.verdict.reasons]
            answer |= {"legal": told.verdict.legal, "reasons": reasons, "points": told.verdict.points}
        return answer


def _players(variant: str, board: Board, colors: Sequence[str], language: str) -> list[Player]:
    """Players called by their colours, in the language of the table; partners where teams play."""
    size = find_variant(variant)[0].team_size
    chosen = {c: say(f"words.{c}", language).capitalize() for c in list(colors)[: max(board.players) // size]}
    members = {c: tuple(f"{name} {n}" for n in range(1, size + 1)) if size > 1 else () for c, name in chosen.items()}
    return [Player(name, color, members=members[color]) for color, name in chosen.items()]

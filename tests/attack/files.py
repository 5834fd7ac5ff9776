"""Attacks on what is on disk: the program killed at any moment, the disk full, bytes torn and flipped."""

from __future__ import annotations

import itertools
import os
import random
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import numpy as np

from companion.rules import DrawCards, DrawnCard, Player
from companion.table.game import Game
from companion.table.history import History, PastGame, PastPlayer
from companion.table.settings import Seat, Settings, load_settings, save_settings
from maps import Trouble
from tests.attack.tally import Tally, bent
from vision import fingerprints, light

PLAYERS = (Player("Anna", "red"), Player("Bruno", "blue"))
BLIND = (DrawnCard("deck"), DrawnCard("deck"))


def draw(game: Game) -> None:
    game.do(DrawCards(game.position.turn, BLIND))


@contextmanager
def full_after(size: int) -> Iterator[None]:
    """A disk on which no file grows beyond a size: the line that reaches it is cut in two, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


def full_disk(tries: int, seed: int) -> Tally:
    """A disk fills up within a line, is freed again, and the table plays on: what was acknowledged is there."""
    tally, rng = Tally("full disk, room again, play on"), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        for n in range(tries):
            path = Path(name) / f"{n}.jsonl"
            with tally.attempt(f"try {n}"):
                game = Game.new(path, "usa", PLAYERS)
                acknowledged = refused = 0
                for _ in range(2):
                    with full_after(path.stat().st_size + rng.randrange(400)):
                        for _ in range(6):
                            try:
                                draw(game)
                                acknowledged += 1
                            except Trouble as trouble:
                                refused += 1
                                tally.expect(trouble.code == "journal-not-written", f"try {n}: {trouble.code}")
                    draw(game)
                    acknowledged += 1
                game.close()
                again = Game.read(path)
                tally.expect(refused > 0, f"try {n}: the disk was never full")
                tally.expect(len(again.entries) == acknowledged, f"try {n}: {acknowledged} became {len(again.entries)}")
                tally.expect(not again.told and not again.problems, f"try {n}: {again.told}")
            path.unlink(missing_ok=True)
    return tally


def _killed(work: Callable[[Callable[[int], None]], None], wait: float, told: int = 0) -> int:
    """Does the work in a process of its own and kills it, a moment after it told so many numbers; the last of them."""
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        with suppress(BaseException):
            work(lambda n: (os.write(outward, n.to_bytes(4, "big")), None)[1])
        os._exit(0)
    os.close(outward)
    said = b""
    while len(said) < 4 * told and (more := os.read(inward, 4)):
        said += more
    time.sleep(wait)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(inward, "rb") as source:
        said += source.read()
    whole = len(said) // 4 * 4
    return int.from_bytes(said[whole - 4 : whole], "big") if whole else 0


def _past(n: int) -> PastGame:
    player = PastPlayer(f"Zoë {n}", "red", 1, n, {"routes": n})
    return PastGame(f"game-{n:06d}", "2026-05-01 20:30", "usa", "usa", (player,), (player.name,))


def _print(n: int, rng: np.random.Generator) -> fingerprints.Fingerprint:
    points = np.full((400, 2), 0.25, np.float32)
    noise = rng.integers(0, 255, (400, 128), np.uint8)
    return fingerprints.Fingerprint("usa", float(n), points, noise, points, noise[:, :32])


class _Kept:
    """One of everything that is written while somebody plays; each round writes its number into all of them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.game, self.print, self.light = folder / "game.jsonl", folder / "usa.npz", folder / "light.npz"
        self.history = History(folder / "history")
        self._noise = np.random.default_rng(seed)
        Game.new(self.game, "usa", PLAYERS).close()
        self.round(0)

    def round(self, n: int) -> None:
        save_settings(Settings(seats=(Seat(str(n), "red"),), game="x" * 3000), self.folder)
        self.history.keep(_past(n))
        _print(n, self._noise).save(self.print)
        light.Reference(np.full((64, 96, 3), n % 250, np.float32), np.zeros((300, 3), np.float32)).save(self.light)

    def rounds(self, begin: int, tell: Callable[[int], None]) -> None:
        game = Game.open(self.game)
        tell(begin)
        for n in itertools.count(begin + 1):
            draw(game)
            self.round(n)
            tell(n)

    def found(self) -> dict[str, int]:
        light.load_reference(self.light)
        return {
            "settings": int(load_settings(self.folder).seats[0].name),
            "history": max(p.players[0].total for p in self.history.games()),
            "enrolment": int(fingerprints.read(self.print).aspect),
        }


def kills(tries: int, seed: int) -> Tally:
    """kill -9 while a journal, settings, the history and an enrolment are written in turn, again and again."""
    tally, rng = Tally("kill -9: journal, settings, history, enrolment"), random.Random(seed)
    for start in range(0, tries, 50):
        with tempfile.TemporaryDirectory() as name:
            kept = _Kept(Path(name), seed)
            for n in range(start, min(start + 50, tries)):
                with tally.attempt(f"kill {n}"):
                    before, lines = kept.found(), len(Game.read(kept.game).entries)
                    begin = max(before.values())
                    said = _killed(partial(kept.rounds, begin), rng.uniform(0.0, 0.05), rng.choice((1, 1, 1, 2)))
                    rounds = said - begin
                    game = Game.open(kept.game)
                    tally.expect(not game.problems, f"kill {n}: {len(game.problems)} entries don't fit")
                    tally.expect(len(game.entries) - lines in (rounds, rounds + 1), f"kill {n}: journal")
                    game.close()
                    for what, number in kept.found().items():
                        fine = (said, said + 1) if rounds else (before[what], begin + 1)
                        tally.expect(number in fine, f"kill {n}: {what} has {number}, not {fine}")
    return tally


def torn_and_flipped(tries: int, seed: int) -> Tally:
    """A journal cut anywhere, or with bytes changed: it opens, says what is wrong, and takes new lines."""
    tally, rng = Tally("journal torn, bytes flipped"), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "game.jsonl"
        game = Game.new(path, "usa", PLAYERS)
        for n in range(12):
            draw(game)
            if n % 4 == 3:
                game.undo()
                game.redo()
        game.close()
        data = path.read_bytes()
        for n in range(tries):
            path.write_bytes(data[: rng.randrange(len(data))] if n % 2 else bent(data, rng))
            with tally.attempt(f"try {n}", fine=(Trouble,)):
                game = Game.open(path)
                known = len(game.entries)
                game.do(DrawCards(game.position.turn, BLIND), accept=True)
                game.close()
                again = Game.read(path)
                tally.expect(len(again.entries) == known + 1, f"try {n}: the new line is lost")
    return tally

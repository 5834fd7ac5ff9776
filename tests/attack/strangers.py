"""Attacks by what comes from strangers: QR parcels, histories, journals, JSON of every command, boards."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: JSON

import maps
from companion.rules import Player, Position, judge, read_action, score
from companion.table.game import Game
from companion.table.history import History, PastGame, PastPlayer, as_csv, as_json, read_game
from companion.table.parcel import Parcel
from maps import Trouble
from maps.files import read_folder
from maps.given import cell, read_json
from tests.attack.tally import Tally, bent
from vision import codes

# Values that break programs: of the wrong kind, too long, too deep, too large, in every script.
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 10**15, -(10**40), 10**4299, 1.5, 1e308, "", "x" * 5000, "\x00", "\ud800", "🚂" * 40, "../../x",
    "=cmd()", "\u202eevil", "ﷺ", "日本", "%s{0}", [], {}, [[]], {"": {}}, [None] * 50, {"id": {"id": []}}, "red", "usa",
)  # fmt: skip


def spoilt(value: object, rng: random.Random, depth: int = 0) -> Any:
    """A JSON value with something odd somewhere in it."""
    if depth > 6 or rng.random() < 0.12:
        return rng.choice(ODD)
    if isinstance(value, dict) and value:
        found = dict(value)
        key = rng.choice(list(found))
        way = rng.randrange(6)
        if way == 0:
            del found[key]
        elif way == 1:
            found[str(rng.choice(ODD))] = found[key]
        else:
            found[key] = spoilt(found[key], rng, depth + 1)
        return found
    if isinstance(value, list) and value:
        items = list(value)
        at = rng.randrange(len(items))
        way = rng.randrange(6)
        if way == 0:
            del items[at]
        elif way == 1:
            items += items * rng.choice((1, 3))
        else:
            items[at] = spoilt(items[at], rng, depth + 1)
        return items
    return rng.choice(ODD)


def as_text(value: object, rng: random.Random) -> str:
    """Its JSON, now and then with a number or a depth that Python itself would not write."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5, default=str)
    if rng.random() < 0.08:
        odd = rng.choice(
            ("1e999", "-1e999", "NaN", "9" * 5000, "[" * 3000, '"\\ud800"', "{" * 50 + "}" * 50, "1e", "tru")
        )
        at = rng.randrange(len(text) + 1)
        text = text[:at] + odd + text[at:]
    return text


def past(n: int = 1) -> PastGame:
    players = (PastPlayer("Zoë", "red", 1, 90 + n, {"routes": 90}), PastPlayer("Bo", "blue", 2, 40, {"routes": 40}))
    position = {"variant": "usa", "players": [{"name": "Zoë", "color": "red"}, {"name": "Bo", "color": "blue"}]}
    return PastGame(f"20260501-2030{n:02d}-000", "2026-05-01 20:30", "usa", "usa", players, ("Zoë",), position)


def running(folder: Path) -> Game:
    game = Game.new(folder / "game.jsonl", "europe", [Player("Ada", "red"), Player("Bo", "blue")])
    told = {"action": "claim", "player": "Ada", "route": "amsterdam-essen-yellow", "cards": {"yellow": 3}}
    game.do(read_action(told, game.position))
    game.undo()
    game.redo()
    game.close()
    return game


def parcels(tries: int, seed: int) -> Tally:
    """QR texts and what they hold, bent in every way: a whole game or a sentence, and nothing left on disk."""
    tally, rng = Tally("QR parcels"), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        game = running(Path(name))
        parcel = json.loads(Parcel.of(game).pack())
        finished = {"finished": asdict(past())}
        good = codes.pack(Parcel.of(game).pack())
        target = Path(name) / "arrived.jsonl"
        for n in range(tries):
            way = rng.randrange(3)
            with tally.attempt(f"parcel {n}", fine=(Trouble,)):
                if way == 0:
                    texts = [bent(text.encode(), rng).decode("utf-8", "replace") for text in good]
                    numbers = (
                        [rng.choice(("0", "1", "2", "500", "501", "9" * 9, "9" * 5000)) for _ in range(2)]
                        if n % 5
                        else []
                    )
                    if numbers:
                        texts.append(":".join(["COMPANION", "1", "AAAAAAAA", *numbers, "00"]))
                    codes.missing(texts)
                    data = codes.unpack(texts)
                else:
                    spoiled = as_text(spoilt(finished if way == 1 else parcel, rng), rng)
                    data = spoiled.encode("utf-8", "surrogatepass")
                arrived = Parcel.unpack(data)
                if arrived.finished is not None:
                    History(Path(name) / "history").keep(arrived.finished)
                else:
                    arrived.write(target).close()
            left = [p.name for p in Path(name).iterdir() if p.suffix == ".part"]
            tally.expect(not left, f"parcel {n}: left {left}")
            target.unlink(missing_ok=True)
    return tally


def histories(tries: int, seed: int) -> Tally:
    """Exports, JSON and CSV, bent in every way: all games of a file or none, and those there stay in sight."""
    tally, rng = Tally("history files"), random.Random(seed)
    games = [past(n) for n in range(3)]
    whole, table = json.loads(as_json(games)), as_csv(games)
    for n in range(tries):
        with tempfile.TemporaryDirectory() as name:
            history = History(Path(name) / "history")
            history.keep(past(50))
            file = Path(name) / ("games.csv" if n % 3 == 0 else "games.json")
            if n % 3 == 0:
                file.write_bytes(bent(table.encode(), rng))
            else:
                file.write_text(as_text(spoilt(whole, rng), rng), "utf-8", "surrogatepass")
            added = 0
            with tally.attempt(f"history {n}", fine=(Trouble,)):
                added = history.take_in(file)
            with tally.attempt(f"history {n} read again"):
                found = history.games()
                tally.expect(len(found) == added + 1 and not history.damaged, f"history {n}: {len(found)}, {added} new")
                tally.expect(past(50) in found, f"history {n}: an old game is gone")
                for row in as_csv(found).splitlines():
                    tally.expect(not row.startswith(("=", "+", "-", "@")), f"history {n}: {row}")
    return tally


def _json_of(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*.json") if "position" not in p.name)


@lru_cache(maxsize=1)
def _positions() -> list[dict[str, Any]]:
    folder = Path(__file__).parent.parent / "games"
    found = (json.loads(p.read_text("utf-8")) for p in sorted(folder.rglob("*.json")))
    return [p for p in found if isinstance(p, dict) and "players" in p]


def malformed_json(tries: int, seed: int) -> Tally:
    """Positions, actions and lines of journals with something odd in them: an answer or a sentence."""
    tally, rng = Tally("malformed JSON: positions, actions, journals, finished games"), random.Random(seed)
    small = Position.from_json(
        {"variant": "europe", "players": [{"name": "Ada", "color": "red"}, {"name": "Bo", "color": "blue"}]}
    )
    position = small.to_json()
    action = {"action": "claim", "player": "Ada", "route": "amsterdam-essen-yellow", "cards": {"yellow": 3}}

    def as_position(told: object) -> None:
        score(Position.from_json(told))

    def as_action(told: object) -> None:
        judge(small, read_action(told, small))

    kinds: list[tuple[Any, Callable[[Any], object], tuple[type[BaseException], ...]]] = [
        (position, as_position, (Trouble,)),
        (action, as_action, (Trouble,)),
        (asdict(past()), read_game, (ValueError, KeyError, TypeError)),
    ]
    for n in range(tries):
        whole, work, fine = kinds[n % len(kinds)]
        text = as_text(spoilt(whole, rng), rng)
        with tally.attempt(f"JSON {n}: {text[:300]}", fine=fine):
            try:
                told = read_json(text) if n % 2 else json.loads(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(told, dict):
                work(told)
    return tally


def _small_board() -> dict[str, Any]:
    folder = Path(maps.__file__).parent / "usa"
    return {part: json.loads((folder / f"{part}.json").read_text("utf-8")) for part in maps.files.PARTS}


def boards(tries: int, seed: int) -> Tally:
    """Boards of one's own with something odd in them: a board, or its problems by name."""
    tally, rng = Tally("boards of one's own"), random.Random(seed)
    whole = _small_board()
    whole["meta"]["id"] = "mine"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "mine"
        folder.mkdir()
        for n in range(tries):
            spoiled = dict(whole)
            part = rng.choice(list(spoiled))
            spoiled[part] = spoilt(spoiled[part], rng)
            for file, told in spoiled.items():
                text = as_text(told, rng) if file == part else json.dumps(told)
                (folder / f"{file}.json").write_text(text, "utf-8", "surrogatepass")
            with tally.attempt(f"board {n}"):
                board, problems = read_folder(folder)
                tally.expect((board is None) == bool(problems), f"board {n}: neither a board nor a problem")
    return tally


def cells() -> Iterator[str]:
    for sign in "=+-@\t\r\n＝＋－＠":
        for before in ("", " ", "\t", "\r", "'", "''", "\u00a0"):
            yield cell(f"{before}{sign}1")

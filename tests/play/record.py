"""Records the games of tests/games: `python -m tests.play.record` plays until all that is demanded has been shown.

With ids of variants only their own games are recorded, for a new one, and then what no game shows yet.

The games are simulated, so nobody's evening is published; what they score is what the second scorer counts.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any  # Any: JSON

from companion import rules as a
from companion.rules import (
    DEPOTS,
    VARIANTS,
    Player,
    Position,
    Setup,
    Variant,
    find_variant,
    longest_trail,
    play,
    score,
)
from companion.table.game import Game
from maps import GRAY, Ticket, load
from tests.play import naive
from tests.play.bots import play_out
from tests.play.features import demanded, shown, tie
from tests.play.simulate import Simulation, TokensLaid

FOLDER = Path(__file__).resolve().parents[1] / "games"


def on_disk(path: Path, simulation: Simulation, slips: bool = False) -> Game:
    """The game as a journal; with slips, moves are taken back and an entry is put right."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    modules, options = simulation.modules, simulation.options
    game = Game.new(path, simulation.variant, simulation.players, modules, options, simulation.setup)
    for i, (action, outcome) in enumerate(simulation.log):
        assert game.do(action, outcome).complete
        if slips and i % 37 == 20:
            game.undo()
            game.redo()
        if slips and i == 50:
            game.correct(game.entries[-1].id, action, outcome)
    assert game.position == simulation.position
    return game


def expected(game: Game) -> dict[str, Any]:
    """What the second scorer makes of the end, in the words of the score sheet."""
    counted = naive.recount(game.position.to_json())
    sheet = game.score()
    players = [
        {"name": p.name, "total": c["total"], "breakdown": c["lines"]}
        for p, c in zip(sheet.players, counted["players"], strict=True)
    ]
    differ = [(p["breakdown"], dict(s.breakdown)) for p, s in zip(players, sheet.players, strict=True)]
    assert all(ours == theirs for ours, theirs in differ), f"the second scorer and the rules count otherwise: {differ}"
    assert counted["winners"] == list(sheet.winners), f"the second scorer says that {counted['winners']} won"
    return {
        "players": players,
        "winners": counted["winners"],
        "decided_by": sheet.decided_by,
        "warnings": len(sheet.warnings),
    }


def keep(name: str, simulation: Simulation, slips: bool = False) -> None:
    path = FOLDER / simulation.variant / f"{name}.jsonl"
    write_expected(on_disk(path, simulation, slips))


def write_expected(game: Game) -> None:
    path = game.journal.path
    path.with_suffix(".json").write_text(json.dumps(expected(game), ensure_ascii=False, indent=1) + "\n", "utf-8")
    print("kept", path.relative_to(FOLDER), len(game.entries), flush=True)


def features(simulation: Simulation) -> set[str]:
    with tempfile.TemporaryDirectory() as folder:
        return shown(on_disk(Path(folder) / "game.jsonl", simulation))


def tied(variant: str, rule: str) -> Simulation:
    """A game that ends level and is decided by this rule: another deal of opening tickets over the same play."""
    for seed in range(2000):
        game = play_out(Simulation(variant, load(VARIANTS[variant].board).players[0], seed))
        if not _can_decide(game.position, rule):
            continue
        for deal in level_deals(game, random.Random(seed)):
            other = dealt_anew(game, deal)
            if score(other.position).decided_by == rule:
                return other
    raise SystemExit(f"{variant}: nothing was decided by {rule}")


def _can_decide(position: Position, rule: str) -> bool:
    """Whether both are equal in all that comes before this rule, and differ in it."""
    measures: dict[str, Callable[[Player], int]] = {
        "stations": lambda p: len(p.stations),
        "longest_path": lambda p: longest_trail(position.tracks(p)).length,
        "mountain": lambda p: sum(r.mountain_marks > 0 for r in position.tracks(p)),
    }
    for measure in position.variant.ties[1:]:
        if rule == "tickets":
            return True
        first, second = (measures[measure](p) for p in position.players)
        if first != second:
            return measure == rule
    return rule in ("shared", "tickets")


Deal = dict[str, tuple[Ticket, ...]]


def named(draw: a.DrawTickets) -> tuple[Ticket, ...]:
    """The tickets drawn: simulated games name them all."""
    assert not isinstance(draw.drawn, int)
    return draw.drawn


def level_deals(game: Simulation, rng: random.Random) -> Iterator[Deal]:
    """Opening tickets for the two players that should leave both with the same total."""
    position = game.position
    opening = {x.player: x for x, _ in game.log if isinstance(x, a.DrawTickets) and x.player not in _later(game, x)}
    held = {p.name: [t for t in p.tickets if t not in named(opening[p.name])] for p in position.players}
    gone = {t for x, _ in game.log if isinstance(x, a.DrawTickets) and x is not opening[x.player] for t in named(x)}
    pool = [t for t in position.tickets.values() if t not in gone and not t.long]
    bare = replace(position, players=tuple(replace(p, tickets=tuple(held[p.name])) for p in position.players))
    sheets: list[dict[int, list[tuple[Ticket, ...]]]] = []
    for player, line in zip(position.players, score(bare).players, strict=True):
        done = {t: t.points if _joined(position, player, t) else -t.points for t in pool}
        totals: dict[int, list[tuple[Ticket, ...]]] = {}
        likely = [t for t in pool if done[t] > 0] * 4 + pool
        for _ in range(1500):
            n = sum(not t.long for t in named(opening[player.name]))
            drawn = tuple(dict.fromkeys(rng.sample(likely, n + 4)))[:n]
            keep = max(position.variant.keep_opening, n - 1)
            kept = sorted(drawn, key=lambda t: -done[t])[:keep]
            totals.setdefault(line.total + sum(done[t] for t in kept), []).append((*kept, *(set(drawn) - set(kept))))
        sheets.append(totals)
    for total in sheets[0]:
        for first, second in zip(sheets[0][total][:3], sheets[1].get(total, [])[:3], strict=False):
            if not set(first) & set(second):
                yield {position.players[0].name: first, position.players[1].name: second}


def _later(game: Simulation, action: a.DrawTickets) -> set[str]:
    """Who has drawn tickets before this action: their later draws are no opening."""
    before: set[str] = set()
    for other, _ in game.log:
        if other is action:
            break
        if isinstance(other, a.DrawTickets):
            before.add(other.player)
    return before


def _joined(position: Position, player: Player, ticket: Ticket) -> bool:
    reached, more = set(position.board.reach(ticket.a)), True
    while more:
        new = {c for r in position.tracks(player) if set(r.ends) & reached for c in r.ends} - reached
        reached, more = reached | new, bool(new)
    return bool(reached & set(position.board.reach(ticket.b)))


def dealt_anew(game: Simulation, deal: Deal) -> Simulation:
    """The same game with these opening tickets instead; of each deal the last ticket is refused."""
    other = game.clone(0)
    other.log = []
    seen: set[str] = set()
    for action, outcome in game.log:
        if isinstance(action, a.DrawTickets) and action.player not in seen:
            seen.add(action.player)
            drawn = deal[action.player]
            keep = max(game.position.variant.keep_opening, len(drawn) - 1)
            long = tuple(t for t in named(action) if t.long)
            other.log.append((replace(action, drawn=(*long, *drawn), kept=drawn[:keep]), outcome))
        else:
            other.log.append((action, outcome))
    other.position = other.begin
    for action, outcome in other.log:
        other.position = play(other.position, action, outcome)
    return other


def told_at_the_table(simulation: Simulation, path: Path) -> Game:
    """The same game as a table tells it: nobody shows hands, cards or tickets before the end.

    These two play with a rule of their own: the second track of a double route stays open. Once they use it.
    """
    path.unlink(missing_ok=True)
    setup = Setup(simulation.setup.first, opening=True)
    game = Game.new(path, simulation.variant, simulation.players, setup=setup)
    end = simulation.position
    house = _with_wagons_to_spare(end)
    assert house is not None
    for action, _ in simulation.log:
        if isinstance(action, a.DrawTickets):
            drawn, kept = action.numbers
            action = a.DrawTickets(action.player, drawn, kept)
        elif (
            isinstance(action, a.DrawCards)
            and action.player == house.name
            and not any(e.accepted for e in game.entries)
        ):
            action = _second_track(game.position, house) or action
        assert game.do(action, accept=True).legal or game.entries[-1].accepted
    for player in end.players:
        assert game.do(a.ShowTickets(player.name, player.tickets)).complete
    return game


def _with_wagons_to_spare(position: Position) -> Player | None:
    """Somebody who could have laid a few more wagons without calling the last round."""
    others = [p for p in position.players if p.name != position.run.called_by]
    return next((p for p in others if position.wagons_left(p) > 5), None)


def _second_track(position: Position, player: Player) -> a.Claim | None:
    """A short track beside one that the other player holds."""
    for tracks in position.board.groups.values():
        taken = [t for t in tracks if t.id in position.owners]
        free = [t for t in tracks if t.id not in position.owners]
        mine = any(t.id in position.entry(player.name).routes for t in tracks)
        if taken and free and not mine and free[0].length <= 2:
            color = "red" if free[0].color == GRAY else free[0].color
            return a.Claim(player.name, free[0].id, {color: free[0].length})
    return None


TIE_GAMES = {
    "usa": ("tickets", "longest_path", "shared"),
    "europe": ("tickets", "stations", "longest_path", "shared"),
    "legendary-asia": ("tickets", "mountain", "shared"),
    "san-francisco": ("tickets", "shared"),
}


def record_all() -> None:
    for variant_id in VARIANTS:
        shutil.rmtree(FOLDER / variant_id, ignore_errors=True)
    missing = demanded()
    for variant in VARIANTS.values():
        record_variant(variant, missing)
    for variant_id, rules in TIE_GAMES.items():
        for rule in rules:
            if tie(VARIANTS[variant_id], rule) in missing:
                game = tied(variant_id, rule)
                keep(f"tie-{rule.replace('_', '-')}", game)
                missing -= features(game)
    laid = play_out(TokensLaid("san-francisco", 3, 3))
    keep("tokens-laid", laid)
    missing -= features(laid)
    evenings = (play_out(Simulation("usa", 2, seed)) for seed in range(100))
    evening = next(e for e in evenings if _with_wagons_to_spare(e.position))
    house = told_at_the_table(evening, FOLDER / "usa" / "house-rule.jsonl")
    write_expected(house)
    missing -= shown(house)
    record_rest(missing)
    print("still missing:", sorted(missing))


def record_variant(variant: Variant, missing: set[str]) -> None:
    """A game with few players, one at a full table, one for each house option; `missing` loses what they show."""
    counts = load(variant.board).players
    for i, (name, n, modules) in enumerate((("few-players", counts[0], ()), ("full-table", counts[-1], (DEPOTS,)))):
        best = max(
            (play_out(Simulation(variant.id, n, seed, modules)) for seed in range(8)),
            key=lambda s: len(features(s) & missing),
        )
        keep(name, best, slips=i == 0)
        missing -= features(best)
    for option in variant.options:
        game = play_out(Simulation(variant.id, counts[0], 3, (), {option: True}))
        keep(option, game)
        missing -= features(game)


def record_rest(missing: set[str], variants: Iterable[Variant] = VARIANTS.values()) -> None:
    """Plays on, every variant in turn, and keeps each game that shows something new."""
    variants = list(variants)
    for seed in range(100, 600):
        for variant in variants:
            if not missing:
                return
            if variant.team_size == 1 and all("team" in m for m in missing):
                continue
            counts = load(variant.board).players
            game = play_out(Simulation(variant.id, counts[seed % len(counts)], seed, (DEPOTS,) if seed % 2 else ()))
            new = features(game) & missing
            if new:
                keep(f"game-{seed}", game)
                print("  for", sorted(new))
                missing -= new


if __name__ == "__main__":
    wanted = [find_variant(variant)[0] for variant in sys.argv[1:]]
    for new in wanted:
        record_variant(new, demanded())
    if wanted:
        recorded = set().union(*(shown(Game.read(path)) for path in FOLDER.glob("*/*.jsonl")))
        record_rest(demanded() - recorded, wanted)
    else:
        record_all()

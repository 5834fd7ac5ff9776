"""A game on disk: doing, refusing, accepting, undo, redo and corrections; and a machine that tries them all."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.rules import (
    Action,
    BuildStation,
    Claim,
    DrawCards,
    DrawnCard,
    DrawTickets,
    Outcome,
    Player,
    Position,
    Setup,
    ShowTickets,
    judge,
    legal_claims,
    play,
    read_action,
    start,
)
from companion.table.game import Game
from maps import Trouble

TWO = (Player("Anna", "red"), Player("Bruno", "blue"))
BLIND = (DrawnCard("deck"), DrawnCard("deck"))
VANCOUVER = Claim("Anna", "calgary-vancouver-gray", {"red": 3})


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game.new(tmp_path / "game.jsonl", "usa", TWO)


def test_a_legal_action_is_played_and_written(game: Game) -> None:
    verdict = game.do(VANCOUVER)
    assert verdict.complete
    assert game.position.players[0].routes == ("calgary-vancouver-gray",)
    assert [e.action for e in game.entries] == [VANCOUVER]
    assert Game.read(game.journal.path).position == game.position


@pytest.mark.parametrize("opening", [False, True])
def test_a_forgotten_player_changes_no_verdict_of_what_was_told(tmp_path: Path, opening: bool) -> None:
    game = Game.new(tmp_path / "game.jsonl", "usa", TWO, setup=Setup(opening=opening))
    for seat in game.position.run.opening:
        game.do(DrawTickets(seat, 3, 2))
    for seat in ("Anna", "Bruno", "Anna"):
        game.do(DrawCards(seat, BLIND))
    before = game.entries
    assert game.join("Green", "green").legal
    again = Game.read(game.journal.path)
    assert again.entries[:-1] == before
    assert not any(e.accepted for e in again.entries)
    assert not again.problems
    assert (again.position.order, again.position.turn) == (("Anna", "Bruno", "Green"), "Bruno")
    assert again.position.run.opening == (("Green",) if opening else ())
    # One step back, and nobody has joined.
    game.undo()
    assert game.position.order == ("Anna", "Bruno")
    assert not game.join("Anna", "green").legal
    assert game.entries == before


def test_an_illegal_action_changes_nothing(game: Game) -> None:
    before = game.journal.path.read_bytes()
    assert not game.do(Claim("Anna", "calgary-vancouver-gray", {"red": 2})).legal
    assert not game.do(DrawCards("Bruno", BLIND)).legal
    assert game.journal.path.read_bytes() == before
    assert game.entries == ()


def test_a_tunnel_is_written_once_it_is_settled(tmp_path: Path) -> None:
    game = Game.new(tmp_path / "game.jsonl", "europe", TWO)
    laid = Claim("Anna", "madrid-pamplona-white", {"white": 3})
    assert game.do(laid).needs == {"revealed": 3}
    assert game.do(replace(laid, revealed=("white", "red", "red"))).needs == {"extra": 1}
    assert game.entries == ()
    assert game.do(replace(laid, revealed=("white", "red", "red"), extra={"white": 1})).complete
    assert len(game.entries) == 1


def test_the_table_may_accept_what_the_rules_forbid(game: Game) -> None:
    verdict = game.do(DrawCards("Bruno", BLIND), accept=True)
    assert not verdict.legal
    assert game.entries[0].accepted
    assert game.entries[0].fine
    assert game.problems == ()
    assert game.journal.lines[-1]["accepted"] is True
    assert game.position.turn == "Anna"
    game.do(DrawCards("Anna", BLIND), accept=True)
    assert not game.entries[1].accepted


def test_undo_and_redo(game: Game) -> None:
    assert not game.undo()
    assert not game.redo()
    game.do(VANCOUVER)
    after = game.position
    assert game.undo()
    assert game.position == game.begin
    assert game.redo()
    assert game.position == after
    assert not game.redo()
    game.undo()
    game.do(DrawCards("Anna", BLIND))
    assert not game.can_redo
    assert [line.get("undo") for line in game.journal.lines] == [None, True, None, True, None]


def test_correcting_an_entry_judges_everything_after_it_again(game: Game) -> None:
    game.do(VANCOUVER)
    game.do(Claim("Bruno", "calgary-seattle-gray", {"red": 4}))
    first = game.entries[0].id
    verdict = game.correct(first, Claim("Anna", "calgary-seattle-gray", {"blue": 4}))
    assert verdict is not None
    assert verdict.legal
    assert game.entries[0].corrected
    assert [e.verdict.reasons[0].message.key for e in game.problems] == ["verdict.claim.taken"]
    assert game.undo()
    assert not game.problems
    assert game.position.players[0].routes == ("calgary-vancouver-gray",)
    assert game.redo()
    assert len(game.problems) == 1
    assert Game.read(game.journal.path).problems == game.problems


def test_an_entry_can_be_struck_out(game: Game) -> None:
    game.do(VANCOUVER)
    assert game.correct(game.entries[0].id, None) is None
    assert game.entries == ()
    assert game.position == game.begin
    game.undo()
    assert len(game.entries) == 1
    with pytest.raises(Trouble) as trouble:
        game.correct(99, None)
    assert trouble.value.code == "no-such-entry"


def test_what_the_camera_saw_is_kept(game: Game) -> None:
    game.see({"photo": "table.jpg", "routes": {"calgary-vancouver-gray": {"color": "red"}}})
    game.do(VANCOUVER)
    game.close()
    again = Game.open(game.journal.path)
    assert again.seen[0]["photo"] == "table.jpg"
    assert again.position == game.position


def test_a_line_that_makes_no_sense_is_a_problem_not_a_crash(game: Game) -> None:
    for line in (
        {"do": {"action": "fly"}},
        {"do": 7},
        {"correct": 99, "do": {}},
        {"do": {"action": "pass", "player": "Zoé"}},
    ):
        game.journal.append(line)
    game.close()
    again = Game.open(game.journal.path)
    assert len(again.problems) == 3
    assert all(e.problem for e in again.problems)
    assert again.position == game.begin


def test_what_a_table_tells_without_hands_ends_in_a_score(tmp_path: Path) -> None:
    """Only claims, a station and the tickets shown at the end are told; nobody keeps turns."""
    game = Game.new(tmp_path / "game.jsonl", "europe", TWO, setup=Setup(turns=False))
    assert game.do(Claim("Anna", "brest-paris-black", {"black": 3})).complete
    assert game.do(BuildStation("Bruno", "paris", {"red": 1})).complete
    held = game.position.tickets["brest--marseille"]
    assert game.do(ShowTickets("Anna", (held,))).complete
    anna, bruno = game.score().players
    assert anna.breakdown["routes"] == 4
    assert anna.breakdown["tickets"] == -held.points
    assert bruno.breakdown["stations"] == 8


def test_options_modules_and_teams_come_back_from_the_file(tmp_path: Path) -> None:
    teams = (Player("Reds", "red", members=("Anna", "Ada")), Player("Blues", "blue", members=("Bo", "Bea")))
    setup = Setup("Bo", True, True, {n: {"red": 4} for n in ("Anna", "Ada", "Bo", "Bea")}, ("red",) * 5, 2)
    game = Game.new(tmp_path / "g.jsonl", "asia", teams, ("warehouses-depots",), {"rack-cards-back": True}, setup)
    game.close()
    again = Game.open(game.journal.path)
    assert again.begin == game.begin
    assert again.position.variant.give_up_to_rack
    assert again.position.turn == "Bo"
    assert again.position.deck == 110 - 16 - 5 - 2


class Table(RuleBasedStateMachine):
    """Any order of doing, taking back, correcting and starting anew gives what a plain list of actions gives."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        setup = Setup(hands={"Anna": {"red": 40, "locomotive": 9}, "Bruno": {"blue": 40}}, face_up=("red",) * 5)
        self.begin: Position = start("san-francisco", (Player("Anna", "pink"), Player("Bruno", "blue")), setup=setup)
        self.game = Game.new(self.folder / "game.jsonl", "san-francisco", self.begin.players, setup=setup)
        self.begin = self.game.begin
        self.steps: list[list[tuple[Action, Outcome]]] = [[]]
        self.at = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def _played(self) -> Position:
        position = self.begin
        for action, outcome in self.steps[self.at]:
            position = play(position, action, outcome)
        return position

    def _step(self, actions: list[tuple[Action, Outcome]]) -> None:
        self.steps = [*self.steps[: self.at + 1], actions]
        self.at += 1

    def _done(self, action: Action, outcome: Outcome, accept: bool = False) -> None:
        if self.game.do(action, outcome, accept).complete or accept:
            self._step([*self.steps[self.at], (action, outcome)])

    @rule(drawn=st.lists(st.sampled_from(["red", "blue", "locomotive"]), min_size=1, max_size=2))
    def draw_blind(self, drawn: list[str]) -> None:
        cards = tuple(DrawnCard("deck") for _ in drawn)
        self._done(DrawCards(self.game.position.turn, cards), Outcome(tuple(drawn), ()))

    @rule(turned=st.sampled_from(["red", "green"]))
    def draw_open(self, turned: str) -> None:
        open_cards = self.game.position.face_up or ("red",)
        self._done(DrawCards(self.game.position.turn, (DrawnCard("table", open_cards[0]),)), Outcome((), (turned,)))

    @rule(n=st.integers(0, 200))
    def claim(self, n: int) -> None:
        name = self.game.position.turn
        choices = [Claim(name, c.route, w) for c in legal_claims(self.game.position, name) for w in c.ways]
        if choices:
            self._done(choices[n % len(choices)], Outcome(turned=()))

    @rule(kept=st.integers(0, 2))
    def draw_tickets(self, kept: int) -> None:
        self._done(DrawTickets(self.game.position.turn, 2, kept), Outcome())

    @rule(name=st.sampled_from(["Anna", "Bruno"]), n=st.integers(0, 60))
    def accept_anything(self, name: str, n: int) -> None:
        route = sorted(self.begin.board.routes)[n]
        self._done(Claim(name, route, {"black": 2}), Outcome(turned=()), accept=True)

    @rule()
    def undo_then_redo_changes_nothing(self) -> None:
        before = self.game.position
        if self.game.undo():
            assert self.game.redo()
        assert self.game.position == before

    @rule()
    def undo(self) -> None:
        assert self.game.undo() == (self.at > 0)
        self.at = max(0, self.at - 1)

    @rule()
    def redo(self) -> None:
        assert self.game.redo() == (self.at < len(self.steps) - 1)
        self.at = min(len(self.steps) - 1, self.at + 1)

    @precondition(lambda self: self.game.entries)
    @rule(n=st.integers(0, 30), strike=st.booleans())
    def correct(self, n: int, strike: bool) -> None:
        entries = self.game.entries
        entry = entries[n % len(entries)]
        old = self.steps[self.at]
        new: tuple[Action, Outcome] = (DrawCards("Anna", (DrawnCard("deck"),)), Outcome(("red",), ()))
        self.game.correct(entry.id, None if strike else new[0], new[1])
        at = n % len(entries)
        self._step([*old[:at], *([] if strike else [new]), *old[at + 1 :]])

    @rule()
    def start_anew_from_the_file(self) -> None:
        before: object = (self.game.position, self.game.entries, self.game.can_undo, self.game.can_redo)
        self.game.close()
        self.game = Game.open(self.game.journal.path)
        assert (self.game.position, self.game.entries, self.game.can_undo, self.game.can_redo) == before
        assert self.game.told == ()

    @invariant()
    def the_position_is_what_the_actions_make_of_it(self) -> None:
        assert self.game.position == self._played()

    @invariant()
    def every_entry_carries_the_verdict_of_its_moment(self) -> None:
        position = self.begin
        for entry, (action, outcome) in zip(self.game.entries, self.steps[self.at], strict=True):
            assert entry.verdict == judge(position, action)
            position = play(position, action, outcome)


Table.TestCase.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
TestTable = Table.TestCase


def test_a_journal_keeps_the_time_where_somebody_has_a_clock(tmp_path: Path) -> None:
    game = Game.new(tmp_path / "game.jsonl", "usa", [Player("Ada", "red"), Player("Bo", "blue")], setup=Setup())
    draw = {"action": "draw-cards", "player": "Ada", "cards": [{"from": "deck"}, {"from": "deck"}]}
    game.do(read_action(draw, game.position))
    game.clock = lambda: datetime(2026, 5, 1, 20, 41, 7)  # noqa: DTZ001 the clock on the wall
    game.do(read_action({**draw, "player": "Bo"}, game.position))
    assert [game.when(e) for e in game.entries] == [None, datetime(2026, 5, 1, 20, 41, 7)]  # noqa: DTZ001
    # What a stranger wrote there is no time, and no trouble.
    for line in game.journal.lines:
        line["at"] = ["now"] if line["id"] == 1 else "yesterday"
    assert [game.when(e) for e in game.entries] == [None, None]

"""Full games played by chance: real decks with a seed, players who go for their tickets, every action judged first.

The decks here are lists of cards; the rules only count. After every action both must agree, colour by colour.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any  # Any: JSON

from companion import rules as a
from companion.rules import (
    NOTHING,
    SWEEP,
    Outcome,
    Player,
    Position,
    Setup,
    Verdict,
    find_variant,
    judge,
    play,
    played,
    start,
    tokens_per_kind,
)
from maps import LOCOMOTIVE, Board, Ticket

NAMES = ("Anna", "Bruno", "Chloé", "David", "Emma", "Felix")
Do = Callable[[a.Action, Outcome], Verdict]


@dataclass
class Decks:
    """The cards as they lie: what is where, and in which order."""

    rng: random.Random
    board: Board
    sweep_at: int
    room: int
    deck: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    face_up: list[str] = field(default_factory=list)
    warehouses: dict[str, list[str]] = field(default_factory=dict)
    tickets: list[Ticket] = field(default_factory=list)
    long_tickets: list[Ticket] = field(default_factory=list)
    without_depot: bool = False

    def shuffle_all(self) -> None:
        cards = self.board.cards
        self.deck = [c for c in cards.colors for _ in range(cards.per_color)] + [LOCOMOTIVE] * cards.locomotives
        self.rng.shuffle(self.deck)

    def draw(self) -> str | None:
        if not self.deck and self.discard:
            self.deck, self.discard = self.discard, []
            self.rng.shuffle(self.deck)
        elif not self.deck and self.without_depot:
            self.deck = [c for cards in self.warehouses.values() for c in cards]
            self.warehouses = {owner: [] for owner in self.warehouses}
            self.rng.shuffle(self.deck)
        return self.deck.pop() if self.deck else None

    @property
    def has_cards(self) -> bool:
        """Whether a card can be drawn; warehouses help when somebody is out of depots."""
        return bool(self.deck or self.discard or (self.without_depot and any(self.warehouses.values())))

    def turn_up(self) -> list[str]:
        """Fills the open cards; three locomotives sweep them away while five better ones can be had."""
        turned: list[str] = []
        while True:
            while len(self.face_up) < self.room and (card := self.draw()):
                self.face_up.append(card)
                turned.append(card)
            if not self._must_sweep():
                return turned
            self.discard += self.face_up
            self.face_up = []
            turned.append(SWEEP)

    def _must_sweep(self) -> bool:
        if not self.sweep_at or self.face_up.count(LOCOMOTIVE) < self.sweep_at or len(self.face_up) < self.room:
            return False
        left = self.deck + self.discard
        return len(left) >= self.room and sum(c != LOCOMOTIVE for c in left) > self.room - self.sweep_at

    def all_cards(self) -> Counter[str]:
        stored = [c for cards in self.warehouses.values() for c in cards]
        return Counter(self.deck + self.discard + self.face_up + stored)


class Simulation:
    """One game. `do` may be replaced by a game on disk; the position is what the rules make of it."""

    def __init__(
        self, variant: str, n: int, seed: int, modules: tuple[str, ...] = (), options: dict[str, Any] | None = None
    ) -> None:
        self.rng = random.Random(seed)
        rules, board = find_variant(variant)
        rules = played(rules, options or {})
        self.variant, self.modules, self.options = variant, modules, options or {}
        self.players = self._seating(board, rules.team_size, n)
        self.decks = Decks(self.rng, board, rules.sweep_at, rules.face_up)
        self.decks.shuffle_all()
        self.decks.tickets = self._all_tickets(rules.tickets(board), board)
        if rules.opening_long_tickets:
            self.decks.long_tickets = [t for t in self.decks.tickets if t.long]
            self.decks.tickets = [t for t in self.decks.tickets if not t.long]
        self.setup = self._setup(rules, board)
        self.begin = self.position = start(variant, self.players, modules, self.options, self.setup)
        if self.position.has_depots:
            self.decks.warehouses = {p.name: [] for p in self.players}
        self.log: list[tuple[a.Action, Outcome]] = []
        self.watch: Callable[[Simulation], None] | None = None
        self.on_disk: Do | None = None

    def _seating(self, board: Board, team: int, n: int) -> list[Player]:
        colors = self.rng.sample(board.wagon_colors, n // team)
        names = self.rng.sample(NAMES, n)
        if team == 1:
            return [Player(name, color) for name, color in zip(names, colors, strict=True)]
        pairs = [tuple(names[i : i + team]) for i in range(0, n, team)]
        return [Player(" & ".join(pair), color, members=pair) for pair, color in zip(pairs, colors, strict=True)]

    def _all_tickets(self, known: dict[str, Ticket], board: Board) -> list[Ticket]:
        tickets = list(known.values()) or self._made_up_tickets(board)
        self.rng.shuffle(tickets)
        return tickets

    def _made_up_tickets(self, board: Board) -> list[Ticket]:
        """A board whose tickets nobody knows gets some: far cities for more points."""
        cities = sorted(c.id for c in board.cities.values() if not c.junction)
        pairs: set[tuple[str, str]] = set()
        while len(pairs) < board.tickets_unknown:
            pairs.add(tuple(sorted(self.rng.sample(cities, 2))))  # type: ignore[arg-type]
        made = []
        for x, y in sorted(pairs):
            far = abs(board.cities[x].x - board.cities[y].x) + abs(board.cities[x].y - board.cities[y].y)
            made.append(Ticket(f"{x}--{y}", x, y, 3 + round(18 * far)))
        return made

    def _setup(self, rules: Any, board: Board) -> Setup:
        order = [m for p in self.players for m in (p.members or (p.name,))]
        first = self.rng.choice(order)
        hands: dict[str, dict[str, int]] = {}
        for name in order:
            cards = [LOCOMOTIVE] * rules.opening_locomotives
            for _ in cards:
                self.decks.deck.remove(LOCOMOTIVE)
            cards += [self.decks.deck.pop() for _ in range(rules.opening_cards)]
            hands[name] = dict(Counter(cards))
        self.rng.shuffle(self.decks.deck)
        self.decks.turn_up()
        tokens = self._tokens(board, len(self.players)) if rules.tourists else None
        return Setup(first, True, True, hands, tuple(self.decks.face_up), len(self.decks.discard), tokens)

    def _tokens(self, board: Board, players: int) -> dict[str, dict[str, int]]:
        blank = Position(*find_variant(self.variant), players=tuple(Player(str(i)) for i in range(players)))
        printed = [c.id for c in board.cities.values() if c.tokens]
        free = [c for c in board.cities if c not in printed]
        places = printed + self.rng.sample(free, board.tourist_tokens.kinds - len(printed))  # type: ignore[union-attr]
        kinds = [f"kind-{i}" for i in range(len(places))]
        self.rng.shuffle(kinds)
        return {p: {k: n} for p, k, n in zip(places, kinds, tokens_per_kind(blank), strict=True)}

    def do(self, action: a.Action, outcome: Outcome = NOTHING) -> None:
        """Plays an action that must be legal, turns up what is missing, and lets somebody watch."""
        verdict = judge(self.position, action)
        assert verdict.complete, (action, [(r.rule, str(r.message)) for r in verdict.reasons], verdict.needs)
        if outcome.turned is None:
            self.decks.without_depot = any(p.depots_left == 0 for p in self.position.players)
            turned = () if self._before_first_turn() else tuple(self.decks.turn_up())
            outcome = replace(outcome, turned=turned)
        self.position = play(self.position, action, outcome)
        self.log.append((action, outcome))
        if self.on_disk:
            assert self.on_disk(action, outcome).complete
        if self.watch:
            self.watch(self)

    def clone(self, seed: int) -> Simulation:
        """The same game, with other chances from here on."""
        other = copy.copy(self)
        other.rng = random.Random(seed)
        other.log = list(self.log)
        decks = self.decks
        other.decks = replace(
            decks, rng=other.rng, deck=list(decks.deck), discard=list(decks.discard), face_up=list(decks.face_up),
            warehouses={owner: list(cards) for owner, cards in decks.warehouses.items()}, tickets=list(decks.tickets),
            long_tickets=list(decks.long_tickets),
        )  # fmt: skip
        return other

    def _before_first_turn(self) -> bool:
        run = self.position.run
        return bool(run.opening or run.placing)

    def hands(self) -> Counter[str]:
        """All cards in hands and on racks, as the rules see them."""
        found: Counter[str] = Counter()
        for seat in self.position.order:
            hand = self.position.seat(seat).hand
            assert hand is not None
            found.update(hand)
        for player in self.position.players:
            found.update(player.rack or {})
        return found

    def pay(self, cards: dict[str, int]) -> None:
        self.decks.discard += [c for c, n in cards.items() for _ in range(n)]

    def ticket_draw(self, n: int, long: int = 0) -> tuple[Ticket, ...]:
        taken = [self.decks.long_tickets.pop() for _ in range(long)]
        return (*taken, *(self.decks.tickets.pop() for _ in range(min(n, len(self.decks.tickets)))))

    def put_under(self, refused: list[Ticket]) -> None:
        self.decks.tickets[:0] = refused


def conserved(game: Simulation) -> None:
    """Every card, wagon, ticket and share is somewhere, once."""
    position, decks = game.position, game.decks
    cards = position.board.cards
    whole = Counter(dict.fromkeys(cards.colors, cards.per_color)) + Counter({LOCOMOTIVE: cards.locomotives})
    assert decks.all_cards() + game.hands() == whole
    assert (position.deck, position.discard) == (len(decks.deck), len(decks.discard))
    assert Counter(position.face_up) == Counter(decks.face_up)
    run = position.run
    assert run.warehouses == {owner: len(stored) for owner, stored in decks.warehouses.items()}
    assert run.tickets_left == len(decks.tickets)
    for player in position.players:
        used = sum(r.length + r.mountain_marks for r in position.tracks(player))
        assert position.wagons_left(player) + used == position.variant.wagons(position.board)
        assert position.wagons_left(player) >= 0
        if player.members:
            assert sum(run.wagons[m] for m in player.members) == position.wagons_left(player)
    for company in position.board.companies.values():
        numbers = [n for p in position.players for n in p.shares.get(company.id, ())]
        numbers += run.neutral_pile.get(company.id, ())
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
        assert len(numbers) <= company.shares
    for seat in run.tickets:
        team = position.entry(seat)
        assert set(run.tickets[seat]) | set(run.rack_tickets.get(team.name, ())) <= set(team.tickets)


class TokensLaid(Simulation):
    """A game in which players lay the tokens that have no printed place, instead of telling how all of them lie."""

    def _tokens(self, _board: Board, _players: int) -> dict[str, dict[str, int]]:
        return {}

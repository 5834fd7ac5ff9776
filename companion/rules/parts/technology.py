"""Technologies: what a player's cards change, and buying them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal  # Any: JSON

from companion.rules.parts.claim import Claim, claim_price, claimable
from companion.rules.scoring.counting import Counting
from companion.rules.table.action import Action, When
from companion.rules.table.book import Section, line, section
from companion.rules.table.cards import Pile, Price, affordable, ways_of, why_not
from companion.rules.table.fields import ActionReader
from companion.rules.table.names import here_told, route_told
from companion.rules.table.offer import Ask, Told
from companion.rules.table.outcome import NOTHING, Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import Player, Position
from companion.rules.table.supply import refilled
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Reason, Rule, reason
from maps import Board, Message, Route, Text, message


def effects(position: Position, player: Player, effect: str) -> list[int]:
    """The values of an effect among the player's technologies, none if no card has it."""
    held = (position.board.technologies[t] for t in dict.fromkeys(player.technologies))
    return [t.effects[effect] for t in held if effect in t.effects]


def stand_in(position: Position, player: Player) -> int:
    """How many cards stand for one locomotive."""
    return min([position.variant.cards_per_locomotive, *effects(position, player, "cards_per_locomotive")])


def technology_price(position: Position, player: Player, technology: str) -> Price:
    """Locomotives, or what stands for them."""
    due = position.board.technologies[technology].locomotives
    return Price(due, (), due, stand_in(position, player), Rule.BUYING)


def on_sale(position: Position, technology: str) -> int:
    """Copies that nobody holds."""
    held = sum(p.technologies.count(technology) for p in position.players)
    return position.board.technologies[technology].copies - held


@dataclass(frozen=True)
class BuyTechnology(Action):
    """One technology at the start of a turn, before the action."""

    kind: ClassVar[str] = "technology"
    tells: ClassVar[tuple[str, ...]] = ("technology", "cards")
    when: ClassVar[When] = "before"
    technology: str = ""
    cards: Pile = field(default_factory=dict)

    @classmethod
    def read(cls, f: ActionReader) -> BuyTechnology:
        return cls(f.player(), f.known("technology", "technology", f.position.board.technologies), f.pile("cards"))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        sold = (t for t in position.variant.technology_ids(position.board) if _may_buy(position, name, t))

        def payments(told: Told) -> Iterator[Pile]:
            return _payments(position, name, told["technology"])

        useful = [t for t in sold if next(_payments(position, name, t), None) is not None]
        if not position.refereed:
            return (Ask("technology", lambda _: useful),)
        return (
            Ask("technology", lambda _: useful),
            Ask("cards", payments, free=bool(position.variant.cards_per_locomotive)),
        )

    def judge(self, position: Position, found: Findings) -> None:
        here = here_told(position.variant)
        if position.part(Technologies) is None:
            found.no(Rule.BUYING, "technology.none-here", here=here)
            return
        if self.technology not in position.variant.technology_ids(position.board):
            name = position.board.technologies[self.technology].name
            found.no(Rule.BUYING, "technology.not-here", technology=name, here=here)
            return
        _against_buying(position, self.player, self.technology, found)
        player = position.entry(self.player)
        if not position.on_trust(self.player, self.cards, found):
            found.add(*why_not(technology_price(position, player, self.technology), self.cards))
            position.seat(self.player).must_hold(self.cards, found)
        if not found.reasons and not self._has_use(position):
            name = position.board.technologies[self.technology].name
            found.no(Rule.BUYING, "technology.no-use", technology=name)

    def _has_use(self, position: Position) -> bool:
        """A card that works at once must be used at once: some track must be left to claim with it."""
        if not _works_at_once(position, self.technology):
            return True
        seat = replace(position, running=position.run).seat(self.player)
        after = self.play(seat.position, NOTHING).seat(self.player)
        tracks = claimable(after.position, self.player)
        return any(affordable(claim_price(after.position, after.player, r), after.cards) for r in tracks)

    def play(self, position: Position, outcome: Outcome) -> Position:
        position = position.seat(self.player).pay(self.cards)
        player = position.entry(self.player)
        position = position.changed(replace(player, technologies=(*player.technologies, self.technology)))
        return refilled(position.go_on(bought=self.technology), outcome)


def _payments(position: Position, name: str, technology: str) -> Iterator[Pile]:
    """Ways to pay a technology that leave it a use."""
    seat = position.seat(name)
    for cards in ways_of(technology_price(position, seat.player, technology), seat.cards):
        if BuyTechnology(name, technology, cards)._has_use(position):
            yield cards


def _works_at_once(position: Position, technology: str) -> bool:
    return "returned" in position.board.technologies[technology].effects


def _may_buy(position: Position, name: str, technology: str) -> bool:
    found = Findings()
    _against_buying(position, name, technology, found)
    return not found.reasons


def _against_buying(position: Position, name: str, technology_id: str, found: Findings) -> None:
    """What stands against buying this card now, whatever is paid."""
    player, run = position.entry(name), position.run
    technology = position.board.technologies[technology_id]
    if run.bought:
        found.no(Rule.BUYING, "technology.one-a-turn", technology=position.board.technologies[run.bought].name)
    if run.claims:
        found.no(Rule.BUYING, "technology.before-the-action")
    if technology_id in player.technologies:
        found.no(Rule.BUYING, "technology.owned", technology=technology.name)
    elif on_sale(position, technology_id) < 1:
        found.no(Rule.BUYING, "technology.sold-out", technology=technology.name)
    if run.reshuffled and "before_first_reshuffle" in technology.effects:
        found.no(Rule.BUYING, "technology.too-late", technology=technology.name)


@dataclass(frozen=True)
class Technologies(Part):
    """Technologies on sale, and cards that stand for a locomotive.

    What they add to claims can't be told from the board: the marker on the score track replaces the recount.
    """

    line: ClassVar[str] = "technologies"
    actions: ClassVar[tuple[type[Action], ...]] = (BuyTechnology,)
    entries: ClassVar[Mapping[str, tuple[str, ...]]] = {"technologies": ("technologies",)}
    which: Literal["basic", "advanced"]
    cards_per_locomotive: int = 4

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        cards = [board.technologies[t] for t in variant.technology_ids(board)]
        listed = [line("technologies.card", name=t.name, n=t.locomotives, copies=t.copies, does=t.about) for t in cards]
        at_once = [t.name for t in cards if "returned" in t.effects]
        until = [t.name for t in cards if "before_first_reshuffle" in t.effects]
        buying = [line("buying"), line("buying.at-once", names=at_once)]
        return (
            section("technologies", line("technologies.without"), *listed),
            section("buying", *buying, *([line("buying.until", names=until)] if until else [])),
            section("stand-ins", line("stand-ins", n=self.cards_per_locomotive)),
        )

    def numbers(self) -> Mapping[str, Any]:
        return {
            "technologies": self.which,
            "cards_per_locomotive": self.cards_per_locomotive,
            "marked_points_count": True,
        }

    def choices(self) -> tuple[Text, ...]:
        told = (
            Text(
                "A player buys each technology once.",
                "Un joueur n'achète chaque technologie qu'une fois.",
            ),
            Text(
                "Right of Way and Thermocompressor: every route claimed needs its technologies.",
                "Droit de passage et Thermocompresseurs : chaque route prise demande ses technologies.",
            ),
        )
        ties = Text(
            "Risky Contracts and Equalising Beam: a tie for the most counts as the most.",
            "Contrats risqués et Suspension améliorée : une égalité compte comme le plus.",
        )
        return told if self.which == "basic" else (*told, ties)

    def waiting(self, position: Position) -> Callable[[Action], Reason | None] | None:
        """Right of Way and Thermocompressor are used at once: a claim follows the purchase."""
        bought, turn = position.run.bought, position.turn

        def why(action: Action) -> Reason | None:
            if turn and not position.seat(action.player).is_one_with(turn):
                return reason(Rule.TURN, "turn.not-yours", turn=turn, player=action.player)
            if isinstance(action, Claim | BuyTechnology) or action.when == "free":
                return None
            name = position.board.technologies[bought].name
            return reason(Rule.BUYING, "technology.use-it", technology=name)

        return why if bought and _works_at_once(position, bought) and not position.run.claims else None

    def against_track(self, position: Position, name: str, route: Route, found: Findings) -> None:
        player = position.entry(name)
        # Right of Way is for a track that others hold, and for nothing else.
        if route.id not in position.owners:
            for held in (position.board.technologies[t] for t in player.technologies):
                if "claim_occupied" in held.effects:
                    where = route_told(position, route)
                    found.no(Rule.BUYING, "claim.free-track", route=where, technology=held.name)
        for technology in route.technologies:
            if technology not in player.technologies:
                told = position.board.technologies[technology].name
                found.no(Rule.TECHNOLOGIES, "claim.technology", route=route_told(position, route), technology=told)

    def lets_in(self, position: Position, player: Player, route: Route) -> bool:
        """Right of Way lets a player claim what others occupy."""
        return bool(effects(position, player, "claim_occupied"))

    def price(self, position: Position, player: Player, route: Route, price: Price) -> Price:
        """Diesel Power takes one card off, never the last one nor a ferry's locomotives."""
        less = sum(effects(position, player, "cards_less"))
        cards = max(1, price.locomotives, price.cards - less)
        return replace(price, cards=cards, stand_in=stand_in(position, player))

    def claim_points(self, position: Position, player: Player, route: Route) -> int:
        points = sum(effects(position, player, "points_per_claim"))
        return points + (sum(effects(position, player, "points_per_ferry")) if route.kind == "ferry" else 0)

    def most_extra_points(self, position: Position, player: Player) -> int:
        """What technologies may have added to the marker, had they been there from the first claim on."""
        board = position.board
        # With no technology told, any may have been there.
        held = [board.technologies[t] for t in dict.fromkeys(player.technologies)] or [*board.technologies.values()]
        tracks = position.tracks(player)
        ferries = sum(t.kind == "ferry" for t in tracks)
        per_claim = sum(t.effects.get("points_per_claim", 0) for t in held)
        return per_claim * len(tracks) + sum(t.effects.get("points_per_ferry", 0) for t in held) * ferries

    def claims_a_turn(self, position: Position, player: Player) -> int:
        return max([1, *effects(position, player, "claims_this_turn")])

    def blind_draw(self, position: Position, player: Player) -> int:
        """Water Tenders let a player draw more cards blind."""
        return max([0, *effects(position, player, "blind_draw")])

    def turn_over(self, position: Position, name: str) -> Position:
        """Technologies that work at once go back on sale."""
        player = position.entry(name)
        kept = tuple(t for t in player.technologies if "returned" not in position.board.technologies[t].effects)
        return position if kept == player.technologies else position.changed(replace(player, technologies=kept))

    def count(self, counting: Counting) -> Sequence[int]:
        return counting.each(lambda i, player: self._points(counting, i, player))

    def _points(self, counting: Counting, i: int, player: Player) -> int:
        points = 0
        for technology in (counting.board.technologies[t] for t in dict.fromkeys(player.technologies)):
            changes = technology.effects.get("points_per_ticket", 0) * counting.done[i]
            if "most_tickets" in technology.effects:
                changes += _win_or_lose(counting, counting.done, i, technology.effects["most_tickets"])
            if "longest_path" in technology.effects:
                changes += _win_or_lose(counting, counting.lengths, i, technology.effects["longest_path"])
            if changes:
                counting.tell(i, "technology", name=technology.name, n=changes)
            points += changes
        return points

    def problems(self, position: Position) -> Iterator[Message]:
        sold = position.variant.technology_ids(position.board)
        held = Counter(t for p in position.players for t in dict.fromkeys(p.technologies))
        for technology in (position.board.technologies[t] for t in held):
            if technology.id not in sold:
                yield message(
                    "position.technology-not-here", technology=technology.name, here=here_told(position.variant)
                )
            if held[technology.id] > technology.copies:
                yield message("position.technology-copies", technology=technology.name, n=technology.copies)

    def problems_of(self, position: Position, player: Player) -> Iterator[Message]:
        """Cards twice, and tracks that need one which the player has not; where none is told, nobody can say."""
        names = {t.id: t.name for t in position.board.technologies.values()}
        for technology, n in Counter(player.technologies).items():
            if n > 1:
                yield message("position.technology-listed-twice", name=player.name, technology=names[technology])
        if not player.technologies:
            return
        needed = Counter(t for r in position.tracks(player) for t in r.technologies if t not in player.technologies)
        for technology, n in needed.items():
            yield message("position.technology-needed", name=player.name, technology=names[technology], n=n)


def _win_or_lose(counting: Counting, counts: Sequence[int], i: int, stake: int) -> int:
    return stake if counting.to_the_most(counts, 1)[i] else -stake

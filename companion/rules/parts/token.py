"""Tourist tokens: piles laid at the start; one is taken at an end of each track claimed, every kind once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar  # Any: JSON

from companion.rules.scoring.counting import Counting
from companion.rules.table.action import Action, When
from companion.rules.table.book import Section, line, section
from companion.rules.table.fields import ActionReader
from companion.rules.table.names import here_told, place_told, route_told
from companion.rules.table.offer import Ask
from companion.rules.table.outcome import Outcome
from companion.rules.table.part import Part
from companion.rules.table.position import Player, Position
from companion.rules.table.setup import Setup
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Findings, Reason, Rule, reason
from maps import Board, Message, Trouble, message


@dataclass(frozen=True)
class TakeTourist(Action):
    """A tourist token taken at one end of the track just claimed."""

    kind: ClassVar[str] = "tourist"
    tells: ClassVar[tuple[str, ...]] = ("token",)
    when: ClassVar[When] = "claim"
    json_names: ClassVar[Mapping[str, str]] = {"token": "kind"}
    token: str = ""
    place: str = ""

    @classmethod
    def read(cls, f: ActionReader) -> TakeTourist:
        return cls(f.player(), f.required_text("kind"), f.known("place", "city", f.position.board.cities))

    @classmethod
    def required(cls, position: Position, name: str) -> bool:
        return owed(position) == name

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        claim = position.run.last_claim
        if claim is None or claim.tourist:
            return None
        places = list(position.board.routes[claim.route].ends)
        if position.run.tokens is None:
            return Ask("place", lambda _: places), Ask("token", lambda _: None)
        there = {place: kinds for place in places if (kinds := takeable(position, name, place))}
        return Ask("place", lambda _: there), Ask("token", lambda told: there.get(told.get("place", ""), ()))

    def judge(self, position: Position, found: Findings) -> None:
        """One token of a kind not yet owned, from an end of the track just claimed."""
        if position.part(Tokens) is None:
            found.no(Rule.TOURISTS, "tourist.none-here", here=here_told(position.variant))
            return
        player, run = position.entry(self.player), position.run
        place = place_told(position, self.place)
        claim = run.last_claim
        if claim:
            route = position.board.routes[claim.route]
            if self.place not in route.ends:
                found.no(Rule.TOURISTS, "tourist.not-an-end", place=place, route=route_told(position, route))
            if claim.tourist:
                found.no(Rule.TOURISTS, "tourist.one-a-claim")
        elif position.running is not None:
            found.no(Rule.TOURISTS, "tourist.after-a-claim")
        elif not any(self.place in r.ends for r in position.tracks(player)):
            found.no(Rule.TOURISTS, "tourist.no-track-there", place=place)
        else:
            found.believe("token-claim", place=place)
        if self.token in player.tourists:
            found.no(Rule.TOURISTS, "tourist.owned", kind=self.token)
        if run.tokens is None:
            found.believe("tokens", place=place)
        elif not run.tokens.get(self.place, {}).get(self.token):
            found.no(Rule.TOURISTS, "tourist.not-there", kind=self.token, place=place)

    def play(self, position: Position, outcome: Outcome) -> Position:
        player, tokens, claim = position.entry(self.player), position.run.tokens, position.run.last_claim
        position = position.changed(replace(player, tourists=(*player.tourists, self.token)))
        if tokens is not None:
            pile = tokens.get(self.place, {})
            left = max(0, pile.get(self.token, 0) - 1)
            position = position.go_on(tokens={**tokens, self.place: {**pile, self.token: left}})
        return position.go_on(last_claim=claim and replace(claim, tourist=True))


@dataclass(frozen=True)
class LayTokens(Action):
    """A pile of tokens without a printed place, put on a place of the player's choice before the first turn."""

    kind: ClassVar[str] = "lay-tokens"
    tells: ClassVar[tuple[str, ...]] = ("city",)
    when: ClassVar[When] = "free"
    city: str = ""

    @classmethod
    def read(cls, f: ActionReader) -> LayTokens:
        return cls(f.player(), f.known("city", "city", f.position.board.cities))

    @classmethod
    def asks(cls, position: Position, name: str) -> tuple[Ask, ...] | None:
        if not laying(position):
            return None
        tokens = position.run.tokens or {}
        free = [c.id for c in position.board.cities.values() if not c.junction and c.id not in tokens]
        return (Ask("city", lambda _: free),)

    @classmethod
    def required(cls, position: Position, name: str) -> bool:
        return True

    def judge(self, position: Position, found: Findings) -> None:
        """One pile a place, and only those that have none printed."""
        if position.part(Tokens) is None:
            found.no(Rule.TOURISTS, "tourist.none-here", here=here_told(position.variant))
            return
        if not laying(position):
            found.no(Rule.TOURISTS, "tourist.all-lie")
        place = place_told(position, self.city)
        if self.city in (position.run.tokens or {}):
            found.no(Rule.TOURISTS, "tourist.pile-there", place=place)
        if position.board.cities[self.city].junction:
            found.no(Rule.TOURISTS, "tourist.no-place", place=place)

    def play(self, position: Position, outcome: Outcome) -> Position:
        tokens = position.run.tokens or {}
        per_kind = tokens_per_kind(position)
        if len(tokens) >= len(per_kind) or self.city in tokens:
            return position
        return position.go_on(tokens={**tokens, self.city: {str(len(tokens) + 1): per_kind[len(tokens)]}})


def laying(position: Position) -> str:
    """Who lays the next pile: the last player, then the last but one; of two players the second lays both."""
    tokens = position.run.tokens
    if tokens is None or len(tokens) == len(tokens_per_kind(position)):
        return ""
    at = position.order.index(position.turn) if position.turn else 0
    backwards = (*position.order[at:], *position.order[:at])[::-1]
    return backwards[0] if len(backwards) == 2 else backwards[len(tokens) - len(_printed(position))]


def _printed(position: Position) -> list[str]:
    """The places with a red dot: a pile lies on each at the start."""
    return [c.id for c in position.board.cities.values() if c.tokens]


def pile_of(position: Position, kind: str) -> str:
    """The place where the pile of a kind was laid, empty if nobody told: symbols have no names."""
    return next((place for place, pile in (position.run.tokens or {}).items() if kind in pile), "")


def owed(position: Position) -> str:
    """Who has claimed a track with a token to be had and has not taken it: it is no choice to leave it."""
    claim, tokens = position.run.last_claim, position.run.tokens
    if claim is None or claim.tourist or tokens is None:
        return ""
    ends = position.board.routes[claim.route].ends
    return claim.player if any(takeable(position, claim.player, place) for place in ends) else ""


def takeable(position: Position, name: str, place: str) -> list[str]:
    """Kinds that lie at a place and that this player has not."""
    owned = position.entry(name).tourists
    pile = (position.run.tokens or {}).get(place, {})
    return [kind for kind, n in pile.items() if n and kind not in owned]


def tokens_per_kind(position: Position) -> tuple[int, ...]:
    """How many tokens of each kind are in play: fewer players, fewer tokens."""
    kinds = position.board.tourist_tokens.kinds if position.board.tourist_tokens else 0
    if len(position.players) == 2:
        # Of the two kinds that have no place of their own only one token each is used.
        return (2,) * (kinds - 2) + (1, 1)
    return (3 if len(position.players) > 3 else 2,) * kinds


def check_tokens(position: Position, tokens: Mapping[str, Mapping[str, int]]) -> None:
    """Trouble if these piles can't lie there at the start: one kind a place, the printed places taken."""
    printed = set(_printed(position))
    here, elsewhere = tokens_per_kind(position)[0], tokens_per_kind(position)[-1]
    kinds = [kind for pile in tokens.values() for kind in pile]
    wrong = (
        not printed <= set(tokens) <= set(position.board.cities)
        or any(len(pile) != 1 for pile in tokens.values())
        or not len(set(kinds)) == len(kinds) == len(tokens_per_kind(position))
        or any(n != (here if place in printed else elsewhere) for place, pile in tokens.items() for n in pile.values())
    )
    if wrong:
        places = [place_told(position, c) for c in sorted(printed)]
        raise Trouble("bad-tokens", places=places, here=here, kinds=len(kinds) - len(printed), elsewhere=elsewhere)


@dataclass(frozen=True)
class Tokens(Part):
    """Tourist tokens."""

    line: ClassVar[str] = "tourists"
    actions: ClassVar[tuple[type[Action], ...]] = (LayTokens, TakeTourist)
    entries: ClassVar[Mapping[str, tuple[str, ...]]] = {"tourists": ("tourists",)}

    def book(self, variant: Variant, board: Board) -> tuple[Section, ...]:
        tokens = board.tourist_tokens
        if tokens is None:
            return ()
        pairs = [line("claim.pair", n=points, spaces=kinds) for kinds, points in enumerate(tokens.points) if points]
        lines = line("tourists.lay"), line("tourists.number", kinds=tokens.kinds), line("tourists.take")
        told = section("tourists", *lines)
        return told, section("scoring", line("score.tourists", pairs=pairs))

    def numbers(self) -> Mapping[str, Any]:
        return {"tourists": True}

    def begin(self, position: Position, setup: Setup) -> Position:
        if setup.tokens is None:
            return position
        if setup.tokens:
            check_tokens(position, setup.tokens)
            return position.go_on(tokens=setup.tokens)
        # Which symbol lies where is all the same: each kind is called by its place, the others as they are laid.
        kinds = zip(_printed(position), tokens_per_kind(position), strict=False)
        return position.go_on(tokens={place: {str(i): n} for i, (place, n) in enumerate(kinds, 1)})

    def waiting(self, position: Position) -> Callable[[Action], Reason | None] | None:
        """All piles lie before the first turn; a token that is to be had is taken before anybody goes on."""
        lays, name = laying(position), owed(position)

        def why_not(action: Action) -> Reason | None:
            if isinstance(action, LayTokens) and action.player == lays:
                return None
            return reason(Rule.TOURISTS, "tourist.lay-first", player=lays)

        if lays:
            return why_not

        def why(action: Action) -> Reason | None:
            if action.when in ("claim", "free") and position.seat(action.player).is_one_with(name):
                return None
            return reason(Rule.TOURISTS, "tourist.first", player=name)

        return why if name else None

    def count(self, counting: Counting) -> Sequence[int]:
        return counting.each(lambda i, player: self._points(counting, i, player))

    def _points(self, counting: Counting, i: int, player: Player) -> int:
        tokens, kinds = counting.board.tourist_tokens, len(set(player.tourists))
        counting.tell(i, "tourist-kinds", n=kinds)
        return tokens.points[min(kinds, tokens.kinds)] if tokens else 0

    def problems(self, position: Position) -> Iterator[Message]:
        """Tokens of each kind: one less than players; with two players two of the kinds have only one."""
        tokens, players = position.board.tourist_tokens, len(position.players)
        if tokens is None or players < 2:
            return
        holders = Counter(kind for p in position.players for kind in dict.fromkeys(p.tourists))
        if len(holders) > tokens.kinds:
            yield message("position.token-kinds", n=tokens.kinds, there=len(holders))
        if players == 2:
            shared = sum(n > 1 for n in holders.values())
            if shared > tokens.kinds - 2:
                yield message("position.tokens-shared", n=tokens.kinds - 2, there=shared)
        else:
            for kind, n in holders.items():
                if n > players - 1:
                    yield message("position.token-copies", kind=kind, n=players - 1, there=n)

    def problems_of(self, position: Position, player: Player) -> Iterator[Message]:
        for kind, n in Counter(player.tourists).items():
            if n > 1:
                yield message("position.token-listed-twice", name=player.name, kind=kind)
        kinds, tracks = len(set(player.tourists)), len(position.tracks(player))
        if kinds > tracks:
            yield message("position.token-source", name=player.name, n=kinds, tracks=tracks)

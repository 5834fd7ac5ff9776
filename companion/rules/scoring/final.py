"""Final scores: every line of every player, from the tracks, tickets and cards they hold at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from companion.rules.position import Player, Position
from companion.rules.problems import problems
from companion.rules.scoring.connections import score_tickets
from companion.rules.scoring.networks import networks
from companion.rules.scoring.ranking import ranks, winners
from companion.rules.scoring.sheet import PlayerScore, ScoreSheet
from companion.rules.scoring.trails import NO_TRAIL, Trail, longest_trail
from companion.rules.variants import DEPOTS_BONUS, Bonus, TieBreak
from maps import Message, Technology, message


def score(position: Position) -> ScoreSheet:
    """The final scores of a position. Impossible ones are scored as they stand, with warnings."""
    return _Scoring(position).sheet()


class _Scoring:
    """One position while it is counted; each line is a method with the line's name."""

    def __init__(self, position: Position) -> None:
        self.position, self.variant, self.board = position, position.variant, position.board
        self.everyone = range(len(position.players))
        self.warnings: list[Message] = [*position.unknown, *position.remarks, *problems(position)]
        self.evidence: list[list[Message]] = [[] for _ in self.everyone]
        scored = [score_tickets(position, i) for i in self.everyone]
        self.ticket_scores = [tickets for tickets, _ in scored]
        self.station_choices = [choices for _, choices in scored]
        self.done = [sum(t.done for t in tickets) for tickets in self.ticket_scores]
        self.trails: dict[int, Trail] = {}

    def sheet(self) -> ScoreSheet:
        lines: dict[Bonus, Sequence[int]] = {line: self._line(line) for line in self.position.lines}
        totals = [sum(values[i] for values in lines.values()) for i in self.everyone]
        first, decided_by = winners(totals, self.variant.ties, self._measures)
        places = ranks(totals, first)
        players = tuple(
            PlayerScore(
                name=player.name,
                color=player.color,
                rank=places[i],
                breakdown={line: values[i] for line, values in lines.items()},
                tickets=self.ticket_scores[i],
                station_choices=self.station_choices[i],
                longest_path=self.trails.get(i, NO_TRAIL),
                evidence=tuple(self.evidence[i]),
            )
            for i, player in enumerate(self.position.players)
        )
        names = tuple(self.position.players[i].name for i in first)
        return ScoreSheet(self.variant.id, self.board.id, players, names, decided_by, tuple(self.warnings))

    def _line(self, line: Bonus) -> Sequence[int]:
        count: Callable[[], Sequence[int]] = getattr(self, line)
        return count()

    @cached_property
    def _measures(self) -> Mapping[TieBreak, Callable[[int], int]]:
        players = self.position.players
        return {
            "tickets": lambda i: self.done[i],
            "stations": lambda i: -len(players[i].stations),
            "longest_path": lambda i: self._trail(i).length,
            "mountain": lambda i: sum(t.mountain_marks > 0 for t in self.position.tracks(players[i])),
        }

    def _trail(self, i: int) -> Trail:
        if i not in self.trails:
            self.trails[i] = longest_trail(self.position.tracks(self.position.players[i]))
        return self.trails[i]

    def _each(self, count: Callable[[int, Player], int]) -> list[int]:
        return [count(i, player) for i, player in enumerate(self.position.players)]

    def _to_the_most(self, counts: Sequence[int], bonus: int) -> list[int]:
        """The bonus in full for all who have the most; it needs at least one."""
        most = max(counts, default=0)
        return [bonus if most > 0 and n == most else 0 for n in counts]

    def _tell(self, i: int, key: str, **values: object) -> None:
        self.evidence[i].append(message(f"score.{key}", **values))

    def routes(self) -> list[int]:
        return self._each(self._route_points)

    def _route_points(self, i: int, player: Player) -> int:
        tracks = self.position.tracks(player)
        recount = sum(t.points for t in tracks)
        if not self.variant.marked_points_count:
            at_once = recount + self._mountain_points(player)
            if player.marked_points is not None and player.marked_points != at_once:
                self._warn("marker-differs", name=player.name, marked=player.marked_points, n=at_once)
            return recount
        held = [self.board.technologies[t] for t in dict.fromkeys(player.technologies)]
        # With no technology told, any may have been there.
        more = self._most_extra_points(player, held or list(self.board.technologies.values()))
        if player.marked_points is None:
            if more:
                self._warn("recounted", name=player.name, n=recount, more=recount + more)
            return recount
        if not recount <= player.marked_points <= recount + more:
            self._warn(
                "marker-impossible", name=player.name, marked=player.marked_points, n=recount, more=recount + more
            )
        self._tell(i, "marked", n=player.marked_points, recount=recount)
        return player.marked_points

    def _warn(self, key: str, **values: object) -> None:
        self.warnings.append(message(f"score.{key}", **values))

    def _most_extra_points(self, player: Player, technologies: Sequence[Technology]) -> int:
        """What technologies may have added to the marker, had they been there from the first claim on."""
        tracks = self.position.tracks(player)
        ferries = sum(t.kind == "ferry" for t in tracks)
        per_claim = sum(t.effects.get("points_per_claim", 0) for t in technologies)
        per_ferry = sum(t.effects.get("points_per_ferry", 0) for t in technologies)
        return per_claim * len(tracks) + per_ferry * ferries

    def mountain(self) -> list[int]:
        return self._each(self._mountain_line)

    def _mountain_points(self, player: Player) -> int:
        return self.variant.mountain_points * sum(t.mountain_marks for t in self.position.tracks(player))

    def _mountain_line(self, i: int, player: Player) -> int:
        points = self._mountain_points(player)
        if points:
            self._tell(i, "mountain-wagons", n=points // self.variant.mountain_points)
        return points

    def tickets(self) -> list[int]:
        return [sum(t.counts for t in tickets) for tickets in self.ticket_scores]

    def stations(self) -> list[int]:
        return self._each(self._station_line)

    def _station_line(self, i: int, player: Player) -> int:
        unbuilt = max(0, self.variant.stations - len(player.stations))
        if unbuilt:
            self._tell(i, "stations-left", n=unbuilt)
        return unbuilt * self.variant.station_points

    def longest_path(self) -> list[int]:
        return self._to_the_most([self._trail(i).length for i in self.everyone], self.variant.longest_path)

    def globetrotter(self) -> list[int]:
        return self._to_the_most(self.done, self.variant.globetrotter)

    def explorer(self) -> list[int]:
        cities = self._each(lambda _, player: self._cities_joined(player))
        for i, n in enumerate(cities):
            self._tell(i, "cities-joined", n=n)
        return self._to_the_most(cities, self.variant.explorer)

    def _cities_joined(self, player: Player) -> int:
        """Different cities in the largest of a player's networks; a junction is no city."""
        network = networks(self.position.tracks(player))
        cities = [number for city, number in network.items() if not self.board.cities[city].junction]
        return max((cities.count(number) for number in cities), default=0)

    def technologies(self) -> list[int]:
        return self._each(self._technology_line)

    def _technology_line(self, i: int, player: Player) -> int:
        points = 0
        for technology in (self.board.technologies[t] for t in dict.fromkeys(player.technologies)):
            effects = technology.effects
            changes = effects.get("points_per_ticket", 0) * self.done[i]
            if "most_tickets" in effects:
                changes += self._win_or_lose(self.done, i, effects["most_tickets"])
            if "longest_path" in effects:
                changes += self._win_or_lose([self._trail(k).length for k in self.everyone], i, effects["longest_path"])
            if changes:
                self._tell(i, "technology", name=technology.name, n=changes)
            points += changes
        return points

    def _win_or_lose(self, counts: Sequence[int], i: int, stake: int) -> int:
        return stake if self._to_the_most(counts, 1)[i] else -stake

    def shares(self) -> list[int]:
        points = [0 for _ in self.everyone]
        neutral = len(points)
        for company in self.board.companies.values():
            held = {i: p.shares.get(company.id, ()) for i, p in enumerate(self.position.players)}
            held[neutral] = self.position.neutral_shares.get(company.id, ())
            # Most shares first; of equal numbers the lowest share was taken first.
            holders = sorted((i for i in held if held[i]), key=lambda i: (-len(set(held[i])), min(held[i])))
            for place, i in enumerate(holders, start=1):
                if i != neutral:
                    worth = company.points_by_rank[place - 1] if place <= len(company.points_by_rank) else 0
                    points[i] += worth
                    self._tell(i, "share", company=company.name, held=len(set(held[i])), place=place, n=worth)
        return points

    def tourists(self) -> list[int]:
        return self._each(self._tourist_line)

    def _tourist_line(self, i: int, player: Player) -> int:
        tokens = self.board.tourist_tokens
        kinds = len(set(player.tourists))
        self._tell(i, "tourist-kinds", n=kinds)
        return tokens.points[min(kinds, tokens.kinds)] if tokens else 0

    def depots(self) -> list[int]:
        left = [p.depots_left or 0 for p in self.position.players]
        for i, player in enumerate(self.position.players):
            if player.depots_left is None:
                self._warn("depots-not-told", name=player.name)
            else:
                self._tell(i, "depots-left", n=player.depots_left)
        return self._to_the_most(left, DEPOTS_BONUS)

"""What can't be in a position: everything at once, each as one sentence. Scoring goes on and tells them as warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import TypeVar

from companion.rules.position import Player, Position
from companion.rules.variants import DEPOTS_EACH, DEPOTS_MAX_OWNERS
from maps import Message, Route, Text, Ticket, message
from maps.files import COLORS

_T = TypeVar("_T", bound=Hashable)


def problems(position: Position) -> tuple[Message, ...]:
    """Everything impossible or out of place in a position, whole table first, then player by player."""
    found: list[Message] = []
    for check in _TABLE:
        found += check(position)
    for player in position.players:
        for check_player in _PLAYER:
            found += check_player(position, player)
    return tuple(found)


def place_name(position: Position, place: str) -> str | Text:
    """A city as printed; a place or a junction in the player's language."""
    if place in position.board.places:
        return position.board.places[place].name
    city = position.board.cities[place]
    return city.name or city.names


def pair_name(position: Position, pair: Route | Ticket) -> Message:
    """Both ends of a track or ticket, as players say them."""
    return message("position.pair", a=place_name(position, pair.a), b=place_name(position, pair.b))


def _seats(position: Position) -> Iterator[Message]:
    size = position.variant.team_size
    for player in position.players:
        if size > 1 and player.members and len(player.members) != size:
            yield message("position.team-size", name=player.name, n=size, there=len(player.members))
    if position.seats not in position.board.players:
        counts = ", ".join(str(n) for n in position.board.players)
        yield message("position.seats", n=position.seats, variant=position.variant.name, counts=counts)
    if position.has_depots and len(position.players) > DEPOTS_MAX_OWNERS:
        yield message("position.depot-owners", n=DEPOTS_MAX_OWNERS)


def _names_and_colors(position: Position) -> Iterator[Message]:
    members = [m for p in position.players for m in p.members]
    for name in _twice([*(p.name for p in position.players), *members]):
        # A team may be called like one of its members.
        if members.count(name) != 1 or sum(p.name == name for p in position.players) != 1:
            yield message("position.name-twice", name=name)
    for color in _twice(p.color for p in position.players if p.color):
        yield message("position.color-twice", color=_color(color))
    for player in position.players:
        if player.color and player.color not in position.board.wagon_colors:
            yield message("position.color-not-here", name=player.name, color=_color(player.color))


def _tracks_held_twice(position: Position) -> Iterator[Message]:
    """One track for one player, unless a technology lets others in."""
    on_sale = (position.board.technologies[t] for t in position.variant.technology_ids(position.board))
    if any("claim_occupied" in t.effects for t in on_sale):
        return
    for route, owners in position.owners.items():
        if len(owners) > 1:
            names = [position.players[i].name for i in owners]
            yield message("position.track-twice", track=pair_name(position, position.board.routes[route]), names=names)


def _groups(position: Position) -> Iterator[Message]:
    used = Counter(position.board.routes[r].group for r in position.owners)
    for group in (group for group, n in used.items() if n > 1):
        tracks = position.board.groups[group]
        taken = [t for t in tracks if t.id in position.owners]
        rule = position.variant.group_rule(len(tracks), group, position.seats)
        name = pair_name(position, tracks[0])
        if rule.in_all is not None and len(taken) > rule.in_all:
            yield message("position.group-closed", track=name, n=rule.in_all, taken=len(taken), seats=position.seats)
        for player in position.players:
            own = sum(t.id in player.routes for t in taken)
            if rule.per_owner is not None and own > rule.per_owner:
                yield message("position.group-twice", track=name, name=player.name, n=rule.per_owner, own=own)


def _buildings(position: Position) -> Iterator[Message]:
    """One station per city, and one building of any kind where depots are played."""
    stations = [city for p in position.players for city in p.stations] if position.variant.stations else []
    depots = [city for p in position.players for city in p.depots] if position.has_depots else []
    for city in _twice(stations):
        yield message("position.stations-in-city", city=place_name(position, city), n=stations.count(city))
    for city in _twice([*dict.fromkeys(stations), *depots]):
        yield message("position.buildings-in-city", city=place_name(position, city))


def _tickets_held_twice(position: Position) -> Iterator[Message]:
    known = [t.id for p in position.players for t in dict.fromkeys(p.tickets) if position.tickets.get(t.id) == t]
    for ticket in _twice(known):
        names = [p.name for p in position.players if position.tickets[ticket] in p.tickets]
        yield message("position.ticket-twice", ticket=pair_name(position, position.tickets[ticket]), names=names)


def _shares(position: Position) -> Iterator[Message]:
    if not position.variant.shares:
        return
    for company in position.board.companies.values():
        held = [n for p in position.players for n in p.shares.get(company.id, ())]
        held += position.neutral_shares.get(company.id, ())
        for number in dict.fromkeys(n for n in held if not 1 <= n <= company.shares):
            yield message("position.no-such-share", company=company.name, n=number, shares=company.shares)
        for number in _twice(held):
            yield message("position.share-twice", company=company.name, n=number)
        missing = [n for n in range(1, min(max(held, default=0), company.shares)) if n not in held]
        # With a neutral player some shares are never revealed.
        if missing and len(position.players) != 2:
            yield message("position.share-missing", company=company.name, numbers=missing, n=max(held))
    if position.neutral_shares and len(position.players) != 2:
        yield message("position.neutral-player")
    elif len(position.players) == 2 and not position.neutral_shares and any(p.shares for p in position.players):
        yield message("position.no-neutral-shares")


def _technology_cards(position: Position) -> Iterator[Message]:
    if position.variant.technologies == "none":
        return
    on_sale = position.variant.technology_ids(position.board)
    held = Counter(t for p in position.players for t in dict.fromkeys(p.technologies))
    for technology in (position.board.technologies[t] for t in held):
        if technology.id not in on_sale:
            yield message("position.technology-not-here", technology=technology.name, variant=position.variant.name)
        if held[technology.id] > technology.copies:
            yield message("position.technology-copies", technology=technology.name, n=technology.copies)


def _tokens_in_play(position: Position) -> Iterator[Message]:
    """Tokens of each kind: one less than players; with two players two of the kinds have only one."""
    tokens, players = position.board.tourist_tokens, len(position.players)
    if not position.variant.tourists or tokens is None or players < 2:
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


def _listed_twice(position: Position, player: Player) -> Iterator[Message]:
    for route in _twice(player.routes):
        track = pair_name(position, position.board.routes[route])
        yield message("position.route-listed-twice", name=player.name, track=track)
    for ticket in _twice(player.tickets):
        yield message("position.ticket-listed-twice", name=player.name, ticket=pair_name(position, ticket))
    for technology in _twice(player.technologies):
        name_of = position.board.technologies[technology].name
        yield message("position.technology-listed-twice", name=player.name, technology=name_of)
    if position.variant.tourists:
        for kind in _twice(player.tourists):
            yield message("position.token-listed-twice", name=player.name, kind=kind)


def _wagons(position: Position, player: Player) -> Iterator[Message]:
    used, wagons = position.wagons_used(player), position.variant.wagons(position.board)
    if used > wagons:
        yield message("position.wagons", name=player.name, n=wagons, used=used)
    elif player.wagons is not None and used + player.wagons > wagons:
        yield message("position.wagons-left", name=player.name, n=wagons, used=used, left=player.wagons)


def _stations(position: Position, player: Player) -> Iterator[Message]:
    n = position.variant.stations
    if n and len(player.stations) > n:
        yield message("position.stations", name=player.name, n=n, there=len(player.stations))


def _depots(position: Position, player: Player) -> Iterator[Message]:
    if position.has_depots and len(player.depots) + (player.depots_left or 0) > DEPOTS_EACH:
        there = len(player.depots) + (player.depots_left or 0)
        yield message("position.depots", name=player.name, n=DEPOTS_EACH, there=there)


def _deck(position: Position, player: Player) -> Iterator[Message]:
    """Tickets of another deck, and more long ones than a player is dealt."""
    if not position.tickets:
        return
    for ticket in dict.fromkeys(player.tickets):
        if position.tickets.get(ticket.id) != ticket:
            told = pair_name(position, ticket)
            yield message("position.other-deck", name=player.name, ticket=told, n=ticket.points)
    long = sum(t.long for t in dict.fromkeys(player.tickets))
    dealt = position.variant.opening_long_tickets
    if dealt and long > dealt:
        yield message("position.long-tickets", name=player.name, n=dealt, there=long)


def _technologies_needed(position: Position, player: Player) -> Iterator[Message]:
    """Tracks that need a technology which the player has not; where none is told, nobody can say."""
    if not player.technologies:
        return
    needed = Counter(t for r in position.tracks(player) for t in r.technologies if t not in player.technologies)
    for technology, n in needed.items():
        name = position.board.technologies[technology].name
        yield message("position.technology-needed", name=player.name, technology=name, n=n)


def _share_sources(position: Position, player: Player) -> Iterator[Message]:
    """A share comes with a track that prints its company."""
    printed = Counter(company for t in position.tracks(player) for company in t.companies)
    held = player.shares if position.variant.shares else {}
    names = [position.board.companies[c].name for c, numbers in held.items() if len(set(numbers)) > printed[c]]
    if names:
        yield message("position.share-source", name=player.name, companies=names)


def _tokens_taken(position: Position, player: Player) -> Iterator[Message]:
    tracks = len(position.tracks(player))
    if position.variant.tourists and len(set(player.tourists)) > tracks:
        yield message("position.token-source", name=player.name, n=len(set(player.tourists)), tracks=tracks)


def _not_played_here(position: Position, player: Player) -> Iterator[Message]:
    variant = position.variant
    there: Iterable[tuple[str, bool, Collection[str] | int | None]] = (
        ("stations", variant.stations > 0, player.stations),
        ("technologies", variant.technologies != "none", player.technologies),
        ("shares", variant.shares, player.shares),
        ("tourists", variant.tourists, player.tourists),
        ("members", variant.team_size > 1, player.members),
        ("rack", variant.team_size > 1, player.rack),
        ("depots", position.has_depots, player.depots or player.depots_left),
    )
    for what, played, told in there:
        if told and not played:
            yield message(
                "position.not-here", name=player.name, what=message(f"position.{what}-word"), variant=variant.name
            )


_TABLE = (
    _seats,
    _names_and_colors,
    _tracks_held_twice,
    _groups,
    _buildings,
    _tickets_held_twice,
    _shares,
    _technology_cards,
    _tokens_in_play,
)
_PLAYER = (
    _listed_twice,
    _wagons,
    _stations,
    _depots,
    _deck,
    _technologies_needed,
    _share_sources,
    _tokens_taken,
    _not_played_here,
)


def _twice(values: Iterable[_T]) -> list[_T]:
    return [value for value, n in Counter(values).items() if n > 1]


def _color(color: str) -> Message | str:
    return message(f"words.{color}") if color in COLORS else color

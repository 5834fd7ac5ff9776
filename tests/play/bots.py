"""Players for simulated games: they plan tracks for their tickets, save cards, and take what a variant offers."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Iterable

from companion import rules as a
from companion.rules import (
    Outcome,
    Player,
    Position,
    Price,
    claim_price,
    effects,
    extra_ways,
    judge,
    neutral_choices,
    next_share,
    on_sale,
    pay,
    station_price,
    technology_price,
    turned_cards,
)
from maps import LOCOMOTIVE, Route, Ticket
from tests.play.simulate import Simulation

MOST_TURNS = 600


def play_out(game: Simulation) -> Simulation:
    """Plays a game to its end, tickets and neutral shares laid open."""
    open_game(game)
    for _ in range(MOST_TURNS):
        if game.position.run.over:
            break
        take_turn(game)
    assert game.position.run.over, "the game did not end"
    return finish(game)


def finish(game: Simulation) -> Simulation:
    """Half of the neutral player's shares are turned up once the game is over."""
    pile = [(c, n) for c, numbers in game.position.run.neutral_pile.items() for n in numbers]
    if pile:
        half: dict[str, tuple[int, ...]] = {}
        for company, number in sorted(game.rng.sample(pile, (len(pile) + 1) // 2)):
            half[company] = (*half.get(company, ()), number)
        game.do(a.ShowNeutral(game.position.players[0].name, half), Outcome(turned=()))
    return game


def open_game(game: Simulation) -> None:
    """Everybody chooses opening tickets, then places a first depot, and tokens that have no printed place."""
    variant = game.position.variant
    for seat in game.position.run.opening:
        drawn = game.ticket_draw(variant.opening_tickets, variant.opening_long_tickets)
        keep = max(variant.keep_opening, min(len(drawn), variant.keep_opening + game.rng.choice((0, 0, 1))))
        kept = _best_tickets(game, seat, drawn, keep)
        rack = (game.rng.choice(kept),) if variant.team_size > 1 else None
        if variant.refused_opening == "bottom":
            game.put_under([t for t in drawn if t not in kept])
        game.do(a.DrawTickets(seat, drawn, kept, rack))
    for owner in game.position.run.placing:
        game.do(a.PlaceDepot(owner, _depot_city(game, game.position.entry(owner))))
    while lay := next((o for o in a.offers(game.position) if o.action is a.LayTokens), None):
        question = lay.question({})
        game.do(a.LayTokens(lay.player, game.rng.choice(question.choices if question and question.choices else ())))


def _best_tickets(game: Simulation, seat: str, drawn: tuple[Ticket, ...], n: int) -> tuple[Ticket, ...]:
    """The tickets that cost least for their points, on top of what is planned already."""

    def effort(ticket: Ticket) -> float:
        path = _path(game.position, seat, ticket, frozenset())
        return 99 if path is None else sum(game.position.board.routes[r].length for r in path) - ticket.points * 0.6

    return tuple(sorted(drawn, key=effort)[:n])


def take_turn(game: Simulation) -> None:
    """One whole turn: what may be bought or placed before, the action, and what a claim brings."""
    seat, rng = game.position.turn, game.rng
    plan = planned(game.position, seat)
    if game.position.variant.technologies != "none":
        _maybe_buy(game, seat, plan)
        if game.position.turn != seat or game.position.run.over:
            return
    if game.position.has_depots and rng.random() < 0.02:
        player = game.position.entry(seat)
        if player.depots_left:
            game.do(a.PlaceDepot(seat, _depot_city(game, player)), Outcome(turned=()))
    for choice in _choices(game, seat, plan):
        if choice():
            return
    game.do(a.Pass(seat))


def _choices(game: Simulation, seat: str, plan: list[str]) -> Iterable[Callable[[], bool]]:
    """What this seat tries, the best first."""
    rng, run = game.rng, game.position.run
    least = min(game.position.seat(s).wagons for s in _all_seats(game.position))
    held = sum((game.position.seat(seat).cards or {}).values())
    hurry = least < 9 or held > 22 or not plan
    tries = []
    if plan and rng.random() < 0.85:
        tries.append(lambda: _claim_some(game, seat, plan))
    if _wants_station(game, seat):
        tries.append(lambda: _build(game, seat))
    if game.position.variant.team_size > 1 and rng.random() < 0.03:
        tries.append(lambda: _reveal(game, seat))
    if not plan and run.last_turns is None and game.position.seat(seat).wagons > 12 and rng.random() < 0.5:
        tries.append(lambda: _more_tickets(game, seat))
    if hurry or held > 14:
        tries.append(lambda: _claim_some(game, seat, _by_length(game.position, seat)))
    tries.append(lambda: _draw(game, seat, plan))
    tries.append(lambda: _claim_some(game, seat, _by_length(game.position, seat)))
    tries.append(lambda: _more_tickets(game, seat))
    tries.append(lambda: _build(game, seat))
    return tries


def _all_seats(position: Position) -> list[str]:
    return [m for p in position.players for m in (p.members or (p.name,))]


def planned(position: Position, seat: str) -> list[str]:
    """Tracks that would complete the tickets, as far as the wagons go."""
    player = position.entry(seat)
    tickets = player.tickets
    if player.members:
        run = position.run
        tickets = (*run.tickets.get(seat, ()), *run.rack_tickets.get(player.name, ()))
    wanted: dict[str, None] = {}
    room = position.seat(seat).wagons
    for ticket in sorted(tickets, key=lambda t: -t.points):
        path = _path(position, seat, ticket, frozenset(wanted))
        if path is None:
            continue
        new = [r for r in path if r not in wanted]
        cost = sum(position.board.routes[r].length + position.board.routes[r].mountain_marks for r in new)
        if cost <= room:
            room -= cost
            wanted |= dict.fromkeys(new)
    return list(wanted)


def _path(position: Position, seat: str, ticket: Ticket, free: frozenset[str]) -> list[str] | None:
    """The cheapest tracks that join a ticket's ends; own and planned ones cost nothing."""
    board, player = position.board, position.entry(seat)
    ends = set(board.reach(ticket.b))
    queue: list[tuple[int, str, tuple[str, ...]]] = [(0, c, ()) for c in board.reach(ticket.a)]
    seen: set[str] = set()
    while queue:
        cost, city, path = heapq.heappop(queue)
        if city in seen:
            continue
        seen.add(city)
        if city in ends:
            return list(path)
        for route in board.touching[city]:
            if route.id in player.routes:
                heapq.heappush(queue, (cost, route.other(city), path))
            elif is_free(position, player, route):
                more = 0 if route.id in free else route.length + route.mountain_marks
                heapq.heappush(queue, (cost + more, route.other(city), (*path, route.id)))
    return None


def is_free(position: Position, player: Player, route: Route) -> bool:
    """Whether a track can still be taken, leaving aside what it costs and needs."""
    if route.id in position.owners:
        return False
    tracks = position.board.groups[route.group]
    limit = position.variant.group_rule(len(tracks), route.group, position.seats)
    taken = sum(t.id in position.owners for t in tracks)
    mine = sum(t.id in player.routes for t in tracks)
    return (limit.in_all is None or taken < limit.in_all) and (limit.per_owner is None or mine < limit.per_owner)


def _by_length(position: Position, seat: str) -> list[str]:
    player = position.entry(seat)
    free = [r for r in position.board.routes.values() if is_free(position, player, r)]
    return [r.id for r in sorted(free, key=lambda r: -r.points)]


def cheap_payment(price: Price, hand: dict[str, int], rng: random.Random) -> dict[str, int] | None:
    """Some way to pay: colour cards first, then locomotives, then stand-ins of the least useful cards."""
    colors = sorted(price.colors, key=lambda c: -hand.get(c, 0)) or [""]
    for made in range(price.cards + 1 if price.stand_in else 1):
        for color in colors[:3]:
            direct = price.cards - made
            locomotives = max(0, price.locomotives - made, direct - hand.get(color, 0))
            if locomotives > min(direct, hand.get(LOCOMOTIVE, 0)):
                continue
            cards = Counter({color: direct - locomotives, LOCOMOTIVE: locomotives})
            rest = Counter(hand) - cards
            others = sorted((c for c in rest.elements() if c != LOCOMOTIVE), key=lambda c: (rest[c], c))
            others += [LOCOMOTIVE] * rest[LOCOMOTIVE]
            if len(others) < made * price.stand_in:
                continue
            cards.update(others[: made * price.stand_in])
            found = {c: n for c, n in cards.items() if n > 0}
            assert pay(price, found) is not None, (price, found)
            return found
    return None


def _claim_some(game: Simulation, seat: str, routes: list[str]) -> bool:
    """Claims the first of these tracks that can be paid."""
    position = game.position
    player, hand = position.entry(seat), dict(position.seat(seat).cards or {})
    size = sum(hand.values())
    for route_id in routes:
        route = position.board.routes[route_id]
        price = claim_price(position, player, route)
        if price.cards > size or route.length + route.mountain_marks > position.seat(seat).wagons:
            continue
        cards = cheap_payment(price, hand, game.rng)
        if cards is None or sum(cards.values()) > price.cards + 2 * (price.stand_in or 1):
            continue
        action = a.Claim(seat, route_id, cards)
        if not judge(position, action).legal:
            continue
        _claim(game, action, hand)
        if game.position.turn == seat and game.position.run.claims:
            again = [r for r in planned(game.position, seat) + _by_length(game.position, seat) if r != route_id]
            if not _claim_some(game, seat, again):
                game.do(a.Pass(seat))
        return True
    return False


def _claim(game: Simulation, action: a.Claim, hand: dict[str, int]) -> None:
    needs = judge(game.position, action).needs
    extra: dict[str, int] = {}
    if "revealed" in needs:
        game.decks.without_depot = any(p.depots_left == 0 for p in game.position.players)
        revealed = [game.decks.draw() for _ in range(needs["revealed"])]
        action = a.Claim(action.player, action.route, action.cards, tuple(c for c in revealed if c))
        game.decks.discard += action.revealed or ()
        color = next((c for c in action.cards if c != LOCOMOTIVE), None)
        due = sum(t.counts for t in turned_cards(color, action.revealed or ()))
        if due:
            ways = extra_ways(color, due, Counter(hand) - Counter(action.cards))
            if not ways or game.rng.random() < 0.1:
                game.do(a.Claim(action.player, action.route, action.cards, action.revealed, None, True))
                return
            extra = dict(ways[0])
            action = a.Claim(action.player, action.route, action.cards, action.revealed, extra)
    game.pay(dict(action.cards))
    game.pay(extra)
    game.do(action)
    _follow(game, action.player, game.position.board.routes[action.route])


def _follow(game: Simulation, seat: str, route: Route) -> None:
    """Shares, tokens and warehouses that a claim brings."""
    position, rng = game.position, game.rng
    player = position.entry(seat)
    if position.variant.shares and rng.random() < 0.9:
        there = [c for c in route.companies if next_share(position, c) is not None]
        if there:
            company = max(there, key=lambda c: (len(player.shares.get(c, ())), rng.random()))
            neutral = None
            if len(position.players) == 2:
                choices = neutral_choices(position, route.id, company)
                neutral = rng.choice(choices) if choices else None
            game.do(a.TakeShare(seat, company, route.id, neutral), Outcome(turned=()))
    if position.variant.tourists:
        tokens = position.run.tokens or {}
        here = [(p, k) for p in route.ends for k, n in tokens.get(p, {}).items() if n and k not in player.tourists]
        if here:
            place, kind = rng.choice(here)
            game.do(a.TakeTourist(seat, kind, place), Outcome(turned=()))
    if position.has_depots:
        _fetch(game, seat, route)


def _fetch(game: Simulation, seat: str, route: Route) -> None:
    for owner in game.position.players:
        stored = game.decks.warehouses[owner.name]
        left = game.position.entry(seat).depots_left or 0
        if set(owner.depots) & set(route.ends) and len(stored) > 2 and left > 0:
            game.decks.warehouses[owner.name] = []
            game.do(a.EmptyWarehouse(seat, owner.name), Outcome(turned=(), taken=dict(Counter(stored))))


def _draw(game: Simulation, seat: str, plan: list[str]) -> bool:
    """Takes open cards of the colours that are planned, else blind ones."""
    position, decks, rng = game.position, game.decks, game.rng
    decks.without_depot = any(p.depots_left == 0 for p in position.players)
    if not decks.has_cards and not decks.face_up:
        return False
    wanted = {position.board.routes[r].color for r in plan}
    most = max([position.variant.drawn_cards, *effects(position, position.entry(seat), "blind_draw")])
    blind = most > position.variant.drawn_cards or rng.random() < 0.25
    store = rng.choice(position.players).name if position.has_depots and decks.has_cards else None
    if store:
        card = decks.draw()
        assert card
        decks.warehouses[store].append(card)
    taken: list[a.DrawnCard] = []
    drawn: list[str] = []
    turned: list[str] = []
    while len(taken) < (most if blind else position.variant.drawn_cards):
        found = _take_one(game, bool(taken), wanted, blind)
        if found is None:
            break
        source, card = found
        taken.append(a.DrawnCard(source, card if source == "table" else None))  # type: ignore[arg-type]
        if source == "deck":
            drawn.append(card)
        else:
            turned += decks.turn_up()
            if card == LOCOMOTIVE:
                break
    if not taken:
        assert store is None
        return False
    turned += decks.turn_up()
    cards = _to_rack(rng, taken) if position.variant.team_size > 1 else tuple(taken)
    game.do(a.DrawCards(seat, cards, store), Outcome(tuple(drawn), tuple(turned)))
    return True


def _take_one(game: Simulation, second: bool, wanted: set[str], blind: bool) -> tuple[str, str] | None:
    decks, rng = game.decks, game.rng
    useful = [c for c in decks.face_up if c in wanted and c != LOCOMOTIVE]
    if not second and not blind and LOCOMOTIVE in decks.face_up and rng.random() < 0.3:
        useful = [LOCOMOTIVE]
    if useful and not blind:
        card = rng.choice(useful)
        decks.face_up.remove(card)
        return "table", card
    found = decks.draw()
    if found:
        return "deck", found
    others = [c for c in decks.face_up if c != LOCOMOTIVE or not second]
    if blind and second and len(others) and game.position.variant.drawn_cards < 2:
        return None
    if others:
        card = rng.choice(others)
        decks.face_up.remove(card)
        return "table", card
    return None


def _to_rack(rng: random.Random, taken: list[a.DrawnCard]) -> tuple[a.DrawnCard, ...]:
    if taken[0].source == "table" and taken[0].card == LOCOMOTIVE:
        return (a.DrawnCard("table", LOCOMOTIVE, "rack"),)
    stacks = rng.choice((("hand", "rack"), ("rack", "hand")))
    return tuple(a.DrawnCard(c.source, c.card, to) for c, to in zip(taken, stacks, strict=False))  # type: ignore[arg-type]


def _more_tickets(game: Simulation, seat: str) -> bool:
    if not game.decks.tickets:
        return False
    variant = game.position.variant
    drawn = game.ticket_draw(variant.drawn_tickets)
    kept = _best_tickets(game, seat, drawn, max(variant.keep_drawn, game.rng.choice((1, 1, 2))))
    rack = (game.rng.choice(kept),) if variant.team_size > 1 else None
    game.put_under([t for t in drawn if t not in kept])
    game.do(a.DrawTickets(seat, drawn, kept, rack))
    return True


def _reveal(game: Simulation, seat: str) -> bool:
    own = game.position.run.tickets.get(seat, ())
    if not own:
        return False
    game.do(a.RevealTickets(seat, tuple(game.rng.sample(own, min(len(own), game.rng.choice((1, 2)))))))
    return True


def _wants_station(game: Simulation, seat: str) -> bool:
    player = game.position.entry(seat)
    if len(player.stations) >= game.position.variant.stations:
        return False
    blocked = any(_path(game.position, seat, t, frozenset()) is None for t in player.tickets)
    return game.rng.random() < (0.5 if blocked else 0.01)


def _build(game: Simulation, seat: str) -> bool:
    position = game.position
    player = position.entry(seat)
    if len(player.stations) >= position.variant.stations:
        return False
    cards = cheap_payment(station_price(position, player), dict(position.seat(seat).cards or {}), game.rng)
    ends = [c for t in player.tickets for c in (*position.board.reach(t.a), *position.board.reach(t.b))]
    free = [c for c in ends if c not in position.buildings]
    if cards is None or not free:
        return False
    game.pay(cards)
    game.do(a.BuildStation(seat, game.rng.choice(free), cards))
    return True


def _depot_city(game: Simulation, player: Player) -> str:
    """A crossing that many tracks touch, still without a building."""
    board = game.position.board
    free = [c for c in board.cities if c not in game.position.buildings and not board.cities[c].junction]
    best = sorted(free, key=lambda c: -len(board.touching[c]))[:8]
    return game.rng.choice(best)


def _maybe_buy(game: Simulation, seat: str, plan: list[str]) -> None:
    """Buys what the planned tracks need, at times something else."""
    position, rng = game.position, game.rng
    player = position.entry(seat)
    needed = [t for r in plan for t in position.board.routes[r].technologies if t not in player.technologies]
    on_offer = position.variant.technology_ids(position.board)
    extra = [t for t in on_offer if t not in player.technologies]
    wish = rng.choice(needed) if needed and rng.random() < 0.8 else rng.choice(extra) if extra else None
    if wish is None or on_sale(position, wish) < 1 or (wish not in needed and rng.random() < 0.6):
        return
    effect = position.board.technologies[wish].effects
    if "claim_occupied" in effect and not _occupied_wish(game, seat):
        return
    if "before_first_reshuffle" in effect and position.run.reshuffled:
        return
    hand = dict(position.seat(seat).hand or {})
    cards = cheap_payment(technology_price(position, player, wish), hand, rng)
    if cards is None or sum(cards.values()) > 9:
        return
    action = a.BuyTechnology(seat, wish, cards)
    if not a.judge(position, action).legal:
        return
    game.pay(cards)
    game.do(action)
    if "returned" in effect:
        _use_at_once(game, seat)


def _use_at_once(game: Simulation, seat: str) -> None:
    """A technology that works at once is used at once: some track is claimed, whatever it costs."""
    wishes = _occupied_wish(game, seat) if _holds(game, seat, "claim_occupied") else _by_length(game.position, seat)
    if _claim_some(game, seat, wishes):
        return
    offer = next(o for o in a.offers(game.position) if o.kind == "claim")
    route = next(iter(offer.asks[0].choices({}) or ()))
    cards = next(iter(offer.asks[1].choices({"route": route}) or ()))
    _claim(game, a.Claim(seat, route, cards), dict(game.position.seat(seat).cards or {}))
    if game.position.turn == seat and game.position.run.claims:
        game.do(a.Pass(seat))


def _holds(game: Simulation, seat: str, effect: str) -> bool:
    return bool(effects(game.position, game.position.entry(seat), effect))


def _occupied_wish(game: Simulation, seat: str) -> list[str]:
    """Tracks of others that could be paid for after four locomotives are gone: short ones."""
    position = game.position
    player = position.entry(seat)
    hand = Counter(position.seat(seat).cards or {})
    if hand.total() < 8:
        return []
    others = [position.board.routes[r] for r in position.owners if r not in player.routes]
    return [r.id for r in others if r.length <= 2 and set(r.technologies) <= set(player.technologies)]

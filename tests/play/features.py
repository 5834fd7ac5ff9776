"""What a recorded game shows: bonuses, tie-breaks, end triggers, technologies, and everything else the rules know."""

from __future__ import annotations

from collections.abc import Iterator

from companion import rules as a
from companion.rules import (
    VARIANTS,
    Position,
    ScoreSheet,
    Variant,
    claim_price,
    effects,
    pay,
    play,
    turned_cards,
)
from companion.table.game import Entry, Game
from maps import LOCOMOTIVE, load


def shown(game: Game) -> set[str]:
    """Everything that happens in a game, as short names."""
    found = set(_lines(game.position.variant, game.score()))
    found |= {f"module {m}" for m in game.position.modules} | {f"option {o}" for o in game.position.options}
    found |= {
        f"line {key}" for line in game.journal.lines for key in ("undo", "redo", "correct", "seen") if key in line
    }
    if any(e.accepted for e in game.entries):
        found.add("accepted anyway")
    position = game.begin
    for told in game.entries:
        assert told.action is not None
        then = play(position, told.action, told.outcome)
        found |= set(_action(position, told, then)) | set(_end(position, then))
        position = then
    return found


def _lines(variant: Variant, sheet: ScoreSheet) -> Iterator[str]:
    for line in sheet.players[0].breakdown:
        values = [p.breakdown[line] for p in sheet.players]
        if any(values):
            yield f"bonus {variant.id} {line}"
        if line in ("longest_path", "globetrotter", "explorer", "depots") and sum(v > 0 for v in values) > 1:
            yield f"shared bonus {line}"
        if line == "technologies" and min(values) < 0:
            yield "a technology that costs points at the end"
    if sheet.decided_by != "points":
        yield tie(variant, sheet.decided_by)
    if any(p.station_choices for p in sheet.players):
        yield "station used for a ticket"


def tie(variant: Variant, rule: str) -> str:
    """A tie-break, by the order in which the variant breaks ties."""
    return f"tie {'+'.join(variant.ties)}: {rule}"


def _end(before: Position, after: Position) -> Iterator[str]:
    was, now = before.run, after.run
    if was.last_turns is None and now.last_turns is not None:
        team = after.entry(now.called_by)
        yield end(after.variant, after.wagons_left(team))
    if now.reshuffled and not was.reshuffled:
        yield "deck ran out"


def end(variant: Variant, wagons: int) -> str:
    """An end trigger: so many wagons left."""
    return f"end at {wagons} of {'team' if variant.team_size > 1 else 'player'}"


def _action(position: Position, told: Entry, after: Position) -> Iterator[str]:
    action = told.action
    assert action is not None
    yield f"action {action.kind}"
    if "sweep" in (told.outcome.turned or ()):
        yield "three locomotives swept"
    if isinstance(action, a.Claim):
        yield from _claim(position, action)
    elif isinstance(action, a.BuyTechnology):
        yield f"technology {action.technology}"
    elif isinstance(action, a.BuildStation):
        yield f"station {len(after.entry(action.player).stations)}"
    elif isinstance(action, a.TakeShare) and action.neutral:
        yield "share for the neutral player"
    elif isinstance(action, a.DrawCards):
        yield from _draw(action)


def _draw(action: a.DrawCards) -> Iterator[str]:
    if len(action.cards) == 3:
        yield "three cards drawn blind"
    if action.cards[0].source == "table" and action.cards[0].card == LOCOMOTIVE:
        yield "open locomotive taken"
    for card in action.cards:
        if card.to:
            yield f"card to the {card.to}"


def _claim(position: Position, action: a.Claim) -> Iterator[str]:
    route, player = position.board.routes[action.route], position.entry(action.player)
    yield f"{route.kind} claimed" if not action.give_up else "tunnel given up"
    price = claim_price(position, player, route)
    paid = pay(price, action.cards)
    if paid and paid.stand_ins:
        yield "cards stood for a locomotive"
    if set(action.cards) == {LOCOMOTIVE}:
        yield "locomotives only"
    if price.cards < route.length:
        yield "diesel saved a card"
    if route.id in position.owners:
        yield "occupied track claimed"
    if position.run.claims:
        yield "two tracks in one turn"
    if effects(position, player, "points_per_ferry") and route.kind == "ferry":
        yield "points for a ferry"
    if action.revealed is not None and not action.give_up:
        yield "tunnel paid more" if action.extra else "tunnel cost nothing more"
        color = paid.color if paid else None
        if sum(t.counts for t in turned_cards(color, action.revealed)) > 1:
            yield "tunnel paid two or more"
    if len(position.board.groups[route.group]) > 1:
        taken = any(t.id in position.owners for t in position.board.groups[route.group])
        yield "second track of a group" if taken else "first track of a group"


def demanded() -> set[str]:
    """What the recorded games together must show."""
    # How a game is kept, and who was forgotten at its start, is no action of the game.
    every = {f"action {kind}" for kind in a.ACTIONS if kind not in ("keeping", "join")}
    for variant in VARIANTS.values():
        board = load(variant.board)
        every |= {f"bonus {variant.id} {line}" for line in variant.lines(board)}
        every |= {tie(variant, rule) for rule in (*variant.ties, "shared")}
        every |= {end(variant, n) for n in range(variant.end_trigger + 1)}
        every |= {f"option {o}" for o in variant.options}
        every |= {f"technology {t}" for t in variant.technology_ids(board)}
        every |= {f"station {n + 1}" for n in range(variant.stations)}
    every |= {f"shared bonus {line}" for line in ("longest_path", "globetrotter", "explorer", "depots")}
    every |= {
        "module warehouses-depots", "bonus usa depots", "bonus europe-big-cities depots", "bonus asia depots",
        "line undo", "line redo", "line correct", "accepted anyway", "deck ran out", "three locomotives swept",
        "station used for a ticket", "open locomotive taken", "card to the rack", "card to the hand",
        "locomotives only",
        "normal claimed", "ferry claimed", "tunnel claimed", "mountain claimed", "tunnel given up", "tunnel paid more",
        "tunnel paid two or more", "tunnel cost nothing more", "first track of a group", "second track of a group",
        "share for the neutral player", "three cards drawn blind", "cards stood for a locomotive",
        "diesel saved a card",
        "occupied track claimed", "two tracks in one turn", "points for a ferry",
        "a technology that costs points at the end",
    }  # fmt: skip
    return every

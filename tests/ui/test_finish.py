"""A finished board of every kind scored by touches: what no camera can know is asked, and only where there is any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.rules import DEPOTS, MODULES, VARIANTS
from companion.ui.desk import capital
from companion.ui.work import Job
from maps import load, message
from tests.ui.conftest import Pilot, Start, Table
from vision.reading import Reading, StationReading


def _united_kingdom(pilot: Pilot) -> None:
    pilot.type("71", at=1)
    pilot.tap(load("united-kingdom").technologies["booster"].name(pilot.desk.language))


def _pennsylvania(pilot: Pilot) -> None:
    # The first company's shares 1 and 2.
    pilot.tap("1", "2")


def _san_francisco(pilot: Pilot) -> None:
    pilot.tap("1", "2", "3")


def _asia(pilot: Pilot) -> None:
    pilot.tap(pilot.say("tickets.add"), "Peking", "Delhi", "12", "back")


def _nothing(pilot: Pilot) -> None:
    for heading in ("marked_points", "technologies", "shares", "tourists", "depots_left", "neutral"):
        assert not pilot.sees(pilot.say(f"ask.{heading}"))


@pytest.mark.parametrize(
    ("variant", "language", "tell", "line", "points"),
    [
        ("usa", "fr", _nothing, "tickets", 0),
        ("legendary-asia", "en", _nothing, "explorer", 10),
        ("united-kingdom", "en", _united_kingdom, "routes", 71),
        ("united-kingdom-advanced", "fr", _united_kingdom, "routes", 71),
        ("pennsylvania", "en", _pennsylvania, "shares", 30),
        ("san-francisco", "fr", _san_francisco, "tourists", 2),
        ("asia", "en", _asia, "tickets", -12),
    ],
)
def test_what_the_camera_cannot_know_is_asked(
    start: Start, table: Table, variant: str, language: str, tell: Callable[[Pilot], None], line: str, points: int
) -> None:
    rules = VARIANTS[variant]
    board = load(rules.board)
    colors = board.wagon_colors[:2]
    routes = [r for r in board.routes.values() if r.kind == "normal" and len(board.groups[r.group]) == 1]
    table.board(rules.board, {routes[0].id: colors[0], routes[1].id: colors[1]})
    pilot = start(language)
    pilot.desk.change(variant=variant)
    pilot.photograph()
    pilot.tap(pilot.say("new.next"))
    tell(pilot)
    pilot.next_player()
    if rules.marked_points_count:
        # Left out by the second player: asked once more, and not insisted on.
        pilot.tap(pilot.say("finish.count"), pilot.say("finish.tell-it"))
        assert pilot.app.stack[-1][0] == "finish-player"
        pilot.tap(pilot.say("finish.count"), pilot.say("finish.go-on"))
    else:
        assert pilot.sees(pilot.say("ask.neutral")) == rules.shares
        pilot.next_player()
    pilot.tap(pilot.say("sheet.all"), pilot.say("sheet.home"))
    kept = pilot.desk.history.games()[0]
    assert kept.variant == variant
    first = next(p for p in kept.players if p.color == colors[0])
    assert first.breakdown[line] == points


def test_depots_are_asked_where_they_are_played(start: Start, table: Table) -> None:
    table.board("usa", {"atlanta-charleston-gray": "red"})
    pilot = start()
    pilot.photograph()
    pilot.tap("Warehouses and depots", pilot.say("new.next"))
    assert pilot.sees(pilot.say("ask.depots_left"))
    pilot.tap("2")
    pilot.count()
    assert "depots" in pilot.desk.history.games()[0].players[0].breakdown


@pytest.mark.parametrize("language", ["en", "fr"])
def test_depots_are_looked_for_where_they_are_played(start: Start, table: Table, language: str) -> None:
    table.board("europe", {"amsterdam-essen-yellow": "blue"})

    def read(
        job: Job, photo: Path, _board: object, _colors: object, _known: object, depots: bool, *_: object
    ) -> Reading:
        found: Reading = table.read(job, photo)
        house = {"wien": StationReading("blue", 0.9)}
        return replace(found, depots=house, doubtful=("wien",)) if depots else found

    table.read_board = read
    pilot = start(language)
    pilot.photograph()
    assert not pilot.offers(pilot.say("finish.find-depots"))
    pilot.tap(MODULES[DEPOTS].name(language), pilot.say("finish.find-depots"))

    # The depot is asked about, and another one told by hand.
    blue = capital(pilot.say("review.depot-of", color=message("words.blue")))
    pilot.tap(blue)
    pilot.page._change("madrid")
    pilot.tap(blue)
    assert pilot.sees(pilot.say("review.depots", n=2))
    pilot.tap(pilot.say("review.accept"))
    assert not pilot.offers(pilot.say("finish.find-depots"))
    pilot.tap(pilot.say("new.next"))
    names = [load("europe").place_name(city, language) for city in ("wien", "madrid")]
    assert pilot.sees(pilot.say("finish.depots", cities=names))
    # Five less two: more can't be left.
    assert pilot.offers("3")
    assert not pilot.offers("4")
    pilot.tap("3")
    pilot.count()
    past = pilot.desk.history.games()[0].position["players"][0]
    assert (past["depots"], past["depots_left"]) == (["wien", "madrid"], 3)


def test_only_the_sum_of_the_tickets(start: Start, table: Table) -> None:
    """A table that has added them up already types one number; a ticket that is named later takes its place."""
    table.board("usa", {"atlanta-charleston-gray": "red"})
    pilot = start()
    pilot.photograph()
    pilot.tap(pilot.say("new.next"))
    pilot.type("34")
    assert pilot.sees(pilot.say("finish.tickets-sum", points="+34"))
    pilot.tap("sign-ticket_points")
    assert pilot.page.model.draft.told["ticket_points"] == -34
    pilot.tap("sign-ticket_points", pilot.say("finish.count"), pilot.say("sheet.all"))
    assert pilot.page.model.sheet.players[0].breakdown["tickets"] == 34
    pilot.tap(pilot.say("line.tickets"))
    assert pilot.sees(pilot.tell("score.tickets-added-up", n=34))
    pilot.tap("back", "back", pilot.say("tickets.add"), "Denver", "El Paso")
    assert "ticket_points" not in pilot.page.model.finish.draft.told

"""A game of Europe with four players, from the empty board to the shared sheet: touches, and the real reader.

The photos are drawn, of that very game; the board is made known by showing its corners, as for any print of one's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

from companion.rules import Claim
from companion.ui import services
from companion.ui.models.forms import SingleCard
from maps import load
from tests.conftest import SHARED
from tests.ui.conftest import Pilot, Start
from vision.studio import Game, photo
from vision.studio.camera import Pose

BOARD = load("europe")
Draw = Callable[[Mapping[str, str], Mapping[str, str]], dict[str, Any]]


@pytest.fixture
def draw(photos: Path, monkeypatch: pytest.MonkeyPatch) -> Draw:
    """Lays a board before the camera, with these routes and stations; gives the truth about its photo."""

    def drawn(owners: Mapping[str, str], stations: Mapping[str, str]) -> dict[str, Any]:
        game = Game({r: owners.get(r) for r in BOARD.routes}, stations, {})
        monkeypatch.setattr(photo, "deal", lambda *_, **__: game)
        image, truth = photo.practice("europe", 5, light="neutral", surface="wood", pose=Pose(tilt=12, turn=4))
        for old in photos.iterdir():
            old.unlink()
        photo.write(photos, "board", image, truth)
        return truth

    return drawn


def _claim(pilot: Pilot, route: str) -> None:
    """A route by touch, confirmed."""
    pilot.look_at(route)
    pilot.tap_map(route)
    pilot.tap(pilot.say("confirm.claim"))


def _enrol(pilot: Pilot, truth: Mapping[str, Any]) -> None:
    """The empty board, its corners shown by four touches."""
    pilot.tap(pilot.say("new.empty-board-snap"), pilot.say("snap.shoot"))
    pilot.until(lambda: pilot.offers(pilot.say("enrol.show")))
    pilot.tap(pilot.say("enrol.show"))
    for x, y in truth["corners"]:
        pilot.touch(*pilot.page.photo.to_window_place(x / 1600, y / 1600))
    pilot.wait_for("players")
    pilot.tap(pilot.say("ok"))


def _turn_up(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A red, a blue and a white card before the camera: printed ones read by the real reader, where we have a picture.

    It does not know cards drawn by us, so without that picture its answer is given.
    """
    printed = SHARED / "renders" / "cards" / "tunnel-classic-0036.jpg"
    if printed.is_file():
        for old in photos.iterdir():
            old.unlink()
        (photos / "cards.jpg").symlink_to(printed)
    else:
        monkeypatch.setattr(
            services.CameraReader, "read_cards", lambda *_: [SingleCard(c, 0.98) for c in ("red", "blue", "white")]
        )


def _snap(pilot: Pilot, truth: Mapping[str, Any]) -> None:
    """The board before the camera: the shutter goes by itself; doubts are answered, mistakes changed, then accepted."""
    pilot.tap(pilot.say("table.snap"), settle=False)
    pilot.wait_for("review")
    page = pilot.page

    def right(name: str) -> str:
        color = truth["routes"].get(name) or truth["stations"].get(name)
        return str(pilot.desk.word(color) if color else pilot.say("review.empty"))

    while page.review.item is not None:
        pilot.tap(right(page.review.item.id))
    believed = page.review.believed()
    for sight in (*believed.new, *believed.new_stations):
        if (truth["routes"].get(sight.id) or truth["stations"].get(sight.id)) != sight.seen:
            pilot.tap(page._name(sight.id), right(sight.id))
    pilot.tap(pilot.say("review.accept"))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_game_of_europe_from_the_empty_board_to_the_shared_sheet(
    start: Start, draw: Draw, photos: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    pilot = start(language)
    empty = draw({}, {})
    pilot.tap(pilot.say("home.new"), "Europe", pilot.say("new.next"))
    for i, name in enumerate(("Ada", "Bo", "Cy", "Di")):
        pilot.type(name, at=i)
    _enrol(pilot, empty)
    pilot.tap(pilot.say("new.begin"))
    pilot.deal()
    assert [p.color for p in pilot.game.position.players] == ["blue", "red", "green", "yellow"]

    _claim(pilot, "amsterdam-essen-yellow")

    # Bo tries what Ada holds: nobody accepts that, only the record could be wrong.
    pilot.tap_map("amsterdam-essen-yellow")
    assert not pilot.offers(pilot.say("confirm.claim"))
    assert pilot.sees(pilot.say("form.taken", player="Ada"))
    pilot.tap(pilot.say("cancel"))
    assert len(pilot.game.entries) == 5

    # A tunnel, its turned-up cards photographed; one was read wrongly and is put right by a tap.
    _turn_up(photos, monkeypatch)
    pilot.look_at("paris-zurich-gray")
    pilot.tap_map("paris-zurich-gray")
    pilot.tap(pilot.desk.word("red"), pilot.say("confirm.claim"))
    pilot.tap(pilot.say("form.snap-cards"), pilot.say("snap.shoot"))
    form = pilot.page.model.form
    form.change(form.shows.index("white"))
    pilot.app.refresh()
    pilot.settle()

    # Killed there and opened again: the cards lie as before.
    pilot = start(language)
    assert pilot.sees(pilot.say("form.more-of", n=2, color=pilot.desk.word("red").lower()))
    pilot.tap(pilot.say("form.go-on"), pilot.say("confirm.claim"))
    game = pilot.game
    assert game.position.players[1].routes == ("paris-zurich-gray",)
    assert sorted(pilot.last(Claim).revealed or ()) == ["blue", "red", "red"]
    assert pilot.last(Claim).extra == {"red": 2}

    # One undo: Cy takes tickets instead of cards.
    pilot.tap(pilot.say("do.deck"))
    assert game.position.turn == "Di"
    pilot.tap("undo")
    assert game.position.turn == "Cy"
    pilot.tap(pilot.say("do.draw-tickets"), "2", pilot.say("confirm.draw-tickets"))

    # Di lays wagons without a word: a snap of the board finds them. Later Ada's next route, and Bo's station.
    owners = {"amsterdam-essen-yellow": "blue", "paris-zurich-gray": "red", "edinburgh-london-black": "yellow"}
    _snap(pilot, draw(owners, {}))
    assert game.position.players[3].routes == ("edinburgh-london-black",)
    owners["berlin-wien-green"] = "blue"
    _snap(pilot, draw(owners, {"roma": "red"}))
    assert game.position.players[0].routes == ("amsterdam-essen-yellow", "berlin-wien-green")
    assert game.position.players[1].stations == ("roma",)

    _sheet(pilot, owners)


def _sheet(pilot: Pilot, owners: Mapping[str, str]) -> None:
    """The end: a ticket in two taps, the sheet line by line, shared."""
    language = pilot.desk.language
    pilot.tap("menu", pilot.say("table.end"), pilot.say("table.count"), pilot.say("tickets.add"))
    ticket = BOARD.tickets["amsterdam--pamplona"]
    pilot.tap(BOARD.place_name(ticket.a, language), BOARD.place_name(ticket.b, language), "back")
    for _ in range(4):
        pilot.next_player()
    assert pilot.sees(pilot.say("sheet.next", line=pilot.say("line.routes")))
    for _ in range(4):
        pilot.tap(pilot.page.ids.ways.children[-1].text)
    pilot.tap(pilot.say("sheet.who"))
    kept = pilot.page.model.past
    assert pilot.sees(", ".join(kept.winners))
    points = {p.color: p.breakdown for p in kept.players}
    for color, breakdown in points.items():
        assert breakdown["routes"] == sum(BOARD.routes[r].points for r, c in owners.items() if c == color)
    assert points["blue"]["tickets"] == -ticket.points
    assert points["red"]["stations"] == points["blue"]["stations"] - 4
    pilot.tap(pilot.say("sheet.share"), pilot.say("share.page"))
    shared = sorted((pilot.desk.folder / "shared").iterdir())
    assert [p.suffix for p in shared] == [".html", ".png"]
    assert "<svg" in shared[0].read_text(encoding="utf-8")
    # The game is put away when everybody has seen its sheet.
    if pilot.app._question is not None:
        pilot.tap(pilot.say("ok"))
    pilot.tap(pilot.say("sheet.home"))
    assert pilot.desk.game is None
    assert json.loads((pilot.desk.folder / "unfinished.json").read_text(encoding="utf-8")) == []

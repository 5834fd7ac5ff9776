"""Games from phone to phone by codes, and boxes known by their barcodes: the real screen read by the real reader."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rules import read_action
from companion.table.game import Game
from companion.table.parcel import Parcel
from companion.ui import services
from companion.ui.camera import FolderCamera, NoCamera
from companion.ui.demo import deal
from companion.ui.desk import Desk
from companion.ui.models.new_game import NewGame
from companion.ui.models.passing import Receiving, Sending
from companion.words.dates import day
from tests.ui.conftest import Pilot, Start, Table
from tests.vision.test_codes import ean13

LANGUAGES = ("en", "fr")


def _draws(game: Game, n: int) -> None:
    """Some turns, so that the game fills several codes."""
    for i in range(n):
        cards = [{"from": "deck"}, {"from": "table", "card": ("red", "blue", "green", "white")[i % 4]}]
        game.do(read_action({"action": "draw-cards", "player": game.position.turn, "cards": cards}, game.position))


def _photograph(pilot: Pilot, photos: Path, order: list[int]) -> None:
    """The codes on this screen as another phone photographs them."""
    names, model, screen = {}, pilot.page.model, photos.parent / "screen.png"
    for _ in model.codes:
        if len(model.codes) > 1:
            pilot.tap(pilot.say("codes.after"))
        pilot.picture(screen)
        names[model.at] = np.asarray(cv2.imread(str(screen)), np.uint8)
    for i, at in enumerate(order):
        # Shown larger, as on a phone with many pixels.
        cv2.imwrite(str(photos / f"{i:02}.png"), cv2.resize(names[at], None, fx=2, fy=2))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_running_game_passes_to_another_phone(start: Start, photos: Path, language: str) -> None:
    pilot = start(language)
    pilot.begin("Ada", "Bo")
    game = pilot.game
    _draws(game, 24)
    pilot.tap("menu", pilot.say("table.pass-on"))
    assert len(pilot.page.model.codes) == 2
    before = game.position
    # In the wrong order, one of them twice.
    _photograph(pilot, photos, [1, 1, 0])

    other = start(language, home="other")
    other.tap(other.say("home.receive"))
    other.wait_to_see(other.say("codes.missing", n=1, all=2, numbers=["1"]))
    other.tap(other.say("snap.shoot"), other.say("snap.shoot"))
    other.wait_for("table")
    assert other.game.position == before
    other.tap(other.say("do.deck"))
    assert len(other.game.entries) == 29


def test_a_finished_game_passes_to_the_history_of_another_phone(start: Start, table: Table, photos: Path) -> None:
    table.board("usa", {"atlanta-charleston-gray": "red"})
    pilot = start()
    pilot.photograph()
    pilot.tap(pilot.say("new.next"))
    pilot.count()
    kept = pilot.desk.history.games()
    pilot.tap(pilot.say("home.history"), pilot.day(kept[0]), pilot.say("sheet.codes"))
    (photos / "00.jpg").unlink()
    _photograph(pilot, photos, list(range(len(pilot.page.model.codes))))
    other = start(home="other")
    for told in ("codes.kept", "codes.known"):
        other.desk.camera = FolderCamera(photos)
        other.tap(other.say("home.receive"))
        other.wait_to_see(other.say(told, date=day(kept[0].date, other.desk.language), names=["Red"]))
        other.tap(other.say("ok"))
    assert other.desk.history.games() == kept


def test_the_game_that_went_on_here_waits_in_the_history(start: Start) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    first = pilot.game.journal.path
    pilot.tap("back")
    pilot.begin("Cy", "Di")
    assert pilot.game.journal.path != first
    pilot.tap("back", pilot.say("home.history"), "Europe\nAda, Bo")
    assert pilot.game.journal.path == first
    assert pilot.sees("Ada")


class TestReceiving:
    """What may come before the camera, told in a sentence each."""

    @pytest.fixture
    def receiving(self, tmp_path: Path) -> Receiving:
        desk = Desk(tmp_path, NoCamera())
        desk.change(language="en")
        return Receiving(desk)

    def test_trouble_is_told_and_nothing_is_lost(self, receiving: Receiving) -> None:
        desk = receiving.desk
        game = NewGame(desk).begin()
        deal(game)
        _draws(game, 24)
        texts = Sending(desk, Parcel.of(game)).codes
        assert receiving.see(["https://example.org"]) is None
        assert receiving.told == desk.say("codes.stranger")
        assert receiving.see([texts[0]]) is None
        assert receiving.see(services.pack(b"another game")) is None
        assert receiving.told == desk.say("codes.other-game", n=1, all=len(texts))
        broken = texts[1][:-6] + "000000"
        assert receiving.see([broken]) is None
        assert "damaged" in receiving.told
        # After that everything is scanned again.
        parcel = receiving.see(texts)
        assert parcel is not None
        assert parcel.lines[0]["players"][0]["name"] == "Blue"

    def test_codes_that_hold_no_game_are_told(self, receiving: Receiving) -> None:
        assert receiving.see(services.pack(b'{"something": "else"}')) is None
        assert "damaged" in receiving.told


def test_a_box_scanned_and_named_once_opens_its_board(start: Start, photos: Path) -> None:
    # Guards and digits as they are printed on any box.
    cv2.imwrite(str(photos / "box.png"), ean13("4005556012343"))
    pilot = start()
    pilot.tap(pilot.say("home.new"), pilot.say("new.scan"))
    pilot.wait_to_see(pilot.say("new.box-unknown"))
    pilot.tap(pilot.say("ok"), "Pennsylvania", pilot.say("new.next"), "back", "Europe", "back")
    pilot.tap(pilot.say("home.new"))
    assert pilot.page.model.board.id == "europe"
    pilot.tap(pilot.say("new.scan"))
    pilot.wait_for("variant")
    assert pilot.page.model.board.id == "pennsylvania"

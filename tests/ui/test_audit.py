"""The steps of a sceptical new user that once went wrong, walked again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.rules import MODULES
from companion.ui.camera import FolderCamera
from companion.ui.services import CameraReader
from tests.ui.conftest import Start


@pytest.mark.parametrize("language", ["en", "fr"])
def test_who_begins_is_asked_by_the_names_that_were_typed(start: Start, language: str) -> None:
    pilot = start(language)
    pilot.begin("Old", "Older")
    pilot.app.home()
    pilot.tap(pilot.say("home.new"), "Europe", pilot.say("new.next"))
    for i, name in enumerate(("Ada", "Bo", "Chidi")):
        pilot.type(name, at=i)
    pilot.frames(2)
    shown = [button.text for button in pilot.page._firsts]
    assert shown[:3] == ["Ada", "Bo", "Chidi"]
    assert not {"Old", "Older"} & set(shown)
    # Cleared again, the colour stands for whoever sits there.
    pilot.type("", at=1)
    assert pilot.page._firsts[1].text == pilot.page.model.told_name(1) != "Bo"
    pilot.tap("Chidi", pilot.say("new.begin"))
    pilot.deal()
    assert pilot.game.position.turn == "Chidi"


def test_depots_of_the_last_game_do_not_stick(start: Start) -> None:
    pilot = start()
    module = MODULES["warehouses-depots"].name("en")
    pilot.tap(pilot.say("home.new"), "Legendary Asia", module, pilot.say("new.next"))
    pilot.tap(pilot.say("new.begin"))
    assert pilot.game.position.has_depots
    pilot.app.home()
    pilot.tap(pilot.say("home.new"), "San Francisco", pilot.say("new.next"), pilot.say("new.begin"))
    assert not pilot.game.position.has_depots
    assert not pilot.offers(pilot.say("do.depot"))


def test_a_full_board_is_not_learnt_as_the_empty_one(
    start: Start, shared: Path, tmp_path: Path, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = shared / "photos" / "usa" / "IMG_4168.jpg"
    if not photo.is_file():
        pytest.skip("needs a photo of a full board from the shared material")
    shutil.copy(photo, photos / photo.name)
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "learnt"))
    pilot = start()
    pilot.desk.camera, pilot.desk.reader = FolderCamera(photos), CameraReader()
    pilot.tap(pilot.say("home.boards"), "USA", pilot.say("new.empty-board-snap"), pilot.say("snap.shoot"))
    pilot.until(lambda: pilot.page.model.state == "failed")
    assert pilot.sees("This board is not empty")
    pilot.tap("back")
    assert not pilot.offers(pilot.say("boards.forget"))

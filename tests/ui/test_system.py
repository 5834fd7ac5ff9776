"""What the app leaves to the system around it: gallery, share sheet, and a camera that opens another app."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.ui import services
from companion.ui.camera import FolderCamera
from companion.ui.system import Desktop, Picked
from maps import Trouble
from tests.ui.conftest import Start, Table

ROUTE = "atlanta-charleston-gray"


class Phone(Desktop):
    """A phone whose owner always picks the same, and whose other apps take everything."""

    def __init__(self, picks: Path | Trouble | None = None) -> None:
        self.picks = picks
        self.asked: list[str] = []
        self.shared: list[tuple[str, str]] = []

    def pick(self, kind: str, done: Picked) -> bool:
        self.asked.append(kind)
        done(self.picks)
        return True

    def share(self, file: Path, kind: str, _title: str) -> bool:
        assert file.is_file()
        self.shared.append((file.suffix, kind))
        return True


def test_a_picture_comes_from_the_phones_gallery(start: Start, table: Table) -> None:
    table.board("usa", {ROUTE: "red"}, doubtful=(ROUTE,))
    pilot = start()
    pilot.desk.system = Phone(table.photos / "00.jpg")
    pilot.tap(pilot.say("home.score"), pilot.say("snap.gallery"))
    pilot.wait_for("review")
    assert pilot.desk.system.asked == ["image/*"]


@pytest.mark.parametrize("picks", [None, Trouble("unreadable-file", file="a.jpg", reason="gone")])
def test_without_a_picture_the_camera_waits(start: Start, table: Table, picks: Trouble | None) -> None:
    pilot = start()
    pilot.desk.system = Phone(picks)
    pilot.tap(pilot.say("home.score"), pilot.say("snap.gallery"))
    assert pilot.app.stack[-1][0] == "snap"
    if picks is not None:
        assert pilot.sees("gone")
        pilot.tap(pilot.say("ok"))
    assert pilot.page.model.state == "aim"


def test_sheet_and_history_go_to_the_share_sheet(start: Start, table: Table) -> None:
    table.board("usa", {ROUTE: "red"})
    pilot = start()
    pilot.desk.system = Phone()
    pilot.photograph()
    pilot.tap(pilot.say("new.next"))
    pilot.next_player()
    pilot.tap(pilot.say("sheet.all"), pilot.say("sheet.share"), pilot.say("share.picture"))
    assert pilot.desk.system.shared == [(".png", "image/png")]
    assert pilot.app._question is None
    pilot.tap(pilot.say("sheet.home"))
    pilot.tap(pilot.say("home.history"), pilot.say("history.csv"))
    assert pilot.desk.system.shared[1:] == [(".csv", "text/csv")]


def test_a_camera_app_is_not_opened_by_a_steady_hand(
    start: Start, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Steady:
        """Sees the board in every frame."""

        def look(self, frame: services.Picture) -> services.Seen:
            high, wide = (float(side) for side in frame.shape[:2])
            return services.Seen(((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)), True)

    monkeypatch.setattr(table, "follower", lambda _board: Steady())
    monkeypatch.setattr(FolderCamera, "instant", False)
    table.board("usa", {ROUTE: "red"}, doubtful=(ROUTE,))
    pilot = start()
    pilot.tap(pilot.say("home.score"))
    pilot.wait_to_see(pilot.say("snap.hold-still"))
    assert pilot.app.stack[-1][0] == "snap"
    assert pilot.page.model.state == "aim"

"""Pictures in the app: a board scored from one photo, live view, gallery, enrolment, cards, and what goes wrong."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import NoReturn

import cv2
import numpy as np
import pytest

from companion import practice
from companion.cli import main
from companion.ui import services
from companion.ui.camera import NoCamera
from companion.ui.desk import Desk
from companion.ui.models.ticket_review import PaperSighting
from companion.ui.work import Job
from maps import Trouble, load
from maps.drawing import LIGHT, scene, to_image, tracks
from tests.ui.conftest import Start, Table
from tests.vision import lettered
from vision.recordings import recordings

LANGUAGES = ("en", "fr")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finished_board_is_scored_from_one_photo_in_few_taps(start: Start, table: Table, language: str) -> None:
    board = load("usa")
    routes = sorted(board.routes)
    owners = {r: ("red", "blue")[i % 2] for i, r in enumerate(routes[:24])}
    doubtful = (routes[0], routes[5])
    table.board("usa", owners, doubtful=doubtful)
    pilot = start(language)
    taps = 0

    def tap(text: str) -> None:
        nonlocal taps
        taps += 1
        pilot.tap(text)

    tap(pilot.say("home.score"))
    tap(pilot.say("snap.shoot"))
    tap(pilot.desk.word(owners[doubtful[0]]))
    tap(pilot.desk.word(owners[doubtful[1]]))
    tap(pilot.say("review.accept"))
    assert pilot.sees(board.name(language))
    tap(pilot.say("new.next"))
    # Nobody has tickets here: that is asked once for each.
    for _ in range(2):
        tap(pilot.page.ids.next.text)
        tap(pilot.say("finish.go-on"))
    pilot.settle()
    tap(pilot.say("sheet.all"))
    tap(pilot.say("sheet.home"))
    assert taps <= 12
    kept = pilot.desk.history.games()[0]
    expected = {c: sum(board.routes[r].points for r, o in owners.items() if o == c) for c in ("red", "blue")}
    assert {p.color: p.breakdown["routes"] for p in kept.players} == expected


def test_a_real_photo_is_scored_by_the_real_reader(
    start: Start, photos: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services.CameraReader, "follower", lambda *_: None)
    source = shared / "photos" / "usa" / "IMG_4132.jpg"
    if not source.exists():
        pytest.skip("needs the photos of the shared material")
    truth = json.loads(source.with_suffix(".json").read_text(encoding="utf-8"))["routes"]
    (photos / "board.jpg").symlink_to(source)
    pilot = start()
    taps = 2
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
    pilot.wait_for("review")
    while pilot.page.review.item is not None:
        right = truth[pilot.page.review.item.id]
        pilot.tap(pilot.desk.word(right) if right else pilot.say("review.empty"))
        taps += 1
    pilot.tap(pilot.say("review.accept"), pilot.say("new.next"))
    taps += 2
    while not pilot.offers(pilot.say("sheet.all")):
        pilot.next_player()
        taps += 1
    pilot.tap(pilot.say("sheet.all"), pilot.say("sheet.home"))
    assert taps + 2 <= 14
    board = load("usa")
    expected: dict[str, int] = {}
    for route, color in truth.items():
        if color:
            expected[color] = expected.get(color, 0) + board.routes[route].points
    kept = pilot.desk.history.games()[0]
    assert {p.color: p.breakdown["routes"] for p in kept.players} == expected


def test_a_board_held_still_is_photographed_by_itself(start: Start, table: Table) -> None:
    class Still:
        """Sees the board in every frame, and from the third one on no hand shakes."""

        frames = 0

        def look(self, frame: services.Picture) -> services.Seen:
            self.frames += 1
            high, wide = frame.shape[:2]
            corners = ((0.0, 0.0), (float(wide), 0.0), (float(wide), float(high)), (0.0, float(high)))
            return services.Seen(corners, self.frames > 2)

    table.follower = lambda _board: Still()
    table.board("usa", {"atlanta-charleston-gray": "red"}, doubtful=("atlanta-charleston-gray",))
    pilot = start()
    pilot.tap(pilot.say("home.score"))
    pilot.wait_for("review")


def test_an_unknown_board_is_learnt_by_showing_corners_and_cities(
    start: Start, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "learnt"))
    board = load("san-francisco")
    drawn = scene(board, theme=LIGHT, decorated=True)
    to_image(drawn, 1400).convert("RGB").save(photos / "empty.jpg", quality=90)
    pilot = start()
    pilot.tap(pilot.say("home.new"), "San Francisco", pilot.say("new.next"))
    pilot.tap(pilot.say("new.empty-board-snap"), pilot.say("snap.shoot"))
    pilot.tap(pilot.say("enrol.show"))
    model = pilot.page.enrolment
    height = 1 / board.geometry.aspect
    corners = [(0.002, 0.002), (0.998, 0.002), (0.998, height - 0.002), (0.002, height - 0.002)]
    cities = [tracks.spots(board, city)[0] for city in model.cities]
    for x, y in (*corners, *cities):
        pilot.touch(*pilot.page.photo.to_window_place(x, y))
    pilot.wait_for("players")
    assert pilot.sees(pilot.say("new.enrolled"))
    assert any((tmp_path / "learnt").rglob("*san-francisco*"))


def test_real_cards_of_a_tunnel_are_read_from_a_photo(start: Start, photos: Path, shared: Path) -> None:
    sources = sorted((shared / "renders" / "cards").glob("tunnel*.json"))
    drawn = [s for s in sources if len(json.loads(s.read_text(encoding="utf-8"))["cards"]) == 3]
    if not drawn:
        pytest.skip("needs the cards of the shared material")
    (photos / "cards.jpg").symlink_to(drawn[0].with_suffix(".jpg"))
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.tap(pilot.say("do.claim"))
    pilot.type("paris zur")
    pilot.tap("Paris – Zürich", pilot.desk.word("red"), pilot.say("confirm.claim"))
    pilot.tap(pilot.say("form.snap-cards"), pilot.say("snap.shoot"))
    pilot.wait_for("table")
    truth = [c["color"] for c in json.loads(drawn[0].read_text(encoding="utf-8"))["cards"]]
    assert sorted(pilot.page.model.form.turned) == sorted(truth)


def test_real_tickets_are_read_and_the_unsure_ones_asked(
    start: Start, table: Table, photos: Path, shared: Path
) -> None:
    source = shared / "renders" / "cards" / "tickets-usa-0002.json"
    if not source.exists():
        pytest.skip("needs the tickets of the shared material")
    truth = {t["id"] for t in json.loads(source.read_text(encoding="utf-8"))["tickets"]}
    table.board("usa", {"atlanta-charleston-gray": "red"})
    (photos / "tickets.jpg").symlink_to(source.with_suffix(".jpg"))
    table.undo("read_tickets")
    pilot = start()
    pilot.photograph()
    pilot.tap(pilot.say("new.next"), pilot.say("tickets.snap"), pilot.say("snap.shoot"))
    pilot.until(lambda: pilot.app.stack[-1][0] != "snap")
    while pilot.app.stack[-1][0] == "ticket-review":
        item = pilot.page.review.item
        known = [t for t in item.choices if t in truth]
        pilot.page._answer(known[0] if known else None)
        pilot.settle()
    found = set(pilot.page.model.draft.tickets)
    assert found <= truth
    assert len(found) >= len(truth) - 1


def _drawn(ticket: str) -> lettered.Picture:
    """A USA ticket of our own design, as no net has seen it."""
    board = load("usa")
    names = board.place_name(board.tickets[ticket].a), board.place_name(board.tickets[ticket].b)
    return lettered.ticket(" - ".join(names).upper(), board.tickets[ticket].points)


def _printed(prints: Path, ticket: str) -> lettered.Picture:
    picture = cv2.imread(str(prints / f"{ticket}.jpg"))
    assert picture is not None
    return np.asarray(cv2.resize(picture, (lettered.WIDE, lettered.HIGH)), np.uint8)


@pytest.mark.parametrize("real", [False, True], ids=["drawn tickets", "real prints"])
def test_a_board_is_scored_from_its_photo_and_one_of_each_players_tickets(
    start: Start, photos: Path, shared: Path, monkeypatch: pytest.MonkeyPatch, real: bool
) -> None:
    """Everything by the real readers."""
    monkeypatch.setattr(services.CameraReader, "follower", lambda *_: None)
    source = shared / "photos" / "usa" / "IMG_4132.jpg"
    if not source.exists():
        pytest.skip("needs the photos of the shared material")
    truth = json.loads(source.with_suffix(".json").read_text(encoding="utf-8"))["routes"]
    (photos / "1-board.jpg").symlink_to(source)
    prints = shared / "prints" / "tickets" / "usa-older"
    if real and not prints.is_dir():
        pytest.skip("needs the prints of the shared material")
    held = [("duluth--houston", "dallas--new-york"), ("calgary--phoenix", "los-angeles--seattle")]
    for n, tickets in enumerate(held):
        arts = [_printed(prints, ticket) if real else _drawn(ticket) for ticket in tickets]
        rows = [(art, lettered.at(320 + 560 * k, 420, 500, 180 * n)) for k, art in enumerate(arts)]
        cv2.imwrite(str(photos / f"{n + 2}-tickets.jpg"), lettered.table(rows))
    pilot = start()
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
    pilot.wait_for("review")
    while pilot.page.review.item is not None:
        right = truth[pilot.page.review.item.id]
        pilot.tap(pilot.desk.word(right) if right else pilot.say("review.empty"))
    pilot.tap(pilot.say("review.accept"), pilot.say("new.next"))
    for tickets in held:
        pilot.tap(pilot.say("tickets.snap"), pilot.say("snap.shoot"))
        pilot.until(lambda: pilot.app.stack[-1][0] != "snap")
        while pilot.app.stack[-1][0] == "ticket-review":
            page = pilot.page
            page._answer(next((t for t in page.review.item.choices if t in tickets), None))
            pilot.settle()
        assert set(pilot.page.model.draft.tickets) == set(tickets)
        pilot.next_player()
    while not pilot.offers(pilot.say("sheet.all")):
        pilot.next_player()
    pilot.tap(pilot.say("sheet.all"), pilot.say("sheet.home"))
    kept = pilot.desk.history.games()[0]
    assert sum(p.breakdown["tickets"] != 0 for p in kept.players) == len(held)


def test_one_photo_of_all_players_tickets_in_rows(start: Start, table: Table, photos: Path) -> None:
    """The top row is the first player's, read by the real reader; each ticket is a chip that can be removed."""
    table.board("usa", {"atlanta-charleston-gray": "red", "atlanta-nashville-gray": "blue"})
    held = [("duluth--houston", "dallas--new-york"), ("calgary--phoenix", "los-angeles--seattle", "boston--miami")]
    rows = [
        (_drawn(ticket), lettered.at(210 + 390 * k, 200 + 380 * n, 360, 2.0 * k))
        for n, tickets in enumerate(held)
        for k, ticket in enumerate(tickets)
    ]
    cv2.imwrite(str(photos / "tickets.jpg"), lettered.table(rows))
    table.undo("read_tickets")
    pilot = start()
    pilot.photograph()
    pilot.tap(pilot.say("new.next"), pilot.say("tickets.snap-all"), pilot.say("snap.shoot"))
    pilot.until(lambda: pilot.app.stack[-1][0] != "snap")
    while pilot.app.stack[-1][0] == "ticket-review":
        item = pilot.page.review.item
        pilot.page._answer(next((t for t in item.choices if t in held[item.whose]), None))
        pilot.settle()
    model = pilot.page.model
    assert [set(draft.tickets) for draft in model.drafts] == [set(tickets) for tickets in held]
    assert {chip.state for chip in model.chips()} == {"missed"}
    pilot.page._drop(0)
    assert len(model.chips()) == 1


def test_a_share_whose_number_is_unread_is_asked_in_two_taps(start: Start, table: Table) -> None:
    table.board("pennsylvania", {sorted(load("pennsylvania").routes)[0]: "red"})
    quad = ((100.0, 100.0), (400.0, 100.0), (400.0, 300.0), (100.0, 300.0))
    table._sheets(
        [
            PaperSighting("share", ("reading", "lehigh-valley"), 0, True, quad),
            PaperSighting("share", ("lehigh-valley",), 0, False, quad),
        ]
    )
    pilot = start()
    pilot.photograph()
    pilot.tap(pilot.say("new.next"), pilot.say("tickets.snap"), pilot.say("snap.shoot"))
    pilot.wait_for("ticket-review")
    companies = load("pennsylvania").companies
    # The company is sure: one tap.
    pilot.tap("3")
    pilot.tap(companies["western-maryland"].name, "2")
    pilot.until(lambda: pilot.app.stack[-1][0] == "finish-player")
    told = pilot.page.model.draft.told["shares"]
    assert {company: numbers for company, numbers in told.items() if numbers} == {
        "reading": [3],
        "western-maryland": [2],
    }


def test_long_work_shows_progress_and_can_be_cancelled(start: Start, table: Table) -> None:
    def slow(job: Job, *_: object) -> NoReturn:
        job.progress(0.4)
        while True:
            job.check()
            time.sleep(0.005)

    table.read_board = slow
    table.board("usa", {})
    pilot = start()
    pilot.tap(pilot.say("home.score"))
    pilot.tap(pilot.say("snap.shoot"), settle=False)
    page = pilot.page
    end = time.monotonic() + 5
    while page.share < 0.4 and time.monotonic() < end:
        pilot.frames(1)
    assert pilot.sees(pilot.say("snap.working"))
    assert page.share == pytest.approx(0.4)
    pilot.tap(pilot.say("cancel"))
    assert page.model.state == "aim"
    assert pilot.offers(pilot.say("snap.shoot"))
    assert not pilot.desk.work.busy


def test_without_a_camera_a_picture_comes_from_the_gallery(
    start: Start, table: Table, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.board("usa", {"atlanta-charleston-gray": "red"})
    monkeypatch.setenv("COMPANION_GALLERY", str(photos))
    pilot = start()
    pilot.desk.camera = NoCamera()
    pilot.tap(pilot.say("home.score"))
    assert pilot.sees(pilot.say("camera.none"))
    assert not pilot.offers(pilot.say("snap.shoot"))
    pilot.tap(pilot.say("snap.gallery"), "00.jpg", pilot.say("review.accept"))
    assert pilot.sees("USA")


def test_a_picture_without_a_board_is_told_and_tried_again(start: Start, table: Table) -> None:
    def nothing(*_: object) -> NoReturn:
        raise Trouble("no-camera")

    table.read_board = nothing
    table.board("usa", {})
    pilot = start()
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
    assert pilot.sees(pilot.desk.tell(Trouble("no-camera")))
    assert pilot.offers(pilot.say("snap.shoot"))


def test_what_the_app_recorded_is_evaluated(
    start: Start, photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The practice board, read by the real reader, put right in record mode, then `companion eval` on the recording."""
    monkeypatch.setattr(services.CameraReader, "follower", lambda *_: None)
    (photos / "board.jpg").symlink_to(practice.FINAL)
    truth = json.loads(practice.FINAL.with_suffix(".json").read_text(encoding="utf-8"))
    with practice.practice_table():
        pilot = start(record=True)
        pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
        pilot.until(lambda: pilot.app.stack[-1][0] != "snap")
        while pilot.app.stack[-1][0] == "review" and pilot.page.review.item is not None:
            name = pilot.page.review.item.id
            color = truth["routes"].get(name) or truth["stations"].get(name)
            pilot.tap(pilot.desk.word(color) if color else pilot.say("review.empty"))
        if pilot.app.stack[-1][0] == "review":
            pilot.tap(pilot.say("review.accept"))
        (recording,) = recordings(pilot.desk.folder / "recordings")
        assert recording.problem is None
        assert recording.truth["routes"] == truth["routes"]
        assert recording.truth["stations"] == truth["stations"]
        assert main(["eval", str(pilot.desk.folder / "recordings"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (row,) = found["rows"]
    assert row["found"]
    assert row["photo"].startswith("europe-")


def test_a_recording_is_put_right_in_the_app(
    start: Start, table: Table, photos: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`companion record --app`: the same review, alone in its window."""
    table.board("usa", {"atlanta-charleston-gray": "red"}, doubtful=("atlanta-charleston-gray",))
    monkeypatch.setattr("vision.read.read", lambda *_, **__: table.known["00.jpg"])
    pilot = start()

    def open_alone(_desk: Desk, alone: tuple[str, object]) -> None:
        """The window of that command, driven by touches."""
        pilot.app.alone = alone
        pilot.app.stack = [alone]
        monkeypatch.setattr(pilot.app, "stop", lambda: None)
        pilot.app.show()
        pilot.settle()
        assert not pilot.offers(pilot.say("review.retake"))
        pilot.tap("Blue", pilot.say("review.accept"))

    monkeypatch.setattr("companion.ui.app.open_app", open_alone)
    monkeypatch.setattr("kivy.app.App.get_running_app", lambda: pilot.app)
    out = tmp_path / "out"
    assert main(["record", str(photos / "00.jpg"), "--app", "--out", str(out), "--session", "kitchen"]) == 0
    (recording,) = recordings(out)
    assert recording.truth["routes"]["atlanta-charleston-gray"] == "blue"
    assert "unchecked" not in recording.truth
    assert not (pilot.desk.folder / "unfinished.json").exists() or pilot.desk.unfinished.screens() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_record_mode_keeps_photo_and_truth(start: Start, table: Table, language: str) -> None:
    table.board("usa", {"atlanta-charleston-gray": "red"}, doubtful=("atlanta-charleston-gray",))
    pilot = start(language)
    pilot.tap(pilot.say("home.settings"), pilot.say("settings.record"), "back")
    assert pilot.desk.settings.record
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
    pilot.tap(pilot.desk.word("blue"), pilot.say("review.accept"))
    folder = pilot.desk.folder / "recordings"
    truth = json.loads(next(folder.glob("usa-*.json")).read_text(encoding="utf-8"))
    assert (folder / truth["photo"]).is_file()
    assert truth["routes"]["atlanta-charleston-gray"] == "blue"

"""Whole flows by touch, in both languages: from a new game to the shared sheet, and a board scored from one photo."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

from companion.table.game import Game
from companion.ui import services
from companion.ui.camera import NoCamera
from maps import Trouble, load
from maps.drawing import LIGHT, scene, to_image, tracks

LANGUAGES = ("en", "fr")


def _begin(pilot: Any, names: tuple[str, ...]) -> None:
    """A new game of Europe with these players."""
    pilot.tap(pilot.say("home.new"), "Europe", pilot.say("new.next"))
    for i, name in enumerate(names):
        pilot.type(name, at=i)
    pilot.tap(pilot.say("new.begin"))


def _claim(pilot: Any, route: str, card: str | None = None) -> None:
    """A route by touch and confirmed; a gray one with a colour."""
    pilot.app.page.map.look_at(*_middle(pilot, route), 6)
    pilot.frames(2)
    pilot.tap_map(route)
    if card:
        pilot.tap(pilot.desk.word(card))
    pilot.tap(pilot.say("confirm.claim"))


def _middle(pilot: Any, route: str) -> tuple[float, float]:
    found: tuple[float, float] = tracks.lay(load(pilot.app.page.map.board))[route].middle
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_of_europe_from_new_game_to_the_shared_sheet(start: Any, table: Any, language: str) -> None:
    pilot = start(language)
    _begin(pilot, ("Ada", "Bo", "Cy", "Di"))
    assert pilot.sees(pilot.say("table.turn", player="Ada"))
    game: Game = pilot.desk.game
    assert [p.color for p in game.position.players] == ["blue", "red", "green", "yellow"]

    _claim(pilot, "amsterdam-essen-yellow")
    assert pilot.sees("Ada")
    assert game.position.players[0].routes == ("amsterdam-essen-yellow",)

    # Bo tries what Ada holds: red, with the rule behind a tap.
    pilot.tap_map("amsterdam-essen-yellow")
    assert not pilot.offers(pilot.say("confirm.claim"))
    pilot.tap(pilot.say("verdict.rule"))
    assert pilot.sees(pilot.say("rule.claiming"))
    pilot.tap(pilot.say("ok"))
    pilot.tap(pilot.say("cancel"))
    assert len(game.entries) == 1

    # A tunnel, its turned-up cards shown to the camera: one red, so one more is due.
    table.cards("red", "blue", "green")
    pilot.app.page.map.look_at(*_middle(pilot, "paris-zurich-gray"), 6)
    pilot.frames(2)
    pilot.tap_map("paris-zurich-gray")
    pilot.tap(pilot.desk.word("red"), pilot.say("confirm.claim"))
    assert pilot.sees(pilot.say("form.turn-up", n=3))
    pilot.tap(pilot.say("form.snap-cards"), pilot.say("snap.shoot"))
    pilot.tap(pilot.say("form.go-on"))
    assert pilot.sees(pilot.say("form.extra", n=1))
    pilot.tap(pilot.say("confirm.claim"))
    assert game.position.players[1].routes == ("paris-zurich-gray",)
    assert game.entries[-1].action.extra == {"red": 1}

    pilot.tap(pilot.say("do.draw-cards"), pilot.say("confirm.draw-cards"))
    assert game.position.turn == "Di"

    # One undo: Cy takes tickets instead.
    pilot.tap(pilot.say("table.undo"))
    assert game.position.turn == "Cy"
    pilot.tap(pilot.say("do.draw-tickets"), "2", pilot.say("confirm.draw-tickets"))

    # Killed and opened again: the game is exactly there.
    before = game.position
    pilot = start(language)
    game = pilot.desk.game
    assert game.position == before
    assert pilot.sees(pilot.say("table.turn", player="Di"))

    # Di lays wagons without a word: a snap of the board finds them.
    owners = {"amsterdam-essen-yellow": "blue", "paris-zurich-gray": "red"}
    fresh = next(r for r in game.position.board.routes if r.startswith("edinburgh-london"))
    table.board("europe", {**owners, fresh: "yellow"})
    # The camera starts with its first picture again after a restart: skip the cards' photo.
    pilot.desk.camera._next = len(table.known) - 1
    pilot.tap(pilot.say("table.snap"), pilot.say("snap.shoot"))
    assert pilot.sees(pilot.say("review.new", n=1))
    pilot.tap(pilot.say("review.accept"))
    assert game.position.players[3].routes == (fresh,)

    # A second snap: Ada's new route is doubtful, a station of Bo's appears.
    second = next(r.id for r in game.position.board.routes.values() if r.color == "orange" and r.kind == "normal")
    table.board("europe", {**owners, fresh: "yellow", second: "blue"}, doubtful=(second,))
    pilot.tap(pilot.say("table.snap"), pilot.say("snap.shoot"))
    assert pilot.sees(pilot.say("review.nth", n=1, all=1))
    pilot.tap(pilot.desk.word("blue"), pilot.say("review.accept"))
    assert second in game.position.players[0].routes

    # The end, tickets in two taps, the sheet line by line.
    pilot.tap(pilot.say("table.end"), pilot.say("table.count"))
    pilot.tap(pilot.say("tickets.add"))
    ticket = next(t for t in game.position.tickets.values())
    board = game.position.board
    pilot.tap(board.place_name(ticket.a, language), board.place_name(ticket.b, language), "back")
    for _ in range(3):
        pilot.tap(pilot.app.page.ids.next.text)
    pilot.tap(pilot.say("finish.count"))
    pilot.settle()
    assert pilot.sees(pilot.say("sheet.next", line=pilot.say("line.routes")))
    for _ in range(4):
        pilot.tap(pilot.app.page.ids.ways.children[-1].text)
    pilot.tap(pilot.say("sheet.who"))
    assert pilot.sees("Bo") or pilot.sees("Di")
    pilot.tap(pilot.say("sheet.share"))
    shared = sorted((pilot.desk.folder / "shared").iterdir())
    assert [p.suffix for p in shared] == [".html", ".png"]
    assert "<svg" in shared[0].read_text(encoding="utf-8")
    assert pilot.desk.game is None
    assert len(pilot.desk.history.games()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finished_board_is_scored_from_one_photo_in_few_taps(start: Any, table: Any, language: str) -> None:
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
    tap(pilot.app.page.ids.next.text)
    tap(pilot.say("finish.count"))
    pilot.settle()
    tap(pilot.say("sheet.all"))
    assert taps <= 12
    kept = pilot.desk.history.games()[0]
    expected = {c: sum(board.routes[r].points for r, o in owners.items() if o == c) for c in ("red", "blue")}
    assert {p.color: p.breakdown["routes"] for p in kept.players} == expected


def test_a_real_photo_is_scored_by_the_real_reader(
    start: Any, photos: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "tracker", lambda _board: None)
    source = shared / "photos" / "usa" / "IMG_4132.jpg"
    if not source.exists():
        pytest.skip("needs the photos of the shared material")
    truth = json.loads(source.with_suffix(".json").read_text(encoding="utf-8"))["routes"]
    (photos / "board.jpg").symlink_to(source)
    pilot = start()
    taps = 2
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
    pilot.wait_for("review")
    while pilot.app.page.review.item is not None:
        right = truth[pilot.app.page.review.item.id]
        pilot.tap(pilot.desk.word(right) if right else pilot.say("review.empty"))
        taps += 1
    pilot.tap(pilot.say("review.accept"), pilot.say("new.next"))
    taps += 2
    while not pilot.offers(pilot.say("sheet.all")):
        pilot.tap(pilot.app.page.ids.next.text)
        taps += 1
    pilot.tap(pilot.say("sheet.all"))
    assert taps + 1 <= 12
    board = load("usa")
    expected: dict[str, int] = {}
    for route, color in truth.items():
        if color:
            expected[color] = expected.get(color, 0) + board.routes[route].points
    kept = pilot.desk.history.games()[0]
    assert {p.color: p.breakdown["routes"] for p in kept.players} == expected


def test_a_board_held_still_is_photographed_by_itself(start: Any, table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Still:
        """Sees the board in every frame, and from the third one on no hand shakes."""

        frames = 0

        def look(self, frame: Any) -> services.Seen:
            self.frames += 1
            high, wide = frame.shape[:2]
            corners = ((0.0, 0.0), (float(wide), 0.0), (float(wide), float(high)), (0.0, float(high)))
            return services.Seen(corners, self.frames > 2)

    monkeypatch.setattr(services, "tracker", lambda _board: Still())
    table.board("usa", {"atlanta-charleston-gray": "red"}, doubtful=("atlanta-charleston-gray",))
    pilot = start()
    pilot.tap(pilot.say("home.score"))
    pilot.wait_for("review")


def test_an_unknown_board_is_learnt_by_showing_corners_and_cities(
    start: Any, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "learnt"))
    board = load("san-francisco")
    drawn = scene(board, theme=LIGHT, decorated=True)
    to_image(drawn, 1400).convert("RGB").save(photos / "empty.jpg", quality=90)
    pilot = start()
    pilot.tap(pilot.say("home.new"), "San Francisco", pilot.say("new.next"))
    pilot.tap(pilot.say("new.empty-board-snap"), pilot.say("snap.shoot"))
    pilot.tap(pilot.say("enrol.show"))
    model = pilot.app.page.enrolment
    height = 1 / board.geometry.aspect
    corners = [(0.002, 0.002), (0.998, 0.002), (0.998, height - 0.002), (0.002, height - 0.002)]
    cities = [tracks.spots(board, city)[0] for city in model.cities]
    for x, y in (*corners, *cities):
        pilot.touch(*pilot.app.page.photo.to_window_place(x, y))
    pilot.wait_for("players")
    assert pilot.sees(pilot.say("new.enrolled"))
    assert any((tmp_path / "learnt").rglob("*san-francisco*"))


def test_real_cards_of_a_tunnel_are_read_from_a_photo(start: Any, photos: Path, shared: Path) -> None:
    sources = sorted((shared / "renders" / "cards").glob("tunnel*.json"))
    drawn = [s for s in sources if len(json.loads(s.read_text(encoding="utf-8"))["cards"]) == 3]
    if not drawn:
        pytest.skip("needs the cards of the shared material")
    (photos / "cards.jpg").symlink_to(drawn[0].with_suffix(".jpg"))
    pilot = start()
    _begin(pilot, ("Ada", "Bo"))
    pilot.tap(pilot.say("do.claim"))
    pilot.type("paris zur")
    pilot.tap("Paris – Zürich", pilot.desk.word("red"), pilot.say("confirm.claim"))
    pilot.tap(pilot.say("form.snap-cards"), pilot.say("snap.shoot"))
    pilot.wait_for("table")
    truth = [c["color"] for c in json.loads(drawn[0].read_text(encoding="utf-8"))["cards"]]
    assert sorted(pilot.app.page.model.form.turned) == sorted(truth)


def test_history_counts_exports_imports_and_deletes(start: Any, table: Any, tmp_path: Path) -> None:
    table.board("usa", {"atlanta-charleston-gray": "red"})
    pilot = start()
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
    pilot.tap(pilot.say("new.next"), pilot.say("finish.count"))
    pilot.tap(pilot.say("sheet.all"), pilot.say("sheet.home"), pilot.say("home.history"))
    assert pilot.sees("Red 12") or pilot.sees("Red")
    pilot.tap(pilot.say("history.csv"), pilot.say("ok"), pilot.say("history.json"), pilot.say("ok"))
    shared = pilot.desk.folder / "shared"
    rows = list(csv.DictReader(io.StringIO((shared / "companion-history.csv").read_text(encoding="utf-8"))))
    assert rows[0]["player"] == "Red"
    assert rows[0]["routes"] == "2"
    assert len(json.loads((shared / "companion-history.json").read_text(encoding="utf-8"))["games"]) == 1
    pilot.tap(pilot.say("history.delete"), pilot.say("history.delete"))
    assert pilot.desk.history.games() == []
    pilot.tap(pilot.say("history.import"), "companion-history.json", pilot.say("ok"))
    assert len(pilot.desk.history.games()) == 1


def test_language_and_look_change_at_once(start: Any) -> None:
    pilot = start("en")
    pilot.tap("Settings", "Français")
    assert pilot.sees("Réglages")
    pilot.tap("Sombre")
    assert pilot.desk.look.name == "dark"
    pilot.tap("back")
    assert pilot.sees("Nouvelle partie")


def test_turning_the_phone_keeps_the_action_being_told(start: Any) -> None:
    pilot = start()
    _begin(pilot, ("Ada", "Bo"))
    pilot.app.page.map.look_at(*_middle(pilot, "amsterdam-essen-yellow"), 6)
    pilot.frames(2)
    pilot.tap_map("amsterdam-essen-yellow")
    assert pilot.sees(pilot.say("verdict.yes"))
    pilot.resize(780, 360)
    assert pilot.app.wide
    assert pilot.sees(pilot.say("verdict.yes"))
    pilot.tap(pilot.say("confirm.claim"))
    assert pilot.desk.game.position.owners == {"amsterdam-essen-yellow": (0,)}


def test_long_work_shows_progress_and_can_be_cancelled(start: Any, table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(job: Any, *_: Any) -> None:
        job.progress(0.4)
        while True:
            job.check()
            time.sleep(0.005)

    monkeypatch.setattr(services, "read_board", slow)
    table.board("usa", {})
    pilot = start()
    pilot.tap(pilot.say("home.score"))
    pilot.tap(pilot.say("snap.shoot"), settle=False)
    page = pilot.app.page
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
    start: Any, table: Any, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.board("usa", {"atlanta-charleston-gray": "red"})
    monkeypatch.setenv("COMPANION_GALLERY", str(photos))
    pilot = start()
    pilot.desk.camera = NoCamera()
    pilot.tap(pilot.say("home.score"))
    assert pilot.sees(pilot.say("camera.none"))
    assert not pilot.offers(pilot.say("snap.shoot"))
    pilot.tap(pilot.say("snap.gallery"), "00.jpg")
    assert pilot.sees("USA")


def test_a_picture_without_a_board_is_told_and_tried_again(
    start: Any, table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(*_: Any) -> None:
        raise Trouble("no-camera")

    monkeypatch.setattr(services, "read_board", nothing)
    table.board("usa", {})
    pilot = start()
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
    assert pilot.sees(pilot.desk.tell(Trouble("no-camera")))
    assert pilot.offers(pilot.say("snap.shoot"))


def test_record_mode_keeps_photo_and_truth(start: Any, table: Any) -> None:
    table.board("usa", {"atlanta-charleston-gray": "red"}, doubtful=("atlanta-charleston-gray",))
    pilot = start()
    pilot.tap(pilot.say("home.settings"), pilot.say("settings.record"), "back")
    assert pilot.desk.settings.record
    pilot.tap(pilot.say("home.score"), pilot.say("snap.shoot"))
    pilot.tap("Blue", pilot.say("review.accept"))
    folder = pilot.desk.folder / "recordings"
    truth = json.loads((folder / "00.json").read_text(encoding="utf-8"))
    assert (folder / truth["photo"]).is_file()
    assert truth["routes"]["atlanta-charleston-gray"] == "blue"


def test_the_map_moves_and_zooms_under_fingers(start: Any) -> None:
    from kivy.tests.common import UnitTestTouch

    pilot = start()
    _begin(pilot, ("Ada", "Bo"))
    view = pilot.app.page.map
    x, y = view.to_window(*view.center)
    one, other = UnitTestTouch(x - 20, y), UnitTestTouch(x + 20, y)
    one.touch_down()
    other.touch_down()
    other.touch_move(x + 100, y)
    one.touch_up()
    other.touch_up()
    assert view.zoom == pytest.approx(3.0, abs=0.2)
    before = view.to_picture(x, y)
    pilot.drag((x, y), (x - 60, y))
    after = view.to_picture(x, y)
    assert after[0] > before[0]
    assert pilot.app.page.model.form is None
    # Once the fingers rest, the board is painted anew in the size that is looked at.
    end = time.monotonic() + 10
    while view._shown[3] != 1536 and time.monotonic() < end:
        pilot.settle()
    assert view._shown[3] == 1536


def test_a_wrong_entry_is_struck_out(start: Any) -> None:
    pilot = start()
    _begin(pilot, ("Ada", "Bo"))
    pilot.tap(pilot.say("do.draw-cards"), pilot.say("confirm.draw-cards"))
    pilot.tap(pilot.say("table.log"), pilot.say("log.strike"), pilot.say("log.strike"), "back")
    assert pilot.desk.game.entries == ()
    assert pilot.sees(pilot.say("table.turn", player="Ada"))


def test_a_route_is_found_by_name(start: Any) -> None:
    pilot = start("fr")
    _begin(pilot, ("Ada", "Bo"))
    pilot.tap(pilot.say("do.claim"))
    pilot.type("paris zur")
    pilot.tap("Paris – Zürich")
    assert pilot.app.page.model.form.data["route"] == "paris-zurich-gray"


def test_a_house_rule_is_accepted_and_logged(start: Any) -> None:
    pilot = start()
    _begin(pilot, ("Ada", "Bo"))
    pilot.tap(pilot.say("do.claim"))
    pilot.type("amsterdam essen")
    pilot.tap("Amsterdam – Essen", "3 × Yellow")
    pilot.tap(pilot.say("verdict.accept"), pilot.say("verdict.accept"))
    assert pilot.desk.game.entries[0].accepted
    assert pilot.sees(pilot.say("table.accepted", what="").strip())


def test_what_no_screen_caught_is_told_and_the_app_goes_on(start: Any) -> None:
    pilot = start()
    pilot.app.unexpected(ValueError("oh"))
    pilot.frames(2)
    assert pilot.sees("ValueError: oh")
    assert "ValueError" in (pilot.desk.folder / "last-error.txt").read_text(encoding="utf-8")
    pilot.tap(pilot.say("ok"))
    assert pilot.offers(pilot.say("home.new") + "\n" + pilot.say("home.new-about"))

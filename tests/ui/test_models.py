"""The screens' models without any screen: new games, tickets, photos under review, sheets."""

from __future__ import annotations

import json
import math
import re
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from companion.rules import DEPOTS, HEADINGS, VARIANTS, DrawCards, Player, Position, Setup, score
from companion.table.game import Game
from companion.table.settings import Seat
from companion.table.take_over import take_over
from companion.ui import demo, hits, layers, share
from companion.ui.camera import FolderCamera, NoCamera, VideoCamera
from companion.ui.demo import deal
from companion.ui.demo import position as demo_position
from companion.ui.desk import Desk
from companion.ui.models.finish import FinishModel
from companion.ui.models.keeping import keep
from companion.ui.models.new_game import NewGame
from companion.ui.models.review import ReviewModel
from companion.ui.models.rules import RulesModel
from companion.ui.models.sheet import SheetModel
from companion.ui.models.table import TableModel
from companion.ui.models.tickets import TicketPicker
from companion.ui.scripts import _covers, runs
from companion.ui.theme import LOOKS
from companion.ui.work import Job, Note, Work
from maps import Trouble, available, load
from maps.drawing import tracks
from maps.drawing.shapes import Words
from tests.ui.conftest import draw_photo, reading_of
from vision.reading import Reading, StationReading
from vision.recordings import SUFFIXES

OWNERS = {
    "amsterdam-essen-yellow": "blue",
    "brest-dieppe-orange": "red",
    "berlin-wien-green": "green",
    "athina-sofia-pink": "yellow",
}
DOUBTFUL = ("berlin-wien-green", "athina-sofia-pink")
GAMES = Path(__file__).resolve().parents[1] / "games"
SEATS = (Seat("Ada", "blue"), Seat("Maximilienne", "red"), Seat("Bo", "green"), Seat("Chidi", "yellow"))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    found = Desk(tmp_path / "home", NoCamera())
    found.change(language="en")
    return found


def _with_depots(folder: Path, **depots: str) -> Reading:
    """Two depots in a photo, both to be looked at; or these."""
    told = {city: StationReading(color, 0.9) for city, color in (depots or {"wien": "blue", "madrid": "red"}).items()}
    return replace(reading_of(folder / "board.jpg", "europe", {}, {}), depots=told, doubtful=tuple(told))


def _reopened(desk: Desk, model: FinishModel) -> FinishModel:
    """As after a crash."""
    again = FinishModel(desk)
    again.resume(json.loads(json.dumps(model.to_json())))
    return again


def _photo(folder: Path) -> Reading:
    """A board on a photo in this folder, and what a reader says about it."""
    draw_photo(folder / "board.jpg", "europe", OWNERS, {"roma": "red"})
    return reading_of(folder / "board.jpg", "europe", OWNERS, {"roma": "red"}, DOUBTFUL)


class TestNewGame:
    def test_a_colour_is_called_as_players_of_the_board_call_it(self, desk: Desk) -> None:
        desk.change(language="fr")
        new = NewGame(desk)
        new.choose(VARIANTS["san-francisco"])
        new.color(0, "pink")
        assert new.told_name(0) == "Rose"

    def test_it_is_filled_with_what_was_played_last(self, desk: Desk) -> None:
        first = NewGame(desk)
        first.choose(VARIANTS["usa"])
        first.name(0, " Ada ")
        first.color(0, "black")
        first.switch("warehouses-depots", True)
        first.switch("all-tickets", True)
        first.begin()
        again = NewGame(desk)
        assert again.variant.id == "usa"
        assert (again.seats[0].name, again.seats[0].color) == ("Ada", "black")
        assert again.modules == {"warehouses-depots"}
        assert again.options == {"all-tickets"}

    def test_colours_change_places(self, desk: Desk) -> None:
        game = NewGame(desk)
        game.color(0, game.seats[1].color)
        assert len({s.color for s in game.seats}) == len(game.seats)

    @pytest.mark.parametrize("variant", sorted(VARIANTS))
    def test_every_variant_can_begin_with_every_number_of_players(self, desk: Desk, variant: str) -> None:
        game = NewGame(desk)
        game.choose(VARIANTS[variant])
        while game.can_remove:
            game.remove(0)
        numbers = [len(game.seats)]
        assert game.problem is None
        while game.can_add:
            game.add()
            assert game.problem is None
            numbers.append(len(game.seats))
        assert tuple(numbers) == game.board.players

    def test_partners_share_a_colour(self, desk: Desk) -> None:
        game = NewGame(desk)
        game.choose(VARIANTS["asia"])
        game.color(1, "black")
        game.move_up(2)
        assert [s.color for s in game.seats[2:4]] == ["black", "black"]
        assert all(len(p.members) == 2 for p in game.players())

    def test_the_same_name_twice_is_told(self, desk: Desk) -> None:
        game = NewGame(desk)
        game.name(0, "Ada")
        game.name(1, "Ada")
        assert game.problem is not None


class TestTickets:
    @pytest.mark.parametrize("variant", [v for v in VARIANTS if v != "asia"])
    def test_two_taps_find_every_ticket(self, variant: str) -> None:
        position = Position.from_json({"variant": variant, "players": [{"name": "A", "color": "red"}]})
        for ticket in position.tickets.values():
            picker = TicketPicker(position)
            assert ticket.a in [p for p, _ in picker.places("en")]
            found = picker.tap(ticket.a)
            if not found:
                # Several tickets begin there: each second city says what it is worth.
                assert ticket.b in [p for p, _ in picker.places("en")]
                assert ticket.points in picker.points_to(ticket.b)
                found = picker.tap(ticket.b)
            assert ticket in found

    def test_what_somebody_holds_is_not_offered(self) -> None:
        position = Position.from_json({"variant": "europe", "players": [{"name": "A", "color": "red"}]})
        held = next(iter(position.tickets.values()))
        picker = TicketPicker(position, [held.id])
        picker.tap(held.a)
        assert held.b not in [p for p, _ in picker.places("en")]

    def test_letters_narrow_the_list(self) -> None:
        position = Position.from_json({"variant": "europe", "players": [{"name": "A", "color": "red"}]})
        picker = TicketPicker(position)
        picker.text = "kob"
        assert [p for p, _ in picker.places("fr")] == ["kobenhavn"]

    def test_unknown_tickets_are_two_cities_and_points(self) -> None:
        position = Position.from_json({"variant": "asia", "players": [{"name": "A", "color": "red"}]})
        picker = TicketPicker(position)
        a, b = [p for p, _ in picker.places("en")][:2]
        picker.tap(a)
        picker.tap(b)
        told = picker.told(9)
        assert told == {"a": a, "b": b, "points": 9}
        player = {"name": "A", "color": "red", "tickets": [told]}
        assert Position.from_json({"variant": "asia", "players": [player]}).players[0].tickets[0].points == 9


def _take(game: Game, review: ReviewModel) -> None:
    """What a photo shows, taken over as the table does it; one undo takes all of it back, one redo brings it."""
    before = game.position
    if take_over(game, review.believed(), review.picture.name).changes:
        after = game.position
        game.undo()
        assert game.position == before
        game.redo()
        assert game.position == after == Game.read(game.journal.path).position


class TestReview:
    def test_answers_replace_what_was_read_and_make_a_recording(self, tmp_path: Path) -> None:
        review = ReviewModel(_photo(tmp_path), tmp_path / "board.jpg")
        assert [i.id for i in review.items] == list(DOUBTFUL)
        review.answer(None)
        review.answer("blue")
        assert review.item is None
        assert review.back()
        review.answer("black")
        routes, stations = review.state()
        assert (routes["berlin-wien-green"], routes["athina-sofia-pink"]) == (None, "black")
        assert stations == {"roma": "red"}
        assert review.corrected().doubtful == ()
        desk = Desk(tmp_path / "home", NoCamera())
        assert review.record(desk) is None
        desk.change(record=True)
        target = review.record(desk)
        assert target is not None
        assert target.suffix in SUFFIXES
        truth = json.loads(target.with_suffix(".json").read_text(encoding="utf-8"))
        assert truth["routes"]["athina-sofia-pink"] == "black"
        assert {"photo", "board", "corners", "routes", "stations", "session"} <= set(truth)
        # The next one of this evening has its own name.
        assert review.record(desk) not in (None, target)

    def test_a_photo_brings_new_claims_and_strikes_wrong_ones(self, desk: Desk, tmp_path: Path) -> None:
        desk.change(seats=SEATS, variant="europe")
        game = NewGame(desk).begin()
        deal(game)
        reading, picture = _photo(tmp_path), tmp_path / "board.jpg"
        _take(game, ReviewModel(reading, picture, game.position))
        assert set(game.position.owners) == set(OWNERS)
        assert game.position.players[1].stations == ("roma",)
        review = ReviewModel(reading, picture, game.position)
        assert [i.why for i in review.items] == ["doubtful", "doubtful"]
        assert review.believed().new == review.believed().new_stations == ()
        review.change("brest-dieppe-orange", None)
        review.change("amsterdam-essen-yellow", "green")
        _take(game, review)
        assert "brest-dieppe-orange" not in game.position.owners
        holder = game.position.owners["amsterdam-essen-yellow"][0]
        assert game.position.players[holder].color == "green"

    def test_a_station_in_another_colour_or_gone_is_put_right(self, desk: Desk, tmp_path: Path) -> None:
        desk.change(seats=SEATS, variant="europe")
        game = NewGame(desk).begin()
        deal(game)
        picture = tmp_path / "board.jpg"
        _take(
            game,
            ReviewModel(reading_of(picture, "europe", {}, {"roma": "red", "wien": "blue"}), picture, game.position),
        )
        review = ReviewModel(reading_of(picture, "europe", {}, {"roma": "green"}), picture, game.position)
        assert [(i.id, i.why) for i in review.items] == [("roma", "conflict"), ("wien", "vanished")]
        review.answer("green")
        review.answer(None)
        assert sorted(s.id for s in review.believed().gone) == ["roma", "wien"]
        _take(game, review)
        assert {p.color: p.stations for p in game.position.players if p.stations} == {"green": ("roma",)}

    def test_depots_are_read_told_and_placed(self, desk: Desk, tmp_path: Path) -> None:
        desk.change(seats=SEATS, variant="europe", modules=(DEPOTS,), keeping="claims")
        game = NewGame(desk).begin()
        deal(game)
        (tmp_path / "board.jpg").touch()
        review = ReviewModel(_with_depots(tmp_path), tmp_path / "board.jpg", game.position)
        assert [(i.id, i.seen) for i in review.items] == [("wien", "depot-blue"), ("madrid", "depot-red")]
        # What was seen first, then stations, then depots of those who play, then nothing.
        colors = [seat.color for seat in SEATS]
        choices = review.choices(review.items[0])
        assert (choices[0], choices[-1]) == ("depot-blue", None)
        assert set(choices) == {None, *colors, *(f"depot-{color}" for color in colors)}
        review.answer("depot-green")
        review.answer(None)
        review = ReviewModel.from_json(json.loads(json.dumps(review.to_json())), game.position)
        assert review.depots == {"wien": "green"}
        assert {c: d.color for c, d in review.corrected().depots.items()} == {"wien": "green"}
        assert review.state()[1] == {}
        _take(game, review)
        assert {p.color: p.depots for p in game.position.players if p.depots} == {"green": ("wien",)}
        again = ReviewModel(_with_depots(tmp_path, wien="green"), tmp_path / "board.jpg", game.position)
        assert again.items == []
        assert again.believed().agrees
        # Another colour is asked about; what is not seen is not missed, unless somebody says that it is gone.
        other = ReviewModel(_with_depots(tmp_path, wien="red"), tmp_path / "board.jpg", game.position)
        assert [(i.known, i.seen) for i in other.items] == [("depot-green", "depot-red")]
        other.answer("depot-red")
        _take(game, other)
        assert {p.color: p.depots for p in game.position.players if p.depots} == {"red": ("wien",)}
        unseen = ReviewModel(reading_of(tmp_path / "board.jpg", "europe", {}, {}), tmp_path / "b.jpg", game.position)
        assert unseen.believed().gone == ()
        unseen.change("wien", None)
        assert ([s.id for s in unseen.believed().gone], unseen.is_depot("wien")) == (["wien"], True)
        _take(game, unseen)
        assert not any(p.depots for p in game.position.players)


class TestFinish:
    def test_depots_on_the_board_are_not_left(self, desk: Desk, tmp_path: Path) -> None:
        desk.change(seats=SEATS)
        picture = tmp_path / "board.jpg"
        picture.touch()
        model = FinishModel(desk)
        model.seen(_photo(tmp_path), picture).answer("black")
        model.reviewed()
        model.drafts[0].name = "Eve"
        assert not model.depots_unseen
        model.switch(DEPOTS, True)
        model = _reopened(desk, model)
        assert model.depots_unseen
        # The second look asks about buildings only: what was said about routes stays.
        review = model.seen(_with_depots(tmp_path), picture)
        assert [i.id for i in review.items] == ["wien", "madrid"]
        assert review.state()[0]["berlin-wien-green"] == "black"
        review.answer("depot-blue")
        review.answer("depot-blue")
        model.reviewed()
        model = _reopened(desk, model)
        assert not model.depots_unseen
        blue = model.drafts[0]
        assert (blue.name, blue.told["depots"], model.depots_most(blue)) == ("Eve", ["wien", "madrid"], 3)
        assert model.position().players[0].depots == ("wien", "madrid")
        model.switch(DEPOTS, False)
        assert model.position().players[0].depots == ()

    def test_players_come_from_the_colours_with_last_times_names(self, desk: Desk, tmp_path: Path) -> None:
        desk.change(seats=SEATS)
        model = FinishModel(desk)
        model.seen(_photo(tmp_path), tmp_path / "board.jpg")
        model.reviewed()
        assert [(d.name, d.color) for d in model.drafts[:1]] == [("Ada", "blue")]
        assert model.free_colors == ["black"]
        model.add("black")
        model.remove(model.drafts[-1])
        assert len(model.drafts) == 4

    @pytest.mark.parametrize(
        ("variant", "asked"),
        [
            ("usa", []),
            ("united-kingdom", ["marked_points", "technologies"]),
            ("pennsylvania", ["shares"]),
            ("san-francisco", ["tourists"]),
        ],
    )
    def test_what_the_camera_cannot_know_is_asked(self, desk: Desk, variant: str, asked: list[str]) -> None:
        model = FinishModel(desk)
        model.variant = VARIANTS[variant]
        model.board = load(model.variant.board)
        assert model.questions() == asked
        model.switch("warehouses-depots", True)
        assert model.questions() == [*asked, "depots_left"]

    def test_a_neutral_player_is_asked_about_with_two(self, desk: Desk) -> None:
        model = FinishModel(desk)
        model.variant = VARIANTS["pennsylvania"]
        model.board = load("pennsylvania")
        for color in ("red", "blue"):
            model.add(color)
        assert model.asks_neutral
        model.add("green")
        assert not model.asks_neutral


class TestSheet:
    def test_lines_open_one_by_one_and_add_up(self, desk: Desk) -> None:
        position = demo_position()
        model = SheetModel(desk, position, score(position))
        player = model.sheet.players[0]
        assert model.running_total(player) == 0
        while not model.complete:
            model.reveal()
        assert model.running_total(player) == player.total
        assert [p.rank for p in model.ranking] == sorted(p.rank for p in model.ranking)

    @pytest.mark.parametrize("journal", sorted(GAMES.glob("*/full-table.jsonl")), ids=lambda path: path.parent.name)
    def test_a_line_rests_on_nothing_but_its_own(self, desk: Desk, journal: Path) -> None:
        """Whatever a score says about a player stands under one line of the sheet, and under no other."""
        position = Game.read(journal).position
        model = SheetModel(desk, position, score(position))
        for player in model.sheet.players:
            shown = [e.words for line in model.lines for e in model.evidence(line, player)]
            for told in player.evidence:
                if told.key != "score.stations-left":
                    assert shown.count(desk.tell(told)) == player.evidence.count(told), told.key
            bonuses = [e for line in ("explorer", "mountain", "tourists") for e in model.evidence(line, player)]
            assert all(e.points is not None for e in bonuses)

    def test_every_line_has_its_evidence(self, desk: Desk) -> None:
        position = demo_position()
        model = SheetModel(desk, position, score(position))
        for player in model.sheet.players:
            routes = model.evidence("routes", player)
            assert sum(e.points or 0 for e in routes) == player.breakdown["routes"]
            tickets = model.evidence("tickets", player)
            assert sum(e.points or 0 for e in tickets) == player.breakdown["tickets"]
            assert model.evidence("longest_path", player)[0].marks == player.longest_path.routes

    @pytest.mark.parametrize("language", ["en", "fr"])
    def test_it_is_shared_as_picture_and_page(self, desk: Desk, tmp_path: Path, language: str) -> None:
        desk.change(language=language)
        position = demo_position()
        picture, page = share.save(SheetModel(desk, position, score(position)), tmp_path)
        text = page.read_text(encoding="utf-8")
        assert f'lang="{language}"' in text
        assert "Maximilienne" in text
        assert "http" not in text.replace("http://www.w3.org", "")
        assert picture.stat().st_size > 20_000


class TestWork:
    def test_answers_progress_and_trouble_are_delivered_in_order(self) -> None:
        work = Work()
        told: list[Note] = []

        def job(run: Job) -> int:
            run.progress(0.5)
            return 7

        def bad(_: Job) -> None:
            raise Trouble("no-camera")

        work.start("good", job, told.append)
        work.finish()
        work.start("bad", bad, told.append)
        work.finish()
        work.start("bug", lambda _: 1 / 0, told.append)
        work.finish()
        assert told[:2] == [Note("good", "progress", 0.5), Note("good", "done", 7)]
        assert [n.kind for n in told[2:]] == ["failed", "failed"]
        assert told[2].value.code == "no-camera"
        assert told[3].value.code == "unexpected"
        work.close()

    def test_a_cancelled_job_is_never_heard_of(self) -> None:
        work = Work()
        told: list[Note] = []
        go_on = threading.Event()

        def job(run: Job) -> None:
            go_on.wait(5)
            run.check()

        started = work.start("long", job, told.append)
        started.cancel()
        go_on.set()
        work.finish()
        assert told == []
        work.close()


class TestCamera:
    def test_a_folder_gives_its_pictures_one_after_the_other(self, tmp_path: Path) -> None:
        for name in ("b.jpg", "a.jpg"):
            draw_photo(tmp_path / name, "san-francisco", {}, {})
        camera = FolderCamera(tmp_path)
        taken: list[Path | Trouble] = []
        for _ in range(3):
            camera.still(taken.append)
        assert [p.name for p in taken if isinstance(p, Path)] == ["a.jpg", "b.jpg", "b.jpg"]
        frame = camera.frame()
        assert frame is not None
        assert frame.ndim == 3

    def test_no_camera_says_so(self, desk: Desk) -> None:
        camera = NoCamera()
        taken: list[Path | Trouble] = []
        camera.still(taken.append)
        assert isinstance(taken[0], Trouble)
        assert camera.problem is not None
        assert "choose it here" in desk.tell(camera.problem)

    def test_a_video_is_a_camera(self, tmp_path: Path) -> None:
        import cv2
        import numpy as np

        file = tmp_path / "table.avi"
        writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
        for shade in (0, 120, 240):
            writer.write(np.full((48, 64, 3), shade, np.uint8))
        writer.release()
        camera = VideoCamera(str(file), tmp_path / "stills")
        shades = [int(f.mean()) // 100 for f in (camera.frame() for _ in range(4)) if f is not None]
        assert shades == [0, 1, 2, 0]
        taken: list[Path | Trouble] = []
        camera.still(taken.append)
        assert isinstance(taken[0], Path)
        assert taken[0].is_file()
        camera.close()


@pytest.mark.parametrize("board_id", available())
def test_a_finger_on_a_route_finds_it(board_id: str) -> None:
    board = load(board_id)
    for route, track in tracks.lay(board).items():
        at = track.frames[len(track.frames) // 2]
        assert route in hits.routes_at(board, at.x, at.y, 0.05)[:2]
    for city in board.cities.values():
        x, y = tracks.spots(board, city)[0]
        assert hits.city_at(board, x, y, 0.02) == city.id
    assert hits.routes_at(board, -1, -1, 0.05) == []
    assert hits.city_at(board, -1, -1, 0.05) is None


def test_painted_boards_are_kept() -> None:
    from maps.drawing import LIGHT

    first = layers.paint("san-francisco", LIGHT, "en", 768)
    assert layers.paint("san-francisco", LIGHT, "en", 768) is first
    assert len(first.pixels) == first.size[0] * first.size[1] * 3
    assert layers.known("san-francisco", LIGHT, "en", 3072) is first


def test_every_rule_is_told_in_the_app(desk: Desk) -> None:
    for variant in VARIANTS:
        for rule in HEADINGS:
            (told,) = RulesModel(desk, variant, rule).shown()
            assert told.title
            assert all(len(sentence) > 20 for sentence in told.sentences)


def test_the_rules_of_a_game_come_back_as_they_were_left(desk: Desk) -> None:
    model = RulesModel(desk, "asia", extras={"options": {"rack-cards-back": True}, "modules": [DEPOTS]})
    assert "depots" in [told.rule for told in model.shown()]
    model.open("end")
    again = RulesModel.from_json(desk, model.to_json())
    assert (again.rule, again.shown()) == ("end", model.shown())
    model.open("end")
    assert model.rule == ""
    gone = RulesModel.from_json(desk, model.to_json() | {"rule": "no such", "alone": True})
    assert (gone.rule, gone.alone) == ("", False)


def test_two_threads_may_paint_at_once() -> None:
    """The screen's thread looks while both workers paint: nobody sees the store half changed."""
    troubles: list[BaseException] = []
    theme = LOOKS["light"].map
    switch = sys.getswitchinterval()

    def paint(number: int) -> None:
        try:
            for i in range(400):
                key = ("usa", theme.name, f"{number}-{i % 40}", 768)
                layers._painted.keep(layers.Layer(key, (1, 1), bytes(500_000)))
                layers._painted.get(key)
        except RuntimeError as error:
            troubles.append(error)

    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=paint, args=(n,)) for n in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switch)
        layers.forget()
    assert not troubles


@pytest.mark.parametrize(
    ("name", "foreign"), [("Ada", False), ("Zoë", False), ("Дмитрий", False), ("שרה", True), ("محمد", True)]
)
def test_names_in_other_scripts_have_a_font_with_their_letters(name: str, foreign: bool) -> None:
    (drawn, font), *others = runs(name)
    assert not others
    assert bool(font) == foreign
    assert not font or all(_covers(font, letter) for letter in drawn)


def test_names_on_the_map_are_read_or_left_out() -> None:
    """A board has no dust of letters: below nine dp there are none."""
    named, bare = (layers.paint("united-kingdom", LOOKS["light"].map, language, 768) for language in ("en", ""))
    assert named.pixels != bare.pixels
    assert layers.label_size("united-kingdom") * 360 < 9


def test_the_table_shows_the_way_in_which_the_game_is_kept_now(desk: Desk) -> None:
    new = NewGame(desk)
    new.choose(VARIANTS["usa"])
    game = new.begin()
    deal(game)
    model = TableModel(desk, game)
    turns = (model.headline, model.slots)
    keep(game, "claims")
    assert (model.keeps_turns, model.headline) == (False, desk.say("table.claims-only"))
    assert [slot.kind for slot in model.slots] == ["claim"]
    keep(game, "refereed", game.position.order[0])
    assert (model.headline, model.slots) == turns


def test_the_log_tells_points_cards_and_time(tmp_path: Path) -> None:
    desk = demo.desk(tmp_path, "en")
    newest = TableModel(desk, desk.game).log[0] if desk.game is not None else None
    assert newest is not None
    assert (newest.color, newest.points) == ("blue", 2)
    assert newest.about == "2 × blue · 20:30"


def test_all_routes_of_a_city_are_offered_and_numbered_on_the_map(desk: Desk) -> None:
    """Of parallel tracks nobody has to guess which is which."""
    model = TableModel(desk, NewGame(desk).begin())
    deal(model.game)
    model.pick_city("paris")
    assert model.form is not None
    assert set(model.form.candidates) == {r.id for r in load("europe").touching["paris"]}
    assert model.pieces().numbered == tuple(model.form.candidates)
    drawn = layers.piece_shapes("europe", LOOKS["light"].map, model.pieces())
    badges = [shape.text for shape in drawn if isinstance(shape, Words)]
    assert badges == [str(n) for n in range(1, len(model.form.candidates) + 1)]
    # The badges of two parallel tracks stand apart.
    places = {shape.depicts: (shape.x, shape.y) for shape in drawn if isinstance(shape, Words)}
    apart = math.dist(places["bruxelles-paris-red"], places["bruxelles-paris-yellow"])
    assert apart > load("europe").geometry.space_width


def test_what_is_asked_lies_within_the_part_that_is_shown() -> None:
    assert layers.box_of("europe", []) is None
    box = layers.box_of("europe", ["roma-venezia-black", "zurich"])
    assert box is not None
    left, top, right, bottom = box
    for x, y in (
        *layers.laid("europe")["roma-venezia-black"].line,
        *tracks.spots(load("europe"), load("europe").cities["zurich"]),
    ):
        assert left <= x <= right
        assert top <= y <= bottom


def test_every_sign_is_drawn_with_our_own_pen() -> None:
    """A sign that only a font has would stand out by its weight."""
    folder = Path(layers.__file__).parent
    used = {
        s for file in folder.rglob("*.py") for s in re.findall(r'(?:sign=|IconTap\()"([^"]+)"', file.read_text("utf-8"))
    }
    drawn = (folder / "widgets" / "icons.py").read_text("utf-8")
    assert len(used) > 10
    assert [sign for sign in used if f'"{sign}": (' not in drawn] == []


def test_water_tenders_draw_three_blind_in_one_tap(desk: Desk) -> None:
    players = [Player("Ada", "red", technologies=("water-tenders",)), Player("Bo", "blue")]
    game = desk.begin(lambda path: Game.new(path, "united-kingdom-advanced", players, setup=Setup(first="Ada")))
    model = TableModel(desk, game)
    assert [s.cards for s in model.slots if s.kind == "deck"] == [3]
    # Two that lie face up are still two.
    form = model.start("draw-cards")
    form.draw("red")
    assert form.slots == 2
    model.cancel()
    assert model.draw_blind()
    assert [c.source for c in cast("DrawCards", game.entries[-1].action).cards] == ["deck"] * 3
    # Bo has none.
    assert [s.cards for s in model.slots if s.kind == "deck"] == [0]

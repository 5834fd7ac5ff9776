"""Evaluating folders of recordings: rows, totals, confusion, reliability, floors and changes, with planted readings."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np
import pytest

import maps
from maps import Trouble
from tests.vision.stand_ins import careless, clumsy, one_red_as_black, perfect, right_reading
from vision import cards, config, evaluation
from vision.evaluation import Ask, Reader, Sheets, SheetSeen
from vision.evaluation.figures import colors, confusion, reliability
from vision.evaluation.pools import Outcome
from vision.evaluation.readers import SheetKind
from vision.evaluation.rows import row
from vision.evaluation.sheets import compare_sheets, overlap
from vision.evaluation.spots import spot, thumbnail
from vision.photo import Photo, of_image
from vision.reading import Reading, share_name, technology_name
from vision.recordings import COLUMNS, Answer, Recording, Totals
from vision.studio import practice, write

CARD = [[100.0, 100.0], [200.0, 100.0], [200.0, 160.0], [100.0, 160.0]]


def moved(by: float) -> list[list[float]]:
    return [[x + by, y] for x, y in CARD]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two drawn boards in two lights, a photo of cards, and a torn truth."""
    made = tmp_path_factory.mktemp("recordings")
    for board, light in (("europe", "warm"), ("usa", "dim")):
        image, truth = practice(board, 3, light=light, size=(640, 480))
        write(made / "boards", board, image, truth)
    image, _ = practice("usa", 4, size=(320, 240))
    cards = {"cards": [{"color": "red", "quad": CARD}, {"color": "locomotive", "quad": moved(120)}], "tickets": []}
    write(made, "cards", image, {**cards, "session": "kitchen"})
    (made / "torn.json").write_text('{"photo": ', encoding="utf-8")
    return made


def figures(folder: Path, reader: Reader, **options: Any) -> dict[str, Any]:
    return evaluation.document(evaluation.evaluate([folder], reader=reader, **options))


def test_a_perfect_reader_makes_no_mistake(folder: Path) -> None:
    told = figures(folder, perfect)
    rows = {r["name"].partition("/")[2]: r for r in told["rows"]}
    assert set(rows) == {"boards/europe", "boards/usa", "cards", "torn"}
    assert [name for name, r in rows.items() if not r["perfect"]] == ["torn"]
    assert rows["torn"]["problem"]
    assert rows["boards/europe"]["light"] == "warm"
    assert rows["boards/europe"]["source"] == "drawn"
    assert rows["cards"]["session"] == "kitchen"
    assert told["totals"]["board"]["drawn usa"]["routes_right"] == 1
    assert told["totals"]["source"]["photo-cards"]["cards_right"] == 1
    assert told["totals"]["source"]["broken"]["failed"] == 1
    json.dumps(told)


def test_mistakes_are_counted_where_they_belong(folder: Path) -> None:
    told = figures(folder, careless)
    europe = next(r for r in told["rows"] if r["board"] == "europe")
    assert (europe["routes_wrong"], europe["silent"], europe["flagged"]) == (2, 2, 0)
    assert {m["got"] for m in europe["mistakes"]} == {None}
    drawn = told["totals"]["source"]["drawn"]
    assert (drawn["perfect"], drawn["one_mistake_at_most"], drawn["routes_wrong"]) == (0, 0, 4)
    assert told["totals"]["source"]["photo-cards"]["cards_wrong"] == 1
    assert told["totals"]["light"]["drawn warm"]["reliability"]["bins"]
    mixed = told["confusion"]["drawn"]["route"]
    by_board = [told["totals"]["board"][f"drawn {board}"]["confusion"]["route"]["empty"] for board in ("europe", "usa")]
    assert sum(counts["empty"] for counts in by_board) == mixed["empty"]["empty"]
    assert sum(n for true, got in mixed.items() for name, n in got.items() if name != true) == 4


@pytest.mark.parametrize(
    ("read", "wrong"),
    [
        (("technology", technology_name("booster")), {"shares": 1}),
        (("technology", technology_name("propellers")), {"technologies": 1, "shares": 1}),
        # A ticket told where a technology lies is made up, and the technology is missed.
        (("ticket", "london--cardiff"), {"tickets": 1, "technologies": 1, "shares": 1}),
    ],
    ids=["right", "other", "ticket"],
)
def test_technologies_and_shares_are_judged_by_themselves(read: tuple[SheetKind, str], wrong: dict[str, int]) -> None:
    truth = {
        "technologies": [{"board": "united-kingdom", "id": "booster", "quad": CARD}],
        "shares": [{"board": "pennsylvania", "company": "reading", "number": 2, "quad": moved(300)}],
    }
    quads = [tuple((x, y) for x, y in quad) for quad in (CARD, moved(300))]
    # Without its number a share is asked about, and not right yet.
    seen = (SheetSeen(*read, 0.9, quads[0]), SheetSeen("share", share_name("reading", None), 0.9, quads[1], True))
    judged = compare_sheets("x", Sheets(seen), truth)
    total = Totals.of([judged]).to_json()
    assert {k: total[f"{k}_wrong"] for k in COLUMNS.values() if total[f"{k}_wrong"]} == wrong
    assert total["shares_right"] == 0
    assert total["technologies_right"] == 1 - wrong.get("technologies", 0)


def test_whatever_happens_to_one_photo_the_others_are_read(tmp_path: Path) -> None:
    for name in ("bug", "nothing", "fine"):
        image, truth = practice("usa", 1, size=(320, 240))
        write(tmp_path, name, image, truth)
    rows = {r.judged.name.rpartition("/")[2]: r.judged for r in evaluation.evaluate([tmp_path], reader=clumsy)}
    assert rows["fine"].perfect
    assert rows["bug"].problem is not None
    assert "planted" in str(rows["bug"].problem)
    assert rows["nothing"].problem is not None
    # What was not read is not right, but it was not told wrongly either.
    assert rows["nothing"].wrong("route") == len(maps.load("usa").routes)
    assert rows["nothing"].silent == 0


def test_several_processes_give_the_same_rows(folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    alone = figures(folder, careless)
    together = figures(folder, careless, pool=evaluation.Local(2), progress=lambda done, of: seen.append((done, of)))
    assert together == alone
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_blind_readers_see_neither_truth_nor_name(folder: Path) -> None:
    asked: list[tuple[Path, Ask, list[Path]]] = []

    def watching(photo: Path, ask: Ask) -> Reading:
        asked.append((photo, ask, list(photo.parent.glob("*.json"))))
        raise Trouble("no-folder", nothing_seen=True, folder="-")

    rows = evaluation.evaluate([folder], reader=watching, blind=True)
    # The torn truth has no photo.
    assert (len(rows), len(asked)) == (4, 3)
    for photo, ask, beside in asked:
        assert folder not in photo.parents
        assert photo.stem.isdigit()
        assert ask == Ask("any")
        assert beside == []


def test_blind_compares_as_well(folder: Path) -> None:
    truths = [json.loads(f.read_text()) for f in sorted(folder.rglob("*.json")) if f.stem != "torn"]

    def by_number(photo: Path, ask: Ask) -> Reading | Sheets:
        truth = truths[int(photo.stem)]
        return right_reading(truth) if "routes" in truth else Sheets(())

    rows = evaluation.evaluate([folder], reader=by_number, blind=True)
    assert [r.judged.perfect for r in rows] == [True, True, False, False]


@pytest.mark.parametrize(
    ("truth", "ask"),
    [
        ({"routes": {}, "board": "usa"}, Ask("board")),
        ({"routes": {}, "board": "usa", "depots": {}}, Ask("board", depots=True)),
        ({"cards": [{}], "tickets": []}, Ask("cards")),
        ({"cards": [], "tickets": []}, Ask("cards")),
        ({"cards": [], "tickets": [{"board": "usa"}]}, Ask("tickets", "usa")),
    ],
)
def test_the_question_is_what_a_player_would_ask(truth: dict[str, Any], ask: Ask) -> None:
    assert Ask.about(truth) == ask


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ([("red", 0), ("blue", 120)], [("red", "red"), ("blue", "blue")]),
        ([("red", 4), ("red", 120)], [("red", "red"), ("blue", "red")]),
        ([("red", 0)], [("red", "red"), ("blue", None)]),
        ([("red", 0), ("blue", 120), ("green", 300)], [("red", "red"), ("blue", "blue"), (None, "green")]),
        ([("red", 60), ("blue", 120)], [("red", None), ("blue", "blue"), (None, "red")]),
    ],
)
def test_cards_are_compared_by_place(
    seen: list[tuple[str, float]], expected: list[tuple[str | None, str | None]]
) -> None:
    truth = {"cards": [{"color": "red", "quad": CARD}, {"color": "blue", "quad": moved(120)}]}
    sheets = Sheets(tuple(SheetSeen("card", c, 0.9, tuple((x, y) for x, y in moved(by))) for c, by in seen))
    answers = compare_sheets("hand", sheets, truth).answers
    assert [(a.expected, a.got) for a in answers] == expected


def test_a_card_that_hardly_shows_may_be_missed() -> None:
    truth = {"cards": [{"color": "red", "quad": CARD, "visible": 0.05}]}
    assert compare_sheets("hand", Sheets(()), truth).perfect


def test_corners_of_a_card_may_be_named_from_any() -> None:
    turned = tuple((x, y) for x, y in [*CARD[2:], *CARD[:2]])
    row = compare_sheets(
        "hand", Sheets((SheetSeen("card", "red", 0.9, turned),)), {"cards": [{"color": "red", "quad": CARD}]}
    )
    assert row.corner_error == pytest.approx(0)
    assert overlap(turned, turned) == pytest.approx(1)


def answer(expected: str | None, got: str | None, confidence: float = 0.9) -> Answer:
    return Answer("route", "a-b-gray", expected, got, confidence, False)


def test_confusion_tells_what_was_taken_for_what() -> None:
    table = confusion([answer("red", "red"), answer("red", "black"), answer(None, "red"), answer("red", "unread")])
    assert table == {"route": {"red": {"red": 1, "black": 1}, "empty": {"red": 1}}}


def test_reliability_compares_what_was_said_with_what_is_true() -> None:
    told = reliability([*[answer("red", "red", 0.92)] * 3, answer("red", "blue", 0.92), answer("red", "red", 1.0)])
    assert [(b["from"], b["answers"], b["right"]) for b in told["bins"]] == [(0.9, 4, 0.75), (0.99, 1, 1.0)]
    assert told["error"] == pytest.approx(4 / 5 * 0.17)


def test_csv_has_a_line_per_photo(folder: Path) -> None:
    rows = evaluation.evaluate([folder], reader=careless)
    lines = list(csv.DictReader(io.StringIO(evaluation.to_csv(rows))))
    assert len(lines) == 4
    europe = next(line for line in lines if line["board"] == "europe")
    assert europe["routes_wrong"] == "2"
    assert len(europe["mistakes"].split()) == 2
    assert europe["seconds_locate"] == "0.3"


def test_folders_of_the_same_name_stay_apart(folder: Path, tmp_path: Path) -> None:
    for place in ("one", "two"):
        image, truth = practice("usa", 1, size=(320, 240))
        write(tmp_path / place / "boards", "game", image, truth)
    told = [tmp_path / "one" / "boards", tmp_path / "two" / "boards", tmp_path / "one" / "boards"]
    assert [r.name for r in evaluation.gather(told)] == ["one/boards/game", "two/boards/game"]


def test_blind_follows_the_photo_that_a_truth_names(tmp_path: Path) -> None:
    image, truth = practice("usa", 1, size=(320, 240))
    photo = write(tmp_path, "game", image, truth)
    photo.rename(tmp_path / "IMG.JPG")
    (tmp_path / "game.json").write_text(json.dumps({**truth, "photo": "IMG.JPG"}), encoding="utf-8")
    (row,) = evaluation.evaluate([tmp_path], reader=lambda *_: right_reading(truth), blind=True)
    assert row.judged.perfect


def test_one_colour_alone_has_its_own_figure() -> None:
    told = colors([answer("red", "red"), answer("red", "black"), answer(None, "red"), answer(None, "unread")])
    assert told["red route"] == {"lying": 2, "read": 2, "right": pytest.approx(1 / 3, abs=1e-5)}
    assert told["black route"] == {"lying": 0, "read": 1, "right": 0}
    assert told["empty route"] == {"lying": 2, "read": 0, "right": 0}
    assert set(told) == {"red route", "black route", "empty route"}


def test_one_colour_read_as_another_breaks_its_floor(tmp_path: Path) -> None:
    for seed in range(8):
        image, truth = practice("europe", seed, size=(320, 240), colors=maps.load("europe").wagon_colors)
        write(tmp_path, f"{seed}", image, truth)
    floors = evaluation.recorded(figures(tmp_path, perfect)["totals"])
    assert floors["board"]["drawn europe"]["red route"] > 0.9

    def now_and_then(photo: Path, ask: Ask) -> Reading | Sheets:
        return (one_red_as_black if photo.stem < "3" else perfect)(photo, ask)

    held = evaluation.against_floors(figures(tmp_path, now_and_then)["totals"], floors)
    broken = {f.figure for f in held if not f.held and f.group == "source"}
    # Three of eight hundred routes are wrong, which no other floor minds, but three of seventy red ones.
    assert broken - {"perfect_part"} == {"red route", "black route"}


def test_new_floors_leave_others_as_they_were(folder: Path) -> None:
    before = {"source": {"photo": {"routes_right": 0.5}, "drawn": {"routes_right": 0.1, "red route": 0.1}}}
    floors = evaluation.recorded(figures(folder, perfect)["totals"], before)
    assert floors["source"]["photo"] == {"routes_right": 0.5}
    assert floors["source"]["drawn"]["routes_right"] > 0.99
    assert evaluation.entries_of(floors)


def test_the_worst_come_first_and_silent_mistakes_count_double(folder: Path) -> None:
    rows = evaluation.evaluate([folder], reader=careless)
    chosen = evaluation.worst(rows, 2)
    assert [r.judged.board for r in chosen] == ["europe", "usa"]
    assert evaluation.worst(evaluation.evaluate([folder], reader=perfect)) == []
    told: list[str] = []

    def tell(mistake: Answer) -> str:
        told.append(mistake.id)
        return f"{mistake.id}\nread"

    page = evaluation.page(chosen[0], tell, reader=careless)
    # The photo, and a row of spots below it.
    assert page.shape[:2] == (1200 + 320 + 54, 1600)
    assert told == [m.id for m in chosen[0].judged.mistakes]
    cards = next(r for r in rows if r.kind == "cards")
    assert evaluation.page(cards, tell, reader=careless).shape[1] == 1600


def test_a_planted_mistake_breaks_the_floor(folder: Path) -> None:
    floors = evaluation.recorded(figures(folder, perfect)["totals"])
    assert floors["source"]["drawn"]["routes_right"] > 0.99
    held = evaluation.against_floors(figures(folder, perfect)["totals"], floors)
    assert all(f.held for f in held)
    broken = evaluation.against_floors(figures(folder, careless)["totals"], floors)
    assert {f.figure for f in broken if f.name == "drawn" and not f.held} >= {"perfect_part", "routes_right", "silent"}


@pytest.mark.parametrize(
    ("floors", "code"),
    [
        ([], "bad-floors"),
        ({}, "bad-floors"),
        ({"source": 3}, "bad-floors"),
        ({"source": {"drawn": {"beauty": 1}}}, "bad-floors"),
        ({"planet": {"drawn": {"routes_right": 1}}}, "bad-floors"),
        ({"source": {"drawn": {"mauve route": 1}}}, "bad-floors"),
        ({"source": {"drawn": {"red ticket": 1}}}, "bad-floors"),
        ({"source": {"photo": {"routes_right": "high"}}}, "bad-floors"),
        ({"source": {"elsewhere": {"routes_right": 0.5}}}, "floors-not-measured"),
    ],
)
def test_floors_that_prove_nothing_are_told(folder: Path, floors: object, code: str) -> None:
    with pytest.raises(Trouble) as found:
        evaluation.against_floors(figures(folder, perfect)["totals"], floors)
    assert found.value.code == code


def test_against_an_older_evaluation(folder: Path) -> None:
    old, new = figures(folder, careless), figures(folder, perfect)
    better = evaluation.against(old, new)
    assert len(better.better) == 3
    assert not better.worse
    assert all(c.now == 0 and c.mended and not c.broken for c in better.better)
    worse = evaluation.against(json.loads(json.dumps(new)), old)
    assert len(worse.worse) == 3
    assert better.figures["drawn"]["routes_right"][1] == 1
    assert evaluation.against({"rows": []}, new).added == tuple(r["name"] for r in new["rows"])
    with pytest.raises(Trouble):
        evaluation.against([1, 2], new)


def test_no_photo_is_counted_twice_in_a_group(folder: Path) -> None:
    told = figures(folder, perfect)
    for totals in told["totals"].values():
        assert sum(t["boards"] for t in totals.values()) == len(told["rows"])


@pytest.fixture
def judged() -> tuple[Photo, evaluation.Row]:
    image, truth = practice("europe", 7, size=(800, 600))
    taken = next(r for r, color in truth["routes"].items() if color)
    read = right_reading(truth, **{taken: None}).to_json()
    return of_image(image), row(Recording("x", Path("x.jpg"), truth), Outcome(reading=read))


def test_the_spot_of_a_mistake_is_where_the_route_lies(judged: tuple[Photo, evaluation.Row]) -> None:
    photo, made = judged
    (mistake,) = made.judged.mistakes
    data = spot(photo, made, mistake)
    assert data is not None
    cut = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert cut is not None
    assert max(cut.shape) == pytest.approx(300, abs=2)
    board, corners = maps.load("europe"), np.array(made.recording.truth["corners"], np.float32)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    spaces = np.array([[(s.x, s.y) for s in board.routes[mistake.id].spaces]])
    middle = cv2.perspectiveTransform(spaces, cv2.getPerspectiveTransform(square, corners))[0]
    # Made as small as it was, the spot is found again around the route and nowhere else.
    around = 2 * 2.2 * board.geometry.space_width * np.linalg.norm(corners[1] - corners[0])
    scale = ((middle.max(0) - middle.min(0)).max() + around) / 300
    small = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    fits = cv2.matchTemplate(photo.image, small, cv2.TM_CCOEFF_NORMED)
    x, y = cv2.minMaxLoc(fits)[3]
    centre = np.array([x + small.shape[1] / 2, y + small.shape[0] / 2])
    assert np.abs(centre - (middle.max(0) + middle.min(0)) / 2).max() < 8


def test_the_whole_photo_is_shown_small(judged: tuple[Photo, evaluation.Row]) -> None:
    small = cv2.imdecode(np.frombuffer(thumbnail(judged[0], 200), np.uint8), cv2.IMREAD_COLOR)
    assert small is not None
    assert small.shape == (150, 200, 3)


def test_the_spot_of_a_card_is_its_outline(judged: tuple[Photo, evaluation.Row]) -> None:
    photo, made = judged
    mistake = Answer("card", "1", "red", None, 0.0, False, tuple((x, y) for x, y in CARD))
    assert spot(photo, made, mistake) is not None


def test_cards_that_are_not_sure_are_flagged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quad = tuple((x, y) for x, y in CARD)
    seen = [cards.CardSeen("red", config.CARD.doubt, quad), cards.CardSeen("blue", config.CARD.doubt - 0.01, quad)]
    monkeypatch.setattr(cards, "read_cards", lambda _: seen)
    cv2.imwrite(str(tmp_path / "cards.jpg"), np.full((200, 300, 3), 90, np.uint8))
    found = evaluation.ask_program(tmp_path / "cards.jpg", Ask("cards"))
    assert isinstance(found, Sheets)
    assert [(sheet.name, sheet.flagged) for sheet in found.found] == [("red", False), ("blue", True)]

"""`companion record`: a photo without its owner's traces, a first guess put right, and truth that makes sense."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any  # Any: JSON

import numpy as np
import pytest
from PIL import Image

import maps
from companion.cli import main
from companion.cli.record import sense
from maps import Trouble
from tests.vision.stand_ins import right_reading
from vision import recordings
from vision.evaluation import Sheets, SheetSeen
from vision.reading import StationReading, share_name, technology_name
from vision.record import anonymous, board_truth, corrections, empty_reading, free_name, sheet_truth
from vision.studio import practice

EUROPE = maps.load("europe")


def photo_with_traces(turned: int = 6) -> bytes:
    """A JPEG that says where, when and by whom it was taken, and has a film glued to its end."""
    image = Image.fromarray(np.random.default_rng(0).integers(0, 255, (60, 80, 3), np.uint8))
    exif = Image.Exif()
    exif[0x0112] = turned
    exif[0x013B] = "Ada Lovelace"
    exif[0x0110] = "Phone of Ada"
    # Where it was taken: 48 degrees north, with the day.
    exif.get_ifd(0x8825).update({1: "N", 2: (48.0, 51.0, 30.1), 3: "E", 4: (2.0, 17.0, 40.0), 29: "2026:11:01"})
    exif.get_ifd(0x8769).update({0x9003: "2026:11:01 10:00:00", 0x927C: b"made by Ada", 0xA430: "Ada"})
    out = io.BytesIO()
    image.save(out, "JPEG", exif=exif, comment=b"for Ada", icc_profile=b"profile")
    return out.getvalue() + b"ftypmp42 film of Ada"


def test_everything_about_the_owner_is_dropped() -> None:
    data = photo_with_traces()
    clean = anonymous(data)
    assert b"Ada" in data
    assert b"2026:11:01" in data
    assert b"Ada" not in clean
    assert b"2026:11:01" not in clean
    with Image.open(io.BytesIO(data)) as before, Image.open(io.BytesIO(clean)) as after:
        assert before.getexif().get_ifd(0x8825)[2] == (48.0, 51.0, 30.1)
        assert dict(after.getexif()) == {0x0112: 6}
        assert not after.getexif().get_ifd(0x8825)
        assert "comment" not in after.info
        assert after.info["icc_profile"] == b"profile"
        # The pixels are the very same: nothing was compressed again.
        assert np.array_equal(np.asarray(before), np.asarray(after))


def test_an_upright_photo_needs_no_exif_at_all() -> None:
    assert b"Exif" not in anonymous(photo_with_traces(1))


def test_other_formats_become_png() -> None:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112], exif[0x013B] = 6, "Ada"
    Image.new("RGB", (300, 200), "red").save(out, "WEBP", exif=exif)
    clean = anonymous(out.getvalue())
    assert clean.startswith(b"\x89PNG")
    assert b"Ada" not in clean
    with Image.open(io.BytesIO(clean)) as after:
        assert after.size == (200, 300)


@pytest.mark.parametrize("data", [b"", b"no picture", photo_with_traces()[:300]])
def test_what_is_no_picture_is_told(data: bytes) -> None:
    with pytest.raises(Trouble):
        anonymous(data)


@pytest.mark.parametrize(
    ("told", "found"),
    [
        (["paris-zurich-gray=red"], {"paris-zurich-gray": "red"}),
        (["paris-zurich-gray=none", "wien=blue"], {"paris-zurich-gray": None, "wien": "blue"}),
        (["wien = Empty"], {"wien": None}),
        (["wien=depot-red"], {"wien": "depot-red"}),
    ],
)
def test_corrections(told: list[str], found: dict[str, str | None]) -> None:
    assert corrections(told, EUROPE) == found


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ("paris-zurich-gray", "bad-correction"),
        ("=red", "bad-correction"),
        ("paris-zurich-grey=red", "unknown-route-or-city"),
        ("xyz=red", "no-such-route-or-city"),
        ("wien=redd", "unknown-color"),
        ("wien=mauve", "no-such-color"),
        ("wien=depot-mauve", "no-such-color"),
        ("paris-zurich-gray=depot-red", "no-such-color"),
    ],
)
def test_wrong_corrections_are_told(told: str, code: str) -> None:
    with pytest.raises(Trouble) as found:
        corrections([told], EUROPE)
    assert found.value.code == code


def empty_truth(**routes: str) -> dict[str, Any]:
    return {"routes": {r: routes.get(r) for r in EUROPE.routes}, "stations": {}}


def test_sense_knows_wagons_parallels_and_stations() -> None:
    assert sense(EUROPE, empty_truth()) == []
    all_red = empty_truth(**dict.fromkeys(EUROPE.routes, "red"))
    assert {p.key for p in sense(EUROPE, all_red)} >= {"position.wagons", "position.group-twice"}
    long = sorted((r for r in EUROPE.routes.values() if len(EUROPE.groups[r.group]) == 1), key=lambda r: -r.length)
    most: dict[str, str] = {}
    while sum(EUROPE.routes[r].length for r in most) < EUROPE.wagons:
        most[long[len(most)].id] = "red"
    used = sum(EUROPE.routes[r].length for r in most)
    # Spare wagons out of the box may lie there, more may not.
    assert EUROPE.wagons < used <= EUROPE.wagons + 3
    assert sense(EUROPE, empty_truth(**most)) == []
    most[long[len(most)].id] = "red"
    assert [p.key for p in sense(EUROPE, empty_truth(**most))] == ["position.wagons"]
    double = next(g for g in EUROPE.groups.values() if len(g) == 2)
    assert [p.key for p in sense(EUROPE, empty_truth(**{t.id: "red" for t in double}))] == ["position.group-twice"]
    assert sense(EUROPE, empty_truth(**{double[0].id: "red", double[1].id: "blue"})) == []
    stations = {**empty_truth(), "stations": dict.fromkeys(("wien", "paris", "roma", "essen"), "red")}
    assert [p.key for p in sense(EUROPE, stations)] == ["position.stations"]


def test_sense_knows_what_is_built_where() -> None:
    usa = maps.load("usa")
    empty: dict[str, Any] = {"routes": dict.fromkeys(usa.routes), "stations": {}}
    assert [p.key for p in sense(usa, {**empty, "stations": {"atlanta": "red"}})] == ["position.not-here"]
    assert sense(usa, {**empty, "depots": {"atlanta": "red", "boston": "red"}}) == []
    many = dict.fromkeys(list(usa.cities)[:6], "red")
    assert [p.key for p in sense(usa, {**empty, "depots": many})] == ["position.depots"]
    both = {**empty_truth(), "stations": {"wien": "red"}, "depots": {"wien": "blue"}}
    assert [p.key for p in sense(EUROPE, both)] == ["position.buildings-in-city"]


def test_a_city_holds_one_building() -> None:
    reading = replace(empty_reading(EUROPE), stations={"wien": StationReading("red", 0.9)})
    truth = board_truth(reading, EUROPE, {"wien": "depot-blue", "paris": "green"}, checked=True)
    assert (truth["stations"], truth["depots"]) == ({"paris": "green"}, {"wien": "blue"})
    assert "depots" not in board_truth(reading, EUROPE, {"wien": None}, checked=True)


def test_doubtful_places_stay_unchecked_until_somebody_looked() -> None:
    reading = empty_reading(EUROPE)
    truth = board_truth(reading, EUROPE, {"paris-zurich-gray": "red"}, checked=False)
    assert len(truth["unchecked"]) == len(EUROPE.routes) - 1
    assert truth["routes"]["paris-zurich-gray"] == "red"
    assert "unchecked" not in board_truth(reading, EUROPE, {}, checked=True)


def test_names_tell_the_session_and_nothing_else(tmp_path: Path) -> None:
    assert free_name(tmp_path, "Ada's kitchen") == "ada-s-kitchen-01"
    (tmp_path / "ada-s-kitchen-01.json").write_text("{}")
    assert free_name(tmp_path, "Ada's kitchen") == "ada-s-kitchen-02"


def test_cards_are_put_right_by_number() -> None:
    quad = ((0.0, 0.0), (10.0, 0.0), (10.0, 6.0), (0.0, 6.0))
    seen = Sheets(tuple(SheetSeen("card", c, 0.9, quad) for c in ("red", "blue", "green")))
    truth = sheet_truth(seen, ["2=locomotive", "3=none"], None)
    assert [c["color"] for c in truth["cards"]] == ["red", "locomotive"]
    for wrong in ("4=red", "0=red", "one=red", "1=mauve"):
        with pytest.raises(Trouble):
            sheet_truth(seen, [wrong], None)


def test_tickets_are_put_right_by_their_names() -> None:
    quad = ((0.0, 0.0), (10.0, 0.0), (10.0, 6.0), (0.0, 6.0))
    first, other = list(EUROPE.tickets)[:2]
    seen = Sheets((SheetSeen("ticket", first, 0.9, quad),))
    assert sheet_truth(seen, [f"1={other}"], EUROPE)["tickets"][0]["id"] == other
    with pytest.raises(Trouble) as found:
        sheet_truth(seen, ["1=nowhere--else"], EUROPE)
    assert found.value.code == "no-such-ticket-there"


def test_technologies_and_shares_are_recorded_as_such() -> None:
    quad = ((0.0, 0.0), (10.0, 0.0), (10.0, 6.0), (0.0, 6.0))
    board = maps.load("united-kingdom")
    seen = Sheets((SheetSeen("technology", technology_name("booster"), 0.9, quad),))
    assert [t["id"] for t in sheet_truth(seen, [], board)["technologies"]] == ["booster"]
    assert [t["id"] for t in sheet_truth(seen, ["1=propellers"], board)["technologies"]] == ["propellers"]
    with pytest.raises(Trouble) as found:
        sheet_truth(seen, ["1=teleporter"], board)
    assert found.value.code == "no-such-technology-there"
    board = maps.load("pennsylvania")
    seen = Sheets((SheetSeen("share", share_name("reading", None), 0.9, quad),))
    for told, row in (([], {"company": "reading"}), (["1=pennsylvania 3"], {"company": "pennsylvania", "number": 3})):
        (share,) = sheet_truth(seen, told, board)["shares"]
        assert {k: v for k, v in share.items() if k not in ("quad", "board")} == row
    with pytest.raises(Trouble) as found:
        sheet_truth(seen, ["1=nobody 3"], board)
    assert found.value.code == "no-such-share-there"


def test_a_session_has_a_name(capsys: pytest.CaptureFixture[str], photo: tuple[Path, dict[str, Any]]) -> None:
    for name in ("", " ", "../"):
        assert main(["record", str(photo[0]), "--out", "nowhere", "--session", name, "--json"]) == 2
        assert json.loads(capsys.readouterr().out)["error"]["code"] == "session-unnamed"


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, dict[str, Any]]:
    """A drawn photo that the program reads right but for one route."""
    image, truth = practice("europe", 12, size=(640, 480), taken=0.3)
    path = tmp_path / "IMG of Ada.jpg"
    Image.fromarray(image[..., ::-1]).save(path, comment=b"Ada")
    wrong = next(r for r, color in truth["routes"].items() if color)
    monkeypatch.setattr("vision.read.read", lambda *_, **__: right_reading(truth, **{wrong: None}))
    return path, {**truth, "wrong": wrong}


def test_a_recording_is_written_and_can_be_evaluated(
    capsys: pytest.CaptureFixture[str], photo: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    path, truth = photo
    fix = f"{truth['wrong']}={truth['routes'][truth['wrong']]}"
    out = tmp_path / "recordings"
    options = ["--out", str(out), "--session", "kitchen", "--light", "warm", "--set", fix]
    assert main(["record", str(path), *options]) == 0
    assert truth["wrong"] in capsys.readouterr().out
    (recording,) = recordings.recordings(out)
    assert recording.problem is None
    assert recording.name == "kitchen-01"
    assert recording.truth["session"] == "kitchen"
    assert recording.truth["routes"] == truth["routes"]
    assert recording.truth["stations"] == truth["stations"]
    assert b"Ada" not in recording.photo.read_bytes()
    assert main(["record", str(path), *options, "--json"]) == 0
    assert Path(json.loads(capsys.readouterr().out)["photo"]).name == "kitchen-02.jpg"


def test_what_makes_no_sense_is_not_written(
    capsys: pytest.CaptureFixture[str], photo: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    double = next(g for g in EUROPE.groups.values() if len(g) == 2)
    options = ["--out", str(tmp_path / "out"), "--session", "s", *(f"--set={t.id}=red" for t in double)]
    assert main(["record", str(photo[0]), *options]) == 2
    assert "--anyway" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main(["record", str(photo[0]), *options, "--anyway"]) == 0


def test_a_photo_that_cannot_be_read_becomes_a_test_too(
    capsys: pytest.CaptureFixture[str],
    photo: tuple[Path, dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(*_: object, **__: object) -> None:
        raise Trouble("no-folder", nothing_seen=True, folder="-")

    monkeypatch.setattr("vision.read.read", nothing)
    options = ["--out", str(tmp_path / "out"), "--session", "s"]
    assert main(["record", str(photo[0]), *options]) == 3
    corners = "1,2,600,2,600,400,1,400"
    options += ["--board", "europe", "--corners", corners, "--set", "paris-zurich-gray=red", "--checked"]
    assert main(["record", str(photo[0]), *options]) == 0
    (recording,) = recordings.recordings(tmp_path / "out")
    assert recording.truth["corners"][1] == [600, 2]
    assert [r for r, c in recording.truth["routes"].items() if c] == ["paris-zurich-gray"]
    assert main(["record", str(photo[0]), *options[:-1], "--corners", "1,2,3"]) == 2

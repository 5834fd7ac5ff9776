"""The camera against the record: what is new, what contradicts, what is doubtful."""

from __future__ import annotations

from dataclasses import replace

from companion.rules import DEPOTS, Position
from companion.table.merge import Merged, merge
from tests.play.asking import table
from vision.reading import Reading, RouteReading, StationReading

KNOWN = table("europe", "Bruno", routes=["brest-paris-black"], stations=["roma"])


def seen(
    routes: dict[str, str | None], stations: dict[str, str] | None = None, doubtful: tuple[str, ...] = ()
) -> Reading:
    position = Position.from_json(KNOWN)
    whole = {r: RouteReading(routes.get(r), 0.9, ()) for r in position.board.routes}
    built = {c: StationReading(color, 0.8) for c, color in (stations or {}).items()}
    return Reading("photo.jpg", "europe", (), whole, built, doubtful)


def merged(reading: Reading) -> Merged:
    return merge(Position.from_json(KNOWN), reading)


def test_a_picture_that_shows_what_is_known() -> None:
    found = merged(seen({"brest-paris-black": "red"}, {"roma": "red"}))
    assert found.agrees
    assert found == Merged()


def test_new_tracks_and_stations() -> None:
    found = merged(
        seen(
            {"brest-paris-black": "red", "essen-berlin-blue": None, "berlin-essen-blue": "blue"},
            {"roma": "red", "paris": "blue"},
        )
    )
    assert [(s.id, s.known, s.seen) for s in found.new] == [("berlin-essen-blue", None, "blue")]
    assert [(s.id, s.seen) for s in found.new_stations] == [("paris", "blue")]
    assert not found.conflicts
    assert not found.agrees


def test_contradictions() -> None:
    found = merged(seen({"brest-paris-black": "blue"}, {"roma": "blue"}))
    assert [(s.id, s.known, s.seen) for s in found.conflicts] == [("brest-paris-black", "red", "blue")]
    assert [(s.id, s.known, s.seen) for s in found.station_conflicts] == [("roma", "red", "blue")]
    gone = merged(seen({}))
    assert [s.id for s in gone.vanished] == ["brest-paris-black"]
    assert [(s.id, s.seen) for s in gone.station_conflicts] == [("roma", None)]


def test_doubtful_sights_are_neither_new_nor_wrong() -> None:
    found = merged(
        seen(
            {"brest-paris-black": "blue", "berlin-essen-blue": "blue"},
            {"roma": "red"},
            ("brest-paris-black", "berlin-essen-blue"),
        )
    )
    assert [s.id for s in found.doubtful] == ["berlin-essen-blue", "brest-paris-black"]
    assert found.agrees


def test_a_track_with_two_owners_agrees_with_either() -> None:
    told = table("united-kingdom", "Bruno", routes=["barrow-carlisle-red"])
    told["players"][1]["routes"] = ["barrow-carlisle-red"]
    position = Position.from_json(told)
    for color in ("red", "blue"):
        routes = {
            r: RouteReading(color if r == "barrow-carlisle-red" else None, 1.0, ()) for r in position.board.routes
        }
        assert merge(position, Reading("p", "united-kingdom", (), routes)).agrees


def test_colours_that_nobody_plays_are_named() -> None:
    found = merged(seen({"brest-paris-black": "red", "berlin-essen-blue": "yellow"}, {"roma": "red"}))
    assert found.strangers == ("yellow",)


def test_depots_are_buildings_beside_stations() -> None:
    told = table("europe", "Bruno", routes=["brest-paris-black"], stations=["roma"]) | {"modules": [DEPOTS]}
    told["players"][1]["depots"] = ["wien", "paris"]
    position = Position.from_json(told)
    color = position.players[1].color
    houses = {
        "wien": StationReading(color, 0.9), "madrid": StationReading(color, 0.9), "kyiv": StationReading("white", 0.9),
    }  # fmt: skip
    plain = seen({"brest-paris-black": "red"}, {"roma": "red"})
    found = merge(position, replace(plain, depots=houses))
    # A depot that is not seen is still there: it never comes back from the board.
    assert [(s.id, s.known, s.seen) for s in found.new_stations] == [
        ("madrid", None, f"depot-{color}"), ("kyiv", None, "depot-white"),
    ]  # fmt: skip
    assert found.station_conflicts == ()
    assert found.strangers == ("white",)
    # What record and camera agree on is not asked, however doubtful.
    unsure = replace(plain, depots=houses, doubtful=("roma", "wien", "madrid", "kyiv"))
    assert [s.id for s in merge(position, unsure).doubtful] == ["madrid", "kyiv"]
    other = replace(plain, depots={"wien": StationReading("red", 0.9)})
    assert [(s.id, s.known, s.seen) for s in merge(position, other).station_conflicts] == [
        ("wien", f"depot-{color}", "depot-red")
    ]

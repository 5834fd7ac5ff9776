"""Motion, sound and shakes: each is switched off by its setting, and none of them holds up or swallows a tap."""

from __future__ import annotations

import time
import wave
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.ui import sound
from companion.ui.models.sheet import SheetModel
from companion.ui.system import Desktop
from tests.ui.conftest import Pilot, Start, Table

ROUTE = "brest-paris-black"


class Shaking(Desktop):
    shakes = True

    def __init__(self) -> None:
        self.felt: list[int] = []

    def shake(self, milliseconds: int) -> None:
        self.felt.append(milliseconds)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    heard: list[str] = []
    monkeypatch.setattr(sound, "play", lambda _folder, name: heard.append(name))
    return heard


@pytest.mark.parametrize("name", sound.SOUNDS)
def test_sounds_are_short_and_small(tmp_path: Path, name: str) -> None:
    file = sound.tone(tmp_path / f"{name}.wav", name)
    with wave.open(str(file)) as made:
        seconds = made.getnframes() / made.getframerate()
        loud = max(abs(int.from_bytes(pair, "little", signed=True)) for pair in _pairs(made.readframes(2000)))
    assert 0.02 < seconds < 1.0
    assert file.stat().st_size < 40_000
    assert 1000 < loud < 16000


def _pairs(data: bytes) -> list[bytes]:
    return [data[i : i + 2] for i in range(0, len(data), 2)]


@pytest.mark.parametrize(
    ("settings", "sounds", "shakes"),
    [({}, True, True), ({"sound": False}, False, True), ({"vibration": False}, True, False)],
)
def test_a_verdict_is_heard_and_felt_as_the_settings_say(
    start: Start, played: list[str], settings: dict[str, bool], sounds: bool, shakes: bool
) -> None:
    pilot = start(**settings)
    pilot.begin("Ada", "Bo")
    pilot.desk.system = Shaking()
    pilot.app.feel.still = False
    pilot.page.model.offer([ROUTE])
    pilot.page.fill()
    pilot.page.confirm()
    assert ROUTE in pilot.page.model.position.owners
    # Taken by Ada: the same refusal is heard once, however often the screen is filled.
    pilot.page.model.start("claim").set("route", ROUTE)
    pilot.page.fill()
    pilot.page.fill()
    assert pilot.app.feel.felt[-1] in ("laid", "wrong")
    assert ("laid" in played) == sounds
    assert bool(pilot.desk.system.felt) == shakes


def test_nothing_moves_sounds_or_shakes_where_nobody_watches(start: Start, played: list[str]) -> None:
    pilot = start()
    pilot.begin("Ada", "Bo")
    pilot.desk.system = Shaking()
    pilot.page.model.offer([ROUTE])
    pilot.page.fill()
    pilot.page.confirm()
    assert played == []
    assert pilot.desk.system.felt == []
    assert not pilot.app.feel.moves


def test_wagons_roll_onto_the_map_while_taps_go_on(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """While wagons are on their way a tap does what it always does, and the end is whole."""
    from companion.ui.widgets import map_view

    # Longer than a busy machine takes for the taps below.
    monkeypatch.setattr(map_view, "_ROLL_SECONDS", 60.0)
    pilot = start()
    pilot.begin("Ada", "Bo")
    still = _meshes(pilot)
    pilot.app.feel.still = False
    pilot.page.model.offer([ROUTE])
    pilot.page.fill()
    pilot.page.confirm()
    view = pilot.page.map
    pilot.frames(3)
    assert view.moving.children
    pilot.tap("Bo", settle=False)
    assert pilot.page.model.acting == "Bo" or pilot.page.model.position.turn == "Bo"
    assert view.moving.children
    # The next change of the map ends it, with everything in its place.
    view._rolling.cancel()
    assert not view.moving.children
    assert _meshes(pilot) > still


def _meshes(pilot: Pilot) -> int:
    return len(pilot.page.map.above.children)


def _wait(pilot: Pilot, done: Callable[[], bool], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        pilot.frames(1)
        time.sleep(0.01)
    assert done()


def test_rows_overtake_count_up_and_the_winner_is_celebrated(start: Start, table: Table) -> None:
    table.board("europe", {"brest-paris-black": "red", "barcelona-madrid-yellow": "blue", "berlin-wien-green": "blue"})
    pilot = start()
    pilot.photograph()
    pilot.tap(pilot.say("new.next"))
    for _ in range(2):
        pilot.next_player()
    assert isinstance(pilot.page.model, SheetModel)
    pilot.app.feel.still = False
    while not pilot.page.model.complete:
        # Faster than anything moves: no tap is lost, none counts twice.
        shown = pilot.page.model.shown
        pilot.page._reveal()
        pilot.frames(2)
        assert pilot.page.model.shown == shown + 1
    assert pilot.app.feel.felt[-1] == "win"
    falling = len(pilot.app.shell.canvas.after.children)
    _wait(pilot, lambda: len(pilot.app.shell.canvas.after.children) < falling)
    totals = {p.name: p.total for p in pilot.page.model.sheet.players}
    assert {name: int(label.text) for name, label in pilot.page._totals.items()} == totals


def test_motion_can_be_switched_off(start: Start) -> None:
    pilot = start(motion=False)
    pilot.app.feel.still = False
    steps: list[float] = []
    pilot.app.feel.run(steps.append)
    assert steps == [1.0]
    pilot.desk.change(motion=True)
    run = pilot.app.feel.run(steps.append, 5.0)
    pilot.frames(2)
    assert 0 <= steps[-1] < 1
    run.cancel()
    assert steps[-1] == 1.0

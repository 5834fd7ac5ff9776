"""The voice: it makes sound that is heard, stops at once, never lags behind the table, and says why it is silent."""

from __future__ import annotations

import importlib.util
import sys
import threading
import time
import wave
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any  # Any: speech engines have no types

import numpy as np
import pytest

from companion.ui import voice as voices
from companion.ui.voice import DesktopVoice, Mute, Speaker, Voice, default_voice

LONG = 30.0


class Engine:
    """Stands in for pyttsx3: writes a sound as long as the sentence."""

    def __init__(self) -> None:
        self.chosen: list[str] = []
        self._asked: tuple[str, str] | None = None

    def getProperty(self, name: str) -> list[Any]:  # noqa: N802 - pyttsx3's name
        assert name == "voices"
        spoken = ("gmw/en-029", ["en-029"]), ("roa/fr-be", ["fr-be"]), ("roa/fr", ["fr-fr"]), ("gmw/en", ["en-gb"])
        return [SimpleNamespace(id=i, languages=tongues) for i, tongues in spoken]

    def setProperty(self, name: str, value: str) -> None:  # noqa: N802
        assert name == "voice"
        self.chosen.append(value)

    def save_to_file(self, text: str, file: str) -> None:
        self._asked = (text, file)

    def runAndWait(self) -> None:  # noqa: N802
        assert self._asked is not None
        print("Audio saved to a file that nobody asked about")
        text, file = self._asked
        with wave.open(file, "wb") as written:
            written.setparams((1, 2, 22050, 0, "NONE", ""))
            written.writeframes(b"\x10\x20" * len(text))


class Heard:
    """A sound that goes on until it is stopped."""

    def __init__(self, seconds: float) -> None:
        self.state, self.length = "stop", seconds
        self.played = False

    def play(self) -> None:
        self.state, self.played = "play", True

    def stop(self) -> None:
        self.state = "stop"

    def unload(self) -> None:
        return


def until(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.005)


def reason(voice: Voice) -> str:
    """Why nothing is heard."""
    return "" if voice.problem is None else voice.problem.key


class Slow(Speaker):
    """Says a sentence until somebody lets it go on."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.goes_on = threading.Semaphore(0)
        super().__init__()

    def _speak(self, text: str, _language: str, hushed: threading.Event) -> None:
        self.said.append(text)
        while not self.goes_on.acquire(timeout=0.01) and not hushed.is_set():
            pass


def test_sentences_do_not_pile_up() -> None:
    voice = Slow()
    voice.say("0", "en")
    until(lambda: voice.said == ["0"])
    for n in range(1, 8):
        voice.say(str(n), "en")
    for _ in range(3):
        voice.goes_on.release()
    until(lambda: len(voice.said) == 3)
    # What is being said is said to its end; of the rest the newest.
    assert voice.said == ["0", "6", "7"]
    voice.close()


def test_switched_off_it_stops_in_the_middle_of_a_sentence() -> None:
    heard: list[Heard] = []

    def load(file: Path) -> Heard:
        assert file.is_file()
        heard.append(Heard(LONG))
        return heard[-1]

    voice = DesktopVoice(Engine, load)
    voice.say("one", "en")
    voice.say("two", "en")
    until(lambda: bool(heard) and heard[0].state == "play")
    voice.hush()
    until(lambda: heard[0].state == "stop")
    voice.say("three", "fr")
    until(lambda: len(heard) == 2 and heard[1].played)
    voice.close()
    until(lambda: heard[1].state == "stop")


def test_a_sentence_ends_although_no_screen_is_drawn() -> None:
    heard: list[Heard] = []

    def load(_: Path) -> Heard:
        heard.append(Heard(0.05))
        return heard[-1]

    voice = DesktopVoice(Engine, load)
    voice.say("one", "en")
    voice.say("two", "en")
    until(lambda: len(heard) == 2 and heard[1].state == "stop")
    voice.close()


@pytest.mark.parametrize(("language", "wanted"), [("en", "gmw/en"), ("fr", "roa/fr")])
def test_a_language_is_spoken_as_most_people_know_it(
    language: str, wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = Engine()
    voice = DesktopVoice(lambda: engine, lambda _: None)
    assert voice.sound("Rouge", language, tmp_path / "a.wav").stat().st_size > 40
    assert engine.chosen == [wanted]
    assert capsys.readouterr().out == ""
    voice.close()


@pytest.mark.parametrize(
    ("tongue", "plain"),
    [
        (b"\x05en-us", "en-us"),
        ("en_US", "en-us"),
        ("roa/fr", "fr"),
        (r"HKEY/Tokens/TTS_MS_FR-FR_HORTENSE_11.0", "fr-fr-hortense-11.0"),
    ],
)
def test_every_system_names_languages_in_its_own_way(tongue: str | bytes, plain: str) -> None:
    assert voices._plain(tongue) == plain


def test_speech_that_fails_is_silence_with_a_reason() -> None:
    def broken() -> Any:
        raise OSError("libespeak-ng.so.1: cannot open shared object file")

    voice = DesktopVoice(broken, lambda _: None)
    assert voice.problem is not None
    voice.say("one", "en")
    assert Mute().problem == voice.problem


def test_without_a_way_for_sound_it_says_so() -> None:
    voice = DesktopVoice(Engine, lambda _: None)
    assert reason(voice) == ""
    voice.say("one", "en")
    until(lambda: reason(voice) == "app.watch.no-sound")
    voice.close()


def test_without_speech_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyttsx3", None)
    assert default_voice(lambda _: None).problem is not None


@pytest.mark.skipif(importlib.util.find_spec("pyttsx3") is None, reason="needs pyttsx3 and eSpeak")
@pytest.mark.parametrize(("language", "text"), [("en", "Red: Paris, Zürich, 4 points."), ("fr", "Rouge : 4 points.")])
def test_installed_speech_makes_sound(language: str, text: str, tmp_path: Path) -> None:
    voice = default_voice(lambda _: None)
    if not isinstance(voice, DesktopVoice) or voice.problem is not None:
        pytest.skip("no speech is installed")
    with wave.open(str(voice.sound(text, language, tmp_path / "said.wav"))) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        assert file.getnframes() / file.getframerate() > 0.8
    assert np.abs(samples).max() > 2000
    voice.close()

"""The phone's speech: the right calls to Java, from waking up to being hushed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any  # Any: Java's objects

import pytest

from companion.ui.android.voice import AndroidVoice
from tests.android.java import Class, Java, Thing

SPEECH = "android.speech.tts.TextToSpeech"
SUCCESS, FLUSH = 0, 0


class Speech(Class):
    """Android's text to speech; `busy`: a sentence is being said."""

    def __init__(self) -> None:
        super().__init__(SPEECH, 34)
        self.busy = True

    def __call__(self, *arguments: Any) -> Thing:
        made = super().__call__(*arguments)
        made._answers["isSpeaking"] = lambda: self.busy
        return made


@pytest.fixture
def speech(monkeypatch: pytest.MonkeyPatch) -> Speech:
    java = Java()
    java.install(monkeypatch)
    monkeypatch.setattr(sys.modules["jnius"], "PythonJavaClass", object, raising=False)
    monkeypatch.setattr(sys.modules["jnius"], "java_method", lambda _: lambda method: method, raising=False)
    java.classes[SPEECH] = made = Speech()
    return made


def until(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.005)


def woken(speech: Speech, status: int = SUCCESS) -> tuple[AndroidVoice, Thing]:
    voice = AndroidVoice()
    (made,) = speech.objects
    _activity, listener = made.made_with
    voice.say("Rouge : Paris, Zürich, 4 points.", "fr")
    assert not made.calls, "it was asked to speak before it was awake"
    listener.onInit(status)
    return voice, made


def test_what_is_said_meanwhile_waits_until_it_is_awake(speech: Speech) -> None:
    voice, made = woken(speech)
    until(lambda: bool(made.called("speak")))
    ((text, queue, more, name),) = made.called("speak")
    assert (queue, more, name) == (FLUSH, None, text)
    assert text.startswith("Rouge")
    assert len(made.called("setLanguage")) == 1
    voice.close()
    assert made.called("shutdown")


def test_one_sentence_follows_the_other_and_the_oldest_are_left_out(speech: Speech) -> None:
    voice, made = woken(speech)
    until(lambda: bool(made.called("speak")))
    for n in range(5):
        voice.say(str(n), "fr")
    assert len(made.called("speak")) == 1
    speech.busy = False
    until(lambda: len(made.called("speak")) == 2)
    speech.busy = True
    assert made.called("speak")[1][0] == "3"
    voice.close()


def test_hushed_it_stops_at_once(speech: Speech) -> None:
    voice, made = woken(speech)
    until(lambda: bool(made.called("isSpeaking")))
    assert not made.called("stop")
    voice.hush()
    until(lambda: bool(made.called("stop")))
    voice.close()


def test_a_phone_without_a_voice_says_so(speech: Speech) -> None:
    voice, made = woken(speech, status=-1)
    assert voice.problem is not None
    assert voice.problem.key == "app.watch.no-voice-phone"
    voice.close()
    assert not made.called("speak")
